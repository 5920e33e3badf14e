//! What would make a state fit, each with what it takes: more instances, a shorter time-to-live, smaller entries, more room.
//!
//! Each figure is worked out from those of the report by what they are proportional to, the others as they are. Not here:
//! whether it fits.

use crate::{
    analysis::explain::{Explained, Origin},
    model::{
        Id, counted, key,
        units::human,
        words::{AggregateFunction, StateBackend},
    },
    rules::Context,
};

/// What mends it, where `part` of a job's state lies on one instance that has room for `budget`.
pub(super) fn relief(context: &Context<'_>, job: &Id, part: f64, budget: f64) -> String {
    let mut ways = Vec::new();
    ways.extend(more_instances(context, job, part, budget));
    ways.extend(less_of_one(context, job, part, budget));
    if context.get(job, key::job::STATE_BACKEND) == Some(StateBackend::Heap) {
        ways.push("RocksDB, which keeps it on disk".to_owned());
    }
    ways.push(format!("room for {} on each instance", human::bytes_at_most(part)));
    let last = ways.pop().unwrap_or_default();
    if ways.is_empty() { last } else { format!("{}, or {last}", ways.join(", ")) }
}

/// Instances share the tasks of a job, and a task stays whole: where one alone does not fit, more instances do not help.
fn more_instances(context: &Context<'_>, job: &Id, part: f64, budget: f64) -> Option<String> {
    let now = context.get(job, key::job::INSTANCES)?.max().filter(|now| *now > 0)?;
    let needed = (now as f64 * part / budget).ceil();
    if !(needed.is_finite() && needed < 1e6) {
        return None;
    }
    let Some(tasks) = context.get(job, key::job::PARALLELISM).filter(|tasks| *tasks > 0) else {
        return Some(format!("{} instances instead of {now}", human::number(needed)));
    };
    let measured = context.job_report(job)?.state_of_task.as_ref().and_then(|task| task.as_ref().ok());
    let alone = (part * now as f64 / tasks as f64).max(measured.map_or(0.0, |task| task.value));
    if alone > budget {
        let tasks_now = counted(tasks, "task");
        return Some(format!(
            "at least {} tasks, each on an instance of its own, instead of {tasks_now}",
            human::number(needed)
        ));
    }
    // The tasks that fit on one instance decide.
    let whole = (tasks as f64 / (budget / alone).floor()).ceil();
    Some(format!("{} instances instead of {now}", human::number(needed.max(whole))))
}

/// What the operator with most state would have to keep less of.
fn less_of_one(context: &Context<'_>, job: &Id, part: f64, budget: f64) -> Vec<String> {
    let whole = context.job_report(job).and_then(|report| report.state.as_ref()?.as_ref().ok()).map(|all| all.value);
    let states = context.operators_of(job).filter_map(|id| {
        let report = context.operator_report(id)?;
        Some((id, report.state.as_ref()?.as_ref().ok()?.value, report.entries.as_ref()?.as_ref().ok()?))
    });
    let most =
        states.filter(|(_, own, _)| own.is_finite() && *own > 0.0).max_by(|one, other| one.1.total_cmp(&other.1));
    let (Some((id, own, entries)), Some(whole)) = (most, whole.filter(|whole| whole.is_finite() && *whole > 0.0))
    else {
        return Vec::new();
    };
    // Of the part, own ÷ whole is this operator's; the rest stays.
    let left = 1.0 - (1.0 - budget / part) * whole / own;
    if left <= 0.0 {
        return Vec::new();
    }
    let title = context.title(id);
    let mut ways = Vec::new();
    if let Some(ttl) = of_lifetime(entries) {
        ways.push(format!(
            "a time-to-live of {} instead of {} in {title}",
            human::at_least(ttl * left),
            human::seconds(ttl)
        ));
    }
    if let Some(size) = context.get(id, key::operator::ENTRY_SIZE) {
        let bytes = size.bytes() as f64 * left;
        if bytes >= 1.0 {
            ways.push(format!("entries of {} instead of {} in {title}", human::bytes_at_least(bytes), size.spoken()));
        }
    }
    if context.get(id, key::operator::FUNCTION) == Some(AggregateFunction::List) {
        ways.push(format!("a running result in place of all records in {title}"));
    }
    ways
}

/// The time-to-live in seconds of entries that are as many as arrive within it.
fn of_lifetime(entries: &Explained) -> Option<f64> {
    let Origin::Formula { formula, inputs, .. } = &entries.origin else { return None };
    let [_, ttl] = &**inputs else { return None };
    (formula.id == "D2.ttl" && ttl.value.is_finite()).then_some(ttl.value)
}
