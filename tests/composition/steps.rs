//! Steps of a job one by one: ids, de-duplications by what they keep, errors, hand-overs between tasks.

use crate::small::{reader, report, short, table, told, topic};
use serde_json::{Value, json};

fn rows() -> Value {
    short(&json!({ "l3.write_mode": "append" }))
}

fn resending() -> Value {
    short(&json!({ "l1.after_restart": "resume_position" }))
}

/// The table has one row an entity, without a version.
fn entity() -> Value {
    short(&json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]] }))
}

/// An id that is the same again is a key as before; one that is drawn tells the copies apart for good.
#[test]
fn an_id_that_is_assigned() {
    let drawn = ["1..n", "rows D2 l1", "rows D4 l3", "value NotApplicable", "mend op DeterministicId"];
    table(
        &[&resending()],
        &[
            (
                "the same",
                json!({ "op": { "step": "assign_id" }, "op.key": ["id"], "op.determinism": "same" }),
                &["1..1", "value NotApplicable"],
            ),
            (
                "drawn",
                json!({ "op": { "step": "assign_id" }, "op.key": ["id"], "op.determinism": "key_varies" }),
                &drawn,
            ),
            ("drawn by a mapping", json!({ "op.determinism": "key_varies" }), &drawn),
        ],
    );
}

