//! Stream-stream joins.
//!
//! After `StreamingSymmetricHashJoinExec`: rows at or behind the late bound are dropped and counted, even if their partner
//! is still in state. A left row without partner is sent once watermark > its time + upper bound.

use super::{Bounds, DROPPED, Execute, Input};
use crate::timeline::{
    outcome::{Change, LateTo, Row, Subject, Why},
    recorder::Recorder,
};

struct Kept {
    at: usize,
    key: String,
    time: i64,
    joined: bool,
}

/// The operator.
pub(super) struct Join {
    lower: i64,
    upper: i64,
    left_outer: bool,
    kept: [Vec<Kept>; 2],
}

impl Join {
    pub(super) fn new(lower: i64, upper: i64, left_outer: bool) -> Self {
        Self { lower, upper, left_outer, kept: [Vec::new(), Vec::new()] }
    }

    fn take(&mut self, row: &Input, book: &mut Recorder) {
        let (side, lower, upper) = (row.side.index(), self.lower, self.upper);
        let mut joined = false;
        for other in self.kept[1 - side].iter_mut().filter(|other| other.key == row.key) {
            let (left, right) = if side == 0 { (row.time, other.time) } else { (other.time, row.time) };
            if !(lower..=upper).contains(&(right - left)) {
                continue;
            }
            let pair = if side == 0 { [Some(row.at), Some(other.at)] } else { [Some(other.at), Some(row.at)] };
            book.emit(1, true, Change::Insert, Row { count: 1, pair: Some(pair), ..Row::default() });
            (joined, other.joined) = (true, true);
        }
        self.kept[side].push(Kept { at: row.at, key: row.key.to_owned(), time: row.time, joined });
    }

    fn evict(&mut self, mark: i64, book: &mut Recorder) {
        let reaches = [self.upper, -self.lower];
        for (side, (kept, reach)) in self.kept.iter_mut().zip(reaches).enumerate() {
            let outer = side == 0 && self.left_outer;
            kept.retain(|kept| {
                if kept.time + reach >= mark {
                    return true;
                }
                if !kept.joined && outer {
                    let pair = Some([Some(kept.at), None]);
                    book.emit(1, true, Change::Insert, Row { count: 1, pair, ..Row::default() });
                } else if !kept.joined {
                    book.gone(kept.at, Why::Unmatched);
                }
                false
            });
        }
    }
}

impl Execute for Join {
    fn batch(&mut self, rows: &[Input], bounds: Bounds, book: &mut Recorder) {
        for row in rows {
            if bounds.late.is_some_and(|late| row.time <= late) {
                book.count(DROPPED, 1);
                book.late(Subject::Event(row.at), 1, LateTo::Dropped(DROPPED));
            } else {
                self.take(row, book);
            }
        }
        if let Some(mark) = bounds.evict {
            self.evict(mark, book);
        }
    }
}
