//! Writing into a log and reading it: replicas, retries, positions, retention.

use crate::small::{mechanism, reader, report, short, table, told};
use serde_json::{Value, json};

/// The table takes every write as a row, so that copies show.
fn rows() -> Value {
    short(&json!({ "l3.write_mode": "append" }))
}

/// A consumer of its own making that commits before its work: it reads nothing again, and may skip.
fn before_work() -> Value {
    short(&json!({ "job": { "system": "plain_consumer", "proposed": { "client": "java", "longest_outage": "60s" } },
        "l2.offset_commit": "before_work" }))
}

const OWN: [&str; 4] = ["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"];

/// Redpanda speaks the protocol of Kafka: its broker recognises retries too.
#[test]
fn a_log_that_speaks_the_protocol_of_kafka() {
    table(&[&rows()], &[("redpanda", json!({ "t": { "system": "redpanda" } }), &OWN)]);
}

/// Raft decides in Redpanda: nothing is asked of replicas in sync and elections, and what is stated of them counts for nothing.
/// Of three replicas a majority of two has a record, of five three; one replica is the only copy.
#[test]
fn a_majority_keeps_without_replicas_in_sync() {
    let raft = short(
        &json!({ "t": { "system": "redpanda" }, "t.min_insync_replicas": null, "t.unclean_leader_election": null }),
    );
    let told = |first: &[&'static str]| [first, &OWN[1..]].concat();
    table(
        &[&rows(), &raft],
        &[
            ("three replicas", json!({}), &OWN),
            ("as in Kafka", json!({ "t.min_insync_replicas": 1, "t.unclean_leader_election": true }), &OWN),
            ("one replica", json!({ "t.replication_factor": 1 }), &told(&["1*..n", "loses l1 unless"])),
            (
                "not flushed",
                json!({ "l1.acks": "1", "l1.idempotence": false }),
                &["0..n", "loses l1", "rows D1 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
    let says = |change: Value| mechanism(&report(&[&raft, &short(&change)]), "l1");
    assert!(says(json!({})).contains("survives 1 lost broker"));
    assert!(says(json!({ "t.replication_factor": 5 })).contains("survives 2 lost brokers"));
    let unknown = report(&[&raft, &short(&json!({ "t.replication_factor": null }))]);
    let asked: Vec<_> = reader(&unknown).unknown.iter().map(|missing| missing.label()).collect();
    assert_eq!(asked, ["replication factor"]);
}

#[test]
fn the_rows_of_a_verdict_are_what_acts_in_flow_order() {
    let report = report(&[]);
    let rows: Vec<&str> = reader(&report).hops.iter().map(|row| row.at.as_str()).collect();
    assert_eq!(rows, ["l1", "t", "l2", "op", "l3", "table"]);
}

/// RF and min ISR: as many as there are is no more than there are; more are refused before 3.7 (KIP-966).
#[test]
fn replicas_that_are_asked_for() {
    let told = |first: &'static str| [first, "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let refused = ["0..n", "loses l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    table(
        &[&rows()],
        &[
            (
                "as many",
                json!({ "t.replication_factor": 2, "t.min_insync_replicas": 2, "t.version": "3.6" }),
                &told("1..n"),
            ),
            (
                "more, 3.6",
                json!({ "t.replication_factor": 2, "t.min_insync_replicas": 3, "t.version": "3.6" }),
                &refused,
            ),
            (
                "more, 3.7",
                json!({ "t.replication_factor": 2, "t.min_insync_replicas": 3, "t.version": "3.7" }),
                &told("1..n"),
            ),
            (
                "unset: the default of the version",
                json!({ "t.unclean_leader_election": "unset", "t.version": "3.9" }),
                &told("1..n"),
            ),
        ],
    );
}

/// Idempotence that nobody read: an application, a connector and the job of an engine may have set it otherwise. Without the
/// acknowledgement of all there is none. Where copies of the same write show in any case, at whatever time, one more kind of
/// them changes nothing.
#[test]
fn idempotence_that_was_not_read() {
    let log = json!({ "u": crate::small::topic(), "l3": { "to": "u", "proposed": { "write_mode": null, "version_guard": null,
        "acks": "all", "on_send_failure": "retry", "output_commit": "flush" } }, "l4": { "from": "u", "proposed": { "isolation": "read_committed" } },
        "table": null });
    let connector =
        json!({ "job": { "system": "kafka_connect", "proposed": { "processing_guarantee": "at_least_once" } } });
    table(
        &[&short(&log)],
        &[
            (
                "an engine",
                json!({}),
                &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l3 idempotence"],
            ),
            ("an engine that repeats itself without a bound in time", json!({ "job.longest_outage": null }), &OWN),
            (
                "an engine, acks=1",
                json!({ "l3.acks": "1" }),
                &["0..n", "loses l3", "rows D1 l3", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "an application",
                json!({ "l1.idempotence": null, "l3.idempotence": true }),
                &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l1 idempotence"],
            ),
        ],
    );
    table(
        &[&short(&log), &short(&connector)],
        &[(
            "a connector",
            json!({}),
            &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l3 idempotence"],
        )],
    );
}

/// Idempotence read as not set: the client decides. The default of 3.0 took effect with 3.0.1 (KAFKA-13598).
#[test]
fn idempotence_that_is_not_set() {
    let client =
        |version: &str| json!({ "l1.idempotence": "unset", "src.client": "java", "src.client_version": version });
    let retried = ["1..n", "rows D1 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let with = |version: &str, field: &str, value: Value| {
        let mut change = client(version);
        change[field] = value;
        change
    };
    table(
        &[&rows()],
        &[
            ("2.8", client("2.8.1"), &retried),
            ("3.0.0", client("3.0.0"), &retried),
            ("3.0.1", client("3.0.1"), &OWN),
            ("3.9", client("3.9.0"), &OWN),
            ("3.9, retries", with("3.9.0", "l1.retries", json!(5)), &OWN),
            ("3.9, six in flight", with("3.9.0", "l1.max_in_flight", json!(6)), &retried),
            (
                "2.8, acks not set either: one",
                with("2.8.1", "l1.acks", json!("unset")),
                &["0..n", "loses l1", "rows D1 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
    let report = report(&[&short(&with("3.9.0", "l1.retries", json!(0)))]);
    assert!(mechanism(&report, "l1").contains("retries=0"), "{}", mechanism(&report, "l1"));
}

/// One request in flight: the copy comes right behind the first one, and shows nothing older, also where the last of
/// what comes can be lost.
#[test]
fn a_retry_with_one_request_in_flight_makes_nothing_older() {
    let entity = short(&json!({ "l1.idempotence": false, "l3.key": ["entity"], "table.unique_keys": [["entity"]] }));
    table(
        &[&before_work(), &entity],
        &[
            ("one", json!({ "l1.max_in_flight": 1 }), &["0..1", "loses l2", "value Under"]),
            (
                "five",
                json!({}),
                &[
                    "0..n",
                    "loses l2",
                    "stale l3 by D1 l1",
                    "shows OlderValueShownAgain",
                    "value Stale",
                    "mend l3 VersionGuard",
                ],
            ),
        ],
    );
}

/// Logs without idempotent producers: each retry is a record, unless the log itself knows ids, for as long as it does.
#[test]
fn a_log_that_recognises_ids_itself() {
    let log = short(&json!({ "t": { "system": "service_bus", "proposed": null }, "l2.retention_time": "unlimited" }));
    table(
        &[&before_work(), &rows(), &log],
        &[
            ("never", json!({}), &["0..n", "loses l2", "rows D1 l1", "value NotApplicable", "mend l3 Write"]),
            ("for ever", json!({ "t.dedup_window": "unlimited" }), &["0..1", "loses l2", "value NotApplicable"]),
            (
                "for a while",
                json!({ "t.dedup_window": "10min" }),
                &["0..1*", "loses l2", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
}

/// Offsets that can start again: by what recognises records by them, others are dropped.
#[test]
fn offsets_that_start_again() {
    let by_offset =
        short(&json!({ "table": { "system": "elasticsearch", "proposed": null }, "l3.key": ["@coordinates"] }));
    table(
        &[&by_offset],
        &[
            ("once", json!({}), &["1..1", "value NotApplicable"]),
            ("made anew", json!({ "t.recreated": true }), &["1*..1", "loses l3:write unless", "value NotApplicable"]),
            (
                "unclean",
                json!({ "t.unclean_leader_election": true }),
                &["1*..1", "loses l1 unless", "loses l3:write unless", "value NotApplicable"],
            ),
        ],
    );
}

/// A position that is kept in a checkpoint does not expire; one that is kept nowhere cannot.
#[test]
fn a_position_that_can_be_missing() {
    table(
        &[&rows()],
        &[("in the checkpoint", json!({ "l2.offset_reset": "latest", "l2.offsets_retention": "7d" }), &OWN)],
    );
    table(
        &[&before_work(), &rows()],
        &[
            (
                "never committed",
                json!({ "l2.offset_commit": "never", "l2.offset_reset": "latest" }),
                &["0..1", "loses l2", "value NotApplicable"],
            ),
            (
                "at the end",
                json!({ "l2.offset_reset": "latest", "l2.offsets_retention": "7d" }),
                &["0..1", "loses l2", "loses l2 unless", "loses l2 unless, stated inside", "value NotApplicable"],
            ),
            (
                "kept",
                json!({ "l2.offset_reset": "earliest", "l2.offsets_retention": "7d" }),
                &["0..1", "loses l2", "value NotApplicable"],
            ),
            (
                "away for exactly as long",
                json!({ "l2.offset_reset": "earliest", "l2.offsets_retention": "60s" }),
                &["0..n", "loses l2", "rows D3 l2", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
}

/// MirrorMaker 2 goes on from what Connect stored, in a topic that is compacted: nothing there expires with an empty group.
#[test]
fn positions_of_a_mirror_do_not_expire() {
    let expires = |system: &str| {
        let job = json!({ "system": system, "proposed": { "processing_guarantee": "at_least_once", "longest_outage": "60s" } });
        let away = json!({ "job": job, "l2.offset_reset": "latest", "l2.offsets_retention": "7d" });
        let told = told(reader(&report(&[&rows(), &short(&away)])));
        told.iter().any(|line| line == "loses l2 unless, stated inside")
    };
    assert_eq!((expires("kafka_connect"), expires("mirror_maker")), (true, false));
}

/// Records are kept for a time and a size, whichever ends first; where the size is not known, nothing is judged. Beside the
/// outage of 60 s lie the lag and 60 + 1 s that are read again: where the lag is not known, no outage is inside.
#[test]
fn a_reader_that_stands_still() {
    let told = |loss: &'static str| ["1*..n", loss, "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    table(
        &[&rows()],
        &[
            (
                "a week",
                json!({ "t.retention_time": "7d", "l2.lag_time": "10s" }),
                &told("loses l2 unless, stated inside"),
            ),
            ("a week, nobody knows how far behind", json!({ "t.retention_time": "7d" }), &told("loses l2 unless")),
            (
                "for exactly the outage",
                json!({ "t.retention_time": "60s" }),
                &["0..n", "loses l2", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "a week, size not read",
                json!({ "t.retention_time": "7d", "t.retention_size": null, "l2.lag_time": "10s" }),
                &told("loses l2 unless"),
            ),
            (
                "a size that nothing fills",
                json!({ "t.retention_size": "1GiB", "t.disk_rate": "0B/s" }),
                &told("loses l2 unless"),
            ),
            (
                "a size that fills in 100 s",
                json!({ "t.retention_size": "1GB", "t.disk_rate": { "max": "10MB/s" } }),
                &["0..n", "loses l2", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "one that fills in 200 s",
                json!({ "t.retention_size": "1GB", "t.disk_rate": { "max": "5MB/s" }, "l2.lag_time": "78s" }),
                &told("loses l2 unless, stated inside"),
            ),
            (
                "one that fills in 200 s, as far as is needed",
                json!({ "t.retention_size": "1GB", "t.disk_rate": { "max": "5MB/s" }, "l2.lag_time": "79s" }),
                &["0..n", "loses l2", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "one that fills in 200 s on average",
                json!({ "t.retention_size": "1GB", "t.disk_rate": { "mean": "5MB/s" }, "l2.lag_time": "78s" }),
                &told("loses l2 unless"),
            ),
            (
                "kinesis keeps by time alone",
                json!({ "t": { "system": "kinesis" }, "t.retention_time": "7d", "t.retention_size": null, "l2.lag_time": "10s" }),
                &[
                    "1*..n",
                    "loses l2 unless, stated inside",
                    "rows D1 l1",
                    "rows D4 l3",
                    "value NotApplicable",
                    "mend l3 Write",
                ],
            ),
        ],
    );
}

/// A subscription: what is not acknowledged expires, or is given up after so many attempts.
#[test]
fn a_backlog_that_expires() {
    let queue = short(&json!({ "t": { "system": "pubsub", "proposed": null }, "l2": { "proposed": null } }));
    let told = |losses: &[&'static str]| {
        [losses, &["rows D1 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"]].concat()
    };
    table(
        &[&rows(), &queue],
        &[
            (
                "seven days",
                json!({ "l2.retention_time": "7d", "l2.lag_time": "10s" }),
                &told(&["1*..n", "loses l2 unless, stated inside"]),
            ),
            (
                "seven days, of which all but two minutes were behind",
                json!({ "l2.retention_time": "7d", "l2.lag_time": "604680s" }),
                &told(&["0..n", "loses l2"]),
            ),
            ("nothing", json!({ "l2.retention_time": "none" }), &told(&["0..n", "loses l2"])),
            (
                "for ever, five attempts",
                json!({ "l2.retention_time": "unlimited", "l2.max_deliveries": 5 }),
                &told(&["1*..n", "loses l2 unless"]),
            ),
        ],
    );
    let once =
        |stated: Value| mechanism(&report(&[&queue, &short(&json!({ "l2.exactly_once_delivery": stated }))]), "l2");
    assert!(once(json!(true)).contains("does not come again once its acknowledgement has succeeded"));
    assert!(!once(json!(false)).contains("acknowledgement"));
    let log = mechanism(&report(&[]), "l2");
    assert!(!log.contains("acknowledgement"), "{log}");
}

/// Uncommitted results, read by one job and the next: they show.
#[test]
fn uncommitted_results_show_through_the_next_job() {
    let chain = short(&json!({
        "one": { "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } },
        "two": { "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } },
        "op": { "job": "one" }, "next": { "kind": "operator", "job": "two", "step": "map" }, "job": null,
        "u": crate::small::topic(), "v": crate::small::topic(), "table": null,
        "l5": crate::small::produced("op", "u"), "l6": { "from": "u", "to": "next", "proposed": { "isolation": "read_uncommitted" } },
        "l3": null, "l7": crate::small::produced("next", "v"),
        "l4": { "from": "v", "proposed": { "isolation": "read_uncommitted" } }
    }));
    table(
        &[&chain],
        &[(
            "both",
            json!({}),
            &[
                "1..n",
                "rows D4_ABORTED l6",
                "rows D4_ABORTED l4",
                "shows UncommittedVisible",
                "value NotApplicable",
                "mend l7 Write",
            ],
        )],
    );
}

/// A replay is one of this reader where it is about the log, the link or the job; in the design as it is, none is planned.
#[test]
fn a_replay_is_about_its_reader() {
    let planned =
        |about: &str| json!({ "actions": { "a1": { "kind": "replay", "about": [about], "state_handling": "keep" } } });
    for (about, expected) in [("t", true), ("l2", true), ("job", true), ("table", false), ("l1", false)] {
        let report = report(&[&rows(), &planned(about)]);
        let again = reader(&report).duplicates.iter().any(|copies| copies.class.id() == "D6");
        assert_eq!(again, expected, "{about}");
    }
}

/// Two planned actions that both start the state anew leave it new.
#[test]
fn two_resets_are_a_reset() {
    let count = short(&json!({ "op": { "step": "aggregate", "proposed": { "function": "count", "key": ["id"] } } }));
    let action = |kind: &str| json!({ "kind": kind, "about": ["job"], "state_handling": "reset" });
    let twice = json!({ "actions": { "a1": action("replay"), "a2": action("backfill") } });
    let report = report(&[&count, &twice]);
    assert!(reader(&report).taints.is_empty(), "{:?}", reader(&report).taints);
}

/// No checkpoints: what is prepared is never committed, and nothing waits for a timeout.
#[test]
fn flink_without_checkpoints() {
    let none = json!({ "job.processing_guarantee": "none", "l3": { "proposed": { "output_commit": "two_phase", "write_mode": "append" } } });
    let log = json!({ "u": crate::small::topic(), "l3": { "to": "u", "proposed": { "write_mode": null, "version_guard": null,
        "acks": "all", "idempotence": true, "on_send_failure": "retry", "output_commit": "two_phase", "transaction_timeout": "900s" } },
        "l4": { "from": "u", "proposed": { "isolation": "read_committed" } }, "table": null, "job.processing_guarantee": "none" });
    let rest = ["rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let lost = ["0..n", "loses l2:memory", "loses l3:write"];
    table(&[], &[("a table", none, &[&lost[..], &rest].concat()), ("a log", log, &[&lost[..], &rest].concat())]);
    table(
        &[&rows()],
        &[(
            "a sum",
            json!({ "job.processing_guarantee": "none", "op": { "step": "aggregate", "proposed": { "function": "count", "key": ["entity"] } },
            "l3.key": ["entity"] }),
            &[
                "0..n",
                "loses l2:memory",
                "loses op:memory in values",
                "rows D4 l3",
                "shows OlderValueShownAgain",
                "value Under",
                "mend l3 Write",
            ],
        )],
    );
}
