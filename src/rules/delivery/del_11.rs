use crate::{
    model::{key, words::{Client, OffsetCommit, Processing}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Offsets are committed by the clock while records are still being worked on.
    ///
    /// # Why
    /// With threads or asynchronous work the position passes records that are not finished. With librdkafka the offset is
    /// stored when a record is handed over. A crash then skips what was in work.
    ///
    /// # Example
    /// A consumer hands records to a pool of threads and commits automatically every 5 s: a crash loses the pool's content.
    ///
    /// # What to do
    /// Commit after the work is done; with librdkafka turn `enable.auto.offset.store` off and store after processing.
    DEL_11 "DEL-11" Error "Commits before the work is done"
    why "a crash skips the records that were in work"
    sources ["Apache Kafka Javadoc, KafkaConsumer: Automatic Offset Committing", "librdkafka, CONFIGURATION.md: enable.auto.offset.store"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&_, &crate::model::Link)| {
        if context.get(id, key::read::OFFSET_COMMIT)? != OffsetCommit::Auto || !context.loss_matters(id) {
            return None;
        }
        let job = context.job_of(&link.to).unwrap_or(&link.to);
        let how = match context.get(id, key::read::PROCESSING) {
            Some(Processing::Threads) => "works in threads",
            Some(Processing::Async) => "works asynchronously",
            _ if context.get(job, key::job::CLIENT) == Some(Client::Librdkafka) => {
                "uses librdkafka, which stores the offset at hand-over"
            }
            _ => return None,
        };
        let message = format!("{} commits automatically and {how}", context.title(id));
        Some(rule.finding(&[id], message, "commit after the work is done"))
    };
    context.links_with(key::read::OFFSET_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn automatic_commits_around_unfinished_work_are_found() {
        let auto = ("links/l5/proposed/offset_commit", "\"auto\"");
        fires("DEL-11", &[auto, ("links/l5/proposed/processing", "\"threads\"")]);
        fires("DEL-11", &[auto, ("elements/loader/proposed/client", "\"librdkafka\"")]);
        silent("DEL-11", &[auto, ("links/l5/proposed/processing", "\"sequential\"")]);
    }
}
