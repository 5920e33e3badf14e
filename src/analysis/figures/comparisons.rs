//! When the figures of a stream and of a batch path can be compared, and by how much they may differ for good reasons.

use super::{
    latency::{Latencies, Latency},
    map::{Map, Place},
    need::{Figure, at_least, at_most, derive, sum},
    waits::{self, WindowWait},
    windows,
};
use crate::{
    analysis::{
        ComparisonReport,
        explain::{Derived, Explained, Formula, Missing, Unit},
        formulas::reconciliation::{Divergence, divergence},
        graph::Edge,
    },
    model::{Key, Shares, Text, key},
};
use std::sync::Arc;

static SAFE: Formula = Formula {
    id: "REC-2",
    text: "allowed lateness + watermark delay + watermark interval + longest silence + lag + commit, after the end of the bucket",
    source: "a bucket is closed when the watermark has passed it and the lateness, and its result is written",
};
static AT_LEAST: Formula = Formula {
    id: "REC-2.at_least",
    text: "at least the waits after the end of the bucket that are known; those without a figure come on top",
    source: "a bucket is closed when the watermark has passed it and the lateness, and its result is written",
};
static SHARES: Formula = Formula {
    id: "REC-3",
    text: "sum over the measured causes on this side; a cause that could be on either counts on both",
    source: "late and dropped records only take away, repeats only add: the two do not cancel out in a bound",
};

static ROWS: Formula = Formula {
    id: "REC-4.rows",
    text: "rows of one store against rows of the other",
    source: "copies, losses and late records all change it",
};
static KEYS: Formula = Formula {
    id: "REC-4.keys",
    text: "distinct keys of one store against those of the other",
    source: "copies of an event have one key: what is left is lost, late or filtered on one side",
};

/// Words in the name of a cause by which the stream shows less, and by which it shows more.
const LESS: &[&str] = &["late", "dlq", "dead", "filter", "drop", "lost", "loss", "miss", "reject", "poison", "schema"];
const MORE: &[&str] = &["dup", "repeat", "uncommitted", "abort", "retract", "delete", "twice"];

/// What can be said about a comparison before it is run.
pub(super) fn comparison(map: &Map, latencies: &Latencies, edge: &Edge<'_>) -> ComparisonReport {
    let at = Place::beside(edge.id, edge.subject);
    let (safe, open) = safe(map, &latencies.consumer(map, edge.from), at);
    let measured = shares(map, at);
    let causes = |words: &[&str], other: &[&str]| -> Vec<f64> {
        let shares = measured.iter().flat_map(|(_, shares)| shares.0.iter());
        shares.filter(|(cause, _)| counts(cause, words, other)).map(|(_, share)| *share).collect()
    };
    let Divergence { below, above } = divergence(&causes(LESS, MORE), &causes(MORE, LESS));
    let side = |what: &'static str, value: f64| {
        let fact = Arc::clone(&measured.as_ref()?.0);
        Some(derive(Figure { what, unit: Unit::Ratio }, at, &SHARES, vec![fact], value))
    };
    ComparisonReport {
        below: side("stream below batch", below),
        above: side("stream above batch", above),
        rows_apart: counted(map, edge, at, "rows apart", key::sink::ROWS, &ROWS),
        keys_apart: counted(map, edge, at, "distinct keys apart", key::sink::DISTINCT_ROWS, &KEYS),
        safe,
        open,
    }
}

/// By how much the counts of the two stores differ, where both were read.
fn counted(
    map: &Map,
    edge: &Edge<'_>,
    at: Place,
    what: &'static str,
    count: Key<u64>,
    formula: &'static Formula,
) -> Option<Arc<Explained>> {
    let figure = Figure { what, unit: Unit::Count };
    let side = |site: usize| map.number(map.sites[site].at, count, Figure { what: "counted", ..figure }).ok();
    let (stream, batch) = (side(edge.from)?, side(edge.to)?);
    let value = (stream.value - batch.value).abs();
    Some(derive(figure, at, formula, [stream, batch], value))
}

/// Does a cause count on the side of `words`? One that neither side knows counts on both.
fn counts(cause: &Text, words: &[&str], other: &[&str]) -> bool {
    let cause = cause.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| cause.contains(word));
    holds(words) || !holds(other)
}

fn shares(map: &Map, at: Place) -> Option<(Arc<Explained>, Shares)> {
    let field: Key<Shares> = key::reconcile::DIVERGENCE;
    let fact = map.design.read(map.view, at.id, at.subject, field).fact()?;
    let total = fact.value.0.iter().map(|(_, share)| share).sum();
    Some((Explained::fact("measured causes, together", Unit::Ratio, &fact, total), fact.value))
}

/// When a reader can take a window for complete: after so long from its end. None where no window is on its way.
pub(super) fn complete(map: &Map, way: &Latency, reader: usize) -> Option<(Derived, Vec<Missing>)> {
    let latency = way.figure.as_ref().ok()?;
    let windows = latency.inputs().iter().any(|term| waits::for_a_window(term).is_some());
    windows.then(|| safe(map, way, map.sites[reader].at))
}

/// Earliest time after the end of a bucket: the waits on the slowest way to a store or reader, without the bucket itself,
/// and with the lateness for which its window stays open.
fn safe(map: &Map, way: &Latency, at: Place) -> (Derived, Vec<Missing>) {
    let figure = at_most("after the end of a bucket");
    let mut open = way.open.clone();
    let latency = match &way.figure {
        Ok(latency) => latency,
        Err(why) => return (Err(why.clone()), open),
    };
    let mut inputs: Vec<Arc<Explained>> = Vec::with_capacity(latency.inputs().len());
    for term in latency.inputs() {
        let Some(WindowWait { after, lateness }) = waits::for_a_window(term) else {
            inputs.push(Arc::clone(term));
            continue;
        };
        inputs.extend_from_slice(after);
        let window = term.of.as_ref().filter(|_| lateness).and_then(|of| map.site(of));
        match window.map(|site| windows::beyond(map, site)) {
            Some(Ok(lateness)) => inputs.push(lateness),
            Some(Err(why)) => open.extend_from_slice(&why.missing),
            None => {}
        }
    }
    let (formula, figure) = if open.is_empty() { (&SAFE, figure) } else { (&AT_LEAST, at_least(figure.what)) };
    (Ok(sum(figure, at, formula, inputs)), open)
}
