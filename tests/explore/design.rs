//! A path as the design that an architect would draw of it, with every fact that its mechanisms need.

use pipeline_desk::{
    codec,
    explore::meeting::{Meeting, Together},
    explore::path::{Acks, Checkpoints, Client, Commit, Engine, Node, Operator, Path, Rows, Source, Write},
    model::Design,
};
use serde_json::{Map, Value, json};

#[derive(Default)]
struct Build {
    elements: Map<String, Value>,
    links: Map<String, Value>,
}

/// The design of a path.
pub fn design(path: &Path) -> Design {
    let mut build = Build::default();
    build.topic("t1");
    build.source("src", path.source, "t1");
    build.along(1, &path.nodes, path.committed)
}

/// The design of a path on which two ways meet.
pub fn meeting(meeting: &Meeting) -> Design {
    let mut build = Build::default();
    build.topic("t1");
    let meets = match &meeting.together {
        Together::Sources([one, other]) => {
            build.source("src", *one, "t1");
            build.source("other", *other, "t1");
            1
        }
        Together::Nodes(source, nodes) => {
            build.source("src", *source, "t1");
            for (name, node) in ["one", "other"].into_iter().zip(nodes) {
                build.node(name, node, false, "t1", "t2");
            }
            2
        }
    };
    match meeting.store {
        Some(_) => build.read("t2", json!({})),
        None => build.along(meets, &meeting.nodes, meeting.committed),
    }
}

fn isolation(committed: bool) -> Value {
    json!({ "isolation": if committed { "read_committed" } else { "read_uncommitted" } })
}

fn with(mut one: Value, other: Value) -> Value {
    if let (Some(one), Value::Object(other)) = (one.as_object_mut(), other) {
        one.extend(other);
    }
    one
}

fn producer(client: Client) -> Value {
    json!({
        "key": ["entity"], "idempotence": client.idempotent, "on_send_failure": "retry",
        "acks": match client.acks { Acks::Zero => "0", Acks::One => "1", Acks::All => "all" },
        "max_in_flight": if client.one_at_a_time { 1 } else { 5 }
    })
}

impl Build {
    /// Through these nodes from the log of this number on, to a reader.
    fn along(mut self, first: usize, nodes: &[Node], committed: bool) -> Design {
        let mut values = false;
        for (number, node) in (first..).zip(nodes) {
            self.node(&format!("n{number}"), node, values, &format!("t{number}"), &format!("t{}", number + 1));
            values |= node.operators.iter().any(|operator| operator.aggregates());
        }
        let into_log = nodes.last().is_none_or(|node| node.write.into_log());
        let last = format!("t{}", first + nodes.len());
        self.read(&last, if into_log { isolation(committed) } else { json!({}) })
    }

