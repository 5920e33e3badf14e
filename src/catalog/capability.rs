//! What a system can do in each of its roles: the facts that the delivery walk and the figures read.
//!
//! Only what the product fixes stands here. What a user can set is a field of the design, and a default that the
//! product falls back on is a [`super::Default`], never used as if it had been read.

use crate::model::{
    Version,
    units::Duration,
    words::{
        AfterRestart, Capture, Collapse, Isolation, OutputCommit, ProcessingGuarantee, Rebuild, Transactions, WriteMode,
    },
};

/// In which order copies come when something is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resend {
    /// Nothing is sent again.
    Nothing,
    /// The whole suffix again, in its order: the last value converges.
    Rewind,
    /// One old event after newer ones: the last value can end on the old version.
    Isolated,
}

/// Which of two limits ends a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ends {
    /// Whichever is reached first: how far back it goes is known only where both are, one alone gives the most.
    First,
    /// Whichever is reached last: each alone gives the least.
    Last,
}

/// The limits by which a product ends a log. A limit that nobody read is never one that is not there: here stands which
/// limits there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From which version on it has a limit by time; `None`: in no version.
    pub time: Option<Version>,
    /// From which version on it has a limit by size.
    pub size: Option<Version>,
    /// Which of them ends it.
    pub ends: Ends,
}

impl Limits {
    /// By time alone.
    pub(super) const TIME: Self = Self { time: Some(Version(0, 0)), size: None, ends: Ends::First };
    /// By time and by size: so is a product, too, of which nothing is known.
    pub const BOTH: Self = Self { size: Some(Version(0, 0)), ..Self::TIME };

    /// Has the product a limit by time, in this version as read?
    #[must_use]
    pub fn by_time(self, version: Option<&str>) -> bool {
        has(self.time, version)
    }

    /// Has the product a limit by size, in this version as read?
    #[must_use]
    pub fn by_size(self, version: Option<&str>) -> bool {
        has(self.size, version)
    }
}

/// A version that was not read may be one that has it.
fn has(from: Option<Version>, version: Option<&str>) -> bool {
    from.is_some_and(|from| version.and_then(Version::read).is_none_or(|version| version >= from))
}

/// What one way of taking events from a source does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taking {
    /// Which way.
    pub capture: Capture,
    /// In which order it sends again.
    pub resend: Resend,
    /// What survives a restart of whoever takes, where the way itself fixes it.
    pub after_restart: Option<AfterRestart>,
    /// What it cannot see or loses by its nature; empty: nothing.
    pub blind_to: &'static str,
    /// Are deletes of the source seen?
    pub sees_deletes: bool,
    /// Public reference.
    pub source: &'static str,
}

impl Taking {
    /// What is taken in this way, in this order, with nothing missed.
    pub(super) const fn of(capture: Capture, resend: Resend, source: &'static str) -> Self {
        Self { capture, resend, after_restart: None, blind_to: "", sees_deletes: true, source }
    }
}

/// A place where events are born.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Ways to take events from it, the usual one first.
    pub takings: &'static [Taking],
    /// Does it keep a log of changes that can be read again from a position?
    pub keeps_log: bool,
    /// Can its current state be delivered again as a whole?
    pub snapshots: bool,
    /// What bounds how far back it can be read again, in words with the product's setting; empty: nothing is kept.
    pub reach: &'static str,
    /// The limits that end what can be read again.
    pub limits: Limits,
}

impl Source {
    /// Events that are gone once they were taken.
    pub(super) const PASSING: Self =
        Self { takings: &[], keeps_log: false, snapshots: false, reach: "", limits: Limits::TIME };
}

/// A log that is read by position, or a queue whose messages go when they are acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelKind {
    /// Read by position, as often as retention allows.
    Log,
    /// Gone once acknowledged.
    Queue,
    /// Gone once acknowledged, unless the topic or subscription is told to keep what was acknowledged.
    Subscription,
}

/// What decides whether a channel keeps what it has acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Durability {
    /// `acks`, replication, in-sync replicas and unclean election decide, as in Apache Kafka.
    Replicas,
    /// The provider replicates before it acknowledges; nothing to set.
    Service,
    /// Written to a majority and flushed before it acknowledges.
    MajorityFlushed,
    /// With `acks=all` written to a majority of the replicas and flushed before it acknowledges, as in Redpanda; with less,
    /// the leader alone decides. Nothing is set of replicas in sync or of elections.
    MajorityByAcks,
    /// Acknowledged before it is flushed everywhere: a correlated failure loses confirmed records.
    Conditional,
}

