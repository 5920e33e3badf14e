//! What a checkpoint writes, and what is done again after a failure.

use super::{clustered, design, id, operator};
use crate::model::Basis;

/// 100 records a second for an hour at 100 B: 36 MB, all of it where checkpoints are not incremental.
#[test]
fn a_full_checkpoint_writes_all_of_the_state() {
    let size = |settings: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
            "j":{{"kind":"job","system":"flink","proposed":{{"space_amplification":1,{settings}}}}},
            "o":{{"kind":"operator","job":"j","step":"deduplicate","proposed":{{"state_ttl":"1h","entry_size":"100B"}}}}"#
        );
        let figures = design(&elements, r#""l1":{"from":"a","to":"o"}"#);
        figures.jobs[&id("j")].checkpoint_size.clone().unwrap().map(|size| size.value)
    };
    assert_eq!(size(r#""checkpoint_incremental":false"#).unwrap(), 36e6);
    assert_eq!(size(r#""checkpoint_incremental":true,"checkpoint_size":"2MB""#).unwrap(), 2e6);
    assert!(size(r#""checkpoint_incremental":true"#).is_err());
}

/// 40 GB over four instances, each of which reads 50 MB/s: 200 s. Where nobody says how many there are, one is taken to read all of
/// it, 800 s, as an assumption. The pause of a deploy is that, and nothing else here.
#[test]
fn instances_read_their_state_back_side_by_side() {
    let restore = |instances: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once",
              "checkpoint_duration":"0s","reschedule_time":"0s","state_size":"40GB","restore_rate":"50MB/s"{instances}}}}},
            "o":{{"kind":"operator","job":"j","step":"deduplicate"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].deploy_pause.clone().unwrap().unwrap()
    };
    assert_eq!(restore(r#","instances":4"#).value, 200.0);
    let one = restore("");
    assert_eq!((one.value, one.basis), (800.0, Some(Basis::Assumed)));
}

/// Each of two members commits after 500 records of its own, and 100 a second come: after 10 s all have. A time between commits
/// goes before it.
#[test]
fn commits_by_records_are_so_far_apart() {
    let rewind = |job: &str, read: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},"j":{{"kind":"job","system":"plain_consumer","proposed":{{"parallelism":2{job}}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        let links = format!(r#""l1":{{"from":"a","to":"o","proposed":{{"offset_commit":"after_work"{read}}}}}"#);
        design(&elements, &links).jobs[&id("j")].rewind.clone().unwrap().map(|rewind| rewind.value)
    };
    assert_eq!(rewind("", r#","commit_every":500"#).unwrap(), 10.0);
    assert_eq!(rewind(r#","commit_interval":"5s""#, r#","commit_every":500"#).unwrap(), 5.0);
    assert!(rewind("", "").is_err());
}

/// What one instance holds: ⌈24 ÷ 3⌉ partitions of 1 MiB, or no more than one answer of 2 MiB from each of three brokers where the
/// client asks none of which it still holds something; and 10 MB of each of its partitions before a write.
#[test]
fn what_an_instance_holds() {
    let fetched = |client: &str, read: &str, write: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","cluster":"k","proposed":{{"partitions":24}}}},
            "j":{{"kind":"job","system":"kafka_connect","proposed":{{"instances":3{client}}}}},"o":{{"kind":"operator","job":"j","step":"copy"}},
            "s":{{"kind":"sink","system":"snowflake"}}"#
        );
        let links = format!(
            r#""l1":{{"from":"a","to":"o","proposed":{{{read}}}}},"l2":{{"from":"o","to":"s","proposed":{{{write}}}}}"#
        );
        let cluster = r#""k":{"system":"kafka","proposed":{"brokers":3}}"#;
        clustered(&elements, &links, cluster).jobs[&id("j")].fetched.clone().map(|fetched| fetched.unwrap().value)
    };
    const MIB: f64 = 1_048_576.0;
    let each = r#""fetch_max_partition":"1MiB","fetch_max":"2MiB""#;
    let new = r#","client":"java","client_version":"4.1.0""#;
    assert_eq!(fetched("", each, ""), Some(8.0 * MIB));
    assert_eq!(fetched(r#","client":"java","client_version":"3.9""#, each, ""), Some(8.0 * MIB));
    assert_eq!(fetched(new, each, ""), Some(6.0 * MIB));
    assert_eq!(fetched("", "", r#""buffer_size":"10MB""#), Some(80e6));
    assert_eq!(fetched(new, each, r#""buffer_size":"10MB""#), Some(80e6 + 6.0 * MIB));
    assert_eq!(fetched("", "", ""), None);
}

/// A trigger of 0 s starts a batch when the last one is done: what it does again only how long one takes can tell.
#[test]
fn a_batch_without_a_trigger_has_the_figure_of_its_duration() {
    let rewind = |trigger: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"spark","proposed":{{"trigger_interval":"{trigger}"}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].rewind.clone().unwrap()
    };
    assert_eq!(rewind("1min").unwrap().value, 60.0);
    assert_eq!(rewind("0s").unwrap_err().missing[0].field.name(), "batch_duration");
    let takes = |trigger: &str, batch: &str| rewind(&format!(r#"{trigger}","batch_duration":"{batch}"#)).unwrap().value;
    assert_eq!((takes("0s", "7s"), takes("1min", "7s"), takes("1min", "80s")), (7.0, 60.0, 80.0));
    let dedup = r#"{"watermark_delay":"10s","state_ttl":"1min"}"#;
    let report = operator("spark", r#"{"trigger_interval":"0s"}"#, "deduplicate", dedup);
    assert!(report.entries.unwrap().is_err());
    // 2 × 10 s of delay and a batch of 5 s.
    let pace = |job: &str| operator("spark", job, "deduplicate", dedup).entries.unwrap().unwrap().value;
    assert_eq!(
        pace(r#"{"trigger_interval":"0s","batch_duration":"5s"}"#) * 24.0,
        pace(r#"{"trigger_interval":"4s","batch_duration":"1s"}"#) * 25.0
    );
}

/// Kafka Streams and its client have one version: 4.1 holds three answers of 2 MiB, 3.9 all of its 8 partitions of 1 MiB.
#[test]
fn kafka_streams_has_the_version_of_its_client() {
    let fetched = |version: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","cluster":"k","proposed":{{"partitions":24}}}},
            "j":{{"kind":"job","system":"kafka_streams","proposed":{{"instances":3{version}}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        let links = r#""l1":{"from":"a","to":"o","proposed":{"fetch_max_partition":"1MiB","fetch_max":"2MiB"}}"#;
        let cluster = r#""k":{"system":"kafka","proposed":{"brokers":3}}"#;
        clustered(&elements, links, cluster).jobs[&id("j")].fetched.clone().unwrap().unwrap().value / 1_048_576.0
    };
    assert_eq!([fetched(r#","version":"4.1.0""#), fetched(r#","version":"3.9""#), fetched("")], [6.0, 8.0, 8.0]);
    assert_eq!(fetched(r#","version":"3.9","client_version":"4.1""#), 6.0, "what was read of the client itself");
}

/// A checkpoint that takes as long as it may is given up: none is there to go back to, nothing is committed with one, and no
/// outage is short enough. A single slow one is not all of them.
#[test]
fn checkpoints_that_are_given_up_protect_nothing() {
    let of = |duration: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"t":{{"kind":"channel","system":"kafka"}},"u":{{"kind":"consumer"}},"j":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once",
            "checkpoint_interval":"1min","checkpoint_min_pause":"0s","checkpoint_timeout":"10min","checkpoint_duration":{duration}}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        let links = r#""l1":{"from":"a","to":"o","proposed":{"lag_time":"0s"}},"l2":{"from":"o","to":"t","proposed":{"output_commit":"two_phase","transaction_timeout":"1h"}},
            "l3":{"from":"t","to":"u","proposed":{"isolation":"read_committed","lag_time":"0s"}}"#;
        let figures = design(&elements, links);
        let job = &figures.jobs[&id("j")];
        let value =
            |figure: &Option<crate::analysis::explain::Derived>| figure.as_ref().unwrap().as_ref().unwrap().value;
        let latency = figures.consumers[&id("u")].latency.as_ref().unwrap().value;
        [value(&job.rewind), value(&job.outage_bound), latency, value(&job.checkpoint)]
    };
    const NEVER: f64 = f64::INFINITY;
    assert_eq!(of(r#""11min""#), [NEVER, 0.0, NEVER, 660.0]);
    assert_eq!(of(r#""10min""#), [NEVER, 0.0, NEVER, 600.0]);
    // 599 s and 599 s; of an hour 3 600 − 1 198 s are left.
    assert_eq!(of(r#""599s""#), [1_198.0, 2_402.0, 1_198.0, 599.0]);
    assert_eq!(of(r#"{"mean":"2min","max":"10min"}"#)[0], 1_200.0);
}

/// 500 records of 16 ms and one of 30 s: 38 s to the next poll, at most what the group waits.
#[test]
fn a_rebalance_waits_for_the_slowest_record() {
    let of = |read: &str| {
        let elements = r#""a":{"kind":"channel","system":"kafka"},"j":{"kind":"job","system":"plain_consumer","proposed":{"rebalance_protocol":"cooperative"}},
            "o":{"kind":"operator","job":"j","step":"map"}"#;
        let links =
            format!(r#""l1":{{"from":"a","to":"o","proposed":{{"max_poll_records":500,"time_per_record":{read}}}}}"#);
        design(elements, &links).jobs[&id("j")].rebalance.clone().unwrap().unwrap().value
    };
    assert_eq!(of(r#""16ms""#), 8.0);
    assert_eq!(of(r#"{"mean":"16ms","max":"30s"}"#), 38.0);
    assert_eq!(of(r#"{"mean":"16ms","max":"30s"},"max_poll_interval":"20s""#), 20.0);
}
