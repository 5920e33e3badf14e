//! Sliding windows of Kafka Streams, `[start, start + difference]`.
//!
//! After `KStreamSlidingWindowAggregate`: a record makes the window that ends with it, and the window that starts 1 ms
//! after it once another record falls in there. Records younger than `difference` after 1970 share `[0, difference]`.

use super::{DROPPED, Process, Record, Store, Total};
use crate::timeline::{
    outcome::{LateTo, Span, Subject},
    recorder::Recorder,
    setup::StreamsEmit,
};

/// The operator.
pub(super) struct Sliding {
    difference: i64,
    grace: i64,
    store: Store,
}

/// What the windows around a record say.
#[derive(Default)]
struct Around {
    /// The newest window that ends before the record.
    left: Option<Total>,
    /// The newest window that holds the record.
    right: Option<Total>,
    /// The newest record before it.
    previous: Option<i64>,
}

impl Sliding {
    pub(super) fn new(difference: i64, grace: i64, emit: StreamsEmit) -> Self {
        let retention = difference.saturating_mul(2).saturating_add(grace);
        Self { difference, grace, store: Store::new(difference, true, grace, retention, emit) }
    }

    fn exists(&self, key: &str, start: i64) -> bool {
        self.store.visible(start) && self.store.totals.contains_key(&(key.to_owned(), start))
    }

    fn update(&mut self, record: &Record, start: i64, mut total: Total, book: &mut Recorder) -> bool {
        let span = Span { start, end: start + self.difference };
        if span.end < book.watermark - self.grace {
            book.miss(record.at, span);
            book.count(DROPPED, 1);
            return false;
        }
        total.time = total.time.max(record.time);
        total.members.push(record.at);
        self.store.put(record.key, start, total, book);
        true
    }

    /// The windows of the key that the store shows around the record, by start.
    fn windows(&self, record: &Record) -> Vec<(i64, Total)> {
        let from = (record.time - 2 * self.difference).max(0);
        let windows = self.store.totals.iter().filter(|((key, start), _)| {
            key == record.key && (from..=record.time).contains(start) && self.store.visible(*start)
        });
        windows.map(|((_, start), total)| (*start, total.clone())).collect()
    }

    /// Updates the windows there are and says what is around the record. `own`: start of the window the record makes.
    fn look(&mut self, record: &Record, own: i64, taken: &mut bool, book: &mut Recorder) -> Around {
        let mut around = Around::default();
        for (start, total) in self.windows(record) {
            let end = start + self.difference;
            if start == own {
                if total.time < record.time {
                    around.previous = Some(total.time);
                } else {
                    around.right = Some(total.clone());
                }
                *taken |= self.update(record, start, total, book);
            } else if end < record.time {
                around.previous = Some(total.time);
                around.left = Some(total);
            } else {
                around.right = Some(total.clone());
                *taken |= self.update(record, start, total, book);
            }
        }
        around
    }
}

impl Process for Sliding {
    fn process(&mut self, record: &Record, book: &mut Recorder) {
        let closed = book.watermark - self.grace;
        if record.time + 1 + self.difference <= closed {
            book.miss(record.at, Span { start: record.time - self.difference, end: record.time });
            book.count(DROPPED, 1);
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(DROPPED));
            return self.store.close_windows(book);
        }
        let own = (record.time - self.difference).max(0);
        let (had_own, had_right) = (self.exists(record.key, own), self.exists(record.key, record.time + 1));
        let mut taken = false;
        let around = self.look(record, own, &mut taken, book);
        if let Some(previous) = around.previous {
            let start = previous + 1;
            if !self.exists(record.key, start) && start + self.difference >= record.time {
                taken |= self.update(record, start, Total::default(), book);
            }
        }
        if !had_own {
            let within = around.previous.is_some_and(|previous| record.time - self.difference <= previous);
            let total = around.left.filter(|_| within).unwrap_or_default();
            taken |= self.update(record, own, total, book);
        }
        if let Some(right) = around.right.filter(|right| !had_right && right.time > record.time) {
            self.store.put(record.key, record.time + 1, right, book);
        }
        if !taken {
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(DROPPED));
        }
        self.store.close_windows(book);
    }
}
