//! Edges: bounds that are met exactly, settings of which only one decides, and what is said where two things hold at once.

use crate::{
    path::{self, Engine, From, Job, SHORT, Step, Write},
    small::{mechanism, reader, report, short, table, told},
};
use pipeline_desk::{analysis::analyse, model::View};
use serde_json::{Value, json};

/// The job writes in two phases into a log that is read committed.
fn two_phase() -> Value {
    short(&json!({
        "u": crate::small::topic(), "table": null,
        "l3": { "to": "u", "proposed": { "write_mode": null, "version_guard": null, "acks": "all", "idempotence": true,
            "on_send_failure": "retry", "output_commit": "two_phase" } },
        "l4": { "from": "u", "proposed": { "isolation": "read_committed" } }
    }))
}

/// A checkpoint every minute that takes a second: of 61 s of timeout nothing is left for an outage, of 62 s one second.
#[test]
fn a_transaction_timeout_that_covers_nothing() {
    table(
        &[&two_phase(), &short(&json!({ "job.longest_outage": null }))],
        &[
            ("61 s", json!({ "l3.transaction_timeout": "61s" }), &["0..1", "loses l3:timeout", "value NotApplicable"]),
            (
                "62 s",
                json!({ "l3.transaction_timeout": "62s" }),
                &["1*..1", "loses l3:timeout unless", "value NotApplicable"],
            ),
        ],
    );
    let lost = report(&[&two_phase(), &short(&json!({ "l3.transaction_timeout": "61s", "job.longest_outage": null }))]);
    let said = &reader(&lost).sentence;
    assert!(said.starts_with("May be lost, and does not repeat: the broker aborts what was prepared"), "{said}");
    // Without the duration of a checkpoint no bound, but an outage as long as the timeout is beyond any.
    table(
        &[&two_phase(), &short(&json!({ "job.checkpoint_duration": null, "job.longest_outage": "60s" }))],
        &[
            ("60 s", json!({ "l3.transaction_timeout": "60s" }), &["0..1", "loses l3:timeout", "value NotApplicable"]),
            (
                "61 s",
                json!({ "l3.transaction_timeout": "61s" }),
                &["?..1", "value NotApplicable", "asks job checkpoint duration"],
            ),
        ],
    );
}

/// A count over a compacted log: versions are certainly there only for as long as the cleaner leaves them.
#[test]
fn a_count_of_versions_rests_on_the_lag_of_the_cleaner() {
    let count = short(&json!({
        "t.cleanup_policy": "compact", "op": { "step": "aggregate" }, "op.function": "count", "op.key": ["entity"],
        "l3.key": ["entity"], "table.unique_keys": [["entity"]], "l3.version_guard": ["version"]
    }));
    let lost = |lag: Value| {
        let report = report(&[&count, &short(&json!({ "t.min_compaction_lag": lag }))]);
        let lines = crate::small::told(reader(&report)).into_iter();
        lines.filter(|line| line.starts_with("loses op")).collect::<Vec<_>>()
    };
    assert_eq!(lost(json!("1d")), ["loses op in values unless"]);
    assert_eq!(lost(json!("0s")), ["loses op in values"]);
    assert_eq!(lost(Value::Null), ["loses op in values"]);
}

