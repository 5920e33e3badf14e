//! What Spark Structured Streaming says of a query: `StreamingQueryProgress` as JSON, and the properties it runs with.
//!
//! Sources: Apache Spark documentation, Structured Streaming Programming Guide (Reading Metrics Interactively); Spark Configuration.
//! Of several batches in one list the longest counts. Not here: the code of the query.

use super::{
    kafka_configs::{ConfigReading, Engine, Entity},
    keys::{
        Kind::{self, *},
        Mapped, put,
    },
    listing::Marks,
    tree::Node,
};
use crate::model::{
    Field, FieldValue, MAX_COUNT, Statistic, Value,
    key::*,
    units::{Duration, Rate, Size},
    words::CheckpointStorage,
};
use crate::sorted::SortedMap;

/// The properties.
const PROPERTIES: &[(&str, Field, Kind)] = &[
    (
        "spark.sql.streaming.stateStore.providerClass",
        job::STATE_BACKEND.field(),
        Word(&[("RocksDBStateStoreProvider", "rocksdb"), ("HDFSBackedStateStoreProvider", "heap")]),
    ),
    ("spark.sql.shuffle.partitions", job::MAX_PARALLELISM.field(), Count),
    (
        "spark.sql.streaming.multipleWatermarkPolicy",
        job::WATERMARK_MERGE.field(),
        Word(&[("min", "min"), ("max", "max")]),
    ),
    ("spark.sql.streaming.noDataMicroBatches.enabled", job::NO_DATA_BATCHES.field(), Flag),
    ("spark.executor.memory", job::MEMORY.field(), Memory),
];

const CHECKPOINTS: &str = "spark.sql.streaming.checkpointLocation";
const BATCH: &str = "durationMs.triggerExecution";
const STATE: &str = "stateOperators.memoryUsedBytes";
const ROWS: &str = "stateOperators.numRowsTotal";
const BEHIND: &str = "latestOffset";
const DONE: &str = "endOffset";
const IN: &str = "inputRowsPerSecond";
const OUT: &str = "processedRowsPerSecond";
/// Stands for the topics that a source subscribes to.
pub(super) const TOPICS: &str = "Subscribe";

/// Reads a text, where it is one of Spark's.
pub(super) fn read(root: &Node, marks: &mut Marks<'_>) -> Vec<ConfigReading> {
    let is_progress = |node: &&Node| node.has(&["runId", "durationMs"]);
    if is_progress(&root) {
        return vec![progress(root, root, marks)];
    }
    let batches: Vec<&Node> = root.items().iter().filter(is_progress).collect();
    let took = |node: &&&Node| node.path(BATCH).and_then(Node::as_text).and_then(|text| text.parse::<u64>().ok());
    if let (Some(last), Some(longest)) = (batches.last(), batches.iter().max_by_key(took)) {
        return vec![progress(last, longest, marks)];
    }
    let known = |key: &str| key == CHECKPOINTS || PROPERTIES.iter().any(|row| row.0 == key);
    if !root.members().iter().any(|(key, _)| known(key)) {
        return Vec::new();
    }
    let name = root.text("spark.app.name").map(str::to_owned);
    let mut list = ConfigReading::new(root.at, Entity::Job { of: Engine::Spark, name, id: None }, false);
    for (key, value) in root.members().iter().filter(|(key, _)| known(key)) {
        marks.take(key, value, &mut list.entries);
    }
    vec![list]
}

/// One batch, and how long the longest took.
fn progress(root: &Node, longest: &Node, marks: &mut Marks<'_>) -> ConfigReading {
    let text = |key: &str| root.text(key).map(str::to_owned);
    let entity = Entity::Job { of: Engine::Spark, name: text("name"), id: text("id") };
    let mut list = ConfigReading::new(root.at, entity, false);
    for (of, key) in [(longest, BATCH), (root, IN), (root, OUT)] {
        if let Some(node) = of.path(key) {
            marks.take(key, node, &mut list.entries);
        }
    }
    let states = root.get("stateOperators").map(Node::items).unwrap_or_default();
    for key in [STATE, ROWS] {
        let of = key.rsplit('.').next().unwrap_or(key);
        let nodes: Vec<&Node> = states.iter().filter_map(|state| state.get(of)).collect();
        nodes.iter().for_each(|node| marks.uses(node));
        let sum = nodes.iter().map(|node| node.as_text()?.parse::<u64>().ok()).sum::<Option<u64>>();
        // The rows of one operator are those of its keys; of several, no operator is told.
        if let (Some(sum), Some(first), true) = (sum, nodes.first(), key == STATE || nodes.len() == 1) {
            list.entries.push(super::connect::entry(key, &sum.to_string(), first.at));
        }
    }
    for source in root.get("sources").map(Node::items).unwrap_or_default() {
        reads(source, &mut list, marks);
    }
    list
}

