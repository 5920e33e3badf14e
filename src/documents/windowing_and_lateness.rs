//! `windowing-and-lateness.md`: windows, watermarks, what is late, where it goes, what it changes.

use super::{
    blocks::{Block, Inline, Span, line},
    desk::Desk,
    document::Document,
    findings,
    gap::Gap,
    lateness::{self, Late},
    say,
    writer::Writer,
};
use crate::{
    catalog::Lateness,
    model::{
        DecisionKind, Field, Id, Port, View, key,
        words::{Emit, JoinKind, OutputMode, WindowKind},
    },
    timeline::picture::{Answer, Lacks, draw},
};

const FILE: &str = "windowing-and-lateness.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "Windowing and lateness");
    let windows = desk.windows();
    if windows.is_empty() {
        w.heading(2, "Windows");
        w.say("No step of this design has a window. No record can be too late for one.");
    }
    for id in windows {
        window(&mut w, id);
    }
    joined_by_time(&mut w);
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn window(w: &mut Writer<'_>, id: &Id) {
    let name = w.name(id);
    let job = w.desk.design.job_of(id).cloned();
    let title = match &job {
        Some(job) => line![name, " in ", w.name(job)],
        None => name,
    };
    w.heading(2, title);
    specification(w, id);
    let late = lateness::late(w.desk, id);
    if let Some(why) = late.never() {
        w.heading(3, "Lateness");
        w.say(why);
    }
    if let Late::By(takes) = late {
        watermark(w, id, takes);
        bound(w, id, takes);
        destination(w, id);
    }
    emitted(w, id, late);
    if let Late::By(_) = late {
        timeline(w, id);
    }
}

/// Joins that match by time drop late records without having a window.
fn joined_by_time(w: &mut Writer<'_>) {
    let by_time = |id: &&Id| w.desk.fact(id, key::operator::JOIN).is_some_and(|fact| fact.value == JoinKind::Interval);
    let joins: Vec<Id> = w.desk.all_elements().iter().copied().filter(by_time).cloned().collect();
    if !joins.is_empty() {
        w.heading(2, "Joins by time");
        let names = w.names(&joins);
        w.say(line![
            "A join that matches records by their times has no window, and yet drops those that come too late to be matched: ",
            names,
            ". How late they may be stands in `delivery-semantics.md`, with each reader behind it."
        ]);
    }
}

/// A run of a few records through one window, as it shall be: what becomes of each, and what readers get.
fn timeline(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "A worked timeline");
    let picture = match draw(w.desk.design, View::ToBe, id, false) {
        Ok(picture) => picture,
        Err(lacks) => {
            w.say(line![
                Span::Absent("It cannot be said what becomes of a late record.".into()),
                format!(" {}", lacking(w, &lacks))
            ]);
            // Of an engine whose windows are not predicted nobody can state what is missing.
            if lacks.refused.is_some() || lacks.missing.iter().any(|missing| missing.field.is_some()) {
                w.gap_at(id, "the timeline of a window", "of", "not derivable");
            }
            return;
        }
    };
    w.say(format!("{} {}", picture.headline, picture.about));
    w.block(Block::Code { language: "text", text: picture.text() });
    let row =
        |answer: &Answer| vec![Inline::from(answer.question), answer.answer.clone().into(), answer.how.clone().into()];
    w.table(&["For this window", "Answer", "How it follows"], picture.answers.iter().map(row).collect());
    w.say(format!(
        "At the end of this run a reader that appends every row has {}; one that keeps the last row of each key and window has {}.",
        picture.appending, picture.upserting
    ));
    if !picture.counters.is_empty() {
        w.say(format!("Drop counters at the end of this run: {}.", picture.counters.join(", ")));
    }
    for taken in &picture.taken {
        w.taken(id, taken.field, taken.what, "a worked timeline");
    }
    if !picture.taken.is_empty() {
        let taken = picture.taken.iter().map(|taken| format!("{} is not stated: {}", taken.field.label(), taken.what));
        w.say(format!("Taken for granted: {}.", taken.collect::<Vec<_>>().join("; ")));
    }
}

