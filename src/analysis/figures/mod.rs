//! The numbers of a report: what each element of a design keeps, needs and takes, with basis and source.
//!
//! [`super::formulas`] holds the arithmetic; here its inputs are found in a design, in a view. Missing inputs are named,
//! never replaced by a product's default; where a formula needs a small term that nobody measures as a rule, it is taken
//! as none, as an assumption that stands in the explanation and in the basis. What is *not* here: delivery.

mod checkpoint;
mod engine;
mod joins;
mod keyed;
mod latency;
mod lookback;
mod map;
mod need;
mod parallelism;
mod rates;
mod reach;
mod recovery;
mod replay;
mod sinks;
mod state;
#[cfg(test)]
mod tests;
mod upstream;
mod waits;
mod windows;

use super::{
    ChannelReport, JobReport, OperatorReport, ReplayStart, SinkReport,
    explain::{Derived, Missing},
};
use crate::model::{Design, Element, Id, View};
use latency::{Latencies, Latency};
use map::Map;
use rates::Rates;
use replay::Replays;
use std::collections::BTreeMap;
use upstream::Upstream;

/// Figures of all elements of a design in one view.
#[derive(Debug, Default)]
pub struct Figures {
    /// Figures of channels.
    pub channels: BTreeMap<Id, ChannelReport>,
    /// Figures of operators.
    pub operators: BTreeMap<Id, OperatorReport>,
    /// Figures of jobs.
    pub jobs: BTreeMap<Id, JobReport>,
    /// Figures of sinks.
    pub sinks: BTreeMap<Id, SinkReport>,
    /// Figures of consumers.
    pub consumers: BTreeMap<Id, ConsumerFigures>,
}

/// Figures of a consumer: the parts of its report of these names.
#[derive(Debug)]
pub struct ConsumerFigures {
    /// Latency up to it.
    pub latency: Derived,
    /// What would close the hops without a figure.
    pub latency_open: Vec<Missing>,
    /// Where its results can be made again from.
    pub replay: Vec<ReplayStart>,
}

impl Figures {
    /// Works out all figures.
    #[must_use]
    pub fn of(design: &Design, view: View) -> Self {
        let map = Map::of(design, view);
        let rates = Rates::of(&map);
        let upstream = Upstream::of(&map);
        let mut figures = Self::default();
        for (number, site) in map.sites.iter().enumerate() {
            let id = || site.at.id.clone();
            match site.element {
                Element::Channel { .. } => {
                    figures.channels.insert(id(), reach::channel(&map, number));
                }
                Element::Operator { .. } => {
                    figures.operators.insert(id(), state::operator(&map, &rates, &upstream, number));
                }
                Element::Sink => {
                    figures.sinks.insert(id(), SinkReport { write: sinks::write(&map, number) });
                }
                _ => {}
            }
        }
        for (number, site) in map.sites.iter().enumerate() {
            if matches!(site.element, Element::Job) {
                let job = figures.job(&map, &rates, number);
                figures.jobs.insert(site.at.id.clone(), job);
            }
        }
        figures.consumers(&map, &upstream);
        figures
    }

    fn consumers(&mut self, map: &Map, upstream: &Upstream) {
        let latencies = Latencies::of(map, upstream);
        let replays = Replays::of(map, &self.channels);
        for (number, site) in map.sites.iter().enumerate() {
            if matches!(site.element, Element::Consumer { .. }) {
                let Latency { figure: latency, open: latency_open } = latencies.consumer(map, number);
                let replay = replays.consumer(map, number);
                self.consumers.insert(site.at.id.clone(), ConsumerFigures { latency, latency_open, replay });
            }
        }
    }

    fn job(&self, map: &Map, rates: &Rates, job: usize) -> JobReport {
        let site = &map.sites[job];
        let operators = site.operators.iter().filter_map(|operator| self.operators.get(map.sites[*operator].at.id));
        let state = state::job(site.at, operators);
        let checkpoints = checkpoint::checkpoints(map, job);
        JobReport {
            checkpoint: checkpoints.then(|| checkpoint::duration(map, site.at)),
            rewind: Some(checkpoint::rewind(map, job)),
            recovery: recovery::recovery(map, rates, job, state.as_ref()),
            parallelism_cap: parallelism::cap(map, job),
            catch_up: recovery::catch_up(map, rates, job),
            outage_bound: checkpoint::outage_bound(map, job),
            required_timeout: checkpoint::required_timeout(map, job),
            state,
        }
    }
}
