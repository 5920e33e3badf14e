//! A small design with every fact known (an application, a log, a Flink job, a table, a reader), changed here and there,
//! and its verdict told in a few words, so that a case fits into a line of a table.

use pipeline_desk::{
    analysis::{
        Report, analyse,
        delivery::verdict::{DeliveryVerdict, HopPart, LossKind, LossyHop},
    },
    codec,
    model::{Design, Id, View},
};
use serde_json::{Value, json};

fn base() -> Value {
    json!({
        "format": "streaming-pipeline", "version": 2, "name": "small",
        "elements": {
            "src": { "kind": "source", "system": "application", "event": "event" },
            "t": topic(),
            "job": { "kind": "job", "system": "flink", "proposed": {
                "processing_guarantee": "exactly_once", "checkpoint_interval": "60s", "checkpoint_min_pause": "0s",
                "checkpoint_duration": "1s", "longest_outage": "60s" } },
            "op": { "kind": "operator", "job": "job", "step": "map" },
            "table": { "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["id"]], "collapse": "at_write" } },
            "reader": { "kind": "consumer" }
        },
        "links": {
            "l1": sent("src", "t"),
            "l2": { "from": "t", "to": "op", "proposed": { "isolation": "read_committed" } },
            "l3": { "from": "op", "to": "table", "proposed": {
                "key": ["id"], "write_mode": "upsert", "version_guard": [], "output_commit": "flush" } },
            "l4": { "from": "table", "to": "reader" }
        },
        "events": { "event": { "proposed": { "key": ["entity"], "event_id": ["id"] } } }
    })
}

/// A log of three replicas that keeps everything.
pub fn topic() -> Value {
    json!({ "kind": "channel", "system": "kafka", "proposed": {
        "partitions": 1, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
        "cleanup_policy": "delete", "retention_time": "unlimited", "retention_size": "unlimited" } })
}

/// An application writes each event once.
pub fn sent(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "proposed": {
        "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "nothing",
        "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry", "key": ["entity"] } })
}

/// A job writes into a log: all acknowledge, and the broker recognises retries.
pub fn produced(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "proposed": {
        "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry", "key": ["entity"],
        "output_commit": "flush" } })
}

/// Reads what is committed.
pub fn read(from: &str, to: &str) -> Value {
    json!({ "from": from, "to": to, "proposed": { "isolation": "read_committed" } })
}

/// Takes `changes` over: objects are merged, `null` removes (as RFC 7396 does).
pub fn merge(into: &mut Value, changes: &Value) {
    let Value::Object(changes) = changes else {
        *into = changes.clone();
        return;
    };
    if !into.is_object() {
        *into = json!({});
    }
    for (name, value) in changes {
        if value.is_null() {
            into.as_object_mut().unwrap().remove(name);
        } else {
            merge(&mut into[name], value);
        }
    }
}

/// The small design with these changes, one after the other.
pub fn design(changes: &[&Value]) -> Design {
    let mut document = base();
    for change in changes {
        merge(&mut document, change);
    }
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}\n{document}"))
}

/// Its report.
pub fn report(changes: &[&Value]) -> Report {
    analyse(&design(changes), View::ToBe)
}

/// What the reader observes.
pub fn reader(report: &Report) -> &DeliveryVerdict {
    &report.consumers[&Id::new("reader").unwrap()].delivery
}

/// Compares the verdict of each case with what is expected, and tells all that differ.
#[track_caller]
pub fn check(cases: &[(&str, &[&Value], &[&str])]) {
    let mut wrong = String::new();
    for (name, changes, expected) in cases {
        let told = told(reader(&report(changes)));
        if told != *expected {
            wrong += &format!("{name}\n  expected {expected:?}\n  told     {told:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A verdict in a few words: badge; losses, worst first; rows that are there twice; changed values; what shows for a
/// while; what values end as; where it is mended.
pub fn told(verdict: &DeliveryVerdict) -> Vec<String> {
    let mut told = vec![verdict.badge.text()];
    told.extend(verdict.lossy_hops.iter().map(|loss| lost(loss)));
    told.extend(verdict.duplicates.iter().map(|copies| format!("rows {} {}", copies.class.id(), copies.origin.at)));
    for taint in &verdict.taints {
        let by: Vec<String> =
            taint.by.iter().map(|copies| format!("{} {}", copies.class.id(), copies.origin.at)).collect();
        let how = if taint.stale { "stale" } else { "over" };
        told.push(format!("{how} {} by {}", taint.at, by.join(", ")));
    }
    told.extend(verdict.transient.iter().map(|transient| format!("shows {transient:?}")));
    told.push(format!("value {:?}", verdict.value));
    told.extend(verdict.weakest.duplicate_repair.iter().map(|repair| format!("mend {} {:?}", repair.at, repair.how)));
    told.extend(verdict.unknown.iter().map(|missing| format!("asks {} {}", missing.subject, missing.label())));
    told
}

fn lost(loss: &LossyHop) -> String {
    let part = match loss.hop.part {
        HopPart::Whole => "",
        HopPart::Deduplication => ":dedup",
        HopPart::Gate => ":gate",
        HopPart::ExternalDeduplication => ":marks",
        HopPart::Writer => ":write",
        HopPart::TransactionTimeout => ":timeout",
        HopPart::VolatileState => ":memory",
        HopPart::LateEvents => ":late",
    };
    let values = if loss.in_values { " in values" } else { "" };
    let sure = match &loss.kind {
        LossKind::Possible => "",
        LossKind::Conditional(condition) if condition.inside == Some(true) => " unless, stated inside",
        LossKind::Conditional(_) => " unless",
    };
    format!("loses {}{part}{values}{sure}", loss.hop.at)
}

/// Changes in short: `"t.retention_time": "7d"` states a setting; a name without a dot changes the element or link itself.
/// Names of links are `l` and a number.
pub fn short(changes: &Value) -> Value {
    let mut long = json!({ "elements": {}, "links": {} });
    for (name, value) in changes.as_object().unwrap() {
        let (id, field) = name.split_once('.').map_or((name.as_str(), None), |(id, field)| (id, Some(field)));
        let link = id.strip_prefix('l').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let subject = &mut long[if link { "links" } else { "elements" }][id];
        match field {
            Some(field) => subject["proposed"][field] = value.clone(),
            None if value.is_object() && subject.is_object() => merge(subject, value),
            None => *subject = value.clone(),
        }
    }
    long
}

/// As [`check`], with the changes of each case in short, on top of `first`.
#[track_caller]
pub fn table(first: &[&Value], cases: &[(&str, Value, &[&str])]) {
    let mut wrong = String::new();
    for (name, changes, expected) in cases {
        let short = short(changes);
        let told = told(reader(&report(&[first, &[&short]].concat())));
        if told != *expected {
            wrong += &format!("{name}\n  expected {expected:?}\n  told     {told:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What the rows of the hop table say that work here, by element or link.
pub fn mechanism(report: &Report, at: &str) -> String {
    let rows = &reader(report).hops;
    rows.iter().find(|row| row.at.as_str() == at).map(|row| row.mechanism()).unwrap_or_default()
}