/// Rolled-back results go with the key where the retry computes the same ones, and stay where it does not. A look-up and a
/// call answer with what is there then, and a table without versions is what it is then, unless it is said that they give the same.
#[test]
fn rolled_back_results_that_come_out_otherwise() {
    let kept = &["1..1", "shows UncommittedVisible", "value NotApplicable"];
    let stays = &["1..n", "rows D4_ABORTED l6", "shows UncommittedVisible", "value NotApplicable", "mend l3 Write"];
    // What a join gives is a result of its own.
    let pair_kept = &["1..1", "shows OlderValueShownAgain", "shows UncommittedVisible", "value Exact"];
    let pair_stays = &[
        "1..n",
        "rows D4_ABORTED l6",
        "shows OlderValueShownAgain",
        "shows UncommittedVisible",
        "value Exact",
        "mend l3 Write",
    ];
    let behind = short(&json!({
        "first": { "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } },
        "made": { "kind": "operator", "job": "first", "step": "map" }, "u": topic(),
        "l2": { "to": "made" }, "l5": crate::small::produced("made", "u"),
        "l6": { "from": "u", "to": "op", "proposed": { "isolation": "read_uncommitted" } }
    }));
    table(
        &[&behind],
        &[
            ("the same", json!({}), kept),
            ("others", json!({ "made.determinism": "value_varies" }), stays),
            ("looked up", json!({ "made": { "step": "lookup" } }), stays),
            ("looked up, and the same", json!({ "made": { "step": "lookup" }, "made.determinism": "same" }), kept),
            ("called", json!({ "made": { "step": "call" } }), stays),
            ("joined with a table", json!({ "made": { "step": "join" }, "made.join": "table" }), pair_stays),
            (
                "joined with one everywhere",
                json!({ "made": { "step": "join" }, "made.join": "global_table" }),
                pair_stays,
            ),
            (
                "joined with one of versions",
                json!({ "made": { "step": "join" }, "made.join": "table", "made.history": "1h" }),
                pair_kept,
            ),
            (
                "joined, and the same",
                json!({ "made": { "step": "join" }, "made.join": "table", "made.determinism": "same" }),
                pair_kept,
            ),
        ],
    );
}

/// A de-duplication removes what comes from before it; what the job reads again itself goes back with its state.
#[test]
fn a_deduplication_by_what_keeps_its_marks() {
    let by_id = short(&json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "unlimited" }));
    let own = ["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    table(
        &[&rows(), &resending(), &by_id],
        &[
            ("exactly once", json!({}), &own),
            ("flink, at least once", json!({ "job.processing_guarantee": "at_least_once" }), &own),
            (
                "streams, at least once",
                json!({ "job": { "system": "kafka_streams" }, "job.processing_guarantee": "at_least_once" }),
                &["0..n", "loses op:dedup", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "no checkpoints",
                json!({ "job.processing_guarantee": "none" }),
                &["0..n", "loses l2:memory", "rows D2 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "memory",
                json!({ "op.state_in": "memory" }),
                &["1..n", "rows D2 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            ("marks after the write", json!({ "op.marks": "after_write", "op.state_ttl": "unlimited" }), &own),
            (
                "marks before the write",
                json!({ "op.marks": "before_write", "op.state_ttl": "unlimited" }),
                &["0..1", "loses op:marks", "value NotApplicable"],
            ),
            (
                "marks with the write",
                json!({ "op.state_in": "external", "op.marks": "with_write", "op.state_ttl": "unlimited" }),
                &["1..1", "value NotApplicable"],
            ),
            (
                "an application that does not say",
                json!({ "job": { "system": "plain_consumer", "proposed": { "client": "java" } }, "l2.offset_commit": "after_work" }),
                &["?..?", "rows D2 l1", "rows D3 l2", "value NotApplicable", "mend l3 Write", "asks op state in"],
            ),
        ],
    );
}

/// By offset it knows what is read again from the log in front of it, on purpose or not: not what was written again there.
#[test]
fn a_deduplication_by_offset() {
    let replay = json!({ "actions": { "a1": { "kind": "replay", "about": ["t"], "state_handling": "keep" } } });
    table(
        &[&rows(), &resending(), &replay],
        &[
            (
                "none",
                json!({}),
                &["1..n", "rows D2 l1", "rows D6 l2", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "by offset",
                json!({ "op": { "step": "deduplicate" }, "op.key": ["@offset"] }),
                &["1..n", "rows D2 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "by coordinates",
                json!({ "op": { "step": "deduplicate" }, "op.key": ["@coordinates"] }),
                &["1..n", "rows D2 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
}

/// Marks in memory, forgotten in the middle of what comes again: the older part passes after the newer one was dropped.
/// Copies right behind the first ones are still in memory, or behind it.
#[test]
fn forgotten_marks_let_older_ones_pass() {
    let memory = short(&json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_in": "memory" }));
    table(
        &[&entity(), &memory],
        &[
            (
                "a suffix again",
                json!({ "l1.after_restart": "resume_position" }),
                &["1..n", "stale l3 by D2 l1", "shows OlderValueShownAgain", "value Stale", "mend l3 VersionGuard"],
            ),
            (
                "right behind",
                json!({ "l1.idempotence": false, "l1.max_in_flight": 1 }),
                &["1..1", "shows OlderValueShownAgain", "value Exact"],
            ),
        ],
    );
}

/// The de-duplication of one job is none of the next, that takes the rows out of its table.
#[test]
fn a_deduplication_ends_with_its_job() {
    let behind = |guarantee: &str| {
        short(&json!({
            "first": { "kind": "job", "system": "flink", "proposed": { "processing_guarantee": "exactly_once", "checkpoint_interval": "60s",
                "checkpoint_min_pause": "0s", "checkpoint_duration": "1s", "longest_outage": "60s" } },
            "seen": { "kind": "operator", "job": "first", "step": "deduplicate", "proposed": { "key": ["id"], "state_ttl": "unlimited" } },
            "stored": { "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["id"]], "collapse": "at_write" } },
            "l2": { "to": "seen" },
            "l5": { "from": "seen", "to": "stored", "proposed": { "key": ["id"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" } },
            "l6": { "from": "stored", "to": "op", "proposed": { "capture": "change_log", "offset_mismatch": "trust_offset" } },
            "l3": { "proposed": { "output_commit": "two_phase", "write_mode": "append" } },
            "job.processing_guarantee": guarantee
        }))
    };
    for (guarantee, again) in [("exactly_once", false), ("at_least_once", true)] {
        let report = report(&[&behind(guarantee)]);
        let told = told(reader(&report));
        assert_eq!(told.contains(&"rows D4 l3".to_owned()), again, "{told:?}");
    }
}

/// Records that fail: skipped, set aside where somebody takes them, or into nothing.
#[test]
fn records_that_fail() {
    let skipped = ["0..1", "loses op", "value NotApplicable"];
    let aside = |facts: Value| {
        json!({ "aside": topic(), "aside.rate": facts,
        "l5": { "from": "op", "to": "aside", "port": "dead_letter", "proposed": { "acks": "all", "idempotence": true, "on_send_failure": "retry" } } })
    };
    table(
        &[],
        &[
            ("fail", json!({ "op.on_error": "fail" }), &["1..1", "value NotApplicable"]),
            ("skip", json!({ "op.on_error": "skip" }), &skipped),
            ("the job skips", json!({ "job.on_error": "skip" }), &skipped),
            (
                "the job skips, this step does not",
                json!({ "job.on_error": "skip", "op.on_error": "fail" }),
                &["1..1", "value NotApplicable"],
            ),
            ("into nothing", json!({ "op.on_error": "dead_letter" }), &skipped),
            ("set aside", aside(json!("1/s")), &["1*..1", "loses op unless", "value NotApplicable"]),
            (
                "set aside, nothing comes",
                aside(json!("0/s")),
                &["1*..1", "loses op unless, stated inside", "value NotApplicable"],
            ),
        ],
    );
}

/// Rows of one key that go to several tasks overtake each other, until a hash brings them together again.
#[test]
fn rows_of_one_key_on_several_tasks() {
    let handed = |distribution: &str| {
        json!({ "next": { "kind": "operator", "job": "job", "step": "map" }, "l3": { "from": "next" },
        "l0": { "from": "op", "to": "next", "proposed": { "distribution": distribution } }, "job.parallelism": 4 })
    };
    let with = |mut change: Value, field: &str, value: Value| {
        change[field] = value;
        change
    };
    let apart = ["1..n", "stale l3 by ORD l0", "shows OlderValueShownAgain", "value Stale", "mend l0 SameKey"];
    let together = ["1..1", "shows OlderValueShownAgain", "value Exact"];
    let mut back = with(handed("rebalance"), "last", json!({ "kind": "operator", "job": "job", "step": "map" }));
    back["l3"] = json!({ "from": "last" });
    back["l6"] = json!({ "from": "next", "to": "last", "proposed": { "distribution": "hash" } });
    table(
        &[&entity()],
        &[
            ("rebalance", handed("rebalance"), &apart),
            ("forward", handed("forward"), &together),
            ("rebalance, one task", with(handed("rebalance"), "job.parallelism", json!(1)), &together),
            (
                "rebalance, one task of this operator",
                with(handed("rebalance"), "next.parallelism", json!(1)),
                &together,
            ),
            ("rebalance, then a hash", back, &together),
        ],
    );
}

/// More partitions than today: keys move, and newer rows are read beside older ones.
#[test]
fn keys_move_when_a_log_grows() {
    let today = json!({ "evidence": { "e1": { "basis": "read", "from": "reading" } },
        "elements": { "t": { "lifecycle": "existing", "observed": { "e1": { "partitions": 4 } } } } });
    table(
        &[&entity(), &today],
        &[
            (
                "more",
                json!({ "t.partitions": 8 }),
                &["1..n", "stale l3 by ORD t", "shows OlderValueShownAgain", "value Stale", "mend l3 VersionGuard"],
            ),
            ("as many", json!({ "t.partitions": 4 }), &["1..1", "shows OlderValueShownAgain", "value Exact"]),
        ],
    );
}

/// A planned replay of a state that is kept counts again, whatever another planned one does.
#[test]
fn one_of_two_replays_keeps_the_state() {
    let count = short(
        &json!({ "op": { "step": "aggregate", "proposed": { "function": "count", "key": ["entity"] } }, "l3.key": ["entity"],
        "table.unique_keys": [["entity"]] }),
    );
    let action = |state: &str| json!({ "kind": "replay", "about": ["t"], "state_handling": state });
    let both = json!({ "actions": { "a1": action("reset"), "a2": action("keep") } });
    table(
        &[&count, &both],
        &[(
            "both",
            json!({}),
            &["1..n", "over op by D6 l2", "shows OlderValueShownAgain", "value Over", "mend op BeforeAggregate"],
        )],
    );
}

/// A copy whose first one was lost on the way passes a de-duplication, after newer events; one that came right behind
/// it shows nothing older, and what is lost before the copies are made takes no first one from them.
#[test]
fn a_copy_whose_first_one_was_lost_passes() {
    let by_id = short(&json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "unlimited" }));
    let lossy = short(&json!({ "l1.acks": "1", "l1.retries": 0 }));
    let kept = ["1..1", "shows OlderValueShownAgain", "value Exact"];
    table(
        &[&entity(), &by_id],
        &[
            ("nothing lost", json!({ "l1.after_restart": "resume_position" }), &kept),
            (
                "lost, and right behind",
                json!({ "l1.acks": "1", "l1.idempotence": false, "l1.max_in_flight": 1 }),
                &["0..1", "loses l1", "shows OlderValueShownAgain", "value Under"],
            ),
        ],
    );
    table(
        &[&entity(), &by_id, &lossy],
        &[
            (
                "lost where they are made",
                json!({ "l1.after_restart": "resume_position" }),
                &[
                    "0..n",
                    "loses l1",
                    "stale l3 by D2 l1",
                    "shows OlderValueShownAgain",
                    "value Stale",
                    "mend l3 VersionGuard",
                ],
            ),
            (
                "lost before they are made",
                json!({ "u": topic(), "relay": { "kind": "job", "system": "plain_consumer", "proposed": { "client": "java" } },
                "copy": { "kind": "operator", "job": "relay", "step": "copy" }, "l2": { "to": "copy" }, "l2.offset_commit": "after_work",
                "l5": crate::small::produced("copy", "u"), "l6": crate::small::read("u", "op") }),
                &["0..1", "loses l1", "shows OlderValueShownAgain", "value Under"],
            ),
        ],
    );
}

/// Marks that are set after the write are set when the record is read again; where nothing is read again, a copy passes.
#[test]
fn marks_that_were_never_set() {
    let before = short(
        &json!({ "job": { "system": "plain_consumer", "proposed": { "client": "java", "longest_outage": "60s" } },
        "l2.offset_commit": "before_work", "op": { "step": "deduplicate" }, "op.key": ["id"], "op.marks": "after_write", "op.state_ttl": "unlimited" }),
    );
    table(
        &[&rows(), &resending(), &before],
        &[("never read again", json!({}), &["0..n", "loses l2", "rows D2 l1", "value NotApplicable", "mend l3 Write"])],
    );
}

/// What was written last and not marked comes right behind its first one; what is never marked can come after newer events.
#[test]
fn marks_that_are_set_after_the_write() {
    let after = short(
        &json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.marks": "after_write", "op.state_ttl": "unlimited" }),
    );
    let before_work = json!({ "job": { "system": "plain_consumer", "proposed": { "client": "java", "longest_outage": "60s" } },
        "l2.offset_commit": "before_work" });
    table(
        &[&entity(), &resending(), &after],
        &[
            ("read again", json!({}), &["1..1", "value Exact"]),
            (
                "never read again",
                before_work,
                &[
                    "0..n",
                    "loses l2",
                    "stale l3 by D2 l1",
                    "shows OlderValueShownAgain",
                    "value Stale",
                    "mend l3 VersionGuard",
                ],
            ),
        ],
    );
}

/// A time-to-live covers copies whose times add up to less, and not those that come exactly then; one that is too late
/// by itself bounds none of the others.
#[test]
fn a_time_to_live_against_horizons() {
    let within = short(
        &json!({ "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "8h", "op.ttl_clock": "event_time" }),
    );
    let retried = |resent: &str, sent: &str| json!({ "l1.resend_within": resent, "l1.idempotence": false, "l1.max_in_flight": 1, "l1.delivery_timeout": sent });
    let told =
        |rows: &[&'static str]| [&["1..n"][..], rows, &["rows D4 l3", "value NotApplicable", "mend l3 Write"]].concat();
    table(
        &[&rows(), &within],
        &[
            ("inside", json!({ "l1.resend_within": "7h" }), &told(&[])),
            ("exactly then", json!({ "l1.resend_within": "8h" }), &told(&["rows D5 l1"])),
            ("together inside", retried("4h", "3h"), &told(&[])),
            ("together exactly then", retried("4h", "4h"), &told(&["rows D1 l1", "rows D5 l1"])),
            ("one too late alone", retried("9h", "4h"), &told(&["rows D5 l1"])),
            ("one exactly too late", retried("8h", "1h"), &told(&["rows D5 l1"])),
        ],
    );
}

/// The last value of a window takes the older event for the newest, where its first copy was lost and this one passed.
#[test]
fn a_late_copy_can_be_the_last_of_its_window() {
    let last = short(&json!({
        "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "unlimited",
        "next": { "kind": "operator", "job": "job", "step": "aggregate", "proposed": { "key": ["entity"], "function": "last", "window": "tumbling",
            "window_size": "5min", "clock": "event_time", "watermark_delay": "5s", "allowed_lateness": "0s", "emit": "on_close" } },
        "l3": { "from": "next" }, "l5": { "from": "op", "to": "next" },
        "l1.acks": "1", "l1.retries": 0, "l1.after_restart": "resume_position"
    }));
    table(
        &[&entity(), &last],
        &[(
            "last",
            json!({}),
            &[
                "0..n",
                "loses l1",
                "loses next:late unless",
                "stale next by D2 l1",
                "shows OlderValueShownAgain",
                "value Stale",
                "mend next VersionGuard",
            ],
        )],
    );
}

/// A cycle: over a retry channel on purpose, or without one.
#[test]
fn a_cycle_says_what_it_is() {
    let back = |role: Value| {
        let mut change = json!({ "elements": { "again": topic() },
            "links": { "l5": crate::small::produced("op", "again"), "l6": crate::small::read("again", "op") } });
        change["links"]["l5"]["port"] = json!("side");
        if !role.is_null() {
            change["elements"]["again"]["role"] = role;
        }
        crate::small::mechanism(&report(&[&change]), "op")
    };
    assert!(back(json!("retry")).contains("events come back after newer ones"));
    assert!(back(Value::Null).contains("closes a cycle without a retry channel"));
}

/// Apache Flink documentation, Stateful Stream Processing: with checkpoints at least once a task goes on before all barriers are
/// there. A sum behind another shuffle than the marks can hold a record that they do not know when it is read again; by the same
/// key, handed on in one task, both are one snapshot. Two stores of Kafka Streams are two changelogs, and a sum outside does not
/// go back with the marks.
#[test]
fn marks_protect_a_sum_that_is_saved_with_them() {
    let over = |changes: &[&Value]| {
        let behind = short(&json!({
            "op": { "step": "deduplicate" }, "op.key": ["id"], "op.state_ttl": "unlimited",
            "sum": { "kind": "operator", "job": "job", "step": "aggregate", "proposed": { "key": ["id"], "function": "count" } },
            "l5": { "from": "op", "to": "sum" }, "l3": { "from": "sum" },
            "job.processing_guarantee": "at_least_once"
        }));
        let all: Vec<&Value> = std::iter::once(&behind).chain(changes.iter().copied()).collect();
        told(reader(&report(&all))).iter().any(|line| line.starts_with("over sum"))
    };
    let other_key = short(&json!({ "sum.key": ["entity"] }));
    let exact = short(&json!({ "job.processing_guarantee": "exactly_once" }));
    let streams = short(&json!({ "job": { "system": "kafka_streams" } }));
    let outside = short(&json!({ "sum.state_in": "external" }));
    assert!(!over(&[]), "one task");
    assert!(over(&[&other_key]), "another task");
    assert!(!over(&[&other_key, &exact]), "barriers are waited for");
    assert!(over(&[&short(&json!({ "l5.distribution": "rebalance" }))]), "handed on to others");
    assert!(!over(&[&short(&json!({ "l5.distribution": "forward" }))]), "handed on in the task");
    assert!(over(&[&short(&json!({ "sum.key": null }))]), "a key that is not known protects nothing");
    assert!(over(&[&streams]), "two changelogs");
    assert!(over(&[&outside]) && over(&[&outside, &exact]), "the sum does not go back");
}
