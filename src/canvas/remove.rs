//! Edits that take away, duplicate and regroup.

use super::{Scene, create};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::Edit,
    model::{Design, Element, Id, Link, Section, Shape, Subject},
};

fn gone(section: Section, id: &Id) -> Edit {
    Edit::Subject { section, id: id.clone(), to: None }
}

/// Removes what is selected: links, notes, elements with their links, a job with its operators.
#[must_use]
pub fn delete(design: &Design, selection: &SortedSet<Id>) -> Edit {
    let mut elements: SortedSet<&Id> = SortedSet::new();
    let (mut links, mut notes): (SortedSet<&Id>, Vec<&Id>) = (SortedSet::new(), Vec::new());
    for id in selection {
        if let Some((key, _)) = design.elements.get_key_value(id) {
            elements.insert(key);
            elements.extend(design.operators_of(key).map(|(op, _)| op));
        } else if let Some((key, _)) = design.links.get_key_value(id) {
            links.insert(key);
        } else if let Some((key, _)) = design.layout.notes.get_key_value(id) {
            notes.push(key);
        }
    }
    for (id, subject) in &design.links {
        if subject.as_link().is_some_and(|link| elements.contains(&link.from) || elements.contains(&link.to)) {
            links.insert(id);
        }
    }
    // Links first, operators before their jobs: each step leaves a valid design.
    let (jobs, rest): (Vec<&Id>, Vec<&Id>) = elements
        .into_iter()
        .partition(|id| design.elements.get(*id).is_some_and(|s| s.shape == Shape::Element(Element::Job)));
    let links = links.into_iter().map(|id| gone(Section::Links, id));
    let boxes = rest.into_iter().chain(jobs).map(|id| gone(Section::Elements, id));
    let notes = notes.into_iter().map(|id| Edit::Note { id: id.clone(), to: None });
    Edit::All(links.chain(boxes).chain(notes).collect())
}

/// Removes an element and links what was before it with what was behind it, where that is legal.
pub fn delete_and_join(design: &Design, id: &Id) -> Result<Edit, &'static str> {
    let ends = |back: bool| -> Vec<Id> {
        let links = design.links.values().filter_map(Subject::as_link).filter(|link| link.port.is_none());
        links
            .filter(|link| if back { link.to == *id } else { link.from == *id })
            .map(|link| if back { link.from.clone() } else { link.to.clone() })
            .collect()
    };
    let removed = delete(design, &SortedSet::from([id.clone()]));
    let mut after = design.clone();
    if after.apply(removed.clone()).is_err() {
        return Err("This element cannot be removed.");
    }
    let mut edits = vec![removed];
    let mut refused = None;
    for from in ends(true) {
        for to in ends(false) {
            match create::link(&after, &from, &to, None) {
                Ok(added) if after.apply(added.edit.clone()).is_ok() => edits.push(added.edit),
                Ok(_) => {}
                Err(why) => refused = refused.or(Some(why)),
            }
        }
    }
    match refused {
        Some(why) if edits.len() == 1 => Err(why),
        _ => Ok(Edit::All(edits)),
    }
}

/// A copy of the selected elements beside them, with the links among them. Answers with the new ids.
#[must_use]
pub fn duplicate(design: &Design, scene: &Scene, selection: &SortedSet<Id>, by: (f64, f64)) -> (SortedSet<Id>, Edit) {
    let mut chosen: SortedSet<Id> = selection.iter().filter(|id| design.elements.contains_key(*id)).cloned().collect();
    let inside: Vec<Id> = chosen.iter().flat_map(|id| design.operators_of(id).map(|(op, _)| op.clone())).collect();
    chosen.extend(inside);
    let mut named: SortedMap<Id, Id> = SortedMap::new();
    for id in &chosen {
        let fresh = design.fresh_id_besides(id, &|other| named.values().any(|taken| taken == other));
        named.insert(id.clone(), fresh);
    }
    let mut edits = Vec::new();
    let jobs_first = |id: &&Id| design.job_of(id).is_some();
    let (operators, others): (Vec<&Id>, Vec<&Id>) = chosen.iter().partition(jobs_first);
    for id in others.into_iter().chain(operators) {
        let (Some(subject), Some(fresh)) = (design.elements.get(id), named.get(id)) else { continue };
        let mut copy = subject.clone();
        if let Shape::Element(Element::Operator { job, .. }) = &mut copy.shape
            && let Some(new) = named.get(job)
        {
            *job = new.clone();
        }
        if copy.name.is_none() {
            copy.name = Some(id.as_str().into());
        }
        edits.push(Edit::Subject { section: Section::Elements, id: fresh.clone(), to: Some(Box::new(copy)) });
        if let Some(rect) = scene.get(id) {
            let sized = design.layout.boxes.get(id).is_some_and(|place| place.size.is_some());
            edits.push(Edit::Place { element: fresh.clone(), to: Some(rect.plus(by.0, by.1).place(sized)) });
        }
    }
    let mut taken: SortedSet<Id> = SortedSet::new();
    for subject in design.links.values() {
        let Some(link) = subject.as_link() else { continue };
        let (Some(from), Some(to)) = (named.get(&link.from), named.get(&link.to)) else { continue };
        let id = design.next_id('l', &|id| taken.contains(id));
        let mut copy = subject.clone();
        copy.shape = Shape::Link(Link { from: from.clone(), to: to.clone(), ..link.clone() });
        edits.push(Edit::Subject { section: Section::Links, id: id.clone(), to: Some(Box::new(copy)) });
        taken.insert(id);
    }
    let ids = named.into_values().collect();
    (ids, Edit::All(edits))
}

