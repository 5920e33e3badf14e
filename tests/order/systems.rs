//! Logs and queues that are not drawn from their source on, and systems that are not Kafka.

use crate::chain::{Job, Step, order, path, says, set};
use pipeline_desk::{analysis::order::OrderKind, model::Columns};
use serde_json::{Value, json};

const PLAIN: Job = Job { step: Step::Plain, by: "customer", writes: "customer" };

/// What ends the order of `customer`, with its place: `l1 ORD-3`; behind it, what is not known.
pub fn ends(document: &Value) -> Vec<String> {
    let verdict = order(document);
    let needed = Columns([std::sync::Arc::<str>::from("customer")].into());
    let ends = verdict.ends_for(&needed).map(|breaker| format!("{} {}", breaker.at, breaker.id()));
    let missing = verdict.inputs.iter().flat_map(|input| &input.missing);
    ends.chain(missing.map(|missing| format!("asks {} {}", missing.subject, missing.label()))).collect()
}

/// A log whose writer nobody has drawn, of this system, with these settings.
fn standing(system: &str, facts: Value) -> Value {
    let mut document = path("customer", &[], false);
    document["elements"].as_object_mut().unwrap().remove("app");
    document["links"].as_object_mut().unwrap().remove("l1");
    document["elements"]["t1"] =
        json!({ "kind": "channel", "system": system, "lifecycle": "existing", "observed": { "e1": facts } });
    document
}

