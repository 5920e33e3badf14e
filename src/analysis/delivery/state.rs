//! What is true of the events at one point of a design: live copies, losses, taints and what is not known.
//!
//! Copies are instances, not classes: each has its own origin, horizon and identity, because a mechanism only ever
//! removes copies that it can recognise. Losses, claims and unknown facts are numbers into the ledger of the walk.

use super::verdict::CopyClass;
use crate::{
    analysis::graph::Place,
    model::{Basis, Hashed},
};
use std::{collections::HashSet, hash::Hash};

/// Copies of events that one hop makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    /// What made them.
    pub class: CopyClass,
    /// Where.
    pub origin: Place,
    /// Do they have the coordinates (topic, partition, offset) of the first one, in the log that was read last?
    pub coordinates: bool,
    /// Do they have the id or key of the first one?
    pub key: bool,
    /// Where the id was made anew, so that they have another one.
    pub redrawn: Option<Place>,
    /// Does one old copy come after newer events (rather than the whole suffix again, in order)?
    pub isolated: bool,
    /// Does it show nothing older: right behind the first one, or a maximum again?
    pub level: bool,
    /// Made by the job that is walked through at the moment?
    pub own: bool,
    /// How long after the first one they can come, in ms; `None`: not known.
    pub horizon: Option<u64>,
    /// Removed while a condition holds: its number in the ledger.
    pub hidden: Option<u32>,
    /// Equal rows that become one only when they are read in a certain way.
    pub uncollapsed: bool,
    /// Can an owner that its group replaced write one of them, after newer events?
    pub zombie: bool,
    /// Of a planned replay that starts the state of the reading job anew, while they are inside that job.
    pub anew: bool,
    /// Can the first one have been lost on the way from where they were made?
    pub bereft: bool,
}

impl Instance {
    /// Copies of this class that look like the first one in everything.
    pub const fn new(class: CopyClass, origin: Place) -> Self {
        Self {
            class,
            origin,
            coordinates: true,
            key: true,
            redrawn: None,
            isolated: false,
            level: false,
            own: false,
            horizon: None,
            hidden: None,
            uncollapsed: false,
            zombie: false,
            anew: false,
            bereft: false,
        }
    }

    /// The same, where ids are made anew at these places: copies of each have other ids than the first one.
    pub fn with_ids_of(self, redrawn: &[Place]) -> Vec<Self> {
        match redrawn {
            [] => vec![self],
            _ => redrawn.iter().map(|at| Self { key: false, redrawn: Some(*at), ..self }).collect(),
        }
    }
}

/// A value that copies changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tainted {
    /// The operator or the write link.
    pub at: Place,
    /// By which copies.
    pub class: CopyClass,
    /// Made where.
    pub origin: Place,
    /// An old version stands, rather than a sum too high.
    pub stale: bool,
    /// By copies that the job itself makes.
    pub own: bool,
    /// Only outside this condition.
    pub hidden: Option<u32>,
}

/// The ways that events took, to see whether two inputs can carry the same event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// Where this kind of event is born.
    pub root: Place,
    /// At which operators which output was taken, where they have several.
    pub ports: Vec<(Place, u8)>,
    /// Can it have been narrowed to some of the events?
    pub narrowed: bool,
}

