use crate::{
    model::{Id, Link, key, words::Isolation},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A reader does not wait for the commit of a channel that is written in transactions.
    ///
    /// # Why
    /// It sees results of transactions that are aborted later: repeats, and values that never became final. Reading
    /// uncommitted is the default of the Java client, and so of Connect, Flink, Spark and Kafka Streams.
    ///
    /// # Example
    /// A job writes totals in transactions; the sink connector reads at once. After a crash the board shows a total that
    /// was rolled back, until the retry overwrites it.
    ///
    /// # What to do
    /// Set `isolation.level=read_committed` on the reader. It then waits as long as a transaction is open.
    DEL_15 "DEL-15" Error "Aborted results are read"
    why "the job writes in transactions, this reader does not wait for the commit"
    sources ["Apache Kafka documentation, Consumer Configs: isolation.level", "KIP-98: Exactly Once Delivery and Transactional Messaging"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.isolation(id, &link.to) != Some(Isolation::ReadUncommitted) {
            return None;
        }
        let writer = context.into(&link.from).find(|(write, into)| context.writes_transactions(write, &into.from))?;
        let message = format!(
            "{} reads uncommitted what {} writes in transactions",
            context.title(&link.to),
            context.title(context.job_of(&writer.1.from).unwrap_or(&writer.1.from))
        );
        let fix = propose("Propose read_committed", id, key::read::ISOLATION, Isolation::ReadCommitted);
        Some(rule.finding(&[id, &link.to], message, "let the reader wait for the commit").fixed_by(Some(fix)))
    };
    context.links_with(key::read::ISOLATION).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_uncommitted_read_of_transactions_is_found() {
        let early = ("links/l5/proposed/isolation", "\"read_uncommitted\"");
        let finding = fires("DEL-15", &[early]);
        assert_eq!(finding.message, "write reads uncommitted what revenue writes in transactions");
        mends("DEL-15", &[early]);
        silent("DEL-15", &[early, ("links/l4/proposed/output_commit", "\"flush\"")]);
    }

    #[test]
    fn what_was_read_as_not_set_is_the_default_of_the_engine() {
        fires("DEL-15", &[("links/l5/proposed/isolation", "\"unset\"")]);
        silent("DEL-15", &[("links/l5/proposed/isolation", "null")]);
    }
}
