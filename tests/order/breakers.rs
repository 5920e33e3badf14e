//! Each hop by itself, in examples worked by hand from how the products move records.

use crate::chain::{Job, Step, order, path, says, set};
use pipeline_desk::{
    analysis::order::{Breaker, OrderKind},
    model::{Columns, Id},
};
use serde_json::{Value, json};

const PLAIN: Job = Job { step: Step::Plain, by: "customer", writes: "customer" };

fn columns(names: &[&str]) -> Columns {
    Columns(names.iter().map(|name| (*name).into()).collect())
}

/// The kind, and the ids of the breakers that end the order of `customer`, with their places.
fn ends(document: &Value) -> (OrderKind, Vec<(String, &'static str)>) {
    let verdict = order(document);
    let needed = columns(&["customer"]);
    let ends = verdict.ends_for(&needed).map(|breaker| (breaker.at.to_string(), breaker.id())).collect();
    (verdict.kind().unwrap(), ends)
}

fn broken(id: &str, field: &str, value: Value) -> (OrderKind, Vec<(String, &'static str)>) {
    let mut document = path("customer", &[PLAIN], false);
    set(&mut document, id, field, value);
    ends(&document)
}

fn at(id: &str, by: &'static str) -> Vec<(String, &'static str)> {
    vec![(id.to_owned(), by)]
}

#[test]
fn a_claim_names_key_log_and_writer() {
    let document = path("customer", &[], false);
    assert_eq!(says(&document), "per customer within one partition of t1, from app, as appended");
    assert_eq!(
        says(&path("customer", &[PLAIN], false)),
        "per customer within one partition of t2, from j1, as appended"
    );
    let mut one = document;
    set(&mut one, "t1", "partitions", json!(1));
    assert_eq!(says(&one), "all records in the single partition of t1, from app, as appended");
    // The word global is for one partition on purpose.
    set(&mut one, "t1", "ordering", json!("global"));
    assert_eq!(order(&one).kind(), Some(OrderKind::Global));
    set(&mut one, "app", "instances", json!(2));
    assert_eq!(order(&one).kind(), Some(OrderKind::Nothing));
}

/// Behind a break in the last log nothing is in order; behind one before it, records still lie as they arrived.
#[test]
fn what_is_sent_again_lands_behind_the_next_batch() {
    assert_eq!(broken("l1", "idempotence", json!(false)), (OrderKind::Arrival, at("l1", "ORD-1")));
    assert_eq!(broken("l3", "idempotence", json!(false)), (OrderKind::Nothing, at("l3", "ORD-1")));
    assert_eq!(broken("l3", "acks", json!("1")), (OrderKind::Nothing, at("l3", "ORD-1")));
    let mut document = path("customer", &[PLAIN], false);
    for (id, field, value) in [("l1", "idempotence", json!(false)), ("l1", "max_in_flight", json!(1))] {
        set(&mut document, id, field, value);
    }
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
    set(&mut document, "l1", "max_in_flight", Value::Null);
    assert_eq!(
        says(&document),
        "within each partition of t2, from j1 as appended; any other order is not established: max in flight of l1 not read"
    );
    set(&mut document, "l1", "max_in_flight", json!(5));
    set(&mut document, "l1", "retries", json!(0));
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
}

#[test]
fn writers_keys_and_partitioners() {
    assert_eq!(broken("app", "instances", json!(3)).1, at("l1", "ORD-2"));
    assert_eq!(broken("l1", "key", json!([])).1, at("l1", "ORD-3"));
    assert_eq!(broken("l3", "key", json!([])), (OrderKind::PerPartition, at("l3", "ORD-3")));
    assert_eq!(broken("l3", "partitioner", json!("round_robin")).1, at("l3", "ORD-3"));
    assert_eq!(broken("l3", "partitioner", json!("custom")), (OrderKind::PerPartition, at("l3", "ORD-8")));
    let mut document = path("customer", &[PLAIN], false);
    document["elements"]["other"] = document["elements"]["app"].clone();
    document["links"]["l9"] = document["links"]["l1"].clone();
    document["links"]["l9"]["from"] = json!("other");
    assert_eq!(ends(&document).1, at("t1", "ORD-2"));
    set(&mut document, "other", "client", json!("librdkafka"));
    set(&mut document, "l9", "partitioner", json!("crc32"));
    assert_eq!(ends(&document).1, [at("t1", "ORD-2"), at("t1", "ORD-8")].concat());
}

#[test]
fn workers_and_async_steps() {
    assert_eq!(broken("l2", "processing", json!("threads")), (OrderKind::Arrival, at("l2", "ORD-6")));
    let mut document = path("customer", &[PLAIN], false);
    set(&mut document, "l2", "processing", json!("threads"));
    set(&mut document, "l2", "worker_key", json!(["@record_key"]));
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
    // By another key, two records stay in order only where both keys are equal.
    set(&mut document, "l2", "worker_key", json!(["device"]));
    assert_eq!(ends(&document).1, at("l2", "ORD-6"));
    assert_eq!(order(&document).ends_for(&columns(&["customer", "device"])).count(), 0);
    let mut call = path("customer", &[Job { step: Step::Call, ..PLAIN }], false);
    set(&mut call, "o1", "order_kept", json!("no"));
    assert_eq!(ends(&call).1, at("o1", "ORD-6"));
    set(&mut call, "o1", "order_kept", Value::Null);
    assert_eq!(
        says(&call),
        "within each partition of t2, from j1 as appended; any other order is not established: order kept of o1 not read"
    );
}

/// Twelve partitions by customer, then `selectKey(order)`, then a count: order by customer ends where the key changes;
/// by order it is that of arrival in the repartition topic, and the counts of one order come in theirs.
#[test]
fn a_new_key_is_a_new_order() {
    let rekeyed = Job { step: Step::Rekey, by: "order", writes: "order" };
    let mut document = path("customer", &[rekeyed], false);
    set(&mut document, "t1", "partitions", json!(12));
    let verdict = order(&document);
    assert_eq!(verdict.kind(), Some(OrderKind::Arrival));
    assert_eq!(says(&document), "per order as they arrive in one partition of t2, from j1");
    let (by_customer, by_order) = (columns(&["customer"]), columns(&["order"]));
    let first = |needed: &Columns| verdict.ends_for(needed).next().map(|breaker| breaker.at.to_string());
    assert_eq!(first(&by_customer).as_deref(), Some("o1"));
    assert_eq!(first(&by_order).as_deref(), Some("l1"), "records of one order lie in several partitions of t1");
    assert_eq!(first(&columns(&["customer", "order"])), None);
    let counted = Job { step: Step::Count, by: "order", writes: "order" };
    let document = path("customer", &[rekeyed, counted], false);
    assert_eq!(says(&document), "per order within one partition of t3, from j2, as appended");
    let past = order(&document).inputs[0].breakers.iter().filter(|breaker| breaker.past).count();
    assert!(past >= 2, "what was before stays in sight");
    // A last value depends on what came last.
    let last = Job { step: Step::Last, by: "order", writes: "order" };
    assert_eq!(order(&path("customer", &[last], false)).kind(), Some(OrderKind::Arrival));
}

#[test]
fn a_finer_key_keeps_the_order_of_what_it_does_not_divide() {
    let hash = |by| path("customer", &[Job { step: Step::Hash, by, writes: "customer" }], false);
    assert_eq!(ends(&hash("customer")), (OrderKind::PerKey, vec![]));
    assert_eq!(ends(&hash("device")).1, at("l3", "ORD-4"));
    let mut tasks = path("customer", &[Job { step: Step::Forward, ..PLAIN }], false);
    set(&mut tasks, "l3", "distribution", json!("rebalance"));
    assert_eq!(ends(&tasks).1, at("l3", "ORD-4"));
    set(&mut tasks, "p1", "parallelism", json!(1));
    assert_eq!(ends(&tasks), (OrderKind::PerKey, vec![]));
    set(&mut tasks, "l3", "distribution", Value::Null);
    assert_eq!(ends(&tasks), (OrderKind::PerKey, vec![]), "one task gets all");
    set(&mut tasks, "p1", "parallelism", Value::Null);
    assert_eq!(
        says(&tasks),
        "within each partition of t2, from j1 as appended; any other order is not established: distribution of l3 not read"
    );
}

#[test]
fn more_partitions_move_keys() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"]["t1"]["proposed"] = json!({ "partitions": 12 });
    let grown = pipeline_desk::analysis::analyse(&crate::chain::design(&document), pipeline_desk::model::View::ToBe);
    let verdict = &grown.consumers[&Id::new("reader").unwrap()].order;
    let found: Vec<_> = verdict.inputs[0].breakers.iter().filter(|b| b.kept.is_none()).map(|b| b.id()).collect();
    assert_eq!(found, ["ORD-5"]);
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]), "today it is not so");
}

