//! Apache Flink: drives an operator with records and watermarks.

mod interval_join;
mod rows;
mod slices;
mod sql_interval_join;
mod table_function;
mod window_join;
mod windows;

use super::{
    arrival::{Arrival, Side, What},
    limits::Refusal,
    outcome::At,
    recorder::Recorder,
    setup::{DataStream, Setup, Sql},
    watermark::{Advance, Marks, NEVER},
};

/// The drop counter of Flink's window operators, deduplication and slicing aggregates.
pub(super) const DROPPED: &str = "numLateRecordsDropped";

/// A record with where it stands.
pub(super) struct Record<'a> {
    pub at: usize,
    pub side: Side,
    pub channel: usize,
    pub clock: i64,
    pub key: &'a str,
    pub time: i64,
}

/// An operator of Flink. The recorder knows its watermark.
pub(super) trait Operate {
    /// Its drop counters.
    fn counters(&self) -> &'static [&'static str] {
        &[DROPPED]
    }

    /// A record, before it moves the watermark.
    fn record(&mut self, record: &Record, book: &mut Recorder);

    /// The watermark has risen.
    fn watermark(&mut self, mark: i64, book: &mut Recorder);

    /// A source partition sends a watermark down its channel.
    fn channel(&mut self, _side: Side, _channel: usize, _mark: i64, _book: &mut Recorder) {}

    /// A checkpoint goes through.
    fn checkpoint(&mut self, _book: &mut Recorder) {}

    /// There is nothing more to come.
    fn close(&mut self, _book: &mut Recorder) {}
}

/// An operator of the DataStream API.
pub(super) fn datastream(
    operator: &DataStream,
    setup: &Setup,
    arrivals: &[Arrival],
    book: &mut Recorder,
) -> Result<(), Refusal> {
    match *operator {
        DataStream::Window { window, lateness, late_output, purging, then } => {
            let mut first = windows::Windowed::datastream(1, window, lateness);
            (first.late_output, first.purging) = (late_output, purging);
            let second = then.map(|then| {
                let mut second = windows::Windowed::datastream(2, then.window, then.lateness);
                second.late_output = late_output;
                second
            });
            drive(&mut windows::Chain { first, second }, setup, arrivals, book)
        }
        DataStream::IntervalJoin { lower, upper, late_output } => {
            drive(&mut interval_join::IntervalJoin::new(lower, upper, late_output), setup, arrivals, book)
        }
        DataStream::WindowJoin { window } => {
            drive(&mut window_join::WindowJoin::datastream(window), setup, arrivals, book)
        }
    }
}

/// A query of Flink SQL.
pub(super) fn sql(query: &Sql, setup: &Setup, arrivals: &[Arrival], book: &mut Recorder) -> Result<(), Refusal> {
    match *query {
        Sql::WindowFunction(function) => {
            let channels = Marks::new(setup.watermark, 1).channels();
            drive(&mut *table_function::plan(&function, channels), setup, arrivals, book)
        }
        Sql::GroupWindow { window, late_fire, zone } => {
            let first = windows::Windowed::group_window(window, late_fire, zone.offset);
            drive(&mut windows::Chain { first, second: None }, setup, arrivals, book)
        }
        Sql::Deduplicate(keep) => drive(&mut rows::Deduplicate::new(keep), setup, arrivals, book),
        Sql::GroupBy { ttl } => drive(&mut rows::GroupBy::new(ttl), setup, arrivals, book),
        Sql::CurrentWatermark => drive(&mut rows::CurrentWatermark, setup, arrivals, book),
        Sql::IntervalJoin { lower, upper, left } => {
            drive(&mut sql_interval_join::SqlIntervalJoin::new(lower, upper, left), setup, arrivals, book)
        }
        Sql::WindowJoin { window } => drive(&mut window_join::WindowJoin::sql(window), setup, arrivals, book),
        Sql::Join { left } => drive(&mut rows::Join::new(left), setup, arrivals, book),
    }
}

fn drive(operator: &mut dyn Operate, setup: &Setup, arrivals: &[Arrival], book: &mut Recorder) -> Result<(), Refusal> {
    let two = setup.joins() || arrivals.iter().any(|arrival| arrival.side == Side::Right);
    let mut marks = Marks::new(setup.watermark, if two { 2 } else { 1 });
    let mut clock = 0;
    for name in operator.counters() {
        book.register(name);
    }
    for (at, arrival) in arrivals.iter().enumerate() {
        let advances = marks.until(arrival.clock);
        apply(operator, advances, book);
        if at > 0 {
            book.step(marks.snapshot());
        }
        (book.at, clock) = (At::Step(arrival.step), arrival.clock);
        let (side, partition) = (arrival.side, arrival.partition);
        let advances = match &arrival.what {
            What::Event(event) => {
                let channel = marks.channel(partition);
                let record = Record { at, side, channel, clock, key: &event.key, time: event.time };
                book.behind(at, marks.merged() != NEVER && event.time <= marks.merged());
                operator.record(&record, book);
                marks.record(side, partition, event.time, clock)
            }
            What::Idle => marks.idle(side, partition),
            What::Checkpoint => {
                operator.checkpoint(book);
                Vec::new()
            }
        };
        apply(operator, advances, book);
        book.check()?;
    }
    let advances = marks.until(clock.saturating_add(setup.rest).saturating_add(1));
    apply(operator, advances, book);
    if !arrivals.is_empty() {
        book.step(marks.snapshot());
    }
    if setup.ends {
        book.at = At::End;
        let advances = marks.end();
        apply(operator, advances, book);
        book.step(marks.snapshot());
    }
    operator.close(book);
    book.check()
}

fn apply(operator: &mut dyn Operate, advances: Vec<Advance>, book: &mut Recorder) {
    for advance in advances {
        match advance {
            Advance::Channel { side, channel, mark } => operator.channel(side, channel, mark, book),
            Advance::Merged(mark) => {
                book.watermark = mark;
                operator.watermark(mark, book);
            }
        }
    }
}
