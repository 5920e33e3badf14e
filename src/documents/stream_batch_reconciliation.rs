//! `stream-batch-reconciliation.md`: what is compared, how, and what came of it.

use super::{
    blocks::{Inline, Span, line},
    desk::Desk,
    document::Document,
    findings,
    gap::Gap,
    writer::Writer,
};
use crate::model::{ElementKind, Field, Id, Link, key, words::ReconciliationResult};

const FILE: &str = "stream-batch-reconciliation.md";

/// What a comparison is of: the fields that define it.
pub(super) const COMPARED: &[Field] = {
    use key::reconcile as r;
    &[
        r::MEASURE.field(),
        r::GRAIN.field(),
        r::CUT_OFF.field(),
        r::TIME_ZONE.field(),
        r::TOLERANCE.field(),
        r::TOLERANCE_BASIS.field(),
    ]
};

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Stream and batch reconciliation");
    batch_paths(&mut w);
    let comparisons = desk.reconciliations();
    for (id, link) in &comparisons {
        comparison(&mut w, id, link);
    }
    if comparisons.is_empty() && !desk.elements(ElementKind::Batch).is_empty() {
        w.heading(2, "Comparison");
        w.say("A batch path runs over these events and nothing compares the two results. They will differ, and no check will say so.");
        w.gap(Gap::whole("the comparison of the streaming and the batch result", "not defined"));
    }
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn batch_paths(w: &mut Writer<'_>) {
    w.heading(2, "Batch path");
    let batches = w.desk.elements(ElementKind::Batch);
    if batches.is_empty() {
        w.say("No batch path over these events is drawn, so there is nothing to reconcile the stream with.");
        control_total(w);
        return;
    }
    for id in batches {
        let name = w.name(id);
        w.heading(3, name);
        use key::batch as b;
        let rows = w.setting_rows(
            id,
            &[b::SCHEDULE.field(), b::CUT_OFF.field(), b::GRAIN.field(), b::TIME_ZONE.field()],
            &[b::DIMENSIONS_AS_OF.field(), b::DEDUPLICATES_BY.field(), b::DIVERGENCE.field()],
        );
        w.table(&["Setting", "Value", "Source"], rows);
        let from: Vec<Id> = w.desk.into(id).into_iter().map(|(_, link)| link.from.clone()).collect();
        let to: Vec<Id> = w.desk.out_of(id).into_iter().map(|(_, link)| link.to.clone()).collect();
        let (from, to) = (w.names(&from), w.names(&to));
        w.say(line!["Reads ", from, "; writes ", to, "."]);
    }
}

/// Without a batch path, a control total is all there is to compare a replay with.
fn control_total(w: &mut Writer<'_>) {
    let totals: Vec<Inline> = w
        .desk
        .design
        .records
        .actions
        .iter()
        .filter_map(|(id, action)| Some(line![Span::Code(id.to_string()), ": ", action.control_total.as_deref()?]))
        .collect();
    if totals.is_empty() {
        w.say("No control total is named in its place.");
        w.gap(Gap::whole("a control total", "not stated"));
    } else {
        w.say("The control total that is used in its place:");
        w.list(totals);
    }
}

fn comparison(w: &mut Writer<'_>, id: &Id, link: &Link) {
    let (from, to) = (w.name(&link.from), w.name(&link.to));
    w.heading(2, line![from, " against ", to]);
    result(w, id);
    use key::reconcile as r;
    let rows = w.setting_rows(id, COMPARED, &[r::CONTROL_TOTAL.field(), r::DIVERGENCE.field()]);
    w.table(&["Setting", "Value", "Source"], rows);
    w.say("Only buckets that are closed on both sides are compared: after the cut-off on the side of the stream, and after the batch load is known to be complete, by its own mark and not by the clock.");
    w.heading(3, "Differences that are legitimate");
    let divergence = w.setting(id, r::DIVERGENCE);
    w.say(line!["Measured causes and their shares: ", divergence, "."]);
    expected(w, id);
}

/// When it may be run, and the tolerance that follows from the measured causes: not the same on both sides.
fn expected(w: &mut Writer<'_>, id: &Id) {
    let Some(report) = w.desk.to_be.comparisons.get(id) else { return };
    let safe = w.figure(&report.safe);
    w.say(line!["Earliest after the end of a bucket that the stream's figure is complete: ", safe, "."]);
    if !report.open.is_empty() {
        for missing in &report.open {
            w.gap(Gap::missing(w.desk, missing));
        }
        let open: Vec<String> =
            report.open.iter().map(|open| format!("{} of {}", open.words(), w.desk.said(&open.subject))).collect();
        w.say(line!["That is at least; without a figure are: ", open.join(", "), "."]);
    }
    match (&report.below, &report.above) {
        (Some(below), Some(above)) => {
            let (below, above) = (w.explained(below), w.explained(above));
            w.say(line![
                "By the measured causes the stream may be below the batch by ",
                below,
                " and above it by ",
                above,
                "; what is beyond that on its side is not explained."
            ]);
        }
        _ => w.say("Without measured causes no tolerance follows."),
    }
}

fn result(w: &mut Writer<'_>, id: &Id) {
    use key::reconcile as r;
    let result = w.desk.fact(id, r::RESULT).map(|fact| fact.value);
    match result {
        None | Some(ReconciliationResult::NotReconciled) => {
            w.say(line![Span::Strong("Result: not reconciled.".into()), " No run has compared the two."]);
        }
        Some(_) => {
            let rows = w.setting_rows(
                id,
                &[r::RESULT.field(), r::RESULT_AT.field(), r::STREAM_VALUE.field(), r::BATCH_VALUE.field()],
                &[],
            );
            w.table(&["Result of the last run", "Value", "Source"], rows);
        }
    }
}
