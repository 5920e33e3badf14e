//! What a repeated write does to the row: keys, files, calls, collapsing stores, versions by offset.

use crate::small::{reader, report, short, table};
use pipeline_desk::analysis::delivery::verdict::Fewest;
use serde_json::json;

const TWICE: [&str; 4] = ["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
const ONCE: [&str; 2] = ["1..1", "value NotApplicable"];

#[test]
fn the_key_of_a_write() {
    table(
        &[],
        &[
            ("the id of the event", json!({}), &ONCE),
            ("drawn for each write", json!({ "l3.key": ["@random"] }), &TWICE),
            ("the time of arrival", json!({ "l3.key": ["@arrival"] }), &TWICE),
            ("the store knows another", json!({ "table.unique_keys": [["id", "region"]] }), &TWICE),
            ("the store knows a part", json!({ "l3.key": ["id", "region"] }), &TWICE),
            ("of two columns", json!({ "l3.key": ["id", "region"], "table.unique_keys": [["region", "id"]] }), &ONCE),
            ("of the record", json!({ "l3.key": ["@record_key"], "l1.key": ["id"] }), &ONCE),
            (
                "of the record, an entity",
                json!({ "l3.key": ["@record_key"], "table.unique_keys": [["entity"]] }),
                &["1..1", "shows OlderValueShownAgain", "value Exact"],
            ),
            (
                "an entity, first row stays",
                json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]], "l3.write_mode": "insert_if_absent" }),
                &ONCE,
            ),
            ("a part, patched", json!({ "l3.write_mode": "patch" }), &ONCE),
            ("a document store", json!({ "table": { "system": "mongodb", "proposed": null } }), &ONCE),
            (
                "a document store that is read",
                json!({ "table": { "system": "mongodb" }, "table.unique_keys": [["region"]] }),
                &TWICE,
            ),
            ("mysql, one key", json!({ "table": { "system": "mysql" } }), &ONCE),
            ("mysql, another key", json!({ "table": { "system": "mysql" }, "table.unique_keys": [["email"]] }), &TWICE),
            ("postgres, two keys", json!({ "table.unique_keys": [["id"], ["email"]] }), &ONCE),
        ],
    );
}

#[test]
fn the_mode_of_a_write() {
    table(
        &[],
        &[
            ("a row each", json!({ "l3.write_mode": "append" }), &TWICE),
            (
                "added",
                json!({ "l3.write_mode": "increment" }),
                &["1..n", "over l3 by D4 l3", "value Over", "mend l3 StateScope"],
            ),
            ("a range replaced", json!({ "l3.write_mode": "replace_range" }), &ONCE),
            (
                "not known",
                json!({ "l3.write_mode": null }),
                &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l3 write mode"],
            ),
            (
                "a dashboard",
                json!({ "table": { "system": "dashboard" } }),
                &["0..1", "loses l3:write", "value NotApplicable"],
            ),
        ],
    );
}

/// Files that are named by the records in them are the same files again, unless the clock cuts them.
#[test]
fn files_that_are_named_by_their_records() {
    let files = short(
        &json!({ "table": { "system": "s3", "proposed": null }, "l3.write_mode": "file_commit", "l3.key": ["@coordinates"] }),
    );
    table(
        &[&files],
        &[
            ("by record", json!({ "l3.rotation": "by_record" }), &ONCE),
            ("by the clock", json!({ "l3.rotation": "by_clock" }), &TWICE),
            ("named otherwise", json!({ "l3.rotation": "by_record", "l3.key": ["id"] }), &TWICE),
        ],
    );
}

