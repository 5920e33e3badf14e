//! What a log keeps on disk, and when it deletes what is not read.

use super::{clustered, design, formula, id, with_others};
use crate::{analysis::explain::Derived, model::Basis};

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

/// 300 kB of a partition of 1 MB are unread, 500 B/s come and half of it is read: 700 kB ÷ 250 B/s = 2 800 s, long before the
/// week that is kept by time. By the 60 s of lag it would be (2 000 − 60) × 2 = 3 880 s.
#[test]
fn unread_bytes_are_deleted_by_size() {
    let lost_in = |unread: &str, capacity: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":{{"mean":"100/s","max":"100/s"}},"partitions":2,
              "cleanup_policy":"delete","retention_time":"7d","retention_size":"1MB","disk_rate":{{"max":"500B/s"}},"timestamp_type":"append_time"}}}},
            "j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"{capacity}"}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        let links = format!(r#""l1":{{"from":"a","to":"o","proposed":{{"lag_time":"1min"{unread}}}}}"#);
        design(&elements, &links).jobs[&id("j")].lost_in.clone().unwrap().unwrap()
    };
    let unread = r#","lag_size":{"0":"300kB","1":"1kB"}"#;
    assert_eq!(lost_in(unread, "50/s").value, 2_800.0);
    assert_eq!(lost_in("", "50/s").value, 3_880.0);
    assert_eq!(lost_in(r#","lag_size":"300kB""#, "50/s").value, 3_880.0, "of both partitions together");
    assert!(lost_in(unread, "100/s").unbounded());
}

/// A peak that was read below the mean does not slow the race down: of 200 a second half is read, (7 200 − 60) × 2 = 14 280 s.
#[test]
fn the_larger_of_mean_and_peak_races() {
    let elements = r#""a":{"kind":"channel","system":"kafka","proposed":{"rate":{"mean":"200/s","max":"100/s"},"partitions":2,
          "cleanup_policy":"delete","retention_time":"2h","retention_size":"unlimited","timestamp_type":"append_time"}},
        "j":{"kind":"job","system":"plain_consumer","proposed":{"capacity":"100/s"}},"o":{"kind":"operator","job":"j","step":"map"}"#;
    let figures = design(elements, r#""l1":{"from":"a","to":"o","proposed":{"lag_time":"1min"}}"#);
    assert_eq!(figures.jobs[&id("j")].lost_in.clone().unwrap().unwrap().value, 14_280.0);
}

