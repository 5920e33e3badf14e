//! The map of the whole drawing at the lower right: where the view is, and the way to another place.

use super::state::Canvas;
use crate::{
    action::Command,
    canvas::{
        Point, Rect,
        minimap::{SIZE, Sketch, centred, sketch, view},
    },
    platform::{frame, preferences},
    ui::kit::tooltip,
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::PointerEvent;

/// The name of the choice.
const CHOICE: &str = "minimap";
/// From so many elements on it stands open until somebody folds it.
const OPEN_FROM: usize = 40;

impl Canvas {
    /// Folds the map or opens it, and remembers that.
    pub fn fold_map(self) {
        let open = !untrack(|| self.map_open());
        self.map.set(Some(open));
        preferences::set(CHOICE, if open { "open" } else { "folded" });
    }

    /// Does the map stand open? Tracks.
    pub fn map_open(self) -> bool {
        self.map.get().unwrap_or_else(|| self.order.read().len() > OPEN_FROM)
    }
}

/// What was chosen before, if anything.
pub fn remembered() -> Option<bool> {
    preferences::get(CHOICE).map(|choice| choice == "open")
}

/// The map, where it stands open.
pub fn minimap(canvas: Canvas) -> AnyView {
    let open = Memo::new(move |_| canvas.map_open());
    view! { {move || open.get().then(|| map(canvas))} }.into_any()
}

/// The drawing in short. Drawn anew when the layout changes, once the frame is drawn, and not while the view moves.
fn drawn(canvas: Canvas) -> RwSignal<Sketch> {
    let now = move || {
        let (scene, routes) = (canvas.scene.try_get_untracked()?, canvas.routes.try_get_untracked()?);
        sketch(&*canvas.desk.design.try_get_untracked()?, &scene, &routes)
    };
    let drawn = RwSignal::new(now().unwrap_or_default());
    Effect::new(move |before: Option<()>| {
        canvas.scene.track();
        canvas.routes.track();
        if before.is_some() {
            frame::after(move || _ = drawn.try_set(now().unwrap_or_default()));
        }
    });
    drawn
}

fn map(canvas: Canvas) -> AnyView {
    let drawn = drawn(canvas);
    let seen = move || canvas.view.get().seen(canvas.pane.get());
    let shown = Memo::new(move |_| {
        let bounds = drawn.with(|drawn| drawn.bounds);
        view(if bounds == Rect::default() { seen() } else { bounds }, seen())
    });
    let held = StoredValue::new(None::<Point>);
    let at = move |event: &PointerEvent| {
        let map = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        let (left, top) = map.map(|map| map.get_bounding_client_rect()).map_or((0.0, 0.0), |r| (r.left(), r.top()));
        Point::new(f64::from(event.client_x()) - left, f64::from(event.client_y()) - top)
    };
    let centre = move |point: Point| {
        canvas.view.update(|view| *view = centred(*view, canvas.pane.get_untracked(), point));
    };
    let down = move |event: PointerEvent| {
        event.stop_propagation();
        let point = shown.get_untracked().to_canvas(at(&event));
        if let Some(map) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
            _ = map.set_pointer_capture(event.pointer_id());
        }
        // A press within the frame takes it where it is; elsewhere the view comes there first.
        let frame = untrack(seen);
        if !frame.contains(point) {
            centre(point);
        }
        held.set_value(Some(at(&event)));
    };
    let moved = move |event: PointerEvent| {
        event.stop_propagation();
        let Some(before) = held.get_value() else { return };
        let (now, zoom) = (at(&event), shown.get_untracked().zoom);
        held.set_value(Some(now));
        let scale = canvas.view.get_untracked().zoom / zoom;
        canvas.view.update(|view| *view = view.panned((before.x - now.x) * scale, (before.y - now.y) * scale));
    };
    view! {
        <div class="cv-map" role="group" aria-label="Map of the drawing">
            <svg
                width=SIZE.0
                height=SIZE.1
                data-map=""
                role="img"
                aria-label="The whole drawing, with a frame around what is seen. Alt Shift and the arrow keys move it."
                on:pointerdown=down
                on:pointermove=moved
                on:pointerup=move |event| {
                    event.stop_propagation();
                    held.set_value(None);
                }
                on:pointercancel=move |_| held.set_value(None)
                on:dblclick=|event| event.stop_propagation()
            >
                <g transform=move || {
                    let view = shown.get();
                    format!("translate({:.2} {:.2}) scale({:.5})", view.x, view.y, view.zoom)
                }>
                    <path class="cv-map-frames" d=move || drawn.read().frames.clone() />
                    <path class="cv-map-links" d=move || drawn.read().links.clone() />
                    <path class="cv-map-elements" d=move || drawn.read().elements.clone() />
                </g>
                {move || {
                    let (view, seen) = (shown.get(), seen());
                    let corner = view.to_screen(Point::new(seen.x, seen.y));
                    view! {
                        <rect class="cv-map-seen" rx="2" x=corner.x y=corner.y width=seen.w * view.zoom height=seen.h * view.zoom />
                    }
                }}
            </svg>
            <button
                type="button"
                class="cv-map-fold"
                aria-label="Fold the map"
                title=move || tooltip(canvas.desk, Command::Minimap)
                on:pointerdown=|event| event.stop_propagation()
                on:click=move |_| canvas.fold_map()
            >
                "×"
            </button>
        </div>
    }
    .into_any()
}
