//! Every complete run of one hop, breadth first.

use super::{
    budget::Bounds,
    item::{Log, canonical},
    observed::{Effect, judge},
    step::Step,
    table::Table,
};
use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasherDefault, Hash, Hasher},
    rc::Rc,
};

/// What a hop leaves behind when it is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Output {
    /// A log that the next hop reads.
    Log(Log),
    /// A store or a callee.
    Table(Table),
}

/// One hop as a transition system.
pub(super) trait Machine {
    /// Everything that decides what can happen next.
    type State: Clone + Eq + Hash;

    /// Where it begins.
    fn start(&self) -> Self::State;

    /// Everything that can happen next.
    fn steps(&self, state: &Self::State, next: &mut Vec<(Step, Self::State)>);

    /// What it leaves behind, where it may be done.
    fn done(&self, state: &Self::State) -> Option<Output>;

    /// What may still go wrong.
    fn left(state: &Self::State) -> Bounds;

    /// The place where it is kept.
    fn left_mut(state: &mut Self::State) -> &mut Bounds;

    /// How many records or rows it has written.
    fn written(state: &Self::State) -> usize;
}

/// What a hop can do with what it reads; the shortest run for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// Logs that it can leave behind, each with the most that may still go wrong further on.
    pub logs: Vec<(Log, Bounds, Rc<[Step]>)>,
    /// What can be observed of the rows that it can leave behind, each with the most that may still go wrong.
    pub effects: Vec<(Effect, Bounds, Rc<[Step]>)>,
}

impl Ways {
    /// What of it needs no more than this, of ways that were searched with more; what is left is then less by as much.
    pub fn with_less(&self, searched: Bounds, less: Bounds) -> Self {
        let fits = |left: Bounds| less.without(searched.without(left)?);
        let logs =
            self.logs.iter().filter_map(|(log, left, steps)| Some((log.clone(), fits(*left)?, Rc::clone(steps))));
        let effects =
            self.effects.iter().filter_map(|(effect, left, steps)| Some((*effect, fits(*left)?, Rc::clone(steps))));
        Self { logs: logs.collect(), effects: effects.collect() }
    }
}

/// A quick hash: states are small and trusted.
#[derive(Default)]
pub(super) struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n.cast_unsigned() as u64);
    }
}

/// A table with the quick hash.
pub(super) type Known<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// States that were visited, each with what could still go wrong in them. The same state with less left shows nothing
/// that it does not show with more.
struct Visited<S>(Known<S, (Bounds, Vec<Bounds>)>);

impl<S: Clone + Eq + Hash> Visited<S> {
    /// Is it new, or may more go wrong in it than before?
    fn take(&mut self, state: &mut S, left: fn(&mut S) -> &mut Bounds) -> bool {
        let bounds = std::mem::replace(left(state), Bounds::NONE);
        let new = match self.0.get_mut(state) {
            None => {
                self.0.insert(state.clone(), (bounds, Vec::new()));
                true
            }
            Some((first, others)) => {
                let known = bounds.within(*first) || others.iter().any(|other| bounds.within(*other));
                if !known {
                    others.push(bounds);
                }
                !known
            }
        };
        *left(state) = bounds;
        new
    }
}

/// All ways to be done, and how many states were visited. Runs that write more than `most` are not followed.
pub(super) fn search<M: Machine>(machine: &M, most: usize) -> (Ways, usize) {
    let mut visited: Visited<M::State> = Visited(Known::default());
    let mut arena: Vec<(usize, Option<Step>)> = vec![(0, None)];
    let mut work = VecDeque::from([(0, machine.start())]);
    visited.take(&mut machine.start(), M::left_mut);
    let mut found = Found::default();
    let mut next = Vec::new();
    while let Some((number, state)) = work.pop_front() {
        if let Some(output) = machine.done(&state) {
            found.take(output, M::left(&state), number);
        }
        machine.steps(&state, &mut next);
        for (step, mut to) in next.drain(..) {
            if M::written(&to) > most {
                continue;
            }
            if visited.take(&mut to, M::left_mut) {
                arena.push((number, Some(step)));
                work.push_back((arena.len() - 1, to));
            }
        }
    }
    let run = |mut number: usize| -> Rc<[Step]> {
        let mut run = Vec::new();
        while let Some((before, Some(step))) = arena.get(number) {
            run.push(*step);
            number = *before;
        }
        run.reverse();
        run.into()
    };
    let logs = found.logs.into_iter().map(|(log, left, number)| (log, left, run(number)));
    let effects = found.effects.into_iter().map(|(effect, left, number)| (effect, left, run(number)));
    let ways = Ways { logs: logs.collect(), effects: effects.collect() };
    (ways, arena.len())
}

/// What was found on the way, with the state that shows it.
#[derive(Default)]
struct Found {
    logs: Vec<(Log, Bounds, usize)>,
    at: Known<Log, Vec<usize>>,
    effects: Vec<(Effect, Bounds, usize)>,
}

impl Found {
    fn take(&mut self, output: Output, left: Bounds, number: usize) {
        match output {
            Output::Log(log) => {
                let log = canonical(log);
                let same = self.at.entry(log.clone()).or_default();
                if !same.iter().any(|one| self.logs.get(*one).is_some_and(|(_, other, _)| left.within(*other))) {
                    same.push(self.logs.len());
                    self.logs.push((log, left, number));
                }
            }
            Output::Table(table) => {
                for effect in judge(&table) {
                    if !self.effects.iter().any(|(other, more, _)| *other == effect && left.within(*more)) {
                        self.effects.push((effect, left, number));
                    }
                }
            }
        }
    }
}
