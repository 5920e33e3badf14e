use crate::{
    analysis::ReadReport,
    model::{Id, Link, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A small lag is shown on a channel that is written in transactions: it can be nothing but commit markers.
    ///
    /// # Why
    /// A transaction ends with a marker, which takes an offset and is no record. A reader that commits the offset of its last record
    /// plus one stays in front of the marker, so that every partition shows a lag of one for as long as nothing new comes.
    ///
    /// # Example
    /// Six partitions, everything read, and a lag of six that never goes away.
    ///
    /// # What to do
    /// Do not wait or alert for a lag of zero. Go by lag in time, or let the client commit its position and not the offset of a record.
    LAG_L5 "LAG-L5" Note "Commit markers count as lag"
    why "what is read to the end looks as if records were left"
    sources ["Apache Kafka documentation, Design: transactions, control records", "Spring for Apache Kafka reference, Transactions: fixTxOffsets"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &ReadReport)| {
        let (behind, markers) = (report.behind.as_ref().ok()?, report.markers.as_ref()?.as_ref().ok()?);
        if behind.value <= 0.0 || behind.value > markers.value {
            return None;
        }
        let link: &Link = context.subject(id)?.as_link()?;
        let reader = context.job_of(&link.to).unwrap_or(&link.to);
        let message = format!(
            "{} shows a lag of {} on {}, which is written in transactions: up to {} are commit markers, not records",
            context.title(reader), human::number(behind.value), context.title(&link.from), human::number(markers.value)
        );
        Some(rule.finding(&[id, &link.from], message, "alert on lag in time, and never on any lag at all"))
    };
    context.report.reads.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Three partitions: a lag of three can be markers, four cannot.
    #[test]
    fn a_lag_of_markers_is_found() {
        let message = fires("LAG-L5", &[("links/l5/proposed/lag", "3")]).message;
        assert_eq!(message, "loader shows a lag of 3 on totals, which is written in transactions: up to 3 are commit markers, not records");
        silent("LAG-L5", &[("links/l5/proposed/lag", "4")]);
        silent("LAG-L5", &[("links/l5/proposed/lag", "0")]);
        silent("LAG-L5", &[("links/l2/proposed/lag", "3")]);
    }
}
