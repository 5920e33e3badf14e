use crate::{
    analysis::explain::Explained,
    model::{ElementKind, Id, Subject, counted_as, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A channel has fewer than three keys for each partition.
    ///
    /// # Why
    /// Keys fall into partitions by their hash, several into one and none into others. With few of them some partitions stay empty, and
    /// their readers have nothing to do.
    ///
    /// # Example
    /// Twelve keys on twelve partitions: about eight of them get any, and four readers stand idle.
    ///
    /// # What to do
    /// Fewer partitions, or a key with more values where order allows it.
    SKW_03 "SKW-03" Warning "Too few keys for the partitions"
    why "some partitions stay empty, and their readers idle"
    sources ["Apache Kafka documentation, Producer Configs: partitioner.class (hash of the key)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let used = few(context, id)?;
        let [keys, partitions] = used.inputs() else { return None };
        let message = format!(
            "{}: {} on {} partitions, of which about {} any",
            context.title(id),
            human::counted(keys.value, "key"),
            partitions.text(),
            counted_as(used.value.round() as u64, "gets", "get")
        );
        Some(rule.finding(&[id], message, "fewer partitions, or a key with more values where order allows it"))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

/// The partitions that get any record, where a channel has fewer than three keys a partition.
pub(super) fn few<'a>(context: &'a Context<'_>, id: &Id) -> Option<&'a Explained> {
    context.get(id, key::channel::PARTITIONS)?;
    let used = context.channel_report(id)?.skew.used.as_ref().ok()?;
    let [keys, partitions] = used.inputs() else { return None };
    let keyed = context.record_key(id).is_none_or(|key| !key.0.is_empty());
    (keyed && partitions.value >= 2.0 && keys.value < 3.0 * partitions.value).then_some(used)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn few_keys_are_found() {
        let few = [("elements/orders/proposed/key_cardinality", "12"), ("elements/orders/proposed/partitions", "12")];
        assert_eq!(fires("SKW-03", &few).message, "orders: 12 keys on 12 partitions, of which about 8 get any");
        let one = [("elements/orders/proposed/key_cardinality", "1"), few[1]];
        assert_eq!(fires("SKW-03", &one).message, "orders: 1 key on 12 partitions, of which about 1 gets any");
        silent("SKW-03", &[few[0], ("elements/orders/proposed/partitions", "4")]);
        silent("SKW-03", &[&few[..], &[("links/l1/proposed/key", "[]")]].concat());
    }
}
