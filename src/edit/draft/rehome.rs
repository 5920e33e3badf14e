//! Moving what exists. As-is stays what it is: what is there today retires where it stands, and what is drawn in its place
//! is planned, with its settings as proposals.

use super::{
    Draft,
    copy::{Facts, copied},
    rewire::{put_edit, remove},
    unknown,
};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::{Edit, EditError},
    model::{Element, Id, Lifecycle, Link, Section, Shape, Subject},
};

impl Draft<'_> {
    /// Moves operators into a job. One that is planned goes; one that is there today retires where it is, and a planned copy
    /// of it stands in the job and takes over its links. A job that all have left goes, or retires likewise. Answers the
    /// copies, by what they are copies of.
    pub fn move_to_job(&mut self, operators: &SortedSet<Id>, job: &Id) -> Result<SortedMap<Id, Id>, EditError> {
        let (mut edits, mut copies) = (Vec::new(), SortedMap::new());
        let mut left = SortedSet::new();
        for id in operators {
            let subject = self.design.elements.get(id).ok_or_else(|| unknown(id))?;
            let refuse = |reason: &str| EditError { path: format!("elements.{id}"), reason: reason.to_owned() };
            let Shape::Element(Element::Operator { job: own, step, emits }) = &subject.shape else {
                return Err(refuse("only operators stand in a job; channels, sources and sinks stand beside it"));
            };
            if own == job {
                continue;
            }
            left.insert(own.clone());
            let shape = || Shape::Element(Element::Operator { job: job.clone(), step: *step, emits: emits.clone() });
            match self.design.lifecycle(id) {
                Lifecycle::Planned => {
                    let mut moved = subject.clone();
                    moved.shape = shape();
                    self.design.stay_planned(subject, &mut moved);
                    edits.push(put_edit(Section::Elements, id, moved));
                }
                Lifecycle::Existing => {
                    let mut copy = copied(subject, &SortedMap::new(), Facts::AsProposal);
                    copy.shape = shape();
                    self.design.keep_planned(&mut copy);
                    let taken = |new: &Id| self.taken(new) || copies.values().any(|copy| copy == new);
                    let new = self.design.fresh_id_besides(id, &taken);
                    edits.push(put_edit(Section::Elements, &new, copy));
                    let colour = self.design.layout.colours.get(id);
                    edits.extend(colour.map(|to| Edit::Colour { element: new.clone(), to: Some(to.clone()) }));
                    edits.push(Edit::Lifecycle { subject: id.clone(), to: Some(Lifecycle::Retiring) });
                    copies.insert(id.clone(), new);
                }
                Lifecycle::Retiring => return Err(refuse("it is to be removed and stays where it is until then")),
            }
        }
        edits.extend(self.links_of_copies(&copies));
        edits.extend(left.iter().filter_map(|job| self.left_behind(job, operators, &copies)));
        self.apply(Edit::All(edits))?;
        Ok(copies)
    }

    /// Links that are there today retire with their operator and come again, planned; planned ones go to the copy.
    fn links_of_copies(&self, copies: &SortedMap<Id, Id>) -> Vec<Edit> {
        let (mut edits, mut made) = (Vec::new(), SortedSet::new());
        let of_copy = |subject: &Subject| {
            subject.as_link().is_some_and(|link| copies.contains_key(&link.from) || copies.contains_key(&link.to))
        };
        for (id, subject) in self.design.links.iter().filter(|(_, subject)| of_copy(subject)) {
            match self.design.lifecycle(id) {
                Lifecycle::Planned => {
                    edits.push(put_edit(Section::Links, id, copied(subject, copies, Facts::Keep)));
                    edits.extend(self.unrouted(id));
                }
                Lifecycle::Existing => {
                    let new = self.design.next_id('l', &|id| self.taken(id) || made.contains(id));
                    edits.push(put_edit(Section::Links, &new, copied(subject, copies, Facts::AsProposal)));
                    made.insert(new);
                    if subject.lifecycle.is_some() {
                        edits.push(Edit::Lifecycle { subject: id.clone(), to: Some(Lifecycle::Retiring) });
                    }
                }
                Lifecycle::Retiring => {}
            }
        }
        edits
    }

    /// What becomes of a job that these operators leave: nothing, while something is to stay in it.
    fn left_behind(&self, job: &Id, leave: &SortedSet<Id>, copies: &SortedMap<Id, Id>) -> Option<Edit> {
        let gone = |id: &Id| leave.contains(id) || self.design.lifecycle(id) == Lifecycle::Retiring;
        if !self.design.operators_of(job).all(|(id, _)| gone(id)) {
            return None;
        }
        let holds = |id: &Id| copies.contains_key(id) || !leave.contains(id);
        let empty = !self.design.operators_of(job).any(|(id, _)| holds(id));
        match self.design.lifecycle(job) {
            Lifecycle::Planned => empty.then(|| remove(Section::Elements, job)),
            Lifecycle::Existing if !empty => {
                Some(Edit::Lifecycle { subject: job.clone(), to: Some(Lifecycle::Retiring) })
            }
            _ => None,
        }
    }

    /// Lets a link run between other ends, with the settings that are legal there. One that is there today retires, and a
    /// planned one is made. Answers the link that runs there.
    pub fn replug(&mut self, link: &Id, from: &Id, to: &Id) -> Result<Id, EditError> {
        let subject = self.design.links.get(link).cloned().ok_or_else(|| unknown(link))?;
        let Some(old) = subject.as_link() else { return Err(unknown(link)) };
        let ends = Link { from: from.clone(), to: to.clone(), port: old.port, into: None };
        let drawn = self.redrawn(&subject, ends);
        let id = self.in_place_of(link)?;
        self.put(Section::Links, &id, drawn)?;
        Ok(id)
    }

    /// A link as it is drawn between other ends: planned, and where it was there today, with what was read as proposals.
    pub(super) fn redrawn(&self, subject: &Subject, ends: Link) -> Subject {
        let planned = self.design.lifecycle_of(subject) == Lifecycle::Planned;
        let facts = if planned { Facts::Keep } else { Facts::AsProposal };
        let mut drawn = copied(subject, &SortedMap::new(), facts);
        drawn.shape = Shape::Link(ends);
        self.design.keep_planned(&mut drawn);
        self.design.keep_legal(&mut drawn);
        drawn.observed.retain(|_, facts| !facts.is_empty());
        drawn
    }

    /// The id under which a link is drawn anew: its own, or a fresh one where it is there today, and it retires.
    pub(super) fn in_place_of(&mut self, link: &Id) -> Result<Id, EditError> {
        if self.design.lifecycle(link) == Lifecycle::Planned {
            let edits = self.unrouted(link).into_iter().collect();
            self.apply(Edit::All(edits))?;
            return Ok(link.clone());
        }
        self.apply(Edit::Lifecycle { subject: link.clone(), to: Some(Lifecycle::Retiring) })?;
        Ok(self.next_id('l'))
    }

    /// A way that was laid by hand was laid between the old ends.
    fn unrouted(&self, link: &Id) -> Option<Edit> {
        let laid = self.design.layout.routes.contains_key(link);
        laid.then(|| Edit::Route { link: link.clone(), to: None })
    }
}
