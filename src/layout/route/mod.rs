//! How links run: horizontal and vertical stretches with round corners, around elements where there is a way.

mod ports;
mod routing;
mod search;
mod shape;

pub use ports::{Anchors, Side, anchors};
pub use routing::Routing;
pub use shape::{Route, Spot};

use super::{CLEARANCE, Point, Rect, Scene};
use crate::model::{Design, ElementKind, Id, Link, Subject};
use crate::sorted::SortedMap;
use routing::{Changes, Ground, Influence, Standing};
use std::sync::Arc;

/// How many comparisons with what stands around the searches of all links of a design may take. In a tangle nobody sees
/// that a link could have run more cleverly, and three channels by two hundred would take a minute.
const ALLOWANCE: usize = 100_000_000;

/// What is needed to route links of one design over one scene.
pub struct Router<'a> {
    design: &'a Design,
    scene: &'a Scene,
    elements: Vec<Rect>,
    frames: Vec<(&'a Id, Rect)>,
    fans: SortedMap<&'a Id, (usize, usize)>,
    allowance: usize,
}

impl<'a> Router<'a> {
    /// For these boxes.
    #[must_use]
    pub fn new(design: &'a Design, scene: &'a Scene) -> Self {
        let (mut elements, mut frames) = (Vec::new(), Vec::new());
        for (id, rect) in scene {
            match design.kind(id) {
                Some(ElementKind::Job) => frames.push((id, *rect)),
                _ => elements.push(*rect),
            }
        }
        // In steps, so that one more link does not change what the others get.
        let allowance = ALLOWANCE / design.links.len().next_power_of_two().max(1024);
        Self { design, scene, elements, frames, fans: ports::fans(design, scene), allowance }
    }

    /// The way of every link whose two ends stand on the canvas.
    #[must_use]
    pub fn all(&self) -> SortedMap<Id, Route> {
        Arc::unwrap_or_clone(self.after(&Routing::default()).routes)
    }

    /// The same, knowing the ways of another state of the design.
    #[must_use]
    pub fn after(&self, before: &Routing) -> Routing {
        let boxes = self.scene.iter().map(|(id, rect)| {
            (id.clone(), Standing { rect: *rect, frame: self.design.kind(id) == Some(ElementKind::Job) })
        });
        let boxes: SortedMap<Id, Standing> = boxes.collect();
        let mut changes = Changes::between(&before.boxes, &boxes);
        let (mut routes, mut kept, mut used, mut searched) = (SortedMap::new(), Vec::new(), Vec::new(), 0);
        let mut old = before.routes.iter().zip(&before.kept).peekable();
        for (id, subject) in &self.design.links {
            while let Some(((_, gone), _)) = old.next_if(|((other, _), _)| *other < id) {
                changes.rerouted(Some(gone), None);
            }
            let known = old.next_if(|((other, _), _)| *other == id);
            let was = known.map(|((_, route), _)| route);
            let Some(ground) = subject.as_link().and_then(|link| self.ground(id, link)) else {
                changes.rerouted(was, None);
                continue;
            };
            let same = known.filter(|(_, (other, near))| *other == ground && !changes.touch(*near));
            let (route, near) = match same {
                Some(((_, route), (_, near))) => (route.clone(), *near),
                None => {
                    searched += 1;
                    let (route, near) = self.searched(&ground, &used);
                    changes.rerouted(was, Some(&route));
                    (route, near)
                }
            };
            used.extend(route.long_stretches());
            routes.insert(id.clone(), route);
            kept.push((ground, near));
        }
        Routing { routes: Arc::new(routes), searched, kept, boxes }
    }

    /// The way of one link, whatever the others do.
    #[must_use]
    pub fn one(&self, link: &Id) -> Option<Route> {
        let ends = self.design.links.get(link).and_then(Subject::as_link)?;
        Some(self.searched(&self.ground(link, ends)?, &[]).0)
    }

    fn ground(&self, id: &Id, link: &Link) -> Option<Ground> {
        let (from, to) = (*self.scene.get(&link.from)?, *self.scene.get(&link.to)?);
        let jobs = (self.design.job_of(&link.from), self.design.job_of(&link.to));
        let frame = |job: Option<&Id>| job.and_then(|job| self.scene.get(job)).copied();
        Some(Ground {
            ends: anchors(self.design, link, from, to, self.fans.get(id).copied()),
            from,
            to,
            outer: (frame(jobs.0).unwrap_or(from), frame(jobs.1).unwrap_or(to)),
            jobs: (jobs.0.cloned(), jobs.1.cloned()),
            by_hand: self.design.layout.routes.get(id).cloned(),
            allowance: self.allowance,
        })
    }

    /// The way of a link, and how near things have a say in it.
    fn searched(&self, ground: &Ground, used: &[(Point, Point)]) -> (Route, Option<Influence>) {
        let Ground { ends, from, to, outer, jobs, allowance, .. } = ground;
        if let Some(points) = &ground.by_hand {
            let through = points.as_chunks::<2>().0.iter().map(|[x, y]| Point::new(f64::from(*x), f64::from(*y)));
            return (Route::new(std::iter::once(ends.start).chain(through).chain([ends.end]).collect()), None);
        }
        let near = Rect::spanning(ends.start, ends.end).grown(420.0);
        let own = |frame: &Id| [&jobs.0, &jobs.1].into_iter().flatten().any(|job| job == frame);
        let elements: Vec<Rect> = self.elements.iter().filter(|r| r.overlaps(near)).copied().collect();
        let frames: Vec<Rect> =
            self.frames.iter().filter(|(id, r)| r.overlaps(near) && !own(id)).map(|(_, r)| *r).collect();
        // No way that is tried leaves this, so what runs outside of it costs nothing.
        let reach = elements.iter().chain(&frames).fold(near.union(outer.0).union(outer.1), |all, r| all.union(*r));
        let reach = reach.grown(2.0 * CLEARANCE + 24.0);
        let used = used.iter().copied().filter(|(a, b)| Rect::spanning(*a, *b).grown(1.0).overlaps(reach));
        let used = used.map(|(a, b)| search::Stretch::new(a, b)).collect();
        let search = search::Search {
            ends: *ends,
            from: *from,
            to: *to,
            from_outer: outer.0,
            to_outer: outer.1,
            elements,
            frames,
            used,
            allowance: *allowance,
        };
        let (points, straight) = search.best();
        let near = if straight {
            let around = Rect::spanning(ends.start, ends.end).grown(search::STRAIGHT);
            Influence { boxes: around, stretches: around }
        } else {
            Influence { boxes: near, stretches: reach }
        };
        (Route::new(points), Some(near))
    }
}

#[cfg(test)]
mod tests;
