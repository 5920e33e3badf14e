//! What a log keeps on disk, and when it deletes what is not read.

use super::{clustered, design, formula, id};

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
