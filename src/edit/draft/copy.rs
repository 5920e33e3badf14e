//! Copying: a part of a design as a design of its own, and putting one design into another under fresh ids.
//!
//! As text, a copied part is an ordinary document and comes back through the same door as every other (`codec`).

use super::Draft;
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::{Edit, EditError},
    model::{Design, Element, Facts as Settings, Id, Nature, Note, Place, Section, Shape, Subject},
};

/// What becomes of observed values when a part is put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facts {
    /// They stay, with the evidence they came from: a part moved over from another document.
    Keep,
    /// Settings and needs become proposals; measurements, raw keys and life cycle go, for nobody has read the copy.
    AsProposal,
}

impl Design {
    /// The part of a design that these ids name: elements with the operators of their jobs, the links between them,
    /// notes, and the event types, clusters and evidence that all these refer to.
    #[must_use]
    pub fn part(&self, ids: &SortedSet<Id>) -> Self {
        let mut part = Self::default();
        let in_part = |id: &Id| ids.contains(id) || self.job_of(id).is_some_and(|job| ids.contains(job));
        let mut jobs = SortedSet::new();
        for (id, subject) in self.elements.iter().filter(|(id, _)| in_part(id)) {
            part.elements.insert(id.clone(), subject.clone());
            jobs.extend(self.job_of(id).filter(|job| !ids.contains(*job)).cloned());
        }
        // An operator without its job would be no valid part.
        for job in jobs {
            if let Some(subject) = self.elements.get(&job) {
                part.elements.insert(job, subject.clone());
            }
        }
        for (id, subject) in &self.links {
            let whole = subject.as_link().is_some_and(|link| in_part(&link.from) && in_part(&link.to));
            if whole {
                part.links.insert(id.clone(), subject.clone());
            }
        }
        part.take_references(self);
        let kept = |id: &&Id| part.elements.contains_key(*id);
        let boxes = self.layout.boxes.iter().filter(|(id, _)| kept(id));
        part.layout.boxes = boxes.map(|(id, place)| (id.clone(), *place)).collect();
        let colours = self.layout.colours.iter().filter(|(id, _)| kept(id));
        part.layout.colours = colours.map(|(id, colour)| (id.clone(), colour.clone())).collect();
        let notes = self.layout.notes.iter().filter(|(id, _)| ids.contains(*id));
        part.layout.notes = notes.map(|(id, note)| (id.clone(), note.clone())).collect();
        part
    }

    /// What becomes of the facts of a part that is pasted here: beside the very elements that it was copied from, as far as
    /// anybody said what is there today, it is a second one that nobody has read.
    #[must_use]
    pub fn pasted(&self, part: &Self) -> Facts {
        let stands = |(id, copy): (&Id, &Subject)| {
            let today = |s: &Subject| (s.shape.clone(), s.lifecycle, s.observed.clone());
            self.elements.get(id).is_some_and(|here| today(here) == today(copy))
        };
        if part.elements.iter().all(stands) { Facts::AsProposal } else { Facts::Keep }
    }

    /// Takes in the event types, clusters and evidence that the part refers to.
    fn take_references(&mut self, whole: &Self) {
        let named = |part: &Self| -> SortedSet<Id> {
            let sections = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
            let subjects = sections.into_iter().flat_map(|section| part.section(section).values());
            subjects.flat_map(Subject::references).cloned().collect()
        };
        for id in named(self) {
            if let Some(subject) = whole.events.get(&id) {
                self.events.insert(id, subject.clone());
            } else if let Some(subject) = whole.clusters.get(&id) {
                self.clusters.insert(id, subject.clone());
            }
        }
        for id in named(self) {
            if let Some(evidence) = whole.records.evidence.get(&id) {
                self.records.evidence.insert(id, evidence.clone());
            }
        }
    }
}

