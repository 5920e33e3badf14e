//! Release integrity: something would be recorded as established that nothing establishes.

use crate::{
    model::{
        Basis, ElementKind, key,
        words::{Claimed, ReconciliationResult},
    },
    rules::{Context, Halt, HaltClass, Lift, delivery::holds},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let claims = context.elements(ElementKind::Consumer).filter_map(|(id, _)| {
        let claimed = context.get(id, key::consumer::CLAIMED)?;
        let strong = matches!(claimed, Claimed::EffectivelyOnce | Claimed::ExactlyOnce);
        let verdict = &context.report.consumers.get(id)?.delivery;
        let (consequence, lifted_by) = if !holds(verdict.label, claimed) {
            let consequence = format!("no mechanism holds it on the whole path; the verdict is: {}", verdict.sentence);
            (consequence, "the missing mechanism, or a claim that is no more than the verdict")
        } else if verdict.basis == Some(Basis::Assumed) {
            let consequence = "the mechanisms would hold it, and some of the facts behind them are assumed".to_owned();
            (consequence, "readings or statements of what is assumed")
        } else {
            return None;
        };
        strong.then(|| Halt {
            class: HaltClass::ReleaseIntegrity,
            about: vec![id.clone()],
            action: format!("record \"{}\" for {}", claimed.as_str().replace('_', " "), context.title(id)),
            consequence,
            lifted_by: lifted_by.to_owned(),
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

    #[test]
    fn a_strong_claim_on_what_is_assumed_is_not_recorded() {
        let stopped = |basis: &str| {
            let evidence = format!(r#"{{"e1":{{"basis":"{basis}","from":"table"}}}}"#);
            let changes = [
                ("evidence", evidence.as_str()),
                ("elements/board/proposed/claimed", "\"effectively_once\""),
                ("elements/table/lifecycle", "\"existing\""),
                ("elements/table/proposed/unique_keys", "null"),
                ("elements/table/observed", r#"{"e1":{"unique_keys":[["store","window_start"]]}}"#),
                // Nothing else stands in the way of the claim: no way back, and ids that are kept for ever.
                ("links/l9", "null"),
                ("links/l10", "null"),
                ("elements/dlq", "null"),
                ("elements/dedup/proposed/on_error", "\"fail\""),
                ("elements/dedup/proposed/state_ttl", "\"unlimited\""),
            ];
            let halts = review(&careful_with(&changes), View::ToBe).halts;
            let release = halts.into_iter().filter(|halt| halt.class == HaltClass::ReleaseIntegrity);
            release.map(|halt| halt.consequence).collect::<Vec<_>>()
        };
        let assumed = "the mechanisms would hold it, and some of the facts behind them are assumed";
        assert_eq!(stopped("assumed"), [assumed]);
        assert_eq!(stopped("read"), Vec::<String>::new());
    }
}
