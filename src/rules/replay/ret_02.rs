use crate::{
    model::{ElementKind, Id, Subject, Value, key, units::{Limit, Size, human}, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Bytes bind before time: the channel keeps less long than its retention time says.
    ///
    /// # Why
    /// `retention.bytes` is per partition, and the fullest partition decides what a reader can count on.
    ///
    /// # Example
    /// Seven days or 50 GiB: at 2 MB/s the fullest partition keeps its last 50 GiB, seven and a half hours.
    ///
    /// # What to do
    /// Raise the bytes to what the time needs, or say the shorter time.
    RET_02 "RET-02" Warning "Bytes bind, not time"
    why "a reader can count on less than the retention time says"
    sources ["Apache Kafka documentation, Topic Configs: retention.bytes applies per partition", "Apache Kafka, UnifiedLog: deleteRetentionSizeBreachedSegments"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        // A log that is only compacted deletes by neither: that its limits do nothing is found as such.
        if context.get(id, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::Compact) {
            return None;
        }
        let size = context.get(id, key::channel::RETENTION_SIZE)?.bound()?;
        let kept = size.bytes() as f64;
        let rate = context.get(id, key::channel::DISK_RATE)?.max()?.bytes();
        let limit = context.get(id, key::channel::RETENTION_TIME)?;
        let by_size = kept / rate;
        let time = limit.bound().map_or(f64::INFINITY, |time| time.secs());
        if rate <= 0.0 || by_size >= time {
            return None;
        }
        let message = format!(
            "{} keeps {} in its fullest partition, not {}: {} at {}/s",
            context.title(id),
            human::at_least(by_size),
            Value::Limit(limit).spoken(),
            size.spoken(),
            human::bytes(rate)
        );
        let fix = Size::to_hold(time * rate).map(|size| {
            propose(&format!("Propose {} per partition", size.spoken()), id, key::channel::RETENTION_SIZE, Limit::Of(size))
        });
        Some(rule.finding(&[id], message, "raise the bytes to what the time needs").fixed_by(fix))
    };
    context.elements_with(ElementKind::Channel, key::channel::RETENTION_SIZE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn bytes_that_bind_are_found() {
        // 40 kB/s for 7 d are 24.19 GB, 22.5 GiB.
        let small = ("elements/orders/proposed/retention_size", "\"1GiB\"");
        let finding = fires("RET-02", &[small]);
        assert_eq!(finding.fix.as_ref().map(|fix| fix.label.as_str()), Some("Propose 23 GiB per partition"));
        mends("RET-02", &[small]);
        silent("RET-02", &[("elements/orders/proposed/retention_size", "\"23GiB\"")]);
        silent("RET-02", &[small, ("elements/orders/proposed/disk_rate", "null")]);
        // A log that is only compacted deletes nothing by its bytes.
        let compacted = ("elements/orders/proposed/cleanup_policy", "\"compact\"");
        silent("RET-02", &[small, compacted]);
        fires("RET-16", &[small, compacted]);
    }
}
