use crate::{
    model::{ElementKind, Id, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Rows are written by key, and the key is drawn when they are written.
    ///
    /// # Why
    /// An upsert recognises a repeat by its key. A `uuid()`, a sequence or the time of arrival is another one for the repeat: the
    /// unique index is kept, and the row stands twice.
    ///
    /// # Example
    /// The consumer gives each payment an `id = uuid()` and upserts on it; after a crash the last payments are read, drawn and stored
    /// again.
    ///
    /// # What to do
    /// Take an id that is born with the event, or derive one from it (a hash of its fields, topic, partition and offset).
    DUP_12 "DUP-12" Error "The key is drawn at the write"
    why "a row that is written again has another key"
    sources ["Helland, Idempotence Is Not a Medical Condition (2012)", "PostgreSQL documentation, INSERT: ON CONFLICT"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if !context.new_key(id) || context.kind(&link.to)? != ElementKind::Sink {
            return None;
        }
        let by_key = matches!(context.get(id, key::store::WRITE_MODE)?, WriteMode::Upsert | WriteMode::InsertIfAbsent | WriteMode::Patch);
        let told = super::con_l4::random_id(context, id, link) || super::con_l6::own_id(context, id, link);
        (by_key && !told && !context.tied(id) && context.repeats_matter(id) && context.writes_again(&link.from)).then(|| {
            let message = format!("{} draws the key of each row, and writes again after a crash", context.title(id));
            rule.finding(&[id, &link.to], message, "take an id that is born with the event, or derive one from it")
        })
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const DRAWN: (&str, &str) = ("links/l6/proposed/key", "[\"@random\"]");

    #[test]
    fn a_drawn_key_is_found() {
        fires("DUP-12", &[DRAWN]);
        fires("DUP-12", &[("links/l6/proposed/key", "[\"store\",\"@arrival\"]")]);
    }

    #[test]
    fn keys_of_the_event_and_tied_writes_are_left_alone() {
        silent("DUP-12", &[]);
        silent("DUP-12", &[("links/l6/proposed/key", "[\"@coordinates\"]")]);
        silent("DUP-12", &[DRAWN, ("links/l6/proposed/output_commit", "\"with_position\"")]);
        silent("DUP-12", &[DRAWN, ("elements/board/proposed/duplicates_tolerated", "true")]);
        silent("DUP-12", &[DRAWN, ("elements/table/system", "\"mongodb\"")]);
    }
}
