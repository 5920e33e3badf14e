//! Taking events from where they are born.

use crate::small::{mechanism, report, short, table};
use pipeline_desk::model::units::human;
use serde_json::{Value, json};

/// A job takes from the source itself, without a log.
fn direct(system: &str, taken: Value) -> Value {
    short(&json!({ "src": { "system": system }, "t": null, "l1": null, "l2": null, "l3.write_mode": "append",
        "l0": { "from": "src", "to": "op", "proposed": taken } }))
}

const OWN: [&str; 4] = ["1*..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"];

/// Polling sees no versions between two polls and no deletes; by whole tables every poll is everything again.
#[test]
fn polling_is_blind_to_what_is_between() {
    let polled = |capture: &str| direct("postgres", json!({ "capture": capture }));
    table(
        &[&polled("poll_timestamp")],
        &[("by time", json!({}), &["0..n", "loses l0", "rows D4 l3", "value NotApplicable", "mend l3 Write"])],
    );
    table(
        &[&polled("poll_table")],
        &[("whole tables", json!({}), &["0..n", "loses l0", "rows D5 l0", "value NotApplicable", "mend l3 Write"])],
    );
    for (capture, cause) in [
        ("poll_timestamp", "polls by time"),
        ("poll_sequence", "polls for new rows only"),
        ("poll_table", "polls whole tables"),
    ] {
        let report = report(&[&polled(capture)]);
        let said = crate::small::reader(&report).lossy_hops[0].cause.to_string();
        assert!(said.starts_with(cause), "{said}");
    }
}

/// Files that are listed: one that changes before it is read is lost, one that is listed again comes again; nothing is
/// said that keeps them.
#[test]
fn listed_files_come_again_and_can_be_missed() {
    table(
        &[&direct("s3", json!({ "capture": "listing" }))],
        &[("files", json!({}), &["?..n", "loses l0 unless", "rows D5 l0", "value NotApplicable", "mend l3 Write"])],
    );
}

