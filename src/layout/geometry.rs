//! Points and boxes in canvas units (pixels at 100 %), y downwards.

use crate::model::Place;

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A box; width and height are never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Point {
    /// From its coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Moved by this much.
    #[must_use]
    pub fn plus(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// Straight distance.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl Rect {
    /// From its upper left corner and size.
    #[must_use]
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// The box between two opposite corners, in any order.
    #[must_use]
    pub fn spanning(a: Point, b: Point) -> Self {
        Self { x: a.x.min(b.x), y: a.y.min(b.y), w: (a.x - b.x).abs(), h: (a.y - b.y).abs() }
    }

    /// Right edge.
    #[must_use]
    pub fn right(self) -> f64 {
        self.x + self.w
    }

    /// Lower edge.
    #[must_use]
    pub fn bottom(self) -> f64 {
        self.y + self.h
    }

    /// Centre.
    #[must_use]
    pub fn centre(self) -> Point {
        Point { x: self.x + self.w / 2.0, y: self.y + self.h / 2.0 }
    }

    /// Moved by this much.
    #[must_use]
    pub fn plus(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Grown by `by` on each side; never below nothing.
    #[must_use]
    pub fn grown(self, by: f64) -> Self {
        Self { x: self.x - by, y: self.y - by, w: (self.w + 2.0 * by).max(0.0), h: (self.h + 2.0 * by).max(0.0) }
    }

    /// The smallest box around it with all edges on multiples of `step`.
    #[must_use]
    pub fn snapped_out(self, step: f64) -> Self {
        let (x, y) = ((self.x / step).floor() * step, (self.y / step).floor() * step);
        Self { x, y, w: (self.right() / step).ceil() * step - x, h: (self.bottom() / step).ceil() * step - y }
    }

    /// Do the insides share a point?
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Does it hold all of `other`?
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.x <= other.x && self.y <= other.y && self.right() >= other.right() && self.bottom() >= other.bottom()
    }

    /// Is the point inside or on the edge?
    #[must_use]
    pub fn contains(self, p: Point) -> bool {
        (self.x..=self.right()).contains(&p.x) && (self.y..=self.bottom()).contains(&p.y)
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self { x, y, w: self.right().max(other.right()) - x, h: self.bottom().max(other.bottom()) - y }
    }

    /// The smallest box around all; nothing around none.
    pub fn around(boxes: impl IntoIterator<Item = Self>) -> Option<Self> {
        boxes.into_iter().reduce(Self::union)
    }

    /// Does the horizontal or vertical line from `a` to `b` pass through the inside?
    #[must_use]
    pub fn crossed_by(self, a: Point, b: Point) -> bool {
        let (left, right) = (a.x.min(b.x), a.x.max(b.x));
        let (top, bottom) = (a.y.min(b.y), a.y.max(b.y));
        left < self.right() && right > self.x && top < self.bottom() && bottom > self.y
    }

    /// As it stands in the document, rounded to whole units; with its size only where asked.
    #[must_use]
    pub fn place(self, sized: bool) -> Place {
        let whole = |v: f64| v.round().clamp(-1e9, 1e9) as i32;
        Place { x: whole(self.x), y: whole(self.y), size: sized.then(|| (whole(self.w), whole(self.h))) }
    }
}

/// The nearest multiple of the snap grid.
#[must_use]
pub fn snapped(v: f64) -> f64 {
    (v / super::SNAP).round() * super::SNAP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_snap_outwards() {
        let snapped = |x, y, w, h| Rect::new(x, y, w, h).snapped_out(100.0);
        assert_eq!(snapped(10.0, -10.0, 20.0, 20.0), Rect::new(0.0, -100.0, 100.0, 200.0));
        assert_eq!(snapped(-100.0, 200.0, 300.0, 1.0), Rect::new(-100.0, 200.0, 300.0, 100.0));
    }

    #[test]
    fn boxes_that_touch_do_not_overlap() {
        let a = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(!a.overlaps(Rect::new(10.0, 0.0, 5.0, 5.0)));
        assert!(a.overlaps(Rect::new(9.0, 9.0, 5.0, 5.0)));
        assert_eq!(a.union(Rect::new(20.0, 5.0, 5.0, 10.0)), Rect::new(0.0, 0.0, 25.0, 15.0));
    }

    #[test]
    fn a_line_along_an_edge_does_not_cross() {
        let a = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(!a.crossed_by(Point::new(-5.0, 10.0), Point::new(20.0, 10.0)));
        assert!(a.crossed_by(Point::new(-5.0, 5.0), Point::new(20.0, 5.0)));
    }
}
