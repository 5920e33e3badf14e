//! From where, and how far back, the results that a consumer reads can be made again.
//!
//! Starts travel along the links: a channel and a source's own log are starts; an operator takes its lookback off; where
//! several inputs meet, all of them are needed, so the least counts. Each age is that of the end of a result. What is
//! *not* here: whether the replay may be run (halts), how long it takes, the order of its steps.

use super::{
    lookback::{self, Lookback},
    map::{Map, Wire},
    names,
    need::{Figure, all, all_of, as_is, at_least, derive, largest, one_of, seconds},
    race,
    rates::Rates,
    reach,
};
use crate::sorted;
use crate::{
    analysis::{
        ChannelReport, ReplayStart, Reports, SourceReport, Usable,
        explain::{Derived, Formula, Missing, MissingWhy},
        formulas::replay as form,
    },
    model::{
        Element, ElementKind, Known, Step, key,
        words::{CleanupPolicy, Determinism, Rebuild},
    },
};
use std::{borrow::Cow, cmp::Ordering, rc::Rc};

/// Most starts that are followed through one site: the farthest.
const MOST_STARTS: usize = 8;

const REACH: Figure = at_least("results can be made again");

const REPLAYED: &str = "results of replays compared with the full run over 4 000 simulated pipelines";

/// A reach behind an operator; inputs: the reach before it, its look-back.
pub(crate) static LESS: Formula =
    Formula { id: "E5.lookback", text: "reach before − lookback, by the end of the result", source: REPLAYED };
/// The reach where several inputs are needed.
pub(crate) static NEEDED: Formula = Formula { id: "E5.and", text: "least over all inputs needed", source: REPLAYED };
static RETAINED: Formula = Formula {
    id: "MAN-3",
    text: "retention time of the subscription, which keeps what was acknowledged",
    source: "Google Cloud Pub/Sub documentation, Replay and purge messages with seek",
};
static COPIES: Formula =
    Formula { id: "E5.dedup.sources", text: "largest over the sources", source: "copies of any source can come" };

/// A place that a replay can start at, as it reaches a site.
#[derive(Clone)]
struct Start {
    from: usize,
    /// Without filling de-duplication first.
    reach: Rc<Derived>,
    /// With it.
    filled: Rc<Derived>,
    through: Through,
}

/// What a replay passes on its way.
#[derive(Clone, Copy, Default)]
struct Through {
    computes: bool,
    keeps_state: bool,
    deduplicates: bool,
    looks_up_today: bool,
    /// The step that gives other keys on a second run.
    key_varies: Option<usize>,
    /// The store that decides whether results can be written over.
    store: Store,
}

/// A store on the way of a replay, by whether what it holds can be written over or shadowed. Sorts from the best to the worst.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Store {
    /// It can, or there is none.
    #[default]
    Replaces,
    /// Nobody said.
    NotKnown(usize),
    /// It cannot.
    Stays(usize),
}

impl Through {
    fn and(self, other: Self) -> Self {
        Self {
            computes: self.computes || other.computes,
            keeps_state: self.keeps_state || other.keeps_state,
            deduplicates: self.deduplicates || other.deduplicates,
            looks_up_today: self.looks_up_today || other.looks_up_today,
            key_varies: self.key_varies.or(other.key_varies),
            store: self.store.max(other.store),
        }
    }
}

/// Farthest first; what is not derivable last.
fn by_reach(a: &Start, b: &Start) -> Ordering {
    let value = |start: &Start| start.reach.as_ref().as_ref().map_or(-1.0, |figure| figure.value);
    value(b).total_cmp(&value(a)).then_with(|| b.from.cmp(&a.from))
}

/// Starts at all sites of a map.
pub(super) struct Replays {
    starts: Vec<Vec<Start>>,
}

