//! Where things stand on the canvas. Nothing here has meaning: the analysis never reads it.

use super::{
    Id,
    limits::{MAX_COORDINATE, MAX_ROUTE_POINTS},
    value::Text,
};
use crate::sorted::{SortedMap, SortedSet};

/// A box on the canvas, in canvas units; a size is given for frames and notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width and height, where they are not the kind's own.
    pub size: Option<(i32, i32)>,
}

/// A free note on the canvas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Its text.
    pub text: Option<Text>,
    /// Where it stands.
    pub place: Option<Place>,
}

/// Positions and looks. An element without a box is placed by tidy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Element id to its box.
    pub boxes: SortedMap<Id, Place>,
    /// Link id to the points it goes through, as x, y, x, y …
    pub routes: SortedMap<Id, Vec<i32>>,
    /// Element id to a colour name.
    pub colours: SortedMap<Id, Text>,
    /// Elements that tidy leaves where they are.
    pub locked: SortedSet<Id>,
    /// Free notes.
    pub notes: SortedMap<Id, Note>,
}

impl Place {
    /// Does it lie within the bounds of the canvas, with a size above zero where it has one?
    #[must_use]
    pub fn is_legal(self) -> bool {
        let within = |n: i32| n.unsigned_abs() <= MAX_COORDINATE.unsigned_abs();
        let size = self.size.is_none_or(|(w, h)| w > 0 && h > 0 && within(w) && within(h));
        within(self.x) && within(self.y) && size
    }
}

impl Layout {
    /// Are these the points of a route: pairs, at least one, within the bounds of the canvas?
    #[must_use]
    pub fn is_route(points: &[i32]) -> bool {
        let within = |n: &i32| n.unsigned_abs() <= MAX_COORDINATE.unsigned_abs();
        let count = points.len() / 2;
        points.len().is_multiple_of(2) && (1..=MAX_ROUTE_POINTS).contains(&count) && points.iter().all(within)
    }
}
