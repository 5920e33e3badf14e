//! Queries of Flink SQL without windows: deduplication, GROUP BY, regular join, CURRENT_WATERMARK.

use super::{DROPPED, Operate, Record};
use crate::{
    sorted::SortedMap,
    timeline::{
        arrival::Side,
        outcome::{Change, LateTo, Row, Subject, Why},
        recorder::Recorder,
        setup::Keep,
        watermark::NEVER,
    },
};

/// A row that is passed through.
fn one(at: usize, key: &str) -> Row {
    Row { key: Some(key.to_owned()), count: 1, events: vec![at], ..Row::default() }
}

#[derive(Clone, Copy)]
struct Held {
    at: usize,
    time: i64,
    sent: bool,
}

/// `ROW_NUMBER() … = 1`.
pub(super) struct Deduplicate {
    keep: Keep,
    held: SortedMap<String, Held>,
}

impl Deduplicate {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, held: SortedMap::new() }
    }

    /// The earliest row is held until the watermark reaches it, and later ones are duplicates.
    fn hold_first(&mut self, record: &Record, book: &mut Recorder) {
        if book.watermark != NEVER && record.time <= book.watermark {
            book.count(DROPPED, 1);
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(DROPPED));
            return;
        }
        let held = Held { at: record.at, time: record.time, sent: false };
        match self.held.get(record.key) {
            Some(first) if first.sent || first.time <= record.time => book.gone(record.at, Why::Duplicate),
            Some(first) => {
                book.gone(first.at, Why::Duplicate);
                self.held.insert(record.key.to_owned(), held);
            }
            None => {
                self.held.insert(record.key.to_owned(), held);
            }
        }
    }

    fn replace(&mut self, record: &Record, book: &mut Recorder) {
        let before = self.held.get(record.key).copied();
        let first = self.keep == Keep::FirstToArrive;
        let older = before.is_some_and(|before| self.keep == Keep::LastByTime && before.time > record.time);
        if older || first && before.is_some() {
            return book.gone(record.at, Why::Duplicate);
        }
        self.held.insert(record.key.to_owned(), Held { at: record.at, time: record.time, sent: true });
        let row = one(record.at, record.key);
        let Some(before) = before else {
            book.emit(1, true, Change::Insert, row);
            return;
        };
        book.emit(1, true, Change::UpdateBefore, one(before.at, record.key));
        book.emit(1, true, Change::UpdateAfter, row);
    }
}

impl Operate for Deduplicate {
    fn counters(&self) -> &'static [&'static str] {
        if self.keep == Keep::FirstByTime { &[DROPPED] } else { &[] }
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        match self.keep {
            Keep::FirstByTime => self.hold_first(record, book),
            _ => self.replace(record, book),
        }
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        for (key, held) in self.held.iter_mut() {
            if !held.sent && held.time <= mark {
                held.sent = true;
                book.emit(1, true, Change::Insert, one(held.at, key));
            }
        }
    }
}

/// `GROUP BY key` without window: an updating total.
pub(super) struct GroupBy {
    ttl: Option<i64>,
    totals: SortedMap<String, (i64, Row)>,
}

impl GroupBy {
    pub(super) fn new(ttl: Option<i64>) -> Self {
        Self { ttl, totals: SortedMap::new() }
    }
}

impl Operate for GroupBy {
    fn counters(&self) -> &'static [&'static str] {
        &[]
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let last = self.totals.remove(record.key);
        // Expired by the machine's clock: the key starts anew, and nothing takes its old row back.
        let last = last.filter(|(written, _)| self.ttl.is_none_or(|ttl| record.clock - written < ttl));
        let mut members = last.as_ref().map(|(_, row)| row.events.clone()).unwrap_or_default();
        members.push(record.at);
        let row = book.fold(1, record.key, None, &members);
        self.totals.insert(record.key.to_owned(), (record.clock, row.clone()));
        let Some((_, before)) = last else {
            book.emit(1, true, Change::Insert, row);
            return;
        };
        book.emit(1, true, Change::UpdateBefore, before);
        book.emit(1, true, Change::UpdateAfter, row);
    }

    fn watermark(&mut self, _mark: i64, _book: &mut Recorder) {}
}

/// `SELECT …, rt <= CURRENT_WATERMARK(rt)`.
pub(super) struct CurrentWatermark;

impl Operate for CurrentWatermark {
    fn counters(&self) -> &'static [&'static str] {
        &[]
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let late = book.watermark != NEVER && record.time <= book.watermark;
        let row = Row { key: None, late: Some(late), ..one(record.at, record.key) };
        book.emit(1, true, Change::Insert, row);
    }

    fn watermark(&mut self, _mark: i64, _book: &mut Recorder) {}
}

#[derive(Clone, Copy)]
struct Joined {
    at: usize,
    partners: u32,
}

/// A join on the key alone: everything is kept.
pub(super) struct Join {
    left_outer: bool,
    kept: SortedMap<String, [Vec<Joined>; 2]>,
}

impl Join {
    pub(super) fn new(left_outer: bool) -> Self {
        Self { left_outer, kept: SortedMap::new() }
    }
}

fn joined(left: Option<usize>, right: Option<usize>) -> Row {
    Row { count: 1, pair: Some([left, right]), ..Row::default() }
}

impl Operate for Join {
    fn counters(&self) -> &'static [&'static str] {
        &[]
    }

    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let [left, right] = self.kept.entry(record.key.to_owned()).or_default();
        let mut own = Joined { at: record.at, partners: 0 };
        if record.side == Side::Left {
            for other in right.iter() {
                own.partners += 1;
                book.emit(1, true, Change::Insert, joined(Some(own.at), Some(other.at)));
            }
            if own.partners == 0 && self.left_outer {
                book.emit(1, true, Change::Insert, joined(Some(own.at), None));
            }
            left.push(own);
            return;
        }
        for other in left.iter_mut() {
            if other.partners == 0 && self.left_outer {
                book.emit(1, true, Change::Delete, joined(Some(other.at), None));
            }
            other.partners += 1;
            book.emit(1, true, Change::Insert, joined(Some(other.at), Some(own.at)));
        }
        right.push(own);
    }

    fn watermark(&mut self, _mark: i64, _book: &mut Recorder) {}
}
