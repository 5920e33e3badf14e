use super::told;
use crate::{
    model::{Id, Known, Step, key, words::JoinKind},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// A record meets the table as it is when it comes by, and results are to be made again.
    ///
    /// # Why
    /// A table without versions knows only today's values. A replay joins last month's orders with today's prices.
    ///
    /// # Example
    /// Orders are joined with a table of exchange rates. After a replay the same orders have other amounts.
    ///
    /// # What to do
    /// A versioned table with a grace period, or the value written into the record when it is born.
    TIM_17 "TIM-17" Note "A replay meets today's table"
    why "results of a second run are not those of the first"
    sources ["KIP-889: Versioned State Stores", "KIP-923: Add A Grace Period to Stream Table Join", "Apache Flink documentation, Joins: Temporal Joins"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let needed = LazyCell::new(|| told::replay_needed(context));
    let one = |(id, _, step): (&Id, &Id, Step)| {
        if step != Step::Join || !matches!(context.get(id, key::operator::JOIN)?, JoinKind::Table | JoinKind::GlobalTable) {
            return None;
        }
        let consumer = *needed.get(id)?;
        let how = match context.known(id, key::operator::HISTORY) {
            Known::NotKnown(_) => "whether its table keeps versions is not read",
            Known::Unset(_) => "its table keeps no versions",
            _ => return None,
        };
        let message = format!("{}: {how}, and {} needs results that can be made again", context.title(id), context.title(consumer));
        Some(rule.finding(&[id, consumer], message, "a versioned table, or the value in the record"))
    };
    context.operators_with(key::operator::JOIN).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_table_without_versions_before_a_replay_is_found() {
        let join = ("elements/dedup/step", "\"join\"");
        let table = ("elements/dedup/proposed/join", "\"table\"");
        fires("TIM-17", &[join, table]);
        fires("TIM-17", &[join, table, ("elements/dedup/proposed/history", "\"unset\"")]);
        silent("TIM-17", &[join, table, ("elements/dedup/proposed/history", "\"1d\"")]);
        silent("TIM-17", &[join, table, ("elements/board/proposed/replay_needed", "null")]);
        silent("TIM-17", &[join, ("elements/dedup/proposed/join", "\"temporal\"")]);
    }
}
