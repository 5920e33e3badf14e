use crate::{
    model::{ElementKind, Id, Subject, key, words::OnError},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A connector tolerates every error, and what fails goes nowhere.
    ///
    /// # Why
    /// `errors.tolerance=all` skips records that cannot be converted or transformed. A dead-letter topic is an option of sink
    /// connectors only: from a source connector such records are gone. The MongoDB source connector goes further: where the oplog
    /// has passed its position it starts again at the present, and the gap is gone.
    ///
    /// # Example
    /// A column becomes nullable, the converter refuses its rows, and the connector stays green.
    ///
    /// # What to do
    /// `errors.tolerance=none`, which stops; or a dead-letter topic where the connector is a sink. It holds what fails in converters
    /// and transformations, and what the store refuses only where the connector reports it (KIP-610).
    CON_L2 "CON-L2" Error "The connector drops what fails"
    why "records that fail are skipped, and the task stays running"
    sources ["Apache Kafka documentation, Kafka Connect Configs: errors.tolerance, errors.deadletterqueue.topic.name", "KIP-298: Error Handling in Connect", "KIP-610: Error Reporting in Sink Connectors", "MongoDB Kafka Connector documentation, Source connector: errors.tolerance"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if !connector(context, id) || !context.loss_matters(id) {
            return None;
        }
        let said = |word| context.get(id, key::job::ON_ERROR) == Some(word) || context.operators_of(id).any(|operator| context.get(operator, key::operator::ON_ERROR) == Some(word));
        let source = context.operators_of(id).flat_map(|operator| context.into(operator)).find(|(_, link)| takes(context, &link.from));
        let mongo = source.is_some_and(|(_, link)| context.runs(&link.from, "mongodb"));
        let what = if said(OnError::Skip) && mongo {
            "tolerates every error: what fails is skipped, and so is the gap where the oplog has passed its position"
        } else if said(OnError::Skip) {
            "tolerates every error, and what fails is skipped"
        } else if said(OnError::DeadLetter) && source.is_some() {
            "takes from a source, and source connectors have no dead-letter topic: what fails is skipped"
        } else {
            return None;
        };
        let message = format!("{} {what}", context.title(id));
        let fix = (context.get(id, key::job::ON_ERROR).is_some_and(|word| word != OnError::Fail))
            .then(|| propose("Propose to stop on errors", id, key::job::ON_ERROR, OnError::Fail));
        Some(rule.finding(&[id], message, "stop on errors, or set aside what fails where a sink connector can").fixed_by(fix))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// A runtime of connectors, with its own way to tolerate errors.
pub(super) fn connector(context: &Context<'_>, job: &Id) -> bool {
    matches!(context.system(job), Some("kafka_connect" | "mirror_maker" | "debezium_server"))
}

fn takes(context: &Context<'_>, from: &Id) -> bool {
    matches!(context.kind(from), Some(ElementKind::Source | ElementKind::Sink))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const SKIP: (&str, &str) = ("elements/loader/proposed/on_error", "\"skip\"");
    const SOURCE: &[(&str, &str)] = &[
        ("elements/db", r#"{"kind":"source","system":"mongodb","event":"order","proposed":{"rate":"10/s"}}"#),
        ("elements/capture", r#"{"kind":"job","system":"kafka_connect","proposed":{"processing_guarantee":"at_least_once","on_error":"dead_letter"}}"#),
        ("elements/take", r#"{"kind":"operator","job":"capture","step":"copy"}"#),
        ("links/l1", r#"{"from":"db","to":"take","proposed":{"capture":"change_log"}}"#),
        ("links/l21", r#"{"from":"take","to":"orders","proposed":{"key":["store"],"acks":"all"}}"#),
        ("elements/shop", "null"),
    ];

    #[test]
    fn a_sink_connector_that_skips_is_found() {
        assert_eq!(fires("CON-L2", &[SKIP]).message, "loader tolerates every error, and what fails is skipped");
        mends("CON-L2", &[SKIP]);
    }

    #[test]
    fn a_source_connector_has_no_dead_letters() {
        assert!(fires("CON-L2", SOURCE).message.starts_with("capture takes from a source"));
        let skip = [SOURCE, &[("elements/capture/proposed/on_error", "\"skip\"")]].concat();
        assert!(fires("CON-L2", &skip).message.contains("the oplog has passed"));
        mends("CON-L2", &skip);
    }

    #[test]
    fn stopping_setting_aside_and_tolerated_loss_are_left_alone() {
        silent("CON-L2", &[]);
        silent("CON-L2", &[("elements/loader/proposed/on_error", "\"dead_letter\"")]);
        silent("CON-L2", &[("elements/loader/proposed/on_error", "null")]);
        silent("CON-L2", &[SKIP, ("elements/board/proposed/loss_tolerated", "true")]);
        silent("CON-L2", &[SOURCE, &[("elements/capture/proposed/on_error", "\"fail\"")]].concat());
    }
}
