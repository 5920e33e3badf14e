//! How many instances of a job can work at once.

use super::{
    engine::Engine,
    map::Map,
    need::{Figure, all, all_of, count, derive, largest, one_of, sum},
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Unit},
        formulas::capacity as form,
    },
    catalog::{self, DefaultValue},
    model::{ElementKind, Known, key},
};
use std::sync::Arc;

const CAP: Figure = count("instances that can work at once");

const SOURCE: &str = "Apache Kafka: a partition is read by one member of a group at a time; further members stand idle";

static LEAST: Formula = Formula { id: "CAP-2", text: "min(partitions, instances)", source: SOURCE };
static SUM: Formula = Formula { id: "CAP-2.sum", text: "partitions of all channels read", source: SOURCE };
static LARGEST: Formula = Formula {
    id: "CAP-2.most",
    text: "partitions of the channel with the most",
    source: "Apache Flink and Kafka Streams: the same slots or tasks read all inputs",
};
static TOPICS: Formula = Formula { id: "CAP-2.topics", text: "partitions × alike topics", source: SOURCE };
static THREADS: Formula = Formula {
    id: "CAP-2.threads",
    text: "instances × threads",
    source: "each thread is a member of its own (Kafka Streams, num.stream.threads)",
};

/// Partitions against what reads them.
pub(super) fn cap(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let channels: Vec<Derived> = map
        .reads(job)
        .filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel)
        .map(|wire| partitions(map, wire.from))
        .collect();
    let readers = readers(map, job);
    if channels.is_empty() {
        return readers;
    }
    let partitions = all_of(CAP.what, channels).map(|mut channels| match channels.len() {
        1 => channels.swap_remove(0),
        _ if matches!(Engine::of(map, job), Engine::Flink | Engine::Streams) => {
            largest(count("partitions"), at, &LARGEST, channels)
        }
        _ => sum(count("partitions"), at, &SUM, channels),
    });
    let [partitions, readers] = all(CAP.what, [partitions, readers])?;
    let value = form::parallelism(partitions.value, readers.value);
    Ok(one_of(CAP, at, &LEAST, [partitions, readers], value))
}

/// Partitions of a channel, with those of the topics that are alike.
pub(super) fn partitions(map: &Map, channel: usize) -> Derived {
    let at = map.sites[channel].at;
    let partitions = map.number(at, key::channel::PARTITIONS, count("partitions"))?;
    match map.number(at, key::channel::TOPICS, count("alike topics")) {
        Ok(topics) => {
            let value = partitions.value * topics.value;
            Ok(derive(count("partitions"), at, &TOPICS, [partitions, topics], value))
        }
        Err(_) => Ok(partitions),
    }
}

/// Parallel readers: the parallelism, else instances times threads, else the members that were read. An engine that gives out
/// partitions itself has no members in the group under which it commits (Apache Flink documentation, Kafka connector: Consumer
/// Offset Committing).
pub(super) fn readers(map: &Map, job: usize) -> Derived {
    let at = map.sites[job].at;
    let parallelism = map.number(at, key::job::PARALLELISM, count("parallelism"));
    if parallelism.is_ok() {
        return parallelism;
    }
    if let Some(default) = in_force(map, job) {
        return Ok(default);
    }
    if let Ok(instances) = map.most(at, key::job::INSTANCES, count("instances")) {
        return Ok(match map.number(at, key::job::THREADS, count("threads")) {
            Ok(threads) => {
                let value = instances.value * threads.value;
                derive(count("members"), at, &THREADS, [instances, threads], value)
            }
            Err(_) => instances,
        });
    }
    let engine = map.system(job).and_then(catalog::entry).and_then(|entry| entry.engine.as_ref());
    if engine.is_some_and(|engine| !engine.joins_group()) {
        return parallelism;
    }
    let members = map.reads(job).find_map(|wire| map.number(wire.at, key::read::MEMBERS, count("members")).ok());
    members.map_or(parallelism, Ok)
}

/// Read as not set: the documented default of a known version, as an assumption.
fn in_force(map: &Map, job: usize) -> Option<Arc<Explained>> {
    let at = map.sites[job].at;
    if !matches!(map.get(at, key::job::PARALLELISM), Known::Unset(_)) {
        return None;
    }
    let version = map.value(at, key::job::VERSION);
    let default = catalog::default_of(key::job::PARALLELISM.field(), map.system(job)?, version.as_deref())?;
    let DefaultValue::Count(number) = default.value else { return None };
    #[expect(clippy::cast_precision_loss, reason = "numbers of tasks are far below 2^53")]
    let number = number as f64;
    Some(Explained::assumed("parallelism", Some(at.id), Unit::Count, number, default.source))
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::figures::Figures,
        analysis::graph::Graph,
        codec,
        model::{Id, View},
    };

    /// A job over a topic of eight partitions whose group lists so many members; its cap, or what it lacks.
    fn cap(system: &str, members: u64, job: &str) -> Result<f64, String> {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":3,"elements":{{
            "t":{{"kind":"channel","system":"kafka","proposed":{{"partitions":8}}}},
            "j":{{"kind":"job","system":"{system}","proposed":{{{job}}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}}}},
            "links":{{"l":{{"from":"t","to":"o","proposed":{{"members":{members}}}}}}}}}"#
        );
        let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
        let figures = Figures::of(&Graph::new(&design, View::ToBe));
        let cap = figures.jobs[&Id::new("j").unwrap()].parallelism_cap.clone();
        cap.map(|cap| cap.value).map_err(|lack| lack.missing.iter().map(|missing| missing.field.name()).collect())
    }

    /// Apache Flink documentation, Kafka connector: offsets are committed for monitoring only, and no group is joined. A group
    /// without members is as usual there, and a few members are not the job's. Apache Kafka, MirrorSourceTask: MirrorMaker 2
    /// assigns its partitions itself.
    #[test]
    fn members_of_a_group_bind_only_who_joins_it() {
        for engine in ["flink", "spark", "mirror_maker"] {
            for members in [0, 3] {
                assert_eq!(cap(engine, members, ""), Err("parallelism".to_owned()));
                assert_eq!(cap(engine, members, r#""parallelism":4"#), Ok(4.0));
                assert_eq!(cap(engine, members, r#""parallelism":12"#), Ok(8.0));
            }
        }
        assert_eq!(cap("kafka_streams", 3, ""), Ok(3.0));
        assert_eq!(cap("plain_consumer", 0, ""), Ok(0.0));
    }
}
