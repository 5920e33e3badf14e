//! From Kafka's keys to fields: the one table that topic and broker settings go through.
//!
//! Names and meanings are those of `org.apache.kafka.common.config.TopicConfig` and the broker's `KafkaConfig`; spellings
//! of Redpanda and Confluent for the same meaning stand beside them. `-1` and `Long.MAX` are "unlimited". A value that a
//! field cannot hold is not bent: it stays with its key, unused. Not here: what a missing key means.

use super::keys::{Kind, Mapped, put};
use crate::model::{
    Field, FieldValue, Key, Value, key,
    units::{Limit, product},
};
use crate::sorted::SortedMap;

use Kind::*;

/// Redpanda's two settings of a tier: what is uploaded, and whether it is read back.
const REMOTE_WRITE: &str = "redpanda.remote.write";
const REMOTE_READ: &str = "redpanda.remote.read";

/// The keys of a topic, with the field each fills.
const TOPIC: [(&str, Field, Kind); 22] = [
    ("min.insync.replicas", key::channel::MIN_INSYNC_REPLICAS.field(), Count),
    ("unclean.leader.election.enable", key::channel::UNCLEAN_LEADER_ELECTION.field(), Flag),
    ("cleanup.policy", key::channel::CLEANUP_POLICY.field(), Policy),
    ("retention.ms", key::channel::RETENTION_TIME.field(), MillisLimit),
    ("retention.bytes", key::channel::RETENTION_SIZE.field(), BytesLimit),
    ("segment.ms", key::channel::SEGMENT_TIME.field(), Millis),
    ("segment.bytes", key::channel::SEGMENT_SIZE.field(), Bytes),
    ("min.compaction.lag.ms", key::channel::MIN_COMPACTION_LAG.field(), Millis),
    ("max.compaction.lag.ms", key::channel::MAX_COMPACTION_LAG.field(), MillisLimit),
    ("delete.retention.ms", key::channel::TOMBSTONE_RETENTION.field(), Millis),
    ("min.cleanable.dirty.ratio", key::channel::DIRTY_RATIO.field(), Kind::Ratio),
    ("remote.storage.enable", key::channel::TIERED.field(), Flag),
    (REMOTE_WRITE, key::channel::TIERED.field(), Flag),
    ("confluent.tier.enable", key::channel::TIERED.field(), Flag),
    ("local.retention.ms", key::channel::LOCAL_RETENTION_TIME.field(), MillisLimit),
    ("retention.local.target.ms", key::channel::LOCAL_RETENTION_TIME.field(), MillisLimit),
    ("confluent.tier.local.hotset.ms", key::channel::LOCAL_RETENTION_TIME.field(), MillisLimit),
    ("local.retention.bytes", key::channel::LOCAL_RETENTION_SIZE.field(), BytesLimit),
    ("retention.local.target.bytes", key::channel::LOCAL_RETENTION_SIZE.field(), BytesLimit),
    ("confluent.tier.local.hotset.bytes", key::channel::LOCAL_RETENTION_SIZE.field(), BytesLimit),
    ("message.timestamp.type", key::channel::TIMESTAMP_TYPE.field(), TimestampType),
    ("max.message.bytes", key::channel::MAX_MESSAGE_SIZE.field(), Bytes),
];

