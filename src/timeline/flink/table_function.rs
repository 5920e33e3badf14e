//! Aggregates over window table functions: one-phase, two-phase, and a second one over the results.

use super::{
    DROPPED, Operate, Record,
    slices::{Buffer, Slicer, Slices},
    windows::{Chain, Windowed},
};
use crate::timeline::{
    arrival::Side,
    outcome::{LateTo, Subject},
    recorder::Recorder,
    setup::{Window, WindowFunction},
};

/// The operators of the plan. `channels`: source channels of each input.
pub(super) fn plan(function: &WindowFunction, channels: usize) -> Box<dyn Operate> {
    if let Window::Session { .. } = function.window {
        let first = Windowed::group_window(function.window, None, function.zone.offset);
        return Box::new(Chain { first, second: None });
    }
    let slicer = Slicer::new(function.window, function);
    let first = Slices::new(1, function.then.is_none(), slicer);
    let local = function.two_phase.then(|| [(); 2].map(|()| (0..channels).map(|_| Buffer::new()).collect()));
    let second = function.then.map(|window| {
        let slices = Slices::new(2, true, Slicer::new(window, function));
        (function.two_phase.then(Buffer::new), slices)
    });
    Box::new(TableFunction { local, first, second, zone: function.zone.offset })
}

/// Local buffers before the shuffle, the aggregate behind it, and possibly both again for all keys.
struct TableFunction {
    /// By input and channel.
    local: Option<[Vec<Buffer>; 2]>,
    first: Slices,
    second: Option<(Option<Buffer>, Slices)>,
    zone: i64,
}

impl TableFunction {
    fn local(&mut self, side: Side, channel: usize) -> Option<&mut Buffer> {
        self.local.as_mut()?[side.index()].get_mut(channel)
    }

    fn flush_local(&mut self, rows: Vec<((String, i64), Vec<usize>)>, book: &mut Recorder) {
        for ((key, slice), members) in rows {
            self.first.take(&key, slice, &members, book);
        }
    }

    fn pass(&mut self, sent: Vec<usize>, book: &mut Recorder) {
        let Some((local, second)) = &mut self.second else { return };
        for emission in sent {
            let Some(span) = book.row(emission).window else { continue };
            // window_time is the last ms of the window, in the zone of the time attribute.
            let slice = second.slicer.slice_end(span.end - 1 - self.zone);
            match local {
                Some(local) => local.add("all", slice, &[emission]),
                None => second.take("all", slice, &[emission], book),
            }
        }
    }
}

impl Operate for TableFunction {
    fn record(&mut self, record: &Record, book: &mut Recorder) {
        let slice = self.first.slicer.slice_end(record.time);
        match self.local(record.side, record.channel) {
            Some(local) => {
                local.add(record.key, slice, &[record.at]);
                self.first.expect(record.key, slice, book);
            }
            None => self.first.take(record.key, slice, &[record.at], book),
        }
    }

    fn channel(&mut self, side: Side, channel: usize, mark: i64, book: &mut Recorder) {
        let slicer = self.first.slicer;
        let Some(local) = self.local(side, channel) else { return };
        let rows = local.advance(&slicer, mark);
        self.flush_local(rows, book);
    }

    fn watermark(&mut self, mark: i64, book: &mut Recorder) {
        let sent = self.first.advance(mark, book);
        self.pass(sent, book);
        let Some((local, second)) = &mut self.second else { return };
        if let Some(local) = local {
            for ((key, slice), members) in local.advance(&second.slicer, mark) {
                second.take(&key, slice, &members, book);
            }
        }
        second.advance(mark, book);
    }

    fn checkpoint(&mut self, book: &mut Recorder) {
        let rows = self.local.iter_mut().flatten().flatten().flat_map(Buffer::flush).collect();
        self.flush_local(rows, book);
        self.first.checkpoint();
        let Some((local, second)) = &mut self.second else { return };
        for ((key, slice), members) in local.iter_mut().flat_map(Buffer::flush) {
            second.take(&key, slice, &members, book);
        }
        second.checkpoint();
    }

    fn close(&mut self, book: &mut Recorder) {
        self.first.close(book);
        // Late rows in a local buffer are dropped, and counted, with its next flush.
        for ((_, slice), members) in self.local.iter().flatten().flatten().flat_map(Buffer::rows) {
            for member in members.iter().filter(|_| self.first.over(*slice)) {
                book.late(Subject::Event(*member), 1, LateTo::Dropped(DROPPED));
            }
        }
    }
}
