use crate::{
    model::{Id, Step, key, words::{Marks, StateIn}},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Ids are remembered in a store outside the job, and not in one step with the result.
    ///
    /// # Why
    /// Mark first, then write: a crash in between loses the event, for the retry finds it marked. Write first, then mark: a
    /// crash in between writes twice.
    ///
    /// # Example
    /// Redis `SETNX` on the event id, then the insert: the pod is stopped in between, the row never comes.
    ///
    /// # What to do
    /// Mark and write in one transaction of the same store, or let the engine keep the ids with its checkpoint.
    DUP_06 "DUP-06" Error "Mark and write are two steps"
    why "a crash between mark and write loses the event or writes it twice"
    sources ["Redis documentation, SET: NX", "Helland, Idempotence Is Not a Medical Condition (2012)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _, step): (&Id, &Id, Step)| {
        let outside = context.get(id, key::operator::STATE_IN) == Some(StateIn::External);
        if step != Step::Deduplicate || !outside {
            return None;
        }
        let what = match context.get(id, key::operator::MARKS)? {
            Marks::BeforeWrite => "marks before it writes: a crash loses the event",
            Marks::AfterWrite => "marks after it writes: a crash writes twice",
            Marks::WithWrite => return None,
        };
        let fix = propose("Propose marking with the write", id, key::operator::MARKS, Marks::WithWrite);
        let message = format!("{} {what}", context.title(id));
        Some(rule.finding(&[id], message, "mark and write in one transaction").fixed_by(Some(fix)))
    };
    context.operators_with(key::operator::MARKS).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn an_outside_memory_in_two_steps_is_found() {
        let outside = ("elements/dedup/proposed/state_in", "\"external\"");
        let marks = "elements/dedup/proposed/marks";
        fires("DUP-06", &[outside, (marks, "\"before_write\"")]);
        fires("DUP-06", &[outside, (marks, "\"after_write\"")]);
        mends("DUP-06", &[outside, (marks, "\"before_write\"")]);
        silent("DUP-06", &[outside, (marks, "\"with_write\"")]);
        silent("DUP-06", &[(marks, "\"before_write\"")]);
    }
}
