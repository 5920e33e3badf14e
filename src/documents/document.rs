//! What a finished document is.

use super::{blocks::Block, gap::Gap, markdown};
use crate::{
    model::{Basis, Field, Id, counted},
    rules::HaltClass,
};

/// One document of the bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// `delivery-semantics.md`.
    pub file_name: String,
    /// Its title, with the name of the design.
    pub title: String,
    /// How far it is.
    pub status: Status,
    /// What it says.
    pub blocks: Vec<Block>,
    /// What it lacks, each with the command that closes it where one is known.
    pub gaps: Vec<Gap>,
    /// What it rests on that nobody read.
    pub assumptions: Vec<Assumption>,
    /// Claims that are not made because a source of evidence could not be reached.
    pub withheld: Vec<Withheld>,
}

impl Document {
    /// Its Markdown form.
    #[must_use]
    pub fn markdown(&self) -> String {
        markdown::render(&self.blocks)
    }
}

/// How far a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The job can be built and operated from it.
    Complete,
    /// So many gaps are left, and so many claims are withheld.
    Unfinished {
        /// The rows of its open questions.
        gaps: usize,
        /// The claims that rest on a source which could not be reached.
        withheld: usize,
    },
    /// An action that it describes is stopped.
    Halted(HaltClass),
}

impl Status {
    /// As the status line says it.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Complete => "complete".to_owned(),
            Self::Unfinished { gaps, withheld: 0 } => format!("unfinished: {}", counted(gaps, "gap")),
            Self::Unfinished { gaps: 0, withheld } => format!("unfinished: {} withheld", counted(withheld, "claim")),
            Self::Unfinished { gaps, withheld } => {
                format!("unfinished: {}, {} withheld", counted(gaps, "gap"), counted(withheld, "claim"))
            }
            Self::Halted(class) => format!("halted: {}", class.words()),
        }
    }

    /// In one word: `complete`, `unfinished`, `halted`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Unfinished { .. } => "unfinished",
            Self::Halted(_) => "halted",
        }
    }
}

/// A fact that nobody read and that the document rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// `capacity of revenue`.
    pub what: String,
    /// The setting, where it is one; what this analysis takes for granted has none.
    pub setting: Option<(Id, Field)>,
    /// The value, as printed.
    pub value: String,
    /// Assumed or stated.
    pub basis: Basis,
    /// Who said so, or why it is assumed.
    pub source: String,
    /// The figures that read it.
    pub used_in: Vec<&'static str>,
}

/// A claim that is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The source of evidence that could not be reached.
    pub evidence: Id,
    /// Its name.
    pub source: String,
    /// What would have been claimed.
    pub claim: String,
}
