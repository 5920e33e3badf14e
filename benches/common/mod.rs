//! Designs of any size: many pipelines side by side, each from a source over logs and jobs to its readers, with the facts
//! that real readings give. Of five pipelines one has a retry topic, one reads the results of its neighbour too, and one
//! reads its events on two ways.

use pipeline_desk::{codec, model::Design};
use serde_json::{Map, Value, json};

/// Elements and links of one pipeline, by id.
type Part = (Map<String, Value>, Map<String, Value>);

/// Elements of one pipeline.
pub const PIPELINE: usize = 20;

/// Elements that the door of the format lets in.
const DOOR: usize = 2_000;

/// A design of about `elements` elements.
///
/// # Panics
/// When the generated document is refused: a mistake in this generator.
#[must_use]
pub fn design(elements: usize) -> Design {
    let mut all = Parts::default();
    for number in 0..elements.div_ceil(PIPELINE) {
        all.pipeline(number);
    }
    all.decode()
}

/// One deep chain of about `elements` elements, at most 900: a source, then logs with a job of four steps between each two,
/// with retry topics and second ways as in [`design`].
///
/// # Panics
/// When the generated document is refused: a mistake in this generator.
#[must_use]
pub fn chain(elements: usize) -> Design {
    let mut all = Parts::default();
    all.element(
        "src_0".to_owned(),
        json!({ "kind": "source", "system": "application", "event": "event" }),
        json!({ "rate": "300/s" }),
    );
    all.log("log_0");
    all.link(["src_0".to_owned(), "log_0".to_owned()], produced());
    let last = elements / 6;
    for number in 0..last {
        all.log(&format!("log_{}", number + 1));
        all.job(number, "deep", &format!("log_{number}"), &format!("log_{}", number + 1));
        match number % 5 {
            1 => all.retry(number, "deep"),
            3 => all.also_read(&format!("log_{}", number - 1), "deep_once", number),
            4 => all.also_read(&format!("log_{number}"), "deep_keep", number),
            _ => {}
        }
    }
    all.element("reader_0".to_owned(), json!({ "kind": "consumer" }), json!({}));
    all.link([format!("log_{last}"), "reader_0".to_owned()], json!({ "isolation": "read_committed" }));
    all.decode()
}

fn produced() -> Value {
    json!({ "capture": "push", "acknowledge": "after_store", "resend_within": "1h", "after_restart": "resume_position",
        "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry", "key": ["entity"] })
}

#[derive(Default)]
struct Parts {
    elements: Map<String, Value>,
    links: Map<String, Value>,
}

impl Parts {
    fn element(&mut self, id: String, mut subject: Value, facts: Value) {
        subject["lifecycle"] = json!("existing");
        subject["observed"] = json!({ "e1": facts });
        self.elements.insert(id, subject);
    }

    fn link(&mut self, ends: [String; 2], facts: Value) {
        let [from, to] = ends;
        self.put(json!({ "from": from, "to": to, "observed": { "e1": facts } }));
    }

    fn put(&mut self, link: Value) {
        self.links.insert(format!("l{}", self.links.len() + 1), link);
    }

    /// Source, log, two jobs of four steps with a log behind each, a connector into a table, and three readers; in one of
    /// five pipelines a retry topic stands for the third reader.
    fn pipeline(&mut self, number: usize) {
        let id = |name: &str| format!("{name}_{number}");
        self.element(
            id("src"),
            json!({ "kind": "source", "system": "application", "event": "event" }),
            json!({ "rate": "300/s" }),
        );
        self.log(&id("raw"));
        self.link([id("src"), id("raw")], produced());
        self.job(number, "first", &id("raw"), &id("mid"));
        self.log(&id("mid"));
        self.job(number, "second", &id("mid"), &id("out"));
        self.log(&id("out"));
        match number % 5 {
            1 => self.retry(number, "first"),
            3 => self.also_read(&format!("mid_{}", number - 1), "second_once", number),
            4 => self.also_read(&id("raw"), "first_keep", number),
            _ => {}
        }
        self.element(
            id("load"),
            json!({ "kind": "job", "system": "kafka_connect" }),
            json!({ "client": "java", "on_error": "fail" }),
        );
        self.element(id("rows"), json!({ "kind": "operator", "job": id("load"), "step": "copy" }), json!({}));
        let read = json!({ "isolation": "read_committed", "offset_commit": "after_work", "group": id("load") });
        self.link([id("out"), id("rows")], read);
        let able = json!({ "unique_keys": [["entity"]], "collapse": "at_write", "transactions": "two_phase" });
        self.element(id("table"), json!({ "kind": "sink", "system": "postgres" }), able);
        self.link([id("rows"), id("table")], json!({ "key": ["entity"], "write_mode": "upsert", "version_guard": [] }));
        let readers = if number % 5 == 1 { &["board", "report"][..] } else { &["board", "report", "alerts"] };
        for reader in readers {
            self.element(id(reader), json!({ "kind": "consumer" }), json!({ "latency_requirement": "10min" }));
            self.link([id("table"), id(reader)], json!({}));
        }
    }

