use crate::{
    model::{ElementKind, Id, Subject, key, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Records may stay much longer than the retention that is set.
    ///
    /// # Why
    /// Whole segments are deleted, and a segment of a quiet partition closes late. For a replay that is luck, for an
    /// erasure it is a breach. With compaction on top there is no longest stay at all: cleaned segments are merged, and carry the
    /// newest time of all of them.
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
        let policy = context.get(id, key::channel::CLEANUP_POLICY)?;
        let time = context.get(id, key::channel::RETENTION_TIME)?.bound()?;
        let remedy = "shorten the segments where the longest stay matters";
        match policy {
            CleanupPolicy::Compact => return None,
            CleanupPolicy::CompactDelete => {
                let message = format!("{}: {} are set, and a key stays as long as others are written: cleaned segments carry the newest time", context.title(id), time.spoken());
                return Some(rule.finding(&[id], message, "tombstones by key where the longest stay matters"));
            }
            CleanupPolicy::Delete => {}
        }
        let report = context.channel_report(id)?;
        let (least, most) = (report.reach.as_ref().ok()?, report.longest.as_ref().ok()?);
        let time = time.secs();
        (!least.unbounded() && most.value > 1.5 * time.max(least.value)).then(|| {
            let message = format!("{}: at least {}, up to {}", context.title(id), least.text(), most.text());
            rule.finding(&[id], message, remedy)
        })
    };
    context.elements_with(ElementKind::Channel, key::channel::CLEANUP_POLICY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn long_segments_are_found() {
        fires("RET-04", &[("elements/orders/proposed/segment_time", "\"7d\""), ("elements/orders/proposed/segment_size", "\"1TB\"")]);
        fires("RET-04", &[("elements/orders/proposed/cleanup_policy", "\"compact_delete\"")]);
        silent("RET-04", &[]);
    }
}
