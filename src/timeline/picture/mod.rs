//! The picture of a window: places and words of everything that is drawn, without a browser.
//!
//! Across runs event time, as a share of the width; down run the records in the order in which they come. [`draw`] makes it
//! of a design, [`Picture::text`] prints it.

mod made;
mod rows;
mod scale;
mod text;
mod words;

pub use made::{Lacks, draw};

use super::from_design::Taken;
use crate::model::{Field, Id};

/// A moment on the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, in hundredths of the width.
    pub x: f64,
    /// `12:05:30`.
    pub text: String,
}

/// A window. After its end, `x` stands for the highest event time seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// `[12:00, 12:05)`.
    pub name: String,
    /// Start.
    pub from: f64,
    /// End.
    pub to: f64,
    /// The first result, where it comes after the end: until then it waits.
    pub first: Option<f64>,
    /// Records count until here; none: always.
    pub until: Option<f64>,
    /// `5 min`.
    pub length: String,
    /// What is written where it is still updated: `still updated, allowed lateness 10 min`; empty where it is not.
    pub lateness: String,
}

/// A moment of the highest event time at which something happens to the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertical {
    /// Where.
    pub x: f64,
    /// `12:05:30 first result`.
    pub text: String,
    /// `end + 30 s`.
    pub how: String,
}

/// What became of a record, as it is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// In time: filled circle.
    InTime,
    /// Older than one before it, in time: filled circle with a tail.
    OutOfOrder,
    /// Late, and counted: ring.
    LateCounted,
    /// Too late, kept in a side output: filled diamond.
    SideOutput,
    /// Too late, dropped and counted: open diamond.
    Dropped,
    /// Gone, and no counter shows it: cross.
    Gone,
}

impl Mark {
    /// All of them, as a legend lists them.
    pub const ALL: [Self; 6] =
        [Self::InTime, Self::OutOfOrder, Self::LateCounted, Self::SideOutput, Self::Dropped, Self::Gone];

    /// What it says.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::InTime => "in time",
            Self::OutOfOrder => "out of order, in time",
            Self::LateCounted => "late, still counted",
            Self::SideOutput => "too late, to the late output",
            Self::Dropped => "too late, dropped",
            Self::Gone => "gone, counted nowhere",
        }
    }
}

/// Something that follows from a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// The first result of a window.
    Sent,
    /// A later one in its place.
    SentAgain,
    /// A row is taken back.
    TakenBack,
    /// The state of a window goes.
    Dropped,
}

/// A record, in the order in which they come.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its event time.
    pub time: String,
    /// Where that is.
    pub x: f64,
    /// Its partition, where there are several.
    pub partition: Option<u32>,
    /// What became of it.
    pub mark: Mark,
    /// The same in words, with where it goes.
    pub fate: String,
    /// What follows: results, state that goes.
    pub then: Vec<(Follows, String)>,
    /// The watermark behind it: where, and in words.
    pub watermark: Option<(f64, String)>,
    /// Where the watermarks of the partitions are behind it; empty where there is one. Idle partitions are not waited for.
    pub partitions: Vec<PartitionAt>,
}

/// The watermark of a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionAt {
    /// Which.
    pub partition: u32,
    /// Where; none before its first record.
    pub x: Option<f64>,
    /// `12:02:00`, `none yet`.
    pub text: String,
    /// It is not waited for.
    pub idle: bool,
}

/// One of the closed answers, with how it comes about.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// `First result`.
    pub question: &'static str,
    /// `when the clock reaches 12:05:30`.
    pub answer: String,
    /// How it follows.
    pub how: String,
}

/// A setting that the answers are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Where it is stated: the operator, or one before it in its job.
    pub at: Id,
    /// Which.
    pub field: Field,
    /// Its value.
    pub value: String,
}

/// How late records are, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Where it was measured.
    pub at: Id,
    /// The setting.
    pub field: Field,
    /// The percentiles, from the end of the window on: where, and `99 % within 45 s`. Beyond the right edge: 100.
    pub marks: Vec<Tick>,
}

/// The picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What an architect wants to know, in a sentence.
    pub headline: String,
    /// Which window, and what the clock is.
    pub about: String,
    /// Moments on the axis.
    pub ticks: Vec<Tick>,
    /// Is the axis to scale?
    pub to_scale: bool,
    /// The windows, by start.
    pub bars: Vec<Bar>,
    /// More windows that hold the records.
    pub more: usize,
    /// First result and end, each once.
    pub verticals: Vec<Vertical>,
    /// The records.
    pub records: Vec<Record>,
    /// `watermark`, `stream time`.
    pub watermark_name: &'static str,
    /// When it closes, until when it counts, when state goes.
    pub answers: Vec<Answer>,
    /// What they are made of.
    pub terms: Vec<Term>,
    /// How late records are; none where nobody measured.
    pub measured: Option<Measured>,
    /// The drop counters and what they show at the end.
    pub counters: Vec<String>,
    /// What a reader that appends has at the end.
    pub appending: String,
    /// What a reader that keeps the last row of each key and window has.
    pub upserting: String,
    /// What nobody stated and is taken to be so.
    pub taken: Vec<Taken>,
    /// Can a silent partition hold it up?
    pub may_fall_silent: bool,
}

#[cfg(test)]
mod tests;