/// Calls: nothing is taken back; a callee that knows a key knows it for a while. What the job does again comes within
/// a checkpoint interval and an outage, 60 s and 60 s.
#[test]
fn a_call_is_made_again() {
    let call = short(
        &json!({ "table": { "system": "http", "proposed": null }, "l3.write_mode": "call", "l3.client_retries": 0 }),
    );
    let retried = ["1..n", "rows D1 l3", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let hidden = ["1..1*", "value NotApplicable", "mend l3 Write"];
    table(
        &[&call],
        &[
            ("never again by the client", json!({}), &TWICE),
            ("again by the client", json!({ "l3.client_retries": 2 }), &retried),
            ("known for ever", json!({ "l3.client_retries": 2, "table.idempotency_window": "unlimited" }), &ONCE),
            ("known for ten minutes", json!({ "l3.client_retries": 2, "table.idempotency_window": "10min" }), &hidden),
            ("known for two minutes", json!({ "table.idempotency_window": "2min" }), &TWICE),
            ("not known", json!({ "table.idempotency_window": "none" }), &TWICE),
            (
                "an id drawn before",
                json!({ "op.determinism": "key_varies", "table.idempotency_window": "10min" }),
                &["1..n", "rows D4 l3", "value NotApplicable", "mend op DeterministicId"],
            ),
            (
                "a new key for each call",
                json!({ "l3.key": ["@random"], "table.idempotency_window": "unlimited" }),
                &TWICE,
            ),
        ],
    );
}

/// Tables of files: an upsert by their only writer leaves one row of a key in a partition that the key names, for who
/// reads the rows. A merge meets rows of earlier batches: those of a batch that Spark or Flink runs again.
#[test]
fn upserts_into_tables_of_files() {
    let lake = |system: &str| {
        short(&json!({
            "table": { "system": system }, "table.unique_keys": null, "table.collapse": null, "table.other_writers": false,
            "table.collapse_within": ["id"], "l4.read_mode": "collapsed"
        }))
    };
    for system in ["iceberg", "hudi"] {
        table(
            &[&lake(system)],
            &[
                ("the key names the partition", json!({}), &ONCE),
                ("not partitioned", json!({ "table.collapse_within": [] }), &ONCE),
                ("partitioned otherwise", json!({ "table.collapse_within": ["day"] }), &TWICE),
                ("appended", json!({ "l3.write_mode": "append" }), &TWICE),
                ("the changes are read", json!({ "l4.read_mode": "raw" }), &TWICE),
                ("others write too", json!({ "table.other_writers": true }), &TWICE),
                (
                    "by what nobody read",
                    json!({ "table.collapse_within": null }),
                    &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks table collapse within"],
                ),
            ],
        );
    }
    table(
        &[&lake("delta")],
        &[
            ("a batch that is run again", json!({ "table.collapse_within": null }), &ONCE),
            ("the changes are read", json!({ "l4.read_mode": "raw" }), &TWICE),
        ],
    );
}

/// Stores that bring equal keys together later, for readers that ask for it.
#[test]
fn rows_that_become_one_later() {
    let store = |collapse: &str| short(&json!({ "table": { "system": "clickhouse" }, "table.collapse": collapse }));
    let read = |mode: &str| json!({ "l4.read_mode": mode });
    for collapse in ["at_merge", "at_read"] {
        table(
            &[&store(collapse)],
            &[
                ("raw", read("raw"), &TWICE),
                ("collapsed", read("collapsed"), &ONCE),
                (
                    "not known",
                    json!({}),
                    &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l4 read mode"],
                ),
            ],
        );
    }
    table(&[&store("never")], &[("never", read("collapsed"), &TWICE)]);
    table(&[&store("at_write")], &[("at once", read("raw"), &ONCE)]);
}

/// A running count, written again after a restart: older values show, unless the write is guarded by a version.
#[test]
fn running_values_are_written_again() {
    let count = short(
        &json!({ "op": { "step": "aggregate", "proposed": { "function": "count", "key": ["entity"] } }, "l3.key": ["entity"],
        "table.unique_keys": [["entity"]] }),
    );
    table(
        &[&count],
        &[
            ("no version", json!({}), &["1..1", "shows OlderValueShownAgain", "value Exact"]),
            ("a version", json!({ "l3.version_guard": ["version"] }), &["1..1", "value Exact"]),
        ],
    );
}

/// Offsets order the records of one partition. Where one key comes out of several, the newer row can have the lower one.
#[test]
fn a_version_by_offset() {
    let guarded = short(
        &json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]], "l3.version_guard": ["@offset"], "t.partitions": 4 }),
    );
    let kept = ["1..1", "value Exact"];
    let lost = ["0..1", "loses l3:write", "value Under"];
    let unless = ["1*..1", "loses l3:write unless", "value Exact"];
    table(
        &[&guarded],
        &[
            ("hashed", json!({ "l1.partitioner": "murmur2" }), &kept),
            ("by librdkafka", json!({ "l1.partitioner": "crc32" }), &kept),
            ("in turn", json!({ "l1.partitioner": "round_robin" }), &lost),
            ("by a class of its own", json!({ "l1.partitioner": "custom" }), &lost),
            ("not said", json!({}), &unless),
            ("by another key", json!({ "l1.partitioner": "murmur2", "l1.key": ["region"] }), &lost),
            (
                "by a part of the key",
                json!({ "l1.partitioner": "murmur2", "l3.key": ["entity", "region"], "table.unique_keys": [["entity", "region"]] }),
                &kept,
            ),
            ("by no key", json!({ "l1.partitioner": "murmur2", "l1.key": [] }), &lost),
            ("one partition", json!({ "l1.partitioner": "round_robin", "t.partitions": 1 }), &kept),
            ("made anew", json!({ "l1.partitioner": "murmur2", "t.recreated": true }), &lost),
            (
                "by the key of the record, hashed",
                json!({ "l1.partitioner": "murmur2", "l3.key": ["@record_key"] }),
                &kept,
            ),
            (
                "by the key of the record, in turn",
                json!({ "l1.partitioner": "round_robin", "l3.key": ["@record_key"] }),
                &lost,
            ),
        ],
    );
}

