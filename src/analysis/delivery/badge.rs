//! From a state to a badge, a label, and a row of the hop table.

use super::{
    hop::Row,
    ledger::{ClaimKind, Ledger},
    state::State,
    verdict::{Badge, Claims, Condition, CopyClass, Fewest, HopRow, Label, LossKind, Most},
};
use crate::{
    analysis::{
        explain::Missing,
        graph::{Graph, Place},
    },
    model::Basis,
};
use std::{borrow::Cow, sync::Arc};

/// Claims that a badge on the way names: the nearest ones.
const NEAREST: usize = 2;

/// The badge of a state; `all` names every claim, else the nearest ones.
pub(super) fn badge(ledger: &Ledger, state: &State, all: bool) -> Badge {
    Badge { fewest: fewest(ledger, state, all), most: most(ledger, state, all) }
}

/// Facts that are missing on one axis, each once.
pub(super) fn missing(ledger: &Ledger, state: &State, on: impl Fn(super::ledger::Axes) -> bool) -> Vec<Missing> {
    let mut missing: Vec<Missing> = Vec::new();
    let mut marks = ledger.marks.take();
    marks.begin();
    for number in &state.unknown {
        if let Some(one) = ledger.unknown.get(*number as usize)
            && on(one.axes)
            && marks.at(one.alike, 0).is_none()
        {
            missing.push(one.missing.clone());
        }
    }
    ledger.marks.replace(marks);
    missing
}

fn claims(ledger: &Ledger, state: &State, all: bool, of: impl Fn(ClaimKind) -> bool) -> Option<Claims> {
    let chosen = ledger.claims(&state.claims).filter(|booked| of(booked.kind)).map(|booked| Arc::clone(&booked.claim));
    if all { Claims::of(chosen) } else { Claims::of(chosen.rev().take(NEAREST)) }
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
    let bound = |condition: &Condition| condition.bound.as_ref().map_or(0.0, |bound| bound.value);
    let mut conditions: Vec<&Arc<Condition>> = Vec::with_capacity(all.size_hint().1.unwrap_or_default());
    let mut marks = ledger.marks.take();
    marks.begin();
    for (condition, alike) in all {
        match marks.at(alike, conditions.len()).and_then(|at| conditions.get_mut(at)) {
            Some(other) => {
                let tighter = bound(condition) < bound(other);
                let less_sure =
                    bound(condition) <= bound(other) && condition.inside.is_none() && other.inside.is_some();
                if tighter || less_sure {
                    *other = condition;
                }
            }
            None => conditions.push(condition),
        }
    }
    ledger.marks.replace(marks);
    conditions.into_iter().cloned().collect()
}

fn fewest(ledger: &Ledger, state: &State, all: bool) -> Fewest {
    let unknown = missing(ledger, state, |axes| axes.loss);
    if !unknown.is_empty() || state.undrawn {
        return Fewest::Unknown(unknown);
    }
    if may_lose(ledger, state) {
        return Fewest::Zero;
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

/// The label of a state.
pub(super) fn label(ledger: &Ledger, state: &State, badge: &Badge) -> Label {
    let removed = || ledger.claims(&state.claims).any(|booked| booked.kind == ClaimKind::Removes);
    match (&badge.fewest, &badge.most) {
        (Fewest::Unknown(_), _) | (_, Most::Unknown(_)) => Label::NoClaim,
        (Fewest::Zero, Most::Many) => Label::BestEffort,
        (Fewest::Zero, _) => Label::AtMostOnce,
        (_, Most::Many) => Label::AtLeastOnce,
        (_, Most::OneWhile(..)) => Label::SuppressedWithin,
        (_, Most::One(_)) if removed() => Label::EffectivelyOnce,
        (_, Most::One(_)) => Label::ExactlyOnceScoped,
    }
}

/// The row of a place.
pub(super) fn row(
    graph: &Graph<'_>,
    ledger: &Ledger,
    place: Place,
    state: &State,
    row: &Row,
    basis: Option<Basis>,
) -> HopRow {
    let losses = row.loses.iter().filter_map(|number| ledger.loss(*number)).map(|loss| match &loss.hop.kind {
        LossKind::Possible => Cow::Borrowed(loss.hop.cause.as_str()),
        LossKind::Conditional(condition) => Cow::Owned(format!("{}, unless {}", loss.hop.cause, condition.text)),
    });
    let claims = ledger.claims(&row.claims);
    let mechanisms = claims.map(|booked| booked.claim.mechanism.as_str()).chain(row.remarks.iter().copied());
    HopRow {
        at: graph.id(place).clone(),
        can_lose: join(losses),
        adds: classes(&row.adds),
        removes: classes(&row.removes),
        mechanism: join(mechanisms),
        leaves: badge(ledger, state, false),
        basis: if row.blind { None } else { basis },
    }
}

fn join(parts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(part.as_ref());
    }
    text
}

fn classes(classes: &[CopyClass]) -> String {
    let mut seen: Vec<CopyClass> = Vec::new();
    for class in classes {
        if !seen.contains(class) {
            seen.push(*class);
        }
    }
    join(seen.into_iter().map(CopyClass::words))
}

/// At most two lines under the badge of a link: its own mechanisms and conditions, else the nearest mechanism.
pub(super) fn captions(ledger: &Ledger, state: &State, row: &Row) -> Vec<String> {
    let own = ledger.claims(&row.claims).filter(|booked| booked.kind >= ClaimKind::Atomic);
    let own = own.map(|booked| booked.claim.mechanism.clone());
    let losses = row.loses.iter().filter_map(|number| ledger.loss(*number)).map(|loss| match &loss.hop.kind {
        LossKind::Possible => loss.hop.cause.clone(),
        LossKind::Conditional(condition) => format!("while {}", condition.text),
    });
    let mut lines: Vec<String> = own.chain(losses).take(2).collect();
    if lines.is_empty() {
        lines.extend(ledger.claims(&state.claims).next_back().map(|booked| booked.claim.mechanism.clone()));
    }
    lines
}
