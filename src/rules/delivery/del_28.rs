use crate::{
    model::{ElementKind, Id, Link},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// A job writes in transactions into a log that has none.
    ///
    /// # Why
    /// The transaction is the broker's: it writes the marks that readers wait for, and fences an owner that was replaced. A service
    /// with Kafka's protocol and without its transactions refuses the first one; a log of another product never hears of it.
    ///
    /// # Example
    /// A Kafka Streams application with `exactly_once_v2` is moved to Azure Event Hubs: transactions are there in Premium and
    /// Dedicated only, as a preview; in Standard it does not start.
    ///
    /// # What to do
    /// Write at least once, and remove repeats behind the log by an id of the event; or take a log with transactions.
    DEL_28 "DEL-28" Error "Transactions that the log does not have"
    why "the job does not start, or what it ties together is written apart"
    sources ["Microsoft Learn, Transactions in Apache Kafka for Azure Event Hubs (preview, Premium and Dedicated)", "Apache Flink AWS connectors documentation, Kinesis Data Streams Sink: at least once", "KIP-98: Exactly Once Delivery and Transactional Messaging"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.to)? != ElementKind::Channel || context.entry(&link.to)?.channel?.transactions {
            return None;
        }
        context.writes_transactions(id, &link.from).then(|| {
            let some = context.runs(&link.to, "event_hubs");
            let has = if some { "has them in Premium and Dedicated only, as a preview" } else { "has none" };
            let message = format!("{} writes in transactions, and {} {has}", context.title(id), context.title(&link.to));
            let finding = rule.finding(&[id, &link.to], message, "write at least once and remove repeats behind it, or take a log with transactions");
            if some { Finding { severity: Severity::Warning, ..finding } } else { finding }
        })
    };
    context.links_into(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    const KINESIS: (&str, &str) = ("elements/totals/system", "\"kinesis\"");

    #[test]
    fn transactions_into_a_log_without_them_are_found() {
        let finding = fires("DEL-28", &[KINESIS]);
        assert_eq!(finding.message, "sum → totals writes in transactions, and totals has none");
        assert_eq!(finding.severity, Severity::Error);
        assert_eq!(fires("DEL-28", &[("elements/totals/system", "\"event_hubs\"")]).severity, Severity::Warning);
    }

    #[test]
    fn logs_with_transactions_and_plain_writes_are_left_alone() {
        silent("DEL-28", &[]);
        silent("DEL-28", &[KINESIS, ("links/l4/proposed/output_commit", "\"flush\"")]);
        silent("DEL-28", &[("elements/totals/system", "\"redpanda\"")]);
    }
}
