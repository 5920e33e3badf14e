//! Straight paths as designs: one source, then logs and jobs in turn, each hop with every fact that its mechanism needs.

use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    codec,
    model::{Design, Id},
};
use serde_json::{Map, Value, json};

/// Where a path begins.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// An application with a producer of its own; what survives its restart.
    Application { acks: &'static str, idempotent: bool, after_restart: &'static str },
    /// Change capture by a connector without exactly-once support; delivery timeout and re-send horizon.
    Capture { retries_within: &'static str, resent_within: Option<&'static str> },
    /// A broker that hands over at quality of service 0, through a bridge with an idempotent producer.
    Mqtt,
    /// A web call that is repeated until it is acknowledged.
    Webhook { acknowledge: &'static str, resent_within: &'static str },
}

/// An application that writes with acks=all and an idempotent producer, and sends nothing again after a restart.
pub const CLEAN: From = From::Application { acks: "all", idempotent: true, after_restart: "nothing" };
/// The same, sending again from a saved position.
pub const RESENDING: From = From::Application { acks: "all", idempotent: true, after_restart: "resume_position" };
/// The same, sending again each row that is not marked as sent.
pub const UNMARKED: From = From::Application { acks: "all", idempotent: true, after_restart: "resend_unmarked" };
/// Change capture without further facts.
pub const CAPTURE: From = From::Capture { retries_within: "unlimited", resent_within: None };
/// A web call that is stored before it is acknowledged.
pub const WEBHOOK: From = From::Webhook { acknowledge: "after_store", resent_within: "unlimited" };

/// What a job is.
#[derive(Clone, Copy, Debug)]
pub enum Engine {
    /// A consumer of its own making that commits after its work.
    AfterWork,
    /// One that commits before.
    BeforeWork,
    /// One that stores its position with its rows.
    WithRows,
    /// One with automatic commits that commits what was polled when it closes.
    AutomaticClosing,
    /// Flink with this checkpoint mode.
    Flink(&'static str),
    /// Kafka Streams with this guarantee.
    Streams(&'static str),
    /// Spark.
    Spark,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Map,
    Count,
    CountInMemory,
    Last,
    Max,
    RandomId,
    /// De-duplication by the event id in the state of the engine, with its time-to-live.
    Deduplicate(&'static str),
    /// Marks in an outside store, set before the write.
    MarkedBefore,
}

/// What a job writes.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Into a log, confirmed before the position moves on.
    Log,
    /// Into a log, not confirmed.
    LogUnconfirmed,
    /// Into a log, committed with the checkpoint or the position.
    LogTransaction,
    Insert,
    UpsertById,
    UpsertByEntity,
    UpsertByEntityGuarded,
    ByCoordinates,
    Increment,
    Call,
}

/// One job of a path.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub engine: Engine,
    pub committed: bool,
    pub steps: &'static [Step],
    pub write: Write,
}

/// Times of a path.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub transaction_timeout: &'static str,
    pub checkpoint_duration: &'static str,
    pub outage: &'static str,
}

/// Every transaction outlives every outage.
pub const SHORT: Times = Times { transaction_timeout: "900s", checkpoint_duration: "1s", outage: "60s" };

/// A design under construction: everything observed by one reading.
#[derive(Default)]
pub struct Build {
    elements: Map<String, Value>,
    links: Map<String, Value>,
    owners: SortedMap<String, String>,
}

