//! Spark Structured Streaming in micro-batches: what a batch holds is noted before it runs, that it is done after it.
//!
//! Sources: Apache Spark documentation, Structured Streaming Programming Guide: Recovering from Failures, Output Sinks,
//! `foreachBatch` ("you can use the batchId … to deduplicate"); `MicroBatchExecution` (offset log before, commit log after
//! the batch); `HDFSBackedStateStore`: state by version; Delta Lake documentation, Idempotent table writes: `txnAppId`,
//! `txnVersion`.

use super::{
    budget::Bounds,
    hop::Hop,
    item::Item,
    operator::Memory,
    path::Write,
    search::{Machine, Output},
    sink::Sink,
    step::{Act, Step},
};

/// The query.
pub(super) struct Spark<'p> {
    pub hop: &'p Hop<'p>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    start: u8,
    planned: Option<u8>,
    position: u8,
    memory: Memory,
    saved: Memory,
    /// The number of the next batch.
    number: u8,
    /// The number that the table waits for.
    expected: u8,
    /// Rows of the batch that are committed with its number.
    batch: Vec<(u8, Item)>,
    sink: Sink,
    left: Bounds,
}

impl Spark<'_> {
    fn by_number(&self) -> bool {
        self.hop.node.write == Write::StoreBatchId
    }

    fn process(&self, state: &State) -> (Step, State) {
        let mut to = State { position: state.position + 1, ..state.clone() };
        let batch = u8::try_from(state.batch.len()).unwrap_or(u8::MAX);
        let fresh = state.sink.fresh().saturating_add(batch);
        let taken = self.hop.take(state.position, &mut to.memory, fresh, false);
        let Some(item) = taken.out else { return (taken.processed(), to) };
        if self.by_number() {
            to.batch.push((taken.offset, item));
            return (taken.processed(), to);
        }
        to.sink.write_through(taken.offset, item);
        (Step::on(Act::Work, item.what), to)
    }

    /// The rows of the batch and its number in one transaction of the table; a number that it knows is skipped.
    fn write_batch(state: &State) -> State {
        let mut to = State { batch: Vec::new(), ..state.clone() };
        if state.number >= state.expected {
            for (offset, item) in &state.batch {
                to.sink.write(*offset, *item);
            }
            to.expected = state.number + 1;
        }
        to
    }

    fn restart(state: &State, left: Bounds) -> State {
        let mut to = State { position: state.start, memory: state.saved, batch: Vec::new(), left, ..state.clone() };
        to.sink.crash();
        to
    }

    fn batches(&self, state: &State, next: &mut Vec<(Step, State)>) {
        let Some(end) = state.planned else {
            next.extend(
                (state.start + 1..=self.hop.feed.end())
                    .map(|end| (Step::of(Act::PlanBatch), State { planned: Some(end), ..state.clone() })),
            );
            return;
        };
        if state.position < end {
            next.push(self.process(state));
        } else if self.by_number() && (!state.batch.is_empty() || state.expected <= state.number) {
            next.push((Step::of(Act::Write), Self::write_batch(state)));
        } else if state.sink.flushed() {
            let to =
                State { start: end, planned: None, saved: state.memory, number: state.number + 1, ..state.clone() };
            next.push((Step::of(Act::CommitBatch), to));
        }
    }
}

impl Machine for Spark<'_> {
    type State = State;

    fn start(&self) -> State {
        State {
            start: 0,
            planned: None,
            position: 0,
            memory: Memory::default(),
            saved: Memory::default(),
            number: 0,
            expected: 0,
            batch: Vec::new(),
            sink: Sink::new(self.hop.node.write),
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        self.batches(state, next);
        state.sink.steps(state.left, |step, sink, left| next.push((step, State { sink, left, ..state.clone() })));
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), Self::restart(state, left)));
        }
        if let Some(left) = state.left.rewind() {
            // A new checkpoint directory: batches are numbered from the start, with other bounds.
            let new = State { start: 0, planned: None, number: 0, saved: Memory::default(), ..state.clone() };
            next.push((Step::of(Act::Rewind), Self::restart(&new, left)));
        }
        if let Some((memory, left)) = state.memory.expired(state.left) {
            next.push((Step::of(Act::Expire), State { memory, left, ..state.clone() }));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        let done = state.start == self.hop.feed.end() && state.planned.is_none() && state.sink.quiet();
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
