//! Aggregates and joins: what a window does to copies, to what comes late, and to a reader that looks in between.

use crate::small::{check, produced, read, reader, report, sent, topic};
use pipeline_desk::analysis::delivery::verdict::Transient;
use serde_json::{Value, json};

fn aggregate(facts: Value) -> Value {
    let mut facts = facts;
    facts["key"] = json!(["entity"]);
    json!({
        "elements": { "op": { "step": "aggregate", "proposed": facts } },
        "links": { "l3": { "proposed": { "key": ["entity"] } } }
    })
}

fn tumbling(function: &str, emit: &str) -> Value {
    aggregate(json!({ "function": function, "window": "tumbling", "window_size": "5min", "clock": "event_time",
        "watermark_delay": "5s", "allowed_lateness": "0s", "emit": emit }))
}

fn resending() -> Value {
    json!({ "links": { "l1": { "proposed": { "after_restart": "resume_position" } } } })
}

fn appended() -> Value {
    json!({ "links": { "l3": { "proposed": { "write_mode": "append" } } } })
}

/// A job takes what a broker hands over and never sends again: nothing makes copies but windows that close once more.
fn never_again() -> Value {
    json!({
        "elements": { "src": { "system": "mqtt" }, "t": null },
        "links": {
            "l1": null, "l2": null,
            "l0": { "from": "src", "to": "op", "proposed": { "capture": "subscribe", "acknowledge": "never" } }
        }
    })
}

/// Distinct values: a repeat changes no set. In the one result of a window it is gone; where every update is written,
/// it makes one row more.
#[test]
fn a_set_takes_repeats_in_only_where_it_has_one_result() {
    let (resending, appended) = (resending(), appended());
    check(&[
        (
            "one result",
            &[&tumbling("distinct", "on_close"), &resending, &appended],
            &["1*..n", "loses op:late unless", "rows D4 l3", "value Exact", "mend l3 Write"],
        ),
        (
            "every update",
            &[&tumbling("distinct", "every_update"), &resending, &appended],
            &[
                "1*..n",
                "loses op:late unless",
                "rows D2 l1",
                "rows D4 l3",
                "shows OlderValueShownAgain",
                "shows PartialWindowShown",
                "value Exact",
                "mend l3 Write",
            ],
        ),
    ]);
}

/// A checkpoint holds windows that were already closed after it: they close again, also where nothing is read again.
#[test]
fn a_window_from_a_checkpoint_closes_once_more() {
    let (never_again, appended) = (never_again(), appended());
    check(&[
        (
            "a running count",
            &[&aggregate(json!({ "function": "count" })), &never_again, &appended],
            &["0..1", "loses l0", "value Under"],
        ),
        (
            "a window",
            &[&tumbling("count", "on_close"), &never_again, &appended],
            &["0..n", "loses l0", "loses op:late unless", "rows D4 op", "value Under", "mend l3 Write"],
        ),
    ]);
}

