//! Where both views are shown: how many changes are proposed, and how to read what is doubled.

use super::super::store::{Desk, Show, Tab};
use crate::{model::counted, platform::device, rules::compare::changes};
use leptos::prelude::*;

/// What the badges say, for the pointer: the words themselves stand only where there is room.
const TITLE: &str =
    "As-is is marked and stands beside, to-be stands on the link. Opens what the changes gain and cost.";

/// The legend at the upper edge of the canvas; it opens what the changes gain and cost.
pub fn legend(desk: Desk) -> AnyView {
    let both = Memo::new(move |_| desk.show.get() == Show::Both);
    let count = Memo::new(move |_| if both.get() { desk.settled.with(|design| changes(design).len()) } else { 0 });
    (move || {
        both.get().then(|| {
            view! {
                <button type="button" class="button cv-both" data-changes=move || count.get().to_string() title=TITLE on:click=move |_| {
                    desk.panes.workshop.set(false);
                    desk.panes.go(Tab::Verdict);
                    device::focus("[role=tab][aria-selected=true]");
                }>
                    <strong>{move || counted(count.get(), "proposed change")}</strong>
                    <span class="second cv-both-how">"as-is beside, to-be on the link"</span>
                </button>
            }
        })
    })
    .into_any()
}
