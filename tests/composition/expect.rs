//! Compares a verdict with what is expected of a path, field by field.

use crate::path::{self, From, Job, Times};
use pipeline_desk::sorted::SortedMap;
use pipeline_desk::{
    analysis::{
        analyse,
        delivery::verdict::{
            CopyClass, DeliveryVerdict, Fewest, HopPart, Label, LossKind, LossyHop, RepairHow, Transient, ValueEffect,
        },
    },
    model::{Id, View},
};

/// What is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    No,
    Rows,
    /// No row, but values end too low.
    Values,
}

/// What is expected at the end of a path. Hops are named `src`, `n1`, `n2`; a suffix names the part.
#[derive(Clone, Copy, Debug)]
pub struct Expect {
    pub loss: Loss,
    /// Worst first.
    pub lossy: &'static [&'static str],
    /// Copies that stand as rows at the end.
    pub rows: &'static [(CopyClass, &'static str)],
    pub transient: &'static [Transient],
    pub taint: &'static [(&'static str, &'static [CopyClass])],
    pub value: ValueEffect,
    pub label: Label,
    pub weakest_loss: Option<&'static str>,
    pub origin: Option<&'static str>,
    pub repair: Option<(&'static str, RepairHow)>,
}

struct Names<'n>(&'n SortedMap<Id, String>);

impl Names<'_> {
    fn of(&self, id: &Id) -> &str {
        self.0.get(id).map_or("?", String::as_str)
    }

    fn hop(&self, loss: &LossyHop) -> String {
        let part = match loss.hop.part {
            HopPart::Whole => "",
            HopPart::Deduplication => ":dedup",
            HopPart::Gate => ":gate",
            HopPart::ExternalDeduplication => ":xd",
            HopPart::Writer => ":w",
            HopPart::TransactionTimeout => ":txn_timeout",
            HopPart::VolatileState => ":volatile_state",
            HopPart::LateEvents => ":late",
        };
        format!("{}{part}", self.of(&loss.hop.at))
    }
}

/// Is this loss only outside of a condition that the design is stated to stay inside of?
fn inside(loss: &LossyHop) -> bool {
    matches!(&loss.kind, LossKind::Conditional(condition) if condition.inside == Some(true))
}

/// Builds the path, analyses it, and compares.
#[track_caller]
pub fn check(from: From, jobs: &[Job], times: &Times, expect: &Expect) {
    let (design, owners) = path::design(from, jobs, times);
    let report = analyse(&design, View::AsIs);
    let verdict = &report.consumers.values().next().expect("one consumer").delivery;
    let names = Names(&owners);
    assert_eq!(verdict.unknown, [], "every fact is there");
    compare_loss(verdict, &names, expect);
    compare_copies(verdict, &names, expect);
    assert_eq!(verdict.value, expect.value);
    assert_eq!(verdict.label, expect.label, "{}", verdict.sentence);
    assert!(!verdict.sentence.is_empty() && !verdict.scope.is_empty());
}

fn compare_loss(verdict: &DeliveryVerdict, names: &Names<'_>, expect: &Expect) {
    let lossy: Vec<&LossyHop> = verdict.lossy_hops.iter().map(AsRef::as_ref).filter(|loss| !inside(loss)).collect();
    let loss = match lossy.as_slice() {
        [] => Loss::No,
        all if all.iter().all(|loss| loss.in_values) => Loss::Values,
        _ => Loss::Rows,
    };
    assert_eq!(loss, expect.loss, "{lossy:?}");
    assert_eq!(loss != Loss::No, verdict.badge.fewest == Fewest::Zero);
    let hops: Vec<String> = lossy.iter().map(|loss| names.hop(loss)).collect();
    assert_eq!(hops, expect.lossy);
    let weakest = verdict.lossy_hops.first().filter(|loss| !inside(loss)).map(|loss| names.hop(loss));
    assert_eq!(weakest.as_deref(), expect.weakest_loss);
    assert_eq!(verdict.weakest.loss, verdict.lossy_hops.first().map(|loss| loss.hop.clone()));
}

fn compare_copies(verdict: &DeliveryVerdict, names: &Names<'_>, expect: &Expect) {
    let sorted = |mut all: Vec<(CopyClass, String)>| {
        all.sort();
        all
    };
    let rows = verdict.duplicates.iter().map(|copies| (copies.class, names.of(&copies.origin.at).to_owned()));
    let wanted = expect.rows.iter().map(|(class, origin)| (*class, (*origin).to_owned()));
    assert_eq!(sorted(rows.collect()), sorted(wanted.collect()));
    assert_eq!(verdict.transient, expect.transient);
    let taint: Vec<(String, Vec<CopyClass>)> = verdict
        .taints
        .iter()
        .map(|taint| (names.of(&taint.at).to_owned(), taint.by.iter().map(|copies| copies.class).collect()))
        .collect();
    let wanted: Vec<(String, Vec<CopyClass>)> =
        expect.taint.iter().map(|(at, by)| ((*at).to_owned(), by.to_vec())).collect();
    assert_eq!(taint, wanted);
    let origin = verdict.weakest.duplicate_origin.as_ref().map(|hop| names.of(&hop.at));
    assert_eq!(origin, expect.origin);
    let repair = verdict.weakest.duplicate_repair.as_ref().map(|repair| (names.of(&repair.at), repair.how));
    assert_eq!(repair, expect.repair);
}
