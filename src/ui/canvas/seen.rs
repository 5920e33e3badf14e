//! What of the drawing is seen: all of it, or what something is about.

use super::state::Canvas;
use crate::sorted::{SortedMap, SortedSet};
use crate::{
    canvas::{Point, Rect, Scene, Viewport, picture::Flag, viewport::Detail},
    layout::Route,
    model::Id,
    platform::device,
    ui::store::Show,
};
use leptos::prelude::*;

/// So far the badge of a consumer, as it is and as it shall be, reaches beyond its box.
const DOUBLED_BADGE: f64 = 40.0;

/// Above so many elements only those near the pane are in the page.
pub const CULL_FROM: usize = 400;

/// How far apart two flags hang, in pixels of the canvas at 100 %: wide, and high.
const APART: (f64, f64) = (230.0, 90.0);
/// How much higher than the one below it the pole of a flag in its way is.
pub const STACKED: f64 = 26.0;

/// What is in the page of a large design when this view is seen: a quarter more on each side.
pub fn in_page(view: Viewport, pane: (f64, f64)) -> Rect {
    let seen = view.seen(pane);
    seen.grown(seen.w.max(seen.h) * 0.25)
}

/// How large flags are drawn at a zoom, as the style sheet has it.
fn flag_scale(zoom: f64, detail: Detail) -> f64 {
    match detail {
        Detail::Speck | Detail::Far => 0.8 / zoom,
        Detail::Middle => (0.86 / zoom).max(1.0),
        Detail::Near => 1.0,
    }
}

/// Where the poles of flags stand.
fn feet(flags: &[Flag], scene: &Scene, routes: &SortedMap<Id, Route>) -> Vec<Option<Point>> {
    let foot = |flag: &Flag| {
        let on_link = routes.get(&flag.at).map(|route| route.spot().at);
        on_link.or_else(|| scene.get(&flag.at).map(|rect| Point::new(rect.x + 14.0, rect.y)))
    };
    flags.iter().map(foot).collect()
}

/// Over how many of those before it each flag hangs whose pole stands at these places.
fn stacked(feet: &[Option<Point>], scale: f64) -> Vec<usize> {
    let near = |a: Point, b: Point| (a.x - b.x).abs() < APART.0 * scale && (a.y - b.y).abs() < APART.1 * scale;
    let over = |n: usize| (0..n).filter(|other| feet[n].zip(feet[*other]).is_some_and(|(a, b)| near(a, b))).count();
    (0..feet.len()).map(over).collect()
}

impl Canvas {
    /// Over how many others each flag hangs, so that none hides another.
    pub fn stacks(self, flags: Vec<Flag>) -> Memo<Vec<usize>> {
        Memo::new(move |_| {
            let (scene, routes) = (self.ground.scene.read(), self.ground.routes.read());
            stacked(&feet(&flags, &scene, &routes), flag_scale(self.zoom.get(), self.detail.get()))
        })
    }

    /// Shows the whole drawing, at most at 100 %; on the projector as large as it fits.
    pub fn fit(self) {
        let bounds = self.with_now(|now| now.world.bounds());
        let (w, h) = self.pane.get_untracked();
        if bounds.is_none() {
            self.view.set(Viewport::default());
        }
        if let Some(bounds) = bounds.filter(|_| w > 0.0) {
            let workshop = self.desk.panes.workshop.get_untracked();
            let top = if workshop { 52.0 } else { self.top_inset() };
            // The tools at the lower left, where they show.
            let tools = if workshop || self.compact.get_untracked() { 0.0 } else { 30.0 };
            // From afar a name stands under its box, in a size of the screen.
            let under =
                |zoom: f64| if Detail::at(zoom, self.compact.get_untracked()) == Detail::Far { 18.0 } else { 0.0 };
            let most = if workshop { 2.0 } else { 1.0 };
            let (left, right) = self.covered();
            let within = |bounds, bottom| Viewport::fit(bounds, (w - left - right, h - top - bottom), most);
            let fit = |bounds| {
                let view = within(bounds, tools);
                within(bounds, tools + under(view.zoom))
            };
            // Flags keep a size of screen, so that they reach the higher the smaller the drawing is.
            let first = fit(self.with_flags(bounds, 1.0));
            let view = fit(self.with_flags(bounds, (0.86 / first.zoom).max(1.0))).panned(left, top);
            self.fitted.set_value(Some(view));
            self.view.set(view);
        }
    }

