//! A second opinion: what a reader can observe at the end of a path, found by trying everything that can go wrong.
//!
//! Each mechanism is a small transition system, written from what its product does and not from the rules of
//! `analysis::delivery`: poll, process, write, commit, checkpoint, abort, replicate, answer, lose an answer, crash. All
//! complete runs for two events are followed, within [`Bounds`] of things that go wrong along the path. Hops run one
//! after the other, each on every log that the one before it can leave behind: a hop sees a log only in the order in
//! which it grew, so running them side by side gives the same results. Where two ways meet, every interleaving of what
//! both can leave behind is followed ([`meeting`]).
//!
//! Not part of the model, so no conclusion may be drawn from it: several partitions, rebalances without a crash (but
//! for an owner that stands still) and order without copies, of which [`partitions`] is a smaller model; time (an expiry
//! or a long outage is a step of its own; [`log`] has models of retention, compaction, unclean election and horizons
//! beside it), records that fail, and reads while a log is still growing.

mod budget;
mod consumer;
mod flink;
mod hop;
mod item;
pub mod log;
pub mod meeting;
mod observed;
mod operator;
pub mod partitions;
pub mod path;
mod producer;
mod search;
mod sink;
mod source;
mod spark;
mod step;
mod streams;
mod streams_exact;
mod table;
mod transaction;
mod with_rows;

pub use self::{
    budget::Bounds,
    item::{EVENTS, What},
    observed::{Effect, Observed, Story, Told},
    step::{Act, Step},
};

use self::{
    consumer::Consumer,
    flink::Flink,
    hop::Hop,
    item::{Log, surplus},
    observed::{Run, judge},
    operator::windowed,
    path::{Checkpoints, Commit, Engine, Node, Operator, Path, Rows, Source, Write},
    search::{Known, Machine, Ways, search},
    sink::Feed,
    spark::Spark,
    streams::Streams,
    streams_exact::ExactStreams,
    table::Table,
    with_rows::WithRows,
};
use std::rc::Rc;

/// Everything that can be observed at the end of a path.
#[must_use]
pub fn observe(path: &Path, bounds: Bounds) -> Observed {
    Explorer::new(bounds).observe(path)
}

/// Explores paths, and remembers what each hop makes of each log.
#[derive(Debug)]
pub struct Explorer {
    bounds: Bounds,
    sources: Known<Source, Rc<Ways>>,
    hops: Known<(Node, Log), Searched>,
    states: usize,
}

/// What a hop makes of a log, each with the most that may go wrong.
type Searched = Vec<(Bounds, Rc<Ways>)>;

/// A log that is reached, with the run that reached it.
struct Front {
    log: Log,
    left: Bounds,
    run: Run,
}

