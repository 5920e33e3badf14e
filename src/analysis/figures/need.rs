//! From settings to explained numbers, and from several inputs to either all of them or everything that is missing.

use super::map::{Map, Place};
use crate::{
    analysis::explain::{Derived, Explained, Formula, Gaps, Inputs, Missing, MissingWhy, Underivable, Unit},
    model::{
        Basis, Fact, Field, FieldValue, Key, Known, Measured, Ratio, Statistic,
        units::{ByteRate, Duration, Limit, Rate, Size},
    },
};
use std::sync::Arc;

/// Most missing inputs that one figure names.
const MOST_MISSING: usize = 16;

/// The words for a figure and what it counts.
#[derive(Clone, Copy)]
pub(super) struct Figure {
    pub what: &'static str,
    pub unit: Unit,
}

pub(super) const fn seconds(what: &'static str) -> Figure {
    Figure { what, unit: Unit::Seconds }
}

/// Seconds that are held against a configured time-out.
pub(super) const fn timeout(what: &'static str) -> Figure {
    Figure { what, unit: Unit::Timeout }
}

/// Seconds that hold for certain.
pub(super) const fn at_least(what: &'static str) -> Figure {
    Figure { what, unit: Unit::AtLeast }
}

/// Seconds that are never exceeded.
pub(super) const fn at_most(what: &'static str) -> Figure {
    Figure { what, unit: Unit::AtMost }
}

pub(super) const fn bytes(what: &'static str) -> Figure {
    Figure { what, unit: Unit::Bytes }
}

pub(super) const fn bytes_per_second(what: &'static str) -> Figure {
    Figure { what, unit: Unit::BytesPerSecond }
}

pub(super) const fn per_second(what: &'static str) -> Figure {
    Figure { what, unit: Unit::RecordsPerSecond }
}

pub(super) const fn count(what: &'static str) -> Figure {
    Figure { what, unit: Unit::Count }
}

/// A setting that reads as a number: seconds, bytes, per second, or plain; infinite where unlimited.
pub(super) trait Numeric: FieldValue + Copy {
    fn number(self) -> f64;
}

macro_rules! numeric {
    ($($ty:ty: $value:ident => $number:expr;)*) => {$(
        impl Numeric for $ty {
            fn number(self) -> f64 {
                let $value = self;
                $number
            }
        }
    )*};
}

numeric! {
    Duration: d => d.secs();
    Size: s => s.bytes() as f64;
    Rate: r => r.secs();
    ByteRate: r => r.bytes();
    u64: n => n as f64;
    f64: n => n.max(0.0);
    Ratio: r => r.0.clamp(0.0, 1.0);
    Limit<Duration>: l => limit(l);
    Limit<Size>: l => limit(l);
}

fn limit<T: Numeric>(limit: Limit<T>) -> f64 {
    match limit {
        Limit::None => 0.0,
        Limit::Of(value) => value.number(),
        Limit::Unlimited => f64::INFINITY,
    }
}

/// Not derivable because of one setting.
pub(super) fn lacks(what: &'static str, at: Place, field: Field, why: MissingWhy) -> Underivable {
    Underivable { what, missing: Gaps::One(Missing { subject: at.id.clone(), field, why }) }
}

fn read<T, U>(
    figure: Figure,
    at: Place,
    field: Field,
    known: Known<T>,
    make: impl FnOnce(Fact<T>) -> Option<U>,
) -> Result<U, Underivable> {
    let why = match known {
        Known::Value(fact) => match make(fact) {
            Some(made) => return Ok(made),
            None => MissingWhy::NotKnown,
        },
        Known::Unset(_) => MissingWhy::Unset,
        Known::Conflict(_) => MissingWhy::Conflict,
        Known::NotKnown(_) => MissingWhy::NotKnown,
    };
    Err(lacks(figure.what, at, field, why))
}

impl<'a> Map<'a> {
    /// A setting as an explained number.
    pub fn number<T: Numeric>(&self, at: Place<'a>, key: Key<T>, figure: Figure) -> Derived {
        read(figure, at, key.field(), self.get(at, key), |fact| {
            let value = fact.value.number();
            Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source, value, None))
        })
    }

    /// A setting, or why there is none.
    pub fn setting<T: FieldValue>(&self, at: Place<'a>, key: Key<T>, what: &'static str) -> Result<T, Underivable> {
        match self.value(at, key) {
            Some(value) => Ok(value),
            None => read(seconds(what), at, key.field(), self.get(at, key), |fact| Some(fact.value)),
        }
    }

    /// The mean of a measurement; a plain value counts as one.
    pub fn mean<T: Numeric + PartialOrd>(&self, at: Place<'a>, key: Key<Measured<T>>, figure: Figure) -> Derived {
        read(figure, at, key.field(), self.get(at, key), |fact| {
            let value = fact.value.mean()?.number();
            let how = fact.value.plain.is_none().then_some("mean");
            Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source, value, how))
        })
    }

    /// The largest reading of a measurement, else its only one.
    pub fn most<T: Numeric + PartialOrd>(&self, at: Place<'a>, key: Key<Measured<T>>, figure: Figure) -> Derived {
        read(figure, at, key.field(), self.get(at, key), |fact| {
            let value = fact.value.max().or_else(|| fact.value.mean())?.number();
            let how = fact.value.plain.is_none().then_some("largest reading");
            Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source, value, how))
        })
    }

    /// The stated maximum of a measurement, where there is one.
    pub fn peak<T: Numeric>(&self, at: Place<'a>, key: Key<Measured<T>>, figure: Figure) -> Option<Arc<Explained>> {
        let fact = self.get(at, key).fact()?;
        let value = fact.value.statistics.get(&Statistic::Max)?.number();
        Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source, value, Some("peak")))
    }

    /// The reading of the fullest place (partition), at peak. Where only one figure is known, that one is taken, as an
    /// assumption.
    pub fn fullest<T: Numeric + PartialOrd>(&self, at: Place<'a>, key: Key<Measured<T>>, figure: Figure) -> Derived {
        read(figure, at, key.field(), self.get(at, key), |fact| {
            if fact.value.statistics.keys().any(|s| matches!(s, Statistic::Max | Statistic::Partition(_))) {
                let value = fact.value.max()?.number();
                let how = Some("fullest partition, at peak");
                return Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source, value, how));
            }
            let value = fact.value.mean()?.number();
            let how = Some("only the mean is known: the fullest partition is taken to be no fuller");
            Some(Explained::read(figure.what, figure.unit, Basis::Assumed, fact.source, value, how))
        })
    }
}

