//! `pipelines[]`: one entry a job, with every figure that is known of it.

use super::{
    facts::{figure_or_null, setting},
    member, object, signed,
    streams::{delivery, state},
    text_or_null,
};
use crate::{
    analysis::{JobReport, explain::Derived},
    documents::desk::Desk,
    model::{ElementKind, Id, Json, Port, key},
    sorted::SortedSet,
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
    signed(vec![
        member("kind", "streaming"),
        member("id", id.as_str()),
        member("name", desk.name(id)),
        member("engine", text_or_null(desk.design.system(id).map(|system| &**system))),
        member("trigger", setting(desk, id, key::job::TRIGGER_INTERVAL.field())),
        member("runs", "continuously"),
        member("idempotency_basis", writes(desk, id)),
        member("failure_handling", failures(desk, id, report)),
        member("capacity", capacity(desk, report)),
        member("delivery", delivery(desk, &consumers)),
        member("state_store", state(desk, &steps)),
    ])
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

/// A figure of a job, as far as it has one.
fn of(desk: &Desk<'_>, report: Option<&JobReport>, get: fn(&JobReport) -> Option<&Derived>) -> Json {
    figure_or_null(desk, report.and_then(get))
}

/// What a failure, an outage, a deploy and a rebalance do to a job.
fn failures(desk: &Desk<'_>, id: &Id, report: Option<&JobReport>) -> Json {
    use key::job as j;
    let outputs = desk.operators(id).into_iter().flat_map(|operator| desk.out_of(operator));
    let dead_letter = outputs.filter(|(_, ends)| ends.port == Some(Port::DeadLetter));
    let dead_letter: Vec<Json> = dead_letter.map(|(_, ends)| Json::text(desk.name(&ends.to))).collect();
    let of = |get| of(desk, report, get);
    object(vec![
        member("on_error", setting(desk, id, j::ON_ERROR.field())),
        member("dead_letter", dead_letter),
        member("processing_guarantee", setting(desk, id, j::PROCESSING_GUARANTEE.field())),
        member("checkpoint_interval", setting(desk, id, j::CHECKPOINT_INTERVAL.field())),
        member("recovery", of(|job| Some(&job.recovery))),
        member("done_again", of(|job| job.rewind.as_ref())),
        member("catch_up_after_longest_outage", of(|job| Some(&job.catch_up))),
        member("longest_outage_without_loss", of(|job| job.outage_bound.as_ref())),
        member("transaction_timeout_at_least", of(|job| job.required_timeout.as_ref())),
        member("deploy_pause", of(|job| job.deploy_pause.as_ref())),
        member("standstill_of_a_rebalance", of(|job| job.rebalance.as_ref())),
        member("standstill_of_a_deploy", of(|job| job.deploy_standstill.as_ref())),
        member("standstill_of_a_crash", of(|job| job.crash_standstill.as_ref())),
    ])
}

/// What a job can do, how its keys share the work, what it holds, and what that leaves it.
fn capacity(desk: &Desk<'_>, report: Option<&JobReport>) -> Json {
    let of = |get| of(desk, report, get);
    object(vec![
        member("reads", of(|job| Some(&job.input_rate))),
        member("load", of(|job| Some(&job.load))),
        member("instances_at_once", of(|job| Some(&job.parallelism_cap))),
        member("busiest_instance", of(|job| Some(&job.busiest_instance))),
        member("load_by_the_top_key", of(|job| Some(&job.key_load))),
        member("load_by_the_busiest_partition", of(|job| Some(&job.partition_load))),
        member("busiest_task_over_mean", of(|job| job.key_groups.as_ref())),
        member("backlog_worked_off_in", of(|job| job.drain.as_ref())),
        member("unread_records_deleted_in", of(|job| job.lost_in.as_ref())),
        member("fetched_of_an_instance", of(|job| job.fetched.as_ref())),
        member("between_two_polls", of(|job| job.poll.as_ref())),
        member("state", of(|job| job.state.as_ref())),
        member("state_of_an_instance", of(|job| job.state_of_instance.as_ref())),
        member("state_of_the_fullest_task", of(|job| job.state_of_task.as_ref())),
        member("memory_of_its_stores", of(|job| job.store_memory.as_ref())),
        member("checkpoint", of(|job| job.checkpoint.as_ref())),
        member("checkpoint_size", of(|job| job.checkpoint_size.as_ref())),
    ])
}
