//! Which change brings which difference: found on demand, one review a change, one a task.

use super::{super::super::store::Desk, Compared};
use crate::{
    model::View,
    platform::{clock, frame},
    rules::compare::{Trace, for_consumer, traced, without},
};
use leptos::prelude::*;
use std::sync::Arc;

/// So many changes are taken back at most.
const MOST: usize = 12;

/// What is found so far.
#[derive(Clone, Default)]
struct Found {
    trace: Trace,
    /// Of so many changes it is known what they bring; none: nobody asked.
    done: Option<usize>,
}

/// The search for one comparison; cheap to copy.
#[derive(Clone, Copy)]
pub struct Tracing {
    all: Memo<Compared>,
    found: RwSignal<Found>,
}

impl Tracing {
    /// Nothing is searched for yet. What an edit changes begins anew.
    pub fn of(all: Memo<Compared>) -> Self {
        let found = RwSignal::new(Found::default());
        Effect::new(move |_| {
            let trace = all.with(|all| traced(&all.changes, &all.of));
            found.set(Found { trace, done: None });
        });
        Self { all, found }
    }

    /// The changes that bring a difference, in words; none where it is not known. Tracks.
    pub fn from(self, entry: usize) -> Option<Vec<String>> {
        let places = self.found.with(|found| found.trace.0.get(entry).cloned())?;
        let words = self.all.with_untracked(|all| {
            let changes = places.iter().filter_map(|at| all.changes.get(*at));
            changes.map(|change| change.words(&all.design)).collect::<Vec<_>>()
        });
        let whole = self.whole();
        (whole || !words.is_empty()).then_some(words)
    }

    /// Is every change known for what it brings? Tracks.
    pub fn whole(self) -> bool {
        let count = self.all.with_untracked(|all| all.of.changes.len());
        self.found.with(|found| count < 2 || found.done.is_some_and(|done| done >= count))
    }

    /// Can it be found out, and did nobody ask yet? Tracks.
    pub fn offers(self) -> bool {
        let count = self.all.with_untracked(|all| all.of.changes.len());
        (2..=MOST).contains(&count) && self.found.with(|found| found.done.is_none())
    }

    /// Takes one change back after the other.
    pub fn search(self, desk: Desk) {
        self.found.update(|found| found.done = Some(0));
        let design = self.all.with_untracked(|all| all.design.clone());
        frame::after(move || self.step(desk, design));
    }

    fn step(self, desk: Desk, of: Arc<crate::model::Design>) {
        let current = desk.settled.with_untracked(|settled| Arc::ptr_eq(settled, &of));
        let Some(all) = self.all.try_get_untracked().filter(|_| current && !self.found.is_disposed()) else { return };
        let Some(done) = self.found.with_untracked(|found| found.done) else { return };
        let Some(at) = all.of.changes.get(done).copied() else {
            desk.messages.announce("Found what each change brings");
            return;
        };
        if let Some(change) = all.changes.get(at) {
            clock::mark("try");
            let rest = Arc::new(without(&all.design, change));
            let left = for_consumer(&rest, &all.as_is, &desk.what_if(&rest, View::ToBe), &all.id);
            self.found.update(|found| found.trace.learn(at, &left, &all.of));
        }
        self.found.update(|found| found.done = Some(done + 1));
        frame::after(move || self.step(desk, of));
    }
}
