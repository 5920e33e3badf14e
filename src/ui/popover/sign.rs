//! The buttons on the page that open an explanation.

use super::{open, shown::name_of};
use crate::{
    analysis::delivery::verdict::Badge,
    model::{Id, View},
    ui::{
        marks,
        store::{Desk, Explains},
    },
};
use leptos::{attr::AttributeValue, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A number that opens its explanation. `label` says it aloud.
pub fn number(desk: Desk, what: Explains, label: String, text: String) -> AnyView {
    sign(desk, what, label, "explained", text.into_any())
}

/// The same where words and label follow: an edit writes what changed, and the button stays.
pub fn live(
    desk: Desk,
    what: Explains,
    label: impl Fn() -> String + Send + 'static,
    text: impl Fn() -> String + Send + 'static,
) -> AnyView {
    sign(desk, what, label, "explained", view! { {text} }.into_any())
}

/// The badge of a consumer or link, which opens what it rests on; `height` in rem.
pub fn badge(desk: Desk, id: &Id, view: View, badge: &Badge, loud: bool, height: f64) -> AnyView {
    let content = view! { {marks::badge(badge, loud, height)} <span class="hidden-text">". Explain"</span> };
    sign(desk, Explains::Badge(id.clone(), view), None::<String>, "explained sign", content.into_any())
}

/// Words that open an explanation and say themselves what they are.
pub fn worded(desk: Desk, what: Explains, class: &'static str, words: String) -> AnyView {
    let content = view! { {words} <span class="hidden-text">". Explain"</span> };
    sign(desk, what, None::<String>, class, content.into_any())
}

const OPENS: &str = "Opens what it rests on";

fn press(desk: Desk, what: &Explains, event: &leptos::ev::MouseEvent) {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    open(desk, what.clone(), target.and_then(|e| e.closest("[data-explains]").ok().flatten()));
}

/// A button that opens an explanation; without a label its content says it.
fn sign(
    desk: Desk,
    what: Explains,
    label: impl AttributeValue + 'static,
    class: &'static str,
    content: AnyView,
) -> AnyView {
    let name = name_of(&what);
    view! {
        <button
            type="button"
            class=class
            aria-label=label
            aria-haspopup="dialog"
            title=OPENS
            data-explains=name
            on:click=move |event| press(desk, &what, &event)
        >
            {content}
        </button>
    }
    .into_any()
}
