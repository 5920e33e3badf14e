use crate::{
    model::{Columns, ElementKind, Id, Link, key, words::CleanupPolicy},
    rules::{Context, Finding, Fix, Rule, rule::{propose, rule}},
};

rule! {
    /// Records without a key go into a channel whose records need one: it is compacted, or somebody behind it needs order.
    ///
    /// # Why
    /// Compaction keeps the newest record of each key, and a broker refuses a record without one. Without a key, records of one entity
    /// go to any partition and are read in any order.
    ///
    /// # Example
    /// A change stream is written without a key into a compacted topic: every send fails.
    ///
    /// # What to do
    /// Write by the key of the entity.
    ORD_L4 "ORD-L4" Warning "No key where one is needed"
    why "records of one entity lie in several partitions, and a compacted channel refuses them"
    sources ["Apache Kafka documentation, Design: Log Compaction", "KIP-480: Sticky Partitioner"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    context.links_with(key::write::KEY).filter_map(|(id, link)| unkeyed(rule, context, id, link)).collect()
}

fn unkeyed<'a>(rule: &'static Rule, context: &Context<'a>, id: &Id, link: &'a Link) -> Option<Finding> {
        (context.kind(&link.to) == Some(ElementKind::Channel)).then_some(())?;
        context.get(id, key::write::KEY).filter(|key| key.0.is_empty())?;
        let compacted = context.get(&link.to, key::channel::CLEANUP_POLICY).is_some_and(|policy| policy != CleanupPolicy::Delete);
        let (consumer, needed) = ordered_behind(context, &link.to).unzip();
        let single = context.get(&link.to, key::channel::PARTITIONS) == Some(1);
        let why = match consumer {
            _ if compacted => format!("{} is compacted", context.title(&link.to)),
            Some(consumer) if !single => format!("{} needs order", context.title(consumer)),
            _ => return None,
        };
        let message = format!("{} writes without a key, and {why}", context.title(id));
        let by = needed.or_else(|| of_event(context, &link.to));
        let fix: Option<Fix> = by.map(|by| propose("Propose a key", id, key::write::KEY, by));
        Some(rule.finding(&[id, &link.to], message, "write by the key of the entity").fixed_by(fix))
}

/// The first consumer behind a channel that needs order, with its columns.
fn ordered_behind<'a>(context: &Context<'a>, channel: &'a Id) -> Option<(&'a Id, Columns)> {
    // Few consumers need order: the walk is asked only where one does.
    let needs = |id: &Id| context.get(id, key::consumer::ORDER_NEEDED).filter(|needed| !needed.0.is_empty());
    if !context.elements(ElementKind::Consumer).any(|(id, _)| needs(id).is_some()) {
        return None;
    }
    context.consumers_behind(channel).into_iter().find_map(|id| Some((id, needs(id)?)))
}

/// The key of the one event type that a channel carries.
fn of_event(context: &Context<'_>, channel: &Id) -> Option<Columns> {
    match context.events_at(channel) {
        [only] => context.get(only, key::event::KEY).filter(|key| !key.0.is_empty()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_missing_key_is_found_where_one_is_needed() {
        let none = ("links/l1/proposed/key", "[]");
        let needed = ("elements/board/proposed/order_needed", "[\"store\"]");
        let compact = ("elements/orders/proposed/cleanup_policy", "\"compact\"");
        assert_eq!(fires("ORD-L4", &[none, needed]).message, "shop → orders writes without a key, and board needs order");
        assert!(fires("ORD-L4", &[none, compact]).message.ends_with("orders is compacted"));
        mends("ORD-L4", &[none, needed]);
        mends("ORD-L4", &[none, compact]);
        silent("ORD-L4", &[none]);
        silent("ORD-L4", &[needed, compact]);
        silent("ORD-L4", &[none, needed, ("elements/orders/proposed/partitions", "1")]);
    }
}
