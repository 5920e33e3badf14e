//! What a consumer observes: losses, repeats and changed values, with the mechanism and hop of every claim.
//!
//! One walk over the graph in flow order carries a `state::State` along every link: live copies as instances, losses,
//! taints, unknown facts. Each rule examines one kind of hop and books what it finds. From the state that reaches a
//! consumer come its badge, label, sentence, weakest hops and hop table. Not here: latency, reach and state sizes
//! (`figures`), findings (`rules`).
//!
//! What stands in the end and what only shows for a while are told apart. A reader that does not wait for the commit
//! sees rolled-back results; where the retry computes the same key and the store enforces it, the retry takes their
//! place. Then the badge and the label of the consumer speak of the end, the sentence also says what shows meanwhile,
//! and the badge of the reading link, before the store, still says that repeats can show.
//!
//! A condition that is known to be met or not met is judged; one that nobody stated is printed and not judged. So a loss
//! outside of a condition is a loss only where the design is stated to leave the condition, and an outage, a lag or a
//! horizon that nobody stated never makes a claim better than the condition that is printed with it.

mod aggregate;
mod badge;
mod connector;
mod duty;
mod fan_in;
pub(in crate::analysis) mod hop;
mod lake;
mod late;
mod ledger;
mod position;
pub(in crate::analysis) mod produce;
mod read;
mod replay;
mod retention;
mod running;
mod source;
mod state;
mod step;
mod store;
pub(crate) mod takes;
#[cfg(test)]
mod tests;
pub mod transaction;
pub mod verdict;
pub(in crate::analysis) mod versions;
mod walk;
mod weakest;
mod words;
mod write;

pub(in crate::analysis) use state::unite;

use self::{
    state::State,
    verdict::{
        Badge, Copies, DeliveryVerdict, Fewest, Hop, HopPart, HopRow, Most, Replaced, Taint, Transient, ValueEffect,
    },
};
use crate::sorted::{self, SortedMap};
use crate::{
    analysis::{
        figures::Figures,
        graph::{Graph, Place},
        report::LinkReport,
        reports::Reports,
    },
    model::{ElementKind, Id},
};
use std::sync::Arc;

/// What every consumer observes, and the badge of every link.
#[derive(Debug, Default)]
pub struct Deliveries {
    /// By consumer.
    pub consumers: SortedMap<Id, DeliveryVerdict>,
    /// By link.
    pub links: Reports<LinkReport>,
    /// What the retries of the producer of each link do to the order, by the number of the link.
    pub(in crate::analysis) retries: Vec<hop::Retries>,
}

/// Walks through a design and judges what its consumers observe; its conditions are held against its figures.
#[must_use]
pub fn judge(graph: &Graph<'_>, figures: &Figures) -> Deliveries {
    let walked = walk::walk(graph, figures);
    let mut seen = vec![usize::MAX; graph.nodes.len()];
    let consumers = walked.consumers.iter().map(|(node, state)| {
        let verdict = verdict(graph, &walked, *node, state, &mut seen);
        (graph.nodes[*node].id.clone(), verdict)
    });
    let consumers = consumers.collect();
    let nothing = Arc::new(Badge { fewest: Fewest::Unknown(Vec::new()), most: Most::Unknown(Vec::new()) });
    let at = |place: Place| walked.rows.get(place.index()).and_then(Option::as_ref);
    let links = walked.captions.into_iter().enumerate().map(|(edge, captions)| {
        // A link that the walk cuts carries what its channel holds.
        let row = at(graph.edge_place(edge)).or_else(|| at(graph.node_place(graph.edges[edge].from)));
        let badge = Arc::clone(row.map_or(&nothing, |row| &row.leaves));
        (graph.edges[edge].id.clone(), LinkReport { badge, captions })
    });
    Deliveries { consumers, links: links.collect(), retries: walked.retries }
}

fn verdict(
    graph: &Graph<'_>,
    walked: &walk::Walked,
    node: usize,
    state: &State,
    seen: &mut [usize],
) -> DeliveryVerdict {
    let ledger = &walked.ledger;
    let badge = badge::badge(ledger, state, true);
    let label = badge::label(ledger, state, &badge);
    let lossy_hops = weakest::lossy_hops(graph, ledger, state);
    let unknown = badge::missing(ledger, state, |_| true);
    let hops = hops(graph, &walked.rows, node, seen);
    let replaced = replaced(graph, state);
    let own = |at, owners: &[Place]| Replaced {
        at: graph.id(at).clone(),
        owners: owners.iter().map(|owner| graph.id(*owner).clone()).collect(),
    };
    let words = words::Words {
        graph,
        ledger,
        state,
        consumer: graph.node_place(node),
        badge: &badge,
        label,
        lossy: &lossy_hops,
        unknown: &unknown,
        hops: &hops,
        replaced: &replaced,
    };
    DeliveryVerdict {
        sentence: words.sentence(),
        why: words.why(),
        consumer_must: words.duty(),
        scope: words.scope(),
        duplicates: duplicates(graph, state),
        taints: taints(graph, state),
        transient: transients(state),
        value: value(ledger, state),
        weakest: weakest::weakest(graph, ledger, state, &lossy_hops),
        basis: if unknown.is_empty() { state.basis } else { None },
        hops,
        label,
        replaced: replaced.iter().map(|(at, owners)| own(*at, owners)).collect(),
        lossy_hops,
        unknown,
        badge,
    }
}

