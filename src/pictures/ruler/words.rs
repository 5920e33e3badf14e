//! The sentences above the ruler.

use super::{super::read, need::Way};
use crate::{
    analysis::{
        ReplayStart,
        explain::{Derived, Explained},
    },
    model::{Design, Id},
};
use std::sync::Arc;

/// The start with the farthest known reach of one way, else the first.
fn best(starts: &[ReplayStart], recompute: bool) -> Option<&ReplayStart> {
    let of_way = || starts.iter().filter(move |start| start.recompute == recompute);
    let known = of_way().filter(|start| start.reach.is_ok());
    let value = |start: &&ReplayStart| start.reach.as_ref().map_or(-1.0, |reach| reach.value);
    known.max_by(|a, b| value(a).total_cmp(&value(b))).or_else(|| of_way().next())
}

/// How far back results can be recomputed at best.
pub(super) fn recompute(starts: &[ReplayStart]) -> Option<Derived> {
    best(starts, true).map(|start| start.reach.clone())
}

/// How far back, in a sentence.
pub(super) fn headline(starts: &[ReplayStart], need: Option<&Arc<Explained>>) -> String {
    let Some(start) = best(starts, true) else {
        return match best(starts, false).map(|start| &start.reach) {
            Some(Ok(reach)) => format!("Results can be refilled for {}; nothing recomputes them.", length(reach)),
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
        Some(need) if reach.value < need.value => {
            format!("Results can be recomputed for {}, not for the {} needed.", length(reach), need.text())
        }
        Some(need) => format!("Results can be recomputed for {}; {} is needed.", length(reach), need.text()),
        None => format!("Results can be recomputed for {}. How far back is needed is not stated.", length(reach)),
    }
}

fn length(reach: &Explained) -> String {
    if reach.unbounded() { "as long as the log goes back".to_owned() } else { reach.text() }
}

/// From where, less what, and what else can be done.
pub(super) fn about(design: &Design, starts: &[ReplayStart]) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(start) = best(starts, true) {
        sentences.extend(from(design, start));
        sentences.extend(filled(start));
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
    let mut sentences = vec![format!("From {}: {} in the log{why}.", name(&start.from), length(&log))];
    let of = |one: &Arc<Explained>| {
        let at = one.of.as_ref().map(|id| format!(" ({})", name(id))).unwrap_or_default();
        if one.unbounded() { format!("the whole history{at}") } else { format!("{}{at}", one.text()) }
    };
    let less: Vec<String> = taken.iter().rev().map(of).collect();
    if !less.is_empty() {
        sentences.push(format!("Less what has to be read before the first right result: {}.", less.join(" and ")));
    }
    sentences
}

fn filled(start: &ReplayStart) -> Option<String> {
    let after = start.after_deduplication.as_ref()?;
    let way = Way::of(start);
    let ttl = way.filling.first().map(|one| format!(", {} more", one.text())).unwrap_or_default();
    Some(match after {
        Ok(reach) if reach.value <= 0.0 => {
            format!("If the de-duplication has to know all first copies{ttl}, nothing can be recomputed.")
        }
        Ok(reach) => format!("If the de-duplication has to know all first copies{ttl}: {}.", length(reach)),
        Err(_) => {
            "How far back it is when the de-duplication has to know all first copies cannot be said yet.".to_owned()
        }
    })
}
