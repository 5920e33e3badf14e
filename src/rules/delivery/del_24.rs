use crate::{
    model::{Id, Step, key, words::{Emit, ProcessingGuarantee, StateIn}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A store decides in Kafka Streams or ksqlDB whether a result is sent, under at-least-once processing.
    ///
    /// # Why
    /// The note in the store and the result go to two topics, each on its own. Where the note gets there and the result does not,
    /// the retry finds the record noted and sends nothing: at least once has become at most once, without an error.
    ///
    /// # Example
    /// A de-duplication store, `suppress` until a window closes, an alarm only on a change: the process dies between the two sends,
    /// and that window, that alarm, never comes.
    ///
    /// # What to do
    /// `processing.guarantee=exactly_once_v2`, which commits note and result together; or send every time, and remove repeats at a
    /// keyed store behind.
    DEL_24 "DEL-24" Error "A result can be noted and never sent"
    why "after a crash the retry finds the record noted and sends nothing"
    sources ["KAFKA-12508: emit-on-change tables may lose updates under at_least_once", "Apache Kafka documentation, Kafka Streams: processing.guarantee"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let how = gates(context, id, step)?;
        let guarantee = context.get(job, key::job::PROCESSING_GUARANTEE)?;
        let loose = guarantee == ProcessingGuarantee::AtLeastOnce && context.engine(job)?.mode(Some(guarantee))?.gate_loses;
        // A sum is found by the rule on totals, for the same setting.
        let told = context.additive(id) && context.repeats_matter(id);
        (loose && !told && context.loss_matters(id)).then(|| {
            let message = format!("{} {how}, and {} runs at least once", context.title(id), context.title(job));
            let fix = propose("Propose exactly_once", job, key::job::PROCESSING_GUARANTEE, ProcessingGuarantee::ExactlyOnce);
            rule.finding(&[id, job], message, "commit note, position and result in one transaction").fixed_by(Some(fix))
        })
    };
    context.operators().filter_map(one).collect()
}

/// How its state holds a result back, where it does.
fn gates(context: &Context<'_>, id: &Id, step: Step) -> Option<&'static str> {
    let how = match step {
        Step::Deduplicate => "sends an event only where its id is not noted yet",
        Step::Aggregate => match context.get(id, key::operator::EMIT)? {
            Emit::OnClose | Emit::Suppress => "sends only the final result",
            _ => return None,
        },
        _ => return None,
    };
    let elsewhere = matches!(context.get(id, key::operator::STATE_IN), Some(StateIn::External | StateIn::Memory));
    (!elsewhere).then_some(how)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const STREAMS: &[(&str, &str)] = &[
        ("elements/revenue/system", "\"kafka_streams\""),
        ("elements/revenue/proposed/processing_guarantee", "\"at_least_once\""),
    ];

    #[test]
    fn a_gate_under_at_least_once_is_found() {
        assert_eq!(fires("DEL-24", STREAMS).message, "dedup sends an event only where its id is not noted yet, and revenue runs at least once");
        mends("DEL-24", STREAMS);
    }

    #[test]
    fn one_transaction_and_stores_of_flink_are_left_alone() {
        silent("DEL-24", &STREAMS[..1]);
        silent("DEL-24", &STREAMS[1..]);
        silent("DEL-24", &[STREAMS, &[("elements/board/proposed/loss_tolerated", "true")]].concat());
        silent("DEL-24", &[STREAMS, &[("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")]].concat());
    }
}
