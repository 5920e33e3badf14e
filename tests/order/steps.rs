//! Steps that share out by a key of their own, systems with an order of their own, and what is asked of a producer.

use crate::{
    chain::{Job, Step, order, path, says, set},
    systems::ends,
};
use serde_json::{Value, json};

const PLAIN: Job = Job { step: Step::Plain, by: "customer", writes: "customer" };

/// Two steps, the second one by the key `device`; how rows are handed over to it.
fn by_device(system: &str, step: &str, handed: &Value) -> Value {
    let mut document = path("customer", &[Job { step: Step::Forward, ..PLAIN }], false);
    document["elements"]["j1"]["system"] = json!(system);
    document["elements"]["p1"]["step"] = json!(step);
    set(&mut document, "p1", "key", json!(["device"]));
    set(&mut document, "l2", "processing", json!("sequential"));
    set(&mut document, "l2", "offset_commit", json!("after_work"));
    set(&mut document, "l3", "distribution", Value::Null);
    for (field, value) in handed.as_object().unwrap() {
        set(&mut document, "l3", field, value.clone());
    }
    if step == "join" {
        document["elements"]["t9"] = document["elements"]["t1"].clone();
        document["links"]["l9"] = json!({ "from": "t9", "to": "p1", "into": "table" });
    }
    document
}

/// Flink shares out the rows of a keyed step by its key, unless it is said how they are handed over; Kafka Streams and an
/// application of its own take them as they come.
#[test]
fn a_keyed_step_gets_its_rows_by_its_key() {
    for step in ["deduplicate", "join"] {
        let told = |system: &str, handed: Value| ends(&by_device(system, step, &handed));
        assert_eq!(told("flink", json!({})), ["p1 ORD-4"], "{step}");
        assert_eq!(told("flink", json!({ "distribution": "forward" })), [""; 0], "{step}");
        assert_eq!(told("flink", json!({ "distribution": "hash", "key": ["customer"] })), [""; 0], "{step}");
        assert_eq!(told("kafka_streams", json!({})), [""; 0], "{step}");
        assert_eq!(told("plain_consumer", json!({})), [""; 0], "{step}");
    }
}

/// A stream without partitions is one; a topic that is global on purpose too; with several, each goes by the key.
#[test]
fn logs_of_other_systems() {
    let log = |system: &str, partitions: Value, ordering: Value| {
        let mut document = path("customer", &[], false);
        document["elements"]["t1"]["system"] = json!(system);
        set(&mut document, "t1", "partitions", partitions);
        set(&mut document, "t1", "ordering", ordering);
        set(&mut document, "l1", "max_in_flight", json!(1));
        set(&mut document, "l1", "partitioner", Value::Null);
        document
    };
    let said = |document: &Value| says(document).split(" of t1").next().unwrap().to_owned();
    let (whole, keyed) = ("all records in the single partition", "per customer within one partition");
    assert_eq!(said(&log("rabbitmq_streams", Value::Null, Value::Null)), whole);
    assert_eq!(said(&log("rabbitmq_streams", json!(1), Value::Null)), whole);
    assert_eq!(said(&log("rabbitmq_streams", json!(3), Value::Null)), keyed);
    assert_eq!(said(&log("kinesis", json!(3), Value::Null)), keyed);
    assert_eq!(said(&log("kafka", json!(1), Value::Null)), whole);
    assert_eq!(ends(&log("kafka", json!(3), Value::Null)), ["asks l1 partitioner"]);
    // Pulsar finds the partition by the key and sends again in its order, whatever a client of Kafka would do.
    let mut pulsar = log("pulsar", json!(3), json!("per_key"));
    set(&mut pulsar, "l1", "idempotence", json!(false));
    set(&mut pulsar, "l1", "max_in_flight", json!(5));
    assert!(
        !ends(&pulsar).iter().any(|end| end.starts_with("l1") || end.starts_with("asks l1")),
        "{:?}",
        ends(&pulsar)
    );
}

/// Of a producer, what is not read is asked; where it is read as not set, the client that decides.
#[test]
fn what_decides_on_retries() {
    let told = |client: Value, idempotence: Value| {
        let mut document = path("customer", &[], false);
        set(&mut document, "app", "client", client);
        set(&mut document, "app", "client_version", Value::Null);
        set(&mut document, "l1", "idempotence", idempotence);
        ends(&document)
    };
    assert_eq!(told(Value::Null, Value::Null), ["asks l1 idempotence"]);
    assert_eq!(told(Value::Null, json!("unset")), ["asks app client", "asks app client version"]);
    assert_eq!(told(json!("java"), json!("unset")), ["asks app client version"]);
}

/// A table that nobody is drawn to write is where events begin for the job that reads it.
#[test]
fn a_table_that_is_read() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"].as_object_mut().unwrap().remove("app");
    document["links"].as_object_mut().unwrap().remove("l1");
    document["elements"]["t1"] = json!({ "kind": "sink", "system": "postgres", "lifecycle": "existing" });
    document["links"]["l2"] = json!({ "from": "t1", "to": "o1", "observed": { "e1": { "capture": "change_log" } } });
    let verdict = order(&document);
    assert_eq!(verdict.inputs.len(), 1);
    assert_eq!(verdict.inputs[0].born.as_ref().map(|id| id.as_str()), Some("t1"));
}

/// Where two ways meet, what happened on each still counts, and what is missing on both is asked once.
#[test]
fn what_happened_on_two_ways() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"]["other"] = document["elements"]["app"].clone();
    document["links"]["l9"] = document["links"]["l1"].clone();
    document["links"]["l9"]["from"] = json!("other");
    for link in ["l1", "l9"] {
        set(&mut document, link, "idempotence", json!(false));
    }
    let mut both = ends(&document);
    both.sort();
    assert_eq!(both, ["l1 ORD-1", "l9 ORD-1", "t1 ORD-2"]);
    let mut twice = path("customer", &[PLAIN], false);
    twice["elements"]["t9"] = twice["elements"]["t1"].clone();
    twice["links"]["l8"] = twice["links"]["l1"].clone();
    twice["links"]["l8"]["to"] = json!("t9");
    twice["links"]["l9"] = twice["links"]["l2"].clone();
    twice["links"]["l9"]["from"] = json!("t9");
    set(&mut twice, "app", "instances", Value::Null);
    let asked = ends(&twice);
    assert_eq!(asked.iter().filter(|one| *one == "asks app instances").count(), 1, "{asked:?}");
}
