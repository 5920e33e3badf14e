use crate::{
    model::{ElementKind, Id, Known, key, units::{Duration, Limit}, words::{CleanupPolicy, ErasureBy}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Events that must be erased on request lie in a compacted channel, and nothing says by when the cleaner has been there.
    ///
    /// # Why
    /// A tombstone erases nothing by itself: the older record goes when the cleaner rewrites its segment. Without
    /// `max.compaction.lag.ms`, whose default is for ever, a quiet partition may wait for that without limit, for the cleaner starts
    /// only where enough of the log is new; the segment that is being written to is never cleaned, so that a partition nobody writes
    /// to any more keeps it for ever even with a limit. And without tombstones compaction keeps the last record of every key for good: it does not
    /// look at the retention time.
    ///
    /// # Example
    /// A customer asks for erasure, the tombstone is sent, and a month later the address can still be read from the start of the topic.
    ///
    /// # What to do
    /// Tombstones, and a maximum compaction lag below the time that the duty allows; or one encryption key per person that can be
    /// destroyed.
    PRV_02 "PRV-02" Error "Nothing says when a compacted record is gone"
    why "a person can ask for erasure, and the record may stay without limit"
    sources ["KIP-354: Add a Maximum Log Compaction Lag", "Apache Kafka documentation, Topic Configs: max.compaction.lag.ms, delete.retention.ms", "Regulation (EU) 2016/679, Article 17"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |id: &Id, event: &Id| {
        if !context.get(event, key::event::ERASURE_REQUIRED)? {
            return None;
        }
        let by = context.get(event, key::event::ERASURE_BY);
        let (what, fix) = match by {
            Some(ErasureBy::KeyDestruction) => return None,
            Some(ErasureBy::Retention) if context.get(id, key::channel::CLEANUP_POLICY) == Some(CleanupPolicy::CompactDelete) => return None,
            Some(ErasureBy::Retention) => ("is to be erased by retention, which a compacted channel does not apply".to_owned(), None),
            Some(ErasureBy::Tombstone) | None if unlimited(context, id) => {
                let within = match context.get(event, key::event::MAX_RETENTION) {
                    Some(Limit::Of(within)) => within,
                    _ => Duration::from_secs(7 * 24 * 3600),
                };
                let fix = propose(&format!("Propose compaction within {}", within.spoken()), id, key::channel::MAX_COMPACTION_LAG, Limit::Of(within));
                ("must be erased on request, and compaction may take any time".to_owned(), Some(fix))
            }
            _ => return None,
        };
        let message = format!("{} in {} {what}", context.title(event), context.title(id));
        Some(rule.finding(&[id, event], message, "tombstones and a maximum compaction lag, or a key per person that can be destroyed").fixed_by(fix))
    };
    // A retention on top of compaction bounds nothing: a merged segment carries the newest time in it.
    let compacted = context.elements(ElementKind::Channel).map(|(id, _)| id).filter(|id| {
        context.get(id, key::channel::CLEANUP_POLICY).is_some_and(|policy| policy != CleanupPolicy::Delete)
    });
    compacted.flat_map(|id| context.events_at(id).iter().filter_map(move |event| one(id, event))).collect()
}

/// No limit, as set, or read as not set (KIP-354: the default is none).
fn unlimited(context: &Context<'_>, id: &Id) -> bool {
    match context.known(id, key::channel::MAX_COMPACTION_LAG) {
        Known::Value(fact) => fact.value == Limit::Unlimited,
        Known::Unset(_) => context.runs(id, "kafka"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const DUTY: (&str, &str) = ("events/order/proposed/erasure_required", "true");
    const COMPACT: (&str, &str) = ("elements/orders/proposed/cleanup_policy", "\"compact\"");
    const NO_END: (&str, &str) = ("elements/orders/proposed/max_compaction_lag", "\"unlimited\"");
    const TOMBSTONE: (&str, &str) = ("events/order/proposed/erasure_by", "\"tombstone\"");

    #[test]
    fn a_compaction_without_an_end_is_found() {
        let finding = fires("PRV-02", &[DUTY, COMPACT, NO_END, TOMBSTONE]);
        assert_eq!(finding.message, "order in orders must be erased on request, and compaction may take any time");
        mends("PRV-02", &[DUTY, COMPACT, NO_END, TOMBSTONE]);
        fires("PRV-02", &[DUTY, COMPACT, ("elements/orders/proposed/max_compaction_lag", "\"unset\"")]);
    }

    #[test]
    fn a_retention_on_top_of_compaction_bounds_nothing() {
        fires("PRV-02", &[DUTY, NO_END, TOMBSTONE, ("elements/orders/proposed/cleanup_policy", "\"compact_delete\"")]);
    }

    #[test]
    fn a_retention_that_is_not_applied_is_found() {
        fires("PRV-02", &[DUTY, COMPACT, ("events/order/proposed/erasure_by", "\"retention\"")]);
    }

    #[test]
    fn bounded_encrypted_and_deleting_channels_are_left_alone() {
        silent("PRV-02", &[DUTY, COMPACT, TOMBSTONE, ("elements/orders/proposed/max_compaction_lag", "\"7d\"")]);
        silent("PRV-02", &[DUTY, COMPACT, TOMBSTONE]);
        silent("PRV-02", &[DUTY, COMPACT, NO_END, ("events/order/proposed/erasure_by", "\"key_destruction\"")]);
        silent("PRV-02", &[COMPACT, NO_END, TOMBSTONE]);
        silent("PRV-02", &[DUTY, NO_END, TOMBSTONE]);
        silent("PRV-02", &[DUTY, TOMBSTONE, ("elements/orders/proposed/cleanup_policy", "\"compact_delete\""), ("elements/orders/proposed/max_compaction_lag", "\"7d\"")]);
    }
}