fn whole(graph: &Graph<'_>, place: Place) -> Hop {
    Hop { at: graph.id(place).clone(), part: HopPart::Whole }
}

fn duplicates(graph: &Graph<'_>, state: &State) -> Vec<Copies> {
    let mut live: Vec<_> = state.copies.iter().filter(|copy| copy.hidden.is_none()).collect();
    sorted::sort_by_key(&mut live, |copy| (graph.flow_key(copy.origin), copy.class));
    let mut copies: Vec<Copies> =
        live.into_iter().map(|copy| Copies { class: copy.class, origin: whole(graph, copy.origin) }).collect();
    copies.dedup();
    copies
}

fn taints(graph: &Graph<'_>, state: &State) -> Vec<Taint> {
    let mut certain: Vec<_> = state.taints.iter().filter(|taint| taint.hidden.is_none()).collect();
    sorted::sort_by_key(&mut certain, |taint| {
        (graph.flow_key(taint.at), taint.stale, taint.class, graph.flow_key(taint.origin))
    });
    let mut taints: Vec<Taint> = Vec::new();
    for taint in certain {
        let by = Copies { class: taint.class, origin: whole(graph, taint.origin) };
        let at = graph.id(taint.at);
        match taints.last_mut() {
            Some(last) if last.at == *at && last.stale == taint.stale => last.by.push(by),
            _ => taints.push(Taint { at: at.clone(), stale: taint.stale, by: vec![by] }),
        }
    }
    taints
}

/// In flow order, each place where an older version stands if an owner that was replaced writes late, with the jobs of such
/// owners.
fn replaced(graph: &Graph<'_>, state: &State) -> Vec<(Place, Vec<Place>)> {
    let mut late = state.replaced.clone();
    sorted::sort_by_key(&mut late, |(at, origin)| (graph.flow_key(*at), graph.flow_key(*origin)));
    let mut all: Vec<(Place, Vec<Place>)> = Vec::new();
    for (at, origin) in late {
        let owner = owner(graph, origin);
        match all.last_mut() {
            Some((last, owners)) if *last == at && owners.contains(&owner) => {}
            Some((last, owners)) if *last == at => owners.push(owner),
            _ => all.push((at, vec![owner])),
        }
    }
    all
}

/// The job that reads or writes over this link.
fn owner(graph: &Graph<'_>, place: Place) -> Place {
    let Some(edge) = place.index().checked_sub(graph.nodes.len()).and_then(|edge| graph.edges.get(edge)) else {
        return place;
    };
    let writes = graph.nodes[edge.from].kind() == ElementKind::Operator;
    let works = if writes { edge.from } else { edge.to };
    graph.node_place(graph.nodes[works].job.unwrap_or(works))
}

fn transients(state: &State) -> Vec<Transient> {
    let all = [
        Transient::OlderValueShownAgain,
        Transient::UncommittedVisible,
        Transient::PartialWindowShown,
        Transient::SinksDisagree,
    ];
    all.into_iter().filter(|transient| state.transient & read::bit(*transient) != 0).collect()
}

/// What values end as. Losses of rows upstream of an aggregate lower its values too.
fn value(ledger: &ledger::Ledger, state: &State) -> ValueEffect {
    let stained = |stale| state.taints.iter().any(|taint| taint.hidden.is_none() && taint.stale == stale);
    let loses = badge::may_lose(ledger, state);
    if stained(false) {
        return if loses { ValueEffect::OverOrMissing } else { ValueEffect::Over };
    }
    if stained(true) {
        return ValueEffect::Stale;
    }
    match state.values {
        false => ValueEffect::NotApplicable,
        true if loses => ValueEffect::Under,
        true => ValueEffect::Exact,
    }
}

/// Rows of every place behind the sources on a way to this consumer, in flow order; links only where they do something, or may. `seen`
/// holds the consumer that last came by, so that one table serves all of them.
fn hops(graph: &Graph<'_>, rows: &[Option<Arc<HopRow>>], consumer: usize, seen: &mut [usize]) -> Vec<Arc<HopRow>> {
    let (mut work, mut places) = (vec![consumer], Vec::new());
    seen[consumer] = consumer;
    while let Some(node) = work.pop() {
        if node != consumer {
            places.push(graph.node_place(node));
        }
        for edge in graph.flows_in(node) {
            places.push(graph.edge_place(edge));
            let from = graph.edges[edge].from;
            if seen[from] != consumer {
                seen[from] = consumer;
                work.push(from);
            }
        }
    }
    places.retain(|place| graph.nodes.get(place.index()).is_none_or(|node| node.kind() != ElementKind::Source));
    sorted::sort_by_number(&mut places, |place| graph.flow_key(*place).into());
    let row = |place: Place| {
        let row = rows.get(place.index())?.as_ref()?;
        let link = place.index() >= graph.nodes.len();
        (!link || row.acts()).then(|| Arc::clone(row))
    };
    places.into_iter().filter_map(row).collect()
}
