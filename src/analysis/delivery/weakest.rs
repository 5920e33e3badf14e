//! The weakest hops of a consumer: where loss is worst, where the worst copies are made, and the one place where a
//! removal would clear them all.

use super::{
    badge,
    ledger::{Ledger, Loss},
    state::{Instance, State, Tainted},
    verdict::{CopyClass, Hop, HopPart, LossyHop, Repair, RepairHow, Weakest},
};
use crate::analysis::graph::{Graph, Place};
use crate::sorted;
use std::{cmp::Ordering, sync::Arc};

/// All lossy hops, worst first: without a condition, then without a bound, then by the smallest bound; of equals, the
/// most upstream, because what is lost there no later hop ever sees.
pub(super) fn lossy_hops(graph: &Graph<'_>, ledger: &Ledger, state: &State) -> Vec<Arc<LossyHop>> {
    let mut losses: Vec<&Loss> = state.losses.iter().filter_map(|number| ledger.loss(*number)).collect();
    sorted::sort_by(&mut losses, |a, b| worse(graph, a, b));
    losses.into_iter().map(|loss| Arc::clone(&loss.hop)).collect()
}

fn worse(graph: &Graph<'_>, a: &Loss, b: &Loss) -> Ordering {
    let flow = |loss: &Loss| graph.flow_key(loss.place);
    a.severity.cmp(&b.severity).then_with(|| a.margin.total_cmp(&b.margin)).then_with(|| flow(a).cmp(&flow(b)))
}

/// The weakest hops.
pub(super) fn weakest(graph: &Graph<'_>, ledger: &Ledger, state: &State, lossy: &[Arc<LossyHop>]) -> Weakest {
    let worst = worst_copies(graph, ledger, state);
    Weakest {
        loss: lossy.first().map(|loss| loss.hop.clone()),
        loss_conditional: !badge::may_lose(ledger, state),
        duplicate_origin: worst.map(|(origin, _)| origin_of(graph, origin)),
        duplicate_repair: worst.and_then(|_| repair(graph, ledger, state)),
        duplicate_conditional: !badge::repeats(state),
    }
}

fn origin_of(graph: &Graph<'_>, place: Place) -> Hop {
    Hop { at: graph.id(place).clone(), part: HopPart::Whole }
}

/// Outside of what is stated, or where nothing is stated: copies that a condition hides and does not surely cover.
fn shows(ledger: &Ledger, hidden: Option<u32>) -> bool {
    hidden.is_none_or(|number| {
        ledger.conditions.get(number as usize).is_none_or(|one| one.condition.inside != Some(true))
    })
}

/// Origin and rank of the worst copies: changed values, then rows, then what a condition hides, then what shows for a
/// while; of equals the most upstream.
fn worst_copies(graph: &Graph<'_>, ledger: &Ledger, state: &State) -> Option<(Place, u8)> {
    let taints = state
        .taints
        .iter()
        .filter(|taint| shows(ledger, taint.hidden))
        .map(|taint| (if taint.hidden.is_none() { 0 } else { 2 }, taint.origin));
    let rows = state
        .copies
        .iter()
        .filter(|copy| shows(ledger, copy.hidden))
        .map(|copy| (if copy.hidden.is_none() { 1 } else { 2 }, copy.origin));
    let all = taints.chain(rows);
    all.min_by_key(|(rank, origin)| (*rank, graph.flow_key(*origin))).map(|(rank, origin)| (origin, rank))
}

/// The one place where a removal clears everything.
fn repair(graph: &Graph<'_>, ledger: &Ledger, state: &State) -> Option<Repair> {
    let certain = state.taints.iter().filter(|taint| taint.hidden.is_none());
    if let Some(first) = certain.min_by_key(|taint| graph.flow_key(taint.at)) {
        return Some(for_value(graph, state, first));
    }
    let live: Vec<&Instance> = state.copies.iter().filter(|copy| copy.hidden.is_none()).collect();
    if !live.is_empty() {
        return for_rows(graph, state, &live);
    }
    let hidden = state.taints.iter().filter(|taint| shows(ledger, taint.hidden));
    if let Some(first) = hidden.min_by_key(|taint| graph.flow_key(taint.at)) {
        return Some(for_value(graph, state, first));
    }
    let at = state.last_write?;
    Some(Repair { at: graph.id(at).clone(), how: RepairHow::Write })
}

fn for_value(graph: &Graph<'_>, state: &State, first: &Tainted) -> Repair {
    let same: Vec<&Tainted> =
        state.taints.iter().filter(|taint| taint.at == first.at && taint.hidden.is_none()).collect();
    let all = |test: &dyn Fn(&Tainted) -> bool| !same.is_empty() && same.iter().all(|taint| test(taint));
    let (at, how) = if all(&|taint| taint.class == CopyClass::Aborted) {
        (first.origin, RepairHow::Isolation)
    } else if all(&|taint| taint.class == CopyClass::Reordered && taint.origin.index() >= graph.nodes.len()) {
        (first.origin, RepairHow::SameKey)
    } else if first.stale {
        (first.at, RepairHow::VersionGuard)
    } else if all(&|taint| taint.own) {
        (first.at, RepairHow::StateScope)
    } else {
        (first.at, RepairHow::BeforeAggregate)
    };
    Repair { at: graph.id(at).clone(), how }
}

fn for_rows(graph: &Graph<'_>, state: &State, live: &[&Instance]) -> Option<Repair> {
    if let Some(aborted) = live.iter().find(|copy| copy.class == CopyClass::Aborted && !copy.key)
        && live.iter().all(|copy| copy.class == CopyClass::Aborted)
    {
        return Some(Repair { at: graph.id(aborted.origin).clone(), how: RepairHow::Isolation });
    }
    if let Some(at) = live.iter().filter(|copy| !copy.key).find_map(|copy| copy.redrawn) {
        return Some(Repair { at: graph.id(at).clone(), how: RepairHow::DeterministicId });
    }
    Some(Repair { at: graph.id(state.last_write?).clone(), how: RepairHow::Write })
}
