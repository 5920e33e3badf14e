//! What is true of the order of events at one point of a design.

use super::{
    trail::Trail,
    verdict::{Break, OrderKind, covers},
};
use crate::{
    analysis::{
        explain::{Missing, MissingWhy},
        graph::{Graph, Place},
    },
    model::{Basis, Columns, Field, FieldValue, Key, Known},
};
use std::sync::Arc;

/// A key: columns of an event.
pub(super) type ByKey = Arc<Columns>;

/// The order at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Two events that are equal in these columns come in the order of their birth, unless it was ended.
    pub key: ByKey,
    /// The key by which records went into the log, the shuffle or to the workers that held them last.
    pub arrival: ByKey,
    /// The key of the records in the log that was written or read last; `None`: not known, or none.
    pub record: Option<ByKey>,
    /// The log, or the step that shuffles, that holds them.
    pub holder: Option<Place>,
    /// Who appends there.
    pub writer: Option<Place>,
    /// The writes by which they replaced rows of a store, whatever their version; sorted.
    pub overwrites: Vec<Place>,
    /// The store that they were written to.
    pub store: Option<Place>,
    /// Where they are born.
    pub born: Option<Place>,
    /// What happened so far.
    pub trail: u32,
    /// Was the order of their birth ended?
    pub broken: bool,
    /// Was the order of the log that holds them ended?
    pub broken_here: bool,
    /// Is a fact not known that would end either?
    pub open: bool,
    /// Is one not known that would end the order of the log that holds them?
    pub open_here: bool,
    /// Are they as they lie in a log whose partitions keep the order of their appends?
    pub in_log: bool,
    /// Do they lie in several partitions by no key?
    pub keyless: bool,
    /// Is their log one partition on purpose, written by one session?
    pub global: bool,
    /// Does the store keep the newest version?
    pub newest: bool,
    /// Does anything reach this point?
    pub reached: bool,
    /// The reads of a job whose owner can be replaced while it works on them; sorted.
    pub owners: Vec<Place>,
    /// Steps of that job that note them as done before they are written; sorted.
    pub marked: Vec<Place>,
    /// Weakest basis of the facts read.
    pub basis: Option<Basis>,
}

impl State {
    /// The kind of order.
    pub fn kind(&self) -> OrderKind {
        if self.newest {
            return OrderKind::Newest;
        }
        if self.broken_here {
            return OrderKind::Nothing;
        }
        // Which partition a record went to may not be known: within it the log keeps the order of its appends.
        let appended = self.in_log && !self.open_here && self.store.is_none();
        match (self.open || !self.reached, self.broken) {
            (true, _) if self.reached && appended => OrderKind::PerPartition,
            (true, true) => OrderKind::Nothing,
            (true, false) => OrderKind::NotEstablished,
            _ if self.keyless => OrderKind::PerPartition,
            (false, true) => OrderKind::Arrival,
            (false, false) if !covers(&self.arrival, &self.key) => OrderKind::Arrival,
            (false, false) if self.global => OrderKind::Global,
            (false, false) => OrderKind::PerKey,
        }
    }

    /// Events are born here: nothing that was before concerns their order.
    pub fn begin(&mut self, at: Place) {
        let Self { basis, trail, .. } = *self;
        let (owners, marked) = (std::mem::take(&mut self.owners), std::mem::take(&mut self.marked));
        *self = Self { born: Some(at), trail, reached: true, owners, marked, basis, ..Self::default() };
    }

    /// The weakest basis of what was read, with one more fact.
    pub fn weigh(&mut self, basis: Basis) {
        self.basis = Some(self.basis.map_or(basis, |known| known.weaker(basis)));
    }
}

/// Both keys together; the same one where one holds the other.
pub(super) fn union(a: &ByKey, b: &ByKey) -> ByKey {
    if covers(a, b) {
        return Arc::clone(a);
    }
    if covers(b, a) {
        return Arc::clone(b);
    }
    let others = b.0.iter().filter(|column| !a.0.contains(column));
    Arc::new(Columns(a.0.iter().chain(others).cloned().collect()))
}

/// One place under examination.
pub(super) struct At<'w, 'd> {
    /// The graph.
    pub graph: &'w Graph<'d>,
    /// What happened so far.
    pub trail: &'w mut Trail,
    /// Which place.
    pub place: Place,
}

impl At<'_, '_> {
    /// A fact that may be missing without harm.
    pub fn peek<T: FieldValue>(&self, state: &mut State, at: Place, key: Key<T>) -> Option<T> {
        let (value, basis) = self.graph.settings(at).value(key)?;
        state.weigh(basis);
        Some(value)
    }

    /// A fact without which no order is established.
    pub fn need<T: FieldValue>(&mut self, state: &mut State, at: Place, key: Key<T>) -> Option<T> {
        let value = self.peek(state, at, key);
        if value.is_none() {
            let why = match self.graph.known(at, key) {
                Known::Unset(_) => MissingWhy::Unset,
                Known::Conflict(_) => MissingWhy::Conflict,
                Known::Value(_) | Known::NotKnown(_) => MissingWhy::NotKnown,
            };
            self.miss(state, at, key.field(), why);
        }
        value
    }

    /// Notes a missing fact: no order is established.
    pub fn miss(&mut self, state: &mut State, at: Place, field: Field, why: MissingWhy) {
        let missing = Missing { subject: self.graph.id(at).clone(), field, why };
        state.trail = self.trail.misses(state.trail, self.place, missing);
        (state.open, state.open_here) = (true, true);
    }

    /// Ends the order of the log that holds the events, and so that of their birth.
    pub fn ends(&mut self, state: &mut State, by: Break) {
        state.trail = self.trail.breaks(state.trail, self.place, by, None);
        state.broken = true;
        state.broken_here = true;
    }

    /// Goes by another key: what is equal in that key and in the one so far still comes in order.
    pub fn narrows(&mut self, state: &mut State, by: &ByKey, why: impl FnOnce(&ByKey) -> Break) {
        let kept = union(&state.key, by);
        if kept.0.len() != state.key.0.len() {
            state.trail = self.trail.breaks(state.trail, self.place, why(&state.key), Some(Arc::clone(&kept)));
            state.key = kept;
        }
    }

    /// Shared out by this key to tasks or workers, without a log of its own.
    pub fn shared(&mut self, state: &mut State, by: &ByKey, why: impl FnOnce(&ByKey) -> Break) {
        // Rows of one partition go to several tasks: what is left of its order is that of a key.
        state.in_log &= by.0.is_empty();
        if covers(&state.key, by) && covers(&state.arrival, by) {
            return;
        }
        // What lies in several partitions by no key is mixed.
        state.broken_here |= state.keyless;
        self.narrows(state, by, why);
        state.arrival = union(&state.arrival, by);
    }

    /// Into a log, or through a shuffle, by this key: what lies there is in the order in which it arrives.
    pub fn enters(&mut self, state: &mut State, by: &ByKey, holder: Place, writer: Place) {
        self.narrows(state, by, |from| Break::Rekeyed(Arc::clone(from), Arc::clone(by)));
        state.arrival = Arc::clone(by);
        state.record = Some(Arc::clone(by));
        (state.holder, state.writer, state.store) = (Some(holder), Some(writer), None);
        state.overwrites.clear();
        (state.broken_here, state.keyless, state.global, state.newest) = (false, false, false, false);
        (state.open_here, state.in_log) = (false, false);
    }
}
