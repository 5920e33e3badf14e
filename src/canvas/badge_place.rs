//! Where the badge of a link stands: over it, else where it covers no other link and no element.

use super::{Point, Rect, Route, Scene};
use crate::{
    layout::{FRAME_HEADER, Spot},
    model::{Design, ElementKind, Id},
    sorted::SortedMap,
};

/// Width and height of a badge.
pub const BADGE: (f64, f64) = (54.0, 22.0);
/// Width and height of the word that marks a badge as the one of today, with the gap to the badge.
const MARK: (f64, f64) = (36.0, 13.0);
/// From one badge to the one above it.
const APART: f64 = 26.0;
/// A stretch longer than this has the badge on it.
const LONG: f64 = 300.0;
/// In a drawing with more links each badge keeps its usual place: looking for another one costs the square of them.
const LOOKED_AT: usize = 200;

/// The place of a badge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Its upper left corner.
    pub corner: Point,
    /// Does it take the place below the link, where the words would stand?
    pub below: bool,
}

/// The usual place: on a long or upright stretch, else above a short one. `flagged`: a flag takes the place above.
#[must_use]
pub fn usual(spot: Spot, flagged: bool) -> Place {
    places(spot, flagged)[0]
}

/// Where the word stands that marks a badge as the one of today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Word {
    /// Before the badge.
    #[default]
    Before,
    /// Behind it.
    Behind,
    /// Under it.
    Under,
}

impl Word {
    /// The room it takes beside a badge with this corner.
    fn rect(self, badge: Point) -> Rect {
        let (wide, high) = (MARK.0, (BADGE.1 - MARK.1) / 2.0);
        let corner = match self {
            Self::Before => badge.plus(-wide, high),
            Self::Behind => badge.plus(BADGE.0, high),
            Self::Under => badge.plus((BADGE.0 - wide) / 2.0, BADGE.1),
        };
        Rect::new(corner.x, corner.y, wide, MARK.1)
    }
}

/// The upper left corner of the badge of today, beside the one that shall be and away from the link, and where its word
/// stands: before it, else where neither covers an element, the header of a frame or a badge.
#[must_use]
pub fn was(design: &Design, scene: &Scene, spot: Spot, shall: Place) -> (Point, Word) {
    let rect = |at: Point| Rect::new(at.x, at.y, BADGE.0, BADGE.1);
    let middle = shall.corner.y + BADGE.1 / 2.0;
    let away = if middle > spot.at.y + 1.0 { APART } else { -APART };
    let beside = shall.corner.plus(0.0, away);
    // On the other side of the link; of a badge that stands on it, of that.
    let on_it = (middle - spot.at.y).abs() < BADGE.1;
    let other = if on_it { -away } else { 2.0 * (spot.at.y - middle) };
    let other = shall.corner.plus(0.0, other);
    let solid = |(id, r): (&Id, &Rect)| match design.kind(id) {
        Some(ElementKind::Job) => Rect::new(r.x, r.y, r.w, FRAME_HEADER),
        _ => *r,
    };
    let free = |r: Rect| !r.overlaps(rect(shall.corner)) && !scene.iter().map(solid).any(|solid| solid.overlaps(r));
    let all = [
        (beside, Word::Before),
        (beside, Word::Behind),
        (other, Word::Before),
        (other, Word::Behind),
        (other, Word::Under),
    ];
    // The corner of a frame may reach a little under the edge of a badge.
    let fits = |(at, word): &(Point, Word)| free(rect(*at).grown(-4.0)) && free(word.rect(*at));
    all.into_iter().find(fits).unwrap_or((beside, Word::Before))
}

/// Does every badge keep its usual place in a drawing with so many links?
#[must_use]
pub fn is_crowded(links: usize) -> bool {
    links > LOOKED_AT
}

/// The usual place, else the first one that is free.
#[must_use]
pub fn free(
    design: &Design,
    scene: &Scene,
    routes: &SortedMap<Id, Route>,
    (link, spot): (&Id, Spot),
    flagged: bool,
) -> Place {
    let [usual, others @ ..] = places(spot, flagged);
    if is_crowded(routes.len()) {
        return usual;
    }
    let rect = |place: Place| Rect::new(place.corner.x, place.corner.y, BADGE.0, BADGE.1);
    let crossed = |rect: Rect| {
        routes.iter().filter(|(id, _)| *id != link).any(|(_, route)| {
            route.bounds().grown(1.0).overlaps(rect)
                && route.stretches().any(|(a, b)| Rect::spanning(a, b).grown(1.0).overlaps(rect))
        })
    };
    let frame = |id: &Id| design.kind(id) == Some(ElementKind::Job);
    let covers = |rect: Rect| scene.iter().any(|(id, r)| !frame(id) && r.overlaps(rect));
    if !crossed(rect(usual)) {
        return usual;
    }
    others.into_iter().find(|place| !crossed(rect(*place)) && !covers(rect(*place))).unwrap_or(usual)
}

