//! Edits that move: together, aligned, spread evenly.

use super::{Rect, Scene};
use crate::sorted::{self, SortedMap, SortedSet};
use crate::{
    edit::Edit,
    layout::{self, snapped},
    model::{Design, ElementKind, Id, Note},
};

/// An edge or line to align on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Right,
    Top,
    Bottom,
    /// One row.
    Middle,
    /// One column.
    Centre,
}

/// What moves when this selection is moved: a frame carries its operators; the frame of a carried operator follows by
/// itself.
#[must_use]
pub fn carried(design: &Design, selection: &SortedSet<Id>) -> SortedSet<Id> {
    let mut moved = SortedSet::new();
    for id in selection {
        match design.kind(id) {
            Some(ElementKind::Job) => {
                moved.extend(design.operators_of(id).map(|(op, _)| op.clone()));
                moved.insert(id.clone());
            }
            Some(_) => _ = moved.insert(id.clone()),
            None if design.layout.notes.contains_key(id) => _ = moved.insert(id.clone()),
            None => {}
        }
    }
    moved
}

/// The edit that leaves these elements and notes at these boxes. A whole scene is fixed on the first move, so that
/// nothing else moves with it.
#[must_use]
pub fn placed(design: &Design, scene: &Scene, boxes: &SortedMap<Id, Rect>) -> Edit {
    let sized = |id: &Id| design.kind(id) == Some(ElementKind::Job);
    let mut edits = Vec::new();
    for (id, rect) in boxes {
        if let Some(note) = design.layout.notes.get(id) {
            let place = rect.place(note.place.is_some_and(|p| p.size.is_some()));
            edits.push(Edit::Note { id: id.clone(), to: Some(Note { place: Some(place), ..note.clone() }) });
        } else {
            edits.push(Edit::Place { element: id.clone(), to: Some(rect.place(sized(id))) });
        }
    }
    for (id, rect) in scene {
        if !design.layout.boxes.contains_key(id) && !boxes.contains_key(id) {
            edits.push(Edit::Place { element: id.clone(), to: Some(rect.place(sized(id))) });
        }
    }
    Edit::All(edits)
}

/// The same edit, after which everything has a place: what was there keeps its own, and what comes later moves nothing
/// of it. A first drawing is laid out in rows of this width.
#[must_use]
pub fn settled(design: &Design, edit: Edit, width: f64) -> Edit {
    let mut after = design.clone();
    if after.apply(edit.clone()).is_err() || after.elements.len() <= design.elements.len() {
        return edit;
    }
    let place = |(element, to)| Edit::Place { element, to: Some(to) };
    let mut edits = vec![edit];
    if design.elements.is_empty() {
        edits.extend(layout::tidy(&after, width).into_iter().map(place));
        return Edit::All(edits);
    }
    // What tidy had placed so far stands where it stood.
    let Edit::All(before) = placed(design, &layout::places(design), &SortedMap::new()) else { return Edit::All(edits) };
    for edit in &before {
        _ = after.apply(edit.clone());
    }
    let Edit::All(new) = placed(&after, &layout::places(&after), &SortedMap::new()) else { return Edit::All(edits) };
    edits.extend(before.into_iter().chain(new));
    Edit::All(edits)
}

/// The boxes of what moves, moved by this much.
#[must_use]
pub fn moved(design: &Design, scene: &Scene, moving: &SortedSet<Id>, dx: f64, dy: f64) -> SortedMap<Id, Rect> {
    let note = |id: &Id| design.layout.notes.get(id).and_then(|n| n.place).map(super::hit::note_box);
    let at = |id: &Id| scene.get(id).copied().or_else(|| note(id));
    moving.iter().filter_map(|id| Some((id.clone(), at(id)?.plus(dx, dy)))).collect()
}

/// What stands for itself in an arrangement: operators of a selected frame move with it.
fn pieces(design: &Design, scene: &Scene, selection: &SortedSet<Id>) -> Vec<(Id, Rect)> {
    let own = |id: &&Id| design.job_of(id).is_none_or(|job| !selection.contains(job));
    selection.iter().filter(own).filter_map(|id| Some((id.clone(), *scene.get(id)?))).collect()
}

fn shifted(design: &Design, scene: &Scene, shifts: &[(Id, f64, f64)]) -> SortedMap<Id, Rect> {
    let mut boxes = SortedMap::new();
    for (id, dx, dy) in shifts {
        let moving = carried(design, &SortedSet::from([id.clone()]));
        boxes.extend(moved(design, scene, &moving, *dx, *dy));
    }
    boxes
}

