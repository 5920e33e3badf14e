use crate::{
    model::ActionKind,
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A replay or backfill is planned, and no total of what is there now is named.
    ///
    /// # Why
    /// Whether a replay made things right can only be told against something that was fixed before it. Afterwards the old figures are
    /// gone, and every result looks plausible.
    ///
    /// # Example
    /// After the replay revenue is 2 % higher. Was that the mistake, or are some orders in twice? Nobody can say.
    ///
    /// # What to do
    /// Record a total per day (rows, distinct keys, sum of the measure) before the first step, and compare a bounded range first.
    REP_L3 "REP-L3" Error "A replay without a control total"
    why "nobody can tell afterwards whether it came out right"
    sources ["Beyer et al., Site Reliability Engineering, chapter 26, Data Integrity: What You Read Is What You Wrote"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let steps = context.design.records.actions.iter();
    let blind = steps.filter(|(_, action)| {
        matches!(action.kind, ActionKind::Replay | ActionKind::Backfill)
            && action.control_total.as_deref().is_none_or(|total| total.trim().is_empty())
    });
    let one = |(id, action): (&crate::model::Id, &crate::model::Action)| {
        let kind = action.kind.name();
        let message = format!("{kind} {id} of {} has no control total", super::rep_l2::names(context, &action.about));
        let about: Vec<_> = action.about.iter().collect();
        rule.finding(&about, message, "record a total of what is there now, before the first step")
    };
    blind.map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_replay_without_a_total_is_found() {
        let finding = fires("REP-L3", &[("actions", r#"{"r1":{"kind":"replay","about":["orders"]}}"#)]);
        assert_eq!(finding.message, "replay r1 of orders has no control total");
        silent("REP-L3", &[("actions", r#"{"r1":{"kind":"replay","about":["orders"],"control_total":"rows and sum(amount) per day"}}"#)]);
        silent("REP-L3", &[("actions", r#"{"r1":{"kind":"reset_offsets","about":["orders"]}}"#)]);
    }
}
