//! `streaming-downstream-handoff.md`: what each desk downstream can rely on.

use super::{
    badge,
    blocks::{Inline, Span, line},
    delivery_semantics,
    desk::Desk,
    document::Document,
    findings,
    gap::Gap,
    lateness::{self, Late},
    writer::Writer,
};
use crate::{
    analysis::explain::Missing,
    catalog::{Lateness, PositionIn},
    model::{ElementKind, Id, Port, key, words::WindowKind},
};

const FILE: &str = "streaming-downstream-handoff.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Downstream handoff");
    w.heading(2, "For transformation-layer-desk");
    duplicates(&mut w);
    late(&mut w);
    completeness(&mut w);
    w.heading(2, "For batch-orchestration-desk");
    w.say("A trigger on a table that the stream fills waits for the sign of completeness above, not for a clock.");
    w.heading(2, "For data-quality-desk");
    w.say("A freshness or volume check on a window that is still filling reports a fault that is none. Checks start after the bounds under late arrival.");
    reconciliations(&mut w);
    w.heading(2, "For data-observability-desk");
    lag(&mut w);
    w.heading(2, "For warehouse-lakehouse-architecture-desk");
    cadence(&mut w);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn duplicates(w: &mut Writer<'_>) {
    w.heading(3, "Duplicates that show");
    let mut rows = Vec::new();
    for id in w.desk.elements(ElementKind::Consumer) {
        let Some(report) = w.desk.to_be.consumers.get(id) else { continue };
        let name = w.name(id);
        if let Some(evidence) = w.desk.withheld_verdict(&report.delivery).cloned() {
            let text = w.withheld_claim(&evidence, format!("duplicates that {} sees", w.desk.name(id)));
            rows.push(vec![name, text, Inline::default(), Inline::default()]);
            continue;
        }
        let owes = delivery_semantics::owes_words(&report.delivery);
        delivery_semantics::open(w, id, &report.delivery);
        let text = report.delivery.badge.text();
        rows.push(vec![
            name,
            report.delivery.sentence.as_str().into(),
            line![badge::words(&text), " (", Span::Code(text), ")"],
            owes.into(),
        ]);
    }
    if rows.is_empty() {
        w.say("Nothing reaches a consumer, so nothing is handed over.");
    }
    w.table(&["Read by", "What is observed", "Copies", "What the reader owes"], rows);
}

fn late(w: &mut Writer<'_>) {
    w.heading(3, "Late arrival");
    let mut rows = Vec::new();
    for id in w.desk.windows() {
        let row = late_row(w, id);
        rows.push(row);
    }
    if rows.is_empty() {
        w.say("No window, so no record is late for one. Rows arrive when they arrive.");
    }
    w.table(
        &["Window", "Size", "Watermark delay", "Allowed lateness", "Later records go to", "Results are sent"],
        rows,
    );
}

/// A window: its size, how late a record may be, where later ones go, when its results are sent.
fn late_row(w: &mut Writer<'_>, id: &Id) -> Vec<Inline> {
    use key::operator as o;
    let late = lateness::late(w.desk, id);
    let aside = w.desk.beyond(id, Port::Late);
    let destination = match late {
        Late::Clock | Late::Kept => "no record is late".into(),
        Late::By(_) if lateness::dropped_by(w.desk, id).is_some() => "nowhere: dropped".into(),
        Late::By(_) if aside.is_empty() => "none drawn".into(),
        Late::By(_) => w.names(&aside),
    };
    let none = || Inline::from("has none");
    let (delay, allowed) = match late {
        Late::Clock | Late::Kept => (none(), none()),
        Late::By(Lateness::Grace | Lateness::BeyondRunner) => (none(), w.setting(id, o::ALLOWED_LATENESS)),
        Late::By(Lateness::Delay) => (lateness::reached(w, id, o::WATERMARK_DELAY), none()),
        Late::By(_) => (lateness::reached(w, id, o::WATERMARK_DELAY), w.setting(id, o::ALLOWED_LATENESS)),
    };
    let session = w.desk.fact(id, o::WINDOW).is_some_and(|kind| kind.value == WindowKind::Session);
    let size = if session { line!["gap ", w.setting(id, o::WINDOW_GAP)] } else { w.setting(id, o::WINDOW_SIZE) };
    let sent = match lateness::sends_by(w.desk, id) {
        Some(_) => w.setting(id, o::OUTPUT_MODE),
        None => w.setting(id, o::EMIT),
    };
    vec![w.name(id), size, delay, allowed, destination, sent]
}

fn completeness(w: &mut Writer<'_>) {
    w.heading(3, "When a window is complete");
    let windows = w.desk.windows();
    if windows.is_empty() {
        w.say("No window, so there is no completeness to wait for.");
        return;
    }
    let rows = windows.iter().map(|id| vec![w.name(id), lateness::complete_when(w.desk, id).into()]).collect();
    w.table(&["Window", "Complete when"], rows);
    w.say("For readers a clock says so only by the longest waits:");
    let mut rows = Vec::new();
    for id in w.desk.elements(ElementKind::Consumer) {
        let Some((after, open)) = w.desk.to_be.consumers.get(id).and_then(|report| report.complete.as_ref()) else {
            continue;
        };
        let name = w.name(id);
        let figure = w.figure(after);
        let figure = if open.is_empty() { figure } else { line!["at least ", figure] };
        rows.push(vec![name, figure, open_waits(w, open)]);
    }
    if rows.is_empty() {
        w.say("No reader waits for the end of a window, or none of the waits on its way is known.");
        return;
    }
    w.table(&["Read by", "Safe to read after the end of the window", "Without a figure"], rows);
    w.say(
        "A reader that has to know sooner takes the sign of completeness: the watermark as a metric, or a marker row.",
    );
}

