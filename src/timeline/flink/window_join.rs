//! Joins of two streams in the same fixed window: DataStream's `join().window()`, SQL's window join.

use super::{DROPPED, Operate, Record};
use crate::{
    sorted::SortedMap,
    timeline::{
        arrival::Side,
        assign::spans,
        outcome::{Change, LateTo, Row, Span, Subject, Why},
        recorder::Recorder,
        setup::Window,
    },
};

const LEFT: &str = "leftNumLateRecordsDropped";
const RIGHT: &str = "rightNumLateRecordsDropped";

/// The operator.
pub(super) struct WindowJoin {
    window: Window,
    sql: bool,
    panes: SortedMap<(i64, Span, String), [Vec<usize>; 2]>,
}

impl WindowJoin {
    /// Of the DataStream API: there is no side output for late records.
    pub(super) fn datastream(window: Window) -> Self {
        Self { window, sql: false, panes: SortedMap::new() }
    }

    /// Of SQL: a counter for each side, which counts rows by window.
    pub(super) fn sql(window: Window) -> Self {
        Self { window, sql: true, panes: SortedMap::new() }
    }
}

impl Operate for WindowJoin {
    fn counters(&self) -> &'static [&'static str] {
        if self.sql { &[LEFT, RIGHT] } else { &[DROPPED] }
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let name = match (self.sql, record.side) {
            (false, _) => DROPPED,
            (true, Side::Left) => LEFT,
            (true, Side::Right) => RIGHT,
        };
        let (mut taken, mut missed) = (false, 0);
        for span in spans(self.window, record.time) {
            if span.end - 1 <= book.watermark {
                book.miss(record.at, span);
                missed += 1;
                continue;
            }
            taken = true;
            book.accept(Subject::Event(record.at), 1, record.key, span);
            let pane = self.panes.entry((span.end, span, record.key.to_owned())).or_default();
            pane[record.side.index()].push(record.at);
        }
        let counted = if self.sql { missed } else { u64::from(!taken && record.time <= book.watermark) };
        book.count(name, counted);
        if !taken && counted > 0 {
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(name));
        } else if !taken {
            book.gone(record.at, Why::NoWindow);
        }
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        self.panes.retain(|(end, span, key), [left, right]| {
            if *end - 1 > mark {
                return true;
            }
            let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (*left, *right)));
            for (left, right) in pairs {
                let pair = Some([Some(left), Some(right)]);
                let row = Row { key: Some(key.clone()), window: Some(*span), count: 1, pair, ..Row::default() };
                book.emit(1, true, Change::Insert, row);
            }
            for event in left.iter().chain(right.iter()) {
                book.gone(*event, Why::Unmatched);
            }
            book.purge(1, key, *span);
            false
        });
    }
}
