use crate::{
    analysis::formulas::recovery,
    model::{Id, Link, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A job may be away longer than what it reads is kept.
    ///
    /// # Why
    /// Retention is the longest outage that a reader survives, less the time to catch up. What is deleted before it is read is gone,
    /// whatever the engine guarantees.
    ///
    /// # Example
    /// A mirror that pauses for 14 h reads a log that keeps 12 h: two hours are missing.
    ///
    /// # What to do
    /// Keep records longer than the longest outage and the time to catch up, or shorten the outage.
    CHK_06 "CHK-06" Error "Away longer than the log keeps"
    why "what is deleted before it is read is gone"
    sources ["Apache Kafka documentation, Topic Configs: retention.ms, retention.bytes", "Apache Druid documentation, Kafka ingestion: offsets that are no longer available"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let job = context.job_of(&link.to)?;
        let away = context.away(job)?.secs();
        let (kept, from) = context.kept(id, &link.from)?;
        let back = context.needs_back(id, job, away);
        (recovery::loses_on_restart(back, kept) && context.loss_matters(id)).then(|| {
            let and = if back > away { format!(" and then needs what is up to {} old", human::at_most(back)) } else { String::new() };
            let gone = if back > kept { format!("{} are", human::at_least(back - kept)) } else { "the oldest records are".to_owned() };
            let message = format!(
                "{} may be away for {}{and}, {} keeps {}{from}: {gone} gone by then",
                context.title(job),
                human::seconds(away),
                context.title(&link.from),
                human::at_least(kept),
            );
            rule.finding(&[id, job], message, "keep records longer than the longest outage and the time to catch up")
        })
    };
    context.links().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_outage_longer_than_the_log_keeps_is_found() {
        let message = fires("CHK-06", &[("elements/loader/proposed/longest_outage", "\"8d\"")]).message;
        assert_eq!(message, "loader may be away for 8 d, totals keeps 7 d: 24 h are gone by then");
        let message = fires("CHK-06", &[("elements/loader/proposed/longest_outage", "\"7d\"")]).message;
        assert_eq!(message, "loader may be away for 7 d, totals keeps 7 d: the oldest records are gone by then");
        silent("CHK-06", &[("elements/loader/proposed/longest_outage", "\"6d\"")]);
        silent("CHK-06", &[]);
    }

    /// 6 d 23 h away, 65 s and three failed checkpoints of 10 min read again, 2 h behind before: 7 d 1 h 31 min of 7 d.
    #[test]
    fn what_is_read_again_and_what_was_behind_count() {
        let away = ("elements/revenue/proposed/longest_outage", "\"167h\"");
        silent("CHK-06", &[away]);
        let message = fires("CHK-06", &[away, ("links/l2/proposed/lag_time", "\"2h\"")]).message;
        let expected = "revenue may be away for 6 d 23 h and then needs what is up to 7 d 2 h old, orders keeps 7 d: 1 h 31 min are gone by then";
        assert_eq!(message, expected);
    }

    /// Whoever comes back to a compacted log finds the newest record of each key, however late.
    #[test]
    fn a_compacted_log_keeps_its_newest_records() {
        let away = ("elements/loader/proposed/longest_outage", "\"8d\"");
        let policy = |policy| [away, ("elements/totals/proposed/min_compaction_lag", "\"0s\""), ("elements/totals/proposed/cleanup_policy", policy)];
        silent("CHK-06", &policy("\"compact\""));
        silent("OFF-03", &policy("\"compact\""));
        // Deletion takes it after 7 d, the compaction lag only what was written over.
        let message = fires("CHK-06", &policy("\"compact_delete\"")).message;
        assert_eq!(message, "loader may be away for 8 d, totals keeps 7 d: 24 h are gone by then");
        let mut shorter = policy("\"compact_delete\"");
        shorter[0].1 = "\"6d\"";
        for rule in ["CHK-06", "OFF-03", "RET-11"] {
            silent(rule, &shorter);
        }
    }

    /// Pulsar keeps what a subscription has not acknowledged, whatever it keeps after that; a backlog of a reader's own counts.
    #[test]
    fn what_was_not_acknowledged_is_kept_for_its_reader() {
        let away = ("elements/loader/proposed/longest_outage", "\"8d\"");
        let pulsar = [away, ("elements/totals/system", "\"pulsar\""), ("elements/totals/proposed/retention_time", "\"none\"")];
        for rule in ["CHK-06", "OFF-03", "RET-11"] {
            silent(rule, &pulsar);
        }
        let backlog = ("links/l5/proposed/retention_time", "\"7d\"");
        let message = fires("CHK-06", &[pulsar[0], pulsar[1], pulsar[2], backlog]).message;
        assert_eq!(message, "loader may be away for 8 d, totals keeps 7 d: 24 h are gone by then");
    }

    /// 6 d away. 17.28 M records at 100 /s are two more days; of 7 d, records that come two days late have 5 d.
    #[test]
    fn records_behind_and_records_that_came_late_count() {
        let away = ("elements/revenue/proposed/longest_outage", "\"6d\"");
        silent("CHK-06", &[away]);
        fires("CHK-06", &[away, ("links/l2/proposed/lag", "17280000")]);
        let late = ("elements/totals/proposed/append_delay", r#"{"max":"2d"}"#);
        let message = fires("CHK-06", &[("elements/loader/proposed/longest_outage", "\"6d\""), late]).message;
        assert_eq!(message, "loader may be away for 6 d, totals keeps 5 d from the append on: 24 h are gone by then");
    }
}