/// The keys of a broker that have one name only.
const BROKER: [(&str, Field, Kind); 20] = [
    ("num.partitions", key::cluster::PARTITIONS.field(), Count),
    ("default.replication.factor", key::cluster::REPLICATION_FACTOR.field(), Count),
    ("min.insync.replicas", key::cluster::MIN_INSYNC_REPLICAS.field(), Count),
    ("unclean.leader.election.enable", key::cluster::UNCLEAN_LEADER_ELECTION.field(), Flag),
    ("log.cleanup.policy", key::cluster::CLEANUP_POLICY.field(), Policy),
    ("log.retention.bytes", key::cluster::RETENTION_SIZE.field(), BytesLimit),
    ("log.segment.bytes", key::cluster::SEGMENT_SIZE.field(), Bytes),
    ("log.cleaner.min.compaction.lag.ms", key::cluster::MIN_COMPACTION_LAG.field(), Millis),
    ("log.cleaner.max.compaction.lag.ms", key::cluster::MAX_COMPACTION_LAG.field(), MillisLimit),
    ("log.cleaner.min.cleanable.ratio", key::cluster::DIRTY_RATIO.field(), Kind::Ratio),
    ("log.cleaner.delete.retention.ms", key::cluster::TOMBSTONE_RETENTION.field(), Millis),
    ("confluent.tier.enable", key::cluster::TIERED.field(), Flag),
    ("log.local.retention.ms", key::cluster::LOCAL_RETENTION_TIME.field(), MillisLimit),
    ("log.local.retention.bytes", key::cluster::LOCAL_RETENTION_SIZE.field(), BytesLimit),
    ("log.message.timestamp.type", key::cluster::TIMESTAMP_TYPE.field(), TimestampType),
    ("message.max.bytes", key::cluster::MAX_MESSAGE_SIZE.field(), Bytes),
    ("transaction.max.timeout.ms", key::cluster::TRANSACTION_MAX_TIMEOUT.field(), Millis),
    ("log.retention.check.interval.ms", key::cluster::RETENTION_CHECK_INTERVAL.field(), Millis),
    ("offsets.retention.minutes", key::cluster::OFFSETS_RETENTION.field(), Millis),
    ("log.roll.ms", key::cluster::SEGMENT_TIME.field(), Millis),
];

/// The cluster properties of Redpanda (Redpanda documentation, Cluster Configuration Properties).
const REDPANDA: [(&str, Field, Kind); 17] = [
    ("default_topic_partitions", key::cluster::PARTITIONS.field(), Count),
    ("default_topic_replications", key::cluster::REPLICATION_FACTOR.field(), Count),
    ("log_cleanup_policy", key::cluster::CLEANUP_POLICY.field(), Policy),
    ("log_retention_ms", key::cluster::RETENTION_TIME.field(), MillisLimit),
    ("delete_retention_ms", key::cluster::RETENTION_TIME.field(), MillisLimit),
    ("retention_bytes", key::cluster::RETENTION_SIZE.field(), BytesLimit),
    ("log_segment_ms", key::cluster::SEGMENT_TIME.field(), Millis),
    ("log_segment_size", key::cluster::SEGMENT_SIZE.field(), Bytes),
    ("min_compaction_lag_ms", key::cluster::MIN_COMPACTION_LAG.field(), Millis),
    ("max_compaction_lag_ms", key::cluster::MAX_COMPACTION_LAG.field(), MillisLimit),
    ("min_cleanable_dirty_ratio", key::cluster::DIRTY_RATIO.field(), Kind::Ratio),
    ("tombstone_retention_ms", key::cluster::TOMBSTONE_RETENTION.field(), Millis),
    ("retention_local_target_ms_default", key::cluster::LOCAL_RETENTION_TIME.field(), MillisLimit),
    ("retention_local_target_bytes_default", key::cluster::LOCAL_RETENTION_SIZE.field(), BytesLimit),
    ("log_message_timestamp_type", key::cluster::TIMESTAMP_TYPE.field(), TimestampType),
    ("kafka_batch_max_bytes", key::cluster::MAX_MESSAGE_SIZE.field(), Bytes),
    ("group_offset_retention_sec", key::cluster::OFFSETS_RETENTION.field(), Kind::Seconds),
];

/// Is it a cluster property of Redpanda that fills a field?
pub(super) fn is_redpanda_property(key: &str) -> bool {
    REDPANDA.iter().any(|row| row.0 == key)
}

