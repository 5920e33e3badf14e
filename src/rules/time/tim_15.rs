use crate::{
    model::{Id, Known, Step, key, words::OutputMode},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The output mode of a Spark query does away with what its watermark is for.
    ///
    /// # Why
    /// In complete mode every group is written again with every batch, so none is ever dropped from state, watermark or not. In
    /// update mode without a watermark nothing is late and nothing is dropped either.
    ///
    /// # Example
    /// A watermark of ten minutes and complete mode: the memory of the executors grows with every new window.
    ///
    /// # What to do
    /// Append mode for final results, update mode with a watermark for results that are corrected.
    TIM_15 "TIM-15" Warning "The watermark removes nothing"
    why "windows stay in state for ever"
    sources ["Apache Spark, Structured Streaming Programming Guide: Output Modes, Conditions for watermarking to clean aggregation state"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        if step != Step::Aggregate || !context.runs(job, "spark") || !super::by_event_time(context, id) {
            return None;
        }
        let delay = super::told::inherited(context, id, key::operator::WATERMARK_DELAY);
        let what = match (context.get(id, key::operator::OUTPUT_MODE)?, delay) {
            (OutputMode::Complete, Known::Value(_)) => "complete mode keeps every window, whatever the watermark says",
            (OutputMode::Complete, _) => "complete mode keeps every window",
            (OutputMode::Upsert, Known::Unset(_)) => "update mode without a watermark keeps every window",
            _ => return None,
        };
        let message = format!("{}: {what}", context.title(id));
        Some(rule.finding(&[id], message, "append mode, or update mode with a watermark"))
    };
    context.operators_with(key::operator::OUTPUT_MODE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_mode_that_keeps_every_window_is_found() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let mode = |mode| ("elements/sum/proposed/output_mode", mode);
        fires("TIM-15", &[spark, mode("\"complete\"")]);
        fires("TIM-15", &[spark, mode("\"upsert\""), ("elements/sum/proposed/watermark_delay", "\"unset\"")]);
        silent("TIM-15", &[spark, mode("\"upsert\"")]);
        silent("TIM-15", &[spark, mode("\"append\"")]);
        silent("TIM-15", &[mode("\"complete\"")]);
        silent("TIM-15", &[spark, mode("\"upsert\""), ("elements/sum/proposed/watermark_delay", "null")]);
    }
}
