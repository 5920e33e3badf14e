use crate::{
    analysis::delivery::verdict::{Copies, CopyClass},
    catalog::StateCommit,
    model::{Id, Subject, key, words::{ProcessingGuarantee, StateIn}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A sum or count in a job whose checkpoints are at least once.
    ///
    /// # Why
    /// With `AT_LEAST_ONCE` a task does not wait for the barriers of its other inputs. Records behind a barrier are then in the state
    /// that is saved, and are read again after a restart: they are added a second time.
    ///
    /// # Example
    /// The mode was set for lower latency under back-pressure; after each failure some windows are a little too high, never too
    /// low, and nobody can say which.
    ///
    /// # What to do
    /// Checkpoint mode `EXACTLY_ONCE`; unaligned checkpoints keep the latency. Only a value that a repeat does not change (maximum,
    /// set, last by version) can do without.
    DEL_21 "DEL-21" Error "Totals count again after a restart"
    why "the saved state already holds records that are read again"
    sources ["Apache Flink documentation, Stateful Stream Processing: Exactly Once vs. At Least Once", "Google Cloud documentation, Dataflow: Set the pipeline streaming mode"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _)| {
        counts_again(context, id, job).then(|| {
            let message = format!("{} adds up in {}, whose checkpoints are at least once", context.title(id), context.title(job));
            let fix = propose("Propose exactly_once", job, key::job::PROCESSING_GUARANTEE, ProcessingGuarantee::ExactlyOnce);
            rule.finding(&[id, job], message, "restore state and position to the same point").fixed_by(Some(fix))
        })
    };
    context.operators().filter_map(one).collect()
}

/// A sum whose saved state can hold what is read again, with a consumer behind it that minds.
pub(super) fn counts_again(context: &Context<'_>, operator: &Id, job: &Id) -> bool {
    let loose = || {
        let guarantee = context.get(job, key::job::PROCESSING_GUARANTEE)?;
        let mode = context.engine(job)?.mode(Some(guarantee))?;
        Some(mode.state == StateCommit::AtLeastOnce && !mode.gate_loses)
    };
    let elsewhere = || matches!(context.get(operator, key::operator::STATE_IN), Some(StateIn::External | StateIn::Memory));
    let may = context.additive(operator) && loose() == Some(true) && context.repeats_matter(operator);
    may && !elsewhere() && !saved_with_marks(context, operator, job)
}

/// Does every reader behind it know that what the job itself reads again is not added there, because marks of a de-duplication
/// are saved with the sum?
fn saved_with_marks(context: &Context<'_>, operator: &Id, job: &Id) -> bool {
    let verdicts = context.report.consumers.values().map(|report| &report.delivery);
    let mut behind = verdicts.filter(|verdict| verdict.hops.iter().any(|row| row.at == *operator)).peekable();
    let inside = |at: &Id| context.job_of(at) == Some(job);
    let own = |copies: &Copies| match context.design.links.get(&copies.origin.at).and_then(Subject::as_link) {
        // What came back into the job from a log of its own is a record like any other.
        Some(link) => copies.class != CopyClass::Reemission && inside(&link.to),
        None => inside(&copies.origin.at),
    };
    behind.peek().is_some()
        && behind.all(|verdict| {
            let mut at_it = verdict.taints.iter().filter(|taint| taint.at == *operator && !taint.stale);
            verdict.unknown.is_empty() && !at_it.any(|taint| taint.by.iter().any(own))
        })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const LOOSE: (&str, &str) = ("elements/revenue/proposed/processing_guarantee", "\"at_least_once\"");

    #[test]
    fn a_sum_over_at_least_once_checkpoints_is_found() {
        assert_eq!(fires("DEL-21", &[LOOSE]).message, "sum adds up in revenue, whose checkpoints are at least once");
        mends("DEL-21", &[LOOSE]);
    }

    /// Marks of another key lie in another task; by the same key, handed on in one task, they are saved with the sum.
    #[test]
    fn what_is_saved_with_its_marks_is_left_alone() {
        let key = ("elements/sum/proposed/key", "[\"order_id\"]");
        let together = [LOOSE, key, ("links/l3/proposed/distribution", "\"forward\"")];
        silent("DEL-21", &together);
        fires("DEL-21", &together[..2]);
        fires("DEL-21", &[together[0], together[2]]);
        fires("DEL-21", &[&together[..], &[("elements/dedup/step", "\"map\""), ("elements/dedup/proposed", "{}")]].concat());
    }

    #[test]
    fn other_guarantees_and_functions_are_left_alone() {
        silent("DEL-21", &[("elements/revenue/proposed/processing_guarantee", "null")]);
        silent("DEL-21", &[LOOSE, ("elements/sum/proposed/function", "\"max\"")]);
        silent("DEL-21", &[LOOSE, ("elements/board/proposed/duplicates_tolerated", "true")]);
        // Kafka Streams has a rule of its own.
        silent("DEL-21", &[LOOSE, ("elements/revenue/system", "\"kafka_streams\"")]);
    }
}
