use crate::{
    model::{Id, Step, key, words::{Api, WindowKind}},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// Sessions that take late events send results that nothing takes back.
    ///
    /// # Why
    /// A late event can join two sessions whose results are out already. The joined session is sent as one more result; the two others
    /// stay where they are, under keys of their own, so that an upsert does not replace them.
    ///
    /// # Example
    /// Sessions from 0 to 7 s and from 10 to 15 s are in the table; an event at 8 s adds one from 0 to 15 s. Adding up the table counts
    /// all of them.
    ///
    /// # What to do
    /// No allowed lateness for sessions: late events into a late output, or a longer watermark delay.
    TIM_20 "TIM-20" Error "Joined sessions stay beside their parts"
    why "no write by key removes the sessions that were joined"
    sources ["Apache Flink, WindowOperator with a merging assigner and allowed lateness; seen with Flink 2.1", "Apache Flink documentation, Windows: Session Windows, Allowed Lateness"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, _): (&Id, &Id, Step)| {
        if context.get(id, key::operator::WINDOW)? != WindowKind::Session || !sends_beside(context, id) {
            return None;
        }
        let more = context.get(id, key::operator::ALLOWED_LATENESS)?;
        let message = format!("{}: a session that a late event joins, up to {} late, is sent beside its parts", context.title(id), more.spoken());
        let mut finding = rule.finding(&[id], message, "no allowed lateness for sessions: a late output, or a longer watermark delay");
        if context.get(id, key::operator::API) != Some(Api::Datastream) {
            finding.severity = Severity::Warning;
        }
        Some(finding)
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// A window of Flink's DataStream API that sends again for late events.
fn sends_beside(context: &Context<'_>, id: &Id) -> bool {
    let code = matches!(context.get(id, key::operator::API), None | Some(Api::Datastream));
    code && context.runs(id, "flink") && super::fires_late(context, id)
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    #[test]
    fn sessions_with_lateness_are_found() {
        let session = [("elements/sum/proposed/window", "\"session\""), ("elements/sum/proposed/window_gap", "\"1min\"")];
        let code = ("elements/sum/proposed/api", "\"datastream\"");
        assert_eq!(fires("TIM-20", &[session[0], session[1], code]).severity, Severity::Error);
        // In SQL sessions take no late events: which API it is decides.
        assert_eq!(fires("TIM-20", &session).severity, Severity::Warning);
        silent("TIM-20", &[session[0], session[1], ("elements/sum/proposed/api", "\"table_function\"")]);
        silent("TIM-20", &[session[0], session[1], code, ("elements/sum/proposed/allowed_lateness", "\"0s\"")]);
        silent("TIM-20", &[session[0], session[1], ("elements/revenue/system", "\"kafka_streams\"")]);
        silent("TIM-20", &[code]);
    }
}
