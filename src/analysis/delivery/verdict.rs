//! The answer of the delivery walk, in types that cannot claim anything without a mechanism and a hop.

mod effects;
mod lines;

pub(super) use lines::Caption;
pub use lines::{Captions, HopRow};

use crate::{
    analysis::explain::{Explained, Missing},
    model::{Basis, Id, units::human},
};
use std::{borrow::Cow, sync::Arc};

/// A place on a path: an element or link, and which part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// Element or link.
    pub at: Id,
    /// Which part of it.
    pub part: HopPart,
}

/// The part of a hop that loses, adds or removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum HopPart {
    Whole,
    /// De-duplication whose state is not committed with its output.
    Deduplication,
    /// State that gates emission under at-least-once processing.
    Gate,
    /// De-duplication in an outside store.
    ExternalDeduplication,
    /// The write.
    Writer,
    /// A transaction that the broker aborts after its timeout.
    TransactionTimeout,
    /// State that a restart forgets.
    VolatileState,
    /// Events that come after their window has closed.
    LateEvents,
}

/// A claim that something does not happen: by which mechanism, at which hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Named mechanism, in a few words: `upsert, key (store, window_start) enforced`.
    pub mechanism: Cow<'static, str>,
    /// Where it works.
    pub hop: Hop,
}

/// At least one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    first: Arc<Claim>,
    rest: Vec<Arc<Claim>>,
}

impl Claims {
    /// From one claim and any others.
    #[must_use]
    pub fn new(first: Arc<Claim>, rest: Vec<Arc<Claim>>) -> Self {
        Self { first, rest }
    }

    /// From a list; `None` where it is empty.
    #[must_use]
    pub fn of(claims: impl IntoIterator<Item = Arc<Claim>>) -> Option<Self> {
        let mut claims = claims.into_iter();
        Some(Self { first: claims.next()?, rest: claims.collect() })
    }

    /// All claims; never empty.
    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        std::iter::once(&self.first).chain(&self.rest).map(AsRef::as_ref)
    }
}

/// Under what something holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What holds, as the end of a sentence: `the job is down less than 537 s`. Said without a "no" or "never", because it
    /// stands behind "while" and behind "unless".
    pub text: String,
    /// What varies; several conditions on one variable print once, with the smallest bound.
    pub variable: Variable,
    /// The bound, where it is quantified.
    pub bound: Option<Arc<Explained>>,
    /// Is the stated value inside the bound? `None`: nobody stated one, or the bound is not quantified.
    pub inside: Option<bool>,
    /// Where it comes from.
    pub hop: Hop,
}

impl Condition {
    /// The bound as its text prints it; `None` where it is not quantified.
    #[must_use]
    pub fn bound_text(&self) -> Option<String> {
        let bound = self.bound.as_ref()?;
        let time = bound.is_time();
        Some(if time { human::bound(bound.value) } else { bound.text() })
    }
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// How long a job is down.
    Outage(Id),
    /// How long a reader stands still.
    ReaderDowntime(Id),
    /// A change-capture position is kept.
    PositionKept(Id),
    /// Brokers lost at once.
    BrokerLosses(Id),
    /// How far a reader lags behind a compacting cleaner.
    CompactionLag(Id),
    /// A horizon of copies against a time-to-live.
    CopyHorizon(Id),
    /// How late an event may be.
    Lateness(Id),
    /// Checkpoint and batch number stay together.
    BatchGuard(Id),
    /// Anything else, by its hop.
    Other(Id),
}

/// How sure a loss is. Sorts from harmless to worst.
#[derive(Clone, Debug, PartialEq)]
pub enum LossKind {
    /// Only outside a condition.
    Conditional(Arc<Condition>),
    /// It happens without anything else going wrong than what such a path must survive.
    Possible,
}

/// A hop that can lose.
#[derive(Clone, Debug, PartialEq)]
pub struct LossyHop {
    /// Where.
    pub hop: Hop,
    /// How sure.
    pub kind: LossKind,
    /// In words: `acks=1: the leader can die before a follower has the record`.
    pub cause: Cow<'static, str>,
    /// Are rows lost, or only values too low?
    pub in_values: bool,
    /// Weakest basis of the facts behind it.
    pub basis: Option<Basis>,
}

