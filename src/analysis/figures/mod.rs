//! The numbers of a report: what each element of a design keeps, needs and takes, with basis and source.
//!
//! [`super::formulas`] holds the arithmetic; here its inputs are found in a design, in a view. Missing inputs are named,
//! never replaced by a product's default; where a formula needs a small term that nobody measures as a rule, it is taken
//! as none, as an assumption that stands in the explanation and in the basis. What is *not* here: delivery.

mod batches;
mod changelog;
mod checkpoint;
mod clients;
mod comparisons;
mod deploy;
mod engine;
mod instance;
mod joins;
mod keyed;
mod latency;
mod lookback;
mod map;
pub(crate) mod names;
mod need;
mod parallelism;
mod partitions;
mod race;
mod rates;
mod reach;
mod reads;
mod rebalance;
mod recovery;
mod replay;
mod silence;
mod sinks;
mod skew;
mod source;
mod state;
pub mod stay;
#[cfg(test)]
mod tests;
mod upstream;
mod waits;
mod windows;

use super::{
    ChannelReport, ComparisonReport, JobReport, OperatorReport, ReadReport, ReplayStart, Reports, SinkReport,
    SourceReport,
    explain::{Derived, Missing},
    graph::Graph,
};
use crate::model::{ElementKind, Id};
use crate::sorted::SortedMap;
use latency::{Latencies, Latency};
use map::{Map, Site};
pub(super) use race::none_left;
use rates::Rates;
use replay::Replays;
use upstream::Upstream;
use waits::Awaited;

/// Formulas that are known by others: to read an explanation, or to make the same figure of other inputs.
pub(crate) mod made_by {
    pub(crate) use super::{
        race::RACE as LOST_IN,
        reach::{
            BY_SIZE as KEPT_BY_SIZE, COMPACTED as EVERY_VERSION, FROM_APPEND as KEPT_FROM_APPEND,
            GUARANTEED as KEPT_AT_LEAST, KEYS_STAY,
        },
        recovery::{AFTER as CATCH_UP_AFTER, DOWN},
        replay::{LESS as LESS_LOOK_BACK, NEEDED as ALL_NEEDED},
        state::STATE,
    };
}

/// Figures of all elements of a design in one view.
#[derive(Debug, Default)]
pub struct Figures {
    /// Figures of channels.
    pub channels: Reports<ChannelReport>,
    /// Figures of operators.
    pub operators: Reports<OperatorReport>,
    /// Figures of jobs.
    pub jobs: Reports<JobReport>,
    /// Figures of sinks.
    pub sinks: Reports<SinkReport>,
    /// Figures of consumers.
    pub consumers: SortedMap<Id, ConsumerFigures>,
    /// Figures of comparisons, by link.
    pub comparisons: Reports<ComparisonReport>,
    /// Where readers stand, by link.
    pub reads: Reports<ReadReport>,
    /// Figures of sources.
    pub sources: Reports<SourceReport>,
}

/// Figures of a consumer: the parts of its report of these names.
#[derive(Debug)]
pub struct ConsumerFigures {
    /// Latency up to it.
    pub latency: Derived,
    /// What would close the hops without a figure.
    pub latency_open: Vec<Missing>,
    /// Lag that its limit for latency leaves.
    pub lag_room: Option<Derived>,
    /// When it can take a window for complete, and what is open about it.
    pub complete: Option<(Derived, Vec<Missing>)>,
    /// Where its results can be made again from.
    pub replay: Vec<ReplayStart>,
}

