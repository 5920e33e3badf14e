use crate::{
    model::{ElementKind, Id, Subject, key},
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
    let one = |(id, subject): (&Id, &Subject)| {
        let today = subject.observed.values().find_map(|facts| facts.typed(key::channel::PARTITIONS))?;
        let then = subject.proposed.typed(key::channel::PARTITIONS).filter(|then| *then > today && today > 0)?;
        let key = context.record_key(id).filter(|key| !key.0.is_empty())?;
        let message = format!(
            "{} goes from {today} to {then} partitions: {} of {key} move while their older records are unread",
            context.title(id),
            moved(today, then)
        );
        Some(rule.finding(&[id], message, "a new channel with the right number, and readers that finish the old one first"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
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
        silent("ORD-L3", &grow[..2]);
    }
}
