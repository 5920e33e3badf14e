//! What travels: two events of one entity, and results made from them.

use std::hash::{Hash, Hasher};

/// How many events every run has: the first and the second version of one entity.
pub const EVENTS: u8 = 2;

/// The content of a record or row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// An event by number; the second is the newer version.
    Event(u8),
    /// A result.
    Value {
        /// Its value; 2 is the truth for every function that is explored.
        n: u8,
        /// What gave rise to it: [`EVENTS`] for the end of a window, the event of which it is the version, or, behind those,
        /// the offset of what was counted.
        by: u8,
        /// Made from a state that lacks what it once had: kept only to tell a value that is too low from an old one.
        forgot: bool,
    },
}

/// A record or row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Content.
    pub what: What,
    /// Its id: of an event the event's number; ids that are made anew count on from there. Only equality matters.
    pub id: u8,
}

impl Item {
    /// An event with the id it was born with.
    #[must_use]
    pub const fn event(number: u8) -> Self {
        Self { what: What::Event(number), id: number }
    }

    /// Which version of the entity it shows; a later one is higher.
    #[must_use]
    pub const fn version(self) -> u8 {
        match self.what {
            What::Event(number) => number + 1,
            What::Value { n, .. } => n,
        }
    }
}

impl Hash for Item {
    /// In one go: states are made of items.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (kind, n, by) = match self.what {
            What::Event(number) => (0, number, 0),
            What::Value { n, by, forgot } => (1 + u8::from(forgot), n, by),
        };
        state.write_u32(u32::from_le_bytes([kind, n, by, self.id]));
    }
}

impl What {
    /// The same row for a reader, whatever is behind it.
    #[must_use]
    pub const fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Event(a), Self::Event(b)) => a == b,
            (Self::Value { n: a, by: x, .. }, Self::Value { n: b, by: y, .. }) => a == b && x == y,
            _ => false,
        }
    }

    /// As a story names it: `a`, `b`, `count 2`.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Event(number) => char::from(b'a'.saturating_add(number)).to_string(),
            Self::Value { n, .. } => format!("result {n}"),
        }
    }
}

/// A record of a log; its place is its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record {
    /// What it carries.
    pub item: Item,
    /// Its transaction was aborted: only a reader that does not wait for the commit gets it.
    pub aborted: bool,
}

/// A log when its writer is done.
pub type Log = Vec<Record>;

/// How many ids were made anew up to that of this item.
#[must_use]
pub const fn fresh(item: Item) -> u8 {
    (item.id + 1).saturating_sub(EVENTS)
}

/// Numbers ids that were made anew in the order in which they appear, so that equal logs are equal.
#[must_use]
pub fn canonical(mut log: Log) -> Log {
    let mut known: Vec<u8> = Vec::new();
    for record in &mut log {
        if record.item.id >= EVENTS {
            let at = known.iter().position(|id| *id == record.item.id).unwrap_or_else(|| {
                known.push(record.item.id);
                known.len() - 1
            });
            record.item.id = EVENTS.saturating_add(u8::try_from(at).unwrap_or(u8::MAX));
        }
    }
    log
}

/// Records beyond one for each different content: what copies cost to follow.
#[must_use]
pub fn surplus(log: &[Record]) -> usize {
    let extra = |aborted: bool| {
        let of = log.iter().filter(|record| record.aborted == aborted);
        of.count().saturating_sub(usize::from(if aborted { 0 } else { EVENTS }))
    };
    extra(false).max(extra(true))
}
