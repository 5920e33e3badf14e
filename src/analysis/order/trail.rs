//! What happened to the order on the way, once each; a state holds the number of what happened last.

use super::verdict::{Break, Breaker};
use crate::{
    analysis::{
        explain::Missing,
        graph::{Graph, Place},
    },
    model::{Columns, Hashed},
    sorted,
};
use std::{collections::HashSet, sync::Arc};

/// What happened, where, and after what.
struct Entry {
    what: What,
    at: Place,
    before: u32,
}

enum What {
    /// New events are born: what was before concerns others.
    Renews,
    /// An order is ended, or holds for this key only.
    Breaks(Break, Option<Arc<Columns>>),
    /// A fact is missing.
    Misses(Missing),
    /// Two ways meet: this one, and the one before.
    Meets(u32),
}

/// Everything that happened; number 0 is nothing.
#[derive(Default)]
pub(super) struct Trail {
    entries: Vec<Entry>,
    /// Which collection an entry came by in last.
    seen: Vec<u32>,
    pass: u32,
}

/// What a collection found.
pub(super) struct Found {
    /// In flow order.
    pub breakers: Vec<Breaker>,
    /// Each once.
    pub missing: Vec<Missing>,
}

impl Trail {
    fn add(&mut self, before: u32, at: Place, what: What) -> u32 {
        self.entries.push(Entry { what, at, before });
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Notes what ends an order.
    pub fn breaks(&mut self, before: u32, at: Place, by: Break, kept: Option<Arc<Columns>>) -> u32 {
        self.add(before, at, What::Breaks(by, kept))
    }

    /// Notes a missing fact.
    pub fn misses(&mut self, before: u32, at: Place, missing: Missing) -> u32 {
        self.add(before, at, What::Misses(missing))
    }

    /// Notes that what was before concerns others.
    pub fn renews(&mut self, before: u32, at: Place) -> u32 {
        if before == 0 { 0 } else { self.add(before, at, What::Renews) }
    }

    /// Two ways meet.
    pub fn meets(&mut self, one: u32, other: u32, at: Place) -> u32 {
        match (one, other) {
            (0, only) | (only, 0) => only,
            _ if one == other => one,
            _ => self.add(one, at, What::Meets(other)),
        }
    }

    /// Everything on the ways that end at `last`.
    pub fn collect(&mut self, graph: &Graph<'_>, last: u32) -> Found {
        self.pass += 1;
        self.seen.resize(self.entries.len(), 0);
        let (mut breaks, mut misses): (Vec<(u32, bool)>, Vec<u32>) = (Vec::new(), Vec::new());
        // First what still counts, then what lies behind a renewal and was not met otherwise.
        let (mut now, mut past) = (vec![last], Vec::new());
        for over in [false, true] {
            while let Some(number) = now.pop() {
                let Some(at) = (number as usize).checked_sub(1) else { continue };
                let Some(entry) = self.entries.get(at) else { continue };
                if self.seen[at] == self.pass {
                    continue;
                }
                self.seen[at] = self.pass;
                match &entry.what {
                    What::Renews if !over => {
                        past.push(entry.before);
                        continue;
                    }
                    What::Renews => {}
                    What::Breaks(..) => breaks.push((number, over)),
                    What::Misses(_) if !over => misses.push(number),
                    What::Misses(_) => {}
                    What::Meets(other) => now.push(*other),
                }
                now.push(entry.before);
            }
            now.append(&mut past);
        }
        let entry = |number: u32| &self.entries[number as usize - 1];
        sorted::sort_by_key(&mut breaks, |(number, _)| (graph.flow_key(entry(*number).at), *number));
        sorted::sort_by_key(&mut misses, |number| (graph.flow_key(entry(*number).at), *number));
        let breaker = |(number, past): (u32, bool)| match &entry(number).what {
            What::Breaks(by, kept) => {
                let at = graph.id(entry(number).at).clone();
                Some(Breaker { at, by: by.clone(), kept: kept.clone(), past })
            }
            _ => None,
        };
        let breakers = breaks.into_iter().filter_map(breaker).collect();
        let mut known: HashSet<&Missing, Hashed> = HashSet::default();
        let missing = misses.iter().filter_map(|number| match &entry(*number).what {
            What::Misses(one) if known.insert(one) => Some(one.clone()),
            _ => None,
        });
        let missing = missing.collect();
        Found { breakers, missing }
    }
}
