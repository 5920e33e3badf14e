use crate::{
    analysis::{explain::{Explained, Origin}, made_by},
    model::{Action, ActionKind, Date, Id, key, units::{Duration, human}, words::WindowKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A replay starts inside a window, at a time that the log no longer holds, or too late for what its steps must have seen before.
    ///
    /// # Why
    /// The first window then holds only the events after the start: its result is written over the right one and is too small.
    /// What an operator must have seen before (a session, a join, known ids) comes on top of it.
    ///
    /// # Example
    /// Start at 10:07 with windows of an hour: the hour from 10:00 loses seven minutes.
    ///
    /// # What to do
    /// Start at or before the start of the first window that is wanted, by the lookback earlier, and throw away the results before it.
    REP_L4 "REP-L4" Error "A replay that starts too late"
    why "the first results come out too small and overwrite the right ones"
    sources ["Apache Flink documentation, Windows: window assigners are aligned with epoch", "Apache Kafka documentation, Kafka Streams Developer Guide: windowing"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let steps = context.design.records.actions.values();
    let again = steps.filter(|action| matches!(action.kind, ActionKind::Replay | ActionKind::ResetOffsets));
    let one = |action| inside(rule, context, action).or_else(|| gone(rule, context, action)).or_else(|| cold(rule, context, action));
    again.filter_map(one).collect()
}

fn inside<'a>(rule: &'static Rule, context: &Context<'a>, action: &'a Action) -> Option<Finding> {
    let from = action.from.as_deref()?;
    let start = super::steps::epoch(&Date::new(from)?)?;
    let behind = super::steps::behind(context, action);
    let (step, window) = behind.into_iter().filter_map(|id| Some((cut(context, id, start)?, id))).max()?;
    let message = format!("a replay starts at {from}, inside a window of {} of {}", step.spoken(), context.title(window));
    let about: Vec<&Id> = action.about.iter().take(1).chain([window]).collect();
    Some(rule.finding(&about, message, "start where a window starts, by the lookback earlier"))
}

/// The length of windows that begin at other times than `start`.
fn cut(context: &Context<'_>, id: &Id, start: i64) -> Option<Duration> {
    let length = match context.get(id, key::operator::WINDOW)? {
        WindowKind::Tumbling => context.get(id, key::operator::WINDOW_SIZE)?,
        WindowKind::Hopping => context.get(id, key::operator::WINDOW_STEP)?,
        _ => return None,
    };
    // In a time zone of its own a day begins at an hour that only that zone knows.
    if context.get(id, key::operator::TIME_ZONE).is_some_and(|zone| &*zone != "UTC") {
        return None;
    }
    let offset = context.get(id, key::operator::WINDOW_OFFSET).unwrap_or_default();
    let (length_ms, offset) = (i64::try_from(length.millis()).ok()?, i64::try_from(offset.millis()).ok()?);
    let cuts = length_ms > 0 && start.checked_mul(1000)?.checked_sub(offset)?.rem_euclid(length_ms) != 0;
    cuts.then_some(length)
}

fn gone(rule: &'static Rule, context: &Context<'_>, action: &Action) -> Option<Finding> {
    let age = super::steps::age(action)?;
    let reach = |id: &Id| context.channel_report(id)?.reach.as_ref().ok();
    let kept = action.about.iter().filter_map(|id| Some((id, reach(id)?)));
    let (id, reach) = kept.into_iter().find(|(_, reach)| age > reach.value)?;
    let keeps = match human::at_least(reach.value) {
        lag if reach.made_by(&made_by::EVERY_VERSION) => {
            format!("every version for {lag} and of older ones the newest record of each key")
        }
        back => back,
    };
    let message = format!("a replay starts {} back, {} keeps {keeps}", human::seconds(age), context.title(id));
    Some(rule.finding(&[id], message, "start where records still are, or from a copy that goes back so far"))
}

/// Results are right only from the start less the lookbacks on the way, and a consumer needs them from further back.
fn cold(rule: &'static Rule, context: &Context<'_>, action: &Action) -> Option<Finding> {
    let age = super::steps::age(action)?;
    context.report.consumers.iter().find_map(|(consumer, report)| {
        let needed = context.get(consumer, key::consumer::REPLAY_NEEDED)?.secs();
        let start = report.replay.iter().find(|start| start.recompute && action.about.contains(&start.from))?;
        let warm_up = warm_up(start.reach.as_ref().ok()?, &start.from).filter(|warm_up| warm_up.is_finite())?;
        (age >= needed && age - warm_up < needed).then(|| {
            let message = format!(
                "a replay starts {} back, and {} needs results from {} back: what its steps must have seen before takes {} more",
                human::seconds(age), context.title(consumer), human::seconds(needed), human::at_most(warm_up)
            );
            rule.finding(&[&start.from, consumer], message, "start earlier by the lookback, and throw away the results before it")
        })
    })
}

/// The lookbacks on the way of what comes from a channel, added up, out of the explanation of a reach.
fn warm_up(reach: &Explained, from: &Id) -> Option<f64> {
    let Origin::Formula { inputs, .. } = &reach.origin else {
        return (reach.of.as_ref() == Some(from)).then_some(0.0);
    };
    match &**inputs {
        [before, lookback] if reach.made_by(&made_by::LESS_LOOK_BACK) => Some(warm_up(before, from)? + lookback.value),
        inputs if reach.made_by(&made_by::ALL_NEEDED) => inputs.iter().filter_map(|input| warm_up(input, from)).reduce(f64::max),
        _ => (reach.of.as_ref() == Some(from)).then_some(0.0),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    fn from(text: &'static str) -> [(&'static str, &'static str); 1] {
        [("actions", text)]
    }

    /// Windows of five minutes.
    #[test]
    fn a_start_inside_a_window_is_found() {
        let message = fires("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-30T10:07Z"}}"#)).message;
        assert_eq!(message, "a replay starts at 2026-11-30T10:07Z, inside a window of 5 min of sum");
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-30T10:05Z"}}"#));
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-30"}}"#));
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"4711"}}"#));
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["totals"],"from":"2026-11-30T10:07Z"}}"#));
    }

    #[test]
    fn a_start_that_is_no_longer_kept_is_found() {
        let message = fires("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-20","at":"2026-12-01"}}"#)).message;
        assert_eq!(message, "a replay starts 11 d back, orders keeps 7 d");
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-27","at":"2026-12-01"}}"#));
    }

    /// Of a compacted log no time is kept: 0 s is the lag before it compacts.
    #[test]
    fn a_compacted_log_keeps_keys_and_no_time() {
        let changes = [
            from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2026-11-20","at":"2026-12-01"}}"#)[0],
            ("elements/orders/proposed/cleanup_policy", "\"compact\""),
            ("elements/orders/proposed/min_compaction_lag", "\"0s\""),
        ];
        let message = fires("REP-L4", &changes).message;
        assert_eq!(message, "a replay starts 11 d back, orders keeps every version for 0 s and of older ones the newest record of each key");
    }

    /// Windows of five minutes: results of a day back need a start of a day and five minutes.
    #[test]
    fn a_start_without_its_lookback_is_found() {
        let message = fires("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"1d"}}"#)).message;
        assert_eq!(message, "a replay starts 24 h back, and board needs results from 24 h back: what its steps must have seen before takes 5 min more");
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"25h"}}"#));
        silent("REP-L4", &from(r#"{"r1":{"kind":"replay","about":["orders"],"from":"2h"}}"#));
    }
}
