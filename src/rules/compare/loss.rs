//! Loss: the left cell of the badge, and each hop that can lose.

use super::{
    delivery::{joined, loss_known, presence, unclaimed},
    entry::{Direction, Entry, Side, What},
};
use crate::{
    analysis::{
        delivery::verdict::{Claims, Condition, DeliveryVerdict, Fewest, LossKind, LossyHop},
        explain::Explained,
    },
    model::Design,
};
use std::{cmp::Ordering, sync::Arc};

/// Appends what differs in loss.
pub(super) fn entries(design: &Design, before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    cell(design, before, after, into);
    let (old, new) = apart(&before.lossy_hops, &after.lossy_hops);
    let mut new: Vec<&LossyHop> = new;
    for loss in old {
        let same = new.iter().position(|other| other.hop == loss.hop && other.in_values == loss.in_values);
        let now = same.map(|at| new.remove(at));
        let is = now.map_or_else(|| presence(None, loss_known(after)), side);
        let judged = now.map_or(Direction::Better, |now| judged(&loss.kind, &now.kind));
        push(What::Loss(loss.hop.clone()), side(loss), is, judged, into);
    }
    for loss in new {
        let was = presence(None, loss_known(before));
        push(What::Loss(loss.hop.clone()), was, side(loss), Direction::Worse, into);
    }
}

/// What reads the same on both sides is no difference that anybody could see.
fn push(what: What, before: Side, after: Side, judged: Direction, into: &mut Vec<Entry>) {
    if before.text != after.text {
        into.push(Entry::new(what, before, after, judged));
    }
}

fn cell(design: &Design, before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    let (one, other) = (rank(&before.badge.fewest), rank(&after.badge.fewest));
    if one != other {
        into.push(Entry::new(
            What::Fewest,
            fewest(design, before),
            fewest(design, after),
            Direction::by(one.cmp(&other)),
        ));
    }
}

/// What may be lost and what is not known are no better than each other.
const fn rank(fewest: &Fewest) -> u8 {
    match fewest {
        Fewest::Unknown(_) | Fewest::Zero => 1,
        Fewest::OneWhile(..) => 2,
        Fewest::One(_) => 3,
    }
}

fn fewest(design: &Design, verdict: &DeliveryVerdict) -> Side {
    match &verdict.badge.fewest {
        Fewest::One(claims) => Side::known(format!("none lost: {}", by(design, claims))),
        Fewest::OneWhile(_, conditions) => Side::known(format!("none lost while {}", joined(conditions))),
        Fewest::Zero => {
            let worst = verdict.lossy_hops.first().map_or_else(String::new, |loss| format!(": {}", loss.cause));
            Side::known(format!("may be lost{worst}"))
        }
        Fewest::Unknown(missing) => unclaimed(design, missing),
    }
}

/// The nearest mechanism with its hop.
pub(super) fn by(design: &Design, claims: &Claims) -> String {
    let last = claims.iter().last();
    last.map_or_else(String::new, |claim| format!("{} at {}", claim.mechanism, design.title(&claim.hop.at)))
}

/// The losses that the other side does not have just so.
fn apart<'a>(before: &'a [Arc<LossyHop>], after: &'a [Arc<LossyHop>]) -> (Vec<&'a LossyHop>, Vec<&'a LossyHop>) {
    let mut new: Vec<&LossyHop> = after.iter().map(AsRef::as_ref).collect();
    let mut old = Vec::new();
    for loss in before {
        let alike = |other: &&LossyHop| {
            (&other.hop, other.in_values, &other.cause) == (&loss.hop, loss.in_values, &loss.cause)
                && other.kind == loss.kind
        };
        match new.iter().position(alike) {
            Some(at) => {
                new.remove(at);
            }
            None => old.push(&**loss),
        }
    }
    (old, new)
}

fn side(loss: &LossyHop) -> Side {
    match &loss.kind {
        LossKind::Possible => Side::known(&*loss.cause),
        LossKind::Conditional(condition) => {
            Side::known(format!("{}, unless {}", loss.cause, condition.text)).with(condition.bound.clone())
        }
    }
}

fn judged(before: &LossKind, after: &LossKind) -> Direction {
    match (before, after) {
        (LossKind::Possible, LossKind::Possible) => Direction::Different,
        (LossKind::Possible, LossKind::Conditional(_)) => Direction::Better,
        (LossKind::Conditional(_), LossKind::Possible) => Direction::Worse,
        (LossKind::Conditional(one), LossKind::Conditional(other)) => condition(one, other),
    }
}

/// Of two conditions on the same, the one with the larger bound holds for more.
pub(super) fn condition(before: &Condition, after: &Condition) -> Direction {
    if before.variable != after.variable {
        return Direction::Incomparable;
    }
    match (&before.bound, &after.bound) {
        (Some(one), Some(other)) if one.unit == other.unit => match order(one, other) {
            Ordering::Equal => stated(before, after),
            order => Direction::by(order),
        },
        (None, None) => stated(before, after),
        _ => Direction::Incomparable,
    }
}

fn order(one: &Explained, other: &Explained) -> Ordering {
    one.value.total_cmp(&other.value)
}

/// Of equal bounds, the one that what is stated stays inside.
fn stated(before: &Condition, after: &Condition) -> Direction {
    let rank = |condition: &Condition| match condition.inside {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    };
    Direction::by(rank(before).cmp(&rank(after)))
}
