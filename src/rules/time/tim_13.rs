use super::told;
use crate::{
    model::{Id, Link, Step, key, units::Duration, words::Emit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};
use std::cell::LazyCell;

rule! {
    /// A window behind a window takes less lateness than the one before it.
    ///
    /// # Why
    /// A result that the first window sends for a late event carries the window's own time and is as late for the second: it is
    /// dropped there, and the two levels of totals no longer agree.
    ///
    /// # Example
    /// Minutes with ten minutes of lateness, and hours of these minutes with none: a minute is corrected, its hour is not.
    ///
    /// # What to do
    /// Give the second window at least the lateness of the first, or emit the first only once.
    TIM_13 "TIM-13" Warning "The second window takes less lateness"
    why "corrections of the first window are dropped by the second"
    sources ["Apache Flink documentation, Windows: Consecutive windowed operations, Late elements considerations", "Apache Kafka documentation, Streams DSL: grace period"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    // The nearest window of the same job at or in front of an operator that sends results for late events.
    let windows = LazyCell::new(|| context.forward(|id, inputs: &[(&Id, &Link, &(&Id, Duration))]| {
        if super::closes(context, id) {
            let more = super::lateness(context, id).filter(|_| corrects(context, id))?;
            return Some((id, more));
        }
        let job = context.job_of(id)?;
        inputs.iter().find(|(_, link, _)| !super::aside(link) && context.job_of(&link.from) == Some(job)).map(|(.., window)| **window)
    }));
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) {
            return None;
        }
        let (_, link) = context.into(id).find(|(_, link)| !super::aside(link) && context.job_of(&link.from) == Some(job))?;
        let (before, first) = *windows.get(&link.from)?;
        let own = super::lateness(context, id)?;
        (own < first).then(|| {
            let message = format!(
                "{} sends results for events up to {} late, {} takes {}",
                context.title(before),
                first.spoken(),
                context.title(id),
                if own == Duration::ZERO { "none".to_owned() } else { own.spoken() }
            );
            let fix = propose(&format!("Propose {} for {}", first.spoken(), context.title(id)), id, key::operator::ALLOWED_LATENESS, first);
            rule.finding(&[id, before], message, "at least the lateness of the window before").fixed_by(Some(fix))
        })
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// Does a window send a result again after it has sent one?
fn corrects(context: &Context<'_>, id: &Id) -> bool {
    let emit = context.get(id, key::operator::EMIT);
    let streams = context.job_of(id).is_some_and(|job| told::streams(context, job));
    super::fires_late(context, id) || streams && matches!(emit, Some(Emit::EveryUpdate | Emit::EarlyAndClose))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const HOURS: [(&str, &str); 2] = [
        (
            "elements/hours",
            r#"{"kind":"operator","job":"revenue","step":"aggregate","proposed":{"key":["store"],"function":"sum","clock":"event_time","window":"tumbling","window_size":"1h","watermark_delay":"30s","allowed_lateness":"0s"}}"#,
        ),
        ("links/m1", r#"{"from":"sum","to":"hours"}"#),
    ];

    #[test]
    fn less_lateness_behind_is_found() {
        let message = "sum sends results for events up to 60 s late, hours takes none";
        assert_eq!(fires("TIM-13", &HOURS).message, message);
        mends("TIM-13", &HOURS);
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        fires("TIM-13", &[HOURS[0], HOURS[1], streams, ("elements/sum/proposed/emit", "\"every_update\"")]);
    }

    #[test]
    fn a_window_that_sends_once_or_enough_lateness_is_silent() {
        silent("TIM-13", &[HOURS[0], HOURS[1], ("elements/sum/proposed/allowed_lateness", "\"0s\"")]);
        silent("TIM-13", &[HOURS[0], HOURS[1], ("elements/hours/proposed/allowed_lateness", "\"1min\"")]);
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        silent("TIM-13", &[HOURS[0], HOURS[1], streams, ("elements/sum/proposed/emit", "\"suppress\"")]);
    }
}
