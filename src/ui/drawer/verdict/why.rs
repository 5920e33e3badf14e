//! Why a verdict is what it is, in sentences whose bounds open their explanation.

use crate::ui::{
    drawer::{
        line::{Line, follow},
        shown::Shown,
    },
    kit::disclosure,
    store::Desk,
};
use leptos::prelude::*;

/// So many sentences of the why stand open, so that the weakest hops stay in view.
const AT_ONCE: usize = 2;
/// A sentence longer than this keeps its statement; what it enumerates goes behind the disclosure.
const LONG: usize = 200;

/// Why, in sentences whose bounds open their explanation; each is drawn again only where it says something else.
pub(super) fn why(desk: Desk, from: Memo<Shown>) -> AnyView {
    let all = Memo::new(move |_| from.with(sentences));
    let first = Memo::new(move |_| all.with(|(first, _)| first.len()));
    let more = Memo::new(move |_| all.with(|(_, more)| more.len()));
    let any_more = Memo::new(move |_| more.get() > 0);
    let line = move |of: fn(&Sentences) -> &Vec<Line>, at: usize| {
        follow(desk, Memo::new(move |_| all.with(|all| of(all).get(at).cloned().unwrap_or_default())))
    };
    let place = from.with_untracked(|shown| format!("why/{}", shown.id));
    let behind = move || {
        let rows = view! { <For each=move || 0..more.get() key=|at| *at children=move |at| view! { <li>{line(|all| &all.1, at)}</li> } /> };
        disclosure(desk, &place, "verdict-more", "Why".into_any(), view! { <ul>{rows}</ul> }.into_any())
    };
    view! {
        <p class="verdict-why">
            <For each=move || 0..first.get() key=|at| *at children=move |at| view! { <span>{line(|all| &all.0, at)} " "</span> } />
        </p>
        {move || any_more.get().then(&behind)}
    }
    .into_any()
}

type Sentences = (Vec<Line>, Vec<Line>);

/// The sentences that stand open, and those behind the disclosure.
fn sentences(shown: &Shown) -> Sentences {
    let Some(verdict) = shown.report().map(|report| &report.delivery) else { return Default::default() };
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for (i, line) in verdict.why.iter().enumerate() {
        let (statement, listed) = if i < AT_ONCE { shortened(line) } else { (None, vec![line.clone()]) };
        first.extend(statement);
        rest.extend(listed);
    }
    let lines =
        |all: Vec<String>| all.into_iter().map(|text| Line::new(text, &shown.id, verdict)).collect::<Vec<Line>>();
    (lines(first), lines(rest))
}

/// The statement of a sentence, and what it enumerates where the sentence is long.
fn shortened(line: &str) -> (Option<String>, Vec<String>) {
    let whole = || (Some(line.to_owned()), Vec::new());
    if line.chars().count() <= LONG {
        return whole();
    }
    let Some(at) = line.find([':', ';']).filter(|at| line.get(at + 1..).is_some_and(|rest| rest.starts_with(' ')))
    else {
        return whole();
    };
    let (statement, listed) = line.split_at(at);
    let parts = listed.trim_start_matches([':', ';']).trim_end_matches('.').split("; ");
    (Some(format!("{statement}.")), parts.map(|part| part.trim().to_owned()).collect())
}
