//! What one frequent key does to a partition, and to whoever reads it. Not measured means not known: keys are never
//! taken to be even by default.

use super::{
    engine::Engine,
    map::{Map, Place},
    need::{Figure, all, count, derive, largest, per_second},
    parallelism,
    rates::Rates,
};
use crate::{
    analysis::{
        ChannelReport, Reports, SkewReport,
        explain::{Derived, Explained, Formula, Unit},
        formulas::skew,
    },
    model::{ElementKind, Known, key},
};
use std::sync::Arc;

const HASHING: &str = "Apache Kafka documentation, Producer Configs: partitioner.class (hash of the key)";

static BUSIEST: Formula = Formula {
    id: "SKEW-1.busiest",
    text: "top + (1 − top) ÷ partitions + spread of the hashing; all keys but the top one taken as equal",
    source: "Bernstein's inequality over hashed keys; above the simulated value in 400 of 400 distributions",
};
static HOT: Formula =
    Formula { id: "SKEW-1.hot", text: "rate × (top + (1 − top) ÷ partitions), as expected", source: HASHING };
static OTHER: Formula =
    Formula { id: "SKEW-1.other", text: "rate × (1 − top) ÷ partitions, as expected", source: HASHING };
static EFFECTIVE: Formula =
    Formula { id: "SKEW-1.effective", text: "1 ÷ (top + (1 − top) ÷ partitions)", source: HASHING };
static OVER_MEAN: Formula =
    Formula { id: "SKEW-1.ratio", text: "(top + (1 − top) ÷ partitions) × partitions", source: HASHING };
static KEY_LOAD: Formula = Formula {
    id: "SKEW-2.key",
    text: "top × rate × headroom ÷ what one instance does",
    source: "all records of one key go to one partition, and a partition to one member of a group",
};
static PARTITION_LOAD: Formula = Formula {
    id: "SKEW-2.partition",
    text: "share of the busiest partition × rate × headroom ÷ what one instance does",
    source: "a partition is read by one member of a group at a time",
};
static READER: Formula = Formula {
    id: "SKEW-3",
    text: "rate × (partition of the top key + (⌈partitions ÷ readers⌉ − 1) others); an estimate, hashing can put more on it",
    source: "Apache Kafka documentation, Consumer Configs: partition.assignment.strategy",
};
static USED: Formula = Formula {
    id: "SKEW-4",
    text: "partitions × (1 − (1 − 1 ÷ partitions)^keys)",
    source: "keys fall into partitions like balls into boxes",
};
static KEY_GROUPS: Formula = Formula {
    id: "SKEW-5",
    text: "⌈key groups ÷ tasks⌉ × tasks ÷ key groups",
    source: "Apache Flink, KeyGroupRangeAssignment: a task gets whole key groups",
};
static DEFAULT_GROUPS: Formula = Formula {
    id: "SKEW-5.groups",
    text: "1.5 × tasks, up to a power of two, 128 to 32 768",
    source: "Apache Flink, KeyGroupRangeAssignment.computeDefaultMaxParallelism",
};

const SHARE: Figure = Figure { what: "share of the busiest partition", unit: Unit::Ratio };
const TOP: Figure = Figure { what: "share of the top key", unit: Unit::Ratio };
const KEYS: Figure = count("keys");
const PARTITIONS: Figure = count("partitions");

/// The share of the top key of a channel: its own, else that of the one source that writes it.
pub(super) fn top(map: &Map, site: usize) -> Derived {
    let own = map.number(map.sites[site].at, key::channel::DOMINANT_KEY_SHARE, TOP);
    own.or_else(|why| {
        of_source(map, site).and_then(|at| map.number(at, key::source::DOMINANT_KEY_SHARE, TOP).ok()).ok_or(why)
    })
}

fn keys(map: &Map, site: usize) -> Derived {
    let own = map.number(map.sites[site].at, key::channel::KEY_CARDINALITY, KEYS);
    own.or_else(|why| {
        of_source(map, site).and_then(|at| map.number(at, key::source::KEY_CARDINALITY, KEYS).ok()).ok_or(why)
    })
}

/// The share of the top key of a channel and the number of its keys, where both are known.
pub(super) fn keyed(map: &Map, site: usize) -> Option<(Arc<Explained>, Arc<Explained>)> {
    Some((top(map, site).ok()?, keys(map, site).ok()?))
}

