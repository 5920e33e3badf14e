use crate::{
    model::{ElementKind, key, words::Acks},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// One in-sync replica is enough for an acknowledgement, although the channel has more.
    ///
    /// # Why
    /// `acks=all` waits for the in-sync replicas only. When they have shrunk to one and that broker is lost, acknowledged
    /// records are lost with it. The product's own default is 1.
    ///
    /// # Example
    /// Three replicas, `min.insync.replicas=1`: writes go on with two brokers down, and the third one holds the only copy.
    ///
    /// # What to do
    /// Two in-sync replicas of three: writes survive one broker down, acknowledged records survive one broker lost.
    DEL_03 "DEL-03" Error "One replica is enough for an acknowledgement"
    why "an acknowledged record can stand on one broker only"
    sources ["Apache Kafka documentation, Topic Configs: min.insync.replicas", "Apache Kafka documentation, Design: Replication"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let (replicas, needed) =
            (context.get(id, key::channel::REPLICATION_FACTOR)?, context.get(id, key::channel::MIN_INSYNC_REPLICAS)?);
        let all = context.into(id).any(|(link, _)| context.get(link, key::produce::ACKS) == Some(Acks::All));
        (needed <= 1 && context.has_in_sync(id) && replicas >= 2 && all && context.loss_matters(id)).then(|| {
            let message = format!(
                "{}: {replicas} replicas, 1 needed in sync; writes go on with {} down, acknowledged records survive 0 broker losses for certain",
                context.title(id),
                replicas - 1
            );
            let fix = (replicas >= 3)
                .then(|| propose("Propose 2 in-sync replicas", id, key::channel::MIN_INSYNC_REPLICAS, 2));
            rule.finding(&[id], message, "ask for 2 in-sync replicas of at least 3").fixed_by(fix)
        })
    };
    context.elements_with(ElementKind::Channel, key::channel::REPLICATION_FACTOR).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Raft has neither.
    #[test]
    fn redpanda_has_no_such_setting() {
        silent("DEL-03", &[("elements/orders/system", "\"redpanda\""), ("elements/orders/proposed/min_insync_replicas", "1")]);
    }

    #[test]
    fn one_in_sync_replica_is_found() {
        let one = ("elements/orders/proposed/min_insync_replicas", "1");
        fires("DEL-03", &[one]);
        mends("DEL-03", &[one]);
        silent("DEL-03", &[one, ("elements/orders/proposed/replication_factor", "1")]);
        silent("DEL-03", &[("elements/orders/proposed/min_insync_replicas", "null")]);
    }
}