/// Puts operators into one new job frame.
pub fn group(design: &Design, selection: &SortedSet<Id>) -> Result<(Id, Edit), &'static str> {
    let operators: SortedSet<&Id> = selection.iter().filter(|id| design.job_of(id).is_some()).collect();
    if operators.is_empty() {
        return Err("Select operators to group into a job.");
    }
    // A job that would lose all its operators lends its settings to the new one by staying the job.
    let whole = operators
        .iter()
        .filter_map(|id| design.job_of(id))
        .find(|job| design.operators_of(job).all(|(op, _)| operators.contains(op)));
    let (job, mut edits) = match whole {
        Some(job) => (job.clone(), Vec::new()),
        None => {
            let job = design.fresh_id(&Id::slug("", "job"));
            let put = Subject::new(Shape::Element(Element::Job));
            (job.clone(), vec![Edit::Subject { section: Section::Elements, id: job, to: Some(Box::new(put)) }])
        }
    };
    for id in &operators {
        edits.extend(rehome(design, id, &job)?);
    }
    for old in operators.iter().filter_map(|id| design.job_of(id)).collect::<SortedSet<_>>() {
        if *old != job && design.operators_of(old).all(|(op, _)| operators.contains(op)) {
            edits.push(gone(Section::Elements, old));
        }
    }
    Ok((job, Edit::All(edits)))
}

/// Moves an operator into another job, if its links allow that.
pub fn rehome(design: &Design, operator: &Id, job: &Id) -> Result<Option<Edit>, &'static str> {
    let Some(subject) = design.elements.get(operator) else { return Err("This operator is gone.") };
    if design.job_of(operator) == Some(job) {
        return Ok(None);
    }
    let mut moved = subject.clone();
    if let Shape::Element(Element::Operator { job: of, .. }) = &mut moved.shape {
        *of = job.clone();
    }
    Ok(Some(Edit::Subject { section: Section::Elements, id: operator.clone(), to: Some(Box::new(moved)) }))
}

/// Is every hand-over between operators within one job, as this edit leaves it? Else why not.
pub fn keeps_jobs_whole(design: &Design, edit: &Edit) -> Result<(), &'static str> {
    let mut after = design.clone();
    // An edit that would tear a job is refused by the document itself.
    let torn = after.apply(edit.clone()).is_err()
        || after.links.values().filter_map(Subject::as_link).any(|link| {
            let jobs = (after.job_of(&link.from), after.job_of(&link.to));
            matches!(jobs, (Some(a), Some(b)) if a != b)
        });
    if torn { Err("Operators of two jobs do not hand over directly. Put a channel between the jobs.") } else { Ok(()) }
}

/// Gives each operator of a job a job of its own, but the first.
pub fn ungroup(design: &Design, job: &Id) -> Result<Edit, &'static str> {
    let operators: Vec<&Id> = design.operators_of(job).map(|(id, _)| id).collect();
    let Some(subject) = design.elements.get(job).filter(|_| operators.len() > 1) else {
        return Err("This frame holds one operator. There is nothing to part.");
    };
    let (mut edits, mut taken) = (Vec::new(), SortedSet::new());
    for operator in operators.iter().skip(1) {
        let fresh = design.fresh_id_besides(job, &|id| taken.contains(id));
        taken.insert(fresh.clone());
        edits.push(Edit::Subject {
            section: Section::Elements,
            id: fresh.clone(),
            to: Some(Box::new(subject.clone())),
        });
        edits.extend(rehome(design, operator, &fresh)?);
    }
    let edit = Edit::All(edits);
    keeps_jobs_whole(design, &edit)?;
    Ok(edit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{places, sample::*};

    fn steps(edit: &Edit) -> usize {
        if let Edit::All(edits) = edit { edits.len() } else { 1 }
    }

    #[test]
    fn deleting_a_frame_takes_its_operators_and_their_links() {
        let d = checkout();
        let edit = delete(&d, &SortedSet::from([id("revenue")]));
        // Links l3 to l7, two operators, the job.
        assert_eq!(steps(&edit), 8);
    }

    #[test]
    fn a_copy_has_its_own_ids_and_links() {
        let d = checkout();
        let (ids, edit) = duplicate(&d, &places(&d), &SortedSet::from([id("revenue")]), (20.0, 20.0));
        assert_eq!(ids, SortedSet::from([id("dedup-2"), id("revenue-2"), id("sum-2")]));
        // Three subjects, three places, one link.
        assert_eq!(steps(&edit), 7);
    }
}
