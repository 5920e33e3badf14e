//! Snapping of what is moved: to edges and centres of others within 8 px, else to the grid of 4.

use super::{Point, Rect};
use crate::layout::snapped;

/// Others within this distance attract.
pub const REACH: f64 = 8.0;

/// A line that shows what something was aligned to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guide {
    /// One end.
    pub from: Point,
    /// The other end.
    pub to: Point,
}

/// The move that is meant by (`dx`, `dy`) and the guides to show.
#[must_use]
pub fn snap(moving: Rect, dx: f64, dy: f64, others: &[Rect]) -> (f64, f64, Vec<Guide>) {
    let at = moving.plus(dx, dy);
    let near: Vec<Rect> = others.iter().filter(|other| other.overlaps(at.grown(600.0))).copied().collect();
    let across = best(&[at.x, at.centre().x, at.right()], &near, |r| [r.x, r.centre().x, r.right()]);
    let down = best(&[at.y, at.centre().y, at.bottom()], &near, |r| [r.y, r.centre().y, r.bottom()]);
    let x = across.map_or_else(|| snapped(at.x), |(by, _, _)| at.x + by);
    let y = down.map_or_else(|| snapped(at.y), |(by, _, _)| at.y + by);
    let moved = Rect { x, y, ..at };
    let mut guides = Vec::new();
    if let Some((_, line, other)) = across {
        let (top, bottom) = (moved.y.min(other.y) - 8.0, moved.bottom().max(other.bottom()) + 8.0);
        guides.push(Guide { from: Point::new(line, top), to: Point::new(line, bottom) });
    }
    if let Some((_, line, other)) = down {
        let (left, right) = (moved.x.min(other.x) - 8.0, moved.right().max(other.right()) + 8.0);
        guides.push(Guide { from: Point::new(left, line), to: Point::new(right, line) });
    }
    (x - moving.x, y - moving.y, guides)
}

/// The smallest shift that brings a line of the moved box onto the same line of another, with that line and box.
fn best(lines: &[f64; 3], others: &[Rect], of: impl Fn(&Rect) -> [f64; 3]) -> Option<(f64, f64, Rect)> {
    let pairs = others.iter().flat_map(|other| {
        // Like meets like: edge with edge, centre with centre.
        lines.iter().zip(of(other)).map(move |(line, target)| (target - line, target, *other)).collect::<Vec<_>>()
    });
    pairs.filter(|(by, ..)| by.abs() <= REACH).min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_within_reach_attracts() {
        let moving = Rect::new(0.0, 0.0, 100.0, 50.0);
        let other = Rect::new(300.0, 106.0, 148.0, 86.0);
        let (dx, dy, guides) = snap(moving, 200.0, 101.0, &[other]);
        assert_eq!((dx, dy), (200.0, 106.0));
        assert_eq!(guides.len(), 1);
        let (dx, dy, _) = snap(moving, 200.0, 121.0, &[other]);
        assert_eq!((dx, dy), (200.0, 124.0), "centre on centre");
    }

    #[test]
    fn alone_it_snaps_to_the_grid() {
        assert_eq!(snap(Rect::new(2.0, 2.0, 10.0, 10.0), 7.0, 5.0, &[]), (6.0, 6.0, vec![]));
    }
}
