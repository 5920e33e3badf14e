//! Quantities as people write them, in pairs of a reader and a printer: `7d`, `50GiB`, `300/s`, `2MB/s`.
//!
//! Equality is by meaning (`60s` equals `1min`); printing is in normal form. What is *not* here: the freer spellings of
//! product files (bare milliseconds, `-1`), which [`product`] reads, and display for screens and documents, which
//! [`human`] does.

mod decimal;
mod duration;
pub mod human;
pub mod product;
mod rate;
mod size;

pub use duration::Duration;
pub use rate::{ByteRate, Per, Rate};
pub use size::{Size, SizeUnit};

/// A quantity that could not be read: what was written and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not {expected}")]
pub struct UnitError {
    /// What was written.
    pub text: String,
    /// What would be accepted, with an example.
    pub expected: &'static str,
}

/// An upper limit that may also be absent on purpose: `7d`, `unlimited`, `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit<T> {
    /// Nothing at all is kept or allowed.
    None,
    /// At most this much.
    Of(T),
    /// No limit; `-1` and `Long.MAX` in product files.
    Unlimited,
}

impl<T> Limit<T> {
    /// The bound, where there is one.
    pub fn bound(self) -> Option<T> {
        match self {
            Self::Of(value) => Some(value),
            _ => None,
        }
    }

    /// Applies `f` to the bound.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Limit<U> {
        match self {
            Self::None => Limit::None,
            Self::Of(value) => Limit::Of(f(value)),
            Self::Unlimited => Limit::Unlimited,
        }
    }
}

impl<T: std::fmt::Display> std::fmt::Display for Limit<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Of(value) => value.fmt(f),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

impl<T: std::str::FromStr> std::str::FromStr for Limit<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self::None),
            "unlimited" => Ok(Self::Unlimited),
            _ => text.parse().map(Self::Of),
        }
    }
}
