use crate::{
    model::{ElementKind, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A channel has one copy of everything.
    ///
    /// # Why
    /// The loss of one disk or broker is the loss of the channel. The product's own default is one replica.
    ///
    /// # Example
    /// A topic that was created by its first message has `replication.factor=1`; the broker is replaced, the topic is empty.
    ///
    /// # What to do
    /// Three replicas over three racks or zones. Adding replicas to a live topic is a reassignment by its operators.
    DEL_04 "DEL-04" Error "One copy only"
    why "the loss of one broker is the loss of the channel"
    sources ["Apache Kafka documentation, Broker Configs: default.replication.factor", "Apache Kafka documentation, Basic Kafka Operations: Increasing replication factor"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let single = context.get(id, key::channel::REPLICATION_FACTOR)? == 1 && context.loss_matters(id);
        single.then(|| {
            rule.finding(&[id], format!("{} has 1 replica", context.title(id)), "plan 3 replicas over 3 racks or zones")
        })
    };
    context.elements_with(ElementKind::Channel, key::channel::REPLICATION_FACTOR).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_single_replica_is_found_and_an_unread_one_is_not() {
        let one = ("elements/orders/proposed/replication_factor", "1");
        assert_eq!(fires("DEL-04", &[one]).message, "orders has 1 replica");
        silent("DEL-04", &[("elements/orders/proposed/replication_factor", "null")]);
        silent("DEL-04", &[one, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