fn of_source<'a>(map: &Map<'a>, site: usize) -> Option<Place<'a>> {
    let mut writers = map.into(site);
    let only = writers.next().filter(|_| writers.next().is_none())?;
    let from = &map.sites[only.from];
    (from.element.kind() == ElementKind::Source).then_some(from.at)
}

/// Share of the busiest partition of a channel.
pub(super) fn busiest(map: &Map, site: usize) -> Derived {
    let at = map.sites[site].at;
    let inputs = [top(map, site), keys(map, site), map.number(at, key::channel::PARTITIONS, PARTITIONS)];
    let inputs = all(SHARE.what, inputs)?;
    let [top, keys, partitions] = &inputs;
    let value = skew::hot_share_of(top.value, keys.value, partitions.value);
    Ok(derive(SHARE, at, &BUSIEST, inputs, value))
}

/// What the keys of a channel do to its partitions.
pub(super) fn channel(map: &Map, rates: &Rates, site: usize) -> SkewReport {
    let at = map.sites[site].at;
    let (top, partitions) = (top(map, site), map.number(at, key::channel::PARTITIONS, PARTITIONS));
    let of = |figure: Figure, formula: &'static Formula, value: fn(f64, f64) -> f64| {
        let inputs = all(figure.what, [top.clone(), partitions.clone()])?;
        let value = value(inputs[0].value, inputs[1].value);
        Ok(derive(figure, at, formula, inputs, value))
    };
    let rate_of = |figure: Figure, formula: &'static Formula, share: fn(f64, f64) -> f64| {
        let inputs = all(figure.what, [rates.most_at(site), top.clone(), partitions.clone()])?;
        let value = inputs[0].value * share(inputs[1].value, inputs[2].value);
        Ok(derive(figure, at, formula, inputs, value))
    };
    let ratio = |what: &'static str| Figure { what, unit: Unit::Ratio };
    SkewReport {
        hot_rate: rate_of(per_second("rate of the partition with the top key"), &HOT, skew::hot_share),
        other_rate: rate_of(per_second("rate of every other partition"), &OTHER, skew::other_share),
        effective: of(count("effective parallelism"), &EFFECTIVE, skew::effective),
        over_mean: of(ratio("fullest partition over the mean"), &OVER_MEAN, skew::over_mean),
        used: used(map, site, &partitions),
        partitions,
    }
}

fn used(map: &Map, site: usize, partitions: &Derived) -> Derived {
    let figure = count("partitions that get any key");
    let inputs = all(figure.what, [keys(map, site), partitions.clone()])?;
    let value = skew::used_partitions(inputs[0].value, inputs[1].value);
    Ok(derive(figure, map.sites[site].at, &USED, inputs, value))
}

/// What the keys that a job reads ask of one of its instances.
pub(super) struct Load {
    /// Of what one instance does, the part that the top key alone takes.
    pub key: Derived,
    /// The part that the busiest partition takes.
    pub partition: Derived,
    /// Records per second of the busiest instance.
    pub reader: Derived,
}

/// Of the channel whose keys ask most.
pub(super) fn load(map: &Map, rates: &Rates, reports: &Reports<ChannelReport>, job: usize) -> Load {
    let at = map.sites[job].at;
    let mut channels: Vec<usize> = map
        .reads(job)
        .map(|wire| wire.from)
        .filter(|from| map.sites[*from].element.kind() == ElementKind::Channel)
        .collect();
    channels.dedup();
    let ratio = |what: &'static str| Figure { what, unit: Unit::Ratio };
    let (key, partition) =
        (ratio("load of one instance by the top key"), ratio("load of one instance by the busiest partition"));
    let reader = per_second("records at the busiest instance");
    let tops: Vec<Derived> = channels.iter().map(|channel| top(map, *channel)).collect();
    let busiest = |channel: usize| match reports.get(map.sites[channel].at.id) {
        Some(report) => report.busiest.clone(),
        None => busiest(map, channel),
    };
    let channels = || channels.iter().copied();
    let by_key =
        channels().zip(&tops).map(|(channel, top)| loaded(map, rates, (job, channel), key, &KEY_LOAD, top.clone()));
    let by_partition =
        channels().map(|channel| loaded(map, rates, (job, channel), partition, &PARTITION_LOAD, busiest(channel)));
    let read = channels().zip(&tops).map(|(channel, top)| read_by(map, rates, (job, channel), reader, top.clone()));
    Load { key: most(key, at, by_key), partition: most(partition, at, by_partition), reader: most(reader, at, read) }
}

