use crate::{
    analysis::delivery::verdict::CopyClass,
    catalog::PositionIn,
    model::{ElementKind, Id, Link, key, words::{Marks, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

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
    let relayed = LazyCell::new(|| super::dup_08::relayed(context));
    let one = |(id, link): (&Id, &Link)| {
        let mode = context.get(id, key::store::WRITE_MODE);
        if mode.is_none() && !relays(context, link) || context.tied(id) || !context.repeats_matter(id) || !context.writes_again(&link.from) || marked(context, &link.from) {
            return None;
        }
        let job = context.title(context.job_of(&link.from)?);
        let how = match mode {
            Some(WriteMode::Append) if told(context, id, link) => return None,
            Some(WriteMode::Append) => "appends",
            Some(WriteMode::Increment) => "adds to what is there",
            None if super::del_18::believed(context, id, link).is_some() => return None,
            None if context.copies_show(CopyClass::Reemission, id) && !relayed.contains(id) => "makes new records",
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

/// Does a step before the write set marks outside that know what is read again, at the latest together with the write?
fn marked(context: &Context<'_>, operator: &Id) -> bool {
    let mut at = operator;
    for _ in 0..context.design.elements.len() {
        if matches!(context.get(at, key::operator::MARKS), Some(Marks::BeforeWrite | Marks::WithWrite)) {
            return true;
        }
        let before = context.into(at).find(|(_, link)| context.kind(&link.from) == Some(ElementKind::Operator));
        let Some((_, link)) = before else { return false };
        at = &link.from;
    }
    false
}

/// Rows that a connector inserts, batches that Spark appends and stores with ways of their own have rules of their own.
fn told(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    super::con_l3::inserts(context, id, link)
        || context.runs(&link.from, "spark")
        || super::con_l4::random_id(context, id, link)
        || super::con_l6::own_id(context, id, link)
        || super::con_l7::without_window(context, id, link)
        || super::con_l8::how(context, id, link).is_some()
}

/// A connector, a mirror or a service that writes into a channel.
fn relays(context: &Context<'_>, link: &Link) -> bool {
    let mode = || context.engine(&link.from).and_then(|engine| engine.modes.first());
    context.kind(&link.to) == Some(ElementKind::Channel)
        && mode().is_some_and(|mode| matches!(mode.position, PositionIn::Framework | PositionIn::Group))
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

    /// What is read again is known by its mark, at the latest from the write on.
    #[test]
    fn marks_in_front_of_the_write_know_what_is_read_again() {
        let append = [
            ("links/l6/proposed/write_mode", "\"append\""),
            ("elements/loader/system", "\"plain_consumer\""),
            ("elements/write/step", "\"deduplicate\""),
        ];
        let marked = |marks: &str| {
            format!(r#"{{"key":["store","window_start"],"state_in":"external","marks":"{marks}","state_ttl":"unlimited"}}"#)
        };
        let with = |facts: &str| -> Vec<(&'static str, String)> {
            append.iter().map(|(at, to)| (*at, (*to).to_owned())).chain([("elements/write/proposed", facts.to_owned())]).collect()
        };
        let told = |marks: &str, found: bool| {
            let changes = with(&marked(marks));
            let changes: Vec<(&str, &str)> = changes.iter().map(|(at, to)| (*at, to.as_str())).collect();
            if found { drop(fires("DEL-13", &changes)) } else { silent("DEL-13", &changes) }
        };
        told("after_write", true);
        told("with_write", false);
        told("before_write", false);
    }
}
