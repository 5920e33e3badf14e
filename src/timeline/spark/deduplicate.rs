//! `dropDuplicatesWithinWatermark`.
//!
//! After `StreamingDeduplicateWithinWatermarkExec`: the first row of a key is sent at once and remembered until the
//! watermark reaches its time + delay, so for up to twice the delay; repeats do not prolong that.

use super::{Bounds, DROPPED, Execute, Input};
use crate::{
    sorted::SortedMap,
    timeline::{
        outcome::{Change, LateTo, Row, Subject, Why},
        recorder::Recorder,
    },
};

/// The operator.
pub(super) struct Deduplicate {
    delay: i64,
    expires: SortedMap<String, i64>,
}

impl Deduplicate {
    pub(super) fn new(delay: i64) -> Self {
        Self { delay, expires: SortedMap::new() }
    }
}

impl Execute for Deduplicate {
    fn batch(&mut self, rows: &[Input], bounds: Bounds, book: &mut Recorder) {
        for row in rows {
            if bounds.late.is_some_and(|late| row.time <= late) {
                book.count(DROPPED, 1);
                book.late(Subject::Event(row.at), 1, LateTo::Dropped(DROPPED));
            } else if self.expires.contains_key(row.key) {
                book.gone(row.at, Why::Duplicate);
            } else {
                self.expires.insert(row.key.to_owned(), row.time + self.delay);
                let (key, time) = (Some(row.key.to_owned()), Some(row.time));
                let sent = Row { key, count: 1, events: vec![row.at], time, ..Row::default() };
                book.emit(1, true, Change::Insert, sent);
            }
        }
        self.expires.retain(|_, expires| bounds.evict.is_none_or(|evict| *expires > evict));
    }
}
