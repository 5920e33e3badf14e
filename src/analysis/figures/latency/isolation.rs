//! What is one thing for a reader of committed records and another for a reader of uncommitted ones: the first waits for the
//! commit of a transaction, the second does not (Apache Kafka documentation, Consumer Configs: isolation.level).

use crate::{
    analysis::figures::map::{Map, Wire},
    model::{ElementKind, key, words::Isolation},
};

/// One for each isolation; `None` where it is the same for both.
#[derive(Clone, Default)]
pub(super) struct ByIsolation<T> {
    pub committed: T,
    pub uncommitted: Option<T>,
}

impl<T> ByIsolation<T> {
    pub const fn of(&self, isolation: Isolation) -> &T {
        match (isolation, &self.uncommitted) {
            (Isolation::ReadUncommitted, Some(uncommitted)) => uncommitted,
            _ => &self.committed,
        }
    }
}

/// How a wire reads. Where the isolation of the reader of a log is not known, the lesser wait is certain, and the hop asks for
/// it. What is no log shows nothing before the commit.
pub(super) fn of_reader(map: &Map, wire: &Wire) -> Isolation {
    let log = map.sites[wire.from].element.kind() == ElementKind::Channel;
    match map.value(wire.at, key::read::ISOLATION) {
        None | Some(Isolation::ReadUncommitted) if log => Isolation::ReadUncommitted,
        _ => Isolation::ReadCommitted,
    }
}
