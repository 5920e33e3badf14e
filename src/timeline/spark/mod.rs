//! Spark Structured Streaming: micro-batches.
//!
//! The watermark is the highest event time of the finished batches − delay, from 1970-01-01 on, and never falls. Each
//! batch evicts by its own watermark and holds late rows against that of the batch before
//! (`spark.sql.streaming.statefulOperator.allowMultiple`). A batch without data runs where the watermark has moved and no
//! input waits.

mod aggregate;
mod deduplicate;
mod join;

use super::{
    arrival::{Arrival, Side},
    limits::Refusal,
    outcome::{At, Epoch, MicroBatch},
    recorder::Recorder,
    setup::{MergePolicy, OutputMode, Query, Setup, Spark},
    watermark::NEVER,
};

/// The drop counter of a stateful operator.
pub(super) const DROPPED: &str = "numRowsDroppedByWatermark";

/// A row with where it stands.
pub(super) struct Input<'a> {
    pub at: usize,
    pub side: Side,
    pub key: &'a str,
    pub time: i64,
}

/// The watermarks of a batch; none where the query has none.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Late: at or below this.
    pub late: Option<i64>,
    /// Evicted: at or below this.
    pub evict: Option<i64>,
}

/// A stateful operator of Spark.
pub(super) trait Execute {
    /// One micro-batch.
    fn batch(&mut self, rows: &[Input], bounds: Bounds, book: &mut Recorder);
}

/// Runs the query.
pub(super) fn run(query: &Spark, setup: &Setup, arrivals: &[Arrival], book: &mut Recorder) -> Result<(), Refusal> {
    match query.query {
        Query::Window { window, then } => {
            let mut operator = aggregate::Aggregate::new(Some(window), query.mode);
            operator.then = then.map(|window| Box::new(aggregate::Aggregate::second(window)));
            drive(&mut operator, query, setup, arrivals, book)
        }
        Query::GroupBy => drive(&mut aggregate::Aggregate::new(None, query.mode), query, setup, arrivals, book),
        Query::DropDuplicatesWithinWatermark => {
            let delay = setup.watermark.delay.unwrap_or(0);
            drive(&mut deduplicate::Deduplicate::new(delay), query, setup, arrivals, book)
        }
        Query::Join { lower, upper, left } => {
            drive(&mut join::Join::new(lower, upper, left), query, setup, arrivals, book)
        }
    }
}

/// The watermark over the streams of the query.
struct Tracker {
    highest: Vec<Option<i64>>,
    delay: Option<i64>,
    policy: MergePolicy,
    mark: i64,
}

impl Tracker {
    fn after(&mut self, rows: &[Input]) -> i64 {
        for row in rows {
            let highest = &mut self.highest[row.side.index()];
            *highest = Some(highest.map_or(row.time, |highest| highest.max(row.time)));
        }
        let Some(delay) = self.delay else { return self.mark };
        // A stream without data yet stands at 0.
        let marks = self.highest.iter().map(|highest| highest.map_or(0, |highest| highest - delay));
        let mark = match self.policy {
            MergePolicy::Min => marks.min(),
            MergePolicy::Max => marks.max(),
        };
        self.mark = self.mark.max(mark.unwrap_or(0));
        self.mark
    }
}

/// The batches: positions of their arrivals.
fn batches(arrivals: &[Arrival]) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (at, arrival) in arrivals.iter().enumerate() {
        match batches.last_mut() {
            Some(last) if last.last().is_some_and(|before| arrivals[*before].batch == arrival.batch) => last.push(at),
            _ => batches.push(vec![at]),
        }
    }
    batches
}

fn drive(
    operator: &mut dyn Execute,
    query: &Spark,
    setup: &Setup,
    arrivals: &[Arrival],
    book: &mut Recorder,
) -> Result<(), Refusal> {
    book.register(DROPPED);
    let two = setup.joins() || arrivals.iter().any(|arrival| arrival.side == Side::Right);
    let watermark = setup.watermark;
    let highest = vec![None; if two { 2 } else { 1 }];
    let mut tracker = Tracker { highest, delay: watermark.delay, policy: watermark.policy, mark: 0 };
    let marked = watermark.delay.is_some();
    let waits = query.no_data_batches && marked && query.mode != OutputMode::Complete && query.query != Query::GroupBy;
    let batches = batches(arrivals);
    let (mut late_below, mut number) = (0, 0);
    for (at, batch) in batches.iter().enumerate() {
        let Some(last) = batch.last() else { continue };
        book.at = At::Step(arrivals[*last].step);
        let rows = batch.iter().filter_map(|at| {
            let event = arrivals[*at].event()?;
            Some(Input { at: *at, side: arrivals[*at].side, key: &event.key, time: event.time })
        });
        let rows: Vec<Input> = rows.collect();
        let mark = tracker.mark;
        for row in &rows {
            book.behind(row.at, marked && row.time <= mark);
        }
        run_batch(operator, &rows, Turn { number, no_data: false, mark, late_below, marked }, book);
        (late_below, number) = (mark, number + 1);
        let mark = tracker.after(&rows);
        let idle = !query.backlog || at + 1 == batches.len();
        if waits && idle && mark > late_below {
            run_batch(operator, &[], Turn { number, no_data: true, mark, late_below, marked }, book);
            (late_below, number) = (mark, number + 1);
        }
        book.check()?;
    }
    Ok(())
}

/// When a batch runs, and by which watermarks.
struct Turn {
    number: u32,
    no_data: bool,
    mark: i64,
    late_below: i64,
    marked: bool,
}

fn run_batch(operator: &mut dyn Execute, rows: &[Input], turn: Turn, book: &mut Recorder) {
    let Turn { number, no_data, mark, late_below, marked } = turn;
    let epoch = Epoch { number, no_data };
    let before = book.counted();
    book.epoch = Some(epoch);
    book.watermark = if marked { mark } else { NEVER };
    let bounds = Bounds { late: marked.then_some(late_below), evict: marked.then_some(mark) };
    operator.batch(rows, bounds, book);
    book.step(Vec::new());
    let dropped = book.counted() - before;
    let rows = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    book.batch(MicroBatch { epoch, at: book.at, rows, watermark: mark, late_below, dropped });
}
