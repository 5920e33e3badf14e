use super::told;
use crate::{
    model::{Id, Known, Step, key, units::Duration, words::{Clock, JoinKind}},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// A window takes no event that comes later than another.
    ///
    /// # Why
    /// Several partitions, retries and batches mix the order of arrival, so that some lateness is normal. With no bound at all even
    /// records of the same time as the newest one can count as late.
    ///
    /// # Example
    /// `TimeWindows.ofSizeWithNoGrace` in place of the old `TimeWindows.of`, which took a day of late events: from then on they
    /// are dropped.
    ///
    /// # What to do
    /// Measure how late events are, and set a bound for it.
    TIM_11 "TIM-11" Warning "No lateness is taken at all"
    why "records that are only a little out of order are dropped"
    sources ["KIP-633: Deprecate 24-hour Default Grace Period for Windowed Operations in Streams", "Apache Spark, Structured Streaming Programming Guide: withWatermark", "Apache Flink documentation, Windows: Allowed Lateness (0 by default)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let measured = LazyCell::new(|| super::measured(context));
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let bound = if super::closes(context, id) { super::bound(context, id)? } else { delay(context, id, step)? };
        if bound != Duration::ZERO || measured.get(id).is_some() {
            return None;
        }
        let what = match context.known(id, key::operator::ALLOWED_LATENESS) {
            Known::Value(_) => "nothing is allowed beyond the newest event",
            _ => "the watermark stands at the newest event",
        };
        let message = format!("{}: {what}, so what is only a little out of order is late", context.title(id));
        Some(rule.finding(&[id], message, "measure how late events are, and set a bound for it"))
    };
    context.operators().filter_map(one).collect()
}

/// What the watermark of a join by event time waits for.
fn delay(context: &Context<'_>, id: &Id, step: Step) -> Option<Duration> {
    let by_watermark = matches!(context.get(id, key::operator::JOIN)?, JoinKind::Interval | JoinKind::Window | JoinKind::Temporal);
    let arrival = context.get(id, key::operator::CLOCK) == Some(Clock::ProcessingTime);
    let streams = context.job_of(id).is_some_and(|job| told::streams(context, job));
    let delay = told::inherited(context, id, key::operator::WATERMARK_DELAY);
    (step == Step::Join && by_watermark && !arrival && !streams).then(|| delay.value()).flatten()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_bound_of_nothing_is_found() {
        let measured = ("elements/orders/proposed/lateness", "null");
        let (delay, more) = (("elements/sum/proposed/watermark_delay", "\"0s\""), ("elements/sum/proposed/allowed_lateness", "\"0s\""));
        fires("TIM-11", &[measured, delay, more]);
        // Then it is not said twice.
        silent("TIM-06", &[measured, delay, more]);
        // Kafka Streams has a grace and no delay, Spark a delay and nothing beyond it.
        fires("TIM-11", &[measured, ("elements/revenue/system", "\"kafka_streams\""), more]);
        fires("TIM-11", &[measured, ("elements/revenue/system", "\"spark\""), delay]);
        silent("TIM-11", &[measured, ("elements/revenue/system", "\"kafka_streams\""), delay]);
        silent("TIM-11", &[measured, ("elements/revenue/system", "\"spark\""), more]);
        let join = [("elements/dedup/step", "\"join\""), ("elements/dedup/proposed/join", "\"temporal\"")];
        let none = ("elements/dedup/proposed/watermark_delay", "\"0s\"");
        fires("TIM-11", &[measured, join[0], join[1], none]);
        silent("TIM-11", &[measured, join[0], ("elements/dedup/proposed/join", "\"regular\""), none]);
        silent("TIM-11", &[measured, delay]);
        silent("TIM-11", &[delay, more]);
    }
}