/// A key that is new for every record, or says when it came, recognises nothing.
#[test]
fn a_deduplication_by_what_is_new_each_time() {
    for key in ["@random", "@arrival"] {
        let by = short(&json!({
            "l1.idempotence": false, "op": { "step": "deduplicate" }, "op.key": [key], "op.state_ttl": "unlimited",
            "l3.write_mode": "append"
        }));
        let rows = ["1..n", "rows D1 l1", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
        table(&[&by], &[(key, json!({}), &rows)]);
    }
}

/// Of an application all positions have to be in its transaction: those that it commits itself are apart.
#[test]
fn an_application_commits_its_position_with_its_output_or_apart() {
    let own = short(&json!({
        "u": crate::small::topic(), "table": null, "job": { "system": "plain_consumer", "proposed": null },
        "l3": { "to": "u", "proposed": { "write_mode": null, "version_guard": null, "acks": "all", "idempotence": true,
            "on_send_failure": "retry", "output_commit": "with_position" } },
        "l4": { "from": "u", "proposed": { "isolation": "read_committed" } }
    }));
    table(
        &[&own],
        &[
            ("with it", json!({ "l2.offset_commit": "with_output" }), &["1..1", "value NotApplicable"]),
            (
                "apart",
                json!({ "l2.offset_commit": "after_work" }),
                &["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
        ],
    );
    let apart = report(&[&own, &short(&json!({ "l2.offset_commit": "after_work" }))]);
    assert!(mechanism(&apart, "l3").contains("committed apart"), "{}", mechanism(&apart, "l3"));
    let with = report(&[&own, &short(&json!({ "l2.offset_commit": "with_output" }))]);
    assert!(!mechanism(&with, "l3").contains("apart"), "{}", mechanism(&with, "l3"));
}

/// What evidence could not reach is named before the setting that it would have told; also where that is of a link.
#[test]
fn a_place_that_was_not_reached_is_named() {
    let said = |about: &str, missing: Value| {
        let unreached =
            json!({ "evidence": { "e9": { "basis": "read", "from": "a", "state": "unreachable", "about": [about] } } });
        reader(&report(&[&unreached, &short(&missing)])).sentence.clone()
    };
    let acks = || json!({ "l1.acks": null });
    assert_eq!(said("src", acks()), "No claim. src not read.");
    assert_eq!(said("t", acks()), "No claim. t not read.");
    assert_eq!(said("t", json!({ "t.replication_factor": null })), "No claim. t not read.");
    assert_eq!(said("table", acks()), "No claim. Acks of src → t: not read.");
    assert_eq!(said("src", json!({ "t.replication_factor": null })), "No claim. Replication factor of t: not read.");
}

/// Repeats that a de-duplication hides for a time, and an older row that shows until the newer one is written again.
#[test]
fn suppressed_repeats_are_said_with_what_shows() {
    let within = short(&json!({
        "l1.after_restart": "resume_position", "l1.resend_within": "1h", "op": { "step": "deduplicate" }, "op.key": ["id"],
        "op.state_ttl": "1d", "op.ttl_clock": "processing_time", "op.ttl_from": "first"
    }));
    let shown = report(&[&within, &short(&json!({ "l3.key": ["entity"], "table.unique_keys": [["entity"]] }))]);
    assert_eq!(reader(&shown).badge.text(), "1..1*");
    assert_eq!(reader(&shown).sentence, "At least once, and an older value can show again for a while.");
    let sent = report(&[&within, &two_phase(), &short(&json!({ "l3.transaction_timeout": "900s" }))]);
    let said = "At least once; repeats are suppressed: one per id within 24 h at op.";
    assert_eq!((&*reader(&sent).badge.text(), &*reader(&sent).sentence), ("1*..1*", said));
}

/// Marks in the memory of a process are forgotten together with a count there: what comes again after a restart is counted
/// for the first time. A count that is kept has it already.
#[test]
fn marks_that_are_forgotten_with_the_count_protect_it() {
    let counted = |job: Value, count: Value| {
        let steps = json!({
            "elements": {
                "job": job,
                "op": { "step": "deduplicate", "proposed": { "key": ["id"], "state_in": "memory", "state_ttl": "unlimited" } },
                "sum": { "kind": "operator", "job": "job", "step": "aggregate", "proposed": count },
                "table": { "proposed": { "unique_keys": [["entity"]] } }
            },
            "links": {
                "l1": { "proposed": { "after_restart": "resume_position" } },
                "l2": { "proposed": { "offset_commit": "after_work" } },
                "l9": { "from": "op", "to": "sum", "proposed": { "distribution": "forward" } },
                "l3": { "from": "sum", "proposed": { "key": ["entity"], "version_guard": ["version"] } }
            }
        });
        let told = crate::small::told(reader(&report(&[&steps]))).into_iter();
        told.filter(|line| line.starts_with("over sum by")).collect::<Vec<_>>()
    };
    let own = json!({ "system": "plain_consumer", "proposed": null });
    assert_eq!(counted(own, json!({ "function": "count", "key": ["entity"], "state_in": "memory" })), [""; 0]);
    assert_eq!(counted(json!({}), json!({ "function": "count", "key": ["entity"] })), ["over sum by D2 l1"]);
}

/// Answered before it was stored, what was lost comes again after newer events, and passes a de-duplication: the last value
/// is old then, whatever a restart shows again for a while.
#[test]
fn what_comes_late_does_not_hide_what_a_restart_shows() {
    let from = From::Webhook { acknowledge: "before_store", resent_within: "unlimited" };
    let steps = &[Step::Deduplicate("unlimited"), Step::Last];
    let jobs = [Job { engine: Engine::Flink("exactly_once"), committed: true, steps, write: Write::UpsertByEntity }];
    let (design, _) = path::design(from, &jobs, &SHORT);
    let report = analyse(&design, View::AsIs);
    let expected = [
        "0..n",
        "loses l1",
        "stale n1_1 by D5 l1",
        "shows OlderValueShownAgain",
        "value Stale",
        "mend n1_1 VersionGuard",
    ];
    assert_eq!(told(&report.consumers.values().next().unwrap().delivery), expected);
}

/// A copy whose first one was lost comes late twice on one way: into the last value, and behind it into the row of that
/// value. Each shows an older one for a while, and the second does not take that back.
#[test]
fn what_comes_late_twice_is_shown_once_as_that() {
    let job = |engine, steps, write| Job { engine, committed: true, steps, write };
    let jobs = [
        job(Engine::Flink("exactly_once"), &[Step::Deduplicate("unlimited"), Step::Last], Write::Log),
        job(Engine::AfterWork, &[Step::Map], Write::Log),
        job(Engine::BeforeWork, &[Step::Map], Write::Log),
        job(Engine::Flink("exactly_once"), &[Step::Deduplicate("unlimited")], Write::UpsertByEntity),
    ];
    let from = From::Webhook { acknowledge: "before_store", resent_within: "unlimited" };
    let (design, _) = path::design(from, &jobs, &SHORT);
    let told = told(&analyse(&design, View::AsIs).consumers.values().next().unwrap().delivery);
    assert!(told.iter().any(|line| line == "shows OlderValueShownAgain"), "{told:?}");
}
