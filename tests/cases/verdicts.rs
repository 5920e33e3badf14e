//! The verdict and the order at a consumer against what is expected.

use crate::expect::{Check, Expect, check};
use pipeline_desk::{
    analysis::{
        delivery::verdict::{DeliveryVerdict, Fewest, Label, Most, ValueEffect},
        order::{OrderKind, OrderVerdict},
    },
    model::Id,
};

fn guarantee(label: Label) -> &'static str {
    match label {
        Label::NoClaim => "no_claim",
        Label::BestEffort => "best_effort",
        Label::AtMostOnce => "at_most_once",
        Label::AtLeastOnce => "at_least_once",
        Label::SuppressedWithin => "suppressed_within",
        Label::EffectivelyOnce | Label::ExactlyOnceScoped => "once",
    }
}

fn loss(expected: &str, fewest: &Fewest) -> &'static str {
    match fewest {
        Fewest::OneWhile(..) if expected == "none" => "none",
        Fewest::One(_) => "none",
        Fewest::OneWhile(..) => "conditional",
        Fewest::Zero => "possible",
        Fewest::Unknown(_) => "unknown",
    }
}

const fn repeats(most: &Most) -> &'static str {
    match most {
        Most::One(_) => "none",
        Most::OneWhile(..) => "suppressed",
        Most::Many => "shown",
        Most::Unknown(_) => "unknown",
    }
}

const fn value(value: ValueEffect) -> &'static str {
    match value {
        ValueEffect::NotApplicable => "rows",
        ValueEffect::Exact => "exact",
        ValueEffect::Over => "over",
        ValueEffect::Under => "under",
        ValueEffect::Stale => "stale",
        ValueEffect::OverOrMissing => "over_or_missing",
    }
}

const fn order(kind: Option<OrderKind>) -> &'static str {
    match kind {
        None | Some(OrderKind::Nothing) => "nothing",
        Some(OrderKind::NotEstablished) => "not_established",
        Some(OrderKind::PerPartition) => "per_partition",
        Some(OrderKind::Arrival) => "arrival",
        Some(OrderKind::PerKey) => "per_key",
        Some(OrderKind::Newest) => "newest",
        Some(OrderKind::Global) => "global",
    }
}

pub fn order_checks(expect: &Expect<'_>, verdict: &OrderVerdict) -> Vec<Check> {
    let ends = verdict.inputs.iter().find_map(|input| input.ended_by());
    let found = [
        ("order", order(verdict.kind()).to_owned()),
        ("order_ends", ends.map_or("nowhere", |breaker| breaker.at.as_str()).to_owned()),
    ];
    let said = || verdict.inputs.iter().map(|input| input.sentence(&|id| id.to_string())).collect::<Vec<_>>();
    let checks = found.into_iter().filter_map(|(field, found)| Some(check(field, expect.text(field)?, &found)));
    checks.map(|(name, outcome)| (name, outcome.map_err(|found| format!("{found}: {:?}", said())))).collect()
}

pub fn verdict_checks(expect: &Expect<'_>, verdict: &DeliveryVerdict) -> Vec<Check> {
    let id = |id: Option<&Id>| id.map_or("nowhere", Id::as_str).to_owned();
    let weakest = &verdict.weakest;
    let found = [
        ("guarantee", guarantee(verdict.label).to_owned()),
        ("loss", loss(expect.text("loss").unwrap_or_default(), &verdict.badge.fewest).to_owned()),
        ("repeats", repeats(&verdict.badge.most).to_owned()),
        ("value", value(verdict.value).to_owned()),
        ("weakest_loss", id(weakest.loss.as_ref().map(|hop| &hop.at))),
        ("weakest_repeats", id(weakest.duplicate_origin.as_ref().map(|hop| &hop.at))),
        ("repair", id(weakest.duplicate_repair.as_ref().map(|repair| &repair.at))),
    ];
    let table: Vec<String> = verdict.hops.iter().map(|row| row.mechanism()).collect();
    let mechanism = expect.texts("mechanism").into_iter().map(|words| {
        let stands = table.iter().any(|mechanism| mechanism.contains(words));
        let found = if stands { Ok(()) } else { Err(format!("mechanisms: {table:#?}")) };
        (format!("mechanism {words}"), found)
    });
    let fields = found.into_iter().filter_map(|(field, found)| Some(check(field, expect.text(field)?, &found)));
    let mut checks: Vec<Check> = fields.chain(mechanism).collect();
    for (name, outcome) in &mut checks {
        if let Err(found) = outcome {
            *found = format!("{name}: {found}; {} {:?}", verdict.sentence, verdict.unknown);
        }
    }
    checks
}
