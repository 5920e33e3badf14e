use crate::{
    model::{Id, Known, Step, key, units::Limit, words::{AggregateFunction, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A session or a pattern has no longest duration.
    ///
    /// # Why
    /// A session ends with a pause. A key that never pauses, such as a crawler, a heartbeat or a default value, is one session for
    /// ever: its result never comes and its state only grows. A pattern without `within` keeps every beginning.
    ///
    /// # Example
    /// User id 0 stands for "not signed in": its session has been open since the job started.
    ///
    /// # What to do
    /// A longest duration after which the session is cut, `within` for a pattern; or keys that always pause, by measurement.
    STA_09 "STA-09" Warning "Nothing ends a session"
    why "a key that never pauses is one session without end"
    sources ["Apache Flink documentation, Windows: Session Windows", "Apache Flink documentation, FlinkCEP: Time constraints (within)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, _): (&Id, &Id, Step)| {
        let pattern = context.get(id, key::operator::FUNCTION) == Some(AggregateFunction::Pattern);
        let session = context.get(id, key::operator::WINDOW) == Some(WindowKind::Session);
        if !pattern && !session {
            return None;
        }
        let how = match context.known(id, key::operator::WINDOW_MAX) {
            Known::Value(fact) if matches!(fact.value, Limit::Unlimited) => "may last for ever",
            Known::Value(_) | Known::Conflict(_) => return None,
            Known::Unset(_) => "has no longest duration",
            Known::NotKnown(_) => "has no stated longest duration",
        };
        let what = if pattern { "a pattern" } else { "a session" };
        Some(rule.finding(&[id], format!("{}: {what} {how}", context.title(id)), "a longest duration, or keys that always pause"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_session_without_an_end_is_found() {
        let session = ("elements/sum/proposed/window", "\"session\"");
        let longest = |text| ("elements/sum/proposed/window_max", text);
        assert_eq!(fires("STA-09", &[session]).message, "sum: a session has no stated longest duration");
        fires("STA-09", &[session, longest("\"unlimited\"")]);
        fires("STA-09", &[("elements/sum/proposed/function", "\"pattern\""), longest("\"unset\"")]);
        silent("STA-09", &[session, longest("\"1h\"")]);
        silent("STA-09", &[]);
    }
}
