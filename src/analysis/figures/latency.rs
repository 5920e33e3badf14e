//! Longest time from an event to its first result at a consumer: the sum of the longest waits on the slowest way.
//!
//! A hop whose wait nobody measured or set has no figure: the sum then is "at least", and what would close it is named.
//! What is *not* here: percentiles (they do not add), and lag after a failure.

use super::{
    checkpoint,
    engine::Engine,
    map::{Map, Wire},
    need::{Figure, all, count, derive, lacks, seconds, sum},
    rates::Rates,
    reads,
    upstream::Upstream,
    waits,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Inputs, Missing, MissingWhy, Underivable},
        formulas::{less, ratio},
    },
    model::{
        Element, ElementKind, key,
        units::Size,
        words::{Isolation, OutputCommit},
    },
};
use std::sync::Arc;

static TOTAL: Formula = Formula {
    id: "LAT-E2.total",
    text: "sum of the longest waits on the slowest way",
    source: "maxima add to a bound",
};
static AT_LEAST: Formula = Formula {
    id: "LAT-E2.at_least",
    text: "at least the sum of the longest waits that are known; hops without a figure come on top",
    source: "maxima add to a bound",
};
static TRANSACTION: Formula = Formula {
    id: "LAT-E1.transaction",
    text: "checkpoint period + checkpoint duration",
    source: "Apache Flink: a two-phase sink commits with the checkpoint after the one that is running",
};

static FLUSHED: Formula = Formula {
    id: "LAT-E1.flush",
    text: "checkpoint period + checkpoint duration, at the latest",
    source: "Apache Flink, SinkWriter.flush: what a sink buffers is written out before a checkpoint completes",
};
static FILLED: Formula = Formula {
    id: "LAT-E1.filled",
    text: "records of a flush ÷ records per second, on average: fewer records take longer",
    source: "Confluent documentation, sink connectors: flush.size",
};
static OPEN_TRANSACTIONS: Formula = Formula {
    id: "LAT-E1.stable",
    text: "longest open transaction − what the writer of the record waits itself",
    source: "Apache Kafka documentation, Consumer Configs: isolation.level, a reader of committed records stops at the last stable offset",
};

const LAG: Figure = seconds("lag");
const FLUSH: Figure = seconds("flush interval");

/// Most hops without a figure that are named.
const MOST_OPEN: usize = 8;

/// The wait at one hop: known terms, and what has no figure.
#[derive(Default)]
pub(super) struct Wait {
    pub terms: Vec<Arc<Explained>>,
    pub open: Vec<Missing>,
}

impl Wait {
    /// Adds a term, or what is missing for it.
    pub fn add(&mut self, term: Derived) {
        match term {
            Ok(term) => self.terms.push(term),
            Err(why) => self.open.extend_from_slice(&why.missing),
        }
    }

    fn total(&self) -> f64 {
        total(&self.terms)
    }
}

fn total(terms: &[Arc<Explained>]) -> f64 {
    terms.iter().map(|term| term.value).sum()
}

/// What has come together up to a site: the longest of all ways, and whether any of them is open.
#[derive(Clone, Default)]
struct Way {
    total: f64,
    open: bool,
    /// The wire that the slowest way comes in by.
    by: Option<usize>,
}

/// Latency of a consumer, and the hops on its slowest way without a figure: where there are any, it is "at least".
pub(super) struct Latency {
    pub figure: Derived,
    pub open: Vec<Missing>,
}

/// Whose eyes a result is seen with: a reader of committed records waits for the commit of a transaction, one that reads
/// uncommitted records does not (Apache Kafka documentation, Consumer Configs: isolation.level).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Committed,
    Uncommitted,
}

impl Seen {
    /// By the reader of a log. Where its isolation is not known, the lesser wait is certain, and `read` asks for it.
    fn by(map: &Map, wire: &Wire) -> Self {
        let log = map.sites[wire.from].element.kind() == ElementKind::Channel;
        match map.value(wire.at, key::read::ISOLATION) {
            None | Some(Isolation::ReadUncommitted) if log => Self::Uncommitted,
            _ => Self::Committed,
        }
    }
}

