use crate::{
    model::{ElementKind, Id, Subject, counted_as, key, words::Ordering},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A channel is said to keep all records in one order, and it has several partitions or several writers.
    ///
    /// # Why
    /// A log orders the records of one partition. Between two partitions there is no order, whatever their timestamps say, and two
    /// producers append as their requests arrive.
    ///
    /// # Example
    /// A ledger relies on the order of all bookings; the topic was created with six partitions.
    ///
    /// # What to do
    /// One partition and one writer where all records really need one order, else an order per key.
    ORD_L2 "ORD-L2" Error "One order for all records, and several partitions"
    why "records of different partitions are read in any order"
    sources ["Apache Kafka documentation, Introduction: events with the same key are written to the same partition"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        context.get(id, key::channel::ORDERING).filter(|ordering| *ordering == Ordering::Global)?;
        let partitions = context.get(id, key::channel::PARTITIONS).filter(|partitions| *partitions > 1);
        let writers = context.into(id).count();
        let instances = context.into(id).filter_map(|(_, link)| context.get(&link.from, key::source::INSTANCES)).max();
        let how = match (partitions, writers, instances) {
            (Some(partitions), ..) => format!("has {}", counted_as(partitions, "partition", "partitions")),
            (None, 2.., _) => format!("has {}", counted_as(writers as u64, "writer", "writers")),
            (None, _, Some(instances @ 2..)) => format!("is written by {instances} instances"),
            _ => return None,
        };
        let message = format!("{} is to keep all records in one order, and {how}", context.title(id));
        Some(rule.finding(&[id], message, "one partition and one writer, or an order per key"))
    };
    context.elements_with(ElementKind::Channel, key::channel::ORDERING).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn one_order_over_several_partitions_is_found() {
        let global = ("elements/orders/proposed/ordering", "\"global\"");
        let one = ("elements/orders/proposed/partitions", "1");
        assert_eq!(fires("ORD-L2", &[global]).message, "orders is to keep all records in one order, and has 6 partitions");
        assert!(fires("ORD-L2", &[global, one, ("elements/shop/proposed/instances", "3")]).message.contains("3 instances"));
        silent("ORD-L2", &[global, one, ("elements/shop/proposed/instances", "1")]);
        silent("ORD-L2", &[("elements/orders/proposed/ordering", "\"per_partition\"")]);
    }
}
