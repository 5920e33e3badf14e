//! When a job that does less than arrives loses what it has not read, and how long a replay takes to come to the present.

use super::{
    map::{Map, Wire},
    names,
    need::{Figure, all, at_least, at_most, bytes, bytes_per_second, derive, largest, least, seconds},
    rates::Rates,
    recovery,
};
use crate::{
    analysis::{
        explain::{Derived, Explained, Formula, Inputs},
        formulas::{capacity as form, ratio, replay},
    },
    model::{ElementKind, key, words::CleanupPolicy},
    sorted,
};
use std::sync::Arc;

/// Until unread records are deleted; its first input is what the log keeps.
pub(crate) static RACE: Formula = Formula {
    id: "RACE-1",
    text: "(kept from the append on − lag) × arriving ÷ (arriving − capacity), while as much arrives; no end where that is not above the capacity",
    source: "the position moves on at capacity ÷ arriving of the clock, the log start at its pace; checked against simulated logs",
};
static BY_SIZE: Formula = Formula {
    id: "RACE-1.size",
    text: "(retention.bytes − unread bytes of a partition) ÷ (bytes per second of the fullest partition × (1 − capacity ÷ arriving)); no end where the capacity is not below what arrives",
    source: "a log with a limit by size deletes its oldest segment whatever its age; checked against simulated logs",
};
static FIRST: Formula = Formula {
    id: "RACE-1.first",
    text: "least over what the job reads, by time and by size",
    source: "the first log that is shorter than the lag",
};
static START_WITHIN: Formula = Formula {
    id: "REP-3",
    text: "reach − needed, where each job that reads it does at least what arrives; nothing otherwise",
    source: "the log start moves on by a second each second, the position by capacity ÷ arriving; checked against simulated replays",
};
static TO_HEAD: Formula = Formula {
    id: "REP-2",
    text: "age × arriving ÷ (capacity − arriving)",
    source: "what arrives meanwhile is read too; checked against simulated replays",
};

/// Time until a log that the job reads deletes what was not read yet, as things go now.
pub(super) fn loss(map: &Map, rates: &Rates, known: &super::Known<'_>, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let capacity = recovery::capacity(map, job).ok()?;
    let figure = at_least("until unread records are deleted");
    let mut first: Option<Derived> = None;
    let mut races = Vec::new();
    for wire in map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel) {
        let kept = unread(map, known, wire)?;
        // The most of what lies in the log and of what will come.
        let inputs = [kept, recovery::input(map, rates, job), recovery::arriving(map, rates, job)];
        match all(figure.what, inputs) {
            Err(why) => first = first.or(Some(Err(why))),
            Ok([kept, mean, arriving]) => {
                let lag = recovery::lag(map, known.reads, wire).unwrap_or_else(|_| recovery::at_the_head("lag"));
                let arriving = if mean.value > arriving.value { mean } else { arriving };
                races.extend(lost_by_size(map, wire, &arriving, &capacity));
                let value = form::time_until_lost(kept.value, lag.value, arriving.value, capacity.value);
                let inputs = vec![kept, lag, arriving, Arc::clone(&capacity)];
                races.push(derive(figure, at, &RACE, inputs, value));
            }
        }
    }
    match races.len() {
        0 => first,
        1 => races.pop().map(Ok),
        _ => Some(Ok(least(figure, at, &FIRST, races))),
    }
}

/// How long the log keeps what was not read: a reader with a backlog of its own goes by that. What compaction replaces is
/// not lost to who wants the newest of each key.
fn unread(map: &Map, known: &super::Known<'_>, wire: &Wire) -> Option<Derived> {
    let own = map.number(wire.at, key::read::RETENTION_TIME, seconds(names::BACKLOG));
    let product = map.graph.nodes[wire.from].entry.and_then(|entry| entry.channel);
    if own.is_ok() || product.is_some_and(|product| !product.ends_unread) {
        return Some(own);
    }
    Some(known.channels.get(map.sites[wire.from].at.id)?.deletion.clone())
}

/// The same by bytes, where those that are unread were measured: at the rates of now, seconds of an old backlog say little
/// about them.
fn lost_by_size(
    map: &Map,
    wire: &Wire,
    arriving: &Arc<Explained>,
    capacity: &Arc<Explained>,
) -> Option<Arc<Explained>> {
    let log = map.sites[wire.from].at;
    if map.value(log, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact) {
        return None;
    }
    let fact = map.get(wire.at, key::read::LAG_SIZE).fact()?;
    // A plain reading is the sum over the partitions: of one only where there is one.
    if fact.value.plain.is_some() && map.value(log, key::channel::PARTITIONS) != Some(1) {
        return None;
    }
    let unread = map.most(wire.at, key::read::LAG_SIZE, bytes("unread bytes of a partition")).ok()?;
    let limit = map.number(log, key::channel::RETENTION_SIZE, bytes(names::RETENTION_SIZE)).ok()?;
    let rate = map.fullest(log, key::channel::DISK_RATE, bytes_per_second(names::FULLEST)).ok()?;
    if limit.unbounded() {
        return None;
    }
    let read = rate.value * ratio(capacity.value, arriving.value);
    let value = form::time_until_lost_by_size(limit.value, unread.value, rate.value, read);
    let inputs = vec![limit, unread, rate, Arc::clone(arriving), Arc::clone(capacity)];
    Some(derive(at_least("until unread records are deleted"), wire.at, &BY_SIZE, inputs, value))
}

