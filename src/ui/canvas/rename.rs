//! Renaming where the name stands.

use super::state::Canvas;
use crate::{
    edit::{Edit, Label},
    model::Id,
    ui::kit::refused,
};
use leptos::{ev::KeyboardEvent, html::Input, prelude::*};

/// A field over the name of an element: Enter keeps, Escape lets go, leaving keeps. A name that cannot be taken stays in it.
pub fn field(canvas: Canvas, id: Id, name: &str) -> AnyView {
    let input: NodeRef<Input> = NodeRef::new();
    let (why, name) = (RwSignal::new(None::<String>), name.to_owned());
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // Writing it would put the cursor behind what is selected.
            input.set_value(&name);
            // A field that left the page in the meantime has nothing to focus.
            _ = input.focus();
            input.select();
        }
    });
    let id = StoredValue::new(id);
    // Once it is kept or given up, leaving the field means nothing more; and the design it was of may be gone.
    let over = StoredValue::new(false);
    let end = move || {
        over.try_set_value(true);
        canvas.renaming.set(None);
    };
    let take = move |text: String| {
        let Some(id) = id.try_get_value().filter(|_| over.try_get_value() == Some(false)) else { return };
        match keep(canvas, &id, text.trim()) {
            Ok(()) => end(),
            Err(reason) => {
                canvas.renaming.set(Some(id));
                why.set(Some(reason));
            }
        }
    };
    let focus = move || {
        if let Some(id) = id.try_get_value().filter(|_| over.try_get_value() == Some(true)) {
            canvas.focus(&id);
        }
    };
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        match event.key().as_str() {
            "Enter" => {
                event.prevent_default();
                if let Some(input) = input.get_untracked() {
                    take(input.value());
                }
                focus();
            }
            "Escape" => {
                end();
                focus();
            }
            _ => {}
        }
    };
    view! {
        <input
            class="cv-rename"
            node_ref=input
            aria-label="Name"
            aria-invalid=move || why.with(Option::is_some).to_string()
            maxlength="200"
            on:input=move |_| why.set(None)
            on:keydown=key
            on:pointerdown=move |event| event.stop_propagation()
            on:blur=move |event| take(event_target_value(&event))
        />
        {refused::reason(why, input)}
    }
    .into_any()
}

fn keep(canvas: Canvas, id: &Id, text: &str) -> Result<(), String> {
    // A name that equals the id is left out of the document.
    let text = if text == id.as_str() { "" } else { text };
    let before =
        canvas.desk.design.with_untracked(|design| design.subject(id).and_then(|subject| subject.name.clone()));
    if before.as_deref().unwrap_or_default() == text {
        return Ok(());
    }
    refused::rename(canvas.desk, text, "Rename", |to| Edit::Label { subject: id.clone(), label: Label::Name, to })
}