    fn log(&mut self, id: &str) {
        let facts = json!({ "partitions": 12, "replication_factor": 3, "min_insync_replicas": 2, "unclean_leader_election": false,
            "cleanup_policy": "delete", "retention_time": "7d", "retention_size": "50GiB", "segment_time": "7d",
            "segment_size": "1GiB", "disk_rate": { "mean": "0.5MB/s", "max": "2MB/s" } });
        self.element(id.to_owned(), json!({ "kind": "channel", "system": "kafka" }), facts);
    }

    fn job(&mut self, number: usize, name: &str, from: &str, to: &str) {
        let id = |step: &str| format!("{name}_{step}_{number}");
        let facts = json!({ "processing_guarantee": "exactly_once", "checkpoint_interval": "1min", "checkpoint_min_pause": "0s",
            "checkpoint_duration": "3s", "restart_time": "3min", "longest_outage": "5min", "capacity": "1500/s",
            "restore_rate": "500MB/s", "detection_time": "50s", "reschedule_time": "20s" });
        self.element(id("job"), json!({ "kind": "job", "system": "flink" }), facts);
        let steps = [
            (
                "once",
                "deduplicate",
                json!({ "key": ["id"], "state_ttl": "1d", "ttl_clock": "processing_time", "entry_size": "60B" }),
            ),
            ("keep", "filter", json!({ "selectivity": 0.5 })),
            (
                "sum",
                "aggregate",
                json!({ "key": ["entity"], "function": "sum", "clock": "event_time", "window": "tumbling",
                "window_size": "5min", "watermark_delay": "30s", "allowed_lateness": "0s", "emit": "on_close",
                "keys_per_window": 800, "entry_size": "90B" }),
            ),
            ("shape", "map", json!({ "selectivity": 1 })),
        ];
        let mut before = from.to_owned();
        for (step, kind, facts) in steps {
            self.element(id(step), json!({ "kind": "operator", "job": id("job"), "step": kind }), facts);
            let read = if before == from {
                json!({ "group": id("job"), "isolation": "read_committed", "offset_reset": "earliest" })
            } else {
                json!({ "distribution": "hash", "key": ["entity"] })
            };
            self.link([before, id(step)], read);
            before = id(step);
        }
        let written = json!({ "key": ["entity"], "output_commit": "two_phase", "acks": "all", "idempotence": true,
            "transactional_id": id("job"), "transaction_timeout": "10min", "on_send_failure": "retry" });
        self.link([before, to.to_owned()], written);
    }

    /// What a filter rejects is read again later.
    fn retry(&mut self, number: usize, job: &str) {
        let (again, step) = (format!("again_{number}"), |step: &str| format!("{job}_{step}_{number}"));
        self.log(&again);
        self.elements[&again]["role"] = json!("retry");
        let facts = json!({ "key": ["entity"], "acks": "all", "idempotence": true, "on_send_failure": "retry" });
        self.put(json!({ "from": step("keep"), "to": again, "port": "dead_letter", "observed": { "e1": facts } }));
        let read = json!({ "group": step("job"), "isolation": "read_committed", "offset_reset": "earliest",
            "delay": "5min" });
        self.link([again, step("once")], read);
    }

    /// Two inputs of one step.
    fn also_read(&mut self, log: &str, step: &str, number: usize) {
        let read = json!({ "group": step, "isolation": "read_committed", "offset_reset": "earliest" });
        self.link([log.to_owned(), format!("{step}_{number}")], read);
    }

    fn decode(self) -> Design {
        let events =
            json!({ "event": { "observed": { "e1": { "key": ["entity"], "event_id": ["id"], "size": "600B" } } } });
        let evidence = json!({ "e1": { "basis": "read", "from": "reading" } });
        // The door of the format holds at most 2 000 elements, so larger ones are put together piece by piece.
        let mut design = Design::default();
        let (elements, links): (Vec<_>, Vec<_>) =
            (self.elements.into_iter().collect(), self.links.into_iter().collect());
        for part in split(elements, links) {
            let document = json!({ "format": "streaming-pipeline", "version": 1, "elements": part.0, "links": part.1,
                "events": events, "evidence": evidence });
            let piece = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"));
            design.elements.extend(piece.elements);
            design.links.extend(piece.links);
            design.events.extend(piece.events);
            design.records.evidence.extend(piece.records.evidence);
        }
        design
    }
}

type Entries = Vec<(String, Value)>;

/// Documents of whole pipelines, each small enough for the door.
fn split(elements: Entries, links: Entries) -> Vec<(Value, Value)> {
    let number = |id: &str| id.rsplit('_').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or_default();
    let whole = elements.len() <= DOOR;
    let mut parts: Vec<(Map<String, Value>, Map<String, Value>)> = Vec::new();
    let part = |parts: &mut Vec<Part>, pipeline: usize| {
        let at = if whole { 0 } else { pipeline / 25 };
        if parts.len() <= at {
            parts.resize_with(at + 1, Default::default);
        }
        at
    };
    for (id, element) in elements {
        let at = part(&mut parts, number(&id));
        parts[at].0.insert(id, element);
    }
    for (id, link) in links {
        let at = part(&mut parts, number(link["from"].as_str().unwrap_or_default()));
        parts[at].1.insert(id, link);
    }
    parts.into_iter().map(|(elements, links)| (Value::Object(elements), Value::Object(links))).collect()
}
