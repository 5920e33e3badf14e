//! Personal data in savepoints: copies of all state in a place of their own, which no retention of a topic reaches.

use super::{over, personal, state::held, stopped_in};
use crate::{
    model::{ElementKind, Id, key, units::Limit},
    rules::{Context, Halt},
    sorted::SortedSet,
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let mut halts = Vec::new();
    for (job, _) in context.elements(ElementKind::Job) {
        let stays = match context.get(job, key::job::SAVEPOINT_RETENTION) {
            Some(Limit::Of(time)) => time.secs(),
            Some(Limit::Unlimited) => f64::INFINITY,
            Some(Limit::None) | None => continue,
        };
        let kept: SortedSet<&Id> = context
            .operators_of(job)
            .flat_map(|id| {
                let holds = |event: &&Id| context.step(id).is_some_and(|step| held(context, id, step, event));
                personal(context, id).filter(holds).collect::<Vec<_>>()
            })
            .collect();
        let place = format!("savepoints of {}", context.title(job));
        halts.extend(
            kept.iter().filter_map(|event| stopped_in(context, &place, job, event, over(context, event, stays))),
        );
    }
    halts
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PERSONAL, stopped};

    const ALLOWED: (&str, &str) = ("events/order/proposed/max_retention", "\"30d\"");

    #[test]
    fn savepoints_that_outlive_what_is_allowed_are_stopped() {
        let years = ("elements/revenue/proposed/savepoint_retention", "\"730d\"");
        let halts = stopped(&[PERSONAL, ALLOWED, years]);
        assert_eq!(halts.len(), 1, "{halts:?}");
        assert_eq!(halts[0].action, "keep order in savepoints of revenue");
        assert_eq!(halts[0].consequence, "personal data stays for up to 730 d, 30 d are allowed");
        assert_eq!(stopped(&[ALLOWED, years]), vec![], "internal data may stay");
    }

    #[test]
    fn shorter_ones_and_ones_that_nobody_read_of_stop_nothing() {
        assert_eq!(stopped(&[PERSONAL, ALLOWED]), vec![]);
        assert_eq!(stopped(&[PERSONAL, ALLOWED, ("elements/revenue/proposed/savepoint_retention", "\"30d\"")]), vec![]);
    }
}
