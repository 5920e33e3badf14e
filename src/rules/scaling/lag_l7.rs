use crate::{
    model::{Id, Link, key, units::Limit, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What a reader has not read yet is near the size at which the log deletes.
    ///
    /// # Why
    /// A log with a limit by size deletes its oldest segment whatever its age and whoever has not read it. What is unread and what is
    /// kept are both bytes of a partition, so that they can be compared as they stand, without any rate.
    ///
    /// # Example
    /// `retention.bytes` is 10 GiB and 8 GiB of a partition are unread: a fifth of a partition's size until unread records go.
    ///
    /// # What to do
    /// Let the reader catch up, or keep more until it has.
    LAG_L7 "LAG-L7" Error "Unread bytes are near the size limit"
    why "what is deleted next is what nobody has read yet"
    sources ["Apache Kafka documentation, Topic Configs: retention.bytes", "Apache Kafka documentation, Topic Configs: segment.bytes"]
    check check
}

/// So much of the limit may be unread.
const NEAR: f64 = 0.75;

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let unread = context.get(id, key::read::LAG_SIZE)?;
        // A plain reading is the sum over the partitions: of one only where there is one.
        if unread.plain.is_some() && context.get(&link.from, key::channel::PARTITIONS) != Some(1) {
            return None;
        }
        let unread = unread.max()?;
        if context.get(&link.from, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact) {
            return None;
        }
        let Limit::Of(limit) = context.get(&link.from, key::channel::RETENTION_SIZE)? else { return None };
        #[expect(clippy::cast_precision_loss, reason = "sizes of partitions are far below 2^53")]
        let near = unread.bytes() as f64 >= NEAR * limit.bytes() as f64;
        near.then(|| {
            let reader = context.job_of(&link.to).unwrap_or(&link.to);
            let message = format!(
                "{} of a partition of {} are unread by {}, and {} are kept",
                unread.spoken(), context.title(&link.from), context.title(reader), limit.spoken()
            );
            rule.finding(&[id, &link.from], message, "catch up, or keep more until then")
        })
    };
    context.links().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn unread_bytes_near_the_limit_are_found() {
        let limit = ("elements/orders/proposed/retention_size", "\"10GiB\"");
        let lag = ("links/l2/proposed/lag_size", r#"{"0":"8GiB","1":"1GiB"}"#);
        assert_eq!(fires("LAG-L7", &[limit, lag]).message, "8 GiB of a partition of orders are unread by revenue, and 10 GiB are kept");
        silent("LAG-L7", &[limit, ("links/l2/proposed/lag_size", r#"{"0":"2GiB"}"#)]);
        silent("LAG-L7", &[limit, ("links/l2/proposed/lag_size", "\"12GiB\"")]);
        silent("LAG-L7", &[limit, lag, ("elements/orders/proposed/cleanup_policy", "\"compact\"")]);
        silent("LAG-L7", &[lag]);
        silent("LAG-L7", &[limit]);
    }
}
