//! Renaming where the name stands.

use super::state::Canvas;
use crate::{
    edit::{Edit, Label},
    model::{Id, Text},
};
use leptos::{ev::KeyboardEvent, html::Input, prelude::*};

/// A field over the name of an element: Enter keeps, Escape lets go, leaving keeps.
pub fn field(canvas: Canvas, id: Id, name: &str) -> AnyView {
    let input: NodeRef<Input> = NodeRef::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // A field that left the page in the meantime has nothing to focus.
            _ = input.focus();
            input.select();
        }
    });
    let id = StoredValue::new(id);
    let keep = move |text: String| {
        if canvas.renaming.get_untracked().as_ref() == Some(&id.get_value()) {
            canvas.renaming.set(None);
            keep(canvas, &id.get_value(), text.trim());
        }
    };
    let key = move |event: KeyboardEvent| {
        event.stop_propagation();
        match event.key().as_str() {
            "Enter" => {
                event.prevent_default();
                if let Some(input) = input.get_untracked() {
                    keep(input.value());
                }
                canvas.focus(&id.get_value());
            }
            "Escape" => {
                canvas.renaming.set(None);
                canvas.focus(&id.get_value());
            }
            _ => {}
        }
    };
    view! {
        <input
            class="cv-rename"
            node_ref=input
            aria-label="Name"
            maxlength="200"
            prop:value=name.to_owned()
            on:keydown=key
            on:pointerdown=move |event| event.stop_propagation()
            on:blur=move |event| keep(event_target_value(&event))
        />
    }
    .into_any()
}

fn keep(canvas: Canvas, id: &Id, text: &str) {
    // A name that equals the id is left out of the document.
    let to: Option<Text> = (!text.is_empty() && text != id.as_str()).then(|| text.into());
    let before =
        canvas.desk.design.with_untracked(|design| design.subject(id).and_then(|subject| subject.name.clone()));
    if before != to {
        canvas.desk.edit(Edit::Label { subject: id.clone(), label: Label::Name, to }, "Rename", None);
    }
}
