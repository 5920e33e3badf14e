use crate::{
    analysis::order::{Break, Breaker, words},
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What was set aside is sent again after its successors, and something behind it depends on the order.
    ///
    /// # Why
    /// A retry channel or a re-drive of dead letters brings a record back when newer records of its key have passed. Where the newest
    /// record counts, the old one then counts as the newest.
    ///
    /// # Example
    /// An address change fails, the next one passes; the first one is retried an hour later, and the old address stands.
    ///
    /// # What to do
    /// Hold back the key until its failed record is through, or compare a version where the record is written.
    DLQ_02 "DLQ-02" Warning "A retry comes after newer records"
    why "an old record counts as the newest one of its key"
    sources ["KIP-298: Error Handling in Connect", "Spring for Apache Kafka reference, Non-Blocking Retries: no order"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (consumer, _) in context.elements(ElementKind::Consumer) {
        let Some(report) = context.consumer_report(consumer) else { continue };
        let returns = |breaker: &&Breaker| breaker.by == Break::Returns && !breaker.past;
        for breaker in report.order.inputs.iter().flat_map(|input| &input.breakers).filter(returns) {
            let needed = context.get(consumer, key::consumer::ORDER_NEEDED).filter(|needed| !needed.0.is_empty());
            let ends = needed.filter(|needed| report.order.ends_for(needed).any(|other| other == breaker));
            let stale = report.delivery.taints.iter().find(|taint| {
                taint.stale && taint.by.iter().any(|copies| copies.origin.at == breaker.at)
            });
            let depends = match (ends, stale) {
                (Some(needed), _) => format!("{} needs order by {}", context.title(consumer), words::key(&needed)),
                (None, Some(taint)) => format!("{} keeps what comes last", context.title(&taint.at)),
                (None, None) => continue,
            };
            let known = findings.iter().any(|finding| finding.about.first() == Some(&breaker.at));
            let from = context.subject(&breaker.at).and_then(Subject::as_link).map(|link| &link.from);
            if let (false, Some(from)) = (known, from) {
                let message = format!("{} brings records back after newer ones, and {depends}", context.title(&breaker.at));
                let about: [&Id; 2] = [&breaker.at, from];
                findings.push(rule.finding(&about, message, "hold back the key until it is through, or compare a version in the write"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_late_retry_is_found_where_order_counts() {
        let rows = [
            ("elements/sum/step", "\"map\""),
            ("elements/sum/proposed", "{}"),
            ("elements/sum/emits", "null"),
            ("elements/late", "null"),
            ("links/l8", "null"),
        ];
        let needed = ("elements/board/proposed/order_needed", "[\"store\", \"order_id\", \"window_start\"]");
        let message = fires("DLQ-02", &[&rows[..], &[needed]].concat()).message;
        assert!(message.starts_with("dlq → dedup brings records back after newer ones, and board needs order by"), "{message}");
        assert!(fires("DLQ-02", &rows).message.ends_with("keeps what comes last"));
        let versions = ("links/l6/proposed/version_guard", "[\"placed_at\"]");
        silent("DLQ-02", &[&rows[..], &[versions]].concat());
        // Sums of a window do not ask what came first.
        silent("DLQ-02", &[("elements/board/proposed/order_needed", "[\"store\", \"window_start\"]")]);
    }
}
