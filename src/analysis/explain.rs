//! Numbers that explain themselves: an [`Explained`] cannot be made without saying where it comes from.
//!
//! A figure is a fact of the design, a constant with its source, or a formula over other explained figures. Its basis is
//! the weakest of its inputs by construction. Where an input is missing, the figure is an [`Underivable`] that names it.

use super::figures;
use crate::model::{Basis, Fact, FactRef, Field, Id, Nature};
use std::{fmt, ops::Deref, sync::Arc};

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Unit {
    Seconds,
    /// Seconds that are held against a configured time-out, and so read as time-outs are written.
    Timeout,
    /// Seconds that hold for certain: no more are printed.
    AtLeast,
    /// Seconds that are never exceeded: no fewer are printed.
    AtMost,
    Bytes,
    Records,
    RecordsPerSecond,
    BytesPerSecond,
    BytesPerDay,
    /// A share, 0 to 1, or a factor.
    Ratio,
    /// Anything counted: partitions, windows, keys.
    Count,
}

/// A formula in words, with where it comes from.
#[derive(Debug, PartialEq, Eq)]
pub struct Formula {
    /// Stable id, such as `E1.guaranteed`.
    pub id: &'static str,
    /// As people read it: `min(by time, by size)`.
    pub text: &'static str,
    /// The product's documentation or source, or the measurement, that it follows from.
    pub source: &'static str,
}

/// Where a number comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A fact of the design.
    Fact(FactRef),
    /// A fact of the design stands for it: another statistic, a looked-up neighbour.
    FactBy(FactRef, &'static str),
    /// Fixed by a product or by this analysis.
    Constant {
        /// Why this number, with its source.
        source: &'static str,
    },
    /// Computed.
    Formula {
        /// Which formula.
        formula: &'static Formula,
        /// Its inputs in the order of the formula.
        inputs: Inputs,
        /// The input that decides, where one does (of a minimum or maximum).
        binding: Option<usize>,
    },
}

/// The inputs of a formula in its order. Most have three at most, which take no list: figures are made by the thousand,
/// and few are opened.
#[derive(Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Inputs {
    None,
    One([Arc<Explained>; 1]),
    Two([Arc<Explained>; 2]),
    Three([Arc<Explained>; 3]),
    Many(Box<[Arc<Explained>]>),
}

impl Deref for Inputs {
    type Target = [Arc<Explained>];

    fn deref(&self) -> &[Arc<Explained>] {
        match self {
            Self::None => &[],
            Self::One(inputs) => inputs,
            Self::Two(inputs) => inputs,
            Self::Three(inputs) => inputs,
            Self::Many(inputs) => inputs,
        }
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&**self).finish()
    }
}

impl FromIterator<Arc<Explained>> for Inputs {
    fn from_iter<I: IntoIterator<Item = Arc<Explained>>>(inputs: I) -> Self {
        let mut inputs = inputs.into_iter();
        match (inputs.next(), inputs.next(), inputs.next(), inputs.next()) {
            (Some(a), Some(b), Some(c), Some(d)) => Self::Many([a, b, c, d].into_iter().chain(inputs).collect()),
            (Some(a), Some(b), Some(c), _) => Self::Three([a, b, c]),
            (Some(a), Some(b), ..) => Self::Two([a, b]),
            (Some(a), ..) => Self::One([a]),
            _ => Self::None,
        }
    }
}

impl<const N: usize> From<[Arc<Explained>; N]> for Inputs {
    fn from(inputs: [Arc<Explained>; N]) -> Self {
        inputs.into_iter().collect()
    }
}

impl From<Vec<Arc<Explained>>> for Inputs {
    fn from(inputs: Vec<Arc<Explained>>) -> Self {
        if inputs.len() > 3 { Self::Many(inputs.into()) } else { inputs.into_iter().collect() }
    }
}

/// A number with unit, basis and explanation. Infinity means: no bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// What it is, in a few words: `replay reach`.
    pub what: &'static str,
    /// Of which subject.
    pub of: Option<Id>,
    /// The number in `unit`; may be infinite, never NaN.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
    /// The weakest basis of what went into it; `None` for a constant.
    pub basis: Option<Basis>,
    /// Where it comes from.
    pub origin: Origin,
}