impl Replays {
    pub fn of(map: &Map, channels: &Reports<ChannelReport>, sources: &Reports<SourceReport>) -> Self {
        let copies = copies(map);
        let mut replays = Self { starts: vec![Vec::new(); map.sites.len()] };
        for site in map.order {
            let site = *site;
            let mut starts = match map.sites[site].element {
                Element::Job | Element::Consumer { .. } => continue,
                _ => replays.meet(map, site, &copies),
            };
            let own = match map.sites[site].element {
                Element::Channel { .. } => {
                    channels.get(map.sites[site].at.id).map(|channel| reach::history(map, site, channel))
                }
                Element::Source { .. } => sources.get(map.sites[site].at.id).map(|source| source.reach.clone()),
                _ => None,
            };
            if let Some(own) = own {
                let own = Rc::new(own);
                starts.push(Start { from: site, reach: own.clone(), filled: own, through: Through::default() });
            }
            sorted::sort_by(&mut starts, by_reach);
            starts.truncate(MOST_STARTS);
            replays.starts[site] = starts;
        }
        replays
    }

    /// The starts of all inputs of a site, each with all other inputs that it needs.
    fn meet(&self, map: &Map, site: usize, copies: &[Option<Rc<Derived>>]) -> Vec<Start> {
        let mut inputs: Vec<Vec<Start>> = Vec::with_capacity(map.sites[site].ins.len());
        let mut passed = through(map, site);
        for wire in map.into(site).filter(|wire| !wire.back) {
            let lookback = lookback::of(map, wire, copies[wire.from].as_deref());
            if matches!(lookback, Lookback::Today) {
                passed.looks_up_today = true;
            } else {
                let starts = self.starts[wire.from].iter().map(|start| retained(map, wire, start));
                inputs.push(starts.map(|start| behind(map, site, &start, &lookback)).collect());
            }
        }
        let mut met = if inputs.len() == 1 { inputs.swap_remove(0) } else { together(map, site, &inputs) };
        for start in &mut met {
            start.through = start.through.and(passed);
        }
        met
    }

    /// The starts of a consumer, farthest first.
    pub fn consumer(&self, map: &Map, rates: &Rates, site: usize) -> Vec<ReplayStart> {
        let mut found: Vec<(Start, usize)> = Vec::new();
        for wire in map.into(site) {
            for start in self.starts[wire.from].iter().map(|start| retained(map, wire, start)) {
                match found.iter_mut().find(|(known, _)| known.from == start.from) {
                    Some((known, by)) if by_reach(known, &start).is_lt() => (*known, *by) = (start, wire.from),
                    Some(_) => {}
                    None => found.push((start, wire.from)),
                }
            }
        }
        sorted::sort_by(&mut found, |a, b| by_reach(&a.0, &b.0));
        let needed = map.number(map.sites[site].at, key::consumer::REPLAY_NEEDED, seconds("replay needed")).ok();
        let way = needed.as_ref().map_or(Vec::new(), |_| race::on_the_way(map, site));
        let one = |(start, read): (Start, usize)| {
            let duration = needed.as_ref().filter(|_| start.through.computes);
            let duration = duration.and_then(|needed| race::replay(map, rates, (start.from, &way), needed));
            let start_within = needed
                .as_ref()
                .and_then(|needed| race::start_within(map, rates, (start.from, &way), &start.reach, needed));
            ReplayStart { duration, start_within, ..published(map, &start, read) }
        };
        found.into_iter().map(one).collect()
    }
}

/// What passing a site means. An id that is not said to be made from the event is a new one on a second run.
fn through(map: &Map, site: usize) -> Through {
    let at = map.sites[site].at;
    let step = match map.sites[site].element {
        Element::Operator { step, .. } => step,
        Element::Sink => {
            let store = match map.value(at, key::sink::REBUILD) {
                Some(Rebuild::Overwrite | Rebuild::Shadow) => Store::Replaces,
                Some(Rebuild::AppendOnly | Rebuild::Irreversible) => Store::Stays(site),
                None => Store::NotKnown(site),
            };
            return Through { store, ..Through::default() };
        }
        _ => return Through::default(),
    };
    let varies = match map.value(at, key::operator::DETERMINISM) {
        Some(determinism) => {
            determinism == Determinism::KeyVaries || *step == Step::AssignId && determinism != Determinism::Same
        }
        None => *step == Step::AssignId,
    };
    Through {
        computes: *step != Step::Copy,
        keeps_state: matches!(step, Step::Aggregate | Step::Join),
        deduplicates: *step == Step::Deduplicate,
        looks_up_today: false,
        key_varies: varies.then_some(site),
        store: Store::Replaces,
    }
}

