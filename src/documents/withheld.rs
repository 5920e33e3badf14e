//! Which claims are not made because a source of evidence exists and could not be read.
//!
//! A setting or figure is withheld where its own path would have come from that source; a verdict, badge or finding
//! where it rests on such a setting.

use super::desk::Desk;
use crate::sorted::SortedSet;
use crate::{
    analysis::{
        delivery::verdict::{Badge, Condition, DeliveryVerdict, Fewest, LossKind, Most},
        explain::{Explained, Missing, Origin},
    },
    model::{Basis, Covers, EvidenceState, Fact, Field, Group, Id, Known, Slot, View},
    rules::Finding,
};

/// A source of evidence that exists and could not be read.
#[derive(Clone, Debug)]
pub struct Unreachable {
    /// Its evidence entry.
    pub evidence: Id,
    /// Ids and paths (`subject.field`) that would have come from it.
    pub about: SortedSet<String>,
    /// Which required evidence it is.
    pub covers: Vec<Covers>,
}

/// The sources of a design that could not be reached.
pub fn unreachable(design: &crate::model::Design) -> Vec<Unreachable> {
    let entries = design.records.evidence.iter().filter(|(_, e)| e.state == Some(EvidenceState::Unreachable));
    entries
        .map(|(id, entry)| Unreachable {
            evidence: id.clone(),
            about: entry.about.iter().map(ToString::to_string).collect(),
            covers: entry.covers.clone(),
        })
        .collect()
}

impl Unreachable {
    fn holds(&self, desk: &Desk<'_>, id: &Id, field: Field) -> bool {
        let covers = || self.covers.is_empty() || self.covers.iter().any(|covers| belongs(*covers, field));
        if self.about.is_empty() {
            return self.covers.iter().any(|covers| belongs(*covers, field));
        }
        let job = desk.design.job_of(id);
        self.about.contains(&format!("{id}.{}", field.name()))
            || (covers()
                && (self.about.contains(id.as_str()) || job.is_some_and(|job| self.about.contains(job.as_str()))))
    }
}

impl Desk<'_> {
    /// The unreachable source that this setting would have come from; what is proposed comes from nowhere.
    #[must_use]
    pub fn withheld(&self, id: &Id, field: Field) -> Option<&Id> {
        if self.unreachable().is_empty() || self.proposed(id, field) {
            return None;
        }
        self.unreachable().iter().find(|source| source.holds(self, id, field)).map(|source| &source.evidence)
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
                .find(|source| source.holds(self, &fact.subject, fact.field))
                .map(|source| &source.evidence),
            Origin::Formula { inputs, .. } => inputs.iter().find_map(|input| self.withheld_input(input)),
            _ => None,
        }
    }

    fn withheld_condition(&self, condition: &Condition) -> Option<&Id> {
        self.withheld_input(condition.bound.as_ref()?)
    }

    fn withheld_missing(&self, missing: &[Missing]) -> Option<&Id> {
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
                        read && source.holds(self, id, field) && !self.proposed(id, field)
                    })
                })
            })
            .map(|source| &source.evidence)
    }
}

/// Does required evidence of this sort hold this setting?
fn belongs(covers: Covers, field: Field) -> bool {
    let name = field.name();
    match covers {
        Covers::Schemas => field.group() == Group::Event,
        Covers::Topology => field.group() == Group::Channel || matches!(name, "members" | "group"),
        Covers::Lag => matches!(name, "lag" | "lag_time" | "committed_offset" | "end_offset" | "members"),
        Covers::LatencyNeed => name == "latency_requirement",
        Covers::Lateness => matches!(name, "lateness" | "partition_time_spread" | "longest_silence"),
        Covers::SinkCapability => field.group() == Group::Sink,
        Covers::State => {
            name.starts_with("checkpoint")
                || matches!(name, "state_size" | "recovery_time" | "restart_time" | "restore_rate")
        }
        Covers::BatchPath => matches!(field.group(), Group::Batch | Group::Reconcile),
    }
}