/// A number, or what is missing for it.
pub type Derived = Result<Arc<Explained>, Underivable>;

/// Why a figure is not derivable: every input that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Underivable {
    /// The figure.
    pub what: &'static str,
    /// What would have to be known; never empty.
    pub missing: Gaps,
}

/// What is missing for a figure. One gap alone, by far the most common case, takes no list: figures are often asked for
/// only to see whether they are there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Gaps {
    One(Missing),
    Many(Vec<Missing>),
}

impl Gaps {
    /// With those of another figure, each once; sorted where both are.
    #[must_use]
    pub fn and(self, others: &Self) -> Self {
        if others.iter().all(|missing| self.contains(missing)) {
            return self;
        }
        let mut all = match self {
            Self::Many(all) => all,
            Self::One(one) => {
                let mut all = Vec::with_capacity(1 + others.len());
                all.push(one);
                all
            }
        };
        for missing in others.iter() {
            if let Err(at) = all.binary_search(missing) {
                all.insert(at, missing.clone());
            }
        }
        Self::Many(all)
    }
}

impl Deref for Gaps {
    type Target = [Missing];

    fn deref(&self) -> &[Missing] {
        match self {
            Self::One(missing) => std::slice::from_ref(missing),
            Self::Many(missing) => missing,
        }
    }
}

impl From<Vec<Missing>> for Gaps {
    fn from(missing: Vec<Missing>) -> Self {
        Self::Many(missing)
    }
}

impl From<Gaps> for Vec<Missing> {
    fn from(gaps: Gaps) -> Self {
        match gaps {
            Gaps::One(missing) => vec![missing],
            Gaps::Many(missing) => missing,
        }
    }
}

/// One setting that nobody gave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Missing {
    /// Element, link, event or cluster it would stand on.
    pub subject: Id,
    /// The setting.
    pub field: Field,
    /// Why there is no value.
    pub why: MissingWhy,
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissingWhy {
    /// Not read, not measured, not stated.
    NotKnown,
    /// Readings disagree.
    Conflict,
    /// Read as not set; the product's default is in force and is not derived from.
    Unset,
    /// There is no form for it here: for what, and what to do instead.
    NoForm(&'static str),
    /// The system is not named, or nothing is known about it in this role; no setting would say more.
    System,
}

impl Missing {
    /// As people say it: `retention time: not read`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}: {}", self.label(), self.state())
    }

    /// What is missing: the setting, or the system itself.
    #[must_use]
    pub fn label(&self) -> String {
        if self.why == MissingWhy::System { "system".to_owned() } else { self.field.label() }
    }

    /// How it is missing.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match self.why {
            MissingWhy::NotKnown => self.field.row().nature.absent(),
            MissingWhy::Conflict => "in conflict",
            MissingWhy::Unset => "not set, default not read",
            MissingWhy::NoForm(why) => why,
            MissingWhy::System => "not known",
        }
    }

    /// The nature of the missing setting.
    #[must_use]
    pub fn nature(&self) -> Nature {
        self.field.row().nature
    }
}

impl Explained {
    /// A fact of the design as a number.
    #[must_use]
    pub fn fact<T>(what: &'static str, unit: Unit, fact: &Fact<T>, value: f64) -> Arc<Self> {
        Self::read(what, unit, fact.basis, fact.source.clone(), value, None)
    }

    /// A fact of the design by another statistic than its plain value, or looked up at a neighbour: `how` says which.
    #[must_use]
    pub fn fact_by<T>(what: &'static str, unit: Unit, fact: &Fact<T>, value: f64, how: &'static str) -> Arc<Self> {
        Self::read(what, unit, fact.basis, fact.source.clone(), value, Some(how))
    }

    /// As [`Self::fact`] or, by another statistic, [`Self::fact_by`], for a source that nobody else needs.
    #[must_use]
    pub(crate) fn read(
        what: &'static str,
        unit: Unit,
        basis: Basis,
        source: FactRef,
        value: f64,
        how: Option<&'static str>,
    ) -> Arc<Self> {
        let of = Some(source.subject.clone());
        let origin = match how {
            Some(how) => Origin::FactBy(source, how),
            None => Origin::Fact(source),
        };
        Arc::new(Self { what, of, value, unit, basis: Some(basis), origin })
    }

