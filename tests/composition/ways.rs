//! Where paths meet and part: unions, two ways of one event, retry loops, side outputs, dual writes, bridges.

use pipeline_desk::{
    analysis::{
        Report, analyse,
        delivery::verdict::{CopyClass, DeliveryVerdict, Fewest, Label, Most, ValueEffect},
    },
    codec,
    model::{Id, View},
};
use serde_json::{Value, json};

fn report(elements: &Value, links: &Value) -> Report {
    report_with(elements, links, &json!({}))
}

fn report_with(elements: &Value, links: &Value, actions: &Value) -> Report {
    let mut document = json!({
        "format": "streaming-pipeline", "version": 1, "elements": elements, "links": links, "actions": actions,
        "events": { "event": { "proposed": { "key": ["entity"], "event_id": ["id"] } } }
    });
    for section in ["elements", "links"] {
        for subject in document[section].as_object_mut().unwrap().values_mut() {
            let facts = subject["facts"].take();
            subject.as_object_mut().unwrap().remove("facts");
            if !facts.is_null() {
                subject["proposed"] = facts;
            }
        }
    }
    let design = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"));
    analyse(&design, View::ToBe)
}

fn reader(report: &Report) -> &DeliveryVerdict {
    &report.consumers[&Id::new("reader").unwrap()].delivery
}

fn topic() -> Value {
    json!({ "kind": "channel", "system": "kafka", "facts": {
        "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false, "cleanup_policy": "delete",
        "retention_time": "unlimited", "retention_size": "unlimited" } })
}

fn source() -> Value {
    json!({ "kind": "source", "system": "application", "event": "event" })
}

fn plain() -> Value {
    json!({ "kind": "job", "system": "plain_consumer", "facts": { "client": "java" } })
}

fn operator(job: &str, step: &str) -> Value {
    json!({ "kind": "operator", "job": job, "step": step })
}

fn table() -> Value {
    json!({ "kind": "sink", "system": "postgres", "facts": { "unique_keys": [["id"]], "collapse": "at_write" } })
}

fn produced(from: &str, to: &str, acks: &str) -> Value {
    json!({ "from": from, "to": to, "facts": { "acks": acks, "idempotence": true, "on_send_failure": "retry", "key": ["entity"] } })
}

fn sent(from: &str, to: &str, acks: &str) -> Value {
    json!({ "from": from, "to": to, "facts": {
        "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "nothing",
        "acks": acks, "idempotence": true, "on_send_failure": "retry", "key": ["entity"] } })
}

fn read(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "facts": { "isolation": "read_committed", "offset_commit": "after_work" } })
}

fn upsert(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "facts": { "key": ["id"], "write_mode": "upsert", "version_guard": [] } })
}

fn append(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "facts": { "write_mode": "append" } })
}

/// Two regions take the same events and write them into one table by event id.
fn two_ways(acks: [&str; 2], write: fn(&str, &str) -> Value) -> Report {
    report(
        &json!({ "src": source(), "east": topic(), "west": topic(), "j1": plain(), "j2": plain(),
            "a": operator("j1", "map"), "b": operator("j2", "map"), "table": table(), "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("src", "east", acks[0]), "l2": sent("src", "west", acks[1]), "l3": read("east", "a"),
            "l4": read("west", "b"), "l5": write("a", "table"), "l6": write("b", "table"),
            "l7": { "from": "table", "to": "reader" } }),
    )
}

#[test]
fn the_same_event_on_two_ways_is_lost_only_where_both_lose_it() {
    let report = two_ways(["1", "all"], upsert);
    let verdict = reader(&report);
    assert!(matches!(verdict.badge.fewest, Fewest::One(_)), "{:?}", verdict.lossy_hops);
    let report = two_ways(["1", "1"], upsert);
    assert_eq!(reader(&report).badge.fewest, Fewest::Zero);
}

#[test]
fn the_same_event_on_two_ways_is_there_twice() {
    let report = two_ways(["all", "all"], append);
    let verdict = reader(&report);
    assert!(verdict.duplicates.iter().any(|copies| copies.class == CopyClass::SecondPath));
    assert_eq!(verdict.badge.most, Most::Many);
}

