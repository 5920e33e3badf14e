use crate::{
    model::{Id, Link, key, words::{OnConflict, OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A row that comes again meets a unique key, and the write fails instead of changing nothing.
    ///
    /// # Why
    /// A unique index keeps the second row out. It does not make the write repeatable: the batch is refused, the task fails, starts
    /// again at the same position and is refused again.
    ///
    /// # Example
    /// 173 rows are sent, seven of them are there already: the batch fails, and the connector stands until somebody steps in.
    ///
    /// # What to do
    /// Update by that key, or skip what is there.
    DUP_10 "DUP-10" Warning "A repeat stops the writer"
    why "the writer fails at the same batch again and again"
    sources ["PostgreSQL documentation, INSERT: ON CONFLICT", "Confluent documentation, JDBC Sink Connector: insert.mode"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let keys = context.get(&link.to, key::sink::UNIQUE_KEYS).filter(|keys| !keys.0.is_empty())?;
        let fails = match context.get(id, key::store::WRITE_MODE)? {
            WriteMode::Append => true,
            WriteMode::InsertIfAbsent => context.get(id, key::store::ON_CONFLICT) == Some(OnConflict::Fail),
            _ => false,
        };
        let atomic = matches!(context.get(id, key::write::OUTPUT_COMMIT), Some(OutputCommit::TwoPhase | OutputCommit::WithPosition | OutputCommit::BatchId));
        (fails && !atomic && context.writes_again(&link.from)).then(|| {
            let keys = keys.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("{} inserts, and {} refuses a second row of {keys}: a repeat stops it", context.title(id), context.title(&link.to));
            rule.finding(&[id, &link.to], message, "update by that key, or skip what is there")
        })
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_insert_against_a_unique_key_is_found() {
        fires("DUP-10", &[("links/l6/proposed/write_mode", "\"append\"")]);
        let absent = ("links/l6/proposed/write_mode", "\"insert_if_absent\"");
        fires("DUP-10", &[absent, ("links/l6/proposed/on_conflict", "\"fail\"")]);
        silent("DUP-10", &[absent, ("links/l6/proposed/on_conflict", "\"ignore\"")]);
        silent("DUP-10", &[("links/l6/proposed/write_mode", "\"append\""), ("elements/table/proposed/unique_keys", "[]")]);
        silent("DUP-10", &[]);
    }
}
