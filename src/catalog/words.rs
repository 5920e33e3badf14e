//! What the marks of a capability mean, in words: one place for the catalogue's pages and for whoever explains.

use super::{
    capability::{ChannelKind, Durability, Keys, Order, PositionIn, Resend, StateCommit, Visibility},
    entry::{Default, Family, Role, Version},
};

impl Family {
    /// As a heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Log => "Logs",
            Self::Queue => "Queues",
            Self::Engine => "Engines and consumers",
            Self::Mover => "Movers",
            Self::Database => "Databases",
            Self::Store => "Search, analytics and warehouses",
            Self::Lakehouse => "Table formats and object stores",
            Self::Endpoint => "Applications, devices and files",
            Self::Batch => "Batch",
        }
    }
}

impl Role {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Channel => "channel",
            Self::Engine => "processor",
            Self::Sink => "sink",
            Self::Consumer => "consumer",
            Self::Batch => "batch path",
            Self::Cluster => "cluster",
        }
    }
}

impl Resend {
    /// As a sentence without its end.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Nothing => "nothing is sent again",
            Self::Rewind => "everything from a point on is sent again in its order: the last value comes out right",
            Self::Isolated => {
                "single events are sent again, also after newer ones: the last value can end on an old version"
            }
        }
    }
}

impl ChannelKind {
    /// As a sentence without its end.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Log => "a log: read by position, as often as retention allows",
            Self::Queue => "a queue: a message is gone once it is acknowledged",
            Self::Subscription => {
                "a subscription: a message is gone once it is acknowledged, unless it is told to keep what was"
            }
        }
    }
}

impl Durability {
    /// What can be lost after it was acknowledged.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Replicas => "decided by acks, replication, in-sync replicas and unclean leader election",
            Self::Service => "the provider replicates before it acknowledges; nothing to set",
            Self::MajorityFlushed => "written to a majority and flushed before it is acknowledged",
            Self::MajorityByAcks => {
                "with acks=all written to a majority and flushed before it is acknowledged, unless write caching is on"
            }
            Self::Conditional => {
                "acknowledged before it is flushed everywhere: a failure of several nodes loses confirmed records"
            }
        }
    }
}

impl Order {
    /// Which order it keeps of what is written into it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Partition => {
                "of the records of one partition or shard; the key of a record decides into which it goes"
            }
            Self::Stream => "of the whole stream",
            Self::Stated => "as it is set up: the channel says so",
            Self::Nothing => "none",
        }
    }
}

impl StateCommit {
    /// What a restart does to state.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Exact => "state and position are restored to the same point",
            Self::AtLeastOnce => "state can already hold what is read again",
            Self::Volatile => "a restart forgets the state",
            Self::Nothing => "it keeps no state",
        }
    }
}

impl PositionIn {
    /// Where it goes on from.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Checkpoint => "in its checkpoint, together with the state",
            Self::Group => "committed to the group or acknowledged, as the reading link says",
            Self::Transaction => "committed with state and output in one transaction of the log",
            Self::Framework => "in a place of the framework, flushed from time to time",
            Self::Nowhere => "nowhere",
        }
    }
}

impl Keys {
    /// What becomes of a row that comes twice.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Enforced => "a unique key is enforced at the write",
            Self::Declared => "keys can be declared, and equal rows stand all the same",
            Self::ByWriter => {
                "one writer replaces the row of a key; a second one that does not know of it is not stopped"
            }
            Self::Nothing => "no keys: what comes twice stands twice",
        }
    }
}

impl Visibility {
    /// When a write can be seen.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::AtCommit => "at the commit",
            Self::AfterRefresh => "after a refresh",
            Self::AtSnapshot => "with the next snapshot",
            Self::AtFileClose => "when the file is closed",
            Self::Immediately => "at once",
        }
    }
}

impl Default {
    /// In which versions it is in force: `from 4.0`; empty: in all.
    #[must_use]
    pub fn versions(&self) -> String {
        let from = (self.from > Version(0, 0)).then(|| format!("from {}.{}", self.from.0, self.from.1));
        let below = self.below.map(|below| format!("below {}.{}", below.0, below.1));
        from.into_iter().chain(below).collect::<Vec<_>>().join(", ")
    }
}
