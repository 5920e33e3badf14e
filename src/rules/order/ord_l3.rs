use crate::{
    analysis::order::Break,
    model::{Columns, ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The number of partitions of a channel that goes by key is raised.
    ///
    /// # Why
    /// The partition of a key is its hash modulo the number of partitions. With another number a key goes elsewhere while its older
    /// records are still unread where they were: a reader sees new before old. Compaction, joins and local state split the same way.
    ///
    /// # Example
    /// From five to ten half of the keys move, from three to four three of four.
    ///
    /// # What to do
    /// A new channel with the right number and a migration: readers finish the old one first.
    ORD_L3 "ORD-L3" Error "More partitions move keys"
    why "records of a moved key are read before its older ones"
    sources ["Apache Kafka documentation, Basic Operations: Modifying topics", "Apache Pulsar documentation, Partitioned topics; Key_Shared"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let (today, then, key) = growth(context, id)?;
        let mut about = vec![id];
        about.extend(context.elements(ElementKind::Consumer).map(|(reader, _)| reader).filter(|reader| needs(context, reader, id)));
        let readers: Vec<String> = about[1..].iter().map(|reader| context.title(reader).to_string()).collect();
        let needed = match readers.as_slice() {
            [] => String::new(),
            [reader] => format!("; {reader} needs them in order"),
            all => format!("; {} need them in order", all.join(", ")),
        };
        let message = format!(
            "{} goes from {today} to {then} partitions: {} of {key} move while their older records are unread{needed}",
            context.title(id),
            moved(today, then)
        );
        Some(rule.finding(&about, message, "a new channel with the right number, and readers that finish the old one first"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

/// The partitions of a keyed channel today and as proposed, where they become more, with the key.
pub(super) fn growth(context: &Context<'_>, id: &Id) -> Option<(u64, u64, Columns)> {
    let subject = context.subject(id)?;
    let today = subject.observed.values().find_map(|facts| facts.typed(key::channel::PARTITIONS))?;
    let then = subject.proposed.typed(key::channel::PARTITIONS).filter(|then| *then > today && today > 0)?;
    Some((today, then, context.record_key(id).filter(|key| !key.0.is_empty())?))
}

/// Does a consumer need the order that the growth of this channel ends?
fn needs(context: &Context<'_>, reader: &Id, channel: &Id) -> bool {
    let needed = context.get(reader, key::consumer::ORDER_NEEDED).filter(|columns| !columns.0.is_empty());
    let Some((needed, report)) = needed.zip(context.consumer_report(reader)) else { return false };
    report.order.ends_for(&needed).any(|breaker| breaker.by == Break::Grown && breaker.at == *channel)
}

/// The share of keys whose partition changes: all but those for which both remainders are the same.
#[expect(clippy::cast_precision_loss, reason = "numbers of partitions are far below 2^53")]
fn moved(today: u64, then: u64) -> String {
    let (mut a, mut b) = (today, then);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let common = (today / a) as f64 * then as f64;
    let share = 1.0 - today as f64 / common;
    if (share - 0.5).abs() < 1e-9 { "half of the keys".to_owned() } else { format!("{:.0} % of the keys", share * 100.0) }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn the_share_of_keys_that_move_is_that_of_the_remainders() {
        use super::moved;
        // Of 12 remainders of 3 and 4, three agree; of 10 remainders of 5 and 10, five.
        assert_eq!(moved(3, 4), "75 % of the keys");
        assert_eq!(moved(5, 10), "half of the keys");
    }

    #[test]
    fn growth_of_a_keyed_channel_is_found() {
        let grow = [
            ("evidence/e1", r#"{"basis":"read","from":"kafka-topics --describe"}"#),
            ("elements/orders/observed", r#"{"e1":{"partitions":6}}"#),
            ("elements/orders/proposed/partitions", "12"),
        ];
        assert!(fires("ORD-L3", &grow).message.starts_with("orders goes from 6 to 12 partitions: half of the keys of (store)"));
        silent("ORD-L3", &[&grow[..], &[("links/l1/proposed/key", "[]")]].concat());
    }
}
