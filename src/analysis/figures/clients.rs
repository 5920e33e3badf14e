//! What a client of a job holds fetched, and how long it is away from its next poll.

use super::{
    engine::Engine,
    map::{Map, Wire},
    need::{Figure, all, at_most, bytes, count, derive, largest, seconds, sum},
    parallelism,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula},
        formulas::{capacity as form, product, ratio},
    },
    catalog::Version,
    model::{ElementKind, key, words::Client},
};
use std::sync::Arc;

static FETCHED: Formula = Formula {
    id: "MEM-1",
    text: "⌈partitions ÷ instances⌉ × max.partition.fetch.bytes",
    source: "Apache Kafka, Fetcher: a client fetches for every partition that has nothing buffered; fetch.max.bytes bounds one answer of one broker only (KAFKA-17182)",
};
static FETCHED_BY_ANSWER: Formula = Formula {
    id: "MEM-1.answers",
    text: "min(⌈partitions ÷ instances⌉ × max.partition.fetch.bytes, brokers × fetch.max.bytes)",
    source: "KAFKA-17182, Apache Kafka 4.1: a client asks no broker of which it has anything buffered, so that it holds one answer of each",
};
static BUFFERED: Formula = Formula {
    id: "MEM-1.buffer",
    text: "⌈partitions ÷ instances⌉ × buffer of one partition",
    source: "a sink connector gathers records of each partition until it writes them (Snowflake connector, buffer.size.bytes)",
};
static ALL: Formula = Formula {
    id: "MEM-1.sum",
    text: "sum over what the job reads and what it gathers before a write",
    source: "an instance reads all channels of its job",
};
static POLL: Formula = Formula {
    id: "POLL-1",
    text: "records of a poll × mean time of a record + the longest time of one, or how long one is tried again",
    source: "KIP-62: processing between two polls counts against max.poll.interval.ms; a Connect task tries again in the thread that polls (errors.retry.timeout)",
};
static SLOWEST: Formula =
    Formula { id: "POLL-1.most", text: "largest over what the job reads", source: "one thread polls and works" };

static PARTITIONS: Formula =
    Formula { id: "MEM-1.partitions", text: "sum over what the job reads", source: "each has a buffer of its own" };

const BETWEEN: Figure = at_most("between two polls");

/// How long a record is tried again in the thread that polls, where that is limited.
fn tried_again(map: &Map, job: usize) -> Option<Arc<Explained>> {
    if matches!(Engine::of(map, job), Engine::Flink | Engine::Spark) {
        return None;
    }
    map.number(map.sites[job].at, key::job::ERROR_RETRY_TIME, seconds("how long one record is tried again")).ok()
}

fn reads<'m, 'a>(map: &'m Map<'a>, job: usize) -> impl Iterator<Item = &'m Wire<'a>> {
    map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel)
}

/// Bytes that one instance can hold fetched and not yet handed over; `None` where no limit of a fetch is known.
pub(super) fn fetched(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let figure = bytes("fetched and not yet handed over, one instance");
    let limited: Vec<_> =
        reads(map, job).filter(|wire| map.get(wire.at, key::read::FETCH_MAX_PARTITION).is_value()).collect();
    let gathered: Vec<_> =
        map.writes(job).filter(|wire| map.get(wire.at, key::store::BUFFER_SIZE).is_value()).collect();
    if limited.is_empty() && gathered.is_empty() {
        return None;
    }
    let instances = map.most(at, key::job::INSTANCES, count("instances")).or_else(|_| parallelism::readers(map, job));
    let of = |wire: &Wire| {
        let limit = map.number(wire.at, key::read::FETCH_MAX_PARTITION, bytes("most that one partition gives"));
        let [partitions, instances, limit] =
            all(figure.what, [parallelism::partitions(map, wire.from), instances.clone(), limit])?;
        let share = share(&partitions, &instances);
        let Some([brokers, answer]) = answers(map, job, wire) else {
            let value = form::fetch_bytes(share, limit.value, 0.0, 0.0, false);
            return Ok(derive(figure, at, &FETCHED, [partitions, instances, limit], value));
        };
        let value = form::fetch_bytes(share, limit.value, brokers.value, answer.value, true);
        Ok(derive(figure, at, &FETCHED_BY_ANSWER, vec![partitions, instances, limit, brokers, answer], value))
    };
    let before_a_write = |wire: &Wire| {
        let buffer = map.number(wire.at, key::store::BUFFER_SIZE, bytes("buffer of one partition"));
        let read =
            super::need::all_of(figure.what, reads(map, job).map(|wire| parallelism::partitions(map, wire.from)));
        let read = read.map(|mut read| match read.len() {
            1 => read.swap_remove(0),
            _ => sum(count("partitions"), at, &PARTITIONS, read),
        });
        let [partitions, instances, buffer] = all(figure.what, [read, instances.clone(), buffer])?;
        let value = product(share(&partitions, &instances), buffer.value);
        Ok(derive(figure, at, &BUFFERED, [partitions, instances, buffer], value))
    };
    let each = limited.into_iter().map(of).chain(gathered.into_iter().map(before_a_write));
    let each = super::need::all_of(figure.what, each);
    Some(each.map(|mut each| if each.len() == 1 { each.swap_remove(0) } else { sum(figure, at, &ALL, each) }))
}

