use crate::{
    model::{Id, Known, Link, key, units::{Limit, human}, words::Capture},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// A database keeps its change log for less than its reader may be away, or without any bound.
    ///
    /// # Why
    /// A change capture goes on where it stopped only while that place is in the log. A replication slot keeps it, and fills the disk
    /// of the database meanwhile; a log that is cut by time or size leaves a gap, and only a new snapshot brings the rows, not the
    /// changes between. The place itself moves only with changes that are captured: without a heartbeat it stands still while the
    /// captured tables are quiet, and whatever else is written to the log pushes it towards the end.
    ///
    /// # Example
    /// A binary log of one day and a maintenance window of two; or 20 MB/s of write-ahead log held by a slot for two days: 3.5 TB.
    ///
    /// # What to do
    /// Keep the log longer than the longest planned pause; switch a heartbeat on; bound what a slot may hold below the free disk, and watch it.
    RET_12 "RET-12" Error "Away longer than the change log"
    why "changes are missing after the pause, or the database runs out of disk"
    sources ["PostgreSQL documentation, Replication: max_slot_wal_keep_size", "MySQL Reference Manual: binlog_expire_logs_seconds", "Debezium documentation, PostgreSQL connector: WAL disk space consumption"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::take::CAPTURE)? != Capture::ChangeLog {
            return None;
        }
        let job = context.job_of(&link.to)?;
        // The position of a log moves with what is read: without a heartbeat it stands still while nothing changes.
        let stands = match context.known(id, key::take::HEARTBEAT) {
            Known::Value(fact) if matches!(fact.value, Limit::Of(_)) => fact.value.bound(),
            // Of connectors read as not set it is off (Debezium documentation: heartbeat.interval.ms, 0).
            Known::Unset(_) if !context.runs(&link.to, "kafka_connect") => None,
            Known::Value(_) | Known::Unset(_) => context.get(&link.from, key::source::LONGEST_SILENCE).and_then(|silence| silence.max()).and_then(Limit::bound),
            _ => None,
        };
        let stands = stands.map_or(0.0, |stands| stands.secs());
        let away = context.away(job)?.secs();
        let back = away + stands;
        let report = context.source_report(&link.from)?;
        let (source, name) = (context.title(&link.from), context.title(job));
        if let Ok(longest) = report.longest.as_ref() && !longest.unbounded() {
            let kept = longest.value;
            return (back >= kept && context.loss_matters(id)).then(|| {
                let after = if stands > 0.0 { format!(", up to {} after its position last moved", human::at_most(stands)) } else { String::new() };
                let most = if report.reach.is_ok() { "" } else { " at most" };
                let message = format!("{name} may be away for {}{after}, the change log of {source} goes back {}{most}", human::seconds(away), human::at_least(kept));
                rule.finding(&[id, job], message, "keep the change log longer than the longest pause")
            });
        }
        let endless = report.reach.as_ref().is_ok_and(|reach| reach.unbounded());
        let rate = context.get(&link.from, key::source::LOG_RATE).and_then(|rate| rate.max()).map(|rate| rate.bytes());
        // With a rate the amount can be told; whether it fits is for those who know the disk.
        let held = back * rate.filter(|_| endless)?;
        let message = format!("{source} holds {} of log while {name} is away for {}, without a bound", human::bytes(held), human::seconds(away));
        Some(Finding { severity: Severity::Note, ..rule.finding(&[id, job], message, "check the free disk, bound what is held, and watch it") })
    };
    context.links_with(key::take::CAPTURE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::*;

    const CAPTURE: [(&str, &str); 7] = [
        ("elements/shop/system", "\"postgres\""),
        ("elements/cdc", r#"{"kind":"job","system":"kafka_connect","proposed":{"longest_outage":"2d"}}"#),
        ("elements/read", r#"{"kind":"operator","job":"cdc","step":"copy"}"#),
        ("links/l1", "null"),
        ("links/l20", r#"{"from":"shop","to":"read","proposed":{"capture":"change_log"}}"#),
        ("links/l21", r#"{"from":"read","to":"orders"}"#),
        ("elements/shop/proposed/log_rate", "\"20MB/s\""),
    ];

    fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
        [&CAPTURE[..], more].concat()
    }

    /// 20 MB/s for 2 d are 3.456 TB; 1 TB are 50 000 s, 13 h 53 min.
    #[test]
    fn a_log_shorter_than_the_pause_is_found() {
        let message = fires("RET-12", &with(&[("elements/shop/proposed/log_reach", "\"1d\"")])).message;
        assert_eq!(message, "cdc may be away for 2 d, the change log of shop goes back 24 h at most", "no size is read");
        let unlimited = ("elements/shop/proposed/log_reach_size", "\"unlimited\"");
        let message = fires("RET-12", &with(&[("elements/shop/proposed/log_reach", "\"1d\""), unlimited])).message;
        assert_eq!(message, "cdc may be away for 2 d, the change log of shop goes back 24 h");
        let size = ("elements/shop/proposed/log_reach_size", "\"1TB\"");
        assert!(fires("RET-12", &with(&[size])).message.ends_with("goes back 13 h 53 min at most"), "no time is read");
        let old = ("elements/shop/proposed/version", "\"17\"");
        assert!(fires("RET-12", &with(&[size, old])).message.ends_with("goes back 13 h 53 min"), "before 18 there is none");
        silent("RET-12", &with(&[("elements/shop/proposed/log_reach", "\"3d\"")]));
        silent("RET-12", &with(&[]));
    }

    /// Two days away, and a day without a change before: three days of a log of two and a half.
    #[test]
    fn a_position_that_stands_still_between_changes_is_counted() {
        let log = ("elements/shop/proposed/log_reach", "\"60h\"");
        let quiet = ("elements/shop/proposed/longest_silence", "\"1d\"");
        let heartbeat = |text| ("links/l20/proposed/heartbeat", text);
        silent("RET-12", &with(&[log, quiet]));
        let message = fires("RET-12", &with(&[log, quiet, heartbeat("\"none\"")])).message;
        assert_eq!(message, "cdc may be away for 2 d, up to 24 h after its position last moved, the change log of shop goes back 2 d 12 h at most");
        fires("RET-12", &with(&[log, quiet, heartbeat("\"unset\"")]));
        silent("RET-12", &with(&[log, quiet, heartbeat("\"10s\"")]));
    }

    /// An oplog of 1 TB holds 50 000 s, 13 h 53 min, and a minimum of 3 d keeps it longer; of 12 h it does not.
    #[test]
    fn an_oplog_goes_back_as_far_as_the_longer_of_its_limits() {
        let mongo = ("elements/shop/system", "\"mongodb\"");
        let size = ("elements/shop/proposed/log_reach_size", "\"1TB\"");
        let least = |text: &'static str| ("elements/shop/proposed/log_reach", text);
        assert!(fires("RET-12", &with(&[mongo, size, least("\"12h\"")])).message.ends_with("goes back 13 h 53 min"));
        silent("RET-12", &with(&[mongo, size, least("\"3d\"")]));
        silent("RET-12", &with(&[mongo, size]));
    }

    #[test]
    fn a_slot_without_a_bound_is_named_with_what_it_holds() {
        let endless = ("elements/shop/proposed/log_reach_size", "\"unlimited\"");
        let old = ("elements/shop/proposed/version", "\"17\"");
        silent("RET-12", &with(&[endless]));
        let finding = fires("RET-12", &with(&[endless, old]));
        assert_eq!((finding.severity, finding.message.contains("3.46 TB")), (Severity::Note, true), "{}", finding.message);
        silent("RET-12", &with(&[endless, old, ("elements/shop/proposed/log_rate", "null")]));
    }
}