fn lacking(w: &Writer<'_>, lacks: &Lacks) -> String {
    if let Some(refused) = &lacks.refused {
        return format!("The engine would refuse it: {}.", refused.trim_end_matches('.'));
    }
    let what = lacks.missing.iter().map(|missing| match missing.field {
        Some(field) => format!("{}: {}", w.desk.setting_of(&missing.id, field), missing.why),
        None => missing.why.to_owned(),
    });
    format!("{}.", say::capital(&what.collect::<Vec<_>>().join("; ")))
}

fn specification(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "Window");
    use key::operator as o;
    let kind = w.desk.fact(id, o::WINDOW).map(|fact| fact.value.as_str());
    let mut needed = vec![o::WINDOW.field(), o::CLOCK.field(), o::KEY.field()];
    match kind {
        Some("session") => needed.extend([o::WINDOW_GAP.field(), o::WINDOW_MAX.field()]),
        Some("hopping" | "cumulating") => needed.extend([o::WINDOW_SIZE.field(), o::WINDOW_STEP.field()]),
        _ => needed.push(o::WINDOW_SIZE.field()),
    }
    let optional = [
        o::FUNCTION.field(),
        o::WINDOW_OFFSET.field(),
        o::TIME_ZONE.field(),
        o::KEYS_PER_WINDOW.field(),
        o::API.field(),
    ];
    let rows = w.setting_rows(id, &needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    if w.desk.fact(id, o::WINDOW_OFFSET).is_none() && kind != Some("session") {
        w.say("No offset is stated: windows are taken to start at whole multiples of their size or step from 1970-01-01 00:00 UTC.");
    }
}

/// Settings that reach a step from those before it, each where it is stated.
fn reaching_rows(w: &mut Writer<'_>, id: &Id, settings: Vec<(Field, Vec<Id>)>, wanted: bool) -> Vec<Vec<Inline>> {
    let mut rows = Vec::new();
    for (field, places) in settings {
        for at in places {
            let (needed, optional): (&[Field], &[Field]) = if wanted { (&[field], &[]) } else { (&[], &[field]) };
            for mut row in w.setting_rows(&at, needed, optional) {
                if at != *id {
                    row[0].push(line![" (of ", w.name(&at), ")"]);
                }
                rows.push(row);
            }
        }
    }
    rows
}

fn watermark(w: &mut Writer<'_>, id: &Id, takes: Lateness) {
    w.heading(3, "Watermark");
    use key::operator as o;
    let desk = w.desk;
    let delay = lateness::reaching(desk, id, o::WATERMARK_DELAY);
    let idle = lateness::reaching(desk, id, o::IDLE_TIMEOUT);
    let waits = !idle.1.iter().all(|at| desk.fact(at, o::IDLE_TIMEOUT).is_some());
    let (needed, said) = match takes {
        Lateness::Grace => (
            vec![],
            "This engine has no watermark. A task closes its windows by the highest event time that it has seen; one that gets no records closes none.",
        ),
        Lateness::BeyondRunner => {
            (vec![], "The runner estimates the watermark from its sources; the design sets no delay for it.")
        }
        _ if w.desk.runs(id, "spark") => (
            vec![delay],
            "It follows the highest event time of all partitions of a source: a partition that falls silent holds nothing back.",
        ),
        _ => (
            vec![delay, lateness::reaching(desk, id, o::WATERMARK_ASSIGNED)],
            if waits {
                "No idle timeout is stated. Without one, a partition that falls silent holds the watermark back for all of them."
            } else {
                ""
            },
        ),
    };
    let optional = vec![
        lateness::reaching(desk, id, o::WATERMARK_INTERVAL),
        idle,
        lateness::reaching(desk, id, o::ALIGNMENT_DRIFT),
        lateness::reaching(desk, id, o::FUTURE_LIMIT),
    ];
    let mut rows = reaching_rows(w, id, needed, true);
    rows.extend(reaching_rows(w, id, optional, false));
    w.table(&["Setting", "Value", "Source"], rows);
    w.say(said);
}

