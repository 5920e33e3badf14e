//! What part of the canvas is seen, and how large.

use super::{Point, Rect};

/// Smallest and largest zoom.
pub const ZOOM: (f64, f64) = (0.05, 4.0);

/// A view of the canvas: screen = canvas × zoom + offset, in pixels from the canvas pane's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Screen position of the canvas origin.
    pub x: f64,
    /// Screen position of the canvas origin.
    pub y: f64,
    /// 1 is 100 %.
    pub zoom: f64,
}

impl Default for Viewport {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, zoom: 1.0 }
    }
}

impl Viewport {
    /// The canvas point under a screen point.
    #[must_use]
    pub fn to_canvas(self, p: Point) -> Point {
        Point::new((p.x - self.x) / self.zoom, (p.y - self.y) / self.zoom)
    }

    /// The screen point of a canvas point.
    #[must_use]
    pub fn to_screen(self, p: Point) -> Point {
        Point::new(p.x * self.zoom + self.x, p.y * self.zoom + self.y)
    }

    /// Moved by this many screen pixels.
    #[must_use]
    pub fn panned(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }

    /// Zoomed by a factor; the canvas point under `at` (screen) stays there.
    #[must_use]
    pub fn zoomed(self, by: f64, at: Point) -> Self {
        let to = self.zoom * if by.is_finite() { by.max(0.0) } else { 1.0 };
        self.zoomed_to(to, at)
    }

    /// Zoomed to a level; the canvas point under `at` (screen) stays there.
    #[must_use]
    pub fn zoomed_to(self, zoom: f64, at: Point) -> Self {
        let zoom = zoom.clamp(ZOOM.0, ZOOM.1);
        let under = self.to_canvas(at);
        Self { x: at.x - under.x * zoom, y: at.y - under.y * zoom, zoom }
    }

    /// The next wheel step: up is larger.
    #[must_use]
    pub fn wheeled(self, delta: f64, at: Point) -> Self {
        self.zoomed((-delta.clamp(-120.0, 120.0) * 0.0028).exp(), at)
    }

    /// The view that shows `bounds` whole in a pane of this size, at most at `most`, with room around.
    #[must_use]
    pub fn fit(bounds: Rect, pane: (f64, f64), most: f64) -> Self {
        let (room, margin) = ((pane.0.max(80.0), pane.1.max(80.0)), 14.0);
        let wide = (room.0 - 2.0 * margin).max(40.0) / bounds.w.max(1.0);
        let high = (room.1 - 2.0 * margin).max(40.0) / bounds.h.max(1.0);
        let zoom = wide.min(high).min(most).clamp(ZOOM.0, ZOOM.1);
        let centre = bounds.centre();
        Self { x: room.0 / 2.0 - centre.x * zoom, y: room.1 / 2.0 - centre.y * zoom, zoom }
    }

    /// Moved as little as brings `rect` (canvas) into a pane of this size, with room around; the zoom stays.
    #[must_use]
    pub fn revealing(self, rect: Rect, pane: (f64, f64)) -> Self {
        let corner = self.to_screen(Point::new(rect.x, rect.y));
        let (w, h) = (rect.w * self.zoom, rect.h * self.zoom);
        let shift = |at: f64, size: f64, room: f64| {
            let margin = 24.0_f64.min(room / 8.0);
            if at < margin || size > room - 2.0 * margin { margin - at } else { (room - margin - at - size).min(0.0) }
        };
        self.panned(shift(corner.x, w, pane.0), shift(corner.y, h, pane.1))
    }

    /// The part of the canvas that a pane of this size shows.
    #[must_use]
    pub fn seen(self, pane: (f64, f64)) -> Rect {
        Rect::spanning(self.to_canvas(Point::new(0.0, 0.0)), self.to_canvas(Point::new(pane.0, pane.1)))
    }
}

/// How wide the zone along the edges of the pane is in which a drag moves the view, in pixels.
const EDGE: f64 = 28.0;
/// How fast it then moves at most, in pixels a second.
const EDGE_SPEED: f64 = 900.0;

/// How fast the view moves while something is dragged at this place of a pane, in pixels a second: the nearer to the edge
/// the faster, fastest on it and beyond; nothing away from it.
#[must_use]
pub fn edge_pan(at: Point, pane: (f64, f64)) -> (f64, f64) {
    let along = |at: f64, size: f64| {
        let zone = EDGE.min(size / 4.0).max(1.0);
        let pull = |inside: f64| ((zone - inside) / zone).clamp(0.0, 1.0);
        EDGE_SPEED * (pull(at).powi(2) - pull(size - at).powi(2))
    };
    (along(at.x, pane.0), along(at.y, pane.1))
}

/// How much is drawn at a zoom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detail {
    /// A silhouette in the colour of what was found: no word and no mark has room.
    Speck,
    /// Silhouette, role glyph and name.
    Far,
    /// Short name and number.
    Middle,
    /// Everything.
    #[default]
    Near,
}

