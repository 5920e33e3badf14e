use crate::{
    analysis::delivery::verdict::CopyClass,
    model::{ElementKind, Id, key, words::ExactlyOnceSource},
    rules::{Context, Finding, Rule, rule::rule},
};
use crate::sorted::SortedMap;

rule! {
    /// A source connector re-sends after a crash, and the repeats reach a consumer that does not want them.
    ///
    /// # Why
    /// A Connect worker flushes source positions from time to time. After a crash everything since the last flush is sent
    /// again, unless positions are committed with the records (KIP-618).
    ///
    /// # Example
    /// 2 000 changes a second, a flush every 60 s: a crash sends up to 120 000 events again.
    ///
    /// # What to do
    /// Turn exactly-once source support on in the worker and the connector and let readers wait for the commit, or remove
    /// the repeats by an id from the source.
    CON_L1 "CON-L1" Warning "The source connector re-sends after a crash"
    why "everything since the last flush of its position is sent again, and nothing removes it"
    sources ["KIP-618: Exactly-Once Support for Source Connectors", "Apache Kafka documentation, Kafka Connect Configs: offset.flush.interval.ms", "Debezium documentation, Exactly once delivery"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut hit: SortedMap<&Id, &Id> = SortedMap::new();
    for (consumer, _) in context.elements(ElementKind::Consumer) {
        if context.get(consumer, key::consumer::DUPLICATES_TOLERATED) != Some(false) {
            continue;
        }
        let Some(report) = context.consumer_report(consumer) else { continue };
        let copies = report.delivery.duplicates.iter().chain(report.delivery.taints.iter().flat_map(|taint| &taint.by));
        for copy in copies.filter(|copy| sent_again(copy.class)) {
            if let Some(job) = job_at(context, &copy.origin.at).filter(|job| is_source_connector(context, job)) {
                hit.entry(job).or_insert(consumer);
            }
        }
    }
    let one = |(job, consumer): (&Id, &Id)| {
        let every = context.get(job, key::job::COMMIT_INTERVAL);
        let every = every.map_or(String::new(), |every| format!(" (position flushed every {})", every.spoken()));
        let message = format!(
            "{} sends again after a crash{every}, and the repeats reach {}",
            context.title(job),
            context.title(consumer)
        );
        let remedy = "commit source positions with the records, or remove repeats by an id from the source";
        rule.finding(&[job, consumer], message, remedy)
    };
    hit.into_iter().map(one).collect()
}

const fn sent_again(class: CopyClass) -> bool {
    matches!(class, CopyClass::SourceResend | CopyClass::ProducerRestart | CopyClass::Redelivery)
}

/// The job that an operator belongs to, or that a link enters or leaves.
fn job_at<'a>(context: &Context<'a>, at: &Id) -> Option<&'a Id> {
    match context.design.links.get(at).and_then(|subject| subject.as_link()) {
        Some(link) => context.job_of(&link.to).or_else(|| context.job_of(&link.from)),
        None => context.job_of(at),
    }
}

/// A Connect job that takes from a source and does not commit positions with the records.
fn is_source_connector(context: &Context<'_>, job: &Id) -> bool {
    let cluster = context.design.elements.get(job).and_then(|job| job.cluster.as_ref());
    let support = cluster.and_then(|at| context.get(at, key::cluster::EXACTLY_ONCE_SOURCE));
    let mut links = context.operators_of(job).flat_map(|operator| context.into(operator));
    context.runs(job, "kafka_connect")
        && support != Some(ExactlyOnceSource::Enabled)
        && links.any(|(_, link)| context.kind(&link.from) == Some(ElementKind::Source))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const SOURCE: &[(&str, &str)] = &[
        ("elements/db", r#"{"kind":"source","system":"postgres","event":"order","proposed":{"position_survives_failover":true,"rate":"10/s"}}"#),
        ("elements/capture", r#"{"kind":"job","system":"kafka_connect","proposed":{"processing_guarantee":"at_least_once","commit_interval":"1min","on_error":"fail"}}"#),
        ("elements/take", r#"{"kind":"operator","job":"capture","step":"copy"}"#),
        ("links/l1", r#"{"from":"db","to":"take","proposed":{"capture":"change_log","acknowledge":"after_store","after_restart":"resume_position"}}"#),
        ("links/l21", r#"{"from":"take","to":"orders","proposed":{"key":["store"],"output_commit":"flush","acks":"all","idempotence":true,"on_send_failure":"retry"}}"#),
        ("elements/shop", "null"),
    ];

    #[test]
    fn repeats_of_a_source_connector_that_reach_a_consumer_are_found() {
        let mut leaky = SOURCE.to_vec();
        leaky.push(("elements/dedup/step", "\"map\""));
        leaky.push(("elements/dedup/proposed", "{}"));
        leaky.push(("elements/board/proposed/deduplicates_by", "null"));
        leaky.push(("elements/board/proposed/deduplicates_within", "null"));
        fires("CON-L1", &leaky);
        leaky.push(("elements/board/proposed/duplicates_tolerated", "true"));
        silent("CON-L1", &leaky);
        silent("CON-L1", &[]);
    }
}
