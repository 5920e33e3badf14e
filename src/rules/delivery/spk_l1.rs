use crate::{
    analysis::delivery::verdict::CopyClass,
    model::{ElementKind, Id, Link},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A Spark query writes into a log, and what a rerun batch writes again reaches a consumer.
    ///
    /// # Why
    /// Spark's sink for Kafka is at least once: it has no transactions. A batch that fails after a part of it was written runs again
    /// as a whole, and the log holds that part twice, under new offsets.
    ///
    /// # Example
    /// An executor is lost in the middle of a batch: 40 000 of 100 000 records are there twice, and an exactly-once job behind takes
    /// every one of them.
    ///
    /// # What to do
    /// Send an id of the event along, and remove repeats by it behind the log, before anything is added up or at a keyed store.
    SPK_L1 "SPK-L1" Error "Spark writes batches into a log again"
    why "a batch that runs again appends once more what it had written"
    sources ["Apache Spark documentation, Structured Streaming + Kafka Integration Guide: Writing Data to Kafka"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let log = context.kind(&link.to)? == ElementKind::Channel && context.runs(&link.from, "spark");
        (log && context.copies_show(CopyClass::Reemission, id)).then(|| {
            let message = format!("{} appends a batch again that failed half way, and nothing behind it removes the repeats", context.title(id));
            rule.finding(&[id], message, "remove repeats behind the log by an id of the event")
        })
    };
    context.links_into(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// A query in front of the orders.
    const QUERY: &[(&str, &str)] = &[
        ("elements/raw", r#"{"kind":"channel","cluster":"kafka","proposed":{"cleanup_policy":"delete","retention_time":"7d"}}"#),
        ("elements/query", r#"{"kind":"job","system":"spark","proposed":{"checkpoint_storage":"durable","on_error":"fail"}}"#),
        ("elements/clean", r#"{"kind":"operator","job":"query","step":"map"}"#),
        ("links/s1", r#"{"from":"raw","to":"clean","proposed":{"isolation":"read_committed","on_missing_data":"fail"}}"#),
        ("links/s2", r#"{"from":"clean","to":"orders","proposed":{"key":["store"],"output_commit":"flush","acks":"all","idempotence":true}}"#),
        ("links/l1/to", "\"raw\""),
    ];

    #[test]
    fn batches_that_come_twice_out_of_a_log_are_found() {
        let open = [("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")];
        fires("SPK-L1", &[QUERY, &open].concat());
        silent("SPK-L1", &[QUERY, &open, &[("elements/board/proposed/duplicates_tolerated", "true")]].concat());
    }

    #[test]
    fn repeats_that_are_removed_behind_the_log_are_left_alone() {
        silent("SPK-L1", &[QUERY, &[("elements/dedup/proposed/state_ttl", "\"unlimited\"")]].concat());
    }
}
