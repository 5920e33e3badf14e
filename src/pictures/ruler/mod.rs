//! How far a replay reaches: one row a place that can be read again, ages on a logarithmic scale, now at the right.
//!
//! Solid is what can be counted on, hatched what the mean partition keeps, dashed the limit that is not reached, a whisker
//! what can be there at most. What a consumer needs stands at the age of its oldest result; at the log it is older by the
//! look-backs on the way, which add. [`draw`] makes it of a design and its report, [`Picture::text`] prints it.

mod beside;
mod choices;
mod made;
mod need;
mod rows;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use made::{consumers, draw, draw_narrow};

use super::{Line, Tick, labels::Label};
use crate::{
    analysis::explain::{Derived, Explained, Missing},
    edit::Edit,
    model::Id,
};
use std::sync::Arc;

/// What a row is to the consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Results are computed again from here.
    Recompute,
    /// Results as they were are read again from here.
    Refill,
    /// It is kept, but no result of this consumer is made of it.
    Beside,
}

impl Role {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Recompute => "recomputes",
            Self::Refill => "refills",
            Self::Beside => "beside the way",
        }
    }
}

/// How a span is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// At least: solid.
    Least,
    /// The same of what is not there yet: dashed, in the colour of proposals.
    Proposed,
    /// In the mean partition: hatched.
    Typical,
    /// The limit that is not reached: dashed.
    NotReached,
    /// At most: a whisker.
    Most,
    /// What is missing to the need.
    Short,
}

/// A span between two ages, in hundredths of the width; what begins at zero has no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// How it is drawn.
    pub kind: Kind,
    /// The older end.
    pub from: f64,
    /// The younger end.
    pub to: f64,
}

/// A log or source.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// `12 partitions`, `proposed`, `source`.
    pub under: String,
    /// What it is to the consumer.
    pub role: Role,
    /// What is drawn.
    pub spans: Vec<Span>,
    /// Where what is needed of this log begins, where that is known.
    pub needed_at: Option<f64>,
    /// Words under it.
    pub labels: Vec<Label>,
    /// What is missing to what is needed, beside its span.
    pub short: Option<Label>,
    /// Is what is needed there? `None`: not known, or nothing is needed of it.
    pub enough: Option<bool>,
    /// All of it but its name, for those who do not see it.
    pub spoken: String,
    /// At least, typical, at most, each with what binds it.
    pub reaches: Vec<Line>,
    /// How far back results reach, and what is needed of this log, term by term.
    pub needs: Vec<Line>,
    /// The time a replay takes, and what it races with.
    pub race: Vec<Line>,
    /// Positions, tiers, checkpoints.
    pub beside: Vec<Line>,
    /// What costs or is left out, in sentences.
    pub remarks: Vec<String>,
    /// What would change the reach; the first is as it is.
    pub choices: Vec<Choice>,
    /// What is not known.
    pub missing: Vec<Missing>,
}

/// A way to reach further, or as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// `162 GiB per partition`.
    pub what: String,
    /// The reach of the log then; `None` where no number says it.
    pub reach: Option<Derived>,
    /// In words, where no number says it.
    pub reach_words: String,
    /// On disk, all copies.
    pub disk: Option<Derived>,
    /// What it gives, costs and leaves out.
    pub then: String,
    /// The change, where one is safe to propose: label and edit.
    pub fix: Option<(String, Edit)>,
}

/// What a consumer needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// Where its flag stands.
    pub x: f64,
    /// `24 h needed`.
    pub text: String,
    /// How far back, as the consumer states it.
    pub figure: Arc<Explained>,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Whose results; none where no consumer is drawn.
    pub consumer: Option<Id>,
    /// How far back, in a sentence.
    pub headline: String,
    /// From where, less what, and what else can be done: sentences.
    pub about: Vec<String>,
    /// The figures that headline and sentences say.
    pub says: Vec<Derived>,
    /// What it needs, where it says so.
    pub need: Option<Need>,
    /// The axis.
    pub ticks: Vec<Tick>,
    /// Where now is.
    pub now: f64,
    /// The logs and sources: those that recompute, those that refill, the others.
    pub rows: Vec<Row>,
    /// So many more that are not drawn.
    pub more: usize,
}
