use crate::{
    analysis::{ConsumerReport, delivery::verdict::CopyClass},
    model::{Id, Link, key, words::Snapshot},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A change capture takes a new snapshot, and its rows reach somebody who does not take them by key.
    ///
    /// # Why
    /// A snapshot sends every row as it is now, in the middle of the changes. For a reader that replaces rows by key nothing happens;
    /// one that appends or adds up takes every row for a new one.
    ///
    /// # Example
    /// The database restarts, the position is gone, and all rows arrive a second time: a sum over them doubles.
    ///
    /// # What to do
    /// Take rows by the key of the table, and tell snapshot rows apart; keep the position where a restart does not lose it.
    SRC_L2 "SRC-L2" Warning "The whole table is sent again"
    why "every row of the table arrives once more"
    sources ["Debezium documentation, Snapshots: snapshot.mode", "Debezium documentation, PostgreSQL connector: failover slots"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::take::SNAPSHOT)? != Snapshot::Repeated || !context.repeats_matter(id) {
            return None;
        }
        let shows = |report: &ConsumerReport| {
            let verdict = &report.delivery;
            let mut copies = verdict.duplicates.iter().chain(verdict.taints.iter().flat_map(|taint| &taint.by));
            copies.any(|copies| copies.class == CopyClass::SourceResend && copies.origin.at == *id)
        };
        let (consumer, _) = context.report.consumers.iter().find(|(_, report)| shows(report))?;
        let message = format!("{} sends the whole table again, and the rows reach {} as new ones", context.title(id), context.title(consumer));
        Some(rule.finding(&[id, &link.from], message, "take rows by the key of the table, and keep the position of the capture"))
    };
    context.links_with(key::take::SNAPSHOT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const CAPTURE: &[(&str, &str)] = &[
        ("elements/db", r#"{"kind":"source","system":"postgres","event":"order","proposed":{"position_survives_failover":true}}"#),
        ("elements/capture", r#"{"kind":"job","system":"kafka_connect","proposed":{"processing_guarantee":"at_least_once"}}"#),
        ("elements/take", r#"{"kind":"operator","job":"capture","step":"copy"}"#),
        ("links/l1", r#"{"from":"db","to":"take","proposed":{"capture":"change_log","snapshot":"repeated"}}"#),
        ("links/p2", r#"{"from":"take","to":"orders","proposed":{"key":["store"],"output_commit":"flush","acks":"all","idempotence":true,"on_send_failure":"retry"}}"#),
        ("elements/shop", "null"),
    ];

    #[test]
    fn a_second_snapshot_that_is_added_up_is_found() {
        let adds = [("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")];
        fires("SRC-L2", &[CAPTURE, &adds].concat());
        silent("SRC-L2", &[CAPTURE, &adds, &[("links/l1/proposed/snapshot", "\"initial\"")]].concat());
    }
}
