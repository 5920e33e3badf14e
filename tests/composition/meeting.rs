//! Where inputs meet: the same event on two ways, other events, tables beside.

use crate::small::{check, merge, produced, read, sent, topic};
use serde_json::{Value, json};

fn appended() -> Value {
    json!({ "links": { "l3": { "proposed": { "write_mode": "append" } } } })
}

/// The source writes into a second log too, which the same operator reads.
fn second_log() -> Value {
    json!({ "elements": { "u": topic() }, "links": { "l5": sent("src", "u"), "l6": read("u", "op") } })
}

fn with(mut change: Value, more: &Value) -> Value {
    merge(&mut change, more);
    change
}

/// An event that goes two ways is lost only where both lose it; of losses that only one way has, those of the better way
/// are left. What both have in common stays.
#[test]
fn the_better_of_two_ways_decides_what_is_lost() {
    let (ways, appended) = (second_log(), appended());
    let one = |link: &str| {
        let mut change = json!({ "links": {} });
        change["links"][link] = json!({ "proposed": { "acks": "1", "retries": 0 } });
        change
    };
    let kept = |log: &str| {
        let mut change = json!({ "elements": {} });
        change["elements"][log] = json!({ "proposed": { "retention_time": "7d" } });
        change["links"] =
            json!({ "l2": { "proposed": { "lag_time": "10s" } }, "l6": { "proposed": { "lag_time": "10s" } } });
        change
    };
    // The stated outage of a minute, and what is read beside it, is inside of a week of retention, and so the better of the two.
    let twice = ["rows D7 op", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let told = |first: &[&'static str]| [first, &twice].concat();
    check(&[
        ("both whole", &[&ways, &appended], &told(&["1..n"])),
        ("one loses", &[&ways, &appended, &one("l1")], &told(&["1..n"])),
        ("the other loses", &[&ways, &appended, &one("l5")], &told(&["1..n"])),
        ("both lose", &[&ways, &appended, &one("l1"), &one("l5")], &told(&["0..n", "loses l1", "loses l5"])),
        (
            "one loses, the other under a condition",
            &[&ways, &appended, &one("l1"), &kept("u")],
            &told(&["1*..n", "loses l6 unless, stated inside"]),
        ),
        (
            "one under a condition, the other loses",
            &[&ways, &appended, &one("l5"), &kept("t")],
            &told(&["1*..n", "loses l2 unless, stated inside"]),
        ),
    ]);
}

/// A loss in front of the fork is one of both ways, and counts once.
#[test]
fn what_is_lost_before_the_fork_stays_lost() {
    let fork = json!({
        "elements": { "copier": { "kind": "job", "system": "kafka_connect", "proposed": { "processing_guarantee": "at_least_once" } },
            "copy": { "kind": "operator", "job": "copier", "step": "copy" }, "a": topic(), "b": topic() },
        "links": {
            "l1": { "proposed": { "acks": "1", "retries": 0 } },
            "l2": { "to": "copy" }, "l5": produced("copy", "a"), "l6": produced("copy", "b"),
            "l7": read("a", "op"), "l8": read("b", "op"),
            "l3": { "proposed": { "write_mode": "append" } }
        }
    });
    let one = json!({ "links": { "l5": { "proposed": { "acks": "1", "retries": 0 } } } });
    let other = json!({ "links": { "l6": { "proposed": { "acks": "1", "retries": 0 } } } });
    let twice = ["rows D4 l5", "rows D4 l6", "rows D7 op", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    let told = |first: &[&'static str]| [first, &twice].concat();
    check(&[
        ("only there", &[&fork], &told(&["0..n", "loses l1"])),
        ("there, and on one way", &[&fork, &one], &told(&["0..n", "loses l1"])),
        ("there, and on both", &[&fork, &one, &other], &told(&["0..n", "loses l1", "loses l5", "loses l6"])),
    ]);
}

/// Each way leaves some of the events out, and perhaps not the same ones: what one way loses can be on no other.
#[test]
fn a_way_that_is_narrowed_mends_no_loss() {
    let filters = json!({
        "elements": {
            "u": topic(),
            "one": { "kind": "operator", "job": "job", "step": "filter" },
            "two": { "kind": "operator", "job": "job", "step": "filter" }
        },
        "links": {
            "l1": { "proposed": { "acks": "1", "retries": 0 } },
            "l5": sent("src", "u"), "l2": { "to": "one" }, "l6": read("u", "two"),
            "l7": { "from": "one", "to": "op" }, "l8": { "from": "two", "to": "op" },
            "l3": { "proposed": { "write_mode": "append" } }
        }
    });
    check(&[(
        "both filtered",
        &[&filters],
        &["0..n", "loses l1", "rows D7 op", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
    )]);
}

/// Events of another source are other events.
#[test]
fn other_events_are_no_second_way() {
    let other = with(
        second_log(),
        &json!({
            "elements": { "other": { "kind": "source", "system": "application" } },
            "links": { "l5": { "from": "other", "proposed": { "acks": "1", "retries": 0 } }, "l3": { "proposed": { "write_mode": "append" } } }
        }),
    );
    check(&[("two sources", &[&other], &["0..n", "loses l5", "rows D4 l3", "value NotApplicable", "mend l3 Write"])]);
}

/// What an operator puts out on another port, it does not put out on its main one.
#[test]
fn two_ports_of_one_operator_carry_different_events() {
    let split = |port: Value| {
        let mut change = json!({
            "elements": {
                "a": topic(), "b": topic(), "c": topic(),
                "split": { "kind": "operator", "job": "splitter", "step": "map" },
                "splitter": { "kind": "job", "system": "kafka_streams", "proposed": { "processing_guarantee": "exactly_once" } }
            },
            "links": {
                "l2": { "to": "split" }, "l5": produced("split", "a"), "l6": produced("split", "b"),
                "l0": produced("split", "c"),
                "l7": read("a", "op"), "l8": read("b", "op"),
                "l3": { "proposed": { "write_mode": "append" } }
            }
        });
        change["links"]["l0"]["port"] = json!("late");
        if !port.is_null() {
            change["links"]["l6"]["port"] = port;
        }
        change
    };
    // On the way of `a` another operator with two ports, taken from its main one.
    let again = json!({
        "elements": {
            "a2": topic(), "b2": topic(), "c2": topic(), "c3": topic(),
            "more": { "kind": "operator", "job": "splitter", "step": "map" },
            "less": { "kind": "operator", "job": "splitter", "step": "map" }
        },
        "links": {
            "l7": { "to": "more" }, "l8": { "to": "less" },
            "m1": produced("more", "a2"), "m2": with(produced("more", "c2"), &json!({ "port": "late" })),
            "m3": with(produced("less", "b2"), &json!({ "port": "side" })), "m4": produced("less", "c3"),
            "n1": read("a2", "op"), "n2": read("b2", "op")
        }
    });
    let alike = ["1..n", "rows D7 op", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    check(&[
        (
            "the main one and a side one",
            &[&split(json!("side"))],
            &["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"],
        ),
        ("both the main one", &[&split(Value::Null)], &alike),
        ("both the main one, and then others of two operators", &[&split(Value::Null), &again], &alike),
    ]);
}

/// A join matches the two ways, and a repeated row of a table beside changes nothing.
#[test]
fn a_join_and_a_table_beside_repeat_nothing() {
    let join = with(
        second_log(),
        &json!({
            "elements": { "op": { "step": "join", "proposed": { "join": "regular" } } },
            "links": { "l3": { "proposed": { "write_mode": "append" } } }
        }),
    );
    let beside = with(
        second_log(),
        &json!({
            "elements": {
                "other": { "kind": "source", "system": "application" },
                "op": { "step": "join", "proposed": { "join": "table" } }
            },
            "links": {
                "l5": { "from": "other", "proposed": { "after_restart": "resume_position" } }, "l6": { "into": "table" },
                "l3": { "proposed": { "write_mode": "append" } }
            }
        }),
    );
    let own = ["1..n", "rows D4 l3", "value NotApplicable", "mend l3 Write"];
    check(&[("a join", &[&join], &own), ("a table", &[&beside], &own)]);
}

/// One consumer reads two sinks, or three, of the same events: they disagree until all have caught up.
#[test]
fn sinks_of_the_same_events_disagree_for_a_while() {
    let sink = |number: u32| {
        let (table, to, from) = (format!("table{number}"), format!("w{number}"), format!("r{number}"));
        let mut change = json!({ "elements": {}, "links": {} });
        change["elements"][&table] = json!({ "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["id"]], "collapse": "at_write" } });
        change["links"][&to] = json!({ "from": "op", "to": table, "proposed": {
            "key": ["id"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" } });
        change["links"][&from] = json!({ "from": table, "to": "reader" });
        change
    };
    let told = ["1..1", "shows SinksDisagree", "value NotApplicable"];
    check(&[("two", &[&sink(2)], &told), ("three", &[&sink(2), &sink(3)], &told)]);
}

/// A second job that reads the log too, and writes the same rows.
fn twice(write: Value) -> Value {
    json!({
        "elements": {
            "job2": { "kind": "job", "system": "flink", "proposed": {
                "processing_guarantee": "exactly_once", "checkpoint_interval": "60s", "checkpoint_min_pause": "0s",
                "checkpoint_duration": "1s", "longest_outage": "60s" } },
            "op2": { "kind": "operator", "job": "job2", "step": "map" }
        },
        "links": {
            "l3": { "proposed": write },
            "l5": read("t", "op2"),
            "l6": { "from": "op2", "to": "table", "proposed": with(
                json!({ "key": ["id"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" }), &write) }
        }
    })
}

/// Two jobs write the same events into one store: what is a row for each event is there once, an appended one twice, and a
/// version of an entity can come over the slower one after a newer one. A version in the condition of one write leaves the
/// other one as it is, so that no one place mends both.
#[test]
fn a_store_makes_of_two_ways_what_it_makes_of_any_repeat() {
    let entity = json!({ "elements": { "table": { "proposed": { "unique_keys": [["entity"]] } } } });
    check(&[
        ("by id", &[&twice(json!({}))], &["1..1", "value NotApplicable"]),
        (
            "appended",
            &[&twice(json!({ "write_mode": "append" }))],
            &["1..n", "rows D4 l3", "rows D4 l6", "rows D7 table", "value NotApplicable"],
        ),
        (
            "the last version",
            &[&entity, &twice(json!({ "key": ["entity"] }))],
            &["1..n", "stale l3 by D7 table", "stale l6 by D7 table", "shows OlderValueShownAgain", "value Stale"],
        ),
        (
            "the newest version",
            &[&entity, &twice(json!({ "key": ["entity"], "version_guard": ["version"] }))],
            &["1..1", "value Exact"],
        ),
    ]);
}

/// Two jobs copy a log, one of them loses; another source writes beside them. What both jobs carry is lost on neither way,
/// however the links are called.
#[test]
fn another_source_beside_two_ways_changes_nothing_of_them() {
    for names in [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]]
    {
        let [whole, loses, other] = names.map(|name| format!("z{name}"));
        let mut ways = json!({
            "elements": {
                "u": topic(),
                "job2": { "kind": "job", "system": "flink", "proposed": { "processing_guarantee": "at_least_once" } },
                "op2": { "kind": "operator", "job": "job2", "step": "map" },
                "app": { "kind": "source", "system": "application", "event": "event" }, "table": null
            },
            "links": { "l3": null, "l4": read("u", "reader"), "l5": read("t", "op2") }
        });
        ways["links"][&whole] = produced("op", "u");
        ways["links"][&loses] = produced("op2", "u");
        ways["links"][&loses]["proposed"]["acks"] = json!("1");
        ways["links"][&other] = sent("app", "u");
        let told = crate::small::told(crate::small::reader(&crate::small::report(&[&ways])));
        assert_eq!(
            (&*told[0], told.iter().any(|line| line.starts_with("loses"))),
            ("1..n", false),
            "{names:?} {told:?}"
        );
    }
}
