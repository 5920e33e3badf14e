use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// All of a large state is written at every checkpoint.
    ///
    /// # Why
    /// Full checkpoints grow with the state, incremental ones with its changes. Incremental is off by default.
    ///
    /// # Example
    /// 40 GB of state every minute is 0.7 GB/s to the storage, for a few MB that changed.
    ///
    /// # What to do
    /// With the RocksDB backend turn incremental checkpoints on.
    CHK_03 "CHK-03" Warning "Full checkpoints of a large state"
    why "every checkpoint writes all of the state, not what has changed"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Incremental Checkpoints", "Apache Flink documentation, Configuration: execution.checkpointing.incremental"]
    check check
}

/// From this size on: 10 GB.
const LARGE: f64 = 10e9;

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if context.get(id, key::job::CHECKPOINT_INCREMENTAL)? {
            return None;
        }
        let measured = context.get(id, key::job::STATE_SIZE).and_then(|size| size.mean_or_max()).map(|size| size.bytes() as f64);
        let derived = || context.job_report(id)?.state.as_ref()?.as_ref().ok().map(|state| state.value);
        let bytes = measured.or_else(derived)?;
        (bytes > LARGE).then(|| {
            let message = format!("{} writes all of {} at every checkpoint", context.title(id), human::bytes(bytes));
            let fix = propose("Propose incremental checkpoints", id, key::job::CHECKPOINT_INCREMENTAL, true);
            rule.finding(&[id], message, "turn incremental checkpoints on").fixed_by(Some(fix))
        })
    };
    context.elements_with(ElementKind::Job, key::job::CHECKPOINT_INCREMENTAL).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn full_checkpoints_of_a_large_state_are_found() {
        let full = ("elements/revenue/proposed/checkpoint_incremental", "false");
        let size = "elements/revenue/proposed/state_size";
        fires("CHK-03", &[full, (size, "\"11GB\"")]);
        mends("CHK-03", &[full, (size, "\"11GB\"")]);
        silent("CHK-03", &[full, (size, "\"9GB\"")]);
        silent("CHK-03", &[(size, "\"11GB\"")]);
    }
}
