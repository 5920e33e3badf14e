//! What Kafka Connect prints of its connectors, and the files that set them up.
//!
//! `GET /connectors/NAME/config` prints keys and values, `GET /connectors/NAME` the same below `config` with the tasks, `GET
//! /connectors?expand=info&expand=status` all of that by connector, `GET /connectors/NAME/status` states and workers, `GET /` the
//! version (Apache Kafka documentation, Kafka Connect: REST API). A standalone worker takes the same keys as properties, and
//! every worker logs its own (`DistributedConfig values:`). Values that stand for one elsewhere (`${file:…}`) say nothing. Not
//! here: what keys mean (`connect_keys`), and what a connector reads and writes (`connect_ends`).

use super::{
    command::Command,
    connect_keys,
    kafka_configs::{ConfigEntry, ConfigReading, Engine, Entity},
    listing::Marks,
    tree::{Is, Node},
};

/// Stands for what the server says a connector is: `source` or `sink`.
pub(super) const TYPE: &str = "type";
/// Stands for the version that the server says.
pub(super) const VERSION: &str = "version";

/// Most levels down to a configuration: `{"NAME": {"info": {"config": {…}}}}`.
const LEVELS: usize = 3;

/// Reads a text, where it is one of Connect's.
pub(super) fn read(root: &Node, command: Option<&Command>, marks: &mut Marks<'_>) -> Vec<ConfigReading> {
    let mut lists = Vec::new();
    let named = command.and_then(|command| command.behind("/connectors/"));
    connectors(root, named, LEVELS, &mut lists, marks);
    if lists.is_empty() && (root.has(&["version", "kafka_cluster_id"]) || is_worker(root)) {
        let mut list = ConfigReading::new(root.at, Entity::ConnectWorker, false);
        for (key, node) in root.members().iter().filter(|(key, _)| connect_keys::knows_worker(key)) {
            marks.take(key, node, &mut list.entries);
        }
        lists.push(list);
    }
    lists
}

/// Has it the settings that only workers have?
fn is_worker(root: &Node) -> bool {
    ["offset.storage.topic", "offset.storage.file.filename", "offset.flush.interval.ms"]
        .into_iter()
        .any(|key| root.has(&[key]))
        && root.members().iter().any(|(key, _)| connect_keys::knows_worker(key) && key != "group.id")
}

fn connectors(node: &Node, name: Option<&str>, levels: usize, lists: &mut Vec<ConfigReading>, marks: &mut Marks<'_>) {
    let own = node.text("name").or(name);
    let before = lists.len();
    if node.get("connector.class").is_some_and(|class| class.as_text().is_some()) {
        let mut list = connector(node, own);
        list.complete = true;
        for (key, value) in node.members().iter().filter(|(key, _)| connect_keys::knows(key)) {
            marks.take(key, value, &mut list.entries);
        }
        lists.push(list);
        return;
    }
    if let Some(state) = node.get("connector").filter(|state| state.has(&["state", "worker_id"])) {
        status(node, state, own, lists, marks);
        return;
    }
    if levels == 0 || lists.len() >= 1000 {
        return;
    }
    for (key, value) in node.members() {
        let name = if matches!(key.as_str(), "config" | "info" | "status") { own } else { Some(key.as_str()) };
        connectors(value, name, levels - 1, lists, marks);
    }
    for item in node.items() {
        connectors(item, None, levels - 1, lists, marks);
    }
    // `{"name":…,"config":{…},"type":"sink"}`
    if let Some(list) = lists.get_mut(before).filter(|_| node.has(&["config"])) {
        if let Some(kind) = node.get(TYPE) {
            marks.take(TYPE, kind, &mut list.entries);
        }
        node.get("name").into_iter().for_each(|name| marks.uses(name));
    }
}

fn connector(node: &Node, name: Option<&str>) -> ConfigReading {
    let name = name.filter(|name| !name.trim().is_empty() && name.len() <= 249).map(str::to_owned);
    ConfigReading::new(node.at, Entity::Job { of: Engine::Connect, name, id: None }, false)
}

/// States, and the version that newer workers print (KIP-891).
fn status(node: &Node, state: &Node, name: Option<&str>, lists: &mut Vec<ConfigReading>, marks: &mut Marks<'_>) {
    let mut list = connector(node, name);
    node.get("name").into_iter().for_each(|name| marks.uses(name));
    for (key, of) in [(TYPE, node), (VERSION, state)] {
        if let Some(value) = of.get(key) {
            marks.take(key, value, &mut list.entries);
        }
    }
    let tasks = node.get("tasks").map(Node::items).unwrap_or_default();
    let called = || name.unwrap_or("the connector").to_owned();
    for (what, of) in [("the connector", state)].into_iter().chain(tasks.iter().map(|task| ("a task", task))) {
        if let Some(at) = of.get("state").filter(|at| !matches!(&at.is, Is::Text(text) if text == "RUNNING")) {
            let word = at.as_text().unwrap_or("in no state");
            marks.say(at, format!("{what} of {} is {word}: what it is set to does not run", called()));
        }
    }
    lists.push(list);
}

/// One entry as it is kept.
pub(super) fn entry(key: &str, value: &str, at: super::LineRef) -> ConfigEntry {
    ConfigEntry { key: key.to_owned(), value: Some(value.to_owned()), origin: super::Origin::NotSaid, at }
}
