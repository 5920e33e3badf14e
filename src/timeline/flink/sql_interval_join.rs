//! The interval join of Flink SQL.
//!
//! After `TimeIntervalJoin` with `table.exec.interval-join.min-cleanup-interval` at its default of 0: there is no late
//! test. A row behind the watermark still joins what the other side keeps, and is kept itself only while a partner can
//! still come.

use super::{Operate, Record};
use crate::timeline::{
    outcome::{Change, Row, Why},
    recorder::Recorder,
};

#[derive(Clone)]
struct Kept {
    at: usize,
    key: String,
    time: i64,
    joined: bool,
}

/// The operator.
pub(super) struct SqlIntervalJoin {
    lower: i64,
    upper: i64,
    left_outer: bool,
    kept: [Vec<Kept>; 2],
}

impl SqlIntervalJoin {
    pub(super) fn new(lower: i64, upper: i64, left_outer: bool) -> Self {
        Self { lower, upper, left_outer, kept: [Vec::new(), Vec::new()] }
    }

    /// How long after a row of this side a partner may come: for a left row the upper bound.
    fn reach(&self, side: usize) -> i64 {
        if side == 0 { self.upper } else { -self.lower }
    }

    fn unmatched(&self, side: usize, kept: &Kept, book: &mut Recorder) {
        if kept.joined {
            return;
        }
        if side == 0 && self.left_outer {
            let pair = Some([Some(kept.at), None]);
            book.emit(1, true, Change::Insert, Row { count: 1, pair, ..Row::default() });
        } else {
            book.gone(kept.at, Why::Unmatched);
        }
    }
}

impl Operate for SqlIntervalJoin {
    fn counters(&self) -> &'static [&'static str] {
        &[]
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let (side, mark) = (record.side.index(), book.watermark);
        let mut joined = false;
        let (lower, upper) = (self.lower, self.upper);
        for other in self.kept[1 - side].iter_mut().filter(|other| other.key == record.key) {
            let (left, right) = if side == 0 { (record.time, other.time) } else { (other.time, record.time) };
            if !(lower..=upper).contains(&(right - left)) {
                continue;
            }
            let pair = if side == 0 { [Some(record.at), Some(other.at)] } else { [Some(other.at), Some(record.at)] };
            book.emit(1, true, Change::Insert, Row { count: 1, pair: Some(pair), ..Row::default() });
            (joined, other.joined) = (true, true);
        }
        let kept = Kept { at: record.at, key: record.key.to_owned(), time: record.time, joined };
        if mark < record.time + self.reach(side) {
            self.kept[side].push(kept);
        } else {
            self.unmatched(side, &kept, book);
        }
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        for side in [0, 1] {
            let reach = self.reach(side);
            let kept = std::mem::take(&mut self.kept[side]);
            let (over, kept): (Vec<Kept>, Vec<Kept>) = kept.into_iter().partition(|kept| kept.time + reach < mark);
            self.kept[side] = kept;
            for kept in over {
                self.unmatched(side, &kept, book);
            }
        }
    }
}
