//! Building a compound edit on a copy of the design: each step sees what the former ones did, ids stay distinct, and
//! what is refused is refused at once. [`Draft::finish`] gives the one edit that does it all.

mod copy;
mod rehome;
mod rewire;

pub use copy::Facts as CopiedFacts;

use super::{Edit, EditError, History, Record};
use crate::model::{
    Design, Element, ElementKind, Evidence, Field, FieldValue, Id, Key, Link, Place, Port, Section, Shape, Slot, Step,
    Subject, Value,
};

/// A compound edit that is being built.
pub struct Draft<'a> {
    design: Design,
    history: Option<&'a History>,
    edits: Vec<Edit>,
}

impl<'a> Draft<'a> {
    /// Starts from a design; ids that the history mentions are not handed out.
    #[must_use]
    pub fn new(design: &Design, history: &'a History) -> Self {
        Self { design: design.clone(), history: Some(history), edits: Vec::new() }
    }

    /// Starts from a design that has no history yet.
    #[must_use]
    pub fn without_history(design: &Design) -> Self {
        Self { design: design.clone(), history: None, edits: Vec::new() }
    }

    /// The design as it will be.
    #[must_use]
    pub const fn design(&self) -> &Design {
        &self.design
    }

    /// The edit that does it all.
    #[must_use]
    pub fn finish(self) -> Edit {
        Edit::All(self.edits)
    }

    /// Applies a step.
    pub fn apply(&mut self, edit: Edit) -> Result<(), EditError> {
        self.design.apply(edit.clone())?;
        match edit {
            Edit::All(edits) => self.edits.extend(edits),
            one => self.edits.push(one),
        }
        Ok(())
    }

    fn taken(&self, id: &Id) -> bool {
        self.history.is_some_and(|history| history.mentions(id))
    }

    /// A free id made from a name.
    #[must_use]
    pub fn fresh_id(&self, name: &str, fallback: &str) -> Id {
        self.design.fresh_id_besides(&Id::slug(name, fallback), &|id| self.taken(id))
    }

    /// The next free id of a counted kind: `l` for links, `e` for evidence.
    #[must_use]
    pub fn next_id(&self, letter: char) -> Id {
        self.design.next_id(letter, &|id| self.taken(id))
    }

    /// Adds an element under an id made from its name (from its kind, where the name is empty).
    pub fn add(&mut self, element: Element, name: &str, place: Option<Place>) -> Result<Id, EditError> {
        let id = self.fresh_id(name, element.kind().name());
        let mut subject = Subject::new(Shape::Element(element));
        self.design.keep_planned(&mut subject);
        subject.name = (!name.is_empty()).then(|| name.into());
        self.put(Section::Elements, &id, subject)?;
        if place.is_some() {
            self.apply(Edit::Place { element: id.clone(), to: place })?;
        }
        Ok(id)
    }

    /// Adds an element of a kind with nothing said about it. An operator comes in a new job of its own.
    pub fn add_kind(&mut self, kind: ElementKind, name: &str, place: Option<Place>) -> Result<Id, EditError> {
        let element = match kind {
            ElementKind::Source => Element::Source { event: None },
            ElementKind::Channel => Element::Channel { role: None },
            ElementKind::Job => Element::Job,
            ElementKind::Operator => {
                let job = self.add(Element::Job, "", None)?;
                Element::Operator { job, step: Step::Custom, emits: None }
            }
            ElementKind::Sink => Element::Sink,
            ElementKind::Consumer => Element::Consumer { question: None },
            ElementKind::Batch => Element::Batch,
        };
        self.add(element, name, place)
    }

    /// Links two elements.
    pub fn link(&mut self, from: &Id, to: &Id, port: Option<Port>) -> Result<Id, EditError> {
        let id = self.next_id('l');
        let link = Link { from: from.clone(), to: to.clone(), port, into: None };
        let mut subject = Subject::new(Shape::Link(link));
        self.design.keep_planned(&mut subject);
        self.put(Section::Links, &id, subject)?;
        Ok(id)
    }

