//! One hop under examination: reads facts, notes what is missing, and books what it finds.

use super::{
    ledger::{Axes, ClaimKind, Found, Ledger},
    state::{Instance, State, put, weaker},
    verdict::{Claim, CopyClass, Hop, HopPart},
};
use crate::{
    analysis::{
        explain::{Missing, MissingWhy},
        figures::Figures,
        graph::{Graph, Place},
    },
    catalog,
    model::{Basis, Fact, Field, FieldValue, Key, Known},
};
use std::borrow::Cow;

/// What a producer's own retries do to the order of what it sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::analysis) enum Retries {
    /// No producer of a log with partitions and replicas writes here.
    #[default]
    Elsewhere,
    /// None, or each comes before the next batch, or the broker recognises its place.
    InPlace,
    /// One that is sent again can come after later ones, unless one request at a time is in flight.
    Overtaken,
    /// A fact is not known.
    Unknown,
}

/// What a row of the hop table is made from.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Losses, by number.
    pub loses: Vec<u32>,
    /// Copies that it adds.
    pub adds: Vec<CopyClass>,
    /// Copies that it removes.
    pub removes: Vec<CopyClass>,
    /// Claims, by number.
    pub claims: Vec<u32>,
    /// Remarks without a claim: `none: reads uncommitted`.
    pub remarks: Vec<&'static str>,
    /// Is a fact missing?
    pub blind: bool,
    /// What is missing, by number.
    pub open: Vec<u32>,
    /// Can rows be lost here, whatever holds?
    pub bereaves: bool,
    /// What retries of the producer that writes here do to the order.
    pub retries: Retries,
}

/// A hop under examination.
pub(super) struct Examined<'w, 'd> {
    /// The graph.
    pub graph: &'w Graph<'d>,
    /// What the walk found so far.
    pub ledger: &'w mut Ledger,
    /// Which hop.
    pub place: Place,
    /// Figures that conditions are held against, where they were worked out.
    pub figures: Option<&'w Figures>,
    /// Weakest basis of the facts read here.
    pub basis: Option<Basis>,
    /// Its row.
    pub row: Row,
}

/// The last of what comes again can be missing: then an old copy comes after newer events.
pub(super) fn isolate(state: &mut State) {
    for copy in state.copies.iter_mut().filter(|copy| !copy.level) {
        copy.isolated = true;
    }
}

/// The first one of what comes twice can be missing from here on.
pub(super) fn bereave(state: &mut State) {
    for copy in &mut state.copies {
        copy.bereft = true;
    }
}

impl<'w, 'd> Examined<'w, 'd> {
    /// Starts on a hop.
    pub fn new(graph: &'w Graph<'d>, ledger: &'w mut Ledger, place: Place) -> Self {
        Self { graph, ledger, place, figures: None, basis: None, row: Row::default() }
    }

    /// With the figures of the design.
    pub const fn beside(mut self, figures: &'w Figures) -> Self {
        self.figures = Some(figures);
        self
    }

    /// The id of this hop, or a part of it.
    pub fn hop(&self, part: HopPart) -> Hop {
        Hop { at: self.graph.id(self.place).clone(), part }
    }

    /// The name of a place as people see it.
    pub fn title(&self, place: Place) -> Cow<'d, str> {
        self.graph.title(place)
    }

    /// A fact that may be missing without harm.
    pub fn peek<T: FieldValue>(&mut self, at: Place, key: Key<T>) -> Option<T> {
        let (value, basis) = self.graph.settings(at).value(key)?;
        self.basis = weaker(self.basis, Some(basis));
        Some(value)
    }

    /// Uses a fact: the hop wears its basis.
    pub fn take<T>(&mut self, fact: Fact<T>) -> T {
        self.basis = weaker(self.basis, Some(fact.basis));
        fact.value
    }

    /// A fact that the mechanism needs; where it is missing, that is noted and nothing is concluded.
    pub fn need<T: FieldValue>(&mut self, state: &mut State, at: Place, key: Key<T>, axes: Axes) -> Option<T> {
        if let Some(value) = self.peek(at, key) {
            return Some(value);
        }
        let why = match self.graph.known(at, key) {
            Known::Unset(_) => MissingWhy::Unset,
            Known::Conflict(_) => MissingWhy::Conflict,
            Known::Value(_) | Known::NotKnown(_) => MissingWhy::NotKnown,
        };
        self.miss(state, at, key.field(), why, axes);
        None
    }

    /// As [`Self::need`]; read as not set, the documented default of a known version counts, as an assumption.
    pub fn need_default<T: FieldValue>(
        &mut self,
        state: &mut State,
        at: Place,
        key: Key<T>,
        product: Option<(&str, Option<&str>)>,
        axes: Axes,
    ) -> Option<T> {
        if let (Known::Unset(_), Some((system, version))) = (self.graph.known(at, key), product)
            && let Some(value) = catalog::default_of(key.field(), system, version)
                .and_then(|default| T::from_value(&default.value.value()))
        {
            self.basis = weaker(self.basis, Some(Basis::Assumed));
            return Some(value);
        }
        self.need(state, at, key, axes)
    }

    /// Notes a missing fact.
    pub fn miss(&mut self, state: &mut State, at: Place, field: Field, why: MissingWhy, axes: Axes) {
        let missing = Missing { subject: self.graph.id(at).clone(), field, why };
        let number = self.ledger.miss(self.place, missing, axes);
        put(&mut state.unknown, number);
        self.row.open.push(number);
        self.row.blind = true;
    }

    /// Books a loss. Where rows can be lost, the last of a suffix that comes again can be: then an old copy stands last; and
    /// the first of what comes twice can be.
    pub fn lose(&mut self, state: &mut State, found: Found) {
        if found.kind == super::verdict::LossKind::Possible && !found.in_values {
            isolate(state);
            self.row.bereaves = true;
            bereave(state);
        }
        let hop = self.hop(found.part);
        let number = self.ledger.lose(self.place, hop, found, self.basis);
        put(&mut state.losses, number);
        self.row.loses.push(number);
    }

    /// Books a claim.
    pub fn claim(&mut self, state: &mut State, kind: ClaimKind, mechanism: impl Into<Cow<'static, str>>) {
        let claim = Claim { mechanism: mechanism.into(), hop: self.hop(HopPart::Whole) };
        let number = self.ledger.claim(kind, self.place, claim);
        put(&mut state.claims, number);
        self.row.claims.push(number);
    }

    /// Adds copies.
    pub fn add(&mut self, state: &mut State, instance: Instance) {
        self.row.adds.push(instance.class);
        state.add(Instance { bereft: instance.bereft || self.row.bereaves, ..instance });
    }

    /// Removes copies for good, by a mechanism; it counts only where there was something to remove.
    pub fn remove(
        &mut self,
        state: &mut State,
        kind: ClaimKind,
        mechanism: impl FnOnce(&Self) -> String,
        gone: impl Fn(&Instance) -> bool,
    ) -> bool {
        let before = self.row.removes.len();
        let removes = &mut self.row.removes;
        state.copies.retain(|copy| {
            let gone = gone(copy);
            if gone {
                removes.push(copy.class);
            }
            !gone
        });
        if self.row.removes.len() == before {
            return false;
        }
        let mechanism = mechanism(self);
        self.claim(state, kind, mechanism);
        true
    }
}
