//! Applying an edit: step by step on the design, with the inverse of each step noted, checked as a whole at the end.

use super::{Edit, EditError, Label, Record, check::Touched};
use crate::model::{
    ApprovedValue, Design, Element, Id, RawValue, Section, Shape, Slot, Subject, Text, Value, limits::MAX_BYTES,
};
use crate::sorted::SortedMap;

impl Design {
    /// Applies an edit and returns its inverse; on an error nothing has changed.
    ///
    /// The steps of [`Edit::All`] may leave the design broken between them; it is checked when all are done.
    pub fn apply(&mut self, edit: Edit) -> Result<Edit, EditError> {
        let mut work = Work { design: self, undo: Vec::new(), touched: Touched::default() };
        let done = work.step(edit).and_then(|()| work.touched.check(work.design)).and_then(|()| work.check_size());
        let Work { undo, .. } = work;
        match done {
            Ok(()) => Ok(inverse(undo)),
            Err(error) => {
                take_back(self, undo);
                Err(error)
            }
        }
    }
}

fn take_back(design: &mut Design, undo: Vec<Edit>) {
    let mut back = Work { design, undo: Vec::new(), touched: Touched::default() };
    for step in undo.into_iter().rev() {
        // The inverse of a step that was taken can be taken.
        let _ = back.step(step);
    }
}

fn inverse(mut undo: Vec<Edit>) -> Edit {
    undo.reverse();
    match <[Edit; 1]>::try_from(undo) {
        Ok([one]) => one,
        Err(several) => Edit::All(several),
    }
}

/// A design being changed.
struct Work<'a> {
    design: &'a mut Design,
    /// The inverse of each step taken, oldest first.
    undo: Vec<Edit>,
    touched: Touched,
}

/// Puts or removes an entry of a map and returns what stood there.
fn put<K: Ord, V>(map: &mut SortedMap<K, V>, key: K, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    }
}

