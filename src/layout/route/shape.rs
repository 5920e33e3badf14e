//! A routed link: its corners, its drawing, and where things stand on it.

use crate::layout::{Point, Rect};
use std::fmt::Write as _;

/// Radius of the corners.
const RADIUS: f64 = 10.0;

/// A link as drawn: corner points from start to end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Start, corners, end.
    pub points: Vec<Point>,
}

/// Where a badge, caption or flag stands on a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// The point on the link.
    pub at: Point,
    /// Is the stretch there vertical?
    pub vertical: bool,
    /// How long that stretch is.
    pub length: f64,
    /// Does it run to the right or down?
    pub forward: bool,
    /// How far along it the point is, from 0 to 1.
    pub share: f64,
}

impl Route {
    /// From its points; those that add nothing are left out.
    #[must_use]
    pub fn new(mut points: Vec<Point>) -> Self {
        points.dedup_by(|a, b| a.distance(*b) < 0.5);
        let mut at = 1;
        while at + 1 < points.len() {
            let (a, b, c) = (points[at - 1], points[at], points[at + 1]);
            let straight = ((a.x - b.x).abs() < 0.01 && (b.x - c.x).abs() < 0.01)
                || ((a.y - b.y).abs() < 0.01 && (b.y - c.y).abs() < 0.01);
            if straight {
                points.remove(at);
            } else {
                at += 1;
            }
        }
        Self { points }
    }

    /// Its stretches.
    pub fn stretches(&self) -> impl Iterator<Item = (Point, Point)> {
        self.points.windows(2).map(|pair| (pair[0], pair[1]))
    }

    /// Stretches that another link should not lie on.
    pub(super) fn long_stretches(&self) -> impl Iterator<Item = (Point, Point)> {
        self.stretches().filter(|(a, b)| a.distance(*b) > 40.0)
    }

    /// The drawing as an SVG path with round corners.
    #[must_use]
    pub fn path(&self) -> String {
        self.path_short_of(0.0)
    }

    /// The drawing, ending `by` before its end, so that an arrow head has room.
    #[must_use]
    pub fn path_short_of(&self, by: f64) -> String {
        let mut points = self.points.clone();
        if let [.., before, last] = points.as_mut_slice() {
            let length = before.distance(*last).max(0.01);
            let share = (by / length).min(0.9);
            *last = Point::new(last.x + (before.x - last.x) * share, last.y + (before.y - last.y) * share);
        }
        let mut path = String::new();
        let Some(first) = points.first() else { return path };
        _ = write!(path, "M{:.1} {:.1}", first.x, first.y);
        for corner in points.windows(3) {
            let (a, b, c) = (corner[0], corner[1], corner[2]);
            let (before, after) = (a.distance(b), b.distance(c));
            let r = RADIUS.min(before / 2.0).min(after / 2.0);
            let toward = |p: Point, length: f64| {
                Point::new(b.x + (p.x - b.x) * r / length.max(0.01), b.y + (p.y - b.y) * r / length.max(0.01))
            };
            let (enter, leave) = (toward(a, before), toward(c, after));
            _ = write!(path, "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", enter.x, enter.y, b.x, b.y, leave.x, leave.y);
        }
        if let Some(last) = points.last().filter(|_| points.len() > 1) {
            _ = write!(path, "L{:.1} {:.1}", last.x, last.y);
        }
        path
    }

    /// Where the badge stands: the middle of the longest level stretch; on a long return link nearer to its end.
    #[must_use]
    pub fn spot(&self) -> Spot {
        let level = |(a, b): &(Point, Point)| (a.y - b.y).abs() < 0.5;
        let longest = |pick: &dyn Fn(&(Point, Point)) -> bool| {
            self.stretches().filter(|s| pick(s)).max_by(|s, t| s.0.distance(s.1).total_cmp(&t.0.distance(t.1)))
        };
        let found = longest(&|s| level(s) && s.0.distance(s.1) >= 44.0).or_else(|| longest(&|_| true));
        let Some((a, b)) = found else { return Spot::default() };
        let length = a.distance(b);
        let share = if length > 300.0 && self.points.len() > 2 { 0.73 } else { 0.5 };
        Spot {
            at: Point::new(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share),
            vertical: !level(&(a, b)),
            length,
            forward: b.x > a.x || b.y > a.y,
            share,
        }
    }

    /// Straight distance from a point to the nearest part of the link.
    #[must_use]
    pub fn distance(&self, p: Point) -> f64 {
        let to = |(a, b): (Point, Point)| {
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let square = dx * dx + dy * dy;
            let t = if square > 0.0 { (((p.x - a.x) * dx + (p.y - a.y) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            p.distance(a.plus(t * dx, t * dy))
        };
        self.stretches().map(to).fold(f64::INFINITY, f64::min)
    }

    /// The box around it.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let points = self.points.iter().map(|p| Rect::new(p.x, p.y, 0.0, 0.0));
        Rect::around(points).unwrap_or_default()
    }

    /// Moved by this much.
    #[must_use]
    pub fn plus(&self, dx: f64, dy: f64) -> Self {
        Self { points: self.points.iter().map(|p| p.plus(dx, dy)).collect() }
    }
}