/// Which order a channel keeps of what is written into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Of the records of one partition or shard; the key of a record decides into which it goes.
    Partition,
    /// Of the whole stream.
    Stream,
    /// As it is set up (FIFO, sessions, ordering keys, the kind of the subscription): the channel's `ordering` says so.
    Stated,
    /// None.
    Nothing,
}

/// A log or queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// Log, queue or subscription.
    pub kind: ChannelKind,
    /// Does a record keep coordinates (topic, partition, offset) that identify its later reads?
    pub coordinates: bool,
    /// Can producers write in transactions that readers can wait for?
    pub transactions: bool,
    /// What keeps an acknowledged record.
    pub durability: Durability,
    /// Does the product also offer compaction by key?
    pub compaction: bool,
    /// In which order a redelivery comes.
    pub redelivery: Resend,
    /// The order it keeps.
    pub order: Order,
    /// What bounds the replay reach where nothing is set, in words with the product's setting.
    pub reach: &'static str,
    /// The limits that end what is kept.
    pub limits: Limits,
    /// Do they end what a reader has not acknowledged yet as well? Of a log always.
    pub ends_unread: bool,
    /// Can it be told to keep what was acknowledged? Of a log always.
    pub keeps_acknowledged: bool,
    /// How long it keeps all of it, where the product says so and no setting changes it.
    pub kept_for: Option<Duration>,
}

impl Channel {
    /// A log of a service.
    pub(super) const LOG: Self = Self {
        kind: ChannelKind::Log,
        coordinates: true,
        transactions: false,
        durability: Durability::Service,
        compaction: false,
        redelivery: Resend::Rewind,
        order: Order::Partition,
        reach: "",
        limits: Limits::TIME,
        ends_unread: true,
        keeps_acknowledged: true,
        kept_for: None,
    };
    /// A queue of a service.
    pub(super) const QUEUE: Self = Self {
        kind: ChannelKind::Queue,
        coordinates: false,
        redelivery: Resend::Isolated,
        ends_unread: false,
        keeps_acknowledged: false,
        ..Self::LOG
    };
}

/// How the state of a job is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateCommit {
    /// State and position are restored to the same point.
    Exact,
    /// State can already hold what is read again.
    AtLeastOnce,
    /// State lives only in the process: a restart forgets it.
    Volatile,
    /// It keeps none.
    Nothing,
}

/// Where an engine keeps the position it continues from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PositionIn {
    /// In its own checkpoint, together with the state.
    Checkpoint,
    /// Committed to the group (or acknowledged), as the read link says.
    Group,
    /// Committed with state and output in one transaction of the log.
    Transaction,
    /// Kept by the framework in a place of its own, flushed from time to time.
    Framework,
    /// Nowhere.
    Nowhere,
}

/// What an engine does under one guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The guarantee as set on the job; `None`: the engine has no such setting.
    pub guarantee: Option<ProcessingGuarantee>,
    /// How its state is committed.
    pub state: StateCommit,
    /// Where its position is kept.
    pub position: PositionIn,
    /// A store that gates emission (de-duplication, suppression) can swallow a result after a crash.
    pub gate_loses: bool,
    /// How output is tied to the position where that is no setting of its own.
    pub output: Option<OutputCommit>,
}

impl Mode {
    /// The one mode of an engine without such a setting.
    pub(super) const fn only(state: StateCommit, position: PositionIn) -> Self {
        Self { guarantee: None, state, position, gate_loses: false, output: None }
    }

    /// The mode of one setting.
    pub(super) const fn under(guarantee: ProcessingGuarantee, state: StateCommit, position: PositionIn) -> Self {
        Self { guarantee: Some(guarantee), ..Self::only(state, position) }
    }

    /// Ties its output to the position in this way.
    pub(super) const fn with(self, output: OutputCommit) -> Self {
        Self { output: Some(output), ..self }
    }
}