/// Where copies come from: the classes of the failure model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CopyClass {
    /// A producer's own retry.
    ProducerRetry,
    /// A producer process sends again after a restart.
    ProducerRestart,
    /// A consumer reads again after a crash or rebalance.
    Redelivery,
    /// A processor writes its output again after a restart.
    Reemission,
    /// Output of an aborted transaction, seen by a reader that does not wait for the commit.
    Aborted,
    /// The source system sends again.
    SourceResend,
    /// An operator's replay.
    Replay,
    /// The same event on two ways.
    SecondPath,
    /// No copy: rows of one key that overtake each other, on several tasks or out of several partitions.
    Reordered,
}

impl CopyClass {
    /// Its short id in the failure model: D1 to D7, `D4_ABORTED`; `ORD` for what only changes the order.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::ProducerRetry => "D1",
            Self::ProducerRestart => "D2",
            Self::Redelivery => "D3",
            Self::Reemission => "D4",
            Self::Aborted => "D4_ABORTED",
            Self::SourceResend => "D5",
            Self::Replay => "D6",
            Self::SecondPath => "D7",
            Self::Reordered => "ORD",
        }
    }

    /// In words, as a reader sees them.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::ProducerRetry => "producer retries",
            Self::ProducerRestart => "re-sends after a producer restart",
            Self::Redelivery => "re-reads after a crash",
            Self::Reemission => "results written again after a restart",
            Self::Aborted => "results of aborted transactions",
            Self::SourceResend => "re-sends by the source",
            Self::Replay => "a replay",
            Self::SecondPath => "the same event on a second way",
            Self::Reordered => "rows of one key that overtake each other",
        }
    }
}

/// A class of copies with the hop that makes them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Copies {
    /// Which class.
    pub class: CopyClass,
    /// The hop that makes them.
    pub origin: Hop,
}

/// What is wrong only for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Transient {
    OlderValueShownAgain,
    UncommittedVisible,
    PartialWindowShown,
    SinksDisagree,
}

/// What copies or losses did to values at the end of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum ValueEffect {
    /// Rows, no computed values.
    #[default]
    NotApplicable,
    Exact,
    Over,
    Under,
    /// An old version can stand.
    Stale,
    OverOrMissing,
}

/// An aggregate or keyed value that copies changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taint {
    /// The operator, or the write link of a store.
    pub at: Id,
    /// Can an old version stand, rather than a sum be too high?
    pub stale: bool,
    /// Which copies.
    pub by: Vec<Copies>,
}

/// Where an older version stands if an owner still writes after its group has replaced it. What is claimed holds while none
/// does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replaced {
    /// The write link of a store, or an operator that keeps what comes last.
    pub at: Id,
    /// The jobs whose owners can be replaced.
    pub owners: Vec<Id>,
}

/// The label of a path, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A fact is not known.
    NoClaim,
    /// May lose and may repeat.
    BestEffort,
    /// May lose, does not repeat.
    AtMostOnce,
    /// Does not lose, repeats show.
    AtLeastOnce,
    /// Does not lose, repeats are removed within a horizon.
    SuppressedWithin,
    /// Neither, by an idempotent write or a de-duplication.
    EffectivelyOnce,
    /// Neither, inside one atomic scope.
    ExactlyOnceScoped,
}

/// The fewest copies of one event that a reader can get.
#[derive(Clone, Debug, PartialEq)]
pub enum Fewest {
    /// None lost, by these mechanisms.
    One(Claims),
    /// None lost while all of these hold.
    OneWhile(Claims, Vec<Arc<Condition>>),
    /// May be lost at these hops.
    Zero,
    /// A fact is not known.
    Unknown(Vec<Missing>),
}

/// The most copies of one event that a reader can get.
#[derive(Clone, Debug, PartialEq)]
pub enum Most {
    /// No repeats, by these mechanisms.
    One(Claims),
    /// Repeats are removed while all of these hold.
    OneWhile(Claims, Vec<Arc<Condition>>),
    /// Repeats can show.
    Many,
    /// A fact is not known.
    Unknown(Vec<Missing>),
}

/// The two cells of the delivery badge.
#[derive(Clone, Debug, PartialEq)]
pub struct Badge {
    /// Left cell.
    pub fewest: Fewest,
    /// Right cell.
    pub most: Most,
}

