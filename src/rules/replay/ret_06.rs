use crate::{
    model::{ElementKind, Id, Input, Link, Subject, key, units::{Duration, Limit}, words::{CleanupPolicy, JoinKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A table is read from a channel that deletes what was not written for a while, and keys are quiet for longer.
    ///
    /// # Why
    /// With `compact,delete` the last record of a key counts by its age too. A key that is not written again within the retention
    /// is gone from the channel, and so from every table that is built from it anew.
    ///
    /// # Example
    /// Customer profiles with seven days of retention: who did not change a profile for a week has none after the next restart.
    ///
    /// # What to do
    /// Compact only, or write every key again well within the retention.
    RET_06 "RET-06" Error "Quiet keys leave the table"
    why "what is still valid is missing after the next rebuild of the table"
    sources ["Apache Kafka documentation, Topic Configs: cleanup.policy", "KIP-71: Enable log compaction and deletion to co-exist"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if context.get(id, key::channel::CLEANUP_POLICY)? != CleanupPolicy::CompactDelete {
            return None;
        }
        let Limit::Of(kept) = context.get(id, key::channel::RETENTION_TIME)? else { return None };
        let (reader, quiet) = context.from(id).find_map(|(_, link)| Some((&link.to, quiet(context, id, link)?)))?;
        (quiet > kept).then(|| {
            let message = format!(
                "{} deletes what was not written for {}, {} needs keys that are quiet for {}",
                context.title(id), kept.spoken(), context.title(reader), quiet.spoken()
            );
            rule.finding(&[id, reader], message, "compact only, or write every key again within the retention")
        })
    };
    context.elements_with(ElementKind::Channel, key::channel::CLEANUP_POLICY).filter_map(one).collect()
}

/// How long a key of a table may be quiet, where something says so: how long it lives, how long its partition was silent,
/// for how long the table is to keep it. A partition that never sent holds no key.
fn quiet(context: &Context<'_>, channel: &Id, link: &Link) -> Option<Duration> {
    if !fills_a_table(context, link) {
        return None;
    }
    let silence = context.get(channel, key::channel::LONGEST_SILENCE).and_then(|silence| silence.max()).and_then(Limit::bound);
    let kept = context.get(&link.to, key::operator::STATE_TTL).and_then(Limit::bound);
    context.get(&link.to, key::operator::KEY_LIFETIME).max(silence).max(kept)
}

/// Does what comes by this link become state that is built anew from the channel: a table, or the side of a join that is
/// kept without a time range?
fn fills_a_table(context: &Context<'_>, link: &Link) -> bool {
    match link.into {
        Some(Input::Table | Input::Lookup) => true,
        Some(Input::Right) => matches!(
            context.get(&link.to, key::operator::JOIN),
            Some(JoinKind::Table | JoinKind::GlobalTable | JoinKind::Temporal | JoinKind::ForeignKey | JoinKind::Regular)
        ),
        _ => context.get(&link.to, key::operator::JOIN).is_some_and(|join| matches!(join, JoinKind::ForeignKey | JoinKind::Regular)),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const TABLE: [(&str, &str); 3] = [
        ("elements/totals/proposed/cleanup_policy", "\"compact_delete\""),
        ("elements/rate", r#"{"kind":"operator","job":"revenue","step":"lookup","proposed":{"key_lifetime":"30d"}}"#),
        ("links/l12", r#"{"from":"totals","to":"rate","into":"table"}"#),
    ];

    #[test]
    fn keys_that_are_quiet_for_longer_are_found() {
        let message = fires("RET-06", &TABLE).message;
        assert_eq!(message, "totals deletes what was not written for 7 d, rate needs keys that are quiet for 30 d");
        let lifetime = ("elements/rate/proposed/key_lifetime", "\"1d\"");
        silent("RET-06", &[&TABLE[..], &[lifetime]].concat());
        fires("RET-06", &[&TABLE[..], &[lifetime, ("elements/totals/proposed/longest_silence", "\"8d\"")]].concat());
        silent("RET-06", &[&TABLE[..], &[("elements/totals/proposed/cleanup_policy", "\"compact\"")]].concat());
        silent("RET-06", &[&TABLE[..], &[("links/l12/into", "null")]].concat());
    }
    /// A side of a join that is kept without end, and a table that is to keep its keys for longer than the channel does.
    #[test]
    fn joins_and_long_lived_tables_are_found() {
        let join = |settings: &'static str, into: &'static str| [
            TABLE[0],
            ("elements/rate", settings),
            ("links/l12", into),
        ];
        let right = r#"{"from":"totals","to":"rate","into":"right"}"#;
        let table = r#"{"kind":"operator","job":"revenue","step":"join","proposed":{"join":"table","key_lifetime":"30d"}}"#;
        fires("RET-06", &join(table, right));
        fires("RET-06", &join(r#"{"kind":"operator","job":"revenue","step":"join","proposed":{"join":"regular","key_lifetime":"30d"}}"#, right));
        silent("RET-06", &join(r#"{"kind":"operator","job":"revenue","step":"join","proposed":{"join":"interval","key_lifetime":"30d"}}"#, right));
        let kept = r#"{"kind":"operator","job":"revenue","step":"lookup","proposed":{"state_ttl":"30d"}}"#;
        fires("RET-06", &join(kept, r#"{"from":"totals","to":"rate","into":"table"}"#));
    }
}
