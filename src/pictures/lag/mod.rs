//! The lag of a group: how it catches up after an outage, what is lost meanwhile, what caps it. [`draw`] makes it of a design
//! and its report.

mod lines;
mod made;
mod rises;

#[cfg(test)]
mod tests;

pub(super) use lines::loss;
pub use made::{draw, jobs};

use super::{Line, chart::Chart};
use crate::{analysis::explain::Missing, model::Id};

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The job that reads.
    pub job: Id,
    /// How it catches up, in a sentence.
    pub headline: String,
    /// What it reads against what arrives, how far behind it is, what is not measured: sentences.
    pub about: Vec<String>,
    /// Lag over time; none where it is not derivable.
    pub chart: Option<Chart>,
    /// Lag, targets, catching up, what it races with.
    pub lag: Vec<Line>,
    /// Partitions, instances, polls.
    pub scaling: Vec<Line>,
    /// What is not known.
    pub missing: Vec<Missing>,
}
