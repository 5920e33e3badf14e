//! Time from a failure until a job has caught up, and after an outage of given length.
//!
//! Where a peak of what arrives is known, it counts: a job that reads less than the peak has no end while the peak
//! lasts. What is *not* here: daily profiles, for which a design has no setting.

use super::{
    checkpoint,
    engine::Engine,
    instance::{self, Kept},
    map::{Map, Site, Wire},
    need::{Figure, all, all_of, bytes, bytes_per_second, derive, lacks, largest, per_second, seconds, sum},
    rates::Rates,
};
use crate::{
    analysis::{
        ReadReport, Reports,
        explain::{Derived, Explained, Formula, MissingWhy, Underivable, Unit},
        formulas::{checkpoint::slowest, ratio, recovery as form},
    },
    model::{ElementKind, Known, key},
};
use std::sync::Arc;

const SIMULATED: &str = "what arrives while the job is down and what it reads again is worked off at the spare capacity; \
    checked against simulated recoveries";

/// Until a job reads again, term by term.
pub(crate) static DOWN: Formula = Formula {
    id: "DUR-4.down",
    text: "detection + rescheduling + restore",
    source: "one after the other; the slowest task sets the restore",
};
static RESTART: Formula =
    Formula { id: "DUR-4.restart", text: "restart time, as read", source: "failure to successful restore" };
static RESTORE: Formula = Formula {
    id: "DUR-4.restore",
    text: "state of the fullest instance ÷ restore rate",
    source: "instances read their parts back side by side, and the job goes on when the last one has",
};
static CATCH_UP: Formula = Formula {
    id: "DUR-5.catch_up",
    text: "(behind before + done again + down) × arriving ÷ (capacity − arriving)",
    source: SIMULATED,
};
static RECOVERY: Formula = Formula { id: "DUR-5.recovery", text: "down + catch-up", source: SIMULATED };
/// Catching up after an outage; inputs: the outage, what arrives, what is read.
pub(crate) static AFTER: Formula =
    Formula { id: "LAG-3", text: "outage × arriving ÷ (capacity − arriving)", source: SIMULATED };
static LOAD: Formula = Formula {
    id: "LAG.load",
    text: "arriving ÷ capacity",
    source: "what is above one waits, and no time-out changes that",
};
static DRAIN: Formula = Formula {
    id: "LAG-2",
    text: "records behind ÷ (capacity − arriving), where they lie as evenly over the instances as when capacity was measured",
    source: SIMULATED,
};
static ALL_BEHIND: Formula =
    Formula { id: "LAG.sum", text: "sum over what the job reads", source: "all of it passes the job" };
static INPUTS: Formula =
    Formula { id: "RATE.job", text: "sum over what the job reads", source: "all of it passes the job" };
static BEHIND: Formula = Formula {
    id: "LAG.most",
    text: "largest over what the job reads",
    source: "the slowest input is the last to catch up",
};

const ARRIVING: Figure = per_second("arriving");

/// What a job takes in per second, on average.
pub(super) fn input(map: &Map, rates: &Rates, job: usize) -> Derived {
    map.sites[job].shared.input.get_or_init(|| mean_input(map, rates, job)).clone()
}

fn mean_input(map: &Map, rates: &Rates, job: usize) -> Derived {
    let at = map.sites[job].at;
    let mut means = all_of(ARRIVING.what, map.reads(job).map(|wire| rates.on(map, wire)))?;
    match means.len() {
        0 => Err(lacks(ARRIVING.what, at, key::job::CAPACITY.field(), MissingWhy::NotKnown)),
        1 => Ok(means.swap_remove(0)),
        _ => Ok(sum(ARRIVING, at, &INPUTS, means)),
    }
}

/// What a job takes in per second: the peak where all of it is known, else the mean.
pub(super) fn arriving(map: &Map, rates: &Rates, job: usize) -> Derived {
    map.sites[job].shared.arriving.get_or_init(|| most_input(map, rates, job)).clone()
}

