//! `streams[]` and `reconciliations[]`: one entry a channel, a comparison.

use super::{
    facts::{figure, figure_or_null, setting},
    member, object, signed, text_or_null,
};
use crate::{
    analysis::{
        ComparisonReport, ReadReport, ReplayStart, Usable,
        delivery::verdict::{Hop, Weakest},
        explain::{Derived, Explained},
        order::OrderVerdict,
    },
    documents::{desk::Desk, order, stream_batch_reconciliation::COMPARED},
    model::{ElementKind, Field, Id, Json, Port, key, words::CleanupPolicy},
};
use std::sync::Arc;

fn fields(desk: &Desk<'_>, id: &Id, list: &[Field]) -> Json {
    object(list.iter().map(|field| member(field.name(), setting(desk, id, *field))).collect())
}

/// One entry a channel, in flow order.
pub fn streams(desk: &Desk<'_>) -> Vec<Json> {
    desk.elements(ElementKind::Channel).into_iter().map(|id| stream(desk, id)).collect()
}

fn stream(desk: &Desk<'_>, id: &Id) -> Json {
    let keys: Vec<Json> = desk
        .into(id)
        .into_iter()
        .map(|(link, ends)| {
            object(vec![
                member("written_by", desk.name(&ends.from)),
                member("key", setting(desk, link, key::write::KEY.field())),
                member("order", "per key within a partition of this topic, as far as the key is set"),
            ])
        })
        .collect();
    let readers: Vec<&Id> = desk.out_of(id).into_iter().map(|(_, link)| &link.to).collect();
    signed(vec![
        member("id", id.as_str()),
        member("topic", desk.design.title(id)),
        member("system", text_or_null(desk.design.system(id).map(|system| &**system))),
        member("lifecycle", desk.design.lifecycle(id).name()),
        member("partitions", setting(desk, id, key::channel::PARTITIONS.field())),
        member("key", keys),
        member("skew", skew(desk, id)),
        member("delivery", delivery(desk, &desk.consumers_below(id))),
        member("time_semantics", time(desk, id)),
        member("lateness_policy", lateness(desk, &readers)),
        member("state_store", state(desk, &same_job(desk, &readers))),
        member("consumer_lag", lag(desk, id)),
        member("retention", retention(desk, id)),
        member("replay_safety", replay_safety(desk, id)),
    ])
}

/// What consumers observe.
pub fn delivery(desk: &Desk<'_>, consumers: &[&Id]) -> Vec<Json> {
    let mut out = Vec::new();
    for consumer in consumers {
        let Some(report) = desk.to_be.consumers.get(consumer) else { continue };
        let verdict = &report.delivery;
        let from_sources =
            report.replay.iter().filter(|start| desk.design.kind(&start.from) != Some(ElementKind::Channel));
        let mut members = vec![member("consumer", desk.name(consumer))];
        if let Some(evidence) = desk.withheld_verdict(verdict) {
            members.push(member("state", desk.withheld_words(evidence)));
            out.push(object(members));
            continue;
        }
        let mechanisms: Vec<Json> = verdict
            .hops
            .iter()
            .map(|row| (row, row.mechanism()))
            .filter(|(_, mechanism)| !mechanism.is_empty())
            .map(|(row, mechanism)| object(vec![member("hop", desk.name(&row.at)), member("mechanism", mechanism)]))
            .collect();
        let weakest = |get: fn(&Weakest) -> &Option<Hop>| {
            let hop = verdict.weakest_claimed().and_then(|weakest| get(weakest).as_ref());
            hop.map_or(Json::Null, |hop| Json::text(desk.name(&hop.at)))
        };
        members.extend([
            member("label", crate::documents::say::capital(label(verdict.label))),
            member("sentence", verdict.sentence.as_str()),
            member("copies", verdict.badge.text()),
            member("mechanisms", mechanisms),
            member("weakest_for_loss", weakest(|of| &of.loss)),
            member("weakest_for_duplicates", weakest(|of| &of.duplicate_origin)),
            member("consumer_must", verdict.consumer_must.words()),
            member("scope", verdict.scope.as_str()),
            member("order", order::sentence(&|id| desk.name(id), &report.order)),
            member("order_ends_at", order_ends(desk, &report.order)),
            member("basis", text_or_null(verdict.basis.map(crate::model::Basis::word))),
            member("latency", figure(desk, &report.latency)),
            member("latency_complete", Json::Bool(report.latency_open.is_empty())),
            member("lag_room", figure_or_null(desk, report.lag_room.as_ref())),
            member("window_complete_after", figure_or_null(desk, report.complete.as_ref().map(|(after, _)| after))),
            member(
                "replays_without_a_stream",
                from_sources.map(|start| replay(desk, consumer, start)).collect::<Vec<_>>(),
            ),
        ]);
        out.push(object(members));
    }
    out
}

