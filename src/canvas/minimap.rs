//! The map of the whole drawing: what it shows and where a press on it leads.

use super::{Point, Rect, Route, Scene, Viewport};
use crate::model::{Design, ElementKind, Id};
use crate::sorted::SortedMap;
use std::fmt::Write as _;

/// Width and height of the map, in pixels.
pub const SIZE: (f64, f64) = (184.0, 116.0);
/// Space around the drawing within the map, in pixels.
const MARGIN: f64 = 6.0;

/// The drawing in short: three paths in canvas units, whatever the number of elements, and the box they fill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// Job frames.
    pub frames: String,
    /// All other elements.
    pub elements: String,
    /// Links.
    pub links: String,
    /// The box around everything.
    pub bounds: Rect,
}

/// The sketch of a drawing; nothing of an empty canvas.
#[must_use]
pub fn sketch(design: &Design, scene: &Scene, routes: &SortedMap<Id, Route>) -> Option<Sketch> {
    let bounds = Rect::around(scene.values().copied())?;
    let mut sketch = Sketch { bounds, ..Sketch::default() };
    for (id, r) in scene {
        let frame = design.kind(id) == Some(ElementKind::Job);
        let path = if frame { &mut sketch.frames } else { &mut sketch.elements };
        let [x, y, w, h] = [r.x, r.y, r.w, r.h].map(whole);
        _ = write!(path, "M{x} {y}h{w}v{h}h-{w}z");
    }
    for route in routes.values() {
        for (at, point) in route.points.iter().enumerate() {
            let start = if at == 0 { 'M' } else { 'L' };
            _ = write!(sketch.links, "{start}{} {}", whole(point.x), whole(point.y));
        }
    }
    Some(sketch)
}

/// Coordinates are bounded, and whole ones are written in a tenth of the time.
fn whole(v: f64) -> i32 {
    v.round() as i32
}

/// The view of the map itself: the drawing and what is seen of it, both whole.
#[must_use]
pub fn view(bounds: Rect, seen: Rect) -> Viewport {
    let all = bounds.union(seen);
    let room = (SIZE.0 - 2.0 * MARGIN, SIZE.1 - 2.0 * MARGIN);
    let zoom = (room.0 / all.w.max(1.0)).min(room.1 / all.h.max(1.0));
    let centre = all.centre();
    Viewport { x: SIZE.0 / 2.0 - centre.x * zoom, y: SIZE.1 / 2.0 - centre.y * zoom, zoom }
}

/// The view of the canvas whose middle is this canvas point.
#[must_use]
pub fn centred(view: Viewport, pane: (f64, f64), at: Point) -> Viewport {
    Viewport { x: pane.0 / 2.0 - at.x * view.zoom, y: pane.1 / 2.0 - at.y * view.zoom, ..view }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Router, places, sample::checkout};

    #[test]
    fn the_map_holds_the_drawing_and_what_is_seen() {
        let design = checkout();
        let scene = places(&design);
        let routes = Router::new(&design, &scene).all();
        let drawn = sketch(&design, &scene, &routes).unwrap();
        assert_eq!(drawn.frames.matches('z').count(), 3);
        assert_eq!(drawn.elements.matches('z').count(), scene.len() - 3);
        assert_eq!(drawn.links.matches('M').count(), design.links.len());
        let seen = Rect::new(-4000.0, 0.0, 900.0, 600.0);
        let map = view(drawn.bounds, seen);
        for corner in [Point::new(seen.x, seen.y), Point::new(drawn.bounds.right(), drawn.bounds.bottom())] {
            let at = map.to_screen(corner);
            assert!((0.0..=SIZE.0).contains(&at.x) && (0.0..=SIZE.1).contains(&at.y), "{at:?}");
        }
    }

    #[test]
    fn a_press_brings_its_point_to_the_middle() {
        let seen = centred(Viewport { x: 7.0, y: 9.0, zoom: 0.5 }, (800.0, 600.0), Point::new(1000.0, -40.0));
        assert_eq!(seen.to_screen(Point::new(1000.0, -40.0)), Point::new(400.0, 300.0));
    }

    #[test]
    fn an_empty_canvas_has_no_map() {
        assert_eq!(sketch(&Design::default(), &Scene::new(), &SortedMap::new()), None);
    }
}