impl Draft<'_> {
    /// Puts another design (or a part of one) in, moved by `by`; answers the new ids of its elements, in order.
    ///
    /// Event types, clusters and evidence that stand here with the same content are used, all else gets fresh ids.
    pub fn insert(&mut self, part: &Design, by: (i32, i32), facts: Facts) -> Result<Vec<Id>, EditError> {
        let mut names = SortedMap::new();
        let mut edits = Vec::new();
        if facts == Facts::Keep {
            for (id, evidence) in &part.records.evidence {
                let new = self.evidence(evidence.clone())?;
                names.insert(id.clone(), new);
            }
        }
        for (section, fallback) in [(Section::Clusters, "cluster"), (Section::Events, "event")] {
            for (id, subject) in part.section(section) {
                let copy = copied(subject, &names, facts);
                let here = self.design.section(section).get(id);
                let stands = here.is_some_and(|here| copied(here, &SortedMap::new(), facts) == copy);
                let new = if stands { id.clone() } else { self.fresh_id(id.as_str(), fallback) };
                names.insert(id.clone(), new.clone());
                if !stands {
                    self.put(section, &new, copy)?;
                }
            }
        }
        let mut elements = Vec::new();
        for (id, subject) in jobs_first(part) {
            let new = self.fresh_id(id.as_str(), "element");
            names.insert(id.clone(), new.clone());
            let copy = self.drawn_copy(subject, &names, facts);
            self.put(Section::Elements, &new, copy)?;
            elements.push(new);
        }
        for subject in part.links.values() {
            let new = self.next_id('l');
            let copy = self.drawn_copy(subject, &names, facts);
            self.put(Section::Links, &new, copy)?;
        }
        self.insert_layout(part, by, &names, &mut edits);
        self.apply(Edit::All(edits))?;
        Ok(elements)
    }

    /// The copy of an element or link: as a proposal, it is planned wherever it stands.
    fn drawn_copy(&self, subject: &Subject, names: &SortedMap<Id, Id>, facts: Facts) -> Subject {
        let mut copy = copied(subject, names, facts);
        if facts == Facts::AsProposal {
            self.design.keep_planned(&mut copy);
        }
        copy
    }

    fn insert_layout(&self, part: &Design, by: (i32, i32), names: &SortedMap<Id, Id>, edits: &mut Vec<Edit>) {
        let moved =
            |place: &Place| Place { x: place.x.saturating_add(by.0), y: place.y.saturating_add(by.1), ..*place };
        for (id, place) in &part.layout.boxes {
            if let Some(element) = names.get(id).cloned() {
                edits.push(Edit::Place { element, to: Some(moved(place)).filter(|place| place.is_legal()) });
            }
        }
        for (id, colour) in &part.layout.colours {
            if let Some(element) = names.get(id).cloned() {
                edits.push(Edit::Colour { element, to: Some(colour.clone()) });
            }
        }
        let mut taken = SortedSet::new();
        for note in part.layout.notes.values() {
            let id = self.design.next_id('n', &|id| self.taken(id) || taken.contains(id));
            taken.insert(id.clone());
            let place = note.place.as_ref().map(moved).filter(|place| place.is_legal());
            edits.push(Edit::Note { id, to: Some(Note { text: note.text.clone(), place }) });
        }
    }

    /// Doubles elements (a job with its operators) and the links between them, beside the originals.
    pub fn duplicate(&mut self, ids: &SortedSet<Id>, by: (i32, i32)) -> Result<Vec<Id>, EditError> {
        let part = self.design.part(ids);
        let mut inner = part.clone();
        // An operator that is doubled without its job stays in that job.
        inner.elements.retain(|id, _| ids.contains(id) || part.job_of(id).is_some_and(|job| ids.contains(job)));
        self.insert(&inner, by, Facts::AsProposal)
    }
}

/// The elements of a part, jobs before the operators that stand in them.
fn jobs_first(part: &Design) -> impl Iterator<Item = (&Id, &Subject)> {
    let operator = |subject: &&Subject| matches!(subject.shape, Shape::Element(Element::Operator { .. }));
    let (operators, others): (Vec<_>, Vec<_>) = part.elements.iter().partition(|(_, subject)| operator(subject));
    others.into_iter().chain(operators)
}

/// A subject with its references renamed and its facts as they shall be in the copy.
pub(super) fn copied(subject: &Subject, names: &SortedMap<Id, Id>, facts: Facts) -> Subject {
    let new = |id: &Id| names.get(id).unwrap_or(id).clone();
    let mut copy = subject.clone();
    match &mut copy.shape {
        Shape::Element(Element::Source { event }) => *event = event.as_ref().map(new),
        Shape::Element(Element::Operator { job, emits, .. }) => {
            *job = new(job);
            *emits = emits.as_ref().map(new);
        }
        Shape::Link(link) => {
            link.from = new(&link.from);
            link.to = new(&link.to);
        }
        _ => {}
    }
    copy.cluster = copy.cluster.as_ref().map(new);
    match facts {
        Facts::Keep => {
            copy.observed = subject.observed.iter().map(|(id, facts)| (new(id), facts.clone())).collect();
            copy.raw = subject.raw.iter().map(|(id, values)| (new(id), values.clone())).collect();
        }
        Facts::AsProposal => {
            copy.lifecycle = None;
            copy.observed = SortedMap::new();
            copy.raw = SortedMap::new();
            copy.proposed = proposal(subject);
        }
    }
    copy
}

/// What is proposed, and what was observed of settings and needs where nothing is proposed.
fn proposal(subject: &Subject) -> Settings {
    let mut proposal = Settings::default();
    for facts in subject.observed.values() {
        for (field, value) in facts.iter().filter(|(field, _)| field.row().nature != Nature::Measurement) {
            proposal.set(field, Some(value.clone()));
        }
    }
    for (field, value) in subject.proposed.iter() {
        proposal.set(field, Some(value.clone()));
    }
    proposal
}
