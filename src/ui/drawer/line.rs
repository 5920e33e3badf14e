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
#[derive(Clone, Default, PartialEq)]
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

    /// Its words and its numbers, in order.
    fn pieces(&self) -> Vec<(String, Option<Figure>)> {
        let (mut pieces, mut rest) = (Vec::new(), self.text.as_str());
        let mut left: Vec<&(String, Figure)> = self.bounds.iter().collect();
        loop {
            let found = left.iter().filter_map(|(text, figure)| Some((rest.find(text.as_str())?, text, figure)));
            let Some((at, text, figure)) = found.min_by_key(|(at, ..)| *at) else { break };
            pieces.push((rest.get(..at).unwrap_or_default().to_owned(), None));
            pieces.push((text.clone(), Some(figure.clone())));
            rest = rest.get(at + text.len()..).unwrap_or_default();
            left.retain(|(_, other)| other != figure);
        }
        pieces.push((rest.to_owned(), None));
        pieces
    }
}

/// A line as it stands on the page: an edit writes the words that changed, and it is drawn anew only where other numbers
/// stand in it.
pub fn follow(desk: Desk, line: Memo<Line>) -> AnyView {
    let pieces = Memo::new(move |_| line.with(Line::pieces));
    let numbers = Memo::new(move |_| {
        pieces.with(|all| all.iter().map(|(_, figure)| figure.clone()).collect::<Vec<Option<Figure>>>())
    });
    let piece = move |(at, figure): (usize, Option<Figure>)| {
        let text = move || pieces.with(|all| all.get(at).map(|(text, _)| text.clone())).unwrap_or_default();
        match figure {
            Some(figure) => popover::live(desk, Explains::Figure(figure), move || format!("{}. Explain", text()), text),
            None => (move || unbroken(&text()).into_owned()).into_any(),
        }
    };
    view! { <For each=move || numbers.get().into_iter().enumerate() key=Clone::clone children=piece /> }.into_any()
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
