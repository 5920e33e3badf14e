//! What a client of a job holds fetched, and how long it is away from its next poll.

use super::{
    map::{Map, Wire},
    need::{Figure, all, bytes, count, derive, largest, seconds, sum},
    parallelism,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula},
        formulas::{capacity as form, ratio},
    },
    model::{ElementKind, key},
};
use std::sync::Arc;

static FETCHED: Formula = Formula {
    id: "MEM-1",
    text: "⌈partitions ÷ instances⌉ × max.partition.fetch.bytes",
    source: "Apache Kafka, Fetcher: a client fetches for every partition that has nothing buffered; fetch.max.bytes bounds one answer of one broker only (KAFKA-17182)",
};
static ALL: Formula = Formula {
    id: "MEM-1.sum",
    text: "sum over what the job reads",
    source: "an instance reads all channels of its job",
};
static POLL: Formula = Formula {
    id: "POLL-1",
    text: "records of a poll × mean time of a record + the longest time of one",
    source: "KIP-62: processing between two polls counts against max.poll.interval.ms",
};
static SLOWEST: Formula =
    Formula { id: "POLL-1.most", text: "largest over what the job reads", source: "one thread polls and works" };

fn reads<'m, 'a>(map: &'m Map<'a>, job: usize) -> impl Iterator<Item = &'m Wire<'a>> {
    map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel)
}

/// Bytes that one instance can hold fetched and not yet handed over; `None` where no limit of a fetch is known.
pub(super) fn fetched(map: &Map, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let figure = bytes("fetched and not yet handed over, one instance");
    let limited: Vec<_> =
        reads(map, job).filter(|wire| map.get(wire.at, key::read::FETCH_MAX_PARTITION).is_value()).collect();
    if limited.is_empty() {
        return None;
    }
    let instances = map.most(at, key::job::INSTANCES, count("instances")).or_else(|_| parallelism::readers(map, job));
    let of = |wire: &Wire| {
        let limit = map.number(wire.at, key::read::FETCH_MAX_PARTITION, bytes("most that one partition gives"));
        let [partitions, instances, limit] =
            all(figure.what, [parallelism::partitions(map, wire.from), instances.clone(), limit])?;
        let share = ratio(partitions.value, instances.value.max(1.0)).ceil();
        let value = form::fetch_bytes(share, limit.value, 0.0, 0.0, false);
        Ok(derive(figure, at, &FETCHED, [partitions, instances, limit], value))
    };
    let each = super::need::all_of(figure.what, limited.into_iter().map(of));
    Some(each.map(|mut each| if each.len() == 1 { each.swap_remove(0) } else { sum(figure, at, &ALL, each) }))
}

/// How long an instance is away between two polls, at most; `None` where the time of a record is not known.
pub(super) fn poll(map: &Map, job: usize) -> Option<Derived> {
    let figure: Figure = seconds("between two polls");
    let of = |wire: &Wire| -> Derived {
        let mean = map.mean(wire.at, key::read::TIME_PER_RECORD, seconds("mean time of a record"));
        let records = map.number(wire.at, key::read::MAX_POLL_RECORDS, count("records of a poll"));
        let [records, mean] = all(figure.what, [records, mean])?;
        let longest: Option<Arc<Explained>> =
            map.peak(wire.at, key::read::TIME_PER_RECORD, seconds("longest time of a record"));
        let slow = longest.as_ref().map_or(0.0, |longest| longest.value);
        let value = form::poll_takes(records.value, mean.value, 1.0, slow);
        let mut inputs = vec![records, mean];
        inputs.extend(longest);
        Ok(derive(figure, wire.at, &POLL, inputs, value))
    };
    let timed: Vec<_> =
        reads(map, job).filter(|wire| map.get(wire.at, key::read::TIME_PER_RECORD).is_value()).map(of).collect();
    let (known, unknown): (Vec<_>, Vec<_>) = timed.into_iter().partition(Result::is_ok);
    let mut known: Vec<Arc<Explained>> = known.into_iter().flatten().collect();
    match known.len() {
        0 => unknown.into_iter().next(),
        1 => known.pop().map(Ok),
        _ => Some(Ok(largest(figure, map.sites[job].at, &SLOWEST, known))),
    }
}
