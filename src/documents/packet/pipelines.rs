//! `pipelines[]`: one entry a job, with every figure that is known of it.

use super::{
    facts::{figure, figure_or_null, setting},
    member, object, signed,
    streams::{delivery, state},
    text_or_null,
};
use crate::{
    analysis::{JobReport, SourceReport, explain::Derived},
    documents::desk::Desk,
    model::{ElementKind, Id, Json, Port, key},
    sorted::{self, SortedSet},
};

/// One entry a job: what triggers it, what makes a repeat harmless, what happens on a failure.
pub fn pipelines(desk: &Desk<'_>) -> Vec<Json> {
    let streamed = desk.downstream(&desk.elements(ElementKind::Channel));
    desk.elements(ElementKind::Job).into_iter().map(|id| pipeline(desk, id, &streamed)).collect()
}

/// What stands behind a stream is told there: `streamed`.
fn pipeline(desk: &Desk<'_>, id: &Id, streamed: &SortedSet<&Id>) -> Json {
    let report = desk.to_be.jobs.get(id);
    let steps: Vec<&Id> = desk.operators(id).into_iter().filter(|step| !streamed.contains(step)).collect();
    let below = desk.downstream(&steps);
    let consumers = desk.elements(ElementKind::Consumer).into_iter();
    let consumers: Vec<&Id> = consumers.filter(|id| below.contains(id) && !streamed.contains(id)).collect();
    let mut members = vec![
        member("kind", "streaming"),
        member("id", id.as_str()),
        member("name", desk.name(id)),
        member("engine", text_or_null(desk.design.system(id).map(|system| &**system))),
        member("trigger", setting(desk, id, key::job::TRIGGER_INTERVAL.field())),
        member("runs", "continuously"),
        member("source_logs", logs(desk, id)),
        member("idempotency_basis", writes(desk, id)),
        member("failure_handling", failures(desk, id, report)),
        member("capacity", object(figures(desk, report, &CAPACITY))),
        member("delivery", delivery(desk, &consumers)),
        member("state_store", state(desk, &steps)),
    ];
    if desk.design.system(id).is_some_and(|system| &**system == "spark") {
        members.push(member("batch_duration", setting(desk, id, key::job::BATCH_DURATION.field())));
    }
    signed(members)
}

/// How far back the sources that it takes from keep their own logs, where anything is known of that.
fn logs(desk: &Desk<'_>, id: &Id) -> Vec<Json> {
    let inputs = desk.operators(id).into_iter().flat_map(|operator| desk.into(operator));
    let mut sources: Vec<&Id> = inputs.map(|(_, ends)| &ends.from).collect();
    sorted::sort(&mut sources);
    sources.dedup();
    let known = sources.into_iter().filter_map(|id| Some((id, desk.to_be.sources.get(id)?)));
    let known = known.filter(|(_, report)| report.reach.is_ok() || report.longest.is_ok());
    let log = |(id, report): (&Id, &SourceReport)| {
        object(vec![
            member("source", desk.name(id)),
            member("goes_back_at_least", figure(desk, &report.reach)),
            member("goes_back_at_most", figure(desk, &report.longest)),
        ])
    };
    known.map(log).collect()
}

/// What each of its outputs makes of a repeat.
fn writes(desk: &Desk<'_>, id: &Id) -> Vec<Json> {
    let stores = |id| matches!(desk.design.kind(id), Some(ElementKind::Sink | ElementKind::Channel));
    let outputs = desk.operators(id).into_iter().flat_map(|operator| desk.out_of(operator));
    let written = outputs.filter(|(_, ends)| stores(&ends.to)).map(|(link, ends)| {
        let basis = desk.to_be.sinks.get(&ends.to).map(|report| report.write.as_str());
        object(vec![
            member("to", desk.name(&ends.to)),
            member("key", setting(desk, link, key::write::KEY.field())),
            member("output_commit", setting(desk, link, key::write::OUTPUT_COMMIT.field())),
            member("repeats", text_or_null(basis)),
        ])
    });
    written.collect()
}

/// A member of an entry: its name, and the figure of the job that it gives.
type Figure = (&'static str, fn(&JobReport) -> Option<&Derived>);

/// How long a job is away and what it does again, after a failure, an outage, a deploy and a rebalance.
const FAILURES: [Figure; 9] = [
    ("recovery", |job| Some(&job.recovery)),
    ("done_again", |job| job.rewind.as_ref()),
    ("catch_up_after_longest_outage", |job| Some(&job.catch_up)),
    ("longest_outage_without_loss", |job| job.outage_bound.as_ref()),
    ("transaction_timeout_at_least", |job| job.required_timeout.as_ref()),
    ("deploy_pause", |job| job.deploy_pause.as_ref()),
    ("standstill_of_a_rebalance", |job| job.rebalance.as_ref()),
    ("standstill_of_a_deploy", |job| job.deploy_standstill.as_ref()),
    ("standstill_of_a_crash", |job| job.crash_standstill.as_ref()),
];

/// What a job can do, how its keys share the work, what it holds, and what that leaves it.
const CAPACITY: [Figure; 17] = [
    ("reads", |job| Some(&job.input_rate)),
    ("load", |job| Some(&job.load)),
    ("instances_at_once", |job| Some(&job.parallelism_cap)),
    ("busiest_instance", |job| Some(&job.busiest_instance)),
    ("load_by_the_top_key", |job| Some(&job.key_load)),
    ("load_by_the_busiest_partition", |job| Some(&job.partition_load)),
    ("busiest_task_over_mean", |job| job.key_groups.as_ref()),
    ("backlog_worked_off_in", |job| job.drain.as_ref()),
    ("unread_records_deleted_in", |job| job.lost_in.as_ref()),
    ("fetched_of_an_instance", |job| job.fetched.as_ref()),
    ("between_two_polls", |job| job.poll.as_ref()),
    ("state", |job| job.state.as_ref()),
    ("state_of_an_instance", |job| job.state_of_instance.as_ref()),
    ("state_of_the_fullest_task", |job| job.state_of_task.as_ref()),
    ("memory_of_its_stores", |job| job.store_memory.as_ref()),
    ("checkpoint", |job| job.checkpoint.as_ref()),
    ("checkpoint_size", |job| job.checkpoint_size.as_ref()),
];

/// These figures of a job, null where it has none.
fn figures(desk: &Desk<'_>, report: Option<&JobReport>, all: &[Figure]) -> Vec<(String, Json)> {
    all.iter().map(|(name, get)| member(name, figure_or_null(desk, report.and_then(get)))).collect()
}

/// What a failure does to a job: how it is set up for one, and its figures.
fn failures(desk: &Desk<'_>, id: &Id, report: Option<&JobReport>) -> Json {
    use key::job as j;
    let outputs = desk.operators(id).into_iter().flat_map(|operator| desk.out_of(operator));
    let dead_letter = outputs.filter(|(_, ends)| ends.port == Some(Port::DeadLetter));
    let dead_letter: Vec<Json> = dead_letter.map(|(_, ends)| Json::text(desk.name(&ends.to))).collect();
    let mut members = vec![
        member("on_error", setting(desk, id, j::ON_ERROR.field())),
        member("dead_letter", dead_letter),
        member("processing_guarantee", setting(desk, id, j::PROCESSING_GUARANTEE.field())),
        member("checkpoint_interval", setting(desk, id, j::CHECKPOINT_INTERVAL.field())),
    ];
    members.extend(figures(desk, report, &FAILURES));
    object(members)
}
