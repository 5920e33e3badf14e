//! The boxes of a design: as placed by hand, else by tidy, and frames around their operators.

use super::{
    DEFAULT_WIDTH, FRAME_HEADER, FRAME_PADDING, Rect,
    size::Sizes,
    tidy::{Else, arrange},
};
use crate::model::{Design, Element, ElementKind, Hashed, Id, Place, Shape, Subject};
use crate::sorted::SortedMap;
use std::collections::HashSet;

/// Every element with its box.
pub type Scene = SortedMap<Id, Rect>;

/// The frame around this box: 8 on each side, 24 more above for the header.
#[must_use]
pub fn frame_around(core: Rect) -> Rect {
    let grown = core.grown(FRAME_PADDING);
    Rect { y: grown.y - FRAME_HEADER, h: grown.h + FRAME_HEADER, ..grown }
}

/// The box of every element: the document's, else where tidy puts it beside those. A job with operators stands around
/// them, whatever box it has.
#[must_use]
pub fn places(design: &Design) -> Scene {
    let fixed = stated(design);
    // A frame with operators stands around them.
    let framed: HashSet<&Id, Hashed> = fixed.keys().filter_map(|id| design.job_of(id)).collect();
    let complete = design.elements.keys().all(|id| fixed.contains_key(id) || framed.contains(id));
    let other = if fixed.is_empty() { Else::Flow } else { Else::Below };
    hugged(design, if complete { fixed } else { arrange(design, DEFAULT_WIDTH, &fixed, other) })
}

/// The box of a note.
#[must_use]
pub fn note_box(place: Place) -> Rect {
    let (w, h) = place.size.unwrap_or((168, 84));
    Rect::new(f64::from(place.x), f64::from(place.y), f64::from(w.max(24)), f64::from(h.max(24)))
}

/// Do two states of a design stand and run alike? Then places and routes of the one are those of the other.
#[must_use]
pub fn same_ground(one: &Design, other: &Design) -> bool {
    one.layout.boxes == other.layout.boxes && one.layout.routes == other.layout.routes && same_flow(one, other)
}

/// Do two states of a design have the same elements, linked alike? Then the order of flow is the same.
#[must_use]
pub fn same_flow(one: &Design, other: &Design) -> bool {
    let role = |subject: &Subject| match &subject.shape {
        Shape::Element(Element::Operator { job, .. }) => (Some(ElementKind::Operator), Some(job.clone())),
        _ => (subject.kind(), None),
    };
    let same =
        |one: &SortedMap<Id, Subject>, other: &SortedMap<Id, Subject>, alike: &dyn Fn(&Subject, &Subject) -> bool| {
            one.len() == other.len() && one.iter().zip(other).all(|((a, s), (b, t))| a == b && alike(s, t))
        };
    same(&one.elements, &other.elements, &|a, b| role(a) == role(b))
        && same(&one.links, &other.links, &|a, b| a.as_link() == b.as_link())
}

/// The boxes that the document states.
fn stated(design: &Design) -> Scene {
    let sizes = Sizes::new(design);
    let at = |id: &Id| {
        let place = design.layout.boxes.get(id)?;
        let (w, h) = match place.size {
            Some((w, h)) if design.kind(id) == Some(ElementKind::Job) => (f64::from(w), f64::from(h)),
            _ => sizes.of(id),
        };
        Some(Rect::new(f64::from(place.x), f64::from(place.y), w.max(1.0), h.max(1.0)))
    };
    design.elements.keys().filter_map(|id| Some((id.clone(), at(id)?))).collect()
}

