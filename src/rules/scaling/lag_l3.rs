use crate::{
    analysis::formulas::{checkpoint, latency},
    model::{ElementKind, Id, Link, Subject, key, units::human, words::ProcessingGuarantee},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// The lag of a group is taken for the lag of an engine that keeps its position elsewhere.
    ///
    /// # Why
    /// Flink keeps its position in checkpoints and commits it to the group only when one completes: the group shows a saw tooth of
    /// one period and one checkpoint while the job is at the head. Spark commits nothing to a group at all.
    ///
    /// # Example
    /// Checkpoints every five minutes and an alert at two: it wakes somebody every five minutes.
    ///
    /// # What to do
    /// Read the engine's own figures (Flink: pendingRecords, currentFetchEventTimeLag; Spark: the progress of the query), or alert
    /// well above one period.
    LAG_L3 "LAG-L3" Warning "The lag of a group that the engine does not use"
    why "the alert rings while all is well, or never"
    sources ["Apache Flink Kafka connector documentation, Kafka Source: Consumer Offset Committing and Monitoring", "Apache Spark documentation, Structured Streaming + Kafka Integration Guide"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let flink = |(id, _): (&Id, &Subject)| {
        let alert = context.get(id, key::job::LAG_ALERT)?;
        if !context.runs(id, "flink") || context.get(id, key::job::PROCESSING_GUARANTEE) == Some(ProcessingGuarantee::Nothing) {
            return None;
        }
        let interval = context.get(id, key::job::CHECKPOINT_INTERVAL)?;
        let taken = context.get(id, key::job::CHECKPOINT_DURATION).and_then(|taken| taken.max()).unwrap_or_default();
        let pause = context.get(id, key::job::CHECKPOINT_MIN_PAUSE).unwrap_or_default();
        let period = checkpoint::period(interval.secs(), taken.secs(), pause.secs());
        let least = latency::transaction(period, taken.secs());
        (alert.secs() < least).then(|| {
            let message = format!(
                "{} wakes somebody at {} of lag, and its group moves on only every {}: up to {} while it is at the head",
                context.title(id), alert.spoken(), human::seconds(period), human::at_most(least)
            );
            let twice = crate::model::units::Duration::from_secs(2 * least.ceil() as u64);
            let fix = propose(&format!("Propose an alert at {}", twice.spoken()), id, key::job::LAG_ALERT, twice);
            rule.finding(&[id], message, "read the engine's own figures, or alert well above one period").fixed_by(Some(fix))
        })
    };
    let spark = |(id, link): (&Id, &Link)| {
        let _ = context.get(id, key::read::COMMITTED_OFFSET)?;
        context.runs(&link.to, "spark").then(|| {
            let message = format!("a committed offset is read of {}, and Spark commits none: it is another reader's", context.title(id));
            rule.finding(&[id], message, "read the progress of the query instead")
        })
    };
    context
        .elements_with(ElementKind::Job, key::job::LAG_ALERT)
        .filter_map(flink)
        .chain(context.links_with(key::read::COMMITTED_OFFSET).filter_map(spark)).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// An interval of 60 s and a duration of 5 s: 65 s.
    #[test]
    fn an_alert_below_one_period_is_found() {
        let alert = ("elements/revenue/proposed/lag_alert", "\"30s\"");
        let message = fires("LAG-L3", &[alert]).message;
        assert_eq!(message, "revenue wakes somebody at 30 s of lag, and its group moves on only every 60 s: up to 65 s while it is at the head");
        mends("LAG-L3", &[alert]);
        silent("LAG-L3", &[("elements/revenue/proposed/lag_alert", "\"66s\"")]);
        silent("LAG-L3", &[("elements/loader/proposed/lag_alert", "\"30s\"")]);
    }

    #[test]
    fn an_offset_that_spark_never_commits_is_found() {
        let spark = [("elements/revenue/system", "\"spark\""), ("links/l2/proposed/committed_offset", "4711")];
        fires("LAG-L3", &spark);
        silent("LAG-L3", &spark[1..]);
    }
}
