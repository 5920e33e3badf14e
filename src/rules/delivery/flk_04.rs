use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An outage that the job must survive outlasts the transactions it has prepared.
    ///
    /// # Why
    /// The broker aborts a transaction that is open longer than its time-out. On restore Flink finds it gone, logs that
    /// data was most likely lost, and goes on: the results of that checkpoint are missing.
    ///
    /// # Example
    /// Time-out 15 min, checkpoint every minute, an outage of half an hour: the last checkpoint's results never appear.
    ///
    /// # What to do
    /// Raise the transaction time-out (and the broker's maximum) above checkpoint interval, duration and longest outage.
    FLK_04 "FLK-04" Error "Outages outlast the transactions"
    why "the broker aborts prepared results, and the job goes on without them"
    sources ["Apache Flink Kafka connector documentation, Kafka Sink: Fault Tolerance", "FLINK-24131; KafkaCommitter: transactions that time out are lost with a log line"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let bound = context.report.jobs.get(id)?.outage_bound.as_ref()?.as_ref().ok()?;
        let planned = context.get(id, key::job::LONGEST_OUTAGE).map(|outage| (outage, "must survive"));
        let restart = || {
            let restart = context.get(id, key::job::RESTART_TIME)?.max()?;
            Some((restart, "restarts within"))
        };
        let (outage, words) = planned.or_else(restart)?;
        (outage.secs() > bound.value).then(|| {
            let message = format!(
                "{} {words} {}; its transactions last {} of outage",
                context.title(id),
                human::seconds(outage.secs()),
                human::bound(bound.value)
            );
            rule.finding(&[id], message, "raise the transaction time-out and the broker's maximum")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_outage_beyond_the_transactions_is_found() {
        // 15 min less the interval of 60 s and the checkpoint of 5 s leaves 835 s.
        fires("FLK-04", &[("elements/revenue/proposed/longest_outage", "\"30min\"")]);
        silent("FLK-04", &[("elements/revenue/proposed/longest_outage", "\"13min\"")]);
    }
}
