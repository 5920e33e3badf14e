use crate::{
    analysis::delivery::verdict::CopyClass,
    model::{ElementKind, Id, key, words::ExactlyOnceSource},
    rules::{Context, Finding, Rule, rule::rule},
};

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
    let one = |(id, subject): (&Id, &crate::model::Subject)| {
        let cluster = subject.cluster.as_ref();
        let atomic = cluster.and_then(|at| context.get(at, key::cluster::EXACTLY_ONCE_SOURCE)) == Some(ExactlyOnceSource::Enabled);
        if !context.runs(id, "kafka_connect") || atomic {
            return None;
        }
        let resent = |consumer: &Id| {
            let report = context.report.consumers.get(consumer)?;
            let copies = report.delivery.duplicates.iter().chain(report.delivery.taints.iter().flat_map(|taint| &taint.by));
            copies.into_iter().any(|copy| {
                matches!(copy.class, CopyClass::SourceResend | CopyClass::ProducerRestart | CopyClass::Redelivery)
                    && job_at(context, &copy.origin.at) == Some(id)
                    && takes(context, id)
            }).then_some(())
        };
        let wants_none = |consumer: &&Id| context.get(consumer, key::consumer::DUPLICATES_TOLERATED) == Some(false);
        let hit = context.consumers_behind(id).into_iter().filter(wants_none).find(|consumer| resent(consumer).is_some())?;
        let every = context.get(id, key::job::COMMIT_INTERVAL).map(|every| format!(" (position flushed every {})", every.spoken()));
        let message = format!(
            "{} sends again after a crash{}, and the repeats reach {}",
            context.title(id),
            every.unwrap_or_default(),
            context.title(hit)
        );
        Some(rule.finding(&[id, hit], message, "commit source positions with the records, or remove repeats by an id from the source"))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// The job that an operator belongs to, or that a link enters or leaves.
fn job_at<'a>(context: &Context<'a>, at: &Id) -> Option<&'a Id> {
    let design = context.design;
    match design.links.get(at).and_then(|subject| subject.as_link()) {
        Some(link) => design.job_of(&link.to).or_else(|| design.job_of(&link.from)),
        None => design.job_of(at),
    }
}

/// Does this job take events from a source?
fn takes(context: &Context<'_>, job: &Id) -> bool {
    let mut operators = context.operators().filter(|(_, of, _)| *of == job);
    operators.any(|(operator, ..)| context.into(operator).any(|(_, link)| context.kind(&link.from) == Some(ElementKind::Source)))
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
