//! Which claims are not made because a source of evidence exists and could not be read.
//!
//! A setting or figure is withheld where its own path would have come from that source; a verdict, badge or finding
//! where it rests on such a setting.

use super::{desk::Desk, say};
use crate::{
    analysis::{
        delivery::verdict::{Badge, Condition, DeliveryVerdict, Fewest, LossKind, Most},
        explain::{Explained, Missing, Origin},
        unreachable::Unreachable,
    },
    model::{Basis, Fact, Field, Group, Id, Known, Slot, View},
    rules::Finding,
};

impl Desk<'_> {
    /// The unreachable source that this setting would have come from; what is proposed comes from nowhere.
    #[must_use]
    pub fn withheld(&self, id: &Id, field: Field) -> Option<&Id> {
        if self.unreachable().is_empty() || self.proposed(id, field) {
            return None;
        }
        self.unreachable().iter().find(|source| self.unread(source, id, field)).map(|source| &source.evidence)
    }

    /// Would the setting have come from this source? Of what is only planned a source that is not about it can tell nothing.
    fn unread(&self, source: &Unreachable, id: &Id, field: Field) -> bool {
        let read = || self.design.subject(id).is_some_and(|subject| !subject.observed.is_empty());
        source.holds(self.design, id, field)
            && (!source.about.is_empty() || self.design.visible(View::AsIs, id) || read())
    }

    /// A source as people call it: what it is, else who would say it.
    #[must_use]
    pub fn source_name(&self, evidence: &Id) -> String {
        let entry = self.design.records.evidence.get(evidence);
        let from = entry.and_then(|entry| entry.from.as_deref()).map(str::to_owned);
        from.unwrap_or_else(|| {
            entry.map_or_else(|| evidence.to_string(), |entry| say::evidence(evidence.as_str(), entry))
        })
    }

    /// What stands in the place of a claim that rests on a source which could not be reached.
    #[must_use]
    pub fn withheld_words(&self, evidence: &Id) -> String {
        format!("withheld: {} could not be reached", self.source_name(evidence))
    }

    fn proposed(&self, id: &Id, field: Field) -> bool {
        matches!(self.design.resolve(View::ToBe, id, field), Known::Value(Fact { basis: Basis::Proposed, .. }))
    }

    /// The unreachable source that a figure would have to read.
    #[must_use]
    pub fn withheld_input(&self, explained: &Explained) -> Option<&Id> {
        if self.unreachable().is_empty() {
            return None;
        }
        match &explained.origin {
            Origin::Fact(fact) | Origin::FactBy(fact, _) if fact.slot != Slot::Proposed => self
                .unreachable()
                .iter()
                .find(|source| self.unread(source, &fact.subject, fact.field))
                .map(|source| &source.evidence),
            Origin::Formula { inputs, .. } => inputs.iter().find_map(|input| self.withheld_input(input)),
            _ => None,
        }
    }

    fn withheld_condition(&self, condition: &Condition) -> Option<&Id> {
        self.withheld_input(condition.bound.as_ref()?)
    }

    /// The unreachable source that would close one of these gaps.
    #[must_use]
    pub fn withheld_missing(&self, missing: &[Missing]) -> Option<&Id> {
        missing.iter().find_map(|missing| self.withheld(&missing.subject, missing.field))
    }

    /// The unreachable source that a badge rests on.
    #[must_use]
    pub fn withheld_badge(&self, badge: &Badge) -> Option<&Id> {
        let conditions =
            |conditions: &[std::sync::Arc<Condition>]| conditions.iter().find_map(|c| self.withheld_condition(c));
        let fewest = match &badge.fewest {
            Fewest::OneWhile(_, while_) => conditions(while_),
            Fewest::Unknown(missing) => self.withheld_missing(missing),
            _ => None,
        };
        fewest.or_else(|| match &badge.most {
            Most::OneWhile(_, while_) => conditions(while_),
            Most::Unknown(missing) => self.withheld_missing(missing),
            _ => None,
        })
    }

    /// The unreachable source that a verdict rests on.
    #[must_use]
    pub fn withheld_verdict(&self, verdict: &DeliveryVerdict) -> Option<&Id> {
        let lossy = || {
            verdict.lossy_hops.iter().find_map(|hop| match &hop.kind {
                LossKind::Conditional(condition) => self.withheld_condition(condition),
                LossKind::Possible => None,
            })
        };
        // A source that is about a whole element of the path, and about anything of it.
        let whole = || {
            let on_path = |about: &String| verdict.hops.iter().any(|row| row.at.as_str() == about);
            let source = self.unreachable().iter().find(|s| s.covers.is_empty() && s.about.iter().any(on_path));
            source.map(|source| &source.evidence)
        };
        self.withheld_missing(&verdict.unknown)
            .or_else(|| self.withheld_badge(&verdict.badge))
            .or_else(lossy)
            .or_else(whole)
    }

    /// The unreachable source that a finding rests on: its rule, or one of its family, reads such a setting.
    #[must_use]
    pub fn withheld_finding(&self, finding: &Finding) -> Option<&Id> {
        let family = finding.rule.split('-').next().unwrap_or(finding.rule);
        self.unreachable()
            .iter()
            .find(|source| {
                finding.about.iter().any(|id| {
                    let Some(subject) = self.design.subject(id) else { return false };
                    self.design.groups(subject).into_iter().flat_map(Group::fields).any(|field| {
                        let read = field.row().rules.split(", ").any(|rule| rule.split('-').next() == Some(family));
                        read && self.unread(source, id, field) && !self.proposed(id, field)
                    })
                })
            })
            .map(|source| &source.evidence)
    }
}
