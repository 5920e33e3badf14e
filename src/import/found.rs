//! One picture of the cluster out of all readings of a text: of several readings of one thing the last counts.
//!
//! Within one input the text runs in time, so a later output replaces what an earlier one said, and a setting that a
//! later complete list lacks has been taken back. Between inputs there is no order: two that disagree about a setting
//! are both kept. Measurements always take the last reading. Not here: what a design knows already (`propose`).

use super::{
    Content, Entity, Format, Origin, Reading, Remark, RpkTopic, Skipped, Which, command::is_topic, kafka_keys,
    lines::LineRef,
};
use crate::model::{Field, RawValue, Statistic, Value, shortened};
use crate::sorted::{self, SortedMap};
use topic::TopicState;

pub(super) mod brokers;
pub(super) mod groups;
pub(super) mod jobs;
mod settings;
mod topic;

/// One fact as found: which field, which value, where it stands, in which section.
#[derive(Clone, Debug)]
pub(super) struct FoundFact {
    pub field: Field,
    pub key: String,
    pub value: Value,
    pub lines: Vec<LineRef>,
    pub section: usize,
    pub note: Option<String>,
}

impl FoundFact {
    /// As one line says it.
    pub fn on_line(field: Field, key: &str, value: Value, at: LineRef, section: usize) -> Self {
        Self { field, key: key.to_owned(), value, lines: vec![at], section, note: None }
    }

    /// With a remark, where there is one.
    pub fn noted(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }
}

/// A product key without a field.
#[derive(Clone, Debug)]
pub(super) struct FoundRaw {
    pub key: String,
    pub value: RawValue,
    pub section: usize,
}

/// One topic.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundTopic {
    pub name: String,
    pub at: LineRef,
    pub facts: Vec<FoundFact>,
    pub raw: Vec<FoundRaw>,
    /// Where its topic id stands.
    pub id_at: Option<LineRef>,
    /// The sections that listed its settings to the end, with the line that the list begins on.
    pub complete: Vec<(usize, LineRef)>,
    pub compacted: bool,
    pub repartition: bool,
}