/// Two conditions on one log that are not about the same thing: each is said.
#[test]
fn conditions_about_different_things_stand_side_by_side() {
    let guarded = short(
        &json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]], "l3.version_guard": ["@offset"], "t.partitions": 4,
        "t.unclean_leader_election": true }),
    );
    let report = report(&[&guarded]);
    let Fewest::OneWhile(_, conditions) = &reader(&report).badge.fewest else { panic!("conditions") };
    let said: Vec<&str> = conditions.iter().map(|condition| condition.text.as_str()).collect();
    assert_eq!(
        said,
        [
            "one replica in sync stays up",
            "each offset of t is given out once",
            "one key always goes to the same partition of t",
        ]
    );
}

/// One lost way of acknowledging that two links share counts once in what is asked.
#[test]
fn a_fact_that_is_missing_is_asked_once() {
    let twice = short(
        &json!({ "u": crate::small::topic(), "l5": crate::small::sent("src", "u"), "l6": crate::small::read("u", "op"),
        "job.processing_guarantee": null }),
    );
    let report = report(&[&twice]);
    let asked: Vec<String> =
        reader(&report).unknown.iter().map(|missing| format!("{} {}", missing.subject, missing.label())).collect();
    assert_eq!(asked, ["job processing guarantee"]);
}

/// A kind of event that an operator makes has the id that its own type says.
#[test]
fn an_event_that_is_made_on_the_way() {
    let made = json!({ "elements": { "op": { "emits": "made" }, "table": { "proposed": { "unique_keys": [["number"]] } } },
        "links": { "l3": { "proposed": { "key": ["number"] } } },
        "events": { "made": { "proposed": { "key": ["entity"], "event_id": ["number"] } } } });
    table(&[&made], &[("made", json!({}), &ONCE)]);
}

/// An id that was drawn anew says nothing of a key that it is no part of: copies meet the same row.
#[test]
fn a_drawn_id_beside_the_key() {
    let drawn = short(
        &json!({ "op": { "step": "assign_id" }, "op.determinism": "key_varies", "l3.key": ["entity"], "table.unique_keys": [["entity"]],
        "l1.after_restart": "resume_position" }),
    );
    table(
        &[&drawn],
        &[
            ("beside", json!({ "op.key": ["id"] }), &["1..1", "shows OlderValueShownAgain", "value Exact"]),
            (
                "the key itself",
                json!({ "op.key": ["entity"] }),
                &[
                    "1..n",
                    "rows D2 l1",
                    "rows D4 l3",
                    "shows OlderValueShownAgain",
                    "value Exact",
                    "mend op DeterministicId",
                ],
            ),
        ],
    );
}

