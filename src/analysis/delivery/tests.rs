//! What is said of ways that several products have in common: marks, record keys, acknowledgements, clients that try again.

use super::verdict::{CopyClass, DeliveryVerdict, Label, Most, Transient, ValueEffect};
use crate::{
    codec,
    model::{Id, View},
    rules::review,
};
use serde_json::{Map, Value, json};

/// A log that keeps what is acknowledged.
fn log(more: &Value) -> Value {
    let facts = json!({ "partitions": 3, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
        "cleanup_policy": "delete", "retention_time": "unlimited", "retention_size": "unlimited" });
    json!({ "kind": "channel", "system": "kafka", "proposed": with(&facts, more) })
}

fn with(facts: &Value, more: &Value) -> Value {
    let both = [facts, more].into_iter().filter_map(Value::as_object);
    both.flat_map(Clone::clone).collect::<Map<_, _>>().into()
}

/// What the reader `u` observes.
fn told(elements: &Value, links: &Value) -> DeliveryVerdict {
    let design = json!({ "format": "streaming-pipeline", "version": 2, "elements": elements, "links": links,
        "events": { "e": { "proposed": { "key": ["id"], "event_id": ["n"] } } } });
    let design = codec::decode(&design.to_string()).unwrap_or_else(|error| panic!("{error}"));
    review(&design, View::ToBe).consumers[&Id::new("u").unwrap()].delivery.clone()
}

/// A channel, one step of an application, and a table; `read`, `step` and `write` are facts of their own.
fn worked(channel: &Value, job: &Value, read: &Value, step: &Value, write: &Value) -> DeliveryVerdict {
    let reads = json!({ "isolation": "read_committed", "offset_commit": "after_work", "offset_reset": "earliest",
        "processing": "sequential" });
    let op = with(&json!({ "kind": "operator", "job": "j" }), step);
    let job =
        with(&json!({ "client": "java", "on_error": "fail", "longest_outage": "10min", "commit_interval": "5s" }), job);
    told(
        &json!({ "c": channel, "j": { "kind": "job", "system": "plain_consumer", "proposed": job }, "o": op,
            "t": { "kind": "sink", "system": "postgres", "proposed": { "unique_keys": [["id"]], "collapse": "at_write", "other_writers": false } },
            "u": { "kind": "consumer" } }),
        &json!({ "l1": { "from": "c", "to": "o", "proposed": with(&reads, read) },
            "l2": { "from": "o", "to": "t", "proposed": with(&json!({ "key": ["id"], "version_guard": [], "output_commit": "flush" }), write) },
            "l3": { "from": "t", "to": "u" } }),
    )
}

fn map() -> Value {
    json!({ "step": "map", "proposed": { "determinism": "same", "order_kept": "yes" } })
}

fn has(verdict: &DeliveryVerdict, class: CopyClass) -> bool {
    verdict.duplicates.iter().any(|copies| copies.class == class)
        || verdict.taints.iter().flat_map(|taint| &taint.by).any(|copies| copies.class == class)
}

/// What it reads again comes up to 10 min 5 s later: marks of 1 h know it, marks of 10 min do not, and of marks of which
/// nobody says how long they are kept that stands as a condition.
#[test]
fn marks_remove_for_as_long_as_they_are_kept() {
    let marked = |ttl: Option<&str>| {
        let facts = json!({ "key": ["id"], "state_in": "external", "marks": "with_write" });
        let ttl = ttl.map_or(json!({}), |ttl| json!({ "state_ttl": ttl }));
        let step = json!({ "step": "deduplicate", "proposed": with(&facts, &ttl) });
        worked(&log(&json!({ "key": ["id"] })), &json!({}), &json!({}), &step, &json!({ "write_mode": "increment" }))
    };
    let label = |ttl| marked(ttl).label;
    assert_eq!(label(Some("unlimited")), Label::EffectivelyOnce);
    assert_eq!(label(Some("1h")), Label::SuppressedWithin);
    assert_eq!(label(Some("10min")), Label::AtLeastOnce);
    assert_eq!(label(None), Label::SuppressedWithin);
    let Most::OneWhile(_, conditions) = marked(None).badge.most else { panic!("a condition") };
    let texts: Vec<&str> = conditions.iter().map(|condition| condition.text.as_str()).collect();
    assert_eq!(texts, ["o keeps its marks for as long as repeats can come"]);
    let said = marked(Some("unlimited")).sentence;
    assert!(said.starts_with("Repeats are removed by a mark for each id, set together with the write at o;"), "{said}");
}

