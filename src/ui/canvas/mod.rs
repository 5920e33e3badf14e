//! The canvas: elements as HTML over one drawing of all links, moved and zoomed by one transform.
//!
//! Every element and link has a signal for its place, so that a drag touches what moves and nothing else. What a gesture
//! means is worked out in [`crate::canvas`]; this module turns events into its events and draws its answers.

mod auto_pan;
mod both;
mod carry;
mod commands;
mod context;
mod element;
mod events;
mod link;
mod minimap;
mod note;
mod overlay;
mod rename;
mod seen;
mod state;
mod toolbar;

pub use both::legend;

pub use state::drawn;

use crate::{
    canvas::{
        Rect,
        tool::{Event, State, Tool},
    },
    model::{ElementKind, Id, counted},
    ui::store::Desk,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use seen::{CULL_FROM, in_page};
use state::Canvas;
use wasm_bindgen::{JsCast, closure::Closure};

/// The ground grows by so much at a time, so that few edits change it; its dots are 20 apart.
const GROUND_STEP: f64 = 1000.0;

/// The canvas pane.
pub fn canvas(desk: Desk) -> AnyView {
    let canvas = Canvas::new(desk);
    desk.on_canvas_command(move |command| canvas.run(command));
    watch_size(canvas);
    fit_new_designs(canvas);
    fit_to_workshop(canvas);
    carry::take(canvas);
    listen_for_space(canvas);
    view! {
        <div
            class=move || root_class(canvas)
            node_ref=canvas.root
            role="application"
            tabindex="0"
            aria-label=move || {
                format!("Canvas, {}. Tab walks in the order of flow.", counted(canvas.order.read().len(), "element"))
            }
            style=move || {
                // Of what a hand moves only the dots: what all of the drawing inherits makes all of it be laid out again.
                let (view, dot) = (canvas.view.get(), 20.0 * canvas.view.read().zoom);
                format!(
                    "--inv:{:.4};background-size:{dot:.2}px {dot:.2}px;background-position:{:.1}px {:.1}px",
                    1.0 / canvas.zoom.get(), view.x, view.y,
                )
            }
            on:pointerdown=move |event| canvas.down(&event)
            on:pointermove=move |event| canvas.moved(&event)
            on:pointerup=move |event| canvas.up(&event)
            on:pointercancel=move |_| canvas.send(Event::Cancel)
            on:pointerleave=move |_| canvas.pointer.set_value(None)
            on:dblclick=move |event| canvas.double(event.client_x(), event.client_y())
            on:wheel=move |event| canvas.wheel(&event)
            on:contextmenu=move |event| canvas.context_event(&event)
            on:keydown=move |event| {
                canvas.choose_by_key(&event);
                canvas.pan_by_key(&event);
            }
            on:scroll=move |_| unscroll(canvas)
        >
            <div class="cv-view">{world(canvas)}</div>
            {overlay::refusal(canvas)}
            {overlay::offer(canvas)}
            {toolbar::toolbar(canvas)}
            {minimap::minimap(canvas)}
            {carry::ghost(canvas)}
            {context::context_menu(canvas)}
        </div>
    }
    .into_any()
}

/// Everything that pans and zooms.
fn world(canvas: Canvas) -> AnyView {
    let elements = Memo::new(move |_| visible(canvas));
    let links = Memo::new(move |_| canvas.picture.read().wires.keys().cloned().collect::<Vec<Id>>());
    let consumers = Memo::new(move |_| {
        let picture = canvas.picture.read();
        let consumer = |id: &&Id| picture.cards.get(*id).is_some_and(|card| card.kind == ElementKind::Consumer);
        picture.order.iter().filter(consumer).cloned().collect::<Vec<Id>>()
    });
    let notes = Memo::new(move |_| canvas.desk.design.read().layout.notes.keys().cloned().collect::<Vec<Id>>());
    let flags = Memo::new(move |_| canvas.picture.read().flags.clone());
    let transform = move || {
        let view = canvas.view.get();
        format!("translate({}px,{}px) scale({})", view.x, view.y, view.zoom)
    };
    view! {
        <div class="cv-world" style:transform=transform>
            {plane(canvas)}
            <svg class="cv-links" width="1" height="1">
                <defs>
                    <pattern id="cv-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                        <rect width="6" height="3.1" class="cv-hatch-bad" />
                    </pattern>
                    <pattern id="cv-unread" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                        <rect width="4" height="4" class="cv-unread-ground" />
                        <rect width="4" height="1.4" class="cv-unread-line" />
                    </pattern>
                </defs>
                <For each=move || links.get() key=Id::clone children=move |id| link::link(canvas, id) />
            </svg>
            <For each=move || elements.get() key=Id::clone children=move |id| element::element(canvas, id) />
            <For each=move || notes.get() key=Id::clone children=move |id| note::note(canvas, id) />
            <div class="cv-over">
                <For each=move || links.get() key=Id::clone children=move |id| link::dress(canvas, id) />
                <For each=move || consumers.get() key=Id::clone children=move |id| link::consumer_badge(canvas, id) />
                {move || {
                    let flags = flags.get();
                    let stacks = canvas.stacks(flags.clone());
                    let stacked = move |n: usize| Memo::new(move |_| stacks.with(|all| all.get(n).copied().unwrap_or_default()));
                    flags.into_iter().enumerate().map(|(n, flag)| link::flag(canvas, flag, stacked(n))).collect_view()
                }}
                <svg class="cv-gestures" width="1" height="1">{overlay::gestures(canvas)}</svg>
            </div>
        </div>
    }
    .into_any()
}

/// A ground under all of the drawing and all that is seen, with the dots of the canvas. The drawing is on a layer of its own;
/// what stands on nothing opaque there would be on more, one for each part.
fn plane(canvas: Canvas) -> AnyView {
    let around = Memo::new(move |_| {
        let seen = canvas.still.get().seen(canvas.pane.get());
        let seen = seen.grown(seen.w.max(seen.h));
        let drawn = Rect::around(canvas.scene.read().values().copied()).map(|drawn| drawn.grown(400.0));
        drawn.map_or(seen, |drawn| drawn.union(seen)).snapped_out(GROUND_STEP)
    });
    let style = move || {
        let Rect { x, y, w, h } = around.get();
        format!("transform:translate({x}px,{y}px);width:{w}px;height:{h}px")
    };
    view! { <div class="cv-plane" style=style></div> }.into_any()
}

fn root_class(canvas: Canvas) -> String {
    let hand = canvas.space.get() || canvas.tool.get() == Tool::Hand;
    let mode = match canvas.state.get() {
        State::Panning { .. } | State::Pinching { .. } => " panning",
        State::Moving { .. } => " moving",
        State::Connecting { .. } | State::Reconnecting { .. } => " connecting",
        ref state if state.chooses() => " choosing",
        _ if hand => " hand",
        _ if matches!(canvas.tool.get(), Tool::Add(_) | Tool::Note) => " adding",
        _ => "",
    };
    let reading = if canvas.desk.reading.get() { " cv-reading" } else { "" };
    let gliding = if canvas.gliding.get() { " gliding" } else { "" };
    format!("cv-canvas {}{mode}{gliding}{reading}", canvas.detail.get().classes())
}

/// The elements that are in the page: all, or in a large design those near the pane.
fn visible(canvas: Canvas) -> Vec<Id> {
    let order = canvas.order.read();
    if order.len() < CULL_FROM {
        return order.to_vec();
    }
    let seen = in_page(canvas.still.get(), canvas.pane.get());
    let scene = canvas.scene.read();
    let selection = canvas.desk.selection.read();
    let near = |id: &&Id| selection.contains(*id) || scene.get(*id).is_none_or(|rect| rect.overlaps(seen));
    order.iter().filter(near).cloned().collect()
}

/// Follows the size of the pane.
fn watch_size(canvas: Canvas) {
    let measure = move || {
        if let Some(root) = canvas.root.get_untracked() {
            let size = (f64::from(root.client_width()), f64::from(root.client_height()));
            if canvas.pane.get_untracked() != size {
                canvas.pane.set(size);
            }
        }
        let coarse =
            window().match_media("(pointer: coarse), (max-height: 699px)").ok().flatten().is_some_and(|m| m.matches());
        if canvas.compact.get_untracked() != coarse {
            canvas.compact.set(coarse);
        }
    };
    Effect::new(move |_| {
        let Some(root) = canvas.root.get() else { return };
        measure();
        let changed = Closure::<dyn Fn()>::new(measure);
        let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) else { return };
        observer.observe(&root);
        let kept = StoredValue::new_local((observer, changed));
        on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
    });
    // When the drawer grows, the selection stays in view; the zoom stays. What was seen whole stays so in a wider or
    // narrower window.
    Effect::new(move |before: Option<(f64, f64)>| {
        let pane = canvas.pane.get();
        if before.is_some_and(|before| before.0 > 0.0 && (pane.0 < before.0 || pane.1 < before.1)) {
            let selection = canvas.desk.selection.get_untracked();
            if !selection.is_empty() {
                canvas.reveal(&selection);
            }
        }
        let resized = before.is_some_and(|before| before.0 > 0.0 && before.0 != pane.0);
        if resized && canvas.desk.selection.with_untracked(|selection| selection.is_empty()) {
            canvas.fit_again();
        }
        pane
    });
}

