//! How often a job can go back, and what it does again when it does; transactions that hang on checkpoints.
//!
//! Checkpoint durations are measured ones: what the slowest task uploads is not told by the state of the job, and the upload rate
//! of all instances together gives no more than the least that a checkpoint can take, which is a rule's.

use super::{
    batches,
    engine::Engine,
    map::{Map, Place, Site, Wire},
    need::{Figure, all, at_most, count, derive, largest, least, seconds, sum, timeout},
    parallelism,
    rates::Rates,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula},
        formulas::{checkpoint as form, product, ratio},
    },
    model::{
        ElementKind, key,
        words::{OutputCommit, ProcessingGuarantee},
    },
};
use std::{cell::OnceCell, sync::Arc};

const FLINK: &str = "Apache Flink, CheckpointRequestDecider: the next trigger is the later of the last trigger plus the \
    interval and the last completion plus the minimum pause";

static PERIOD: Formula = Formula { id: "DUR-3.period", text: "max(interval, duration + minimum pause)", source: FLINK };
static WITH_PAUSE: Formula = Formula { id: "DUR-3.pause", text: "duration + minimum pause", source: FLINK };
static REWIND: Formula =
    Formula { id: "DUR-3.worst", text: "checkpoint period + duration, while no checkpoint fails", source: FLINK };
static REWIND_FAILING: Formula = Formula {
    id: "DUR-3.failing",
    text: "checkpoint period + duration + tolerated failures × max(interval, timeout + minimum pause)",
    source: FLINK,
};
static GIVEN_UP: Formula = Formula {
    id: "DUR-2.given_up",
    text: "no end: the mean duration reaches the timeout",
    source: "Apache Flink documentation, Checkpointing: execution.checkpointing.timeout, a checkpoint that takes longer is discarded",
};
static NOWHERE: Formula = Formula {
    id: "DUR-3.none",
    text: "no checkpoints: everything since the start",
    source: "Apache Flink: without execution.checkpointing.interval there are no checkpoints",
};
static SINCE_COMMIT: Formula = Formula {
    id: "DUR-3.commit",
    text: "everything since the last commit",
    source: "a restart begins at the committed position",
};
static BY_RECORDS: Formula = Formula {
    id: "DUR-3.records",
    text: "records between two commits × members ÷ records per second, on average: fewer records take longer",
    source: "each member commits after so many records of its own",
};
static SLOWEST_COMMIT: Formula = Formula {
    id: "DUR-3.records.most",
    text: "largest over what the job reads",
    source: "a restart begins at each committed position",
};
static BATCH: Formula = Formula {
    id: "DUR-3.batch",
    text: "one micro-batch: what comes between the starts of two",
    source: "Apache Spark, Structured Streaming: the batch that was not committed runs again",
};
static BOUND: Formula = Formula {
    id: "FLK-TXN.bound",
    text: "transaction timeout − checkpoint period − checkpoint duration",
    source: "Apache Kafka aborts a transaction after transaction.timeout.ms; it may be one period and one checkpoint old when the outage begins (Flink, KafkaCommitter)",
};
static REQUIRED: Formula = Formula {
    id: "FLK-TXN.required",
    text: "checkpoint period + checkpoint duration + restart time + margin",
    source: "a transaction must outlive the restart that commits it (Flink, KafkaSink)",
};
static LEAST: Formula = Formula {
    id: "FLK-TXN.least",
    text: "least over the job's outputs",
    source: "the first transaction that is aborted",
};

static SIZE_READ: Formula = Formula { id: "CK-1.read", text: "checkpoint size, largest reading", source: "measured" };
static SIZE_WHOLE: Formula = Formula {
    id: "CK-1.whole",
    text: "all of the state",
    source: "Apache Flink: without execution.checkpointing.incremental every checkpoint holds the whole state",
};

/// Margin of a transaction timeout over what a restart needs.
const MARGIN: f64 = 60.0;

/// Do checkpoints hold this job's position?
pub(super) fn checkpoints(map: &Map, job: usize) -> bool {
    Engine::of(map, job) == Engine::Flink
        && map.value(map.sites[job].at, key::job::PROCESSING_GUARANTEE) != Some(ProcessingGuarantee::Nothing)
}

