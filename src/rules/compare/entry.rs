//! One difference: what it is about, how it was, how it is afterwards, and whether that is a gain.

use crate::{
    analysis::{
        delivery::verdict::{Copies, Hop, Transient, Variable},
        explain::{Explained, Missing},
    },
    model::{Design, Id},
    rules::{HaltClass, Severity},
};
use std::sync::Arc;

/// Which way a difference goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// A gain.
    Better,
    /// A cost.
    Worse,
    /// Another one, neither better nor worse.
    Different,
    /// Of two evils that no order compares, or of two bounds that say too little.
    Incomparable,
    /// Not known before.
    UnknownBefore,
    /// Known before, and no longer: never a gain.
    UnknownAfter,
}

impl Direction {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::Better, Self::Worse, Self::UnknownAfter, Self::UnknownBefore, Self::Incomparable, Self::Different];

    /// As if the two sides were swapped.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            Self::UnknownBefore => Self::UnknownAfter,
            Self::UnknownAfter => Self::UnknownBefore,
            Self::Different => Self::Different,
            Self::Incomparable => Self::Incomparable,
        }
    }

    /// In a word or two.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Different => "different",
            Self::Incomparable => "not comparable",
            Self::UnknownBefore => "not known today",
            Self::UnknownAfter => "not known afterwards",
        }
    }

    /// By how two ranks compare, of which the greater is the better.
    pub(super) fn by(order: std::cmp::Ordering) -> Self {
        match order {
            std::cmp::Ordering::Less => Self::Better,
            std::cmp::Ordering::Greater => Self::Worse,
            std::cmp::Ordering::Equal => Self::Different,
        }
    }
}

/// Is what a side says known?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Known,
    /// There is nothing of this kind.
    Absent,
    /// A fact is missing.
    Unknown,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// In words, with units.
    pub text: String,
    /// Is it known?
    pub standing: Standing,
    /// The number behind it, with its explanation, where it is one.
    pub figure: Option<Arc<Explained>>,
}

impl Side {
    pub(super) fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), standing: Standing::Known, figure: None }
    }

    pub(super) fn absent(text: &str) -> Self {
        Self { text: text.to_owned(), standing: Standing::Absent, figure: None }
    }

    pub(super) fn unknown(text: impl Into<String>) -> Self {
        Self { text: text.into(), standing: Standing::Unknown, figure: None }
    }

    pub(super) fn with(mut self, figure: Option<Arc<Explained>>) -> Self {
        self.figure = figure;
        self
    }
}

/// What a difference is about.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The fewest copies of one event.
    Fewest,
    /// A hop that can lose.
    Loss(Hop),
    /// The most copies of one event.
    Most,
    /// Copies that show, with the hop that makes them.
    Copies(Copies),
    /// A condition under which copies are removed.
    Removal(Variable),
    /// What values end as.
    Value,
    /// An element whose values copies change.
    Changed(Id),
    /// What is wrong for a while.
    Passing(Transient),
    /// The order that holds; of a consumer with several inputs, that of one of them, by its link.
    Order(Option<Id>),
    /// A hop that ends an order, or lets it hold for a finer key only.
    OrderEnds(Id),
    /// Order between several inputs.
    OrderBetween,
    /// Latency up to the consumer.
    Latency,
    /// A place that results can be made again from, by recomputing or by refilling.
    Replay(Id, bool),
    /// Bytes of state of an operator.
    State(Id),
    /// Growth of a state without a bound.
    Growth(Id),
    /// Duration of a checkpoint of a job.
    Checkpoint(Id),
    /// Time from failure to caught up.
    Recovery(Id),
    /// Time to catch up after the longest outage.
    CatchUp(Id),
    /// Longest outage that a transaction timeout covers.
    Outage(Id),
    /// What the consumer itself must do.
    Must,
    /// A finding of a rule.
    Finding(&'static str, Severity, Vec<Id>),
    /// An action that is stopped.
    Halt(HaltClass, Vec<Id>),
    /// A fact that a claim waits for.
    Fact(Missing),
}

/// What entries are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Topic {
    Loss,
    Repeats,
    Values,
    Order,
    Latency,
    Replay,
    State,
    Recovery,
    Consumer,
    Findings,
    Halts,
    Facts,
}

impl Topic {
    /// In a word or two, as part of a sentence.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Repeats => "repeats",
            Self::Values => "values",
            Self::Order => "order",
            Self::Latency => "latency",
            Self::Replay => "replay reach",
            Self::State => "state",
            Self::Recovery => "recovery",
            Self::Consumer => "the consumer's own work",
            Self::Findings => "findings",
            Self::Halts => "halts",
            Self::Facts => "missing facts",
        }
    }
}