/// Shows the whole of a design that was just opened.
fn fit_new_designs(canvas: Canvas) {
    Effect::new(move |before: Option<Vec<Id>>| {
        let ids: Vec<Id> = canvas.scene.read().keys().cloned().collect();
        let sized = canvas.pane.get().0 > 0.0;
        let known = before.as_ref().is_some_and(|before| before.iter().any(|id| ids.contains(id)));
        if sized && !known && ids.len() > 1 {
            canvas.fit();
        }
        if sized { ids } else { before.unwrap_or_default() }
    });
}

/// The projector shows all of the drawing; leaving it brings back what was seen before.
fn fit_to_workshop(canvas: Canvas) {
    let before = StoredValue::new(None);
    Effect::new(move |was: Option<bool>| {
        let on = canvas.desk.panes.workshop.get();
        let sized = canvas.pane.get().0 > 0.0;
        match (was.unwrap_or(false), on) {
            (false, true) => {
                before.set_value(Some(canvas.view.get_untracked()));
                canvas.fit();
            }
            // The pane comes to its new size after the panes around it are gone.
            (true, true) if sized => canvas.fit(),
            (true, false) => {
                if let Some(view) = before.get_value() {
                    canvas.view.set(view);
                }
            }
            _ => {}
        }
        on
    });
}

/// Space held over the canvas is the hand.
fn listen_for_space(canvas: Canvas) {
    let here = move |event: &KeyboardEvent| {
        let inside = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let field =
            inside.as_ref().is_some_and(|el| el.matches("input,textarea,select,button,[role=tab]").unwrap_or(false));
        !field && inside.is_some_and(|el| el.closest(".cv-canvas,body").ok().flatten().is_some())
    };
    let down = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == " " && !event.default_prevented() && here(&event) && !event.ctrl_key() {
            event.prevent_default();
            if !canvas.space.get_untracked() {
                canvas.space.set(true);
            }
        }
    });
    let up = window_event_listener(leptos::ev::keyup, move |event| {
        if event.key() == " " && canvas.space.get_untracked() {
            canvas.space.set(false);
        }
    });
    on_cleanup(move || {
        down.remove();
        up.remove();
    });
}

/// The browser scrolls a focused element into view; the viewport does that here.
fn unscroll(canvas: Canvas) {
    if let Some(root) = canvas.root.get_untracked() {
        root.set_scroll_left(0);
        root.set_scroll_top(0);
    }
}
