//! What a reader still has to read: records up to the end of the log, and which of them it may read.
//!
//! Committed positions and the offsets of a log count records, commit markers and offsets that compaction left behind
//! alike. What is *not* here: how far behind a reader may be (its consumers' limits), and what deletes unread records.

mod in_time;

use super::{
    map::{Map, Place, Wire},
    need::{Figure, derive, lacks},
    rates::Rates,
};
use crate::{
    analysis::{
        ReadReport,
        explain::{Derived, Explained, Formula, MissingWhy, Unit},
        formulas::less,
    },
    model::{
        ElementKind, Fact, Measured, Statistic, key,
        words::{Isolation, OutputCommit, ProcessingGuarantee},
    },
};
use in_time::{Readings, in_time};
use std::sync::Arc;

const OFFSETS: &str = "Apache Kafka documentation, Monitoring: records-lag; offsets of control records count as well";
const STABLE: &str = "Apache Kafka documentation, Consumer Configs: isolation.level, a reader of committed records stops at \
    the last stable offset";

static BEHIND: Formula = Formula { id: "LAG.end", text: "end of the log − committed position", source: OFFSETS };
static PARTLY: Formula =
    Formula { id: "LAG.partly", text: "lag of the partitions that were read + of the others", source: OFFSETS };
static READABLE: Formula =
    Formula { id: "LAG.stable", text: "min(end, last stable offset) − committed position", source: STABLE };
static HELD: Formula = Formula { id: "LAG.held", text: "end of the log − last stable offset", source: STABLE };
static MARKERS: Formula = Formula {
    id: "LAG.markers",
    text: "one commit marker in each partition",
    source: "Apache Kafka documentation, Design: a transaction ends with a control record, which takes an offset; a reader that \
        commits the offset of its last record plus one stays in front of it",
};

const BEHIND_BY: Figure = records("records behind the end");
const READABLE_NOW: Figure = records("records that can be read now");
const HELD_BACK: Figure = records("records behind an open transaction");
const STAY: Figure = records("lag that stays when everything is read");

const fn records(what: &'static str) -> Figure {
    Figure { what, unit: Unit::Records }
}

/// The readings of one link out of a channel; none where nothing about its position was read.
pub(super) fn read(map: &Map, rates: &Rates, wire: &Wire) -> Option<ReadReport> {
    let channel = &map.sites[wire.from];
    if channel.element.kind() != ElementKind::Channel || wire.back {
        return None;
    }
    let (at, log) = (wire.at, channel.at);
    let position = map.get(at, key::read::COMMITTED_OFFSET).fact();
    let lag = map.get(at, key::read::LAG).fact();
    let committed = map.value(at, key::read::ISOLATION) == Some(Isolation::ReadCommitted);
    if position.is_none() && lag.is_none() {
        return None;
    }
    let end = map.get(log, key::channel::END_OFFSET).fact();
    let stable = map.get(log, key::channel::STABLE_OFFSET).fact().filter(|_| committed);
    let lacking = |at, field| Err(lacks(BEHIND_BY.what, at, field, MissingWhy::NotKnown));
    let behind = match (&lag, &position, &end) {
        (Some(lag), ..) => match total(BEHIND_BY, lag) {
            Some(read) => Ok(in_all(map, [at, log], lag, read)),
            None => lacking(at, key::read::LAG.field()),
        },
        // A partition without a position is behind by nobody knows how much.
        (None, Some(position), Some(end)) if lacks_one(end, position) => {
            lacking(at, key::read::COMMITTED_OFFSET.field())
        }
        (None, Some(position), Some(end)) if !lacks_one(position, end) => apart(BEHIND_BY, at, &BEHIND, end, position)
            .ok_or_else(|| lacks(BEHIND_BY.what, log, key::channel::END_OFFSET.field(), MissingWhy::NotKnown)),
        _ => lacking(log, key::channel::END_OFFSET.field()),
    };
    let readings = Readings { lag: lag.as_ref(), end: end.as_ref(), position: position.as_ref() };
    let behind_time = in_time(map, rates, wire, &behind, readings);
    Some(ReadReport {
        readable: stable.as_ref().zip(position).and_then(|(stable, position)| {
            let stable = end.as_ref().map_or_else(|| stable.clone(), |end| lower(stable, end));
            apart(READABLE_NOW, at, &READABLE, &stable, &position)
        }),
        held: end.zip(stable).and_then(|(end, stable)| apart(HELD_BACK, at, &HELD, &end, &stable)),
        markers: in_transactions(map, wire.from).then(|| markers(map, log)),
        behind_time,
        behind,
    })
}

