//! Where links leave and enter.

use crate::sorted::{self, SortedMap};
use crate::{
    layout::{Point, Rect, Scene},
    model::{Design, ElementKind, Id, Link, Port},
};

/// Ends that differ by no more than this in height are drawn level.
const LEVEL: f64 = 12.0;

/// A side of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

/// The two ends of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchors {
    /// Where it leaves.
    pub start: Point,
    /// On which side.
    pub out: Side,
    /// Where it enters.
    pub end: Point,
    /// On which side.
    pub into: Side,
}

/// The point where a link leaves or enters this side of an element; a sink is entered in its notch.
#[must_use]
pub(super) fn side_point(kind: Option<ElementKind>, rect: Rect, side: Side) -> Point {
    let centre = rect.centre();
    match side {
        Side::Left if kind == Some(ElementKind::Sink) => Point::new(rect.x + 16.0, centre.y),
        Side::Left => Point::new(rect.x, centre.y),
        Side::Right if kind == Some(ElementKind::Batch) => Point::new(rect.right() + 8.0, centre.y),
        Side::Right => Point::new(rect.right(), centre.y),
        Side::Top => Point::new(centre.x, rect.y),
        Side::Bottom => Point::new(centre.x, rect.bottom()),
    }
}

/// Where a link leaves and enters: main outputs on the right, side outputs below, comparisons from below to above.
#[must_use]
pub fn anchors(design: &Design, link: &Link, from: Rect, to: Rect, fan: Option<(usize, usize)>) -> Anchors {
    let kinds = (design.kind(&link.from), design.kind(&link.to));
    let (out, into) = match link.port {
        Some(Port::Reconcile) if to.y >= from.bottom() => (Side::Bottom, Side::Top),
        Some(Port::Reconcile) if from.y >= to.bottom() => (Side::Top, Side::Bottom),
        Some(Port::Late | Port::DeadLetter | Port::Side) if to.y >= from.bottom() + 12.0 => (Side::Bottom, Side::Top),
        Some(Port::Late | Port::DeadLetter | Port::Side) => (Side::Bottom, Side::Left),
        _ => (Side::Right, Side::Left),
    };
    let mut start = side_point(kinds.0, from, out);
    if let (Side::Bottom, Some((place, of))) = (out, fan) {
        start.x = from.x + from.w * (place + 1) as f64 / (of + 1) as f64;
    }
    let mut end = side_point(kinds.1, to, into);
    // Straight down where the target is wide enough below.
    if (out, into) == (Side::Bottom, Side::Top) && (to.x + 16.0..=to.right() - 16.0).contains(&start.x) {
        end.x = start.x;
    }
    if (out, into) == (Side::Right, Side::Left) && (start.y - end.y).abs() <= LEVEL {
        // Neighbours of slightly different height are linked straight; points and notches keep their middle.
        let y = match kinds {
            (Some(ElementKind::Source), _) => start.y,
            (_, Some(ElementKind::Sink)) => end.y,
            _ => ((start.y + end.y) / 2.0).round(),
        };
        (start.y, end.y) = (y, y);
    }
    Anchors { start, out, end, into }
}

/// Of each link that leaves below: its place among those of its element, left to right by where they go.
pub(super) fn fans<'a>(design: &'a Design, scene: &Scene) -> SortedMap<&'a Id, (usize, usize)> {
    let mut below: SortedMap<&Id, Vec<(f64, &Id)>> = SortedMap::new();
    for (id, subject) in &design.links {
        let Some(Link { from, to, port: Some(Port::Late | Port::DeadLetter | Port::Side), .. }) = subject.as_link()
        else {
            continue;
        };
        if let Some(rect) = scene.get(to) {
            below.entry(from).or_default().push((rect.centre().x, id));
        }
    }
    let mut fans = SortedMap::new();
    for mut links in below.into_values() {
        sorted::sort_by(&mut links, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
        let of = links.len();
        fans.extend(links.into_iter().enumerate().map(|(place, (_, id))| (id, (place, of))));
    }
    fans
}
