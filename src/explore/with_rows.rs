//! A consumer that keeps its position in the store of its rows, in one transaction with them.
//!
//! Sources: Apache Kafka Javadoc, `KafkaConsumer`: Storing Offsets Outside Kafka; Kleppmann, How to do distributed
//! locking (2016): an owner that stood still can write after it was replaced, unless the store compares a token.

use super::{
    budget::Bounds,
    hop::{Hop, about},
    item::{Item, fresh},
    operator::Memory,
    path::{Rows, Write},
    search::{Machine, Output},
    step::{Act, Step},
    table::Table,
};

/// The consumer.
pub(super) struct WithRows<'p> {
    pub guarded: bool,
    pub hop: &'p Hop<'p>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    position: u8,
    /// As the store has it.
    stored: u8,
    memory: Memory,
    /// What was worked out and not written, and the position behind it.
    held: Option<(u8, u8, Option<Item>)>,
    /// The same, of an owner that was replaced.
    replaced: Option<(u8, u8, Option<Item>)>,
    table: Table,
    left: Bounds,
}

fn put(state: &mut State, (offset, position, item): (u8, u8, Option<Item>)) {
    if let Some(item) = item {
        state.table.write(offset, item);
    }
    state.stored = position;
}

impl WithRows<'_> {
    fn restart(state: &State, left: Bounds) -> State {
        let memory = state.memory.forgotten(state.stored);
        State { position: state.stored, held: None, memory, left, ..state.clone() }
    }
}

impl Machine for WithRows<'_> {
    type State = State;

    fn start(&self) -> State {
        let rows = if let Write::Store(rows) = self.hop.node.write { rows } else { Rows::Append };
        State {
            position: 0,
            stored: 0,
            memory: Memory::default(),
            held: None,
            replaced: None,
            table: Table::new(rows),
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if let Some(held) = state.held {
            let mut to = State { held: None, ..state.clone() };
            put(&mut to, held);
            next.push((about(Act::Write, held.2), to));
        } else if !self.hop.ended(state.position) {
            let mut to = State { position: state.position + 1, ..state.clone() };
            let late = state.replaced.and_then(|(_, _, item)| item).map_or(0, fresh);
            let fresh = state.table.fresh().max(late);
            let taken = self.hop.take(state.position, &mut to.memory, fresh, false);
            let held = (taken.offset, to.position, taken.out);
            if self.guarded {
                // The write compares the stored position first: a replaced owner writes nothing.
                put(&mut to, held);
                next.push((about(Act::Work, taken.out), to));
            } else {
                to.held = Some(held);
                next.push((taken.processed(), to));
            }
        }
        if let Some(replaced) = state.replaced {
            let mut to = State { replaced: None, ..state.clone() };
            put(&mut to, replaced);
            next.push((about(Act::WriteLate, replaced.2), to));
        }
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), Self::restart(state, left)));
            if state.held.is_some() && state.replaced.is_none() {
                let to = State { replaced: state.held, ..Self::restart(state, left) };
                next.push((Step::of(Act::StandStill), to));
            }
        }
        if let Some(left) = state.left.rewind() {
            // Resetting the group changes nothing: it starts from the stored position.
            next.push((Step::of(Act::Rewind), Self::restart(state, left)));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        let done = self.hop.ended(state.position) && state.held.is_none();
        done.then(|| Output::Table(state.table.clone()))
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        state.table.rows.len()
    }
}
