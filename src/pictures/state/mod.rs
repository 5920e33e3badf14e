//! The state of an operator: its bound, or its growth and the day on which a limit is met; what a checkpoint and a restart
//! make of it. [`draw`] makes it of a design and its report.

mod date;
mod grows;
mod lines;
mod made;
mod recovery;

#[cfg(test)]
mod tests;

pub use made::{draw, operators};

use super::{Line, chart::Chart};
use crate::{
    analysis::explain::{Derived, Explained, Missing},
    model::Id,
};
use std::sync::Arc;

/// A term of a recovery.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// `detection`, `catch-up`.
    pub what: String,
    /// From where to where on the bar, in hundredths.
    pub span: (f64, f64),
    /// Is it time in which nothing is read?
    pub down: bool,
    /// How long.
    pub figure: Arc<Explained>,
}

/// From a failure until the job has caught up.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Altogether.
    pub total: Derived,
    /// One after the other; empty where it is not derivable.
    pub terms: Vec<Term>,
    /// What is done again.
    pub rewind: Option<Derived>,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Which operator.
    pub operator: Id,
    /// Its job.
    pub job: Option<Id>,
    /// What becomes of its state, in a sentence.
    pub headline: String,
    /// What bounds it, what it would be without: sentences.
    pub about: Vec<String>,
    /// Its state over time; none where it is not derivable.
    pub chart: Option<Chart>,
    /// What it is made of.
    pub made_of: Vec<Line>,
    /// The state of its job: instances, memory, checkpoints, changelog.
    pub job_lines: Vec<Line>,
    /// How its job comes back.
    pub recovery: Option<Recovery>,
    /// What is not known.
    pub missing: Vec<Missing>,
}
