use crate::{
    model::{key, words::{OffsetCommit, Processing}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Several records are in work at once, and each is committed as it finishes.
    ///
    /// # Why
    /// A committed position means that everything before it is done. A record that finishes early takes the earlier ones along:
    /// after a stop reading goes on behind them.
    ///
    /// # Example
    /// Of 500 records in work the hundredth finishes first; its position is committed, and a crash skips the first 99.
    ///
    /// # What to do
    /// Commit the lowest position that is not finished yet, or work through a partition one after the other.
    DEL_22 "DEL-22" Error "A finished record commits those before it"
    why "records that were still in work are skipped after a stop"
    sources ["Apache Kafka Javadoc, KafkaConsumer: Offsets and Consumer Position", "Confluent Parallel Consumer documentation, offset map"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let in_flight = context.get(id, key::read::IN_FLIGHT);
        let at_once = matches!(context.get(id, key::read::PROCESSING), Some(Processing::Threads | Processing::Async));
        let found = context.get(id, key::read::OFFSET_COMMIT)? == OffsetCommit::PerRecord
            && at_once
            && in_flight != Some(1)
            && context.loss_matters(id);
        found.then(|| {
            let most = in_flight.map_or("all that are in work".to_owned(), |n| format!("up to {} a partition", n.saturating_sub(1)));
            let message = format!("{} commits each record as it finishes; a stop skips the ones before it, {most}", context.title(id));
            rule.finding(&[id], message, "commit the lowest position that is not finished")
        })
    };
    context.links_with(key::read::OFFSET_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const RECORD: (&str, &str) = ("links/l5/proposed/offset_commit", "\"per_record\"");

    #[test]
    fn commits_out_of_order_are_found() {
        let flight = ("links/l5/proposed/in_flight", "500");
        let at_once = ("links/l5/proposed/processing", "\"async\"");
        assert!(fires("DEL-22", &[RECORD, flight, at_once]).message.ends_with("up to 499 a partition"));
        silent("DEL-22", &[RECORD, flight]);
        silent("DEL-22", &[RECORD, at_once, ("links/l5/proposed/in_flight", "1")]);
        silent("DEL-22", &[flight, at_once]);
    }
}
