//! The answer of the order walk, in types that name a key, a log and a writer for whatever they claim.

use crate::{
    analysis::{delivery::verdict::CopyClass, explain::Missing, versions::Versions},
    model::{Basis, Columns, Id},
};
use std::sync::Arc;

/// Which order holds at a consumer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderVerdict {
    /// One for each link that it reads by. Between two of them no order holds, also where their keys are equal (Kafka
    /// Streams documentation, `max.task.idle.ms`: best effort by timestamp, among co-partitioned inputs).
    pub inputs: Vec<Order>,
}

/// The order of what comes over one link.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The link that the consumer reads by.
    pub over: Id,
    /// What kind of order.
    pub kind: OrderKind,
    /// By which key; empty: by any, all records lie in one partition. Of [`OrderKind::Newest`], that of a row.
    pub key: Arc<Columns>,
    /// The channel whose partition holds it, or the step that shuffles; `None`: several, or nothing keeps it.
    pub holder: Option<Id>,
    /// Who appends there: the source or the job; `None`: not drawn, or several.
    pub writer: Option<Id>,
    /// The store that the consumer reads.
    pub store: Option<Id>,
    /// Where the events are born whose order it is: source, channel without a drawn writer, aggregate.
    pub born: Option<Id>,
    /// Where an older row can be written last, without any failure.
    pub old_rows: Option<OldRows>,
    /// What ended or narrowed the order on the way, in flow order.
    pub breakers: Vec<Breaker>,
    /// What would have to be known.
    pub missing: Vec<Missing>,
    /// Weakest basis of what it rests on.
    pub basis: Option<Basis>,
}

/// A write that replaces rows whatever their version, behind something that ended their order.
#[derive(Clone, Debug, PartialEq)]
pub struct OldRows {
    /// The write.
    pub at: Id,
    /// What ended the order.
    pub after: Breaker,
}

/// What kind of order holds. Sorts from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderKind {
    /// None: something on the way ended it, and nothing since keeps one.
    Nothing,
    /// A fact is not known.
    NotEstablished,
    /// Within each partition as appended, by no key.
    PerPartition,
    /// Per key as it arrives in the last log; the order before that was ended.
    Arrival,
    /// Per key within one partition, as appended.
    PerKey,
    /// The store keeps the newest version of a row, in whatever order they come.
    Newest,
    /// All records: one partition on purpose, one producer session.
    Global,
}

impl OrderKind {
    /// How strong a claim it is: 0 none, the same as not established.
    #[must_use]
    pub const fn strength(self) -> u8 {
        match self {
            Self::Nothing | Self::NotEstablished => 0,
            Self::PerPartition => 1,
            Self::Arrival => 2,
            Self::PerKey | Self::Newest => 3,
            Self::Global => 4,
        }
    }
}

/// A place that ends an order, or lets it hold for a finer key only.
#[derive(Clone, Debug, PartialEq)]
pub struct Breaker {
    /// Element or link.
    pub at: Id,
    /// What it does.
    pub by: Break,
    /// The key by which the order still holds behind it; `None`: by none.
    pub kept: Option<Arc<Columns>>,
    /// Does it concern only events that new ones are made of: is it over?
    pub past: bool,
}

