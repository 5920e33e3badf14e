//! Why a verdict is what it is, in sentences whose bounds open their explanation.

use crate::{
    action::{Figure, FigureKind},
    analysis::delivery::verdict::{Condition, DeliveryVerdict, Fewest, Most},
    model::{Id, units::human::unbroken},
    ui::{
        drawer::shown::Part,
        kit::disclosure,
        popover,
        store::{Desk, Explains},
    },
};
use leptos::prelude::*;
use std::sync::Arc;

/// So many sentences of the why stand open, so that the weakest hops stay in view.
const AT_ONCE: usize = 2;
/// A sentence longer than this keeps its statement; what it enumerates goes behind the disclosure.
const LONG: usize = 200;

/// Why, in sentences whose bounds open their explanation.
pub(super) const WHY: Part = Part {
    same: |one, other, _| {
        one.alike(other, |a, b| a.delivery.why == b.delivery.why && a.delivery.badge == b.delivery.badge)
    },
    draw: |desk, shown, _| match shown.report() {
        Some(report) => why(desk, &report.delivery, &shown.id),
        None => ().into_any(),
    },
};

fn why(desk: Desk, verdict: &DeliveryVerdict, id: &Id) -> AnyView {
    let bounds = bounds(id, verdict);
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for (i, line) in verdict.why.iter().enumerate() {
        let (statement, listed) = if i < AT_ONCE { shortened(line) } else { (None, vec![line.clone()]) };
        first.extend(statement);
        rest.extend(listed);
    }
    let first: Vec<AnyView> =
        first.iter().map(|line| view! { <span>{with_bounds(desk, line, &bounds)} " "</span> }.into_any()).collect();
    let more: Vec<AnyView> =
        rest.iter().map(|line| view! { <li>{with_bounds(desk, line, &bounds)}</li> }.into_any()).collect();
    view! {
        <p class="verdict-why">{first}</p>
        {(!more.is_empty()).then(|| {
            let content = view! { <ul>{more}</ul> }.into_any();
            disclosure(desk, &format!("why/{id}"), "verdict-more", "Why".into_any(), content)
        })}
    }
    .into_any()
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

/// The bounds of the conditions of the badge, as the sentences print them.
pub fn bounds(id: &Id, verdict: &DeliveryVerdict) -> Vec<(String, Figure)> {
    let fewest = if let Fewest::OneWhile(_, conditions) = &verdict.badge.fewest { conditions.as_slice() } else { &[] };
    let most = if let Most::OneWhile(_, conditions) = &verdict.badge.most { conditions.as_slice() } else { &[] };
    let printed = |(i, condition): (usize, &Arc<Condition>)| {
        Some((condition.bound_text()?, Figure::new(id.clone(), FigureKind::Bound(i))))
    };
    fewest.iter().chain(most).enumerate().filter_map(printed).collect()
}

/// A sentence whose bounds open their explanation.
pub fn with_bounds(desk: Desk, line: &str, bounds: &[(String, Figure)]) -> AnyView {
    let first = bounds
        .iter()
        .filter_map(|(text, figure)| line.find(text.as_str()).map(|at| (at, text, figure)))
        .min_by_key(|(at, ..)| *at);
    let Some((at, text, figure)) = first else { return unbroken(line).into_owned().into_any() };
    let (before, rest) = (line.get(..at).unwrap_or_default(), line.get(at + text.len()..).unwrap_or_default());
    let left: Vec<(String, Figure)> = bounds.iter().filter(|(_, other)| other != figure).cloned().collect();
    view! {
        {unbroken(before).into_owned()}
        {popover::number(desk, Explains::Figure(figure.clone()), format!("{text}. Explain"), text.clone())}
        {with_bounds(desk, rest, &left)}
    }
    .into_any()
}
