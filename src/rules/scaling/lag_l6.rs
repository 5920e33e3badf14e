use crate::{
    analysis::JobReport,
    model::{Id, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A job is behind, and what it does a second does not work the backlog off, or not in time.
    ///
    /// # Why
    /// A backlog shrinks by what the job does beyond what arrives. That is a matter of capacity: no poll limit and no time-out changes it.
    ///
    /// # Example
    /// 318 940 records behind, 87 rows a second written: an hour after the input has stopped, and never while 1 549 a second come.
    ///
    /// # What to do
    /// Do more with each call (write in bulk), more instances up to the partitions, or let less in until the job is at the head.
    LAG_L6 "LAG-L6" Warning "A backlog that is not worked off in time"
    why "results stay behind, and what the log deletes meanwhile is never read"
    sources ["Apache Kafka documentation, Monitoring: records-lag-max", "Beyer et al., Site Reliability Engineering, chapter 22, Addressing Cascading Failures"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    context.report.jobs.iter().filter_map(|(id, report)| late(rule, context, id, report)).collect()
}

fn late(rule: &'static Rule, context: &Context<'_>, id: &Id, report: &JobReport) -> Option<Finding> {
    let drain = report.drain.as_ref()?.as_ref().ok()?;
    let [behind, arriving, capacity] = drain.inputs() else { return None };
    let does = || format!("{} is {} behind and does {} while {} arrive", context.title(id), records(behind.value), human::per_second(capacity.value), human::per_second(arriving.value));
    if drain.unbounded() {
        // What has no end after any failure is found as such.
        let found = [&report.recovery, &report.catch_up].into_iter().any(|figure| figure.as_ref().is_ok_and(|figure| figure.unbounded()));
        let message = format!("{}: it falls further behind", does());
        return (!found).then(|| rule.finding(&[id], message, "more work per call, more instances up to the partitions, or less input"));
    }
    let target = context.get(id, key::job::LAG_TARGET)?;
    (drain.value > target.secs()).then(|| {
        let message = format!("{}: at the head in {}, and {} is the target for its lag", does(), drain.text(), target.spoken());
        rule.finding(&[id], message, "more work per call, more instances up to the partitions, or less input")
    })
}

fn records(count: f64) -> String {
    human::records(count)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 90 000 records at 1 000 − 100 = 900 a second: 100 s. At 90 a second against 100: never.
    #[test]
    fn a_backlog_that_stays_is_found() {
        let behind = [("links/l2/proposed/lag", "90000"), ("elements/revenue/proposed/lag_target", "\"1min\"")];
        let message = fires("LAG-L6", &behind).message;
        assert!(message.ends_with("at the head in 100 s, and 60 s is the target for its lag"), "{message}");
        silent("LAG-L6", &[behind[0], ("elements/revenue/proposed/lag_target", "\"2min\"")]);
        silent("LAG-L6", &behind[1..]);
        let less = ("elements/revenue/proposed/capacity", "\"90/s\"");
        silent("LAG-L6", &[behind[0], less]);
        let unknown = [("elements/revenue/proposed/checkpoint_interval", "null"), ("elements/revenue/proposed/longest_outage", "null")];
        assert!(fires("LAG-L6", &[behind[0], less, unknown[0], unknown[1]]).message.ends_with("it falls further behind"));
    }
}
