use crate::{
    analysis::OperatorReport,
    model::Id,
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The state of an operator grows without end.
    ///
    /// # Why
    /// Unbounded state is a failure on a date that nobody has picked: checkpoints get slower, restarts longer, and one day
    /// the disk is full.
    ///
    /// # Example
    /// De-duplication without a time-to-live: two million new ids a day, for ever.
    ///
    /// # What to do
    /// Give the entries a time-to-live, or the window an end.
    STA_01 "STA-01" Error "State grows without end"
    why "checkpoints and restarts get slower until the disk is full"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live", "Apache Flink documentation, Table API: Idle State Retention Time"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &OperatorReport)| {
        if !report.state.as_ref()?.as_ref().ok()?.unbounded() {
            return None;
        }
        let growth = report.growth.as_ref().and_then(|growth| growth.as_ref().ok()).filter(|growth| !growth.unbounded());
        let growth = growth.map_or_else(|| "by how much is not derivable".to_owned(), |growth| format!("by {}", growth.text()));
        let message = format!("{} keeps entries for ever and grows, {growth}", context.title(id));
        Some(rule.finding(&[id], message, "set a time-to-live, or an end of the window"))
    };
    context.report.operators.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn state_without_an_end_is_found() {
        fires("STA-01", &[("elements/dedup/proposed/state_ttl", "\"unlimited\"")]);
        silent("STA-01", &[]);
    }
}