/// Deleted or acknowledged before the work, a message of a standard queue or of an ordinary subscription can come again.
#[test]
fn an_acknowledgement_is_not_for_good_everywhere() {
    let again = |channel: Value, read: Value| {
        let read = with(&json!({ "offset_commit": "before_work", "retention_time": "unlimited" }), &read);
        let verdict = worked(&channel, &json!({}), &read, &map(), &json!({ "write_mode": "append" }));
        has(&verdict, CopyClass::Redelivery)
    };
    let queue = |system: &str, ordering: &str| json!({ "kind": "channel", "system": system, "proposed": { "ordering": ordering } });
    assert!(again(queue("sqs", "none"), json!({})));
    assert!(!again(queue("sqs", "per_group"), json!({})), "a FIFO queue");
    assert!(again(queue("pubsub", "none"), json!({})));
    assert!(!again(queue("pubsub", "none"), json!({ "exactly_once_delivery": true })));
    for system in ["rabbitmq", "rabbitmq_quorum", "nats", "pulsar"] {
        assert!(again(queue(system, "none"), json!({})), "{system}: the acknowledgement can get lost");
    }
    assert!(!again(queue("service_bus", "none"), json!({})), "it is answered");
    assert!(!again(log(&json!({})), json!({})));
}

/// Three leases of 30 s and two outages of 10 min between them are 21.5 min, which marks of 1 h know; eight are 74 min, and of
/// 12 h one is more. Where nothing is known to set it aside, it comes until the queue drops it: after 40 min and a lease, or
/// nobody knows when. Pub/Sub only tries to keep to its number of attempts.
#[test]
fn a_message_comes_again_when_its_lease_ends() {
    let known = |system: &str, lease: &str, more: Value| {
        let queue = json!({ "kind": "channel", "system": system, "proposed": { "ordering": "per_group" } });
        let step = json!({ "step": "deduplicate", "proposed":
            { "key": ["id"], "state_in": "external", "marks": "with_write", "state_ttl": "1h" } });
        let exactly_once = system == "pubsub";
        let mut read =
            json!({ "redelivery_after": lease, "retention_time": "unlimited", "exactly_once_delivery": exactly_once });
        read.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let verdict = worked(&queue, &json!({}), &read, &step, &json!({ "write_mode": "append" }));
        match &verdict.badge.most {
            Most::OneWhile(_, conditions) if verdict.label != Label::AtLeastOnce => {
                conditions.iter().map(|condition| condition.inside).collect()
            }
            _ => vec![Some(false)],
        }
    };
    let attempts = |most: u32| json!({ "max_deliveries": most });
    let kept = |time: &str| json!({ "retention_time": time });
    assert_eq!(known("sqs", "30s", attempts(3)), [Some(true)]);
    assert_eq!(known("sqs", "30s", attempts(8)), [Some(false)]);
    assert_eq!(known("sqs", "12h", attempts(2)), [Some(false)]);
    assert_eq!(known("sqs", "30s", json!({})), [None]);
    assert_eq!(known("sqs", "30s", kept("40min")), [Some(true)]);
    assert_eq!(known("sqs", "30s", kept("4d")), [Some(false)]);
    assert_eq!(known("pubsub", "30s", attempts(3)), [None]);
    assert_eq!(known("pubsub", "30s", kept("40min")), [Some(true)]);
}

/// Committed before the work, nothing is read again; the client still repeats a write whose answer was lost.
#[test]
fn a_client_that_tries_again_adds_twice() {
    let added = |mode: &str, retries: u32, commit: &str| {
        let write = json!({ "write_mode": mode, "client_retries": retries, "output_commit": commit });
        let verdict = worked(
            &log(&json!({ "key": ["id"] })),
            &json!({}),
            &json!({ "offset_commit": "before_work" }),
            &map(),
            &write,
        );
        has(&verdict, CopyClass::ProducerRetry)
    };
    assert!(added("increment", 2, "flush") && added("append", 2, "flush"));
    assert!(!added("increment", 0, "flush"));
    assert!(!added("upsert", 2, "flush"), "the same row again");
    assert!(!added("append", 2, "with_position"), "one transaction with the position");
}

