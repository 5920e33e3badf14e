//! What is known of a setting, how well, and from where.

use super::{
    Id,
    fields::{Field, Nature},
    subject::Lifecycle,
};
use std::fmt;

/// As it is (observed values, what exists), or as it shall be (proposed values first, without what retires).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// Existing and retiring subjects, observed values only.
    AsIs,
    /// Planned and existing subjects, proposed values, else observed ones.
    #[default]
    ToBe,
}

impl View {
    /// Does a subject of this lifecycle exist in the view?
    #[must_use]
    pub const fn holds(self, lifecycle: Lifecycle) -> bool {
        !matches!((self, lifecycle), (Self::AsIs, Lifecycle::Planned) | (Self::ToBe, Lifecycle::Retiring))
    }
}

/// How well a value is founded. Sorts from the weakest to the strongest; measured and configured are equally strong,
/// which [`Basis::strength`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// Nobody said so; the evidence gives the reason.
    Assumed,
    /// Somebody said so.
    Stated,
    /// It shall become so.
    Proposed,
    /// Read from the running system's own configuration.
    Configured,
    /// Read from monitoring or profiling.
    Measured,
}

impl Basis {
    /// 0 (assumed) to 3 (configured, measured).
    #[must_use]
    pub const fn strength(self) -> u8 {
        match self {
            Self::Assumed => 0,
            Self::Stated => 1,
            Self::Proposed => 2,
            Self::Configured | Self::Measured => 3,
        }
    }

    /// The weaker of two; what a derived value wears. What rests on a configured value too is not measured.
    #[must_use]
    pub fn weaker(self, other: Self) -> Self {
        self.min(other)
    }

    /// The letter on its mark: A, S, P, C, M.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Assumed => 'A',
            Self::Stated => 'S',
            Self::Proposed => 'P',
            Self::Configured => 'C',
            Self::Measured => 'M',
        }
    }

    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::Stated => "stated",
            Self::Proposed => "proposed",
            Self::Configured => "configured",
            Self::Measured => "measured",
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One of the places of a subject that hold settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// What is so today, filed under the evidence that says so.
    Observed(Id),
    /// What shall be so.
    Proposed,
}

/// Where a fact stands: a place that a reader can open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactRef {
    /// Element, link, event or cluster.
    pub subject: Id,
    /// Which of its fields.
    pub field: Field,
    /// In which slot.
    pub slot: Slot,
}

/// A value with its basis and source.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<T> {
    /// The value.
    pub value: T,
    /// How well it is founded.
    pub basis: Basis,
    /// Where it stands.
    pub source: FactRef,
}

impl<T> Fact<T> {
    /// The same fact with another view of its value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Fact<U> {
        Fact { value: f(self.value), basis: self.basis, source: self.source }
    }
}

/// What is known of one setting in one view.
#[derive(Clone, Debug, PartialEq)]
pub enum Known<T> {
    /// A value, with its basis and source.
    Value(Fact<T>),
    /// The complete configuration was read and the key is not in it: the product's own default is in force.
    Unset(FactRef),
    /// Readings that disagree: unknown to the analysis until somebody decides.
    Conflict(Vec<FactRef>),
    /// Nobody read, measured or stated it.
    NotKnown(Nature),
}

impl<T> Known<T> {
    /// The value alone.
    pub fn value(self) -> Option<T> {
        self.fact().map(|fact| fact.value)
    }

    /// The value with its basis and source.
    pub fn fact(self) -> Option<Fact<T>> {
        match self {
            Self::Value(fact) => Some(fact),
            _ => None,
        }
    }

    /// Is there a value?
    #[must_use]
    pub const fn is_value(&self) -> bool {
        matches!(self, Self::Value(_))
    }

    /// Applies `f` to the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Known<U> {
        match self {
            Self::Value(fact) => Known::Value(fact.map(f)),
            Self::Unset(source) => Known::Unset(source),
            Self::Conflict(sources) => Known::Conflict(sources),
            Self::NotKnown(nature) => Known::NotKnown(nature),
        }
    }
}
