//! What is under a point.

use super::{Point, Rect, Route, Scene};
use crate::model::{Design, ElementKind, Id, Port, Subject};
use crate::sorted::SortedMap;

/// What a gesture works on: the design and where its parts are drawn.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The design.
    pub design: &'a Design,
    /// The boxes of its elements.
    pub scene: &'a Scene,
    /// The ways of its links.
    pub routes: &'a SortedMap<Id, Route>,
}

/// Which end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum End {
    From,
    To,
}

/// What is under a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Target {
    /// The bare canvas.
    #[default]
    Empty,
    /// An element other than a job.
    Element(Id),
    /// A job frame, beside its operators.
    Frame(Id),
    /// A free note.
    Note(Id),
    /// An output of an element.
    Port(Id, Option<Port>),
    /// A link.
    Link(Id),
    /// The handle at the end of a selected link.
    Handle(Id, End),
}

impl Target {
    /// The thing that a press selects.
    #[must_use]
    pub const fn id(&self) -> Option<&Id> {
        match self {
            Self::Empty => None,
            Self::Element(id)
            | Self::Frame(id)
            | Self::Note(id)
            | Self::Port(id, _)
            | Self::Link(id)
            | Self::Handle(id, _) => Some(id),
        }
    }
}

impl World<'_> {
    /// The topmost thing at a canvas point: elements, then links within `slop`, then frames.
    #[must_use]
    pub fn at(&self, p: Point, slop: f64) -> Target {
        if let Some(id) = self.element_at(p) {
            return Target::Element(id);
        }
        if let Some(id) = self.note_at(p) {
            return Target::Note(id);
        }
        let near = self.routes.iter().map(|(id, route)| (route.distance(p), id)).filter(|(d, _)| *d <= slop);
        if let Some((_, id)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
            return Target::Link(id.clone());
        }
        self.frame_at(p).map_or(Target::Empty, Target::Frame)
    }

    /// The element at a point, frames aside.
    #[must_use]
    pub fn element_at(&self, p: Point) -> Option<Id> {
        self.boxes(|kind| kind != ElementKind::Job).find(|(_, rect)| rect.contains(p)).map(|(id, _)| id.clone())
    }

    /// The job frame at a point.
    #[must_use]
    pub fn frame_at(&self, p: Point) -> Option<Id> {
        self.boxes(|kind| kind == ElementKind::Job).find(|(_, rect)| rect.contains(p)).map(|(id, _)| id.clone())
    }

    fn note_at(&self, p: Point) -> Option<Id> {
        let notes = self.design.layout.notes.iter();
        notes
            .filter_map(|(id, note)| Some((id, note_box(note.place?))))
            .find(|(_, r)| r.contains(p))
            .map(|(id, _)| id.clone())
    }

    fn boxes(&self, of: impl Fn(ElementKind) -> bool) -> impl Iterator<Item = (&Id, Rect)> {
        self.scene.iter().filter(move |(id, _)| self.design.kind(id).is_some_and(&of)).map(|(id, rect)| (id, *rect))
    }

    /// Everything that a marquee touches, or with `whole` holds: elements, notes, and links between picked elements.
    #[must_use]
    pub fn within(&self, marquee: Rect, whole: bool) -> Vec<Id> {
        let picked = |rect: Rect| if whole { marquee.holds(rect) } else { marquee.overlaps(rect) };
        let mut found: Vec<Id> = self
            .boxes(|_| true)
            .filter(|(id, rect)| {
                // A marquee drawn inside a frame means what is in the frame.
                let inside = self.design.kind(id) == Some(ElementKind::Job) && rect.holds(marquee);
                picked(*rect) && !inside && (self.design.kind(id) != Some(ElementKind::Job) || marquee.holds(*rect))
            })
            .map(|(id, _)| id.clone())
            .collect();
        let notes = self.design.layout.notes.iter().filter_map(|(id, note)| Some((id, note_box(note.place?))));
        found.extend(notes.filter(|(_, rect)| picked(*rect)).map(|(id, _)| id.clone()));
        let both = |id: &Id| {
            let link = self.design.links.get(id).and_then(Subject::as_link);
            link.is_some_and(|link| found.contains(&link.from) && found.contains(&link.to))
        };
        let links: Vec<Id> = self.routes.keys().filter(|id| both(id)).cloned().collect();
        found.extend(links);
        found
    }

    /// The box around everything, notes included.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let notes = self.design.layout.notes.values().filter_map(|note| note.place).map(note_box);
        let routes = self.routes.values().filter(|route| !route.points.is_empty()).map(Route::bounds);
        Rect::around(self.scene.values().copied().chain(notes).chain(routes))
    }
}

pub use crate::layout::note_box;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Router, places, sample::*};

    #[test]
    fn elements_win_over_links_and_links_over_frames() {
        let design = checkout();
        let scene = places(&design);
        let routes = Router::new(&design, &scene).all();
        let world = World { design: &design, scene: &scene, routes: &routes };
        let dedup = scene[&id("dedup")];
        assert_eq!(world.at(dedup.centre(), 10.0), Target::Element(id("dedup")));
        let beside = Point::new(dedup.right() + 20.0, dedup.centre().y + 9.0);
        assert_eq!(world.at(beside, 10.0), Target::Link(id("l4")));
        assert_eq!(world.at(beside, 5.0), Target::Frame(id("revenue")));
        assert_eq!(world.at(Point::new(-500.0, 0.0), 10.0), Target::Empty);
    }

    #[test]
    fn a_marquee_takes_what_it_touches_and_the_links_between() {
        let design = checkout();
        let scene = places(&design);
        let routes = Router::new(&design, &scene).all();
        let world = World { design: &design, scene: &scene, routes: &routes };
        let (a, b) = (scene[&id("dedup")], scene[&id("sum")]);
        let touching = Rect::spanning(a.centre(), b.centre());
        assert_eq!(world.within(touching, false), [id("dedup"), id("sum"), id("l4")]);
        assert_eq!(world.within(touching, true), []);
    }
}