/// How late a record may be.
fn bound(w: &mut Writer<'_>, id: &Id, takes: Lateness) {
    w.heading(3, "Allowed lateness and its measured basis");
    use key::operator as o;
    let allowed = [o::ALLOWED_LATENESS.field()];
    let late_results = [o::LATE_FIRING.field()];
    let (needed, optional): (&[Field], &[Field]) = match takes {
        Lateness::Delay => (&[], &allowed),
        Lateness::DelayAndLateResults => (&late_results, &allowed),
        _ => (&allowed, &[]),
    };
    let rows = w.setting_rows(id, needed, optional);
    w.table(&["Setting", "Value", "Source"], rows);
    match takes {
        Lateness::Delay => {
            w.say("Nothing is taken beyond the watermark: its delay alone says how late a record may be.");
        }
        Lateness::DelayAndLateResults => {
            w.say("What is allowed beyond the watermark counts only where late results are sent.");
        }
        Lateness::Grace => w.say("The allowed lateness is the grace period of the window."),
        Lateness::DelayAndAllowed | Lateness::BeyondRunner => {}
    }
    measured(w, id);
    for consumer in w.desk.consumers_below(id) {
        if w.desk.fact(consumer, key::consumer::LATE_SHARE_TOLERATED).is_some() {
            let (name, share) = (w.name(consumer), w.setting(consumer, key::consumer::LATE_SHARE_TOLERATED));
            w.say(line![name, " tolerates this share of late records: ", share, "."]);
        }
    }
}

/// The lateness that the bound is compared with.
fn measured(w: &mut Writer<'_>, id: &Id) {
    let Some((at, field)) = w.desk.nearest(id, "lateness") else {
        w.say(line![
            Span::Absent("Lateness is not measured.".into()),
            " The bound has no measurement behind it: it may drop events that count, or hold state open for longer than anybody needs."
        ]);
        w.gap_at(id, "lateness of the events", "that reach", "not measured");
        return;
    };
    let (place, value) = (w.name(at), w.field(at, field));
    let (known, source) = (value.is_known(), w.source_of(at, field));
    let mut said = line!["Measured at ", place, ": ", value];
    if known {
        said.push(line![" behind the highest event time. Source: ", source]);
    }
    said.push(".");
    w.say(said);
}

fn destination(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "Where later records go");
    let late = w.desk.beyond(id, Port::Late);
    let dropped_by = lateness::dropped_by(w.desk, id);
    if let (Some(by), false) = (dropped_by, late.is_empty()) {
        let names = w.names(&late);
        w.say(line![
            format!("{by} has no output for late records: nothing comes by the one that is drawn to "),
            names,
            "."
        ]);
    } else if !late.is_empty() {
        let names = w.names(&late);
        w.say(line![
            "Records that come after their window has closed go to ",
            names,
            ", by the late output of this step."
        ]);
        return;
    }
    let decision = w.desk.design.records.decisions.values().find(|decision| {
        decision.kind == Some(DecisionKind::DropLate)
            && decision.about.iter().any(|text| text.split('.').next() == Some(id.as_str()))
    });
    match decision {
        Some(decision) => {
            let by = decision.by.as_deref().unwrap_or("nobody named");
            let at = decision.at.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
            w.say(format!(
                "They are dropped, as a written choice: {} Decided by {by}{at}.",
                say::ended(&decision.text)
            ));
        }
        None => {
            w.say(line![
                Span::Strong("Not decided.".into()),
                " No late output takes them and no decision to drop them is written down, so they are dropped without a trace."
            ]);
            w.gap_at(id, "destination of records too late", "for", "not decided");
        }
    }
}

