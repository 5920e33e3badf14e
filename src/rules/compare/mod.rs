//! What a proposed change gains and costs: two reviews of one design, compared for each consumer.
//!
//! A comparison of a review with itself is empty, and swapping the two swaps gains and costs. What is not known on one
//! side is never better than what is known on the other. Not here: what a side says in itself (`analysis`, the rules),
//! and the documents' comparison of texts.

mod changes;
mod copies;
mod delivery;
mod entry;
mod figures;
mod findings;
mod loss;
mod order;
mod scope;
mod trace;
mod words;

pub use changes::{Change, changes};
pub use entry::{Direction, Entry, Side, Standing, Topic, What};
pub use trace::{Trace, traced, without};

use super::Review;
use crate::{
    model::{Design, Id},
    sorted::SortedMap,
};
use scope::Ways;

/// In which of the two a consumer exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// In both.
    Both,
    /// Only afterwards.
    Added,
    /// Only before.
    Removed,
}

/// What differs for one consumer.
#[derive(Clone, Debug, PartialEq)]
pub struct ForConsumer {
    /// In which of the two it exists.
    pub presence: Presence,
    /// What differs, by topic.
    pub entries: Vec<Entry>,
    /// All of it in one sentence.
    pub summary: String,
    /// What changes on the way to it, by its place in the list of changes.
    pub changes: Vec<usize>,
}

impl ForConsumer {
    /// The entries of a direction.
    pub fn of(&self, direction: Direction) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.direction == direction)
    }
}

/// What differs between two reviews of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What is proposed: settings, what is added, what is removed.
    pub changes: Vec<Change>,
    /// For each consumer of either.
    pub consumers: SortedMap<Id, ForConsumer>,
    /// Findings and halts that concern no consumer.
    pub elsewhere: Vec<Entry>,
}

/// Compares two reviews of a design for all consumers.
#[must_use]
pub fn compare(design: &Design, before: &Review, after: &Review) -> Comparison {
    let changes = changes(design);
    let ways = Ways::between(design, before, after);
    let ids = before.consumers.keys().chain(after.consumers.keys());
    let consumers: SortedMap<Id, ForConsumer> =
        ids.map(|id| (id.clone(), of_consumer(design, &changes, before, after, id, &ways))).collect();
    let elsewhere = findings::elsewhere(before, after, &ways);
    Comparison { changes, consumers, elsewhere }
}

/// Compares two reviews of a design for one consumer.
#[must_use]
pub fn for_consumer(design: &Design, before: &Review, after: &Review, id: &Id) -> ForConsumer {
    of_consumer(design, &changes(design), before, after, id, &Ways::between(design, before, after))
}

fn of_consumer(
    design: &Design,
    changes: &[Change],
    before: &Review,
    after: &Review,
    id: &Id,
    ways: &Ways<'_>,
) -> ForConsumer {
    let (one, other) = (before.consumers.get(id), after.consumers.get(id));
    let presence = match (one, other) {
        (None, Some(_)) => Presence::Added,
        (Some(_), None) => Presence::Removed,
        _ => Presence::Both,
    };
    let scope = ways.of(id, presence);
    let mut entries = Vec::new();
    if let (Some(one), Some(other)) = (one, other) {
        delivery::entries(design, &one.delivery, &other.delivery, &mut entries);
        order::entries(design, &one.order, &other.order, &mut entries);
        figures::of_consumer(one, other, &mut entries);
        figures::on_the_way(before, after, &scope, &mut entries);
        findings::of_consumer(before, after, &scope, &mut entries);
    }
    findings::stopped(before, after, &scope, &mut entries);
    let concerned = changes.iter().enumerate().filter(|(_, change)| scope.holds(change.subject()));
    let concerned: Vec<usize> = concerned.map(|(at, _)| at).collect();
    let summary = words::summary(design, id, presence, &entries);
    ForConsumer { presence, entries, summary, changes: concerned }
}

#[cfg(test)]
mod tests;