/// Ways to all sites of a map.
pub(super) struct Latencies {
    ways: Vec<Way>,
    /// Ways to the logs that are written to in transactions, as they are for readers of uncommitted records.
    bare: Vec<Option<Way>>,
    wires: Vec<Wait>,
    /// The waits of the wires that end in transactions, without the commit.
    before_commit: Vec<Option<Wait>>,
    sites: Vec<Wait>,
}

impl Latencies {
    pub fn of(map: &Map, rates: &Rates, upstream: &Upstream) -> Self {
        let wires = map.wires.iter().map(|wire| hop(map, rates, wire)).collect();
        let sites = (0..map.sites.len()).map(|site| waits::operator(map, upstream, site)).collect();
        let before_commit: Vec<_> = map.wires.iter().map(|wire| uncommitted(map, rates, wire)).collect();
        let (ways, bare) = (vec![Way::default(); map.sites.len()], vec![None; map.sites.len()]);
        let mut latencies = Self { ways, bare, wires, before_commit, sites };
        for site in map.order {
            latencies.ways[*site] = latencies.slowest(map, *site, Seen::Committed);
            if map.sites[*site].ins.iter().any(|wire| latencies.before_commit[*wire].is_some()) {
                latencies.bare[*site] = Some(latencies.slowest(map, *site, Seen::Uncommitted));
            }
        }
        latencies
    }

    fn way(&self, site: usize, seen: Seen) -> &Way {
        self.bare[site].as_ref().filter(|_| seen == Seen::Uncommitted).unwrap_or(&self.ways[site])
    }

    fn wire(&self, number: usize, seen: Seen) -> &Wait {
        self.before_commit[number].as_ref().filter(|_| seen == Seen::Uncommitted).unwrap_or(&self.wires[number])
    }

    fn slowest(&self, map: &Map, site: usize, seen: Seen) -> Way {
        let mut way = Way::default();
        for number in map.sites[site].ins {
            let wire = &map.wires[*number];
            if wire.back {
                continue;
            }
            let (before, hop) = (self.way(wire.from, Seen::by(map, wire)), self.wire(*number, seen));
            let own = self.own(wire);
            let total = before.total + hop.total() + own.map_or(0.0, Wait::total);
            way.open |= before.open || !hop.open.is_empty() || own.is_some_and(|own| !own.open.is_empty());
            if way.by.is_none() || total > way.total {
                (way.total, way.by) = (total, Some(*number));
            }
        }
        way
    }

    /// The wait of the operator that a wire leaves: late, rejected and side records do not wait for a window.
    fn own(&self, wire: &Wire) -> Option<&Wait> {
        wire.link.port.is_none().then(|| &self.sites[wire.from])
    }

    /// The latency that a consumer sees.
    pub fn consumer(&self, map: &Map, site: usize) -> Latency {
        // From the consumer back to where its events begin.
        let mut waits: Vec<&Wait> = Vec::with_capacity(16);
        let (mut next, mut seen) = (self.ways[site].by, Seen::Committed);
        while let Some(number) = next {
            let wire = &map.wires[number];
            waits.extend([Some(self.wire(number, seen)), self.own(wire)].into_iter().flatten());
            seen = Seen::by(map, wire);
            next = self.way(wire.from, seen).by;
        }
        let mut terms = Vec::with_capacity(waits.iter().map(|wait| wait.terms.len()).sum());
        for wait in waits.iter().rev() {
            terms.extend_from_slice(&wait.terms);
        }
        let mut open: Vec<Missing> = waits.iter().rev().flat_map(|wait| &wait.open).take(MOST_OPEN).cloned().collect();
        if open.is_empty() && self.ways[site].open {
            open = self.beside(map, site);
            open.truncate(MOST_OPEN);
        }
        let at = map.sites[site].at;
        let figure = seconds("latency");
        if terms.is_empty() {
            let missing = if open.is_empty() {
                lacks(figure.what, at, key::consumer::LATENCY_REQUIREMENT.field(), MissingWhy::NoForm)
            } else {
                Underivable { what: figure.what, missing: open.clone().into() }
            };
            return Latency { figure: Err(missing), open };
        }
        let slowest = terms
            .iter()
            .enumerate()
            .fold((0, f64::NEG_INFINITY), |best, (i, term)| if term.value > best.1 { (i, term.value) } else { best });
        let formula = if self.ways[site].open { &AT_LEAST } else { &TOTAL };
        let value = terms.iter().map(|term| term.value).sum();
        let figure = Explained::derive(figure.what, Some(at.id), figure.unit, formula, terms, value, Some(slowest.0));
        Latency { figure: Ok(figure), open }
    }
}

