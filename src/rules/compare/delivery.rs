//! Delivery of one consumer: loss, repeats, values, what the consumer must do, and the facts that claims wait for.

use super::{
    copies,
    entry::{Direction, Entry, Side, What},
    loss,
};
use crate::{
    analysis::{
        delivery::verdict::{Condition, DeliveryVerdict, Duty, Fewest, Most, Transient, ValueEffect},
        explain::Missing,
    },
    model::Design,
};
use std::sync::Arc;

/// What is said of a place that has nothing of the kind.
pub(super) const GONE: &str = "none";
/// What is said where a fact is missing.
pub(super) const UNCLAIMED: &str = "no claim, a fact is missing";
/// So many conditions are named.
const MOST_NAMED: usize = 2;

/// Appends what differs in the delivery of a consumer.
pub(super) fn entries(design: &Design, before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    loss::entries(design, before, after, into);
    copies::entries(design, before, after, into);
    values(before, after, into);
    must(before, after, into);
    facts(before, after, into);
}

/// Is it known what can be lost? One loss that is certain leaves open what a missing fact hides.
pub(super) fn loss_known(verdict: &DeliveryVerdict) -> bool {
    match verdict.badge.fewest {
        Fewest::Unknown(_) => false,
        Fewest::Zero => verdict.unknown.is_empty(),
        Fewest::One(_) | Fewest::OneWhile(..) => true,
    }
}

/// Is it known what can repeat?
pub(super) const fn repeats_known(verdict: &DeliveryVerdict) -> bool {
    !matches!(verdict.badge.most, Most::Unknown(_))
}

/// One side of something that either is there or is not: where it is not and facts are missing, nothing is said.
pub(super) fn presence(text: Option<String>, known: bool) -> Side {
    match text {
        Some(text) => Side::known(text),
        None if known => Side::absent(GONE),
        None => Side::unknown(UNCLAIMED),
    }
}

/// Conditions as the end of a sentence.
pub(super) fn joined(conditions: &[Arc<Condition>]) -> String {
    let named: Vec<&str> = conditions.iter().take(MOST_NAMED).map(|condition| &*condition.text).collect();
    let more = conditions.len().saturating_sub(MOST_NAMED);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    format!("{}{rest}", named.join(" and "))
}

/// Why nothing is claimed.
pub(super) fn unclaimed(design: &Design, missing: &[Missing]) -> Side {
    match missing.first() {
        Some(first) => Side::unknown(format!("no claim: {}, {}", design.title(&first.subject), first.words())),
        None => Side::unknown("no claim: the way is not drawn from its source on"),
    }
}

fn values(before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    let known = |verdict: &DeliveryVerdict| loss_known(verdict) && repeats_known(verdict);
    let side = |verdict: &DeliveryVerdict| match verdict.value {
        _ if !known(verdict) => Side::unknown(UNCLAIMED),
        ValueEffect::NotApplicable => Side::absent("rows, no computed values"),
        effect => Side::known(effect.words()),
    };
    let (one, other) = (side(before), side(after));
    if one != other {
        into.push(Entry::new(What::Value, one, other, value(before.value, after.value)));
    }
    let tainted = |verdict: &DeliveryVerdict| -> Vec<(What, String)> {
        let words = |stale| if stale { "an older version can stand" } else { "too high, repeats count again" };
        let taints = verdict.taints.iter();
        taints.map(|taint| (What::Changed(taint.at.clone()), words(taint.stale).to_owned())).collect()
    };
    differing((&tainted(before), repeats_known(before)), (&tainted(after), repeats_known(after)), into);
    let passing = |verdict: &DeliveryVerdict| -> Vec<(What, String)> {
        let each = |one: &Transient| (What::Passing(*one), one.words().to_owned());
        verdict.transient.iter().map(each).collect()
    };
    differing((&passing(before), known(before)), (&passing(after), known(after)), into);
}

/// Of two lists of what is wrong: what stands in one only.
pub(super) fn differing(
    (before, known_before): (&[(What, String)], bool),
    (after, known_after): (&[(What, String)], bool),
    into: &mut Vec<Entry>,
) {
    for one in before.iter().filter(|one| !after.contains(one)) {
        into.push(Entry::new(one.0.clone(), Side::known(&*one.1), presence(None, known_after), Direction::Better));
    }
    for one in after.iter().filter(|one| !before.contains(one)) {
        into.push(Entry::new(one.0.clone(), presence(None, known_before), Side::known(&*one.1), Direction::Worse));
    }
}

/// Values that end right are better than any other, and those that are too high or missing are worse than either;
/// else no order compares them.
fn value(before: ValueEffect, after: ValueEffect) -> Direction {
    use ValueEffect as V;
    match (before, after) {
        (V::NotApplicable, _) | (_, V::NotApplicable) => Direction::Different,
        (_, V::Exact) | (V::OverOrMissing, V::Over | V::Under) => Direction::Better,
        (V::Exact, _) | (V::Over | V::Under, V::OverOrMissing) => Direction::Worse,
        _ => Direction::Incomparable,
    }
}

fn must(before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    if before.consumer_must == after.consumer_must {
        return;
    }
    let side = |verdict: &DeliveryVerdict| match verdict.consumer_must.words() {
        "" if repeats_known(verdict) => Side::absent("nothing"),
        "" => Side::unknown(UNCLAIMED),
        text => Side::known(text),
    };
    let (one, other) = (side(before), side(after));
    let judged = match (&before.consumer_must, &after.consumer_must) {
        (_, Duty::Nothing) => Direction::Better,
        (Duty::Nothing, _) => Direction::Worse,
        _ => Direction::Different,
    };
    if one != other {
        into.push(Entry::new(What::Must, one, other, judged));
    }
}

/// Facts that claims wait for on one side only.
fn facts(before: &DeliveryVerdict, after: &DeliveryVerdict, into: &mut Vec<Entry>) {
    let unneeded = || Side::absent("not needed");
    for missing in before.unknown.iter().filter(|one| !after.unknown.contains(one)) {
        let was = Side::unknown(missing.state());
        into.push(Entry::new(What::Fact(missing.clone()), was, unneeded(), Direction::Different));
    }
    for missing in after.unknown.iter().filter(|one| !before.unknown.contains(one)) {
        let is = Side::unknown(missing.state());
        into.push(Entry::new(What::Fact(missing.clone()), unneeded(), is, Direction::Different));
    }
}
