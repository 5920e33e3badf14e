//! Longest time from an event to its first result at a consumer: the sum of the longest waits on the slowest way.
//!
//! A hop whose wait nobody measured or set has no figure: the sum then is "at least", and what would close it is named.
//! What is *not* here: percentiles (they do not add), and lag after a failure.

mod commits;
mod hops;
mod isolation;
mod lag_room;

use super::{
    map::{Map, Wire},
    need::{Figure, at_least, at_most, lacks, seconds},
    rates::Rates,
    upstream::Upstream,
    waits::{self, Awaited},
};
use crate::{
    analysis::explain::{Derived, Explained, Formula, Missing, MissingWhy, Underivable},
    model::{key, words::Isolation},
};
use isolation::{ByIsolation, of_reader};
pub(super) use lag_room::lag_room;
use std::sync::Arc;

static TOTAL: Formula = Formula {
    id: "LAT-E2.total",
    text: "sum of the longest waits on the slowest way",
    source: "maxima add to a bound",
};
static AT_LEAST: Formula = Formula {
    id: "LAT-E2.at_least",
    text: "at least the sum of the longest waits that are known; hops without a figure come on top",
    source: "maxima add to a bound",
};
const LAG: Figure = seconds("lag");

/// Most hops without a figure that are named.
const MOST_OPEN: usize = 8;

/// The wait at one hop: known terms, and what has no figure.
#[derive(Clone, Default)]
pub(super) struct Wait {
    pub terms: Vec<Arc<Explained>>,
    pub open: Vec<Missing>,
}

impl Wait {
    /// Adds a term, or what is missing for it.
    pub fn add(&mut self, term: Derived) {
        match term {
            Ok(term) => self.terms.push(term),
            Err(why) => self.open.extend_from_slice(&why.missing),
        }
    }

    fn total(&self) -> f64 {
        self.terms.iter().map(|term| term.value).sum()
    }
}

/// What has come together up to a site: the longest of all ways, and whether any of them is open.
#[derive(Clone, Default)]
struct Way {
    total: f64,
    open: bool,
    /// The wire that the slowest way comes in by.
    by: Option<usize>,
}

/// Latency of a consumer, and the hops on its slowest way without a figure: where there are any, it is "at least".
pub(super) struct Latency {
    pub figure: Derived,
    pub open: Vec<Missing>,
}

/// Ways to all sites of a map, by the isolation of who reads there, and the waits that they are made of.
pub(super) struct Latencies {
    ways: Vec<ByIsolation<Way>>,
    wires: Vec<ByIsolation<Wait>>,
    sites: Vec<Wait>,
}

impl Latencies {
    pub fn of(map: &Map, rates: &Rates, upstream: &Upstream, awaited: Awaited) -> Self {
        let wires = map.wires.iter().map(|wire| hops::hop(map, rates, wire)).collect();
        let sites = (0..map.sites.len()).map(|site| waits::operator(map, upstream, site, awaited)).collect();
        let mut latencies = Self { ways: vec![ByIsolation::default(); map.sites.len()], wires, sites };
        for site in map.order {
            let slowest = |isolation| latencies.slowest(map, *site, isolation);
            let apart = map.sites[*site].ins.iter().any(|wire| latencies.wires[*wire].uncommitted.is_some());
            let uncommitted = apart.then(|| slowest(Isolation::ReadUncommitted));
            latencies.ways[*site] = ByIsolation { committed: slowest(Isolation::ReadCommitted), uncommitted };
        }
        latencies
    }

    fn slowest(&self, map: &Map, site: usize, isolation: Isolation) -> Way {
        let mut way = Way::default();
        for number in map.sites[site].ins {
            let wire = &map.wires[*number];
            if wire.back {
                continue;
            }
            let (before, hop) = (self.ways[wire.from].of(of_reader(map, wire)), self.wires[*number].of(isolation));
            let own = self.own(wire);
            let total = before.total + hop.total() + own.map_or(0.0, Wait::total);
            way.open |= before.open || !hop.open.is_empty() || own.is_some_and(|own| !own.open.is_empty());
            if way.by.is_none() || total > way.total {
                (way.total, way.by) = (total, Some(*number));
            }
        }
        way
    }

    /// The wait of the operator that a wire leaves: late, rejected and side records do not wait for a window.
    fn own(&self, wire: &Wire) -> Option<&Wait> {
        wire.link.port.is_none().then(|| &self.sites[wire.from])
    }

    /// The latency that a consumer sees.
    pub fn consumer(&self, map: &Map, site: usize) -> Latency {
        // From the consumer back to where its events begin.
        let mut waits: Vec<&Wait> = Vec::with_capacity(16);
        let whole = &self.ways[site].committed;
        let (mut next, mut isolation) = (whole.by, Isolation::ReadCommitted);
        while let Some(number) = next {
            let wire = &map.wires[number];
            waits.extend([Some(self.wires[number].of(isolation)), self.own(wire)].into_iter().flatten());
            isolation = of_reader(map, wire);
            next = self.ways[wire.from].of(isolation).by;
        }
        let mut terms = Vec::with_capacity(waits.iter().map(|wait| wait.terms.len()).sum());
        for wait in waits.iter().rev() {
            terms.extend_from_slice(&wait.terms);
        }
        let mut open: Vec<Missing> = waits.iter().rev().flat_map(|wait| &wait.open).take(MOST_OPEN).cloned().collect();
        if open.is_empty() && whole.open {
            open = self.beside(map, site);
            open.truncate(MOST_OPEN);
        }
        let at = map.sites[site].at;
        let figure = at_most("latency");
        if terms.is_empty() {
            let missing = if open.is_empty() {
                let why = MissingWhy::NoForm("nothing on the way here waits by a known setting; draw what leads here");
                lacks(figure.what, at, key::consumer::LATENCY_REQUIREMENT.field(), why)
            } else {
                Underivable { what: figure.what, missing: open.clone().into() }
            };
            return Latency { figure: Err(missing), open };
        }
        let slowest = terms
            .iter()
            .enumerate()
            .fold((0, f64::NEG_INFINITY), |best, (i, term)| if term.value > best.1 { (i, term.value) } else { best });
        let (formula, figure) = if whole.open { (&AT_LEAST, at_least(figure.what)) } else { (&TOTAL, figure) };
        let value = terms.iter().map(|term| term.value).sum();
        let figure = Explained::derive(figure.what, Some(at.id), figure.unit, formula, terms, value, Some(slowest.0));
        Latency { figure: Ok(figure), open }
    }
}

impl Latencies {
    /// What is open on the other ways: each of them may be the slowest one.
    fn beside(&self, map: &Map, site: usize) -> Vec<Missing> {
        let (mut open, mut gone) = (Vec::<Missing>::new(), vec![false; map.sites.len()]);
        let mut next = vec![(site, Isolation::ReadCommitted)];
        while let Some((site, isolation)) = next.pop() {
            for number in map.sites[site].ins.iter().filter(|number| !map.wires[**number].back) {
                let wire = &map.wires[*number];
                for wait in [Some(self.wires[*number].of(isolation)), self.own(wire)].into_iter().flatten() {
                    open.extend_from_slice(&wait.open);
                }
                let before = of_reader(map, wire);
                if self.ways[wire.from].of(before).open && !gone[wire.from] && open.len() < MOST_OPEN {
                    gone[wire.from] = true;
                    next.push((wire.from, before));
                }
            }
        }
        open
    }
}