/// The hops that end or narrow the order of what a consumer reads.
fn order_ends(desk: &Desk<'_>, order: &OrderVerdict) -> Vec<Json> {
    let ends = order.inputs.iter().flat_map(|input| &input.breakers).filter(|breaker| !breaker.past);
    ends.map(|breaker| {
        object(vec![
            member("hop", desk.name(&breaker.at)),
            member("how", breaker.words()),
            member("mended_by", breaker.mend()),
        ])
    })
    .collect()
}

/// What the keys of a stream do to its partitions.
fn skew(desk: &Desk<'_>, id: &Id) -> Json {
    let Some(report) = desk.to_be.channels.get(id) else { return Json::Null };
    let skew = &report.skew;
    object(vec![
        member("effective_parallelism", figure(desk, &skew.effective)),
        member("fullest_over_mean", figure(desk, &skew.over_mean)),
        member("fullest_partition_rate", figure(desk, &skew.hot_rate)),
        member("busiest_share", figure(desk, &report.busiest)),
        member("partitions_with_a_key", figure(desk, &skew.used)),
    ])
}

/// A label in words that claim no more than it does.
const fn label(label: crate::analysis::delivery::verdict::Label) -> &'static str {
    use crate::analysis::delivery::verdict::Label as L;
    match label {
        L::NoClaim => "no claim",
        L::BestEffort => "may be lost and may repeat",
        L::AtMostOnce => "at most once",
        L::AtLeastOnce => "at least once",
        L::SuppressedWithin => "at least once, repeats suppressed within a horizon",
        L::EffectivelyOnce => "once, by the mechanisms named",
        L::ExactlyOnceScoped => "once, between the points named as scope",
    }
}

fn time(desk: &Desk<'_>, id: &Id) -> Json {
    use key::event as e;
    let events: Vec<Json> = desk
        .events_at(id)
        .into_iter()
        .map(|event| {
            object(vec![
                member("event", desk.name(event)),
                member(
                    "timestamp",
                    fields(
                        desk,
                        event,
                        &[e::TIMESTAMP_FIELD.field(), e::TIMESTAMP_SET_BY.field(), e::TIMESTAMP_TRUST.field()],
                    ),
                ),
            ])
        })
        .collect();
    object(vec![
        member("events", events),
        member("timestamp_type", setting(desk, id, key::channel::TIMESTAMP_TYPE.field())),
    ])
}

/// Windows in the jobs that read this stream.
fn lateness(desk: &Desk<'_>, readers: &[&Id]) -> Vec<Json> {
    use key::operator as o;
    let near = same_job(desk, readers);
    desk.windows()
        .iter()
        .copied()
        .filter(|id| near.contains(id))
        .map(|id| {
            let late = desk.beyond(id, Port::Late).iter().map(|to| Json::text(desk.name(to))).collect::<Vec<_>>();
            let measured = desk.nearest(id, "lateness").map_or_else(
                || object(vec![member("value", Json::Null), member("state", "not measured")]),
                |(at, field)| setting(desk, at, field),
            );
            object(vec![
                member("step", desk.name(id)),
                member("clock", setting(desk, id, o::CLOCK.field())),
                member("watermark_delay", setting(desk, id, o::WATERMARK_DELAY.field())),
                member("allowed_lateness", setting(desk, id, o::ALLOWED_LATENESS.field())),
                member("measured_lateness", measured),
                member("later_records_go_to", late),
            ])
        })
        .collect()
}

/// The stateful ones of these steps.
pub fn state(desk: &Desk<'_>, steps: &[&Id]) -> Vec<Json> {
    steps
        .iter()
        .filter_map(|id| {
            let report = desk.to_be.operators.get(id)?;
            let size = report.state.as_ref()?;
            let bounded = size.as_ref().ok().map(|explained| !explained.unbounded());
            Some(object(vec![
                member("step", desk.name(id)),
                member("size", figure(desk, size)),
                member("entries", figure_or_null(desk, report.entries.as_ref())),
                member("bounded", bounded.map_or(Json::Null, Json::Bool)),
                member("time_to_live", setting(desk, id, key::operator::STATE_TTL.field())),
                member("growth", figure_or_null(desk, report.growth.as_ref())),
                member("budget_full_in", figure_or_null(desk, report.full_in.as_ref())),
            ]))
        })
        .collect()
}

