//! Stream-stream joins of Kafka Streams.
//!
//! After `KStreamKStreamJoin`: a record joins what the store of the other side shows, late or not. A left record without
//! partner is held until stream time > its time + after + grace, or sent at once if its window is past already.

use super::{DROPPED, Process, Record};
use crate::timeline::{
    outcome::{Change, Row, Why},
    recorder::Recorder,
    watermark::NEVER,
};

/// Segments of a store are at least that long (`Stores.defaultSegmentInterval`).
const SEGMENT: i64 = 60_000;

#[derive(Clone)]
struct Kept {
    at: usize,
    key: String,
    time: i64,
}

/// The operator.
pub(super) struct Join {
    before: i64,
    after: i64,
    grace: i64,
    left_outer: bool,
    kept: [Vec<Kept>; 2],
    newest: [i64; 2],
    held: Vec<Kept>,
}

impl Join {
    pub(super) fn new(before: i64, after: i64, grace: i64, left_outer: bool) -> Self {
        let kept = [Vec::new(), Vec::new()];
        Self { before, after, grace, left_outer, kept, newest: [NEVER; 2], held: Vec::new() }
    }

    fn retention(&self) -> i64 {
        self.before.saturating_add(self.after).saturating_add(self.grace)
    }

    /// Writes the record to the store of its own side; one older than all segments is dropped and counted.
    fn keep(&mut self, record: &Record, book: &mut Recorder) {
        let side = usize::from(record.right);
        self.newest[side] = self.newest[side].max(record.time);
        let segment = (self.retention() / 2).max(SEGMENT);
        let oldest = (self.newest[side] - self.retention()).div_euclid(segment);
        if record.time.div_euclid(segment) < oldest {
            book.count(DROPPED, 1);
            return;
        }
        self.kept[side].push(Kept { at: record.at, key: record.key.to_owned(), time: record.time });
    }

    fn alone(kept: &Kept, book: &mut Recorder) {
        let pair = Some([Some(kept.at), None]);
        let row = Row { key: Some(kept.key.clone()), count: 1, pair, time: Some(kept.time), ..Row::default() };
        book.emit(1, true, Change::Upsert, row);
    }

    fn release(&mut self, book: &mut Recorder) {
        let (now, wait) = (book.watermark, self.after + self.grace);
        let held = std::mem::take(&mut self.held);
        let (mut over, held): (Vec<Kept>, Vec<Kept>) = held.into_iter().partition(|kept| kept.time + wait < now);
        self.held = held;
        crate::sorted::sort_by_key(&mut over, |kept| kept.time);
        for kept in over {
            Self::alone(&kept, book);
        }
    }
}

impl Process for Join {
    fn process(&mut self, record: &Record, book: &mut Recorder) {
        self.keep(record, book);
        if record.time == book.watermark {
            self.release(book);
        }
        let other = usize::from(!record.right);
        let (back, ahead) = if record.right { (self.after, self.before) } else { (self.before, self.after) };
        let (from, to) = ((record.time - back).max(0), (record.time + ahead).max(0));
        let shown = if self.newest[other] == NEVER { NEVER } else { self.newest[other] - self.retention() };
        let mut joined = false;
        let partners = self.kept[other]
            .iter()
            .filter(|kept| kept.key == record.key && (from..=to).contains(&kept.time) && kept.time > shown);
        for kept in partners {
            joined = true;
            let pair = if record.right { [Some(kept.at), Some(record.at)] } else { [Some(record.at), Some(kept.at)] };
            let (key, time) = (Some(record.key.to_owned()), Some(record.time.max(kept.time)));
            book.emit(1, true, Change::Upsert, Row { key, count: 1, pair: Some(pair), time, ..Row::default() });
            self.held.retain(|held| held.at != kept.at);
        }
        if joined || record.right || !self.left_outer {
            return;
        }
        let own = Kept { at: record.at, key: record.key.to_owned(), time: record.time };
        if to < book.watermark { Self::alone(&own, book) } else { self.held.push(own) }
    }

    fn close(&mut self, book: &mut Recorder) {
        for (side, kept) in self.kept.iter().enumerate() {
            let held = |kept: &Kept| self.held.iter().any(|held| held.at == kept.at);
            let reach = if side == 0 { self.after } else { self.before };
            let (now, wait) = (book.watermark, reach + self.grace);
            for kept in kept.iter().filter(|kept| kept.time + wait < now && !held(kept)) {
                book.gone(kept.at, Why::Unmatched);
            }
        }
    }
}
