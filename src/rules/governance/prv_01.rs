use crate::{
    catalog::Limits,
    model::{ElementKind, Id, key, units::Limit, words::{CleanupPolicy, ErasureBy}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Personal events that must be erased on request lie in a log that never deletes.
    ///
    /// # Why
    /// A log deletes from its end, not by key. Without a retention, without compaction by the person's key, and without a key of
    /// encryption that can be destroyed, nothing of a person ever goes away: not here, and not in what reads it again from the start.
    ///
    /// # Example
    /// Sign-ups with name and address in a log with infinite retention and a tier on object storage, kept so that everything can be
    /// replayed.
    ///
    /// # What to do
    /// A retention as short as the duty allows, tombstones by a key that is not personal itself, or encryption with a key per person.
    PRV_01 "PRV-01" Error "What must be erased is never deleted"
    why "a person can ask for erasure, and the log cannot do it"
    sources ["Regulation (EU) 2016/679, Article 17", "Apache Kafka documentation, Design: Log Compaction", "Apache Pulsar documentation, Message retention and expiry"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |id: &Id, event: &Id| {
        let by_key = context.get(event, key::event::ERASURE_BY) == Some(ErasureBy::KeyDestruction);
        if context.get(event, key::event::ERASURE_REQUIRED)? && !by_key {
            let until = if size_read(context, id) { "keeps it for ever: it is never erased" } else { "keeps it without an end by time, and whether its size ends it is not read" };
            let message = format!("{} must be erased on request, and {} {until}", context.title(event), context.title(id));
            return Some(rule.finding(&[id, event], message, "a retention, tombstones by key, or one encryption key per person that can be destroyed"));
        }
        None
    };
    let kept = context.elements(ElementKind::Channel).map(|(id, _)| id).filter(|id| for_ever(context, id));
    kept.flat_map(|id| context.events_at(id).iter().filter_map(move |event| one(id, event))).collect()
}

/// Is it known that no size ends it?
fn size_read(context: &Context<'_>, id: &Id) -> bool {
    let version = context.get(id, key::channel::VERSION);
    let limits = context.entry(id).and_then(|entry| entry.channel).map_or(Limits::BOTH, |channel| channel.limits);
    context.get(id, key::channel::RETENTION_SIZE).is_some() || !limits.by_size(version.as_deref())
}

/// Neither time nor size nor a newer record of the key ever deletes anything.
fn for_ever(context: &Context<'_>, id: &Id) -> bool {
    let compacted = context.get(id, key::channel::CLEANUP_POLICY).is_some_and(|policy| policy != CleanupPolicy::Delete);
    let time = context.get(id, key::channel::RETENTION_TIME) == Some(Limit::Unlimited);
    let size = matches!(context.get(id, key::channel::RETENTION_SIZE), Some(Limit::Of(_)));
    time && !size && !compacted
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const ERASED: (&str, &str) = ("events/order/proposed/erasure_required", "true");

    #[test]
    fn a_log_that_never_deletes_is_found() {
        let for_ever = ("elements/orders/proposed/retention_time", "\"unlimited\"");
        let message = fires("PRV-01", &[ERASED, for_ever]).message;
        assert_eq!(message, "order must be erased on request, and orders keeps it for ever: it is never erased");
        let unread = ("elements/orders/proposed/retention_size", "null");
        let message = fires("PRV-01", &[ERASED, for_ever, unread]).message;
        assert!(message.ends_with("keeps it without an end by time, and whether its size ends it is not read"), "{message}");
        silent("PRV-01", &[ERASED, for_ever, ("events/order/proposed/erasure_by", "\"key_destruction\"")]);
        silent("PRV-01", &[ERASED]);
        silent("PRV-01", &[for_ever]);
    }
}
