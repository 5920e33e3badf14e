use super::told;
use crate::{
    model::{Id, Known, Step, key, units::{Duration, Limit}, words::{TimestampSetBy, TimestampTrust}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Event time comes from a clock that nobody keeps, and nothing stops a stamp from the future.
    ///
    /// # Why
    /// The watermark follows the newest stamp. One device whose clock is a day ahead moves it a day on, and every right record
    /// of that day counts as late.
    ///
    /// # Example
    /// A phone sends a picture dated next year; from then on all windows close before their records come.
    ///
    /// # What to do
    /// Clamp stamps that are further ahead of arrival than the watermark delay, or set such records aside, before the watermark.
    TIM_02 "TIM-02" Warning "A wrong clock moves the watermark"
    why "one stamp from the future makes right records late"
    sources ["Apache Flink documentation, Generating Watermarks: the watermark follows the highest timestamp seen", "KIP-937: Improve Message Timestamp Validation"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) {
            return None;
        }
        let (event, why) = context.events_at(id).iter().find_map(|event| Some((*event, low(context, event)?)))?;
        let guard = match told::guard(context, id, key::operator::FUTURE_LIMIT) {
            Known::Value(fact) => match fact.value {
                Limit::Of(_) => return None,
                _ => "stamps from the future are let through",
            },
            Known::Conflict(_) => return None,
            _ => "nothing says that stamps from the future are held back",
        };
        let message = format!("{}: {why} {}, and {guard}", context.title(id), context.title(event));
        let delay = told::inherited(context, id, key::operator::WATERMARK_DELAY).value().filter(|delay| *delay > Duration::ZERO);
        let fix = delay.map(|delay| {
            let label = format!("Propose to hold back stamps more than {} ahead", delay.spoken());
            propose(&label, id, key::operator::FUTURE_LIMIT, Limit::Of(delay))
        });
        Some(rule.finding(&[id, event], message, "hold back stamps that are further ahead than the watermark delay").fixed_by(fix))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// Why the time of an event is not to be trusted: as stated, else because a device sets it.
fn low(context: &Context<'_>, event: &Id) -> Option<&'static str> {
    match context.get(event, key::event::TIMESTAMP_TRUST) {
        Some(TimestampTrust::Low) => Some("little trust is put in the time of"),
        Some(_) => None,
        None => (context.get(event, key::event::TIMESTAMP_SET_BY)? == TimestampSetBy::Device)
            .then_some("a device sets the time of"),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const LOW: (&str, &str) = ("events/order/proposed/timestamp_trust", "\"low\"");

    #[test]
    fn time_of_low_trust_without_a_guard_is_found() {
        let message = "sum: little trust is put in the time of order, and nothing says that stamps from the future are held back";
        assert_eq!(fires("TIM-02", &[LOW]).message, message);
        mends("TIM-02", &[LOW]);
        mends("TIM-02", &[LOW, ("elements/sum/proposed/future_limit", "\"unlimited\"")]);
        let device = [("events/order/proposed/timestamp_trust", "null"), ("events/order/proposed/timestamp_set_by", "\"device\"")];
        fires("TIM-02", &device);
    }

    #[test]
    fn a_guard_a_kept_clock_or_arrival_time_is_silent() {
        silent("TIM-02", &[LOW, ("elements/sum/proposed/future_limit", "\"30s\"")]);
        silent("TIM-02", &[LOW, ("elements/dedup/proposed/future_limit", "\"30s\"")]);
        silent("TIM-02", &[LOW, ("elements/sum/proposed/clock", "\"processing_time\"")]);
        silent("TIM-02", &[("events/order/proposed/timestamp_trust", "\"medium\"")]);
        silent("TIM-02", &[("events/order/proposed/timestamp_trust", "null")]);
    }
}
