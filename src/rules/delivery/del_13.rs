use crate::{
    analysis::delivery::verdict::CopyClass,
    catalog::PositionIn,
    model::{ElementKind, Id, Link, key, words::{OutputCommit, WriteMode}},
    rules::{Context, Finding, Rule, context::Set, rule::rule},
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
    let copied = shown(context);
    let one = |(id, link): (&Id, &Link)| {
        let atomic = matches!(
            context.get(id, key::write::OUTPUT_COMMIT),
            Some(OutputCommit::TwoPhase | OutputCommit::WithPosition | OutputCommit::BatchId)
        );
        if atomic || !context.repeats_matter(id) || !context.writes_again(&link.from) {
            return None;
        }
        let job = context.title(context.job_of(&link.from)?);
        let how = match context.get(id, key::store::WRITE_MODE) {
            // Rows that a connector inserts and batches that Spark appends have rules of their own.
            Some(WriteMode::Append) if super::con_l3::inserts(context, id, link) || context.runs(&link.from, "spark") => {
                return None;
            }
            Some(WriteMode::Append) => "appends",
            Some(WriteMode::Increment) => "adds to what is there",
            None if copied.contains(id) && relays(context, link) => "makes new records",
            _ => return None,
        };
        let message = format!("{} {how}, and {job} reads again after a crash what it had not committed", context.title(id));
        let remedy = if context.kind(&link.to) == Some(ElementKind::Channel) {
            "copy in transactions, or remove repeats behind it by an id of the event"
        } else {
            "write on an enforced key, or commit the position together with the write"
        };
        Some(rule.finding(&[id], message, remedy))
    };
    context.links().filter_map(one).collect()
}

/// A connector, a mirror or a service that writes into a channel.
fn relays(context: &Context<'_>, link: &Link) -> bool {
    let mode = context.engine(&link.from).and_then(|engine| engine.modes.first());
    context.kind(&link.to) == Some(ElementKind::Channel)
        && mode.is_some_and(|mode| matches!(mode.position, PositionIn::Framework | PositionIn::Group))
}

/// The links whose results, written again, show at a consumer that does not want them.
fn shown<'a>(context: &Context<'a>) -> Set<'a> {
    let wants = |id: &Id| context.get(id, key::consumer::DUPLICATES_TOLERATED) != Some(true);
    let verdicts = context.report.consumers.iter().filter(|(id, _)| wants(id)).map(|(_, report)| &report.delivery);
    let copies = verdicts.flat_map(|verdict| verdict.duplicates.iter().chain(verdict.taints.iter().flat_map(|taint| &taint.by)));
    copies.filter(|copies| copies.class == CopyClass::Reemission).map(|copies| &copies.origin.at).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_append_behind_a_late_commit_is_found() {
        let append = [("links/l6/proposed/write_mode", "\"append\""), ("elements/loader/system", "\"plain_consumer\"")];
        let with = |more| [&append[..], &[more]].concat();
        fires("DEL-13", &append);
        silent("DEL-13", &with(("links/l6/proposed/output_commit", "\"with_position\"")));
        silent("DEL-13", &with(("elements/board/proposed/duplicates_tolerated", "true")));
        silent("DEL-13", &with(("links/l5/proposed/offset_commit", "\"before_work\"")));
    }
}
