use crate::{
    model::{ElementKind, Hashed, Id, Text, key, words::OutputCommit},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::collections::HashMap;

rule! {
    /// Two jobs share the name of their transactions on one cluster, or a job has none.
    ///
    /// # Why
    /// A producer with the same transactional id fences the other one: each start of one job aborts what the other is
    /// writing. Without a prefix the sink cannot be built.
    ///
    /// # Example
    /// A job is copied for a second region with its prefix: both restart for ever.
    ///
    /// # What to do
    /// One prefix a job and cluster, and keep it over restarts.
    FLK_02 "FLK-02" Error "The name of the transactions is not its own"
    why "jobs with one transactional id fence each other"
    sources ["Apache Flink Kafka connector documentation, Kafka Sink: setTransactionalIdPrefix", "KIP-98: transactional.id and fencing"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut seen: HashMap<(Option<&Id>, Text), (&Id, &Id), Hashed> = HashMap::default();
    let mut found = Vec::new();
    for (id, link) in context.links_with(key::write::OUTPUT_COMMIT) {
        let two_phase = context.get(id, key::write::OUTPUT_COMMIT) == Some(OutputCommit::TwoPhase);
        if !two_phase || context.kind(&link.to) != Some(ElementKind::Channel) {
            continue;
        }
        let Some(job) = context.job_of(&link.from) else { continue };
        let known = context.known(id, key::produce::TRANSACTIONAL_ID);
        if matches!(known, crate::model::Known::Unset(_)) {
            let message = format!("{} writes in transactions without an id", context.title(id));
            found.push(rule.finding(&[id], message, "set a prefix that is this job's own"));
        }
        let Some(name) = known.value() else { continue };
        let cluster = context.design.elements.get(&link.to).and_then(|channel| channel.cluster.as_ref());
        match seen.get(&(cluster, name.clone())) {
            Some((other, first)) if *other != job => {
                let message = format!("{} and {} both write as {name}", context.title(other), context.title(job));
                found.push(rule.finding(&[id, first], message, "give each job a prefix of its own"));
            }
            Some(_) => {}
            None => {
                seen.insert((cluster, name), (job, id));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_shared_name_is_found() {
        let second = [
            ("elements/copy", r#"{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once"}}"#),
            ("elements/again", r#"{"kind":"operator","job":"copy","step":"copy"}"#),
            ("links/l20", r#"{"from":"orders","to":"again"}"#),
            ("links/l21", r#"{"from":"again","to":"totals","proposed":{"output_commit":"two_phase","transactional_id":"revenue"}}"#),
        ];
        assert_eq!(fires("FLK-02", &second).message, "revenue and copy both write as revenue");
        fires("FLK-02", &[("links/l4/proposed/transactional_id", "\"unset\"")]);
        silent("FLK-02", &[("links/l4/proposed/transactional_id", "null")]);
    }
}