/// All inputs of a figure, or everything that is missing for it.
pub(super) fn all<const N: usize>(
    what: &'static str,
    inputs: [Derived; N],
) -> Result<[Arc<Explained>; N], Underivable> {
    if let Some(Ok(one)) = inputs.first()
        && inputs.iter().all(Result::is_ok)
    {
        // Nothing stands in for another: all are there.
        let one = Arc::clone(one);
        return Ok(inputs.map(|input| input.unwrap_or_else(|_| Arc::clone(&one))));
    }
    let missing = inputs.into_iter().filter_map(Result::err).fold(None, gather);
    Err(underivable(what, missing.unwrap_or(Gaps::Many(Vec::new()))))
}

/// As [`all`], for any number of inputs.
pub(super) fn all_of(
    what: &'static str,
    inputs: impl IntoIterator<Item = Derived>,
) -> Result<Vec<Arc<Explained>>, Underivable> {
    let (mut known, mut missing) = (Vec::new(), None);
    for input in inputs {
        match input {
            Ok(input) if missing.is_none() => known.push(input),
            Ok(_) => {}
            Err(why) => missing = gather(missing, why),
        }
    }
    match missing {
        None => Ok(known),
        Some(missing) => Err(underivable(what, missing)),
    }
}

/// Adds what an input lacks. What nothing is missing for is not there: a cycle, which closes elsewhere.
fn gather(missing: Option<Gaps>, why: Underivable) -> Option<Gaps> {
    match missing {
        _ if why.missing.is_empty() => missing,
        Some(before) => Some(before.and(&why.missing)),
        None => Some(why.missing),
    }
}

fn underivable(what: &'static str, missing: Gaps) -> Underivable {
    match missing {
        Gaps::Many(mut missing) => {
            missing.truncate(MOST_MISSING);
            Underivable { what, missing: missing.into() }
        }
        one => Underivable { what, missing: one },
    }
}

/// A computed figure that nothing binds.
pub(super) fn derive(
    figure: Figure,
    at: Place,
    formula: &'static Formula,
    inputs: impl Into<Inputs>,
    value: f64,
) -> Arc<Explained> {
    Explained::derive(figure.what, Some(at.id), figure.unit, formula, inputs, value, None)
}

/// A figure that stands for itself under a formula.
pub(super) fn as_is(figure: Figure, at: Place, formula: &'static Formula, of: Arc<Explained>) -> Arc<Explained> {
    let value = of.value;
    derive(figure, at, formula, [of], value)
}

/// The least of some figures, with the one that decides marked; of equals the first. One figure stands for itself.
pub(super) fn least(figure: Figure, at: Place, formula: &'static Formula, inputs: impl Into<Inputs>) -> Arc<Explained> {
    decide(figure, at, formula, inputs.into(), |a, b| a < b)
}

/// The largest of some figures, with the one that decides marked.
pub(super) fn largest(
    figure: Figure,
    at: Place,
    formula: &'static Formula,
    inputs: impl Into<Inputs>,
) -> Arc<Explained> {
    decide(figure, at, formula, inputs.into(), |a, b| a > b)
}

/// A figure that is one of its inputs, which is marked; of equals the first.
pub(super) fn one_of(
    figure: Figure,
    at: Place,
    formula: &'static Formula,
    inputs: impl Into<Inputs>,
    value: f64,
) -> Arc<Explained> {
    let inputs = inputs.into();
    let binding = inputs.iter().position(|input| input.value == value);
    Explained::derive(figure.what, Some(at.id), figure.unit, formula, inputs, value, binding)
}

fn decide(
    figure: Figure,
    at: Place,
    formula: &'static Formula,
    inputs: Inputs,
    better: fn(f64, f64) -> bool,
) -> Arc<Explained> {
    let mut best: Option<(usize, f64)> = None;
    for (i, input) in inputs.iter().enumerate() {
        if best.is_none_or(|(_, value)| better(input.value, value)) {
            best = Some((i, input.value));
        }
    }
    let value = best.map_or(0.0, |(_, value)| value);
    Explained::derive(figure.what, Some(at.id), figure.unit, formula, inputs, value, best.map(|(i, _)| i))
}

/// The sum of some figures.
pub(super) fn sum(figure: Figure, at: Place, formula: &'static Formula, inputs: impl Into<Inputs>) -> Arc<Explained> {
    let inputs = inputs.into();
    let value = inputs.iter().map(|input| input.value).sum();
    derive(figure, at, formula, inputs, value)
}
