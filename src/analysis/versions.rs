//! Whether a write compares versions: known not to, or not known.

use super::graph::{Graph, Place};
use crate::model::{Known, key::store};

/// What is known of a write that is not known to compare versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Versions {
    /// It compares none.
    NotCompared,
    /// Nobody read it, or readings disagree.
    NotKnown,
}

impl Versions {
    /// Of the write at this place. What nobody set in its condition is not compared.
    #[must_use]
    pub fn at(graph: &Graph<'_>, place: Place) -> Self {
        match graph.known(place, store::VERSION_GUARD) {
            Known::Value(_) | Known::Unset(_) => Self::NotCompared,
            Known::Conflict(_) | Known::NotKnown(_) => Self::NotKnown,
        }
    }

    /// What the write does, as the predicate of a sentence about it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotCompared => "compares no versions",
            Self::NotKnown => "is not known to compare versions",
        }
    }
}