/// What ends an order.
#[derive(Clone, Debug, PartialEq)]
pub enum Break {
    /// A batch path writes a range as a whole.
    Batch,
    /// Several inputs meet, which nothing orders with each other.
    InputsMeet,
    /// Batches of a producer that is not idempotent overtake each other: so many are in flight.
    Retries(u64),
    /// So many instances of a source write the same keys.
    Instances(u64),
    /// So many writers append to one channel.
    Writers(usize),
    /// Records have no key, or a new one each.
    NoKey,
    /// The partitioner does not look at the key.
    Spread,
    /// Nothing says that the partitioner sends a key to one partition.
    CustomPartitioner,
    /// Events go by another key: from, to.
    Rekeyed(Arc<Columns>, Arc<Columns>),
    /// Rows of a key are handed to several tasks.
    Tasks,
    /// More partitions are proposed than there are.
    Grown,
    /// Results are handed on as they finish.
    Unordered,
    /// Several workers take records of one partition, by this key where there is one.
    Workers(Option<Arc<Columns>>),
    /// Several workers take records of one partition by their key, which nobody read.
    WorkersByUnreadKey,
    /// Records come back after newer ones.
    Returns,
    /// A message that was not acknowledged is delivered again after later ones.
    Redelivery,
    /// Writers of one channel hash by different functions.
    Hashing,
    /// Versions of a row come from several partitions, and none is compared, or it is not known.
    RowsApart(Versions),
    /// Others write the same rows.
    OtherWriters,
    /// A copy of an older version can be written last.
    Overwritten(CopyClass, Versions),
    /// A copy keeps the numbers of partitions, of which there are more on one side.
    Mirror,
    /// A send that failed is repeated after later ones.
    Resent,
    /// The source repeats single events after later ones.
    SourceResent,
    /// The channel keeps no order.
    NotOffered,
    /// Two streams that go by different keys, or are not partitioned alike, are joined.
    Joined,
    /// An owner that was replaced while it worked writes a record that counts as done, after newer ones.
    Replaced(Ahead),
}

/// What counts a record as done before it is written, so that a new owner of its partition does not read it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// The position is committed.
    Commit,
    /// The position is committed while the write is under way: nothing waits for it.
    Send,
    /// A store of marks holds it.
    Mark,
}

impl OrderVerdict {
    /// The weakest of its inputs; `None`: nothing reaches the consumer.
    #[must_use]
    pub fn kind(&self) -> Option<OrderKind> {
        self.inputs.iter().map(|input| input.kind).min_by_key(|kind| (kind.strength(), *kind))
    }

    /// What ends the order of a key that a consumer needs, in flow order.
    pub fn ends_for<'v>(&'v self, needed: &'v Columns) -> impl Iterator<Item = &'v Breaker> {
        let open = self.inputs.iter().filter(|input| input.kind != OrderKind::Newest || !covers(needed, &input.key));
        open.flat_map(|input| &input.breakers).filter(|breaker| breaker.ends(needed))
    }
}

impl Order {
    /// What ends the order of the events that the consumer reads, or lets it hold for a finer key only, in flow order. That
    /// a first key divides events is no end where that key's order holds.
    pub fn ends(&self) -> impl Iterator<Item = &Breaker> {
        self.breakers.iter().filter(|breaker| {
            let divides = matches!(&breaker.by, Break::Rekeyed(from, _) if from.0.is_empty());
            !breaker.past && (!divides || self.kind == OrderKind::Arrival)
        })
    }

    /// What ended the order, else what lets it hold for a finer key only: the first in flow order.
    #[must_use]
    pub fn ended_by(&self) -> Option<&Breaker> {
        self.ends().min_by_key(|breaker| breaker.kept.is_some())
    }
}

impl Breaker {
    /// Can it, without any failure and whatever the keys of rows have to do with each other, let a newer event be overtaken by
    /// an older one of the same row? What only a failure brings back, copies tell; that several inputs or writers have rows in
    /// common, nobody said.
    #[must_use]
    pub(super) fn overtakes(&self) -> bool {
        let by = matches!(
            self.by,
            Break::NoKey
                | Break::Spread
                | Break::Workers(None)
                | Break::Unordered
                | Break::NotOffered
                | Break::Instances(_)
        );
        by && !self.past && self.kept.is_none()
    }

    /// Does it end the order of records that are equal in these columns?
    #[must_use]
    pub fn ends(&self, needed: &Columns) -> bool {
        !self.past && self.kept.as_ref().is_none_or(|kept| !covers(needed, kept))
    }
}

/// Are all columns of `finer` among those of `key`?
pub(super) fn covers(key: &Columns, finer: &Columns) -> bool {
    finer.0.iter().all(|column| key.0.contains(column))
}
