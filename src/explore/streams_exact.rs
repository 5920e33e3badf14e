//! Kafka Streams under `exactly_once_v2`: results, changes of state and positions are one transaction.
//!
//! Sources: KIP-129 and KIP-447; Apache Kafka documentation, Kafka Streams: Processing Guarantees. A call out of a
//! processor is made at once and belongs to no transaction.

use super::{
    budget::Bounds,
    hop::Hop,
    operator::Memory,
    path::{Rows, Write},
    search::{Machine, Output},
    step::{Act, Step},
    table::Table,
    transaction::{Standing, Transactions},
};

/// The application.
pub(super) struct ExactStreams<'p> {
    pub hop: &'p Hop<'p>,
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
        matches!(self.hop.node.write, Write::Store(_))
    }

    fn process(&self, state: &State) -> (Step, State) {
        let mut to = State { position: state.position + 1, ..state.clone() };
        let taken = self.hop.take(state.position, &mut to.memory, state.transactions.fresh(), true);
        let Some(item) = taken.out else { return (taken.processed(), to) };
        if self.calls() {
            to.calls.write(taken.offset, item);
        } else {
            to.transactions.write(taken.offset, item);
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
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if !self.hop.ended(state.position) {
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
        if let Some((memory, left)) = state.memory.expired(state.left) {
            next.push((Step::of(Act::Expire), State { memory, left, ..state.clone() }));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        if !self.hop.ended(state.position) || !state.transactions.settled() {
            return None;
        }
        Some(if self.calls() { Output::Table(state.calls.clone()) } else { state.transactions.log() })
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        state.transactions.written(state.left.surplus).max(state.calls.rows.len())
    }
}
