//! How long a channel keeps what was written to it, by record timestamp: at least, typically, at most.
//!
//! What is *not* here: whether results can be made again from it ([`super::replay`]), and the reach of a source's own
//! log. Systems other than Kafka logs keep by time (and by size where one is set); their catalogue entries say how.

use super::{
    map::{Map, Place},
    names,
    need::{Figure, all, bytes, bytes_per_second, derive, lacks, least, seconds},
    partitions,
    rates::Rates,
    skew,
};
use crate::{
    analysis::{
        ChannelReport, SkewReport,
        explain::{Derived, Explained, Formula, MissingWhy, Underivable},
        formulas::{
            log::{self, Longest, Retention, Segments},
            ratio,
        },
    },
    model::{
        Statistic, key,
        words::{CleanupPolicy, TimestampType},
    },
};
use std::sync::Arc;

const REACH: Figure = seconds("replay reach");
const TYPICAL: Figure = seconds("typical replay reach");
const LONGEST: Figure = seconds("longest time a record can stay");

const ERASED: Figure = seconds("longest time its bytes can stay on disk");

const DELETION: &str = "Apache Kafka, UnifiedLog.deletableSegments: whole segments from the oldest, by largest timestamp \
    or while the rest still holds retention.bytes; per partition";

/// How long the bytes of a log last; inputs: the limit, the rate of the fullest partition.
pub(crate) static BY_SIZE: Formula =
    Formula { id: "E1.size", text: "retention.bytes ÷ bytes per second of the fullest partition", source: DELETION };
static BY_SIZE_MEAN: Formula =
    Formula { id: "E1.size.mean", text: "retention.bytes ÷ bytes per second of the mean partition", source: DELETION };
/// What a log keeps at least; inputs: by time, by size.
pub(crate) static GUARANTEED: Formula =
    Formula { id: "E1.guaranteed", text: "min(by time, by size)", source: DELETION };
static KEPT_SO_FAR: Formula = Formula {
    id: "E1.log_start",
    text: "min(by time, by size, age of the oldest record)",
    source: "nothing before the log start offset can be read (DeleteRecords, a young topic)",
};
static SPAN: Formula = Formula {
    id: "E1.span",
    text: "min(segment.ms, segment.bytes ÷ bytes per second)",
    source: "Apache Kafka, LogSegment.shouldRoll",
};
static TYPICALLY: Formula = Formula {
    id: "E1.typical",
    text: "min(by time, by size) + (time in a segment + check interval) ÷ 2",
    source: "average over the time between two deletions; checked against simulated logs",
};
static AT_MOST: Formula = Formula {
    id: "E1.max",
    text: "min(by time + future timestamps + time in a segment, (bytes + one segment) ÷ slowest partition) + check interval + longest silence",
    source: DELETION,
};
static UNLINKED: Formula = Formula {
    id: "E1.erased",
    text: "longest stay + file.delete.delay.ms, while all brokers that hold it run",
    source: "Apache Kafka documentation, Topic Configs: file.delete.delay.ms",
};
static TIERED: Formula = Formula {
    id: "E1.check.tiered",
    text: "check interval + check of what is tiered",
    source: "Apache Kafka documentation, Tiered Storage: segments are deleted from the remote tier by its own task",
};
static COMPACTED: Formula = Formula {
    id: "E3.history",
    text: "min(compaction lag, reach of deletion)",
    source: "Apache Kafka, LogCleaner: all versions are kept for min.compaction.lag.ms",
};
static KEYS_STAY: Formula = Formula {
    id: "E3.max",
    text: "no end: the newest record of a key stays, and merged segments carry the newest timestamp in them",
    source: "Apache Kafka, LogCleaner.groupSegmentsBySize",
};

/// The limits of a channel, read once.
struct Limits {
    time: Derived,
    size: Derived,
    fullest: Derived,
    mean: Derived,
}

impl Limits {
    fn of(map: &Map, at: Place) -> Self {
        let disk = |what| bytes_per_second(what);
        Self {
            time: map.number(at, key::channel::RETENTION_TIME, seconds(names::BY_TIME)),
            size: map.number(at, key::channel::RETENTION_SIZE, bytes(names::RETENTION_SIZE)),
            fullest: map.fullest(at, key::channel::DISK_RATE, disk(names::FULLEST)),
            mean: map.mean(at, key::channel::DISK_RATE, disk("bytes on disk per second, mean partition")),
        }
    }
}

/// The figures of a channel.
pub(super) fn channel(map: &Map, rates: &Rates, site: usize) -> ChannelReport {
    let kafka = is_kafka_log(map.system(site));
    let on_disk = if kafka { partitions::on_disk(map, site) } else { None };
    ChannelReport { needed: partitions::needed(map, rates, site), on_disk, ..kept(map, rates, site) }
}