impl Detail {
    /// From 85 % everything, under 45 % silhouettes, under 22 % nothing else; on touch and on low windows everything only above
    /// 100 %.
    #[must_use]
    pub fn at(zoom: f64, compact: bool) -> Self {
        match zoom {
            z if z < 0.22 => Self::Speck,
            z if z < 0.45 => Self::Far,
            z if z < 0.85 || (compact && z <= 1.0) => Self::Middle,
            _ => Self::Near,
        }
    }

    /// As class names: what holds of far holds of a speck too.
    #[must_use]
    pub const fn classes(self) -> &'static str {
        match self {
            Self::Speck => "cv-at-far cv-at-speck",
            Self::Far => "cv-at-far",
            Self::Middle => "cv-at-middle",
            Self::Near => "cv-at-near",
        }
    }
}

/// Beyond this factor of zoom, details are drawn anew while the hand still moves.
const MOST_SCALED: f64 = 1.7;

/// The view that details are drawn for: sizes of words and marks, how much is drawn, what is in the page. While a hand pans or
/// zooms (`gliding`) it stays, and the drawing moves and scales as a picture, as long as it comes near enough and `covers` says
/// that all that is seen is in the page.
#[must_use]
pub fn settled(before: Viewport, now: Viewport, gliding: bool, covers: impl FnOnce() -> bool) -> Viewport {
    let by = now.zoom / before.zoom;
    if gliding && (1.0 / MOST_SCALED..=MOST_SCALED).contains(&by) && covers() { before } else { now }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoom_keeps_the_point_under_the_pointer() {
        let view = Viewport { x: 13.0, y: -7.0, zoom: 0.8 };
        let at = Point::new(311.0, 97.0);
        for by in [0.5, 1.0, 1.3, 40.0] {
            let zoomed = view.zoomed(by, at);
            assert!(view.to_canvas(at).distance(zoomed.to_canvas(at)) < 1e-9);
            assert!((ZOOM.0..=ZOOM.1).contains(&zoomed.zoom));
        }
        assert_eq!(view.zoomed(f64::NAN, at).zoom, 0.8);
    }

    #[test]
    fn fit_shows_everything_and_never_enlarges_beyond_the_limit() {
        let bounds = Rect::new(100.0, 50.0, 1000.0, 300.0);
        let view = Viewport::fit(bounds, (500.0, 400.0), 1.0);
        let seen = view.seen((500.0, 400.0));
        assert!(seen.holds(bounds));
        assert!((view.zoom - 472.0 / 1000.0).abs() < 1e-9);
        assert_eq!(Viewport::fit(Rect::new(0.0, 0.0, 50.0, 50.0), (900.0, 900.0), 1.0).zoom, 1.0);
    }

    #[test]
    fn revealing_moves_as_little_as_needed() {
        let view = Viewport::default();
        let pane = (800.0, 600.0);
        assert_eq!(view.revealing(Rect::new(100.0, 100.0, 50.0, 50.0), pane), view);
        assert_eq!(view.revealing(Rect::new(790.0, 100.0, 50.0, 50.0), pane).x, -64.0);
        assert_eq!(view.revealing(Rect::new(-30.0, 100.0, 50.0, 50.0), pane).x, 54.0);
    }

    #[test]
    fn a_drag_near_the_edge_moves_the_view_that_way() {
        let pane = (800.0, 600.0);
        assert_eq!(edge_pan(Point::new(400.0, 300.0), pane), (0.0, 0.0));
        assert_eq!(edge_pan(Point::new(28.0, 572.0), pane), (0.0, 0.0));
        // Half way into the zone: a quarter of the speed. The view moves against the drag.
        assert_eq!(edge_pan(Point::new(14.0, 300.0), pane), (225.0, 0.0));
        assert_eq!(edge_pan(Point::new(400.0, 640.0), pane), (0.0, -900.0));
    }

    #[test]
    fn detail_follows_the_zoom() {
        assert_eq!(
            [0.21, 0.22, 0.44, 0.45, 0.84, 0.85].map(|z| Detail::at(z, false)),
            [Detail::Speck, Detail::Far, Detail::Far, Detail::Middle, Detail::Middle, Detail::Near]
        );
        assert_eq!(Detail::at(1.0, true), Detail::Middle);
    }

    #[test]
    fn details_wait_for_the_hand_while_the_picture_will_do() {
        let at = |zoom: f64, x: f64| Viewport { x, y: 0.0, zoom };
        let (before, yes, no) = (at(1.0, 0.0), || true, || false);
        assert_eq!(settled(before, at(1.0, 300.0), true, yes), before, "panned");
        assert_eq!(settled(before, at(1.6, 0.0), true, yes), before, "a little larger");
        assert_eq!(settled(before, at(0.6, 0.0), true, yes), before, "a little smaller");
        assert_eq!(settled(before, at(1.8, 0.0), true, yes), at(1.8, 0.0), "too large for a picture");
        assert_eq!(settled(before, at(0.5, 0.0), true, yes), at(0.5, 0.0), "too small for one");
        assert_eq!(settled(before, at(1.0, 3e3), true, no), at(1.0, 3e3), "what comes into view is not in the page");
        assert_eq!(settled(before, at(1.1, 5.0), false, yes), at(1.1, 5.0), "the hand rests");
    }
}