impl Build {
    fn element(&mut self, id: &str, owner: &str, mut subject: Value, facts: Value) {
        subject["lifecycle"] = json!("existing");
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            subject["observed"] = json!({ "e1": facts });
        }
        self.elements.insert(id.to_owned(), subject);
        self.owners.insert(id.to_owned(), owner.to_owned());
    }

    fn link(&mut self, from: &str, to: &str, owner: &str, facts: Value) {
        let id = format!("l{}", self.links.len() + 1);
        let mut link = json!({ "from": from, "to": to });
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            link["observed"] = json!({ "e1": facts });
        }
        self.links.insert(id.clone(), link);
        self.owners.insert(id, owner.to_owned());
    }

    fn topic(&mut self, id: &str) {
        let facts = json!({
            "partitions": 1, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
            "cleanup_policy": "delete", "retention_time": "unlimited", "retention_size": "unlimited"
        });
        self.element(id, id, json!({ "kind": "channel", "system": "kafka" }), facts);
    }

    fn source(&mut self, from: From, topic: &str) {
        let source = |system: &str| json!({ "kind": "source", "system": system, "event": "event" });
        let produced = |idempotent: bool| json!({ "key": ["entity"], "acks": "all", "idempotence": idempotent, "max_in_flight": 5, "on_send_failure": "retry" });
        match from {
            From::Application { acks, idempotent, after_restart } => {
                self.element("src", "src", source("application"), json!({ "client": "java" }));
                let facts = json!({
                    "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": after_restart,
                    "key": ["entity"], "acks": acks, "idempotence": idempotent, "max_in_flight": 5, "on_send_failure": "retry"
                });
                self.link("src", topic, "src", facts);
            }
            From::Capture { retries_within, resent_within } => {
                self.element("src", "src", source("postgres"), json!({ "position_survives_failover": true, "log_reach": "unlimited", "log_reach_size": "unlimited" }));
                let job = json!({ "kind": "job", "system": "kafka_connect" });
                self.element(
                    "capture_job",
                    "src",
                    job,
                    json!({ "processing_guarantee": "at_least_once", "client": "java" }),
                );
                self.element(
                    "capture",
                    "src",
                    json!({ "kind": "operator", "job": "capture_job", "step": "copy" }),
                    json!({}),
                );
                let mut taken = json!({ "capture": "change_log", "after_restart": "resume_position", "offset_mismatch": "trust_offset" });
                if let Some(within) = resent_within {
                    taken["resend_within"] = json!(within);
                }
                self.link("src", "capture", "src", taken);
                let written = json!({
                    "key": ["entity"], "acks": "all", "idempotence": false, "max_in_flight": 1,
                    "delivery_timeout": retries_within
                });
                self.link("capture", topic, "src", written);
            }
            From::Mqtt => {
                self.element("src", "src", source("mqtt"), json!({}));
                self.receiver(json!({ "acknowledge": "never" }), topic, produced(true));
            }
            From::Webhook { acknowledge, resent_within } => {
                self.element("src", "src", source("http"), json!({}));
                let taken = json!({ "acknowledge": acknowledge, "resend_within": resent_within });
                self.receiver(taken, topic, produced(true));
            }
        }
    }

    fn receiver(&mut self, taken: Value, topic: &str, written: Value) {
        self.element(
            "receiver",
            "src",
            json!({ "kind": "job", "system": "plain_consumer" }),
            json!({ "client": "java" }),
        );
        self.element("receive", "src", json!({ "kind": "operator", "job": "receiver", "step": "map" }), json!({}));
        self.link("src", "receive", "src", taken);
        self.link("receive", topic, "src", written);
    }

    fn job(&mut self, name: &str, job: &Job, times: &Times, topic: &str, next: &str) {
        let (system, facts) = engine(job.engine, times);
        self.element(&format!("{name}_job"), name, json!({ "kind": "job", "system": system }), facts);
        let mut before = topic.to_owned();
        for (number, step) in job.steps.iter().enumerate() {
            let id = format!("{name}_{number}");
            let (kind, facts) = operator(*step);
            let subject = json!({ "kind": "operator", "job": format!("{name}_job"), "step": kind });
            self.element(&id, name, subject, facts);
            let read = if number == 0 { reading(job) } else { json!({}) };
            self.link(&before, &id, name, read);
            before = id;
        }
        self.write(name, job, times, &before, next);
    }

    fn write(&mut self, name: &str, job: &Job, times: &Times, from: &str, next: &str) {
        let commit = match (job.engine, job.write) {
            (Engine::WithRows, _) => json!("with_position"),
            (Engine::Flink(_), Write::LogTransaction) => json!("two_phase"),
            (_, Write::LogTransaction) => Value::Null,
            (_, Write::LogUnconfirmed) => json!("none"),
            _ => json!("flush"),
        };
        let mut facts = match job.write {
            Write::Log | Write::LogUnconfirmed | Write::LogTransaction => json!({
                "key": ["entity"], "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry",
                "transaction_timeout": times.transaction_timeout
            }),
            Write::Insert => json!({ "key": ["id"], "write_mode": "append" }),
            Write::UpsertById => json!({ "key": ["id"], "write_mode": "upsert", "version_guard": [] }),
            Write::UpsertByEntity => json!({ "key": ["entity"], "write_mode": "upsert", "version_guard": [] }),
            Write::UpsertByEntityGuarded => {
                json!({ "key": ["entity"], "write_mode": "upsert", "version_guard": ["version"] })
            }
            Write::ByCoordinates => json!({ "key": ["@coordinates"], "write_mode": "upsert", "version_guard": [] }),
            Write::Increment => json!({ "key": ["entity"], "write_mode": "increment" }),
            Write::Call => json!({ "write_mode": "call", "client_retries": 0 }),
        };
        if !commit.is_null() {
            facts["output_commit"] = commit;
        }
        if matches!(job.engine, Engine::WithRows) {
            facts["position_guard"] = json!("compare_and_set");
        }
        let store = match job.write {
            Write::Log | Write::LogUnconfirmed | Write::LogTransaction => None,
            Write::ByCoordinates => Some(("elasticsearch", json!({}))),
            Write::Call => Some(("http", json!({}))),
            Write::UpsertById => Some(("postgres", json!({ "unique_keys": [["id"]], "collapse": "at_write" }))),
            Write::Insert => Some(("postgres", json!({ "unique_keys": [] }))),
            _ => Some(("postgres", json!({ "unique_keys": [["entity"]], "collapse": "at_write" }))),
        };
        match store {
            Some((system, able)) => self.element(next, next, json!({ "kind": "sink", "system": system }), able),
            None => self.topic(next),
        }
        self.link(from, next, name, facts);
    }

    fn document(&self) -> String {
        json!({
            "format": "streaming-pipeline", "version": 2,
            "elements": self.elements, "links": self.links,
            "events": { "event": { "observed": { "e1": { "key": ["entity"], "event_id": ["id"], "version_field": "version" } } } },
            "evidence": { "e1": { "basis": "read", "from": "reading" } }
        })
        .to_string()
    }
}

