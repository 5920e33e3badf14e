//! Bytes that an operator keeps at its bound: entries × bytes an entry × space amplification.
//!
//! What is *not* here: how many entries each kind of operator keeps ([`super::windows`], [`super::keyed`],
//! [`super::joins`]).

use super::{
    engine::Engine,
    joins, keyed,
    map::{Map, Place},
    need::{Figure, all, all_of, as_is, bytes, count, derive, sum},
    rates::Rates,
    upstream::Upstream,
    windows,
};
use crate::{
    analysis::{
        OperatorReport,
        explain::{Derived, Explained, Formula, Missing, Underivable, Unit},
        formulas::{DAY, product, state as form},
    },
    model::{Element, Step, key},
};
use std::sync::Arc;

static LIVE: Formula = Formula {
    id: "D2.live",
    text: "entries × bytes per entry",
    source: "every entry is kept with its key and overhead",
};
/// State at its bound; inputs: live bytes, space amplification.
pub(crate) static STATE: Formula = Formula {
    id: "D2.state",
    text: "live bytes × space amplification",
    source: "RocksDB keeps overwritten and expired entries until compaction; 1.1 to 1.3 with leveled compaction, up to 2 with universal",
};
static WITHOUT_BOUND: Formula =
    Formula { id: "D2.unbounded", text: "no bound on the entries", source: "nothing ever removes an entry" };
static GROWTH: Formula = Formula {
    id: "ST-1.growth",
    text: "new entries a day × bytes per entry × space amplification",
    source: "nothing ever removes an entry",
};
static DAYS: Formula = Formula {
    id: "ST-1.days",
    text: "full days of (budget × instances − state now) ÷ growth per day",
    source: "entries spread evenly over instances",
};
static READ: Formula = Formula {
    id: "D2.read",
    text: "state size, largest reading",
    source: "measured: what it may grow to is not known",
};
static JOB: Formula = Formula {
    id: "D2.job",
    text: "sum over the operators",
    source: "a job's checkpoint holds the state of all its operators",
};
static BUDGET: Formula = Formula {
    id: "ST-1.budget",
    text: "budget of an instance × instances",
    source: "entries spread evenly over instances",
};

const BYTES: Figure = bytes("state");
const PER_DAY: Figure = Figure { what: "state growth", unit: Unit::BytesPerDay };

/// What an operator keeps: live entries at the bound, and new entries per second where nothing bounds them.
pub(super) struct Kept {
    pub entries: Derived,
    pub growth: Option<Derived>,
}

impl Kept {
    pub const fn bounded(entries: Derived) -> Self {
        Self { entries, growth: None }
    }

    /// Nothing bounds it; `new` entries come per second.
    pub fn without_bound(at: Place, what: &'static str, new: Derived) -> Self {
        let entries = derive(count(what), at, &WITHOUT_BOUND, [], f64::INFINITY);
        Self { entries: Ok(entries), growth: Some(new) }
    }
}

/// Everything the forms of state read.
pub(super) struct Around<'m, 'a> {
    pub map: &'m Map<'a>,
    pub rates: &'m Rates,
    pub upstream: &'m Upstream,
    pub site: usize,
    pub at: Place<'a>,
    pub engine: Engine,
}

/// The figures of an operator.
pub(super) fn operator(map: &Map, rates: &Rates, upstream: &Upstream, site: usize) -> OperatorReport {
    let at = map.sites[site].at;
    let around = Around { map, rates, upstream, site, at, engine: Engine::of(map, site) };
    let step = match map.sites[site].element {
        Element::Operator { step, .. } => *step,
        _ => Step::Map,
    };
    let kept = match step {
        Step::Deduplicate => Some(keyed::deduplication(&around)),
        Step::Aggregate => Some(windows::aggregate(&around)),
        Step::Join => joins::join(&around),
        Step::Custom => keyed::custom(&around),
        _ => None,
    };
    let input_rate = rates.into(site);
    let Some(kept) = kept else {
        return OperatorReport { state: None, entries: None, growth: None, full_in: None, input_rate };
    };
    let state = size(&around, kept.entries.clone()).or_else(|why| as_read(&around).ok_or(why));
    let growth = kept.growth.map(|new| growth(&around, new));
    let full_in = growth.as_ref().map(|growth| full_in(&around, growth.clone()));
    OperatorReport { state: Some(state), entries: Some(kept.entries), growth, full_in, input_rate }
}

