use crate::{
    catalog::Version,
    model::{ElementKind, Id, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Every replica must be in sync for a write, so that one broker down stops all writes.
    ///
    /// # Why
    /// Writes survive `replication factor − min in-sync replicas` brokers down: here none. A value above the replication
    /// factor counts as equal to it since Apache Kafka 3.7; before, every write with acks=all fails.
    ///
    /// # Example
    /// Three replicas, three needed in sync: each rolling restart stops the producers. One replica, two needed: nothing is
    /// accepted on 3.6, one copy is enough on 4.0.
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
        if !context.has_in_sync(id) {
            return None;
        }
        if needed > replicas && context.runs(id, "kafka") {
            let message = format!("{}: {needed} replicas must be in sync and there {} {replicas}; {}", context.title(id), if replicas == 1 { "is" } else { "are" }, more_than_there_are(context, id));
            return Some(rule.finding(&[id], message, "three replicas, and two of them in sync"));
        }
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
    context.elements_with(ElementKind::Channel, key::channel::REPLICATION_FACTOR).filter_map(one).collect()
}

/// What the broker does with it, by its version.
fn more_than_there_are(context: &Context<'_>, id: &Id) -> &'static str {
    let version = context.get(id, key::channel::VERSION).and_then(|text| Version::read(&text));
    match version {
        Some(version) if version < Version(3, 7) => "every write with acks=all is refused",
        Some(_) => "the broker asks for no more than there are",
        None => "before broker 3.7 every write with acks=all is refused, from 3.7 on it asks for no more than there are",
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Raft has neither.
    #[test]
    fn redpanda_has_no_such_setting() {
        silent("DEL-05", &[("elements/orders/system", "\"redpanda\""), ("elements/orders/proposed/min_insync_replicas", "3")]);
    }

    #[test]
    fn as_many_in_sync_as_replicas_is_found() {
        let all = ("elements/orders/proposed/min_insync_replicas", "3");
        fires("DEL-05", &[all]);
        mends("DEL-05", &[all]);
        silent("DEL-05", &[]);
    }

    #[test]
    fn more_in_sync_than_replicas_depends_on_the_broker() {
        let one = ("elements/orders/proposed/replication_factor", "1");
        let on = |version| fires("DEL-05", &[one, ("clusters/kafka/proposed/version", version)]).message;
        assert_eq!(on("\"3.6.1\""), "orders: 2 replicas must be in sync and there is 1; every write with acks=all is refused");
        assert!(on("\"4.0\"").ends_with("no more than there are") && !on("\"4.0\"").contains("refused"));
        assert!(on("null").contains("before broker 3.7") && on("null").contains("from 3.7 on"));
    }
}