/// What several figures of a job share, worked out once.
#[derive(Default)]
pub(super) struct Shared {
    duration: OnceCell<Derived>,
    period: OnceCell<Derived>,
    rewind: OnceCell<Derived>,
    pub input: OnceCell<Derived>,
    pub arriving: OnceCell<Derived>,
    pub capacity: OnceCell<Derived>,
}

/// Longest checkpoint duration.
pub(super) fn duration(map: &Map, job: usize) -> Derived {
    let Site { at, shared, .. } = &map.sites[job];
    let duration = || map.most(*at, key::job::CHECKPOINT_DURATION, seconds("checkpoint duration"));
    shared.duration.get_or_init(duration).clone()
}

/// How long a checkpoint takes that counts. One that reaches its time-out is given up: where they do so on average, none is
/// there to go back to, and nothing is committed with one.
pub(super) fn completed(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let taken = duration(map, job)?;
    let mean = map.mean(at, key::job::CHECKPOINT_DURATION, seconds("checkpoint duration"));
    let limit = map.number(at, key::job::CHECKPOINT_TIMEOUT, seconds("checkpoint timeout"));
    match (mean, limit) {
        (Ok(mean), Ok(limit)) if mean.value >= limit.value => {
            Ok(derive(seconds("until a checkpoint completes"), at, &GIVEN_UP, [mean, limit], f64::INFINITY))
        }
        _ => Ok(taken),
    }
}

/// Bytes that a checkpoint writes: as read, else all of the state where checkpoints are not incremental. What an
/// incremental one writes follows from compaction, which only a reading tells.
pub(super) fn size(map: &Map, job: usize, state: &Derived) -> Derived {
    let at = map.sites[job].at;
    let figure = super::need::bytes("checkpoint size");
    let read = map.most(at, key::job::CHECKPOINT_SIZE, figure);
    if read.is_err() && map.value(at, key::job::CHECKPOINT_INCREMENTAL) == Some(false) {
        let state = state.clone()?;
        let value = state.value;
        return Ok(derive(figure, at, &SIZE_WHOLE, [state], value));
    }
    read.map(|read| {
        let value = read.value;
        derive(figure, at, &SIZE_READ, [read], value)
    })
}

/// Time between two checkpoints.
pub(super) fn period(map: &Map, job: usize) -> Derived {
    map.sites[job].shared.period.get_or_init(|| period_of(map, job)).clone()
}

fn period_of(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let inputs = [
        map.number(at, key::job::CHECKPOINT_INTERVAL, seconds("checkpoint interval")),
        completed(map, job),
        map.number(at, key::job::CHECKPOINT_MIN_PAUSE, seconds("minimum pause")),
    ];
    let [interval, duration, pause] = all("checkpoint period", inputs)?;
    let paused = sum(seconds("duration and pause"), at, &WITH_PAUSE, [duration, pause]);
    Ok(largest(seconds("checkpoint period"), at, &PERIOD, [interval, paused]))
}

/// What is done again after a failure, at worst.
pub(super) fn rewind(map: &Map, rates: &Rates, job: usize) -> Derived {
    map.sites[job].shared.rewind.get_or_init(|| rewind_of(map, rates, job)).clone()
}

fn rewind_of(map: &Map, rates: &Rates, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure = at_most("work done again");
    match Engine::of(map, job) {
        Engine::Flink if !checkpoints(map, job) => Ok(derive(figure, at, &NOWHERE, [], f64::INFINITY)),
        Engine::Flink => rewind_checkpoints(map, job, figure),
        Engine::Spark => {
            let batch = batches::event_time(map, at)?;
            let value = batch.value;
            Ok(derive(figure, at, &BATCH, [batch], value))
        }
        Engine::Streams | Engine::Other => {
            let commit = map.number(at, key::job::COMMIT_INTERVAL, seconds("commit interval"));
            let commit = commit.or_else(|why| by_records(map, rates, job).unwrap_or(Err(why)))?;
            let value = commit.value;
            Ok(derive(figure, at, &SINCE_COMMIT, [commit], value))
        }
    }
}

