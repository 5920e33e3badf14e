use crate::{
    model::{ElementKind, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A consumer has to remove repeats itself, and does not say that it does.
    ///
    /// # Why
    /// Where the path leaves repeats, the last place to remove them is the reader. If it does not know, it counts twice.
    ///
    /// # Example
    /// A service is called for every alarm, at least once; it pages people twice after each restart of the job.
    ///
    /// # What to do
    /// Agree on the key and for how long, and write it down at the consumer; or remove the repeats on the path.
    DUP_09 "DUP-09" Error "The consumer would have to remove repeats"
    why "repeats reach a consumer that does not remove them"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let report = context.consumer_report(id)?;
        let open = !report.delivery.consumer_must.is_empty()
            && context.get(id, key::consumer::DUPLICATES_TOLERATED) != Some(true)
            && context.get(id, key::consumer::DEDUPLICATES_BY).is_none_or(|columns| columns.0.is_empty());
        open.then(|| {
            let message = format!("{} is left with repeats. {}", context.title(id), report.delivery.consumer_must);
            let remedy = if report.delivery.consumer_must.starts_with("Nothing") {
                "mend it on the path, where the verdict says"
            } else {
                "state by which key and for how long it removes them, or remove them on the path"
            };
            rule.finding(&[id], message, remedy)
        })
    };
    context.elements(ElementKind::Consumer).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_consumer_that_is_left_with_repeats_is_found() {
        let mut leaky = vec![
            ("links/l6/proposed/write_mode", "\"append\""),
            ("elements/board/proposed/deduplicates_by", "null"),
            ("elements/board/proposed/deduplicates_within", "null"),
        ];
        fires("DUP-09", &leaky);
        leaky.push(("elements/board/proposed/duplicates_tolerated", "true"));
        silent("DUP-09", &leaky);
    }
}
