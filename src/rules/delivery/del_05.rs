use crate::{
    model::{ElementKind, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Every replica must be in sync for a write, so that one broker down stops all writes.
    ///
    /// # Why
    /// Writes survive `replication factor − min in-sync replicas` brokers down: here none. A value above the replication
    /// factor counts as equal to it.
    ///
    /// # Example
    /// Three replicas, three needed in sync: each rolling restart stops the producers.
    ///
    /// # What to do
    /// One less than the replication factor.
    DEL_05 "DEL-05" Error "One broker down stops all writes"
    why "no broker may be down, not even for a restart"
    sources ["Apache Kafka documentation, Topic Configs: min.insync.replicas", "Apache Kafka, kafka.cluster.Partition: effectiveMinIsr"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let (replicas, needed) =
            (context.get(id, key::channel::REPLICATION_FACTOR)?, context.get(id, key::channel::MIN_INSYNC_REPLICAS)?);
        (replicas >= 2 && needed >= replicas).then(|| {
            let message =
                format!("{}: {needed} of {replicas} replicas must be in sync; writes survive 0 brokers down", context.title(id));
            let fix = (replicas >= 3).then(|| {
                let label = format!("Propose {} in-sync replicas", replicas - 1);
                propose(&label, id, key::channel::MIN_INSYNC_REPLICAS, replicas - 1)
            });
            rule.finding(&[id], message, "ask for one less than there are replicas").fixed_by(fix)
        })
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn as_many_in_sync_as_replicas_is_found() {
        let all = ("elements/orders/proposed/min_insync_replicas", "3");
        fires("DEL-05", &[all]);
        mends("DEL-05", &[all]);
        silent("DEL-05", &[]);
    }
}
