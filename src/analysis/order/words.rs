//! An order in words: never without its key, its log and its writer, or what is missing.

use super::verdict::{Ahead, Break, Breaker, Order, OrderKind};
use crate::{
    analysis::explain::Missing,
    model::{Columns, Id, counted_as},
};

impl Order {
    /// In one sentence without its full stop; `name` says how an element or link is called.
    #[must_use]
    pub fn sentence(&self, name: &dyn Fn(&Id) -> String) -> String {
        let store = self.store.as_ref().map(name);
        let held = self.held(name);
        let claim = match self.kind {
            OrderKind::Global => format!("all records in the single partition{held}, of one session, as appended"),
            OrderKind::PerKey if self.holder.is_none() => self.as_born(name),
            OrderKind::PerKey if self.key.0.is_empty() => {
                format!("all records in the single partition{held}, as appended")
            }
            OrderKind::PerKey => format!("per {} within one partition{held}, as appended", key(&self.key)),
            OrderKind::Arrival if self.key.0.is_empty() => format!("as they arrive in the single partition{held}"),
            OrderKind::Arrival => format!("per {} as they arrive in one partition{held}", key(&self.key)),
            OrderKind::PerPartition if self.missing.is_empty() => {
                format!("within each partition{held} as appended, by no key")
            }
            OrderKind::PerPartition => {
                format!("within each partition{held} as appended; any other order is {}", self.not_established(name))
            }
            OrderKind::Newest => {
                let rows = if self.key.0.is_empty() { String::new() } else { format!(" per {}", key(&self.key)) };
                let store = store.as_deref().unwrap_or("the store");
                return format!("{store} keeps the newest version{rows}, in whatever order rows come");
            }
            OrderKind::Nothing => return self.none(name),
            OrderKind::NotEstablished => return self.not_established(name),
        };
        match store {
            Some(store) => format!("{claim}; rows of {store} are written in that order"),
            None => claim,
        }
    }

    /// No log on the way: as the source has them.
    fn as_born(&self, name: &dyn Fn(&Id) -> String) -> String {
        let by = if self.key.0.is_empty() { "all records".to_owned() } else { format!("per {}", key(&self.key)) };
        let of = self.born.as_ref().map(name).unwrap_or_default();
        format!("{by} in the order of {of}")
    }

    /// ` of orders, from shop`.
    fn held(&self, name: &dyn Fn(&Id) -> String) -> String {
        let of = self.holder.as_ref().map(|holder| format!(" of {}", name(holder))).unwrap_or_default();
        match &self.writer {
            Some(writer) => format!("{of}, from {}", name(writer)),
            None => of,
        }
    }

    fn none(&self, name: &dyn Fn(&Id) -> String) -> String {
        match self.ended_by() {
            Some(breaker) => format!("none: {} {}", name(&breaker.at), breaker.words()),
            None => "none".to_owned(),
        }
    }

    fn not_established(&self, name: &dyn Fn(&Id) -> String) -> String {
        let one = |missing: &Missing| format!("{} of {} {}", missing.label(), name(&missing.subject), missing.state());
        match self.missing.as_slice() {
            [] => "not established: nothing says where the events come from".to_owned(),
            [only] => format!("not established: {}", one(only)),
            [first, rest @ ..] => format!("not established: {}, and {} more", one(first), rest.len()),
        }
    }
}

