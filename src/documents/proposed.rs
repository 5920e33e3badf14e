//! What is proposed, and what it gains and costs each consumer: a part of the streaming design.

use super::{
    blocks::{Inline, Span, join, line},
    say,
    writer::Writer,
};
use crate::{
    model::{Id, Lifecycle, counted},
    rules::compare::{Change, Comparison, Entry, ForConsumer, Presence, Side, Standing, Trace, compare, traced},
};

/// So many changes are listed.
const MOST_LISTED: usize = 40;
/// Where more than this is drawn, or more changes concern one consumer, none is taken back to see what it does.
const MOST_DRAWN: usize = 300;
const MOST_TAKEN_BACK: usize = 8;

/// Writes the section.
pub fn section(w: &mut Writer<'_>) {
    w.heading(2, "What is proposed, and what it gains and costs");
    let design = w.desk.design;
    if !design.elements.keys().any(|id| design.lifecycle(id) != Lifecycle::Planned) {
        w.say("Nothing of this design is said to exist yet, so there is nothing to compare it with.");
        return;
    }
    let comparison = compare(design, w.desk.as_is, w.desk.to_be);
    if comparison.changes.is_empty() {
        w.say("Nothing is proposed: what is described here is what is there today.");
        return;
    }
    let listed = comparison.changes.iter().take(MOST_LISTED).map(|change| words(w, change)).collect();
    w.list(listed);
    let more = comparison.changes.len().saturating_sub(MOST_LISTED);
    if more > 0 {
        w.say(format!("And {}.", counted(more, "more change")));
    }
    let mut same = Vec::new();
    for (id, of) in &comparison.consumers {
        if of.entries.is_empty() && of.presence == Presence::Both {
            same.push(id)
        } else {
            consumer(w, &comparison, id, of)
        }
    }
    if !same.is_empty() {
        let names = w.names(same);
        w.say(line!["Nothing that is proposed changes what is delivered to: ", names, "."]);
    }
    if !comparison.elsewhere.is_empty() {
        w.heading(3, "On ways that no consumer reads");
        let rows = comparison.elsewhere.iter().map(|entry| row(w, None, entry, Inline::default())).collect();
        w.table(&HEAD, rows);
    }
}

/// Several changes bring it together, or each of several would alone.
const NO_SINGLE: &str = "no single change";

const HEAD: [&str; 5] = ["What", "Today", "Afterwards", "Better or worse", "Comes from"];

fn words(w: &mut Writer<'_>, change: &Change) -> Inline {
    let name = w.name(change.subject());
    match change {
        Change::Setting { words, .. } => line![say::capital(words), " of ", name],
        Change::Added(_) => line!["Added: ", name],
        Change::Removed(_) => line!["Removed: ", name],
    }
}

fn consumer(w: &mut Writer<'_>, comparison: &Comparison, id: &Id, of: &ForConsumer) {
    let name = w.name(id);
    w.heading(3, name);
    let judged = [w.desk.as_is, w.desk.to_be].into_iter().filter_map(|review| review.consumers.get(id));
    if let Some(evidence) = judged.filter_map(|report| w.desk.withheld_verdict(&report.delivery)).next() {
        let text = w.withheld_claim(&evidence.clone(), format!("what changes for {}", w.desk.said(id)));
        w.say(line!["Not compared: ", text, "."]);
        return;
    }
    w.say(line![Span::Strong(of.summary.clone())]);
    let (trace, told) = trace(w, comparison, id, of);
    let mut rows = Vec::new();
    for (entry, from) in of.entries.iter().zip(&trace.0) {
        let from = from.iter().filter_map(|at| comparison.changes.get(*at)).map(|change| words(w, change));
        let from: Vec<Inline> = from.collect();
        let from = if from.is_empty() { told.into() } else { join(from, "; ") };
        rows.push(row(w, Some(id), entry, from));
    }
    w.table(&HEAD, rows);
}

/// Where each difference comes from, and what is said where no change alone brings it.
fn trace(w: &Writer<'_>, comparison: &Comparison, id: &Id, of: &ForConsumer) -> (Trace, &'static str) {
    if w.desk.design.elements.len() > MOST_DRAWN || of.changes.len() > MOST_TAKEN_BACK {
        return (traced(&comparison.changes, of), "not found out");
    }
    (Trace::by_taking_back(w.desk.design, &comparison.changes, w.desk.as_is, id, of), NO_SINGLE)
}

fn row(w: &mut Writer<'_>, consumer: Option<&Id>, entry: &Entry, from: Inline) -> Vec<Inline> {
    let mut what = line![say::capital(&entry.what.words())];
    if let Some(at) = entry.what.at() {
        what.push(": ");
        what.push(w.name(at));
    }
    let unknown = [&entry.before, &entry.after].iter().any(|side| side.standing == Standing::Unknown);
    if let Some(id) = consumer.or(entry.what.at()).filter(|_| unknown) {
        w.gap_at(id, "all that is proposed changes", "for", "not known");
    }
    vec![what, side(w, &entry.before), side(w, &entry.after), entry.direction.word().into(), from]
}

/// One side; its number stands with its basis and explanation.
fn side(w: &mut Writer<'_>, side: &Side) -> Inline {
    if side.standing == Standing::Unknown {
        return Span::Absent(side.text.clone()).into();
    }
    let number = side.figure.as_ref().and_then(|figure| Some((figure, side.text.strip_suffix(&figure.text())?)));
    match number {
        Some((figure, before)) => {
            let figure = w.explained(figure);
            line![before, figure]
        }
        None => side.text.as_str().into(),
    }
}