#[test]
fn events_of_two_sources_are_united_with_the_worse_loss() {
    let report = report(
        &json!({ "a": source(), "b": source(), "t": topic(), "j": plain(), "op": operator("j", "map"), "table": table(),
            "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("a", "t", "all"), "l2": sent("b", "t", "1"), "l3": read("t", "op"), "l4": upsert("op", "table"),
            "l5": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!(verdict.badge.fewest, Fewest::Zero);
    assert_eq!(verdict.weakest.loss.as_ref().unwrap().at.as_str(), "l2");
    assert!(!verdict.duplicates.iter().any(|copies| copies.class == CopyClass::SecondPath));
    assert_eq!(verdict.label, Label::AtMostOnce);
}

fn retry_loop(acks: &str) -> Report {
    report(
        &json!({ "src": source(), "t": topic(), "again": { "kind": "channel", "system": "kafka", "role": "retry", "facts": {
                "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
                "cleanup_policy": "delete", "retention_time": "unlimited", "retention_size": "unlimited" } },
            "j": plain(), "op": operator("j", "map"),
            "table": { "kind": "sink", "system": "postgres", "facts": { "unique_keys": [["entity"]], "collapse": "at_write" } },
            "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "op"),
            "l3": { "from": "op", "to": "again", "port": "side", "facts": { "acks": acks, "idempotence": true, "on_send_failure": "retry" } },
            "l4": read("again", "op"),
            "l5": { "from": "op", "to": "table", "facts": { "key": ["entity"], "write_mode": "upsert", "version_guard": [] } },
            "l6": { "from": "table", "to": "reader" } }),
    )
}

#[test]
fn what_comes_back_over_a_retry_channel_can_overwrite_newer_rows() {
    let report = retry_loop("all");
    let verdict = reader(&report);
    assert_eq!(verdict.value, ValueEffect::Stale);
    assert!(
        verdict
            .taints
            .iter()
            .any(|taint| taint.stale && taint.by.iter().any(|copies| copies.origin.at.as_str() == "l4"))
    );
    assert!(matches!(verdict.badge.fewest, Fewest::One(_)));
}

#[test]
fn a_retry_channel_that_loses_loses_what_was_sent_over_it() {
    let report = retry_loop("1");
    let verdict = reader(&report);
    assert_eq!(verdict.badge.fewest, Fewest::Zero);
    assert_eq!(verdict.weakest.loss.as_ref().unwrap().at.as_str(), "l3");
}

#[test]
fn what_is_set_aside_is_missing_on_the_main_way() {
    let report = report(
        &json!({ "src": source(), "t": topic(), "aside": topic(), "j": plain(), "op": operator("j", "map"), "table": table(),
            "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "op"), "l3": upsert("op", "table"),
            "l4": { "from": "op", "to": "aside", "port": "dead_letter", "facts": { "acks": "all", "idempotence": true, "on_send_failure": "retry" } },
            "l5": { "from": "table", "to": "reader" } }),
    );
    let Fewest::OneWhile(_, conditions) = &reader(&report).badge.fewest else { panic!() };
    assert!(conditions.iter().any(|condition| condition.text == "aside stays empty"));
}

#[test]
fn two_writes_of_one_application_are_not_one() {
    let mut store = sent("src", "table", "all");
    store["facts"] = json!({ "capture": "in_process", "after_restart": "resume_position", "key": ["id"],
        "write_mode": "upsert", "version_guard": [] });
    let report = report(
        &json!({ "src": source(), "t": topic(), "table": table(), "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": store, "l3": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!(verdict.badge.fewest, Fewest::Zero);
    assert!(verdict.lossy_hops[0].cause.contains("apart"));
}

/// A mirror gives records new offsets: what a reader knows by offset it does not recognise any more.
#[test]
fn a_mirror_ends_coordinates_unless_it_keeps_offsets() {
    let mirrored = |keeps: bool| {
        report(
            &json!({ "src": source(), "t": topic(), "copy": topic(), "mirror": plain(), "j": plain(),
                "m": { "kind": "operator", "job": "mirror", "step": "copy", "facts": { "keeps_offsets": keeps } },
                "op": operator("j", "map"), "index": { "kind": "sink", "system": "elasticsearch" }, "reader": { "kind": "consumer" } }),
            &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "m"), "l3": produced("m", "copy", "all"), "l4": read("copy", "op"),
                "l5": { "from": "op", "to": "index", "facts": { "key": ["@coordinates"], "write_mode": "upsert" } },
                "l6": { "from": "index", "to": "reader" } }),
        )
    };
    assert_eq!(reader(&mirrored(false)).badge.most, Most::Many);
    assert!(matches!(reader(&mirrored(true)).badge.most, Most::One(_)));
}

#[test]
fn an_engine_that_is_not_known_gives_no_claim() {
    let report = report(
        &json!({ "src": source(), "t": topic(), "j": { "kind": "job", "system": "house_engine" }, "op": operator("j", "map"),
            "table": table(), "reader": { "kind": "consumer" } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "op"), "l3": upsert("op", "table"),
            "l4": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!((verdict.label, verdict.badge.text().as_str()), (Label::NoClaim, "?..?"));
    assert!(verdict.sentence.contains("system of j is not known"), "{}", verdict.sentence);
}

/// The write names one key; the table enforces another too, and a row that meets that one replaces another row. What
/// comes again meets the row that it met before: no row is there twice.
#[test]
fn an_upsert_loses_by_the_other_keys_of_the_table() {
    let report = report(
        &json!({ "src": source(), "t": topic(), "j": plain(), "op": operator("j", "map"), "reader": { "kind": "consumer" },
            "table": { "kind": "sink", "system": "mysql", "facts": { "unique_keys": [["id"], ["email"]], "collapse": "at_write" } } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "op"), "l3": upsert("op", "table"),
            "l4": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!((verdict.label, verdict.badge.text().as_str()), (Label::AtMostOnce, "0..1"));
    assert!(verdict.sentence.contains("enforces other keys too"), "{}", verdict.sentence);
}

#[test]
fn counting_the_versions_of_a_compacted_log_falls_short() {
    let mut compacted = topic();
    compacted["facts"]["cleanup_policy"] = json!("compact");
    let report = report(
        &json!({ "src": source(), "t": compacted, "reader": { "kind": "consumer" },
            "j": { "kind": "job", "system": "kafka_streams", "facts": { "processing_guarantee": "exactly_once" } },
            "op": { "kind": "operator", "job": "j", "step": "aggregate", "facts": { "function": "count", "key": ["entity"] } },
            "table": { "kind": "sink", "system": "postgres", "facts": { "unique_keys": [["entity"]], "collapse": "at_write" } } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "op"),
            "l3": { "from": "op", "to": "table", "facts": { "key": ["entity"], "write_mode": "upsert", "version_guard": [] } },
            "l4": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!(verdict.value, ValueEffect::Under);
    assert!(verdict.lossy_hops[0].in_values);
}

#[test]
fn nothing_is_claimed_where_nothing_is_drawn() {
    let report = report(
        &json!({ "reader": { "kind": "consumer" }, "table": table() }),
        &json!({ "l1": { "from": "table", "to": "reader" } }),
    );
    let verdict = reader(&report);
    assert_eq!(verdict.label, Label::NoClaim);
    assert!(verdict.sentence.contains("not drawn"));
}

fn replayed(action: &Value) -> Report {
    report_with(
        &json!({ "src": source(), "t": topic(), "reader": { "kind": "consumer" }, "table": table(),
            "j": { "kind": "job", "system": "kafka_streams", "facts": { "processing_guarantee": "exactly_once" } },
            "sum": { "kind": "operator", "job": "j", "step": "aggregate", "facts": { "function": "count", "key": ["id"] } } }),
        &json!({ "l1": sent("src", "t", "all"), "l2": read("t", "sum"), "l3": upsert("sum", "table"),
            "l4": { "from": "table", "to": "reader" } }),
        &json!({ "a1": action }),
    )
}

/// Offsets set back and state kept: everything counts twice. With the state wiped the count is right in the end.
#[test]
fn a_planned_replay_counts_again_unless_the_state_starts_anew() {
    let kept = replayed(&json!({ "kind": "reset_offsets", "about": ["j"], "state_handling": "keep" }));
    assert_eq!(reader(&kept).value, ValueEffect::Over);
    let wiped = replayed(&json!({ "kind": "reset_offsets", "about": ["j"], "state_handling": "reset" }));
    assert_eq!(reader(&wiped).value, ValueEffect::Exact);
}

/// A relay in front, each inside the time-to-live: together they are not (6 h and 6 h against 8 h).
#[test]
fn horizons_add_up_on_the_way() {
    let path = |ttl: &str| {
        report(
            &json!({ "src": source(), "t": topic(), "u": topic(), "reader": { "kind": "consumer" },
                "relay": { "kind": "job", "system": "plain_consumer", "facts": { "client": "java", "commit_interval": "1h", "longest_outage": "5h" } },
                "r": operator("relay", "map"),
                "j": { "kind": "job", "system": "flink", "facts": { "processing_guarantee": "exactly_once", "checkpoint_interval": "1min", "longest_outage": "0s" } },
                "dedup": { "kind": "operator", "job": "j", "step": "deduplicate", "facts": { "key": ["id"], "state_ttl": ttl, "ttl_clock": "event_time" } },
                "table": { "kind": "sink", "system": "postgres", "facts": { "transactions": "two_phase" } } }),
            &json!({ "l1": { "from": "src", "to": "t", "facts": { "capture": "push", "acknowledge": "after_store", "resend_within": "6h",
                    "after_restart": "nothing", "acks": "all", "idempotence": true, "on_send_failure": "retry" } },
                "l2": read("t", "r"), "l3": produced("r", "u", "all"), "l4": read("u", "dedup"),
                "l5": { "from": "dedup", "to": "table", "facts": { "write_mode": "append", "output_commit": "two_phase" } },
                "l6": { "from": "table", "to": "reader" } }),
        )
    };
    assert_eq!(reader(&path("8h")).badge.most, Most::Many);
    assert!(matches!(reader(&path("13h")).badge.most, Most::OneWhile(..)));
}