impl Work<'_> {
    /// Refuses what makes a design so large that its file might not open again; a large one may still shrink.
    fn check_size(&self) -> Result<(), EditError> {
        if self.touched.only_layout() || self.design.size_bound() <= MAX_BYTES {
            return Ok(());
        }
        let mut before = self.design.clone();
        take_back(&mut before, self.undo.clone());
        if self.design.size_bound() <= before.size_bound() {
            return Ok(());
        }
        let reason = "the design would outgrow one document of 4 MiB; part it into several".to_owned();
        Err(EditError { path: "design".to_owned(), reason })
    }

    fn step(&mut self, edit: Edit) -> Result<(), EditError> {
        match edit {
            Edit::All(edits) => return edits.into_iter().try_for_each(|edit| self.step(edit)),
            Edit::Subject { section, id, to: Some(subject) } => return self.put_subject(section, id, *subject),
            Edit::Subject { section, id, to: None } => self.remove_subject(section, id),
            Edit::Set { subject, slot, field, value } => {
                let holder = self.subject_mut(&subject)?;
                let old = set(holder, &slot, field, value);
                self.undo.push(Edit::Set { subject, slot, field, value: old });
            }
            Edit::Raw { subject, evidence, key, value } => {
                let holder = self.subject_mut(&subject)?;
                let old = set_raw(holder, &evidence, &key, value);
                self.undo.push(Edit::Raw { subject, evidence, key, value: old });
            }
            Edit::Label { subject, label, to } => return self.label(subject, label, to),
            Edit::Lifecycle { subject, to } => {
                let old = std::mem::replace(&mut self.subject_mut(&subject)?.lifecycle, to);
                self.undo.push(Edit::Lifecycle { subject, to: old });
            }
            Edit::Title(to) => {
                self.touched.title = true;
                let old = std::mem::replace(&mut self.design.name, filled(to));
                self.undo.push(Edit::Title(old));
            }
            Edit::Question(to) => {
                self.touched.title = true;
                let old = std::mem::replace(&mut self.design.question, filled(to));
                self.undo.push(Edit::Question(old));
            }
            Edit::Record(record) => self.record(record),
            Edit::Place { .. } | Edit::Route { .. } | Edit::Colour { .. } | Edit::Lock { .. } | Edit::Note { .. } => {
                self.lay_out(edit);
            }
        }
        Ok(())
    }

    /// A subject to change; noted as touched.
    fn subject_mut(&mut self, id: &Id) -> Result<&mut Subject, EditError> {
        self.touched.subjects.insert(id.clone());
        self.design.section_of(id).and_then(|section| self.design.section_mut(section).get_mut(id)).ok_or_else(|| {
            EditError { path: id.to_string(), reason: "there is nothing of this id in the design".to_owned() }
        })
    }

    fn put_subject(&mut self, section: Section, id: Id, mut subject: Subject) -> Result<(), EditError> {
        let fits = match &subject.shape {
            Shape::Element(_) => section == Section::Elements,
            Shape::Link(_) => section == Section::Links,
            Shape::Event => section == Section::Events,
            Shape::Cluster { .. } => section == Section::Clusters,
        };
        if !fits {
            let path = format!("{}.{id}", section.name());
            return Err(EditError { path, reason: "does not belong into this section".to_owned() });
        }
        subject.normalise(&id);
        if let Shape::Element(Element::Consumer { question }) = &mut subject.shape {
            *question = filled(question.take());
        }
        self.touched.subjects.insert(id.clone());
        let old = self.design.section_mut(section).insert(id.clone(), subject);
        match &old {
            None => self.touched.new_ids.insert(id.clone()),
            Some(_) => self.touched.reshaped.insert(id.clone()),
        };
        self.undo.push(Edit::Subject { section, id, to: old.map(Box::new) });
        Ok(())
    }

    /// Removes a subject with what hangs on it; what is not there is gone already.
    fn remove_subject(&mut self, section: Section, id: Id) {
        if !self.design.section(section).contains_key(&id) {
            return;
        }
        if section == Section::Elements {
            let names = |subject: &Subject| subject.as_link().is_some_and(|link| link.from == id || link.to == id);
            let links: Vec<Id> =
                self.design.links.iter().filter(|(_, s)| names(s)).map(|(link, _)| link.clone()).collect();
            for link in links {
                self.remove_subject(Section::Links, link);
            }
        }
        self.forget_layout(section, &id);
        self.touched.reshaped.insert(id.clone());
        if let Some(old) = self.design.section_mut(section).remove(&id) {
            self.undo.push(Edit::Subject { section, id, to: Some(Box::new(old)) });
        }
    }

    fn forget_layout(&mut self, section: Section, id: &Id) {
        let layout = &self.design.layout;
        let mut gone = Vec::new();
        if section == Section::Links && layout.routes.contains_key(id) {
            gone.push(Edit::Route { link: id.clone(), to: None });
        }
        if section == Section::Elements {
            if layout.boxes.contains_key(id) {
                gone.push(Edit::Place { element: id.clone(), to: None });
            }
            if layout.colours.contains_key(id) {
                gone.push(Edit::Colour { element: id.clone(), to: None });
            }
            if layout.locked.contains(id) {
                gone.push(Edit::Lock { element: id.clone(), to: false });
            }
        }
        gone.into_iter().for_each(|edit| self.lay_out(edit));
    }

    fn label(&mut self, id: Id, label: Label, to: Option<Text>) -> Result<(), EditError> {
        let to = filled(to);
        let cluster = match (label, &to) {
            (Label::Cluster, Some(text)) => Some(
                Id::new(text)
                    .map_err(|error| EditError { path: format!("{id}.cluster"), reason: error.to_string() })?,
            ),
            _ => None,
        };
        let subject = self.subject_mut(&id)?;
        let old = match label {
            Label::Name => {
                // A name that equals the id is the id.
                let to = to.filter(|name| **name != *id.as_str());
                std::mem::replace(&mut subject.name, to)
            }
            Label::Note => std::mem::replace(&mut subject.note, to),
            Label::Owner => std::mem::replace(&mut subject.owner, to),
            Label::System => std::mem::replace(&mut subject.system, to),
            Label::Cluster => std::mem::replace(&mut subject.cluster, cluster).map(|old| old.as_str().into()),
            Label::Question => match &mut subject.shape {
                Shape::Element(Element::Consumer { question }) => std::mem::replace(question, to),
                _ => {
                    let reason = "only a consumer asks a question".to_owned();
                    return Err(EditError { path: format!("{id}.question"), reason });
                }
            },
        };
        self.undo.push(Edit::Label { subject: id, label, to: old });
        Ok(())
    }

    fn record(&mut self, record: Record) {
        let records = &mut self.design.records;
        let (id, old) = match record {
            Record::Evidence(id, to) => {
                let old = put(&mut records.evidence, id.clone(), to);
                (id.clone(), Record::Evidence(id, old))
            }
            Record::Action(id, to) => {
                let old = put(&mut records.actions, id.clone(), to);
                (id.clone(), Record::Action(id, old))
            }
            Record::Approval(id, to) => {
                let to = to.map(|mut approval| {
                    approval.value = approval.value.map(|value| ApprovedValue::new(value.0));
                    approval
                });
                let old = put(&mut records.approvals, id.clone(), to);
                (id.clone(), Record::Approval(id, old))
            }
            Record::Decision(id, to) => {
                let old = put(&mut records.decisions, id.clone(), to);
                (id.clone(), Record::Decision(id, old))
            }
            Record::Question(id, to) => {
                let old = put(&mut records.questions, id.clone(), to);
                (id.clone(), Record::Question(id, old))
            }
        };
        if matches!(old, Record::Evidence(..)) {
            self.touched.reshaped.insert(id.clone());
        }
        self.touched.records.insert(id);
        self.undo.push(Edit::Record(old));
    }

    fn lay_out(&mut self, edit: Edit) {
        let layout = &mut self.design.layout;
        let old = match edit {
            Edit::Place { element, to } => {
                self.touched.layout.insert(element.clone());
                let old = put(&mut layout.boxes, element.clone(), to);
                Edit::Place { element, to: old }
            }
            Edit::Route { link, to } => {
                self.touched.layout.insert(link.clone());
                let old = put(&mut layout.routes, link.clone(), to.filter(|points| !points.is_empty()));
                Edit::Route { link, to: old }
            }
            Edit::Colour { element, to } => {
                self.touched.layout.insert(element.clone());
                let old = put(&mut layout.colours, element.clone(), filled(to));
                Edit::Colour { element, to: old }
            }
            Edit::Lock { element, to } => {
                self.touched.layout.insert(element.clone());
                let new = if to { layout.locked.insert(element.clone()) } else { layout.locked.remove(&element) };
                // Where nothing changed, the inverse sets what stands.
                Edit::Lock { element, to: to != new }
            }
            Edit::Note { id, to } => {
                self.touched.layout.insert(id.clone());
                let old = put(&mut layout.notes, id.clone(), to);
                Edit::Note { id, to: old }
            }
            _ => return,
        };
        self.undo.push(old);
    }
}

/// A text that says something.
fn filled(text: Option<Text>) -> Option<Text> {
    text.filter(|text| !text.is_empty())
}

/// Sets a value; a slot that has become empty goes, so that the inverse restores the document to the byte.
fn set(subject: &mut Subject, slot: &Slot, field: crate::model::Field, value: Option<Value>) -> Option<Value> {
    match slot {
        Slot::Proposed => subject.proposed.set(field, value),
        Slot::Observed(evidence) => {
            let facts = subject.observed.entry(evidence.clone()).or_default();
            let old = facts.set(field, value);
            if facts.is_empty() {
                subject.observed.remove(evidence);
            }
            old
        }
    }
}

fn set_raw(subject: &mut Subject, evidence: &Id, key: &Text, value: Option<RawValue>) -> Option<RawValue> {
    let values = subject.raw.entry(evidence.clone()).or_default();
    let old = put(values, key.clone(), value);
    if values.is_empty() {
        subject.raw.remove(evidence);
    }
    old
}
