//! The window operator of the DataStream API, and of SQL where it is built alike: session table functions, legacy group
//! windows.
//!
//! After `WindowOperator`: a record is taken in by each of its windows that is not past cleanup (end − 1 + lateness ≤
//! watermark); sessions merge first and are tested then; a window fires at watermark ≥ end − 1, and at once for a record
//! that comes after that.

use super::{DROPPED, Operate, Record};
use crate::{
    sorted::SortedMap,
    timeline::{
        assign::{cover, spans, touches},
        outcome::{Change, LateTo, Row, Span, Subject, Why},
        recorder::Recorder,
        setup::Window,
        watermark::NEVER,
    },
};

#[derive(Clone, Debug, Default)]
struct Pane {
    members: Vec<usize>,
    /// It fires when the watermark passes its end.
    timer: bool,
    /// What it sent last, where that is to be taken back.
    sent: Option<Row>,
}

/// What a window operator takes in: a record, or a result of the stage before.
pub(super) struct Item<'a> {
    pub subject: Subject,
    pub key: &'a str,
    pub time: i64,
}

/// One window operator.
pub(super) struct Windowed {
    stage: u8,
    window: Window,
    lateness: i64,
    zone: i64,
    pub late_output: bool,
    pub purging: bool,
    retracting: bool,
    /// A record that is in no window at all counts as late: SQL counts what no window took.
    gaps_are_late: bool,
    panes: SortedMap<(String, Span), Pane>,
    /// The watermark it has seen: a second stage sees results before the watermark that caused them.
    mark: i64,
}

impl Windowed {
    /// `keyBy().window()`.
    pub(super) fn datastream(stage: u8, window: Window, lateness: i64) -> Self {
        let (late_output, purging, retracting, gaps_are_late) = (false, false, false, false);
        let panes = SortedMap::new();
        Self { stage, window, lateness, zone: 0, late_output, purging, retracting, gaps_are_late, panes, mark: NEVER }
    }

    /// A legacy group window of SQL, or a session table function.
    pub(super) fn group_window(window: Window, late_fire: Option<i64>, zone: i64) -> Self {
        let retracting = late_fire.is_some();
        let plain = Self::datastream(1, window, late_fire.unwrap_or(0));
        Self { zone, retracting, gaps_are_late: true, ..plain }
    }

    /// Last event time of the window, in UTC.
    fn last(&self, span: Span) -> i64 {
        span.end - 1 - self.zone
    }

    fn is_late(&self, span: Span, mark: i64) -> bool {
        self.last(span) + self.lateness <= mark
    }

    /// Takes an item in. The results it causes at once.
    pub(super) fn take(&mut self, item: &Item, book: &mut Recorder) -> Vec<usize> {
        let mark = self.mark;
        let own = spans(self.window, item.time + self.zone);
        let (mut sent, mut taken) = (Vec::new(), false);
        for mut span in own.iter().copied() {
            if matches!(self.window, Window::Session { .. }) {
                span = self.merge(item.key, span, book);
            }
            if self.is_late(span, mark) {
                if let Subject::Event(event) = item.subject {
                    book.miss(event, span);
                }
                continue;
            }
            taken = true;
            sent.extend(self.add(item, span, mark, book));
        }
        if !taken {
            self.reject(item, own.is_empty(), mark, book);
        }
        sent
    }

    fn add(&mut self, item: &Item, span: Span, mark: i64, book: &mut Recorder) -> Option<usize> {
        book.accept(item.subject, self.stage, item.key, span);
        let last = self.last(span);
        let pane = self.panes.entry((item.key.to_owned(), span)).or_default();
        pane.members.push(match item.subject {
            Subject::Event(at) | Subject::Row(at) => at,
        });
        if last > mark {
            pane.timer = true;
            return None;
        }
        self.fire(item.key, span, book)
    }

