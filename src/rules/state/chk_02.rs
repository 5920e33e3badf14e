use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// A checkpoint takes more than half of the time between two.
    ///
    /// # Why
    /// The job spends its time on checkpoints; a little more state or load and they no longer fit, and the work that a
    /// restart repeats grows with them.
    ///
    /// # Example
    /// Every 60 s, 40 s long.
    ///
    /// # What to do
    /// Lengthen the interval or shorten the checkpoint (incremental, unaligned, less state).
    CHK_02 "CHK-02" Warning "Checkpoints take half of the time"
    why "a little more state or load, and they no longer fit into their interval"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let taken = context.get(id, key::job::CHECKPOINT_DURATION)?.max()?;
        let every = context.get(id, key::job::CHECKPOINT_INTERVAL)?;
        (taken.millis().saturating_mul(2) > every.millis()).then(|| {
            let message = format!("{}: a checkpoint takes {}, one is due every {}", context.title(id), taken.spoken(), every.spoken());
            rule.finding(&[id], message, "lengthen the interval or shorten the checkpoint")
        })
    };
    context.elements_with(ElementKind::Job, key::job::CHECKPOINT_DURATION).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn more_than_half_is_found_and_half_is_not() {
        let taken = "elements/revenue/proposed/checkpoint_duration";
        fires("CHK-02", &[(taken, "\"31s\"")]);
        silent("CHK-02", &[(taken, "\"30s\"")]);
    }
}
