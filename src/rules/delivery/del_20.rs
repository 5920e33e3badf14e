use crate::{
    model::{ElementKind, Step, key, words::{ProcessingGuarantee, StateIn}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A job keeps state, or must not lose, and takes no checkpoints.
    ///
    /// # Why
    /// Without checkpoints a restart forgets all state and goes on from wherever the group's commits or the start setting
    /// say: totals come out too low, de-duplication forgets, records in flight are gone. It is Flink's default.
    ///
    /// # Example
    /// A windowed sum without `execution.checkpointing.interval`: after a restart the open window starts again at zero.
    ///
    /// # What to do
    /// Set a checkpoint interval and a durable checkpoint storage.
    DEL_20 "DEL-20" Error "State without checkpoints"
    why "a restart forgets the state, and totals come out too low"
    sources ["Apache Flink documentation, Checkpointing: execution.checkpointing.interval"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        if context.get(id, key::job::PROCESSING_GUARANTEE)? != ProcessingGuarantee::Nothing || !context.runs(id, "flink") {
            return None;
        }
        let keeps = context.operators_of(id).find(|operator| {
            matches!(context.step(operator), Some(Step::Deduplicate | Step::Aggregate | Step::Join))
                && !matches!(context.get(operator, key::operator::STATE_IN), Some(StateIn::External))
        });
        let message = match keeps {
            Some(operator) => format!("{} takes no checkpoints, and {} keeps state", context.title(id), context.title(operator)),
            None if context.loss_matters(id) => format!("{} takes no checkpoints", context.title(id)),
            None => return None,
        };
        Some(rule.finding(&[id], message, "set a checkpoint interval and durable storage"))
    };
    context.elements_with(ElementKind::Job, key::job::PROCESSING_GUARANTEE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_stateful_job_without_checkpoints_is_found() {
        let off = ("elements/revenue/proposed/processing_guarantee", "\"none\"");
        assert_eq!(fires("DEL-20", &[off]).message, "revenue takes no checkpoints, and dedup keeps state");
        silent("DEL-20", &[off, ("elements/revenue/system", "\"kafka_streams\"")]);
        silent("DEL-20", &[("elements/revenue/proposed/processing_guarantee", "null")]);
    }
}
