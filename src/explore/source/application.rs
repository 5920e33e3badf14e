//! An application with a producer of its own, by what survives its restart.
//!
//! Sources: KIP-98 (a producer id ends with its process: the broker does not recognise what a restarted process sends
//! again); Debezium documentation, PostgreSQL connector: When things go wrong (goes on from the last recorded position;
//! a connector has one request in flight, Kafka Connect `ConnectorConfig` and KIP-618); Richardson, Transactional Outbox.

use crate::explore::{
    budget::Bounds,
    item::{EVENTS, Item},
    path::{Client, Source},
    producer::Producer,
    search::{Machine, Output},
    step::{Act, Step},
};

/// The application.
pub(in crate::explore) struct Application {
    pub source: Source,
    pub client: Client,
    pub left: Bounds,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::explore) struct State {
    /// Events that are still to be sent, a bit each.
    todo: u8,
    /// Saved position, or events that are flagged as sent, a bit each.
    saved: u8,
    producer: Producer,
    left: Bounds,
}

const ALL: u8 = (1 << EVENTS) - 1;

impl Application {
    fn saves(&self, state: &State, next: &mut Vec<(Step, State)>) {
        match self.source {
            Source::Position(_) => {
                let sent = EVENTS - u8::try_from(state.todo.count_ones()).unwrap_or(EVENTS);
                if state.producer.flushed() && sent != state.saved {
                    next.push((Step::of(Act::SavePosition), State { saved: sent, ..state.clone() }));
                }
            }
            Source::Flags(_) => {
                for event in (0..EVENTS).map(Item::event) {
                    let bit = 1 << event.id;
                    if state.todo & bit == 0 && state.saved & bit == 0 && !state.producer.waits_for(event) {
                        let to = State { saved: state.saved | bit, ..state.clone() };
                        next.push((Step::on(Act::Flag, event.what), to));
                    }
                }
            }
            _ => {}
        }
    }

    fn crash(&self, state: &State, left: Bounds) -> State {
        let todo = match self.source {
            Source::Position(_) => ALL & ALL.wrapping_shl(u32::from(state.saved)),
            Source::Flags(_) => ALL & !state.saved,
            _ => state.todo,
        };
        let mut to = State { todo, left, ..state.clone() };
        to.producer.crash();
        to
    }
}

impl Machine for Application {
    type State = State;

    fn start(&self) -> State {
        State { todo: ALL, saved: 0, producer: Producer::new(self.client), left: self.left }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if state.todo != 0 {
            let event = Item::event(u8::try_from(state.todo.trailing_zeros()).unwrap_or(0));
            let mut to = State { todo: state.todo & (state.todo - 1), ..state.clone() };
            to.producer.send(event);
            next.push((Step::on(Act::Send, event.what), to));
        }
        state.producer.steps(state.left, |step, producer, left| {
            next.push((step, State { producer, left, ..state.clone() }));
        });
        self.saves(state, next);
        if !matches!(self.source, Source::Steady(_))
            && let Some(left) = state.left.crash()
        {
            next.push((Step::of(Act::Crash), self.crash(state, left)));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        (state.todo == 0 && state.producer.quiet()).then(|| Output::Log(state.producer.log()))
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        state.producer.written()
    }
}
