//! Tumbling and hopping windows of Kafka Streams.
//!
//! After `KStreamWindowAggregate` and `TimeWindows.windowsFor`: no window starts before 0; a window takes a record in
//! while its end > stream time − grace; each window that does not is one more in the drop counter.

use super::{DROPPED, Process, Record, Store};
use crate::timeline::{
    outcome::{LateTo, Span, Subject},
    recorder::Recorder,
    setup::StreamsEmit,
};

/// The operator.
pub(super) struct Fixed {
    size: i64,
    advance: i64,
    grace: i64,
    store: Store,
}

impl Fixed {
    pub(super) fn new(size: i64, advance: i64, grace: i64, emit: StreamsEmit) -> Self {
        Self { size, advance, grace, store: Store::new(size, false, grace, size.saturating_add(grace), emit) }
    }
}

impl Process for Fixed {
    fn process(&mut self, record: &Record, book: &mut Recorder) {
        let closed = book.watermark - self.grace;
        let first = (record.time - self.size + self.advance).max(0) / self.advance * self.advance;
        let starts = (0..).map(|n| first + n * self.advance).take_while(|start| *start <= record.time);
        let mut taken = false;
        for start in starts {
            let span = Span { start, end: start + self.size };
            if span.end <= closed {
                book.miss(record.at, span);
                book.count(DROPPED, 1);
                continue;
            }
            taken = true;
            let total = self.store.totals.get(&(record.key.to_owned(), start)).cloned();
            let mut total = total.unwrap_or_default();
            total.members.push(record.at);
            total.time = total.time.max(record.time);
            self.store.put(record.key, start, total, book);
        }
        if !taken {
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(DROPPED));
        }
        self.store.close_windows(book);
    }
}
