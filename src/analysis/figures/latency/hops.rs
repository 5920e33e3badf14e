//! The wait of a hop where it is read: lag, polls, triggers, and the transactions that others hold open.
//!
//! What is *not* here: the wait until what is written can be read ([`super::commits`]).

use super::{LAG, Wait, commits, isolation::ByIsolation};
use crate::{
    analysis::{
        explain::{Formula, Inputs, MissingWhy},
        figures::{
            batches,
            engine::Engine,
            map::{Map, Place, Wire},
            need::{derive, lacks, seconds},
            rates::Rates,
            reads, waits,
        },
        formulas::{latency as form, less},
    },
    model::{ElementKind, key, units::Size, words::Isolation},
};
use std::sync::Arc;

static OPEN_TRANSACTIONS: Formula = Formula {
    id: "LAT-E1.stable",
    text: "longest open transaction − what the writer of the record waits itself",
    source: "Apache Kafka documentation, Consumer Configs: isolation.level, a reader of committed records stops at the last stable offset",
};

static BATCH: Formula = Formula {
    id: "LAT-E1.batch",
    text: "time between two batches + duration of a batch",
    source: "Apache Spark, Structured Streaming Programming Guide: Triggers: a record that just misses a batch waits for the next; checked against simulated batches",
};
static TWO_BATCHES: Formula = Formula {
    id: "LAT-E1.batch.two",
    text: "at least 2 × duration of a batch: the one that it missed, and its own",
    source: "Apache Spark, Structured Streaming Programming Guide: Triggers: a batch starts when the one before is done, or later",
};

/// The longest wait on a wire: as measured, else by its two ends.
pub(super) fn hop(map: &Map, rates: &Rates, wire: &Wire) -> ByIsolation<Wait> {
    let measured = map.most(wire.at, key::link::LATENCY, seconds("latency of the hop"));
    if measured.is_ok() {
        // Nothing tells its parts apart: it is the same for all readers.
        let mut committed = Wait::default();
        committed.add(measured);
        return ByIsolation { committed, uncommitted: None };
    }
    let mut committed = before_the_write(map, rates, wire);
    let uncommitted = commits::before_the_commit(map, wire).map(|held| {
        let mut uncommitted = committed.clone();
        uncommitted.add(held);
        uncommitted
    });
    match map.sites[wire.to].element.kind() {
        ElementKind::Channel | ElementKind::Sink => commits::written(map, rates, wire, &mut committed),
        ElementKind::Batch => committed.add(measured),
        _ => {}
    }
    ByIsolation { committed, uncommitted }
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
    if map.value(wire.at, isolation).is_none()
        && map.into(wire.from).any(|writer| commits::ends_in_a_transaction(map, writer))
    {
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
        micro_batch(map, map.sites[map.sites[wire.to].job.unwrap_or(wire.to)].at, wait);
    }
}

/// A record that just misses a batch waits for a whole next, and then that batch takes its time. Of both, what is known.
fn micro_batch<'a>(map: &Map<'a>, job: Place<'a>, wait: &mut Wait) {
    let figure = seconds("until the batch that reads it is done");
    let between = batches::between(map, job, seconds("between two batches"));
    let batch = batches::duration(map, job);
    match (&between, &batch) {
        (Ok(between), Ok(batch)) => {
            let value = form::micro_batch(between.value, batch.value);
            wait.add(Ok(derive(figure, job, &BATCH, [Arc::clone(between), Arc::clone(batch)], value)));
        }
        (Ok(_), Err(_)) => {
            wait.add(between);
            wait.add(batch);
        }
        // Without its trigger at least the batch that it missed and the one that reads it.
        (Err(_), Ok(batch)) => {
            let value = form::micro_batch(0.0, batch.value);
            wait.add(Ok(derive(figure, job, &TWO_BATCHES, [Arc::clone(batch)], value)));
            wait.add(between);
        }
        (Err(_), Err(_)) => {
            wait.add(between);
            wait.add(batch);
        }
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
                commits::written(map, rates, writer, &mut own);
                own
            });
            let least = own.min_by(|a, b| a.total().total_cmp(&b.total())).unwrap_or_default();
            let value = less(longest.value, least.total());
            let inputs: Inputs = std::iter::once(longest).chain(least.terms).collect();
            wait.add(Ok(derive(figure, log, &OPEN_TRANSACTIONS, inputs, value)));
        }
        Err(why) if reads::stands_behind_one(map, wire) || writers().any(|writer| !commits::has_form(map, writer)) => {
            wait.add(Err(why));
        }
        Err(_) => {}
    }
}
