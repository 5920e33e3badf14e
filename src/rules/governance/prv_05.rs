use crate::{
    model::{ElementKind, Id, Subject, key, units::Limit, words::{Classification, CleanupPolicy, ErasureBy}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Personal events shall be deleted by the retention of a channel that is compacted too.
    ///
    /// # Why
    /// The cleaner merges small segments into one, and the merged segment carries the newest time of all of them. Retention looks at
    /// that time only: as long as some keys are written, a key that was written once stays with them, for many retentions.
    ///
    /// # Example
    /// `cleanup.policy=compact,delete` with 24 h: a customer who never came back is still readable after twelve days.
    ///
    /// # What to do
    /// A tombstone for each key with a maximum compaction lag, one encryption key per person that can be destroyed, or delete alone.
    PRV_05 "PRV-05" Error "Retention does not bound compacted data"
    why "personal data stays for as long as other keys are written"
    sources ["Apache Kafka, LogCleaner: groupSegmentsBySize, cleanSegments", "KIP-71: Enable log compaction and deletion to co-exist", "Regulation (EU) 2016/679, Article 5"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let both = |(id, _): &(&Id, &Subject)| context.get(id, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::CompactDelete);
    let one = |id: &Id, event: &Id| {
        let Limit::Of(kept) = context.get(id, key::channel::RETENTION_TIME)? else { return None };
        let class = context.get(event, key::event::CLASSIFICATION);
        let personal = matches!(class, Some(Classification::Personal | Classification::Health | Classification::Cardholder))
            || context.get(event, key::event::PERSONAL_FIELDS).is_some_and(|fields| !fields.0.is_empty());
        // With tombstones the compaction lag bounds it, without erasure by retention nobody relies on it.
        let relied = match context.get(event, key::event::ERASURE_BY) {
            Some(ErasureBy::Retention) => true,
            Some(ErasureBy::Tombstone | ErasureBy::KeyDestruction) => false,
            None => matches!(context.get(event, key::event::MAX_RETENTION), Some(Limit::Of(_))),
        };
        (personal && relied).then(|| {
            let message = format!(
                "{} in {} shall go after {}; with compaction a key stays as long as others are written",
                context.title(event), context.title(id), kept.spoken()
            );
            rule.finding(&[id, event], message, "tombstones and a maximum compaction lag, a key per person that can be destroyed, or delete alone")
        })
    };
    let channels = context.elements(ElementKind::Channel).filter(both);
    channels.flat_map(|(id, _)| context.events_at(id).iter().filter_map(move |event| one(id, event))).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const PERSONAL: [(&str, &str); 3] = [
        ("elements/orders/proposed/cleanup_policy", "\"compact_delete\""),
        ("events/order/proposed/classification", "\"personal\""),
        ("events/order/proposed/max_retention", "\"30d\""),
    ];

    #[test]
    fn retention_of_a_compacted_channel_is_found() {
        let message = fires("PRV-05", &PERSONAL).message;
        assert_eq!(message, "order in orders shall go after 7 d; with compaction a key stays as long as others are written");
        fires("PRV-05", &[PERSONAL[0], PERSONAL[1], ("events/order/proposed/erasure_by", "\"retention\"")]);
        silent("PRV-05", &PERSONAL[1..]);
        silent("PRV-05", &PERSONAL[..2]);
        silent("PRV-05", &[PERSONAL[0], PERSONAL[2]]);
        silent("PRV-05", &[PERSONAL[0], PERSONAL[1], PERSONAL[2], ("events/order/proposed/erasure_by", "\"tombstone\"")]);
    }
}
