//! As-is against to-be for one consumer: what the proposed changes gain and cost it, each difference with its place, its
//! explanation and the change that brings it. Everything here follows once the frame of an edit is drawn.

mod rows;
mod trace;

use super::super::{kit::command_button, store::Desk};
use crate::{
    action::Command,
    model::{Design, Id, View},
    rules::{
        Review,
        compare::{Change, Direction, ForConsumer, changes, for_consumer},
    },
};
use leptos::prelude::*;
use std::sync::Arc;

/// So many differences stand beside a verdict; all of them stand where both views are shown.
const BESIDE: usize = 3;

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

/// What stands beside a verdict of one difference.
#[derive(Clone, Default, PartialEq)]
struct Short {
    sign: &'static str,
    /// Empty: there is no such difference.
    word: &'static str,
    title: String,
    text: String,
}

/// In short, beside the verdict of one view. Its rows stand there from the start: an edit writes into them and makes none.
pub fn beside(desk: Desk, id: &Id) -> AnyView {
    let all = compared(desk, id);
    let summary = Memo::new(move |_| all.with(|all| all.of.summary.clone()));
    let count = Memo::new(move |_| all.with(|all| all.of.entries.len()));
    let rows: Vec<AnyView> = (0..BESIDE).map(|at| short(all, at)).collect();
    let more = move || format!("and {} more", count.get().saturating_sub(BESIDE));
    view! {
        <section class="beside" aria-label="As-is against to-be">
            <h3 class="label">"As-is against to-be"</h3>
            <p class="second">{move || summary.get()}</p>
            <ul class="gains" hidden=move || count.get() == 0>{rows}</ul>
            <p class="small quiet" hidden=move || count.get() <= BESIDE>{more}</p>
            <div hidden=move || count.get() == 0>{command_button(desk, Command::ShowBoth, "", "Show both".into_any())}</div>
        </section>
    }
    .into_any()
}

fn short(all: Memo<Compared>, at: usize) -> AnyView {
    let of = Memo::new(move |_| {
        all.with(|all| {
            let Some(entry) = all.of.entries.get(at) else { return Short::default() };
            let (title, way) = (entry.what.title(&all.design), entry.direction);
            Short { sign: sign(way), word: way.word(), title: format!("{}, {title}", way.word()), text: entry.text() }
        })
    });
    view! {
        <li class="gain" hidden=move || of.with(|of| of.word.is_empty()) data-direction=move || of.with(|of| of.word)>
            <span class="gain-sign" aria-hidden="true">{move || of.with(|of| of.sign)}</span>
            <span class="grow">
                <span class="small quiet block">{move || of.with(|of| of.title.clone())}</span>
                <span class="gain-text">{move || of.with(|of| of.text.clone())}</span>
            </span>
        </li>
    }
    .into_any()
}

/// Which way it goes, as a sign; the word stands beside it.
const fn sign(way: Direction) -> &'static str {
    match way {
        Direction::Better => "↑",
        Direction::Worse => "↓",
        Direction::Different => "≠",
        Direction::Incomparable => "~",
        Direction::UnknownBefore | Direction::UnknownAfter => "?",
    }
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