fn entry(around: &Around) -> Derived {
    around.map.number(around.at, key::operator::ENTRY_SIZE, bytes("bytes per entry"))
}

fn amplification(around: &Around) -> Derived {
    let place = around.map.sites[around.site].job.map_or(around.at, |job| around.map.sites[job].at);
    around.map.number(place, key::job::SPACE_AMPLIFICATION, Figure { what: "space amplification", unit: Unit::Ratio })
}

/// Bytes as somebody read them, where no form gives a bound.
fn as_read(around: &Around) -> Option<Arc<Explained>> {
    let read = around.map.most(around.at, key::operator::STATE_SIZE, bytes("state, as read")).ok()?;
    Some(as_is(BYTES, around.at, &READ, read))
}

fn size(around: &Around, entries: Derived) -> Derived {
    // What only a reading of the whole tells needs no size of an entry.
    let only_read = |missing: &Missing| missing.field == key::operator::STATE_SIZE.field();
    if entries.as_ref().is_err_and(|why| why.missing.iter().any(only_read)) {
        return entries;
    }
    if let Ok(entries) = &entries
        && entries.unbounded()
    {
        return Ok(derive(BYTES, around.at, &WITHOUT_BOUND, [entries.clone()], f64::INFINITY));
    }
    let [entries, entry, amplification] = all(BYTES.what, [entries, entry(around), amplification(around)])?;
    let value = product(entries.value, entry.value);
    let live = derive(bytes("live state"), around.at, &LIVE, [entries, entry], value);
    let value = product(live.value, amplification.value);
    Ok(derive(BYTES, around.at, &STATE, [live, amplification], value))
}

fn growth(around: &Around, new: Derived) -> Derived {
    let [new, entry, amplification] = all(PER_DAY.what, [new, entry(around), amplification(around)])?;
    let value = form::growth_per_day(new.value, entry.value, amplification.value);
    Ok(derive(PER_DAY, around.at, &GROWTH, [new, entry, amplification], value))
}

/// Time until unbounded state fills what the job has for it, in seconds of full days.
fn full_in(around: &Around, growth: Derived) -> Derived {
    let figure = super::need::at_least("time until the state budget is full");
    let map = around.map;
    let job = map.sites[around.site].job.map_or(around.at, |job| map.sites[job].at);
    let budget = all(
        figure.what,
        [
            map.number(job, key::job::STATE_BUDGET, bytes("state budget of an instance")),
            map.most(job, key::job::INSTANCES, count("instances")),
        ],
    )
    .map(|[budget, instances]| {
        let value = product(budget.value, instances.value);
        derive(bytes("state budget"), job, &BUDGET, [budget, instances], value)
    });
    let now = map
        .most(around.at, key::operator::STATE_SIZE, bytes("state now"))
        .or_else(|_| map.most(job, key::job::STATE_SIZE, bytes("state now")));
    let [budget, now, growth] = all(figure.what, [budget, now, growth])?;
    let value = form::days_to_limit(budget.value, now.value, growth.value) * DAY;
    Ok(derive(figure, around.at, &DAYS, [budget, now, growth], value))
}

/// The state of a job: the sum over its operators; none where none keeps any.
pub(super) fn job<'r>(at: Place, operators: impl Iterator<Item = &'r OperatorReport>) -> Option<Derived> {
    let mut states: Vec<Derived> = operators.filter_map(|operator| operator.state.clone()).collect();
    match states.len() {
        0 => None,
        1 => states.pop(),
        _ => Some(all_of(BYTES.what, states).map(|states| sum(BYTES, at, &JOB, states))),
    }
}

/// Records that enter an operator per second, named for what they are to it.
pub(super) fn arriving(around: &Around) -> Derived {
    around.rates.into(around.site).map_err(|why| Underivable { what: "records in", ..why })
}