/// Partitions of the instance with most of them.
fn share(partitions: &Explained, instances: &Explained) -> f64 {
    ratio(partitions.value, instances.value.max(1.0)).ceil()
}

/// Brokers, and the largest answer of one, where the client is known to hold no more than one of each.
fn answers(map: &Map, job: usize, wire: &Wire) -> Option<[Arc<Explained>; 2]> {
    let at = map.sites[job].at;
    // Kafka Streams is released with its client, under one version.
    let streams = Engine::of(map, job) == Engine::Streams && map.system(job) == Some("kafka_streams");
    let own = || map.value(at, key::job::VERSION).filter(|_| streams);
    let version = map.value(at, key::job::CLIENT_VERSION).or_else(own).and_then(|version| Version::read(&version))?;
    let client = map.value(at, key::job::CLIENT).or(streams.then_some(Client::Java));
    if client? != Client::Java || version < Version(4, 1) {
        return None;
    }
    let brokers = map.number(map.cluster(wire.from)?, key::cluster::BROKERS, count("brokers")).ok()?;
    let answer = map.number(wire.at, key::read::FETCH_MAX, bytes("most that one answer gives")).ok()?;
    Some([brokers, answer])
}

/// How long an instance is away between two polls of a channel, at most.
pub(super) fn between_polls(map: &Map, job: usize, wire: &Wire) -> Derived {
    let mean = map.mean(wire.at, key::read::TIME_PER_RECORD, seconds("mean time of a record"));
    let records = map.number(wire.at, key::read::MAX_POLL_RECORDS, count("records of a poll"));
    let [records, mean] = all(BETWEEN.what, [records, mean])?;
    let longest: Option<Arc<Explained>> =
        map.peak(wire.at, key::read::TIME_PER_RECORD, seconds("longest time of a record"));
    let tried =
        tried_again(map, job).filter(|tried| longest.as_ref().is_none_or(|longest| tried.value > longest.value));
    let longest = tried.or(longest);
    let slow = longest.as_ref().map_or(0.0, |longest| longest.value);
    let value = form::poll_takes(records.value, mean.value, 1.0, slow);
    let mut inputs = vec![records, mean];
    inputs.extend(longest);
    Ok(derive(BETWEEN, wire.at, &POLL, inputs, value))
}

/// How long an instance is away between two polls, at most; `None` where the time of a record is not known.
pub(super) fn poll(map: &Map, job: usize) -> Option<Derived> {
    let figure = BETWEEN;
    let timed = reads(map, job).filter(|wire| map.get(wire.at, key::read::TIME_PER_RECORD).is_value());
    let timed: Vec<_> = timed.map(|wire| between_polls(map, job, wire)).collect();
    let (known, unknown): (Vec<_>, Vec<_>) = timed.into_iter().partition(Result::is_ok);
    let mut known: Vec<Arc<Explained>> = known.into_iter().flatten().collect();
    match known.len() {
        0 => unknown.into_iter().next(),
        1 => known.pop().map(Ok),
        _ => Some(Ok(largest(figure, map.sites[job].at, &SLOWEST, known))),
    }
}
