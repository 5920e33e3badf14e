//! Kafka Streams under `exactly_once_v2`: results, changes of state and positions are one transaction.
//!
//! Sources: KIP-129 and KIP-447; Apache Kafka documentation, Kafka Streams: Processing Guarantees. A call out of a
//! processor is made at once and belongs to no transaction.

use super::{
    budget::Bounds,
    operator::{self, Memory},
    path::{Node, Rows, Write},
    search::{Machine, Output},
    sink::Feed,
    step::{Act, Step},
    table::Table,
    transaction::{Standing, Transactions},
};

/// The application.
pub(super) struct ExactStreams<'p> {
    pub node: &'p Node,
    pub feed: Feed,
    pub left: Bounds,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    position: u8,
    memory: Memory,
    saved: (u8, Memory),
    transactions: Transactions,
    calls: Table,
    left: Bounds,
}

impl ExactStreams<'_> {
    const fn calls(&self) -> bool {
        matches!(self.node.write, Write::Store(_))
    }

    fn process(&self, state: &State) -> (Step, State) {
        let (offset, item) = self.feed.at(state.position);
        let step = item.map_or_else(|| Step::of(Act::Process), |item| Step::on(Act::Process, item.what));
        let mut to = State { position: state.position + 1, ..state.clone() };
        let fresh = state.transactions.fresh();
        let Some(item) = operator::run(&self.node.operators, &mut to.memory, fresh, true, (offset, item)) else {
            return (step, to);
        };
        if self.calls() {
            to.calls.write(offset, item);
        } else {
            to.transactions.write(offset, item);
        }
        (Step::on(Act::Work, item.what), to)
    }

    fn restart(state: &State, (position, memory): (u8, Memory), left: Bounds) -> State {
        let mut to = State { position, memory, left, ..state.clone() };
        to.transactions.turn(Standing::Open, Standing::Aborted);
        to
    }
}

impl Machine for ExactStreams<'_> {
    type State = State;

    fn start(&self) -> State {
        State {
            position: 0,
            memory: Memory::default(),
            saved: (0, Memory::default()),
            transactions: Transactions::default(),
            calls: Table::new(Rows::Call),
            left: self.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if state.position < self.feed.end() {
            next.push(self.process(state));
        }
        if state.saved.0 != state.position {
            let mut to = State { saved: (state.position, state.memory), ..state.clone() };
            to.transactions.turn(Standing::Open, Standing::Committed);
            next.push((Step::of(Act::CommitTransaction), to));
        }
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), Self::restart(state, state.saved, left)));
        }
        if let Some(left) = state.left.rewind() {
            // The position goes back; the stores stay unless somebody wipes them.
            let saved = (0, state.saved.1);
            let to = State { saved, ..Self::restart(state, saved, left) };
            next.push((Step::of(Act::Rewind), to));
        }
        if let Some(left) = state.left.expiry()
            && state.memory.seen != 0
        {
            let memory = Memory { seen: 0, ..state.memory };
            next.push((Step::of(Act::Expire), State { memory, left, ..state.clone() }));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        if state.position != self.feed.end() || !state.transactions.settled() {
            return None;
        }
        Some(if self.calls() { Output::Table(state.calls.clone()) } else { state.transactions.log() })
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn written(state: &State) -> usize {
        state.transactions.written() + state.calls.rows.len()
    }
}