/// 9 000 records of 1 333 B a second are 12 MB/s: 12 shards by what comes in, 18 by three readers that share 2 MB/s of a shard;
/// with throughput of their own 12 again.
#[test]
fn shards_that_a_stream_needs() {
    let needed = |mode: &str, own: [&str; 3]| {
        let reader = |number: usize| {
            format!(
                r#","j{number}":{{"kind":"job","system":"plain_consumer"}},"o{number}":{{"kind":"operator","job":"j{number}","step":"map"}}"#
            )
        };
        let link = |(number, own): (usize, &str)| {
            format!(r#","l{number}":{{"from":"k","to":"o{number}","proposed":{{{own}}}}}"#)
        };
        let elements = format!(
            r#""s":{{"kind":"source","event":"e"}},
            "k":{{"kind":"channel","system":"kinesis","proposed":{{"capacity_mode":"{mode}","rate":{{"mean":"9000/s","max":"9000/s"}}}}}}{}"#,
            (0..3).map(reader).collect::<String>(),
        );
        let read = own.into_iter().enumerate().map(link).collect::<String>();
        let links = [r#""in":{"from":"s","to":"k"}"#, &read].concat();
        let figures = with_others(&elements, &links, r#""events":{"e":{"proposed":{"size":"1333B"}}}"#);
        figures.channels[&id("k")].needed.clone().map(|needed| (needed.clone().unwrap().value, needed.unwrap().basis))
    };
    let (own, shared) = (r#""dedicated_throughput":true"#, r#""dedicated_throughput":false"#);
    assert_eq!(needed("provisioned", [shared; 3]), Some((18.0, Some(Basis::Assumed))), "no growth is stated");
    assert_eq!(needed("provisioned", [own; 3]).unwrap().0, 12.0);
    assert_eq!(needed("provisioned", [own, own, ""]).unwrap().0, 12.0);
    assert_eq!(needed("provisioned", ["", "", own]).unwrap().0, 12.0);
    assert_eq!(needed("provisioned", ["", "", ""]).unwrap().0, 18.0);
    assert_eq!(needed("on_demand", [shared; 3]), None);
}

/// A shard takes 10^6 bytes a second: one record of 1 MB is one shard's work, one of 1 MiB is 1.05 MB and more.
#[test]
fn a_mebibyte_is_more_than_a_shard_takes() {
    let needed = |size: &str| {
        let elements = r#""s":{"kind":"source","event":"e"},
            "k":{"kind":"channel","system":"kinesis","proposed":{"capacity_mode":"provisioned","rate":"1/s"}}"#;
        let events = format!(r#""events":{{"e":{{"proposed":{{"size":"{size}"}}}}}}"#);
        let figures = with_others(elements, r#""in":{"from":"s","to":"k"}"#, &events);
        figures.channels[&id("k")].needed.clone().unwrap().unwrap().value
    };
    assert_eq!((needed("1MB"), needed("1MiB")), (1.0, 2.0));
}

/// 2 M keys of 500 B in eight partitions, cleaned at half new bytes: 2 GB, and in each partition two segments of 10 MB and 75 s of
/// 100 kB/s: 2 GB + 8 × (20 MB + 7.5 MB). A windowed store of six minutes and a day, in segments of 100 s:
/// 8 × 100 kB/s × ((86 760 s + 100 s) × 3 + 15 s).
#[test]
fn what_a_changelog_takes() {
    let on_disk = |role: &str, policy: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"kafka_streams","proposed":{{"space_amplification":1.3}}}},
            "o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"none","live_keys":2000000,"new_keys":"0/s","entry_size":"500B"}}}},
            "c":{{"kind":"channel","system":"kafka"{role},"proposed":{{"partitions":8,"cleanup_policy":"{policy}","dirty_ratio":0.5,
              "segment_size":"10MB","segment_time":"1h","min_compaction_lag":"1min","retention_time":"86760s","retention_size":"unlimited",
              "disk_rate":{{"max":"100kB/s"}}}}}}"#
        );
        let figures = design(&elements, r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"c"}"#);
        figures.channels[&id("c")].on_disk.clone().map(|on_disk| on_disk.unwrap().value)
    };
    let role = r#","role":"job_state""#;
    assert_eq!(on_disk(role, "compact"), Some(2e9 + 8.0 * 27.5e6));
    assert_eq!(on_disk(role, "compact_delete"), Some(8.0 * 1e5 * (86_860.0 * 3.0 + 15.0)));
    assert_eq!(on_disk("", "compact"), None);
    assert_eq!(on_disk(role, "delete"), None);
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

/// Kinesis ends a stream by time alone. Pulsar, NATS, RabbitMQ and Redis streams end one by size as well: 6 GB at 100 kB/s are
/// 60 000 s, 16 h 40 min.
#[test]
fn a_size_that_was_not_read_may_end_a_log() {
    let kept = |system: &str, facts: &str| {
        let element =
            format!(r#""in":{{"kind":"channel","system":"{system}","proposed":{{"retention_time":"1d"{facts}}}}}"#);
        let report = design(&element, "").channels[&id("in")].clone();
        [report.reach, report.since_append]
            .map(|kept| kept.map(|kept| kept.value).map_err(|why| why.missing[0].field.name()))
    };
    let deletes = r#","cleanup_policy":"delete""#;
    for (system, facts) in [("kinesis", ""), ("event_hubs", deletes)] {
        assert_eq!(kept(system, facts), [Ok(86_400.0), Ok(86_400.0)], "{system}");
    }
    for system in ["nats", "rabbitmq_streams", "redis_streams", "kafka_share_group", "a_log_of_our_own"] {
        assert_eq!(kept(system, ""), [Err("retention_size"), Err("retention_size")], "{system}");
        assert_eq!(kept(system, r#","retention_size":"unlimited""#), [Ok(86_400.0), Ok(86_400.0)], "{system}");
        let both = kept(system, r#","retention_size":"6GB","disk_rate":{"max":"100kB/s"}"#);
        assert_eq!(both, [Ok(60_000.0), Ok(60_000.0)], "{system}");
    }
    // What a subscription has not acknowledged is not ended by what is kept after that.
    let by_reader = Err("retention_time");
    assert_eq!(kept("pubsub", ""), [Ok(86_400.0), by_reader]);
    assert_eq!(kept("pulsar", ""), [Err("retention_size"), by_reader]);
    assert_eq!(kept("pulsar", r#","retention_size":"unlimited""#), [Ok(86_400.0), by_reader]);
    let nothing = r#""in":{"kind":"channel","system":"pulsar","proposed":{"retention_time":"none"}}"#;
    assert_eq!(design(nothing, "").channels[&id("in")].reach.as_ref().unwrap().value, 0.0);
}

/// A queue deletes what is acknowledged, however long it keeps what is not; an archive behind a bus keeps it.
#[test]
fn a_queue_has_nothing_to_read_again() {
    let reach = |system: &str| {
        let queue = format!(r#""in":{{"kind":"channel","system":"{system}","proposed":{{"retention_time":"4d"}}}}"#);
        design(&queue, "").channels[&id("in")].reach.clone().unwrap().value
    };
    for system in ["sqs", "rabbitmq", "rabbitmq_quorum", "service_bus"] {
        assert_eq!(reach(system), 0.0, "{system}");
    }
    assert_eq!((reach("eventbridge"), reach("sns")), (4.0 * 86_400.0, 4.0 * 86_400.0));
}

/// Event Hubs compacts too, and has no lag before it; DynamoDB keeps its streams for a day, which nobody sets.
#[test]
fn services_that_compact_or_keep_for_a_fixed_time() {
    let reach = |system: &str, facts: &str| {
        let log = format!(r#""in":{{"kind":"channel","system":"{system}","proposed":{{{facts}}}}}"#);
        let reach = design(&log, "").channels[&id("in")].reach.clone();
        reach.map(|reach| reach.value).map_err(|why| why.missing[0].field.name())
    };
    let week = r#""retention_time":"7d""#;
    assert_eq!(reach("event_hubs", week), Err("cleanup_policy"));
    assert_eq!(reach("event_hubs", &format!(r#"{week},"cleanup_policy":"delete""#)), Ok(7.0 * 86_400.0));
    assert_eq!(reach("event_hubs", &format!(r#"{week},"cleanup_policy":"compact""#)), Ok(0.0));
    assert_eq!(reach("kafka", r#""cleanup_policy":"compact""#), Err("min_compaction_lag"));
    assert_eq!(reach("dynamodb_streams", ""), Ok(86_400.0));
}

/// Half of what arrives is read. What is behind a log of a day is deleted after two; the backlog of a subscription goes by its
/// own seven days, and a topic that keeps nothing of what was acknowledged takes nothing out of it. Kept after that, it can be
/// read again for as long.
#[test]
fn a_subscription_keeps_a_backlog_of_its_own() {
    let of = |system: &str, kept: &str, read: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"{system}","proposed":{{"rate":"100/s","retention_time":"{kept}","retention_size":"unlimited"}}}},"j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"50/s"}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}},"t":{{"kind":"sink","system":"postgres","proposed":{{"rebuild":"overwrite"}}}},"u":{{"kind":"consumer"}}"#
        );
        let links = format!(
            r#""l1":{{"from":"a","to":"o","proposed":{{"lag_time":"0s"{read}}}}},"l2":{{"from":"o","to":"t"}},"l3":{{"from":"t","to":"u"}}"#
        );
        let figures = design(&elements, &links);
        let reach = figures.consumers[&id("u")].replay[0].reach.clone().map(|reach| reach.value / 86_400.0);
        let lost = figures.jobs[&id("j")].lost_in.clone().unwrap();
        (lost.map(|lost| lost.value / 86_400.0).map_err(|why| why.missing[0].field.name()), reach.ok())
    };
    let week = r#","retention_time":"7d""#;
    assert_eq!(of("kinesis", "1d", ""), (Ok(2.0), Some(1.0)));
    assert_eq!(of("pulsar", "none", ""), (Err("retention_time"), Some(0.0)));
    assert_eq!(of("pulsar", "none", week), (Ok(14.0), Some(0.0)));
    assert_eq!(of("pubsub", "1d", week), (Ok(14.0), Some(1.0)));
    assert_eq!(of("pubsub", "1d", &format!(r#"{week},"retain_acked":true"#)), (Ok(14.0), Some(7.0)));
    assert_eq!(of("pubsub", "10d", &format!(r#"{week},"retain_acked":true"#)), (Ok(14.0), Some(10.0)));
}
