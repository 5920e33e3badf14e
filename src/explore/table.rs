//! A store or callee: what a write does to its rows.
//!
//! Sources: PostgreSQL documentation, INSERT: ON CONFLICT; Elasticsearch reference, Index API: document id and external
//! versions; Confluent documentation, Elasticsearch sink connector: `key.ignore` (id of topic, partition and offset);
//! RFC 9110, 9.2.2: a call that is not idempotent is executed again.

use super::{
    item::{EVENTS, Item, What, fresh},
    path::Rows,
};

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Row {
    key: u8,
    /// What it shows.
    pub item: Item,
}

/// A store or callee. Of rows that no key tells apart, two of the same content are kept: a third shows nothing new.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Table {
    /// What a write does.
    pub rows_are: Rows,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What was written last.
    pub last: Option<Item>,
    /// The highest version that was ever written.
    pub highest: u8,
    /// Was an older version shown after a newer one?
    pub regressed: bool,
    /// The sum of increments.
    pub sum: u8,
}

/// Is this an older version than one that was right when it was shown?
const fn older(item: Item, shown: Item) -> bool {
    item.version() < shown.version() && shown.version() <= EVENTS
}

impl Table {
    /// Without rows.
    pub const fn new(rows_are: Rows) -> Self {
        Self { rows_are, rows: Vec::new(), last: None, highest: 0, regressed: false, sum: 0 }
    }

    /// Writes what came from this offset of the log that was read.
    pub fn write(&mut self, offset: u8, item: Item) {
        let version = item.version();
        self.highest = self.highest.max(version);
        let key = match self.rows_are {
            Rows::Append | Rows::Call => return self.append(item),
            Rows::Increment => {
                self.sum = self.sum.saturating_add(1);
                return;
            }
            Rows::ById => item.id,
            Rows::ByEntity | Rows::ByEntityGuarded => 0,
            Rows::ByCoordinates => offset,
        };
        match self.rows.iter_mut().find(|row| row.key == key) {
            Some(row) if self.rows_are == Rows::ByEntityGuarded && version < row.item.version() => {}
            Some(row) => {
                self.regressed |= older(item, row.item);
                row.item = item;
            }
            None => self.add(key, item),
        }
    }

    fn append(&mut self, item: Item) {
        let item = Item { id: 0, ..item };
        if matches!(item.what, What::Value { .. }) {
            self.regressed |= self.last.is_some_and(|last| older(item, last));
            self.last = Some(item);
        }
        self.add(0, item);
    }

    fn add(&mut self, key: u8, item: Item) {
        let same = self.rows.iter().filter(|row| row.item.what.same(item.what));
        if same.count() < 2 {
            self.rows.push(Row { key, item });
            crate::sorted::sort(&mut self.rows);
        }
    }

    /// The most ids that were made anew and can still be told apart.
    pub fn fresh(&self) -> u8 {
        self.rows.iter().map(|row| fresh(row.item)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rows_are: Rows, events: &[u8]) -> Table {
        let mut table = Table::new(rows_are);
        for (offset, event) in (0..).zip(events) {
            table.write(offset, Item::event(*event));
        }
        table
    }

    #[test]
    fn a_key_makes_one_row_of_copies() {
        assert_eq!(after(Rows::Append, &[0, 1, 0]).rows.len(), 3);
        assert_eq!(after(Rows::ById, &[0, 1, 0]).rows.len(), 2);
        assert_eq!(after(Rows::ByCoordinates, &[0, 1, 0]).rows.len(), 3);
    }

    #[test]
    fn an_older_version_replaces_a_newer_one_unless_it_is_refused() {
        let shown = |table: &Table| table.rows[0].item.version();
        let (open, guarded) = (after(Rows::ByEntity, &[0, 1, 0]), after(Rows::ByEntityGuarded, &[0, 1, 0]));
        assert_eq!((shown(&open), open.regressed), (1, true));
        assert_eq!((shown(&guarded), guarded.regressed), (2, false));
    }
}
