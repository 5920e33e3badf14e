//! The six steps of a replay in their order, filled with the names of this design.
//!
//! The order is fixed: a replay into live state adds the same events twice, and the figures reach readers before anybody
//! looks.

use super::{
    blocks::{Inline, Span, join, line},
    desk::Desk,
    say,
    writer::Writer,
};
use crate::{
    analysis::{explain::Explained, made_by},
    model::{Action, ActionKind, ElementKind, Id, StateHandling, key},
    rules::procedure::{Need, Standing, Step},
};
use std::sync::Arc;

/// What a replay of one job touches.
struct Plan<'a> {
    job: &'a Id,
    channels: Vec<&'a Id>,
    stateful: Vec<&'a Id>,
    jobs: Vec<&'a Id>,
    sinks: Vec<&'a Id>,
    consumers: Vec<&'a Id>,
    batches: Vec<&'a Id>,
    action: Option<(&'a Id, &'a Action)>,
}

/// Writes a procedure for every job that reads a channel.
pub fn write(w: &mut Writer<'_>) {
    w.heading(2, "How a replay is done");
    let plans: Vec<Plan<'_>> =
        w.desk.elements(ElementKind::Job).into_iter().filter_map(|job| plan(w.desk, job)).collect();
    if plans.is_empty() {
        w.say("No job reads a channel, so there is nothing to replay.");
        return;
    }
    w.say("The steps are taken in this order. A step is not begun before the one above it is done and recorded.");
    for plan in &plans {
        procedure(w, plan);
    }
}

fn plan<'a>(desk: &Desk<'a>, job: &'a Id) -> Option<Plan<'a>> {
    let operators = desk.operators(job);
    let mut channels: Vec<&'a Id> = operators
        .iter()
        .flat_map(|operator| desk.into(operator))
        .map(|(_, link)| &link.from)
        .filter(|from| desk.design.kind(from) == Some(ElementKind::Channel))
        .collect();
    channels.dedup();
    if channels.is_empty() {
        return None;
    }
    let below = desk.downstream(&operators);
    let of = |kind| desk.elements(kind).into_iter().filter(|id| below.contains(id)).collect::<Vec<_>>();
    let mut jobs: Vec<&'a Id> = vec![job];
    jobs.extend(of(ElementKind::Operator).into_iter().filter_map(|operator| desk.design.job_of(operator)));
    let mut seen = crate::sorted::SortedSet::new();
    jobs.retain(|job| seen.insert((*job).clone()));
    let stateful = desk
        .elements(ElementKind::Operator)
        .into_iter()
        .filter(|id| operators.contains(id) || below.contains(id))
        .filter(|id| desk.to_be.operators.get(id).is_some_and(|report| report.state.is_some()))
        .collect();
    let action = desk.design.records.actions.iter().find(|(_, action)| {
        action.kind == ActionKind::Replay && action.about.iter().any(|id| id == job || channels.contains(&id))
    });
    Some(Plan {
        job,
        channels,
        stateful,
        jobs,
        sinks: of(ElementKind::Sink),
        consumers: of(ElementKind::Consumer),
        batches: of(ElementKind::Batch),
        action,
    })
}

fn procedure(w: &mut Writer<'_>, plan: &Plan<'_>) {
    let (job, channels) = (w.name(plan.job), w.names(plan.channels.iter().copied()));
    w.heading(3, line!["Replay of ", channels, " through ", job]);
    if let Some((id, action)) = plan.action {
        let about = match (&action.from, &action.to) {
            (Some(from), Some(to)) => format!(", from {from} to {to}"),
            (Some(from), None) => format!(", from {from} on"),
            _ => String::new(),
        };
        let reason =
            action.reason.as_deref().map(|reason| format!(" Reason: {}", say::ended(reason))).unwrap_or_default();
        w.say(line!["Planned as ", Span::Code(id.to_string()), about, ".", reason]);
    } else {
        w.say("No replay is planned in this design. The steps say what one would take; what is not decided or stated below is settled with its plan.");
    }
    let procedures = &w.desk.to_be.procedures;
    let procedure = plan.action.and_then(|(id, _)| procedures.iter().find(|procedure| procedure.action == *id));
    let steps =
        vec![reach(w, plan), approvals(w, plan), hold(w, plan), state(w, plan), bounded(w, plan), complete(w, plan)];
    let steps = steps
        .into_iter()
        .enumerate()
        .map(|(i, step)| match procedure {
            Some(procedure) => line![step, stands(procedure.standing(Step::ALL[i]))],
            None => step,
        })
        .collect();
    w.steps(steps);
    effect(w, plan);
}

