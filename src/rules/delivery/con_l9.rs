use crate::{
    model::{Id, Link, key, units::Duration, words::{Deletes, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An index guards rows by version, and forgets the version of a deleted document.
    ///
    /// # Why
    /// Elasticsearch and OpenSearch keep the version of a deleted document for `index.gc_deletes`, 60 s where nobody changed it. After
    /// that an older write of the document is accepted: it comes back.
    ///
    /// # Example
    /// A customer is deleted; the connector is down for ten minutes and reads again from before the delete. Its last insert brings the
    /// customer back, until the delete is read again; where the re-read begins behind the delete of another partition, for good.
    ///
    /// # What to do
    /// Mark documents as deleted instead of deleting them, or raise `index.gc_deletes` above the longest re-read.
    CON_L9 "CON-L9" Note "A deleted document can come back"
    why "the version of a deleted document is forgotten before the last re-read"
    sources ["Elasticsearch reference, Index API: external versioning; Index modules: index.gc_deletes", "Elasticsearch, IndexSettings: INDEX_GC_DELETES_SETTING"]
    check check
}

/// What is in force unless `index.gc_deletes` was changed.
const KEPT: Duration = Duration::from_secs(60);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let guarded = !context.get(id, key::store::VERSION_GUARD)?.0.is_empty();
        let index = context.runs(&link.to, "elasticsearch") || context.runs(&link.to, "opensearch");
        let upserts = context.get(id, key::store::WRITE_MODE) == Some(WriteMode::Upsert);
        if !guarded || !index || !upserts || context.get(id, key::store::DELETES) != Some(Deletes::Applied) {
            return None;
        }
        let read = context.get(&link.to, key::sink::DELETES_REMEMBERED);
        let kept = read.unwrap_or(KEPT);
        let again = super::dup_07::read_again(context, &link.from).filter(|again| *again > kept)?;
        let unless = if read.is_some() { "" } else { " unless index.gc_deletes was raised" };
        let message = format!(
            "{} can write again after {}; {} remembers a delete for {}{unless}",
            context.title(id), again.spoken(), context.title(&link.to), kept.spoken()
        );
        Some(rule.finding(&[id, &link.to], message, "mark as deleted, or raise index.gc_deletes above the longest re-read"))
    };
    context.links_with(key::store::VERSION_GUARD).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const INDEX: &[(&str, &str)] = &[
        ("elements/table", r#"{"kind":"sink","system":"elasticsearch","proposed":{"unique_keys":[["store","window_start"]],"rebuild":"shadow","other_writers":false}}"#),
        ("links/l6/proposed/version_guard", "[\"@offset\"]"),
        ("links/l6/proposed/deletes", "\"applied\""),
        ("elements/loader/proposed/commit_interval", "\"1min\""),
        ("elements/loader/proposed/longest_outage", "\"10min\""),
    ];

    #[test]
    fn how_long_deletes_are_remembered_is_taken_as_read() {
        let long = ("elements/table/proposed/deletes_remembered", "\"1h\"");
        silent("CON-L9", &[INDEX, &[long]].concat());
        let short = ("elements/table/proposed/deletes_remembered", "\"5min\"");
        assert!(fires("CON-L9", &[INDEX, &[short]].concat()).message.ends_with("remembers a delete for 5 min"));
    }

    #[test]
    fn a_delete_that_is_forgotten_too_early_is_found() {
        assert!(fires("CON-L9", INDEX).message.starts_with("write → table can write again after 11 min"));
    }

    #[test]
    fn short_re_reads_marked_deletes_and_other_stores_are_left_alone() {
        silent("CON-L9", &[INDEX, &[("elements/loader/proposed/commit_interval", "\"10s\""), ("elements/loader/proposed/longest_outage", "\"40s\"")]].concat());
        silent("CON-L9", &[INDEX, &[("links/l6/proposed/deletes", "\"ignored\"")]].concat());
        silent("CON-L9", &INDEX[1..]);
        silent("CON-L9", &INDEX[..4]);
    }
}
