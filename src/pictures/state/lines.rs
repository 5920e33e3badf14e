//! What the state of an operator is made of, and what its job makes of it.

use super::{super::Line, made::Of};
use crate::{
    analysis::{
        explain::{Derived, Explained},
        made_by,
    },
    model::{Field, Known, key},
};
use std::sync::Arc;

/// What it is made of.
pub(super) fn made_of(of: &Of<'_>) -> Vec<Line> {
    use key::operator as o;
    let mut lines = Vec::new();
    let figures = of.figures;
    if let Some(state) = &figures.state {
        let how = match state {
            Ok(state) if state.unbounded() => "nothing ever removes an entry",
            _ => "",
        };
        lines.push(Line::figure("State at its bound", state.clone(), how));
    }
    let now = |id, field: Field| !matches!(of.design.resolve(of.view, id, field), Known::NotKnown(_));
    let unbounded = figures.growth.is_some();
    if now(of.id, o::STATE_SIZE.field()) || of.job.is_none() {
        lines.push(Line::setting("State now", of.id, o::STATE_SIZE.field(), "of this step"));
    } else if let Some(job) = of.job {
        lines.push(Line::setting("State now", job, key::job::STATE_SIZE.field(), "of all steps of its job"));
    }
    lines.extend(figures.entries.clone().map(|entries| Line::figure("Live entries", entries, "")));
    lines.push(Line::setting("Bytes per entry", of.id, o::ENTRY_SIZE.field(), "key, value and overhead"));
    lines.extend(stays(of));
    if let Some(job) = of.job {
        let how = "bytes on disk per live byte";
        lines.push(Line::setting("Space amplification", job, key::job::SPACE_AMPLIFICATION.field(), how));
    }
    lines.extend(figures.growth.clone().map(|growth| Line::figure("Growth", growth, "")));
    lines.extend(
        of.without.clone().map(|without| Line::figure("Growth if nothing bounded it, at most", Ok(without), "")),
    );
    if let Some(job) = of.job.filter(|job| unbounded || now(job, key::job::STATE_BUDGET.field())) {
        let how = "disk or memory, per instance";
        lines.push(Line::setting("Budget", job, key::job::STATE_BUDGET.field(), how));
    }
    lines.extend(figures.full_in.clone().map(|full| Line::figure("Budget is full in", full, "full days")));
    lines
}

/// The settings that bound the time an entry is kept.
fn stays(of: &Of<'_>) -> Vec<Line> {
    use key::operator as o;
    let known = |field: Field| !matches!(of.design.resolve(of.view, of.id, field), Known::NotKnown(_));
    let windowed = known(o::WINDOW.field()) || known(o::WINDOW_SIZE.field());
    if !windowed || known(o::STATE_TTL.field()) {
        return vec![Line::setting("Time-to-live", of.id, o::STATE_TTL.field(), "")];
    }
    let fields = [
        ("Window", o::WINDOW_SIZE.field()),
        ("Watermark delay", o::WATERMARK_DELAY.field()),
        ("Allowed lateness", o::ALLOWED_LATENESS.field()),
    ];
    let fields = fields.into_iter().filter(|(_, field)| known(*field));
    fields.map(|(what, field)| Line::setting(what, of.id, field, "")).collect()
}

/// What its job makes of it.
pub(super) fn of_job(of: &Of<'_>) -> Vec<Line> {
    let Some((job, report)) = of.job.and_then(|job| of.report.jobs.get_key_value(job)) else { return Vec::new() };
    let mut lines = Vec::new();
    let mut add = |what: &str, derived: Option<&Derived>, how: &str| {
        lines.extend(derived.map(|derived| Line::figure(what, derived.clone(), how)));
    };
    add("State of all steps", report.state.as_ref(), "");
    add("On one instance, at least", report.state_of_instance.as_ref(), "entries spread evenly");
    add("On the fullest task, 95 of 100", report.state_of_task.as_ref(), "assignments of keys to tasks");
    add("Memory of its stores, one instance, at most", report.store_memory.as_ref(), "outside the heap");
    add("A checkpoint writes", report.checkpoint_size.as_ref(), "");
    add("A checkpoint takes", report.checkpoint.as_ref(), "");
    let live = changelog(of);
    add("Changelog of this step, at least", live.as_ref(), "one copy; above it what the cleaner has not yet removed");
    add("A deploy stops it for", report.deploy_pause.as_ref(), "");
    add("A crash of a member stops its partitions for", report.crash_standstill.as_ref(), "");
    if report.checkpoint.is_some() {
        lines.push(Line::setting("Checkpoints kept", job, key::job::CHECKPOINTS_RETAINED.field(), ""));
    }
    lines
}

/// Kafka Streams writes every change of a store to a topic: it holds the live state, and what compaction has not reached.
fn changelog(of: &Of<'_>) -> Option<Derived> {
    let streams = of
        .job
        .and_then(|job| of.design.system(job))
        .is_some_and(|system| matches!(&**system, "kafka_streams" | "ksqldb"));
    let state = of.figures.state.as_ref().filter(|_| streams)?;
    // Live bytes, times the space amplification.
    let live = |state: &Arc<Explained>| state.inputs().first().filter(|_| state.made_by(&made_by::STATE)).cloned();
    Some(match state {
        Ok(state) => Ok(live(state)?),
        Err(why) => Err(why.clone()),
    })
}
