use crate::{
    model::{Id, Known, Step, key, words::{JoinKind, StateIn, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule, time::told},
};

rule! {
    /// Nobody says how long an operator keeps its entries.
    ///
    /// # Why
    /// A keyed store without a window ends only by a time-to-live, and engines set none by default. For a de-duplication it
    /// is also how late a repeat may come.
    ///
    /// # Example
    /// "Remove duplicates by order_id" with no word on for how long.
    ///
    /// # What to do
    /// Read the time-to-live, or decide on one.
    STA_03 "STA-03" Error "How long entries live is open"
    why "without a time-to-live a keyed store only grows"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live", "Apache Flink documentation, Configuration: table.exec.state.ttl"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let keyed = match step {
            Step::Deduplicate => context.get(id, key::operator::STATE_IN) != Some(StateIn::External),
            Step::Aggregate => matches!(context.get(id, key::operator::WINDOW), Some(WindowKind::Nothing | WindowKind::Global)),
            Step::Join => context.get(id, key::operator::JOIN) == Some(JoinKind::Regular),
            _ => false,
        };
        // Stores of Kafka Streams have no time-to-live, nor have aggregates and joins of Spark: their growth is found as such.
        let none_there_is = step != Step::Deduplicate && (told::streams(context, job) || context.runs(job, "spark"));
        if !keyed || none_there_is || super::sta_01::endless(context, id) {
            return None;
        }
        let what = match context.known(id, key::operator::STATE_TTL) {
            Known::NotKnown(_) => "time-to-live is not read",
            Known::Unset(_) => "no time-to-live is set",
            _ => return None,
        };
        Some(rule.finding(&[id], format!("{}: {what}", context.title(id)), "read the time-to-live, or decide on one"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_open_lifetime_is_found() {
        let ttl = "elements/dedup/proposed/state_ttl";
        assert_eq!(fires("STA-03", &[(ttl, "null")]).message, "dedup: time-to-live is not read");
        assert_eq!(fires("STA-03", &[(ttl, "\"unset\"")]).message, "dedup: no time-to-live is set");
        fires("STA-03", &[("elements/sum/proposed/window", "\"none\"")]);
        silent("STA-03", &[(ttl, "\"unlimited\"")]);
        // Their aggregates have no time-to-live that could be read.
        for engine in ["\"kafka_streams\"", "\"spark\""] {
            let running = [("elements/sum/proposed/window", "\"none\""), ("elements/revenue/system", engine)];
            silent("STA-03", &running);
            fires("STA-03", &[running[1], (ttl, "null")]);
        }
        // Nothing ends a global window: that it grows is found as such.
        let global = [("elements/sum/proposed/window", "\"global\"")];
        silent("STA-03", &global);
        assert!(fires("STA-01", &global).remedy.starts_with("a trigger that purges"));
    }
}
