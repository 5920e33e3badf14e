use crate::{
    model::{key, words::OffsetCommit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A reader commits its position before it does the work, on a path where loss matters.
    ///
    /// # Why
    /// A crash between the commit and the work skips the records: at most once.
    ///
    /// # Example
    /// Acknowledge on receipt, then write to the table: the process dies in between and the row never comes.
    ///
    /// # What to do
    /// Commit after the write. Repeats after a crash are then possible; a keyed write removes them.
    DEL_12 "DEL-12" Error "Commits before the work"
    why "a crash after the commit skips what was not done yet"
    sources ["Apache Kafka documentation, Design: Message Delivery Semantics"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _)| {
        let early = context.get(id, key::read::OFFSET_COMMIT)? == OffsetCommit::BeforeWork && context.loss_matters(id);
        early.then(|| {
            let message = format!("{} commits before it works", context.title(id));
            rule.finding(&[id], message, "commit after the write").fixed_by(Some(propose(
                "Propose commit after work",
                id,
                key::read::OFFSET_COMMIT,
                OffsetCommit::AfterWork,
            )))
        })
    };
    context.links_with(key::read::OFFSET_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_early_commit_is_found() {
        let early = ("links/l5/proposed/offset_commit", "\"before_work\"");
        fires("DEL-12", &[early]);
        mends("DEL-12", &[early]);
        silent("DEL-12", &[early, ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
