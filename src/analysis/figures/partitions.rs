//! How many partitions a channel needs for its peak, and what it takes on disk.

use super::{
    map::{Map, Place},
    names,
    need::{Figure, all, bytes, bytes_per_second, count, derive, lacks, largest},
    parallelism,
    rates::Rates,
    reach, skew,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, MissingWhy, Unit},
        formulas::{capacity as form, product, ratio, skew as hashing},
    },
    model::{
        Element, Id, Port, key,
        units::SizeUnit,
        words::{CapacityMode, CleanupPolicy},
    },
};
use std::sync::Arc;

static BYTES: Formula = Formula {
    id: "CAP-1.bytes",
    text: "peak rate × size of an event",
    source: "before compression and replication, as measured",
};
static EVEN: Formula = Formula {
    id: "CAP-1",
    text: "⌈bytes × headroom ÷ what one partition does⌉, with even keys: no fewer will do",
    source: "a partition is written by one leader and read by one member of a group",
};
static UNEVEN: Formula = Formula {
    id: "CAP-1.keys",
    text: "fewest partitions whose busiest does its part in 95 of 100 assignments of keys; all keys but the top one taken as equal",
    source: "Bernstein's inequality over hashed keys; above the simulated value in 400 of 400 distributions",
};
static SHARDS: Formula = Formula {
    id: "CAP-3",
    text: "largest of ⌈bytes × headroom ÷ 1 MB/s⌉, ⌈records × headroom ÷ 1 000/s⌉, ⌈bytes × headroom × readers that share it ÷ 2 MB/s⌉",
    source: "Amazon Kinesis Data Streams documentation, Quotas and limits: of a shard 1 MB/s and 1 000 records/s in, 2 MB/s out for all readers without enhanced fan-out together",
};
static BOTH: Formula =
    Formula { id: "CAP-1.most", text: "largest of what writing and reading need", source: "the slower side decides" };
static ON_DISK_AT_LEAST: Formula = Formula {
    id: "E1.disk.at_least",
    text: "at least partitions × (retention.bytes + one segment), one copy; what comes until the next check is on top",
    source: "Apache Kafka, UnifiedLog.deletableSegments: whole segments, while the rest still holds retention.bytes; per partition",
};
static ON_DISK: Formula = Formula {
    id: "E1.disk",
    text: "partitions × (retention.bytes + one segment + bytes per second of the fullest partition × check interval), one copy",
    source: "Apache Kafka, UnifiedLog.deletableSegments: whole segments, while the rest still holds retention.bytes; per partition, and only so often (log.retention.check.interval.ms)",
};

/// Partitions that a channel needs at peak; `None` where nobody measured what one partition does.
pub(super) fn needed(map: &Map, rates: &Rates, site: usize) -> Option<Derived> {
    if map.system(site) == Some("kinesis")
        && map.value(map.sites[site].at, key::channel::CAPACITY_MODE) == Some(CapacityMode::Provisioned)
    {
        return Some(shards(map, rates, site));
    }
    let at = map.sites[site].at;
    let sides = [
        (key::channel::PARTITION_WRITE_CAPACITY, "what one partition takes"),
        (key::channel::PARTITION_READ_CAPACITY, "what one partition gives"),
    ];
    let measured = sides.map(|(key, what)| map.number(at, key, bytes_per_second(what)).ok());
    if measured.iter().all(Option::is_none) {
        return None;
    }
    let figure = count("partitions needed");
    Some(arriving(map, rates, site).map(|arriving| {
        let headroom = headroom(map, at);
        let keys = skew::keyed(map, site);
        let one = |capacity: Arc<Explained>| {
            let even = form::partitions_needed(arriving.value, headroom.value, capacity.value, f64::INFINITY, 1.0);
            let mut inputs = vec![Arc::clone(&arriving), Arc::clone(&headroom), Arc::clone(&capacity)];
            let Some((top, keys)) = keys.clone() else { return derive(figure, at, &EVEN, inputs, even) };
            let part =
                |partitions| arriving.value * headroom.value * hashing::hot_share_of(top.value, keys.value, partitions);
            let value = form::fewest(even, |partitions| part(partitions) <= capacity.value);
            inputs.extend([top, keys]);
            derive(figure, at, &UNEVEN, inputs, value)
        };
        let mut needed: Vec<_> = measured.into_iter().flatten().map(one).collect();
        if needed.len() == 1 { needed.swap_remove(0) } else { largest(figure, at, &BOTH, needed) }
    }))
}

