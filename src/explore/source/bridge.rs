//! MQTT with quality of service 0 through a bridge that has what it received in memory only.
//!
//! Source: MQTT 5.0, 4.3.1 `QoS` 0: At most once delivery: no response, no retry.

use crate::explore::{
    budget::Bounds,
    item::{EVENTS, Item},
    path::Client,
    producer::Producer,
    search::{Machine, Output},
    step::{Act, Step},
};

/// Broker and bridge.
pub(in crate::explore) struct Bridge {
    pub left: Bounds,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::explore) struct State {
    published: u8,
    producer: Producer,
    left: Bounds,
}

impl Machine for Bridge {
    type State = State;

    fn start(&self) -> State {
        State { published: 0, producer: Producer::new(Client::SAFE), left: self.left }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if state.published < EVENTS {
            let event = Item::event(state.published);
            let to = State { published: state.published + 1, ..state.clone() };
            if let Some(left) = state.left.response() {
                next.push((Step::on(Act::LoseMessage, event.what), State { left, ..to.clone() }));
            }
            let mut to = to;
            to.producer.send(event);
            next.push((Step::on(Act::Receive, event.what), to));
        }
        state.producer.steps(state.left, |step, producer, left| {
            next.push((step, State { producer, left, ..state.clone() }));
        });
        if let Some(left) = state.left.crash() {
            let mut to = State { left, ..state.clone() };
            to.producer.crash();
            next.push((Step::of(Act::Crash), to));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        (state.published == EVENTS && state.producer.quiet()).then(|| Output::Log(state.producer.log()))
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
