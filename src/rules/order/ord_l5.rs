use super::hash_of;
use crate::{
    model::{ElementKind, Id, Input, Step, counted, key, words::JoinKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Two channels are joined partition by partition, and equal keys do not lie in partitions of the same number.
    ///
    /// # Why
    /// A task reads partition 3 of both sides. With another number of partitions, another key or another hash the partner of a record
    /// lies elsewhere: Kafka Streams refuses to start where the numbers differ, and finds no partner where only the hash does.
    ///
    /// # Example
    /// Orders are written by a Java client, customers by a C client; both topics have twelve partitions, and a quarter of the orders
    /// find no customer.
    ///
    /// # What to do
    /// The same key, the same number of partitions and the same partitioner on both sides, or a repartition of one of them.
    ORD_L5 "ORD-L5" Error "Joined channels are not partitioned alike"
    why "records that belong together are read by different tasks and never meet"
    sources ["Apache Kafka documentation, Streams Developer Guide: co-partitioning requirements", "librdkafka, CONFIGURATION.md: partitioner"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let by_partition = matches!(context.entry(id).map(|entry| entry.id), Some("kafka_streams" | "ksqldb" | "plain_consumer"));
        if step != Step::Join || !by_partition {
            return None;
        }
        let kind = context.get(id, key::operator::JOIN);
        if matches!(kind, Some(JoinKind::ForeignKey | JoinKind::GlobalTable)) {
            return None;
        }
        let mut sides = context.into(id).filter(|(_, link)| {
            context.kind(&link.from) == Some(ElementKind::Channel) && link.into != Some(Input::Lookup)
        });
        let (left, right) = (&sides.next()?.1.from, &sides.next()?.1.from);
        let how = apart(context, id, left, right)?;
        let message = format!("{} joins {} and {}: {how}", context.title(id), context.title(left), context.title(right));
        Some(rule.finding(&[id, left, right], message, "the same key, number of partitions and partitioner on both sides"))
    };
    context.operators().filter_map(one).collect()
}

/// What differs between the two sides, as far as it is known.
fn apart(context: &Context<'_>, join: &Id, left: &Id, right: &Id) -> Option<String> {
    let both = |of: &dyn Fn(&Id) -> Option<u64>| of(left).zip(of(right)).filter(|(a, b)| a != b);
    if let Some((a, b)) = both(&|id| context.get(id, key::channel::PARTITIONS)) {
        return Some(format!("{} against {b}", counted(a, "partition")));
    }
    // Each side goes by its own name of the joined column.
    let (by, by_right) = (context.get(join, key::operator::KEY), context.get(join, key::operator::RIGHT_KEY));
    let keyed = |channel: &Id, wanted: Option<&crate::model::Columns>| {
        let key = context.record_key(channel)?;
        wanted.filter(|wanted| **wanted != key).map(|wanted| format!("{} goes by {key}, the join by {wanted}", context.title(channel)))
    };
    let differs = keyed(left, by.as_ref()).or_else(|| keyed(right, by_right.as_ref().or(by.as_ref())));
    differs.or_else(|| {
        let (a, b) = (hash_of(context, left)?, hash_of(context, right)?);
        (a != b).then(|| "their writers hash keys by different functions".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const JOINED: [(&str, &str); 9] = [
        ("elements/rates", r#"{"kind":"channel","system":"kafka","proposed":{"partitions":6}}"#),
        ("elements/bank", r#"{"kind":"source","system":"application","proposed":{"client":"java"}}"#),
        ("elements/conv", r#"{"kind":"job","system":"kafka_streams","proposed":{"processing_guarantee":"exactly_once"}}"#),
        ("elements/match", r#"{"kind":"operator","job":"conv","step":"join","proposed":{"key":["store"],"join":"interval"}}"#),
        ("links/r1", r#"{"from":"bank","to":"rates","proposed":{"key":["store"]}}"#),
        ("links/r2", r#"{"from":"orders","to":"match"}"#),
        ("links/r3", r#"{"from":"rates","to":"match"}"#),
        ("elements/out", r#"{"kind":"channel","system":"kafka"}"#),
        ("links/r4", r#"{"from":"match","to":"out"}"#),
    ];

    #[test]
    fn sides_that_do_not_meet_are_found() {
        let with = |change: &[(&'static str, &'static str)]| [&JOINED[..], change].concat();
        let says = |change: &[(&'static str, &'static str)]| fires("ORD-L5", &with(change)).message;
        assert_eq!(says(&[("elements/rates/proposed/partitions", "12")]), "match joins orders and rates: 6 partitions against 12");
        assert!(says(&[("links/r1/proposed/key", "[\"currency\"]")]).contains("rates goes by"));
        assert!(says(&[("elements/bank/proposed/client", "\"librdkafka\"")]).ends_with("by different functions"));
        silent("ORD-L5", &with(&[]));
        silent("ORD-L5", &with(&[("links/r1/proposed/key", "[\"shop\"]"), ("elements/match/proposed/right_key", "[\"shop\"]")]));
        silent("ORD-L5", &with(&[("elements/rates/proposed/partitions", "12"), ("elements/match/proposed/join", "\"global_table\"")]));
        silent("ORD-L5", &with(&[("elements/rates/proposed/partitions", "12"), ("elements/conv/system", "\"flink\"")]));
    }
}
