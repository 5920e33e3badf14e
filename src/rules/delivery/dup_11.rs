use crate::{
    model::{Id, Link, key, words::Partitioner},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The version of a row is its offset, and rows of one key come from several partitions or from a topic that was made anew.
    ///
    /// # Why
    /// An offset orders the records of one partition. Across partitions, and after a topic was deleted and created, the newer row
    /// can have the lower offset: the store takes it for old and drops it without an error.
    ///
    /// # Example
    /// The partition is chosen by code, the document id is the order; of two states of an order the older one has offset 900, the
    /// newer one 40.
    ///
    /// # What to do
    /// Let the key choose the partition, or take a version that the source counts.
    DUP_11 "DUP-11" Error "Offsets that do not compare decide which row is newer"
    why "a newer row with a lower offset is dropped silently"
    sources ["Elasticsearch reference, Index API: external versioning", "Confluent documentation, Elasticsearch Sink Connector: external version header, version conflicts"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let guard = context.get(id, key::store::VERSION_GUARD)?;
        let channel = context.channel_before(&link.from)?;
        if !guard.0.iter().any(|part| &**part == "@offset") || !context.loss_matters(id) {
            return None;
        }
        let several = context.get(channel, key::channel::PARTITIONS) != Some(1);
        let chosen = context.into(channel).any(|(writer, _)| {
            matches!(context.get(writer, key::produce::PARTITIONER), Some(Partitioner::Custom | Partitioner::RoundRobin))
        });
        let other = || {
            let (row, record) = (context.written_key(id, link)?, context.record_key(channel)?);
            Some(!record.0.iter().all(|column| row.0.contains(column)))
        };
        let title = context.title(channel);
        let why = if context.get(channel, key::channel::RECREATED) == Some(true) {
            format!("offsets of {title} started again")
        } else if several && chosen {
            format!("the key does not choose the partition of {title}")
        } else if several && other() == Some(true) {
            format!("records of {title} go by another key")
        } else {
            return None;
        };
        let message = format!("{} takes the offset for the version, and {why}", context.title(id));
        Some(rule.finding(&[id, channel], message, "take a version that the source counts, or let the key of the row choose the partition"))
    };
    context.links_with(key::store::VERSION_GUARD).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const OFFSET: (&str, &str) = ("links/l6/proposed/version_guard", "[\"@offset\"]");

    #[test]
    fn versions_that_do_not_compare_are_found() {
        fires("DUP-11", &[OFFSET, ("elements/totals/proposed/recreated", "true")]);
        fires("DUP-11", &[OFFSET, ("links/l4/proposed/partitioner", "\"round_robin\"")]);
        fires("DUP-11", &[OFFSET, ("links/l4/proposed/key", "[\"region\"]")]);
        silent("DUP-11", &[OFFSET]);
        silent("DUP-11", &[OFFSET, ("links/l4/proposed/key", "[\"region\"]"), ("elements/totals/proposed/partitions", "1")]);
    }
}
