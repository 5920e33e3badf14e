use crate::{
    analysis::formulas::log,
    model::{Columns, ElementKind, Id, Known, key, units::{Duration, Limit, human}, words::{CleanupPolicy, ErasureBy}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Events that must be erased on request lie in a compacted channel, and nothing says by when the cleaner has been there, or it
    /// comes later than they may be kept.
    ///
    /// # Why
    /// A tombstone erases nothing by itself: the older record goes when the cleaner rewrites its segment. Without
    /// `max.compaction.lag.ms`, whose default is for ever, a quiet partition may wait for that without limit, for the cleaner starts
    /// only where enough of the log is new; the segment that is being written to is never cleaned, so that a partition nobody writes
    /// to any more keeps it for ever even with a limit; where one is written to, the longest pause between two records and the
    /// cleaner's own come on top, and for the key of a tombstone a second cleaning after `delete.retention.ms`. And without tombstones compaction keeps the last record of every key for good: it does not
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
            Some(ErasureBy::Tombstone) | None => (too_late(context, id, event)?, None),
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

/// What a tombstone names goes later than the event may be kept, or never.
fn too_late(context: &Context<'_>, id: &Id, event: &Id) -> Option<String> {
    let value = erased_within(context, id)?;
    if value.is_infinite() {
        return Some("must be erased on request, and a partition that nobody writes to any more is never cleaned".to_owned());
    }
    let Limit::Of(allowed) = context.get(event, key::event::MAX_RETENTION)? else { return None };
    let tombstone = context.get(id, key::channel::TOMBSTONE_RETENTION).filter(|_| personal_key(context, id, event));
    let key = tombstone.and_then(|kept| {
        let (lag, gap) = cleaned_after(context, id)?;
        Some(log::key_erased_within(lag, gap, kept.secs()))
    });
    let (what, longest) = key.map_or(("its value", value), |key| ("its key", key));
    (longest > allowed.secs()).then(|| {
        format!("must be erased within {}, and {what} can stay for {}", allowed.spoken(), human::at_most(longest))
    })
}

/// Longest time until a cleaning has taken what a tombstone names; without end where a partition can fall idle. `None` where
/// that hangs on what was not read.
pub(in crate::rules) fn erased_within(context: &Context<'_>, id: &Id) -> Option<f64> {
    let (lag, gap) = cleaned_after(context, id)?;
    Some(log::value_erased_within(lag, gap))
}

/// The maximum compaction lag, and the longest pause between two records of a partition, in seconds.
fn cleaned_after(context: &Context<'_>, id: &Id) -> Option<(f64, f64)> {
    let lag = context.get(id, key::channel::MAX_COMPACTION_LAG)?.bound()?.secs();
    let gap = context.get(id, key::channel::LONGEST_SILENCE)?.max()?;
    Some((lag, gap.bound().map_or(f64::INFINITY, Duration::secs)))
}

/// Does a column of the key say something about a person? The key of a link that writes here goes before that of the event.
pub(in crate::rules) fn personal_key(context: &Context<'_>, id: &Id, event: &Id) -> bool {
    let Some(fields) = context.get(event, key::event::PERSONAL_FIELDS) else { return false };
    let named = |key: &Columns| key.0.iter().any(|column| fields.0.contains(column));
    let own = context.get(event, key::event::KEY);
    let mut written = context.into(id).map(|(link, _)| context.get(link, key::write::KEY).or_else(|| own.clone())).peekable();
    if written.peek().is_none() {
        return own.as_ref().is_some_and(named);
    }
    written.flatten().any(|key| named(&key))
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

    /// A lag of 1 d, 1 min between two records and 15 s of the cleaner; the key of a tombstone twice that, and the day for which
    /// the tombstone stays: 3 d 2 min 30 s.
    #[test]
    fn a_cleaning_that_comes_too_late_or_never_is_found() {
        let day = ("elements/orders/proposed/max_compaction_lag", "\"1d\"");
        let within = |allowed: &'static str| ("events/order/proposed/max_retention", allowed);
        let finding = fires("PRV-02", &[DUTY, COMPACT, day, TOMBSTONE, within("\"1d\"")]);
        assert_eq!(finding.message, "order in orders must be erased within 24 h, and its value can stay for 24 h 2 min");
        silent("PRV-02", &[DUTY, COMPACT, day, TOMBSTONE, within("\"2d\"")]);
        let key = [
            ("elements/orders/proposed/tombstone_retention", "\"1d\""),
            ("events/order/proposed/personal_fields", "[\"email\"]"),
            ("links/l1/proposed/key", "[\"email\"]"),
        ];
        let finding = fires("PRV-02", &[DUTY, COMPACT, day, TOMBSTONE, within("\"3d\""), key[0], key[1], key[2]]);
        assert_eq!(finding.message, "order in orders must be erased within 3 d, and its key can stay for 3 d 1 h");
        silent("PRV-02", &[DUTY, COMPACT, day, TOMBSTONE, within("\"4d\""), key[0], key[1], key[2]]);
        let idle = ("elements/orders/proposed/longest_silence", "\"unlimited\"");
        let finding = fires("PRV-02", &[DUTY, COMPACT, day, TOMBSTONE, idle]);
        assert!(finding.message.ends_with("a partition that nobody writes to any more is never cleaned"), "{}", finding.message);
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
