use crate::{
    model::{Columns, Id, Known, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Documents of a collection get an id that is drawn when they are written.
    ///
    /// # Why
    /// The MongoDB sink connector makes `_id` by `BsonOidStrategy` where nothing else is set: a new id for every write. The unique
    /// index on `_id` then recognises nothing, and whatever is read again after a crash is a new document.
    ///
    /// # Example
    /// The connector is restarted, the last 5 000 records come again, and 5 000 orders stand in the collection twice.
    ///
    /// # What to do
    /// `ProvidedInKeyStrategy` or `ProvidedInValueStrategy` with an id that is born with the event. The strategy by topic, partition
    /// and offset recognises re-reads of this topic, and nothing that was sent twice.
    CON_L4 "CON-L4" Error "A new document id for every write"
    why "a record that is read again is another document"
    sources ["MongoDB Kafka Connector documentation, Sink connector: document.id.strategy, default BsonOidStrategy"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if !random_id(context, id, link) || !context.repeats_matter(id) || !context.writes_again(&link.from) {
            return None;
        }
        let message = format!("{} gives every document a new id, and reads again after a crash", context.title(id));
        let upserts = context.get(id, key::store::WRITE_MODE) != Some(WriteMode::Append);
        let fix = upserts.then(|| propose("Propose the record key as id", id, key::write::KEY, Columns(["@record_key".into()].into())));
        Some(rule.finding(&[id, &link.to], message, "take an id that is born with the event").fixed_by(fix))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// A write into MongoDB whose document id is drawn at the write, not tied to the position.
pub(super) fn random_id(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    let drawn = || {
        let no_key = matches!(context.known(id, key::write::KEY), Known::Unset(_) | Known::NotKnown(_));
        match context.get(id, key::store::WRITE_MODE) {
            Some(WriteMode::Append) => no_key || context.new_key(id),
            Some(WriteMode::Upsert | WriteMode::InsertIfAbsent | WriteMode::Patch) => {
                let left_out = matches!(context.known(id, key::write::KEY), Known::Unset(_));
                context.new_key(id) || (left_out && context.runs(&link.from, "kafka_connect"))
            }
            _ => false,
        }
    };
    let spark = || context.runs(&link.from, "spark") && context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Append);
    context.runs(&link.to, "mongodb") && drawn() && !spark() && !context.tied(id)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const MONGO: (&str, &str) = ("elements/table/system", "\"mongodb\"");

    #[test]
    fn drawn_document_ids_are_found() {
        let drawn = [MONGO, ("links/l6/proposed/key", "[\"@random\"]")];
        fires("CON-L4", &drawn);
        mends("CON-L4", &drawn);
        fires("CON-L4", &[MONGO, ("links/l6/proposed/key", "\"unset\"")]);
        let append = [MONGO, ("links/l6/proposed/key", "null"), ("links/l6/proposed/write_mode", "\"append\"")];
        fires("CON-L4", &append);
        // One cause, one finding.
        silent("CON-L3", &append);
        silent("DEL-13", &append);
    }

    #[test]
    fn ids_of_the_event_and_tolerated_repeats_are_left_alone() {
        silent("CON-L4", &[MONGO]);
        silent("CON-L4", &[MONGO, ("links/l6/proposed/key", "null")]);
        silent("CON-L4", &[MONGO, ("links/l6/proposed/key", "[\"@random\"]"), ("elements/board/proposed/duplicates_tolerated", "true")]);
        silent("CON-L4", &[MONGO, ("links/l6/proposed/key", "[\"@random\"]"), ("links/l5/proposed/offset_commit", "\"before_work\""), ("elements/loader/system", "\"plain_consumer\"")]);
    }
}
