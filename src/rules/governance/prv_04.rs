use crate::{
    model::{ElementKind, Id, Step, Subject, key, units::{Duration, Limit}, words::ErasureBy},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Savepoints of a job are kept for longer than the personal events in its state may be.
    ///
    /// # Why
    /// A savepoint is a copy of all state: joined rows, ids, windows with their records. It lies in a bucket of its own, and no
    /// retention of a topic reaches it.
    ///
    /// # Example
    /// Orders may be kept for 30 days; the job joins them, and its savepoints of two years are still there "to be safe".
    ///
    /// # What to do
    /// Delete savepoints within the time that the events may be kept, or encrypt with keys that can be destroyed.
    PRV_04 "PRV-04" Warning "Savepoints outlive what may be kept"
    why "personal data stays in copies of the state that no retention reaches"
    sources ["Apache Flink documentation, Savepoints: ownership and deletion", "Regulation (EU) 2016/679, Article 5(1)(e)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let kept = match context.get(id, key::job::SAVEPOINT_RETENTION)? {
            Limit::Of(kept) => Some(kept),
            Limit::Unlimited => None,
            Limit::None => return None,
        };
        let keeps = |operator: &&Id| matches!(context.step(operator), Some(Step::Deduplicate | Step::Aggregate | Step::Join));
        let over = |event: &Id| allowed(context, event).filter(|allowed| kept.is_none_or(|kept| kept > *allowed));
        let events = context.operators_of(id).filter(keeps).flat_map(|operator| context.events_at(operator));
        let (event, allowed) = events.filter_map(|event| Some((*event, over(event)?))).min_by_key(|(_, allowed)| *allowed)?;
        let stays = kept.map_or("without end".to_owned(), |kept| format!("for {}", kept.spoken()));
        let message = format!("savepoints of {} are kept {stays}, and {} may be kept for {}", context.title(id), context.title(event), allowed.spoken());
        let fix = propose(&format!("Propose {}", allowed.spoken()), id, key::job::SAVEPOINT_RETENTION, Limit::Of(allowed));
        Some(rule.finding(&[id, event], message, "delete savepoints within the time that the events may be kept").fixed_by(Some(fix)))
    };
    context.elements_with(ElementKind::Job, key::job::SAVEPOINT_RETENTION).filter_map(one).collect()
}

/// How long a personal event may be kept, where that is bounded and its keys cannot be destroyed.
fn allowed(context: &Context<'_>, event: &Id) -> Option<Duration> {
    let Limit::Of(allowed) = context.get(event, key::event::MAX_RETENTION)? else { return None };
    let destroyed = context.get(event, key::event::ERASURE_BY) == Some(ErasureBy::KeyDestruction);
    (context.personal(event) && !destroyed).then_some(allowed)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const PERSONAL: &[(&str, &str)] = &[
        ("events/order/proposed/classification", "\"personal\""),
        ("events/order/proposed/max_retention", "\"30d\""),
    ];
    const YEARS: (&str, &str) = ("elements/revenue/proposed/savepoint_retention", "\"730d\"");

    #[test]
    fn savepoints_that_outlive_their_events_are_found() {
        let found = [PERSONAL, &[YEARS]].concat();
        assert_eq!(fires("PRV-04", &found).message, "savepoints of revenue are kept for 730 d, and order may be kept for 30 d");
        mends("PRV-04", &found);
        fires("PRV-04", &[PERSONAL, &[("elements/revenue/proposed/savepoint_retention", "\"unlimited\"")]].concat());
    }

    #[test]
    fn shorter_savepoints_and_events_without_a_bound_are_left_alone() {
        silent("PRV-04", &[PERSONAL, &[("elements/revenue/proposed/savepoint_retention", "\"30d\"")]].concat());
        silent("PRV-04", PERSONAL);
        silent("PRV-04", &[PERSONAL[1], YEARS]);
        silent("PRV-04", &[PERSONAL[0], YEARS]);
        silent("PRV-04", &[PERSONAL, &[YEARS, ("events/order/proposed/erasure_by", "\"key_destruction\"")]].concat());
    }
}
