use crate::{
    catalog::Keys,
    model::{Id, Link, key, words::WriteMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A connector inserts rows into a table that could enforce a key, or is told to upsert and not by which key.
    ///
    /// # Why
    /// `insert.mode` and `pk.mode` are two settings. Without a key an insert makes a second row of every repeat, and an upsert has
    /// nothing to update by: the connector does not start, or writes nothing.
    ///
    /// # Example
    /// `insert.mode=upsert` and no `pk.mode`: the word upsert alone recognises nothing.
    ///
    /// # What to do
    /// Upsert by the key of the record or by columns of it, and let the table enforce that key.
    CON_L3 "CON-L3" Error "Rows are written without a key"
    why "a repeat cannot be recognised, or nothing can be updated"
    sources ["Confluent documentation, JDBC Sink Connector: insert.mode, pk.mode, pk.fields", "Debezium documentation, JDBC connector: insert.mode, primary.key.mode"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let keyless = context.get(id, key::write::KEY).is_some_and(|key| key.0.is_empty());
        let upserts = matches!(context.get(id, key::store::WRITE_MODE), Some(WriteMode::Upsert | WriteMode::InsertIfAbsent));
        let what = if upserts && keyless {
            "is told to update by key, and by none"
        } else if inserts(context, id, link) && !told(context, id, link) && context.repeats_matter(id) && context.writes_again(&link.from) {
            "inserts rows, so that whatever is read again after a crash is a second row"
        } else {
            return None;
        };
        let message = format!("{} {what}", context.title(id));
        Some(rule.finding(&[id, &link.to], message, "upsert by a key of the record that the table enforces"))
    };
    context.links_with(key::store::WRITE_MODE).filter_map(one).collect()
}

/// Stores that draw an id of their own have rules of their own.
fn told(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    super::con_l4::random_id(context, id, link) || super::con_l6::own_id(context, id, link)
}

/// A connector that inserts into a table which could enforce a key.
pub(in crate::rules) fn inserts(context: &Context<'_>, id: &Id, link: &Link) -> bool {
    let sink = context.entry(&link.to).and_then(|entry| entry.sink);
    let connector = context.runs(&link.from, "kafka_connect") || context.runs(&link.from, "debezium_server");
    connector
        && sink.is_some_and(|sink| sink.keys == Keys::Enforced)
        && context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Append)
        && context.get(id, key::write::OUTPUT_COMMIT).is_none_or(|commit| commit == crate::model::words::OutputCommit::Flush)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn rows_without_a_key_are_found() {
        let append = ("links/l6/proposed/write_mode", "\"append\"");
        fires("CON-L3", &[append]);
        silent("CON-L3", &[append, ("elements/board/proposed/duplicates_tolerated", "true")]);
        silent("CON-L3", &[append, ("links/l6/proposed/output_commit", "\"with_position\"")]);
        assert!(fires("CON-L3", &[("links/l6/proposed/key", "[]")]).message.ends_with("by key, and by none"));
        silent("CON-L3", &[("links/l6/proposed/key", "null")]);
    }
}
