use crate::{
    analysis::formulas::log,
    model::{ElementKind, Id, Input, Known, Link, key, units::Duration, words::{CleanupPolicy, Deletes}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A reader of a compacted channel may be behind for longer than the channel keeps deletions.
    ///
    /// # Why
    /// A deletion is a record without a value. Once a cleaning has seen it, it stays for `delete.retention.ms`; a later cleaning takes
    /// it away. A reader that comes after that saw the old value before and never sees that it is gone.
    ///
    /// # Example
    /// A table in a database, fed from a compacted topic that keeps deletions for a day. The loader stands still for three days: rows
    /// that were deleted meanwhile stay for ever.
    ///
    /// # What to do
    /// Keep deletions longer than any pause, lag or rebuild of a reader; or build the table anew after one.
    RET_09 "RET-09" Warning "Deletions can be gone before they are read"
    why "the reader keeps for ever what was deleted while it was behind"
    sources ["Apache Kafka documentation, Topic Configs: delete.retention.ms", "Apache Kafka documentation, Design: Log Compaction"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(&link.from, key::channel::CLEANUP_POLICY)? == CleanupPolicy::Delete {
            return None;
        }
        let job = context.job_of(&link.to)?;
        let kept = kept(context, &link.from).filter(|_| applies(context, job, link))?;
        let lag = context.get(id, key::read::LAG_TIME).and_then(|lag| lag.max());
        let (behind, how) = match (context.away(job), lag) {
            (Some(away), lag) if lag.is_none_or(|lag| lag <= away) => (away, "may be away for"),
            (_, lag) => (lag?, "is behind by"),
        };
        (!log::sees_deletions(behind.secs(), kept.secs())).then(|| {
            let message = format!(
                "{} {how} {}, {} keeps deletions for {}: some can be missed",
                context.title(job), behind.spoken(), context.title(&link.from), kept.spoken()
            );
            let longer = Duration::from_millis(behind.millis().saturating_mul(2));
            let fix = propose(&format!("Propose to keep deletions for {}", longer.spoken()), &link.from, key::channel::TOMBSTONE_RETENTION, longer);
            rule.finding(&[id, job], message, "keep deletions longer than any pause, or build the table anew after one").fixed_by(Some(fix))
        })
    };
    context.links_from(ElementKind::Channel).filter_map(one).collect()
}

/// How long a deletion stays: as set, or the documented day where it was read as not set.
fn kept(context: &Context<'_>, channel: &Id) -> Option<Duration> {
    match context.known(channel, key::channel::TOMBSTONE_RETENTION) {
        Known::Value(fact) => Some(fact.value),
        Known::Unset(_) => context.runs(channel, "kafka").then_some(Duration::from_secs(86_400)),
        _ => None,
    }
}

/// Do deletions mean anything to this reader? It keeps a table, or deletes in a store.
fn applies(context: &Context<'_>, job: &Id, link: &Link) -> bool {
    let deletes = |operator: &Id| context.from(operator).any(|(id, _)| context.get(id, key::store::DELETES) == Some(Deletes::Applied));
    matches!(link.into, Some(Input::Table | Input::Lookup)) || context.operators_of(job).any(deletes)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const TABLE: [(&str, &str); 4] = [
        ("elements/totals/proposed/cleanup_policy", "\"compact\""),
        ("elements/totals/proposed/tombstone_retention", "\"1d\""),
        ("links/l6/proposed/deletes", "\"applied\""),
        ("elements/loader/proposed/longest_outage", "\"3d\""),
    ];

    #[test]
    fn a_pause_longer_than_deletions_stay_is_found() {
        let message = fires("RET-09", &TABLE).message;
        assert_eq!(message, "loader may be away for 3 d, totals keeps deletions for 24 h: some can be missed");
        mends("RET-09", &TABLE);
        fires("RET-09", &[&TABLE[..], &[("elements/totals/proposed/tombstone_retention", "\"unset\"")]].concat());
        for calm in [
            ("elements/totals/proposed/tombstone_retention", "\"4d\""),
            ("elements/totals/proposed/tombstone_retention", "null"),
            ("links/l6/proposed/deletes", "\"ignored\""),
            ("elements/totals/proposed/cleanup_policy", "\"delete\""),
            ("elements/loader/proposed/longest_outage", "null"),
        ] {
            silent("RET-09", &[&TABLE[..], &[calm]].concat());
        }
    }

    #[test]
    fn a_lag_longer_than_deletions_stay_is_found() {
        let lag = [TABLE[0], TABLE[1], TABLE[2], ("links/l5/proposed/lag_time", "\"25h\"")];
        assert_eq!(fires("RET-09", &lag).message, "loader is behind by 25 h, totals keeps deletions for 24 h: some can be missed");
    }
}
