//! The palette: eight kinds, by drag, click or letter.

use super::super::{
    kit::tooltip,
    marks::shape,
    run::run,
    store::{Carried, Desk},
};
use crate::{
    action::{Command, spoken},
    model::ElementKind,
};
use leptos::prelude::*;
use web_sys::PointerEvent;

/// So far a pointer goes before a press on a tile becomes a drag, in pixels: mouse and pen, then a finger, whose short
/// way may still be a scroll.
const THRESHOLD: (f64, f64) = (4.0, 25.0);

const KINDS: [(Command, Option<ElementKind>); 8] = [
    (Command::AddSource, Some(ElementKind::Source)),
    (Command::AddChannel, Some(ElementKind::Channel)),
    (Command::AddOperator, Some(ElementKind::Operator)),
    (Command::AddJob, Some(ElementKind::Job)),
    (Command::AddSink, Some(ElementKind::Sink)),
    (Command::AddConsumer, Some(ElementKind::Consumer)),
    (Command::AddBatch, Some(ElementKind::Batch)),
    (Command::AddNote, None),
];

/// The palette.
pub fn palette(desk: Desk) -> AnyView {
    let tiles: Vec<AnyView> = KINDS.into_iter().map(|(command, kind)| tile(desk, command, kind)).collect();
    view! {
        <section class="palette" aria-label="Add">
            <header class="row pane-head">
                <h2 class="label grow">"Add"</h2>
                <span class="small quiet">"drag, or its letter"</span>
            </header>
            <div class="tiles">{tiles}</div>
        </section>
    }
    .into_any()
}

fn tile(desk: Desk, command: Command, kind: Option<ElementKind>) -> AnyView {
    let row = command.row();
    let key = row.keys.first().map(|key| spoken(key)).unwrap_or_default();
    let shortcut = key.clone();
    let pressed = StoredValue::new(None::<Press>);
    let carried = desk.panes.carried;
    let down = move |event: PointerEvent| {
        let primary = event.button() == 0 && !desk.reading.get_untracked();
        if primary {
            capture(&event);
        }
        pressed.set_value(primary.then(|| Press { pointer: event.pointer_id(), from: at(&event), far: false }));
    };
    let moved = move |event: PointerEvent| {
        let Some(press) = pressed.get_value().filter(|press| press.pointer == event.pointer_id()) else { return };
        let (x, y) = at(&event);
        let way = f64::from(x - press.from.0).hypot(f64::from(y - press.from.1));
        let touch = event.pointer_type() == "touch";
        if !press.far && way < (if touch { THRESHOLD.1 } else { THRESHOLD.0 }) {
            return;
        }
        if !press.far {
            pressed.set_value(Some(Press { far: true, ..press }));
        } else if carried.get_untracked().is_none() {
            // Escape let it go.
            return;
        }
        carried.set(Some(Carried { command, at: (x, y), let_go: false }));
    };
    let up = move |event: PointerEvent| {
        if let Some(held) = carried.get_untracked().filter(|held| held.command == command) {
            carried.set(Some(Carried { at: at(&event), let_go: true, ..held }));
        }
    };
    let click = move |_| {
        // The click that ends a drag adds nothing more.
        let dragged = pressed.get_value().is_some_and(|press| press.far);
        pressed.set_value(None);
        if !dragged {
            run(desk, command);
        }
    };
    view! {
        <button
            type="button"
            class="tile"
            data-add=kind.map_or("note", ElementKind::name)
            title=move || tooltip(desk, command)
            aria-label=row.title
            prop:ariaKeyShortcuts=shortcut
            aria-disabled=move || desk.reading.get().to_string()
            on:click=click
            on:pointerdown=down
            on:pointermove=moved
            on:pointerup=up
            on:pointercancel=move |_| {
                pressed.set_value(None);
                carried.set(None);
            }
        >
            {shape(kind)}
            <span>{row.title}</span>
            <span class="tile-key mono" data-key=key></span>
        </button>
    }
    .into_any()
}

/// A press on a tile.
#[derive(Clone, Copy)]
struct Press {
    pointer: i32,
    from: (i32, i32),
    /// It has become a drag.
    far: bool,
}

fn at(event: &PointerEvent) -> (i32, i32) {
    (event.client_x(), event.client_y())
}

/// The tile keeps the pointer that carries it, wherever it goes.
fn capture(event: &PointerEvent) {
    use wasm_bindgen::JsCast;
    if let Some(tile) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
        _ = tile.set_pointer_capture(event.pointer_id());
    }
}
