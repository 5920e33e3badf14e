use crate::{
    analysis::formulas::log,
    model::{ElementKind, Id, Link, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// In a group of the new protocol a partition is quiet for longer than positions are kept, and nobody commits meanwhile.
    ///
    /// # Why
    /// A classic group's positions expire from the moment its last member leaves. With `group.protocol=consumer`, and for readers
    /// that assign partitions themselves, each position counts from its own last commit. While members are there none expires; at the
    /// first stop those of the quiet partitions are gone at once. The Java client's automatic commit hides it: it commits every 5 s.
    ///
    /// # Example
    /// Positions are kept for seven days, a partition gets a record every ten: after a restart it starts at the end, past what came.
    ///
    /// # What to do
    /// Keep positions for longer than the longest silence and pause together, or commit again now and then without new records.
    OFF_04 "OFF-04" Warning "Quiet partitions lose their position at a stop"
    why "after any stop they go on at the beginning or at the end"
    sources ["KIP-848: The Next Generation of the Consumer Rebalance Protocol", "Apache Kafka, ConsumerGroup: offsetExpirationCondition"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let quiet = super::off_02::since_commit(context, id, link)?;
        let job = context.job_of(&link.to)?;
        let kept = super::off_02::kept(context, id, &link.from)?;
        // How long it may be away decides, where that is known.
        (context.get(job, key::job::LONGEST_OUTAGE).is_none() && !log::position_survives(0.0, quiet.secs(), kept.secs())).then(|| {
            let message = format!(
                "a partition of {} can be quiet for {}, and positions of {} count from their last commit for {}",
                context.title(&link.from), quiet.spoken(), context.title(job), kept.spoken()
            );
            rule.finding(&[id, job], message, "keep positions longer, or commit again without new records")
        })
    };
    context.links_from(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const QUIET: [(&str, &str); 4] = [
        ("elements/loader/system", "\"plain_consumer\""),
        ("elements/loader/proposed/rebalance_protocol", "\"consumer\""),
        ("elements/totals/proposed/longest_silence", "\"10d\""),
        ("clusters/kafka/proposed/offsets_retention", "\"7d\""),
    ];

    #[test]
    fn a_silence_longer_than_positions_are_kept_is_found() {
        let message = fires("OFF-04", &QUIET).message;
        assert_eq!(message, "a partition of totals can be quiet for 10 d, and positions of loader count from their last commit for 7 d");
        for calm in [
            ("elements/loader/proposed/rebalance_protocol", "\"cooperative\""),
            ("links/l5/proposed/offset_commit", "\"auto\""),
            ("elements/totals/proposed/longest_silence", "\"6d\""),
            ("elements/loader/proposed/longest_outage", "\"1h\""),
        ] {
            silent("OFF-04", &[&QUIET[..], &[calm]].concat());
        }
    }

    /// 6 d without a commit and 2 d away: more than 7 d.
    #[test]
    fn silence_and_pause_together_are_found() {
        let six = ("elements/totals/proposed/longest_silence", "\"6d\"");
        let away = ("elements/loader/proposed/longest_outage", "\"2d\"");
        let message = fires("OFF-02", &[QUIET[0], QUIET[1], six, QUIET[3], away]).message;
        assert!(message.starts_with("loader is away for 2 d, up to 6 d after its last commit, its position is kept for 7 d"), "{message}");
        silent("OFF-02", &[QUIET[0], six, QUIET[3], away]);
    }
}
