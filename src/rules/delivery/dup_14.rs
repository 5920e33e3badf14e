use crate::{
    analysis::delivery::verdict::Replaced,
    model::{Columns, Id, key},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
    sorted,
};

rule! {
    /// Rows of an entity are replaced without comparing the version that their events carry, and a writer that its group replaced
    /// can write last.
    ///
    /// # Why
    /// A process that pauses for longer than its session, or works for longer than the poll interval, loses its partitions and does not
    /// know it. The new owner reads its records again and goes on; then the first one wakes and writes what it held. A repeat of the
    /// newest row changes nothing, a repeat of an older one stands.
    ///
    /// # Example
    /// A long garbage collection before the write of "paid"; the other instance writes "paid" and then "shipped"; the first one wakes
    /// and writes "paid" over it.
    ///
    /// # What to do
    /// Compare the version in the condition of the write, or an epoch that each owner raises first.
    DUP_14 "DUP-14" Warning "A replaced owner can bring an older row last"
    why "the older row stands until the next change of its key, and nothing shows it"
    sources ["Kleppmann, Designing Data-Intensive Applications, chapter 8: Fencing tokens", "Apache Kafka Javadoc, KafkaConsumer: Detecting Consumer Failures", "KIP-447: Producer scalability for exactly once semantics: zombies"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let all = context.report.consumers.values().flat_map(|report| &report.delivery.replaced);
    let mut found: Vec<&Replaced> = all.filter(|one| context.design.links.contains_key(&one.at)).collect();
    sorted::sort_by_key(&mut found, |one| &one.at);
    found.dedup_by_key(|one| &one.at);
    let one = |one: &Replaced| {
        let unguarded = context.get(&one.at, key::store::VERSION_GUARD)?.0.is_empty();
        let version = version(context, &one.at).filter(|_| unguarded)?;
        let owners: Vec<_> = one.owners.iter().map(|owner| context.title(owner)).collect();
        let message = format!(
            "{} does not compare {version}: an owner of {} that its group replaced can write an older row last",
            context.title(&one.at), owners.join(" or ")
        );
        let guard = Columns([version.as_str().into()].into());
        let fix = propose(&format!("Propose to compare {version}"), &one.at, key::store::VERSION_GUARD, guard);
        let about: Vec<&Id> = std::iter::once(&one.at).chain(&one.owners).collect();
        Some(rule.finding(&about, message, "compare the version in the condition of the write, or an epoch of the owner").fixed_by(Some(fix)))
    };
    found.into_iter().filter_map(one).collect()
}

/// The version that the events of this write carry, if it is known and which key is that of one event.
fn version(context: &Context<'_>, write: &Id) -> Option<String> {
    let [event] = context.events_at(&context.design.links.get(write)?.as_link()?.to) else { return None };
    context.get(event, key::event::EVENT_ID).filter(|id| !id.0.is_empty())?;
    context.get(event, key::event::VERSION_FIELD).map(|version| version.to_string())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// The newest state of each store, written by a connector.
    const ROWS: [(&str, &str); 14] = [
        ("links/l1/proposed/after_restart", "\"resume_position\""),
        ("elements/dedup/step", "\"map\""),
        ("elements/dedup/proposed", "{\"on_error\":\"fail\"}"),
        ("elements/sum/step", "\"map\""),
        ("elements/sum/proposed", "{}"),
        ("elements/sum/emits", "null"),
        ("elements/dlq", "null"),
        ("links/l9", "null"),
        ("links/l10", "null"),
        ("elements/late", "null"),
        ("links/l8", "null"),
        ("links/l4/proposed/key", "[\"store\"]"),
        ("links/l6/proposed/key", "[\"store\"]"),
        ("elements/table/proposed/unique_keys", "[[\"store\"]]"),
    ];
    const VERSION: (&str, &str) = ("events/order/proposed/version_field", "\"revision\"");

    fn rows<'a>(change: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        [&ROWS[..], &[VERSION], change].concat()
    }

    #[test]
    fn a_version_that_is_not_compared_is_found() {
        assert_eq!(
            fires("DUP-14", &rows(&[])).message,
            "write → table does not compare revision: an owner of loader that its group replaced can write an older row last"
        );
        mends("DUP-14", &rows(&[]));
    }

    #[test]
    fn guarded_rows_events_and_unread_guards_are_left_alone() {
        silent("DUP-14", &ROWS);
        silent("DUP-14", &rows(&[("links/l6/proposed/version_guard", "null")]));
        silent("DUP-14", &rows(&[("links/l6/proposed/version_guard", "[\"placed_at\"]")]));
        // One row for each event.
        let by_id = ("elements/table/proposed/unique_keys", "[[\"order_id\"]]");
        silent("DUP-14", &rows(&[("links/l6/proposed/key", "[\"order_id\"]"), by_id]));
        // Flink gives out partitions itself.
        let flink = ("elements/loader", r#"{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once"}}"#);
        silent("DUP-14", &rows(&[flink]));
        silent("DUP-14", &rows(&[("events/order/proposed/event_id", "null")]));
    }
}
