use crate::{
    model::{Id, Step, key, words::WindowKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Spark is to make sessions over all records together.
    ///
    /// # Why
    /// `session_window` needs at least one more grouping key. Without one the query starts, and its first batch fails.
    ///
    /// # Example
    /// "Sessions of the whole site": `groupBy(session_window(ts, '5 minutes')).count()` passes its review and fails at night.
    ///
    /// # What to do
    /// Group by a user, a device, or a constant column where one session for all is meant.
    TIM_23 "TIM-23" Error "Sessions without a key"
    why "the first batch of the query fails"
    sources ["Apache Spark, Structured Streaming Programming Guide: Types of time windows (restrictions of session window); seen with 4.3"]
    check check
}

/// Columns of the window itself.
const OF_WINDOW: [&str; 4] = ["window", "session_window", "window_start", "window_end"];

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let session = context.get(id, key::operator::WINDOW)? == WindowKind::Session;
        if step != Step::Aggregate || !session || !context.runs(job, "spark") {
            return None;
        }
        let key = context.get(id, key::operator::KEY)?;
        let alone = key.0.iter().all(|column| OF_WINDOW.contains(&&**column));
        alone.then(|| {
            let message = format!("{} groups by the session alone", context.title(id));
            rule.finding(&[id], message, "one more grouping key; a constant column where one session for all is meant")
        })
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn sessions_without_a_key_are_found() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let session = [("elements/sum/proposed/window", "\"session\""), ("elements/sum/proposed/window_gap", "\"1min\"")];
        let key = |text| ("elements/sum/proposed/key", text);
        fires("TIM-23", &[spark, session[0], session[1], key("[]")]);
        fires("TIM-23", &[spark, session[0], session[1], key("[\"session_window\"]")]);
        silent("TIM-23", &[spark, session[0], session[1]]);
        silent("TIM-23", &[spark, session[0], session[1], key("null")]);
        silent("TIM-23", &[session[0], session[1], key("[]")]);
    }
}
