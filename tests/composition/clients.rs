//! Who says that a producer is idempotent: a setting, the runtime, or the client of a known version; nobody else does.

use crate::path::{self, CLEAN, Engine, Job, SHORT, Step, Write};
use pipeline_desk::{
    analysis::{
        analyse,
        delivery::verdict::{CopyClass, DeliveryVerdict, Label},
    },
    codec,
    model::{Id, View},
};
use serde_json::{Value, json};

/// A reader behind a job that writes into a log, with these facts of the job and of its write; `null` takes one away.
fn written(engine: Engine, system: &str, job: Value, write: Value) -> DeliveryVerdict {
    let jobs = [Job { engine, committed: true, steps: &[Step::Map], write: Write::Log }];
    let (text, _) = path::document(CLEAN, &jobs, &SHORT);
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["elements"]["n1_job"]["system"] = json!(system);
    let (link, _) = document["links"].as_object().unwrap().iter().find(|(_, link)| link["to"] == "t2").unwrap();
    let link = link.clone();
    // What comes again comes within a bound, so that nothing is said of a consumer while a fact is missing.
    document["elements"]["n1_job"]["observed"]["e1"]["commit_interval"] = json!("1s");
    for (section, id, facts) in [("elements", "n1_job", job), ("links", &*link, write)] {
        let known = document[section][id]["observed"]["e1"].as_object_mut().unwrap();
        for (field, value) in facts.as_object().unwrap() {
            if value.is_null() {
                known.remove(field);
            } else {
                known.insert(field.clone(), value.clone());
            }
        }
    }
    let design = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"));
    analyse(&design, View::AsIs).consumers[&Id::new("reader").unwrap()].delivery.clone()
}

/// What the row of the write says about its producer.
fn mechanism(verdict: &DeliveryVerdict) -> Vec<String> {
    let claims = verdict.hops.iter().filter(|row| row.at.as_str() != "l1").flat_map(|row| &row.claims);
    claims.map(|claim| claim.mechanism.to_string()).filter(|text| text.contains("producer")).collect()
}

fn asks(verdict: &DeliveryVerdict) -> Vec<String> {
    verdict.unknown.iter().map(|missing| format!("{} {}", missing.subject, missing.field.name())).collect()
}

fn retried(verdict: &DeliveryVerdict) -> bool {
    verdict.duplicates.iter().any(|copies| copies.class == CopyClass::ProducerRetry)
}

const ENGINES: [(Engine, &str); 4] = [
    (Engine::Flink("at_least_once"), "flink"),
    (Engine::Streams("at_least_once"), "kafka_streams"),
    (Engine::Streams("at_least_once"), "kafka_connect"),
    (Engine::Spark, "spark"),
];

const READ: &str = "idempotent producer: the broker recognises its retries";

/// A setting that somebody read is said as such, of every engine.
#[test]
fn what_is_set_is_said() {
    for (engine, system) in ENGINES {
        let on = written(engine, system, json!({}), json!({ "idempotence": true }));
        assert_eq!((mechanism(&on), retried(&on)), (vec![READ.to_owned()], false), "{system}");
        let off = written(engine, system, json!({}), json!({ "idempotence": false }));
        assert_eq!((mechanism(&off), retried(&off)), (vec![], true), "{system}");
        assert_eq!((on.label, off.label), (Label::AtLeastOnce, Label::AtLeastOnce), "{system}");
    }
}

/// What nobody read is no mechanism, whatever client the engine brings along: somebody can have set it off.
#[test]
fn what_nobody_read_is_not_said() {
    for (engine, system) in ENGINES {
        for version in [Value::Null, json!("3.9")] {
            let job = json!({ "client": "java", "client_version": version, "version": "3.9" });
            let open = written(engine, system, job, json!({ "idempotence": null }));
            assert_eq!(mechanism(&open), [""; 0], "{system}");
            assert_eq!(asks(&open), ["l3 idempotence"], "{system}");
            assert_eq!(open.label, Label::NoClaim, "{system}");
        }
    }
}

