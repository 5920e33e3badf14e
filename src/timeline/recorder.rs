//! Writes down what an operator does, and makes the timeline of it.

use super::{
    arrival::Arrival,
    limits::{MAX_MEMBERS, Refusal},
    outcome::{
        At, Change, Emission, Epoch, Fate, Late, LateTo, Metric, MicroBatch, PartitionMark, Row, Span, Step, Subject,
        Timeline, Verdict, Why, WindowLife,
    },
    readers,
    watermark::NEVER,
};
use crate::sorted::SortedMap;
use std::cell::Cell;

/// What is known of a record so far.
#[derive(Clone, Default)]
struct Trace {
    behind: bool,
    windows: Vec<Span>,
    missed: Vec<Span>,
    late: Option<LateTo>,
    gone: Option<Why>,
    shown: bool,
}

/// The book of one run. The operator tells it when it is, what it takes in, lets pass, sends and forgets.
pub(super) struct Recorder<'a> {
    arrivals: &'a [Arrival],
    /// Now.
    pub at: At,
    /// Spark: the micro-batch that runs.
    pub epoch: Option<Epoch>,
    /// The operator's watermark now.
    pub watermark: i64,
    traces: Vec<Trace>,
    lives: SortedMap<(u8, String, Span), WindowLife>,
    emissions: Vec<Emission>,
    late: Vec<Late>,
    dropped: Vec<Metric>,
    steps: Vec<Step>,
    batches: Vec<MicroBatch>,
    /// Members of all rows that were made, sent or not: the work done.
    members: Cell<usize>,
}

/// The watermark, unless there is none yet.
fn known(watermark: i64) -> Option<i64> {
    Some(watermark).filter(|watermark| ![NEVER, i64::MAX].contains(watermark))
}

impl<'a> Recorder<'a> {
    pub(super) fn new(arrivals: &'a [Arrival]) -> Self {
        Self {
            arrivals,
            at: At::Step(0),
            epoch: None,
            watermark: NEVER,
            traces: vec![Trace::default(); arrivals.len()],
            lives: SortedMap::new(),
            emissions: Vec::new(),
            late: Vec::new(),
            dropped: Vec::new(),
            steps: Vec::new(),
            batches: Vec::new(),
            members: Cell::new(0),
        }
    }

    /// The operator has this drop counter.
    pub(super) fn register(&mut self, name: &'static str) {
        self.dropped.push(Metric { name, value: 0 });
    }

    /// It counts.
    pub(super) fn count(&mut self, name: &'static str, many: u64) {
        if let Some(metric) = self.dropped.iter_mut().find(|metric| metric.name == name) {
            metric.value += many;
        }
    }

    /// All counters together.
    pub(super) fn counted(&self) -> u64 {
        self.dropped.iter().map(|metric| metric.value).sum()
    }

    /// A record comes: whether it is behind the watermark.
    pub(super) fn behind(&mut self, event: usize, behind: bool) {
        self.traces[event].behind = behind;
    }

    /// A window takes it in.
    pub(super) fn accept(&mut self, subject: Subject, stage: u8, key: &str, span: Span) {
        if let Subject::Event(event) = subject {
            self.traces[event].windows.push(span);
        }
        self.open(stage, key, span);
    }

    /// A window is there from now on.
    pub(super) fn open(&mut self, stage: u8, key: &str, span: Span) {
        let at = self.at;
        self.lives.entry((stage, key.to_owned(), span)).or_insert_with(|| WindowLife {
            stage,
            key: key.to_owned(),
            span,
            opened: at,
            first_result: None,
            last_result: None,
            results: 0,
            purged: None,
        });
    }

    /// It is too late for this window.
    pub(super) fn miss(&mut self, event: usize, span: Span) {
        self.traces[event].missed.push(span);
    }

    /// It is too late for all.
    pub(super) fn late(&mut self, subject: Subject, stage: u8, to: LateTo) {
        if let Subject::Event(event) = subject {
            self.traces[event].late = Some(to);
        }
        self.late.push(Late { subject, stage, to });
    }

