//! Where one of two settings decides, and what is said word for word.

use crate::{
    chain::{Job, Step, order, path, says, set},
    systems::ends,
};
use pipeline_desk::analysis::order::OrderKind;
use serde_json::{Value, json};

const PLAIN: Job = Job { step: Step::Plain, by: "customer", writes: "customer" };

/// A log that a job without an input writes is not one that is taken as it stands.
#[test]
fn a_log_behind_nothing_has_no_order() {
    let mut document = path("customer", &[PLAIN], false);
    for (section, id) in [("elements", "app"), ("elements", "t1"), ("links", "l1"), ("links", "l2")] {
        document[section].as_object_mut().unwrap().remove(id);
    }
    assert_eq!(order(&document).kind(), None);
}

/// Without partitions only a stream is one whole; a log of Kafka goes by its key.
#[test]
fn a_log_that_stands_is_whole_only_as_one_stream() {
    let standing = |system: &str, facts: Value| {
        let mut document = path("customer", &[], false);
        document["elements"].as_object_mut().unwrap().remove("app");
        document["links"].as_object_mut().unwrap().remove("l1");
        document["elements"]["t1"]["system"] = json!(system);
        document["elements"]["t1"]["observed"]["e1"] = facts;
        says(&document)
    };
    let by_key = "per customer within one partition of t1, as appended";
    let whole = "all records in the single partition of t1, as appended";
    assert_eq!(standing("kafka", json!({ "key": ["customer"] })), by_key);
    assert_eq!(standing("rabbitmq_streams", json!({ "key": ["customer"], "partitions": 3 })), by_key);
    assert_eq!(standing("rabbitmq_streams", json!({ "key": ["customer"] })), whole);
    assert_eq!(standing("kafka", json!({ "key": ["customer"], "partitions": 1 })), whole);
}

/// Workers that go by a column of their own need no record key.
#[test]
fn workers_by_a_column_ask_for_no_record_key() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"].as_object_mut().unwrap().remove("app");
    document["links"].as_object_mut().unwrap().remove("l1");
    set(&mut document, "l2", "processing", json!("threads"));
    set(&mut document, "l2", "worker_key", json!(["customer"]));
    assert_eq!(ends(&document), ["asks t1 key"]);
}

/// Of a queue with an order per group a group is ordered, not the whole of it.
#[test]
fn a_queue_with_groups_is_ordered_by_group() {
    let queue = |ordering: &str| {
        let mut document = path("customer", &[], false);
        document["elements"]["t1"]["system"] = json!("sqs");
        set(&mut document, "l1", "max_in_flight", json!(1));
        set(&mut document, "t1", "ordering", json!(ordering));
        says(&document)
    };
    assert_eq!(queue("per_group"), "per customer within one partition of t1, from app, as appended");
}

/// Shared out by a column of the order so far, rows of a log that goes by another one are ordered by both.
#[test]
fn a_shuffle_adds_its_key_to_that_of_the_log() {
    let jobs = [
        Job { step: Step::Plain, by: "customer", writes: "order" },
        Job { step: Step::Hash, by: "customer", writes: "id" },
    ];
    assert_eq!(
        says(&path("customer", &jobs, true)),
        "per (order, customer) within one partition of t2, from j1, as appended; rows of table are written in that order"
    );
}

/// What lies in several partitions by no key is mixed where it is shared out, whatever was wrong before.
#[test]
fn what_has_no_key_is_mixed_by_a_shuffle() {
    let mut document = path("customer", &[Job { step: Step::Hash, by: "customer", writes: "id" }], true);
    set(&mut document, "l1", "key", json!([]));
    assert_eq!(order(&document).kind(), Some(OrderKind::Nothing));
    set(&mut document, "l2", "processing", json!("threads"));
    assert_eq!(order(&document).kind(), Some(OrderKind::Nothing));
    set(&mut document, "l3", "distribution", json!("forward"));
    set(&mut document, "l2", "processing", Value::Null);
    assert_eq!(order(&document).kind(), Some(OrderKind::PerPartition), "passed on in place they are not");
}

/// A result that has an id of its own is a row of its own: no other version replaces it.
#[test]
fn rows_of_results_are_known_by_the_event_that_they_are() {
    let jobs = [
        Job { step: Step::Count, by: "customer", writes: "product" },
        Job { step: Step::Plain, by: "customer", writes: "id" },
    ];
    let mut document = path("customer", &jobs, true);
    assert_eq!(ends(&document), ["l3 ORD-4", "l5 ORD-9"]);
    document["elements"]["o1"]["emits"] = json!("total");
    document["events"]["total"] = json!({ "observed": { "e1": { "event_id": ["id"] } } });
    assert_eq!(ends(&document), ["l3 ORD-4"]);
}

/// An old copy that an operator took for the newest is no row that a store wrote last.
#[test]
fn an_old_value_of_an_operator_is_not_written_out_of_order() {
    let mut document = path("customer", &[Job { step: Step::Last, ..PLAIN }], true);
    set(&mut document, "l1", "after_restart", json!("resend_unmarked"));
    assert!(crate::chain::report(&document).consumers.values().any(|reader| reader.delivery.taints[0].stale));
    assert_eq!(ends(&document), [""; 0]);
}

/// That the events before a count were out of order does not hide an owner that was replaced and still writes.
#[test]
fn what_is_over_hides_no_row_that_is_overwritten() {
    let mut document = path("customer", &[Job { step: Step::Count, ..PLAIN }, PLAIN], true);
    set(&mut document, "l1", "idempotence", json!(false));
    set(&mut document, "l4", "offset_commit", json!("with_output"));
    set(&mut document, "l5", "output_commit", json!("with_position"));
    set(&mut document, "l5", "position_guard", json!("none"));
    assert_eq!(ends(&document), ["l5 ORD-9"]);
}

/// No log on the way: the order is that of whoever writes the store.
#[test]
fn without_a_log_the_order_is_that_of_the_source() {
    let mut document = path("customer", &[PLAIN], true);
    for (section, ids) in [("elements", &["t1", "j1", "o1"][..]), ("links", &["l1", "l2"])] {
        ids.iter().for_each(|id| drop(document[section].as_object_mut().unwrap().remove(*id)));
    }
    document["links"]["l3"]["from"] = json!("app");
    assert_eq!(says(&document), "all records in the order of app; rows of table are written in that order");
}

/// One partition is ordered as a whole, whoever wrote it by which key.
#[test]
fn one_partition_is_ordered_as_a_whole() {
    let mut document = path("customer", &[], false);
    set(&mut document, "t1", "partitions", json!(1));
    assert_eq!(says(&document), "all records in the single partition of t1, from app, as appended");
    let mut document = path("customer", &[PLAIN], false);
    set(&mut document, "t2", "partitions", json!(1));
    set(&mut document, "l1", "idempotence", json!(false));
    assert_eq!(says(&document), "as they arrive in the single partition of t2, from j1");
}