fn markers(map: &Map, log: Place) -> Derived {
    let partitions = map.number(log, key::channel::PARTITIONS, super::need::count("partitions"))?;
    let value = partitions.value;
    Ok(derive(STAY, log, &MARKERS, [partitions], value))
}

/// Is a channel written in transactions, as far as its writers say?
pub(super) fn in_transactions(map: &Map, channel: usize) -> bool {
    map.into(channel).any(|wire| writes_in_transactions(map, wire))
}

pub(super) fn writes_in_transactions(map: &Map, wire: &Wire) -> bool {
    match map.value(wire.at, key::write::OUTPUT_COMMIT) {
        Some(commit) => matches!(commit, OutputCommit::TwoPhase | OutputCommit::WithPosition),
        None => {
            let streams = super::engine::Engine::of(map, wire.from) == super::engine::Engine::Streams;
            let job = map.sites[wire.from].job.filter(|_| streams);
            job.is_some_and(|job| {
                map.value(map.sites[job].at, key::job::PROCESSING_GUARANTEE) == Some(ProcessingGuarantee::ExactlyOnce)
            })
        }
    }
}

/// Does the log hold records, by reading, that no reader of committed records gets yet?
pub(super) fn stands_behind_one(map: &Map, wire: &Wire) -> bool {
    let log = map.sites[wire.from].at;
    let read = |key| map.get(log, key).fact();
    let (end, stable) = (read(key::channel::END_OFFSET), read(key::channel::STABLE_OFFSET));
    end.zip(stable)
        .and_then(|(end, stable)| apart(HELD_BACK, log, &HELD, &end, &stable))
        .is_some_and(|held| held.value > 0.0)
}

#[expect(clippy::cast_precision_loss, reason = "offsets are far below 2^53")]
const fn number(offset: u64) -> f64 {
    offset as f64
}

/// All partitions of a reading together: its plain value or total, else the sum of those that were read.
fn total(figure: Figure, fact: &Fact<Measured<u64>>) -> Option<Arc<Explained>> {
    let (value, how) = match fact.value.plain.or_else(|| fact.value.statistics.get(&Statistic::Total).copied()) {
        Some(plain) => (plain, None),
        None => {
            let sum = fact.value.partitions().map(|(_, value)| value).reduce(u64::saturating_add)?;
            (sum, Some("sum over the partitions that were read"))
        }
    };
    Some(Explained::read(figure.what, figure.unit, fact.basis, fact.source.clone(), number(value), how))
}

/// Does `other` lack a partition that `reading` holds?
fn lacks_one(reading: &Fact<Measured<u64>>, other: &Fact<Measured<u64>>) -> bool {
    let whole = reading.value.plain.is_some() && other.value.plain.is_some();
    let holds = |partition| other.value.partitions().any(|(number, _)| number == partition);
    !whole && reading.value.partitions().any(|(partition, _)| !holds(partition))
}

/// A lag that was read for some partitions only: the others are taken to be read to their end, as an assumption.
fn in_all<'a>(
    map: &Map<'a>,
    [at, log]: [Place<'a>; 2],
    lag: &Fact<Measured<u64>>,
    read: Arc<Explained>,
) -> Arc<Explained> {
    let whole = lag.value.plain.is_some() || lag.value.statistics.contains_key(&Statistic::Total);
    if whole || of_all_partitions(map, log, lag) {
        return read;
    }
    let reason = "their lag is not read: they are taken to be read to their end";
    let others = Explained::assumed("behind in the other partitions", Some(at.id), BEHIND_BY.unit, 0.0, reason);
    super::need::sum(BEHIND_BY, at, &PARTLY, [read, others])
}

/// Does a reading hold all partitions of a log, as far as their number is known?
fn of_all_partitions<'a>(map: &Map<'a>, log: Place<'a>, reading: &Fact<Measured<u64>>) -> bool {
    let count = map.number(log, key::channel::PARTITIONS, super::need::count("partitions")).ok();
    let read_of = number(reading.value.partitions().map(|_| 1).sum());
    count.is_none_or(|count| count.value <= read_of)
}