/// The operators that a record of this stream passes before its jobs write it on, in flow order.
fn same_job<'a>(desk: &Desk<'a>, readers: &[&'a Id]) -> Vec<&'a Id> {
    let jobs: Vec<&Id> = readers.iter().filter_map(|reader| desk.design.job_of(reader)).collect();
    let below = desk.downstream(readers);
    desk.elements(ElementKind::Operator)
        .into_iter()
        .filter(|id| readers.contains(id) || below.contains(id))
        .filter(|id| desk.design.job_of(id).is_some_and(|job| jobs.contains(&job)))
        .collect()
}

fn lag(desk: &Desk<'_>, id: &Id) -> Vec<Json> {
    desk.out_of(id)
        .into_iter()
        .map(|(link, ends)| {
            let job = desk.design.job_of(&ends.to);
            let report = job.and_then(|job| desk.to_be.jobs.get(job));
            let reads = desk.to_be.reads.get(link);
            let read = |of: fn(&ReadReport) -> Option<Derived>| figure_or_null(desk, reads.and_then(of).as_ref());
            let target = job.map_or(Json::Null, |job| setting(desk, job, key::job::LAG_TARGET.field()));
            object(vec![
                member("reader", desk.name(job.unwrap_or(&ends.to))),
                member("group", setting(desk, link, key::read::GROUP.field())),
                member("lag", setting(desk, link, key::read::LAG.field())),
                member("lag_time", setting(desk, link, key::read::LAG_TIME.field())),
                member("target", target),
                member("behind", read(|read| Some(read.behind.clone()))),
                member("behind_time", read(|read| Some(read.behind_time.clone()))),
                member("readable_now", read(|read| read.readable.clone().map(Ok))),
                member("held_by_open_transactions", read(|read| read.held.clone().map(Ok))),
                member("lag_of_commit_markers", read(|read| read.markers.clone())),
                member("unread_records_deleted_in", figure_or_null(desk, report.and_then(|job| job.lost_in.as_ref()))),
            ])
        })
        .collect()
}

fn retention(desk: &Desk<'_>, id: &Id) -> Json {
    use key::channel as c;
    let mut members = vec![
        member("cleanup_policy", setting(desk, id, c::CLEANUP_POLICY.field())),
        member("retention_time", setting(desk, id, c::RETENTION_TIME.field())),
        member("retention_size", setting(desk, id, c::RETENTION_SIZE.field())),
    ];
    if let Some(report) = desk.to_be.channels.get(id) {
        members.push(member("reach_at_least", figure(desk, &report.reach)));
        members.push(member("kept_from_the_append_at_least", figure(desk, &report.since_append)));
        members.push(member("kept_from_the_append_by_deletion", figure(desk, &report.deletion)));
        members.push(member("reach_typical", figure(desk, &report.typical)));
        members.push(member("reach_at_most", figure(desk, &report.longest)));
        members.push(member("erased_within", figure(desk, &report.erased)));
        members.push(member("on_disk_at_most", figure_or_null(desk, report.on_disk.as_ref())));
        members.push(member("partitions_needed", figure_or_null(desk, report.needed.as_ref())));
    }
    object(members)
}

/// Can what stands behind this stream be made again from it? Unknown, unsafe, conditional or safe, with the reasons.
fn replay_safety(desk: &Desk<'_>, id: &Id) -> Json {
    let below = desk.downstream(&[id]);
    let (mut unknown, mut against, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
    match desk.to_be.channels.get(id).map(|report| &report.reach) {
        Some(Ok(_)) => {}
        _ => unknown.push("the reach is not derivable".to_owned()),
    }
    let policy = desk.fact(id, key::channel::CLEANUP_POLICY).map(|fact| fact.value);
    if policy.is_some_and(|policy| policy != CleanupPolicy::Delete) {
        against.push("compaction removes the versions between".to_owned());
    }
    for sink in desk.elements(ElementKind::Sink).into_iter().filter(|sink| below.contains(sink)) {
        let name = desk.name(sink);
        match desk.fact(sink, key::sink::REBUILD).map(|fact| fact.value.as_str()) {
            Some("overwrite" | "shadow") => {}
            Some("append_only") => against.push(format!("{name} would hold rows twice")),
            Some("irreversible") => against.push(format!("{name} cannot take back what it did")),
            _ => unknown.push(format!("how {name} is rebuilt is not read")),
        }
    }
    let stateful = |id: &&Id| desk.to_be.operators.get(id).is_some_and(|report| report.state.is_some());
    for step in desk.elements(ElementKind::Operator).into_iter().filter(|id| below.contains(id)).filter(stateful) {
        conditions.push(format!("state of {} is reset, or a shadow target is used", desk.name(step)));
    }
    let class = match (against.is_empty(), unknown.is_empty(), conditions.is_empty()) {
        (false, ..) => "unsafe",
        (true, false, _) => "unknown",
        (true, true, false) => "conditional",
        (true, true, true) => "safe",
    };
    let reasons: Vec<Json> = against.into_iter().chain(unknown).chain(conditions).map(Json::text).collect();
    object(vec![member("class", class), member("reasons", reasons), member("replays", replays(desk, id))])
}

/// How far back, and in which time, the results of the consumers below a stream can be made again from it.
fn replays(desk: &Desk<'_>, id: &Id) -> Vec<Json> {
    let below = desk.consumers_below(id).into_iter();
    let starts = below.filter_map(|consumer| {
        let start = desk.to_be.consumers.get(consumer)?.replay.iter().find(|start| start.from == *id)?;
        Some(replay(desk, consumer, start))
    });
    starts.collect()
}

/// A place from which the results of a consumer can be made again.
fn replay(desk: &Desk<'_>, consumer: &Id, start: &ReplayStart) -> Json {
    object(vec![
        member("consumer", desk.name(consumer)),
        member("from", desk.name(&start.from)),
        member("way", if start.recompute { "recomputed" } else { "refilled" }),
        member("needed", setting(desk, consumer, key::consumer::REPLAY_NEEDED.field())),
        member("reach", figure(desk, &start.reach)),
        member("reach_with_full_deduplication", figure_or_null(desk, start.after_deduplication.as_ref())),
        member("duration", figure_or_null(desk, start.duration.as_ref())),
        member("start_within", figure_or_null(desk, start.start_within.as_ref())),
        member("takes_the_place_of_old_results", usable(desk, &start.usable)),
        member("remarks", start.remarks.iter().map(|remark| Json::text(&**remark)).collect::<Vec<_>>()),
    ])
}

/// Whether results that are made again take the place of those that were there, and why not.
fn usable(desk: &Desk<'_>, usable: &Usable) -> Json {
    let (state, why) = match usable {
        Usable::Yes => ("yes", None),
        Usable::KeysVary(_) | Usable::Stays(_) => ("no", usable.why_not(|id| desk.name(id).into())),
        Usable::NotKnown(missing) => {
            let setting = missing.words();
            ("not known", Some([&*desk.name(&missing.subject), ": ", &setting].concat()))
        }
    };
    object(vec![member("state", state), member("why", text_or_null(why.as_deref()))])
}

/// One entry a comparison; not reconciled until a run says otherwise.
pub fn reconciliations(desk: &Desk<'_>) -> Vec<Json> {
    use key::reconcile as r;
    desk.reconciliations()
        .into_iter()
        .map(|(id, link)| {
            let result = desk.fact(id, r::RESULT).map_or("not_reconciled", |fact| fact.value.as_str());
            let compared = desk.to_be.comparisons.get(id);
            let share = |of: fn(&ComparisonReport) -> Option<&Arc<Explained>>| -> Option<Derived> {
                compared.and_then(of).cloned().map(Ok)
            };
            signed(vec![
                member("id", id.as_str()),
                member("stream", desk.name(&link.from)),
                member("batch", desk.name(&link.to)),
                member("definition", fields(desk, id, COMPARED)),
                member("result", result.replace('_', " ")),
                member("safe_after", figure_or_null(desk, compared.map(|report| &report.safe))),
                member("may_be_below_by", figure_or_null(desk, share(|report| report.below.as_ref()).as_ref())),
                member("may_be_above_by", figure_or_null(desk, share(|report| report.above.as_ref()).as_ref())),
                member("rows_apart", figure_or_null(desk, share(|report| report.rows_apart.as_ref()).as_ref())),
                member("keys_apart", figure_or_null(desk, share(|report| report.keys_apart.as_ref()).as_ref())),
            ])
        })
        .collect()
}
