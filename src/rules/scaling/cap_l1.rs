use crate::{
    model::{ElementKind, Id, Subject, counted, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A channel has fewer partitions than its peak needs.
    ///
    /// # Why
    /// A partition is written by one leader and read by one member of a group. Keys do not fall evenly into partitions: the busiest
    /// one has to do its part, not the mean.
    ///
    /// # Example
    /// 60 MB/s, of which a reader takes 3 from a partition: 20 partitions would do for even shares; with 1 000 keys it takes 36.
    ///
    /// # What to do
    /// More partitions before there is data (later keys move), faster readers, or smaller records.
    CAP_L1 "CAP-L1" Error "Too few partitions for the peak"
    why "the busiest partition falls behind at peak, whatever the group does"
    sources ["Apache Kafka documentation, Design: The Consumer", "Apache Kafka documentation, Operations: Modifying topics (adding partitions)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.channel_report(id)?.needed.as_ref()?.as_ref().ok()?;
        let partitions = context.get(id, key::channel::PARTITIONS)?;
        if needed.value <= partitions as f64 {
            return None;
        }
        let (message, remedy) = if needed.unbounded() {
            let message = format!("{}: one key alone is more at peak than a partition does, whatever the number of partitions", context.title(id));
            (message, "split the key, faster readers, or smaller records; more partitions mend nothing")
        } else {
            let message = format!("{} has {}, its peak needs {}", context.title(id), counted(partitions, "partition"), human::number(needed.value));
            (message, "more partitions before there is data, faster readers, or smaller records")
        };
        Some(rule.finding(&[id], message, remedy))
    };
    context.elements_with(ElementKind::Channel, key::channel::PARTITIONS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const READ: &str = "elements/orders/proposed/partition_read_capacity";

    /// 200 a second of 400 B are 80 kB/s: of 10 kB/s even shares need 8.
    #[test]
    fn fewer_than_the_peak_needs_are_found() {
        let even = ("elements/orders/proposed/key_cardinality", "null");
        assert_eq!(fires("CAP-L1", &[(READ, "\"10kB/s\""), even]).message, "orders has 6 partitions, its peak needs 8");
        // The top key has 2 %, 1.6 kB/s.
        let alone = fires("CAP-L1", &[(READ, "\"1kB/s\"")]);
        assert!(alone.message.contains("one key alone"));
        assert!(alone.remedy.starts_with("split the key"), "more partitions mend nothing");
        silent("CAP-L1", &[(READ, "\"14kB/s\""), even]);
        silent("CAP-L1", &[(READ, "\"40kB/s\"")]);
        silent("CAP-L1", &[(READ, "\"10kB/s\""), even, ("events/order/proposed/size", "null")]);
    }
}
