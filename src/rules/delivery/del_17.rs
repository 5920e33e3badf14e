use crate::{
    model::{ElementKind, Id, Step, key, words::{ProcessingGuarantee, WriteMode}},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A step of an exactly-once job calls something outside.
    ///
    /// # Why
    /// Position, state and output are committed together, and a crash takes all three back. A request that has gone out is not
    /// taken back: what is read again is called again. The setting is about the job's own state and output, and nothing else.
    ///
    /// # Example
    /// A Kafka Streams application with `exactly_once_v2` charges a card in a `mapValues`; after a crash the records since the last
    /// commit are charged again.
    ///
    /// # What to do
    /// Send a request key that the callee honours for longer than an outage, and draw the callee as a sink with it; or write the
    /// order to call into a channel, and call behind it.
    DEL_17 "DEL-17" Warning "Exactly once does not cover a call"
    why "what is read again after a crash is called again, whatever the job commits together"
    sources ["Apache Kafka documentation, Kafka Streams Core Concepts: Processing Guarantees", "Apache Flink documentation, Fault Tolerance Guarantees of Data Sources and Sinks"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        if step != Step::Call || context.get(job, key::job::PROCESSING_GUARANTEE)? != ProcessingGuarantee::ExactlyOnce {
            return None;
        }
        let mut writes = context.from(id).filter(|(_, link)| context.kind(&link.to) == Some(ElementKind::Sink));
        let drawn = writes.any(|(link, _)| context.get(link, key::store::WRITE_MODE).is_none_or(|mode| mode == WriteMode::Call));
        (!drawn && context.repeats_matter(id)).then(|| {
            let message = format!("{} calls something outside, and the exactly-once setting of {} does not take a call back", context.title(id), context.title(job));
            rule.finding(&[id, job], message, "send a request key that the callee honours, and draw the callee as a sink")
        })
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Calls between the de-duplication and the sum.
    const CALL: &[(&str, &str)] = &[
        ("elements/score", r#"{"kind":"operator","job":"revenue","step":"call"}"#),
        ("links/l3/to", "\"score\""),
        ("links/l30", r#"{"from":"score","to":"sum"}"#),
    ];

    #[test]
    fn a_call_inside_an_exactly_once_job_is_found() {
        assert!(fires("DEL-17", CALL).message.starts_with("score calls something outside"));
    }

    #[test]
    fn a_lookup_and_a_callee_that_is_drawn_are_left_alone() {
        silent("DEL-17", &[CALL, &[("elements/score/step", "\"lookup\"")]].concat());
        silent("DEL-17", &[CALL, &[("elements/revenue/proposed/processing_guarantee", "\"at_least_once\"")]].concat());
        let callee = [
            ("elements/bank", r#"{"kind":"sink","system":"http","proposed":{"idempotency_window":"1d"}}"#),
            ("links/l31", r#"{"from":"score","to":"bank","proposed":{"write_mode":"call","key":["order_id"],"client_retries":0}}"#),
        ];
        silent("DEL-17", &[CALL, &callee].concat());
    }
}
