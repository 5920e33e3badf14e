//! From a failure until a job has caught up, term by term.

use super::{Recovery, Term};
use crate::analysis::{JobReport, explain::Explained, made_by};
use std::sync::Arc;

/// The least share of the bar that a term gets, in hundredths.
const LEAST: f64 = 2.0;

/// The recovery of a job.
pub(super) fn of(report: &JobReport) -> Recovery {
    let terms = report.recovery.as_ref().map(terms).unwrap_or_default();
    Recovery { total: report.recovery.clone(), terms, rewind: report.rewind.clone() }
}

fn terms(total: &Arc<Explained>) -> Vec<Term> {
    // First it is down, by terms or as read, then it catches up.
    let mut parts: Vec<(&Arc<Explained>, bool)> = Vec::new();
    for (at, part) in total.inputs().iter().enumerate() {
        match part.made_by(&made_by::DOWN) {
            true => parts.extend(part.inputs().iter().map(|one| (one, true))),
            false => parts.push((part, at == 0)),
        }
    }
    let finite: f64 = parts.iter().filter(|(one, _)| !one.unbounded()).map(|(one, _)| one.value).sum();
    let endless = parts.iter().filter(|(one, _)| one.unbounded()).count();
    // What never ends takes the larger part of the bar.
    let room = if endless == 0 { 100.0 } else { 40.0 };
    let share = |one: &Explained| match one.unbounded() {
        true => 60.0 / endless as f64,
        false if finite > 0.0 && one.value > 0.0 => (one.value / finite * room).max(LEAST),
        false => 0.0,
    };
    let whole: f64 = parts.iter().map(|(one, _)| share(one)).sum();
    let mut at = 0.0;
    let term = |(one, down): (&Arc<Explained>, bool)| {
        let from = at;
        at += if whole > 0.0 { share(one) / whole * 100.0 } else { 0.0 };
        Term { what: one.what.to_owned(), span: (from, at), down, figure: Arc::clone(one) }
    };
    parts.into_iter().map(term).collect()
}