/// A start at a channel as this reader has it: a subscription can keep what it acknowledged, whatever the topic does (Google
/// Cloud Pub/Sub documentation, Replay and purge messages with seek: retain_acked_messages).
fn retained(map: &Map, wire: &Wire, start: &Start) -> Start {
    let own = || map.number(wire.at, key::read::RETENTION_TIME, seconds(names::BACKLOG)).ok();
    if start.from == wire.from
        && map.value(wire.at, key::read::RETAIN_ACKED) == Some(true)
        && let Some(own) = own()
        && !start.reach.as_ref().as_ref().is_ok_and(|reach| reach.value >= own.value)
    {
        let reach = Rc::new(Ok(as_is(REACH, wire.at, &RETAINED, own)));
        return Start { reach: reach.clone(), filled: reach, ..start.clone() };
    }
    start.clone()
}

/// A start behind an operator.
fn behind(map: &Map, site: usize, start: &Start, lookback: &Lookback) -> Start {
    let at = map.sites[site].at;
    let minus = |reach: &Rc<Derived>, lookback: &Derived| {
        Rc::new(all(REACH.what, [reach.as_ref().clone(), lookback.clone()]).map(|[reach, lookback]| {
            let value = form::behind(reach.value, lookback.value);
            derive(REACH, at, &LESS, [reach, lookback], value)
        }))
    };
    match lookback {
        Lookback::None | Lookback::Today => start.clone(),
        Lookback::Of(lookback) => {
            let reach = minus(&start.reach, lookback);
            let same = Rc::ptr_eq(&start.reach, &start.filled);
            let filled = if same { reach.clone() } else { minus(&start.filled, lookback) };
            Start { reach, filled, ..start.clone() }
        }
        Lookback::Deduplication(lookback) => Start { filled: minus(&start.filled, lookback), ..start.clone() },
    }
}

/// Several inputs that are all needed: each start with the best of the inputs that it does not feed.
fn together(map: &Map, site: usize, inputs: &[Vec<Start>]) -> Vec<Start> {
    let best: Vec<Option<&Start>> = inputs.iter().map(|starts| starts.iter().min_by(|a, b| by_reach(a, b))).collect();
    let mut from: Vec<usize> = inputs.iter().flatten().map(|start| start.from).collect();
    sorted::sort(&mut from);
    from.dedup();
    let one = |from: usize| {
        let needed = inputs
            .iter()
            .zip(&best)
            .filter_map(|(starts, best)| starts.iter().find(|start| start.from == from).or(*best));
        let needed: Vec<&Start> = needed.collect();
        let reach = needed_least(map, site, needed.iter().map(|start| &start.reach));
        let same = needed.iter().all(|start| Rc::ptr_eq(&start.reach, &start.filled));
        let filled =
            if same { reach.clone() } else { needed_least(map, site, needed.iter().map(|start| &start.filled)) };
        let through = needed.iter().fold(Through::default(), |all, start| all.and(start.through));
        Start { from, reach, filled, through }
    };
    from.into_iter().map(one).collect()
}

fn needed_least<'s>(map: &Map, site: usize, reaches: impl Iterator<Item = &'s Rc<Derived>>) -> Rc<Derived> {
    let mut reaches: Vec<&Rc<Derived>> = reaches.collect();
    if let [only] = reaches.as_slice() {
        return (*only).clone();
    }
    reaches.dedup_by(|a, b| Rc::ptr_eq(a, b));
    let at = map.sites[site].at;
    let inputs = all_of(REACH.what, reaches.iter().map(|reach| reach.as_ref().clone()));
    Rc::new(inputs.map(|inputs| {
        let value = form::together(inputs.iter().map(|input| input.value));
        one_of(REACH, at, &NEEDED, inputs, value)
    }))
}

