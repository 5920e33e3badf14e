//! A caller that repeats each call until it is answered, and a receiver that stores what it is given.
//!
//! Sources: Stripe documentation, Receive Stripe events in your webhook endpoint: retry behaviour, order is not
//! guaranteed; GitHub documentation, Best practices for using webhooks (answer within ten seconds, redeliveries).

use crate::explore::{
    budget::Bounds,
    item::{EVENTS, Item, Log, Record},
    search::{Machine, Output},
    step::{Act, Step},
};

/// Caller and receiver.
pub(in crate::explore) struct Webhook {
    /// Is a call answered before it is stored?
    pub before: bool,
    pub left: Bounds,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Call {
    event: u8,
    stored: bool,
    answered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::explore) struct State {
    /// Events that were called with at least once.
    begun: u8,
    /// Events to be called with, a bit each.
    due: u8,
    /// Calls at the receiver.
    calls: Vec<Call>,
    log: Vec<u8>,
    left: Bounds,
}

impl Webhook {
    fn receive(state: &State, next: &mut Vec<(Step, State)>) {
        // What was never stored does not come after newer events: order without copies is not part of this model.
        let waits = |event: u8| (0..event).any(|other| state.due & (1 << other) != 0 && !state.log.contains(&other));
        let due = |event: &u8| state.due & (1 << event) != 0 && *event <= state.begun && !waits(*event);
        for event in (0..EVENTS).filter(due) {
            let mut to = State { due: state.due & !(1 << event), begun: state.begun.max(event + 1), ..state.clone() };
            to.calls.push(Call { event, stored: false, answered: false });
            next.push((Step::on(Act::Receive, Item::event(event).what), to));
        }
    }

    fn settle(mut state: State) -> State {
        state.calls.retain(|call| !(call.stored && call.answered));
        state
    }

    fn work(&self, state: &State, next: &mut Vec<(Step, State)>) {
        for (at, call) in state.calls.iter().enumerate() {
            let what = Item::event(call.event).what;
            let with = |stored: bool, answered: bool| {
                let mut to = state.clone();
                if let Some(call) = to.calls.get_mut(at) {
                    call.stored |= stored;
                    call.answered |= answered;
                }
                to
            };
            // One receiver works its calls off in the order in which they came.
            if !call.stored && (!self.before || call.answered) && state.calls.iter().take(at).all(|call| call.stored) {
                let mut to = with(true, false);
                to.log.push(call.event);
                next.push((Step::on(Act::Append, what), Self::settle(to)));
            }
            if !call.answered && (self.before || call.stored) {
                next.push((Step::on(Act::Acknowledge, what), Self::settle(with(false, true))));
                if let Some(left) = state.left.response() {
                    let to = with(false, true);
                    let to = State { due: to.due | (1 << call.event), left, ..to };
                    next.push((Step::on(Act::LoseResponse, what), Self::settle(to)));
                }
            }
        }
    }
}

impl Machine for Webhook {
    type State = State;

    fn start(&self) -> State {
        State { begun: 0, due: (1 << EVENTS) - 1, calls: Vec::new(), log: Vec::new(), left: self.left }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        Self::receive(state, next);
        self.work(state, next);
        if let Some(left) = state.left.crash() {
            let mut to = State { calls: Vec::new(), left, ..state.clone() };
            for call in state.calls.iter().filter(|call| !call.answered) {
                to.due |= 1 << call.event;
            }
            next.push((Step::of(Act::Crash), to));
        }
    }

    fn done(&self, state: &State) -> Option<Output> {
        let log =
            || -> Log { state.log.iter().map(|event| Record { item: Item::event(*event), aborted: false }).collect() };
        (state.due == 0 && state.calls.is_empty()).then(|| Output::Log(log()))
    }

    fn left(state: &State) -> Bounds {
        state.left
    }

    fn left_mut(state: &mut State) -> &mut Bounds {
        &mut state.left
    }

    fn written(state: &State) -> usize {
        state.log.len()
    }
}
