//! Flink with checkpoints: position and state come back together; the sink flushes, does not, or commits in two phases.
//!
//! Sources: Apache Flink documentation, Checkpointing (`EXACTLY_ONCE`, `AT_LEAST_ONCE`: without alignment, records
//! behind a barrier can already be in the snapshot) and Kafka connector, Fault Tolerance; `KafkaWriter.flush` (flushes
//! at a checkpoint unless the guarantee is `NONE`), `KafkaCommitter` (a transaction that the broker aborted is logged and
//! skipped); `TwoPhaseCommittingSink`; `JdbcSink.exactlyOnceSink` (XA); `WindowOperator.clearAllState`.

use super::{
    budget::Bounds,
    hop::Hop,
    operator::{Memory, apart},
    path::{Checkpoints, Write},
    search::{Machine, Output},
    sink::Sink,
    step::{Act, Step},
    transaction::{Standing, Transactions},
};

/// The job.
pub(super) struct Flink<'p> {
    pub checkpoints: Checkpoints,
    pub hop: &'p Hop<'p>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Out {
    Flushed(Sink),
    TwoPhase(Transactions),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    position: u8,
    memory: Memory,
    /// Where the barrier is, and the marks that were saved as it passed: a value behind them by another key is another task,
    /// which waits for the barriers of all before it.
    barrier: Option<(u8, Option<u32>)>,
    checkpoint: (u8, Memory),
    out: Out,
    left: Bounds,
}

impl Flink<'_> {
    fn process(&self, state: &State) -> (Step, State) {
        let mut to = State { position: state.position + 1, ..state.clone() };
        let fresh = match &state.out {
            Out::TwoPhase(transactions) => transactions.fresh(),
            Out::Flushed(sink) => sink.fresh(),
        };
        let taken = self.hop.take(state.position, &mut to.memory, fresh, false);
        let Some(item) = taken.out else { return (taken.processed(), to) };
        match &mut to.out {
            Out::TwoPhase(transactions) => transactions.write(taken.offset, item),
            Out::Flushed(sink) if self.hop.node.write == Write::LogUnconfirmed => sink.write(taken.offset, item),
            // What the sink still buffers at a crash is as if it had not been processed: a checkpoint flushes it.
            Out::Flushed(sink) => sink.write_through(taken.offset, item),
        }
        (Step::on(Act::Work, item.what), to)
    }

    fn write(state: &State, next: &mut Vec<(Step, State)>) {
        let Out::Flushed(sink) = &state.out else { return };
        sink.steps(state.left, |step, sink, left| {
            next.push((step, State { out: Out::Flushed(sink), left, ..state.clone() }));
        });
    }

    fn barrier(&self, state: &State) -> (u8, Option<u32>) {
        (state.position, apart(&self.hop.node.operators).then_some(state.memory.seen))
    }

    fn checkpoint(&self, state: &State, next: &mut Vec<(Step, State)>) {
        let exactly = self.checkpoints == Checkpoints::ExactlyOnce;
        if !exactly && state.barrier.is_none() {
            next.push((Step::of(Act::Barrier), State { barrier: Some(self.barrier(state)), ..state.clone() }));
        }
        let passed = if exactly { Some((state.position, None)) } else { state.barrier };
        let Some((position, marks)) = passed else { return };
        let memory = Memory { seen: marks.unwrap_or(state.memory.seen), ..state.memory };
        let ready = match &state.out {
            Out::Flushed(sink) => self.hop.node.write == Write::LogUnconfirmed || sink.flushed(),
            Out::TwoPhase(transactions) => !transactions.has(Standing::Prepared),
        };
        if ready {
            let mut to = State { barrier: None, checkpoint: (position, memory), ..state.clone() };
            if let Out::TwoPhase(transactions) = &mut to.out {
                transactions.turn(Standing::Open, Standing::Prepared);
            }
            next.push((Step::of(Act::Checkpoint), to));
        }
    }

    fn restore(state: &State, prepared: Standing, left: Bounds) -> State {
        let (position, memory) = state.checkpoint;
        let mut to = State { position, memory, barrier: None, left, ..state.clone() };
        match &mut to.out {
            Out::Flushed(sink) => sink.crash(),
            Out::TwoPhase(transactions) => {
                transactions.turn(Standing::Open, Standing::Aborted);
                transactions.turn(Standing::Prepared, prepared);
            }
        }
        to
    }

    fn failures(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), Self::restore(state, Standing::Committed, left)));
        }
        let prepared = matches!(&state.out, Out::TwoPhase(transactions) if transactions.has(Standing::Prepared));
        if let Some(left) = state.left.outage()
            && prepared
            && self.hop.node.write == Write::LogTransaction
        {
            next.push((Step::of(Act::CrashBeyondTimeout), Self::restore(state, Standing::Aborted, left)));
        }
        if let Some(left) = state.left.rewind()
            && !prepared
        {
            let older = State { checkpoint: (0, Memory::default()), ..state.clone() };
            next.push((Step::of(Act::Rewind), Self::restore(&older, Standing::Committed, left)));
        }
        if let Some((memory, left)) = state.memory.expired(state.left) {
            next.push((Step::of(Act::Expire), State { memory, left, ..state.clone() }));
        }
    }
}

impl Machine for Flink<'_> {
    type State = State;

    fn start(&self) -> State {
        let out = match self.hop.node.write {
            Write::LogTransaction | Write::StoreTwoPhase => Out::TwoPhase(Transactions::default()),
            write => Out::Flushed(Sink::new(write)),
        };
        State {
            position: 0,
            memory: Memory::default(),
            barrier: None,
            checkpoint: (0, Memory::default()),
            out,
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if !self.hop.ended(state.position) {
            next.push(self.process(state));
        }
        Self::write(state, next);
        self.checkpoint(state, next);
        if let Out::TwoPhase(transactions) = &state.out
            && transactions.has(Standing::Prepared)
        {
            let mut transactions = transactions.clone();
            transactions.turn(Standing::Prepared, Standing::Committed);
            let to = State { out: Out::TwoPhase(transactions), ..state.clone() };
            next.push((Step::of(Act::CommitTransaction), to));
        }
        self.failures(state, next);
    }

    fn done(&self, state: &State) -> Option<Output> {
        if !self.hop.ended(state.position) {
            return None;
        }
        match &state.out {
            Out::Flushed(sink) => sink.quiet().then(|| sink.output()),
            Out::TwoPhase(transactions) if !transactions.settled() => None,
            Out::TwoPhase(transactions) if self.hop.node.write == Write::StoreTwoPhase => Some(transactions.rows()),
            Out::TwoPhase(transactions) => Some(transactions.log()),
        }
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        match &state.out {
            Out::Flushed(sink) => sink.written(),
            Out::TwoPhase(transactions) => transactions.written(state.left.surplus),
        }
    }
}