/// Two logs of one key each, or one through a mirror that keeps the key of its records: the table knows the row by it.
#[test]
fn a_record_key_is_followed_through_mirrors_and_over_several_logs() {
    let of = |second_key: &str, guard: Value| {
        let sends = json!({ "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry", "flush_on_close": true,
            "partitioner": "murmur2" });
        let app = json!({ "kind": "source", "system": "application", "event": "e", "proposed": { "instances": 1 } });
        let taken = json!({ "capture": "in_process", "after_restart": "resume_position" });
        let sent = |key: &str| with(&with(&sends, &taken), &json!({ "key": [key] }));
        let reads = json!({ "isolation": "read_uncommitted", "offset_reset": "earliest" });
        let connector = |system: &str| {
            json!({ "kind": "job", "system": system, "proposed": { "client": "java", "processing_guarantee": "at_least_once",
                "on_error": "fail", "version": "3.9" } })
        };
        let copy = |job: &str| json!({ "kind": "operator", "job": job, "step": "copy" });
        told(
            &json!({ "near": app, "far": app, "a": log(&json!({})), "b": log(&json!({})), "bb": log(&json!({})),
                "m": connector("mirror_maker"), "mc": copy("m"), "k": connector("kafka_connect"), "kc": copy("k"),
                "t": { "kind": "sink", "system": "elasticsearch", "proposed": { "unique_keys": [["id"]], "other_writers": false } },
                "u": { "kind": "consumer" } }),
            &json!({ "l1": { "from": "near", "to": "a", "proposed": sent("id") }, "l2": { "from": "far", "to": "b", "proposed": sent(second_key) },
                "l3": { "from": "b", "to": "mc", "proposed": reads },
                "l4": { "from": "mc", "to": "bb", "proposed": with(&sends, &json!({ "key": ["@record_key"] })) },
                "l5": { "from": "a", "to": "kc", "proposed": reads }, "l6": { "from": "bb", "to": "kc", "proposed": reads },
                "l7": { "from": "kc", "to": "t", "proposed": { "key": ["@record_key"], "write_mode": "upsert", "version_guard": guard } },
                "l8": { "from": "t", "to": "u" } }),
        )
    };
    let same = of("id", json!([]));
    assert!(same.duplicates.is_empty() && !same.taints.iter().any(|taint| !taint.stale), "{same:?}");
    let apart = of("other", json!([]));
    assert!(!apart.duplicates.is_empty(), "rows of two keys: {apart:?}");
    let compared = |verdict: &DeliveryVerdict| {
        verdict.lossy_hops.iter().any(|loss| loss.cause.starts_with("offsets of several logs do not compare"))
    };
    assert!(compared(&of("id", json!(["@offset"]))) && !compared(&same));
}

/// The stream of NATS ends the backlog of its consumers: 3 d, of which 10 min of an outage are no loss.
#[test]
fn the_limits_of_a_stream_end_the_backlog_of_its_readers() {
    let of = |stream: Value| {
        let nats = json!({ "kind": "channel", "system": "nats", "proposed": with(&json!({ "retention_size": "unlimited" }), &stream) });
        worked(&nats, &json!({}), &json!({ "max_deliveries": 3 }), &map(), &json!({ "write_mode": "upsert" }))
    };
    let asks = |verdict: &DeliveryVerdict| {
        verdict
            .unknown
            .iter()
            .filter(|missing| missing.field.name() == "retention_time")
            .map(|missing| missing.subject.to_string())
            .collect::<Vec<_>>()
    };
    let kept = of(json!({ "retention_time": "3d" }));
    assert_eq!(asks(&kept), Vec::<String>::new());
    assert!(kept.lossy_hops.iter().any(|loss| loss.cause == "what expires in the backlog"), "{kept:?}");
    assert_eq!(asks(&of(json!({}))), ["c"], "of the stream, not of the reader");
}

/// A reader that is away for two days learns of no deletion that was kept for one.
#[test]
fn deletions_that_a_late_reader_misses() {
    let by = |kept: Value, outage: &str, deletes: &str| {
        let compacted = with(&json!({ "cleanup_policy": "compact", "key": ["id"] }), &kept);
        let verdict = worked(
            &log(&compacted),
            &json!({ "longest_outage": outage }),
            &json!({}),
            &map(),
            &json!({ "write_mode": "upsert", "deletes": deletes }),
        );
        (
            verdict.label,
            verdict.lossy_hops.iter().filter(|loss| loss.cause.starts_with("deletions that c drops")).count(),
        )
    };
    let of = |outage: &str, deletes: &str| by(json!({ "tombstone_retention": "1d" }), outage, deletes);
    assert_eq!(of("2d", "applied"), (Label::AtMostOnce, 1));
    assert_eq!(of("1h", "applied"), (Label::EffectivelyOnce, 1), "under a condition");
    assert_eq!(of("2d", "ignored"), (Label::EffectivelyOnce, 0));
    assert_eq!(
        by(json!({ "tombstone_retention": "unset", "version": "3.9" }), "2d", "applied"),
        (Label::AtMostOnce, 1),
        "for a day"
    );
    // Not read, they are kept for no known time.
    assert_eq!(by(json!({}), "1h", "applied"), (Label::EffectivelyOnce, 1));
}

