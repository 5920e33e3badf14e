use super::procedure::{Need, Procedure, Step};
use crate::rules::{Context, Finding, Rule, rule::rule};

rule! {
    /// A step of a replay is recorded as done although an earlier one is not, or although what it needs is not there.
    ///
    /// # Why
    /// The order is the safety: reach before approval, approval before the stop, the stop before state is touched, a bounded range before
    /// all of it. A step that was skipped is found when its damage is read: totals that hold events twice, figures that nobody agreed to.
    ///
    /// # Example
    /// "Replayed the whole topic" is recorded, and no control total was taken before it: nobody can say whether it came out right.
    ///
    /// # What to do
    /// Do and record the step that is named, then go on from there; do not replay further before.
    REP_L5 "REP-L5" Error "A step of a replay out of turn"
    why "what was skipped cannot be made good by what came after it"
    sources ["Apache Kafka documentation, Kafka Streams Developer Guide: Application Reset Tool", "Beyer et al., Site Reliability Engineering, chapter 26, Data Integrity: What You Read Is What You Wrote"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |procedure: &Procedure| {
        let (step, before, needs) = procedure.out_of_turn().next()?;
        let action = context.design.records.actions.get(&procedure.action)?;
        let why = match before {
            Some(before) => format!("step {} is not: {}", before.number(), before.title()),
            None => format!("it lacks {}", lacks(needs)),
        };
        let message = format!("step {} of {} ({}) is recorded, and {why}", step.number(), procedure.action, step.title());
        let about: Vec<_> = action.about.iter().take(1).collect();
        let remedy = procedure.turn().map_or("go on from the first step that is not done", Step::title);
        Some(rule.finding(&about, message, remedy))
    };
    super::procedures(context).iter().filter_map(one).collect()
}

/// At most three needs, in words.
pub(super) fn lacks(needs: &[Need]) -> String {
    let words: Vec<&str> = needs.iter().take(3).map(|need| need.what.as_str()).collect();
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn done(steps: &str) -> String {
        format!(r#"{{"r1":{{"kind":"replay","about":["orders"],"from":"1d","done":{steps}}}}}"#)
    }

    #[test]
    fn a_step_out_of_turn_is_found() {
        let skipped = done(r#"{"6":"all of it"}"#);
        let message = fires("REP-L5", &[("actions", &skipped)]).message;
        assert_eq!(message, "step 6 of r1 (complete, compare, release) is recorded, and step 1 is not: confirm the reach");
        let bare = done(r#"{"1":"it is there"}"#);
        let message = fires("REP-L5", &[("actions", &bare)]).message;
        assert_eq!(message, "step 1 of r1 (confirm the reach) is recorded, and it lacks the log start of orders, as read");
        silent("REP-L5", &[("actions", &done("{}"))]);
        silent("REP-L5", &[("actions", r#"{"p1":{"kind":"publish","about":["board"],"done":{"2":"x"}}}"#)]);
    }
}
