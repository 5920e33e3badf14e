//! `state-and-checkpointing.md`: what is kept per key, how long, how a job comes back.

use super::{
    blocks::{Inline, Span, line},
    desk::Desk,
    document::Document,
    findings, pictures, say,
    writer::Writer,
};
use crate::{
    analysis::{JobReport, explain::Derived},
    model::{ElementKind, Id, Link, key},
};

const FILE: &str = "state-and-checkpointing.md";

/// Writes it.
#[must_use]
pub fn write(desk: &Desk<'_>) -> Document {
    let mut w = Writer::new(desk, FILE, "State and checkpointing");
    let jobs = desk.elements(ElementKind::Job);
    if jobs.is_empty() {
        w.heading(2, "Jobs");
        w.say("No job is drawn, so no state is kept.");
    }
    for id in jobs {
        job(&mut w, id);
    }
    w.finish(&findings::halts_for(desk, &desk.to_be.halts, FILE))
}

fn job(w: &mut Writer<'_>, id: &Id) {
    let name = w.name(id);
    w.heading(2, name);
    let Some(report) = w.desk.to_be.jobs.get(id) else {
        w.say(Inline::from(Span::Absent("Not derivable: nothing of this job is analysed.".into())));
        w.gap_at(id, "figures", "of", "not derivable");
        return;
    };
    let stateful = state(w, id, report);
    checkpoints(w, id, report, stateful);
    recovery(w, id, report);
    changes(w, id, report, stateful);
}

fn state(w: &mut Writer<'_>, id: &Id, report: &JobReport) -> bool {
    w.heading(3, "Keyed state");
    let mut rows = Vec::new();
    for operator in w.desk.operators(id) {
        let Some(figures) = w.desk.to_be.operators.get(operator) else { continue };
        let Some(size) = &figures.state else { continue };
        let bound = bound_words(w, operator, size);
        rows.push(vec![
            w.name(operator),
            w.setting(operator, key::operator::KEY),
            w.figure_or(figures.entries.as_ref(), "not derivable"),
            state_words(w, size),
            bound,
            time_to_live(w, operator),
            w.figure_or(figures.growth.as_ref(), "none beyond the bound"),
        ]);
    }
    if rows.is_empty() {
        w.say("No step of this job keeps state per key.");
        return false;
    }
    w.table(&["Step", "Key", "Live entries", "State", "Bound", "Time-to-live", "Growth"], rows);
    for operator in w.desk.operators(id) {
        pictures::growth(w, operator);
    }
    if let Some(total) = &report.state {
        let total = state_words(w, total);
        w.say(line!["All steps together: ", total, "."]);
    }
    if let Some(Ok(part)) = &report.state_of_instance {
        let part = w.explained(part);
        w.say(line!["On one instance, at least: ", part, "."]);
    }
    if let Some(Ok(task)) = &report.state_of_task {
        let task = w.explained(task);
        w.say(line!["On the fullest task, in 95 of 100 assignments of keys: ", task, "."]);
    }
    if let Some(Ok(memory)) = &report.store_memory {
        let memory = w.explained(memory);
        w.say(line!["Memory of its stores on one instance, at most: ", memory, "."]);
    }
    let settings = w.setting_rows(
        id,
        &[key::job::STATE_BACKEND.field()],
        &[
            key::job::STATE_SIZE.field(),
            key::job::SPACE_AMPLIFICATION.field(),
            key::job::STATE_BUDGET.field(),
            key::job::STANDBY_REPLICAS.field(),
            key::job::LOCAL_RECOVERY.field(),
        ],
    );
    w.table(&["Setting", "Value", "Source"], settings);
    true
}

/// The time-to-live; a window removes its own state.
fn time_to_live(w: &mut Writer<'_>, id: &Id) -> Inline {
    let known = w.desk.fact(id, key::operator::STATE_TTL).is_some();
    if !known && w.desk.windows().contains(&id) { "not needed".into() } else { w.setting(id, key::operator::STATE_TTL) }
}

/// A size, or that nothing bounds it.
fn state_words(w: &mut Writer<'_>, size: &Derived) -> Inline {
    let figure = w.figure(size);
    match size {
        Ok(explained) if explained.unbounded() => line![Span::Strong("unbounded".into()), ", ", figure],
        _ => figure,
    }
}

/// What bounds the state of an operator, by its settings.
fn bound_words(w: &mut Writer<'_>, id: &Id, size: &Derived) -> Inline {
    use key::operator as o;
    if size.as_ref().is_ok_and(|explained| explained.unbounded()) {
        return "nothing".into();
    }
    if w.desk.fact(id, o::WINDOW_SIZE).is_some() || w.desk.fact(id, o::WINDOW_GAP).is_some() {
        return "the window, until the watermark has passed its end and the allowed lateness".into();
    }
    if w.desk.fact(id, o::STATE_TTL).is_some() {
        return "the time-to-live".into();
    }
    if w.desk.fact(id, o::JOIN_BEFORE).is_some() || w.desk.fact(id, o::JOIN_AFTER).is_some() {
        return "the time range of the join".into();
    }
    "see the formula".into()
}

