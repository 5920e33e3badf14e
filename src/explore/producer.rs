//! A producer client and the partition it writes to.
//!
//! Sources: Apache Kafka documentation, Producer Configs (`acks`, `enable.idempotence`, `retries`,
//! `max.in.flight.requests.per.connection`); KIP-98: a broker recognises a numbered retry; Apache Kafka documentation,
//! Replication: what only the lost leader had is truncated.
//!
//! Responses are lost, requests are not, so that a retry never overtakes a record that was not yet written: order
//! without copies is not part of this model.

use super::{
    budget::Bounds,
    item::{EVENTS, Item, Log, Record, fresh},
    path::{Acks, Client},
    step::{Act, Step},
};

/// A client with what it has not heard of, and the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Producer {
    client: Client,
    /// What was sent and not answered, each with its offset once it is in the log.
    sending: Vec<(Item, Option<u8>)>,
    log: Vec<Item>,
    /// So many records the follower has.
    replicated: u8,
}

impl Producer {
    /// With an empty log.
    pub const fn new(client: Client) -> Self {
        Self { client, sending: Vec::new(), log: Vec::new(), replicated: 0 }
    }

    /// Hands a record to the client of a node that does nothing else before it is in the log, or crashes and forgets
    /// that it read it: one step, where retries are recognised.
    pub fn send_through(&mut self, item: Item) {
        if self.client.effective() {
            self.log.push(item);
        } else {
            self.send(item);
        }
    }

    /// The most ids that were made anew and can still be told apart.
    pub fn fresh(&self) -> u8 {
        let sending = self.sending.iter().map(|(item, _)| fresh(*item));
        self.log.iter().map(|item| fresh(*item)).chain(sending).max().unwrap_or(0)
    }

    /// Hands a record to the client.
    pub fn send(&mut self, item: Item) {
        self.sending.push((item, None));
    }

    /// Does the client believe that everything is sent?
    pub fn flushed(&self) -> bool {
        self.client.acks == Acks::Zero || self.sending.is_empty()
    }

    /// Can the client take one more? Two on their way show everything that more of them can.
    pub fn room(&self) -> bool {
        self.sending.len() < usize::from(EVENTS)
    }

    /// Is nothing on its way?
    pub fn quiet(&self) -> bool {
        self.sending.is_empty()
    }

    /// Is this event on its way?
    pub fn waits_for(&self, item: Item) -> bool {
        self.client.acks != Acks::Zero && self.sending.iter().any(|(other, _)| *other == item)
    }

    /// Its process dies: what the broker does not have is gone.
    pub fn crash(&mut self) {
        self.sending.clear();
    }

    /// How many records the log has.
    pub fn written(&self) -> usize {
        self.log.len()
    }

    /// The log as it is.
    pub fn log(&self) -> Log {
        self.log.iter().map(|item| Record { item: *item, aborted: false }).collect()
    }

    /// Everything that client, network and brokers can do next.
    pub fn steps(&self, left: Bounds, mut next: impl FnMut(Step, Self, Bounds)) {
        if self.client.effective() || (left.leaders == 0 && left.responses == 0) {
            // Retries are recognised and what is answered is replicated, or nothing goes wrong: one step.
            if let Some((item, _)) = self.sending.first() {
                let mut to = self.clone();
                to.sending.remove(0);
                to.log.push(*item);
                next(Step::on(Act::Append, item.what), to.settled(left), left);
            }
            return;
        }
        let mut next = |step: Step, to: Self, left: Bounds| next(step, to.settled(left), left);
        self.append(left, &mut next);
        let length = u8::try_from(self.log.len()).unwrap_or(u8::MAX);
        if self.replicated < length {
            next(Step::of(Act::Replicate), Self { replicated: length, ..self.clone() }, left);
        }
        self.answers(left, &mut next);
        if let Some(left) = left.leader() {
            let mut to = self.clone();
            to.log.truncate(usize::from(to.replicated));
            if to.client.acks == Acks::Zero {
                to.sending.clear();
            }
            for sent in &mut to.sending {
                sent.1 = None;
            }
            next(Step::of(Act::LoseLeader), to, left);
        }
    }

    /// Without what makes no difference any more.
    fn settled(mut self, left: Bounds) -> Self {
        if left.leaders == 0 {
            self.replicated = u8::try_from(self.log.len()).unwrap_or(u8::MAX);
            if left.responses == 0 {
                self.sending.retain(|(_, offset)| offset.is_none());
            }
        }
        self
    }

    fn append(&self, left: Bounds, next: &mut impl FnMut(Step, Self, Bounds)) {
        let Some(at) = self.sending.iter().position(|(_, offset)| offset.is_none()) else { return };
        if self.client.one_at_a_time && at > 0 {
            return;
        }
        let mut to = self.clone();
        let Some((item, offset)) = to.sending.get_mut(at) else { return };
        let item = *item;
        *offset = u8::try_from(to.log.len()).ok();
        to.log.push(item);
        if to.client.acks == Acks::Zero {
            to.sending.remove(at);
        }
        next(Step::on(Act::Append, item.what), to, left);
    }

    fn answers(&self, left: Bounds, next: &mut impl FnMut(Step, Self, Bounds)) {
        for (at, (item, offset)) in self.sending.iter().enumerate() {
            let Some(offset) = offset else { continue };
            if self.client.acks == Acks::One || *offset < self.replicated {
                let mut to = self.clone();
                to.sending.remove(at);
                next(Step::on(Act::Acknowledge, item.what), to, left);
            }
            if let Some(left) = left.response() {
                let mut to = self.clone();
                if let Some(sent) = to.sending.get_mut(at) {
                    sent.1 = None;
                }
                next(Step::on(Act::LoseResponse, item.what), to, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every log that two records can leave, with one lost leader and one lost response.
    fn logs(client: Client) -> Vec<Vec<u8>> {
        let mut start = Producer::new(client);
        start.send(Item::event(0));
        start.send(Item::event(1));
        let (mut work, mut seen, mut logs) = (vec![(start, Bounds::USUAL)], Vec::new(), Vec::new());
        while let Some((producer, left)) = work.pop() {
            if seen.contains(&(producer.clone(), left)) {
                continue;
            }
            if producer.quiet() {
                logs.push(producer.log.iter().map(|item| item.id).collect());
            }
            producer.steps(left, |_, producer, left| work.push((producer, left)));
            seen.push((producer, left));
        }
        crate::sorted::sort(&mut logs);
        logs.dedup();
        logs
    }

    #[test]
    fn a_numbered_retry_is_recognised() {
        assert_eq!(logs(Client::SAFE), [[0, 1]]);
    }

    #[test]
    fn a_retry_comes_again_and_never_first() {
        let all = logs(Client::RETRYING);
        assert!(all.contains(&vec![0, 1, 0]) && all.contains(&vec![0, 0, 1]), "{all:?}");
        assert!(all.iter().all(|log| log.contains(&1) && log[0] == 0), "{all:?}");
    }

    #[test]
    fn one_at_a_time_a_copy_comes_right_behind() {
        assert!(logs(Client::CONNECTOR).iter().all(|log| log.is_sorted()));
    }

    #[test]
    fn the_answer_of_the_leader_alone_is_not_enough() {
        assert!(logs(Client::LEADER).contains(&vec![0]));
        assert!(logs(Client::LEADER).contains(&vec![0, 1, 0]));
    }

    #[test]
    fn without_answers_nothing_comes_twice() {
        assert_eq!(logs(Client::NONE), [vec![], vec![0], vec![0, 1]]);
    }
}