/// What is true at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Live copies.
    pub copies: Vec<Instance>,
    /// Losses, by number; sorted.
    pub losses: Vec<u32>,
    /// Values that copies changed.
    pub taints: Vec<Tainted>,
    /// Claims, by number; sorted.
    pub claims: Vec<u32>,
    /// Facts that are not known, by number; sorted.
    pub unknown: Vec<u32>,
    /// What is wrong for a while: a bit for each of [`super::verdict::Transient`].
    pub transient: u8,
    /// The ways that the events took.
    pub ways: Vec<Way>,
    /// Are they computed values?
    pub values: bool,
    /// Is one result written several times, each time newer?
    pub versions: bool,
    /// Do a re-run's results carry other values?
    pub varying: bool,
    /// Where ids were made anew last, on each way, so that a re-run's results carry others; sorted.
    pub redrawn: Vec<Place>,
    /// Written in transactions that a reader can wait for?
    pub transactional: bool,
    /// Compacted logs that they passed since the last aggregate; sorted.
    pub compacted: Vec<Place>,
    /// Copies that pass a de-duplication where the first one was lost before it: an older event after a newer one; sorted.
    pub late_copies: Vec<(CopyClass, Place)>,
    /// Writes and steps at which an older version stands if an owner that was replaced writes late, each with the hop that
    /// makes its copies; sorted.
    pub replaced: Vec<(Place, Place)>,
    /// The log that was read last.
    pub log: Option<Place>,
    /// The hand-overs inside this job at which rows of one key went to several tasks; sorted.
    pub shuffled: Vec<Place>,
    /// Logs that were read last, where more partitions are proposed than they have; sorted.
    pub grown: Vec<Place>,
    /// Logs that were read last, whose offsets can start again; sorted.
    pub reused_offsets: Vec<Place>,
    /// A link whose `key` is the record key of what was read last.
    pub record_key: Option<Place>,
    /// A link whose `key` names the columns of that record key: the same one, or an earlier one whose key was kept.
    pub keyed_by: Option<Place>,
    /// The operator whose results these are.
    pub aggregate: Option<Place>,
    /// The event types, by number of the source or emitting operator.
    pub kinds: Vec<Place>,
    /// The write that was passed last.
    pub last_write: Option<Place>,
    /// The first log that a job read on the way: where a scope of transactions begins.
    pub first_log: Option<Place>,
    /// Where the record of events begins: source, or channel without a drawn writer.
    pub begins: Vec<Place>,
    /// The de-duplication in the engine's state that was passed in this job, where nothing handed records on to other tasks since.
    pub deduplicated: Option<Place>,
    /// A de-duplication in the memory of the process was passed in this job.
    pub forgetful: bool,
    /// Inside a job whose state goes back together with its position: its own copies are not seen inside.
    pub rolled_back: bool,
    /// Nothing says where the events come from.
    pub undrawn: bool,
    /// They can come round a cycle that is entered at several places, which nothing follows.
    pub round: bool,
    /// Weakest basis of the facts that went in.
    pub basis: Option<Basis>,
}

/// Puts a number into a sorted list, once.
pub(super) fn put<T: Ord>(list: &mut Vec<T>, value: T) {
    if let Err(at) = list.binary_search(&value) {
        list.insert(at, value);
    }
}

/// Unites two sorted lists.
pub(in crate::analysis) fn unite<T: Ord + Clone>(into: &mut Vec<T>, other: &[T]) {
    if into.is_empty() {
        into.extend_from_slice(other);
        return;
    }
    // Ways that meet come from the same places: what both begin with is there.
    let same = into.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (rest, mut other) = (into.split_off(same), other[same..].iter().peekable());
    for value in rest {
        while let Some(before) = other.next_if(|other| **other < value) {
            into.push(before.clone());
        }
        let _ = other.next_if(|other| **other == value);
        into.push(value);
    }
    into.extend(other.cloned());
}

/// Values so few that looking through them is quicker than a table.
const FEW: usize = 16;

/// Appends what is not there yet, in order.
pub(super) fn join<T: Copy + Eq + Hash>(into: &mut Vec<T>, other: Vec<T>) {
    if into.is_empty() && other.len() <= 1 {
        into.extend(other);
    } else if into.len() + other.len() <= FEW {
        for value in other {
            if !into.contains(&value) {
                into.push(value);
            }
        }
    } else {
        let mut known: HashSet<T, Hashed> = into.iter().copied().collect();
        into.extend(other.into_iter().filter(|value| known.insert(*value)));
    }
}

/// The weaker of two bases, where there are any.
pub(super) fn weaker(a: Option<Basis>, b: Option<Basis>) -> Option<Basis> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.weaker(b)),
        (a, b) => a.or(b),
    }
}

impl State {
    /// Adds copies that are not there yet.
    pub fn add(&mut self, instance: Instance) {
        if !self.copies.contains(&instance) {
            self.copies.push(instance);
        }
    }

    /// Adds a taint that is not there yet.
    pub fn taint(&mut self, taint: Tainted) {
        if !self.taints.contains(&taint) {
            self.taints.push(taint);
        }
    }

    /// What a job did to copies with the state that it keeps itself ends with the job.
    pub fn leave_job(&mut self) {
        for copy in &mut self.copies {
            copy.anew = false;
        }
        self.shuffled.clear();
        self.deduplicated = None;
        self.rolled_back = false;
        self.forgetful = false;
    }

    /// What is taken out of a store has no offsets and no record key.
    pub fn leave_log(&mut self) {
        self.log = None;
        self.grown.clear();
        self.reused_offsets.clear();
        self.record_key = None;
        self.keyed_by = None;
    }

