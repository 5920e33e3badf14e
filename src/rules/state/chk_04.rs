use crate::{
    model::{ElementKind, Id, Link, Subject, key, units::{Duration, human}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// After a failure the job is back later than its consumer can wait, or never.
    ///
    /// # Why
    /// Recovery is detecting, rescheduling, restoring and then catching up with what has piled up. Without spare capacity
    /// the backlog never goes.
    ///
    /// # Example
    /// 10 000 events a second arrive, 9 000 are processed: after any pause the job stays behind for ever.
    ///
    /// # What to do
    /// More capacity, a faster restore, local recovery or standby replicas; or a later target.
    CHK_04 "CHK-04" Error "Back too late after a failure"
    why "results stay behind longer than the consumer can wait"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning", "Apache Flink documentation, Task-Local Recovery"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    // The consumer behind an element that can wait least.
    let targets = context.backward(|id, inputs: &[(&Id, &Link, &(Duration, &Id))]| {
        let own = context.get(id, key::consumer::RECOVERY_TARGET).map(|target| (target, id));
        inputs.iter().map(|(.., target)| **target).chain(own).min()
    });
    let one = |(id, _): (&Id, &Subject)| {
        let recovery = context.report.jobs.get(id)?.recovery.as_ref().ok()?;
        if recovery.unbounded() {
            let message = format!("{} never catches up after a failure", context.title(id));
            return Some(rule.finding(&[id], message, "give the job more capacity than its input needs"));
        }
        let (target, consumer) = context.operators_of(id).filter_map(|operator| targets.get(operator)).min()?;
        (recovery.value > target.secs()).then(|| {
            let message = format!(
                "{} is back after {}, {} can wait {}",
                context.title(id),
                human::seconds(recovery.value),
                context.title(consumer),
                target.spoken()
            );
            rule.finding(&[id, consumer], message, "more capacity, a faster restore, or a later target")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_recovery_beyond_its_target_is_found() {
        fires("CHK-04", &[("elements/board/proposed/recovery_target", "\"30s\"")]);
        // 90 a second against 100 that arrive.
        fires("CHK-04", &[("elements/revenue/proposed/capacity", "\"90/s\"")]);
        silent("CHK-04", &[("elements/revenue/proposed/capacity", "null")]);
    }
}