impl Figures {
    /// Works out all figures.
    #[must_use]
    pub fn of(graph: &Graph<'_>) -> Self {
        let map = Map::of(graph);
        let rates = Rates::of(&map);
        let upstream = Upstream::of(&map);
        let operators: Reports<OperatorReport> =
            collect(&map, ElementKind::Operator, |site| state::operator(&map, &rates, &upstream, site));
        let channels: Reports<ChannelReport> = collect(&map, ElementKind::Channel, |site| {
            let report = reach::channel(&map, &rates, site);
            let on_disk = report.on_disk.clone().or_else(|| changelog::on_disk(&map, &operators, site));
            ChannelReport { on_disk, ..report }
        });
        let sinks = collect(&map, ElementKind::Sink, |site| SinkReport { write: sinks::write(&map, site) });
        let wires = map.wires.iter();
        let reads = wires.filter_map(|wire| Some((wire.at.id.clone(), reads::read(&map, &rates, wire)?))).collect();
        let known = Known { channels: &channels, operators: &operators, reads: &reads };
        let jobs = collect(&map, ElementKind::Job, |site| job(&map, &rates, known, site));
        let sources: Reports<SourceReport> = collect(&map, ElementKind::Source, |site| source::source(&map, site));
        let latencies = |awaited| Latencies::of(&map, &rates, &upstream, awaited);
        let (first, replays) = (latencies(Awaited::First), Replays::of(&map, &channels, &sources));
        // Where every window sends one result, the first is the last.
        let early = (0..map.sites.len()).any(|site| waits::sends_early(&map, site));
        let last = early.then(|| latencies(Awaited::Final));
        let consumers = collect(&map, ElementKind::Consumer, |site| {
            let latency = first.consumer(&map, site);
            let lag_room = latency::lag_room(&map, site, &latency.figure);
            let complete = match &last {
                Some(last) => comparisons::complete(&map, &last.consumer(&map, site), site),
                None => comparisons::complete(&map, &latency, site),
            };
            let Latency { figure: latency, open: latency_open } = latency;
            let replay = replays.consumer(&map, &rates, site);
            ConsumerFigures { latency, latency_open, lag_room, complete, replay }
        });
        let (compared, last) = (graph.comparisons.iter(), last.as_ref().unwrap_or(&first));
        let comparisons = compared.map(|edge| (edge.id.clone(), comparisons::comparison(&map, last, edge))).collect();
        Self { channels, operators, jobs, sinks, consumers, comparisons, reads, sources }
    }
}

/// A report for each site of a kind, in id order.
fn collect<T, R: FromIterator<(Id, T)>>(map: &Map, kind: ElementKind, report: impl Fn(usize) -> T) -> R {
    let of_kind = |(_, site): &(usize, &Site)| site.element.kind() == kind;
    let sites = map.sites.iter().enumerate().filter(of_kind);
    sites.map(|(number, site)| (site.at.id.clone(), report(number))).collect()
}

/// Figures that those of a job are made from.
#[derive(Clone, Copy)]
struct Known<'f> {
    channels: &'f Reports<ChannelReport>,
    operators: &'f Reports<OperatorReport>,
    reads: &'f Reports<ReadReport>,
}

fn job(map: &Map, rates: &Rates, known: Known<'_>, job: usize) -> JobReport {
    let site = &map.sites[job];
    let operators = site.operators.iter().filter_map(|operator| known.operators.get(map.sites[*operator].at.id));
    let state = state::job(site.at, operators);
    let task = instance::task(map, &known, job);
    let kept = state.as_ref().map(|all| instance::Kept { all, task: task.as_ref() });
    let checkpoints = checkpoint::checkpoints(map, job);
    let skew::Load { key: key_load, partition: partition_load, reader: busiest_instance } =
        skew::load(map, rates, known.channels, job);
    JobReport {
        checkpoint: checkpoints.then(|| checkpoint::duration(map, job)),
        rewind: Some(checkpoint::rewind(map, rates, job)),
        recovery: recovery::recovery(map, rates, known.reads, job, kept),
        parallelism_cap: parallelism::cap(map, job),
        catch_up: recovery::catch_up(map, rates, job),
        outage_bound: checkpoint::outage_bound(map, job),
        required_timeout: checkpoint::required_timeout(map, job),
        key_load,
        partition_load,
        busiest_instance,
        key_groups: skew::key_groups(map, job),
        lost_in: race::loss(map, rates, &known, job),
        load: recovery::load(map, rates, job),
        peak_known: recovery::peak_known(map, rates, job),
        drain: recovery::drain(map, rates, known.reads, job),
        fetched: clients::fetched(map, job),
        poll: clients::poll(map, job),
        input_rate: recovery::input(map, rates, job),
        state_of_instance: state.as_ref().map(|state| instance::state(map, job, state)),
        store_memory: instance::stores(map, job),
        rebalance: rebalance::one(map, job),
        deploy_standstill: rebalance::deploy(map, job),
        crash_standstill: rebalance::crash(map, job),
        deploy_pause: deploy::pause(map, job, kept),
        checkpoint_size: state.as_ref().filter(|_| checkpoints).map(|state| checkpoint::size(map, job, state)),
        state_of_task: task,
        state,
    }
}
