//! From a state to a badge, a label, and a row of the hop table.

use super::{
    hop::Row,
    ledger::{Axes, ClaimKind, Ledger},
    state::{Instance, State},
    verdict::{Badge, Caption, Captions, Claims, Condition, CopyClass, Fewest, HopRow, Label, LossKind, Most},
};
use crate::{
    analysis::{
        explain::Missing,
        graph::{Graph, Place},
    },
    model::{Basis, Id, Subject},
};
use std::sync::Arc;

/// The badge of a state; `all` names every claim, else the nearest one.
pub(super) fn badge(ledger: &Ledger, state: &State, all: bool) -> Badge {
    Badge { fewest: fewest(ledger, state, all), most: most(ledger, state, all) }
}

/// Facts that are missing on one axis, each once; without those that could change nothing.
pub(super) fn missing(ledger: &Ledger, state: &State, on: impl Fn(Axes) -> bool) -> Vec<Missing> {
    let mut missing: Vec<Missing> = Vec::new();
    if state.unknown.is_empty() {
        return missing;
    }
    let mut marks = ledger.marks.take();
    marks.begin();
    for number in &state.unknown {
        if let Some(one) = ledger.unknown.get(*number as usize)
            && on(one.axes)
            && !(one.axes.more && repeats_anyway(state, one.place))
            && marks.at(one.alike, 0).is_none()
        {
            missing.push(one.missing.clone());
        }
    }
    ledger.marks.replace(marks);
    missing
}

/// Does a reader of what this hop writes get what its job writes again in any case, of which no end in time is claimed? More
/// of the same then change nothing: they are rows, and no value is made of them.
fn repeats_anyway(state: &State, hop: Place) -> bool {
    let shows = |copy: &Instance| {
        copy.class == CopyClass::Reemission && copy.origin == hop && copy.hidden.is_none() && copy.horizon.is_none()
    };
    state.last_write == Some(hop) && !state.values && !state.versions && state.copies.iter().any(shows)
}

fn claims(ledger: &Ledger, state: &State, all: bool, of: impl Fn(ClaimKind) -> bool) -> Option<Claims> {
    let chosen = ledger.claims(&state.claims).filter(|booked| of(booked.kind)).map(|booked| Arc::clone(&booked.claim));
    if all { Claims::of(chosen) } else { Claims::of(chosen.rev().take(1)) }
}

/// Conditions with each variable once: the smallest bound of several, those without a bound first.
pub(super) fn conditions(ledger: &Ledger, state: &State) -> Vec<Arc<Condition>> {
    let conditional = |number: &u32| {
        let loss = ledger.loss(*number)?;
        if let LossKind::Conditional(condition) = &loss.hop.kind { Some((condition, loss.alike)) } else { None }
    };
    tightest(ledger, state.losses.iter().filter_map(conditional))
}

/// Of conditions that are alike, the one with the smallest bound; of equal bounds, one that is not judged.
fn tightest<'l>(ledger: &Ledger, all: impl Iterator<Item = (&'l Arc<Condition>, u32)>) -> Vec<Arc<Condition>> {
    let tightness =
        |condition: &Condition| (condition.bound.as_ref().map_or(0.0, |bound| bound.value), condition.inside.is_some());
    let mut all = all.peekable();
    let mut conditions: Vec<Arc<Condition>> = Vec::new();
    if all.peek().is_none() {
        return conditions;
    }
    conditions.reserve(all.size_hint().1.unwrap_or_default().min(16));
    let mut marks = ledger.marks.take();
    marks.begin();
    for (condition, alike) in all {
        match marks.at(alike, conditions.len()).and_then(|at| conditions.get_mut(at)) {
            Some(other) => {
                if tightness(condition) < tightness(other) {
                    *other = Arc::clone(condition);
                }
            }
            None => conditions.push(Arc::clone(condition)),
        }
    }
    ledger.marks.replace(marks);
    conditions
}

fn fewest(ledger: &Ledger, state: &State, all: bool) -> Fewest {
    // No fact gives back what is lost in any case, whatever else is not known.
    if may_lose(ledger, state) && !state.undrawn {
        return Fewest::Zero;
    }
    let unknown = missing(ledger, state, |axes| axes.loss);
    if !unknown.is_empty() || state.undrawn {
        return Fewest::Unknown(unknown);
    }
    let Some(claims) = claims(ledger, state, all, |kind| kind == ClaimKind::Keeps) else {
        return Fewest::Unknown(Vec::new());
    };
    let conditions = conditions(ledger, state);
    if conditions.is_empty() { Fewest::One(claims) } else { Fewest::OneWhile(claims, conditions) }
}