    /// Shows the whole drawing again where it did, in a pane of another size.
    pub fn fit_again(self) {
        if self.fitted.get_value() == Some(self.view.get_untracked()) {
            self.fit();
        }
    }

    /// How much of the pane lies under what is over it at the left and at the right: the rail, the inspector of a small
    /// window. Lays the page out, so only for what is asked for by hand.
    pub fn covered(self) -> (f64, f64) {
        let Some(pane) = self.root.get_untracked().map(|root| root.get_bounding_client_rect()) else {
            return (0.0, 0.0);
        };
        let over = |selector: &str| {
            let rect = device::query(selector)?.get_bounding_client_rect();
            (rect.width() > 0.0 && rect.left() < pane.right() && rect.right() > pane.left()).then_some(rect)
        };
        let left = over(".rail-tools").map_or(0.0, |rail| rail.right() - pane.left());
        let right = over(".inspector").map_or(0.0, |inspector| pane.right() - inspector.left());
        // A sheet from below leaves no side free.
        if left + right > pane.width() * 0.6 { (0.0, 0.0) } else { (left.max(0.0), right.max(0.0)) }
    }

    /// The box around a drawing with the flags that stand over it, and the doubled badges of consumers, which are wider.
    fn with_flags(self, bounds: Rect, scale: f64) -> Rect {
        let picture = self.picture.get_untracked();
        let (scene, routes) = (self.scene.get_untracked(), self.routes.get_untracked());
        let doubled = picture.cards.iter().filter(|(_, card)| card.badge_was.is_some());
        let bounds = doubled
            .filter_map(|(id, _)| scene.get(id))
            .fold(bounds, |bounds, rect| bounds.union(Rect::new(rect.right(), rect.y, DOUBLED_BADGE, 1.0)));
        let feet = feet(&picture.flags, &scene, &routes);
        feet.iter().zip(stacked(&feet, scale)).fold(bounds, |bounds, (foot, over)| {
            let high = (74.0 + STACKED * (over + 1) as f64) * scale;
            foot.map_or(bounds, |p| bounds.union(Rect::new(p.x, p.y - high, 1.0, 1.0)))
        })
    }

    /// How much of the pane the halt banner and the legend of both views take.
    fn top_inset(self) -> f64 {
        let both = self.desk.show.get_untracked() == Show::Both;
        let halted = untrack(|| !self.desk.review().halts.is_empty());
        if !both && !halted {
            return 0.0;
        }
        // In a narrow pane the banner has several lines.
        let pane = self.root.get_untracked().map(|root| root.get_bounding_client_rect().top());
        let over = device::query(".over-canvas").map(|over| over.get_bounding_client_rect());
        let reaches = over.zip(pane).map_or(0.0, |(over, pane)| over.bottom() - pane + 4.0);
        reaches.clamp(48.0, 140.0)
    }

    /// Moves the view so that these are seen.
    pub fn reveal(self, ids: &SortedSet<Id>) {
        let around = self.with_now(|now| {
            let routes = ids.iter().filter_map(|id| now.world.routes.get(id)).map(Route::bounds);
            Rect::around(ids.iter().filter_map(|id| now.world.scene.get(id)).copied().chain(routes))
        });
        if let Some(rect) = around {
            let before = self.view.get_untracked();
            let view = before.revealing(rect, self.pane.get_untracked());
            if view != before {
                self.view.set(view);
            }
        }
    }
}