fn most_input(map: &Map, rates: &Rates, job: usize) -> Derived {
    let at = map.sites[job].at;
    let peaks: Option<Vec<_>> = map.reads(job).map(|wire| rates.peak_on(map, wire)).collect();
    match peaks.filter(|peaks| !peaks.is_empty()) {
        Some(mut peaks) if peaks.len() == 1 => Ok(peaks.swap_remove(0)),
        Some(peaks) => Ok(sum(ARRIVING, at, &INPUTS, peaks)),
        None => input(map, rates, job),
    }
}

/// Is a peak known of everything that a job reads?
pub(super) fn peak_known(map: &Map, rates: &Rates, job: usize) -> bool {
    let mut reads = map.reads(job).peekable();
    reads.peek().is_some() && reads.all(|wire| rates.peak_on(map, wire).is_some())
}

pub(super) fn capacity(map: &Map, job: usize) -> Derived {
    let Site { at, shared, .. } = &map.sites[job];
    let capacity = || {
        let mean = map.mean(*at, key::job::CAPACITY, per_second("capacity"));
        mean.or_else(|_| map.most(*at, key::job::CAPACITY, per_second("capacity")))
    };
    shared.capacity.get_or_init(capacity).clone()
}

/// Time until the job reads again.
fn down(map: &Map, job: usize, kept: Option<Kept<'_>>) -> Derived {
    let at = map.sites[job].at;
    let figure = seconds("down");
    let restart = || {
        let restart = map.most(at, key::job::RESTART_TIME, seconds("restart time"))?;
        let value = restart.value;
        Ok(derive(figure, at, &RESTART, [restart], value))
    };
    if Engine::of(map, job) == Engine::Streams && kept.is_some() {
        // A restore reads whole changelogs, overwritten entries and all: only a reading tells.
        return restart();
    }
    let detection = map.number(at, key::job::DETECTION_TIME, seconds("detection")).or_else(|why| {
        match map.get(at, key::job::SESSION_TIMEOUT) {
            Known::Value(fact) => {
                let value = fact.value.secs();
                let how = "a member is given up after its session timeout";
                Ok(Explained::fact_by("detection", figure.unit, &fact, value, how))
            }
            _ => Err(why),
        }
    });
    let inputs =
        [detection, map.number(at, key::job::RESCHEDULE_TIME, seconds("rescheduling")), restore(map, job, kept)];
    match all(figure.what, inputs) {
        Ok([detection, rescheduling, restore]) => {
            let value = form::down(detection.value, rescheduling.value, restore.value);
            Ok(derive(figure, at, &DOWN, [detection, rescheduling, restore], value))
        }
        Err(why) => restart().map_err(|_: Underivable| why),
    }
}

/// Time until the last instance has read its part of the state back; the rate is that of one.
pub(super) fn restore(map: &Map, job: usize, kept: Option<Kept<'_>>) -> Derived {
    let at = map.sites[job].at;
    let figure = seconds("restore");
    let Some(kept) = kept else {
        return Ok(Explained::constant(figure.what, figure.unit, 0.0, "the job keeps no state"));
    };
    let state = map.most(at, key::job::STATE_SIZE, bytes("state, as read")).or_else(|_| kept.all.clone());
    let state = instance::fullest_instance(map, job, state, kept.task);
    let rate = map.number(at, key::job::RESTORE_RATE, bytes_per_second("restore rate"));
    let [state, rate] = all(figure.what, [state, rate])?;
    let value = slowest(&[(state.value, rate.value)]);
    Ok(derive(figure, at, &RESTORE, [state, rate], value))
}

/// What arrives over what the job does.
pub(super) fn load(map: &Map, rates: &Rates, job: usize) -> Derived {
    let figure = Figure { what: "arriving over capacity", unit: Unit::Ratio };
    let [arriving, capacity] = all(figure.what, [arriving(map, rates, job), capacity(map, job)])?;
    let value = ratio(arriving.value, capacity.value);
    Ok(derive(figure, map.sites[job].at, &LOAD, [arriving, capacity], value))
}