/// The lower of two readings of one log, partition by partition; where only one has a partition, that one.
fn lower(a: &Fact<Measured<u64>>, b: &Fact<Measured<u64>>) -> Fact<Measured<u64>> {
    let mut low = a.clone();
    if let (Some(one), Some(other)) = (low.value.plain, b.value.plain) {
        low.value.plain = Some(one.min(other));
    }
    let least = |(statistic, value): (&Statistic, &u64)| {
        (*statistic, b.value.statistics.get(statistic).map_or(*value, |other| (*other).min(*value)))
    };
    low.value.statistics = a.value.statistics.iter().map(least).collect();
    low
}

/// How far one reading of offsets is ahead of another, over what both hold.
fn apart(
    figure: Figure,
    at: Place,
    formula: &'static Formula,
    ahead: &Fact<Measured<u64>>,
    behind: &Fact<Measured<u64>>,
) -> Option<Arc<Explained>> {
    let plain = ahead.value.plain.zip(behind.value.plain);
    let pairs: Vec<(u64, u64)> = match plain {
        Some(pair) => vec![pair],
        None => {
            let other = |partition| {
                behind.value.partitions().find_map(|(number, value)| (number == partition).then_some(value))
            };
            ahead.value.partitions().filter_map(|(number, value)| Some((value, other(number)?))).collect()
        }
    };
    if pairs.is_empty() {
        return None;
    }
    let how = plain.is_none().then_some("sum over the partitions that both readings hold");
    let one = |what: &'static str, fact: &Fact<Measured<u64>>, value: f64| {
        Explained::read(what, figure.unit, fact.basis, fact.source.clone(), value, how)
    };
    let sums = pairs.iter().fold((0.0, 0.0), |(a, b), (ahead, behind)| (a + number(*ahead), b + number(*behind)));
    // Each partition for itself: one that is ahead does not make up for one that is behind.
    let value = pairs.iter().map(|(ahead, behind)| less(number(*ahead), number(*behind))).sum();
    let inputs = vec![one("offset ahead", ahead, sums.0), one("offset behind", behind, sums.1)];
    Some(derive(figure, at, formula, inputs, value))
}

#[cfg(test)]
mod tests {
    use crate::{
        analysis::{ReadReport, analyse},
        codec,
        model::{Basis, Id, View},
    };