/// The boxes of an aligned selection.
#[must_use]
pub fn aligned(design: &Design, scene: &Scene, selection: &SortedSet<Id>, to: Align) -> SortedMap<Id, Rect> {
    let pieces = pieces(design, scene, selection);
    let Some(all) = Rect::around(pieces.iter().map(|(_, rect)| *rect)) else { return SortedMap::new() };
    let shift = |r: &Rect| match to {
        Align::Left => (all.x - r.x, 0.0),
        Align::Right => (all.right() - r.right(), 0.0),
        Align::Centre => (all.centre().x - r.centre().x, 0.0),
        Align::Top => (0.0, all.y - r.y),
        Align::Bottom => (0.0, all.bottom() - r.bottom()),
        Align::Middle => (0.0, all.centre().y - r.centre().y),
    };
    let shifts: Vec<_> = pieces.iter().map(|(id, r)| (id.clone(), shift(r).0.round(), shift(r).1.round())).collect();
    shifted(design, scene, &shifts)
}

/// The boxes of a selection with equal gaps, the outermost where they are.
#[must_use]
pub fn distributed(design: &Design, scene: &Scene, selection: &SortedSet<Id>, across: bool) -> SortedMap<Id, Rect> {
    let mut pieces = pieces(design, scene, selection);
    let start = |r: &Rect| if across { r.x } else { r.y };
    let length = |r: &Rect| if across { r.w } else { r.h };
    sorted::sort_by(&mut pieces, |a, b| start(&a.1).total_cmp(&start(&b.1)).then_with(|| a.0.cmp(&b.0)));
    let (Some((_, first)), Some((_, last)), true) = (pieces.first(), pieces.last(), pieces.len() > 2) else {
        return SortedMap::new();
    };
    let room = start(last) + length(last) - start(first);
    let gap = (room - pieces.iter().map(|(_, r)| length(r)).sum::<f64>()) / (pieces.len() - 1) as f64;
    let mut at = start(first);
    let mut shifts = Vec::new();
    for (id, rect) in &pieces {
        let by = (at - start(rect)).round();
        shifts.push(if across { (id.clone(), by, 0.0) } else { (id.clone(), 0.0, by) });
        at += length(rect) + gap;
    }
    shifted(design, scene, &shifts)
}

/// The boxes of a selection laid out in the order of flow, with its upper left corner where it was; as far below that as
/// it takes to stand on nothing else.
#[must_use]
pub fn tidied(design: &Design, scene: &Scene, selection: &SortedSet<Id>) -> SortedMap<Id, Rect> {
    let moving = carried(design, selection);
    let mut part = design.part(&moving);
    // A job of which only some operators are selected lends its frame to the layout and stays where it is.
    part.layout = crate::model::Layout::default();
    let laid = layout::places(&part);
    let own = |id: &&Id| moving.contains(*id) && design.kind(id).is_some_and(|kind| kind != ElementKind::Job);
    let around = |scene: &Scene| Rect::around(moving.iter().filter(own).filter_map(|id| scene.get(id)).copied());
    let (Some(before), Some(after)) = (around(scene), around(&laid)) else { return SortedMap::new() };
    let (dx, mut dy) = (snapped(before.x - after.x), snapped(before.y - after.y));
    let locked = |id: &Id| design.layout.locked.contains(id);
    let boxes = |dy: f64| -> SortedMap<Id, Rect> {
        let ids = moving.iter().filter(own).filter(|id| !locked(id));
        ids.filter_map(|id| Some((id.clone(), laid.get(id)?.plus(dx, dy)))).collect()
    };
    let others: Vec<Rect> = scene
        .iter()
        .filter(|(id, _)| !boxes(0.0).contains_key(*id) && design.kind(id) != Some(ElementKind::Job))
        .map(|(_, rect)| *rect)
        .collect();
    // Each step passes at least one of the others.
    for _ in 0..=others.len() {
        let moved = boxes(dy);
        let clash = others.iter().find_map(|other| {
            let on = moved.values().find(|rect| rect.grown(12.0).overlaps(*other))?;
            Some(other.bottom() + 24.0 - on.y)
        });
        match clash {
            Some(by) => dy = snapped(dy + by + 2.0),
            None => break,
        }
    }
    boxes(dy)
}

