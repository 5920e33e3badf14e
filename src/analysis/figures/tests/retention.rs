//! What a log keeps on disk, and when it deletes what is not read.

use super::{clustered, design, formula, id};
use crate::analysis::explain::Derived;

/// Three partitions of 1 GB and a segment of 100 MB; 10 MB/s for 300 s until the next check: 3 × (1 + 0.1 + 3) GB. Compaction
/// deletes nothing by size.
#[test]
fn a_partition_grows_until_the_next_check() {
    let on_disk = |policy: &str, rate: &str| {
        let log = format!(
            r#""a":{{"kind":"channel","cluster":"c","proposed":{{"partitions":3,
            "retention_size":"1GB","segment_size":"100MB","cleanup_policy":"{policy}"{rate}}}}}"#
        );
        let cluster = r#""c":{"system":"kafka","proposed":{"retention_check_interval":"300s"}}"#;
        clustered(&log, "", cluster).channels[&id("a")].on_disk.clone()
    };
    let rate = r#","disk_rate":{"mean":"1MB/s","max":"10MB/s"}"#;
    assert!((on_disk("delete", rate).unwrap().unwrap().value - 12.3e9).abs() < 1.0);
    assert!((on_disk("compact_delete", rate).unwrap().unwrap().value - 12.3e9).abs() < 1.0);
    assert_eq!(on_disk("compact", rate), None);
    let unread = on_disk("delete", "").unwrap().unwrap();
    assert_eq!((formula(&unread), unread.value), ("E1.disk.at_least", 3.3e9));
}

/// 100 a second arrive and 50 are done: an hour that is kept is gone in (3 600 s − 600 s) × 100 ÷ 50 = 6 000 s where events
/// come up to ten minutes after their time, and in 7 200 s where they come at once.
#[test]
fn what_comes_after_its_time_is_deleted_sooner() {
    let lost_in = |delay: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":{{"mean":"100/s","max":"100/s"}},"partitions":1,
              "cleanup_policy":"delete","retention_time":"1h","retention_size":"unlimited","timestamp_type":"create_time"{delay}}}}},
            "j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"50/s"}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].lost_in.clone().unwrap().unwrap().value
    };
    assert!((lost_in("") - 7_200.0).abs() < 1e-6);
    assert!((lost_in(r#","append_delay":{"p99":"1min","max":"10min"}"#) - 6_000.0).abs() < 1e-6);
}

/// 50 a second on average, 200 at peak, against 100: while the peak lasts an hour of the log is gone in
/// 3 600 s × 200 ÷ (200 − 100) = 7 200 s. Without a peak above the capacity it has no end.
#[test]
fn a_peak_above_the_capacity_deletes_what_is_not_read() {
    let lost_in = |rate: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":{rate},"partitions":1,"cleanup_policy":"delete",
              "retention_time":"1h","retention_size":"unlimited","timestamp_type":"append_time"}}}},
            "j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"100/s"}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].lost_in.clone().unwrap().unwrap()
    };
    let peak = lost_in(r#"{"mean":"50/s","max":"200/s"}"#);
    assert!((peak.value - 7_200.0).abs() < 1e-6, "{}", peak.value);
    assert!(lost_in(r#"{"mean":"50/s","max":"100/s"}"#).unbounded());
}

/// Seven days by time, records come up to two days after their time: five days from the append on. A size lets a record stay
/// as long whenever it was made: 518.4 GB at 1 MB/s are six days, 345.6 GB four. What a compaction lag of three days keeps of
/// each version is one day from the append on. A log of an hour shortens nothing of what is still to come.
#[test]
fn what_is_kept_counts_from_the_append() {
    let kept = |settings: &str| {
        let log = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"retention_time":"7d","disk_rate":{{"max":"1MB/s"}},
            "append_delay":{{"p99":"1h","max":"2d"}}{settings}}}}}"#
        );
        let report = design(&log, "").channels[&id("a")].clone();
        let days =
            |derived: Derived| derived.map(|kept| kept.value / 86_400.0).map_err(|why| why.missing[0].field.name());
        [days(report.reach), days(report.since_append), days(report.deletion)]
    };
    let own = r#","cleanup_policy":"delete","timestamp_type":"create_time""#;
    let all = [Ok(7.0), Ok(5.0), Ok(5.0)];
    assert_eq!(kept(&format!(r#"{own},"retention_size":"unlimited""#)), all);
    assert_eq!(kept(&format!(r#"{own},"retention_size":"518.4GB""#)), [Ok(6.0), Ok(5.0), Ok(5.0)]);
    assert_eq!(kept(&format!(r#"{own},"retention_size":"345.6GB""#)), [Ok(4.0), Ok(4.0), Ok(4.0)]);
    let young = kept(&format!(r#"{own},"retention_size":"unlimited","oldest_record_age":"12h""#));
    assert_eq!(young, [Ok(0.5), Ok(5.0), Ok(5.0)]);
    let stamped = r#","cleanup_policy":"delete","timestamp_type":"append_time","retention_size":"unlimited""#;
    assert_eq!(kept(stamped), [Ok(7.0), Ok(7.0), Ok(7.0)]);
    let unread = Err("timestamp_type");
    assert_eq!(kept(r#","cleanup_policy":"delete","retention_size":"unlimited""#), [Ok(7.0), unread, unread]);
    let compacts =
        r#","timestamp_type":"create_time","retention_size":"unlimited","min_compaction_lag":"3d","cleanup_policy":"#;
    assert_eq!(kept(&format!(r#"{compacts}"compact_delete""#)), [Ok(3.0), Ok(1.0), Ok(5.0)]);
    let unread = Err("cleanup_policy");
    let neither = r#","timestamp_type":"create_time","retention_size":"unlimited""#;
    assert_eq!(kept(neither), [unread, unread, Ok(5.0)], "if it deletes");
}
