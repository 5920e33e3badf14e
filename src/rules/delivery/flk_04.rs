use crate::{
    model::{ElementKind, Id, Subject, key, units::{Duration, human}, words::OutputCommit},
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
        let bound = match context.job_report(id)?.outage_bound.as_ref()? {
            Ok(bound) => bound.value,
            // What the checkpoints take of it is not known: it is less than the whole time-out.
            Err(_) => shortest(context, id)?.secs(),
        };
        let planned = context.get(id, key::job::LONGEST_OUTAGE).map(|outage| (outage, "must survive"));
        let restart = || {
            let restart = context.get(id, key::job::RESTART_TIME)?.max()?;
            Some((restart, "restarts within"))
        };
        let (outage, words) = planned.or_else(restart)?;
        (outage.secs() > bound).then(|| {
            let message = format!(
                "{} {words} {}; its transactions outlast at most {} of outage",
                context.title(id),
                human::seconds(outage.secs()),
                human::bound(bound)
            );
            rule.finding(&[id], message, "raise the transaction time-out and the broker's maximum")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// The shortest transaction time-out of its two-phase writes.
fn shortest(context: &Context<'_>, job: &Id) -> Option<Duration> {
    let writes = context.operators_of(job).flat_map(|operator| context.from(operator));
    let two_phase = writes.filter(|(id, _)| context.get(id, key::write::OUTPUT_COMMIT) == Some(OutputCommit::TwoPhase));
    two_phase.filter_map(|(id, _)| context.get(id, key::produce::TRANSACTION_TIMEOUT)).min()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_outage_beyond_the_transactions_is_found() {
        // 15 min less the interval of 60 s and the checkpoint of 5 s leaves 835 s.
        fires("FLK-04", &[("elements/revenue/proposed/longest_outage", "\"30min\"")]);
        silent("FLK-04", &[("elements/revenue/proposed/longest_outage", "\"13min\"")]);
        let open = ("elements/revenue/proposed/checkpoint_interval", "null");
        fires("FLK-04", &[open, ("elements/revenue/proposed/longest_outage", "\"16min\"")]);
        silent("FLK-04", &[open, ("elements/revenue/proposed/longest_outage", "\"14min\"")]);
    }
}
