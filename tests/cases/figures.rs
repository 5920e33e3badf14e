//! Figures of a case by their place in the report.

use crate::expect::{Check, Expect};
use pipeline_desk::{
    analysis::explain::{Derived, Explained},
    model::Id,
    rules::Review,
};
use serde_json::Value;
use std::sync::Arc;

/// A figure by its place in the report.
fn figure(review: &Review, place: &str) -> Result<Arc<Explained>, String> {
    let [section, id, field] = place.split('.').collect::<Vec<_>>()[..] else { panic!("{place}") };
    let id = Id::new(id).unwrap();
    let report = &review.report;
    let some = |derived: &Option<Derived>| derived.clone().unwrap_or_else(|| panic!("{place} is not there"));
    let derived = match (section, field) {
        ("channels", "reach") => report.channels[&id].reach.clone(),
        ("channels", "longest") => report.channels[&id].longest.clone(),
        ("channels", "erased") => report.channels[&id].erased.clone(),
        ("channels", "typical") => report.channels[&id].typical.clone(),
        ("channels", "hot_rate") => report.channels[&id].skew.hot_rate.clone(),
        ("channels", "effective") => report.channels[&id].skew.effective.clone(),
        ("channels", "on_disk") => some(&report.channels[&id].on_disk),
        ("channels", "busiest") => report.channels[&id].busiest.clone(),
        ("jobs", "parallelism_cap") => report.jobs[&id].parallelism_cap.clone(),
        ("jobs", "poll") => some(&report.jobs[&id].poll),
        ("jobs", "load") => report.jobs[&id].load.clone(),
        ("jobs", "drain") => some(&report.jobs[&id].drain),
        ("jobs", "outage_bound") => some(&report.jobs[&id].outage_bound),
        ("jobs", "recovery") => report.jobs[&id].recovery.clone(),
        ("jobs", "rewind") => some(&report.jobs[&id].rewind),
        ("jobs", "checkpoint") => some(&report.jobs[&id].checkpoint),
        ("jobs", "required_timeout") => some(&report.jobs[&id].required_timeout),
        ("operators", "state") => some(&report.operators[&id].state),
        ("operators", "entries") => some(&report.operators[&id].entries),
        ("operators", "growth") => some(&report.operators[&id].growth),
        ("consumers", "latency") => report.consumers[&id].latency.clone(),
        ("reads", "behind") => report.reads[&id].behind.clone(),
        ("reads", "readable") => Ok(report.reads[&id].readable.clone().unwrap()),
        ("reads", "held") => Ok(report.reads[&id].held.clone().unwrap()),
        ("reads", "markers") => some(&report.reads[&id].markers),
        ("comparisons", "safe") => report.comparisons[&id].safe.clone(),
        ("comparisons", "rows_apart") => Ok(report.comparisons[&id].rows_apart.clone().unwrap()),
        ("comparisons", "keys_apart") => Ok(report.comparisons[&id].keys_apart.clone().unwrap()),
        // Of a consumer: how far back its results can be made again from there, at once, and with ids filled first.
        ("replay" | "filled", from) => {
            let start = report.consumers[&id].replay.iter().find(|start| start.from.as_str() == from);
            let start = start.unwrap_or_else(|| panic!("{place} is no start"));
            if section == "replay" { start.reach.clone() } else { some(&start.after_deduplication) }
        }
        _ => panic!("{place}"),
    };
    derived.map_err(|open| format!("{open:?}"))
}

fn term(explained: &Arc<Explained>, what: &str) -> Option<Arc<Explained>> {
    if explained.what == what {
        return Some(Arc::clone(explained));
    }
    explained.inputs().iter().find_map(|input| term(input, what))
}

/// How far a figure may be from what is expected: as the entry says, where its hand-worked value is rounded.
fn within(entry: &Value, expected: f64) -> f64 {
    entry["within"].as_f64().unwrap_or_else(|| (expected * 1e-6).min(1e6))
}

pub fn figure_checks(expect: &Expect<'_>, review: &Review) -> Vec<Check> {
    let figures = expect.fields.get("figures").map(|value| value.as_array().unwrap());
    let one = |entry: &Value| {
        let (at, of) = (entry["at"].as_str().unwrap(), entry["term"].as_str());
        let name = of.map_or_else(|| format!("figure {at}"), |of| format!("figure {at} {of}"));
        let found = figure(review, at).and_then(|whole| match of {
            Some(of) => term(&whole, of).ok_or_else(|| format!("no such term in {whole:#?}")),
            None => Ok(whole),
        });
        let expected = if entry["value"] == "no bound" { Some(f64::INFINITY) } else { entry["value"].as_f64() };
        let outcome = match (expected, found) {
            (Some(expected), Ok(found))
                if found.value == expected || (found.value - expected).abs() <= within(entry, expected) =>
            {
                Ok(())
            }
            (None, Err(_)) => Ok(()),
            (expected, found) => Err(format!("expected {expected:?}, found {:?}", found.map(|found| found.value))),
        };
        (name, outcome)
    };
    figures.into_iter().flatten().map(one).collect()
}
