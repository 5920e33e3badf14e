use crate::{
    analysis::{JobReport, explain::Derived},
    model::{ElementKind, Id, Link, Subject, key, units::Duration},
    rules::{Context, Finding, Rule, Severity, context::Along, rule::rule},
};
use std::cell::LazyCell;

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
    let targets = LazyCell::new(|| recovery_targets(context));
    let one = |(id, _): (&Id, &Subject)| {
        let report = context.job_report(id)?;
        let recovery = report.recovery.as_ref().ok()?;
        let target = context.operators_of(id).filter_map(|operator| targets.get(operator)).min();
        let falls_behind = report.load.as_ref().is_ok_and(|load| load.value >= 1.0);
        if recovery.unbounded() && !falls_behind {
            let (target, consumer) = target?;
            let (why, remedy) = endless(report)?;
            let message = format!(
                "how long {} takes to be back has no end, {why}; {} can wait {}",
                context.title(id),
                context.title(consumer),
                target.spoken()
            );
            return Some(rule.finding(&[id, consumer], message, remedy));
        }
        if recovery.unbounded() {
            let capacity = context.get(id, key::job::CAPACITY)?.mean_or_max()?.secs();
            let mean = report.input_rate.as_ref().ok().map(|rate| rate.value);
            // More than the mean, less than the peak: it catches up in the next trough.
            let (when, certain) = if mean.is_some_and(|mean| mean >= capacity) { ("", true) } else { (" while the peak lasts", false) };
            let message = format!("{} never catches up after a failure{when}", context.title(id));
            let mut finding = rule.finding(&[id], message, "give the job more capacity than its input needs");
            if !certain {
                finding.severity = Severity::Warning;
            }
            return Some(finding);
        }
        let (target, consumer) = target?;
        (recovery.value > target.secs()).then(|| {
            let message = format!(
                "{} is back after {}, {} can wait {}",
                context.title(id),
                recovery.text(),
                context.title(consumer),
                target.spoken()
            );
            rule.finding(&[id, consumer], message, "more capacity, a faster restore, or a later target")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// Why a recovery has no end although the job has capacity to spare, and what mends it.
fn endless(report: &JobReport) -> Option<(&'static str, &'static str)> {
    let unbounded = |figure: &Option<Derived>| figure.as_ref().is_some_and(|figure| figure.as_ref().is_ok_and(|f| f.unbounded()));
    if unbounded(&report.state) {
        return Some(("as its state grows without one", "a bound for its state"));
    }
    unbounded(&report.rewind).then_some(("as no checkpoint is there to begin at", "checkpoints that complete"))
}

/// The consumer behind each element that can wait least for a recovery, and how long.
pub(in crate::rules) fn recovery_targets<'a>(context: &Context<'a>) -> Along<'a, (Duration, &'a Id)> {
    context.backward(|id, inputs: &[(&Id, &Link, &(Duration, &'a Id))]| {
        let own = context.get(id, key::consumer::RECOVERY_TARGET).map(|target| (target, id));
        inputs.iter().map(|(.., target)| **target).chain(own).min()
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    #[test]
    fn a_recovery_beyond_its_target_is_found() {
        fires("CHK-04", &[("elements/board/proposed/recovery_target", "\"30s\"")]);
        // 90 a second against 100 that arrive, and 200 at the peak.
        let never = fires("CHK-04", &[("elements/revenue/proposed/capacity", "\"90/s\"")]);
        assert_eq!((never.severity, &*never.message), (Severity::Error, "revenue never catches up after a failure"));
        let retries = ("elements/dlq/proposed/rate", r#"{"mean":"1/min","max":"1/min"}"#);
        let peak = fires("CHK-04", &[("elements/revenue/proposed/capacity", "\"150/s\""), retries]);
        assert_eq!((peak.severity, &*peak.message), (Severity::Warning, "revenue never catches up after a failure while the peak lasts"));
        silent("CHK-04", &[("elements/revenue/proposed/capacity", "null")]);
    }

    /// A state without a bound is found as such: the capacity has nothing to do with it. Where somebody waits, it is said why.
    #[test]
    fn a_recovery_without_an_end_is_not_laid_to_the_capacity() {
        let endless = ("elements/dedup/proposed/state_ttl", "\"unlimited\"");
        silent("CHK-04", &[endless, ("elements/board/proposed/recovery_target", "null")]);
        let target = ("elements/board/proposed/recovery_target", "\"10min\"");
        let expected = "how long revenue takes to be back has no end, as its state grows without one; board can wait 10 min";
        assert_eq!(fires("CHK-04", &[endless, target]).message, expected);
        let slow = ("elements/revenue/proposed/checkpoint_duration", "\"11min\"");
        let message = fires("CHK-04", &[slow, target]).message;
        assert!(message.contains("as no checkpoint is there to begin at"), "{message}");
    }
}