fn kept(map: &Map, rates: &Rates, site: usize) -> ChannelReport {
    let at = map.sites[site].at;
    let limits = Limits::of(map, at);
    let (busiest, skew) = (skew::busiest(map, site), skew::channel(map, rates, site));
    if !is_kafka_log(map.system(site)) {
        return elsewhere(map, at, &limits, (busiest, skew));
    }
    match map.setting(at, key::channel::CLEANUP_POLICY, REACH.what) {
        Err(why) => {
            let all = |figure: Figure| Err(Underivable { what: figure.what, ..why.clone() });
            ChannelReport {
                reach: all(REACH),
                typical: all(TYPICAL),
                longest: all(LONGEST),
                erased: all(ERASED),
                busiest,
                skew,
                needed: None,
                on_disk: None,
            }
        }
        Ok(CleanupPolicy::Delete) => {
            let check = check_interval(map, site);
            let segment = map.number(at, key::channel::SEGMENT_TIME, seconds("segment time"));
            let segment_size = map.number(at, key::channel::SEGMENT_SIZE, bytes("segment size"));
            let segments = [segment, segment_size, check];
            let longest = longest(map, at, &limits, segments.clone());
            ChannelReport {
                reach: guaranteed(map, at, &limits),
                typical: typical(map, at, &limits, segments),
                erased: erased(at, &longest),
                longest,
                busiest,
                skew,
                needed: None,
                on_disk: None,
            }
        }
        Ok(policy) => {
            let reach = compacted(map, at, &limits, policy);
            let longest = derive(LONGEST, at, &KEYS_STAY, [], f64::INFINITY);
            ChannelReport {
                typical: reach.clone(),
                reach,
                erased: Ok(longest.clone()),
                longest: Ok(longest),
                busiest,
                skew,
                needed: None,
                on_disk: None,
            }
        }
    }
}

/// Kafka and what keeps segments like it; a channel of no stated system is asked like one.
fn is_kafka_log(system: Option<&str>) -> bool {
    matches!(system, None | Some("kafka" | "redpanda"))
}

/// Retention by time, and by size where one is set.
fn elsewhere(map: &Map, at: Place, limits: &Limits, (busiest, skew): (Derived, SkewReport)) -> ChannelReport {
    let reach = if limits.size.is_ok() { guaranteed(map, at, limits) } else { limits.time.clone() };
    let longest = Err(lacks(LONGEST.what, at, key::channel::RETENTION_TIME.field(), MissingWhy::NoForm));
    let erased = Err(lacks(ERASED.what, at, key::channel::RETENTION_TIME.field(), MissingWhy::NoForm));
    ChannelReport { typical: reach.clone(), reach, longest, erased, busiest, skew, needed: None, on_disk: None }
}

fn guaranteed(map: &Map, at: Place, limits: &Limits) -> Derived {
    bounded(map, at, REACH, limits, by_size(at, limits, &limits.fullest, &BY_SIZE))
}

/// The least of time, size and what the log holds by reading.
fn bounded(map: &Map, at: Place, figure: Figure, limits: &Limits, size: Derived) -> Derived {
    let [time, size] = all(figure.what, [limits.time.clone(), size])?;
    let oldest = map.number(at, key::channel::OLDEST_RECORD_AGE, seconds(names::OLDEST));
    Ok(match oldest {
        Ok(oldest) if oldest.value < time.value.min(size.value) => {
            least(figure, at, &KEPT_SO_FAR, [time, size, oldest])
        }
        _ => least(figure, at, &GUARANTEED, [time, size]),
    })
}

fn by_size(at: Place, limits: &Limits, rate: &Derived, formula: &'static Formula) -> Derived {
    let limit = limits.size.clone()?;
    if limit.unbounded() {
        return Ok(limit);
    }
    let rate = rate.clone()?;
    let value = log::guaranteed(Retention { time: f64::INFINITY, bytes: limit.value }, rate.value);
    Ok(derive(seconds(names::BY_SIZE), at, formula, [limit, rate], value))
}

fn typical(map: &Map, at: Place, limits: &Limits, [segment, segment_size, check]: [Derived; 3]) -> Derived {
    let size = by_size(at, limits, &limits.mean, &BY_SIZE_MEAN);
    let base = bounded(map, at, seconds(names::MEAN_REACH), limits, size);
    let span = all(TYPICAL.what, [segment, segment_size, limits.mean.clone()]).map(|[time, size, rate]| {
        let value = time.value.min(ratio(size.value, rate.value));
        derive(seconds("time in a segment"), at, &SPAN, [time, size, rate], value)
    });
    let [base, span, check] = all(TYPICAL.what, [base, span, check])?;
    let value = base.value + (span.value + check.value) / 2.0;
    Ok(derive(TYPICAL, at, &TYPICALLY, [base, span, check], value))
}

