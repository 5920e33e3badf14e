//! Repeats: the right cell of the badge, each class of copies that shows, and the conditions under which copies are
//! removed.

use super::{
    delivery::{differing, joined, presence, repeats_known, unclaimed},
    entry::{Direction, Entry, Side, What},
    loss::{by, condition},
};
use crate::{
    analysis::delivery::verdict::{Condition, DeliveryVerdict, Most},
    model::Design,
};
use std::sync::Arc;

/// Appends what differs in repeats.
pub(super) fn entries(design: &Design, before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    let (one, other) = (rank(&before.badge.most), rank(&after.badge.most));
    if one != other {
        let judged = Direction::by(one.cmp(&other));
        into.push(Entry::new(What::Most, most(design, before), most(design, after), judged));
    }
    let (old, new) = (showing(before), showing(after));
    differing((&old, repeats_known(before)), (&new, repeats_known(after)), into);
    removal(before, after, into);
}

const fn rank(most: &Most) -> u8 {
    match most {
        Most::Unknown(_) => 0,
        Most::Many => 1,
        Most::OneWhile(..) => 2,
        Most::One(_) => 3,
    }
}

fn most(design: &Design, verdict: &DeliveryVerdict) -> Side {
    match &verdict.badge.most {
        Most::One(claims) => Side::known(format!("no repeats: {}", by(design, claims))),
        Most::OneWhile(_, conditions) => Side::known(format!("repeats are removed while {}", joined(conditions))),
        Most::Many => Side::known("repeats show"),
        Most::Unknown(missing) => unclaimed(design, missing),
    }
}

/// Copies that show, each once.
fn showing(verdict: &DeliveryVerdict) -> Vec<(What, String)> {
    let mut all: Vec<(What, String)> = Vec::new();
    for copies in &verdict.duplicates {
        let one = (What::Copies(copies.clone()), copies.class.words().to_owned());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// The conditions under which copies are removed, where they are on both sides; else the cell of the badge says it.
fn removal(before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    let (Most::OneWhile(_, old), Most::OneWhile(_, new)) = (&before.badge.most, &after.badge.most) else { return };
    let find = |all: &[Arc<Condition>], like: &Condition| {
        all.iter().find(|condition| condition.variable == like.variable).cloned()
    };
    let side = |condition: &Condition| Side::known(&*condition.text).with(condition.bound.clone());
    let free = || presence(None, true);
    for was in old {
        let now = find(new, was);
        let what = What::Removal(was.variable.clone());
        match now {
            Some(now) if now.text == was.text => {}
            Some(now) => into.push(Entry::new(what, side(was), side(&now), condition(was, &now))),
            None => into.push(Entry::new(what, side(was), free(), Direction::Better)),
        }
    }
    for now in new.iter().filter(|now| find(old, now).is_none()) {
        into.push(Entry::new(What::Removal(now.variable.clone()), free(), side(now), Direction::Worse));
    }
}
