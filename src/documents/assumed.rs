//! What a document rests on that nobody read: settings that it prints or computes with, what the analysis takes for
//! granted, and what stands behind a judgement of which only the basis is known.
//!
//! Not here: how it is printed (`appendix`).

use super::{desk::Desk, document::Assumption, numbers::Numbers, say};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    analysis::explain::{Explained, Origin},
    model::{Basis, FactRef, Field, Group, Id, Known, Nature, Subject, View},
};

/// Gathered while a document is written.
#[derive(Default)]
pub struct Assumed {
    facts: SortedMap<FactRef, Basis>,
    taken: Vec<Assumption>,
    judged: SortedMap<Id, Basis>,
}

/// Did nobody read it?
const fn unread(basis: Basis) -> bool {
    matches!(basis, Basis::Assumed | Basis::Stated)
}

impl Assumed {
    /// Notes a setting that was printed.
    pub fn note(&mut self, source: &FactRef, basis: Basis) {
        if unread(basis) {
            self.facts.insert(source.clone(), basis);
        }
    }

    /// Notes what somebody judged a subject by, as well founded as this.
    pub fn judged(&mut self, id: &Id, basis: Option<Basis>) {
        if let Some(basis) = basis.filter(|basis| unread(*basis)) {
            let known = self.judged.entry(id.clone()).or_insert(basis);
            *known = basis.min(*known);
        }
    }

    /// Notes what is taken for granted of a setting that nobody stated.
    pub fn take(&mut self, desk: &Desk<'_>, (id, field): (&Id, Field), value: &str, used_in: &'static str) {
        self.taken.push(Assumption {
            what: desk.setting_of(id, field),
            setting: Some((id.clone(), field)),
            value: value.to_owned(),
            basis: Basis::Assumed,
            source: "nobody stated it; taken for granted here".to_owned(),
            used_in: vec![used_in],
        });
    }

    /// All of it, with the figures of the document that read it; and what was judged by something that is not found among
    /// the settings.
    #[must_use]
    pub fn list(mut self, desk: &Desk<'_>, numbers: &Numbers) -> (Vec<Assumption>, Vec<Id>) {
        let open = self.behind_judgements(desk);
        let mut used: SortedMap<Ground<'_>, SortedSet<&'static str>> = SortedMap::new();
        for number in numbers.iter() {
            for input in number.inputs() {
                grounds(input, &mut |ground| {
                    used.entry(ground).or_default().insert(number.what);
                });
            }
        }
        let used = |ground: Ground<'_>| used.get(&ground).into_iter().flatten().copied().collect();
        let facts = self.facts.iter().map(|(source, basis)| Assumption {
            what: desk.setting_of(&source.subject, source.field),
            setting: Some((source.subject.clone(), source.field)),
            value: desk.stored(source).map(|value| say::value(value).0).unwrap_or_default(),
            basis: *basis,
            source: say::source(desk.design, source),
            used_in: used(Ground::Fact(source)),
        });
        let mut seen = SortedSet::new();
        let granted = numbers.iter().filter_map(|number| match (&number.origin, number.basis) {
            (Origin::Constant { source }, Some(basis)) if seen.insert((number.what, *source)) => Some(Assumption {
                what: number.what.to_owned(),
                setting: None,
                value: number.text(),
                basis,
                source: (*source).to_owned(),
                used_in: used(Ground::Taken(number.what, source)),
            }),
            _ => None,
        });
        (facts.chain(granted).chain(self.taken.iter().cloned()).collect(), open)
    }

    /// Notes the settings that stand behind what was judged: those of the subject that are as well founded as the judgement,
    /// else those of what is at its ends or around it. Answers what none was found for.
    fn behind_judgements(&mut self, desk: &Desk<'_>) -> Vec<Id> {
        let mut open = Vec::new();
        for (id, basis) in std::mem::take(&mut self.judged) {
            let mut found = settings_of(desk, &id, basis);
            if found.is_empty() {
                found = near(desk, &id).iter().flat_map(|id| settings_of(desk, id, basis)).collect();
            }
            if found.is_empty() {
                open.push(id);
            }
            self.facts.extend(found.into_iter().map(|fact| (fact, basis)));
        }
        open
    }
}

/// The ends of a link with their jobs, the job of an operator.
fn near(desk: &Desk<'_>, id: &Id) -> Vec<Id> {
    let job = |id: &Id| desk.design.job_of(id).cloned();
    match desk.design.links.get(id).and_then(Subject::as_link) {
        Some(link) => {
            [&link.from, &link.to].into_iter().flat_map(|end| [Some(end.clone()), job(end)]).flatten().collect()
        }
        None => job(id).into_iter().collect(),
    }
}

/// The settings of a subject that have this basis.
fn settings_of(desk: &Desk<'_>, id: &Id, basis: Basis) -> Vec<FactRef> {
    let Some(subject) = desk.design.subject(id) else { return Vec::new() };
    let fields = desk.design.groups(subject).into_iter().flat_map(Group::fields);
    let set = fields.filter(|field| field.row().nature == Nature::Configuration);
    let known = set.filter_map(|field| match desk.design.resolve(View::ToBe, id, field) {
        Known::Value(fact) if fact.basis == basis => Some(fact.source),
        _ => None,
    });
    known.collect()
}

/// What a figure stands on in the end.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Ground<'g> {
    Fact(&'g FactRef),
    Taken(&'static str, &'static str),
}

fn grounds<'g>(explained: &'g Explained, found: &mut dyn FnMut(Ground<'g>)) {
    match &explained.origin {
        Origin::Fact(fact) | Origin::FactBy(fact, _) => found(Ground::Fact(fact)),
        Origin::Constant { source } => found(Ground::Taken(explained.what, source)),
        Origin::Formula { inputs, .. } => inputs.iter().for_each(|input| grounds(input, found)),
    }
}
