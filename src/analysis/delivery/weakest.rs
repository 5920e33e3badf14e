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
    let certain: Vec<&Tainted> = state.taints.iter().filter(|taint| taint.hidden.is_none()).collect();
    if !certain.is_empty() {
        return for_values(graph, &certain);
    }
    let live: Vec<&Instance> = state.copies.iter().filter(|copy| copy.hidden.is_none()).collect();
    if !live.is_empty() {
        return for_rows(graph, state, &live);
    }
    let hidden: Vec<&Tainted> = state.taints.iter().filter(|taint| shows(ledger, taint.hidden)).collect();
    if !hidden.is_empty() {
        return for_values(graph, &hidden);
    }
    let at = state.last_write?;
    Some(Repair { at: graph.id(at).clone(), how: RepairHow::Write })
}

fn for_values(graph: &Graph<'_>, taints: &[&Tainted]) -> Option<Repair> {
    let first = taints.iter().min_by_key(|taint| graph.flow_key(taint.at))?;
    // On another way values are changed as well, and nothing that is mended here mends them.
    if !taints.iter().all(|taint| graph.leads(first.at, taint.at)) {
        return None;
    }
    let same = || taints.iter().filter(|taint| taint.at == first.at && taint.hidden.is_none());
    let all = |test: &dyn Fn(&Tainted) -> bool| same().next().is_some() && same().all(|taint| test(taint));
    let one_origin = same().all(|taint| taint.origin == first.origin);
    let apart = |taint: &Tainted| taint.class == CopyClass::Reordered && taint.origin.index() >= graph.nodes.len();
    let (at, how) = if one_origin && all(&|taint| taint.class == CopyClass::Aborted) {
        (first.origin, RepairHow::Isolation)
    } else if one_origin && all(&apart) {
        (first.origin, RepairHow::SameKey)
    } else if first.stale {
        (first.at, RepairHow::VersionGuard)
    } else if all(&|taint| taint.own) {
        (first.at, RepairHow::StateScope)
    } else {
        (first.at, RepairHow::BeforeAggregate)
    };
    Some(Repair { at: graph.id(at).clone(), how })
}

fn for_rows(graph: &Graph<'_>, state: &State, live: &[&Instance]) -> Option<Repair> {
    if let Some(aborted) = live.iter().find(|copy| !copy.key)
        && live.iter().all(|copy| copy.class == CopyClass::Aborted && copy.origin == aborted.origin)
    {
        return Some(Repair { at: graph.id(aborted.origin).clone(), how: RepairHow::Isolation });
    }
    let mut redrawn = live.iter().filter(|copy| !copy.key).filter_map(|copy| copy.redrawn);
    if let Some(at) = redrawn.next() {
        // Ids that are drawn in several places have no one of them that mends all.
        if redrawn.any(|other| other != at) {
            return None;
        }
        return Some(Repair { at: graph.id(at).clone(), how: RepairHow::DeterministicId });
    }
    Some(Repair { at: graph.id(state.last_write?).clone(), how: RepairHow::Write })
}

#[cfg(test)]
mod tests {
    use crate::{
        codec,
        model::{Id, View},
        rules::review,
    };

    /// Where the repeats of a reader would be removed, that reads counts on so many ways of their own.
    fn mended(ways: usize) -> Option<String> {
        let (mut elements, mut links) = (String::new(), String::new());
        for n in 1..=ways {
            elements += &format!(
                r#""s{n}":{{"kind":"source","system":"application"}},"a{n}":{{"kind":"channel","system":"kafka"}},
                "j{n}":{{"kind":"job","system":"flink","proposed":{{"processing_guarantee":"exactly_once"}}}},
                "o{n}":{{"kind":"operator","job":"j{n}","step":"aggregate","proposed":{{"function":"count","window":"none"}}}},
                "t{n}":{{"kind":"sink","system":"postgres"}},"#
            );
            links += &format!(
                r#""p{n}":{{"from":"s{n}","to":"a{n}","proposed":{{"capture":"in_process","after_restart":"resend_unmarked"}}}},
                "q{n}":{{"from":"a{n}","to":"o{n}"}},"r{n}":{{"from":"o{n}","to":"t{n}"}},"w{n}":{{"from":"t{n}","to":"u"}},"#
            );
        }
        let links = links.trim_end_matches(',');
        let design = format!(
            r#"{{"format":"streaming-pipeline","version":2,"elements":{{{elements}"u":{{"kind":"consumer"}}}},"links":{{{links}}}}}"#
        );
        let design = codec::decode(&design).unwrap_or_else(|error| panic!("{error}"));
        let verdict = review(&design, View::ToBe).report.consumers[&Id::new("u").unwrap()].delivery.clone();
        assert!(verdict.weakest.duplicate_origin.is_some());
        verdict.weakest.duplicate_repair.map(|repair| repair.at.to_string())
    }

    /// A de-duplication in front of one count mends that count alone.
    #[test]
    fn no_one_place_mends_two_ways() {
        assert_eq!(mended(1).as_deref(), Some("o1"));
        assert_eq!(mended(2), None);
    }
}
