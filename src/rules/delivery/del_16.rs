use crate::{
    model::{key, words::ProcessingGuarantee},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A sum or count in Kafka Streams or ksqlDB under at-least-once processing.
    ///
    /// # Why
    /// The store and its changelog are updated at once, the position is committed later. After a crash the input since
    /// the last commit is added to a store that already holds it.
    ///
    /// # Example
    /// 2 000 records a second, a commit every 30 s: one crash can count up to 60 000 records twice.
    ///
    /// # What to do
    /// Set `processing.guarantee=exactly_once_v2`, and let readers wait for the commit.
    DEL_16 "DEL-16" Error "Totals count again after a crash"
    why "input since the last commit is added to a store that already holds it"
    sources ["Apache Kafka documentation, Kafka Streams: processing.guarantee", "KIP-447: Producer scalability for exactly once semantics"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _)| {
        let engine = context.engine(job)?;
        let guarantee = context.get(job, key::job::PROCESSING_GUARANTEE)?;
        let loose = guarantee == ProcessingGuarantee::AtLeastOnce && engine.mode(Some(guarantee))?.gate_loses;
        (loose && context.additive(id) && context.repeats_matter(id)).then(|| {
            let message = format!("{} adds up in {}, which runs at least once", context.title(id), context.title(job));
            let fix = propose(
                "Propose exactly_once",
                job,
                key::job::PROCESSING_GUARANTEE,
                ProcessingGuarantee::ExactlyOnce,
            );
            rule.finding(&[id, job], message, "commit position, state and output in one transaction").fixed_by(Some(fix))
        })
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_at_least_once_sum_in_kafka_streams_is_found() {
        let streams = ("elements/revenue/system", "\"kafka_streams\"");
        let loose = ("elements/revenue/proposed/processing_guarantee", "\"at_least_once\"");
        fires("DEL-16", &[streams, loose]);
        mends("DEL-16", &[streams, loose]);
        silent("DEL-16", &[streams]);
        silent("DEL-16", &[streams, loose, ("elements/sum/proposed/function", "\"max\"")]);
    }
}
