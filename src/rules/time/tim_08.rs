use crate::{
    model::{ElementKind, Id, Link, Step, key, units::{Duration, Limit}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

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

/// A channel or source with the longest silence of one of its parts.
type Silence<'a> = (&'a Id, Limit<Duration>);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let silences = context.forward(|id, inputs: &[(&Id, &Link, &Silence<'_>)]| {
        let measured = match context.kind(id)? {
            ElementKind::Channel => context.get(id, key::channel::LONGEST_SILENCE),
            ElementKind::Source => context.get(id, key::source::LONGEST_SILENCE),
            _ => None,
        };
        measured.and_then(|silence| silence.max()).map(|silence| (id, silence)).or_else(|| Some(*inputs.first()?.2))
    });
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let idle = context.get(id, key::operator::IDLE_TIMEOUT);
        if !super::closes(context, id) || !context.runs(job, "flink") || matches!(idle, Some(Limit::Of(_))) {
            return None;
        }
        let size = context.get(id, key::operator::WINDOW_SIZE)?;
        let (at, silence) = *silences.get(id)?;
        if matches!(silence, Limit::Of(silence) if silence <= size) || silence == Limit::None {
            return None;
        }
        let words = match silence {
            Limit::Of(silence) => format!("is silent for up to {}", silence.spoken()),
            _ => "has a part that never sends".to_owned(),
        };
        let message = format!("{} {words}, and {} has no idle time-out", context.title(at), context.title(id));
        let fix = propose(&format!("Propose {} idle time-out", size.spoken()), id, key::operator::IDLE_TIMEOUT, Limit::Of(size));
        Some(rule.finding(&[id, at], message, "set an idle time-out").fixed_by(Some(fix)))
    };
    context.operators().filter_map(one).collect()
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
}
