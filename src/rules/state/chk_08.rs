use crate::{
    analysis::formulas::checkpoint,
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What a checkpoint writes cannot be stored within its timeout.
    ///
    /// # Why
    /// A checkpoint that takes longer than its timeout is thrown away, and the next one begins again. None ever completes: a failure
    /// goes back to the last one that did, and transactional output stands still.
    ///
    /// # Example
    /// 600 GB of state, full checkpoints, 500 MB/s to the storage: 20 minutes, and the timeout is 10.
    ///
    /// # What to do
    /// Incremental checkpoints, less state, a faster way to the storage, or a longer timeout.
    CHK_08 "CHK-08" Error "A checkpoint cannot complete in time"
    why "no checkpoint completes, so that a failure starts from the last one that did"
    sources ["Apache Flink documentation, Checkpointing: execution.checkpointing.timeout", "Apache Flink documentation, Tuning Checkpoints and Large State"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let upload = context.get(id, key::job::UPLOAD_RATE)?;
        let rate = upload.bytes();
        let timeout = context.get(id, key::job::CHECKPOINT_TIMEOUT)?;
        let size = context.job_report(id)?.checkpoint_size.as_ref()?.as_ref().ok()?;
        let needed = checkpoint::slowest(&[(size.value, rate)]);
        if rate <= 0.0 || !needed.is_finite() || needed <= timeout.secs() {
            return None;
        }
        let message = format!(
            "a checkpoint of {} writes {}, which takes at least {} at {}; its timeout is {}",
            context.title(id), size.text(), human::at_least(needed), upload, timeout.spoken()
        );
        Some(rule.finding(&[id], message, "write less with each checkpoint, faster, or allow it more time"))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 60 GB at 50 MB/s: 20 min, twice the timeout; at 200 MB/s: 5 min.
    #[test]
    fn a_checkpoint_that_is_too_large_for_its_timeout_is_found() {
        let size = ("elements/revenue/proposed/checkpoint_size", "\"60GB\"");
        let slow = ("elements/revenue/proposed/upload_rate", "\"50MB/s\"");
        let message = fires("CHK-08", &[size, slow]).message;
        assert!(message.contains("takes at least 20 min") && message.ends_with("its timeout is 10 min"), "{message}");
        silent("CHK-08", &[size, ("elements/revenue/proposed/upload_rate", "\"200MB/s\"")]);
        silent("CHK-08", &[size, slow, ("elements/revenue/proposed/checkpoint_timeout", "\"30min\"")]);
        silent("CHK-08", &[size]);
    }
}
