//! The slicing aggregate behind TUMBLE, HOP and CUMULATE of Flink SQL, with its buffer.
//!
//! After `SlicingWindowOperator`, `AbstractSliceWindowAggProcessor` and `RecordsWindowBuffer`: rows are buffered and go
//! into state when the watermark passes a boundary that may fire a window. That boundary is aligned to UTC without the
//! window's offset, so with an offset (FLINK-36664, fixed in 2.3) or a zone without daylight saving time (FLINK-38075)
//! rows may leave the buffer after their window has fired, and then no timer fires it again.

use super::DROPPED;
use crate::{
    sorted::{SortedMap, SortedSet},
    timeline::{
        assign::floor,
        outcome::{Change, LateTo, Span, Subject, Why},
        recorder::Recorder,
        setup::{Window, WindowFunction, Zone},
        watermark::NEVER,
    },
};

/// How time is cut.
#[derive(Clone, Copy)]
pub(super) struct Slicer {
    /// Length of the longest window.
    size: i64,
    /// Length of a slice, from one window end to the next.
    step: i64,
    offset: i64,
    cumulates: bool,
    zone: Zone,
    flush_heeds_offset: bool,
}

impl Slicer {
    pub(super) fn new(window: Window, function: &WindowFunction) -> Self {
        let (size, step, offset, cumulates) = match window {
            Window::Hopping { size, advance, offset } => (size, advance, offset, false),
            Window::Cumulating { max, step, offset } => (max, step, offset, true),
            Window::Tumbling { size, offset } => (size, size, offset, false),
            Window::Session { gap: size } | Window::Sliding { difference: size } => (size, size.max(1), 0, false),
        };
        Self { size, step, offset, cumulates, zone: function.zone, flush_heeds_offset: function.flush_heeds_offset }
    }

    /// End of the slice of a time, in local time as all ends here.
    pub(super) fn slice_end(&self, time: i64) -> i64 {
        floor(time + self.zone.offset, self.offset, self.step) + self.step
    }

    /// Start of the cumulating window that ends there.
    fn start(&self, end: i64) -> i64 {
        floor(end - 1, self.offset, self.size)
    }

    fn span(&self, end: i64) -> Span {
        Span { start: if self.cumulates { self.start(end) } else { end - self.size }, end }
    }

    /// End of the last window that holds the slice.
    fn last_end(&self, slice: i64) -> i64 {
        match self.cumulates {
            true => self.start(slice) + self.size,
            false => slice - self.step + self.size,
        }
    }

    /// Ends of all windows that hold the slice.
    fn ends(&self, slice: i64) -> impl Iterator<Item = i64> + use<> {
        let (step, last) = (self.step, self.last_end(slice));
        (0..).map(move |n| slice + n * step).take_while(move |end| *end <= last)
    }

    /// Whether a watermark fires the window of this end.
    pub(super) fn fired(&self, end: i64, mark: i64) -> bool {
        end != i64::MAX && mark >= end - 1 - self.zone.offset
    }

    /// The watermark at which a buffer looks again whether to flush.
    pub(super) fn next_flush(&self, mark: i64) -> i64 {
        if mark == i64::MAX {
            return mark;
        }
        let shift = if self.zone.daylight_saving { self.zone.offset } else { 0 };
        let offset = if self.flush_heeds_offset { self.offset } else { 0 };
        let next = floor(mark + shift, offset, self.step) + self.step - 1 - shift;
        if next > mark { next } else { next + self.step }
    }
}

/// Rows that wait to be added to state, by key and slice.
pub(super) struct Buffer {
    rows: SortedMap<(String, i64), Vec<usize>>,
    lowest: i64,
    progress: i64,
    next: i64,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Self { rows: SortedMap::new(), lowest: i64::MAX, progress: NEVER, next: NEVER }
    }

    pub(super) fn add(&mut self, key: &str, slice: i64, members: &[usize]) {
        self.lowest = self.lowest.min(slice);
        self.rows.entry((key.to_owned(), slice)).or_default().extend_from_slice(members);
    }

    /// What the watermark flushes.
    pub(super) fn advance(&mut self, slicer: &Slicer, mark: i64) -> Vec<((String, i64), Vec<usize>)> {
        self.progress = mark;
        if mark < self.next {
            return Vec::new();
        }
        self.next = slicer.next_flush(mark);
        if slicer.fired(self.lowest, mark) { self.flush() } else { Vec::new() }
    }

    /// Everything, as a checkpoint does.
    pub(super) fn flush(&mut self) -> Vec<((String, i64), Vec<usize>)> {
        self.lowest = i64::MAX;
        std::mem::take(&mut self.rows).into_iter().collect()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (&(String, i64), &Vec<usize>)> {
        self.rows.iter()
    }
}

/// The aggregate with its state and timers.
pub(super) struct Slices {
    stage: u8,
    leaves: bool,
    pub slicer: Slicer,
    buffer: Buffer,
    state: SortedMap<(String, i64), Vec<usize>>,
    timers: SortedSet<(i64, String)>,
    /// The watermark its timers have seen.
    mark: i64,
}