/// What is set aside and read again comes after its successors.
#[test]
fn what_comes_back_is_late() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"]["again"] = document["elements"]["t1"].clone();
    document["elements"]["again"]["role"] = json!("retry");
    document["links"]["l8"] = json!({ "from": "o1", "to": "again", "port": "dead_letter" });
    document["links"]["l9"] = json!({ "from": "again", "to": "o1" });
    assert_eq!(ends(&document), (OrderKind::Arrival, at("l9", "ORD-7")));
}

#[test]
fn stores_keep_what_is_written_last() {
    let table = |writes| path("customer", &[Job { step: Step::Plain, by: "customer", writes }], true);
    assert_eq!(
        says(&table("customer")),
        "per customer within one partition of t1, from app, as appended; rows of table are written in that order"
    );
    // Versions of one row come from several partitions.
    let mut apart = table("product");
    assert_eq!(ends(&apart), (OrderKind::Nothing, at("l3", "ORD-9")));
    let words = |document: &Value| order(document).inputs[0].breakers.last().map(Breaker::words).unwrap_or_default();
    let end = "and those of one row come from several partitions";
    assert_eq!(words(&apart), format!("compares no versions, {end}"));
    // That nobody read it does not say that it compares none; that nobody set it does.
    set(&mut apart, "l3", "version_guard", Value::Null);
    assert_eq!(words(&apart), format!("is not known to compare versions, {end}"));
    set(&mut apart, "l3", "version_guard", json!("unset"));
    assert_eq!(words(&apart), format!("compares no versions, {end}"));
    set(&mut apart, "l3", "version_guard", json!(["changed_at"]));
    assert_eq!(says(&apart), "table keeps the newest version per product, in whatever order rows come");
    // The store compares versions, so that what was before does not matter.
    set(&mut apart, "l1", "idempotence", json!(false));
    assert_eq!(order(&apart).ends_for(&columns(&["product", "customer"])).count(), 0);
    assert_eq!(ends(&apart), (OrderKind::Newest, at("l1", "ORD-1")), "of rows, not of all events of a customer");
    assert_eq!(ends(&table("id")).1, vec![], "one row an event");
}

