use crate::{
    model::{Id, Link, key, units::Limit, words::{Collapse, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Rows are inserted into a ClickHouse table that remembers no blocks.
    ///
    /// # Why
    /// Replicated tables skip a block that they have inserted before, for as long as their window lasts: the same rows in the same
    /// block, or the same `insert_deduplication_token`. A table without replication has no such window unless
    /// `non_replicated_deduplication_window` is set; it is 0. And a restart cuts other blocks, which no window recognises.
    ///
    /// # Example
    /// A connector on a `MergeTree` table times out on an insert that went through, inserts again, and every row is there twice.
    ///
    /// # What to do
    /// A replicated table, or a window, with a token from topic, partition and offsets (the connector's `exactlyOnce` does that); or
    /// a table that keeps one row per key, read with `FINAL`.
    CON_L7 "CON-L7" Warning "The table remembers no inserts"
    why "an insert that is sent again is a second one"
    sources ["ClickHouse documentation, Deduplicating inserts on retries", "ClickHouse documentation, MergeTree settings: non_replicated_deduplication_window, replicated_deduplication_window", "ClickHouse Kafka Connect Sink documentation: exactlyOnce"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if !without_window(context, id, link) || !context.repeats_matter(id) || !context.writes_again(&link.from) {
            return None;
        }
        let message = format!("{} inserts again after a crash, and {} remembers no blocks (window 0)", context.title(id), context.title(&link.to));
        Some(rule.finding(&[id, &link.to], message, "a replicated table or a window, with a token from the offsets"))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// A plain insert into a ClickHouse table that was read to have no window, and that does not collapse equal keys.
pub(super) fn without_window(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    context.runs(&link.to, "clickhouse")
        && context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Append)
        && context.get(&link.to, key::sink::DEDUP_WINDOW) == Some(Limit::None)
        && !matches!(context.get(&link.to, key::sink::COLLAPSE), Some(Collapse::AtMerge | Collapse::AtRead | Collapse::AtWrite))
        && !context.runs(&link.from, "spark")
        && !context.tied(id)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const TABLE: &[(&str, &str)] = &[
        ("elements/table", r#"{"kind":"sink","system":"clickhouse","proposed":{"dedup_window":"none","rebuild":"shadow","other_writers":false}}"#),
        ("links/l6/proposed/write_mode", "\"append\""),
    ];

    #[test]
    fn a_table_without_a_window_is_found() {
        assert!(fires("CON-L7", TABLE).message.ends_with("table remembers no blocks (window 0)"));
        silent("DEL-13", TABLE);
    }

    #[test]
    fn windows_collapsing_tables_and_unread_ones_are_left_alone() {
        silent("CON-L7", &[TABLE, &[("elements/table/proposed/dedup_window", "\"1h\"")]].concat());
        silent("CON-L7", &[TABLE, &[("elements/table/proposed/dedup_window", "null")]].concat());
        silent("CON-L7", &[TABLE, &[("elements/table/proposed/collapse", "\"at_merge\"")]].concat());
        silent("CON-L7", &[TABLE, &[("links/l6/proposed/output_commit", "\"with_position\"")]].concat());
    }
}