    /// Takes everything of another state, without judging whether both carry the same events.
    pub fn absorb(&mut self, other: Self) {
        join(&mut self.copies, other.copies);
        join(&mut self.taints, other.taints);
        unite(&mut self.losses, &other.losses);
        unite(&mut self.claims, &other.claims);
        unite(&mut self.unknown, &other.unknown);
        unite(&mut self.ways, &other.ways);
        unite(&mut self.kinds, &other.kinds);
        unite(&mut self.begins, &other.begins);
        unite(&mut self.replaced, &other.replaced);
        unite(&mut self.redrawn, &other.redrawn);
        unite(&mut self.compacted, &other.compacted);
        unite(&mut self.late_copies, &other.late_copies);
        unite(&mut self.shuffled, &other.shuffled);
        unite(&mut self.grown, &other.grown);
        unite(&mut self.reused_offsets, &other.reused_offsets);
        self.transient |= other.transient;
        self.values |= other.values;
        self.versions |= other.versions;
        self.varying |= other.varying;
        self.transactional |= other.transactional;
        self.undrawn |= other.undrawn;
        self.round |= other.round;
        self.rolled_back &= other.rolled_back;
        self.deduplicated = if self.deduplicated == other.deduplicated { self.deduplicated } else { None };
        self.forgetful &= other.forgetful;
        self.log = if self.log == other.log { self.log } else { None };
        self.record_key = if self.record_key == other.record_key { self.record_key } else { None };
        self.keyed_by = if self.keyed_by == other.keyed_by { self.keyed_by } else { None };
        self.aggregate = if self.aggregate == other.aggregate { self.aggregate } else { None };
        self.last_write = if self.last_write == other.last_write { self.last_write } else { None };
        self.first_log = if self.first_log == other.first_log { self.first_log } else { None };
        self.basis = weaker(self.basis, other.basis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sorted_lists_are_one() {
        for (a, b, both) in [
            (&[][..], &[1, 2][..], &[1, 2][..]),
            (&[1, 2], &[], &[1, 2]),
            (&[1, 2, 5], &[1, 2, 5], &[1, 2, 5]),
            (&[1, 3, 5], &[1, 2, 5, 6], &[1, 2, 3, 5, 6]),
            (&[4, 5], &[1, 2, 4], &[1, 2, 4, 5]),
            (&[1, 2, 4], &[4, 5], &[1, 2, 4, 5]),
        ] {
            let mut united = a.to_vec();
            unite(&mut united, b);
            assert_eq!(united, both, "{a:?} and {b:?}");
        }
    }

    /// What is wrong of one input is wrong of both together; what protects must protect both; a place is known where both
    /// have the same.
    #[test]
    fn two_inputs_together() {
        let any: [fn(&mut State) -> &mut bool; 6] = [
            |state| &mut state.values,
            |state| &mut state.versions,
            |state| &mut state.varying,
            |state| &mut state.transactional,
            |state| &mut state.undrawn,
            |state| &mut state.round,
        ];
        let all: [fn(&mut State) -> &mut bool; 2] = [|state| &mut state.rolled_back, |state| &mut state.forgetful];
        let same: [fn(&mut State) -> &mut Option<Place>; 7] = [
            |state| &mut state.deduplicated,
            |state| &mut state.log,
            |state| &mut state.record_key,
            |state| &mut state.keyed_by,
            |state| &mut state.aggregate,
            |state| &mut state.last_write,
            |state| &mut state.first_log,
        ];
        let design = crate::model::Design::default();
        let graph = crate::analysis::graph::Graph::new(&design, crate::model::View::ToBe);
        let (mut one, mut other) = (State::default(), State::default());
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            any.iter().chain(&all).for_each(|field| (*field(&mut one), *field(&mut other)) = (a, b));
            (one.transient, other.transient) = (u8::from(a), u8::from(b) * 3);
            same.iter().for_each(|field| {
                *field(&mut one) = Some(graph.node_place(usize::from(a)));
                *field(&mut other) = Some(graph.node_place(usize::from(b)));
            });
            let mut together = one.clone();
            together.absorb(other.clone());
            assert!(any.iter().all(|field| *field(&mut together) == (a || b)), "{a} {b}");
            assert!(all.iter().all(|field| *field(&mut together) == (a && b)), "{a} {b}");
            assert!(same.iter().all(|field| field(&mut together).is_some() == (a == b)), "{a} {b}");
            assert_eq!(together.transient, u8::from(a) | (u8::from(b) * 3));
        }
    }

    /// Also where the values to append repeat each other, and are many.
    #[test]
    fn what_is_there_is_not_appended_again() {
        for (a, b, joined) in [
            (vec![], vec![7, 7], vec![7]),
            (vec![3, 1], vec![1, 2, 2], vec![3, 1, 2]),
            (vec![], [2, 1, 2].repeat(10), vec![2, 1]),
            ((0..20).collect(), vec![25, 3, 25], (0..20).chain([25]).collect()),
        ] {
            let mut list = a;
            join(&mut list, b);
            assert_eq!(list, joined);
        }
    }
}