impl Latencies {
    /// What is open on the other ways: each of them may be the slowest one.
    fn beside(&self, map: &Map, site: usize) -> Vec<Missing> {
        let (mut open, mut gone) = (Vec::<Missing>::new(), vec![false; map.sites.len()]);
        let mut next = vec![(site, Seen::Committed)];
        while let Some((site, seen)) = next.pop() {
            for number in map.sites[site].ins.iter().filter(|number| !map.wires[**number].back) {
                let wire = &map.wires[*number];
                for wait in [Some(self.wire(*number, seen)), self.own(wire)].into_iter().flatten() {
                    open.extend_from_slice(&wait.open);
                }
                let before = Seen::by(map, wire);
                if self.way(wire.from, before).open && !gone[wire.from] && open.len() < MOST_OPEN {
                    gone[wire.from] = true;
                    next.push((wire.from, before));
                }
            }
        }
        open
    }
}

/// The longest wait on a wire: as measured, else by its two ends.
fn hop(map: &Map, rates: &Rates, wire: &Wire) -> Wait {
    let measured = map.most(wire.at, key::link::LATENCY, seconds("latency of the hop"));
    if measured.is_ok() {
        let mut wait = Wait::default();
        wait.add(measured);
        return wait;
    }
    let mut wait = before_the_write(map, rates, wire);
    match map.sites[wire.to].element.kind() {
        ElementKind::Channel | ElementKind::Sink => written(map, rates, wire, &mut wait),
        ElementKind::Batch => wait.add(measured),
        _ => {}
    }
    wait
}

/// What a wire waits for where it begins.
fn before_the_write(map: &Map, rates: &Rates, wire: &Wire) -> Wait {
    let mut wait = Wait::default();
    let (from, to) = (map.sites[wire.from].element.kind(), map.sites[wire.to].element.kind());
    match from {
        ElementKind::Source => take(map, wire, &mut wait),
        ElementKind::Channel => read(map, rates, wire, &mut wait),
        ElementKind::Operator if to == ElementKind::Operator => waits::repartitioned(map, wire, &mut wait),
        ElementKind::Sink if to == ElementKind::Consumer => {
            wait.add(map.number(wire.at, key::serve::REFRESH_INTERVAL, seconds("refresh interval")));
        }
        ElementKind::Sink => take(map, wire, &mut wait),
        _ => {}
    }
    wait
}

/// A poll waits for its interval; a push or a log has no figure of its own.
fn take(map: &Map, wire: &Wire, wait: &mut Wait) {
    let poll = map.number(wire.at, key::take::POLL_INTERVAL, seconds("poll interval"));
    if poll.is_ok() {
        wait.add(poll);
    } else {
        wait.add(Err(lacks("latency of the hop", wire.at, key::link::LATENCY.field(), MissingWhy::NotKnown)));
    }
}

