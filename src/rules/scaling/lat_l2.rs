use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Results become visible with a checkpoint, and checkpoints are further apart than a consumer can wait.
    ///
    /// # Why
    /// A two-phase sink commits when the checkpoint after the write completes. A reader of committed records sees a result after up to
    /// one period and one checkpoint, however fast the job is.
    ///
    /// # Example
    /// Checkpoints every minute and exactly-once into Kafka: nothing is visible within five seconds.
    ///
    /// # What to do
    /// A shorter interval, or at-least-once with a target that takes repeats.
    LAT_L2 "LAT-L2" Error "Visible only with a checkpoint"
    why "a result waits for the commit longer than the consumer can"
    sources ["Apache Flink Kafka connector documentation, Kafka Sink: Fault Tolerance", "Apache Flink, CheckpointRequestDecider"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::LATENCY_REQUIREMENT)?;
        let latency = context.consumer_report(id)?.latency.as_ref().ok()?;
        let commit = super::lat_l1::transaction(latency).filter(|commit| commit.value > needed.secs())?;
        let job = commit.of.as_ref()?;
        let visible = if commit.unbounded() {
            "never makes its results visible, as no checkpoint completes".to_owned()
        } else {
            format!("makes its results visible after up to {}", human::at_most(commit.value))
        };
        let message = format!("{} {visible}, {} needs them within {}", context.title(job), context.title(id), needed.spoken());
        Some(rule.finding(&[job, id], message, "a shorter checkpoint interval, or at-least-once into a target that takes repeats"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::LATENCY_REQUIREMENT).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// An interval of 60 s and a duration of 5 s: 65 s.
    #[test]
    fn a_commit_that_comes_too_late_is_found() {
        let minute = ("elements/board/proposed/latency_requirement", "\"1min\"");
        let message = fires("LAT-L2", &[minute]).message;
        assert_eq!(message, "revenue makes its results visible after up to 65 s, board needs them within 60 s");
        // The window waits longer than the commit: both have to change.
        assert!(fires("LAT-L1", &[minute]).message.contains("the longest part is until the window closes at sum"));
        let every_update = [minute, ("elements/sum/proposed/emit", "\"every_update\"")];
        fires("LAT-L2", &every_update);
        silent("LAT-L1", &every_update);
        let given_up = ("elements/revenue/proposed/checkpoint_duration", "\"10min\"");
        let message = fires("LAT-L2", &[minute, given_up, ("elements/sum/proposed/emit", "\"every_update\"")]).message;
        assert_eq!(message, "revenue never makes its results visible, as no checkpoint completes, board needs them within 60 s");
        silent("LAT-L2", &[("elements/board/proposed/latency_requirement", "\"66s\"")]);
        silent("LAT-L2", &[minute, ("links/l4/proposed/output_commit", "\"flush\"")]);
    }
}
