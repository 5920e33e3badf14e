//! The palette: eight kinds, by drag, click or letter.

use super::super::{kit::tooltip, marks::shape, run::run, store::Desk};
use crate::{
    action::{Command, spoken},
    model::ElementKind,
};
use leptos::prelude::*;

/// What a drag from the palette carries: this type, with the id of the command as its text. The canvas takes the drop.
pub const DRAG_TYPE: &str = "application/x-desk-kind";

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
    view! {
        <button
            type="button"
            class="tile"
            draggable="true"
            data-add=kind.map_or("note", ElementKind::name)
            title=move || tooltip(desk, command)
            aria-label=row.title
            prop:ariaKeyShortcuts=shortcut
            aria-disabled=move || desk.reading.get().to_string()
            on:click=move |_| run(desk, command)
            on:dragstart=move |event| {
                if let Some(data) = event.data_transfer() {
                    // A browser that refuses leaves a drag that carries nothing, which no canvas takes.
                    let _ = data.set_data(DRAG_TYPE, row.id);
                    data.set_effect_allowed("copy");
                }
            }
        >
            {shape(kind)}
            <span>{row.title}</span>
            <span class="tile-key mono" data-key=key></span>
        </button>
    }
    .into_any()
}
