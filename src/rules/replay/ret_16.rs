use crate::{
    model::{ElementKind, Id, Subject, key, units::Limit, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A channel is only compacted, and a retention time or size is set on it.
    ///
    /// # Why
    /// `retention.ms` and `retention.bytes` belong to the policy delete. With compact alone the last record of each key stays for ever,
    /// whatever they say.
    ///
    /// # Example
    /// `cleanup.policy=compact` and `retention.ms=360000`: nothing is deleted after six minutes, or ever.
    ///
    /// # What to do
    /// Take the setting out, or add delete to the policy where old keys shall go.
    RET_16 "RET-16" Warning "A retention that does not apply"
    why "nothing is deleted by it"
    sources ["Apache Kafka documentation, Topic Configs: cleanup.policy, retention.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if context.get(id, key::channel::CLEANUP_POLICY)? != CleanupPolicy::Compact {
            return None;
        }
        let time = context.own(id, key::channel::RETENTION_TIME).and_then(|limit| match limit {
            Limit::Of(time) => Some(time.spoken()),
            _ => None,
        });
        let size = || match context.own(id, key::channel::RETENTION_SIZE)? {
            Limit::Of(size) => Some(size.spoken()),
            _ => None,
        };
        let set = time.or_else(size)?;
        let message = format!("{} is only compacted: its retention of {set} deletes nothing", context.title(id));
        Some(rule.finding(&[id], message, "take it out, or add delete to the policy"))
    };
    context.elements_with(ElementKind::Channel, key::channel::CLEANUP_POLICY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_retention_beside_compaction_is_found() {
        let compact = ("elements/late/proposed/cleanup_policy", "\"compact\"");
        assert_eq!(fires("RET-16", &[compact]).message, "late is only compacted: its retention of 14 d deletes nothing");
        silent("RET-16", &[compact, ("elements/late/proposed/retention_time", "\"unlimited\"")]);
        silent("RET-16", &[("elements/late/proposed/cleanup_policy", "\"compact_delete\"")]);
    }
}
