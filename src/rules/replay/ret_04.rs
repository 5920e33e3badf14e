use crate::{
    model::{ElementKind, Id, Subject, key, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Records may stay much longer than the retention that is set.
    ///
    /// # Why
    /// Whole segments are deleted, and a segment of a quiet partition closes late. For a replay that is luck, for an
    /// erasure it is a breach.
    ///
    /// # Example
    /// One day of retention with segments of seven days: a record can be there for eight.
    ///
    /// # What to do
    /// Shorten `segment.ms` where the longest stay matters.
    RET_04 "RET-04" Warning "Records may stay much longer than set"
    why "deletion works by whole segments, so what is set is the least, not the most"
    sources ["Apache Kafka documentation, Topic Configs: segment.ms, retention.ms", "Apache Kafka, UnifiedLog: deletableSegments"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if context.get(id, key::channel::CLEANUP_POLICY)? == CleanupPolicy::Compact {
            return None;
        }
        let report = context.report.channels.get(id)?;
        let (least, most) = (report.reach.as_ref().ok()?, report.longest.as_ref().ok()?);
        let time = context.get(id, key::channel::RETENTION_TIME)?.bound()?.secs();
        (!least.unbounded() && most.value > 1.5 * time.max(least.value)).then(|| {
            let message = format!("{}: at least {}, up to {}", context.title(id), least.text(), most.text());
            rule.finding(&[id], message, "shorten the segments where the longest stay matters")
        })
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn long_segments_are_found() {
        fires("RET-04", &[("elements/orders/proposed/segment_time", "\"7d\""), ("elements/orders/proposed/segment_size", "\"1TB\"")]);
        silent("RET-04", &[]);
    }
}
