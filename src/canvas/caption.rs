//! Where the words under a link stand: in the free room beside or below it, never on an element.

use super::{Point, Rect, Scene};
use crate::{
    layout::Spot,
    model::{Design, ElementKind},
    sorted,
};

/// Height of one line.
pub const LINE: f64 = 13.0;
/// No room narrower than this is written in.
const NARROWEST: f64 = 40.0;
/// No caption is wider than this on a short stretch.
const WIDEST: f64 = 112.0;
/// Words keep this far from an element.
const MARGIN: f64 = 3.0;
/// No words reach further to the left or right of their spot.
const REACH: f64 = 360.0;

/// The room for the words of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The middle of the upper edge of the words.
    pub at: Point,
    /// How wide they may be.
    pub width: f64,
    /// How many lines there may be.
    pub lines: usize,
}

/// What words may not stand on. Hundreds of words look at what is near them whenever something was moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    /// Elements, by their left edges.
    boxes: Vec<Rect>,
    /// Frames of jobs: few, and as wide as they like.
    frames: Vec<Rect>,
    /// The width of the widest element.
    widest: f64,
}

impl Obstacles {
    /// Of a drawing.
    #[must_use]
    pub fn of(design: &Design, scene: &Scene) -> Self {
        let mut all = Self::default();
        for (id, rect) in scene {
            match design.kind(id) {
                Some(ElementKind::Job) => all.frames.push(*rect),
                _ => all.boxes.push(*rect),
            }
        }
        sorted::sort_by(&mut all.boxes, |a, b| a.x.total_cmp(&b.x));
        all.widest = all.boxes.iter().map(|r| r.w).fold(0.0, f64::max);
        all
    }

    /// What reaches into a column around a spot. A frame around the spot is the ground that is written on; another one
    /// stands in the way.
    fn near(&self, spot: Point) -> Vec<Rect> {
        let column = (spot.x - REACH, spot.x + REACH);
        let from = self.boxes.partition_point(|r| r.x <= column.0 - self.widest);
        let boxes = self.boxes[from..].iter().take_while(|r| r.x < column.1);
        let frames = self.frames.iter().filter(|r| r.x < column.1 && !r.contains(spot));
        boxes.chain(frames).filter(|r| r.right() > column.0).copied().collect()
    }
}

/// The room for words that take this many lines on a narrow place, or nothing where they would stand on an element.
/// `flagged`: a flag takes the place above, so that the badge stands below.
#[must_use]
pub fn room(around: &Obstacles, spot: Spot, flagged: bool, lines: usize) -> Option<Room> {
    let near = around.near(spot.at);
    let obstacles = || near.iter().copied();
    if spot.length > 300.0 && !spot.vertical {
        return long(spot, &obstacles);
    }
    let below = match (spot.vertical, flagged) {
        (true, _) => 14.0,
        (false, true) => 50.0,
        (false, false) => 7.0,
    };
    let most = if spot.vertical { 62.0 } else { WIDEST };
    let fits = |y: f64, lines: usize| {
        let zone = Rect::new(spot.at.x - most / 2.0, y, most, LINE * lines as f64);
        free(zone, spot.at.x, &obstacles, lines)
    };
    let first = spot.at.y + below;
    // Under the neighbours, where the gap between them is too narrow.
    let ends = obstacles().filter(|r| r.y < first && first < r.bottom() && (r.centre().x - spot.at.x).abs() < 260.0);
    let under = ends.map(|r| r.bottom() + 12.0).fold(first, f64::max);
    let tries = [(first, lines), (first, 2), (under, lines), (under, 2), (first, 1), (under, 1)];
    tries.into_iter().filter(|(_, n)| *n <= lines).find_map(|(y, n)| fits(y, n))
}

/// Beside the badge on a long stretch, on the side where there is more of it.
fn long<I: Iterator<Item = Rect>>(spot: Spot, obstacles: &impl Fn() -> I) -> Option<Room> {
    const BADGE: f64 = 40.0;
    let side = (spot.length * spot.share.max(1.0 - spot.share) - 14.0).max(0.0);
    let shift = (BADGE + (side - BADGE) / 2.0).min(190.0);
    let x = if spot.forward == (spot.share >= 0.5) { spot.at.x - shift } else { spot.at.x + shift };
    let most = 2.0 * (shift - BADGE).min(side - shift);
    free(Rect::new(x - most / 2.0, spot.at.y + 5.0, most, 2.0 * LINE), x, obstacles, 2)
}

/// What of a zone around its middle is free of obstacles, where that is wide enough to write in.
fn free<I: Iterator<Item = Rect>>(zone: Rect, middle: f64, obstacles: &impl Fn() -> I, lines: usize) -> Option<Room> {
    let (mut left, mut right) = (zone.x, zone.right());
    for r in obstacles().filter(|r| r.overlaps(zone)) {
        if r.right() <= middle {
            left = left.max(r.right() + MARGIN);
        } else if r.x >= middle {
            right = right.min(r.x - MARGIN);
        } else {
            return None;
        }
    }
    let width = right - left;
    (width >= NARROWEST).then_some(Room { at: Point::new(left + width / 2.0, zone.y), width, lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Router, places, sample::*};

    #[test]
    fn no_caption_of_the_example_stands_on_an_element() {
        let d = checkout();
        let scene = places(&d);
        let around = Obstacles::of(&d, &scene);
        for (link, route) in Router::new(&d, &scene).all() {
            let spot = route.spot();
            for (flagged, lines) in [(false, 3), (false, 2), (true, 3)] {
                let Some(room) = room(&around, spot, flagged, lines) else { continue };
                let words = Rect::new(room.at.x - room.width / 2.0, room.at.y, room.width, LINE * room.lines as f64);
                let on = scene.iter().find(|(id, r)| d.kind(id) != Some(ElementKind::Job) && r.overlaps(words));
                assert_eq!(on, None, "{link}: {room:?}");
            }
        }
    }

    #[test]
    fn what_is_near_is_found_whatever_its_width() {
        let d = design("source a, source b, source c, job j, operator x j", "a b");
        let at = |x: f64, w: f64| Rect::new(x, 0.0, w, 78.0);
        let scene: Scene =
            [("a", at(-900.0, 700.0)), ("b", at(350.0, 40.0)), ("c", at(-901.0, 100.0)), ("j", at(-2000.0, 1700.0))]
                .map(|(name, rect)| (id(name), rect))
                .into();
        let near = |x: f64| Obstacles::of(&d, &scene).near(Point::new(x, 500.0));
        // The column of 0 reaches from −360 to 360: the wide one ends at −200, the frame at −300.
        assert_eq!(near(0.0), [scene[&id("a")], scene[&id("b")], scene[&id("j")]]);
        assert_eq!(near(800.0), []);
        assert_eq!(near(-600.0), [scene[&id("c")], scene[&id("a")], scene[&id("j")]]);
    }

    #[test]
    fn a_gap_that_is_too_narrow_is_left_for_the_place_below() {
        let d = design("source a, job j, operator b j", "a b");
        let scene: Scene =
            [("a", 0.0), ("b", 160.0)].map(|(name, x)| (id(name), Rect::new(x, 0.0, 118.0, 78.0))).into();
        // The gap is 42 wide: with 3 of margin on each side 36, less than the narrowest.
        let spot = Spot { at: Point::new(139.0, 39.0), length: 42.0, forward: true, share: 0.5, ..Spot::default() };
        let found = room(&Obstacles::of(&d, &scene), spot, false, 2).unwrap();
        assert!(found.at.y >= 78.0, "{found:?}");
    }
}