    /// Adds an evidence entry, or gives the one that says the same.
    pub fn evidence(&mut self, evidence: Evidence) -> Result<Id, EditError> {
        if let Some((id, _)) = self.design.records.evidence.iter().find(|(_, stands)| **stands == evidence) {
            return Ok(id.clone());
        }
        let id = self.next_id('e');
        self.apply(Edit::Record(Record::Evidence(id.clone(), Some(evidence))))?;
        Ok(id)
    }

    /// Proposes a value.
    pub fn propose<T: FieldValue>(&mut self, subject: &Id, key: Key<T>, value: T) -> Result<(), EditError> {
        self.apply(propose(subject, key, value))
    }

    /// Files an observed value under an evidence entry.
    pub fn observe<T: FieldValue>(
        &mut self,
        subject: &Id,
        evidence: &Id,
        key: Key<T>,
        value: T,
    ) -> Result<(), EditError> {
        self.apply(observe(subject, evidence, key, value))
    }

    /// Puts a whole subject.
    pub fn put(&mut self, section: Section, id: &Id, subject: Subject) -> Result<(), EditError> {
        self.apply(Edit::Subject { section, id: id.clone(), to: Some(Box::new(subject)) })
    }

    /// Changes the shape of a subject: its step, its job, its role, the ends of a link. Settings that are not legal on
    /// the new shape are left out.
    pub fn reshape(&mut self, id: &Id, shape: Shape) -> Result<(), EditError> {
        let section = self.design.section_of(id).ok_or_else(|| unknown(id))?;
        let Some(before) = self.design.subject(id) else { return Err(unknown(id)) };
        let mut subject = before.clone();
        subject.shape = shape;
        if matches!(subject.shape, Shape::Element(_) | Shape::Link(_)) {
            self.design.stay_planned(before, &mut subject);
        }
        self.design.keep_legal(&mut subject);
        self.put(section, id, subject)
    }
}

fn unknown(id: &Id) -> EditError {
    EditError { path: id.to_string(), reason: "there is nothing of this id in the design".to_owned() }
}

/// The edit that proposes a value.
pub fn propose<T: FieldValue>(subject: &Id, key: Key<T>, value: T) -> Edit {
    set(subject, Slot::Proposed, key.field(), Some(key.value(value)))
}

/// The edit that files an observed value under an evidence entry.
pub fn observe<T: FieldValue>(subject: &Id, evidence: &Id, key: Key<T>, value: T) -> Edit {
    set(subject, Slot::Observed(evidence.clone()), key.field(), Some(key.value(value)))
}

/// The edit that sets or clears a value.
#[must_use]
pub fn set(subject: &Id, slot: Slot, field: Field, value: Option<Value>) -> Edit {
    Edit::Set { subject: subject.clone(), slot, field, value }
}

impl Design {
    /// Leaves out what is not legal on the subject's shape: settings of other groups, a system or cluster it cannot have.
    pub(crate) fn keep_legal(&self, subject: &mut Subject) {
        let groups = self.groups(subject);
        let legal = |facts: &mut crate::model::Facts| {
            let kept: Vec<_> = facts.iter().map(|(field, value)| (field, value.clone())).collect();
            *facts = crate::model::Facts::default();
            for (field, value) in kept {
                // The same setting may stand in another group: the key of a write, the parallelism of an operator.
                if let Some(field) = groups.iter().find_map(|group| group.field(field.name()))
                    && field.check(&value).is_ok()
                {
                    facts.set(field, Some(value));
                }
            }
        };
        subject.observed.values_mut().for_each(legal);
        legal(&mut subject.proposed);
        if !subject.shape.takes_system() {
            subject.system = None;
        }
        if !subject.shape.takes_cluster() {
            subject.cluster = None;
        }
    }
}
