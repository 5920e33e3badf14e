use crate::{
    model::{Action, ActionKind, Id, Link, StateHandling, View, key, words::OutputCommit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Batches are recognised by their number, and the number does not go with the checkpoint.
    ///
    /// # Why
    /// A table that is told application and batch number skips every number up to the last one it has. A new checkpoint directory
    /// counts from 0 again, over other records: all of them are skipped under known numbers, without an error, until the count has
    /// caught up. The usual advice, `txnVersion` = batch id, is only half of it.
    ///
    /// # Example
    /// A Delta table has noted batch 8 412 of `txnAppId` "orders". The checkpoint is deleted to change the query; the next 8 412
    /// batches are skipped, and every one of them reports success.
    ///
    /// # What to do
    /// A new `txnAppId` with every new checkpoint directory, and a start from the offsets that the table holds, or a merge by key.
    /// Spark before 4.2 also starts a new count where only the `metadata` file of a checkpoint is missing.
    SPK_L4 "SPK-L4" Error "New batches are skipped under known numbers"
    why "after a new checkpoint, new batches carry numbers that the table has seen"
    sources ["Delta Lake documentation, Idempotent table writes in foreachBatch: txnAppId, txnVersion", "Apache Spark documentation, Structured Streaming Migration Guide: checkpoint metadata, SPARK-55058"]
    check check, of Design
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.get(id, key::write::OUTPUT_COMMIT)? != OutputCommit::BatchId {
            return None;
        }
        let paired = context.get(id, key::store::BATCH_GUARD_PAIRED);
        let job = context.job_of(&link.from).unwrap_or(&link.from);
        let planned = || context.design.records.actions.iter().find(|(_, action)| starts_anew(context, action, job, id)).map(|(action, _)| action);
        let why = match paired {
            Some(true) => return None,
            Some(false) => "the table keeps its last batch number when the checkpoint is made anew".to_owned(),
            None if context.view == View::ToBe => format!("action {} makes the checkpoint anew, and nothing says that the table's batch number goes with it", planned()?),
            None => return None,
        };
        let message = format!("{} is guarded by the batch number, and {why}", context.title(id));
        let fix = propose("Propose a new number with each checkpoint", id, key::store::BATCH_GUARD_PAIRED, true);
        let remedy = "a new txnAppId with every new checkpoint, and a start from the offsets of the table";
        Some(rule.finding(&[id, &link.to], message, remedy).fixed_by(Some(fix)))
    };
    context.links_with(key::write::OUTPUT_COMMIT).filter_map(one).collect()
}

/// Does this planned step give the job a new checkpoint?
fn starts_anew(context: &Context<'_>, action: &Action, job: &Id, write: &Id) -> bool {
    let anew = action.kind == ActionKind::DeleteState
        || (matches!(action.kind, ActionKind::Replay | ActionKind::ResetOffsets | ActionKind::Backfill)
            && action.state_handling == Some(StateHandling::Reset));
    let of_job = |about: &Id| about == job || about == write || context.job_of(about) == Some(job);
    anew && action.done.is_empty() && action.about.iter().any(of_job)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const BATCHES: &[(&str, &str)] = &[
        ("elements/loader", r#"{"kind":"job","system":"spark","proposed":{"checkpoint_storage":"durable","on_error":"fail"}}"#),
        ("elements/table", r#"{"kind":"sink","system":"delta","proposed":{"rebuild":"shadow","other_writers":false}}"#),
        ("links/l6/proposed", r#"{"write_mode":"append","output_commit":"batch_id","deletes":"ignored"}"#),
    ];
    const DELETE: (&str, &str) = ("actions", r#"{"a1":{"kind":"delete_state","about":["loader"],"reason":"new query"}}"#);

    #[test]
    fn a_number_that_outlives_its_checkpoint_is_found() {
        let apart = [BATCHES, &[("links/l6/proposed/batch_guard_paired", "false")]].concat();
        fires("SPK-L4", &apart);
        mends("SPK-L4", &apart);
    }

    #[test]
    fn a_planned_new_checkpoint_is_found() {
        let planned = [BATCHES, &[DELETE]].concat();
        assert!(fires("SPK-L4", &planned).message.contains("action a1 makes the checkpoint anew"));
        mends("SPK-L4", &planned);
        let replay = ("actions", r#"{"a1":{"kind":"replay","about":["write"],"state_handling":"reset"}}"#);
        fires("SPK-L4", &[BATCHES, &[replay]].concat());
    }

    #[test]
    fn numbers_that_go_with_the_checkpoint_are_left_alone() {
        silent("SPK-L4", BATCHES);
        silent("SPK-L4", &[BATCHES, &[DELETE, ("links/l6/proposed/batch_guard_paired", "true")]].concat());
        let kept = ("actions", r#"{"a1":{"kind":"replay","about":["write"],"state_handling":"keep"}}"#);
        silent("SPK-L4", &[BATCHES, &[kept]].concat());
        let other = ("actions", r#"{"a1":{"kind":"delete_state","about":["revenue"]}}"#);
        silent("SPK-L4", &[BATCHES, &[other]].concat());
    }
}
