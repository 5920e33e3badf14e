//! Numbers of a consumer and of what stands on the way to it: latency, replay reach, state, checkpoints, recovery.

use super::{
    delivery::GONE,
    entry::{Direction, Entry, Side, What},
    scope::Scope,
};
use crate::{
    analysis::{
        ConsumerReport,
        explain::{Derived, Explained},
    },
    model::Id,
    rules::Review,
};
use std::{cmp::Ordering, sync::Arc};

/// What is said of a number that cannot be worked out.
const UNDERIVABLE: &str = "not derivable";

/// What is better of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Less of it; none is best.
    Less,
    /// More of it; none is worst.
    More,
    /// Less of it; to have none says nothing.
    LessWhereAny,
    /// More of it; to have none says nothing.
    MoreWhereAny,
}

/// Latency and replay reach.
pub(super) fn of_consumer(before: &ConsumerReport, after: &ConsumerReport, into: &mut Vec<Entry>) {
    latency(before, after, into);
    for start in &before.replay {
        let same = after.replay.iter().find(|other| other.from == start.from && other.recompute == start.recompute);
        let what = What::Replay(start.from.clone(), start.recompute);
        differs(what, Some(&start.reach), same.map(|start| &start.reach), Wanted::More, into);
    }
    for start in &after.replay {
        if !before.replay.iter().any(|other| other.from == start.from && other.recompute == start.recompute) {
            let what = What::Replay(start.from.clone(), start.recompute);
            differs(what, None, Some(&start.reach), Wanted::More, into);
        }
    }
}

/// State of operators, checkpoints and recovery of jobs.
pub(super) fn on_the_way(before: &Review, after: &Review, scope: &Scope<'_>, into: &mut Vec<Entry>) {
    for id in scope.ids() {
        let (one, other) = (before.operators.get(id), after.operators.get(id));
        let state =
            |report: Option<&'_ crate::analysis::OperatorReport>| report.and_then(|report| report.state.clone());
        let growth =
            |report: Option<&'_ crate::analysis::OperatorReport>| report.and_then(|report| report.growth.clone());
        owned(What::State(id.clone()), state(one), state(other), Wanted::Less, into);
        owned(What::Growth(id.clone()), growth(one), growth(other), Wanted::Less, into);
    }
    for id in scope.ids() {
        job(before, after, id, into);
    }
}

fn job(before: &Review, after: &Review, id: &Id, into: &mut Vec<Entry>) {
    let (one, other) = (before.jobs.get(id), after.jobs.get(id));
    if one.is_none() && other.is_none() {
        return;
    }
    let checkpoint = (one.and_then(|job| job.checkpoint.clone()), other.and_then(|job| job.checkpoint.clone()));
    owned(What::Checkpoint(id.clone()), checkpoint.0, checkpoint.1, Wanted::LessWhereAny, into);
    let recovery = (one.map(|job| job.recovery.clone()), other.map(|job| job.recovery.clone()));
    owned(What::Recovery(id.clone()), recovery.0, recovery.1, Wanted::LessWhereAny, into);
    let catch_up = (one.map(|job| job.catch_up.clone()), other.map(|job| job.catch_up.clone()));
    owned(What::CatchUp(id.clone()), catch_up.0, catch_up.1, Wanted::LessWhereAny, into);
    let outage = (one.and_then(|job| job.outage_bound.clone()), other.and_then(|job| job.outage_bound.clone()));
    owned(What::Outage(id.clone()), outage.0, outage.1, Wanted::MoreWhereAny, into);
}

fn owned(what: What, before: Option<Derived>, after: Option<Derived>, wanted: Wanted, into: &mut Vec<Entry>) {
    differs(what, before.as_ref(), after.as_ref(), wanted, into);
}

fn differs(what: What, before: Option<&Derived>, after: Option<&Derived>, wanted: Wanted, into: &mut Vec<Entry>) {
    let (one, other) = (side(before), side(after));
    if one.text == other.text {
        return;
    }
    into.push(Entry::new(what, one, other, judged(before, after, wanted)));
}

fn side(derived: Option<&Derived>) -> Side {
    match derived {
        None => Side::absent(GONE),
        Some(Err(_)) => Side::unknown(UNDERIVABLE),
        Some(Ok(figure)) => Side::known(figure.text()).with(Some(Arc::clone(figure))),
    }
}

fn judged(before: Option<&Derived>, after: Option<&Derived>, wanted: Wanted) -> Direction {
    let gained = match (before, after) {
        (Some(Ok(one)), Some(Ok(other))) => one.value.total_cmp(&other.value),
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        _ => Ordering::Equal,
    };
    let both = before.is_some() && after.is_some();
    match wanted {
        Wanted::LessWhereAny | Wanted::MoreWhereAny if !both => Direction::Different,
        Wanted::More | Wanted::MoreWhereAny => Direction::by(gained),
        Wanted::Less | Wanted::LessWhereAny => Direction::by(gained.reverse()),
    }
}

/// A sum that lacks hops is a lower bound: it can be worse than a total, and never better.
fn latency(before: &ConsumerReport, after: &ConsumerReport, into: &mut Vec<Entry>) {
    let side = |report: &ConsumerReport| match &report.latency {
        Err(_) => Side::unknown(UNDERIVABLE),
        Ok(figure) if report.latency_open.is_empty() => {
            Side::known(format!("at most {}", figure.text())).with(Some(Arc::clone(figure)))
        }
        Ok(figure) => Side::known(format!("at least {}", figure.text())).with(Some(Arc::clone(figure))),
    };
    let (one, other) = (side(before), side(after));
    if one.text == other.text {
        return;
    }
    let (Ok(was), Ok(is)) = (&before.latency, &after.latency) else {
        into.push(Entry::new(What::Latency, one, other, Direction::Incomparable));
        return;
    };
    let order = was.value.total_cmp(&is.value);
    let judged = match (before.latency_open.is_empty(), after.latency_open.is_empty()) {
        (true, true) => Direction::by(order.reverse()),
        (false, false) if before.latency_open == after.latency_open && same_way(was, is) => {
            Direction::by(order.reverse())
        }
        (false, false) => Direction::Incomparable,
        (true, false) if order == Ordering::Less => Direction::Worse,
        (true, false) => Direction::UnknownAfter,
        (false, true) if order == Ordering::Greater => Direction::Better,
        (false, true) => Direction::UnknownBefore,
    };
    into.push(Entry::new(What::Latency, one, other, judged));
}

/// Are these sums of the same terms at the same places, so that what is not known is the same on both sides?
fn same_way(one: &Explained, other: &Explained) -> bool {
    let (one, other) = (one.inputs(), other.inputs());
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.what == b.what && a.of == b.of)
}
