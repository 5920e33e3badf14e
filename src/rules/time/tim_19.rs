use super::told;
use crate::{
    model::{Id, Step, key, units::Limit, words::{Emit, WindowKind}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};
use std::cell::LazyCell;

rule! {
    /// Final results of a sparse stream are never sent.
    ///
    /// # Why
    /// With `EmitStrategy.onWindowClose` Kafka Streams reads a closed window from its store when the next record comes. If that record
    /// is more than one window step on, the store no longer shows the window, and its result is never sent. No counter tells.
    ///
    /// # Example
    /// Ten-second windows, records at 1 s and at 40 s: nothing is ever sent for the first window. `suppress` sends it.
    ///
    /// # What to do
    /// Use `suppress(untilWindowCloses)`, or keep every partition busy with heartbeat records.
    TIM_19 "TIM-19" Error "Windows before a pause are never sent"
    why "the result of a window before a pause is lost without a trace"
    sources ["Apache Kafka, KStreamWindowAggregate with EmitStrategy.onWindowClose (KIP-825); seen with Kafka Streams 3.9", "KIP-328: Ability to suppress updates for KTables"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let silences = LazyCell::new(|| told::silences(context));
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !told::streams(context, job) || context.get(id, key::operator::EMIT)? != Emit::OnClose || !super::closes(context, id) {
            return None;
        }
        let step = match context.get(id, key::operator::WINDOW)? {
            WindowKind::Tumbling => context.get(id, key::operator::WINDOW_SIZE)?,
            WindowKind::Hopping => context.get(id, key::operator::WINDOW_STEP)?,
            _ => return None,
        };
        let (at, silence) = *silences.get(id)?;
        if matches!(silence, Limit::Of(silence) if silence <= step) || silence == Limit::None {
            return None;
        }
        let message = format!(
            "{} {}, {} closes its windows by the next record: those before such a pause are never sent",
            context.title(at),
            told::silent_for(silence),
            context.title(id)
        );
        let fix = propose("Propose suppress", id, key::operator::EMIT, Emit::Suppress);
        Some(rule.finding(&[id, at], message, "suppress until the window closes, or heartbeat records").fixed_by(Some(fix)))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const STREAMS: (&str, &str) = ("elements/revenue/system", "\"kafka_streams\"");

    #[test]
    fn a_pause_longer_than_a_window_is_found() {
        let pause = ("elements/orders/proposed/longest_silence", "\"6min\"");
        fires("TIM-19", &[STREAMS, pause]);
        mends("TIM-19", &[STREAMS, pause]);
        silent("TIM-19", &[STREAMS, ("elements/orders/proposed/longest_silence", "\"5min\"")]);
        silent("TIM-19", &[STREAMS, ("elements/orders/proposed/longest_silence", "null")]);
        silent("TIM-19", &[pause]);
        silent("TIM-19", &[STREAMS, pause, ("elements/sum/proposed/window", "\"session\""), ("elements/sum/proposed/window_gap", "\"1min\"")]);
    }
}