fn most(ledger: &Ledger, state: &State, all: bool) -> Most {
    let unknown = missing(ledger, state, |axes| axes.copies);
    if !unknown.is_empty() || state.undrawn {
        return Most::Unknown(unknown);
    }
    if repeats(state) {
        return Most::Many;
    }
    let Some(claims) = claims(ledger, state, all, |kind| kind != ClaimKind::Keeps) else {
        return Most::Unknown(Vec::new());
    };
    let hidden = state.copies.iter().map(|copy| copy.hidden).chain(state.taints.iter().map(|taint| taint.hidden));
    let hidden = hidden.flatten().filter_map(|number| ledger.conditions.get(number as usize));
    let conditions = tightest(ledger, hidden.map(|one| (&one.condition, one.alike)));
    if conditions.is_empty() { Most::One(claims) } else { Most::OneWhile(claims, conditions) }
}

/// Can something be lost without a condition?
pub(super) fn may_lose(ledger: &Ledger, state: &State) -> bool {
    state.losses.iter().any(|number| ledger.loss(*number).is_some_and(|loss| loss.severity == 0))
}

/// Do copies show, as rows or in values?
pub(super) fn repeats(state: &State) -> bool {
    let inside = |own: bool| own && state.rolled_back;
    state.copies.iter().any(|copy| copy.hidden.is_none() && !inside(copy.own))
        || state.taints.iter().any(|taint| taint.hidden.is_none())
}

/// The label of a state: none while a fact is missing, also where a loss is certain without it.
pub(super) fn label(ledger: &Ledger, state: &State, badge: &Badge) -> Label {
    let removed = || ledger.claims(&state.claims).any(|booked| booked.kind == ClaimKind::Removes);
    match (&badge.fewest, &badge.most) {
        (Fewest::Unknown(_), _) | (_, Most::Unknown(_)) => Label::NoClaim,
        (Fewest::Zero, _) if !missing(ledger, state, |axes| axes.loss).is_empty() => Label::NoClaim,
        (Fewest::Zero, Most::Many) => Label::BestEffort,
        (Fewest::Zero, _) => Label::AtMostOnce,
        (_, Most::Many) => Label::AtLeastOnce,
        (_, Most::OneWhile(..)) => Label::SuppressedWithin,
        (_, Most::One(_)) if removed() => Label::EffectivelyOnce,
        (_, Most::One(_)) => Label::ExactlyOnceScoped,
    }
}

/// The row of a place with the badge that it leaves.
pub(super) fn row(
    graph: &Graph<'_>,
    ledger: &Ledger,
    place: Place,
    leaves: Arc<Badge>,
    row: Row,
    basis: Option<Basis>,
) -> HopRow {
    let losses = row.loses.iter().filter_map(|number| ledger.loss(*number));
    HopRow {
        at: graph.id(place).clone(),
        losses: losses.map(|loss| Arc::clone(&loss.hop)).collect(),
        added: row.adds,
        removed: row.removes,
        claims: ledger.claims(&row.claims).map(|booked| Arc::clone(&booked.claim)).collect(),
        remarks: row.remarks,
        leaves,
        basis: if row.blind { None } else { basis },
        blind: row.blind,
        open: row.open.iter().filter_map(|number| ledger.missing(*number)).cloned().collect(),
    }
}

/// At most two lines under the badge of a link: what made each of its cells, at this hop; what a mechanism further up made
/// is said again for a `1` without a condition, and where nothing else is.
pub(super) fn captions(
    graph: &Graph<'_>,
    ledger: &Ledger,
    state: &State,
    place: Place,
    row: &Row,
    badge: &Badge,
) -> Captions {
    let at = (graph, place);
    let made = [
        (loss_by(ledger, state, at, row, badge), matches!(badge.fewest, Fewest::One(_))),
        (copies_by(ledger, state, at, row, badge), matches!(badge.most, Most::One(_))),
    ];
    let here = |(made, plain): &(Option<(Caption, bool)>, bool)| *plain || made.as_ref().is_some_and(|(_, own)| *own);
    let any = made.iter().any(here);
    let mut lines: Vec<Caption> =
        made.into_iter().filter(|cell| !any || here(cell)).filter_map(|(made, _)| Some(made?.0)).collect();
    lines.dedup();
    if !any {
        // What removes repeats stands last, and says most.
        lines.drain(..lines.len().saturating_sub(1));
    }
    Captions(lines)
}

