//! Free notes.

use super::state::Canvas;
use crate::{
    canvas::{Rect, hit::note_box},
    edit::Edit,
    model::{Id, Note},
};
use leptos::{html::Textarea, prelude::*};

/// One note: a sheet with a turned corner.
pub fn note(canvas: Canvas, id: Id) -> AnyView {
    let key = StoredValue::new(id.clone());
    let note = Memo::new(move |_| key.with_value(|id| canvas.desk.design.read().layout.notes.get(id).cloned()));
    let place = Memo::new(move |_| {
        let moved = key.with_value(|id| canvas.preview.read().get(id).copied());
        moved.or_else(|| note.read().as_ref().and_then(|note| note.place).map(note_box)).unwrap_or_default()
    });
    let class = move || {
        if key.with_value(|id| canvas.desk.selection.read().contains(id)) { "cv-note selected" } else { "cv-note" }
    };
    let text = move || note.read().as_ref().and_then(|n| n.text.as_ref().map(ToString::to_string)).unwrap_or_default();
    view! {
        <div
            class=class
            data-note-id=id.to_string()
            role="note"
            tabindex="0"
            aria-label=move || format!("Note: {}", text())
            style:transform=move || { let r: Rect = place.get(); format!("translate({}px,{}px)", r.x, r.y) }
            style:width=move || format!("{}px", place.get().w)
            style:min-height=move || format!("{}px", place.get().h)
            on:focus=move |_| {
                if canvas.renaming.get_untracked().is_none() && !canvas.pressing.get_value() { canvas.desk.select([key.get_value()]) }
            }
        >
            {move || {
                if canvas.renaming.with(|r| r.as_ref() == Some(&key.get_value())) {
                    field(canvas, key.get_value(), text())
                } else {
                    view! { <span>{text}</span> }.into_any()
                }
            }}
        </div>
    }
    .into_any()
}

fn field(canvas: Canvas, id: Id, text: String) -> AnyView {
    let area: NodeRef<Textarea> = NodeRef::new();
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            _ = area.focus();
        }
    });
    let keep = move |text: String| {
        canvas.renaming.set(None);
        let old = canvas.desk.design.with_untracked(|design| design.layout.notes.get(&id).cloned());
        let text = (!text.trim().is_empty()).then(|| text.trim().into());
        if let Some(old) = old.filter(|old| old.text != text) {
            canvas.desk.edit(Edit::Note { id: id.clone(), to: Some(Note { text, ..old }) }, "Write a note", None);
        }
    };
    view! {
        <textarea
            class="cv-note-text"
            aria-label="Note"
            maxlength="4000"
            node_ref=area
            prop:value=text
            on:pointerdown=|event| event.stop_propagation()
            on:keydown=move |event| {
                event.stop_propagation();
                let ends = event.key() == "Escape" || (event.key() == "Enter" && (event.ctrl_key() || event.meta_key()));
                if ends && let Some(area) = area.get_untracked() {
                    _ = area.blur();
                }
            }
            on:blur=move |event| keep(event_target_value(&event))
        ></textarea>
    }
    .into_any()
}
