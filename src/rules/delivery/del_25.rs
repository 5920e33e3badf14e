use crate::{
    model::{Id, Link, key, words::{Client, CloseCommits, OffsetCommit, Processing}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A consumer commits automatically, and closing it after an error commits what it had not worked off.
    ///
    /// # Why
    /// `close()` with automatic commits commits the position behind the last poll. Where an exception leaves the loop and `close()`
    /// stands in a `finally` or a try-with-resources, the rest of the batch counts as done.
    ///
    /// # Example
    /// 500 records are polled, the third one throws, the consumer is closed on the way out: 497 records are skipped at the restart.
    ///
    /// # What to do
    /// Commit what was handled, by hand; or seek back to the failed record before closing.
    DEL_25 "DEL-25" Error "Closing commits what was not done"
    why "after an error the rest of the batch is skipped"
    sources ["Apache Kafka Javadoc, KafkaConsumer: close, Automatic Offset Committing"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let polled = context.get(id, key::read::CLOSE_COMMITS)? == CloseCommits::Polled
            && context.get(id, key::read::OFFSET_COMMIT) == Some(OffsetCommit::Auto);
        // Threads and librdkafka lose more than that, and are found for it.
        let job = context.job_of(&link.to).unwrap_or(&link.to);
        let worse = matches!(context.get(id, key::read::PROCESSING), Some(Processing::Threads | Processing::Async))
            || context.get(job, key::job::CLIENT) == Some(Client::Librdkafka);
        (polled && !worse && context.loss_matters(id)).then(|| {
            let message = format!("{} commits automatically, and closing after an error commits what was polled", context.title(id));
            let fix = propose("Propose commit after work", id, key::read::OFFSET_COMMIT, OffsetCommit::AfterWork);
            rule.finding(&[id], message, "commit what was handled, or seek back before closing").fixed_by(Some(fix))
        })
    };
    context.links_with(key::read::CLOSE_COMMITS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const AUTO: &[(&str, &str)] = &[("links/l5/proposed/offset_commit", "\"auto\""), ("links/l5/proposed/close_commits", "\"polled\"")];

    #[test]
    fn a_close_that_commits_the_rest_is_found() {
        fires("DEL-25", AUTO);
        mends("DEL-25", AUTO);
    }

    #[test]
    fn handled_positions_and_unknown_ones_are_left_alone() {
        silent("DEL-25", &[AUTO[0], ("links/l5/proposed/close_commits", "\"handled\"")]);
        silent("DEL-25", &AUTO[..1]);
        silent("DEL-25", &AUTO[1..]);
        silent("DEL-25", &[AUTO, &[("links/l5/proposed/processing", "\"threads\"")]].concat());
    }
}
