use crate::{
    model::{ElementKind, Id, Subject, key, units::Duration},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A micro-batch of Spark takes longer than the interval of its trigger.
    ///
    /// # Why
    /// A batch that is due waits until the one before is done, and then starts at once; Spark warns in its log that the batch is falling
    /// behind. Results then come at the pace of the batches, not of the trigger. Each batch takes what has come meanwhile and can
    /// be longer for it; where the records of a batch are limited, what it does not take waits as lag.
    ///
    /// # Example
    /// A trigger every 10 s and batches of 25 s: the board that was promised numbers every 10 s shows new ones every 25 s.
    ///
    /// # What to do
    /// Make batches shorter (more cores, less state, a lighter write). A longer interval makes the pace regular, not shorter.
    LAT_L5 "LAT-L5" Warning "Batches take longer than their trigger"
    why "the next batch starts late, and results come at the pace of the batches"
    sources ["Apache Spark, Structured Streaming Programming Guide: Triggers", "Apache Spark, ProcessingTimeExecutor: \"Current batch is falling behind\""]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        // At 0 a batch starts when the one before is done: none is late.
        let interval = context.get(id, key::job::TRIGGER_INTERVAL).filter(|interval| *interval > Duration::ZERO)?;
        let taken = context.get(id, key::job::BATCH_DURATION)?.max().filter(|taken| *taken > interval)?;
        context.runs(id, "spark").then(|| {
            let message = format!(
                "{}: a batch takes {}, its trigger is every {}; the next one starts late",
                context.title(id),
                taken.spoken(),
                interval.spoken()
            );
            rule.finding(&[id], message, "shorter batches; or agree to results at their pace and set the interval above it")
        })
    };
    context.elements_with(ElementKind::Job, key::job::BATCH_DURATION).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_batch_longer_than_its_trigger_is_found() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let with = |trigger, batch| {
            [spark, ("elements/revenue/proposed/trigger_interval", trigger), ("elements/revenue/proposed/batch_duration", batch)]
        };
        let message = fires("LAT-L5", &with("\"10s\"", "\"25s\"")).message;
        assert!(message.ends_with("a batch takes 25 s, its trigger is every 10 s; the next one starts late"), "{message}");
        silent("LAT-L5", &with("\"10s\"", "\"10s\""));
        silent("LAT-L5", &with("\"10s\"", "\"4s\""));
        silent("LAT-L5", &with("\"0s\"", "\"25s\""));
        silent("LAT-L5", &with("\"10s\"", "null"));
        silent("LAT-L5", &with("null", "\"25s\""));
        silent("LAT-L5", &with("\"10s\"", "\"25s\"")[1..]);
    }
}