/// Where a step stands, behind what it is.
fn stands(standing: &Standing) -> Inline {
    let lacks = |needs: &[Need]| needs.iter().map(|need| need.what.as_str()).collect::<Vec<_>>().join("; ");
    match standing {
        Standing::Done(record) => line![" Done: ", say::ended(record)],
        Standing::Open => " It is its turn, and everything that it needs is there.".into(),
        Standing::Lacks(needs) => {
            line![Span::Strong(" Not to be done yet".into()), format!(": it lacks {}.", lacks(needs))]
        }
        Standing::Waits(before) => format!(" It waits for step {}.", before.number()).into(),
        Standing::OutOfTurn { before: Some(before), .. } => line![
            Span::Strong(" Recorded out of turn".into()),
            format!(": step {} is not done, so this one does not count.", before.number())
        ],
        Standing::OutOfTurn { before: None, needs } => {
            line![Span::Strong(" Recorded, and does not count".into()), format!(": it lacks {}.", lacks(needs))]
        }
    }
}

fn reach(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let mut each = Vec::new();
    for channel in &plan.channels {
        let name = w.name(channel);
        let reach = match w.desk.to_be.channels.get(channel).map(|report| &report.reach) {
            Some(Ok(every)) if every.made_by(&made_by::EVERY_VERSION) => kept_of_keys(w, channel, every),
            Some(reach @ Ok(_)) => line![" reaches back ", w.figure(reach), " by its retention"],
            Some(reach) => line![": the reach is ", w.figure(reach)],
            None => Inline::default(),
        };
        let check = crate::catalog::command(w.desk.design, channel, key::channel::START_OFFSET.field());
        let check =
            check.map_or_else(Inline::default, |command| line!["; check the log start with ", Span::Code(command)]);
        each.push(line![name, reach, check]);
    }
    line![
        Span::Strong("Confirm the reach.".into()),
        " ",
        join(each, "; "),
        ". Go on only if the log start is at or before the offset that the replay needs."
    ]
}

/// What a compacted log keeps: no time says it.
fn kept_of_keys(w: &mut Writer<'_>, channel: &Id, every: &Arc<Explained>) -> Inline {
    let (versions, deletions) = (w.explained(every), w.setting(channel, key::channel::TOMBSTONE_RETENTION));
    line![
        " keeps the newest record of each key, every version for at least ",
        versions,
        ", and deletions for ",
        deletions,
        ": beyond the first of these it gives the state, not the history"
    ]
}

fn approvals(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let mut each = Vec::new();
    for consumer in &plan.consumers {
        let owner = w.desk.design.elements.get(*consumer).and_then(|subject| subject.owner.clone());
        let name = w.name(consumer);
        let approval = plan.action.and_then(|(action, _)| {
            w.desk
                .design
                .records
                .approvals
                .values()
                .find(|approval| *approval.for_ == *action.as_str() && approval.of.as_ref() == Some(*consumer))
        });
        let state = match (&owner, approval) {
            (_, Some(approval)) => Inline::from(format!("approved by {}, {}", approval.by, approval.at)),
            (Some(owner), None) => format!("{owner}, not approved yet").into(),
            (None, None) => line!["owner ", w.owner(consumer)],
        };
        each.push(line![name, ": ", state]);
    }
    let who = if each.is_empty() { "nobody reads what this job writes".into() } else { join(each, "; ") };
    line![
        Span::Strong("Get the approvals.".into()),
        " By name and date, from the owner of every product, metric and report that the replay restates: ",
        who,
        "."
    ]
}

fn hold(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let jobs = w.names(plan.jobs.iter().copied());
    let held: Vec<&Id> = match plan.action {
        Some((_, action)) if !action.holds.is_empty() => action.holds.iter().collect(),
        _ => plan.sinks.iter().chain(&plan.batches).chain(&plan.consumers).copied().collect(),
    };
    let held = w.names(held);
    line![
        Span::Strong("Stop and hold.".into()),
        " Stop ",
        jobs,
        ". Hold ",
        held,
        ", with every export and reverse sync that reads them, so that nothing half done is read or published."
    ]
}

