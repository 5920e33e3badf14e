//! Which order holds at a consumer, by which key, in which log, from which writer, and what ended it on the way.
//!
//! Not here: what keys do to the load of partitions (`skew`).

use super::{
    blocks::{Inline, line},
    say,
    writer::Writer,
};
use crate::{
    analysis::order::{Breaker, Order, OrderVerdict, words},
    model::{Id, counted_as, key},
};

/// The order in one sentence: of each input, where there are several.
pub(super) fn sentence(name: &dyn Fn(&Id) -> String, verdict: &OrderVerdict) -> String {
    let each: Vec<String> = verdict.inputs.iter().map(|input| input.sentence(name)).collect();
    match each.as_slice() {
        [] => "none: nothing reaches this consumer".to_owned(),
        [one] => one.clone(),
        _ => format!("none between the {}: {}", counted_as(each.len(), "input", "inputs"), each.join("; ")),
    }
}

/// The section of a consumer.
pub(super) fn section(w: &mut Writer<'_>, consumer: &Id, verdict: &OrderVerdict) {
    w.heading(3, "Order");
    let desk = w.desk;
    w.say(say::sentence(&sentence(&|id| desk.said(id), verdict)));
    let needed = desk.fact(consumer, key::consumer::ORDER_NEEDED).map(|fact| fact.value);
    if let Some(needed) = needed.filter(|needed| !needed.0.is_empty()) {
        let wanted = w.setting(consumer, key::consumer::ORDER_NEEDED);
        let outcome = match verdict.ends_for(&needed).next() {
            _ if verdict.inputs.len() > 1 => "which no order between its inputs meets".to_owned(),
            Some(breaker) => format!("which {} ends", desk.said(&breaker.at)),
            None if verdict.inputs.iter().any(|input| !input.missing.is_empty()) => {
                "which is not established".to_owned()
            }
            None => "which this meets".to_owned(),
        };
        w.say(line!["Order is needed by ", wanted, ", ", outcome, "."]);
    }
    missing(w, consumer, verdict);
    for input in &verdict.inputs {
        let rows = input.breakers.iter().map(|breaker| row(w, breaker)).collect();
        w.table(&["Hop", "What it does to the order", "Still holds by", "What mends it"], rows);
        unknown(w, input);
    }
}

fn row(w: &mut Writer<'_>, breaker: &Breaker) -> Vec<Inline> {
    let kept = match (&breaker.kept, breaker.past) {
        (_, true) => "over: results are made of these events".to_owned(),
        (Some(kept), _) => words::key(kept),
        (None, _) => "nothing".to_owned(),
    };
    vec![w.name(&breaker.at), breaker.words().into(), kept.into(), breaker.mend().into()]
}

/// What would have to be known, in words.
fn unknown(w: &mut Writer<'_>, input: &Order) {
    let each: Vec<Inline> =
        input.missing.iter().map(|missing| line![w.name(&missing.subject), ", ", missing.words()]).collect();
    if !each.is_empty() {
        w.say("Not known, so no order is claimed that depends on it:");
        w.list(each);
    }
}

/// What the order depends on and nobody read.
pub(super) fn missing(w: &mut Writer<'_>, consumer: &Id, verdict: &OrderVerdict) {
    for missing in verdict.inputs.iter().flat_map(|input| &input.missing) {
        w.lacks(missing, |desk| format!("the order at {}", desk.said(consumer)));
    }
}