#[test]
fn a_join_orders_its_inputs_by_nothing() {
    let mut document = path("customer", &[Job { step: Step::Forward, ..PLAIN }], false);
    document["elements"]["app2"] = document["elements"]["app"].clone();
    document["elements"]["t9"] = document["elements"]["t1"].clone();
    document["links"]["l8"] = document["links"]["l1"].clone();
    document["links"]["l8"]["from"] = json!("app2");
    document["links"]["l8"]["to"] = json!("t9");
    document["links"]["l9"] = json!({ "from": "t9", "to": "o1" });
    document["elements"]["o1"]["step"] = json!("join");
    set(&mut document, "o1", "key", json!(["customer"]));
    assert_eq!(ends(&document).1, at("o1", "ORD-0a"));
    document["links"]["l9"]["into"] = json!("table");
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]), "a table has no part in the order of the stream");
    document["links"]["l9"].as_object_mut().unwrap().remove("into");
    set(&mut document, "o1", "right_key", json!(["account"]));
    assert_eq!(ends(&document).1, [at("o1", "ORD-0a"), at("o1", "ORD-14")].concat());
}

#[test]
fn queues_keep_what_they_are_set_up_to_keep() {
    let mut document = path("customer", &[PLAIN], false);
    document["elements"]["t1"]["system"] = json!("sqs");
    set(&mut document, "l1", "max_in_flight", json!(1));
    assert!(says(&document).contains("delivers again") || order(&document).kind() == Some(OrderKind::PerPartition));
    set(&mut document, "t1", "ordering", json!("per_group"));
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
    set(&mut document, "t1", "ordering", json!("none"));
    assert!(ends(&document).1.contains(&("l1".to_owned(), "ORD-13")));
    document["elements"]["t1"]["system"] = json!("kinesis");
    set(&mut document, "t1", "ordering", Value::Null);
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
    set(&mut document, "l1", "max_in_flight", json!(5));
    assert_eq!(ends(&document), (OrderKind::Arrival, at("l1", "ORD-12")));
}

