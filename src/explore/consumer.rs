//! A consumer of its own making: polls, works, writes, commits, in the order that its author chose.
//!
//! Sources: Apache Kafka Javadoc, `KafkaConsumer`: Offsets and Consumer Position, Automatic Offset Committing (the
//! positions of the previous poll are committed at the next poll or at `close()`), Manual Offset Control;
//! librdkafka, CONFIGURATION.md: `enable.auto.offset.store` (stored when handed out); Redis documentation, SET NX.
//!
//! Flink without checkpoints is such a consumer too: "relies on Kafka consumer's internal automatic periodic offset
//! committing" (Apache Flink documentation, Kafka connector), and its fetcher runs ahead of the operators.

use super::{
    budget::Bounds,
    hop::{Hop, about},
    item::Item,
    operator::{Memory, bit},
    path::{Commit, Operator},
    search::{Machine, Output},
    sink::Sink,
    step::{Act, Step},
};

/// The consumer.
pub(super) struct Consumer<'p> {
    pub commit: Commit,
    pub hop: &'p Hop<'p>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    position: u8,
    polled: u8,
    committed: u8,
    memory: Memory,
    held: Option<(u8, Item)>,
    marking: Option<u8>,
    marks: u32,
    sink: Sink,
    left: Bounds,
}

impl State {
    fn idle(&self) -> bool {
        self.held.is_none() && self.marking.is_none()
    }
}

impl Consumer<'_> {
    fn has(&self, operator: Operator) -> bool {
        self.hop.node.operators.contains(&operator)
    }

    fn restart(&self, from: &State, committed: u8, left: Bounds) -> State {
        let mut to = State {
            position: committed,
            polled: committed,
            committed,
            held: None,
            marking: None,
            left,
            ..from.clone()
        };
        to.sink.crash();
        if !self.has(Operator::CountOutside) {
            to.memory = to.memory.forgotten(committed);
        }
        to
    }

    fn take(&self, state: &State) -> (Step, State) {
        let (_, item) = self.hop.feed.at(state.position);
        let mut to = State { position: state.position + 1, ..state.clone() };
        let marks = self.has(Operator::MarkBefore) || self.has(Operator::MarkAfter) || self.has(Operator::MarkWith);
        if let (true, Some(item)) = (marks, item) {
            if to.marks & bit(item.id) != 0 {
                return (about(Act::Process, Some(item)), to);
            }
            if self.has(Operator::MarkBefore) {
                to.marks |= bit(item.id);
            }
        }
        let taken = self.hop.take(state.position, &mut to.memory, state.sink.fresh(), false);
        if self.has(Operator::MarkBefore) || self.has(Operator::CountOutside) {
            to.held = taken.out.map(|item| (taken.offset, item));
        } else if let Some(item) = taken.out {
            // What is gone after a crash in between is read again, or as little remembered as written.
            return (Step::on(Act::Work, item.what), self.put(to, taken.offset, item));
        }
        (taken.processed(), to)
    }

    fn put(&self, state: State, offset: u8, item: Item) -> State {
        let mut to = State { held: None, ..state };
        to.sink.write_through(offset, item);
        if self.has(Operator::MarkWith) {
            to.marks |= bit(item.id);
        } else if self.has(Operator::MarkAfter) {
            to.marking = Some(item.id);
        }
        to
    }

    /// Polling and committing.
    fn positions(&self, state: &State, next: &mut Vec<(Step, State)>) {
        let (end, idle) = (self.hop.feed.end(), state.idle());
        let worked = idle && state.position == state.polled;
        let polls = |from: u8| from + 1..=end;
        match self.commit {
            Commit::After => {
                if idle && state.sink.flushed() && state.committed != state.position {
                    next.push((Step::of(Act::Commit), State { committed: state.position, ..state.clone() }));
                }
            }
            Commit::Before if worked => next.extend(
                polls(state.polled)
                    .map(|polled| (Step::of(Act::Poll), State { polled, committed: polled, ..state.clone() })),
            ),
            Commit::AutoApart => {
                next.extend(polls(state.polled).map(|polled| (Step::of(Act::Poll), State { polled, ..state.clone() })));
                if state.committed != state.polled {
                    next.push((Step::of(Act::Commit), State { committed: state.polled, ..state.clone() }));
                }
            }
            Commit::AutoClosing | Commit::AutoHandled if worked && state.sink.flushed() => {
                for polled in polls(state.polled) {
                    next.push((Step::of(Act::Poll), State { polled, ..state.clone() }));
                }
                if state.committed != state.position {
                    next.push((Step::of(Act::Commit), State { committed: state.position, ..state.clone() }));
                }
            }
            Commit::Before | Commit::AutoClosing | Commit::AutoHandled => {}
        }
    }

    fn failures(&self, state: &State, next: &mut Vec<(Step, State)>) {
        if let Some(left) = state.left.crash() {
            next.push((Step::of(Act::Crash), self.restart(state, state.committed, left)));
            let closed = match self.commit {
                Commit::AutoClosing => Some(state.polled),
                Commit::AutoHandled if state.sink.flushed() => Some(state.position - u8::from(!state.idle())),
                _ => None,
            };
            if let Some(committed) = closed {
                next.push((Step::of(Act::FailAndClose), self.restart(state, committed, left)));
            }
        }
        if let Some(left) = state.left.rewind() {
            next.push((Step::of(Act::Rewind), self.restart(state, 0, left)));
        }
        if let Some(left) = state.left.expiry()
            && (state.marks != 0 || state.memory.seen != 0)
        {
            let memory = Memory { seen: 0, ..state.memory };
            next.push((Step::of(Act::Expire), State { marks: 0, memory, left, ..state.clone() }));
        }
    }
}

impl Machine for Consumer<'_> {
    type State = State;

    fn start(&self) -> State {
        State {
            position: 0,
            polled: 0,
            committed: 0,
            memory: Memory::default(),
            held: None,
            marking: None,
            marks: 0,
            sink: Sink::new(self.hop.node.write),
            left: self.hop.left,
        }
    }

    fn steps(&self, state: &State, next: &mut Vec<(Step, State)>) {
        state.sink.steps(state.left, |step, sink, left| next.push((step, State { sink, left, ..state.clone() })));
        if let Some((offset, item)) = state.held {
            next.push((Step::on(Act::Write, item.what), self.put(state.clone(), offset, item)));
        } else if let Some(id) = state.marking {
            if state.sink.flushed() {
                let to = State { marking: None, marks: state.marks | bit(id), ..state.clone() };
                next.push((Step::of(Act::Mark), to));
            }
        } else {
            let last = if self.commit == Commit::After { self.hop.feed.end() } else { state.polled };
            if state.position < last && state.sink.room() {
                next.push(self.take(state));
            }
        }
        self.positions(state, next);
        self.failures(state, next);
    }

    fn done(&self, state: &State) -> Option<Output> {
        let done = self.hop.ended(state.position) && state.idle() && state.sink.quiet();
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
