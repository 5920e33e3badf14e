use crate::{
    analysis::formulas::log,
    catalog::PositionIn,
    model::{Id, Link, key, units::{Duration, Limit}, words::{OffsetCommit, OffsetReset, RebalanceProtocol}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A reader is away longer than the broker keeps the position of an empty group.
    ///
    /// # Why
    /// In a classic group the clock runs from the moment the last member left, not from the last record: a quiet topic alone expires
    /// nothing. With `group.protocol=consumer`, and for readers that assign partitions themselves, it runs from the last commit of each
    /// partition. A group that comes back without a position starts where its reset says: at the beginning, through everything once
    /// more, or at the end, past everything that came meanwhile.
    ///
    /// # Example
    /// A load runs every three days; the broker keeps positions for one: each run reads the whole topic.
    ///
    /// # What to do
    /// Keep positions longer than the longest pause, and at least as long as the records.
    OFF_02 "OFF-02" Error "The position expires before the reader is back"
    why "it goes on at the beginning or at the end instead of where it stopped"
    sources ["Apache Kafka documentation, Broker Configs: offsets.retention.minutes", "KIP-211: Revise Expiration Semantics of Consumer Group Offsets", "Apache Kafka, ConsumerGroup: offsetExpirationCondition"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let kept = kept(context, id, &link.from)?;
        let job = context.job_of(&link.to)?;
        let guarantee = context.get(job, key::job::PROCESSING_GUARANTEE);
        let engine = context.engine(job).filter(|engine| !engine.own_positions)?;
        let mode = engine.mode(guarantee).or(engine.modes.first())?;
        let away = context.get(job, key::job::LONGEST_OUTAGE)?;
        let quiet = since_commit(context, id, link).unwrap_or(Duration::ZERO);
        let survives = log::position_survives(away.secs(), quiet.secs(), kept.secs());
        (mode.position != PositionIn::Checkpoint && !survives).then(|| {
            let then = match context.get(id, key::read::OFFSET_RESET) {
                Some(OffsetReset::Earliest) => "it reads everything that is kept again",
                Some(OffsetReset::Latest) => "it goes on at the end and skips what came meanwhile",
                Some(OffsetReset::Nothing) => "it stops",
                None => "where it goes on is not read",
            };
            let after = if quiet == Duration::ZERO { String::new() } else { format!(", up to {} after its last commit", quiet.spoken()) };
            let message = format!("{} is away for {}{after}, its position is kept for {}: {then}", context.title(job), away.spoken(), kept.spoken());
            rule.finding(&[id, job], message, "keep positions longer than the longest pause, and as long as the records")
        })
    };
    context.links().filter_map(one).collect()
}

/// How long before a stop a partition's last commit may lie, where positions count from it: not in a classic group, and not where
/// the client commits again every few seconds. A partition that never sent has no position.
pub(super) fn since_commit(context: &Context<'_>, read: &Id, link: &Link) -> Option<Duration> {
    let protocol = context.get(context.job_of(&link.to)?, key::job::REBALANCE_PROTOCOL)?;
    let own = matches!(protocol, RebalanceProtocol::Consumer | RebalanceProtocol::Nothing);
    let by_hand = context.get(read, key::read::OFFSET_COMMIT).is_some_and(|commit| !matches!(commit, OffsetCommit::Auto | OffsetCommit::Never));
    let silence = context.get(&link.from, key::channel::LONGEST_SILENCE)?.max()?;
    silence.bound().filter(|_| own && by_hand)
}

pub(super) fn kept(context: &Context<'_>, read: &Id, channel: &Id) -> Option<Duration> {
    match context.get(read, key::read::OFFSETS_RETENTION) {
        Some(Limit::Of(kept)) => Some(kept),
        Some(_) => None,
        None => context.get(context.subject(channel)?.cluster.as_ref()?, key::cluster::OFFSETS_RETENTION),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const AWAY: (&str, &str) = ("elements/loader/proposed/longest_outage", "\"3d\"");

    #[test]
    fn a_pause_longer_than_positions_are_kept_is_found() {
        let day = ("clusters/kafka/proposed/offsets_retention", "\"1d\"");
        assert!(fires("OFF-02", &[AWAY, day]).message.contains("is away for 3 d, its position is kept for 24 h: it reads everything"));
        silent("OFF-02", &[AWAY, ("clusters/kafka/proposed/offsets_retention", "\"7d\"")]);
        silent("OFF-02", &[AWAY, day, ("links/l5/proposed/offsets_retention", "\"unlimited\"")]);
        silent("OFF-02", &[day]);
        // Its positions are those that Connect stores in a topic that is compacted.
        silent("OFF-02", &[AWAY, day, ("elements/loader/system", "\"mirror_maker\"")]);
    }
}
