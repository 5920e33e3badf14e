use crate::{
    catalog::{self, DefaultValue},
    model::{Id, Known, Link, Port, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A queue gives up on a message after some attempts, and nothing takes it then.
    ///
    /// # Why
    /// RabbitMQ's quorum queues drop a message after 20 deliveries since 4.0 unless a dead-letter exchange is set; EventBridge and SNS
    /// drop after their last retry; a JetStream consumer passes it over. An outage of the database behind the reader uses the
    /// attempts up in seconds.
    ///
    /// # Example
    /// After the upgrade to RabbitMQ 4.0 a store is down for a minute: every message in work has failed 20 times, and is gone.
    ///
    /// # What to do
    /// A dead-letter exchange or queue with an owner, and a way back; wait between attempts.
    QUE_02 "QUE-02" Error "Dropped after the last attempt"
    why "a message that fails often enough is gone"
    sources ["RabbitMQ documentation, Quorum Queues: Poison Message Handling, delivery limit", "Amazon EventBridge User Guide, How EventBridge retries delivering events", "NATS documentation, Consumers: MaxDeliver", "Apache Kafka documentation, Group Configs: share.delivery.count.limit"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let then = match context.system(&link.from)? {
            "rabbitmq" | "rabbitmq_quorum" | "eventbridge" | "sns" => "drops the message",
            "nats" => "passes the message over for this reader",
            "kafka_share_group" => "takes the record out of the group",
            _ => return None,
        };
        let (most, default) = attempts(context, id, &link.from)?;
        let job = context.job_of(&link.to)?;
        let aside = context.operators_of(job).flat_map(|operator| context.from(operator)).any(|(_, link)| link.port == Some(Port::DeadLetter));
        (!aside && context.loss_matters(id)).then(|| {
            let unset = if default { " (not set: the default)" } else { "" };
            let message = format!("{} {then} after {most} attempts{unset}, and nothing is drawn that takes it", context.title(&link.from));
            rule.finding(&[id, &link.from], message, "set a dead-letter destination, and draw who looks after it")
        })
    };
    context.links().filter_map(one).collect()
}

/// After how many attempts, and whether that is the default of a known version.
fn attempts(context: &Context<'_>, read: &Id, queue: &Id) -> Option<(u64, bool)> {
    match context.known(read, key::read::MAX_DELIVERIES) {
        Known::Value(fact) => Some((fact.value, false)),
        Known::Unset(_) => {
            let version = context.get(queue, key::channel::VERSION)?;
            let default = catalog::default_of(key::read::MAX_DELIVERIES.field(), context.system(queue)?, Some(&version))?;
            let DefaultValue::Count(most) = default.value else { return None };
            Some((most, true))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// A queue between the totals and the table.
    const QUEUE: &[(&str, &str)] = &[
        ("elements/totals", r#"{"kind":"channel","system":"rabbitmq_quorum","proposed":{"version":"4.1"}}"#),
        ("links/l5/proposed/max_deliveries", "\"unset\""),
        ("elements/loader", r#"{"kind":"job","system":"plain_consumer","proposed":{"client":"other","on_error":"fail"}}"#),
    ];

    #[test]
    fn a_queue_that_drops_is_found() {
        assert_eq!(
            fires("QUE-02", QUEUE).message,
            "totals drops the message after 20 attempts (not set: the default), and nothing is drawn that takes it"
        );
        let nats = [QUEUE, &[("elements/totals/system", "\"nats\""), ("links/l5/proposed/max_deliveries", "5")]].concat();
        assert!(fires("QUE-02", &nats).message.contains("passes the message over"));
    }

    #[test]
    fn unlimited_older_and_dead_lettered_queues_are_left_alone() {
        silent("QUE-02", &[QUEUE, &[("elements/totals/proposed/version", "\"3.13\"")]].concat());
        // A classic queue has no limit of its own.
        silent("QUE-02", &[QUEUE, &[("elements/totals/system", "\"rabbitmq\"")]].concat());
        silent("QUE-02", &[QUEUE, &[("links/l5/proposed/max_deliveries", "null")]].concat());
        silent("QUE-02", &[QUEUE, &[("links/l40", r#"{"from":"write","to":"dlq","port":"dead_letter"}"#)]].concat());
        silent("QUE-02", &[QUEUE, &[("elements/board/proposed/loss_tolerated", "true")]].concat());
        silent("QUE-02", &[("links/l5/proposed/max_deliveries", "3")]);
    }
}
