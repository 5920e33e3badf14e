use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// One checkpoint that fails restarts the job, and checkpoints are close to failing.
    ///
    /// # Why
    /// With no failed checkpoint tolerated, a single one over its time-out restarts the job, which makes the next one slower.
    ///
    /// # Example
    /// Time-out 60 s, duration 55 s, none tolerated: one slow disk and the job restarts in circles.
    ///
    /// # What to do
    /// Tolerate a few, and keep the duration well below the time-out.
    FLK_05 "FLK-05" Warning "One slow checkpoint restarts the job"
    why "a checkpoint that takes a little longer restarts the job"
    sources ["Apache Flink documentation, Configuration: execution.checkpointing.tolerable-failed-checkpoints"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if context.get(id, key::job::TOLERABLE_FAILED_CHECKPOINTS)? > 0 {
            return None;
        }
        let taken = context.get(id, key::job::CHECKPOINT_DURATION)?.max()?;
        let allowed = context.get(id, key::job::CHECKPOINT_TIMEOUT)?;
        (taken < allowed && taken.secs() > 0.8 * allowed.secs()).then(|| {
            let message = format!("{}: {} of {}, and no failed checkpoint is tolerated", context.title(id), taken.spoken(), allowed.spoken());
            rule.finding(&[id], message, "tolerate a few failed checkpoints, and shorten them")
        })
    };
    context.elements_with(ElementKind::Job, key::job::TOLERABLE_FAILED_CHECKPOINTS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn close_to_the_timeout_without_tolerance_is_found() {
        let none = ("elements/revenue/proposed/tolerable_failed_checkpoints", "0");
        let taken = "elements/revenue/proposed/checkpoint_duration";
        fires("FLK-05", &[none, (taken, "\"9min\"")]);
        silent("FLK-05", &[none, (taken, "\"8min\"")]);
        silent("FLK-05", &[(taken, "\"9min\"")]);
    }
}