/// Within which time the sources before each site may send a record again.
fn copies(map: &Map) -> Vec<Option<Rc<Derived>>> {
    let mut copies: Vec<Option<Rc<Derived>>> = vec![None; map.sites.len()];
    let figure = seconds("copies come within");
    for site in map.order {
        let mut found = Vec::new();
        for wire in map.into(*site).filter(|wire| !wire.back) {
            if map.sites[wire.from].element.kind() == ElementKind::Source {
                found.push(Rc::new(map.number(wire.at, key::take::RESEND_WITHIN, figure)));
            } else {
                found.extend(copies[wire.from].clone());
            }
        }
        found.dedup_by(|a, b| Rc::ptr_eq(a, b));
        copies[*site] = match found.len() {
            0 | 1 => found.pop(),
            _ => {
                let inputs = all_of(figure.what, found.iter().map(|found| found.as_ref().clone()));
                Some(Rc::new(inputs.map(|inputs| largest(figure, map.sites[*site].at, &COPIES, inputs))))
            }
        };
    }
    copies
}

/// A start as a consumer reads it; `read` is the store or channel that it reads.
fn published(map: &Map, start: &Start, read: usize) -> ReplayStart {
    let at = map.sites[start.from].at;
    ReplayStart {
        from: at.id.clone(),
        recompute: start.through.computes,
        reach: start.reach.as_ref().clone(),
        after_deduplication: start.through.deduplicates.then(|| start.filled.as_ref().clone()),
        duration: None,
        start_within: None,
        usable: usable(map, start.through),
        remarks: remarks(map, start, read),
    }
}

fn usable(map: &Map, through: Through) -> Usable {
    let id = |site: usize| map.sites[site].at.id.clone();
    match (through.key_varies, through.store) {
        (Some(step), _) => Usable::KeysVary(id(step)),
        (None, Store::Stays(store)) => Usable::Stays(id(store)),
        (None, Store::NotKnown(store)) => {
            let why = match map.get(map.sites[store].at, key::sink::REBUILD) {
                Known::Conflict(_) => MissingWhy::Conflict,
                Known::Unset(_) => MissingWhy::Unset,
                Known::NotKnown(_) | Known::Value(_) => MissingWhy::NotKnown,
            };
            Usable::NotKnown(Missing { subject: id(store), field: key::sink::REBUILD.field(), why })
        }
        (None, Store::Replaces) => Usable::Yes,
    }
}

fn remarks(map: &Map, start: &Start, read: usize) -> Vec<Cow<'static, str>> {
    let mut remarks: Vec<Cow<'static, str>> = Vec::new();
    let mut say = |text: &'static str| remarks.push(text.into());
    let (from, through) = (&map.sites[start.from], start.through);
    if from.element.kind() == ElementKind::Channel && start.from != read && !through.computes {
        say("Refills the results as they were, recomputes nothing.");
    }
    if map.value(from.at, key::source::RESNAPSHOT) == Some(true) {
        say("A snapshot gives today's rows only, no history.");
    }
    if matches!(
        map.value(from.at, key::channel::CLEANUP_POLICY),
        Some(CleanupPolicy::Compact | CleanupPolicy::CompactDelete)
    ) {
        say("Compacted: beyond the compaction lag only the newest value of each key is left.");
    }
    if through.deduplicates {
        say("Needs the job's state reset or a shadow job: the de-duplication of the live job drops what it has seen.");
    }
    if through.keeps_state && !through.deduplicates {
        say("Needs the job's state reset or a shadow job: live state would take the same events a second time.");
    }
    if through.looks_up_today {
        say("Looked-up values are those of today.");
    }
    if through.key_varies.is_some() {
        say("Keys differ on a second run, so old rows stay beside the new ones.");
    }
    if start.from != read && map.sites[read].element.kind() == ElementKind::Sink {
        let sink = map.sites[read].at;
        let title = sink.subject.name.as_deref().unwrap_or(sink.id.as_str());
        let mut named = |parts: [&str; 3]| remarks.push(parts.concat().into());
        match map.value(sink, key::sink::REBUILD) {
            Some(Rebuild::Overwrite | Rebuild::Shadow) => {}
            Some(Rebuild::AppendOnly) => named(["Rows in ", title, " double unless they are removed first."]),
            Some(Rebuild::Irreversible) => named(["", title, " acts again: it cannot be written over."]),
            None => named(["Not read whether ", title, " can be written over."]),
        }
    }
    remarks
}