/// A subscription that is acknowledged after it is stored keeps events while the broker keeps its session.
#[test]
fn a_session_that_is_kept_or_not() {
    let taken = |kept: bool| {
        direct("mqtt", json!({ "capture": "subscribe", "acknowledge": "after_store", "session_kept": kept }))
    };
    let told = |first: &[&'static str]| [first, &["rows D5 l0", "value NotApplicable", "mend l3 Write"]].concat();
    table(&[&taken(true)], &[("kept", json!({}), &told(&["1*..n", "loses l0 unless"]))]);
    table(&[&taken(false)], &[("not kept", json!({}), &told(&["0..n", "loses l0"]))]);
}

/// Firehose keeps what is put into it directly for a day.
#[test]
fn firehose_gives_up_after_a_day() {
    let run = |system: &str| {
        table(
            &[&direct("http", json!({ "capture": "push", "acknowledge": "after_store", "resend_within": "none" }))],
            &[(
                system,
                json!({ "job": { "system": system } }),
                if system == "firehose" {
                    &["1*..1", "loses l0 unless", "value NotApplicable"]
                } else {
                    &["1..1", "value NotApplicable"]
                },
            )],
        );
    };
    run("firehose");
    run("flink");
}

/// A change log is read again from its position; a repeated snapshot is the whole table again, with new coordinates.
#[test]
fn a_change_log_is_read_from_its_position() {
    let taken = |snapshot: &str| {
        let facts = json!({ "capture": "change_log", "snapshot": snapshot, "offset_mismatch": "trust_offset" });
        direct("postgres", facts)
    };
    let told = |rows: &[&'static str], first: &[&'static str]| {
        [first, rows, &["value NotApplicable", "mend l3 Write"]].concat()
    };
    table(
        &[&taken("initial")],
        &[
            ("a position that can be gone", json!({}), &told(&["rows D4 l3"], &["1*..n", "loses l0 unless"])),
            (
                "one that survives",
                json!({ "src.position_survives_failover": true, "src.log_reach": "unlimited", "src.log_reach_size": "unlimited" }),
                &["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
            ),
            (
                "one that survives, in a log of which no end by time is read",
                json!({ "src.position_survives_failover": true, "src.log_reach_size": "unlimited" }),
                &told(&["rows D4 l3"], &["1*..n", "loses l0 unless"]),
            ),
            (
                "what a slot that is ahead does is not read",
                json!({ "src.position_survives_failover": true, "src.log_reach": "unlimited", "src.log_reach_size": "unlimited", "l0.offset_mismatch": null }),
                &["?..n", "rows D4 l3", "value NotApplicable", "mend l3 Write", "asks l0 offset mismatch"],
            ),
            (
                "nothing looks whether the slot is ahead",
                json!({ "src.position_survives_failover": true, "src.log_reach": "unlimited", "src.log_reach_size": "unlimited", "l0.offset_mismatch": "no_validation" }),
                &told(&["rows D4 l3"], &["1*..n", "loses l0 unless"]),
            ),
            (
                "a log of an hour, and nobody knows how far behind",
                json!({ "src.position_survives_failover": true, "src.log_reach_size": "unlimited", "src.log_reach": "1h" }),
                &[&OWN[..1], &["loses l0 unless"], &OWN[1..]].concat(),
            ),
            (
                "a log of the outage",
                json!({ "src.position_survives_failover": true, "src.log_reach": "60s" }),
                &told(&["rows D4 l3"], &["0..n", "loses l0"]),
            ),
        ],
    );
    table(
        &[&taken("repeated")],
        &[(
            "the snapshot again",
            json!({ "src.position_survives_failover": true, "src.log_reach": "unlimited", "src.log_reach_size": "unlimited" }),
            &["1..n", "rows D5 l0", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
        )],
    );
    assert!(mechanism(&report(&[&taken("repeated")]), "l0").contains("the whole table is sent again"));
}

/// A log that is filled from what is not drawn says nothing of where its records come from.
#[test]
fn a_log_behind_nothing() {
    let undrawn = short(
        &json!({ "src": null, "t": null, "l1": null, "l2": null, "table": null, "u": crate::small::topic(),
        "l3": null, "l5": crate::small::produced("op", "u"), "l4": { "from": "u", "proposed": { "isolation": "read_committed" } } }),
    );
    table(&[&undrawn], &[("an operator without an input", json!({}), &["?..?", "value NotApplicable"])]);
    let stands = short(&json!({ "src": null, "l1": null }));
    table(
        &[&stands],
        &[("a log that stands there", json!({}), &["1..1", "shows OlderValueShownAgain", "value Exact"])],
    );
}

/// An application that writes to a table and is read by a job does not write twice.
#[test]
fn a_reader_of_the_source_is_no_second_write() {
    let read = short(
        &json!({ "src": { "system": "postgres" }, "t": null, "l1": null, "l2": null, "src.position_survives_failover": true, "src.log_reach": "unlimited", "src.log_reach_size": "unlimited",
        "l0": { "from": "src", "to": "op", "proposed": { "capture": "change_log" } },
        "other": { "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["id"]], "collapse": "at_write" } },
        "l5": { "from": "src", "to": "other", "proposed": { "capture": "change_log", "after_restart": "resume_position", "key": ["id"],
            "write_mode": "upsert", "version_guard": [] } },
        "l6": { "from": "other", "to": "reader" } }),
    );
    let report = report(&[&read]);
    let lossy = &crate::small::reader(&report).lossy_hops;
    assert!(!lossy.iter().any(|loss| loss.cause.contains("apart")), "{lossy:?}");
}

/// What a consumer says that it removes itself is said after it; a bound is said as its condition says it.
#[test]
fn words_for_the_consumer() {
    let report = report(&[&short(
        &json!({ "reader.deduplicates_by": ["id"], "reader.deduplicates_within": "1d", "l3.write_mode": "append",
        "t.retention_time": "7d", "l2.lag_time": "0s", "job.checkpoint_interval": "50s", "job.checkpoint_duration": "5s" }),
    )]);
    let verdict = crate::small::reader(&report);
    let said = format!("It is said to remove them by id within {}.", human::seconds(86_400.0));
    assert!(verdict.consumer_must.words().ends_with(&said), "{}", verdict.consumer_must.words());
    let pipeline_desk::analysis::delivery::verdict::Fewest::OneWhile(_, conditions) = &verdict.badge.fewest else {
        panic!("conditions")
    };
    // 7 d less 50 + 5 s.
    assert_eq!(conditions[0].bound_text().as_deref(), Some(&*human::bound(604_745.0)), "{}", conditions[0].text);
    assert!(conditions[0].text.ends_with(&human::bound(604_745.0)), "{}", conditions[0].text);
}
