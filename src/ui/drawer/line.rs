//! A sentence of a verdict, with the numbers in it that open their explanation.

use super::super::{
    popover,
    store::{Desk, Explains},
};
use crate::{
    action::{Figure, FigureKind},
    analysis::delivery::verdict::{Condition, DeliveryVerdict, Fewest, Most},
    model::{Id, units::human::unbroken},
};
use leptos::prelude::*;
use std::sync::Arc;

/// A text, and what of it bounds a condition of the badge. Two that are equal look the same.
#[derive(Clone, PartialEq)]
pub struct Line {
    text: String,
    bounds: Vec<(String, Figure)>,
}

impl Line {
    /// A text in the verdict of this consumer.
    pub fn new(text: String, consumer: &Id, verdict: &DeliveryVerdict) -> Self {
        let bounds = bounds(consumer, verdict).filter(|(bound, _)| text.contains(bound.as_str())).collect();
        Self { text, bounds }
    }

    /// Does it say nothing?
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// As it stands on the page.
    pub fn draw(&self, desk: Desk) -> AnyView {
        with_bounds(desk, &self.text, &self.bounds)
    }
}

/// The bounds of the conditions of the badge, as the sentences print them.
fn bounds<'a>(id: &'a Id, verdict: &'a DeliveryVerdict) -> impl Iterator<Item = (String, Figure)> + 'a {
    let fewest = if let Fewest::OneWhile(_, conditions) = &verdict.badge.fewest { conditions.as_slice() } else { &[] };
    let most = if let Most::OneWhile(_, conditions) = &verdict.badge.most { conditions.as_slice() } else { &[] };
    let printed = |(i, condition): (usize, &Arc<Condition>)| {
        Some((condition.bound_text()?, Figure::new(id.clone(), FigureKind::Bound(i))))
    };
    fewest.iter().chain(most).enumerate().filter_map(printed)
}

/// A sentence whose bounds open their explanation.
fn with_bounds(desk: Desk, line: &str, bounds: &[(String, Figure)]) -> AnyView {
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
