//! State of a running job under another setting than the one it was built with: it no longer fits, or is dropped.
//!
//! The largest parallelism of Apache Flink cannot change without dropping state (Savepoints, FAQ; Parallel Execution:
//! setting the maximum parallelism); a time to live that comes or goes makes state incompatible (Working with State:
//! State Time-To-Live); a changelog of Kafka Streams holds entries by the key and serde of its topology (Application
//! Reset Tool).

use super::super::change::{Change, agreed, changes};
use super::in_production;
use crate::{
    model::{Field, Step, Value, key, units::Limit},
    rules::{Context, Halt, HaltClass, Lift},
};

/// What state was built by, of a step that keeps some.
const OF_STEPS: &[Field] = &[
    key::operator::KEY.field(),
    key::operator::RIGHT_KEY.field(),
    key::operator::FUNCTION.field(),
    key::operator::VALUE.field(),
    key::operator::STATE_TTL.field(),
];

/// The same, of a job.
const OF_JOBS: &[Field] = &[key::job::MAX_PARALLELISM.field(), key::job::STATE_BACKEND.field()];

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let (steps, jobs) = (changes(context, OF_STEPS), changes(context, OF_JOBS));
    let kept = |change: &&Change<'_>| {
        let step = context.step(change.id);
        matches!(step, Some(Step::Aggregate | Step::Deduplicate | Step::Join)) && fits_no_more(change)
    };
    let keeps = |change: &&Change<'_>| {
        let mut steps = context.operators_of(change.id).filter_map(|id| context.step(id));
        steps.any(|step| matches!(step, Step::Aggregate | Step::Deduplicate | Step::Join))
    };
    steps
        .iter()
        .filter(kept)
        .chain(jobs.iter().filter(keeps))
        .filter(|change| change.from.is_some())
        .filter_map(|change| halt(context, change))
        .collect()
}

/// A longer time to live keeps all that is there.
fn fits_no_more(change: &Change<'_>) -> bool {
    match (&change.from, change.to) {
        (Some(Value::Limit(Limit::Of(from))), Value::Limit(Limit::Of(to))) => to < from,
        _ => true,
    }
}

fn halt(context: &Context<'_>, change: &Change<'_>) -> Option<Halt> {
    if !in_production(context, change.id) || agreed(context.design, change, None) {
        return None;
    }
    let name = context.title(change.id);
    let job = context.job_of(change.id).unwrap_or(change.id);
    let owner = context.design.elements.get(job).and_then(|job| job.owner.as_ref());
    let owner = owner.map_or_else(|| format!("the owner of {} (not stated)", context.title(job)), ToString::to_string);
    Some(Halt {
        class: HaltClass::ProductionOrDestructive,
        about: vec![change.id.clone()],
        action: format!("change {} of {name}", change.words()),
        consequence:
            "state that was built by the old setting no longer fits or is dropped, and comes back only by a replay"
                .to_owned(),
        lifted_by: format!("{owner}, by name and date, for this value"),
        lift: Lift::Consent(vec![change.consent(context.design, None)]),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::stopped;

    fn live<'a>(field: &'a str, from: &'a str, to: &'a str) -> Vec<(&'a str, &'a str)> {
        let _ = (field, from);
        vec![
            ("evidence/e1", r#"{"basis":"read","from":"job graph"}"#),
            ("elements/revenue/lifecycle", "\"existing\""),
            ("elements/dedup/observed", from),
            (field, to),
        ]
    }

    #[test]
    fn another_key_of_live_state_waits_for_its_owner() {
        let key = live("elements/dedup/proposed/key", r#"{"e1":{"key":["order_id"]}}"#, "[\"order_id\",\"store\"]");
        let halts = stopped(&key);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "change key order_id → (order_id, store) of dedup");
        assert_eq!(halts[0].lifted_by, "Shop, by name and date, for this value");
        let same = live("elements/dedup/proposed/key", r#"{"e1":{"key":["order_id"]}}"#, "[\"order_id\"]");
        assert_eq!(stopped(&same), vec![]);
        let go = [
            &key[..],
            &[(
                "approvals",
                r#"{"a1":{"by":"Shop","at":"2026-11-30","for":"dedup.key","value":["order_id","store"]}}"#,
            )],
        ];
        assert_eq!(stopped(&go.concat()), vec![], "agreed");
        let test = [&key[..], &[("clusters/flink/environment", "\"development\"")]].concat();
        assert_eq!(stopped(&test), vec![], "not in production");
    }

    #[test]
    fn a_shorter_time_to_live_drops_what_is_there_and_a_longer_one_does_not() {
        let ttl = |to| live("elements/dedup/proposed/state_ttl", r#"{"e1":{"state_ttl":"2d"}}"#, to);
        assert_eq!(stopped(&ttl("\"1d\"")).len(), 1);
        assert_eq!(stopped(&ttl("\"3d\"")), vec![]);
        assert_eq!(stopped(&ttl("\"unlimited\"")).len(), 1, "a time to live that goes makes state incompatible");
    }

    #[test]
    fn what_is_not_read_or_not_running_stops_nothing() {
        assert_eq!(stopped(&[("elements/dedup/proposed/key", "[\"store\"]")]), vec![]);
        let unread = [("elements/revenue/lifecycle", "\"existing\""), ("elements/dedup/proposed/key", "[\"store\"]")];
        assert_eq!(stopped(&unread), vec![]);
    }
}
