//! Everything that a walk found, once each; states hold numbers into it.

use super::verdict::{Claim, Condition, Hop, HopPart, LossKind, LossyHop, Variable};
use crate::{
    analysis::{explain::Missing, graph::Place},
    model::{Basis, Hashed},
};
use std::{borrow::Cow, cell::RefCell, collections::HashMap, sync::Arc};

/// What a claim is about, and how strong its mechanism is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimKind {
    /// Nothing is lost here.
    Keeps,
    /// No copies arise here.
    Prevents,
    /// Copies are taken back by a transaction that also moves the position.
    Atomic,
    /// Copies are removed by an idempotent write or by a de-duplication.
    Removes,
    /// Copies are removed while a condition holds.
    Suppresses,
}

/// On which cell of the badge something bears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axes {
    /// On loss.
    pub loss: bool,
    /// On copies.
    pub copies: bool,
    /// Can it only make copies, none of those that are known fewer?
    pub more: bool,
}

/// Bears on loss.
pub(super) const LOSS: Axes = Axes { loss: true, copies: false, more: false };
/// Bears on copies.
pub(super) const COPIES: Axes = Axes { loss: false, copies: true, more: false };
/// Bears on copies, and can only make more of them.
pub(super) const MORE_COPIES: Axes = Axes { loss: false, copies: true, more: true };
/// Bears on both.
pub(super) const BOTH: Axes = Axes { loss: true, copies: true, more: false };

/// A loss with what ranks it.
#[derive(Debug)]
pub(super) struct Loss {
    /// As reported.
    pub hop: Arc<LossyHop>,
    /// Where, for the order in the flow.
    pub place: Place,
    /// Worst first: 0 possible, 1 under a condition without a bound, 2 under one with a bound, 3 inside its bound.
    pub severity: u8,
    /// Of equals: the smaller, the worse.
    pub margin: f64,
    /// Number of what its condition is about; conditions with the same one stand for each other.
    pub alike: u32,
}

/// A condition under which copies are removed.
#[derive(Debug)]
pub(super) struct Suppressed {
    /// As reported.
    pub condition: Arc<Condition>,
    /// As [`Loss::alike`].
    pub alike: u32,
}

/// A fact that is not known.
#[derive(Debug)]
pub(super) struct Unknown {
    /// As reported.
    pub missing: Missing,
    /// On what it bears.
    pub axes: Axes,
    /// The hop that asks.
    pub place: Place,
    /// The first number under which the same was booked.
    pub alike: u32,
}

/// Tells which numbers have come by in one pass over a list, without a table of its own for every pass.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pass: u64,
    seen: Vec<(u64, usize)>,
}

impl Marks {
    /// Begins a pass.
    pub fn begin(&mut self) {
        self.pass += 1;
    }

    /// With what the number came by in this pass; the first time, it is marked with `next`.
    pub fn at(&mut self, number: u32, next: usize) -> Option<usize> {
        let place = number as usize;
        if self.seen.len() <= place {
            self.seen.resize(place + 1, (0, 0));
        }
        let mark = self.seen.get_mut(place)?;
        if mark.0 == self.pass {
            return Some(mark.1);
        }
        *mark = (self.pass, next);
        None
    }
}

/// A claim with its place.
#[derive(Debug)]
pub(super) struct Booked {
    /// Which kind.
    pub kind: ClaimKind,
    /// As reported.
    pub claim: Arc<Claim>,
    /// Where.
    pub place: Place,
}

/// Everything found.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Losses.
    pub losses: Vec<Loss>,
    /// Claims.
    pub claims: Vec<Booked>,
    /// Facts that are not known.
    pub unknown: Vec<Unknown>,
    /// Conditions under which copies are removed.
    pub conditions: Vec<Suppressed>,
    /// For a pass over the numbers of a state.
    pub marks: RefCell<Marks>,
    missed: HashMap<Missing, u32, Hashed>,
    variables: HashMap<(Variable, bool, Option<String>), u32, Hashed>,
}

