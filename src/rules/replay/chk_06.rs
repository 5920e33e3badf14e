use crate::{
    model::{Id, Link, key, units::{Limit, human}},
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
        let backlog = match context.get(id, key::read::RETENTION_TIME) {
            Some(Limit::Of(kept)) => Some(kept.secs()),
            _ => None,
        };
        let reach = || Some(context.report.channels.get(&link.from)?.reach.as_ref().ok()?.value);
        let kept = backlog.or_else(reach)?;
        (away >= kept && context.loss_matters(id)).then(|| {
            let message = format!(
                "{} may be away for {}, {} keeps {}: {} are gone by then",
                context.title(job),
                human::seconds(away),
                context.title(&link.from),
                human::seconds(kept),
                human::seconds(away - kept)
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
        silent("CHK-06", &[("elements/loader/proposed/longest_outage", "\"6d\"")]);
        silent("CHK-06", &[]);
    }
}
