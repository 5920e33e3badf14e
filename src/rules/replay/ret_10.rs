use crate::{
    model::{ActionKind, ChannelRole, Element, ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A replay starts at a channel that belongs to the inside of a job.
    ///
    /// # Why
    /// A changelog or repartition topic is state and not history: the job compacts it, deletes what it has processed from it, and
    /// names and cuts it anew with the next change of the topology.
    ///
    /// # Example
    /// Kafka Streams deletes the records of a repartition topic once they are committed: a replay from there starts at nothing.
    ///
    /// # What to do
    /// Start at the channel that feeds the job, or keep a channel for it.
    RET_10 "RET-10" Error "A replay from the inside of a job"
    why "such a channel keeps what the job needs to go on, not what a replay needs"
    sources ["Apache Kafka documentation, Kafka Streams Developer Guide: Manage Kafka Streams Application Topics", "KIP-204: Adding records deletion operation to the new Admin Client API"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let internal: Vec<&Id> = context.elements(ElementKind::Channel).filter(|(id, subject)| is_internal(id, subject)).map(|(id, _)| id).collect();
    if internal.is_empty() {
        return Vec::new();
    }
    let remedy = "start at the channel that feeds the job";
    let steps = context.design.records.actions.values().filter(|action| matches!(action.kind, ActionKind::Replay | ActionKind::Backfill));
    let planned = steps.flat_map(|action| &action.about).filter_map(|about| internal.iter().find(|id| **id == about)).map(|id| {
        rule.finding(&[id], format!("a replay is planned from {}, which belongs to the inside of a job", context.title(id)), remedy)
    });
    let relied = context.elements(ElementKind::Consumer).filter_map(|(id, _)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED)?.secs();
        let starts = &context.consumer_report(id)?.replay;
        let far = || starts.iter().filter(|start| start.recompute && !start.usable.barred() && start.reach.as_ref().is_ok_and(|reach| reach.value >= needed));
        let first = &far().next()?.from;
        far().all(|start| internal.contains(&&start.from)).then(|| {
            let message = format!("{} can only be made again from {}, which belongs to the inside of a job", context.title(id), context.title(first));
            rule.finding(&[first, id], message, remedy)
        })
    });
    planned.chain(relied).collect()
}

/// The state of a job, or a topic that Kafka Streams makes for itself.
fn is_internal(id: &Id, subject: &Subject) -> bool {
    let name = subject.name.as_deref().unwrap_or(id.as_str());
    matches!(subject.element(), Some(Element::Channel { role: Some(ChannelRole::JobState) }))
        || name.ends_with("-repartition")
        || name.ends_with("-changelog")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const REPLAY: (&str, &str) = ("actions", r#"{"r1":{"kind":"replay","about":["totals"]}}"#);

    #[test]
    fn a_replay_from_the_inside_is_found() {
        let name = ("elements/totals/name", "\"sum-store-repartition\"");
        assert_eq!(fires("RET-10", &[REPLAY, name]).message, "a replay is planned from sum-store-repartition, which belongs to the inside of a job");
        fires("RET-10", &[REPLAY, ("elements/totals/role", "\"job_state\"")]);
        silent("RET-10", &[REPLAY]);
        silent("RET-10", &[name]);
    }

    #[test]
    fn a_rebuild_that_only_the_inside_gives_is_found() {
        let name = ("elements/orders/name", "\"orders-repartition\"");
        let message = fires("RET-10", &[name]).message;
        assert_eq!(message, "board can only be made again from orders-repartition, which belongs to the inside of a job");
        silent("RET-10", &[name, ("elements/board/proposed/replay_needed", "null")]);
        // What comes out beside the old rows is no way to make them again.
        silent("RET-10", &[name, ("elements/table/proposed/rebuild", "\"append_only\"")]);
        silent("RET-10", &[name, ("elements/dedup/proposed/determinism", "\"key_varies\"")]);
    }
}