fn places(spot: Spot, flagged: bool) -> [Place; 4] {
    let at = |dx: f64, dy: f64, below: bool| Place { corner: spot.at.plus(dx, dy), below };
    match (spot.vertical, spot.length > LONG) {
        // An upright stretch stands in a gap that is as wide as a badge.
        (true, _) => [
            at(-27.0, -11.0, false),
            at(8.0, -11.0, false),
            at(-62.0, -11.0, false),
            at(-27.0, -11.0 + spot.length / 4.0, false),
        ],
        // On the line itself, where there is room.
        (false, true) => [
            at(-27.0, -11.0, false),
            at(-27.0, -30.0, false),
            at(-27.0, 8.0, true),
            at(-27.0 + spot.length / 6.0, -30.0, false),
        ],
        // A flag on a short stretch takes the place above; the badge goes below.
        (false, false) if flagged => {
            [at(-27.0, 24.0, false), at(-27.0, 8.0, false), at(-27.0, 40.0, false), at(-27.0, -11.0, false)]
        }
        (false, false) => {
            [at(-27.0, -35.0, false), at(-27.0, 24.0, true), at(-27.0, -27.0, false), at(-27.0, -11.0, false)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::sample::{design, id};

    /// Two level links, the second `by` away from the first, which is `long`.
    fn beside(long: f64, by: f64) -> (Design, Scene, SortedMap<Id, Route>, Spot) {
        let d = design("source a, channel b, channel c", "a b, a c");
        let line = |y: f64| Route::new(vec![Point::new(0.0, y), Point::new(long, y)]);
        let routes: SortedMap<Id, Route> = [(id("l1"), line(0.0)), (id("l2"), line(by))].into_iter().collect();
        let spot = line(0.0).spot();
        (d, Scene::new(), routes, spot)
    }

    fn crossed(place: Place, by: f64) -> bool {
        (place.corner.y..=place.corner.y + BADGE.1).contains(&by)
    }

    #[test]
    fn a_badge_covers_no_link_beside_its_own() {
        for (long, by) in [(400.0, 10.0), (400.0, -10.0), (120.0, -20.0), (120.0, -30.0), (120.0, 30.0)] {
            let (d, scene, routes, spot) = beside(long, by);
            let place = free(&d, &scene, &routes, (&id("l1"), spot), false);
            assert!(!crossed(place, by), "{long} {by}: {place:?}");
        }
    }

    /// Two boxes of 118 by 78 with 64 between them, the second one in a frame of its own or in the same one.
    fn gap(jobs: &str, frames: &[(&str, Rect)]) -> (Point, Word) {
        let d = design(jobs, "a b");
        let boxes = [("a", 0.0), ("b", 182.0)].map(|(name, x)| (id(name), Rect::new(x, 32.0, 118.0, 78.0)));
        let scene: Scene = boxes.into_iter().chain(frames.iter().map(|(name, r)| (id(name), *r))).collect();
        let spot = Spot { at: Point::new(150.0, 71.0), length: 64.0, forward: true, share: 0.5, ..Spot::default() };
        was(&d, &scene, spot, usual(spot, false))
    }

    #[test]
    fn the_word_of_today_covers_no_header_of_a_frame() {
        // The badge that shall be from 36 to 58, the one of today from 10 to 32, its word from 14.5 to 27.5.
        assert_eq!(gap("channel a, sink b", &[]), (Point::new(123.0, 10.0), Word::Before));
        // A frame that ends at 126, its header from 0 to 24: the word before the badge would go from 87 to 123.
        let left = Rect::new(-8.0, 0.0, 134.0, 118.0);
        assert_eq!(gap("job j, operator a j, sink b", &[("j", left)]), (Point::new(123.0, 10.0), Word::Behind));
        // Inside one frame its header goes over all of it: below the link, where 118 and 182 leave no room beside.
        let around = Rect::new(-8.0, 0.0, 316.0, 118.0);
        assert_eq!(gap("job j, operator a j, operator b j", &[("j", around)]), (Point::new(123.0, 84.0), Word::Under));
    }

    #[test]
    fn where_nothing_is_beside_it_stands_as_usual() {
        let (d, scene, routes, spot) = beside(400.0, 60.0);
        assert_eq!(free(&d, &scene, &routes, (&id("l1"), spot), false), usual(spot, false));
    }
}
