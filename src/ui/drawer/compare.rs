//! As-is against to-be for one consumer: what the proposed changes gain and cost it, each difference with its place, its
//! explanation and the change that brings it. Everything here follows once the frame of an edit is drawn.

mod rows;
mod trace;

use super::super::{kit::command_button, marks::direction, store::Desk};
use crate::{
    action::Command,
    model::{Design, Id, View},
    rules::{
        Review,
        compare::{Change, ForConsumer, changes, for_consumer},
    },
};
use leptos::prelude::*;
use std::sync::Arc;

/// So many differences stand beside a verdict; all of them stand where both views are shown.
const BESIDE: usize = 6;

/// What differs for a consumer, and what it was worked out from.
#[derive(Clone)]
pub struct Compared {
    design: Arc<Design>,
    as_is: Arc<Review>,
    to_be: Arc<Review>,
    id: Id,
    changes: Arc<Vec<Change>>,
    /// What differs.
    pub of: Arc<ForConsumer>,
}

/// What differs for a consumer as of the last frame.
pub fn compared(desk: Desk, id: &Id) -> Memo<Compared> {
    let id = id.clone();
    Memo::new_with_compare(
        move |_| now(desk, &id),
        |old, new| !old.zip(new).is_some_and(|(old, new)| Arc::ptr_eq(&old.design, &new.design)),
    )
}

/// What differs for a consumer. Tracks.
pub fn now(desk: Desk, id: &Id) -> Compared {
    let (as_is, to_be) = (desk.settled_review(View::AsIs), desk.settled_review(View::ToBe));
    let design = desk.settled.get();
    let of = Arc::new(for_consumer(&design, &as_is, &to_be, id));
    let changes = Arc::new(changes(&design));
    Compared { design, as_is, to_be, id: id.clone(), changes, of }
}

/// In short, beside the verdict of one view.
pub fn beside(desk: Desk, id: &Id) -> AnyView {
    let all = compared(desk, id);
    // Drawn again only where it says something else.
    let shown = Memo::new(move |_| all.with(|all| all.of.clone()));
    let body = move || {
        let of = shown.get();
        let rows: Vec<AnyView> = of
            .entries
            .iter()
            .take(BESIDE)
            .map(|entry| {
                let title = desk.settled.with_untracked(|design| entry.what.title(design));
                view! {
                    <li class="gain" data-direction=entry.direction.word()>
                        {direction(entry.direction)}
                        <span class="grow">
                            <span class="small quiet block"><span class="hidden-text">{entry.direction.word()} ": "</span> {title}</span>
                            <span class="gain-text">{entry.text()}</span>
                        </span>
                    </li>
                }
                .into_any()
            })
            .collect();
        let more = of.entries.len().saturating_sub(BESIDE);
        let differs = !of.entries.is_empty();
        view! {
            <p class="second">{of.summary.clone()}</p>
            <ul class="gains">{rows}</ul>
            {(more > 0).then(|| view! { <p class="small quiet">{format!("and {more} more")}</p> })}
            {differs.then(|| command_button(desk, Command::ShowBoth, "", "Show both".into_any()))}
        }
        .into_any()
    };
    view! { <section class="beside" aria-label="As-is against to-be"><h3 class="label">"As-is against to-be"</h3> {body}</section> }
        .into_any()
}

/// In full, under the two verdicts.
pub fn table(desk: Desk, id: &Id) -> AnyView {
    let all = compared(desk, id);
    let shown = Memo::new(move |_| all.with(|all| all.of.clone()));
    let trace = trace::Tracing::of(all);
    view! {
        <section class="gains-table" aria-label="What the proposed changes gain and cost">
            {move || rows::table(desk, &all.get_untracked(), &shown.get(), trace)}
        </section>
    }
    .into_any()
}
