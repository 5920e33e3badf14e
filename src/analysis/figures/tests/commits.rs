//! Until what is written can be read: commits, flushes, and the transactions of others.

use super::latency;

const FLINK_JOB: &str = r#""j":{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once","checkpoint_interval":"1min","checkpoint_duration":"500ms","checkpoint_min_pause":"0s"}},
    "a":{"kind":"operator","job":"j","step":"map"}"#;

/// Three sub-topologies in series, each with a commit every 100 ms: 0.3 s.
#[test]
fn every_repartition_waits_for_a_commit() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"kafka_streams","proposed":{"processing_guarantee":"exactly_once","commit_interval":"100ms"}},
        "a":{"kind":"operator","job":"j","step":"map"},"b":{"kind":"operator","job":"j","step":"map"},
        "c":{"kind":"operator","job":"j","step":"map"},"d":{"kind":"operator","job":"j","step":"map"},
        "out":{"kind":"channel","system":"kafka"}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"b","proposed":{"distribution":"hash"}},
        "l3":{"from":"b","to":"c","proposed":{"distribution":"hash"}},"l4":{"from":"c","to":"d","proposed":{"distribution":"forward"}},
        "l5":{"from":"d","to":"out"},"l6":{"from":"out","to":"user","proposed":{"lag_time":"0s","isolation":"read_committed"}}"#,
    );
    let commit = ("LAT-E1.streams.commit", 0.1);
    assert_eq!(terms, [("", 0.0), commit, commit, commit, ("", 0.0)]);
    assert_eq!(open, [] as [&str; 0]);
}

/// A table shows a commit for each checkpoint, 60 s + 0.5 s; a database is written to at the latest before one, and
/// by its own interval where that is set.
#[test]
fn what_a_store_shows_of_flink() {
    let to = |system: &str, write: &str| {
        let store = format!(r#"{FLINK_JOB},"s":{{"kind":"sink","system":"{system}"}}"#);
        let links = format!(
            r#""l1":{{"from":"in","to":"a","proposed":{{"lag_time":"0s"}}}},"l2":{{"from":"a","to":"s","proposed":{write}}},
            "l3":{{"from":"s","to":"user","proposed":{{"refresh_interval":"0s"}}}}"#
        );
        latency(&store, &links).0[1]
    };
    assert_eq!(to("iceberg", "{}"), ("LAT-E1.transaction", 60.5));
    assert_eq!(to("postgres", "{}"), ("LAT-E1.flush", 60.5));
    assert_eq!(to("postgres", r#"{"flush_interval":"1s"}"#), ("", 1.0));
    assert_eq!(to("postgres", r#"{"output_commit":"two_phase"}"#), ("LAT-E1.transaction", 60.5));
}

/// A connector writes after a thousand records: at 100 a second after 10 s, and what if fewer come is open.
#[test]
fn a_connector_that_counts_records() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"kafka_connect"},"a":{"kind":"operator","job":"j","step":"copy"},"s":{"kind":"sink","system":"s3"}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"s","proposed":{"flush_records":1000,"rate":"100/s"}},
        "l3":{"from":"s","to":"user","proposed":{"refresh_interval":"0s"}}"#,
    );
    assert_eq!(terms, [("", 0.0), ("LAT-E1.filled", 10.0), ("", 0.0)]);
    assert_eq!(open, ["flush_interval"]);
}

/// The oldest transaction in the log is open for 90 s. The record's own commit takes 60.5 s of them: 29.5 s on top.
#[test]
fn a_reader_of_committed_records_waits_for_all_transactions() {
    let read = |isolation: &str| {
        let elements = format!(
            r#"{FLINK_JOB},"log":{{"kind":"channel","system":"kafka","proposed":{{"longest_open_transaction":"90s"}}}}"#
        );
        let links = format!(
            r#""l1":{{"from":"in","to":"a","proposed":{{"lag_time":"0s"}}}},
            "l2":{{"from":"a","to":"log","proposed":{{"output_commit":"two_phase","linger":"100ms"}}}},
            "l3":{{"from":"log","to":"user","proposed":{{"lag_time":"0s"{isolation}}}}}"#
        );
        latency(&elements, &links)
    };
    // A reader of uncommitted records gets them when the producer has sent them.
    let sent = [("", 0.0), ("", 0.1), ("", 0.0)];
    assert_eq!(read(r#","isolation":"read_uncommitted""#), (sent.to_vec(), vec![]));
    assert_eq!(read(""), (sent.to_vec(), vec!["isolation"]), "at least so much, and it is asked for");
    let committed = [("", 0.0), ("LAT-E1.transaction", 60.5), ("", 0.0), ("LAT-E1.stable", 29.5)];
    assert_eq!(read(r#","isolation":"read_committed""#).0, committed);
}
