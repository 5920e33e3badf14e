use crate::{
    model::{ElementKind, Id, Subject},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// One value of the key carries so much that its partition has more than twice the mean load.
    ///
    /// # Why
    /// All records of one key go to one partition and to one reader. The rest of the partitions waits: neither more partitions nor more
    /// instances take anything off it.
    ///
    /// # Example
    /// Notifications go by their receiver, and there is one: twelve partitions work like one.
    ///
    /// # What to do
    /// A key with more values where order allows it (the object instead of its receiver), or a sum in two steps.
    SKW_02 "SKW-02" Warning "One key keeps one partition busy"
    why "the work of one partition bounds the whole channel"
    sources ["Apache Kafka documentation, Producer: default partitioning by key", "Apache Flink documentation, Local-Global Aggregation"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let report = context.channel_report(id)?;
        let partitions = report.skew.partitions.as_ref().ok().filter(|partitions| partitions.value > 1.0)?;
        let expected = report.skew.over_mean.as_ref().ok()?;
        let message = if expected.value > 2.0 {
            let (top, effective) = (expected.inputs().first()?, report.skew.effective.as_ref().ok()?);
            format!(
                "{}: one key has {:.0} % of the records; as much gets done as on {} of {} partitions",
                context.title(id),
                top.value * 100.0,
                spoken(effective.value),
                partitions.text()
            )
        } else {
            // Where keys are few, the hash alone fills one partition; fewer than a few a partition is found as that.
            if super::skw_03::few(context, id).is_some() {
                return None;
            }
            let busiest = report.busiest.as_ref().ok().filter(|share| share.value * partitions.value > 2.0)?;
            format!(
                "{}: the busiest of {} partitions can get {:.0} % of the records",
                context.title(id),
                partitions.text(),
                busiest.value * 100.0
            )
        };
        Some(rule.finding(&[id], message, "a key with more values where order allows it, or a sum in two steps"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

fn spoken(effective: f64) -> String {
    let text = format!("{effective:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_hot_key_is_found() {
        let message = fires("SKW-02", &[("elements/orders/proposed/dominant_key_share", "1")]).message;
        assert_eq!(message, "orders: one key has 100 % of the records; as much gets done as on 1 of 6 partitions");
        let of_source = [("elements/orders/proposed/dominant_key_share", "null"), ("elements/shop/proposed/dominant_key_share", "0.5")];
        fires("SKW-02", &of_source);
        // 0.1 + 0.9 ÷ 6 = 0.25, one and a half times the mean; the hash of 500 keys adds a twentieth.
        silent("SKW-02", &[("elements/orders/proposed/dominant_key_share", "0.1")]);
        let few = |n| [("elements/orders/proposed/dominant_key_share", "0.1"), ("elements/orders/proposed/key_cardinality", n)];
        assert!(fires("SKW-02", &few("20")).message.starts_with("orders: the busiest of 6 partitions can get"));
        // Fewer than three keys a partition are found as that.
        silent("SKW-02", &few("17"));
        fires("SKW-03", &few("17"));
        silent("SKW-02", &[("elements/orders/proposed/dominant_key_share", "0.5"), ("elements/orders/proposed/partitions", "1")]);
    }
}
