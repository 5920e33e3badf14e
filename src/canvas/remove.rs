//! Edits that take away and duplicate.

use super::{Scene, arrange::placed};
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    edit::{Draft, Edit, EditError},
    model::{Design, Id},
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::{places, sample::*},
        model::Subject,
    };

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
