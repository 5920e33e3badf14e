use crate::{
    model::{ElementKind, Id, Subject, key, words::CleanupPolicy},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A sum or history is built from a channel that keeps only the newest version of each key.
    ///
    /// # Why
    /// Compaction removes superseded versions. A replay, and a reader that lags behind the cleaner, see fewer changes than
    /// there were: totals come out too low.
    ///
    /// # Example
    /// "Changes per customer and day" counted over a compacted profile topic: a replay counts one per customer.
    ///
    /// # What to do
    /// Keep the history elsewhere (a deleting channel, objects), or raise the minimum compaction lag above every lag and replay.
    RET_05 "RET-05" Error "Compaction removes what is counted"
    why "superseded versions vanish, so a replay or a lagging reader counts too few"
    sources ["Apache Kafka documentation, Design: Log Compaction", "Apache Kafka documentation, Topic Configs: min.compaction.lag.ms"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let policy = context.get(id, key::channel::CLEANUP_POLICY)?;
        if policy == CleanupPolicy::Delete {
            return None;
        }
        let id = context.design.elements.get_key_value(id)?.0;
        let sum = nearest_sum(context, id)?;
        let lag = context.get(id, key::channel::MIN_COMPACTION_LAG);
        let words = lag.map_or("not read".to_owned(), |lag| lag.spoken());
        let message = format!(
            "{} adds up over {}, which is compacted (minimum compaction lag {words})",
            context.title(sum),
            context.title(id)
        );
        Some(rule.finding(&[id, sum], message, "keep the history in a channel or store that is not compacted"))
    };
    context.elements_with(ElementKind::Channel, key::channel::CLEANUP_POLICY).filter_map(one).collect()
}

/// The first sum, count or list behind a channel, before the next channel.
fn nearest_sum<'a>(context: &Context<'a>, channel: &'a Id) -> Option<&'a Id> {
    let mut stack: Vec<&Id> = context.from(channel).map(|(_, link)| &link.to).collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(at) = stack.pop() {
        if !seen.insert(at) || context.kind(at) != Some(ElementKind::Operator) {
            continue;
        }
        if context.additive(at) {
            return Some(at);
        }
        stack.extend(context.from(at).map(|(_, link)| &link.to));
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_sum_over_a_compacted_channel_is_found() {
        let compact = ("elements/orders/proposed/cleanup_policy", "\"compact\"");
        fires("RET-05", &[compact]);
        silent("RET-05", &[compact, ("elements/sum/proposed/function", "\"last\"")]);
        silent("RET-05", &[("elements/totals/proposed/cleanup_policy", "\"compact\"")]);
    }
}