/// The keys of a share group (Kafka's `GroupConfig`, KIP-932; the delivery limit since KIP-1240).
const SHARE_GROUP: [(&str, Field, Kind); 4] = [
    ("share.auto.offset.reset", key::read::OFFSET_RESET.field(), Reset),
    ("share.isolation.level", key::read::ISOLATION.field(), Kind::Isolation),
    ("share.delivery.count.limit", key::read::MAX_DELIVERIES.field(), Count),
    ("share.record.lock.duration.ms", key::read::REDELIVERY_AFTER.field(), Millis),
];

/// The fields that a topic's settings fill.
pub(super) fn topic(settings: &SortedMap<&str, &str>) -> Mapped {
    let mut mapped = Mapped::default();
    let tiers = redpanda_tiers(settings);
    for (name, field, kind) in &TOPIC {
        let Some(text) = settings.get(name) else { continue };
        match (*name, tiers) {
            (REMOTE_WRITE, Tiers::Told(value, note)) => {
                mapped.used.push(name);
                mapped.used.extend(settings.contains_key(REMOTE_READ).then_some(REMOTE_READ));
                if mapped.facts.iter().all(|fact| fact.0 != *field) {
                    mapped.facts.push((*field, name, value.into_value(), note));
                }
                continue;
            }
            (REMOTE_WRITE, Tiers::UploadAlone(key, reason)) => {
                mapped.unfit.push((key, reason.to_owned()));
                continue;
            }
            ("retention.ms" | "retention.bytes", Tiers::UploadAlone(..)) => {
                let reason = "is how much object storage keeps, and nothing is known to be read back from there";
                mapped.unfit.push((name, reason.to_owned()));
                continue;
            }
            _ => {}
        }
        if *text == "-2" && name.starts_with("local.retention.") {
            same_as_retention(name, *field, &mut mapped);
            continue;
        }
        put(name, *field, *kind, text, &mut mapped);
    }
    let before = (key::channel::TIMESTAMP_BEFORE_MAX, "message.timestamp.before.max.ms");
    let after = (key::channel::TIMESTAMP_AFTER_MAX, "message.timestamp.after.max.ms");
    timestamp_limits(settings, [before, after], "message.timestamp.difference.max.ms", &mut mapped);
    mapped
}

/// Redpanda tiers with two settings: one uploads, the other reads back (Redpanda documentation, Use Tiered Storage). Is there
/// a tier that readers reach, and what is to be said about it?
fn redpanda_tiers(settings: &SortedMap<&str, &str>) -> Tiers {
    let flag = |name| settings.get(name).and_then(|text| text.parse::<bool>().ok());
    match (flag(REMOTE_WRITE), flag(REMOTE_READ)) {
        (Some(true), Some(true)) => Tiers::Told(true, None),
        (Some(false), Some(true)) => Tiers::Told(false, Some("redpanda.remote.read alone: nothing is uploaded")),
        (Some(false), _) => Tiers::Told(false, None),
        (Some(true), Some(false)) => Tiers::UploadAlone(
            REMOTE_READ,
            "what redpanda.remote.write uploads is not read back; readers reach what is kept locally",
        ),
        (Some(true), None) => {
            Tiers::UploadAlone(REMOTE_WRITE, "uploads, and whether redpanda.remote.read reads it back is not told")
        }
        (None, _) => Tiers::NotTold,
    }
}

