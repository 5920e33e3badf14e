//! Where a node writes without a transaction, and what it reads.

use super::{
    budget::Bounds,
    item::{Item, Log},
    path::{Client, Rows, Write},
    producer::Producer,
    search::Output,
    step::Step,
    table::Table,
};

/// What a node reads: records with their offsets, and the end of the window behind them where it holds one.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    records: Vec<(u8, Item)>,
    end: u8,
}

impl Feed {
    /// Of a log, with the records of aborted transactions or without.
    pub fn new(log: &Log, committed: bool, windowed: bool) -> Self {
        let read = (0..).zip(log).filter(|(_, record)| !(committed && record.aborted));
        let records: Vec<(u8, Item)> = read.map(|(offset, record)| (offset, record.item)).collect();
        let length = u8::try_from(records.len()).unwrap_or(u8::MAX);
        Self { records, end: length.saturating_add(u8::from(windowed)) }
    }

    /// How many there are to read.
    pub const fn end(&self) -> u8 {
        self.end
    }

    /// One of them: its offset, and `None` for the end of the window.
    pub fn at(&self, position: u8) -> (u8, Option<Item>) {
        match self.records.get(usize::from(position)) {
            Some((offset, item)) => (*offset, Some(*item)),
            None => (u8::MAX, None),
        }
    }
}

/// A log or a store that is written without a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sink {
    /// Over a producer.
    Log(Producer),
    /// Row by row.
    Table(Table),
}

impl Sink {
    /// Of a write; what a transaction would tie together is written row by row.
    pub const fn new(write: Write) -> Self {
        match write {
            Write::Log(client) => Self::Log(Producer::new(client)),
            Write::LogUnconfirmed | Write::LogTransaction => Self::Log(Producer::new(Client::SAFE)),
            Write::Store(rows) => Self::Table(Table::new(rows)),
            Write::StoreTwoPhase | Write::StoreBatchId => Self::Table(Table::new(Rows::Append)),
        }
    }

    /// Hands over what came from this offset.
    pub fn write(&mut self, offset: u8, item: Item) {
        match self {
            Self::Log(producer) => producer.send(item),
            Self::Table(table) => table.write(offset, item),
        }
    }

    /// Does the node believe that everything is written?
    pub fn flushed(&self) -> bool {
        match self {
            Self::Log(producer) => producer.flushed(),
            Self::Table(_) => true,
        }
    }

    /// The same, of a node that has nothing of it but what it writes.
    pub fn write_through(&mut self, offset: u8, item: Item) {
        match self {
            Self::Log(producer) => producer.send_through(item),
            Self::Table(table) => table.write(offset, item),
        }
    }

    /// The most ids that were made anew and can still be told apart.
    pub fn fresh(&self) -> u8 {
        match self {
            Self::Log(producer) => producer.fresh(),
            Self::Table(table) => table.fresh(),
        }
    }

    /// Can the client take one more?
    pub fn room(&self) -> bool {
        match self {
            Self::Log(producer) => producer.room(),
            Self::Table(_) => true,
        }
    }

    /// Is nothing on its way?
    pub fn quiet(&self) -> bool {
        match self {
            Self::Log(producer) => producer.quiet(),
            Self::Table(_) => true,
        }
    }

    /// The process of the node dies.
    pub fn crash(&mut self) {
        if let Self::Log(producer) = self {
            producer.crash();
        }
    }

    /// What client and brokers can do next.
    pub fn steps(&self, left: Bounds, mut next: impl FnMut(Step, Self, Bounds)) {
        if let Self::Log(producer) = self {
            producer.steps(left, |step, producer, left| next(step, Self::Log(producer), left));
        }
    }

    /// How many records or rows it has.
    pub fn written(&self) -> usize {
        match self {
            Self::Log(producer) => producer.written(),
            Self::Table(table) => table.rows.len(),
        }
    }

    /// What it leaves behind.
    pub fn output(&self) -> Output {
        match self {
            Self::Log(producer) => Output::Log(producer.log()),
            Self::Table(table) => Output::Table(table.clone()),
        }
    }
}