/// Where copies of the same write show in any case, without a bound in time, the verdict is the same; its producer is not
/// credited either way.
#[test]
fn what_changes_nothing_is_not_asked() {
    for (engine, system) in ENGINES {
        let bare = json!({ "checkpoint_interval": null, "commit_interval": null });
        let open = written(engine, system, bare.clone(), json!({ "idempotence": null }));
        let off = written(engine, system, bare, json!({ "idempotence": false }));
        assert_eq!((mechanism(&open), asks(&open).len()), (vec![], 0), "{system}");
        assert_eq!((&*open.badge.text(), open.label), (&*off.badge.text(), off.label), "{system}");
        assert_eq!((&*open.badge.text(), open.label), ("1..n", Label::AtLeastOnce), "{system}");
    }
}

/// Read as not set, the client decides: by its version, which is that of Kafka Streams itself and has to be read of Flink and
/// Spark. KAFKA-13598: not on in 3.0.0 and 3.1.0.
#[test]
fn what_is_not_set_is_decided_by_the_version_of_the_client() {
    let unset = || json!({ "idempotence": "unset" });
    for (engine, system) in [ENGINES[0], ENGINES[3]] {
        let of = |client: Value| written(engine, system, client, unset());
        let on = of(json!({ "client": "java", "client_version": "3.9" }));
        let said = "idempotent producer, the default of the Java client 3.9: the broker recognises its retries";
        assert_eq!((mechanism(&on), asks(&on).len()), (vec![said.to_owned()], 0), "{system}");
        for version in ["2.8", "3.0.0", "3.1.0"] {
            let old = of(json!({ "client": "java", "client_version": version }));
            assert_eq!((mechanism(&old), retried(&old)), (vec![], true), "{system} {version}");
        }
        assert_eq!(asks(&of(json!({ "client": "java" }))), ["n1_job client_version"], "{system}");
        assert_eq!(asks(&of(json!({ "client_version": "3.9" }))), ["n1_job client"], "{system}");
    }
    let streams = |job: Value| written(ENGINES[1].0, ENGINES[1].1, job, unset());
    let said = "idempotent producer, the default of the Java client 3.7: the broker recognises its retries";
    assert_eq!(mechanism(&streams(json!({ "version": "3.7" }))), [said]);
    assert!(retried(&streams(json!({ "version": "3.1.0" }))));
    assert_eq!(asks(&streams(json!({}))), ["n1_job version"]);
}

/// Not set, a conflicting setting turns the default off without an error.
#[test]
fn what_conflicts_turns_the_default_off() {
    let of = |more: &str, value: Value| {
        let mut write = json!({ "idempotence": "unset" });
        write[more] = value;
        written(ENGINES[1].0, "kafka_streams", json!({ "version": "3.7" }), write)
    };
    for (field, value) in [("max_in_flight", json!(6)), ("acks", json!("1"))] {
        let verdict = of(field, value);
        assert_eq!((mechanism(&verdict), retried(&verdict)), (vec![], true), "{field}");
    }
    assert!(!retried(&of("max_in_flight", json!(5))));
}

/// A runtime with a default of its own: Connect turns it off, Redpanda Connect has it on.
#[test]
fn what_is_not_set_is_decided_by_the_runtime() {
    let unset = |system: &str| {
        let job = json!({ "client": "java", "client_version": "3.9" });
        written(Engine::Streams("at_least_once"), system, job, json!({ "idempotence": "unset" }))
    };
    for system in ["kafka_connect", "mirror_maker"] {
        let off = unset(system);
        assert_eq!((mechanism(&off), retried(&off), asks(&off).len()), (vec![], true, 0), "{system}");
    }
    let on = unset("redpanda_connect");
    let said = "idempotent producer, the default of Redpanda Connect: the broker recognises its retries";
    assert_eq!((mechanism(&on), retried(&on)), (vec![said.to_owned()], false));
}