fn emitted(w: &mut Writer<'_>, id: &Id, late: Late) {
    use key::operator as o;
    let never = late.never().is_some();
    w.heading(3, if never { "When results are sent" } else { "What a late record does to results already sent" });
    let (emit, others) = (o::EMIT.field(), [o::OUTPUT_MODE.field(), o::ACCUMULATION.field()]);
    // Spark says by its output mode when it sends.
    let rows = match lateness::sends_by(w.desk, id) {
        Some(_) => w.setting_rows(id, &[], &[emit, others[0], others[1]]),
        None => w.setting_rows(id, &[emit], &others),
    };
    w.table(&["Setting", "Value", "Source"], rows);
    let key: Inline = w.setting(id, o::KEY);
    let key = if key.is_known() { line!["by the key ", key] } else { line!["by its key (", key, ")"] };
    match lateness::emission(w.desk, id) {
        Some(Emit::OnClose) => on_close(w, id, late, key),
        Some(Emit::Suppress) => w.say(AFTER_GRACE),
        Some(Emit::EveryUpdate | Emit::EarlyAndClose) => w.say(line![
            "A window sends several totals, each replacing the one before. A reader has to overwrite ",
            key,
            " and the window."
        ]),
        Some(Emit::Delta) => {
            w.say("A window sends differences. A reader has to add them up, and a repeated one counts twice.")
        }
        None if never => w.say(Inline::from(Span::Absent("How results are sent is not read.".into()))),
        None => w.say(Inline::from(Span::Absent(
            "How results are sent is not read, so it is not said what a late record changes.".into(),
        ))),
    }
    if w.desk.fact(id, o::OUTPUT_MODE).is_some_and(|fact| fact.value == OutputMode::Retract) {
        w.say("Corrections come as a withdrawal and a new row; a sink that only appends cannot apply them.");
    }
}

const AFTER_GRACE: &str = "One result is sent per key and window after the grace period. A record that comes later changes nothing that was sent.";

/// Of a window that sends its result when it closes.
fn on_close(w: &mut Writer<'_>, id: &Id, late: Late, key: Inline) {
    let Late::By(takes) = late else {
        w.say("One result is sent per key and window when the window ends.");
        return;
    };
    match lateness::again(w.desk, id, takes) {
        Ok(false) if takes == Lateness::Grace => w.say(AFTER_GRACE),
        Ok(false) => w.say("One result is sent per key and window when the watermark passes its end. A record that comes later changes nothing that was sent."),
        // Panes of Beam accumulate or are discarded; the design does not say which.
        Ok(true) if takes == Lateness::BeyondRunner => w.say(line![
            "The first result is sent when the watermark passes the end of the window. Late records within the allowed lateness send one more: the new total, which has to overwrite ",
            key,
            " and the window, where panes accumulate; only what came since, which has to be added, where they are discarded."
        ]),
        Ok(true) => {
            w.say(line![
                "The first result is sent when the watermark passes the end of the window. Each late record within the allowed lateness sends the total of its window again: a new total, not a difference. A reader has to overwrite ",
                key,
                " and the window; one that adds rows up counts twice."
            ]);
            // Seen with Flink 2.1: nothing withdraws what was sent of two sessions that a late record makes one.
            if w.desk.fact(id, key::operator::WINDOW).is_some_and(|fact| fact.value == WindowKind::Session) {
                w.say("A late record that joins two sessions sends the longer one, and nothing takes the two back: a reader that overwrites by key and window still counts them.");
            }
        }
        Err(field) => {
            w.gap(Gap::of(w.desk, id, field, field.row().nature.absent()));
            let said = format!("{} is not read, so it is not said what a late record changes.", say::capital(&field.label()));
            w.say(Inline::from(Span::Absent(said)));
        }
    }
}
