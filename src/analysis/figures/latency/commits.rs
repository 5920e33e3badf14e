//! The wait until what is written can be read: commits of transactions and checkpoints, buffers that are flushed, visibility.
//!
//! What is *not* here: the commit of Kafka Streams, which a repartition waits for too ([`waits::streams_commit`]).

use super::Wait;
use crate::{
    analysis::{
        explain::{Derived, Formula},
        figures::{
            checkpoint,
            engine::Engine,
            map::{Map, Wire},
            need::{Figure, all, count, derive, seconds},
            rates::Rates,
            reads, waits,
        },
        formulas::{latency as form, ratio},
    },
    model::{Element, ElementKind, key, words::OutputCommit},
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
const COMMITTED: Figure = seconds("until the transaction commits");
const FLUSH: Figure = seconds("flush interval");

/// Is the wait for the commit of a writer known by its engine?
pub(super) fn has_form(map: &Map, writer: &Wire) -> bool {
    map.sites[writer.from].job.is_some() && matches!(Engine::of(map, writer.from), Engine::Flink | Engine::Streams)
}

/// The wait until what is written can be read, by what writes it and into what.
pub(super) fn written(map: &Map, rates: &Rates, wire: &Wire, wait: &mut Wait) {
    let commit = map.value(wire.at, key::write::OUTPUT_COMMIT);
    let job = map.sites[wire.from].job;
    let engine = job.map_or(Engine::Other, |job| Engine::of(map, job));
    let log = matches!(map.sites[wire.to].element, Element::Channel { .. });
    let flink = job.filter(|job| checkpoint::checkpoints(map, *job));
    match (job, flink) {
        (_, Some(job)) if commit == Some(OutputCommit::TwoPhase) || by_commit(map, wire.to) => {
            wait.add(checkpointed(map, job, COMMITTED, &TRANSACTION));
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
pub(super) fn ends_in_a_transaction(map: &Map, wire: &Wire) -> bool {
    map.sites[wire.to].element.kind() == ElementKind::Channel
        && map.system(wire.to) != Some("pulsar")
        && reads::writes_in_transactions(map, wire)
        && has_form(map, wire)
        && map.most(wire.at, key::link::LATENCY, seconds("latency of the hop")).is_err()
}

/// What a writer in transactions makes a reader of uncommitted records wait for: what its producer or a cache holds back.
/// `None` where both readers wait alike.
pub(super) fn before_the_commit(map: &Map, wire: &Wire) -> Option<Derived> {
    let job = map.sites[wire.from].job.filter(|_| ends_in_a_transaction(map, wire))?;
    Some(match Engine::of(map, job) {
        Engine::Streams => waits::streams_cache(map, job),
        _ => map.number(wire.at, key::produce::LINGER, seconds("linger")),
    })
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
        return wait.add(checkpointed(map, job, FLUSH, &FLUSHED));
    }
    let records = map.number(wire.at, key::store::FLUSH_RECORDS, count("records of a flush"));
    if let Ok([records, rate]) = all(FLUSH.what, [records, rates.on(map, wire)]) {
        let value = ratio(records.value, rate.value);
        wait.add(Ok(derive(FLUSH, wire.at, &FILLED, [records, rate], value)));
    }
    wait.add(interval);
}

/// One checkpoint period and one checkpoint.
fn checkpointed(map: &Map, job: usize, figure: Figure, formula: &'static Formula) -> Derived {
    let [period, duration] = all(figure.what, [checkpoint::period(map, job), checkpoint::completed(map, job)])?;
    let value = form::transaction(period.value, duration.value);
    Ok(derive(figure, map.sites[job].at, formula, [period, duration], value))
}