/// Everything found.
#[derive(Default)]
pub(super) struct Found {
    pub topics: Vec<FoundTopic>,
    pub groups: Vec<groups::FoundGroup>,
    pub jobs: Vec<jobs::FoundJob>,
    pub engines: Vec<jobs::FoundEngine>,
    pub cluster: Vec<FoundFact>,
    pub cluster_raw: Vec<FoundRaw>,
    pub cluster_at: Option<LineRef>,
    /// Only Redpanda's own command line speaks of topics here, or keys of Redpanda are among the settings.
    pub redpanda: bool,
    pub remarks: Vec<Remark>,
    pub skipped: Vec<Skipped>,
    /// Sections that a name is missing for, with what it is.
    pub asks: Vec<(usize, &'static str)>,
}

/// Readings by partition as one value; nothing where there is none.
fn statistics(readings: impl Iterator<Item = (u32, u64)>) -> Option<Value> {
    let map: SortedMap<Statistic, Value> =
        readings.map(|(partition, n)| (Statistic::Partition(partition), Value::Count(n))).collect();
    (!map.is_empty()).then_some(Value::Statistics(map))
}

/// Walks through all sections in the order of the text.
pub(super) fn gather(reading: &Reading) -> Found {
    let mut found = Found { skipped: reading.skipped.clone(), ..Found::default() };
    let mut topics: SortedMap<String, TopicState> = SortedMap::new();
    let mut brokers = brokers::Brokers::default();
    let mut groups = groups::Groups::default();
    let mut jobs = jobs::Jobs::default();
    for (index, section) in reading.sections.iter().enumerate() {
        match &section.content {
            Content::Topics(list) => {
                for topic in list {
                    brokers.seen(topic.rows.iter().flat_map(|row| row.replicas.iter().copied()));
                    state(&mut topics, &topic.name, topic.at).describe(topic, index);
                }
            }
            Content::Configs(lists) => {
                for list in lists {
                    match &list.entity {
                        Entity::Topic(Some(name)) => state(&mut topics, name, list.at).configure(list, index),
                        Entity::Topic(None) => found.asks.push((index, "topic")),
                        Entity::Broker(id) => brokers.configure(Some(id), list, index),
                        Entity::AllBrokers => brokers.configure(None, list, index),
                        Entity::Group(name) => groups.configure(name, list, index),
                        Entity::Job { .. } | Entity::ConnectWorker | Entity::FlinkCluster => {
                            jobs.configure(list, index)
                        }
                    }
                }
            }
            Content::Groups(list) => {
                for group in list {
                    for row in &group.rows {
                        if let Some(start) = row.start {
                            state(&mut topics, &row.topic, row.at).starts.put(row.partition, start, row.at, index);
                        }
                        if let Some(end) = row.end {
                            state(&mut topics, &row.topic, row.at).ends.put(row.partition, end, row.at, index);
                        }
                    }
                    if !groups.put(group, index, &mut found.remarks) {
                        found.asks.push((index, "group"));
                    }
                }
            }
            Content::Offsets(list) => {
                for offset in list {
                    let topic = state(&mut topics, &offset.topic, offset.at);
                    let side = if offset.which == Which::End { &mut topic.ends } else { &mut topic.starts };
                    side.put(offset.partition, offset.offset, offset.at, index);
                }
            }
            Content::RpkTopics(list) => {
                for topic in list {
                    brokers.seen(topic.rows.iter().flat_map(|row| row.replicas.iter().copied()));
                    match &topic.name {
                        Some(_) if topic.internal => found.skipped.push(internal(topic)),
                        Some(name) => {
                            state(&mut topics, name, topic.at).described(name, topic, index, &mut found.remarks);
                        }
                        None => found.asks.push((index, "topic")),
                    }
                }
            }
            Content::Features(list) => brokers.features(list, index),
            Content::Brokers(list) => brokers.up(list, index),
            Content::LogDirs(list) => {
                for size in list {
                    state(&mut topics, &size.topic, size.at).sizes.put(size.partition, size.bytes, size.at, index);
                }
            }
        }
    }
    found.asks.dedup();
    found.redpanda = of_redpanda(reading);
    (found.jobs, found.engines) = jobs.finish(&mut found.remarks, &mut found.skipped);
    for job in found.jobs.iter().filter(|job| job.mirrors.is_none()) {
        for topic in job.reads.iter().chain(&job.writes).chain(&job.dead_letter) {
            if is_topic(topic) {
                state(&mut topics, topic, job.at);
            } else {
                let reason = "it is no legal name of a topic, so no link to it is drawn".to_owned();
                found.skipped.push(Skipped { at: Some(job.at), what: shortened(topic, 80), reason });
            }
        }
    }
    let mut order: Vec<(String, TopicState)> = topics.into_iter().collect();
    sorted::sort_by_key(&mut order, |(_, state)| state.at);
    found.topics = order.into_iter().map(|(name, state)| state.finish(name, &mut found.remarks)).collect();
    brokers.finish(&mut found);
    found.groups = groups.finish(&mut found.remarks);
    found
}

/// Does the text come from Redpanda? Its command line talks to Kafka too, so one of Kafka's beside it says nothing.
fn of_redpanda(reading: &Reading) -> bool {
    let (mut rpk, mut kafka, mut keys) = (false, false, false);
    for section in &reading.sections {
        match &section.content {
            Content::RpkTopics(topics) => {
                rpk = true;
                let settings = topics.iter().filter_map(|topic| topic.settings.as_ref());
                keys |= settings.flat_map(|list| &list.entries).any(|entry| entry.key.starts_with("redpanda."));
            }
            Content::Groups(_) => {}
            Content::Configs(_) if section.format == Format::RpkConfig => rpk = true,
            Content::Configs(_) if section.format != Format::Configs => {}
            _ => kafka = true,
        }
    }
    keys || (rpk && !kafka)
}

fn internal(topic: &RpkTopic) -> Skipped {
    let what = topic.name.clone().unwrap_or_default();
    Skipped { at: Some(topic.at), what, reason: "an internal topic of the brokers, not a channel of a pipeline".into() }
}

fn state<'a>(topics: &'a mut SortedMap<String, TopicState>, name: &str, at: LineRef) -> &'a mut TopicState {
    topics.entry(name.to_owned()).or_insert_with(|| TopicState::first_at(at))
}

/// As read: a number, yes or no, else text; nothing where it is empty.
fn raw_value(text: &str) -> Option<RawValue> {
    Some(match text {
        "" => return None,
        "true" => RawValue::Bool(true),
        "false" => RawValue::Bool(false),
        _ => match text.parse::<f64>() {
            Ok(n) if n.is_finite() && n.abs() < 9.0e15 && (format!("{n}") == text || format!("{n:?}") == text) => {
                RawValue::Number(n)
            }
            _ => RawValue::Text(text.chars().take(4000).collect::<String>().into()),
        },
    })
}
