//! Deleting, joining and parting.

use super::{Draft, unknown};
use crate::sorted::SortedSet;
use crate::{
    edit::{Edit, EditError},
    model::{Element, ElementKind, Id, Lifecycle, Link, Section, Shape, Slot, Subject},
};

impl Draft<'_> {
    /// Deletes elements, links, event types, clusters, records and notes. A job takes its operators along, unless its
    /// contents are to be kept: then only what is said about the job goes, and the operators stay in a bare frame.
    pub fn delete(&mut self, ids: &[Id], keep_contents: bool) -> Result<(), EditError> {
        let mut edits = Vec::new();
        let named: SortedSet<&Id> = ids.iter().collect();
        for id in ids {
            if self.design.kind(id) == Some(ElementKind::Job) {
                let operators: Vec<Id> = self.design.operators_of(id).map(|(operator, _)| operator.clone()).collect();
                if keep_contents && operators.iter().any(|operator| !named.contains(operator)) {
                    edits.push(put_edit(Section::Elements, id, Subject::new(Shape::Element(Element::Job))));
                    continue;
                }
                edits.extend(operators.iter().map(|operator| remove(Section::Elements, operator)));
            }
            match self.design.section_of(id) {
                Some(section) => edits.push(remove(section, id)),
                None => edits.push(self.remove_record(id)?),
            }
        }
        self.apply(Edit::All(edits))
    }

    fn remove_record(&self, id: &Id) -> Result<Edit, EditError> {
        use crate::edit::Record;
        let records = &self.design.records;
        let id = id.clone();
        Ok(if records.evidence.contains_key(&id) {
            Edit::Record(Record::Evidence(id, None))
        } else if records.actions.contains_key(&id) {
            Edit::Record(Record::Action(id, None))
        } else if records.approvals.contains_key(&id) {
            Edit::Record(Record::Approval(id, None))
        } else if records.decisions.contains_key(&id) {
            Edit::Record(Record::Decision(id, None))
        } else if records.questions.contains_key(&id) {
            Edit::Record(Record::Question(id, None))
        } else if self.design.layout.notes.contains_key(&id) {
            Edit::Note { id, to: None }
        } else {
            return Err(unknown(&id));
        })
    }

    /// Deletes an element and links what stood before it to what stood after it, where such links are legal. Each new
    /// link keeps the settings that still fit: how its from-end is read, how its to-end is written.
    pub fn delete_and_join(&mut self, id: &Id) -> Result<Vec<Id>, EditError> {
        let ends = |from_this: bool| -> Vec<(Subject, Lifecycle)> {
            // What leaves by a side output was never on the way.
            let on = |s: &&Subject| {
                s.as_link().is_some_and(|l| if from_this { l.from == *id && l.port.is_none() } else { l.to == *id })
            };
            self.design.links.values().filter(on).map(|s| (s.clone(), self.design.lifecycle_of(s))).collect()
        };
        let (before, after) = (ends(false), ends(true));
        self.delete(std::slice::from_ref(id), false)?;
        let mut made = Vec::new();
        let mut refused = None;
        for (incoming, outgoing) in before.iter().flat_map(|incoming| after.iter().map(move |o| (incoming, o))) {
            let Some(joined) = self.joined(incoming, outgoing) else { continue };
            let link = self.next_id('l');
            match self.put(Section::Links, &link, joined) {
                Ok(()) => made.push(link),
                Err(error) => refused = Some(error),
            }
        }
        match refused {
            Some(error) if made.is_empty() => Err(error),
            _ => Ok(made),
        }
    }

    fn joined(
        &self,
        (incoming, first): &(Subject, Lifecycle),
        (outgoing, second): &(Subject, Lifecycle),
    ) -> Option<Subject> {
        let (before, after) = (incoming.as_link()?, outgoing.as_link()?);
        let mut link = before.clone();
        link.to = after.to.clone();
        link.into = after.into;
        let mut joined = incoming.clone();
        joined.shape = Shape::Link(link);
        // It is there today only where both of them were.
        joined.lifecycle = None;
        let least = *first.min(second);
        joined.lifecycle = (self.design.lifecycle_of(&joined) != least).then_some(least);
        for (evidence, facts) in &outgoing.observed {
            for (field, value) in facts.iter() {
                let slot = joined.observed.entry(evidence.clone()).or_default();
                if slot.get(field).is_none() {
                    slot.set(field, Some(value.clone()));
                }
            }
        }
        for (field, value) in outgoing.proposed.iter() {
            if joined.proposed.get(field).is_none() {
                joined.proposed.set(field, Some(value.clone()));
            }
        }
        joined.raw.extend(outgoing.raw.iter().map(|(evidence, values)| (evidence.clone(), values.clone())));
        self.design.keep_legal(&mut joined);
        Some(joined)
    }

    /// Leads a link through an element that stands already: the link ends there, a new one (which is returned) goes on from
    /// there. Each half keeps the settings that fit: how its from-end is read, how its to-end is written. A link that is
    /// there today retires: two planned ones take its place.
    pub fn split_link(&mut self, link: &Id, middle: &Id) -> Result<Id, EditError> {
        let subject = self.design.links.get(link).cloned().ok_or_else(|| unknown(link))?;
        let Some(old) = subject.as_link().cloned() else { return Err(unknown(link)) };
        let first = Link { to: middle.clone(), into: None, ..old.clone() };
        let second = Link { from: middle.clone(), port: None, ..old };
        let (first, mut second) = (self.redrawn(&subject, first), self.redrawn(&subject, second));
        second.name = None;
        let first_id = self.in_place_of(link)?;
        self.put(Section::Links, &first_id, first)?;
        let next = self.next_id('l');
        self.put(Section::Links, &next, second)?;
        Ok(next)
    }

    /// Decides a conflict: keeps the value of one slot of a setting and removes the other observed ones.
    pub fn choose(&mut self, subject: &Id, field: crate::model::Field, keep: &Slot) -> Result<(), EditError> {
        let holder = self.design.subject(subject).ok_or_else(|| unknown(subject))?;
        let losing: Vec<Edit> = holder
            .observed
            .iter()
            .filter(|(evidence, facts)| facts.get(field).is_some() && *keep != Slot::Observed((*evidence).clone()))
            .map(|(evidence, _)| super::set(subject, Slot::Observed(evidence.clone()), field, None))
            .collect();
        self.apply(Edit::All(losing))
    }
}

pub(super) fn remove(section: Section, id: &Id) -> Edit {
    Edit::Subject { section, id: id.clone(), to: None }
}

pub(super) fn put_edit(section: Section, id: &Id, subject: Subject) -> Edit {
    Edit::Subject { section, id: id.clone(), to: Some(Box::new(subject)) }
}
