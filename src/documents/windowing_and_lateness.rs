//! `windowing-and-lateness.md`: windows, watermarks, what is late, where it goes, what it changes.

use super::{
    blocks::{Block, Inline, Span, line},
    desk::Desk,
    document::Document,
    findings, say,
    writer::Writer,
};
use crate::{
    model::{DecisionKind, Field, Id, Port, View, key, words::Emit, words::OutputMode},
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
    watermark(w, id);
    lateness(w, id);
    destination(w, id);
    emitted(w, id);
    timeline(w, id);
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
            w.gap_in_words(id, format!("the timeline of a window of {}", w.desk.said(id)), "not derivable");
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

fn fields<const N: usize>(fields: [Field; N]) -> [Field; N] {
    fields
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
    let optional = fields([
        o::FUNCTION.field(),
        o::WINDOW_OFFSET.field(),
        o::TIME_ZONE.field(),
        o::KEYS_PER_WINDOW.field(),
        o::API.field(),
    ]);
    let rows = w.setting_rows(id, &needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    if w.desk.fact(id, o::WINDOW_OFFSET).is_none() && kind != Some("session") {
        w.say("No offset is stated: windows are taken to start at whole multiples of their size or step from 1970-01-01 00:00 UTC.");
    }
}

fn watermark(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "Watermark");
    use key::operator as o;
    let needed = [o::WATERMARK_DELAY.field(), o::WATERMARK_ASSIGNED.field()];
    let optional =
        [o::WATERMARK_INTERVAL.field(), o::IDLE_TIMEOUT.field(), o::ALIGNMENT_DRIFT.field(), o::FUTURE_LIMIT.field()];
    let rows = w.setting_rows(id, &needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    if w.desk.fact(id, o::IDLE_TIMEOUT).is_none() {
        w.say("No idle timeout is stated. Without one, a partition that falls silent holds the watermark back for all of them.");
    }
}

fn lateness(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "Allowed lateness and its measured basis");
    use key::operator as o;
    let rows = w.setting_rows(id, &[o::ALLOWED_LATENESS.field()], &[]);
    w.table(&["Setting", "Value", "Source"], rows);
    match w.desk.nearest(id, "lateness") {
        Some((at, field)) => {
            let (place, value) = (w.name(at), w.field(at, field, true));
            let (known, source) = (value.is_known(), w.source_of(at, field));
            let mut said = line!["Measured at ", place, ": ", value];
            if known {
                said.push(line![" behind the highest event time. Source: ", source]);
            }
            said.push(".");
            w.say(said);
        }
        None => {
            w.say(line![
                Span::Absent("Lateness is not measured.".into()),
                " The bound above has no measurement behind it: it may drop events that count, or hold state open for longer than anybody needs."
            ]);
            w.gap_in_words(id, format!("lateness of the events that reach {}", w.desk.said(id)), "not measured");
        }
    }
    for consumer in w.desk.consumers_below(id) {
        if w.desk.fact(consumer, key::consumer::LATE_SHARE_TOLERATED).is_some() {
            let (name, share) = (w.name(consumer), w.optional(consumer, key::consumer::LATE_SHARE_TOLERATED));
            w.say(line![name, " tolerates this share of late records: ", share, "."]);
        }
    }
}

fn destination(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "Where later records go");
    let late = w.desk.beyond(id, Port::Late);
    if !late.is_empty() {
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
                " No late output is drawn and no decision to drop them is written down, so they are dropped without a trace."
            ]);
            w.gap_in_words(id, format!("destination of records too late for {}", w.desk.said(id)), "not decided");
        }
    }
}

fn emitted(w: &mut Writer<'_>, id: &Id) {
    w.heading(3, "What a late record does to results already sent");
    use key::operator as o;
    let rows = w.setting_rows(id, &[o::EMIT.field()], &[o::OUTPUT_MODE.field(), o::ACCUMULATION.field()]);
    w.table(&["Setting", "Value", "Source"], rows);
    let allowed = w.desk.fact(id, o::ALLOWED_LATENESS).map(|fact| fact.value.millis());
    let mode = w.desk.fact(id, o::OUTPUT_MODE).map(|fact| fact.value);
    let key: Inline = w.optional(id, o::KEY);
    let key = if key.is_known() { line!["by the key ", key] } else { line!["by its key (", key, ")"] };
    match w.desk.fact(id, o::EMIT).map(|fact| fact.value) {
        Some(Emit::OnClose | Emit::Suppress) if allowed == Some(0) => {
            w.say("One result is sent per key and window when the watermark passes its end. A record that comes later changes nothing that was sent.");
        }
        Some(Emit::OnClose) if allowed.is_some() => w.say(line![
            "The first result is sent when the watermark passes the end of the window. Each late record within the allowed lateness sends the total of its window again: a new total, not a difference. A reader has to overwrite ",
            key,
            " and the window; one that adds rows up counts twice."
        ]),
        Some(Emit::Suppress) => {
            w.say("One result is sent per key and window after the grace period. A record that comes later changes nothing that was sent.");
        }
        Some(Emit::EveryUpdate | Emit::EarlyAndClose) => w.say(line![
            "A window sends several totals, each replacing the one before. A reader has to overwrite ",
            key,
            " and the window."
        ]),
        Some(Emit::Delta) => w.say("A window sends differences. A reader has to add them up, and a repeated one counts twice."),
        _ => w.say(Inline::from(Span::Absent(
            "How results are sent is not read, so it is not said what a late record changes.".into(),
        ))),
    }
    if mode == Some(OutputMode::Retract) {
        w.say("Corrections come as a withdrawal and a new row; a sink that only appends cannot apply them.");
    }
}