fn checkpoints(w: &mut Writer<'_>, id: &Id, report: &JobReport, stateful: bool) {
    w.heading(3, "Checkpoints");
    use key::job as j;
    let design = w.desk.design;
    let from_source = |link: &Link| design.kind(&link.from) == Some(ElementKind::Source);
    let takes = w.desk.links().iter().any(|(_, link)| from_source(link) && design.job_of(&link.to) == Some(id));
    let decides = w.desk.engine(id).is_none_or(|engine| engine.guarantee_decides(takes));
    let mut needed = if decides { vec![j::PROCESSING_GUARANTEE.field()] } else { Vec::new() };
    if stateful && report.checkpoint.is_some() {
        needed.extend([j::CHECKPOINT_INTERVAL.field(), j::CHECKPOINT_STORAGE.field(), j::CHECKPOINT_DURATION.field()]);
    }
    let optional = [
        j::PROCESSING_GUARANTEE.field(),
        j::COMMIT_INTERVAL.field(),
        j::TRIGGER_INTERVAL.field(),
        j::BATCH_DURATION.field(),
        j::CHECKPOINT_INTERVAL.field(),
        j::CHECKPOINT_TIMEOUT.field(),
        j::CHECKPOINT_MIN_PAUSE.field(),
        j::CHECKPOINT_INCREMENTAL.field(),
        j::CHECKPOINT_UNALIGNED.field(),
        j::CHECKPOINT_STORAGE.field(),
        j::CHECKPOINTS_RETAINED.field(),
        j::TOLERABLE_FAILED_CHECKPOINTS.field(),
        j::CHECKPOINT_DURATION.field(),
        j::CHECKPOINT_SIZE.field(),
    ];
    let optional: Vec<_> = optional.into_iter().filter(|field| !needed.contains(field)).collect();
    let rows = w.setting_rows(id, &needed, &optional);
    w.table(&["Setting", "Value", "Source"], rows);
    let mut figures = Vec::new();
    if let Some(duration) = &report.checkpoint {
        figures.push(vec!["A checkpoint takes".into(), w.figure(duration)]);
    }
    if let Some(Ok(size)) = &report.checkpoint_size {
        figures.push(vec!["A checkpoint writes, at most".into(), w.explained(size)]);
    }
    if let Some(rewind) = &report.rewind {
        let rewind = w.figure(rewind);
        figures.push(vec!["Work done again after a failure, at most".into(), rewind]);
    }
    if let Some(bound) = &report.outage_bound {
        let bound = match bound {
            Ok(explained) => w.bound(explained),
            Err(_) => w.figure(bound),
        };
        figures.push(vec!["Longest outage that the transaction timeout covers".into(), bound]);
    }
    w.table(&["Figure", "Value"], figures);
}

fn recovery(w: &mut Writer<'_>, id: &Id, report: &JobReport) {
    w.heading(3, "Recovery");
    let total = w.figure(&report.recovery);
    let Ok(explained) = &report.recovery else {
        w.say(line!["Time until the job has caught up after a failure: ", total, "."]);
        return;
    };
    w.say(line!["From failure until the job has caught up: ", total, "."]);
    let rows = explained.inputs().iter().map(|term| vec![say::capital(term.what).into(), w.explained(term)]).collect();
    w.table(&["Term", "Value"], rows);
    for consumer in w.desk.consumers_below(id) {
        let Some(target) = w.desk.fact(consumer, key::consumer::RECOVERY_TARGET) else { continue };
        let met = if explained.value <= target.value.secs() { "meets" } else { "does not meet" };
        let (name, wanted) = (w.name(consumer), w.setting(consumer, key::consumer::RECOVERY_TARGET));
        w.say(line!["This ", met, " the recovery target of ", name, ": ", wanted, "."]);
    }
    let observed = w.setting(id, key::job::RECOVERY_TIME);
    w.say(line!["As observed: ", observed, "."]);
}

fn changes(w: &mut Writer<'_>, id: &Id, report: &JobReport, stateful: bool) {
    w.heading(3, "Scale change and deploy");
    use key::job as j;
    let rows = w.setting_rows(
        id,
        &[],
        &[
            j::REBALANCE_PROTOCOL.field(),
            j::STATIC_MEMBERSHIP.field(),
            j::SESSION_TIMEOUT.field(),
            j::DEPLOYS.field(),
            j::DEPLOY_PAUSE.field(),
            j::MAX_PARALLELISM.field(),
            j::INSTANCES.field(),
        ],
    );
    w.table(&["Setting", "Value", "Source"], rows);
    for (what, figure) in [
        ("A deploy stops it for up to", &report.deploy_pause),
        ("A rolling deploy stops one partition for", &report.deploy_standstill),
    ] {
        if let Some(figure) = figure {
            let figure = w.figure(figure);
            w.say(line![what, ": ", figure, "."]);
        }
    }
    rescaled(w, id, stateful);
}

/// What a change of the number of instances does to state and positions, by engine.
fn rescaled(w: &mut Writer<'_>, id: &Id, stateful: bool) {
    use key::job as j;
    match w.desk.design.system(id).map(AsRef::as_ref) {
        Some("flink") => {
            w.say("A scale change stops all of it with a savepoint and starts it again from there, so it takes as long as a deploy. State moves by key groups: every task reads its part of it back.");
            if stateful {
                let most = w.setting(id, j::MAX_PARALLELISM);
                w.say(line!["Most tasks that can share it, by its key groups: ", most, "."]);
            }
        }
        Some("spark") => w.say("A scale change restarts the query, and the batch that was not committed runs again. The number of its state partitions is fixed with the first checkpoint: more executors do not split them."),
        Some("kafka_streams" | "ksqldb") if stateful => w.say("A scale change moves tasks, one a partition of the inputs. A task that moves reads its changelog back first, overwritten entries and all, unless a standby copy is near the end of it. More partitions in an input do not fit its internal topics: the application stops, and has to be reset."),
        Some("kafka_connect") => w.say("A scale change hands tasks on in a rebalance; a connector keeps its position in the offsets topic or the group, and no state."),
        _ if stateful => w.say("What happens to its state on a scale change is a matter of its own code: nothing of it is known by its system."),
        _ => w.say("It keeps no state per key, so a scale change moves partitions and nothing else."),
    }
}
