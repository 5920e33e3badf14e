use crate::{
    analysis::OperatorReport,
    model::Id,
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// How large the state of an operator gets cannot be said.
    ///
    /// # Why
    /// Recovery time, checkpoint size and the disk of the machines follow from it. "Small" is not a size.
    ///
    /// # Example
    /// A join without the number of keys: nobody knows whether it is 2 MB or 200 GB.
    ///
    /// # What to do
    /// Measure what is missing, or state it and mark it as stated.
    STA_02 "STA-02" Error "State without a size"
    why "recovery time and disk cannot be planned"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &OperatorReport)| {
        let missing = report.state.as_ref()?.as_ref().err()?;
        let mut message = [&context.title(id), ": size of its state is not derivable ("].concat();
        for (number, missing) in missing.missing.iter().take(2).enumerate() {
            let and = if number == 0 { "" } else { "; " };
            message.extend([and, &context.title(&missing.subject), ": ", &missing.label(), ": ", missing.state()]);
        }
        message.push(')');
        Some(rule.finding(&[id], message, "measure or state what is missing"))
    };
    context.report.operators.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn state_of_unknown_size_is_found() {
        fires("STA-02", &[("elements/dedup/proposed/entry_size", "null")]);
        silent("STA-02", &[]);
    }
}
