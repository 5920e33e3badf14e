use crate::{
    model::{Id, Link, key, words::{OffsetCommit, OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A reader that reads again after a crash writes in a way that shows every repeat.
    ///
    /// # Why
    /// Committing after the write means at least once: what was written and not yet committed is written again. An append
    /// or an increment has nothing to recognise it by.
    ///
    /// # Example
    /// A consumer inserts rows and commits every 5 s; after a crash up to five seconds of rows are there twice.
    ///
    /// # What to do
    /// Upsert on a unique key that the table enforces, or store the position in the transaction of the rows.
    DEL_13 "DEL-13" Warning "A re-read shows as repeats"
    why "after a crash the same records are written a second time"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics", "PostgreSQL documentation, INSERT: ON CONFLICT"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let mode = context.get(id, key::store::WRITE_MODE)?;
        let atomic = matches!(
            context.get(id, key::write::OUTPUT_COMMIT),
            Some(OutputCommit::TwoPhase | OutputCommit::WithPosition | OutputCommit::BatchId)
        );
        if !matches!(mode, WriteMode::Append | WriteMode::Increment) || atomic || !context.repeats_matter(id) {
            return None;
        }
        let again = context.job_of(&link.from).into_iter().flat_map(|job| context.operators_of(job)).any(|operator| {
            context.into(operator).any(|(read, _)| {
                matches!(
                    context.get(read, key::read::OFFSET_COMMIT),
                    Some(OffsetCommit::AfterWork | OffsetCommit::PerRecord | OffsetCommit::Auto)
                )
            })
        });
        let how = if mode == WriteMode::Append { "appends" } else { "increments" };
        let message = format!("{} {how}, and its reader commits after the write", context.title(id));
        again.then(|| rule.finding(&[id], message, "upsert on an enforced key, or commit the position with the rows"))
    };
    context.links().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_append_behind_a_late_commit_is_found() {
        let append = ("links/l6/proposed/write_mode", "\"append\"");
        fires("DEL-13", &[append]);
        silent("DEL-13", &[append, ("links/l6/proposed/output_commit", "\"with_position\"")]);
        silent("DEL-13", &[append, ("elements/board/proposed/duplicates_tolerated", "true")]);
    }
}
