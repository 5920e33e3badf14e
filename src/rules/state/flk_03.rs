use crate::{
    model::{ElementKind, Id, Subject, key, words::CheckpointStorage},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Checkpoints are kept where a failure takes them along.
    ///
    /// # Why
    /// The coordinator's memory is Flink's default storage: it dies with the coordinator. With none retained, cancelling
    /// the job deletes its last checkpoint.
    ///
    /// # Example
    /// The job manager's pod is replaced; the job starts without state.
    ///
    /// # What to do
    /// Write checkpoints to durable storage and retain them on cancellation.
    FLK_03 "FLK-03" Warning "Checkpoints do not outlive a failure"
    why "the checkpoint is gone when it is needed"
    sources ["Apache Flink documentation, Checkpoints: Checkpoint Storage, Retained Checkpoints"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let (message, fix) = match context.get(id, key::job::CHECKPOINT_STORAGE) {
            Some(CheckpointStorage::CoordinatorMemory) => (
                format!("{} keeps its checkpoints in the coordinator's memory", context.title(id)),
                propose("Propose durable storage", id, key::job::CHECKPOINT_STORAGE, CheckpointStorage::Durable),
            ),
            Some(CheckpointStorage::Durable) if context.get(id, key::job::CHECKPOINTS_RETAINED) == Some(0) => (
                format!("{} deletes its last checkpoint when it is cancelled", context.title(id)),
                propose("Propose to retain 1", id, key::job::CHECKPOINTS_RETAINED, 1),
            ),
            _ => return None,
        };
        Some(rule.finding(&[id], message, "durable storage, retained on cancellation").fixed_by(Some(fix)))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn checkpoints_that_do_not_outlive_a_failure_are_found() {
        let memory = ("elements/revenue/proposed/checkpoint_storage", "\"coordinator_memory\"");
        let none = ("elements/revenue/proposed/checkpoints_retained", "0");
        mends("FLK-03", &[memory]);
        mends("FLK-03", &[none]);
        silent("FLK-03", &[("elements/revenue/proposed/checkpoints_retained", "null")]);
    }
}