#[test]
fn what_is_not_stated_makes_no_order() {
    let missing = |id: &str, field: &str| {
        let mut document = path("customer", &[PLAIN], false);
        set(&mut document, id, field, Value::Null);
        says(&document)
    };
    assert_eq!(
        missing("l1", "partitioner"),
        "within each partition of t2, from j1 as appended; any other order is not established: partitioner of l1 not read"
    );
    assert_eq!(
        missing("l1", "key"),
        "within each partition of t2, from j1 as appended; any other order is not established: key of l1 not read"
    );
    assert_eq!(
        missing("app", "instances"),
        "within each partition of t2, from j1 as appended; any other order is not established: instances of app not read"
    );
    assert_eq!(
        missing("l2", "processing"),
        "within each partition of t2, from j1 as appended; any other order is not established: processing of l2 not read"
    );
    assert_eq!(
        missing("l1", "acks"),
        "within each partition of t2, from j1 as appended; any other order is not established: acks of l1 not read"
    );
}

/// What is not known of the last log itself: where a record goes leaves the order of each partition, whether a retry or
/// a second instance comes between leaves none. Known to be bad, it would end the order, so not known it makes none.
#[test]
fn of_the_last_log_only_its_own_writes_count() {
    let direct = |field: &str, id: &str| {
        let mut document = path("customer", &[], false);
        set(&mut document, id, field, Value::Null);
        (order(&document).kind().unwrap(), says(&document))
    };
    let (kind, said) = direct("partitioner", "l1");
    assert_eq!(kind, OrderKind::PerPartition);
    assert_eq!(
        said,
        "within each partition of t1, from app as appended; any other order is not established: partitioner of l1 not read"
    );
    assert_eq!(direct("key", "l1").0, OrderKind::PerPartition);
    for (field, id) in [("acks", "l1"), ("idempotence", "l1"), ("instances", "app")] {
        assert_eq!(
            direct(field, id),
            (OrderKind::NotEstablished, format!("not established: {field} of {id} not read"))
        );
    }
    let mut retries = path("customer", &[], false);
    set(&mut retries, "l1", "idempotence", json!(false));
    assert_eq!(order(&retries).kind(), Some(OrderKind::Nothing));
    set(&mut retries, "l1", "max_in_flight", Value::Null);
    assert_eq!(says(&retries), "not established: max in flight of l1 not read");
}

/// Behind the log rows of one partition are shared out by a key: its order as a whole is gone.
#[test]
fn behind_a_shuffle_no_partition_of_the_log_is_in_order() {
    let mut document = path("customer", &[Job { step: Step::Hash, by: "customer", writes: "customer" }], true);
    set(&mut document, "l1", "key", Value::Null);
    assert_eq!(order(&document).kind(), Some(OrderKind::NotEstablished));
}

/// The producer of an engine is as little known to be idempotent as another: only its settings say it.
#[test]
fn the_client_of_an_engine_is_not_taken_for_idempotent() {
    let mut document = path("customer", &[Job { step: Step::Forward, ..PLAIN }], false);
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]));
    set(&mut document, "l4", "idempotence", Value::Null);
    assert_eq!(says(&document), "not established: idempotence of l4 not read");
    set(&mut document, "l4", "max_in_flight", json!(1));
    assert_eq!(ends(&document), (OrderKind::PerKey, vec![]), "nothing is overtaken, idempotent or not");
}