    /// A number that nobody gave and that is taken so for a stated reason; whatever is computed from it is assumed.
    #[must_use]
    pub fn assumed(what: &'static str, of: Option<&Id>, unit: Unit, value: f64, reason: &'static str) -> Arc<Self> {
        Arc::new(Self {
            what,
            of: of.cloned(),
            value,
            unit,
            basis: Some(Basis::Assumed),
            origin: Origin::Constant { source: reason },
        })
    }

    /// A constant with its source.
    #[must_use]
    pub fn constant(what: &'static str, unit: Unit, value: f64, source: &'static str) -> Arc<Self> {
        Arc::new(Self { what, of: None, value, unit, basis: None, origin: Origin::Constant { source } })
    }

    /// A computed figure: `value` from `inputs` by `formula`. NaN counts as zero, so that nothing downstream is NaN.
    #[must_use]
    pub fn derive(
        what: &'static str,
        of: Option<&Id>,
        unit: Unit,
        formula: &'static Formula,
        inputs: impl Into<Inputs>,
        value: f64,
        binding: Option<usize>,
    ) -> Arc<Self> {
        Self::computed(what, of, unit, (formula, inputs.into(), binding), value)
    }

    fn computed(
        what: &'static str,
        of: Option<&Id>,
        unit: Unit,
        (formula, inputs, binding): (&'static Formula, Inputs, Option<usize>),
        value: f64,
    ) -> Arc<Self> {
        let basis = inputs.iter().filter_map(|input| input.basis).reduce(Basis::weaker);
        let value = if value.is_nan() { 0.0 } else { value };
        Arc::new(Self {
            what,
            of: of.cloned(),
            value,
            unit,
            basis,
            origin: Origin::Formula { formula, inputs, binding },
        })
    }

    /// Is there no bound?
    #[must_use]
    pub fn unbounded(&self) -> bool {
        self.value.is_infinite()
    }

    /// The number with its unit, for people; why it is nothing, where a bare zero would not tell.
    #[must_use]
    pub fn text(&self) -> String {
        use crate::model::units::human;
        if let Some(none) = figures::none_left(self) {
            return none.to_owned();
        }
        match self.unit {
            _ if self.unbounded() => "no bound".to_owned(),
            Unit::Seconds if matches!(self.origin, Origin::Fact(_)) => human::seconds(self.value),
            Unit::Seconds => human::about(self.value),
            Unit::Timeout => human::bound(self.value),
            Unit::AtLeast => human::at_least(self.value),
            Unit::AtMost => human::at_most(self.value),
            Unit::Bytes => human::bytes(self.value),
            Unit::Records => human::records(self.value),
            Unit::RecordsPerSecond => human::per_second(self.value),
            Unit::BytesPerSecond => format!("{}/s", human::bytes(self.value)),
            Unit::BytesPerDay => format!("{}/day", human::bytes(self.value)),
            Unit::Ratio | Unit::Count => human::number(self.value),
        }
    }

    /// Is it a time?
    #[must_use]
    pub const fn is_time(&self) -> bool {
        matches!(self.unit, Unit::Seconds | Unit::Timeout | Unit::AtLeast | Unit::AtMost)
    }

    /// Was it computed by this formula?
    #[must_use]
    pub fn made_by(&self, by: &Formula) -> bool {
        matches!(&self.origin, Origin::Formula { formula, .. } if formula.id == by.id)
    }

    /// The inputs of a computed figure.
    #[must_use]
    pub fn inputs(&self) -> &[Arc<Self>] {
        match &self.origin {
            Origin::Formula { inputs, .. } => inputs,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SUM: Formula = Formula { id: "test.sum", text: "a + b", source: "test" };

    #[test]
    fn a_derived_number_wears_the_weakest_basis_of_its_inputs() {
        let constant = Explained::constant("a", Unit::Seconds, 1.0, "test");
        let sum = Explained::derive("sum", None, Unit::Seconds, &SUM, [constant.clone(), constant], 2.0, None);
        assert_eq!(sum.basis, None);
        assert_eq!(sum.inputs().len(), 2);
    }
}
