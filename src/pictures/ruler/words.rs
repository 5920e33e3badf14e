//! The sentences above the ruler.

use super::{super::read, need::Way};
use crate::{
    analysis::{
        ReplayStart,
        explain::{Derived, Explained},
        made_by,
    },
    model::{Design, Id},
};
use std::sync::Arc;

/// The start with the farthest known reach of one way, else the first; one whose results do not take the place of the old
/// ones only where there is no other.
fn best(starts: &[ReplayStart], recompute: bool) -> Option<&ReplayStart> {
    let of_way = || starts.iter().filter(move |start| start.recompute == recompute);
    let known = of_way().filter(|start| start.reach.is_ok());
    let reach = |start: &ReplayStart| start.reach.as_ref().map_or(-1.0, |reach| reach.value);
    let by_rank = |a: &&ReplayStart, b: &&ReplayStart| {
        b.usable.barred().cmp(&a.usable.barred()).then_with(|| reach(a).total_cmp(&reach(b)))
    };
    known.max_by(by_rank).or_else(|| of_way().next())
}

/// The figures that the sentences say: of the best start of either way.
pub(super) fn figures(starts: &[ReplayStart]) -> Vec<Derived> {
    let best = [true, false].into_iter().filter_map(|recompute| best(starts, recompute));
    best.flat_map(|start| std::iter::once(&start.reach).chain(&start.after_deduplication)).cloned().collect()
}

/// How far back, in a sentence.
pub(super) fn headline(design: &Design, starts: &[ReplayStart], need: Option<&Arc<Explained>>) -> String {
    let Some(start) = best(starts, true) else {
        return match best(starts, false).map(|start| &start.reach) {
            Some(Ok(reach)) => format!("Results can be refilled {}; nothing recomputes them.", back(reach)),
            Some(Err(_)) => {
                "How far back results can be refilled cannot be said yet; nothing recomputes them.".to_owned()
            }
            None => "There is no place from which these results can be made again.".to_owned(),
        };
    };
    let Ok(reach) = &start.reach else {
        return "How far back results can be recomputed cannot be said yet.".to_owned();
    };
    match need {
        _ if reach.value <= 0.0 => "Results cannot be recomputed.".to_owned(),
        _ if start.usable.barred() => {
            let why = start.usable.why_not(|id| design.title(id).into()).unwrap_or_default();
            format!("Results can be recomputed {}, but {why}.", back(reach))
        }
        Some(need) if reach.value < need.value => {
            format!("Results can be recomputed {}, not for the {} needed.", back(reach), need.text())
        }
        Some(need) => format!("Results can be recomputed {}; {} is needed.", back(reach), need.text()),
        None => format!("Results can be recomputed {}. How far back is needed is not stated.", back(reach)),
    }
}

/// How far back: `for 7 h 22 min`, or to where the log begins.
fn back(reach: &Explained) -> String {
    if reach.unbounded() { "as far back as the log goes".to_owned() } else { format!("for {}", reach.text()) }
}

/// The same on its own.
fn length(reach: &Explained) -> String {
    if reach.unbounded() { "as far back as the log goes".to_owned() } else { reach.text() }
}

/// From where, less what, and what else can be done.
pub(super) fn about(design: &Design, starts: &[ReplayStart]) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(start) = best(starts, true) {
        sentences.extend(from(design, start));
        sentences.extend(filled(design, start));
    }
    if let Some(start) = best(starts, false)
        && let Ok(reach) = &start.reach
        && best(starts, true).is_some()
    {
        let name = design.title(&start.from);
        sentences.push(format!("Refilled from {name}: {}, with the results as they were.", length(reach)));
    }
    sentences
}

fn from(design: &Design, start: &ReplayStart) -> Vec<String> {
    let Ok(reach) = &start.reach else { return Vec::new() };
    let (taken, log) = read::look_backs(reach);
    let name = |id: &Id| design.title(id);
    let binds = read::binds(&log);
    let why = if binds.is_empty() { String::new() } else { format!(", {binds}") };
    let kept = match log.value {
        _ if log.unbounded() => "its log deletes nothing by time or size".to_owned(),
        value if value <= 0.0 && log.made_by(&made_by::EVERY_VERSION) => {
            "for certain only the newest record of each key is in the log".to_owned()
        }
        _ if log.made_by(&made_by::EVERY_VERSION) => {
            format!("every version of {} in the log{why}, of older ones the newest record of each key", log.text())
        }
        _ => format!("{} in the log{why}", log.text()),
    };
    let mut sentences = vec![format!("From {}: {kept}.", name(&start.from))];
    if !taken.is_empty() {
        let less = each(design, &taken);
        sentences.push(format!("Less what has to be read before the first right result: {less}."));
    }
    sentences
}

/// Look-backs with the step of each, as the records pass them: `24 h (by order) and 5 min (sum)`.
fn each(design: &Design, look_backs: &[Arc<Explained>]) -> String {
    let of = |one: &Arc<Explained>| {
        let at = one.of.as_ref().map(|id| format!(" ({})", design.title(id))).unwrap_or_default();
        if one.unbounded() { format!("the whole history{at}") } else { format!("{}{at}", one.text()) }
    };
    look_backs.iter().rev().map(of).collect::<Vec<_>>().join(" and ")
}

fn filled(design: &Design, start: &ReplayStart) -> Option<String> {
    let after = start.after_deduplication.as_ref()?;
    let filling = Way::of(start).filling;
    let steps = if filling.len() > 1 { "de-duplications have" } else { "de-duplication has" };
    let more = if filling.is_empty() { String::new() } else { format!(", {} more", each(design, &filling)) };
    Some(match after {
        Ok(reach) if reach.value <= 0.0 => {
            format!("If the {steps} to know all first copies{more}, nothing can be recomputed.")
        }
        Ok(reach) => format!("If the {steps} to know all first copies{more}: {}.", length(reach)),
        Err(_) => {
            "How far back it is when the de-duplication has to know all first copies cannot be said yet.".to_owned()
        }
    })
}
