//! The one number of an element, with its unit and basis.

use crate::{
    analysis::explain::{Derived, MissingWhy},
    model::{Basis, Known},
};

/// How well a number is founded, as its mark shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasisMark {
    /// A value with its basis.
    Known(Basis),
    /// Nobody read, measured or stated it.
    Absent(&'static str),
    /// Readings disagree.
    Conflict,
}

impl BasisMark {
    /// The letter on the mark.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Known(basis) => basis.letter(),
            Self::Absent(_) | Self::Conflict => '?',
        }
    }

    /// In words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Known(basis) => basis.word(),
            Self::Absent(word) => word,
            Self::Conflict => "in conflict",
        }
    }
}

/// A number as an element shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Words before it: `back in`.
    pub lead: &'static str,
    /// The number with its unit, or the word for its absence.
    pub text: String,
    /// Its mark; none where nothing is claimed.
    pub mark: Option<BasisMark>,
    /// A word after it: `state`, `reach`.
    pub tail: &'static str,
}

impl Number {
    /// A plain word without a claim.
    pub(super) fn word(text: &str) -> Self {
        Self { lead: "", text: text.to_owned(), mark: None, tail: "" }
    }

    pub(super) const fn tailed(mut self, tail: &'static str) -> Self {
        self.tail = tail;
        self
    }

    pub(super) const fn led(mut self, lead: &'static str) -> Self {
        self.lead = lead;
        self
    }

    /// A known setting, or the word for its absence.
    pub(super) fn known<T>(known: Known<T>, text: impl Fn(&T) -> String) -> Self {
        let (text, mark) = match known {
            Known::Value(fact) => (text(&fact.value), BasisMark::Known(fact.basis)),
            Known::Unset(_) => ("not set".to_owned(), BasisMark::Absent("not set")),
            Known::Conflict(_) => ("in conflict".to_owned(), BasisMark::Conflict),
            Known::NotKnown(nature) => (nature.absent().to_owned(), BasisMark::Absent(nature.absent())),
        };
        Self { lead: "", text, mark: Some(mark), tail: "" }
    }

    /// A derived figure, or the word for what is missing.
    pub(super) fn derived(derived: &Derived, sign: &'static str) -> Self {
        let (text, mark) = match derived {
            Ok(figure) => (format!("{sign}{}", figure.text()), figure.basis.map(BasisMark::Known)),
            Err(underivable) => {
                let first = underivable.missing.first();
                let word = first.map_or("not read", |m| match m.why {
                    MissingWhy::NotKnown => m.nature().absent(),
                    MissingWhy::Conflict => "in conflict",
                    MissingWhy::Unset => "not set",
                    MissingWhy::NoForm(_) | MissingWhy::System => "not derivable",
                });
                (word.to_owned(), Some(BasisMark::Absent(word)))
            }
        };
        Self { lead: "", text, mark, tail: "" }
    }

    /// As it is read aloud, behind what it is: `reach 7 hours measured`.
    pub(super) fn spoken(&self, what: &str) -> String {
        let basis = match self.mark {
            Some(BasisMark::Known(basis)) => format!(" {}", basis.word()),
            _ => String::new(),
        };
        let what = if what.is_empty() { String::new() } else { format!("{what} ") };
        format!("{what}{}{basis}", super::speak::units(&self.text))
    }
}