/// Time to work off what the job is behind, as far as that was read.
pub(super) fn drain(map: &Map, rates: &Rates, reads: &Reports<ReadReport>, job: usize) -> Option<Derived> {
    let at = map.sites[job].at;
    let figure = seconds("until the backlog is worked off");
    let logs = map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel && !wire.back);
    let read = logs.map(|wire| match reads.get(wire.at.id) {
        Some(read) => read.behind.clone(),
        None => Err(lacks(figure.what, wire.at, key::read::LAG.field(), MissingWhy::NotKnown)),
    });
    let read: Vec<Derived> = read.collect();
    if read.iter().all(Result::is_err) {
        return None;
    }
    let behind = all_of(figure.what, read).map(|mut read| match read.len() {
        1 => read.swap_remove(0),
        _ => sum(Figure { what: "records behind", unit: Unit::Records }, at, &ALL_BEHIND, read),
    });
    let inputs = all(figure.what, [behind, input(map, rates, job), capacity(map, job)]);
    Some(inputs.map(|[behind, arriving, capacity]| {
        let value = form::drain(behind.value, arriving.value, capacity.value);
        derive(figure, at, &DRAIN, [behind, arriving, capacity], value)
    }))
}

/// How far the job was behind before it failed, in time: as read, else by the records that it was behind; an input of which
/// neither is known is taken to be read to its head, as an assumption.
fn behind(map: &Map, reads: &Reports<ReadReport>, job: usize) -> Arc<Explained> {
    let figure = seconds("behind before the failure");
    let logs = map.reads(job).filter(|wire| map.sites[wire.from].element.kind() == ElementKind::Channel && !wire.back);
    let mut known: Vec<_> = logs.map(|wire| lag(map, reads, wire)).collect();
    let open = known.iter().any(Result::is_err);
    known.retain(Result::is_ok);
    let mut known: Vec<_> = known.into_iter().flatten().collect();
    if known.is_empty() {
        return at_the_head(figure.what);
    }
    if open {
        known.push(at_the_head("behind in the other inputs"));
    }
    largest(figure, map.sites[job].at, &BEHIND, known)
}

/// Lag in time of one reader: as read, else by its records.
pub(super) fn lag(map: &Map, reads: &Reports<ReadReport>, wire: &Wire) -> Derived {
    let read = map.most(wire.at, key::read::LAG_TIME, seconds("lag"));
    read.or_else(|why| reads.get(wire.at.id).and_then(|read| read.behind_time.clone().ok()).ok_or(why))
}

/// No lag, where nobody read one.
pub(super) fn at_the_head(what: &'static str) -> Arc<Explained> {
    let reason = "lag is not measured: the job is taken to be at the head of its input";
    Explained::assumed(what, None, Unit::Seconds, 0.0, reason)
}

/// Time from a failure until the job has caught up.
pub(super) fn recovery(
    map: &Map,
    rates: &Rates,
    reads: &Reports<ReadReport>,
    job: usize,
    kept: Option<Kept<'_>>,
) -> Derived {
    let at = map.sites[job].at;
    let figure = seconds("recovery time");
    let inputs =
        [down(map, job, kept), checkpoint::rewind(map, rates, job), arriving(map, rates, job), capacity(map, job)];
    let [down, rewind, arriving, capacity] = all(figure.what, inputs)?;
    let behind = behind(map, reads, job);
    let backlog = form::needs_back(behind.value, rewind.value, down.value);
    let catch_up = form::catch_up(backlog, arriving.value, capacity.value);
    let value = form::recovery(down.value, behind.value, rewind.value, arriving.value, capacity.value);
    let inputs = vec![behind, rewind, down.clone(), arriving, capacity];
    let catch_up = derive(seconds("catch-up"), at, &CATCH_UP, inputs, catch_up);
    Ok(derive(figure, at, &RECOVERY, [down, catch_up], value))
}

/// Time to catch up after the longest outage that the design must survive.
pub(super) fn catch_up(map: &Map, rates: &Rates, job: usize) -> Derived {
    let at = map.sites[job].at;
    let figure = seconds("catch-up after the longest outage");
    let outage = map.number(at, key::job::LONGEST_OUTAGE, seconds("longest outage"));
    let [outage, arriving, capacity] = all(figure.what, [outage, arriving(map, rates, job), capacity(map, job)])?;
    let value = form::catch_up(outage.value, arriving.value, capacity.value);
    Ok(derive(figure, at, &AFTER, [outage, arriving, capacity], value))
}
