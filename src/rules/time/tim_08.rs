use super::told;
use crate::{
    model::{Id, Step, key, units::Limit, words::Emit},
    rules::{Context, Finding, Rule, Severity, rule::{propose, rule}},
};
use std::cell::LazyCell;

rule! {
    /// A silent partition or source holds the watermark, and nothing moves it on.
    ///
    /// # Why
    /// The watermark is the slowest input's. A partition that sends nothing keeps every window open: no result, no error.
    ///
    /// # Example
    /// Twelve partitions, eleven shops: partition 7 is empty, and no window ever closes.
    ///
    /// # What to do
    /// Set an idle time-out (`withIdleness`) shorter than the results may wait, longer than normal pauses.
    TIM_08 "TIM-08" Error "A silent input holds all windows open"
    why "the watermark waits for the slowest input, and a silent one never moves"
    sources ["Apache Flink documentation, Generating Watermarks: Dealing With Idle Sources"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let silences = LazyCell::new(|| told::silences(context));
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) {
            return None;
        }
        let size = context.get(id, key::operator::WINDOW_SIZE)?;
        let (at, silence) = *silences.get(id)?;
        if matches!(silence, Limit::Of(silence) if silence <= size) || silence == Limit::None {
            return None;
        }
        let (name, channel, words) = (context.title(id), context.title(at), told::silent_for(silence));
        if told::streams(context, job) && context.get(id, key::operator::EMIT) == Some(Emit::Suppress) {
            let message = format!("{channel} {words}, and {name} sends the window before it only with the next record");
            let mut finding = rule.finding(&[id, at], message, "heartbeat records, or a punctuation by the clock");
            if matches!(silence, Limit::Of(_)) {
                finding.severity = Severity::Warning;
            }
            return Some(finding);
        }
        let idle = told::guard(context, id, key::operator::IDLE_TIMEOUT).value();
        if !context.runs(job, "flink") || matches!(idle, Some(Limit::Of(_))) {
            return None;
        }
        let message = format!("{channel} {words}, and {name} has no idle time-out");
        let fix = propose(&format!("Propose {} idle time-out", size.spoken()), id, key::operator::IDLE_TIMEOUT, Limit::Of(size));
        Some(rule.finding(&[id, at], message, "set an idle time-out").fixed_by(Some(fix)))
    };
    context.operators_with(key::operator::WINDOW_SIZE).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_silence_longer_than_a_window_without_idle_timeout_is_found() {
        let none = ("elements/sum/proposed/idle_timeout", "null");
        let silent_part = ("elements/orders/proposed/longest_silence", r#"{"3":"unlimited","4":"2s"}"#);
        assert_eq!(fires("TIM-08", &[none, silent_part]).message, "orders has a part that never sends, and sum has no idle time-out");
        mends("TIM-08", &[none, silent_part]);
        silent("TIM-08", &[silent_part]);
        silent("TIM-08", &[none, ("elements/orders/proposed/longest_silence", "\"1min\"")]);
        silent("TIM-08", &[none]);
    }
    #[test]
    fn final_results_of_streams_wait_for_the_next_record() {
        let held = [("elements/revenue/system", "\"kafka_streams\""), ("elements/sum/proposed/emit", "\"suppress\"")];
        let pause = |text| ("elements/orders/proposed/longest_silence", text);
        let found = fires("TIM-08", &[held[0], held[1], pause("\"10min\"")]);
        assert_eq!(found.message, "orders is silent for up to 10 min, and sum sends the window before it only with the next record");
        assert_eq!(found.severity, crate::rules::Severity::Warning);
        assert_eq!(fires("TIM-08", &[held[0], held[1], pause("\"unlimited\"")]).severity, crate::rules::Severity::Error);
        silent("TIM-08", &[held[0], pause("\"10min\"")]);
    }
}