/// An upsert that deletes the row of its key as it writes does so for its own writer, where one task has all of a key.
#[test]
fn a_key_that_only_the_writer_keeps() {
    let pinot = short(&json!({ "table": { "system": "pinot", "proposed": null } }));
    table(
        &[&pinot],
        &[
            ("alone", json!({ "table.other_writers": false }), &ONCE),
            ("among others", json!({ "table.other_writers": true }), &TWICE),
            (
                "not known",
                json!({}),
                &["1..?", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks table other writers"],
            ),
            (
                "several tasks",
                json!({ "table.other_writers": false, "next": { "kind": "operator", "job": "job", "step": "map" }, "l3": { "from": "next" },
            "l3.key": ["entity"], "l5": { "from": "op", "to": "next", "proposed": { "distribution": "rebalance" } }, "job.parallelism": 4 }),
                &[
                    "1..n",
                    "rows D4 l3",
                    "stale l3 by ORD l5",
                    "shows OlderValueShownAgain",
                    "value Stale",
                    "mend l5 SameKey",
                ],
            ),
        ],
    );
}

/// Whether a version guards the row matters where an old copy can come after a newer one, and only there.
#[test]
fn a_version_that_was_not_read() {
    let entity = short(&json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]], "l3.version_guard": null }));
    table(
        &[&entity],
        &[
            (
                "a suffix again",
                json!({ "l1.after_restart": "resume_position" }),
                &["1..1", "shows OlderValueShownAgain", "value Exact"],
            ),
            (
                "one alone",
                json!({ "l1.after_restart": "resend_unmarked" }),
                &["1..?", "value Exact", "asks l3 version guard"],
            ),
        ],
    );
}

/// A running count whose rows go to several tasks, and a table that is filled from another one.
#[test]
fn values_on_the_way_to_the_row() {
    let entity = short(&json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]] }));
    let tasks = json!({ "op": { "step": "aggregate", "proposed": { "function": "count", "key": ["entity"] } },
        "next": { "kind": "operator", "job": "job", "step": "map" }, "l3": { "from": "next" },
        "l5": { "from": "op", "to": "next", "proposed": { "distribution": "rebalance" } }, "job.parallelism": 4 });
    let copied = json!({ "stored": { "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["entity"]], "collapse": "at_write" } },
        "copier": { "kind": "job", "system": "flink", "proposed": { "processing_guarantee": "exactly_once", "checkpoint_interval": "60s",
            "checkpoint_min_pause": "0s", "checkpoint_duration": "1s", "longest_outage": "60s" } },
        "copy": { "kind": "operator", "job": "copier", "step": "map" }, "l2": { "to": "copy" },
        "l5": { "from": "copy", "to": "stored", "proposed": { "key": ["entity"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" } },
        "l6": { "from": "stored", "to": "op", "proposed": { "capture": "change_log", "offset_mismatch": "trust_offset" } } });
    let mut at_least_once = tasks.clone();
    at_least_once["job.processing_guarantee"] = json!("at_least_once");
    table(
        &[&entity],
        &[
            (
                "several tasks, and counted twice",
                at_least_once,
                &[
                    "1..n",
                    "over op by D3 l2",
                    "stale l3 by ORD l5",
                    "shows OlderValueShownAgain",
                    "value Over",
                    "mend op StateScope",
                ],
            ),
            (
                "several tasks",
                tasks,
                &["1..n", "stale l3 by ORD l5", "shows OlderValueShownAgain", "value Stale", "mend l5 SameKey"],
            ),
            (
                "a table from a table",
                copied,
                &["1*..1", "loses l6 unless", "shows OlderValueShownAgain", "value Exact"],
            ),
        ],
    );
}
