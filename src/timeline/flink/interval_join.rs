//! `intervalJoin` of the DataStream API.
//!
//! After `IntervalJoinOperator`: a record behind the watermark is dropped even if its partner is still in state, and no
//! metric counts it; a record leaves the state when no partner can come any more.

use super::{Operate, Record};
use crate::timeline::{
    arrival::Side,
    outcome::{Change, LateTo, Row, Subject, Why},
    recorder::Recorder,
    watermark::NEVER,
};

#[derive(Clone)]
struct Kept {
    at: usize,
    key: String,
    time: i64,
}

/// The operator.
pub(super) struct IntervalJoin {
    lower: i64,
    upper: i64,
    late_output: bool,
    kept: [Vec<Kept>; 2],
}

impl IntervalJoin {
    pub(super) fn new(lower: i64, upper: i64, late_output: bool) -> Self {
        Self { lower, upper, late_output, kept: [Vec::new(), Vec::new()] }
    }
}

impl Operate for IntervalJoin {
    fn counters(&self) -> &'static [&'static str] {
        &[]
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        if book.watermark != NEVER && record.time < book.watermark {
            let to = match (self.late_output, record.side) {
                (false, _) => LateTo::DroppedSilently,
                (true, Side::Left) => LateTo::SideOutputLeft,
                (true, Side::Right) => LateTo::SideOutputRight,
            };
            book.late(Subject::Event(record.at), 1, to);
            return;
        }
        let side = record.side.index();
        for other in self.kept[1 - side].iter().filter(|other| other.key == record.key) {
            let (left, right) = if side == 0 { (record.time, other.time) } else { (other.time, record.time) };
            if !(self.lower..=self.upper).contains(&(right - left)) {
                continue;
            }
            let pair = if side == 0 { [Some(record.at), Some(other.at)] } else { [Some(other.at), Some(record.at)] };
            let time = Some(left.max(right));
            book.emit(1, true, Change::Insert, Row { count: 1, pair: Some(pair), time, ..Row::default() });
        }
        self.kept[side].push(Kept { at: record.at, key: record.key.to_owned(), time: record.time });
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        for (kept, reach) in self.kept.iter_mut().zip([self.upper, -self.lower]) {
            kept.retain(|kept| {
                let over = kept.time + reach.max(0) <= mark;
                if over {
                    book.gone(kept.at, Why::Unmatched);
                }
                !over
            });
        }
    }
}
