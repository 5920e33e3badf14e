use crate::{
    model::{ElementKind, Id, Link, key, words::OutputCommit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A transaction may last longer than the broker allows.
    ///
    /// # Why
    /// The broker refuses the producer at start: the job does not come up. Flink's Kafka sink asks for 1 h by default, a
    /// broker allows 15 min by default.
    ///
    /// # Example
    /// `transaction.timeout.ms=3600000` against `transaction.max.timeout.ms=900000`: `InvalidTxnTimeoutException`.
    ///
    /// # What to do
    /// Lower the sink's time-out to the broker's maximum, or have the broker's raised; longer survives longer outages.
    FLK_01 "FLK-01" Error "Longer than the broker allows"
    why "the broker refuses the transaction and the job does not start"
    sources ["Apache Flink Kafka connector documentation, Kafka Sink: Fault Tolerance", "Apache Kafka documentation, Broker Configs: transaction.max.timeout.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.to) != Some(ElementKind::Channel)
            || context.get(id, key::write::OUTPUT_COMMIT) != Some(OutputCommit::TwoPhase)
        {
            return None;
        }
        let cluster = context.design.elements.get(&link.to)?.cluster.as_ref()?;
        let (asked, allowed) = (
            context.get(id, key::produce::TRANSACTION_TIMEOUT)?,
            context.get(cluster, key::cluster::TRANSACTION_MAX_TIMEOUT)?,
        );
        (asked > allowed).then(|| {
            let message = format!("{} asks for {}, {} allows {}", context.title(id), asked.spoken(), context.title(cluster), allowed.spoken());
            let fix = propose(&format!("Propose {} at the broker", asked.spoken()), cluster, key::cluster::TRANSACTION_MAX_TIMEOUT, asked);
            let remedy = "raise transaction.max.timeout.ms at the broker; a shorter time-out starts, and loses what an outage longer than it leaves behind";
            rule.finding(&[id, cluster], message, remedy).fixed_by(Some(fix))
        })
    };
    context.links_with(key::write::OUTPUT_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_timeout_above_the_brokers_is_found() {
        let hour = ("links/l4/proposed/transaction_timeout", "\"1h\"");
        assert_eq!(fires("FLK-01", &[hour]).message, "sum → totals asks for 1 h, kafka allows 15 min");
        mends("FLK-01", &[hour]);
        silent("FLK-01", &[hour, ("clusters/kafka/proposed/transaction_max_timeout", "null")]);
    }
}
