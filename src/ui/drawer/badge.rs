//! The explanation of a badge: what its two cells mean, by which mechanism at which hop, under which conditions. The words
//! are those of the documents.

use super::super::{
    kit::reveal,
    marks::{self, badge_words},
    reports,
    store::Desk,
};
use crate::{
    documents::badge,
    model::{Id, View, capital},
};
use leptos::prelude::*;

/// What an explanation of a badge says; `number_id` is the id of its sign on the page.
pub fn content(desk: Desk, id: &Id, view: View, number_id: String) -> AnyView {
    let (as_is, to_be) = (desk.as_is.get(), desk.to_be.get());
    let title = desk.meaning.with(|design| design.title(id));
    let target = id.clone();
    let words = match view {
        View::AsIs => "as-is",
        View::ToBe => "to-be",
    };
    let sign = badge::of(&as_is, &to_be, view, id).map(|badge| {
        let said = capital(&badge_words(&badge));
        view! { {marks::badge(&badge, false, 1.6)} <span class="badge-said">{said}</span> }
    });
    let blocks = desk.meaning.with(|design| badge::explanation(design, &as_is, &to_be, view, id));
    view! {
        <div class="explanation badge-explanation">
            <div class="explanation-main">
                <p class="second">
                    "Fewest and most copies of one event at "
                    <button type="button" class="plain-name" on:click=move |_| reveal(desk, &target)>{title}</button>
                    ", " {words}
                </p>
                <p class="explained-number row" id=number_id data-figure="badge">{sign}</p>
                <div class="page-text">{reports::blocks(desk, &blocks)}</div>
            </div>
        </div>
    }
    .into_any()
}
