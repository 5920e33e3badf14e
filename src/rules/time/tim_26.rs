use super::told;
use crate::{
    model::{Id, Known, Step, key, units::{Duration, human}, words::WindowKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A window of Kafka Streams says nothing of its grace.
    ///
    /// # Why
    /// The old `TimeWindows.of` takes events up to a day after the start of their window, and final results wait as long; the new
    /// `ofSizeWithNoGrace` takes none. A move from one to the other changes what is counted and when it is sent.
    ///
    /// # Example
    /// Five-minute windows with `suppress` written for Kafka 2.8: final results come 23 h 55 min after the window has ended.
    ///
    /// # What to do
    /// `ofSizeAndGrace` with a grace that was measured.
    TIM_26 "TIM-26" Warning "The grace of the window is left open"
    why "the old default waits a day, the new one drops every late event"
    sources ["KIP-633: Deprecate 24-hour Default Grace Period for Windowed Operations in Streams"]
    check check
}

/// What the old default holds back: a day after the start of the window.
const DAY: Duration = Duration::from_secs(86_400);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !told::streams(context, job) || !super::closes(context, id) {
            return None;
        }
        let Known::Unset(_) = context.known(id, key::operator::ALLOWED_LATENESS) else { return None };
        // Sessions and sliding windows count it from elsewhere.
        let fixed = matches!(context.get(id, key::operator::WINDOW), Some(WindowKind::Tumbling | WindowKind::Hopping));
        let size = context.get(id, key::operator::WINDOW_SIZE).filter(|_| fixed);
        let waits = size.map_or("a day".to_owned(), |size| human::seconds((DAY.secs() - size.secs()).max(0.0)));
        let message = format!("{}: no grace is set; TimeWindows.of holds final results back for {waits}, ofSizeWithNoGrace takes no late event", context.title(id));
        Some(rule.finding(&[id], message, "ofSizeAndGrace with a measured grace"))
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_grace_that_is_left_open_is_found() {
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        let unset = ("elements/sum/proposed/allowed_lateness", "\"unset\"");
        // 24 h less 5 min.
        assert!(fires("TIM-26", &[streams, unset]).message.contains("holds final results back for 23 h 55 min"));
        silent("TIM-26", &[streams]);
        silent("TIM-26", &[unset]);
        silent("TIM-26", &[streams, ("elements/sum/proposed/allowed_lateness", "null")]);
    }
}