/// The same boxes with each frame around its operators.
#[must_use]
pub fn hugged(design: &Design, mut scene: Scene) -> Scene {
    let mut cores: SortedMap<Id, Rect> = SortedMap::new();
    for id in design.elements.keys() {
        if let (Some(job), Some(rect)) = (design.job_of(id), scene.get(id)) {
            cores.entry(job.clone()).and_modify(|core| *core = core.union(*rect)).or_insert(*rect);
        }
    }
    for (job, core) in cores {
        if design.elements.contains_key(&job) {
            scene.insert(job, frame_around(core));
        }
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::super::sample::{checkout, id};
    use super::*;

    #[test]
    fn boxes_of_the_document_win_and_frames_hug() {
        let mut d = checkout();
        d.layout.boxes.insert(id("capture"), Place { x: 390, y: 140, size: None });
        let scene = places(&d);
        assert_eq!(scene[&id("capture")], Rect::new(390.0, 140.0, 118.0, 78.0));
        assert_eq!(scene[&id("outbox")], Rect::new(382.0, 108.0, 134.0, 118.0));
        assert_eq!(scene.len(), d.elements.len());
    }

    #[test]
    fn frames_need_no_box_where_their_operators_have_one() {
        let mut d = checkout();
        let all = places(&d);
        let stands = |(id, r): (&Id, &Rect)| (id.clone(), Place { x: r.x as i32, y: r.y as i32, size: None });
        let jobs = |id: &Id| d.kind(id) == Some(ElementKind::Job);
        d.layout.boxes = all.iter().filter(|(id, _)| !jobs(id)).map(stands).collect();
        assert_eq!(places(&d), all);
    }

    #[test]
    fn what_is_said_of_an_element_moves_nothing() {
        use crate::model::{Lifecycle, Port};
        let d = checkout();
        let mut said = d.clone();
        let orders = said.elements.get_mut(&id("orders")).unwrap();
        (orders.name, orders.lifecycle) = (Some("Orders".into()), Some(Lifecycle::Existing));
        assert!(same_ground(&d, &said));
        let mut moved = d.clone();
        moved.layout.boxes.insert(id("orders"), Place { x: 4, y: 4, size: None });
        assert!(!same_ground(&d, &moved));
        let mut other_port = d.clone();
        for subject in other_port.links.values_mut() {
            if let Shape::Link(link) = &mut subject.shape {
                link.port = Some(Port::Side);
            }
        }
        assert!(!same_ground(&d, &other_port));
        let mut smaller = d.clone();
        smaller.elements.remove(&id("board"));
        assert!(!same_ground(&d, &smaller));
    }

    #[test]
    fn a_new_element_lands_on_nothing() {
        let mut d = checkout();
        for (key, rect) in places(&d) {
            d.layout.boxes.insert(key, rect.place(false));
        }
        d.layout.boxes.remove(&id("orders_late"));
        let scene = places(&d);
        let late = scene[&id("orders_late")];
        assert!(scene.iter().all(|(other, rect)| *other == id("orders_late") || !rect.overlaps(late)));
    }

    /// A drawing, and parts of an import: nothing stands in the midst of what was there, nor on a note of it.
    #[test]
    fn what_comes_in_stands_beside_what_it_hangs_on_or_below_the_drawing() {
        use super::super::sample::design;
        use crate::model::Note;
        let elements = "source a, channel b, channel c, channel far, job g, operator read g, channel x, channel y, job h, operator work h";
        let mut d = design(elements, "a b, b read, x work");
        for (key, x, y) in [("a", 40, 40), ("b", 240, 40), ("c", 440, 40), ("far", 900, 600)] {
            d.layout.boxes.insert(id(key), Place { x, y, size: None });
        }
        let note = Place { x: 40, y: 760, size: None };
        d.layout.notes.insert(id("said"), Note { text: Some("moved in May".into()), place: Some(note) });
        let scene = places(&d);
        let drawing = Rect::around(["a", "b", "c", "far"].map(|key| scene[&id(key)])).unwrap();
        // The place right of `b` is taken by `c`.
        for key in ["read", "x", "y", "work", "g", "h"] {
            assert!(scene[&id(key)].y > drawing.bottom().max(note_box(note).bottom()), "{key}");
        }
        d.layout.boxes.remove(&id("c"));
        let scene = places(&d);
        assert_eq!(scene[&id("read")].centre().y, scene[&id("b")].centre().y, "free by now");
        assert!(scene[&id("c")].y > drawing.bottom());
    }
}
