use crate::{
    analysis::delivery::verdict::CopyClass,
    catalog::StateCommit,
    model::{Id, Link, key, words::{OutputCommit, ProcessingGuarantee}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A job writes in transactions that it ties to checkpoints which are at least once.
    ///
    /// # Why
    /// The transaction that a checkpoint prepares holds the results of records that came in behind the barrier. The position in
    /// that checkpoint stands before them. After a restart they are read, written and committed again: readers that wait for the
    /// commit see both.
    ///
    /// # Example
    /// Sink `EXACTLY_ONCE`, checkpoint mode `AT_LEAST_ONCE`: one crash, and the records between the first and the last barrier of
    /// an input are there twice.
    ///
    /// # What to do
    /// Checkpoint mode `EXACTLY_ONCE`. The sink's guarantee is worth no more than the checkpoints under it.
    DEL_23 "DEL-23" Error "Transactions over at-least-once checkpoints"
    why "results behind the barrier are committed, and written again after a restart"
    sources ["Apache Flink documentation, Stateful Stream Processing: Exactly Once vs. At Least Once", "Apache Flink Kafka connector documentation, Kafka Sink: Fault Tolerance"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::write::OUTPUT_COMMIT)? != OutputCommit::TwoPhase {
            return None;
        }
        let job = context.job_of(&link.from)?;
        let guarantee = context.get(job, key::job::PROCESSING_GUARANTEE)?;
        let loose = context.engine(job)?.mode(Some(guarantee))?.state == StateCommit::AtLeastOnce;
        if !loose || !shows(context, id) {
            return None;
        }
        // A sum in the job is found for the same reason, and mended by the same setting.
        let told = context.operators_of(job).any(|operator| super::del_21::counts_again(context, operator, job));
        (!told).then(|| {
            let message = format!("{} writes in transactions, and the checkpoints of {} are at least once", context.title(id), context.title(job));
            let fix = propose("Propose exactly_once", job, key::job::PROCESSING_GUARANTEE, ProcessingGuarantee::ExactlyOnce);
            rule.finding(&[id, job], message, "take exactly-once checkpoints under the transactions").fixed_by(Some(fix))
        })
    };
    context.links_with(key::write::OUTPUT_COMMIT).filter_map(one).collect()
}

/// Do results that this link writes again show?
fn shows(context: &Context<'_>, id: &Id) -> bool {
    context.copies_show(CopyClass::Reemission, id)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// Single events in transactions, no de-duplication and no sum.
    const ROWS: &[(&str, &str)] = &[
        ("elements/revenue/proposed/processing_guarantee", "\"at_least_once\""),
        ("elements/dedup/step", "\"map\""),
        ("elements/dedup/proposed", "{}"),
        ("elements/sum/step", "\"map\""),
        ("elements/sum/proposed", "{}"),
        ("links/l6/proposed/write_mode", "\"append\""),
    ];

    #[test]
    fn transactions_over_loose_checkpoints_are_found() {
        fires("DEL-23", ROWS);
        mends("DEL-23", ROWS);
    }

    #[test]
    fn exact_checkpoints_and_what_is_removed_are_left_alone() {
        silent("DEL-23", &ROWS[1..]);
        silent("DEL-23", &[ROWS, &[("elements/board/proposed/duplicates_tolerated", "true")]].concat());
        // A de-duplication that is saved together with the write removes what is read again before it is written; behind a
        // hand-over to other tasks the transaction can hold what its marks do not.
        let behind_marks = [&ROWS[..1], &ROWS[3..]].concat();
        fires("DEL-23", &behind_marks);
        silent("DEL-23", &[&*behind_marks, &[("links/l3/proposed", r#"{"distribution":"forward"}"#)]].concat());
        // The sum has the finding.
        silent("DEL-23", &ROWS[..1]);
    }
}