/// How long it takes until all members have committed, where each does so after so many records; none where none is said to.
fn by_records(map: &Map, rates: &Rates, job: usize) -> Option<Derived> {
    let figure = at_most("time between two commits");
    let counts = |wire: &&Wire| map.get(wire.at, key::read::COMMIT_EVERY).is_value();
    let one = |wire: &Wire| {
        let every = map.number(wire.at, key::read::COMMIT_EVERY, count("records between two commits"));
        let inputs = all(figure.what, [every, parallelism::readers(map, job), rates.on(map, wire)]);
        inputs.map(|[every, members, rate]| {
            let value = ratio(product(every.value, members.value), rate.value);
            derive(figure, wire.at, &BY_RECORDS, [every, members, rate], value)
        })
    };
    let mut all_of_them: Vec<Derived> = map.reads(job).filter(counts).map(one).collect();
    match all_of_them.len() {
        0 => None,
        1 => all_of_them.pop(),
        _ => Some(
            super::need::all_of(figure.what, all_of_them)
                .map(|each| largest(figure, map.sites[job].at, &SLOWEST_COMMIT, each)),
        ),
    }
}

fn rewind_checkpoints(map: &Map, job: usize, figure: Figure) -> Derived {
    let at = map.sites[job].at;
    let [period, duration] = all(figure.what, [period(map, job), completed(map, job)])?;
    let failures = map.number(at, key::job::TOLERABLE_FAILED_CHECKPOINTS, super::need::count("tolerated failures"));
    let Some(failures) = failures.ok().filter(|failures| failures.value > 0.0) else {
        return Ok(sum(figure, at, &REWIND, [period, duration]));
    };
    let inputs = [
        map.number(at, key::job::CHECKPOINT_INTERVAL, seconds("checkpoint interval")),
        map.number(at, key::job::CHECKPOINT_TIMEOUT, seconds("checkpoint timeout")),
        map.number(at, key::job::CHECKPOINT_MIN_PAUSE, seconds("minimum pause")),
    ];
    let [interval, timeout, pause] = all(figure.what, inputs)?;
    let value = form::rewind_worst(interval.value, duration.value, pause.value, failures.value, timeout.value);
    Ok(derive(figure, at, &REWIND_FAILING, [period, duration, failures, interval, timeout, pause], value))
}

/// A wire that a checkpoint commits in a transaction of the broker.
pub(super) fn transactional<'m, 'a>(map: &'m Map<'a>, job: usize) -> impl Iterator<Item = Place<'a>> + 'm {
    let flink = checkpoints(map, job);
    map.writes(job)
        .filter(move |wire| {
            flink
                && map.sites[wire.to].element.kind() == ElementKind::Channel
                && map.value(wire.at, key::write::OUTPUT_COMMIT) == Some(OutputCommit::TwoPhase)
        })
        .map(|wire| wire.at)
}

/// Longest outage that the transactions of a job survive; none where it writes in none.
pub(super) fn outage_bound(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let figure = timeout("longest outage without losing a transaction");
    let mut bounds: Vec<Derived> = transactional(map, job)
        .map(|wire| {
            let limit = map.number(wire, key::produce::TRANSACTION_TIMEOUT, seconds("transaction timeout"));
            let [limit, period, duration] = all(figure.what, [limit, period(map, job), completed(map, job)])?;
            let value = form::outage_bound(limit.value, period.value, duration.value);
            Ok(derive(figure, at, &BOUND, [limit, period, duration], value))
        })
        .collect();
    match bounds.len() {
        0 => None,
        1 => bounds.pop(),
        _ => Some(super::need::all_of(figure.what, bounds).map(|bounds| least(figure, at, &LEAST, bounds))),
    }
}

/// Shortest transaction timeout that a restart of this job needs; none where it writes in no transaction.
pub(super) fn required_timeout(map: &Map, job: usize) -> Option<Derived> {
    transactional(map, job).next()?;
    let at = map.sites[job].at;
    let figure = at_most("transaction timeout needed");
    let restart = map.most(at, key::job::RESTART_TIME, seconds("restart time"));
    let inputs = all(figure.what, [period(map, job), completed(map, job), restart]);
    Some(inputs.map(|[period, duration, restart]| {
        let source = "margin of this desk over the longest restart that was read";
        let margin: Arc<Explained> = Explained::constant("margin", figure.unit, MARGIN, source);
        let value = form::required_timeout(period.value, duration.value, restart.value, margin.value);
        derive(figure, at, &REQUIRED, [period, duration, restart, margin], value)
    }))
}