fn read(map: &Map, rates: &Rates, wire: &Wire, wait: &mut Wait) {
    wait.add(map.most(wire.at, key::read::LAG_TIME, LAG));
    open_transactions(map, rates, wire, wait);
    let isolation = key::read::ISOLATION;
    if map.value(wire.at, isolation).is_none() && map.into(wire.from).any(|writer| ends_in_a_transaction(map, writer)) {
        wait.add(Err(lacks("until the transaction commits", wire.at, isolation.field(), MissingWhy::NotKnown)));
    }
    if let Ok(delay) = map.number(wire.at, key::read::DELAY, seconds("delay of the retry")) {
        wait.add(Ok(delay));
    }
    // The broker holds an answer back only until it has fetch.min.bytes, and one byte is enough by default.
    if map.value(wire.at, key::read::FETCH_MIN).is_some_and(|least| least > Size::from_bytes(1)) {
        wait.add(map.number(wire.at, key::read::FETCH_WAIT, seconds("wait for fetch.min.bytes")));
    }
    if Engine::of(map, wire.to) == Engine::Spark {
        let job = map.sites[wire.to].job.unwrap_or(wire.to);
        let figure = seconds("trigger interval");
        // The batch that follows the trigger takes time of its own, which no setting gives.
        wait.add(map.number(map.sites[job].at, key::job::TRIGGER_INTERVAL, figure));
        wait.add(Err(lacks(figure.what, wire.at, key::link::LATENCY.field(), MissingWhy::NotKnown)));
    }
}

/// A reader of committed records waits for every transaction that was open before its record, whoever writes it; what the
/// writer of the record waits for its own is counted at the writer.
fn open_transactions(map: &Map, rates: &Rates, wire: &Wire, wait: &mut Wait) {
    if map.value(wire.at, key::read::ISOLATION) != Some(Isolation::ReadCommitted) {
        return;
    }
    let log = map.sites[wire.from].at;
    let figure = seconds("until open transactions end");
    let writers = || map.into(wire.from).filter(|writer| reads::writes_in_transactions(map, writer));
    match map.number(log, key::channel::LONGEST_OPEN_TRANSACTION, figure) {
        Ok(longest) => {
            let own = writers().map(|writer| {
                let mut own = Wait::default();
                written(map, rates, writer, &mut own);
                own.terms
            });
            let least = own.min_by(|a, b| total(a).total_cmp(&total(b))).unwrap_or_default();
            let value = less(longest.value, total(&least));
            let inputs: Inputs = std::iter::once(longest).chain(least).collect();
            wait.add(Ok(derive(figure, log, &OPEN_TRANSACTIONS, inputs, value)));
        }
        Err(why) if reads::stands_behind_one(map, wire) || writers().any(|writer| !has_form(map, writer)) => {
            wait.add(Err(why));
        }
        Err(_) => {}
    }
}

/// Is the wait for the commit of a writer known by its engine?
fn has_form(map: &Map, writer: &Wire) -> bool {
    map.sites[writer.from].job.is_some() && matches!(Engine::of(map, writer.from), Engine::Flink | Engine::Streams)
}

/// The wait until what is written can be read, by what writes it and into what.
fn written(map: &Map, rates: &Rates, wire: &Wire, wait: &mut Wait) {
    let commit = map.value(wire.at, key::write::OUTPUT_COMMIT);
    let job = map.sites[wire.from].job;
    let engine = job.map_or(Engine::Other, |job| Engine::of(map, job));
    let log = matches!(map.sites[wire.to].element, Element::Channel { .. });
    let flink = job.filter(|job| checkpoint::checkpoints(map, *job));
    match (job, flink) {
        (_, Some(job)) if commit == Some(OutputCommit::TwoPhase) || by_commit(map, wire.to) => {
            wait.add(committed(map, job, &TRANSACTION));
        }
        (Some(job), _) if engine == Engine::Streams => wait.add(waits::streams_commit(map, job)),
        _ if log => wait.add(map.number(wire.at, key::produce::LINGER, seconds("linger"))),
        // A micro-batch writes its rows before it ends: its own time stands where it reads.
        (Some(_), _) if engine == Engine::Spark => {}
        (_, flink) => flushed(map, rates, wire, flink, wait),
    }
    if let Ok(visible) = map.most(map.sites[wire.to].at, key::sink::VISIBILITY_DELAY, seconds("until visible")) {
        wait.add(Ok(visible));
    }
}

