//! Figures of the built-in example and of small designs. Here is what makes them; the tests stand by what they are about.

mod checkpoints;
mod commits;
mod comparisons;
mod held;
mod joins;
mod partitions;
mod rates;
mod replay;
mod retention;
mod state;
mod waits;

use super::*;
use crate::{
    analysis::explain::{Explained, Origin},
    catalog::examples,
    codec,
    model::View,
};
use std::sync::Arc;

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn checkout(view: View) -> Figures {
    let example = examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    Figures::of(&Graph::new(&codec::decode(example.text).unwrap(), view))
}

fn design(elements: &str, links: &str) -> Figures {
    clustered(elements, links, "")
}

fn clustered(elements: &str, links: &str, clusters: &str) -> Figures {
    with_others(elements, links, &format!(r#""clusters":{{{clusters}}}"#))
}

/// With other sections.
fn with_others(elements: &str, links: &str, others: &str) -> Figures {
    let text = format!(
        r#"{{"format":"streaming-pipeline","version":3,"elements":{{{elements}}},"links":{{{links}}},{others}}}"#
    );
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
    Figures::of(&Graph::new(&design, View::ToBe))
}

fn formula(figure: &Arc<Explained>) -> &'static str {
    match &figure.origin {
        Origin::Formula { formula, .. } => formula.id,
        _ => "",
    }
}

/// An operator of this engine behind a log of 100 records a second and one of 20.
fn operator(system: &str, job: &str, step: &str, settings: &str) -> OperatorReport {
    let elements = format!(
        r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
        "b":{{"kind":"channel","system":"kafka","proposed":{{"rate":"20/s"}}}},
        "j":{{"kind":"job","system":"{system}","proposed":{job}}},
        "o":{{"kind":"operator","job":"j","step":"{step}","proposed":{settings}}}"#
    );
    let figures =
        design(&elements, r#""l1":{"from":"a","to":"o","into":"left"},"l2":{"from":"b","to":"o","into":"right"}"#);
    figures.operators[&id("o")].clone()
}

fn entries(report: &OperatorReport) -> f64 {
    report.entries.as_ref().unwrap().as_ref().unwrap().value
}

/// The latency of a consumer of a small design: its terms, and the names of what is open.
fn latency(elements: &str, links: &str) -> (Vec<(&'static str, f64)>, Vec<&'static str>) {
    let elements = format!(r#""in":{{"kind":"channel","system":"kafka"}},"user":{{"kind":"consumer"}},{elements}"#);
    let figures = design(&elements, links);
    let user = &figures.consumers[&id("user")];
    let terms = user
        .latency
        .as_ref()
        .map_or(Vec::new(), |latency| latency.inputs().iter().map(|term| (formula(term), term.value)).collect());
    (terms, user.latency_open.iter().map(|open| open.field.name()).collect())
}
