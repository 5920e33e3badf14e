//! How long a channel keeps what was written to it, by record timestamp: at least, typically, at most.
//!
//! What is *not* here: whether results can be made again from it ([`super::replay`]), and the reach of a source's own
//! log. Systems other than Kafka logs keep by time (and by size where one is set); their catalogue entries say how.

use super::{
    map::{Map, Place},
    names,
    need::{Figure, all, as_is, at_least, at_most, bytes, bytes_per_second, derive, lacks, least, one_of, seconds},
    partitions,
    rates::Rates,
    skew,
};
use crate::{
    analysis::{
        ChannelReport,
        explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
        formulas::log::{self, Longest, Retention, Segments},
    },
    catalog::{self, ChannelKind},
    model::{
        Statistic, key,
        words::{CleanupPolicy, TimestampType},
    },
};
use std::sync::Arc;

const REACH: Figure = at_least("replay reach");
const TYPICAL: Figure = seconds("typical replay reach");
const LONGEST: Figure = at_most("longest time a record can stay");

const ERASED: Figure = at_most("longest time its bytes can stay on disk");

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
/// What is left of a time from the append on; inputs: the time, the delay.
pub(crate) static FROM_APPEND: Formula = Formula {
    id: "E1.append",
    text: "by time − delay before the append",
    source: "retention counts from the timestamp, which the producer set before the append; checked against simulated logs",
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
static ACKNOWLEDGED: Formula = Formula {
    id: "MAN-5",
    text: "nothing: what was acknowledged is deleted",
    source: "Amazon SQS Developer Guide, Message lifecycle; RabbitMQ documentation, Consumer Acknowledgements; Azure Service Bus documentation, Message settlement",
};
/// Of how long ago a compacted log still has every version.
pub(crate) static COMPACTED: Formula = Formula {
    id: "E3.history",
    text: "min(compaction lag, reach of deletion)",
    source: "Apache Kafka, LogCleaner: all versions are kept for min.compaction.lag.ms",
};
/// That the newest record of each key stays.
pub(crate) static KEYS_STAY: Formula = Formula {
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
    /// Has the product a limit by size? Then one that was not read is none that is not there.
    by_size: bool,
    kafka: bool,
}

impl Limits {
    fn of(map: &Map, site: usize) -> Self {
        let at = map.sites[site].at;
        let version = map.value(at, key::channel::VERSION);
        let entry = map.graph.nodes[site].entry.and_then(|entry| entry.channel);
        let limits = entry.map_or(catalog::Limits::BOTH, |channel| channel.limits);
        let disk = |what| bytes_per_second(what);
        let time = map.number(at, key::channel::RETENTION_TIME, seconds(names::BY_TIME));
        let always = entry.and_then(|channel| channel.kept_for).map(|kept| {
            let source = "the product keeps it so long, and no setting changes that";
            Ok(Explained::constant(names::BY_TIME, Unit::Seconds, kept.secs(), source))
        });
        Self {
            time: always.unwrap_or(time),
            size: map.number(at, key::channel::RETENTION_SIZE, bytes(names::RETENTION_SIZE)),
            fullest: map.fullest(at, key::channel::DISK_RATE, disk(names::FULLEST)),
            mean: map.mean(at, key::channel::DISK_RATE, disk("bytes on disk per second, mean partition")),
            by_size: limits.by_size(version.as_deref()),
            kafka: is_kafka_log(map.system(site)),
        }
    }

    /// Does the limit by time tell all? So where the product has no other, or where it keeps nothing.
    fn time_alone(&self) -> bool {
        let nothing = self.time.as_ref().is_ok_and(|time| time.value == 0.0);
        nothing || self.size.is_err() && !self.by_size
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
    let limits = Limits::of(map, site);
    let (busiest, skew) = (skew::busiest(map, site), skew::channel(map, rates, site));
    let policy = policy(map, site);
    let product = map.graph.nodes[site].entry.and_then(|entry| entry.channel);
    let reach = if product.is_some_and(|product| !product.keeps_acknowledged) {
        Ok(derive(REACH, at, &ACKNOWLEDGED, [], 0.0))
    } else {
        policy.clone().and_then(|policy| least_kept(map, at, &limits, policy, &Counted::default()))
    };
    let (since_append, deletion) = if product.is_some_and(|product| !product.ends_unread) {
        // What is not acknowledged has limits of its own, with the reader.
        let own = || Err(lacks(REACH.what, at, key::channel::RETENTION_TIME.field(), BY_READER));
        (own(), own())
    } else {
        from_append(map, site, &limits, &policy, &reach)
    };
    let (typical, longest, erased) = match policy {
        Err(why) => {
            let lacking = |figure: Figure| Err(Underivable { what: figure.what, ..why.clone() });
            (lacking(TYPICAL), lacking(LONGEST), lacking(ERASED))
        }
        Ok(None) => {
            let none = |figure: Figure| Err(lacks(figure.what, at, key::channel::RETENTION_TIME.field(), NOT_BY_TIME));
            (reach.clone(), none(LONGEST), none(ERASED))
        }
        Ok(Some(CleanupPolicy::Delete)) => {
            let check = check_interval(map, site);
            let segment = map.number(at, key::channel::SEGMENT_TIME, seconds("segment time"));
            let segment_size = map.number(at, key::channel::SEGMENT_SIZE, bytes("segment size"));
            let segments = [segment, segment_size, check];
            let longest = longest(map, at, &limits, segments.clone());
            let erased = erased(at, &longest);
            (typical(map, at, &limits, segments), longest, erased)
        }
        Ok(Some(_)) => {
            let longest = Ok(derive(LONGEST, at, &KEYS_STAY, [], f64::INFINITY));
            (reach.clone(), longest.clone(), longest)
        }
    };
    ChannelReport {
        reach,
        since_append,
        deletion,
        typical,
        longest,
        erased,
        busiest,
        skew,
        needed: None,
        on_disk: None,
    }
}

/// What was not acknowledged ends by the limits of who reads it.
const BY_READER: MissingWhy =
    MissingWhy::NoForm("what is not acknowledged stays by the limits of the subscription; look at its reader");
/// No policy of the log says when the last of it goes.
const NOT_BY_TIME: MissingWhy =
    MissingWhy::NoForm("how long this system can keep more than it promises is not documented; ask who runs it");

/// What decides what is left of a log; none for logs that are told to keep by time and size only, or that were told so. What is
/// compacted beside the log, as in Pulsar, takes nothing out of it.
fn policy(map: &Map, site: usize) -> Result<Option<CleanupPolicy>, Underivable> {
    let kafka = is_kafka_log(map.system(site));
    let product = map.graph.nodes[site].entry.and_then(|entry| entry.channel);
    let compacts = |product: &catalog::Channel| product.compaction && product.kind == ChannelKind::Log;
    if !kafka && !product.is_some_and(compacts) {
        return Ok(None);
    }
    let policy = map.setting(map.sites[site].at, key::channel::CLEANUP_POLICY, REACH.what)?;
    Ok((kafka || policy != CleanupPolicy::Delete).then_some(policy))
}

/// From when the age of a record counts, and of which records. By default by the timestamp, of those that are there now.
#[derive(Default)]
struct Counted {
    /// How old a record can be when it is appended; `None`: by the timestamp, or the broker sets it.
    delay: Option<Arc<Explained>>,
    /// Of those that are still to come: the log start of today does not count.
    to_come: bool,
}

impl Counted {
    /// Less what had passed before the append.
    fn since(&self, at: Place, what: &'static str, of: Arc<Explained>) -> Arc<Explained> {
        let Some(delay) = &self.delay else { return of };
        let retention = Retention { time: of.value, bytes: f64::INFINITY };
        let value = log::guaranteed_since_append(retention, 0.0, delay.value);
        derive(at_least(what), at, &FROM_APPEND, [of, Arc::clone(delay)], value)
    }
}

/// Longest time from the timestamp of a record to its append, where the producer sets it and somebody measured it. A service
/// stamps what it takes itself.
fn late_appends(map: &Map, site: usize) -> Result<Option<Arc<Explained>>, Underivable> {
    let at = map.sites[site].at;
    if !is_kafka_log(map.system(site)) {
        return Ok(None);
    }
    let Ok(delay) = map.most(at, key::channel::APPEND_DELAY, seconds(names::DELAY)) else { return Ok(None) };
    Ok(match map.setting(at, key::channel::TIMESTAMP_TYPE, REACH.what)? {
        TimestampType::CreateTime => Some(delay),
        TimestampType::AppendTime => None,
    })
}

/// What is kept from the append on, of records to come: as the policy has it, and by time and size alone.
fn from_append(
    map: &Map,
    site: usize,
    limits: &Limits,
    policy: &Result<Option<CleanupPolicy>, Underivable>,
    reach: &Derived,
) -> (Derived, Derived) {
    let at = map.sites[site].at;
    let counted = late_appends(map, site).map(|delay| Counted { delay, to_come: true });
    let begins = map.get(at, key::channel::OLDEST_RECORD_AGE).is_value();
    let by = |policy: Option<CleanupPolicy>| match &counted {
        Ok(counted) => least_kept(map, at, limits, policy, counted),
        Err(why) => Err(why.clone()),
    };
    let since_append = match &counted {
        Ok(Counted { delay: None, .. }) if !begins => reach.clone(),
        _ => policy.clone().and_then(by),
    };
    let deletion = match policy {
        Ok(None | Some(CleanupPolicy::Delete)) => since_append.clone(),
        Ok(Some(CleanupPolicy::Compact)) => Ok(derive(REACH, at, &KEYS_STAY, [], f64::INFINITY)),
        _ => by(Some(CleanupPolicy::Delete)),
    };
    (since_append, deletion)
}

/// How far back what is there now can be read again, from the append on.
pub(super) fn history(map: &Map, site: usize, channel: &ChannelReport) -> Derived {
    let Some(delay) = late_appends(map, site)? else { return channel.reach.clone() };
    let at = map.sites[site].at;
    let counted = Counted { delay: Some(delay), to_come: false };
    least_kept(map, at, &Limits::of(map, site), policy(map, site)?, &counted)
}

/// What certainly is kept.
fn least_kept(map: &Map, at: Place, limits: &Limits, policy: Option<CleanupPolicy>, counted: &Counted) -> Derived {
    match policy {
        None if limits.time_alone() => Ok(counted.since(at, names::FROM_APPEND, limits.time.clone()?)),
        None | Some(CleanupPolicy::Delete) => guaranteed(map, at, limits, counted),
        Some(policy) => compacted(map, at, limits, policy, counted),
    }
}

/// Kafka and what keeps segments like it; a channel of no stated system is asked like one.
fn is_kafka_log(system: Option<&str>) -> bool {
    matches!(system, None | Some("kafka" | "redpanda"))
}

fn guaranteed(map: &Map, at: Place, limits: &Limits, counted: &Counted) -> Derived {
    bounded(map, at, REACH, limits, by_size(at, limits, &limits.fullest, &BY_SIZE), counted)
}

/// The least of time, size and what the log holds by reading.
fn bounded(map: &Map, at: Place, figure: Figure, limits: &Limits, size: Derived, counted: &Counted) -> Derived {
    let [time, size] = all(figure.what, [limits.time.clone(), size])?;
    let time = counted.since(at, names::FROM_APPEND, time);
    let oldest = map.number(at, key::channel::OLDEST_RECORD_AGE, seconds(names::OLDEST));
    let oldest = oldest.map(|oldest| counted.since(at, names::OLDEST, oldest));
    Ok(match oldest {
        Ok(oldest) if !counted.to_come && oldest.value < time.value.min(size.value) => {
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
    let figure = if std::ptr::eq(formula, &BY_SIZE) { at_least(names::BY_SIZE) } else { seconds(names::BY_SIZE) };
    Ok(derive(figure, at, formula, [limit, rate], value))
}

fn typical(map: &Map, at: Place, limits: &Limits, [segment, segment_size, check]: [Derived; 3]) -> Derived {
    let size = by_size(at, limits, &limits.mean, &BY_SIZE_MEAN);
    let base = bounded(map, at, seconds(names::MEAN_REACH), limits, size, &Counted::default());
    let span = all(TYPICAL.what, [segment, segment_size, limits.mean.clone()]).map(|[time, size, rate]| {
        let value = log::span(time.value, size.value, rate.value);
        derive(seconds("time in a segment"), at, &SPAN, [time, size, rate], value)
    });
    let [base, span, check] = all(TYPICAL.what, [base, span, check])?;
    if base.made_by(&KEPT_SO_FAR) {
        // A log that holds no more is not older than its oldest record.
        return Ok(as_is(TYPICAL, at, &KEPT_SO_FAR, base));
    }
    let value = log::typical(base.value, span.value, check.value);
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

fn compacted(map: &Map, at: Place, limits: &Limits, policy: CleanupPolicy, counted: &Counted) -> Derived {
    let lag = map.number(at, key::channel::MIN_COMPACTION_LAG, seconds(names::COMPACTION_LAG));
    // Only Kafka has such a setting: elsewhere an older version can go at once.
    let lag = lag.or_else(|why| {
        let source = "this product has no lag before it compacts";
        if limits.kafka { Err(why) } else { Ok(Explained::constant(names::COMPACTION_LAG, Unit::Seconds, 0.0, source)) }
    });
    let lag = lag.map(|lag| counted.since(at, names::COMPACTION_LAG, lag));
    if policy == CleanupPolicy::Compact {
        let lag = lag?;
        let value = log::compacted_history(lag.value, f64::INFINITY);
        return Ok(one_of(REACH, at, &COMPACTED, [lag], value));
    }
    let [lag, deleted] = all(REACH.what, [lag, guaranteed(map, at, limits, counted)])?;
    let value = log::compacted_history(lag.value, deleted.value);
    Ok(one_of(REACH, at, &COMPACTED, [lag, deleted], value))
}