/// Waits that nobody measured or set, with what they are of.
fn open_waits(w: &mut Writer<'_>, open: &[Missing]) -> Inline {
    for missing in open {
        w.gap(Gap::missing(w.desk, missing));
    }
    let words: Vec<String> = open
        .iter()
        .map(|missing| format!("{} of {} ({})", missing.label(), w.desk.said(&missing.subject), missing.state()))
        .collect();
    if words.is_empty() { "nothing".into() } else { words.join("; ").into() }
}

fn reconciliations(w: &mut Writer<'_>) {
    w.heading(3, "Comparison with the batch path");
    let mut rows = Vec::new();
    for (id, link) in w.desk.reconciliations() {
        use key::reconcile as r;
        let result = w.desk.fact(id, r::RESULT).map_or("not reconciled", |fact| match fact.value.as_str() {
            "not_reconciled" => "not reconciled",
            word => word,
        });
        rows.push(vec![
            line![w.name(&link.from), " against ", w.name(&link.to)],
            w.setting(id, r::MEASURE),
            w.setting(id, r::GRAIN),
            w.setting(id, r::CUT_OFF),
            w.setting(id, r::TOLERANCE),
            result.into(),
        ]);
    }
    if rows.is_empty() {
        w.say("No comparison is defined.");
    }
    w.table(&["What", "Measure", "Grain", "Cut-off", "Tolerance", "Result"], rows);
}

fn lag(w: &mut Writer<'_>) {
    w.heading(3, "Lag and rebalance signals");
    let mut rows = Vec::new();
    for (id, link) in w.desk.links() {
        if w.desk.design.kind(&link.from) != Some(ElementKind::Channel) {
            continue;
        }
        let job = w.desk.design.job_of(&link.to).cloned();
        let (target, alert, protocol) = match &job {
            Some(job) => (
                w.setting(job, key::job::LAG_TARGET),
                w.setting(job, key::job::LAG_ALERT),
                w.setting(job, key::job::REBALANCE_PROTOCOL),
            ),
            None => ("not a job".into(), Inline::default(), Inline::default()),
        };
        rows.push(vec![
            w.name(job.as_ref().unwrap_or(&link.to)),
            w.name(&link.from),
            w.setting(id, key::read::GROUP),
            target,
            alert,
            protocol,
        ]);
    }
    if rows.is_empty() {
        w.say("Nobody reads a channel, so there is no lag to watch.");
    }
    w.table(&["Reader", "Channel", "Group", "Lag target", "Alert above", "Rebalance protocol"], rows);
    let alerts: Vec<Vec<Inline>> = w
        .desk
        .elements(ElementKind::Channel)
        .into_iter()
        .filter(|id| w.desk.fact(id, key::channel::ALERT_ABOVE).is_some())
        .map(|id| vec![w.name(id), w.setting(id, key::channel::ALERT_ABOVE), w.setting(id, key::channel::RATE)])
        .collect();
    w.table(&["Channel whose growth wakes somebody", "Above", "Today"], alerts);
}

/// How often a job keeps its position, with a checkpoint or as a commit.
fn position(w: &mut Writer<'_>, job: &Id) -> Inline {
    let stated = w.desk.fact(job, key::job::CHECKPOINT_INTERVAL).is_some();
    let modes = w.desk.engine(job).map_or(&[][..], |engine| engine.modes);
    let (how, every) = if stated || modes.iter().any(|mode| mode.position == PositionIn::Checkpoint) {
        ("checkpoint every ", w.setting(job, key::job::CHECKPOINT_INTERVAL))
    } else {
        ("commit every ", w.setting(job, key::job::COMMIT_INTERVAL))
    };
    if every.is_known() { line![how, every] } else { every }
}

fn cadence(w: &mut Writer<'_>) {
    w.heading(3, "Write cadence");
    let mut rows = Vec::new();
    for (id, link) in w.desk.links() {
        if w.desk.design.kind(&link.to) != Some(ElementKind::Sink) {
            continue;
        }
        use key::store as s;
        let job = w.desk.design.job_of(&link.from).cloned();
        let commits = job.as_ref().map_or_else(|| "not a job".into(), |job| position(w, job));
        rows.push(vec![
            w.name(&link.to),
            w.name(&link.from),
            w.setting(id, s::WRITE_MODE),
            w.setting(id, s::FLUSH_INTERVAL),
            w.setting(id, s::FLUSH_RECORDS),
            w.setting(id, s::ROTATION),
            commits,
        ]);
    }
    if rows.is_empty() {
        w.say("No sink is written.");
    }
    w.table(&["Sink", "Written by", "Write mode", "Flush every", "Flush after records", "Rotation", "Position"], rows);
}