/// Only Flink forgets the watermark of a window in a restart (FLINK-5601).
#[test]
fn a_window_that_was_closed_opens_again_in_flink_only() {
    let run = |system: &str| json!({ "elements": { "job": { "system": system, "proposed": { "processing_guarantee": "at_least_once" } } } });
    let (window, appended) = (tumbling("count", "on_close"), appended());
    let counted = ["rows D4 l3", "over op by D3 l2"];
    let told = |first: &[&'static str], value: &'static str| [first, &counted, &[value, "mend op StateScope"]].concat();
    check(&[
        (
            "flink",
            &[&window, &appended, &run("flink")],
            &told(&["0..n", "loses op:gate in values", "loses op:late unless"], "value OverOrMissing"),
        ),
        ("dataflow", &[&window, &appended, &run("dataflow")], &told(&["1*..n", "loses op:late unless"], "value Over")),
    ]);
}

/// Two windows, one behind the other, that both show what they have so far: it shows.
#[test]
fn parts_of_windows_show_through_the_next_window() {
    let early = json!({ "key": ["entity"], "function": "count", "window": "tumbling", "window_size": "5min",
        "clock": "event_time", "watermark_delay": "5s", "allowed_lateness": "0s", "emit": "early_and_close" });
    let chain = json!({
        "elements": {
            "op": { "step": "aggregate", "proposed": early },
            "next": { "kind": "operator", "job": "job", "step": "aggregate", "proposed": early }
        },
        "links": { "l3": { "from": "next" }, "l5": { "from": "op", "to": "next" } }
    });
    assert!(reader(&report(&[&chain])).transient.contains(&Transient::PartialWindowShown));
}

/// Late by more than the delay and what is allowed beyond it (5 s and 5 s here) is dropped; exactly as late is not. Of
/// what was measured, a percentile beyond decides; only a maximum inside does.
#[test]
fn measured_lateness_is_held_against_what_is_allowed() {
    let late = |lateness: Value| {
        let mut change = tumbling("count", "on_close");
        change["elements"]["op"]["proposed"]["allowed_lateness"] = json!("5s");
        change["elements"]["t"] = json!({ "proposed": { "lateness": lateness } });
        reader(&report(&[&change])).lossy_hops.iter().find(|loss| loss.hop.at.as_str() == "op").map(|loss| match &loss
            .kind
        {
            pipeline_desk::analysis::delivery::verdict::LossKind::Possible => "possible",
            pipeline_desk::analysis::delivery::verdict::LossKind::Conditional(condition) => match condition.inside {
                Some(true) => "inside",
                Some(false) => "outside",
                None => "not judged",
            },
        })
    };
    for (lateness, expected) in [
        (json!({ "max": "10s" }), "inside"),
        (json!({ "max": "11s" }), "possible"),
        (json!({ "p99": "10s" }), "not judged"),
        (json!({ "p99": "11s" }), "possible"),
        (json!({ "p99": "9s", "max": "10s" }), "inside"),
    ] {
        assert_eq!(late(lateness.clone()), Some(expected), "{lateness}");
    }
}

/// What waits for its match in the memory of the process is gone with it; a checkpoint brings it back.
#[test]
fn a_join_in_memory_forgets_what_waits() {
    let join = |facts: Value| {
        json!({
            "elements": {
                "other": { "kind": "source", "system": "application" }, "u": topic(),
                "op": { "step": "join", "proposed": facts }
            },
            "links": {
                "l5": sent("other", "u"), "l6": read("u", "op"),
                "l3": { "proposed": { "write_mode": "append" } }
            }
        })
    };
    check(&[
        (
            "memory",
            &[&join(json!({ "join": "regular", "state_in": "memory" }))],
            &["0..n", "loses op:memory", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
        ),
        (
            "engine",
            &[&join(json!({ "join": "regular" }))],
            &["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
        ),
    ]);
}

/// A replay with the state set to nothing counts from the start: older values show until it has caught up, also where
/// the next job does the same.
#[test]
fn a_replay_from_nothing_shows_older_values_for_a_while() {
    let streams =
        json!({ "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } });
    let count = |job: &str| json!({ "kind": "operator", "job": job, "step": "aggregate", "proposed": { "function": "count", "key": ["id"] } });
    let action = |job: &str| json!({ "kind": "reset_offsets", "about": [job], "state_handling": "reset" });
    let one = json!({
        "elements": { "job": null, "one": streams, "op": count("one") },
        "actions": { "a1": action("one") }
    });
    let two = json!({
        "elements": { "two": streams, "u": topic(), "next": count("two") },
        "links": { "l3": { "from": "next" }, "l5": produced("op", "u"), "l6": read("u", "next") },
        "actions": { "a2": action("two") }
    });
    // A version in the condition of the write holds older rows back; these are the newest of a new start.
    let guarded = json!({ "links": { "l3": { "proposed": { "version_guard": ["version"] } } } });
    for changes in [&[&one, &guarded][..], &[&one, &two, &guarded]] {
        let report = report(changes);
        assert_eq!(reader(&report).transient, [Transient::OlderValueShownAgain]);
    }
}