    /// If no result has it, none will.
    pub(super) fn gone(&mut self, event: usize, why: Why) {
        self.traces[event].gone = Some(why);
    }

    /// A window's state is dropped, or its session merged into a longer one.
    pub(super) fn purge(&mut self, stage: u8, key: &str, span: Span) {
        let at = self.at;
        if let Some(life) = self.lives.get_mut(&(stage, key.to_owned(), span)) {
            life.purged.get_or_insert(at);
        }
    }

    /// A result is sent. Where it stands among the emissions.
    pub(super) fn emit(&mut self, stage: u8, leaves: bool, change: Change, row: Row) -> usize {
        self.members.set(self.members.get() + 1);
        let shows = !matches!(change, Change::UpdateBefore | Change::Delete | Change::Tombstone);
        if shows {
            self.show(&row);
            let life = row.key.clone().zip(row.window).and_then(|(key, span)| self.lives.get_mut(&(stage, key, span)));
            if let Some(life) = life {
                life.first_result.get_or_insert(self.at);
                life.last_result = Some(self.at);
                life.results += 1;
            }
        }
        let (at, epoch, watermark) = (self.at, self.epoch, known(self.watermark));
        self.emissions.push(Emission { at, epoch, stage, leaves, change, row, watermark });
        self.emissions.len() - 1
    }

    fn show(&mut self, row: &Row) {
        let pair = row.pair.iter().flatten().flatten();
        for event in row.events.iter().chain(pair) {
            self.traces[*event].shown = true;
        }
    }

    /// A row sent before.
    pub(super) fn row(&self, emission: usize) -> &Row {
        &self.emissions[emission].row
    }

    /// A row of the members: positions of arrivals in stage 1, of emissions in stage 2.
    pub(super) fn fold(&self, stage: u8, key: &str, window: Option<Span>, members: &[usize]) -> Row {
        let mut row = Row { key: Some(key.to_owned()), window, ..Row::default() };
        self.members.set(self.members.get() + members.len());
        row.count = i64::try_from(members.len()).unwrap_or(i64::MAX);
        for member in members {
            let value = match stage {
                1 => self.arrivals[*member].event().map_or(0, |event| event.value),
                _ => self.emissions[*member].row.sum,
            };
            row.sum = row.sum.saturating_add(value);
        }
        let into = if stage == 1 { &mut row.events } else { &mut row.rows };
        into.extend_from_slice(members);
        row
    }

    /// The watermark as it is now belongs to the step.
    pub(super) fn step(&mut self, partitions: Vec<PartitionMark>) {
        self.steps.push(Step { at: self.at, watermark: known(self.watermark), partitions });
    }

    /// A micro-batch is done.
    pub(super) fn batch(&mut self, batch: MicroBatch) {
        self.batches.push(batch);
    }

    /// Whether it is still little enough to be shown.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.members.get() <= MAX_MEMBERS {
            return Ok(());
        }
        let text = format!("the results hold more than {MAX_MEMBERS} records together: use fewer arrivals or windows");
        Err(Refusal::TooMuch(text))
    }

    /// The timeline.
    pub(super) fn finish(self, by_record: bool) -> Timeline {
        let records = self.arrivals.iter().zip(self.traces).enumerate();
        let records = records.filter(|(_, (arrival, _))| arrival.event().is_some());
        let fates = records.map(|(event, (_, trace))| {
            let verdict = match (trace.shown, trace.late, trace.gone) {
                (true, ..) if trace.missed.is_empty() => Verdict::Counted,
                (true, ..) => Verdict::PartlyCounted,
                (false, Some(to), _) => Verdict::Late(to),
                (false, None, Some(why)) => Verdict::Gone(why),
                (false, None, None) => Verdict::Waiting,
            };
            Fate { event, behind: trace.behind, windows: trace.windows, missed: trace.missed, verdict }
        });
        Timeline {
            fates: fates.collect(),
            steps: self.steps,
            batches: self.batches,
            windows: self.lives.into_values().collect(),
            readers: readers::read(&self.emissions, by_record),
            emissions: self.emissions,
            late: self.late,
            dropped: self.dropped,
        }
    }
}
