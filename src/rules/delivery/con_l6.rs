use crate::{
    model::{Id, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Documents go into a data stream, or the index draws their ids.
    ///
    /// # Why
    /// A data stream only takes new documents, and an index without an `_id` in the request makes one. Either way whatever is written
    /// again is another document. `key.ignore=true` on an index is not that case: the id is then topic, partition and offset, which
    /// recognises re-reads, and nothing that was sent twice.
    ///
    /// # Example
    /// Logs go into a data stream by a bulk request whose answer is lost; the retry makes every line twice.
    ///
    /// # What to do
    /// An index whose `_id` is the id of the event, or a data stream that its readers count by the id of the event.
    CON_L6 "CON-L6" Error "The index cannot recognise a repeat"
    why "whatever is written again is another document"
    sources ["Elasticsearch reference, Data streams: append-only; Index API: automatic id", "Confluent documentation, Elasticsearch Sink Connector: key.ignore, data streams"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if !own_id(context, id, link) || !context.repeats_matter(id) || !context.writes_again(&link.from) {
            return None;
        }
        let none = context.get(&link.to, key::sink::UNIQUE_KEYS).is_some_and(|keys| keys.0.is_empty());
        let what = if none { "appends to a data stream" } else { "leaves the id of a document to the index" };
        let message = format!("{} {what}, and writes again after a crash", context.title(id));
        Some(rule.finding(&[id, &link.to], message, "write into an index under an id of the event"))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// A write into an index under an id that is made at the write.
pub(super) fn own_id(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    let made = match context.get(id, key::store::WRITE_MODE) {
        Some(WriteMode::Append) => !context.runs(&link.from, "spark"),
        Some(WriteMode::Upsert | WriteMode::InsertIfAbsent | WriteMode::Patch) => context.new_key(id),
        _ => false,
    };
    made && (context.runs(&link.to, "elasticsearch") || context.runs(&link.to, "opensearch")) && !context.tied(id)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const INDEX: (&str, &str) = ("elements/table", r#"{"kind":"sink","system":"elasticsearch","proposed":{"unique_keys":[["store","window_start"]],"rebuild":"shadow","other_writers":false}}"#);
    const APPEND: (&str, &str) = ("links/l6/proposed/write_mode", "\"append\"");

    #[test]
    fn ids_of_the_index_are_found() {
        assert!(fires("CON-L6", &[INDEX, APPEND]).message.contains("leaves the id of a document to the index"));
        assert!(fires("CON-L6", &[INDEX, APPEND, ("elements/table/proposed/unique_keys", "[]")]).message.contains("data stream"));
        fires("CON-L6", &[INDEX, ("links/l6/proposed/key", "[\"@random\"]")]);
        silent("CON-L3", &[INDEX, APPEND]);
        let flink = ("elements/loader", r#"{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once","checkpoint_interval":"1min","on_error":"fail"}}"#);
        fires("CON-L6", &[INDEX, APPEND, flink]);
        silent("DEL-13", &[INDEX, APPEND, flink]);
    }

    #[test]
    fn ids_of_the_event_and_of_the_log_are_left_alone() {
        silent("CON-L6", &[INDEX]);
        silent("CON-L6", &[INDEX, ("links/l6/proposed/key", "[\"@coordinates\"]")]);
        silent("CON-L6", &[INDEX, APPEND, ("elements/board/proposed/duplicates_tolerated", "true")]);
    }
}