/// Per window, a key comes again with each window; where each update is sent, with each update.
#[test]
fn what_tells_results_apart() {
    let must = |window: &str, emit: &str| {
        let step = json!({ "step": "aggregate", "proposed": { "key": ["store"], "function": "last", "clock": "event_time", "window": window,
            "window_size": "5min", "allowed_lateness": "0s", "emit": emit, "state_in": "external" } });
        worked(&log(&json!({ "key": ["store"] })), &json!({}), &json!({}), &step, &json!({ "write_mode": "append" }))
            .consumer_must
            .words()
            .to_owned()
    };
    assert!(
        must("tumbling", "suppress").starts_with("Remove repeats by store and window, "),
        "{}",
        must("tumbling", "suppress")
    );
    assert!(must("tumbling", "every_update").starts_with("Keep one result for each store and window, "));
    assert!(must("none", "every_update").starts_with("Keep one result for each store, "));
}

/// Rows that come out of order without any failure: no copy is needed for an old one to come last, and nothing writes the
/// newer one again.
#[test]
fn rows_whose_order_ended_can_be_replaced_by_older_ones() {
    let of = |key: Value, read: Value, guard: Value| {
        worked(
            &log(&json!({ "key": key })),
            &json!({}),
            &read,
            &map(),
            &json!({ "write_mode": "upsert", "version_guard": guard }),
        )
    };
    let (by_id, none) = (json!(["id"]), json!([]));
    let kept = of(by_id.clone(), json!({}), none.clone());
    assert!(kept.transient.contains(&Transient::OlderValueShownAgain) && kept.value == ValueEffect::Exact, "{kept:?}");
    for apart in
        [of(none.clone(), json!({}), none.clone()), of(by_id.clone(), json!({ "processing": "threads" }), none.clone())]
    {
        assert_eq!(apart.value, ValueEffect::Stale, "{apart:?}");
        assert!(apart.sentence.contains("; an old version can stand at o → t: "), "{}", apart.sentence);
        assert!(!apart.sentence.contains("for a while"), "{}", apart.sentence);
    }
    let compared = of(none, json!({}), json!(["version"]));
    assert!(
        compared.value != ValueEffect::Stale && !compared.sentence.contains("old version"),
        "{}",
        compared.sentence
    );
    assert!(
        !of(by_id, json!({ "processing": "threads", "worker_key": ["id"] }), json!([]))
            .sentence
            .contains("old version")
    );
}

/// A missing fact leaves no claim open to doubt that what is there already loses or repeats.
#[test]
fn what_is_certain_is_said_where_something_is_not_known() {
    let of = |channel: Value, read: Value, write: Value| {
        let verdict = worked(&channel, &json!({}), &read, &map(), &write);
        assert_eq!(verdict.label, Label::NoClaim, "{}", verdict.sentence);
        (verdict.sentence, verdict.badge.text())
    };
    let whole = || log(&json!({ "key": ["id"] }));
    let unkept = || {
        let mut log = whole();
        log["proposed"].as_object_mut().unwrap().remove("retention_time");
        log
    };
    let early = || json!({ "offset_commit": "before_work" });
    let (lost, badge) = of(whole(), early(), json!({}));
    assert_eq!(badge, "0..?");
    assert!(lost.starts_with("No claim. Write mode of o → t: not read"), "{lost}");
    assert!(lost.contains(" In any case events may be lost: "), "{lost}");
    // Nor does it matter to it how long the log keeps its records.
    assert_eq!(of(unkept(), early(), json!({})).1, "0..?");
    // Rows that are only added repeat, however long that is.
    let (again, badge) = of(unkept(), json!({}), json!({ "write_mode": "append" }));
    assert_eq!(badge, "?..n");
    assert!(again.contains(" In any case events may repeat: "), "{again}");
    // How rows are written decides whether they repeat: nothing is certain.
    let (open, badge) = of(unkept(), json!({}), json!({}));
    assert_eq!(badge, "?..?");
    assert!(!open.contains("In any case"), "{open}");
}
