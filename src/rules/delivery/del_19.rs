use crate::{
    model::{Id, Known, Link, key, words::OutputCommit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job moves its position on before what it wrote is confirmed.
    ///
    /// # Why
    /// The Kafka sink flushes at a checkpoint only with a delivery guarantee, and its default is none. What still sits in
    /// the client's buffer when the checkpoint completes is lost by a crash of the task alone, and repeats come on top.
    ///
    /// A loader that stages a file and commits before the load has ended does the same: a load that fails later is missing.
    ///
    /// # Example
    /// `KafkaSink.builder()` without `setDeliveryGuarantee`: a task fails, some results are missing, others are there twice.
    ///
    /// # What to do
    /// At least once with a keyed reader, or transactions with readers that wait for the commit.
    DEL_19 "DEL-19" Error "Output is not confirmed before the position moves"
    why "what is not confirmed yet is lost by a crash or a later failure, and nothing reads it again"
    sources ["Apache Flink Kafka connector documentation, Kafka Sink: Fault Tolerance", "Apache Flink Kafka connector, KafkaWriter.flush"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let kafka_sink = context.runs(&link.from, "flink") && context.kind(&link.to)? == crate::model::ElementKind::Channel;
        let how = match context.known(id, key::write::OUTPUT_COMMIT) {
            Known::Value(fact) if fact.value == OutputCommit::Nothing && kafka_sink => "with delivery guarantee NONE",
            Known::Value(fact) if fact.value == OutputCommit::Nothing && context.loss_matters(id) => {
                "without waiting until it is confirmed"
            }
            Known::Unset(_) if kafka_sink => "without a delivery guarantee (default: NONE)",
            _ => return None,
        };
        let fix = propose("Propose confirmed writes", id, key::write::OUTPUT_COMMIT, OutputCommit::Flush);
        let message = format!("{} writes {how}", context.title(id));
        Some(rule.finding(&[id], message, "wait for the confirmation before the position moves on, or write in transactions").fixed_by(Some(fix)))
    };
    context.links_with(key::write::OUTPUT_COMMIT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_unconfirmed_sink_is_found_when_read_and_not_when_unknown() {
        fires("DEL-19", &[("links/l4/proposed/output_commit", "\"none\"")]);
        fires("DEL-19", &[("links/l4/proposed/output_commit", "\"unset\"")]);
        mends("DEL-19", &[("links/l4/proposed/output_commit", "\"none\"")]);
        silent("DEL-19", &[("links/l4/proposed/output_commit", "null")]);
        fires("DEL-19", &[("links/l6/proposed/output_commit", "\"none\"")]);
        silent("DEL-19", &[("links/l6/proposed/output_commit", "\"none\""), ("elements/board/proposed/loss_tolerated", "true")]);
    }
}
