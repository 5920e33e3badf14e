//! A path to explore: a source, the nodes behind it, and a reader where it ends in a log.

/// When a broker answers a producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Acks {
    /// Never.
    Zero,
    /// When the leader has the record.
    One,
    /// When all replicas in sync have it.
    All,
}

/// A producer client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Client {
    /// When it counts a record as sent.
    pub acks: Acks,
    /// Does it number its records, so that the broker recognises a retry?
    pub idempotent: bool,
    /// Does it wait for one answer before the next request?
    pub one_at_a_time: bool,
}

impl Client {
    /// The answer of all replicas, and numbered records: the default since 3.0.
    pub const SAFE: Self = Self { acks: Acks::All, idempotent: true, one_at_a_time: false };
    /// The answer of all replicas, not numbered.
    pub const RETRYING: Self = Self { acks: Acks::All, idempotent: false, one_at_a_time: false };
    /// The same, one request at a time: as a source connector.
    pub const CONNECTOR: Self = Self { acks: Acks::All, idempotent: false, one_at_a_time: true };
    /// The answer of the leader only.
    pub const LEADER: Self = Self { acks: Acks::One, idempotent: false, one_at_a_time: false };
    /// No answer.
    pub const NONE: Self = Self { acks: Acks::Zero, idempotent: false, one_at_a_time: false };

    /// Does numbering take effect? It needs the answer of all.
    #[must_use]
    pub const fn effective(self) -> bool {
        self.idempotent && matches!(self.acks, Acks::All)
    }
}

/// Where events begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// An application that stays up.
    Steady(Client),
    /// One that has its events in memory only: what is not sent when it stops is gone.
    InMemory(Client),
    /// One that saves how far it sent, and goes on from there: a poller of a table with a position, a CDC connector.
    Position(Client),
    /// An outbox whose rows are flagged one by one when they are sent.
    Flags(Client),
    /// A web call that the caller repeats until it is answered.
    Webhook {
        /// Is it answered before it is stored?
        before: bool,
    },
    /// MQTT quality of service 0 through a bridge.
    FireAndForget,
}

/// When a consumer of its own making commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Commit {
    /// After the work.
    After,
    /// Before the work.
    Before,
    /// Automatically, while other threads work.
    AutoApart,
    /// Automatically at the next poll; closing after an error commits what was polled.
    AutoClosing,
    /// Automatically at the next poll; closing after an error commits what was worked off.
    AutoHandled,
}

/// Checkpoints of Flink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Checkpoints {
    /// None.
    Off,
    /// `AT_LEAST_ONCE`.
    AtLeastOnce,
    /// `EXACTLY_ONCE`.
    ExactlyOnce,
}

/// What runs a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// A consumer of its own making.
    Consumer(Commit),
    /// A consumer that keeps its position with its rows in one transaction.
    WithRows {
        /// Does the write compare the stored position first?
        guarded: bool,
    },
    /// Flink.
    Flink(Checkpoints),
    /// Kafka Streams.
    Streams {
        /// `exactly_once_v2`?
        exact: bool,
    },
    /// Spark Structured Streaming, micro-batches.
    Spark,
}

/// One step inside a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// One out for one in.
    Map,
    /// A new random id.
    NewId,
    /// Drops ids that it has seen, in the state of the node.
    Deduplicate,
    /// Drops ids that are marked in an outside store; marks before it writes.
    MarkBefore,
    /// The same; marks after it wrote.
    MarkAfter,
    /// The same; marks in the transaction of the write.
    MarkWith,
    /// A running count.
    Count,
    /// A running count in an outside store.
    CountOutside,
    /// The last version.
    Last,
    /// The highest of values that rise from event to event.
    Max,
    /// The highest of values that fall.
    MaxFalling,
    /// A count that is given out once, at the end of its window.
    CountWindow,
    /// A count of different contents, given out once.
    DistinctWindow,
}

impl Operator {
    /// Do results come out of it, rather than events?
    #[must_use]
    pub const fn aggregates(self) -> bool {
        matches!(
            self,
            Self::Count
                | Self::CountOutside
                | Self::Last
                | Self::Max
                | Self::MaxFalling
                | Self::CountWindow
                | Self::DistinctWindow
        )
    }
}

/// What a write into a store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rows {
    /// Every write is a row.
    Append,
    /// One row per id.
    ById,
    /// One row per entity; the last write stands.
    ByEntity,
    /// One row per entity; an older version is refused.
    ByEntityGuarded,
    /// One row per topic, partition and offset.
    ByCoordinates,
    /// `x = x + 1`.
    Increment,
    /// A call that cannot be taken back.
    Call,
}

/// Where a node writes, and what ties the write to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Write {
    /// Into a log, answered before the position moves on.
    Log(Client),
    /// Into a log, not answered before the position moves on.
    LogUnconfirmed,
    /// Into a log, in a transaction with the checkpoint or the position.
    LogTransaction,
    /// Into a store.
    Store(Rows),
    /// Into a store, in two phases with the checkpoint.
    StoreTwoPhase,
    /// Into a store that remembers the number of the last batch.
    StoreBatchId,
}

impl Write {
    /// Does it end in a log?
    #[must_use]
    pub const fn into_log(self) -> bool {
        matches!(self, Self::Log(_) | Self::LogUnconfirmed | Self::LogTransaction)
    }
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// What runs it.
    pub engine: Engine,
    /// Does it wait for the commit of what it reads?
    pub committed: bool,
    /// Its steps, in order.
    pub operators: Vec<Operator>,
    /// Its write.
    pub write: Write,
}

/// A whole path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path {
    /// Where events begin.
    pub source: Source,
    /// The nodes, in flow order.
    pub nodes: Vec<Node>,
    /// Does the reader of a log at the end wait for the commit?
    pub committed: bool,
}
