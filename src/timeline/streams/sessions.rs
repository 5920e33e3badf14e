//! Session windows of Kafka Streams, `[first, last]`.
//!
//! After `KStreamSessionWindowAggregate`: a record merges with the sessions of its key within the gap that the store
//! still shows (end > newest end − gap − grace), and is dropped if the merged end < stream time − gap − grace. Merged
//! sessions are withdrawn by tombstones.

use super::{DROPPED, Process, Record, suppress::Suppress};
use crate::{
    sorted::SortedMap,
    timeline::{
        assign::cover,
        outcome::{Change, LateTo, Row, Span, Subject},
        recorder::Recorder,
        setup::StreamsEmit,
        watermark::NEVER,
    },
};

/// The operator.
pub(super) struct Sessions {
    gap: i64,
    /// Gap and grace.
    wait: i64,
    emit: StreamsEmit,
    sessions: SortedMap<(String, Span), Vec<usize>>,
    suppress: Suppress,
    newest: i64,
    closed: i64,
}

impl Sessions {
    pub(super) fn new(gap: i64, grace: i64, emit: StreamsEmit) -> Self {
        let wait = gap.saturating_add(grace);
        let (sessions, suppress) = (SortedMap::new(), Suppress::new(wait));
        Self { gap, wait, emit, sessions, suppress, newest: NEVER, closed: NEVER }
    }

    fn void(&mut self, key: &str, span: Span, book: &mut Recorder) {
        book.purge(1, key, span);
        match self.emit {
            StreamsEmit::EveryUpdate => {
                let (key, window) = (Some(key.to_owned()), Some(span));
                book.emit(1, true, Change::Tombstone, Row { key, window, time: Some(span.end), ..Row::default() });
            }
            StreamsEmit::Suppress => self.suppress.void(span.end, key, span, book),
            StreamsEmit::OnWindowClose => {}
        }
    }

    fn send(&mut self, key: &str, span: Span, members: &[usize], book: &mut Recorder) {
        let row = Row { time: Some(span.end), ..book.fold(1, key, Some(span), members) };
        match self.emit {
            StreamsEmit::EveryUpdate => {
                book.emit(1, true, Change::Upsert, row);
            }
            StreamsEmit::Suppress => self.suppress.put(span.end, row, book),
            StreamsEmit::OnWindowClose => {}
        }
    }

    fn close_sessions(&mut self, book: &mut Recorder) {
        let closed = book.watermark - self.wait;
        if closed <= self.closed {
            return;
        }
        self.closed = closed;
        let emit = self.emit;
        self.sessions.retain(|(key, span), members| {
            if span.end >= closed {
                return true;
            }
            if emit == StreamsEmit::OnWindowClose {
                let row = Row { time: Some(span.end), ..book.fold(1, key, Some(*span), members) };
                book.emit(1, true, Change::Upsert, row);
            }
            book.purge(1, key, *span);
            false
        });
    }
}

impl Process for Sessions {
    fn process(&mut self, record: &Record, book: &mut Recorder) {
        let own = Span { start: record.time, end: record.time };
        let (from, to) = (record.time - self.gap, record.time + self.gap);
        let shown = if self.newest == NEVER { NEVER } else { self.newest - self.wait };
        let near = self
            .sessions
            .keys()
            .filter(|(key, span)| key == record.key && span.end >= from && span.start <= to && span.end > shown);
        let near: Vec<Span> = near.map(|(_, span)| *span).collect();
        let whole = near.iter().fold(own, |whole, span| cover(whole, *span));
        if whole.end < book.watermark - self.wait {
            book.miss(record.at, own);
            book.count(DROPPED, 1);
            book.late(Subject::Event(record.at), 1, LateTo::Dropped(DROPPED));
        } else {
            let mut members = Vec::new();
            for span in near {
                members.extend(self.sessions.remove(&(record.key.to_owned(), span)).unwrap_or_default());
                if whole != own {
                    self.void(record.key, span, book);
                }
            }
            members.push(record.at);
            book.accept(Subject::Event(record.at), 1, record.key, whole);
            self.newest = self.newest.max(whole.end);
            self.send(record.key, whole, &members, book);
            self.sessions.insert((record.key.to_owned(), whole), members);
        }
        self.close_sessions(book);
    }
}
