//! The context menu: by the secondary button, a long press, Shift F10 or the menu key.

use super::state::Canvas;
use crate::{
    action::Menu,
    canvas::{Point, Rect, Target, tool::Event, tool::State},
    model::Id,
    platform::device,
    ui::menu,
};
use leptos::{html::Div, prelude::*};
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{MouseEvent, PointerEvent};

/// How long a finger or pen rests before the menu opens.
const LONG_PRESS: Duration = Duration::from_millis(500);
/// The menu keeps this far from the edges of the window.
const MARGIN: f64 = 6.0;

impl Canvas {
    /// The browser asks for a context menu.
    pub fn context_event(self, event: &MouseEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        if target.is_some_and(|el| el.closest("input, textarea").ok().flatten().is_some()) {
            return;
        }
        event.prevent_default();
        // A key opened it already; some browsers send both.
        if self.context.with_untracked(Option::is_some) {
            return;
        }
        let pointed = event.client_x() != 0 || event.client_y() != 0;
        if pointed && event.button() == 2 {
            let over = self.over(event.target(), self.local(event.client_x(), event.client_y()), false);
            self.open_menu_on(&over, event.client_x(), event.client_y());
        } else {
            self.open_menu();
        }
    }

    /// Starts to wait for a long press of a finger or pen.
    pub fn await_long_press(self, event: &PointerEvent) {
        if event.pointer_type() == "mouse" || event.button() != 0 {
            return;
        }
        let (pointer, x, y) = (event.pointer_id(), event.client_x(), event.client_y());
        set_timeout(
            move || {
                let held = self.state.try_get_untracked();
                if let Some(State::Pressed(first)) = held.filter(|_| self.context.try_get_untracked() == Some(None))
                    && first.id == pointer
                {
                    self.open_menu_on(&first.over, x, y);
                }
            },
            LONG_PRESS,
        );
    }

    /// Opens the menu of what is under the pointer; that becomes the selection, unless it is part of it.
    fn open_menu_on(self, over: &Target, x: i32, y: i32) {
        self.send(Event::Cancel);
        self.offer.set(None);
        let selected = |id: &Id| self.desk.selection.with_untracked(|selection| selection.contains(id));
        match over.id() {
            Some(id) if selected(id) => {}
            Some(id) => self.desk.select([id.clone()]),
            None => self.desk.select([]),
        }
        self.pointer.set_value(Some(self.local(x, y)));
        self.context.set(Some(Point::new(f64::from(x), f64::from(y))));
    }

    /// Opens the menu by key: at the selection, else in the middle of the canvas.
    pub fn open_menu(self) {
        let selection = self.desk.selection.get_untracked();
        let around = self.with_now(|now| {
            let spot = |id: &Id| now.world.routes.get(id).map(|route| route.spot().at);
            let links = selection.iter().filter_map(spot).map(|p| Rect::new(p.x, p.y, 1.0, 1.0));
            Rect::around(selection.iter().filter_map(|id| now.world.scene.get(id)).copied().chain(links))
        });
        let (w, h) = self.pane.get_untracked();
        let within = |p: Point| Point::new(p.x.clamp(0.0, w), p.y.clamp(0.0, h));
        let view = self.view.get_untracked();
        let at = around.map_or_else(
            || Point::new(w / 2.0, h / 2.0),
            |rect| within(view.to_screen(Point::new(rect.x + rect.w.min(40.0) / 2.0, rect.bottom()))),
        );
        self.pointer.set_value(Some(Point::new(w / 2.0, h / 2.0)));
        let corner = self.local(0, 0);
        self.context.set(Some(at.plus(-corner.x, -corner.y)));
    }

    /// Closes the menu and gives the keyboard back to what it was about.
    pub fn close_menu(self) {
        self.context.set(None);
        let one = untrack(|| self.desk.selected());
        match one.filter(|id| self.scene.with_untracked(|scene| scene.contains_key(id))) {
            Some(id) => self.focus(&id),
            None => {
                if let Some(root) = self.root.get_untracked() {
                    _ = root.focus();
                }
            }
        }
    }
}

/// The menu, where it is open.
pub fn context_menu(canvas: Canvas) -> AnyView {
    // A press anywhere else closes it.
    let outside = window_event_listener(leptos::ev::pointerdown, move |event| {
        let inside = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let inside = inside.is_some_and(|el| el.closest(".context-menu").ok().flatten().is_some());
        if !inside && canvas.context.try_get_untracked().flatten().is_some() {
            canvas.context.set(None);
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if canvas.context.try_get_untracked().flatten().is_some() {
            canvas.context.set(None);
        }
    });
    on_cleanup(move || {
        outside.remove();
        resized.remove();
    });
    view! { {move || canvas.context.get().map(|at| opened(canvas, at))} }.into_any()
}

fn opened(canvas: Canvas, at: Point) -> AnyView {
    let which = canvas.desk.context.with_untracked(Menu::of);
    let node = NodeRef::<Div>::new();
    let place = RwSignal::new((at.x, at.y));
    Effect::new(move |_| {
        let Some(menu) = node.get() else { return };
        let (width, height) = device::size();
        let within = |at: f64, size: f64, room: f64| at.min(room - size - MARGIN).max(MARGIN);
        // All of its content, whatever of it the window has room for where it was opened.
        let (w, h) = (f64::from(menu.offset_width()), f64::from(menu.scroll_height()) + 2.0);
        place.set((within(at.x + 2.0, w, width), within(at.y + 2.0, h, height)));
        if let Some(first) = menu.query_selector("[role=menuitem]").ok().flatten()
            && let Ok(first) = first.dyn_into::<web_sys::HtmlElement>()
        {
            _ = first.focus();
        }
    });
    let close = Callback::new(move |()| canvas.close_menu());
    view! {
        <div
            class="context-menu popover fade"
            role="menu"
            node_ref=node
            data-menu=which.title()
            aria-label=format!("{} menu", which.title())
            style:left=move || format!("{}px", place.get().0)
            style:top=move || format!("{}px", place.get().1)
            // A font that comes late may make it longer: then it scrolls.
            style:max-height=move || format!("calc(100vh - {}px)", place.get().1 + MARGIN)
            on:pointerdown=|event| event.stop_propagation()
            on:pointermove=|event| event.stop_propagation()
            on:pointerup=|event| event.stop_propagation()
            on:dblclick=|event| event.stop_propagation()
            on:wheel=|event| event.stop_propagation()
            on:contextmenu=|event| {
                event.prevent_default();
                event.stop_propagation();
            }
            on:keydown=move |event| menu::keys(&event, close)
        >
            {menu::groups(canvas.desk, which.groups(), close)}
        </div>
    }
    .into_any()
}