/// The boxes of a selection moved by steps of the dotted grid.
#[must_use]
pub fn nudged(design: &Design, scene: &Scene, selection: &SortedSet<Id>, dx: f64, dy: f64) -> SortedMap<Id, Rect> {
    let moving = carried(design, selection);
    let mut boxes = moved(design, scene, &moving, dx, dy);
    for rect in boxes.values_mut() {
        (rect.x, rect.y) = (snapped(rect.x), snapped(rect.y));
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::{places, sample::*},
        model::Section,
    };

    #[test]
    fn a_frame_carries_its_operators() {
        let d = checkout();
        let moving = carried(&d, &SortedSet::from([id("revenue")]));
        assert_eq!(moving, SortedSet::from([id("dedup"), id("revenue"), id("sum")]));
        let scene = places(&d);
        let boxes = moved(&d, &scene, &moving, 100.0, 0.0);
        assert_eq!(boxes[&id("sum")].x, scene[&id("sum")].x + 100.0);
    }

    #[test]
    fn the_first_move_fixes_the_rest_where_it_is() {
        let d = checkout();
        let scene = places(&d);
        let boxes = moved(&d, &scene, &SortedSet::from([id("orders")]), 8.0, 8.0);
        let Edit::All(edits) = placed(&d, &scene, &boxes) else { panic!() };
        assert_eq!(edits.len(), d.elements.len());
    }

    /// Two imports one after the other: the second moves nothing of the first.
    #[test]
    fn what_comes_in_gets_a_place_and_moves_nothing() {
        let brings = |all: &Design, ids: &[&str]| {
            Edit::All(
                ids.iter()
                    .map(|name| Edit::Subject {
                        section: Section::Elements,
                        id: id(name),
                        to: Some(Box::new(all.elements[&id(name)].clone())),
                    })
                    .collect(),
            )
        };
        let all = design("channel a, channel b, channel c, channel d", "");
        let mut d = Design::default();
        d.apply(settled(&d, brings(&all, &["b", "c"]), 480.0)).unwrap();
        let first = places(&d);
        assert_eq!(d.layout.boxes.len(), 2);
        d.apply(settled(&d, brings(&all, &["a", "d"]), 480.0)).unwrap();
        let second = places(&d);
        assert_eq!(d.layout.boxes.len(), 4);
        for name in ["b", "c"] {
            assert_eq!(first[&id(name)], second[&id(name)]);
        }
        let lowest = first[&id("b")].bottom().max(first[&id("c")].bottom());
        assert!(second[&id("a")].y > lowest && second[&id("d")].y > lowest);
        // What only says something of what is there places nothing.
        let said = Edit::Title(Some("x".into()));
        assert_eq!(settled(&Design::default(), said.clone(), 480.0), said);
    }

    #[test]
    fn tidying_a_selection_leaves_all_else() {
        let d = checkout();
        let mut scene = places(&d);
        // Two operators of one job one above the other, out of order.
        let corner = scene[&id("dedup")];
        scene.insert(id("sum"), Rect { y: corner.y - 130.0, ..corner });
        let all = SortedSet::from([id("dedup"), id("sum")]);
        let tidy = tidied(&d, &scene, &all);
        assert_eq!(tidy.keys().cloned().collect::<SortedSet<_>>(), all);
        assert_eq!(tidy[&id("dedup")].x, corner.x);
        assert_eq!(tidy[&id("sum")].y, tidy[&id("dedup")].y);
        assert_eq!(tidy[&id("sum")].x, corner.right() + layout::GAP + 2.0);
        let others = scene.iter().filter(|(id, _)| !all.contains(id) && d.kind(id) != Some(ElementKind::Job));
        for (other, rect) in others {
            assert!(tidy.values().all(|moved| !moved.overlaps(*rect)), "{other}");
        }
    }

    #[test]
    fn alignment_and_distribution() {
        let d = design("source a, source b, source c", "");
        let scene: Scene = [("a", 0.0, 0.0), ("b", 300.0, 40.0), ("c", 500.0, 90.0)]
            .map(|(n, x, y)| (id(n), Rect::new(x, y, 128.0, 78.0)))
            .into();
        let all = SortedSet::from([id("a"), id("b"), id("c")]);
        let top = aligned(&d, &scene, &all, Align::Top);
        assert!(top.values().all(|r| r.y == 0.0));
        let spread = distributed(&d, &scene, &all, true);
        assert_eq!(spread[&id("b")].x, 250.0);
    }
}