/// The sites that what a consumer reads comes by.
pub(super) fn on_the_way(map: &Map, consumer: usize) -> Vec<bool> {
    let (mut before, mut next) = (vec![false; map.sites.len()], vec![consumer]);
    while let Some(site) = next.pop() {
        for wire in map.into(site).filter(|wire| !wire.back) {
            if !before[wire.from] {
                before[wire.from] = true;
                next.push(wire.from);
            }
        }
    }
    before
}

/// The jobs that read `from` on the way to the consumer; others that read it hold no replay up.
fn readers(map: &Map, from: usize, way: &[bool]) -> Vec<usize> {
    let wires = map.out_of(from).filter(|wire| !wire.back && way[wire.to]);
    let mut jobs: Vec<usize> = wires.filter_map(|wire| map.sites[wire.to].job).collect();
    sorted::sort(&mut jobs);
    jobs.dedup();
    jobs
}

/// How long a replay from so far back as `needed` can wait before it starts, by the reach of its results.
pub(super) fn start_within(
    map: &Map,
    rates: &Rates,
    (from, way): (usize, &[bool]),
    reach: &Derived,
    needed: &Arc<Explained>,
) -> Option<Derived> {
    let figure: Figure = at_least("until a replay has to start");
    let at = map.sites[from].at;
    let jobs = readers(map, from, way);
    if jobs.is_empty() {
        return None;
    }
    let speeds = jobs.iter().flat_map(|job| [recovery::input(map, rates, *job), recovery::capacity(map, *job)]);
    let inputs = super::need::all_of(figure.what, std::iter::once(reach.clone()).chain(speeds));
    Some(inputs.map(|inputs| {
        let (reach, speeds) = (inputs[0].value, &inputs[1..]);
        let keeps_up = speeds.chunks(2).all(|pair| pair.len() == 2 && pair[1].value >= pair[0].value);
        let value = replay::start_within(reach, needed.value, keeps_up);
        let inputs: Inputs = inputs.into_iter().chain([Arc::clone(needed)]).collect();
        derive(figure, at, &START_WITHIN, inputs, value)
    }))
}

/// Why no time is left to start a replay of what is needed, in words in place of a bare zero; `None`: some is left, or the
/// figure is another.
pub(in crate::analysis) fn none_left(within: &Explained) -> Option<&'static str> {
    if !within.made_by(&START_WITHIN) || within.value > 0.0 {
        return None;
    }
    let [reach, speeds @ .., needed] = within.inputs() else { return None };
    Some(if reach.value < needed.value {
        "none: part of what it needs is not kept"
    } else if speeds.chunks(2).any(|pair| pair.len() == 2 && pair[1].value < pair[0].value) {
        "none: a job reads less than arrives, so that the log start overtakes it"
    } else {
        "none to spare: it needs all that is kept"
    })
}

/// Time until a replay from so far back as `needed` has come to the present, through the jobs that read `from` on the way.
pub(super) fn replay(
    map: &Map,
    rates: &Rates,
    (from, way): (usize, &[bool]),
    needed: &Arc<Explained>,
) -> Option<Derived> {
    static SLOWEST: Formula =
        Formula { id: "REP-2.slowest", text: "of the slowest job", source: "all of them read the same log" };
    let figure: Figure = at_most("replay to the present");
    let at = map.sites[from].at;
    let jobs = readers(map, from, way);
    let (mut known, mut first) = (Vec::new(), None);
    for job in jobs {
        match all(figure.what, [recovery::input(map, rates, job), recovery::capacity(map, job)]) {
            Err(why) => first = first.or(Some(Err(why))),
            Ok([arriving, capacity]) => {
                let value = replay::time_to_head(needed.value, arriving.value, capacity.value);
                known.push(derive(
                    figure,
                    map.sites[job].at,
                    &TO_HEAD,
                    [Arc::clone(needed), arriving, capacity],
                    value,
                ));
            }
        }
    }
    match known.len() {
        0 => first,
        1 => known.pop().map(Ok),
        _ => Some(Ok(largest(figure, at, &SLOWEST, known))),
    }
}