impl Explorer {
    /// With these bounds for every path.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, sources: Known::default(), hops: Known::default(), states: 0 }
    }

    /// How many states were visited so far.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Everything that can be observed at the end of a path, with values that rise and with values that fall.
    pub fn observe(&mut self, path: &Path) -> Observed {
        let mut observed = Observed::default();
        self.follow(path, &mut observed);
        let falls = |operator: &mut Operator| {
            let rises = *operator == Operator::Max;
            if rises {
                *operator = Operator::MaxFalling;
            }
            rises
        };
        let mut falling = path.clone();
        let operators = falling.nodes.iter_mut().flat_map(|node| node.operators.iter_mut());
        if operators.map(falls).fold(false, |any, falls| any | falls) {
            self.follow(&falling, &mut observed);
        }
        observed
    }

    fn follow(&mut self, path: &Path, observed: &mut Observed) {
        let first = [(Run::default(), Bounds::NONE, self.source(path.source))];
        let waits = path.nodes.first().map_or(path.committed, |node| node.committed);
        let fronts = self.fronts(&first, 0, waits);
        self.along(fronts, 1, (&path.nodes, path.committed), observed);
    }

    /// From these logs on through these nodes, the first of which has this number, to a reader.
    fn along(
        &mut self,
        fronts: Vec<Front>,
        first: usize,
        (nodes, committed): (&[Node], bool),
        observed: &mut Observed,
    ) {
        let mut fronts = fronts;
        for (at, node) in nodes.iter().enumerate() {
            let number = first + at;
            let mut reached = Vec::with_capacity(fronts.len());
            for front in fronts {
                self.uncommitted(&front, node.committed, observed);
                let (ways, kept) = self.node(node, &front.log, front.left);
                for (effect, left, steps) in &ways.effects {
                    observed.note(*effect, &front.run.then(number, steps), self.bounds, left.and(kept));
                }
                reached.push((front.run, kept, ways));
            }
            let waits = nodes.get(at + 1).map_or(committed, |node| node.committed);
            fronts = self.fronts(&reached, number, waits);
        }
        for front in &fronts {
            self.uncommitted(front, committed, observed);
            for effect in judge(&read(&front.log, committed)) {
                observed.note(effect, &front.run, self.bounds, front.left);
            }
        }
    }

    fn uncommitted(&self, front: &Front, committed: bool, observed: &mut Observed) {
        if !committed && front.log.iter().any(|record| record.aborted) {
            observed.note(Effect::UncommittedShown, &front.run, self.bounds, front.left);
        }
    }

    /// The logs that were reached, each with the most that may still go wrong, without those that hold too many copies;
    /// of a log whose reader waits for the commit, only what it gets.
    fn fronts(&self, reached: &[(Run, Bounds, Rc<Ways>)], hop: usize, committed: bool) -> Vec<Front> {
        let each = |(run, kept, ways): &'_ (Run, Bounds, Rc<Ways>)| {
            let (run, kept) = (run.clone(), *kept);
            let logs = ways
                .logs
                .iter()
                .map(move |(log, left, steps)| (run.clone(), log.clone(), left.and(kept), Rc::clone(steps)));
            logs.collect::<Vec<_>>()
        };
        let mut work: Vec<(Run, Log, Bounds, Rc<[Step]>)> = reached.iter().flat_map(each).collect();
        work.retain(|(_, log, ..)| surplus(log) <= usize::from(self.bounds.surplus));
        if committed {
            work.iter_mut().for_each(|(_, log, ..)| log.retain(|record| !record.aborted));
        }
        let first = |(run, _, left, steps): &(Run, Log, Bounds, Rc<[Step]>)| {
            (std::cmp::Reverse(left.left()), run.length() + steps.len())
        };
        crate::sorted::sort_by_key(&mut work, first);
        let mut fronts: Vec<Front> = Vec::new();
        let mut at: Known<Log, Vec<usize>> = Known::default();
        for (before, log, left, steps) in work {
            let same = at.entry(log.clone()).or_default();
            if !same.iter().any(|one| fronts.get(*one).is_some_and(|front| left.within(front.left))) {
                same.push(fronts.len());
                fronts.push(Front { log, left, run: before.then(hop, &steps) });
            }
        }
        fronts
    }

    fn source(&mut self, source: Source) -> Rc<Ways> {
        if let Some(ways) = self.sources.get(&source) {
            return Rc::clone(ways);
        }
        let left = self.bounds;
        let ways = match source {
            Source::Steady(client) | Source::InMemory(client) | Source::Position(client) | Source::Flags(client) => {
                self.run(&source::application::Application { source, client, left }, true)
            }
            Source::Webhook { before } => self.run(&source::webhook::Webhook { before, left }, true),
            Source::FireAndForget => self.run(&source::bridge::Bridge { left }, true),
        };
        self.sources.insert(source, Rc::clone(&ways));
        ways
    }

    /// What a node makes of a log, and what may go wrong that cannot go wrong in it.
    fn node(&mut self, node: &Node, log: &Log, left: Bounds) -> (Rc<Ways>, Bounds) {
        let (kept, left) = match node.write {
            Write::Log(client) if !client.effective() => (Bounds::NONE, left),
            _ => left.brokers_and_rest(),
        };
        let node = &Node { write: alike(node.write, left), ..node.clone() };
        let key = (node.clone(), log.clone());
        if let Some(known) = self.hops.get(&key) {
            if let Some((_, ways)) = known.iter().find(|(searched, _)| *searched == left) {
                return (Rc::clone(ways), kept);
            }
            if let Some((searched, ways)) = known.iter().find(|(searched, _)| left.within(*searched)) {
                return (Rc::new(ways.with_less(*searched, left)), kept);
            }
        }
        let hop = &Hop { node, feed: Feed::new(log, node.committed, windowed(&node.operators)), left };
        // A lost leader takes records with it; rows are few by nature.
        let shrinks = left.leaders > 0 || !node.write.into_log();
        let ways = match node.engine {
            Engine::Consumer(commit) => self.run(&Consumer { commit, hop }, shrinks),
            Engine::Flink(Checkpoints::Off) => self.run(&Consumer { commit: Commit::AutoApart, hop }, shrinks),
            Engine::Flink(checkpoints) => self.run(&Flink { checkpoints, hop }, shrinks),
            Engine::WithRows { guarded } => self.run(&WithRows { guarded, hop }, shrinks),
            Engine::Streams { exact: true } => self.run(&ExactStreams { hop }, shrinks),
            Engine::Streams { exact: false } => self.run(&Streams { hop }, shrinks),
            Engine::Spark => self.run(&Spark { hop }, shrinks),
        };
        self.hops.entry(key).or_default().push((left, Rc::clone(&ways)));
        (ways, kept)
    }

    /// Runs that write more than the next hop is shown are not followed; where the log can shrink again, twice as many.
    fn run<M: Machine>(&mut self, machine: &M, shrinks: bool) -> Rc<Ways> {
        let surplus = usize::from(self.bounds.surplus) * if shrinks { 2 } else { 1 };
        let most = usize::from(EVENTS) + surplus;
        let (ways, states) = search(machine, most);
        self.states += states;
        Rc::new(ways)
    }
}

/// Writes that differ in nothing that can happen here: a call leaves a row with the callee, and what two phases commit
/// to a store is what a reader of a log gets who waits for the commit.
fn alike(write: Write, left: Bounds) -> Write {
    match write {
        Write::Store(Rows::Call) => Write::Store(Rows::Append),
        Write::StoreTwoPhase if left.outages == 0 => Write::LogTransaction,
        other => other,
    }
}

/// What a reader gets of a log.
fn read(log: &Log, committed: bool) -> Table {
    let mut rows = Table::new(Rows::Append);
    let feed = Feed::new(log, committed, false);
    for (offset, item) in (0..feed.end()).map(|position| feed.at(position)) {
        if let Some(item) = item {
            rows.write(offset, item);
        }
    }
    rows
}
