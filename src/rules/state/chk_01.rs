use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Checkpoints take as long as they may, or longer.
    ///
    /// # Why
    /// A checkpoint that reaches its time-out is given up. With none that completes, a restart goes back ever further, and
    /// transactions are never committed.
    ///
    /// # Example
    /// Time-out 10 min, duration 11 min since the state has grown: the last good checkpoint is from yesterday.
    ///
    /// # What to do
    /// Make checkpoints incremental or unaligned, give the job more room, and then raise the time-out.
    CHK_01 "CHK-01" Error "Checkpoints reach their time-out"
    why "a checkpoint that does not complete protects nothing"
    sources ["Apache Flink documentation, Checkpointing: execution.checkpointing.timeout", "Apache Flink documentation, Tuning Checkpoints and Large State"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let taken = context.get(id, key::job::CHECKPOINT_DURATION)?.max()?;
        let allowed = context.get(id, key::job::CHECKPOINT_TIMEOUT)?;
        (taken >= allowed).then(|| {
            let message = format!("{}: a checkpoint takes {} and is given up after {}", context.title(id), taken.spoken(), allowed.spoken());
            rule.finding(&[id], message, "make checkpoints smaller or faster before raising the time-out")
        })
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_checkpoint_that_reaches_its_timeout_is_found() {
        let slow = "elements/revenue/proposed/checkpoint_duration";
        fires("CHK-01", &[(slow, r#"{"p50":"1min","max":"10min"}"#)]);
        silent("CHK-01", &[(slow, "\"9min\"")]);
    }
}