    /// A reader of what stands at the end.
    fn read(mut self, at: &str, facts: Value) -> Design {
        self.element("reader", json!({ "kind": "consumer" }), json!({}));
        self.link(at, "reader", facts);
        let text = json!({
            "format": "streaming-pipeline", "version": 2,
            "elements": self.elements, "links": self.links,
            "events": { "event": { "observed": { "e1": { "key": ["entity"], "event_id": ["id"], "version_field": "version" } } } },
            "evidence": { "e1": { "basis": "read", "from": "reading" } }
        })
        .to_string();
        codec::decode(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn element(&mut self, id: &str, mut subject: Value, facts: Value) {
        subject["lifecycle"] = json!("existing");
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            subject["observed"] = json!({ "e1": facts });
        }
        self.elements.insert(id.to_owned(), subject);
    }

    fn link(&mut self, from: &str, to: &str, facts: Value) {
        let mut link = json!({ "from": from, "to": to });
        if facts.as_object().is_some_and(|facts| !facts.is_empty()) {
            link["observed"] = json!({ "e1": facts });
        }
        self.links.insert(format!("l{}", self.links.len() + 1), link);
    }

    fn topic(&mut self, id: &str) {
        let facts = json!({
            "partitions": 1, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
            "cleanup_policy": "delete", "retention_time": "unlimited", "retention_size": "unlimited"
        });
        self.element(id, json!({ "kind": "channel", "system": "kafka" }), facts);
    }

    fn source(&mut self, name: &str, source: Source, topic: &str) {
        let subject = |system: &str| json!({ "kind": "source", "system": system, "event": "event" });
        let application = |taken: Value, client: Client| with(taken, producer(client));
        let (taken, client) = match source {
            Source::Steady(client) => (
                json!({ "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "nothing" }),
                client,
            ),
            Source::InMemory(client) => (json!({ "capture": "in_process", "after_restart": "nothing" }), client),
            Source::Position(client) if client == Client::CONNECTOR => return self.capture(name, topic),
            Source::Position(client) => (
                json!({ "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "resume_position" }),
                client,
            ),
            Source::Flags(client) => (
                json!({ "capture": "push", "acknowledge": "after_store", "resend_within": "none", "after_restart": "resend_unmarked" }),
                client,
            ),
            Source::Webhook { before } => {
                self.element(name, subject("http"), json!({}));
                let when = if before { "before_store" } else { "after_store" };
                return self.receiver(name, json!({ "acknowledge": when, "resend_within": "unlimited" }), topic);
            }
            Source::FireAndForget => {
                self.element(name, subject("mqtt"), json!({}));
                return self.receiver(name, json!({ "acknowledge": "never" }), topic);
            }
        };
        self.element(name, subject("application"), json!({ "client": "java" }));
        self.link(name, topic, application(taken, client));
    }

    fn capture(&mut self, name: &str, topic: &str) {
        let source = json!({ "kind": "source", "system": "postgres", "event": "event" });
        self.element(name, source, json!({ "position_survives_failover": true }));
        let (runs, capture) = (format!("{name}_job"), format!("{name}_capture"));
        let job = json!({ "kind": "job", "system": "kafka_connect" });
        self.element(&runs, job, json!({ "processing_guarantee": "at_least_once", "client": "java" }));
        self.element(&capture, json!({ "kind": "operator", "job": runs, "step": "copy" }), json!({}));
        self.link(
            name,
            &capture,
            json!({ "capture": "change_log", "after_restart": "resume_position", "offset_mismatch": "trust_offset" }),
        );
        self.link(&capture, topic, with(producer(Client::CONNECTOR), json!({ "delivery_timeout": "unlimited" })));
    }

    fn receiver(&mut self, name: &str, taken: Value, topic: &str) {
        let (runs, receive) = (format!("{name}_job"), format!("{name}_receive"));
        self.element(&runs, json!({ "kind": "job", "system": "plain_consumer" }), json!({ "client": "java" }));
        self.element(&receive, json!({ "kind": "operator", "job": runs, "step": "map" }), json!({}));
        self.link(name, &receive, taken);
        self.link(&receive, topic, producer(Client::SAFE));
    }

    fn node(&mut self, name: &str, node: &Node, values: bool, topic: &str, next: &str) {
        let job = format!("{name}_job");
        let (system, facts) = engine(node.engine);
        self.element(&job, json!({ "kind": "job", "system": system }), facts);
        let mut before = topic.to_owned();
        for (number, step) in node.operators.iter().enumerate() {
            let id = format!("{name}_{number}");
            let (kind, facts) = operator(*step, node.engine);
            self.element(&id, json!({ "kind": "operator", "job": job, "step": kind }), facts);
            self.link(&before, &id, if number == 0 { reading(node) } else { json!({}) });
            before = id;
        }
        let values = values || node.operators.iter().any(|operator| operator.aggregates());
        self.write(node, values, &before, next);
    }

    fn write(&mut self, node: &Node, values: bool, from: &str, next: &str) {
        let commit = match (node.engine, node.write) {
            (Engine::WithRows { .. }, _) => json!({ "output_commit": "with_position" }),
            (Engine::Flink(_), Write::LogTransaction) | (_, Write::StoreTwoPhase) => {
                json!({ "output_commit": "two_phase" })
            }
            (_, Write::StoreBatchId) => json!({ "output_commit": "batch_id", "batch_guard_paired": true }),
            (_, Write::LogTransaction) => json!({}),
            (_, Write::LogUnconfirmed) => json!({ "output_commit": "none" }),
            _ => json!({ "output_commit": "flush" }),
        };
        let guard = match node.engine {
            Engine::WithRows { guarded: true } => json!({ "position_guard": "compare_and_set" }),
            Engine::WithRows { guarded: false } => json!({ "position_guard": "none" }),
            _ => json!({}),
        };
        let (facts, store) = rows(node.write, values);
        match store {
            Some((system, able)) => self.element(next, json!({ "kind": "sink", "system": system }), able),
            None => self.topic(next),
        }
        self.link(from, next, with(with(facts, commit), guard));
    }
}

/// What a write says, and the store it goes to; `None` for a log.
fn rows(write: Write, values: bool) -> (Value, Option<(&'static str, Value)>) {
    let keyed = |key: &str| ("postgres", json!({ "unique_keys": [[key]], "collapse": "at_write" }));
    let key = if values { "entity" } else { "id" };
    let append = || json!({ "key": [key], "write_mode": "append" });
    let upsert = |key: &str, guard: &[&str]| json!({ "key": [key], "write_mode": "upsert", "version_guard": guard });
    match write {
        Write::Log(client) => (with(producer(client), json!({ "transaction_timeout": "900s" })), None),
        Write::LogUnconfirmed | Write::LogTransaction => {
            (with(producer(Client::SAFE), json!({ "transaction_timeout": "900s" })), None)
        }
        Write::Store(Rows::Append) | Write::StoreBatchId => {
            (append(), Some(("postgres", json!({ "unique_keys": [] }))))
        }
        Write::StoreTwoPhase => {
            (append(), Some(("postgres", json!({ "unique_keys": [], "transactions": "two_phase" }))))
        }
        Write::Store(Rows::ById) => (upsert("id", &[]), Some(keyed("id"))),
        Write::Store(Rows::ByEntity) => (upsert("entity", &[]), Some(keyed("entity"))),
        Write::Store(Rows::ByEntityGuarded) => (upsert("entity", &["version"]), Some(keyed("entity"))),
        Write::Store(Rows::ByCoordinates) => (upsert("@coordinates", &[]), Some(("elasticsearch", json!({})))),
        Write::Store(Rows::Increment) => {
            (json!({ "key": ["entity"], "write_mode": "increment" }), Some(keyed("entity")))
        }
        Write::Store(Rows::Call) => (json!({ "write_mode": "call", "client_retries": 0 }), Some(("http", json!({})))),
    }
}

fn engine(engine: Engine) -> (&'static str, Value) {
    match engine {
        Engine::Consumer(_) | Engine::WithRows { .. } => {
            ("plain_consumer", json!({ "client": "java", "longest_outage": "60s" }))
        }
        Engine::Flink(checkpoints) => {
            let guarantee = match checkpoints {
                Checkpoints::Off => "none",
                Checkpoints::AtLeastOnce => "at_least_once",
                Checkpoints::ExactlyOnce => "exactly_once",
            };
            let facts = json!({
                "processing_guarantee": guarantee, "checkpoint_interval": "60s", "checkpoint_min_pause": "0s",
                "checkpoint_duration": "1s", "longest_outage": "60s"
            });
            ("flink", facts)
        }
        Engine::Streams { exact } => {
            let guarantee = if exact { "exactly_once" } else { "at_least_once" };
            ("kafka_streams", json!({ "processing_guarantee": guarantee, "longest_outage": "60s" }))
        }
        Engine::Spark => ("spark", json!({ "longest_outage": "60s" })),
    }
}

fn operator(operator: Operator, engine: Engine) -> (&'static str, Value) {
    let own = matches!(engine, Engine::Consumer(_) | Engine::WithRows { .. });
    let place = if own { json!({ "state_in": "memory" }) } else { json!({}) };
    let marks = |when: &str| json!({ "key": ["id"], "state_in": "external", "marks": when, "state_ttl": "unlimited" });
    let aggregate = |function: &str| json!({ "function": function, "key": ["entity"] });
    let emit = if matches!(engine, Engine::Streams { .. }) { "suppress" } else { "on_close" };
    let window = |function: &str| {
        json!({
            "function": function, "key": ["entity"], "window": "tumbling", "window_size": "1h", "clock": "event_time",
            "emit": emit, "watermark_delay": "0s", "allowed_lateness": "0s"
        })
    };
    match operator {
        Operator::Map => ("map", json!({})),
        Operator::NewId => ("assign_id", json!({ "key": ["id"], "determinism": "key_varies" })),
        Operator::Deduplicate => ("deduplicate", with(json!({ "key": ["id"], "state_ttl": "unlimited" }), place)),
        Operator::MarkBefore => ("deduplicate", marks("before_write")),
        Operator::MarkAfter => ("deduplicate", marks("after_write")),
        Operator::MarkWith => ("deduplicate", marks("with_write")),
        Operator::Count => ("aggregate", with(aggregate("count"), place)),
        Operator::CountOutside => ("aggregate", with(aggregate("count"), json!({ "state_in": "external" }))),
        Operator::Last => ("aggregate", with(aggregate("last"), place)),
        Operator::Max | Operator::MaxFalling => ("aggregate", with(aggregate("max"), place)),
        Operator::CountWindow => ("aggregate", with(window("count"), place)),
        Operator::DistinctWindow => ("aggregate", with(window("distinct"), place)),
    }
}

fn reading(node: &Node) -> Value {
    let commit = match node.engine {
        Engine::Consumer(Commit::After) => json!({ "offset_commit": "after_work" }),
        Engine::Consumer(Commit::Before) => json!({ "offset_commit": "before_work" }),
        Engine::Consumer(Commit::AutoApart) => json!({ "offset_commit": "auto", "processing": "threads" }),
        Engine::Consumer(Commit::AutoClosing) => {
            json!({ "offset_commit": "auto", "processing": "sequential", "close_commits": "polled" })
        }
        Engine::Consumer(Commit::AutoHandled) => {
            json!({ "offset_commit": "auto", "processing": "sequential", "close_commits": "handled" })
        }
        Engine::WithRows { .. } => json!({ "offset_commit": "with_output" }),
        _ => json!({}),
    };
    with(isolation(node.committed), commit)
}