/// `KafkaV2[Subscribe[orders]]`: the topics, and for one topic alone the offsets by partition.
fn reads(source: &Node, list: &mut ConfigReading, marks: &mut Marks<'_>) {
    let Some(description) = source.get("description") else { return };
    let topics = description.as_text().and_then(|text| text.split_once("Subscribe["));
    let Some(topics) = topics.and_then(|(_, rest)| rest.split(']').next()) else { return };
    marks.uses(description);
    list.entries.push(super::connect::entry(TOPICS, topics, description.at));
    let topic = topics.trim();
    let offsets = |key: &str| -> Vec<(&str, u64)> {
        let of = source.get(key).and_then(|offsets| offsets.get(topic)).map(Node::members).unwrap_or_default();
        of.iter().filter_map(|(partition, at)| Some((partition.as_str(), at.as_text()?.parse().ok()?))).collect()
    };
    let (done, latest) = (offsets(DONE), offsets(BEHIND));
    let written = |pairs: &mut dyn Iterator<Item = (&str, u64)>| {
        pairs.map(|(partition, n)| format!("{partition}:{n}")).collect::<Vec<_>>().join(",")
    };
    let mut behind = latest.iter().filter_map(|(partition, end)| {
        let at = done.iter().find(|(other, _)| other == partition)?.1;
        Some((*partition, end.saturating_sub(at)))
    });
    for (key, text) in [(DONE, written(&mut done.iter().copied())), (BEHIND, written(&mut behind))] {
        if let Some(node) = source.get(key).filter(|_| !text.is_empty()) {
            marks.uses(node);
            list.entries.push(super::connect::entry(key, &text, node.at));
        }
    }
}

/// The fields that progress and properties fill.
pub(super) fn of_query<'s>(settings: &SortedMap<&'s str, &'s str>) -> Mapped {
    let mut mapped = Mapped::default();
    for (name, field, kind) in PROPERTIES {
        if let Some(text) = settings.get(name) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    let number = |key: &str| settings.get(key)?.parse::<f64>().ok().filter(|n| (0.0..MAX_COUNT as f64).contains(n));
    if let Some(place) = settings.get(CHECKPOINTS) {
        match place.split_once("://").map(|(scheme, _)| scheme) {
            Some(scheme) if scheme != "file" => {
                mapped.tell(
                    job::CHECKPOINT_STORAGE.field(),
                    CHECKPOINTS,
                    CheckpointStorage::Durable.into_value(),
                    None,
                );
            }
            _ => mapped.unfit.push((CHECKPOINTS, format!("{place:?} does not say whether it outlives the driver"))),
        }
    }
    if let Some(ms) = number(BATCH) {
        let value = Duration::from_millis(ms as u64).into_value();
        mapped.tell(job::BATCH_DURATION.field(), BATCH, value, None);
    }
    if let Some(bytes) = number(STATE) {
        let value = Size::from_bytes(bytes as u64).into_value();
        mapped.tell(job::STATE_SIZE.field(), STATE, value, Some("memory of the state store, all operators together"));
    }
    if let Some(rows) = number(ROWS) {
        mapped.tell(operator::LIVE_KEYS.field(), ROWS, Value::Count(rows as u64), Some("rows of the state store"));
    }
    if let Some(rate) = number(IN) {
        mapped.tell(link::RATE.field(), IN, Rate::per_second(rate).into_value(), None);
        // A query that keeps up does not show what it can do.
        if let Some(done) = number(OUT).filter(|done| *done > 0.0 && rate > *done) {
            let note = "it took in more than it got done, so this is what it can do";
            mapped.tell(job::CAPACITY.field(), OUT, Rate::per_second(done).into_value(), Some(note));
        }
    }
    for (key, field) in [(DONE, read::COMMITTED_OFFSET.field()), (BEHIND, read::LAG.field())] {
        let pairs = settings.get(key).map(|text| text.split(',')).into_iter().flatten();
        let by: SortedMap<Statistic, Value> = pairs
            .filter_map(|pair| {
                let (partition, n) = pair.split_once(':')?;
                let n = n.parse::<u64>().ok().filter(|n| *n <= MAX_COUNT)?;
                Some((Statistic::Partition(partition.parse().ok().filter(|p| *p < 1_000_000)?), Value::Count(n)))
            })
            .collect();
        if !by.is_empty() {
            mapped.tell(field, key, Value::Statistics(by), None);
        }
    }
    mapped
}