/// `store`, or `(store, window_start)`.
#[must_use]
pub fn key(columns: &Columns) -> String {
    match &*columns.0 {
        [one] => one.to_string(),
        many => format!("({})", many.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

impl Breaker {
    /// What it does, as the end of a sentence about its place.
    #[must_use]
    pub fn words(&self) -> String {
        match &self.by {
            Break::Batch => "writes a range as a whole, not in the order of events".to_owned(),
            Break::InputsMeet => "takes several inputs, which nothing orders with each other".to_owned(),
            Break::Retries(in_flight) => {
                let batches = counted_as(in_flight.saturating_sub(1), "batch", "batches");
                format!("sends again without idempotence: up to {batches} can overtake the first")
            }
            Break::Instances(many) => format!("writes from {many} instances, which nothing orders with each other"),
            Break::Writers(many) => format!("has {many} writers, which nothing orders with each other"),
            Break::NoKey => "sends without a key, to any partition".to_owned(),
            Break::Spread => "spreads records over partitions whatever their key".to_owned(),
            Break::CustomPartitioner => {
                "has a partitioner of its own: nothing says that one key stays in one partition".to_owned()
            }
            Break::Rekeyed(from, to) if from.0.is_empty() => {
                format!("goes by {}, so that the records lie in several partitions", key(to))
            }
            Break::Rekeyed(from, to) => format!("goes by {} instead of {}", key(to), key(from)),
            Break::Tasks => "gives rows of one key to several tasks".to_owned(),
            Break::Grown => "gets more partitions: keys move while their older records are unread".to_owned(),
            Break::Unordered => "does not keep the order".to_owned(),
            Break::Workers(None) => "works on several records of a partition at once".to_owned(),
            Break::Workers(Some(by)) => format!("shares a partition out to workers by {}", key(by)),
            Break::WorkersByUnreadKey => {
                "shares a partition out to workers by the record key, which is not read".to_owned()
            }
            Break::Returns => "brings records back after newer ones".to_owned(),
            Break::Redelivery => "delivers again, after later messages, what was not acknowledged".to_owned(),
            Break::Hashing => "has writers that hash a key to different partitions".to_owned(),
            Break::RowsApart(versions) => {
                format!("{}, and those of one row come from several partitions", versions.words())
            }
            Break::OtherWriters => "has rows that others write too".to_owned(),
            Break::Overwritten(class, versions) => {
                format!("{}, and {} can bring an older row last", versions.words(), class.words())
            }
            Break::Mirror => "keeps partition numbers of a channel with another number of partitions".to_owned(),
            Break::Resent => "repeats a failed send after later ones".to_owned(),
            Break::SourceResent => "takes events that the source sends again, after later ones".to_owned(),
            Break::NotOffered => "writes to a channel that keeps no order".to_owned(),
            Break::Joined => "joins two streams that go by different keys".to_owned(),
            Break::Replaced(ahead) => {
                let ahead = match ahead {
                    Ahead::Commit => "commits before the work",
                    Ahead::Send => "does not wait for its writes before the position moves on",
                    Ahead::Mark => "marks as seen before the write",
                };
                format!("{ahead}: an owner that its group replaced meanwhile can still write, after newer records")
            }
        }
    }

    /// What mends it.
    #[must_use]
    pub const fn mend(&self) -> &'static str {
        match &self.by {
            Break::Batch => "a version in the rows",
            Break::InputsMeet | Break::Joined => "a version or sequence number in the events",
            Break::Retries(_) => "an idempotent producer, or one request in flight",
            Break::Instances(_) | Break::Writers(_) => "one writer for each key, or a sequence number",
            Break::NoKey => "a key for each record",
            Break::Spread | Break::CustomPartitioner | Break::Hashing => {
                "one partitioner for all writers, by the hash of the key"
            }
            Break::Rekeyed(..) => "the same key on the whole way, or a version in the events",
            Break::Tasks => "hand over by the hash of the key",
            Break::Grown => "a new channel with the right number, and readers that finish the old one first",
            Break::Unordered => "results in the order of requests",
            Break::Workers(_) | Break::WorkersByUnreadKey => "one worker for each key that needs order",
            Break::Returns | Break::Redelivery => "wait for the record that failed, or compare versions",
            Break::RowsApart(_) | Break::OtherWriters | Break::Overwritten(..) => {
                "a version in the condition of the write"
            }
            Break::Mirror => "the same number of partitions on both sides",
            Break::Resent => "one request in flight, or the sequence number for ordering of the service",
            Break::SourceResent => "a version of the source in the events",
            Break::NotOffered => "a channel with an order per key, or a version in the events",
            Break::Replaced(Ahead::Mark) => "marks together with the write",
            Break::Replaced(Ahead::Commit | Ahead::Send) => {
                "position and output in one transaction, or a commit after a write that compares a version or an epoch"
            }
        }
    }

    /// The id of its kind.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match &self.by {
            Break::Batch => "ORD-0",
            Break::InputsMeet => "ORD-0a",
            Break::Retries(_) => "ORD-1",
            Break::Instances(_) | Break::Writers(_) => "ORD-2",
            Break::NoKey | Break::Spread => "ORD-3",
            Break::Rekeyed(..) | Break::Tasks => "ORD-4",
            Break::Grown => "ORD-5",
            Break::Unordered | Break::Workers(_) | Break::WorkersByUnreadKey => "ORD-6",
            Break::Returns | Break::Redelivery => "ORD-7",
            Break::Hashing | Break::CustomPartitioner => "ORD-8",
            Break::RowsApart(_) | Break::OtherWriters | Break::Overwritten(..) => "ORD-9",
            Break::Mirror => "ORD-11",
            Break::Resent | Break::SourceResent => "ORD-12",
            Break::NotOffered => "ORD-13",
            Break::Joined => "ORD-14",
            Break::Replaced(_) => "ORD-15",
        }
    }
}
