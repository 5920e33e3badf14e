use crate::{
    model::{Id, Link, key, words::Capture},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Changes are taken by asking a table again and again.
    ///
    /// # Why
    /// A query sees rows as they are when it runs. Deletes are not there, versions that were overwritten in between are not there, and
    /// a row whose transaction commits late has a time or number that the next query has already passed.
    ///
    /// # Example
    /// Two transactions take numbers 7 and 8; 8 commits first and is read; 7 commits a second later and is never asked for.
    ///
    /// # What to do
    /// Read the change log of the database. Where that cannot be, look back further than the longest write transaction.
    SRC_L1 "SRC-L1" Error "Polling does not see every change"
    why "deletes, overwritten versions and late commits never arrive"
    sources ["Confluent documentation, JDBC Source Connector: incremental query modes, timestamp.delay.interval.ms", "Debezium documentation, Features: why log-based change capture"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let misses = match context.get(id, key::take::CAPTURE)? {
            Capture::PollTimestamp => "deletes and versions between two polls",
            Capture::PollSequence => "updates and deletes",
            Capture::PollTable => "deletes, and versions between two polls",
            _ => return None,
        };
        if !context.loss_matters(id) {
            return None;
        }
        let late = late(context, id, link).unwrap_or_default();
        let message = format!("{} does not see {misses}{late}", context.title(id));
        let remedy = if late.is_empty() {
            "read the change log"
        } else {
            "read the change log, or look back further than the longest write transaction"
        };
        Some(rule.finding(&[id, &link.from], message, remedy))
    };
    context.links_with(key::take::CAPTURE).filter_map(one).collect()
}

/// Rows that commit after the poll has passed their time or number.
fn late(context: &Context<'_>, id: &Id, link: &Link) -> Option<String> {
    if context.get(id, key::take::CAPTURE)? == Capture::PollTable {
        return None;
    }
    let back = context.get(id, key::take::POLL_DELAY);
    let longest = context.get(&link.from, key::source::LONGEST_TRANSACTION);
    if longest.is_some_and(|longest| back.is_some_and(|back| back > longest)) {
        return None;
    }
    let back = back.map_or("not read".to_owned(), |back| back.spoken());
    let longest = longest.map_or("longest write transaction not measured".to_owned(), |longest| {
        format!("longest write transaction {}", longest.spoken())
    });
    Some(format!(", nor rows that commit late (looks back: {back}; {longest})"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const POLL: &[(&str, &str)] = &[
        ("elements/db", r#"{"kind":"source","system":"postgres","event":"order"}"#),
        ("elements/poller", r#"{"kind":"job","system":"kafka_connect","proposed":{"processing_guarantee":"at_least_once"}}"#),
        ("elements/poll", r#"{"kind":"operator","job":"poller","step":"copy"}"#),
        ("links/p1", r#"{"from":"db","to":"poll","proposed":{"capture":"poll_timestamp","poll_delay":"0s"}}"#),
        ("links/p2", r#"{"from":"poll","to":"orders"}"#),
    ];

    #[test]
    fn polling_is_found_with_what_it_misses() {
        let message = fires("SRC-L1", POLL).message;
        assert!(message.ends_with("(looks back: 0 s; longest write transaction not measured)"), "{message}");
        let safe = [("elements/db/proposed/longest_transaction", "\"5s\""), ("links/p1/proposed/poll_delay", "\"1min\"")];
        assert!(fires("SRC-L1", &[POLL, &safe].concat()).message.ends_with("between two polls"));
        silent("SRC-L1", &[POLL, &[("links/p1/proposed/capture", "\"change_log\"")]].concat());
    }
}
