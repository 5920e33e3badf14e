use crate::{
    model::{ElementKind, FactRef, Id, Known, Slot, Subject, counted, key, units::{Limit, Size}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The retention size of a channel is taken for that of the whole topic: two readings differ by just its number of partitions.
    ///
    /// # Why
    /// `retention.bytes` is per partition. Who takes it for the whole topic plans for a part of the disk that it needs, or divides
    /// once too often and keeps a part of the time.
    ///
    /// # Example
    /// The broker says 12 GB, the page of the team 2 GB, and the topic has six partitions: it takes up to 72 GB, not 12.
    ///
    /// # What to do
    /// Decide which of the two is the value per partition, and set and write down that one.
    RET_03 "RET-03" Error "Size per partition taken for the topic"
    why "disk and replay reach are planned wrong by the number of partitions"
    sources ["Apache Kafka documentation, Topic Configs: retention.bytes applies per partition"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, subject): (&Id, &Subject)| readings(rule, context, id, subject);
    context.elements_with(ElementKind::Channel, key::channel::PARTITIONS).filter_map(one).collect()
}

/// Two sizes, one of which is the other times the partitions.
fn by_partitions(one: Size, other: Size, partitions: u64) -> bool {
    let (least, most) = (one.min(other), one.max(other));
    least < most && least.bytes().checked_mul(partitions) == Some(most.bytes())
}

/// Readings that disagree.
fn readings(rule: &'static Rule, context: &Context<'_>, id: &Id, subject: &Subject) -> Option<Finding> {
        let Known::Conflict(readings) = context.known(id, key::channel::RETENTION_SIZE) else { return None };
        let partitions = context.get(id, key::channel::PARTITIONS).filter(|partitions| *partitions > 1)?;
        let sizes: Vec<Size> = readings.iter().filter_map(|reading| read(subject, reading)).collect();
        let (least, most) = (sizes.iter().min()?, sizes.iter().max()?);
        by_partitions(*least, *most, partitions).then(|| {
            let message = format!(
                "{}: {} and {} are read as its size, {} apart: the size is per partition, of {}",
                context.title(id), least.spoken(), most.spoken(), format_args!("{partitions} times"), counted(partitions, "partition")
            );
            rule.finding(&[id], message, "decide which of the two is meant per partition")
        })
}

fn read(subject: &Subject, reading: &FactRef) -> Option<Size> {
    let facts = match &reading.slot {
        Slot::Observed(evidence) => subject.observed.get(evidence)?,
        Slot::Proposed => &subject.proposed,
    };
    facts.typed(key::channel::RETENTION_SIZE).and_then(Limit::bound)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn readings(one: &'static str) -> [(&'static str, &'static str); 4] {
        [
            ("evidence", r#"{"e1":{"basis":"read","from":"kafka-configs"},"e2":{"basis":"read","from":"page"}}"#),
            ("elements/orders/lifecycle", "\"existing\""),
            ("elements/orders/proposed/retention_size", "null"),
            ("elements/orders/observed", one),
        ]
    }

    #[test]
    fn readings_apart_by_the_partitions_are_found() {
        let message = fires("RET-03", &readings(r#"{"e1":{"retention_size":"12GB"},"e2":{"retention_size":"2GB"}}"#)).message;
        assert_eq!(message, "orders: 2 GB and 12 GB are read as its size, 6 times apart: the size is per partition, of 6 partitions");
        silent("RET-03", &readings(r#"{"e1":{"retention_size":"12GB"},"e2":{"retention_size":"3GB"}}"#));
        silent("RET-03", &readings(r#"{"e1":{"retention_size":"12GB"},"e2":{"retention_size":"12GB"}}"#));
    }

    /// Six partitions of 12 GB hold up to 72 GB, and a size may be raised or lowered by any factor.
    #[test]
    fn a_full_disk_and_a_change_by_the_partitions_are_no_mistake() {
        let set = ("elements/orders/proposed/retention_size", "\"12GB\"");
        silent("RET-03", &[set, ("elements/orders/proposed/size_on_disk", "\"70GB\"")]);
        let today = [
            ("evidence", r#"{"e1":{"basis":"read","from":"kafka-configs"}}"#),
            ("elements/orders/lifecycle", "\"existing\""),
            ("elements/orders/observed", r#"{"e1":{"retention_size":"12GB"}}"#),
            ("elements/orders/proposed/retention_size", "\"2GB\""),
        ];
        silent("RET-03", &today);
    }
}
