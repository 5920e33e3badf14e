//! Which change a difference comes from.
//!
//! Of one change, all of it does. A number says itself which proposed settings it was worked out from. Else a change is
//! taken back and the design is reviewed again: what then is as it was comes from it. That is one review a change, so it
//! is done for few changes and only when somebody asks.

use super::{Change, Entry, ForConsumer, for_consumer};
use crate::{
    analysis::explain::{Explained, Origin},
    model::{Design, Id, Lifecycle, View},
    rules::{Review, Reviewer},
};
use std::sync::Arc;

/// So many changes are taken back at most.
const MOST: usize = 12;

/// From which changes each difference of a consumer comes, by their places in the list of changes; empty where only
/// several together bring it, or where that was not found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace(pub Vec<Vec<usize>>);

/// Which changes the differences of a consumer come from, as far as that can be told without another review.
#[must_use]
pub fn traced(changes: &[Change], of: &ForConsumer) -> Trace {
    if let [only] = of.changes.as_slice() {
        return Trace(of.entries.iter().map(|_| vec![*only]).collect());
    }
    Trace(of.entries.iter().map(|entry| read(changes, &of.changes, entry)).collect())
}

impl Trace {
    /// As [`traced`], and by taking back one change after the other. `before` is the review that the comparison is with.
    #[must_use]
    pub fn by_taking_back(design: &Design, changes: &[Change], before: &Review, id: &Id, of: &ForConsumer) -> Self {
        let mut trace = traced(changes, of);
        if of.changes.len() < 2 || of.changes.len() > MOST {
            return trace;
        }
        let mut reviewer = Reviewer::default();
        for at in &of.changes {
            let Some(change) = changes.get(*at) else { continue };
            let rest = Arc::new(without(design, change));
            let review = reviewer.review(&rest, View::ToBe);
            trace.learn(*at, &for_consumer(&rest, before, &review, id), of);
        }
        trace
    }

    /// Learns from what is left to say of the consumer in a design that lacks one change.
    pub fn learn(&mut self, at: usize, left: &ForConsumer, of: &ForConsumer) {
        for (entry, from) in of.entries.iter().zip(&mut self.0) {
            if !left.entries.contains(entry) && !from.contains(&at) {
                from.push(at);
            }
        }
    }
}

/// The design with one proposed change taken back.
#[must_use]
pub fn without(design: &Design, change: &Change) -> Design {
    let mut design = design.clone();
    let Some(section) = design.section_of(change.subject()) else { return design };
    let Some(subject) = design.section_mut(section).get_mut(change.subject()) else { return design };
    match change {
        Change::Setting { field, .. } => {
            subject.proposed.set(*field, None);
        }
        // What is to come is left out, what is to go stays.
        Change::Added(_) => subject.lifecycle = Some(Lifecycle::Retiring),
        Change::Removed(_) => subject.lifecycle = Some(Lifecycle::Existing),
    }
    design
}

/// The changed settings that the number of an entry was worked out from.
fn read(changes: &[Change], concerned: &[usize], entry: &Entry) -> Vec<usize> {
    let figures = [&entry.before.figure, &entry.after.figure];
    let rests_on = |change: &Change| match change {
        Change::Setting { subject, field, .. } => figures.into_iter().flatten().any(|figure| {
            reads(figure, &|origin| match origin {
                Origin::Fact(fact) | Origin::FactBy(fact, _) => fact.subject == *subject && fact.field == *field,
                _ => false,
            })
        }),
        Change::Added(_) | Change::Removed(_) => false,
    };
    concerned.iter().copied().filter(|at| changes.get(*at).is_some_and(rests_on)).collect()
}

fn reads(figure: &Explained, one: &dyn Fn(&Origin) -> bool) -> bool {
    one(&figure.origin) || figure.inputs().iter().any(|input| reads(input, one))
}
