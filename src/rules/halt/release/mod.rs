//! Release integrity: something would be recorded as established that nothing establishes. Here delivery and
//! reconciliation; what consumers need besides (order, replay, lateness) each has a file.
//!
//! A need that is not met stops the release, and so does one that is met by what is only assumed. A fact that is missing
//! stops nothing before somebody publishes: it is an open question.

mod lateness;
mod order;
mod replay;

use crate::{
    model::{
        ActionKind, Basis, ElementKind, Id, key,
        words::{Claimed, ReconciliationResult},
    },
    rules::{Context, Halt, HaltClass, Lift, delivery::holds},
};

pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let claims = context.elements(ElementKind::Consumer).filter_map(|(id, _)| {
        let claimed = context.get(id, key::consumer::CLAIMED)?;
        let strong = matches!(claimed, Claimed::EffectivelyOnce | Claimed::ExactlyOnce);
        let verdict = &context.consumer_report(id)?.delivery;
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
    let mut halts: Vec<Halt> = claims.chain(results).collect();
    halts.extend(order::halts(context));
    halts.extend(replay::halts(context));
    halts.extend(lateness::halts(context));
    halts
}

/// Why a need does not stand as established.
enum Short {
    /// It is not met: what is true instead, and what mends it.
    Unmet(String, String),
    /// It is met by facts some of which are only assumed.
    Assumed,
    /// A fact is missing, in words.
    Open(String),
}

/// The halt for a need of a consumer that does not stand as established; `need` is the end of `release board …`.
fn halt(context: &Context<'_>, about: &[&Id], need: &str, short: Short) -> Option<Halt> {
    let consumer = about.first()?;
    let (consequence, lifted_by) = match short {
        Short::Unmet(what, mend) => (what, mend),
        Short::Assumed => {
            let mend = "readings or statements of what is assumed";
            ("the design would meet it, and some of the facts behind it are assumed".to_owned(), mend.to_owned())
        }
        Short::Open(_) if !goes_out(context, consumer) => return None,
        Short::Open(what) => (format!("nothing establishes it: {what}"), "the missing fact".to_owned()),
    };
    Some(Halt {
        class: HaltClass::ReleaseIntegrity,
        about: about.iter().map(|id| (*id).clone()).collect(),
        action: format!("release {} {need}", context.title(consumer)),
        consequence,
        lifted_by,
        lift: Lift::Change,
    })
}

/// Is what this consumer shows published, or about to be?
fn goes_out(context: &Context<'_>, consumer: &Id) -> bool {
    let behind = |about: &Id| {
        let known = context.design.elements.get_key_value(about);
        known.is_some_and(|(about, _)| context.consumers_behind(about).contains(&consumer))
    };
    context.get(consumer, key::consumer::PUBLISHED) == Some(true)
        || context.design.records.actions.values().any(|action| {
            action.kind == ActionKind::Publish && action.about.iter().any(|about| about == consumer || behind(about))
        })
}

#[cfg(test)]
mod tests {
    use crate::{
        model::View,
        rules::{Halt, HaltClass, review, testing::careful_with},
    };

    /// What stops the release of a consumer in these words.
    pub(super) fn released(word: &str, changes: &[(&str, &str)]) -> Vec<Halt> {
        let halts = review(&careful_with(changes), View::ToBe).halts.into_iter();
        halts.filter(|halt| halt.action.starts_with("release ") && halt.action.contains(word)).collect()
    }

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
