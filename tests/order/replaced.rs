//! An owner that its group replaced while it worked: which records it can still write after newer ones, in examples worked by
//! hand from what consumers commit when.

use crate::chain::{Job, Step, order, path, says, set};
use pipeline_desk::{analysis::order::OrderKind, model::Columns};
use serde_json::{Value, json};

const PLAIN: Job = Job { step: Step::Plain, by: "customer", writes: "customer" };

/// The kind, and where the order by `customer` ends, with the ids of the breakers.
fn ends(document: &Value) -> (OrderKind, Vec<String>) {
    let verdict = order(document);
    let needed = Columns(["customer".into()].into());
    let ends = verdict.ends_for(&needed).map(|breaker| format!("{} {}", breaker.at, breaker.id()));
    (verdict.kind().unwrap(), ends.collect())
}

fn with(mut document: Value, facts: &[(&str, &str, Value)]) -> Value {
    facts.iter().for_each(|(id, field, value)| set(&mut document, id, field, value.clone()));
    document
}

/// Through one service into a log, and into a table.
fn both(facts: &[(&str, &str, Value)]) -> [(OrderKind, Vec<String>); 2] {
    [false, true].map(|table| ends(&with(path("customer", &[PLAIN], table), facts)))
}

fn late(at: &str) -> [(OrderKind, Vec<String>); 2] {
    [OrderKind::Arrival, OrderKind::Nothing].map(|kind| (kind, vec![format!("{at} ORD-15")]))
}

const KEPT: [(OrderKind, Vec<String>); 2] = [(OrderKind::PerKey, Vec::new()), (OrderKind::PerKey, Vec::new())];

/// In the log that it writes, records still lie as they arrived.
#[test]
fn what_counts_as_done_comes_after_newer_records() {
    let commit = |word: &str| ("l2", "offset_commit", json!(word));
    assert_eq!(both(&[commit("before_work")]), late("l2"));
    assert_eq!(both(&[commit("after_work")]), KEPT, "read again, it is a copy");
    assert_eq!(both(&[commit("with_output")]), KEPT);
    assert_eq!(both(&[commit("never")]), KEPT, "not known to be in a group");
    assert_eq!(both(&[("l3", "output_commit", json!("none"))]), late("l3"));
    let document = with(path("customer", &[PLAIN], true), &[commit("before_work")]);
    assert_eq!(
        says(&document),
        "none: l2 commits before the work: an owner that its group replaced meanwhile can still write, after newer records"
    );
    let verdict = order(&document);
    assert!(
        verdict.inputs[0].ended_by().unwrap().mend().starts_with("position and output in one transaction, or a commit")
    );
}

/// Automatic commits take what was handed out (librdkafka), or what a poll before returned (Java): that is done, unless other
/// threads work on it. So it is with a commit for each record that is finished.
#[test]
fn commits_of_what_was_handed_out() {
    let auto = || ("l2", "offset_commit", json!("auto"));
    let handled = ("l2", "close_commits", json!("handled"));
    assert_eq!(both(&[auto(), handled]), KEPT);
    let c = ("j1", "client", json!("librdkafka"));
    assert_eq!(both(&[auto(), c]), late("l2"));
    let by_key = [("l2", "processing", json!("threads")), ("l2", "worker_key", json!(["@record_key"]))];
    assert_eq!(both(&by_key), KEPT);
    assert_eq!(both(&[&by_key[..], &[auto()]].concat()), late("l2"));
    let each = || ("l2", "offset_commit", json!("per_record"));
    assert_eq!(both(&[each()]), KEPT);
    assert_eq!(both(&[&by_key[..], &[each()]].concat()), late("l2"));
    assert_eq!(both(&[&by_key[..], &[each(), ("l2", "in_flight", json!(1))]].concat()), KEPT);
    // Not known is no order of a key: a partition is as it was appended.
    for facts in [[auto(), ("j1", "client", Value::Null)], [auto(), ("l2", "processing", Value::Null)]] {
        assert_eq!(both(&facts)[0].0, OrderKind::PerPartition, "{facts:?}");
    }
    assert_eq!(both(&[("l2", "offset_commit", Value::Null)])[0].0, OrderKind::PerPartition);
}

/// A position or an epoch that is compared turns the replaced owner away; a version its older row, of this key alone.
#[test]
fn what_fences_a_replaced_owner() {
    let early = || ("l2", "offset_commit", json!("before_work"));
    let table =
        |facts: &[(&str, &str, Value)]| ends(&with(path("customer", &[PLAIN], true), &[&[early()], facts].concat()));
    let position = ("l3", "output_commit", json!("with_position"));
    assert_eq!(table(&[position, ("l3", "position_guard", json!("compare_and_set"))]), KEPT[0]);
    assert_eq!(table(&[("l3", "position_guard", json!("fencing"))]), KEPT[0]);
    assert_eq!(table(&[("l3", "position_guard", json!("none"))]), late("l2")[1]);
    let version = || ("l3", "version_guard", json!(["version"]));
    assert_eq!(table(&[version()]), (OrderKind::Newest, vec![]));
    // Rows of two orders of one customer are not compared with each other.
    let rows = [("l3", "key", json!(["customer", "order"])), ("table", "unique_keys", json!([["customer", "order"]]))];
    assert_eq!(table(&[&rows[..], &[version()]].concat()), (OrderKind::Newest, vec!["l2 ORD-15".to_owned()]));
    assert_eq!(table(&[("l3", "version_guard", json!(["@offset"]))]), KEPT[0], "of one partition");
    assert_eq!(table(&[("l3", "write_mode", json!("append"))]), late("l2")[1]);
}

/// What a store of marks holds is not worked off again either.
#[test]
fn marks_before_the_write() {
    let marked = |marks: &str| {
        let mut document = path("customer", &[PLAIN], true);
        document["elements"]["o1"]["step"] = json!("deduplicate");
        let facts = [("key", json!(["id"])), ("state_in", json!("external")), ("marks", json!(marks))];
        facts.into_iter().for_each(|(field, value)| set(&mut document, "o1", field, value));
        ends(&document).1
    };
    assert_eq!(marked("before_write"), ["o1 ORD-15"]);
    assert_eq!(marked("with_write"), [""; 0]);
    assert_eq!(marked("after_write"), [""; 0]);
}

/// Flink gives out partitions itself; Kafka Streams and Kafka Connect commit what they have written.
#[test]
fn engines_that_commit_what_they_have_written() {
    for system in ["flink", "kafka_streams", "kafka_connect"] {
        let mut document = path("customer", &[PLAIN], false);
        document["elements"]["j1"]["system"] = json!(system);
        set(&mut document, "l2", "offset_commit", json!("before_work"));
        assert_eq!(ends(&document), KEPT[0], "{system}");
    }
    let mut agent = path("customer", &[PLAIN], false);
    agent["elements"]["j1"]["system"] = json!("vector");
    set(&mut agent, "l2", "offset_commit", json!("before_work"));
    assert_eq!(ends(&agent).1, ["l2 ORD-15"]);
}