impl What {
    /// What it is grouped by.
    #[must_use]
    pub const fn topic(&self) -> Topic {
        match self {
            Self::Fewest | Self::Loss(_) => Topic::Loss,
            Self::Most | Self::Copies(_) | Self::Removal(_) => Topic::Repeats,
            Self::Value | Self::Changed(_) | Self::Passing(_) => Topic::Values,
            Self::Order(_) | Self::OrderEnds(_) | Self::OrderBetween => Topic::Order,
            Self::Latency => Topic::Latency,
            Self::Replay(..) => Topic::Replay,
            Self::State(_) | Self::Growth(_) => Topic::State,
            Self::Checkpoint(_) | Self::Recovery(_) | Self::CatchUp(_) | Self::Outage(_) => Topic::Recovery,
            Self::Must => Topic::Consumer,
            Self::Finding(..) => Topic::Findings,
            Self::Halt(..) => Topic::Halts,
            Self::Fact(_) => Topic::Facts,
        }
    }

    /// Where it stands: an element or link, where it has a place.
    #[must_use]
    pub fn at(&self) -> Option<&Id> {
        match self {
            Self::Loss(hop) => Some(&hop.at),
            Self::Copies(copies) => Some(&copies.origin.at),
            Self::Removal(variable) => Some(variable.at()),
            Self::Order(over) => over.as_ref(),
            Self::Changed(id)
            | Self::OrderEnds(id)
            | Self::Replay(id, _)
            | Self::State(id)
            | Self::Growth(id)
            | Self::Checkpoint(id)
            | Self::Recovery(id)
            | Self::CatchUp(id)
            | Self::Outage(id) => Some(id),
            Self::Finding(_, _, about) | Self::Halt(_, about) => about.first(),
            Self::Fact(missing) => Some(&missing.subject),
            Self::Fewest
            | Self::Most
            | Self::Value
            | Self::Passing(_)
            | Self::OrderBetween
            | Self::Latency
            | Self::Must => None,
        }
    }

    /// What it is, in a few words without its place.
    #[must_use]
    pub fn words(&self) -> String {
        let words = match self {
            Self::Fewest => "fewest copies of an event",
            Self::Loss(_) => "loss",
            Self::Most => "most copies of an event",
            Self::Copies(_) => "repeats",
            Self::Removal(_) => "repeats are removed while",
            Self::Value => "values",
            Self::Changed(_) => "values that repeats change",
            Self::Passing(_) => "for a while",
            Self::Order(_) => "order",
            Self::OrderEnds(_) => "what ends the order",
            Self::OrderBetween => "order between inputs",
            Self::Latency => "latency",
            Self::Replay(_, true) => "results can be recomputed",
            Self::Replay(_, false) => "results can be refilled",
            Self::State(_) => "state at its bound",
            Self::Growth(_) => "growth of state",
            Self::Checkpoint(_) => "checkpoint duration",
            Self::Recovery(_) => "recovery time",
            Self::CatchUp(_) => "time to catch up",
            Self::Outage(_) => "longest outage without loss",
            Self::Must => "what the consumer must do",
            Self::Finding(rule, ..) => rule,
            Self::Halt(class, _) => return format!("halt, {}", class.words()),
            Self::Fact(missing) => return missing.label(),
        };
        words.to_owned()
    }

    /// The same with its place: `state at its bound of sum by store`.
    #[must_use]
    pub fn title(&self, design: &Design) -> String {
        let between = match self {
            Self::Replay(..) => "from",
            Self::Loss(_) | Self::Copies(_) | Self::OrderEnds(_) | Self::Finding(..) => "at",
            Self::Order(_) => "over",
            Self::Halt(..) | Self::Removal(_) => return self.words(),
            _ => "of",
        };
        match self.at() {
            Some(id) => format!("{} {between} {}", self.words(), design.title(id)),
            None => self.words(),
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is about.
    pub what: What,
    /// How it was.
    pub before: Side,
    /// How it is afterwards.
    pub after: Side,
    /// Which way it goes.
    pub direction: Direction,
}

impl Entry {
    /// A difference of two sides that are `judged` so where both are known.
    pub(super) fn new(what: What, before: Side, after: Side, judged: Direction) -> Self {
        let direction = match (before.standing, after.standing) {
            (Standing::Unknown, Standing::Unknown) => Direction::Incomparable,
            (Standing::Unknown, _) => Direction::UnknownBefore,
            (_, Standing::Unknown) => Direction::UnknownAfter,
            _ => judged,
        };
        Self { what, before, after, direction }
    }

    /// The words of both sides: `7 h 27 min → 24 h`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} → {}", self.before.text, self.after.text)
    }
}
