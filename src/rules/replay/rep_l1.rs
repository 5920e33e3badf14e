use crate::{
    model::{ActionKind, Id, StateHandling, Step},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Events are read again into a job that keeps its state.
    ///
    /// # Why
    /// State belongs to a position. With the position alone moved back, a sum adds the same events to what it already holds, and a
    /// de-duplication drops them all as known. Exactly-once processing does not help: it ties the two, and this unties them.
    ///
    /// # Example
    /// The offsets of a counter are set to the start, its store is kept: every count is there twice.
    ///
    /// # What to do
    /// Reset the state with the position, or compute into a shadow of job and target and swap.
    REP_L1 "REP-L1" Error "A replay into live state"
    why "sums count twice, and de-duplication drops the replay"
    sources ["Apache Kafka documentation, Kafka Streams Developer Guide: Application Reset Tool", "Apache Flink documentation, Savepoints"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let steps = context.design.records.actions.iter();
    let again = steps.filter(|(_, action)| {
        let skips = action.kind == ActionKind::ResetOffsets && action.from.as_deref() == Some("latest");
        matches!(action.kind, ActionKind::Replay | ActionKind::ResetOffsets) && action.state_handling == Some(StateHandling::Keep) && !skips
    });
    let one = |(_, action)| {
        let behind = super::steps::behind(context, action);
        let spoilt = |id: &&Id| context.additive(id) || context.step(id) == Some(Step::Deduplicate);
        let sum = *behind.iter().find(|id| context.additive(id)).or_else(|| behind.iter().find(|id| spoilt(id)))?;
        let what = if context.additive(sum) { "counts what it holds a second time" } else { "drops what it has seen" };
        let message = format!("{} is read again and state is kept: {} {what}", super::rep_l2::names(context, &action.about), context.title(sum));
        let about: Vec<&Id> = action.about.iter().take(1).chain([sum]).collect();
        Some(rule.finding(&about, message, "reset the state with the position, or compute into a shadow and swap"))
    };
    again.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn step(text: &'static str) -> [(&'static str, &'static str); 1] {
        [("actions", text)]
    }

    #[test]
    fn a_replay_into_kept_state_is_found() {
        let message = fires("REP-L1", &step(r#"{"r1":{"kind":"reset_offsets","about":["revenue"],"state_handling":"keep"}}"#)).message;
        assert_eq!(message, "revenue is read again and state is kept: sum counts what it holds a second time");
        let keep = step(r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"keep"}}"#);
        fires("REP-L1", &keep);
        assert!(fires("REP-L1", &[keep[0], ("elements/sum/proposed/function", "\"max\"")]).message.ends_with("dedup drops what it has seen"));
        for calm in [
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"reset"}}"#,
            r#"{"r1":{"kind":"replay","about":["orders"]}}"#,
            r#"{"r1":{"kind":"replay","about":["totals"],"state_handling":"keep"}}"#,
            r#"{"r1":{"kind":"reset_offsets","about":["orders"],"from":"latest","state_handling":"keep"}}"#,
            r#"{"r1":{"kind":"replay","about":["orders"],"state_handling":"keep","holds":["revenue"]}}"#,
        ] {
            silent("REP-L1", &step(calm));
        }
    }
}
