//! What Apache Flink prints of its jobs, and its configuration file.
//!
//! `/jobs/ID/checkpoints/config`, `/jobs/ID/checkpoints`, `/jobs/ID/config`, `/jobs/ID`, `/jobs/overview`, `/overview` and
//! `/jobmanager/config` of the REST interface, `flink-conf.yaml` and `config.yaml` with flat and nested keys (Apache Flink
//! documentation, REST API; Configuration). What is printed of checkpoints names no job: the address above it does. Not here:
//! what keys mean (`flink_keys`).

use super::{
    command::Command,
    flink_keys,
    kafka_configs::{ConfigReading, Engine, Entity},
    listing::Marks,
    tree::Node,
};

/// Reads a text, where it is one of Flink's.
pub(super) fn read(root: &Node, command: Option<&Command>, marks: &mut Marks<'_>) -> Vec<ConfigReading> {
    let id = command.and_then(|command| command.behind("/jobs/")).filter(|id| *id != "overview");
    if root.has(&["slots-total", "flink-version"]) {
        return vec![list(root, Entity::FlinkCluster, flink_keys::OVERVIEW, marks)];
    }
    if let Some(jobs) =
        root.get("jobs").map(Node::items).filter(|jobs| jobs.iter().any(|job| job.has(&["jid", "name"])))
    {
        // A job that has ended is no part of the design, unless it is drawn: then other outputs speak of it.
        let ended =
            |job: &&Node| job.text("state").is_some_and(|state| matches!(state, "FINISHED" | "CANCELED" | "FAILED"));
        jobs.iter().filter(ended).filter_map(|job| job.get("name")).for_each(|name| {
            marks.say(name, "it has ended, so it is not taken over".to_owned());
        });
        let runs = jobs.iter().filter(|job| job.has(&["jid", "name"]) && !ended(job));
        return runs.map(|job| named(job, marks)).collect();
    }
    if root.has(&["jid", "name"]) && (root.has(&["vertices"]) || root.has(&["execution-config"])) {
        return vec![detail(root, marks)];
    }
    let job = || Entity::Job { of: Engine::Flink, name: None, id: id.map(str::to_owned) };
    if root.has(&["mode", "interval", "timeout"]) || (root.has(&["latest"]) && root.has(&["counts"])) {
        return vec![list(root, job(), flink_keys::REST, marks)];
    }
    // An error that tells: there are no checkpoints.
    if let Some(said) = root.get("errors").and_then(|errors| errors.items().first())
        && said
            .as_text()
            .is_some_and(|text| text.contains("Checkpointing") && text.contains("not") && text.contains("enabled"))
    {
        marks.say(said, "without checkpoints".to_owned());
        let mut reading = ConfigReading::new(root.at, job(), false);
        reading.entries.push(super::connect::entry("mode", "none", said.at));
        return vec![reading];
    }
    configuration(root, id, marks).into_iter().collect()
}

/// The keys of a table, wherever they stand.
fn list(root: &Node, entity: Entity, keys: &[flink_keys::Row], marks: &mut Marks<'_>) -> ConfigReading {
    let mut list = ConfigReading::new(root.at, entity, false);
    let beside = flink_keys::BESIDE.iter().copied();
    for key in keys.iter().map(|row| row.0).chain(beside) {
        if let Some(node) = root.path(key) {
            marks.take(key, node, &mut list.entries);
        }
    }
    list
}

/// A job by its name and number, with nothing more.
fn named(job: &Node, marks: &mut Marks<'_>) -> ConfigReading {
    let text = |key: &str| job.text(key).map(str::to_owned);
    if let Some(name) = job.get("name") {
        marks.uses(name);
    }
    ConfigReading::new(job.at, Entity::Job { of: Engine::Flink, name: text("name"), id: text("jid") }, false)
}

/// `/jobs/ID` and `/jobs/ID/config`: how far it is spread. The vertex with most copies decides how many slots it takes.
fn detail(root: &Node, marks: &mut Marks<'_>) -> ConfigReading {
    let mut reading = named(root, marks);
    let number = |node: &Node| node.as_text().and_then(|text| text.parse::<u64>().ok());
    let vertices = root.get("vertices").map(Node::items).unwrap_or_default();
    let most = vertices.iter().filter_map(|vertex| vertex.get("parallelism")).max_by_key(|node| number(node));
    if let Some(node) =
        most.or_else(|| root.path("execution-config.job-parallelism")).filter(|node| number(node).is_some())
    {
        marks.take("parallelism", node, &mut reading.entries);
    }
    let mut limits = vertices.iter().filter_map(|vertex| vertex.get("maxParallelism"));
    if let Some(first) = limits.next().filter(|first| limits.all(|other| other.as_text() == first.as_text())) {
        marks.take("maxParallelism", first, &mut reading.entries);
    }
    reading
}

/// A configuration: keys that stand flat or nested, or as `[{"key":…,"value":…}]` of `/jobmanager/config`.
fn configuration(root: &Node, id: Option<&str>, marks: &mut Marks<'_>) -> Option<ConfigReading> {
    let below = root.path("spec.flinkConfiguration").or_else(|| root.get("flinkConfiguration")).unwrap_or(root);
    let mut pairs: Vec<(&str, &Node)> = Vec::new();
    for item in root.items() {
        if let (Some(key), Some(value)) = (item.text("key"), item.get("value")) {
            pairs.push((key, value));
        }
    }
    for (key, value) in below.members() {
        // In the YAML of an operator the keys stand one level down, under a name that is no part of them.
        let key = key.rsplit_once("flinkConfiguration.").map_or(key.as_str(), |(_, key)| key);
        pairs.push((key, value));
    }
    let known =
        |key: &str| flink_keys::CONFIGURATION.iter().any(|row| row.0 == key) || flink_keys::BESIDE.contains(&key);
    let any = |test: &dyn Fn(&str) -> bool| pairs.iter().any(|(key, _)| test(key));
    if !any(&flink_keys::is_own) || !any(&known) {
        return None;
    }
    let name = pairs.iter().find(|(key, _)| *key == "pipeline.name").and_then(|(_, value)| value.as_text());
    let entity = Entity::Job { of: Engine::Flink, name: name.map(str::to_owned), id: id.map(str::to_owned) };
    let mut reading = ConfigReading::new(root.at, entity, false);
    for (key, value) in pairs.into_iter().filter(|(key, _)| known(key) || *key == "pipeline.name") {
        marks.take(key, value, &mut reading.entries);
    }
    Some(reading)
}
