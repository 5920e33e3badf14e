//! Records or rows in transactions.
//!
//! Source: KIP-98: Exactly Once Delivery and Transactional Messaging: records of open and aborted transactions are in
//! the log, and a reader that waits for the commit leaves them out.

use super::{
    item::{EVENTS, Item, Log, Record, fresh},
    path::Rows,
    search::Output,
    table::Table,
};

/// Where its transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Standing {
    Open,
    Prepared,
    Committed,
    Aborted,
}

/// Records or rows with their transactions, in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Transactions(Vec<(u8, Item, Standing)>);

impl Transactions {
    /// Writes into the open transaction.
    pub fn write(&mut self, offset: u8, item: Item) {
        self.0.push((offset, item, Standing::Open));
    }

    /// Is there something in this standing?
    pub fn has(&self, standing: Standing) -> bool {
        self.0.iter().any(|(_, _, other)| *other == standing)
    }

    /// Turns everything of one standing into another.
    pub fn turn(&mut self, from: Standing, to: Standing) {
        for (_, _, standing) in &mut self.0 {
            if *standing == from {
                *standing = to;
            }
        }
    }

    /// The most ids that were made anew.
    pub fn fresh(&self) -> u8 {
        self.0.iter().map(|(_, item, _)| fresh(*item)).max().unwrap_or(0)
    }

    /// How many records or rows it takes at least until everything is settled: those of transactions that were aborted
    /// count beside the others, and only so many of them are followed (`surplus`).
    pub fn written(&self, surplus: u8) -> usize {
        let of = |standing: Standing| self.0.iter().filter(|(_, _, other)| *other == standing).count();
        let aborted = of(Standing::Aborted) + usize::from(EVENTS);
        of(Standing::Committed).max(aborted).max(self.0.len().saturating_sub(usize::from(surplus)))
    }

    /// Is everything settled?
    pub fn settled(&self) -> bool {
        !self.has(Standing::Open) && !self.has(Standing::Prepared)
    }

    /// As a log.
    pub fn log(&self) -> Output {
        let record = |(_, item, standing): &(u8, Item, Standing)| Record {
            item: *item,
            aborted: *standing != Standing::Committed,
        };
        let log: Log = self.0.iter().map(record).collect();
        Output::Log(log)
    }

    /// As rows: what is not committed was never there.
    pub fn rows(&self) -> Output {
        let mut table = Table::new(Rows::Append);
        for (offset, item, _) in self.0.iter().filter(|(_, _, standing)| *standing == Standing::Committed) {
            table.write(*offset, *item);
        }
        Output::Table(table)
    }
}