fn engine(engine: Engine, times: &Times) -> (&'static str, Value) {
    match engine {
        Engine::AfterWork | Engine::BeforeWork | Engine::WithRows | Engine::AutomaticClosing => {
            ("plain_consumer", json!({ "client": "java", "longest_outage": times.outage }))
        }
        Engine::Flink(mode) => {
            let facts = json!({
                "processing_guarantee": mode, "checkpoint_interval": "60s", "checkpoint_min_pause": "0s",
                "checkpoint_duration": times.checkpoint_duration, "longest_outage": times.outage
            });
            ("flink", facts)
        }
        Engine::Streams(guarantee) => {
            ("kafka_streams", json!({ "processing_guarantee": guarantee, "longest_outage": times.outage }))
        }
        Engine::Spark => ("spark", json!({ "longest_outage": times.outage })),
    }
}

fn operator(step: Step) -> (&'static str, Value) {
    match step {
        Step::Map => ("map", json!({})),
        Step::Count => ("aggregate", json!({ "function": "count", "key": ["entity"] })),
        Step::CountInMemory => ("aggregate", json!({ "function": "count", "key": ["entity"], "state_in": "memory" })),
        Step::Last => ("aggregate", json!({ "function": "last", "key": ["entity"] })),
        Step::Max => ("aggregate", json!({ "function": "max", "key": ["entity"] })),
        Step::RandomId => ("assign_id", json!({ "key": ["id"], "determinism": "key_varies" })),
        Step::Deduplicate(ttl) => (
            "deduplicate",
            json!({ "key": ["id"], "state_ttl": ttl, "ttl_clock": "processing_time", "ttl_from": "first" }),
        ),
        Step::MarkedBefore => (
            "deduplicate",
            json!({ "key": ["id"], "state_in": "external", "marks": "before_write", "state_ttl": "unlimited" }),
        ),
    }
}

fn reading(job: &Job) -> Value {
    let isolation = if job.committed { "read_committed" } else { "read_uncommitted" };
    let mut facts = json!({ "isolation": isolation });
    let (commit, rest) = match job.engine {
        Engine::AfterWork => ("after_work", None),
        Engine::BeforeWork => ("before_work", None),
        Engine::WithRows => ("with_output", None),
        Engine::AutomaticClosing => ("auto", Some(())),
        _ => return facts,
    };
    facts["offset_commit"] = json!(commit);
    if rest.is_some() {
        facts["processing"] = json!("sequential");
        facts["close_commits"] = json!("polled");
    }
    facts
}

/// A path as a design, with the hop of the path that each element and link belongs to: `src`, `n1`, `n2` …
pub fn design(from: From, jobs: &[Job], times: &Times) -> (Design, SortedMap<Id, String>) {
    let (text, owners) = document(from, jobs, times);
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let owners = owners.into_iter().map(|(id, owner)| (Id::new(&id).unwrap(), owner)).collect();
    (design, owners)
}

/// The same as a document.
pub fn document(from: From, jobs: &[Job], times: &Times) -> (String, SortedMap<String, String>) {
    let mut build = Build::default();
    build.topic("t1");
    build.source(from, "t1");
    let mut at = "t1".to_owned();
    for (number, job) in jobs.iter().enumerate() {
        let next = format!("t{}", number + 2);
        build.job(&format!("n{}", number + 1), job, times, &at, &next);
        at = next;
    }
    build.element("reader", "reader", json!({ "kind": "consumer" }), json!({}));
    let into_log =
        jobs.last().is_none_or(|job| matches!(job.write, Write::Log | Write::LogUnconfirmed | Write::LogTransaction));
    let facts = if into_log { json!({ "isolation": "read_committed" }) } else { json!({}) };
    build.link(&at, "reader", "reader", facts);
    (build.document(), build.owners)
}