impl Slices {
    pub(super) fn new(stage: u8, leaves: bool, slicer: Slicer) -> Self {
        let (state, timers) = (SortedMap::new(), SortedSet::new());
        Self { stage, leaves, slicer, buffer: Buffer::new(), state, timers, mark: NEVER }
    }

    fn subject(&self, member: usize) -> Subject {
        if self.stage == 1 { Subject::Event(member) } else { Subject::Row(member) }
    }

    /// A row of the slice waits in a buffer before the shuffle.
    pub(super) fn expect(&self, key: &str, slice: i64, book: &mut Recorder) {
        for end in self.slicer.ends(slice).filter(|end| !self.slicer.fired(*end, self.buffer.progress)) {
            book.open(self.stage, key, self.slicer.span(end));
        }
    }

    /// A row, or a pre-aggregated one, of a key and slice.
    pub(super) fn take(&mut self, key: &str, slice: i64, members: &[usize], book: &mut Recorder) {
        let (slicer, progress) = (self.slicer, self.buffer.progress);
        for member in members {
            let subject = self.subject(*member);
            for end in slicer.ends(slice) {
                match (slicer.fired(end, progress), subject) {
                    (false, _) => book.accept(subject, self.stage, key, slicer.span(end)),
                    (true, Subject::Event(event)) => book.miss(event, slicer.span(end)),
                    (true, Subject::Row(_)) => {}
                }
            }
        }
        if !slicer.fired(slice, progress) {
            return self.buffer.add(key, slice, members);
        }
        let Some(open) = slicer.ends(slice).find(|end| !slicer.fired(*end, progress)) else {
            book.count(DROPPED, 1);
            for member in members {
                book.late(self.subject(*member), self.stage, LateTo::Dropped(DROPPED));
            }
            return;
        };
        // Cumulating windows of one start share the state of their first slice.
        let into = if slicer.cumulates { slicer.start(slice) + slicer.step } else { slice };
        self.buffer.add(key, into, members);
        self.timers.insert((open, key.to_owned()));
    }

    fn store(&mut self, rows: Vec<((String, i64), Vec<usize>)>) {
        for ((key, slice), members) in rows {
            if !self.slicer.fired(slice, self.mark) {
                self.timers.insert((slice, key.clone()));
            }
            self.state.entry((key, slice)).or_default().extend(members);
        }
    }

    /// A checkpoint flushes the buffer.
    pub(super) fn checkpoint(&mut self) {
        let rows = self.buffer.flush();
        self.store(rows);
    }

    /// The watermark has risen. The results it causes.
    pub(super) fn advance(&mut self, mark: i64, book: &mut Recorder) -> Vec<usize> {
        let rows = self.buffer.advance(&self.slicer, mark);
        self.store(rows);
        self.mark = mark;
        let mut sent = Vec::new();
        while self.timers.first().is_some_and(|(end, _)| self.slicer.fired(*end, mark)) {
            let Some((end, key)) = self.timers.pop_first() else { break };
            sent.extend(self.fire(&key, end, book));
        }
        sent
    }

    fn fire(&mut self, key: &str, end: i64, book: &mut Recorder) -> Option<usize> {
        let (slicer, at) = (self.slicer, |slice: i64| (key.to_owned(), slice));
        let span = slicer.span(end);
        let first = span.start + slicer.step;
        let mut members = Vec::new();
        if slicer.cumulates {
            if end != first {
                let slice = self.state.remove(&at(end)).unwrap_or_default();
                self.state.entry(at(first)).or_default().extend(slice);
            }
            members.extend(self.state.get(&at(first)).into_iter().flatten().copied());
        } else {
            let slices = (0..).map(|n| first + n * slicer.step).take_while(|slice| *slice <= end);
            for slice in slices {
                members.extend(self.state.get(&at(slice)).into_iter().flatten().copied());
            }
        }
        let next = end + slicer.step;
        if !members.is_empty() && next <= slicer.last_end(end) {
            self.timers.insert((next, key.to_owned()));
        }
        if members.is_empty() {
            return None;
        }
        book.open(self.stage, key, span);
        let row = book.fold(self.stage, key, Some(span), &members);
        let sent = book.emit(self.stage, self.leaves, Change::Insert, row);
        book.purge(self.stage, key, span);
        Some(sent)
    }

    /// Names what no timer will ever fire.
    pub(super) fn close(&self, book: &mut Recorder) {
        let kept = self.state.iter().chain(self.buffer.rows());
        for (_, members) in kept.filter(|((_, slice), _)| self.stage == 1 && self.over(*slice)) {
            for member in members {
                book.gone(*member, Why::FlushedTooLate);
            }
        }
    }

    /// All windows of the slice have fired.
    pub(super) fn over(&self, slice: i64) -> bool {
        self.slicer.fired(self.slicer.last_end(slice), self.mark)
    }
}