/// What Redpanda's two settings say.
#[derive(Clone, Copy)]
enum Tiers {
    NotTold,
    Told(bool, Option<&'static str>),
    /// The upload, without reading back. It fills nothing: readers reach less than the retention, and copies stay as long.
    UploadAlone(&'static str, &'static str),
}

/// The fields that the settings of a share group fill.
pub(super) fn share_group(settings: &SortedMap<&str, &str>) -> Mapped {
    let mut mapped = Mapped::default();
    for (name, field, kind) in &SHARE_GROUP {
        if let Some(text) = settings.get(name) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    mapped
}

/// -2: what is kept on the broker's disk is as long as what is kept at all (KIP-405).
fn same_as_retention(name: &'static str, field: Field, mapped: &mut Mapped) {
    let from =
        if name.ends_with("ms") { key::channel::RETENTION_TIME.field() } else { key::channel::RETENTION_SIZE.field() };
    mapped.used.push(name);
    let value = mapped.facts.iter().find(|fact| fact.0 == from).map(|fact| fact.2.clone());
    if let Some(value) = value {
        mapped.facts.push((field, name, value, Some("-2: the same as the retention of the topic")));
    }
}

/// From 3.6 on two keys; before, and where the newer one is not set, one for both directions (KIP-937).
fn timestamp_limits(
    settings: &SortedMap<&str, &str>,
    newer: [(Key<Limit<crate::model::units::Duration>>, &'static str); 2],
    older: &'static str,
    mapped: &mut Mapped,
) {
    let limit = |name: &str| settings.get(name).and_then(|text| product::millis_limit(text));
    let both = limit(older);
    for name in newer.map(|(_, name)| name).into_iter().chain([older]) {
        if let Some(text) = settings.get(name).filter(|_| limit(name).is_none()) {
            mapped.unfit.push((name, format!("{text:?} is no length of time in milliseconds")));
        }
    }
    for (field, name) in newer {
        let own = limit(name);
        let (from, value) = match (own, both) {
            (Some(Limit::Unlimited) | None, Some(both)) => (older, both),
            (Some(own), _) => (name, own),
            (None, None) => continue,
        };
        mapped.used.extend([name, older]);
        mapped.facts.push((field.field(), from, Value::Limit(value), None));
    }
}

/// The fields of the cluster that a broker's settings fill.
pub(super) fn broker(settings: &SortedMap<&str, &str>) -> Mapped {
    let mut mapped = Mapped::default();
    for (name, field, kind) in &BROKER {
        let Some(text) = settings.get(name) else { continue };
        if *text == "-2" && name.starts_with("log.local.retention.") {
            mapped.used.push(name);
            continue;
        }
        let minutes = name.ends_with(".minutes").then(|| times(text, 60_000)).flatten();
        put(name, *field, *kind, minutes.as_deref().unwrap_or(text), &mut mapped);
    }
    for (name, field, kind) in &REDPANDA {
        if let Some(text) = settings.get(name) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    first_of(
        settings,
        key::cluster::RETENTION_TIME.field(),
        MillisLimit,
        &[("log.retention.ms", 1), ("log.retention.minutes", 60_000), ("log.retention.hours", 3_600_000)],
        &mut mapped,
    );
    if !settings.contains_key("log.roll.ms") {
        first_of(settings, key::cluster::SEGMENT_TIME.field(), Millis, &[("log.roll.hours", 3_600_000)], &mut mapped);
    }
    let before = (key::cluster::TIMESTAMP_BEFORE_MAX, "log.message.timestamp.before.max.ms");
    let after = (key::cluster::TIMESTAMP_AFTER_MAX, "log.message.timestamp.after.max.ms");
    timestamp_limits(settings, [before, after], "log.message.timestamp.difference.max.ms", &mut mapped);
    mapped
}

fn times(text: &str, factor: u64) -> Option<String> {
    Some(text.parse::<u64>().ok()?.checked_mul(factor)?.to_string())
}

/// The finer unit wins where both are set.
fn first_of(
    settings: &SortedMap<&str, &str>,
    field: Field,
    kind: Kind,
    keys: &[(&'static str, u64)],
    mapped: &mut Mapped,
) {
    for (name, factor) in keys {
        let Some(text) = settings.get(name) else { continue };
        match times(text, *factor) {
            Some(ms) => put(name, field, kind, &ms, mapped),
            None => put(name, field, kind, text, mapped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[(&str, &str)]) -> Vec<String> {
        let facts = topic(&settings.iter().copied().collect()).facts;
        facts.into_iter().map(|(field, _, value, _)| format!("{}={value}", field.name())).collect()
    }

    #[test]
    fn a_topics_keys() {
        assert_eq!(
            read(&[("retention.ms", "604800000"), ("retention.bytes", "53687091200")]),
            ["retention_time=7d", "retention_size=50GiB"]
        );
        assert_eq!(
            read(&[("retention.ms", "-1"), ("max.compaction.lag.ms", "9223372036854775807")]),
            ["retention_time=unlimited", "max_compaction_lag=unlimited"]
        );
        for policy in ["compact,delete", "delete,compact", "[compact, delete]"] {
            assert_eq!(read(&[("cleanup.policy", policy)]), ["cleanup_policy=compact_delete"]);
        }
        assert_eq!(
            read(&[("local.retention.ms", "-2"), ("retention.ms", "86400000")]),
            ["retention_time=1d", "local_retention_time=1d"]
        );
        assert!(read(&[("local.retention.ms", "-2")]).is_empty());
        assert_eq!(read(&[("message.timestamp.type", "LogAppendTime")]), ["timestamp_type=append_time"]);
    }

    /// Both settings make a tier; the upload alone makes none, and leaves open how far readers reach.
    #[test]
    fn redpanda_tiers_with_two_settings() {
        let (write, read_back) = ("redpanda.remote.write", "redpanda.remote.read");
        let kept = [("retention.ms", "86400000"), ("retention.bytes", "-1"), ("retention.local.target.ms", "3600000")];
        let with = |more: &[(&str, &str)]| read(&[&kept, more].concat());
        let all = |tiered| ["retention_time=1d", "retention_size=unlimited", tiered, "local_retention_time=1h"];
        assert_eq!(with(&[(write, "true"), (read_back, "true")]), all("tiered=yes"));
        for more in [
            &[(write, "false"), (read_back, "false")][..],
            &[(write, "false"), (read_back, "true")],
            &[(write, "false")],
        ] {
            assert_eq!(with(more), all("tiered=no"));
        }
        assert_eq!(with(&[(read_back, "true")]).len(), 3);
        for more in [&[(write, "true"), (read_back, "false")][..], &[(write, "true")]] {
            assert_eq!(with(more), ["local_retention_time=1h"]);
        }
        let told = |more: &[(&'static str, &'static str)]| topic(&more.iter().copied().collect());
        let apart = told(&[(write, "true"), (read_back, "false"), ("retention.ms", "86400000")]);
        assert_eq!(apart.unfit.iter().map(|unfit| unfit.0).collect::<Vec<_>>(), ["retention.ms", read_back]);
        assert!(apart.used.is_empty(), "{:?}", apart.used);
        let alone = told(&[(write, "false"), (read_back, "true")]);
        assert_eq!(alone.facts[0].3, Some("redpanda.remote.read alone: nothing is uploaded"));
        assert_eq!(told(&[(write, "maybe")]).unfit[0].0, write);
    }

    #[test]
    fn limits_of_timestamps() {
        let (before, after, both) = (
            "message.timestamp.before.max.ms",
            "message.timestamp.after.max.ms",
            "message.timestamp.difference.max.ms",
        );
        assert_eq!(read(&[(both, "3600000")]), ["timestamp_before_max=1h", "timestamp_after_max=1h"]);
        let max = "9223372036854775807";
        assert_eq!(
            read(&[(both, max), (before, max), (after, "3600000")]),
            ["timestamp_before_max=unlimited", "timestamp_after_max=1h"]
        );
    }

    #[test]
    fn what_no_field_holds_is_said() {
        let mapped = topic(&[("cleanup.policy", "x"), ("segment.ms", "9223372036854775807")].into());
        assert_eq!(mapped.unfit.len(), 2);
        assert!(mapped.facts.is_empty());
    }

    #[test]
    fn a_brokers_finer_unit_wins() {
        let settings =
            [("log.retention.hours", "168"), ("log.retention.minutes", "60"), ("offsets.retention.minutes", "10080")];
        let facts = broker(&settings.into()).facts;
        let read: Vec<String> =
            facts.iter().map(|(field, key, value, _)| format!("{} {key} {value}", field.name())).collect();
        assert_eq!(read, ["offsets_retention offsets.retention.minutes 7d", "retention_time log.retention.minutes 1h"]);
    }
}
