use crate::{
    model::{Basis, ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What a consumer needs to be made again is there only if an assumption holds.
    ///
    /// # Why
    /// A retention that nobody read is a hope. It differs by topic, and topics are changed to save disk; the day it is found out
    /// is the day of the replay.
    ///
    /// # Example
    /// "Seven days, the default": the topic was set to one hour two years ago.
    ///
    /// # What to do
    /// Read the settings of the topic from the cluster, and file what was read.
    RET_15 "RET-15" Warning "The replay rests on an assumption"
    why "whether the records are still there was never read"
    sources ["Apache Kafka documentation, Operations: kafka-configs.sh --describe"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::REPLAY_NEEDED)?;
        let starts = &context.consumer_report(id)?.replay;
        let far = starts.iter().filter(|start| start.recompute && !start.usable.barred()).filter_map(|start| Some((start, start.reach.as_ref().ok()?)));
        let far = far.filter(|(_, reach)| reach.value >= needed.secs());
        // The best founded of those that are far enough.
        let (start, reach) = far.max_by_key(|(_, reach)| reach.basis.map_or(3, Basis::strength))?;
        (reach.basis == Some(Basis::Assumed)).then(|| {
            let message = format!(
                "{} needs {} of replay; that {} gives {} is assumed",
                context.title(id), needed.spoken(), context.title(&start.from), reach.text()
            );
            rule.finding(&[&start.from, id], message, "read the settings of the channel and file what was read")
        })
    };
    context.elements_with(ElementKind::Consumer, key::consumer::REPLAY_NEEDED).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn kept(basis: &'static str) -> [(&'static str, &'static str); 4] {
        [
            ("evidence", basis),
            ("elements/orders/lifecycle", "\"existing\""),
            ("elements/orders/proposed/retention_time", "null"),
            ("elements/orders/observed", r#"{"e1":{"retention_time":"7d"}}"#),
        ]
    }

    #[test]
    fn an_assumed_retention_is_found() {
        let assumed = kept(r#"{"e1":{"basis":"assumed","from":"the default"}}"#);
        let message = fires("RET-15", &assumed).message;
        assert!(message.starts_with("board needs 24 h of replay; that orders gives ") && message.ends_with("is assumed"), "{message}");
        silent("RET-15", &kept(r#"{"e1":{"basis":"read","from":"kafka-configs"}}"#));
        silent("RET-15", &[&assumed[..], &[("elements/board/proposed/replay_needed", "null")]].concat());
        silent("RET-15", &[&assumed[..], &[("elements/table/proposed/rebuild", "\"append_only\"")]].concat());
        silent("RET-15", &[&assumed[..], &[("elements/board/proposed/replay_needed", "\"30d\"")]].concat());
    }
}
