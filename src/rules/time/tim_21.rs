use super::told;
use crate::{
    edit::Edit,
    model::{FieldValue, Id, Key, Slot, Step, key, units::Duration, words::Api},
    rules::{Context, Finding, Fix, Rule, rule::rule},
};

rule! {
    /// A window is given an allowed lateness that its engine does not have.
    ///
    /// # Why
    /// The window table functions of Flink SQL take whatever the watermark takes, and nothing beyond it: the option
    /// `allow-lateness` is accepted and does nothing. Spark has only the delay of its watermark.
    ///
    /// # Example
    /// `TUMBLE` with `table.exec.emit.allow-lateness` of ten minutes: the plan is the same as without, and late rows are dropped.
    ///
    /// # What to do
    /// A watermark delay that holds all of it, at the price of later results; or another API.
    TIM_21 "TIM-21" Error "This engine takes no late events"
    why "the lateness that is set has no effect, late events are dropped"
    sources ["Apache Flink documentation, Windowing table-valued functions; allow-lateness seen without effect on them in Flink 2.1", "Apache Spark, Structured Streaming Programming Guide: withWatermark"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let more = context.get(id, key::operator::ALLOWED_LATENESS).filter(|more| *more > Duration::ZERO)?;
        let by = match context.system(job)? {
            "spark" => "Spark has",
            "flink" if context.get(id, key::operator::API) == Some(Api::TableFunction) => "window table functions have",
            _ => return None,
        };
        if !super::closes(context, id) {
            return None;
        }
        let message = format!("{}: {} of allowed lateness, {by} none", context.title(id), more.spoken());
        let fix = told::inherited(context, id, key::operator::WATERMARK_DELAY).value().map(|delay| wait(id, delay, more));
        Some(rule.finding(&[id], message, "a watermark delay that holds all of it").fixed_by(fix))
    };
    context.operators_with(key::operator::ALLOWED_LATENESS).filter_map(one).collect()
}

/// All of the lateness as watermark delay.
fn wait(id: &Id, delay: Duration, more: Duration) -> Fix {
    let all = Duration::from_millis(delay.millis().saturating_add(more.millis()));
    let set = |key: Key<Duration>, value: Duration| Edit::Set {
        subject: id.clone(),
        slot: Slot::Proposed,
        field: key.field(),
        value: Some(value.into_value()),
    };
    let edit = Edit::All(vec![set(key::operator::WATERMARK_DELAY, all), set(key::operator::ALLOWED_LATENESS, Duration::ZERO)]);
    Fix { label: format!("Propose {} watermark delay", all.spoken()), edit }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_lateness_without_effect_is_found() {
        let sql = ("elements/sum/proposed/api", "\"table_function\"");
        let spark = ("elements/revenue/system", "\"spark\"");
        let finding = fires("TIM-21", &[sql]);
        assert_eq!(finding.message, "sum: 60 s of allowed lateness, window table functions have none");
        assert_eq!(finding.fix.unwrap().label, "Propose 90 s watermark delay");
        mends("TIM-21", &[sql]);
        mends("TIM-21", &[spark]);
        silent("TIM-21", &[sql, ("elements/sum/proposed/allowed_lateness", "\"0s\"")]);
        silent("TIM-21", &[("elements/sum/proposed/api", "\"datastream\"")]);
        silent("TIM-21", &[("elements/revenue/system", "\"kafka_streams\"")]);
    }

    /// 30 s of delay are all that counts: p99.9 of 50 s is beyond it.
    #[test]
    fn what_has_no_effect_is_no_bound() {
        let strict = ("elements/board/proposed/late_share_tolerated", "0.0001");
        silent("TIM-07", &[strict]);
        fires("TIM-07", &[strict, ("elements/sum/proposed/api", "\"table_function\"")]);
    }
}
