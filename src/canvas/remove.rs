//! Edits that take away, duplicate and regroup.

use super::{Scene, arrange::placed};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::{Draft, Edit, EditError},
    model::{Design, Element, Id, Section, Shape, Subject},
};

/// Removes what is selected: links, notes, elements with their links, a job with its operators.
#[must_use]
pub fn delete(design: &Design, selection: &SortedSet<Id>) -> Edit {
    let ids: Vec<Id> = selection.iter().filter(|id| design.holds(id)).cloned().collect();
    let mut draft = Draft::without_history(design);
    // What the design holds can be removed.
    _ = draft.delete(&ids, false);
    draft.finish()
}

/// Removes an element and links what was before it with what was behind it, where that is legal.
pub fn delete_and_join(design: &Design, id: &Id) -> Result<Edit, EditError> {
    let mut draft = Draft::without_history(design);
    draft.delete_and_join(id)?;
    Ok(draft.finish())
}

/// A copy of the selected elements beside them, with the links among them. Answers with the new ids.
pub fn duplicate(
    design: &Design,
    scene: &Scene,
    selection: &SortedSet<Id>,
    by: (f64, f64),
) -> Result<(SortedSet<Id>, Edit), EditError> {
    let mut draft = Draft::without_history(design);
    // The copies stand beside the originals, so these are fixed where they are.
    draft.apply(placed(design, scene, &SortedMap::new()))?;
    let ids = draft.duplicate(selection, (by.0.round() as i32, by.1.round() as i32))?;
    Ok((ids.into_iter().collect(), draft.finish()))
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
            edits.push(Edit::Subject { section: Section::Elements, id: old.clone(), to: None });
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
    design.stay_planned(subject, &mut moved);
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

    #[test]
    fn deleting_a_frame_takes_its_operators_and_their_links() {
        let mut d = checkout();
        d.apply(delete(&d, &SortedSet::from([id("revenue"), id("dedup"), id("l9")]))).unwrap();
        // Links l3 to l7, which touch it, and l9; two operators and the job.
        assert_eq!(
            d.links.keys().map(Id::as_str).collect::<Vec<_>>(),
            ["l1", "l2", "l8", "l10", "l11", "l12", "l13", "l14"]
        );
        assert_eq!(d.elements.len(), 14);
    }

    #[test]
    fn a_copy_has_its_own_ids_and_links_and_stands_beside() {
        let mut d = checkout();
        let scene = places(&d);
        let (ids, edit) = duplicate(&d, &scene, &SortedSet::from([id("revenue")]), (20.0, 400.0)).unwrap();
        assert_eq!(ids, SortedSet::from([id("dedup-2"), id("revenue-2"), id("sum-2")]));
        d.apply(edit).unwrap();
        let among = |from: &str, to: &str| {
            let links = d.links.values().filter_map(Subject::as_link);
            links.filter(|link| link.from == id(from) && link.to == id(to)).count()
        };
        assert_eq!((among("dedup-2", "sum-2"), among("dedup", "sum")), (1, 1));
        let after = places(&d);
        assert_eq!(after[&id("sum-2")], scene[&id("sum")].plus(20.0, 400.0));
        assert_eq!(after[&id("sum")], scene[&id("sum")]);
    }

    #[test]
    fn joined_ends_leave_side_outputs_out() {
        let mut d = design("source a, job j, operator b j, channel c, channel d", "a b, b c, b dead_letter d");
        d.apply(delete_and_join(&d, &id("b")).unwrap()).unwrap();
        let ends: Vec<(&str, &str)> =
            d.links.values().filter_map(Subject::as_link).map(|l| (l.from.as_str(), l.to.as_str())).collect();
        assert_eq!(ends, [("a", "c")]);
    }
}
