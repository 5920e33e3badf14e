//! Release integrity: something would be recorded as established that nothing establishes.

use crate::{
    model::{
        ElementKind, key,
        words::{Claimed, ReconciliationResult},
    },
    rules::{Context, Halt, HaltClass, Lift, delivery::holds},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let claims = context.elements(ElementKind::Consumer).filter_map(|(id, _)| {
        let claimed = context.get(id, key::consumer::CLAIMED)?;
        let strong = matches!(claimed, Claimed::EffectivelyOnce | Claimed::ExactlyOnce);
        let verdict = &context.report.consumers.get(id)?.delivery;
        (strong && !holds(verdict.label, claimed)).then(|| Halt {
            class: HaltClass::ReleaseIntegrity,
            about: vec![id.clone()],
            action: format!("record \"{}\" for {}", claimed.as_str().replace('_', " "), context.title(id)),
            consequence: format!("no mechanism holds it on the whole path; the verdict is: {}", verdict.sentence),
            lifted_by: "the missing mechanism, or a claim that is no more than the verdict".to_owned(),
            lift: Lift::Change,
        })
    });
    let results = context.links().filter_map(|(id, _)| {
        let result = context.get(id, key::reconcile::RESULT)?;
        let ran = context.get(id, key::reconcile::RESULT_AT).is_some()
            && context.get(id, key::reconcile::STREAM_VALUE).is_some()
            && context.get(id, key::reconcile::BATCH_VALUE).is_some();
        (result == ReconciliationResult::Within && !ran).then(|| Halt {
            class: HaltClass::ReleaseIntegrity,
            about: vec![id.clone()],
            action: format!("record {} as reconciled", context.title(id)),
            consequence: "no run is on record: date, stream value and batch value are not all there".to_owned(),
            lifted_by: "a run with both values and its date".to_owned(),
            lift: Lift::Change,
        })
    });
    claims.chain(results).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
        rules::{HaltClass, review, testing::careful_with},
    };

    #[test]
    fn a_strong_claim_without_a_mechanism_is_not_recorded() {
        let stopped = |changes: &[(&str, &str)]| {
            let halts = review(&careful_with(changes), View::ToBe).halts;
            halts.iter().filter(|halt| halt.class == HaltClass::ReleaseIntegrity).count()
        };
        let lossy = ("links/l1/proposed/acks", "\"0\"");
        assert_eq!(stopped(&[("elements/board/proposed/claimed", "\"exactly_once\""), lossy]), 1);
        assert_eq!(stopped(&[("elements/board/proposed/claimed", "\"best_effort\""), lossy]), 0);
    }
}