/// Shards that a provisioned stream needs. Readers without throughput of their own share what a shard gives; one of which that was
/// not read is taken to be one of them.
fn shards(map: &Map, rates: &Rates, site: usize) -> Derived {
    const MB: f64 = SizeUnit::Megabyte.bytes() as f64;
    let at = map.sites[site].at;
    let figure = count("partitions needed");
    let [bytes, records] = all(figure.what, [arriving(map, rates, site), rates.most_at(site)])?;
    let headroom = headroom(map, at);
    let mut readers: Vec<(usize, Option<bool>)> = Vec::new();
    for wire in map.out_of(site) {
        let reader = map.sites[wire.to].job.unwrap_or(wire.to);
        let own = map.value(wire.at, key::read::DEDICATED_THROUGHPUT);
        match readers.iter_mut().find(|(known, _)| *known == reader) {
            Some((_, known)) => *known = known.and(own),
            None => readers.push((reader, own)),
        }
    }
    let shared = readers.iter().filter(|(_, own)| *own != Some(true)).count();
    #[expect(clippy::cast_precision_loss, reason = "readers of a stream are few")]
    let shared = shared as f64;
    let what = "readers that share a shard's throughput";
    let sharing = if readers.iter().any(|(_, own)| own.is_none()) {
        let reason = "not read of all: those without enhanced fan-out share it";
        Explained::assumed(what, Some(at.id), Unit::Count, shared, reason)
    } else {
        Explained::constant(what, Unit::Count, shared, "links that read the stream")
    };
    let by_bytes = form::partitions_needed(bytes.value, headroom.value, MB, ratio(2.0 * MB, shared), 1.0);
    let value = form::partitions_needed(records.value, headroom.value, 1000.0, f64::INFINITY, by_bytes);
    Ok(derive(figure, at, &SHARDS, vec![bytes, records, headroom, sharing], value))
}

fn headroom(map: &Map, at: Place) -> Arc<Explained> {
    let headroom = map.number(at, key::channel::GROWTH_HEADROOM, Figure { what: "headroom", unit: Unit::Ratio });
    headroom.unwrap_or_else(|_| {
        Explained::assumed("headroom", Some(at.id), Unit::Ratio, 1.0, "no growth is stated: none is planned for")
    })
}

/// Records are counted; what one of them weighs is with its event type.
const NO_SIZE: MissingWhy =
    MissingWhy::NoForm("no event type says how large a record is; name the event at the source");

/// Bytes that are written to a channel at peak.
fn arriving(map: &Map, rates: &Rates, site: usize) -> Derived {
    let figure = bytes_per_second("bytes at peak");
    let at = map.sites[site].at;
    let size = match event(map, site) {
        Some(event) => map.mean(event, key::event::SIZE, bytes("size of an event")),
        None => Err(lacks(figure.what, at, key::channel::RATE.field(), NO_SIZE)),
    };
    let [rate, size] = all(figure.what, [rates.most_at(site), size])?;
    let value = rate.value * size.value;
    Ok(derive(figure, at, &BYTES, [rate, size], value))
}

/// The one event type that is written to a channel.
fn event<'a>(map: &Map<'a>, site: usize) -> Option<Place<'a>> {
    let mut found: Option<&Id> = None;
    for wire in map.into(site) {
        // Late and dead-letter outputs carry what came in, not what the operator makes of it.
        let rest = matches!(wire.link.port, Some(Port::Late | Port::DeadLetter));
        let event = match map.sites[wire.from].element {
            Element::Source { event } => event.as_ref(),
            Element::Operator { emits, .. } if !rest => emits.as_ref(),
            _ => None,
        }?;
        if found.is_some_and(|found| found != event) {
            return None;
        }
        found = Some(event);
    }
    let (id, subject) = map.design.events.get_key_value(found?)?;
    Some(Place::beside(id, subject))
}

/// Most bytes on disk of one copy of a channel; `None` where no size limits it: compaction alone deletes by none.
pub(super) fn on_disk(map: &Map, site: usize) -> Option<Derived> {
    let at = map.sites[site].at;
    let figure = bytes("most on disk, one copy");
    if map.value(at, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact) {
        return None;
    }
    let limit = map.number(at, key::channel::RETENTION_SIZE, bytes(names::RETENTION_SIZE)).ok()?;
    if limit.unbounded() {
        return None;
    }
    let segment = map.number(at, key::channel::SEGMENT_SIZE, bytes("segment size"));
    let rate = map.fullest(at, key::channel::DISK_RATE, bytes_per_second(names::FULLEST));
    let policy = map.setting(at, key::channel::CLEANUP_POLICY, figure.what);
    let inputs = all(figure.what, [parallelism::partitions(map, site), Ok(limit), segment]);
    Some(policy.and(inputs).map(|[partitions, limit, segment]| {
        let one = limit.value + segment.value;
        let Ok([rate, check]) = all(figure.what, [rate, reach::check_interval(map, site)]) else {
            let value = product(partitions.value, one);
            let figure = bytes("on disk at its limit, one copy, at least");
            return derive(figure, at, &ON_DISK_AT_LEAST, [partitions, limit, segment], value);
        };
        let value = product(partitions.value, one + product(rate.value, check.value));
        derive(figure, at, &ON_DISK, [partitions, limit, segment, rate, check], value)
    }))
}
