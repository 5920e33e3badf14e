//! Where the badge of a link stands: over it, else where it covers no other link and no element.

use super::{Point, Rect, Route, Scene};
use crate::{
    layout::Spot,
    model::{Design, ElementKind, Id},
    sorted::SortedMap,
};

/// Width and height of a badge.
pub const BADGE: (f64, f64) = (54.0, 22.0);
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
    if routes.len() > LOOKED_AT {
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

    #[test]
    fn where_nothing_is_beside_it_stands_as_usual() {
        let (d, scene, routes, spot) = beside(400.0, 60.0);
        assert_eq!(free(&d, &scene, &routes, (&id("l1"), spot), false), usual(spot, false));
    }
}
