//! What a finished document is.

use super::{blocks::Block, desk::Desk, markdown};
use crate::{
    analysis::explain::{Missing, MissingWhy},
    catalog,
    model::{Basis, Field, Id, Question, counted},
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

/// The state of a question that somebody wrote down.
pub const ASKED: &str = "asked";

/// What closes a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closes {
    /// What this command prints.
    Command(String),
    /// The answer of this person or team.
    Answer(String),
}

/// Something that a document lacks: what nobody read, measured, stated or decided, and the questions that people asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// `retention time of orders`; a question in its own words.
    pub what: String,
    /// Which subject, where it is about one.
    pub subject: Option<Id>,
    /// Which setting, where it is one.
    pub field: Option<Field>,
    /// `not read`, `not measured`, `not stated`, `in conflict`, `not decided`, `asked`.
    pub state: &'static str,
    /// What closes it, where that is known.
    pub close: Option<Closes>,
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
            close: catalog::command(desk.design, id, field).map(Closes::Command),
        }
    }

    /// A question that somebody wrote down.
    #[must_use]
    pub fn asked(desk: &Desk<'_>, question: &Question) -> Self {
        let about = question.about.iter().find_map(|text| Id::new(text.split('.').next()?).ok());
        Self {
            what: question.text.to_string(),
            subject: about.filter(|id| desk.design.subject(id).is_some()),
            field: None,
            state: ASKED,
            close: question.owner.as_ref().map(|owner| Closes::Answer(owner.to_string())),
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

    /// What is missing and how: `partitions of orders: not read`, `asked: Who owns orders?`.
    #[must_use]
    pub fn words(&self) -> String {
        if self.state == ASKED {
            format!("{}: {}", self.state, self.what)
        } else {
            format!("{}: {}", self.what, self.state)
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
