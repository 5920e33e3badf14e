//! From what the user accepts to one edit.

use super::proposal::{FactKey, FactState, Presence, Proposal, ProposedFact};
use crate::edit::{Edit, Record};
use crate::model::{Decision, DecisionKind, Id, Section, Shape, Slot, Text, counted_as};
use crate::sorted::{SortedMap, SortedSet};

/// What becomes of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resolution {
    /// The value that was read is true: the others are taken out and the decision is written down.
    AsRead,
    /// What the design says is true: the reading is left out and the decision is written down.
    Keep,
    /// Both are kept: the field is unknown to the analysis until somebody decides.
    KeepBoth,
}

/// What the user accepts. By default everything but open conflicts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Facts that are left out; they stay out when more text is read.
    pub without_facts: SortedSet<FactKey>,
    /// Subjects that are left out, with their facts and with what cannot be without them.
    pub without_subjects: SortedSet<Id>,
    /// What becomes of conflicts. One that is not decided here is left out.
    pub conflicts: SortedMap<FactKey, Resolution>,
}

impl Choices {
    /// Is this fact left out?
    #[must_use]
    pub fn without(&self, fact: &ProposedFact) -> bool {
        !self.without_facts.is_empty() && self.without_facts.contains(&fact.id())
    }

    /// What somebody changed of what would be taken by itself, in words: `2 facts left out, 1 conflict decided`. Nothing
    /// where all is as it was proposed.
    #[must_use]
    pub fn words(&self) -> String {
        let conflicted = self.conflicts.keys().filter(|key| !self.without_facts.contains(key)).count();
        let parts = [
            (self.without_subjects.len(), "part of the design left out", "parts of the design left out"),
            (self.without_facts.len(), "fact left out", "facts left out"),
            (conflicted, "conflict decided", "conflicts decided"),
        ];
        let said = parts.into_iter().filter(|(count, ..)| *count > 0);
        said.map(|(count, one, many)| counted_as(count, one, many)).collect::<Vec<_>>().join(", ")
    }

    /// What becomes of it, where it is in conflict and somebody decided.
    #[must_use]
    pub fn resolution(&self, fact: &ProposedFact) -> Option<Resolution> {
        if self.conflicts.is_empty() { None } else { self.conflicts.get(&fact.id()).copied() }
    }
}

/// The edits in the order in which each finds what it needs: evidence, boxes, links, facts, what they replace.
pub(super) fn edit(proposal: &Proposal, choices: &Choices) -> Edit {
    let dropped = dropped(proposal, choices);
    let mut used: SortedSet<&Id> = SortedSet::new();
    let mut settings: Vec<Edit> = Vec::new();
    let mut decisions = proposal.next_decision.iter();
    for fact in &proposal.facts {
        if dropped.contains(&fact.subject) || choices.without(fact) {
            continue;
        }
        let resolution = choices.resolution(fact);
        match (fact.state, resolution) {
            (FactState::Same, _) => {}
            (FactState::Gone, _) => settings.push(set(fact, &fact.evidence, false)),
            (FactState::Conflict, None) => {}
            (FactState::Conflict, Some(Resolution::Keep)) => {
                settings.extend(decision(proposal, fact, false, decisions.next()))
            }
            (FactState::Conflict, Some(resolution)) => {
                used.insert(&fact.evidence);
                settings.push(set(fact, &fact.evidence, true));
                if resolution == Resolution::AsRead {
                    let others = fact.in_design.iter().filter(|other| other.evidence != fact.evidence);
                    let others = others.filter(|other| Some(&other.value) != fact.read_as.as_ref());
                    settings.extend(others.map(|other| set(fact, &other.evidence, false)));
                    settings.extend(decision(proposal, fact, true, decisions.next()));
                }
            }
            _ => {
                used.insert(&fact.evidence);
                settings.push(set(fact, &fact.evidence, true));
                settings.extend(fact.replaces.iter().map(|old| set(fact, old, false)));
            }
        }
    }
    for raw in proposal.raw.iter().filter(|raw| !dropped.contains(&raw.subject)) {
        if raw.value.is_some() {
            used.insert(&raw.evidence);
        }
        settings.push(Edit::Raw {
            subject: raw.subject.clone(),
            evidence: raw.evidence.clone(),
            key: raw.key.clone(),
            value: raw.value.clone(),
        });
    }
    let mut edits = evidence(proposal, &used);
    edits.extend(subjects(proposal, &dropped));
    edits.extend(settings);
    Edit::All(edits)
}

