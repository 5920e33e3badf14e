//! `suppress(untilWindowCloses)`: the last total of each window, once stream time ≥ end + grace.

use crate::{
    sorted::SortedMap,
    timeline::{
        outcome::{Change, Row, Span},
        recorder::Recorder,
        watermark::NEVER,
    },
};

/// The buffer. Its stream time is that of the updates it gets.
pub(super) struct Suppress {
    wait: i64,
    time: i64,
    held: SortedMap<(i64, String, Span), Option<Row>>,
}

impl Suppress {
    /// `wait`: grace; for sessions grace and gap.
    pub(super) fn new(wait: i64) -> Self {
        Self { wait, time: NEVER, held: SortedMap::new() }
    }

    /// A new total.
    pub(super) fn put(&mut self, end: i64, row: Row, book: &mut Recorder) {
        let (Some(key), Some(span)) = (row.key.clone(), row.window) else { return };
        let time = row.time.unwrap_or(NEVER);
        self.held.insert((end, key, span), Some(row));
        self.evict(time, book);
    }

    /// A session is void: its tombstone is not sent on when its time comes.
    pub(super) fn void(&mut self, end: i64, key: &str, span: Span, book: &mut Recorder) {
        self.held.insert((end, key.to_owned(), span), None);
        self.evict(end, book);
    }

    fn evict(&mut self, time: i64, book: &mut Recorder) {
        self.time = self.time.max(time);
        let over = self.time.saturating_sub(self.wait);
        self.held.retain(|(end, ..), row| {
            if *end > over {
                return true;
            }
            if let Some(row) = row.take() {
                book.emit(1, true, Change::Upsert, row);
            }
            false
        });
    }
}