fn state(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let head = Span::Strong("Decide what happens to state, and do it.".into());
    if plan.stateful.is_empty() {
        return line![head, " No step on this way keeps state, so there is none to reset."];
    }
    let names = w.names(plan.stateful.iter().copied());
    let chosen = match plan.action.and_then(|(_, action)| action.state_handling) {
        Some(StateHandling::Reset) => "Chosen: reset it before anything is read again".into(),
        Some(StateHandling::Shadow) => "Chosen: replay into a shadow target and swap".into(),
        Some(StateHandling::Keep) => {
            line![Span::Strong(
                "Chosen: keep it. That adds the same events twice; reset it or use a shadow target".into()
            )]
        }
        None => match plan.action {
            Some(_) => {
                w.gap_at(plan.job, "state handling for a replay", "through", "not decided");
                Span::Absent("Not decided".into()).into()
            }
            None => "Which of the two is decided with the plan".into(),
        },
    };
    line![
        head,
        " State is kept by ",
        names,
        ". Reset it, or replay into a shadow target: replaying into live state adds the same events twice. ",
        chosen,
        "."
    ]
}

fn bounded(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let action = plan.action.map(|(_, action)| action);
    let range = match action.and_then(|action| action.first_range.as_deref()) {
        Some(range) => Inline::from(range),
        None if plan.action.is_some() => w.absent(plan.job, "first range of a replay", "through", "not stated"),
        None => WITH_PLAN.into(),
    };
    let total = match action.and_then(|action| action.control_total.as_deref()) {
        Some(total) => Inline::from(total),
        None => control_total(w, plan),
    };
    line![
        Span::Strong("Replay a bounded range first.".into()),
        " Range: ",
        range,
        ". Compare it with the control total that was captured before the replay: ",
        total,
        "."
    ]
}

/// The control total of a comparison that one of the sinks takes part in.
fn control_total(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    for (id, link) in w.desk.reconciliations() {
        if (plan.sinks.contains(&&link.from) || plan.sinks.contains(&&link.to))
            && w.desk.fact(id, key::reconcile::CONTROL_TOTAL).is_some()
        {
            return w.setting(id, key::reconcile::CONTROL_TOTAL);
        }
    }
    if plan.action.is_none() {
        return WITH_PLAN.into();
    }
    w.absent(plan.job, "control total for a replay", "through", "not captured")
}

/// What stands for something that is settled when a replay is planned.
const WITH_PLAN: &str = "settled with the plan";

fn complete(w: &mut Writer<'_>, plan: &Plan<'_>) -> Inline {
    let consumers = w.names(plan.consumers.iter().copied());
    line![
        Span::Strong("Complete, compare, release, record.".into()),
        " Compare the whole range, then release what step 3 holds. Record the offsets processed, the variance measured, and that these were told: ",
        consumers,
        "."
    ]
}

fn effect(w: &mut Writer<'_>, plan: &Plan<'_>) {
    let rows: Vec<Vec<Inline>> = plan
        .sinks
        .iter()
        .map(|sink| {
            let write = w.desk.to_be.sinks.get(sink).map_or("not derivable", |report| report.write.as_str());
            let rebuild = w.desk.fact(sink, key::sink::REBUILD).map(|fact| fact.value.as_str());
            let effect = match rebuild {
                Some("overwrite") if plan.stateful.is_empty() => "rows are restated in place",
                Some("overwrite") => "rows are restated in place, once state is reset; with live state the totals are wrong although the key is right",
                Some("shadow") => "rows are built beside the live ones and swapped",
                Some("append_only") => "rows are added again unless the range is removed first",
                Some("irreversible") => "every call is made again; it cannot be taken back",
                _ => "not known",
            };
            vec![w.name(sink), write.into(), w.setting(sink, key::sink::REBUILD), effect.into()]
        })
        .collect();
    if !rows.is_empty() {
        w.say("What the replay does to what stands behind it:");
        w.table(&["Sink", "How it takes repeats", "Rebuild", "Effect"], rows);
    }
}
