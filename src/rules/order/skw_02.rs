use crate::{
    model::{ElementKind, Id, Subject, key},
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
        let of_sources = || context.into(id).find_map(|(_, link)| context.get(&link.from, key::source::DOMINANT_KEY_SHARE));
        let share = context.get(id, key::channel::DOMINANT_KEY_SHARE).or_else(of_sources)?.0;
        let partitions = context.get(id, key::channel::PARTITIONS).filter(|partitions| *partitions > 1)?;
        let effective = effective(share, partitions)?;
        let message = format!(
            "{}: one key has {:.0} % of the records; as much gets done as on {} of {partitions} partitions",
            context.title(id),
            share * 100.0,
            spoken(effective)
        );
        Some(rule.finding(&[id], message, "a key with more values where order allows it, or a sum in two steps"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

/// Partitions that would carry the load evenly at the pace of the fullest one, where that one has more than twice the mean:
/// 1 / (s + (1 - s) / P).
#[expect(clippy::cast_precision_loss, reason = "numbers of partitions are far below 2^53")]
fn effective(share: f64, partitions: u64) -> Option<f64> {
    let all = partitions as f64;
    let fullest = share + (1.0 - share) / all;
    (fullest * all > 2.0).then(|| 1.0 / fullest)
}

fn spoken(effective: f64) -> String {
    let text = format!("{effective:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn effective_partitions_follow_from_the_share() {
        // 1 / (0.4 + 0.6 / 12) = 2.22; 0.15 + 0.85 / 6 = 0.2917, 1.75 times the mean.
        assert!((super::effective(0.4, 12).unwrap() - 2.222).abs() < 0.001);
        assert_eq!(super::effective(0.15, 6), None);
    }

    #[test]
    fn a_hot_key_is_found() {
        let message = fires("SKW-02", &[("elements/orders/proposed/dominant_key_share", "1")]).message;
        assert_eq!(message, "orders: one key has 100 % of the records; as much gets done as on 1 of 6 partitions");
        fires("SKW-02", &[("elements/shop/proposed/dominant_key_share", "0.5")]);
        silent("SKW-02", &[("elements/orders/proposed/dominant_key_share", "0.15")]);
        silent("SKW-02", &[("elements/orders/proposed/dominant_key_share", "0.5"), ("elements/orders/proposed/partitions", "1")]);
    }
}
