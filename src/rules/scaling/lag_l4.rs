use crate::{
    analysis::ReadReport,
    model::{Id, Link, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A reader of committed records waits in front of a transaction that is still open.
    ///
    /// # Why
    /// It may read up to the last stable offset and no further. What stands behind it counts as lag, and no reader, however fast,
    /// makes it less: the writer has to commit or abort, or the broker aborts for it when the transaction times out.
    ///
    /// # Example
    /// The log ends at 1 663, the last stable offset is 200, the position 200: a lag of 1 463, and nothing to read.
    ///
    /// # What to do
    /// Find the transaction and its producer, end it, and set a transaction timeout that is no longer than readers can wait.
    LAG_L4 "LAG-L4" Warning "Lag behind an open transaction"
    why "the reader is blamed for what a writer holds back, and results stand still"
    sources ["Apache Kafka documentation, Consumer Configs: isolation.level", "KIP-664: Provide tooling to detect and abort hanging transactions"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &ReadReport)| {
        let (readable, held) = (report.readable.as_ref()?, report.held.as_ref()?);
        if held.value <= 0.0 {
            return None;
        }
        let link: &Link = context.subject(id)?.as_link()?;
        let reader = context.job_of(&link.to).unwrap_or(&link.to);
        let message = format!(
            "{} can read {} more of {}; {} after them wait for an open transaction to end",
            context.title(reader), records(readable.value), context.title(&link.from), human::number(held.value)
        );
        Some(rule.finding(&[id, &link.from], message, "find the open transaction (kafka-transactions.sh find-hanging) and end it"))
    };
    context.report.reads.iter().filter_map(one).collect()
}

fn records(count: f64) -> String {
    human::records(count)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 1 663 − 200 = 1 463 behind the stable offset, 200 − 200 = 0 before it.
    #[test]
    fn a_reader_behind_a_transaction_is_found() {
        let offsets = [("elements/totals/proposed/end_offset", "1663"), ("elements/totals/proposed/stable_offset", "200"), ("links/l5/proposed/committed_offset", "200")];
        let message = fires("LAG-L4", &offsets).message;
        assert_eq!(message, "loader can read 0 records more of totals; 1\u{2009}463 after them wait for an open transaction to end");
        silent("LAG-L4", &[offsets[0], ("elements/totals/proposed/stable_offset", "1663"), offsets[2]]);
        silent("LAG-L4", &[offsets[0], offsets[1], offsets[2], ("links/l5/proposed/isolation", "\"read_uncommitted\"")]);
        silent("LAG-L4", &offsets[..2]);
    }
}