    fn reject(&self, item: &Item, no_window: bool, mark: i64, book: &mut Recorder) {
        let late = mark != NEVER && item.time.saturating_add(self.lateness) <= mark;
        if !late && !self.gaps_are_late {
            if let (true, Subject::Event(event)) = (no_window, item.subject) {
                book.gone(event, Why::NoWindow);
            }
            return;
        }
        if self.late_output {
            book.late(item.subject, self.stage, LateTo::SideOutput);
        } else {
            book.count(DROPPED, 1);
            book.late(item.subject, self.stage, LateTo::Dropped(DROPPED));
        }
    }

    /// Merges a session with those of its key that it touches.
    fn merge(&mut self, key: &str, own: Span, book: &mut Recorder) -> Span {
        let touched = self.panes.keys().filter(|(other, span)| other == key && touches(own, *span));
        let touched: Vec<Span> = touched.map(|(_, span)| *span).collect();
        let whole = touched.iter().fold(own, |whole, span| cover(whole, *span));
        if touched.is_empty() || touched == [whole] {
            return whole;
        }
        let mut members = Vec::new();
        for span in &touched {
            let pane = self.panes.remove(&(key.to_owned(), *span)).unwrap_or_default();
            members.extend(pane.members);
            book.purge(self.stage, key, *span);
        }
        self.panes.insert((key.to_owned(), whole), Pane { members, ..Pane::default() });
        book.open(self.stage, key, whole);
        whole
    }

    fn fire(&mut self, key: &str, span: Span, book: &mut Recorder) -> Option<usize> {
        let pane = self.panes.get_mut(&(key.to_owned(), span))?;
        if pane.members.is_empty() {
            return None;
        }
        let row = book.fold(self.stage, key, Some(span), &pane.members);
        if self.purging {
            pane.members.clear();
        }
        let before = if self.retracting { pane.sent.replace(row.clone()) } else { None };
        let change = if before.is_some() { Change::UpdateAfter } else { Change::Insert };
        if let Some(before) = before {
            book.emit(self.stage, true, Change::UpdateBefore, before);
        }
        Some(book.emit(self.stage, true, change, row))
    }

    /// The watermark has risen: fires and forgets, by end of window.
    pub(super) fn advance(&mut self, mark: i64, book: &mut Recorder) -> Vec<usize> {
        self.mark = mark;
        let mut due: Vec<(i64, String, Span)> = Vec::new();
        for ((key, span), pane) in self.panes.iter_mut() {
            let last = span.end - 1 - self.zone;
            if pane.timer && last <= mark {
                pane.timer = false;
                due.push((last, key.clone(), *span));
            }
        }
        crate::sorted::sort(&mut due);
        let sent = due.into_iter().filter_map(|(_, key, span)| self.fire(&key, span, book)).collect();
        let (stage, zone, lateness) = (self.stage, self.zone, self.lateness);
        self.panes.retain(|(key, span), _| {
            let over = span.end - 1 - zone + lateness <= mark;
            if over {
                book.purge(stage, key, *span);
            }
            !over
        });
        sent
    }
}

/// A window operator, and possibly one over its results.
pub(super) struct Chain {
    pub first: Windowed,
    pub second: Option<Windowed>,
}

impl Chain {
    fn pass(&mut self, sent: Vec<usize>, book: &mut Recorder) {
        let Some(second) = &mut self.second else { return };
        for emission in sent {
            let Some(span) = book.row(emission).window else { continue };
            // A result has the last ms of its window as timestamp.
            second.take(&Item { subject: Subject::Row(emission), key: "all", time: span.end - 1 }, book);
        }
    }
}

impl Operate for Chain {
    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let item = Item { subject: Subject::Event(record.at), key: record.key, time: record.time };
        let sent = self.first.take(&item, book);
        self.pass(sent, book);
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        let sent = self.first.advance(mark, book);
        self.pass(sent, book);
        if let Some(second) = &mut self.second {
            second.advance(mark, book);
        }
    }
}