/// It stands as it is: by its key, as a whole where it is one partition or one stream, and in no order where it offers none.
#[test]
fn a_log_is_taken_as_it_stands() {
    let cases = [
        ("kafka", json!({ "partitions": 6, "key": ["customer"] }), OrderKind::PerKey, &[][..]),
        ("kafka", json!({ "key": ["customer"] }), OrderKind::PerKey, &[]),
        ("kafka", json!({ "partitions": 6, "key": ["order"] }), OrderKind::PerKey, &[]),
        ("kafka", json!({ "partitions": 6, "key": [] }), OrderKind::PerPartition, &["t1 ORD-3"]),
        ("kafka", json!({ "partitions": 1 }), OrderKind::PerKey, &[]),
        ("kafka", json!({ "partitions": 1, "key": [] }), OrderKind::PerKey, &[]),
        ("kafka", json!({ "partitions": 6 }), OrderKind::NotEstablished, &["asks t1 key"]),
        ("rabbitmq_streams", json!({}), OrderKind::PerKey, &[]),
        ("rabbitmq_streams", json!({ "partitions": 3, "key": ["order"] }), OrderKind::PerKey, &[]),
        ("eventbridge", json!({ "key": ["customer"] }), OrderKind::Nothing, &["t1 ORD-13"]),
        ("sqs", json!({ "key": ["customer"], "ordering": "none" }), OrderKind::Nothing, &["t1 ORD-13", "l2 ORD-7"]),
    ];
    let mut wrong = String::new();
    for (system, facts, kind, expected) in cases {
        let document = standing(system, facts.clone());
        let told = (order(&document).kind().unwrap(), ends(&document));
        if told.0 != kind || told.1 != expected {
            wrong += &format!("{system} {facts}: expected {kind:?} {expected:?}, told {told:?} {}\n", says(&document));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A queue gives out again what was not acknowledged, after later ones; with one message at a time there are no later ones.
#[test]
fn one_message_at_a_time_comes_again_in_its_place() {
    let read = |facts: Value| {
        let mut document = path("customer", &[PLAIN], false);
        document["elements"]["t1"]["system"] = json!("rabbitmq");
        set(&mut document, "t1", "ordering", json!("global"));
        set(&mut document, "l1", "max_in_flight", json!(1));
        for (field, value) in facts.as_object().unwrap() {
            set(&mut document, "l2", field, value.clone());
        }
        ends(&document).into_iter().filter(|end| end.starts_with("l2")).collect::<Vec<_>>()
    };
    assert_eq!(read(json!({})), ["l2 ORD-7"]);
    assert_eq!(read(json!({ "prefetch": 5, "in_flight": 5 })), ["l2 ORD-7"]);
    assert_eq!(read(json!({ "prefetch": 1 })), [""; 0]);
    assert_eq!(read(json!({ "in_flight": 1 })), [""; 0]);
}

/// Workers by the key of the record, which nobody has read.
#[test]
fn workers_by_a_key_that_is_not_known() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"].as_object_mut().unwrap().remove("app");
    document["links"].as_object_mut().unwrap().remove("l1");
    set(&mut document, "l2", "processing", json!("threads"));
    set(&mut document, "l2", "worker_key", json!(["@record_key"]));
    assert!(ends(&document).contains(&"l2 ORD-6".to_owned()), "{:?}", ends(&document));
    set(&mut document, "t1", "key", json!(["customer"]));
    assert_eq!(ends(&document), [""; 0]);
}

/// What a source sends again until it is acknowledged comes after later events; what it never sends again does not.
#[test]
fn a_source_that_sends_again() {
    let taken = |facts: Value| {
        let mut document = path("customer", &[], false);
        for (field, value) in facts.as_object().unwrap() {
            set(&mut document, "l1", field, value.clone());
        }
        ends(&document)
    };
    let push = |acknowledge: &str, within: &str| json!({ "capture": "push", "acknowledge": acknowledge, "resend_within": within });
    assert_eq!(taken(push("after_store", "1h")), ["l1 ORD-12"]);
    assert_eq!(taken(push("before_store", "unlimited")), ["l1 ORD-12"]);
    assert_eq!(taken(push("after_store", "none")), [""; 0]);
    assert_eq!(taken(push("never", "1h")), [""; 0]);
    assert_eq!(taken(json!({ "capture": "listing" })), ["l1 ORD-12"]);
    assert_eq!(taken(json!({ "capture": "in_process" })), [""; 0]);
}

/// Several instances of a source write the events of one key; a reader of a change log is one, however many there are.
#[test]
fn instances_of_a_source() {
    let mut document = path("customer", &[], false);
    set(&mut document, "app", "instances", json!(2));
    assert_eq!(ends(&document), ["l1 ORD-2"]);
    document["elements"]["app"]["system"] = json!("postgres");
    set(&mut document, "app", "client", Value::Null);
    set(&mut document, "app", "client_version", Value::Null);
    set(&mut document, "l1", "capture", json!("change_log"));
    assert_eq!(ends(&document), [""; 0]);
}

/// A partitioner that is read as not set is that of the client: Java's and librdkafka's go by the key.
#[test]
fn a_partitioner_that_is_not_set() {
    let written = |client: Value, partitioner: Value| {
        let mut document = path("customer", &[], false);
        set(&mut document, "app", "client", client);
        set(&mut document, "l1", "partitioner", partitioner);
        ends(&document)
    };
    assert_eq!(written(json!("java"), json!("unset")), [""; 0]);
    assert_eq!(written(json!("librdkafka"), json!("unset")), [""; 0]);
    assert_eq!(written(json!("other"), json!("unset")), ["asks l1 partitioner"]);
    assert_eq!(written(json!("other"), json!("sticky")), ["l1 ORD-3"]);
}

/// A mirror of `t1`, written by another key; `null` counts are not known.
fn mirror(read: Value, copies: Value, keeps: bool) -> Value {
    let mut document = path("customer", &[Job { step: Step::Plain, by: "customer", writes: "order" }], false);
    document["elements"]["j1"]["system"] = json!("mirror_maker");
    document["elements"]["o1"]["step"] = json!("copy");
    for field in ["processing", "offset_commit"] {
        set(&mut document, "l2", field, Value::Null);
    }
    set(&mut document, "o1", "keeps_partitions", json!(keeps));
    set(&mut document, "t1", "partitions", read);
    set(&mut document, "t2", "partitions", copies);
    document
}

/// A mirror that keeps partition numbers keeps the order of a log with as many, whatever the keys.
#[test]
fn a_mirror_keeps_partitions() {
    let mirrored = |copies: u64, keeps: bool| ends(&mirror(json!(6), json!(copies), keeps));
    assert_eq!(mirrored(6, true), [""; 0]);
    assert_eq!(mirrored(12, true), ["l3 ORD-11"]);
    assert_eq!(mirrored(1, true), ["l3 ORD-11"]);
    assert_eq!(mirrored(6, false), ["l3 ORD-4"]);
}

/// Two counts that nobody read are not the same count: what has to be read is named, and no order is claimed.
#[test]
fn a_mirror_of_an_unknown_number_of_partitions_establishes_nothing() {
    let cases = [
        (Value::Null, Value::Null, &["asks t1 partitions", "asks t2 partitions"][..]),
        (json!(6), Value::Null, &["asks t2 partitions"]),
        (Value::Null, json!(6), &["asks t1 partitions"]),
        (Value::Null, json!(1), &["asks t1 partitions"]),
        (json!(1), Value::Null, &["asks t2 partitions"]),
    ];
    for (read, copies, expected) in cases {
        let document = mirror(read.clone(), copies.clone(), true);
        assert_eq!(ends(&document), expected, "{read} {copies}");
        assert_eq!(order(&document).kind(), Some(OrderKind::NotEstablished), "{read} {copies}");
    }
    let said = says(&mirror(json!(6), Value::Null, true));
    assert_eq!(said, "not established: partitions of t2 not read");
    // One that writes by a key asks for none of them.
    assert_eq!(ends(&mirror(Value::Null, Value::Null, false)), ["l3 ORD-4"]);
}

/// A mirror of two logs into one: the number of the second one counts as that of the first.
#[test]
fn a_mirror_of_two_logs() {
    let two = |second: Value| {
        let mut document = mirror(json!(6), json!(6), true);
        for (id, of) in [("t9", "t1"), ("app9", "app")] {
            document["elements"][id] = document["elements"][of].clone();
        }
        for (id, of, from, to) in [("l8", "l1", "app9", "t9"), ("l9", "l2", "t9", "o1")] {
            document["links"][id] = document["links"][of].clone();
            document["links"][id]["from"] = json!(from);
            document["links"][id]["to"] = json!(to);
        }
        set(&mut document, "t9", "partitions", second);
        ends(&document)
    };
    // Both logs hold a customer: nothing orders them with each other.
    assert_eq!(two(json!(6)), ["o1 ORD-0a"]);
    assert_eq!(two(json!(12)), ["o1 ORD-0a", "l3 ORD-11"]);
    assert_eq!(two(Value::Null), ["o1 ORD-0a", "asks t9 partitions"]);
}