fn set(fact: &ProposedFact, evidence: &Id, put: bool) -> Edit {
    Edit::Set {
        subject: fact.subject.clone(),
        slot: Slot::Observed(evidence.clone()),
        field: fact.field,
        value: if put { fact.read_as.clone() } else { None },
    }
}

/// What is left out, and what cannot be without it.
fn dropped(proposal: &Proposal, choices: &Choices) -> SortedSet<Id> {
    let mut dropped = choices.without_subjects.clone();
    // Subjects stand after what they need, so one pass is enough.
    for subject in &proposal.subjects {
        if subject.needs.iter().any(|id| dropped.contains(id)) {
            dropped.insert(subject.id.clone());
        }
    }
    dropped
}

fn evidence(proposal: &Proposal, used: &SortedSet<&Id>) -> Vec<Edit> {
    let wanted =
        |id: &Id| proposal.refreshed.contains(id) || (used.contains(id) && !proposal.known_evidence.contains(id));
    let entries = proposal.evidence.iter().filter(|(id, _)| wanted(id));
    entries.map(|(id, entry)| Edit::Record(Record::Evidence(id.clone(), Some(entry.clone())))).collect()
}

fn subjects(proposal: &Proposal, dropped: &SortedSet<Id>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for subject in proposal.subjects.iter().filter(|subject| !dropped.contains(&subject.id)) {
        match &subject.presence {
            Presence::New(new) => {
                let section = match new.shape {
                    Shape::Cluster { .. } => Section::Clusters,
                    Shape::Link(_) => Section::Links,
                    _ => Section::Elements,
                };
                let mut new = new.clone();
                // A box without the cluster that was left out stands alone.
                new.cluster = new.cluster.take().filter(|cluster| !dropped.contains(cluster));
                edits.push(Edit::Subject { section, id: subject.id.clone(), to: Some(new) });
            }
            Presence::Exists(changes) => {
                let names_dropped = |edit: &Edit| match edit {
                    Edit::Label { to: Some(to), .. } => dropped.iter().any(|id| id.as_str() == &**to),
                    _ => false,
                };
                edits.extend(changes.iter().map(|(edit, _)| edit.clone()).filter(|edit| !names_dropped(edit)));
            }
        }
    }
    edits
}

/// "Deciding removes the losing value and writes a decision."
fn decision(proposal: &Proposal, fact: &ProposedFact, as_read: bool, id: Option<&Id>) -> Option<Edit> {
    let read = fact.read_as.as_ref()?;
    let other = fact.in_design.iter().find(|other| other.value != *read)?;
    let (kept, lost) = if as_read { (read, &other.value) } else { (&other.value, read) };
    let title =
        proposal.subjects.iter().find(|subject| subject.id == fact.subject).map_or("", |subject| &subject.title);
    let text = format!("{} of {title} is {kept}, not {lost}", fact.key);
    let decision = Decision {
        text: Text::from(text.chars().take(4000).collect::<String>()),
        by: None,
        at: proposal.at.clone(),
        about: vec![format!("{}.{}", fact.subject, fact.field.name()).into()],
        kind: Some(DecisionKind::ChooseValue),
        rule: None,
    };
    Some(Edit::Record(Record::Decision(id?.clone(), Some(decision))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key;

    #[test]
    fn what_somebody_changed_of_a_preview_is_said() {
        let mut choices = Choices::default();
        assert_eq!(choices.words(), "");
        let id = |text| Id::new(text).unwrap();
        let key = |text| FactKey { subject: id(text), field: key::channel::PARTITIONS.field(), value: None };
        choices.without_facts.insert(key("a"));
        assert_eq!(choices.words(), "1 fact left out");
        choices.without_facts.insert(key("b"));
        choices.without_subjects.insert(id("c"));
        choices.conflicts.insert(key("d"), Resolution::Keep);
        assert_eq!(choices.words(), "1 part of the design left out, 2 facts left out, 1 conflict decided");
    }
}