fn longest(map: &Map, at: Place, limits: &Limits, [segment, segment_size, check]: [Derived; 3]) -> Derived {
    let slowest = slowest(map, at);
    let gap = map.most(at, key::channel::LONGEST_SILENCE, seconds("longest silence of one partition"));
    let kept = (limits.time.clone(), limits.size.clone());
    let inputs = all(LONGEST.what, [kept.0, kept.1, segment, segment_size, check, future(map, at), gap])?;
    let peak = limits.fullest.clone().ok();
    let [time, size, segment, segment_bytes, check, future, gap] = &inputs;
    let value = log::longest(
        Retention { time: time.value, bytes: size.value },
        Segments { time: segment.value, bytes: segment_bytes.value, check: check.value },
        Longest {
            slowest: slowest.as_ref().map_or(0.0, |rate| rate.value),
            peak: peak.as_ref().map_or(f64::INFINITY, |rate| rate.value),
            future: future.value,
            gap: gap.value,
        },
    );
    let mut inputs = Vec::from(inputs);
    inputs.extend(slowest);
    inputs.extend(peak);
    Ok(derive(LONGEST, at, &AT_MOST, inputs, value))
}

/// When the file is gone too. The delay is rarely changed and no part of a design: it is taken as documented.
fn erased(at: Place, longest: &Derived) -> Derived {
    let longest = longest.clone().map_err(|why| Underivable { what: ERASED.what, ..why })?;
    let reason = "file.delete.delay.ms is not read: the documented 60 s are taken";
    let delay = Explained::assumed("until the file is deleted", Some(at.id), ERASED.unit, 60.0, reason);
    Ok(super::need::sum(ERASED, at, &UNLINKED, [longest, delay]))
}

/// Bytes per second of the slowest partition, where that was read.
fn slowest(map: &Map, at: Place) -> Option<Arc<Explained>> {
    let fact = map.get(at, key::channel::DISK_RATE).fact()?;
    let read = |s: &Statistic| matches!(s, Statistic::Min | Statistic::Partition(_));
    let value = fact.value.statistics.keys().any(read).then(|| fact.value.min())??.bytes();
    let figure = bytes_per_second("bytes on disk per second, slowest partition");
    Some(Explained::fact_by(figure.what, figure.unit, &fact, value, "slowest partition"))
}

/// How far in the future a timestamp may lie; the broker's own timestamps do not.
fn future(map: &Map, at: Place) -> Derived {
    let figure = seconds("furthest accepted timestamp in the future");
    match map.setting(at, key::channel::TIMESTAMP_TYPE, figure.what)? {
        TimestampType::AppendTime => {
            let source = "message.timestamp.type=LogAppendTime: the broker stamps the record itself";
            Ok(Explained::constant(figure.what, figure.unit, 0.0, source))
        }
        TimestampType::CreateTime => map.number(at, key::channel::TIMESTAMP_AFTER_MAX, figure),
    }
}

/// How often segments are looked at for deletion.
pub(super) fn check_interval(map: &Map, site: usize) -> Derived {
    let at = map.sites[site].at;
    let figure = seconds("check interval");
    let local = match map.cluster(site) {
        Some(cluster) => map.number(cluster, key::cluster::RETENTION_CHECK_INTERVAL, figure),
        None => Err(lacks(figure.what, at, key::cluster::RETENTION_CHECK_INTERVAL.field(), MissingWhy::NotKnown)),
    }?;
    if map.value(at, key::channel::TIERED) != Some(true) {
        return Ok(local);
    }
    let reason =
        "remote.log.manager.task.interval.ms is not read: the documented 30 s are taken; the upload comes on top";
    let remote = Explained::assumed("check of what is tiered", Some(at.id), figure.unit, 30.0, reason);
    Ok(super::need::sum(figure, at, &TIERED, [local, remote]))
}

fn compacted(map: &Map, at: Place, limits: &Limits, policy: CleanupPolicy) -> Derived {
    let lag = map.number(at, key::channel::MIN_COMPACTION_LAG, seconds(names::COMPACTION_LAG));
    if policy == CleanupPolicy::Compact {
        return Ok(least(REACH, at, &COMPACTED, [lag?]));
    }
    let [lag, deleted] = all(REACH.what, [lag, guaranteed(map, at, limits)])?;
    Ok(least(REACH, at, &COMPACTED, [lag, deleted]))
}
