//! What a finished document is.

use super::{blocks::Block, desk::Desk, markdown};
use crate::{
    analysis::explain::{Missing, MissingWhy},
    catalog,
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
    /// So many gaps are left.
    Unfinished(usize),
    /// An action that it describes is stopped.
    Halted(HaltClass),
}

impl Status {
    /// As the status line says it.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Complete => "complete".to_owned(),
            Self::Unfinished(gaps) => format!("unfinished: {}", counted(gaps, "gap")),
            Self::Halted(class) => format!("halted: {}", class.words()),
        }
    }

    /// In one word: `complete`, `unfinished`, `halted`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Unfinished(_) => "unfinished",
            Self::Halted(_) => "halted",
        }
    }
}

/// Something that a document lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// `retention time of orders`.
    pub what: String,
    /// Which subject, where it is about one.
    pub subject: Option<Id>,
    /// Which setting, where it is one.
    pub field: Option<Field>,
    /// `not read`, `not measured`, `not stated`, `in conflict`, `not decided`.
    pub state: &'static str,
    /// The command that closes it, where the catalogue knows one.
    pub close: Option<String>,
}

impl Gap {
    /// A setting that is not known.
    #[must_use]
    pub fn of(desk: &Desk<'_>, id: &Id, field: Field, state: &'static str) -> Self {
        Self {
            what: desk.setting_of(id, field),
            subject: Some(id.clone()),
            field: Some(field),
            state,
            close: catalog::command(desk.design, id, field),
        }
    }

    /// What a figure or verdict lacks.
    #[must_use]
    pub fn missing(desk: &Desk<'_>, missing: &Missing) -> Self {
        match missing.why {
            MissingWhy::System => Self {
                what: format!("system of {}", desk.said(&missing.subject)),
                subject: Some(missing.subject.clone()),
                field: None,
                state: missing.state(),
                close: None,
            },
            _ => Self::of(desk, &missing.subject, missing.field, missing.state()),
        }
    }

    /// What makes it this gap and no other: its setting, else its words.
    #[must_use]
    pub fn identity(&self) -> (Option<Id>, Option<Field>, String) {
        (self.subject.clone(), self.field, if self.field.is_some() { String::new() } else { self.what.clone() })
    }

    /// What is missing and how: `partitions of orders: not read`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}: {}", self.what, self.state)
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
    /// What would have been claimed.
    pub claim: String,
}
