//! `groupBy(window(…), key)`, `session_window`, and a window over their results.
//!
//! After `StateStoreSaveExec`: late groups are filtered out after the partial aggregation of the batch, so the drop counter
//! counts groups; a window is evicted once its end ≤ watermark. A session's rows are tested by their own gap first and
//! merged then (`SessionWindowStateStoreRestoreExec`).

use super::{Bounds, DROPPED, Execute, Input};
use crate::{
    sorted::{SortedMap, SortedSet},
    timeline::{
        assign::{cover, spans, touches},
        outcome::{Change, LateTo, Row, Span, Subject},
        recorder::Recorder,
        setup::{OutputMode, Window},
    },
};

/// Stands for the window of a query without windows.
const ALL_TIME: Span = Span { start: 0, end: 0 };

/// The operator.
pub(super) struct Aggregate {
    stage: u8,
    window: Option<Window>,
    mode: OutputMode,
    groups: SortedMap<(String, Span), Vec<usize>>,
    /// A window over the results, of all keys.
    pub then: Option<Box<Aggregate>>,
}

struct Item<'a> {
    subject: Subject,
    key: &'a str,
    time: i64,
}

impl Aggregate {
    pub(super) fn new(window: Option<Window>, mode: OutputMode) -> Self {
        Self { stage: 1, window, mode, groups: SortedMap::new(), then: None }
    }

    pub(super) fn second(window: Window) -> Self {
        Self { stage: 2, ..Self::new(Some(window), OutputMode::Append) }
    }

    fn is_late(&self, span: Span, bounds: Bounds) -> bool {
        let drops = self.mode != OutputMode::Complete && self.window.is_some();
        bounds.late.is_some_and(|late| drops && span.end <= late)
    }

    /// Takes in what is in time. The groups that changed.
    fn take(&mut self, items: &[Item], bounds: Bounds, book: &mut Recorder) -> SortedSet<(String, Span)> {
        let (mut changed, mut dropped) = (SortedSet::new(), SortedSet::new());
        for item in items {
            let own = self.window.map_or_else(|| vec![ALL_TIME], |window| spans(window, item.time));
            let mut taken = false;
            for span in own {
                if self.is_late(span, bounds) {
                    dropped.insert((item.key.to_owned(), span));
                    if let Subject::Event(event) = item.subject {
                        book.miss(event, span);
                    }
                    continue;
                }
                taken = true;
                let span = self.add(item, span, book);
                changed.insert((item.key.to_owned(), span));
            }
            if !taken {
                book.late(item.subject, self.stage, LateTo::Dropped(DROPPED));
            }
        }
        book.count(DROPPED, dropped.iter().len() as u64);
        changed
    }

    fn add(&mut self, item: &Item, own: Span, book: &mut Recorder) -> Span {
        let mut members = Vec::new();
        let mut whole = own;
        if matches!(self.window, Some(Window::Session { .. })) {
            let near = self.groups.keys().filter(|(key, span)| key == item.key && touches(own, *span));
            let near: Vec<Span> = near.map(|(_, span)| *span).collect();
            whole = near.iter().fold(own, |whole, span| cover(whole, *span));
            for span in near.into_iter().filter(|span| *span != whole) {
                members.extend(self.groups.remove(&(item.key.to_owned(), span)).unwrap_or_default());
                book.purge(self.stage, item.key, span);
            }
        }
        if self.window.is_some() {
            book.accept(item.subject, self.stage, item.key, whole);
        }
        let group = self.groups.entry((item.key.to_owned(), whole)).or_default();
        group.extend(members);
        group.push(match item.subject {
            Subject::Event(at) | Subject::Row(at) => at,
        });
        whole
    }

    fn row(&self, key: &str, span: Span, members: &[usize], book: &Recorder) -> Row {
        book.fold(self.stage, key, self.window.map(|_| span), members)
    }

    /// Sends what the output mode sends and evicts. Where the rows stand.
    fn send(&mut self, changed: &SortedSet<(String, Span)>, bounds: Bounds, book: &mut Recorder) -> Vec<usize> {
        let over = |span: &Span| bounds.evict.is_some_and(|evict| span.end <= evict);
        let leaves = self.then.is_none();
        let mut sent = Vec::new();
        for ((key, span), members) in self.groups.iter() {
            let (sends, change) = match self.mode {
                OutputMode::Append => (over(span), Change::Insert),
                OutputMode::Update => (changed.contains(&(key.clone(), *span)), Change::Upsert),
                OutputMode::Complete => (true, Change::Upsert),
            };
            if sends {
                let row = self.row(key, *span, members, book);
                sent.push(book.emit(self.stage, leaves, change, row));
            }
        }
        if self.mode != OutputMode::Complete && self.window.is_some() {
            let stage = self.stage;
            self.groups.retain(|(key, span), _| {
                if over(span) {
                    book.purge(stage, key, *span);
                }
                !over(span)
            });
        }
        sent
    }
}

impl Execute for Aggregate {
    fn batch(&mut self, rows: &[Input], bounds: Bounds, book: &mut Recorder) {
        let items = rows.iter().map(|row| Item { subject: Subject::Event(row.at), key: row.key, time: row.time });
        let items: Vec<Item> = items.collect();
        let changed = self.take(&items, bounds, book);
        if self.mode == OutputMode::Complete && rows.is_empty() {
            return;
        }
        let sent = self.send(&changed, bounds, book);
        let Some(then) = &mut self.then else { return };
        // window_time is the last ms of the window.
        let items = sent.iter().filter_map(|emission| {
            let span = book.row(*emission).window?;
            Some(Item { subject: Subject::Row(*emission), key: "all", time: span.end - 1 })
        });
        let items: Vec<Item> = items.collect();
        let changed = then.take(&items, bounds, book);
        then.send(&changed, bounds, book);
    }
}
