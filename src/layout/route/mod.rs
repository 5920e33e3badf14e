//! How links run: horizontal and vertical stretches with round corners, around elements where there is a way.

mod ports;
mod search;
mod shape;

pub use ports::{Anchors, Side, anchors};
pub use shape::{Route, Spot};

use super::{CLEARANCE, Point, Rect, Scene};
use crate::model::{Design, ElementKind, Id, Subject};
use crate::sorted::SortedMap;

/// What is needed to route links of one design over one scene.
pub struct Router<'a> {
    design: &'a Design,
    scene: &'a Scene,
    elements: Vec<(&'a Id, Rect)>,
    frames: Vec<(&'a Id, Rect)>,
    fans: SortedMap<&'a Id, (usize, usize)>,
}

impl<'a> Router<'a> {
    /// For these boxes.
    #[must_use]
    pub fn new(design: &'a Design, scene: &'a Scene) -> Self {
        let (mut elements, mut frames) = (Vec::new(), Vec::new());
        for (id, rect) in scene {
            match design.kind(id) {
                Some(ElementKind::Job) => frames.push((id, *rect)),
                _ => elements.push((id, *rect)),
            }
        }
        Self { design, scene, elements, frames, fans: ports::fans(design, scene) }
    }

    /// The way of every link whose two ends stand on the canvas.
    #[must_use]
    pub fn all(&self) -> SortedMap<Id, Route> {
        let mut used = Vec::new();
        let mut routes = SortedMap::new();
        for id in self.design.links.keys() {
            if let Some(route) = self.routed(id, &used) {
                used.extend(route.long_stretches());
                routes.insert(id.clone(), route);
            }
        }
        routes
    }

    /// The way of one link, whatever the others do.
    #[must_use]
    pub fn one(&self, link: &Id) -> Option<Route> {
        self.routed(link, &[])
    }

    fn routed(&self, id: &Id, used: &[(Point, Point)]) -> Option<Route> {
        let link = self.design.links.get(id).and_then(Subject::as_link)?;
        let (from, to) = (*self.scene.get(&link.from)?, *self.scene.get(&link.to)?);
        let ends = anchors(self.design, link, from, to, self.fans.get(id).copied());
        if let Some(points) = self.design.layout.routes.get(id) {
            let through = points.as_chunks::<2>().0.iter().map(|[x, y]| Point::new(f64::from(*x), f64::from(*y)));
            return Some(Route::new(std::iter::once(ends.start).chain(through).chain([ends.end]).collect()));
        }
        let frame = |id: &Id| self.design.job_of(id).and_then(|job| self.scene.get(job)).copied();
        let near = Rect::spanning(ends.start, ends.end).grown(420.0);
        let own =
            |frame: &Id| self.design.job_of(&link.from) == Some(frame) || self.design.job_of(&link.to) == Some(frame);
        let (from_outer, to_outer) = (frame(&link.from).unwrap_or(from), frame(&link.to).unwrap_or(to));
        let elements: Vec<Rect> = self.elements.iter().filter(|(_, r)| r.overlaps(near)).map(|(_, r)| *r).collect();
        let frames: Vec<Rect> =
            self.frames.iter().filter(|(id, r)| r.overlaps(near) && !own(id)).map(|(_, r)| *r).collect();
        // No way that is tried leaves this, so what runs outside of it costs nothing.
        let reach = elements.iter().chain(&frames).fold(near.union(from_outer).union(to_outer), |all, r| all.union(*r));
        let reach = reach.grown(2.0 * CLEARANCE + 24.0);
        let used = used.iter().copied().filter(|(a, b)| Rect::spanning(*a, *b).grown(1.0).overlaps(reach));
        let used = used.map(|(a, b)| search::Stretch::new(a, b)).collect();
        let search = search::Search { ends, from, to, from_outer, to_outer, elements, frames, used };
        Some(Route::new(search.best()))
    }
}

#[cfg(test)]
mod tests;
