//! Kafka Streams under `at_least_once`: changes of state and results are sends of one producer, apart from each other.
//!
//! Sources: Apache Kafka documentation, Kafka Streams: Processing Guarantees; KAFKA-12508 and apache/kafka pull request
//! 10360 (emit on change can lose updates under `at_least_once`); `StreamTask.prepareCommit` (flushes the producer, then
//! commits the position); a call out of a processor is made at once.

use super::{
    budget::Bounds,
    hop::Hop,
    item::Item,
    operator::{Memory, apart},
    search::{Machine, Output},
    sink::Sink,
    step::{Act, Step},
};

/// The application.
pub(super) struct Streams<'p> {
    pub hop: &'p Hop<'p>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    position: u8,
    committed: u8,
    memory: Memory,
    /// As the changelog has it.
    logged: Memory,
    /// Changes on their way to the changelog.
    changes: Vec<Memory>,
    held: Option<(u8, Item)>,
    sink: Sink,
    left: Bounds,
}

impl Streams<'_> {
    fn process(&self, state: &State) -> (Step, State) {
        let mut to = State { position: state.position + 1, ..state.clone() };
        let taken = self.hop.take(state.position, &mut to.memory, state.sink.fresh(), true);
        if to.memory != state.memory {
            to.changes.push(to.memory);
        }
        match (&mut to.sink, taken.out) {
            (sink @ Sink::Log(_), Some(item)) => sink.write(taken.offset, item),
            (Sink::Table(_), Some(item)) => to.held = Some((taken.offset, item)),
            (_, None) => {}
        }
        (taken.processed(), to)
    }

    fn restart(state: &State, committed: u8, left: Bounds) -> State {
        let mut to = State {
            position: committed,
            committed,
            memory: state.logged,
            changes: Vec::new(),
            held: None,
            left,
            ..state.clone()
        };
        to.sink.crash();
        to
    }
}

impl Machine for Streams<'_> {
    type State = State;

    fn start(&self) -> State {
        State {
            position: 0,
            committed: 0,
            memory: Memory::default(),
            logged: Memory::default(),
            changes: Vec::new(),
            held: None,
            sink: Sink::new(self.hop.node.write),
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if let Some((offset, item)) = state.held {
            let mut to = State { held: None, ..state.clone() };
            to.sink.write(offset, item);
            next.push((Step::on(Act::Write, item.what), to));
        } else if !self.hop.ended(state.position) {
            next.push(self.process(state));
        }
        state.sink.steps(state.left, |step, sink, left| next.push((step, State { sink, left, ..state.clone() })));
        if let Some(change) = state.changes.first() {
            let mut to = State { logged: *change, ..state.clone() };
            to.changes.remove(0);
            next.push((Step::of(Act::SaveState), to));
            if apart(&self.hop.node.operators) {
                // Two stores have two changelogs.
                let marks = Memory { seen: change.seen, ..state.logged };
                let value = Memory { seen: state.logged.seen, ..*change };
                let alone = [marks, value].into_iter().filter(|logged| *logged != state.logged);
                next.extend(alone.map(|logged| (Step::of(Act::SaveState), State { logged, ..state.clone() })));
            }
        }
        let flushed = state.held.is_none() && state.changes.is_empty() && state.sink.flushed();
        if flushed && state.committed != state.position {
            next.push((Step::of(Act::Commit), State { committed: state.position, ..state.clone() }));
        }
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), Self::restart(state, state.committed, left)));
        }
        if let Some(left) = state.left.rewind() {
            next.push((Step::of(Act::Rewind), Self::restart(state, 0, left)));
        }
        if let Some((memory, left)) = state.memory.expired(state.left) {
            let mut to = State { memory, left, ..state.clone() };
            to.changes.push(memory);
            next.push((Step::of(Act::Expire), to));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        let done = self.hop.ended(state.position) && state.held.is_none() && state.sink.quiet();
        done.then(|| state.sink.output())
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        state.sink.written()
    }
}
