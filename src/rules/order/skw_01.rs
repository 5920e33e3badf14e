use crate::{
    analysis::explain::Derived,
    model::{ElementKind, Id, Subject},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// One key, or the partition that it makes the busiest, carries more than one instance of the job can do.
    ///
    /// # Why
    /// All records of one key go to one partition, and one instance reads it. What one key asks above that falls behind for ever,
    /// whatever the number of partitions and instances.
    ///
    /// # Example
    /// One shop has two fifths of 50 000 records per second, an instance does 15 000: it falls behind by 5 000 each second.
    ///
    /// # What to do
    /// Split the key and add up in two steps, or make one instance faster. More partitions only help where several keys share one.
    SKW_01 "SKW-01" Error "One key asks more than one instance can do"
    why "its records fall further and further behind, whatever the number of partitions"
    sources ["Apache Kafka documentation, Introduction: partitions and consumers", "Apache Flink documentation, Local-Global Aggregation"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let report = context.job_report(id)?;
        let over = |load: &Derived| load.as_ref().ok().filter(|load| load.value > 1.0).map(|load| load.value * 100.0);
        let (message, remedy) = match (over(&report.key_load), over(&report.partition_load)) {
            (Some(load), _) => (
                format!("{}: the top key alone takes {load:.0} % of what one instance does", context.title(id)),
                "split the key and add up in two steps; more partitions mend nothing",
            ),
            (None, Some(load)) => (
                format!("{}: the busiest partition can take {load:.0} % of what one instance does", context.title(id)),
                "more partitions, so that fewer keys share one, or a faster instance",
            ),
            (None, None) => return None,
        };
        Some(rule.finding(&[id], message, remedy))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 200/s at peak: a key with 0.4 of it is 80/s; its partition 0.4 + 0.6 ÷ 6 = 0.5, 100/s, and what the hash adds.
    #[test]
    fn a_key_that_no_instance_can_carry_is_found() {
        let hot = ("elements/orders/proposed/dominant_key_share", "0.4");
        let does = |rate: &'static str| ("elements/revenue/proposed/instance_capacity", rate);
        assert_eq!(
            fires("SKW-01", &[hot, does("\"50/s\"")]).message,
            "revenue: the top key alone takes 160 % of what one instance does"
        );
        assert!(fires("SKW-01", &[hot, does("\"90/s\"")]).message.contains("busiest partition"));
        silent("SKW-01", &[hot, does("\"150/s\"")]);
        silent("SKW-01", &[hot]);
    }
}
