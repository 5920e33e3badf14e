//! How old the oldest unread record is: as read, else by records and rates, of the partition that is furthest behind. Others
//! that are read to their end do not make up for it.
//!
//! What is *not* here: the lag of a consumer's limit, and what a peak does to it.

use super::{BEHIND, BEHIND_BY, apart, number, of_all_partitions, records};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Unit},
        figures::{
            map::{Map, Wire},
            need::{Figure, all, count, derive, per_second, seconds},
            rates::Rates,
        },
        formulas::ratio,
    },
    model::{Fact, Measured, Statistic, key, units::Rate},
    sorted::SortedMap,
};
use std::sync::Arc;

const AGE: &str = "the age of the oldest unread record, at the rate of now";

static MEAN: Formula = Formula {
    id: "LAG-1",
    text: "records behind ÷ records per second: the mean over the partitions, of which one can be further behind",
    source: AGE,
};
static FURTHEST: Formula = Formula {
    id: "LAG-1.partition",
    text: "records behind ÷ records per second, of the partition of which that is most",
    source: AGE,
};
static SHARE: Formula = Formula {
    id: "LAG-1.share",
    text: "records per second ÷ partitions × rate of the partition over the mean",
    source: "definition of the mean",
};

const IN_TIME: Figure = seconds("behind, in time");
const RECORDS: Figure = records("records behind in one partition");
const RATE: Figure = per_second("rate of one partition");

/// What tells how many records a reader is behind: its lag, else the offsets of the log and of the reader.
#[derive(Clone, Copy)]
pub(super) struct Readings<'f> {
    pub lag: Option<&'f Fact<Measured<u64>>>,
    pub end: Option<&'f Fact<Measured<u64>>>,
    pub position: Option<&'f Fact<Measured<u64>>>,
}

/// `behind`: the records of all partitions together.
pub(super) fn in_time(map: &Map, rates: &Rates, wire: &Wire, behind: &Derived, readings: Readings<'_>) -> Derived {
    let read = map.most(wire.at, key::read::LAG_TIME, IN_TIME);
    if read.is_ok() {
        return read;
    }
    let rate = rates.on(map, wire);
    if behind.is_ok()
        && let Some(furthest) = furthest(map, wire, &rate, readings)
    {
        return Ok(furthest);
    }
    let [behind, rate] = all(IN_TIME.what, [behind.clone(), rate])?;
    let value = ratio(behind.value, rate.value);
    Ok(derive(IN_TIME, wire.at, &MEAN, [behind, rate], value))
}

/// Of the partition that is furthest behind, where partitions were read one by one and each has a rate.
fn furthest(map: &Map, wire: &Wire, rate: &Derived, readings: Readings<'_>) -> Option<Arc<Explained>> {
    let log = map.sites[wire.from].at;
    let own = map.get(wire.at, key::link::RATE).fact();
    let measured = own.or_else(|| map.get(log, key::channel::RATE).fact());
    let read_of = |partition| measured.as_ref()?.value.statistics.get(&Statistic::Partition(partition)).copied();
    let even = even(map, wire, rate);
    let mut most: Option<(f64, u32, Option<Rate>)> = None;
    for (partition, records) in readings.partitions() {
        let read = read_of(partition);
        let rate = read.map(Rate::secs).or_else(|| Some(even.as_ref()?.value))?;
        let time = ratio(number(records), rate);
        if most.is_none_or(|(most, ..)| time > most) {
            most = Some((time, partition, read));
        }
    }
    let (value, partition, read) = most?;
    let rate = match (read, measured) {
        (Some(rate), Some(fact)) => {
            Explained::read(RATE.what, RATE.unit, fact.basis, fact.source, rate.secs(), Some("of that partition"))
        }
        _ => even?,
    };
    let mut inputs = vec![readings.of(wire, partition)?, rate];
    if readings.lag.or(readings.position).is_some_and(|read| !of_all_partitions(map, log, read)) {
        let reason = "not read: they are taken to be no further behind";
        inputs.push(Explained::assumed(
            "most behind in the other partitions",
            Some(log.id),
            IN_TIME.unit,
            value,
            reason,
        ));
    }
    Some(derive(IN_TIME, wire.at, &FURTHEST, inputs, value))
}

/// The rate of a partition of which it was not read.
fn even(map: &Map, wire: &Wire, rate: &Derived) -> Option<Arc<Explained>> {
    let log = map.sites[wire.from].at;
    let partitions = map.number(log, key::channel::PARTITIONS, count("partitions")).ok()?;
    let rate = rate.as_ref().ok()?;
    let reason = "not read: the partition is taken to get as much as any other; one that gets more is less behind";
    let even = Explained::assumed("rate of the partition over the mean", Some(log.id), Unit::Ratio, 1.0, reason);
    let value = ratio(rate.value, partitions.value);
    Some(derive(RATE, log, &SHARE, [Arc::clone(rate), partitions, even], value))
}

impl Readings<'_> {
    /// Records behind, of each partition of which they were read.
    fn partitions(self) -> Vec<(u32, u64)> {
        match self {
            Self { lag: Some(lag), .. } => lag.value.partitions().collect(),
            Self { end: Some(end), position: Some(position), .. } => {
                let end = |partition| end.value.statistics.get(&Statistic::Partition(partition)).copied();
                let positions = position.value.partitions();
                positions.filter_map(|(partition, at)| Some((partition, end(partition)?.saturating_sub(at)))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Records behind in one of them.
    fn of(self, wire: &Wire, partition: u32) -> Option<Arc<Explained>> {
        if let Some(lag) = self.lag {
            let value = number(*lag.value.statistics.get(&Statistic::Partition(partition))?);
            let how = Some("of the partition that is furthest behind in time");
            return Some(Explained::read(RECORDS.what, BEHIND_BY.unit, lag.basis, lag.source.clone(), value, how));
        }
        let one = |fact: &Fact<Measured<u64>>| {
            let plain = fact.value.statistics.get(&Statistic::Partition(partition)).copied();
            Fact { value: Measured { plain, statistics: SortedMap::default() }, ..fact.clone() }
        };
        apart(RECORDS, wire.at, &BEHIND, &one(self.end?), &one(self.position?))
    }
}
