//! Kafka Streams: one task, its stream time the highest event time it has seen, record caches off.

mod joins;
mod sessions;
mod sliding;
mod suppress;
mod windows;

use super::{
    arrival::Arrival,
    limits::Refusal,
    outcome::{At, Change, Row, Span, Subject, Why},
    recorder::Recorder,
    setup::{Setup, Streams, StreamsEmit, Window},
    watermark::NEVER,
};
use crate::sorted::SortedMap;
use suppress::Suppress;

/// The drop counter of a task.
pub(super) const DROPPED: &str = "dropped-records-total";

/// A record with where it stands. The recorder knows stream time, this record included.
pub(super) struct Record<'a> {
    pub at: usize,
    pub right: bool,
    pub key: &'a str,
    pub time: i64,
}

/// An operator of Kafka Streams.
pub(super) trait Process {
    /// A record.
    fn process(&mut self, record: &Record, book: &mut Recorder);

    /// There is nothing more to come.
    fn close(&mut self, _book: &mut Recorder) {}
}

/// Runs the operator.
pub(super) fn run(
    operator: &Streams,
    _setup: &Setup,
    arrivals: &[Arrival],
    book: &mut Recorder,
) -> Result<(), Refusal> {
    match *operator {
        Streams::Join { before, after, grace, left } => {
            drive(&mut joins::Join::new(before, after, grace, left), arrivals, book)
        }
        Streams::Window { window, grace, emit } => match window {
            Window::Session { gap } => drive(&mut sessions::Sessions::new(gap, grace, emit), arrivals, book),
            Window::Sliding { difference } => {
                drive(&mut sliding::Sliding::new(difference, grace, emit), arrivals, book)
            }
            Window::Tumbling { size, .. } => drive(&mut windows::Fixed::new(size, size, grace, emit), arrivals, book),
            Window::Hopping { size, advance, .. } => {
                drive(&mut windows::Fixed::new(size, advance, grace, emit), arrivals, book)
            }
            Window::Cumulating { max, .. } => drive(&mut windows::Fixed::new(max, max, grace, emit), arrivals, book),
        },
    }
}

fn drive(operator: &mut dyn Process, arrivals: &[Arrival], book: &mut Recorder) -> Result<(), Refusal> {
    book.register(DROPPED);
    for (at, arrival) in arrivals.iter().enumerate() {
        book.at = At::Step(arrival.step);
        if let Some(event) = arrival.event() {
            book.behind(at, event.time < book.watermark);
            book.watermark = book.watermark.max(event.time);
            let right = arrival.side.index() == 1;
            operator.process(&Record { at, right, key: &event.key, time: event.time }, book);
        }
        book.step(Vec::new());
        book.check()?;
    }
    operator.close(book);
    Ok(())
}

/// An aggregate in a window store: the records in it, and the timestamp of the newest.
#[derive(Clone, Debug, Default)]
pub(super) struct Total {
    pub members: Vec<usize>,
    pub time: i64,
}

/// A window store by key and start of window, and how its results leave.
pub(super) struct Store {
    /// Length of a window, from start to end.
    length: i64,
    inclusive: bool,
    grace: i64,
    /// After that much newer windows, the store no longer shows one.
    retention: i64,
    emit: StreamsEmit,
    suppress: Suppress,
    pub totals: SortedMap<(String, i64), Total>,
    newest: i64,
    closed: i64,
}

impl Store {
    pub(super) fn new(length: i64, inclusive: bool, grace: i64, retention: i64, emit: StreamsEmit) -> Self {
        let (suppress, totals) = (Suppress::new(grace), SortedMap::new());
        Self { length, inclusive, grace, retention, emit, suppress, totals, newest: NEVER, closed: NEVER }
    }

    fn span(&self, start: i64) -> Span {
        Span { start, end: start + self.length }
    }

    /// A window that may still be read when looked up by key: `getActualFrom` of the segmented store.
    pub(super) fn visible(&self, start: i64) -> bool {
        self.newest == NEVER || start > self.newest - self.retention
    }

    /// Writes a total, its new members last, and sends it on as the emit strategy says.
    pub(super) fn put(&mut self, key: &str, start: i64, total: Total, book: &mut Recorder) {
        let span = self.span(start);
        let known = self.totals.get(&(key.to_owned(), start)).map_or(0, |total| total.members.len());
        for event in total.members.iter().skip(known) {
            book.accept(Subject::Event(*event), 1, key, span);
        }
        let row = Row { time: Some(total.time), ..book.fold(1, key, Some(span), &total.members) };
        self.newest = self.newest.max(start);
        self.totals.insert((key.to_owned(), start), total);
        match self.emit {
            StreamsEmit::EveryUpdate => {
                book.emit(1, true, Change::Upsert, row);
            }
            StreamsEmit::Suppress => self.suppress.put(span.end, row, book),
            StreamsEmit::OnWindowClose => {}
        }
    }

    /// Stream time may have moved: sends final results, and forgets what is closed.
    ///
    /// With `EmitStrategy.onWindowClose` the results are read from the store after the write that closed them, and the
    /// store hides windows that start before newest start − retention: these are never sent.
    pub(super) fn close_windows(&mut self, book: &mut Recorder) {
        let closed = book.watermark - self.grace - i64::from(self.inclusive);
        if closed <= self.closed {
            return;
        }
        let before = std::mem::replace(&mut self.closed, closed);
        let (length, hidden, emit) = (self.length, self.newest.saturating_sub(self.retention), self.emit);
        self.totals.retain(|(key, start), total| {
            let span = Span { start: *start, end: start + length };
            if span.end <= before || span.end > closed {
                // Closed windows stay while the store shows them: later ones are made from them.
                return span.end > closed || *start > hidden;
            }
            book.purge(1, key, span);
            if emit == StreamsEmit::OnWindowClose && *start >= hidden {
                let row = Row { time: Some(total.time), ..book.fold(1, key, Some(span), &total.members) };
                book.emit(1, true, Change::Upsert, row);
            } else if emit == StreamsEmit::OnWindowClose {
                for event in &total.members {
                    book.gone(*event, Why::HiddenByRetention);
                }
            }
            *start > hidden
        });
    }
}
