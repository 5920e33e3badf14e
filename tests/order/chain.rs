//! Straight paths as designs: a source, logs, jobs, a store; every fact that an order needs is stated.

use pipeline_desk::{
    analysis::{Report, analyse, order::OrderVerdict},
    codec,
    model::{Design, Id, View},
};
use serde_json::{Map, Value, json};

/// What a job does with what it reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A consumer of its own making.
    Plain,
    /// Two steps of Flink, handed over in place.
    Forward,
    /// Two steps of Flink, handed over by the hash of the key.
    Hash,
    /// A new key in Kafka Streams.
    Rekey,
    /// A count by the key.
    Count,
    /// The last value by the key.
    Last,
    /// An asynchronous call that keeps the order.
    Call,
}

pub const STEPS: [Step; 7] = [Step::Plain, Step::Forward, Step::Hash, Step::Rekey, Step::Count, Step::Last, Step::Call];

/// One job: its step, the key of that step, and the key that it writes by.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub step: Step,
    pub by: &'static str,
    pub writes: &'static str,
}

/// A path under construction.
pub struct Build {
    elements: Map<String, Value>,
    links: Map<String, Value>,
}

impl Build {
    fn element(&mut self, id: &str, mut subject: Value, facts: Value) {
        subject["lifecycle"] = json!("existing");
        subject["observed"] = json!({ "e1": facts });
        self.elements.insert(id.to_owned(), subject);
    }

    fn link(&mut self, from: &str, to: &str, facts: Value) {
        let id = format!("l{}", self.links.len() + 1);
        self.links.insert(id, json!({ "from": from, "to": to, "observed": { "e1": facts } }));
    }

    fn topic(&mut self, number: usize) -> String {
        let id = format!("t{number}");
        let facts = json!({
            "partitions": 6, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
            "cleanup_policy": "delete", "retention_time": "7d", "retention_size": "unlimited"
        });
        self.element(&id, json!({ "kind": "channel", "system": "kafka" }), facts);
        id
    }

    fn job(&mut self, number: usize, job: Job, from: &str, to: &str) {
        let (system, kind) = match job.step {
            Step::Plain => ("plain_consumer", "map"),
            Step::Forward | Step::Hash => ("flink", "map"),
            Step::Call => ("flink", "call"),
            Step::Rekey => ("kafka_streams", "rekey"),
            Step::Count | Step::Last => ("kafka_streams", "aggregate"),
        };
        let (owner, first) = (format!("j{number}"), format!("o{number}"));
        let facts = json!({ "processing_guarantee": "at_least_once", "client": "java", "parallelism": 4 });
        self.element(&owner, json!({ "kind": "job", "system": system }), facts);
        let facts = match job.step {
            Step::Rekey => json!({ "key": [job.by] }),
            Step::Count => json!({ "key": [job.by], "function": "count" }),
            Step::Last => json!({ "key": [job.by], "function": "last" }),
            Step::Call => json!({ "order_kept": "yes" }),
            Step::Plain | Step::Forward | Step::Hash => json!({}),
        };
        let operator = |kind: &str| json!({ "kind": "operator", "job": owner, "step": kind });
        self.element(&first, operator(kind), facts);
        let read = match job.step {
            Step::Plain => json!({ "processing": "sequential", "offset_commit": "after_work" }),
            _ => json!({}),
        };
        self.link(from, &first, read);
        let mut last = first;
        if matches!(job.step, Step::Forward | Step::Hash) {
            let next = format!("p{number}");
            self.element(&next, operator("map"), json!({}));
            let handed = match job.step {
                Step::Hash => json!({ "distribution": "hash", "key": [job.by] }),
                _ => json!({ "distribution": "forward" }),
            };
            self.link(&last, &next, handed);
            last = next;
        }
        let written = match to {
            "table" => {
                json!({ "write_mode": "upsert", "key": [job.writes], "version_guard": [], "output_commit": "flush" })
            }
            _ => produced(job.writes),
        };
        self.link(&last, to, written);
    }
}

fn produced(key: &str) -> Value {
    json!({
        "key": [key], "partitioner": "murmur2", "acks": "all", "idempotence": true, "max_in_flight": 5,
        "retries": 10, "on_send_failure": "retry", "output_commit": "flush"
    })
}

/// A path from an application over these jobs to a reader, of a table where it ends in one.
pub fn path(first: &'static str, jobs: &[Job], table: bool) -> Value {
    let mut build = Build { elements: Map::new(), links: Map::new() };
    let source = json!({ "kind": "source", "system": "application", "event": "event" });
    build.element("app", source, json!({ "client": "java", "client_version": "3.9", "instances": 1 }));
    let mut at = build.topic(1);
    let mut taken = produced(first);
    taken["capture"] = json!("in_process");
    taken["after_restart"] = json!("nothing");
    build.link("app", &at, taken);
    for (number, job) in jobs.iter().enumerate() {
        let next = if table && number + 1 == jobs.len() {
            build.element(
                "table",
                json!({ "kind": "sink", "system": "postgres" }),
                json!({ "unique_keys": [[job.writes]] }),
            );
            "table".to_owned()
        } else {
            build.topic(number + 2)
        };
        build.job(number + 1, *job, &at, &next);
        at = next;
    }
    build.element("reader", json!({ "kind": "consumer" }), json!({}));
    build.link(&at, "reader", json!({}));
    json!({
        "format": "streaming-pipeline", "version": 1, "elements": build.elements, "links": build.links,
        "events": { "event": { "observed": { "e1": { "key": ["customer"], "event_id": ["id"] } } } },
        "evidence": { "e1": { "basis": "read", "from": "reading" } }
    })
}

/// Puts a fact; `null` takes it away.
pub fn set(document: &mut Value, id: &str, field: &str, value: Value) {
    let section = if document["elements"].get(id).is_some() { "elements" } else { "links" };
    let facts = document[section][id]["observed"]["e1"].as_object_mut().unwrap_or_else(|| panic!("{id}"));
    if value.is_null() {
        facts.remove(field);
    } else {
        facts.insert(field.to_owned(), value);
    }
}

pub fn design(document: &Value) -> Design {
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn report(document: &Value) -> Report {
    analyse(&design(document), View::AsIs)
}

pub fn order(document: &Value) -> OrderVerdict {
    report(document).consumers[&Id::new("reader").unwrap()].order.clone()
}

/// The one sentence of a verdict with one input, by ids.
pub fn says(document: &Value) -> String {
    let verdict = order(document);
    let [input] = verdict.inputs.as_slice() else { panic!("{verdict:?}") };
    input.sentence(&|id| id.to_string())
}
