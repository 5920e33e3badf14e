//! What can only be seen when all is read: references, links, ids that stand twice, how much there is.

use super::{Design, Id, Path, Problems, Section, Subject};
use crate::model::{Part, Shape};
use crate::sorted::SortedSet;

/// Notes what leads nowhere and takes it out, until nothing does.
pub(super) fn check(design: &mut Design, problems: &mut Problems) {
    if let Some((section, reason)) = design.too_large() {
        problems.push(&Path::ROOT.at(section), reason, None);
    }
    doubled_ids(design, problems);
    // An operator goes with its job, a link with its end: two rounds reach the last of them, a third finds nothing.
    for _ in 0..3 {
        let before = problems.len();
        for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
            broken_subjects(design, section, problems);
        }
        if problems.len() == before {
            break;
        }
    }
    layout(design, problems);
}

fn doubled_ids(design: &mut Design, problems: &mut Problems) {
    let mut seen: SortedSet<Id> = SortedSet::new();
    let mut first = |section: &str, id: &Id, problems: &mut Problems| {
        let new = seen.insert(id.clone());
        if !new {
            let reason = "this id stands elsewhere too; an id names one thing in the whole design";
            problems.push(&Path::ROOT.at(section).at(id.as_str()), reason, None);
        }
        new
    };
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        design.section_mut(section).retain(|id, _| first(section.name(), id, problems));
    }
    design.records.evidence.retain(|id, _| first("evidence", id, problems));
    design.records.actions.retain(|id, _| first("actions", id, problems));
    design.records.approvals.retain(|id, _| first("approvals", id, problems));
    design.records.decisions.retain(|id, _| first("decisions", id, problems));
    design.records.questions.retain(|id, _| first("questions", id, problems));
    design.layout.notes.retain(|id, _| first("layout.notes", id, problems));
}

fn broken_subjects(design: &mut Design, section: Section, problems: &mut Problems) {
    let mut broken = Vec::new();
    for (id, subject) in design.section(section) {
        for fault in design.broken_references(subject) {
            problems.push(&Path::ROOT.at(section.name()).at(id.as_str()).at(&fault.path), fault.reason, None);
            broken.push((id.clone(), fault.part));
        }
    }
    for (id, part) in broken {
        let subjects = design.section_mut(section);
        match (part, subjects.get_mut(&id)) {
            (Part::Whole, _) => {
                subjects.remove(&id);
            }
            (part, Some(subject)) => take_out(subject, &part),
            (_, None) => {}
        }
    }
}

fn take_out(subject: &mut Subject, part: &Part) {
    use crate::model::Element;
    match part {
        Part::Event => {
            if let Shape::Element(Element::Source { event } | Element::Operator { emits: event, .. }) =
                &mut subject.shape
            {
                *event = None;
            }
        }
        Part::Cluster => subject.cluster = None,
        Part::Observed(evidence) => {
            subject.observed.remove(evidence);
        }
        Part::Raw(evidence) => {
            subject.raw.remove(evidence);
        }
        Part::Whole | Part::Other => {}
    }
}

fn layout(design: &mut Design, problems: &mut Problems) {
    let Design { elements, links, layout, .. } = design;
    let mut stands = |part: &str, id: &Id, there: bool, what: &str| {
        if !there {
            let reason = format!("there is no {what} {id}");
            problems.push(&Path::ROOT.at("layout").at(part).at(id.as_str()), reason, None);
        }
        there
    };
    layout.boxes.retain(|id, _| stands("boxes", id, elements.contains_key(id), "element"));
    layout.routes.retain(|id, _| stands("routes", id, links.contains_key(id), "link"));
    layout.colours.retain(|id, _| stands("colours", id, elements.contains_key(id), "element"));
    layout.locked.retain(|id| stands("locked", id, elements.contains_key(id), "element"));
}
