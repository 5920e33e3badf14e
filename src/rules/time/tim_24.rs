use super::told;
use crate::{
    model::{Id, Step, key, words::{Api, WindowKind}},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// Window size and step do not go together in this engine.
    ///
    /// # Why
    /// `HOP` and `CUMULATE` of Flink SQL need a size that is a multiple of the step. Kafka Streams and Spark refuse a step longer
    /// than the window; the DataStream API takes it, and records between two windows are in none and counted nowhere.
    ///
    /// # Example
    /// Windows of 5 minutes every 3 in Flink SQL: the planner refuses the statement.
    ///
    /// # What to do
    /// A size that is a multiple of the step.
    TIM_24 "TIM-24" Error "Window size and step do not go together"
    why "the engine refuses the window, or leaves records out of all windows"
    sources ["Apache Flink documentation, Windowing table-valued functions: HOP, CUMULATE", "Apache Kafka, TimeWindows.advanceBy", "Apache Spark, functions.window"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let kind = context.get(id, key::operator::WINDOW)?;
        if !matches!(kind, WindowKind::Hopping | WindowKind::Cumulating) {
            return None;
        }
        let (size, step) = (context.get(id, key::operator::WINDOW_SIZE)?, context.get(id, key::operator::WINDOW_STEP)?);
        if step.millis() == 0 {
            return None;
        }
        let flink = context.runs(job, "flink");
        let sql = flink && (kind == WindowKind::Cumulating || context.get(id, key::operator::API) == Some(Api::TableFunction));
        let (what, refused) = if sql && size.millis() % step.millis() != 0 {
            ("Flink SQL needs a multiple", true)
        } else if step <= size {
            return None;
        } else if flink {
            ("records between two windows are in none", false)
        } else if told::streams(context, job) || context.runs(job, "spark") {
            ("the engine refuses a step longer than the window", true)
        } else {
            return None;
        };
        let message = format!("{}: windows of {} every {}; {what}", context.title(id), size.spoken(), step.spoken());
        let mut finding = rule.finding(&[id], message, "a size that is a multiple of the step");
        if !refused {
            finding.severity = Severity::Warning;
        }
        Some(finding)
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    #[test]
    fn a_step_that_does_not_fit_is_found() {
        let (hop, sql) = (("elements/sum/proposed/window", "\"hopping\""), ("elements/sum/proposed/api", "\"table_function\""));
        let step = |text| ("elements/sum/proposed/window_step", text);
        assert_eq!(fires("TIM-24", &[hop, sql, step("\"3min\"")]).message, "sum: windows of 5 min every 3 min; Flink SQL needs a multiple");
        silent("TIM-24", &[hop, sql, step("\"1min\"")]);
        silent("TIM-24", &[hop, step("\"3min\"")]);
        assert_eq!(fires("TIM-24", &[hop, step("\"6min\"")]).severity, Severity::Warning);
        let spark = ("elements/revenue/system", "\"spark\"");
        assert_eq!(fires("TIM-24", &[hop, spark, step("\"6min\"")]).severity, Severity::Error);
        silent("TIM-24", &[hop, spark, step("\"3min\"")]);
        fires("TIM-24", &[("elements/sum/proposed/window", "\"cumulating\""), step("\"2min\"")]);
    }
}