/// The largest of those that are known; where none is, what the first one lacks.
fn most(figure: Figure, at: Place, of: impl Iterator<Item = Derived>) -> Derived {
    static MOST: Formula = Formula {
        id: "SKEW.most",
        text: "of the channel that asks most",
        source: "an instance reads all channels of its job",
    };
    let (mut known, mut first) = (Vec::new(), None);
    for one in of {
        match one {
            Ok(one) => known.push(one),
            Err(why) => first = first.or(Some(why)),
        }
    }
    match (known.len(), first) {
        (0, Some(why)) => Err(why),
        (0, None) => Err(super::need::lacks(
            figure.what,
            at,
            key::job::INSTANCE_CAPACITY.field(),
            crate::analysis::explain::MissingWhy::NoForm("this job reads no channel that spreads records by key"),
        )),
        (1, _) => Ok(known.swap_remove(0)),
        _ => Ok(largest(figure, at, &MOST, known)),
    }
}

fn loaded(
    map: &Map,
    rates: &Rates,
    (job, channel): (usize, usize),
    figure: Figure,
    formula: &'static Formula,
    share: Derived,
) -> Derived {
    let (at, from) = (map.sites[job].at, map.sites[channel].at);
    let headroom = map.number(from, key::channel::GROWTH_HEADROOM, Figure { what: "headroom", unit: Unit::Ratio });
    let headroom = headroom.unwrap_or_else(|_| {
        Explained::assumed("headroom", Some(from.id), Unit::Ratio, 1.0, "no growth is stated: none is planned for")
    });
    let capacity = map.mean(at, key::job::INSTANCE_CAPACITY, per_second("what one instance does"));
    let inputs = all(figure.what, [share, rates.most_at(channel), Ok(headroom), capacity])?;
    let [share, rate, headroom, capacity] = &inputs;
    let value = skew::load(share.value, rate.value, headroom.value, capacity.value);
    Ok(derive(figure, at, formula, inputs, value))
}

fn read_by(map: &Map, rates: &Rates, (job, channel): (usize, usize), figure: Figure, top: Derived) -> Derived {
    let at = map.sites[channel].at;
    let partitions = map.number(at, key::channel::PARTITIONS, PARTITIONS);
    let readers = parallelism::readers(map, job);
    let inputs = all(figure.what, [rates.most_at(channel), top, partitions, readers])?;
    let [rate, top, partitions, readers] = &inputs;
    let value = rate.value * skew::busiest_reader(top.value, partitions.value, readers.value);
    Ok(derive(figure, map.sites[job].at, &READER, inputs, value))
}

/// Load of the busiest task over the mean by key groups, of a job of Flink.
pub(super) fn key_groups(map: &Map, job: usize) -> Option<Derived> {
    if Engine::of(map, job) != Engine::Flink {
        return None;
    }
    let at = map.sites[job].at;
    let figure = Figure { what: "busiest task over the mean, by key groups", unit: Unit::Ratio };
    let tasks = map.number(at, key::job::PARALLELISM, count("tasks"));
    let groups = match (map.get(at, key::job::MAX_PARALLELISM), &tasks) {
        (Known::Unset(_), Ok(tasks)) => Ok(default_groups(at, tasks)),
        _ => map.number(at, key::job::MAX_PARALLELISM, count("key groups")),
    };
    Some(all(figure.what, [groups, tasks]).map(|inputs| {
        let value = skew::key_group_imbalance(inputs[0].value, inputs[1].value);
        derive(figure, at, &KEY_GROUPS, inputs, value)
    }))
}

fn default_groups(at: Place, tasks: &Arc<Explained>) -> Arc<Explained> {
    let value = skew::default_key_groups(tasks.value);
    derive(count("key groups"), at, &DEFAULT_GROUPS, [Arc::clone(tasks)], value)
}