    fn of(channel: &str, read: &str) -> Option<ReadReport> {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{
            "in":{{"kind":"channel","system":"kafka","proposed":{channel}}},"j":{{"kind":"job","system":"plain_consumer"}},
            "m":{{"kind":"operator","job":"j","step":"map"}}}},
            "links":{{"l1":{{"from":"in","to":"m","proposed":{read}}}}}}}"#
        );
        analyse(&codec::decode(&text).unwrap(), View::ToBe).reads.get(&Id::new("l1").unwrap()).cloned()
    }

    /// 1 663 − 200 = 1 463 behind, 200 − 200 = 0 readable, 1 463 held.
    #[test]
    fn an_open_transaction_holds_a_reader() {
        let log = r#"{"end_offset":1663,"stable_offset":200,"rate":"10/s"}"#;
        let read = of(log, r#"{"isolation":"read_committed","committed_offset":200}"#).unwrap();
        assert_eq!(read.behind.unwrap().value, 1463.0);
        assert_eq!(read.readable.unwrap().value, 0.0);
        assert_eq!(read.held.unwrap().value, 1463.0);
        assert_eq!(read.behind_time.unwrap().value, 146.3);
        assert_eq!(read.markers, None);
        let dirty = of(log, r#"{"isolation":"read_uncommitted","committed_offset":200}"#).unwrap();
        assert_eq!((dirty.readable, dirty.held), (None, None));
    }

    /// Four partitions get 10 a second each, on average. Partition 0 is 20 s behind at that, partition 1 4 s, the mean of all is
    /// 6 s. By rates of their own, 40 and 5 a second, they are 5 s and 8 s behind. Where only the rate of
    /// partition 1 was read, partition 0 is taken to get the mean.
    #[test]
    fn the_partition_that_is_furthest_behind_counts() {
        let time = |rate: &str, lag: &str| {
            let log = format!(r#"{{"partitions":4,"rate":{rate}}}"#);
            of(&log, lag).unwrap().behind_time.unwrap()
        };
        let lag = r#"{"lag":{"0":200,"1":40,"2":0,"3":0}}"#;
        let even = time(r#""40/s""#, lag);
        assert_eq!((even.value, even.basis), (20.0, Some(Basis::Assumed)));
        let read = time(r#"{"mean":"80/s","0":"40/s","1":"5/s","2":"30/s","3":"5/s"}"#, lag);
        assert_eq!((read.value, read.basis), (8.0, Some(Basis::Proposed)));
        assert_eq!(time(r#"{"mean":"40/s","1":"5/s"}"#, lag).value, 20.0);
        // By partitions alone: none of them lacks a rate.
        assert_eq!(time(r#"{"0":"40/s","1":"5/s","2":"30/s","3":"5/s"}"#, lag).value, 8.0);
        assert_eq!(time(r#""40/s""#, r#"{"lag":240}"#).value, 6.0);
        assert_eq!(time(r#""40/s""#, r#"{"lag":{"0":200,"1":40},"lag_time":"3s"}"#).value, 3.0);
        // Partitions that were not read: another one may be further behind.
        let some = time(r#"{"mean":"80/s","0":"40/s","1":"5/s"}"#, r#"{"lag":{"0":200,"1":40}}"#);
        assert_eq!((some.value, some.basis), (8.0, Some(Basis::Assumed)));
    }

    /// 100 − 90 and 50 − 25 at 5 a second each: 5 s. How many partitions there are has to be known: else the mean of 3.5 s.
    #[test]
    fn offsets_tell_the_partition_that_is_furthest_behind() {
        let time = |partitions: &str| {
            let log = format!(r#"{{"rate":"10/s",{partitions}"end_offset":{{"0":100,"1":50}}}}"#);
            of(&log, r#"{"committed_offset":{"0":90,"1":25}}"#).unwrap().behind_time.unwrap()
        };
        let furthest = time(r#""partitions":2,"#);
        assert_eq!((furthest.value, furthest.inputs()[0].value), (5.0, 25.0));
        assert_eq!(time("").value, 3.5);
    }

    /// Partitions 0 and 1: 100 − 90 and 50 − 50. Partition 2 of 70 records has no position: how far the reader is behind is not
    /// known; with a position at 65 it is 15.
    #[test]
    fn partitions_are_compared_one_by_one() {
        let log = r#"{"end_offset":{"0":100,"1":50,"2":70}}"#;
        let read = of(log, r#"{"committed_offset":{"0":90,"1":50}}"#).unwrap();
        assert_eq!(read.behind.unwrap_err().missing[0].field.name(), "committed_offset");
        assert!(read.behind_time.is_err());
        let read = of(log, r#"{"committed_offset":{"0":90,"1":50,"2":65}}"#).unwrap();
        assert_eq!(read.behind.unwrap().value, 15.0);
        let new = of(r#"{"end_offset":{"0":100}}"#, r#"{"committed_offset":{"0":90,"1":50}}"#).unwrap();
        assert_eq!(new.behind.unwrap_err().missing[0].field.name(), "end_offset");
        assert_eq!(of(log, r#"{"lag":{"0":3,"1":4}}"#).unwrap().behind.unwrap().value, 7.0);
        assert!(of("{}", r#"{"committed_offset":4}"#).unwrap().behind.is_err());
        assert_eq!(of(log, "{}"), None);
    }

    /// Two of three partitions: 3 + 4, and an assumption about the third.
    #[test]
    fn a_lag_of_some_partitions_says_what_it_takes_for_the_others() {
        let of = |partitions: u8| {
            let log = format!(r#"{{"partitions":{partitions}}}"#);
            of(&log, r#"{"lag":{"0":3,"1":4}}"#).unwrap().behind.unwrap()
        };
        assert_eq!((of(2).value, of(3).value), (7.0, 7.0));
        assert_eq!((of(2).basis, of(3).basis), (Some(Basis::Proposed), Some(Basis::Assumed)));
    }
}