/// A loss that a rule found.
#[derive(Debug)]
pub(super) struct Found {
    /// Which part of the hop.
    pub part: HopPart,
    /// How sure.
    pub kind: LossKind,
    /// In words.
    pub cause: Cow<'static, str>,
    /// Rows, or only values too low?
    pub in_values: bool,
}

impl Found {
    /// A loss without a condition.
    pub fn possible(part: HopPart, cause: impl Into<Cow<'static, str>>) -> Self {
        Self { part, kind: LossKind::Possible, cause: cause.into(), in_values: false }
    }

    /// A loss outside a condition; outside of what is stated, it is one without.
    pub fn unless(part: HopPart, condition: Condition, cause: impl Into<Cow<'static, str>>) -> Self {
        let kind = if condition.inside == Some(false) {
            LossKind::Possible
        } else {
            LossKind::Conditional(Arc::new(condition))
        };
        Self { part, kind, cause: cause.into(), in_values: false }
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Ledger {
    /// Books a loss.
    pub fn lose(&mut self, place: Place, hop: Hop, found: Found, basis: Option<Basis>) -> u32 {
        let (severity, margin) = match &found.kind {
            LossKind::Possible => (0, 0.0),
            LossKind::Conditional(condition) => {
                let bound = condition.bound.as_ref().map_or(f64::INFINITY, |bound| bound.value);
                let severity = match (condition.inside, condition.bound.is_some()) {
                    (Some(true), _) => 3,
                    (_, true) => 2,
                    (_, false) => 1,
                };
                (severity, bound)
            }
        };
        let Found { kind, cause, in_values, .. } = found;
        let alike = if let LossKind::Conditional(condition) = &kind { self.alike(condition) } else { 0 };
        let hop = Arc::new(LossyHop { hop, kind, cause, in_values, basis });
        self.losses.push(Loss { hop, place, severity, margin, alike });
        number(self.losses.len() - 1)
    }

    /// Books a claim.
    pub fn claim(&mut self, kind: ClaimKind, place: Place, claim: Claim) -> u32 {
        self.claims.push(Booked { kind, claim: Arc::new(claim), place });
        number(self.claims.len() - 1)
    }

    /// Books a fact that is not known.
    pub fn miss(&mut self, place: Place, missing: Missing, axes: Axes) -> u32 {
        let next = number(self.unknown.len());
        let alike = *self.missed.entry(missing.clone()).or_insert(next);
        self.unknown.push(Unknown { missing, axes, place, alike });
        number(self.unknown.len() - 1)
    }

    /// Books a condition.
    pub fn condition(&mut self, condition: Condition) -> u32 {
        let alike = self.alike(&condition);
        self.conditions.push(Suppressed { condition: Arc::new(condition), alike });
        number(self.conditions.len() - 1)
    }

    /// Conditions on one variable stand for each other, with a bound and without one apart. Those that are about something
    /// else at one place do so only where they say the same.
    fn alike(&mut self, condition: &Condition) -> u32 {
        let next = number(self.variables.len());
        let says = matches!(condition.variable, Variable::Other(_)).then(|| condition.text.clone());
        *self.variables.entry((condition.variable.clone(), condition.bound.is_some(), says)).or_insert(next)
    }

    /// The claims of these numbers, in the order of the walk.
    pub fn claims<'l>(&'l self, numbers: &'l [u32]) -> impl DoubleEndedIterator<Item = &'l Booked> {
        numbers.iter().filter_map(|number| self.claims.get(*number as usize))
    }

    /// What is missing, by number.
    pub fn missing(&self, number: u32) -> Option<&Missing> {
        self.unknown.get(number as usize).map(|unknown| &unknown.missing)
    }

    /// A loss by number.
    pub fn loss(&self, number: u32) -> Option<&Loss> {
        self.losses.get(number as usize)
    }
}