/// A processing engine, a connector runtime or a consumer library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Engine {
    /// What it does under each guarantee.
    pub modes: &'static [Mode],
    /// Ways in which its writers can tie output to the position.
    pub output_commits: &'static [OutputCommit],
    /// Isolation of its Kafka reader where nobody sets it: documented, not read.
    pub default_isolation: Option<Isolation>,
    /// Idempotence of its Kafka producer where nobody sets it: documented, not read; `None`: the client decides.
    pub default_idempotence: Option<bool>,
    /// Can it take a capture position with it over a restart?
    pub captures: bool,
    /// Does it run windows and keyed state?
    pub stateful: bool,
    /// Can one of its readers be replaced while it still works, and write afterwards? So it is with members of a consumer group
    /// (Apache Kafka Javadoc, `KafkaConsumer`: Detecting Consumer Failures, who does not poll in time loses its partitions;
    /// KIP-447: zombies), with holders of leases of the Kinesis Client Library (Amazon Kinesis Data Streams Developer Guide,
    /// Troubleshoot consumers: different record processors at the same time) and of partitions of Azure Event Hubs (Azure SDK
    /// for .NET, Event Hubs: Troubleshooting, Duplicate events are being processed), and with tasks of Kafka Connect (KIP-618:
    /// zombies). Not where an engine gives out partitions itself, and not of services of which nothing public says it.
    pub zombies: bool,
    /// Does it give out the partitions of the logs that it reads among its tasks itself, and keep its positions in them with those of
    /// its sources? MirrorMaker 2 does (Apache Kafka, `MirrorSourceTask`: a task is assigned its partitions and seeks to what Connect
    /// stored): no group has members or positions that expire.
    pub own_positions: bool,
}

impl Engine {
    /// Moves records and keeps nothing.
    pub(super) const MOVER: Self = Self {
        modes: &[],
        output_commits: &[],
        default_isolation: None,
        default_idempotence: None,
        captures: false,
        stateful: false,
        zombies: false,
        own_positions: false,
    };

    /// What it does under the given guarantee; engines without the setting have one mode for all.
    #[must_use]
    pub fn mode(&self, guarantee: Option<ProcessingGuarantee>) -> Option<&'static Mode> {
        match self.modes {
            [only] if only.guarantee.is_none() => Some(only),
            modes => modes.iter().find(|mode| mode.guarantee.is_some() && mode.guarantee == guarantee),
        }
    }

    /// A runtime of connectors: it keeps positions of sources by itself, and no state.
    #[must_use]
    pub fn connector(&self) -> bool {
        self.modes.iter().all(|mode| mode.position != PositionIn::Group && mode.state == StateCommit::Nothing)
    }

    /// Does a guarantee that somebody sets decide what a job does? For connectors only where they take from a source.
    #[must_use]
    pub fn guarantee_decides(&self, takes: bool) -> bool {
        self.modes.len() > 1 && (takes || !self.connector())
    }

    /// Do its readers join the consumer group, so that the broker counts them as members? Those that keep positions in
    /// checkpoints (Flink, Spark, Beam) take partitions by themselves and only commit under its name.
    #[must_use]
    pub fn joins_group(&self) -> bool {
        !self.own_positions && self.modes.iter().all(|mode| mode.position != PositionIn::Checkpoint)
    }
}

/// Whether a store enforces uniqueness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keys {
    /// A unique constraint or the document id is enforced at the write.
    Enforced,
    /// Keys can be declared, but equal rows stand.
    Declared,
    /// An upsert of one writer replaces the row of its key; a second writer that does not know of it is not stopped.
    ByWriter,
    /// It has no keys.
    Nothing,
}

/// When a write can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Visibility {
    AtCommit,
    AfterRefresh,
    AtSnapshot,
    AtFileClose,
    Immediately,
}

/// A store or an outside system that receives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sink {
    /// Ways to write into it, the safest first.
    pub write_modes: &'static [WriteMode],
    /// Whether it enforces keys.
    pub keys: Keys,
    /// The strongest transactions it offers.
    pub transactions: Transactions,
    /// Can it hold a reader's position in the same commit as the rows?
    pub holds_position: bool,
    /// When equal keys become one row, where the product fixes it.
    pub collapse: Option<Collapse>,
    /// When a write can be seen.
    pub visibility: Visibility,
    /// Ways to rebuild it, the safest first; empty: not at all.
    pub rebuilds: &'static [Rebuild],
}

impl Sink {
    /// A call that nothing comes back from: no keys, no transactions, seen at once.
    pub(super) const CALL: Self = Self {
        write_modes: &[WriteMode::Call],
        keys: Keys::Nothing,
        transactions: Transactions::Nothing,
        holds_position: false,
        collapse: None,
        visibility: Visibility::Immediately,
        rebuilds: &[],
    };
}
