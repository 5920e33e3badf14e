//! Which claims are not made because a source of evidence exists and could not be read.
//!
//! A setting is withheld where its own path would have come from that source. The analysis does not know such settings
//! ([`crate::analysis::unreachable`]), so that a figure, badge or verdict which needs one is open: here that is told from
//! what is open because nobody read it.

use super::{desk::Desk, say};
use crate::{
    analysis::{
        delivery::verdict::{Badge, DeliveryVerdict, Fewest, Most},
        explain::{Derived, Missing},
    },
    model::{Basis, Fact, Field, Group, Id, Known, View},
    rules::Finding,
};

impl Desk<'_> {
    /// The unreachable source that this setting would have come from; what is proposed comes from nowhere.
    #[must_use]
    pub fn withheld(&self, id: &Id, field: Field) -> Option<&Id> {
        if self.unreachable().is_empty() || self.proposed(id, field) {
            return None;
        }
        self.unreachable().iter().find(|source| source.holds(self.design, id, field)).map(|source| &source.evidence)
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

    /// The unreachable source that would close one of these gaps.
    #[must_use]
    pub fn withheld_missing(&self, missing: &[Missing]) -> Option<&Id> {
        missing.iter().find_map(|missing| self.withheld(&missing.subject, missing.field))
    }

    /// The unreachable source that a figure would have to read: without it, it is not derivable.
    #[must_use]
    pub fn withheld_figure(&self, figure: &Derived) -> Option<&Id> {
        self.withheld_missing(&figure.as_ref().err()?.missing)
    }

    /// The unreachable source that a badge would have to read.
    #[must_use]
    pub fn withheld_badge(&self, badge: &Badge) -> Option<&Id> {
        let fewest = if let Fewest::Unknown(missing) = &badge.fewest { missing.as_slice() } else { &[] };
        let most = if let Most::Unknown(missing) = &badge.most { missing.as_slice() } else { &[] };
        self.withheld_missing(fewest).or_else(|| self.withheld_missing(most))
    }

    /// The unreachable source that a verdict would have to read.
    #[must_use]
    pub fn withheld_verdict(&self, verdict: &DeliveryVerdict) -> Option<&Id> {
        self.withheld_missing(&verdict.unknown)
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
                        read && source.holds(self.design, id, field) && !self.proposed(id, field)
                    })
                })
            })
            .map(|source| &source.evidence)
    }
}
