//! Two ways that meet in one log or store: two sources, or the same events through two nodes.
//!
//! What one writer has appended says nothing of when the other one appends, so that every interleaving of what each can
//! leave behind is followed (Apache Kafka documentation, Design: Message Delivery: order holds for one producer). A broker
//! that is lost takes what both have there.

use super::{
    Explorer, Front,
    budget::Bounds,
    item::{Item, Log, Record, canonical, fresh, surplus},
    observed::{Observed, Run, judge},
    path::{Client, Node, Rows, Source, Write},
    search::Ways,
    step::Step,
    table::Table,
};
use std::rc::Rc;

/// What comes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Together {
    /// Two sources, each with one of the events.
    Sources([Source; 2]),
    /// One source, whose log two nodes read: each event goes both ways.
    Nodes(Source, [Node; 2]),
}

/// A path on which two ways meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// What comes together.
    pub together: Together,
    /// The store that both nodes write row by row; `None`: they meet in a log.
    pub store: Option<Rows>,
    /// The nodes behind the log, in flow order.
    pub nodes: Vec<Node>,
    /// Does the reader of a log at the end wait for the commit?
    pub committed: bool,
}

/// A log that one way can leave behind, what may still go wrong, and how it came about.
type Left = (Log, Bounds, Rc<[Step]>);

impl Explorer {
    /// Everything that can be observed at the end of a path on which two ways meet.
    pub fn observe_meeting(&mut self, meeting: &Meeting) -> Observed {
        let mut observed = Observed::default();
        let waits = meeting.nodes.first().map_or(meeting.committed, |node| node.committed);
        let (reached, hop) = match &meeting.together {
            Together::Sources(sources) => (self.two_sources(*sources), 0),
            Together::Nodes(source, nodes) => (self.two_nodes(*source, nodes, meeting, waits), 1),
        };
        let fronts = self.fronts(&reached, hop, waits);
        let Some(rows) = meeting.store else {
            self.along(fronts, hop + 1, (&meeting.nodes, meeting.committed), &mut observed);
            return observed;
        };
        for Front { log, left, run } in &fronts {
            let mut table = Table::new(rows);
            log.iter().for_each(|record| table.write(u8::MAX, record.item));
            for effect in judge(&table) {
                observed.note(effect, run, self.bounds, *left);
            }
        }
        observed
    }

    fn two_sources(&mut self, sources: [Source; 2]) -> Vec<(Run, Bounds, Rc<Ways>)> {
        let of = |ways: &Ways, event: u8| -> Vec<Left> {
            let only = |record: &&Record| record.item == Item::event(event);
            let ways = ways.logs.iter();
            ways.map(|(log, left, steps)| (log.iter().filter(only).copied().collect(), *left, Rc::clone(steps)))
                .collect()
        };
        let [one, other] = sources.map(|source| self.source(source));
        let ways = self.interleaved(self.bounds, &of(&one, 0), &of(&other, 1));
        vec![(Run::default(), Bounds::NONE, Rc::new(ways))]
    }

    fn two_nodes(
        &mut self,
        source: Source,
        nodes: &[Node; 2],
        meeting: &Meeting,
        waits: bool,
    ) -> Vec<(Run, Bounds, Rc<Ways>)> {
        let first = [(Run::default(), Bounds::NONE, self.source(source))];
        let fronts = self.fronts(&first, 0, nodes.iter().all(|node| node.committed));
        let reach = |front: Front| {
            let [one, other] = nodes.each_ref().map(|node| {
                // Row by row into a store is record by record with an answer to each.
                let write = if meeting.store.is_some() { Write::Log(Client::SAFE) } else { node.write };
                let (ways, kept) = self.node(&Node { write, ..node.clone() }, &front.log, front.left);
                let shown = |record: &&Record| !(waits && record.aborted);
                let whole = |(log, left, steps): &Left| {
                    (log.iter().filter(shown).copied().collect(), left.and(kept), Rc::clone(steps))
                };
                ways.logs.iter().map(whole).collect::<Vec<_>>()
            });
            let ways = self.interleaved(front.left, &one, &other);
            (front.run, Bounds::NONE, Rc::new(ways))
        };
        fronts.into_iter().map(reach).collect()
    }

    /// Every log that two writers can leave together, who began with the same that may go wrong.
    fn interleaved(&self, began: Bounds, one: &[Left], other: &[Left]) -> Ways {
        let mut ways = Ways::default();
        for (log, left, steps) in one {
            for (beside, less, more) in other {
                let Some(left) = both(began, *left, *less) else { continue };
                if surplus(&[log.as_slice(), beside].concat()) > usize::from(self.bounds.surplus) {
                    continue;
                }
                let steps: Rc<[Step]> = steps.iter().chain(more.iter()).copied().collect();
                for log in shuffles(log, &apart(log, beside)) {
                    ways.logs.push((canonical(log), left, Rc::clone(&steps)));
                }
            }
        }
        ways
    }
}

/// What may still go wrong when both have come this far; a broker is lost to both at once.
fn both(began: Bounds, one: Bounds, other: Bounds) -> Option<Bounds> {
    let used = Bounds { leaders: 0, surplus: 0, ..began.without(other)? };
    Some(Bounds { leaders: one.leaders.min(other.leaders), ..one.without(used)? })
}

/// Ids that the other writer made anew are not those of the first one.
fn apart(one: &[Record], other: &[Record]) -> Log {
    let made = one.iter().map(|record| fresh(record.item)).max().unwrap_or(0);
    let mut other = other.to_vec();
    for record in other.iter_mut().filter(|record| fresh(record.item) > 0) {
        record.item.id = record.item.id.saturating_add(made);
    }
    other
}

/// Every order in which the records of two logs can stand that each keep their own.
fn shuffles(one: &[Record], other: &[Record]) -> Vec<Log> {
    let mut done = Vec::new();
    let mut work = vec![(Log::new(), one, other)];
    while let Some((log, one, other)) = work.pop() {
        if one.is_empty() && other.is_empty() {
            done.push(log);
            continue;
        }
        let then = |record: &Record| log.iter().copied().chain([*record]).collect::<Log>();
        if let [first, rest @ ..] = one {
            work.push((then(first), rest, other));
        }
        if let [first, rest @ ..] = other {
            work.push((then(first), one, rest));
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(events: &[u8]) -> Log {
        events.iter().map(|event| Record { item: Item::event(*event), aborted: false }).collect()
    }

    #[test]
    fn each_writer_keeps_its_own_order() {
        let mut all = shuffles(&log(&[0, 0]), &log(&[1]));
        crate::sorted::sort(&mut all);
        assert_eq!(all, [log(&[0, 0, 1]), log(&[0, 1, 0]), log(&[1, 0, 0])]);
        assert_eq!(shuffles(&log(&[0, 1]), &log(&[0, 1])).len(), 6);
    }

    /// One crash is left of two after each has crashed once; the one leader that may be lost is lost to both.
    #[test]
    fn what_goes_wrong_adds_up_but_for_a_broker() {
        let began = Bounds::USUAL;
        let crashed = Bounds { crashes: 1, ..began };
        assert_eq!(both(began, crashed, crashed).map(|left| left.crashes), Some(0));
        assert_eq!(both(began, Bounds { crashes: 0, ..began }, crashed), None);
        let lost = Bounds { leaders: 0, ..began };
        assert_eq!(both(began, lost, lost), Some(lost));
        assert_eq!(both(began, began, lost), Some(lost));
    }
}
