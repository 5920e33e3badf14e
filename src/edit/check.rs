//! Is the design still whole after an edit? Only what the edit touched, and what refers to that, is looked at.

use super::EditError;
use crate::model::{Design, Id, Layout, Section, Subject, limits::TextKind};
use crate::sorted::SortedSet;

/// What an edit has touched.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Subjects that were put or changed.
    pub(super) subjects: SortedSet<Id>,
    /// Subjects and evidence that went or became something else: whoever refers to them is looked at too.
    pub(super) reshaped: SortedSet<Id>,
    /// Ids that were not there before.
    pub(super) new_ids: SortedSet<Id>,
    /// Records that were put or removed.
    pub(super) records: SortedSet<Id>,
    /// Boxes, routes, colours, locks and notes.
    pub(super) layout: SortedSet<Id>,
    /// Title or question of the design.
    pub(super) title: bool,
}

fn refuse(path: impl Into<String>, reason: impl Into<String>) -> EditError {
    EditError { path: path.into(), reason: reason.into() }
}

impl Touched {
    /// Has nothing but positions and looks changed?
    pub(super) fn only_layout(&self) -> bool {
        self.subjects.is_empty() && self.records.is_empty() && !self.title && self.reshaped.is_empty()
    }

    /// The first thing that is wrong.
    pub(super) fn check(&self, design: &Design) -> Result<(), EditError> {
        for id in &self.subjects {
            if let Some((section, subject)) = design.section_of(id).zip(design.subject(id)) {
                check_subject(design, section, id, subject)?;
            }
        }
        if !self.reshaped.is_empty() {
            for (section, id, subject) in design.users_of(&self.reshaped) {
                check_user(design, section, id, subject, &self.reshaped)?;
            }
        }
        for id in self.new_ids.iter().chain(&self.records).chain(&self.layout) {
            if places(design, id) > 1 {
                return Err(refuse(id.to_string(), "this id stands twice; an id names one thing in the whole design"));
            }
        }
        if let Some((section, reason)) = design.too_large() {
            return Err(refuse(section, reason));
        }
        self.records.iter().try_for_each(|id| check_record(design, id))?;
        self.layout.iter().try_for_each(|id| check_layout(design, id))?;
        if self.title {
            for (path, text, kind) in
                [("name", &design.name, TextKind::Name), ("question", &design.question, TextKind::Long)]
            {
                if let Some(text) = text {
                    kind.check(text).map_err(|reason| refuse(path, reason))?;
                }
            }
        }
        Ok(())
    }
}

fn check_subject(design: &Design, section: Section, id: &Id, subject: &Subject) -> Result<(), EditError> {
    let faults = design.broken_references(subject).into_iter().chain(design.illegal_contents(subject));
    match faults.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(refuse(format!("{}.{id}.{}", section.name(), fault.path), fault.reason)),
    }
}

/// A subject that refers to something that went or changed: the message says what holds it.
fn check_user(
    design: &Design,
    section: Section,
    id: &Id,
    subject: &Subject,
    gone: &SortedSet<Id>,
) -> Result<(), EditError> {
    check_subject(design, section, id, subject).map_err(|error| {
        match subject.references().find(|id| gone.contains(*id) && !design.holds(id)) {
            Some(missing) => {
                let user = design.title(id);
                refuse(error.path, format!("{missing} is still in use by {user}; change or remove that first"))
            }
            None => error,
        }
    })
}

/// In how many places an id stands.
fn places(design: &Design, id: &Id) -> usize {
    let records = &design.records;
    [Section::Elements, Section::Links, Section::Events, Section::Clusters]
        .into_iter()
        .map(|section| design.section(section).contains_key(id))
        .chain([
            records.evidence.contains_key(id),
            records.actions.contains_key(id),
            records.approvals.contains_key(id),
            records.decisions.contains_key(id),
            records.questions.contains_key(id),
            design.layout.notes.contains_key(id),
        ])
        .filter(|stands| *stands)
        .count()
}

fn check_record(design: &Design, id: &Id) -> Result<(), EditError> {
    let records = &design.records;
    let checked = [
        ("evidence", records.evidence.get(id).map(|record| record.check())),
        ("actions", records.actions.get(id).map(|record| record.check())),
        ("approvals", records.approvals.get(id).map(|record| record.check())),
        ("decisions", records.decisions.get(id).map(|record| record.check())),
        ("questions", records.questions.get(id).map(|record| record.check())),
    ];
    for (section, checked) in checked {
        if let Some(Err((path, reason))) = checked {
            return Err(refuse(format!("{section}.{id}.{path}"), reason));
        }
    }
    Ok(())
}

fn check_layout(design: &Design, id: &Id) -> Result<(), EditError> {
    let layout = &design.layout;
    let at = |part: &str| format!("layout.{part}.{id}");
    let element = design.elements.contains_key(id);
    for (part, there) in [
        ("boxes", layout.boxes.contains_key(id)),
        ("colours", layout.colours.contains_key(id)),
        ("locked", layout.locked.contains(id)),
    ] {
        if there && !element {
            return Err(refuse(at(part), format!("there is no element {id}")));
        }
    }
    if layout.boxes.get(id).is_some_and(|place| !place.is_legal()) {
        return Err(refuse(at("boxes"), "lies outside the canvas or has no size"));
    }
    if let Some(points) = layout.routes.get(id) {
        if !design.links.contains_key(id) {
            return Err(refuse(at("routes"), format!("there is no link {id}")));
        }
        if !Layout::is_route(points) {
            return Err(refuse(at("routes"), "is no list of points on the canvas"));
        }
    }
    if let Some(colour) = layout.colours.get(id) {
        TextKind::Name.check(colour).map_err(|reason| refuse(at("colours"), reason))?;
    }
    if let Some(Err((path, reason))) = layout.notes.get(id).map(|note| note.check()) {
        return Err(refuse(format!("layout.notes.{id}.{path}"), reason));
    }
    Ok(())
}
