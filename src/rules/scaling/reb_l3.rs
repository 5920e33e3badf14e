use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule, time::told},
};
use std::cell::LazyCell;

rule! {
    /// Kafka Connect waits longer for a lost worker than its consumer can wait for data.
    ///
    /// # Why
    /// The tasks of a worker that has gone stay without an owner for `scheduled.rebalance.max.delay.ms`, in the hope that it comes back.
    /// Five minutes are the default.
    ///
    /// # Example
    /// A worker is replaced by the cluster; its tables stand still for five minutes, and the board promises one.
    ///
    /// # What to do
    /// A shorter delay, above what a restart takes.
    REB_L3 "REB-L3" Warning "Tasks of a lost worker wait too long"
    why "what these tasks load stands still while Connect waits"
    sources ["KIP-415: Incremental Cooperative Rebalancing in Kafka Connect", "Apache Kafka documentation, Connect Configs: scheduled.rebalance.max.delay.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let needed = LazyCell::new(|| told::latency_needed(context));
    let one = |(id, subject): (&Id, &Subject)| {
        let delay = context.get(subject.cluster.as_ref()?, key::cluster::REBALANCE_DELAY)?;
        let (needed, consumer) = context.operators_of(id).filter_map(|operator| needed.get(operator)).min()?;
        (delay > *needed).then(|| {
            let message = format!(
                "tasks of {} wait {} for a lost worker, {} needs data within {}",
                context.title(id),
                delay.spoken(),
                context.title(consumer),
                needed.spoken()
            );
            rule.finding(&[id, consumer], message, "a shorter scheduled.rebalance.max.delay.ms, above what a restart takes")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_delay_above_the_requirement_is_found() {
        let delay = ("clusters/connect/proposed/rebalance_delay", "\"5min\"");
        let minute = ("elements/board/proposed/latency_requirement", "\"1min\"");
        assert_eq!(fires("REB-L3", &[delay, minute]).message, "tasks of loader wait 5 min for a lost worker, board needs data within 60 s");
        silent("REB-L3", &[delay]);
        silent("REB-L3", &[minute]);
    }
}
