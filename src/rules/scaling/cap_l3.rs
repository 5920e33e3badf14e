use crate::{
    model::{ElementKind, Id, Link, Subject, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A job does less than arrives at peak, or catches up later than its consumer can wait.
    ///
    /// # Why
    /// What is not processed at peak waits for the next trough. After an outage everything that came meanwhile is worked off with what
    /// is spare, and little is spare where capacity is near the peak.
    ///
    /// # Example
    /// 5 000 a second arrive, 6 000 are processed: two hours of outage take ten hours to catch up.
    ///
    /// # What to do
    /// Capacity well above the peak, by more instances up to the partitions, more partitions, or less work per record.
    CAP_L3 "CAP-L3" Error "Too little capacity to catch up"
    why "results stay behind for longer than an outage lasts"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning", "Beyer et al., Site Reliability Engineering, chapter 22, Addressing Cascading Failures"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    // The consumer behind an element that can wait least.
    let targets = context.backward(|id, inputs: &[(&Id, &Link, &(Duration, &Id))]| {
        let own = context.get(id, key::consumer::RECOVERY_TARGET).map(|target| (target, id));
        inputs.iter().map(|(.., target)| **target).chain(own).min()
    });
    let one = |(id, _): (&Id, &Subject)| {
        let report = context.job_report(id)?;
        let target = context.operators_of(id).filter_map(|operator| targets.get(operator)).min();
        let late = |value: f64| target.is_some_and(|(target, _)| value > target.secs());
        // A recovery that has no end, or ends too late, is found as such.
        let falls_behind = report.load.as_ref().is_ok_and(|load| load.value >= 1.0);
        if report.recovery.as_ref().is_ok_and(|recovery| recovery.unbounded() && falls_behind || late(recovery.value)) {
            return None;
        }
        let catch_up = report.catch_up.as_ref().ok()?;
        let [outage, arriving, capacity] = catch_up.inputs() else { return None };
        if catch_up.unbounded() {
            let message = format!("{} does {}, and {} arrive", context.title(id), capacity.text(), arriving.text());
            return Some(rule.finding(&[id], message, "give the job more capacity than arrives at peak"));
        }
        let (target, consumer) = target.filter(|_| late(catch_up.value))?;
        let message = format!(
            "{} needs {} to catch up after {} of outage, {} can wait {}",
            context.title(id), catch_up.text(), outage.text(), context.title(consumer), target.spoken()
        );
        Some(rule.finding(&[id, consumer], message, "more capacity than the peak, or a shorter outage"))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 5 h of 100 a second against 210: 4.5 h; 5 min of it against 1 000: 33 s.
    #[test]
    fn a_catch_up_beyond_the_target_is_found() {
        let little = [("elements/revenue/proposed/capacity", "\"210/s\""), ("elements/revenue/proposed/longest_outage", "\"5h\"")];
        // Recovery itself is not derivable here, so that it has no finding of its own.
        let unknown = ("elements/revenue/proposed/checkpoint_interval", "null");
        let message = fires("CAP-L3", &[little[0], little[1], unknown]).message;
        assert!(message.ends_with("to catch up after 5 h of outage, board can wait 30 min"), "{message}");
        silent("CAP-L3", &[("elements/board/proposed/recovery_target", "null"), little[0], little[1], unknown]);
        silent("CAP-L3", &[]);
    }

    #[test]
    fn less_than_arrives_is_found_once() {
        let less = ("elements/revenue/proposed/capacity", "\"90/s\"");
        let unknown = ("elements/revenue/proposed/checkpoint_interval", "null");
        assert!(fires("CAP-L3", &[less, unknown]).message.starts_with("revenue does 90 /s, and 10"));
        fires("CHK-04", &[less]);
        silent("CAP-L3", &[less]);
    }
}