/// Does a reader of committed records wait for the commit of this writer, by its engine, and another reader not? Where the
/// wait of the hop is measured, nothing tells the two apart. Pulsar shows uncommitted messages to no consumer (Apache
/// Pulsar documentation, Transactions).
fn ends_in_a_transaction(map: &Map, wire: &Wire) -> bool {
    map.sites[wire.to].element.kind() == ElementKind::Channel
        && map.system(wire.to) != Some("pulsar")
        && reads::writes_in_transactions(map, wire)
        && has_form(map, wire)
        && map.most(wire.at, key::link::LATENCY, seconds("latency of the hop")).is_err()
}

/// The wait of a writer in transactions for a reader of uncommitted records: what its producer or a cache holds back.
fn uncommitted(map: &Map, rates: &Rates, wire: &Wire) -> Option<Wait> {
    let job = map.sites[wire.from].job.filter(|_| ends_in_a_transaction(map, wire))?;
    let mut wait = before_the_write(map, rates, wire);
    if Engine::of(map, job) == Engine::Streams {
        wait.add(waits::streams_cache(map, job));
    } else {
        wait.add(map.number(wire.at, key::produce::LINGER, seconds("linger")));
    }
    Some(wait)
}

/// Tables and files that show what is written only with a commit, which Flink makes when a checkpoint is complete.
fn by_commit(map: &Map, sink: usize) -> bool {
    matches!(map.system(sink), Some("iceberg" | "delta" | "hudi" | "s3" | "gcs" | "hdfs"))
}

/// The buffer in front of a store: by its interval, by the records that fill it, and at the latest by the checkpoint.
fn flushed(map: &Map, rates: &Rates, wire: &Wire, flink: Option<usize>, wait: &mut Wait) {
    let interval = map.number(wire.at, key::store::FLUSH_INTERVAL, FLUSH);
    if interval.is_ok() {
        return wait.add(interval);
    }
    if let Some(job) = flink {
        return wait.add(committed(map, job, &FLUSHED));
    }
    let records = map.number(wire.at, key::store::FLUSH_RECORDS, count("records of a flush"));
    if let Ok([records, rate]) = all(FLUSH.what, [records, rates.on(map, wire)]) {
        let value = ratio(records.value, rate.value);
        wait.add(Ok(derive(FLUSH, wire.at, &FILLED, [records, rate], value)));
    }
    wait.add(interval);
}

static ROOM: Formula = Formula {
    id: "LAG-4",
    text: "limit for latency − all other known waits; zero where they use it up",
    source: "what is left of the limit is what a reader may be behind",
};
static WAITS: Formula =
    Formula { id: "LAG-4.waits", text: "sum of the waits without lag", source: "maxima add to a bound" };

/// Lag that the limit of a consumer for latency leaves.
pub(super) fn lag_room(map: &Map, site: usize, latency: &Derived) -> Option<Derived> {
    let at = map.sites[site].at;
    let limit = map.number(at, key::consumer::LATENCY_REQUIREMENT, seconds("limit for latency")).ok()?;
    let figure = seconds("lag that the limit leaves");
    Some(latency.clone().map(|latency| {
        let waits: Inputs = latency.inputs().iter().filter(|term| term.what != LAG.what).cloned().collect();
        let waits = sum(seconds("other waits"), at, &WAITS, waits);
        let value = less(limit.value, waits.value);
        derive(figure, at, &ROOM, [limit, waits], value)
    }))
}

/// One checkpoint period and one checkpoint.
fn committed(map: &Map, job: usize, formula: &'static Formula) -> Derived {
    let at = map.sites[job].at;
    let figure: Figure = seconds("until the transaction commits");
    let figure = if std::ptr::eq(formula, &FLUSHED) { FLUSH } else { figure };
    let [period, duration] = all(figure.what, [checkpoint::period(map, job), checkpoint::duration(map, job)])?;
    Ok(sum(figure, at, formula, [period, duration]))
}

/// A figure that stands for itself under a formula.
pub(super) fn as_is(
    figure: Figure,
    at: super::map::Place,
    formula: &'static Formula,
    of: Arc<Explained>,
) -> Arc<Explained> {
    let value = of.value;
    derive(figure, at, formula, [of], value)
}