impl Badge {
    /// Text form: `1..n`, with `*` for "under a condition": `1*..1*`.
    #[must_use]
    pub fn text(&self) -> String {
        let fewest = match self.fewest {
            Fewest::One(_) => "1",
            Fewest::OneWhile(..) => "1*",
            Fewest::Zero => "0",
            Fewest::Unknown(_) => "?",
        };
        let most = match self.most {
            Most::One(_) => "1",
            Most::OneWhile(..) => "1*",
            Most::Many => "n",
            Most::Unknown(_) => "?",
        };
        format!("{fewest}..{most}")
    }
}

/// The weakest hops, each unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weakest {
    /// Where loss is worst; of equals, the most upstream.
    pub loss: Option<Hop>,
    /// Does the consumer see that loss in normal running, or only outside a condition?
    pub loss_conditional: bool,
    /// The hop that makes the worst copies.
    pub duplicate_origin: Option<Hop>,
    /// The one place where a removal clears everything; `None` where several ways bring copies that no one place mends.
    pub duplicate_repair: Option<Repair>,
    /// Do the copies only show outside a condition, or for a while?
    pub duplicate_conditional: bool,
}

/// Where and how duplicates would be mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Where.
    pub at: Id,
    /// How.
    pub how: RepairHow,
}

/// How duplicates would be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum RepairHow {
    Write,
    BeforeAggregate,
    DeterministicId,
    StateScope,
    Isolation,
    VersionGuard,
    SameKey,
}

/// What a consumer itself must do so that an event counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Nothing: no repeat reaches it.
    Nothing,
    /// There is nothing that it could do, and why; what repeats has to be mended on the path.
    Helpless(String),
    /// What it must do, by which key and for how long.
    Does {
        /// In words; what is lacking is named in its place.
        text: String,
        /// What nobody stated of it.
        lacks: Vec<Lack>,
    },
}

impl Duty {
    /// In words; empty where it must do nothing.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Helpless(text) | Self::Does { text, .. } => text,
        }
    }

    /// What nobody stated of it.
    #[must_use]
    pub fn lacks(&self) -> &[Lack] {
        match self {
            Self::Nothing | Self::Helpless(_) => &[],
            Self::Does { lacks, .. } => lacks,
        }
    }
}

/// What a consumer would have to know to do its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Which columns tell one event from another.
    EventId,
    /// Which columns tell one result from another.
    ResultId,
    /// How long after the first one copies can come.
    HowLong,
}

impl Lack {
    /// What a duty says in its place.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::EventId => "an id of the event (not read)",
            Self::ResultId => "id of the result (not read)",
            Self::HowLong => "for as long as copies can come: how long is not stated",
        }
    }
}

/// What one consumer observes, with mechanism and weakest hops.
#[derive(Clone, Debug, PartialEq)]
pub struct DeliveryVerdict {
    /// Fewest and most copies.
    pub badge: Badge,
    /// The label.
    pub label: Label,
    /// One sentence, as to a colleague; names the mechanism and the hop of whatever it claims.
    pub sentence: String,
    /// One or two sentences of why, under it.
    pub why: Vec<String>,
    /// All hops that lose, worst first.
    pub lossy_hops: Vec<Arc<LossyHop>>,
    /// Copies that are still there at the end.
    pub duplicates: Vec<Copies>,
    /// Values that copies changed.
    pub taints: Vec<Taint>,
    /// Where the newest version stands only while no owner that was replaced writes late; its scope says so.
    pub replaced: Vec<Replaced>,
    /// What is wrong only for a while.
    pub transient: Vec<Transient>,
    /// What values end as.
    pub value: ValueEffect,
    /// The weakest hops.
    pub weakest: Weakest,
    /// Every hop of every path to this consumer, in flow order.
    pub hops: Vec<Arc<HopRow>>,
    /// What the consumer itself must do, by which key and for how long.
    pub consumer_must: Duty,
    /// Between which two points anything is claimed, and that nothing is claimed outside; empty where nothing is.
    pub scope: String,
    /// What is not known; claims that depend on it are withheld.
    pub unknown: Vec<Missing>,
    /// Weakest basis of everything that went into it.
    pub basis: Option<Basis>,
}

impl DeliveryVerdict {
    /// The weakest hops, where anything is claimed: while a fact is missing, another hop can be weaker still.
    #[must_use]
    pub fn weakest_claimed(&self) -> Option<&Weakest> {
        (self.label != Label::NoClaim).then_some(&self.weakest)
    }
}