/// A place of a graph.
type At<'g, 'd> = (&'g Graph<'d>, Place);

/// What made the right cell, and whether this hop did.
fn copies_by(ledger: &Ledger, state: &State, at: At<'_, '_>, row: &Row, badge: &Badge) -> Option<(Caption, bool)> {
    match &badge.most {
        Most::Unknown(missing) => open(ledger, state, at, missing, |axes| axes.copies),
        Most::Many => {
            let shows = |class: CopyClass| {
                state.copies.iter().any(|copy| copy.class == class && copy.origin == at.1 && copy.hidden.is_none())
            };
            Some((Caption::Adds(row.adds.iter().copied().find(|class| shows(*class))?), true))
        }
        Most::One(_) | Most::OneWhile(..) => {
            let removes = |kind: ClaimKind| kind >= ClaimKind::Atomic;
            nearest(ledger, state, row, removes)
                .or_else(|| nearest(ledger, state, row, |kind| kind == ClaimKind::Prevents))
        }
    }
}

/// What made the left cell, and whether this hop did.
fn loss_by(ledger: &Ledger, state: &State, at: At<'_, '_>, row: &Row, badge: &Badge) -> Option<(Caption, bool)> {
    let worst = |numbers: &[u32], possible: bool| {
        let losses = numbers.iter().rev().filter_map(|number| ledger.loss(*number));
        let mut of = losses.filter_map(|loss| match &loss.hop.kind {
            LossKind::Possible => possible.then(|| Caption::Loses(Arc::clone(&loss.hop))),
            LossKind::Conditional(condition) => (!possible).then(|| Caption::While(Arc::clone(condition))),
        });
        of.next()
    };
    match &badge.fewest {
        Fewest::Unknown(missing) => open(ledger, state, at, missing, |axes| axes.loss),
        Fewest::One(_) => nearest(ledger, state, row, |kind| kind == ClaimKind::Keeps),
        Fewest::Zero | Fewest::OneWhile(..) => {
            let possible = badge.fewest == Fewest::Zero;
            let own = worst(&row.loses, possible).map(|line| (line, true));
            own.or_else(|| Some((worst(&state.losses, possible)?, false)))
        }
    }
}

/// The nearest mechanism of a kind, and whether it works at this hop.
fn nearest(ledger: &Ledger, state: &State, row: &Row, of: impl Fn(ClaimKind) -> bool) -> Option<(Caption, bool)> {
    let claim = ledger.claims(&state.claims).rfind(|booked| of(booked.kind))?;
    let own = ledger.claims(&row.claims).any(|booked| Arc::ptr_eq(&booked.claim, &claim.claim));
    Some((Caption::By(Arc::clone(&claim.claim)), own))
}

/// The first fact that is missing, of this hop where there is one.
fn open(
    ledger: &Ledger,
    state: &State,
    (graph, place): At<'_, '_>,
    missing: &[Missing],
    on: impl Fn(Axes) -> bool,
) -> Option<(Caption, bool)> {
    let asks = |one: &Missing| {
        let mut unknown = state.unknown.iter().filter_map(|number| ledger.unknown.get(*number as usize));
        unknown.any(|asked| asked.place == place && on(asked.axes) && asked.missing == *one)
    };
    if let Some(own) = missing.iter().find(|one| asks(one)) {
        return Some((Caption::Open(own.clone()), true));
    }
    let end = |id: &Id| {
        graph.design.links.get(graph.id(place)).and_then(Subject::as_link).is_some_and(|l| l.from == *id || l.to == *id)
    };
    let before = missing
        .first()
        .map(|one| if end(&one.subject) { Caption::Open(one.clone()) } else { Caption::OpenBefore(one.clone()) });
    Some((before.or_else(|| Some(Caption::Undrawn(undrawn(state)?)))?, false))
}

/// Why nothing is followed that comes here, where nothing is.
fn undrawn(state: &State) -> Option<&'static str> {
    if state.round && !state.begins.is_empty() {
        return Some("can come round a cycle that is entered at several places");
    }
    state.undrawn.then_some("not drawn from its source on")
}

#[cfg(test)]
mod tests;
