//! Tidy lays a pipeline out like a paragraph: left to right, in rows no wider than the canvas.
//!
//! A row breaks after a job, before the channel it writes; the return link runs in the gutter between rows. Side channels
//! stand under the port they leave, a batch path in a row of its own, frames around their operators. What is fixed stays,
//! and nothing is put on it.

use super::{
    GAP, Rect, Scene,
    block::{Block, blocks, operator_columns},
    hugged,
    places::{note_box, places},
    rows::{bounds, rows},
    size::Sizes,
    tracks::{Graph, components, graph, tracks},
};
use crate::model::{Design, ElementKind, Id, Place, Subject};
use crate::sorted::{self, SortedMap};

/// The width that a design gets before a canvas has told its own.
pub const DEFAULT_WIDTH: f64 = 940.0;

/// The upper left corner of each block's core.
type Corners = SortedMap<usize, (f64, f64)>;

/// Where the first element stands.
const ORIGIN: (f64, f64) = (40.0, 40.0);
/// Space between parts that do not hang together.
const PART_GAP: f64 = 64.0;
/// Nothing is put nearer than this to what is fixed.
const MARGIN: f64 = 20.0;

/// The next position of the snap grid that is not left of `v`.
pub(super) fn on_grid(v: f64) -> f64 {
    (v / super::SNAP).ceil() * super::SNAP
}

/// A place for every element, in rows no wider than `available_width`; locked elements stay where they are.
#[must_use]
pub fn tidy(design: &Design, available_width: f64) -> SortedMap<Id, Place> {
    let locked = &design.layout.locked;
    let fixed: Scene = if locked.is_empty() {
        Scene::new()
    } else {
        places(design).into_iter().filter(|(id, _)| locked.contains(id)).collect()
    };
    let width = if available_width.is_finite() { available_width.max(480.0) } else { DEFAULT_WIDTH };
    let scene = hugged(design, arrange(design, width, &fixed, Else::Flow));
    let job = |id: &Id| design.kind(id) == Some(ElementKind::Job);
    scene.into_iter().map(|(id, rect)| (id.clone(), rect.place(job(&id)))).collect()
}

/// Where what is not fixed goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Else {
    /// Around what is fixed, as the flow has it.
    Flow,
    /// A drawing is there: beside what it hangs on where that place is free, else below the drawing, never in its midst.
    Below,
}

/// The box of every element; `fixed` ones as given.
pub(super) fn arrange(design: &Design, width: f64, fixed: &Scene, other: Else) -> Scene {
    let mut scene = fixed.clone();
    half_fixed_jobs(design, &mut scene);
    scene = hugged(design, scene);
    let (blocks, of) = blocks(design, &scene);
    let graph = graph(design, blocks.len(), &of);
    let mut parts: Vec<(Vec<usize>, Corners)> = components(&graph)
        .into_iter()
        .map(|component| {
            let corners = part(&graph, &blocks, &component, width);
            (component, corners)
        })
        .collect();
    // What hangs together first, single elements after it, each as the ids sort.
    sorted::sort_by_key(&mut parts, |(component, _)| (component.len() == 1, component.first().copied()));
    let mut taken: Vec<Rect> = scene.values().copied().collect();
    if other == Else::Below {
        taken.extend(design.layout.notes.values().filter_map(|note| note.place).map(note_box));
    }
    let drawing = Rect::around(taken.iter().copied()).filter(|_| other == Else::Below);
    let mut shelf = drawing.map_or_else(|| Shelf::new(width), |drawing| Shelf::below(drawing, width));
    taken.iter_mut().for_each(|rect| *rect = rect.grown(MARGIN));
    for (component, corners) in &parts {
        let bounds = bounds(&blocks, corners);
        let beside = beside(design, &scene, &blocks, component, corners, bounds);
        let free = |(dx, dy): &(f64, f64)| {
            let mut outer =
                corners.iter().map(|(block, (x, y))| blocks[*block].outer.plus(x + on_grid(*dx), y + on_grid(*dy)));
            other == Else::Flow || !outer.any(|outer| taken.iter().any(|rect| rect.overlaps(outer)))
        };
        let (mut dx, mut dy) = beside.filter(free).unwrap_or_else(|| shelf.next(bounds));
        (dx, dy) = (on_grid(dx), on_grid(dy));
        if !taken.is_empty() {
            dy = lowered(&blocks, corners, &taken, dx, dy);
        }
        for (block, (x, y)) in corners {
            for (id, rect) in &blocks[*block].members {
                scene.insert(id.clone(), rect.plus(x + dx, y + dy));
            }
            if !fixed.is_empty() {
                taken.push(blocks[*block].outer.plus(x + dx, y + dy));
            }
        }
    }
    scene
}

/// A job of which some operators are fixed gets its others under those.
fn half_fixed_jobs(design: &Design, scene: &mut Scene) {
    let mut held: SortedMap<&Id, Rect> = SortedMap::new();
    for (id, rect) in scene.iter() {
        match design.elements.get_key_value(id) {
            Some((key, subject)) if subject.kind() == Some(ElementKind::Job) => {
                held.entry(key).or_insert_with(|| Rect::new(rect.x + 8.0, rect.y + 32.0, 0.0, 0.0));
            }
            _ => {
                if let Some(job) = design.job_of(id) {
                    held.entry(job).and_modify(|core| *core = core.union(*rect)).or_insert(*rect);
                }
            }
        }
    }
    let sizes = Sizes::new(design);
    let mut found: Vec<(Id, Rect)> = Vec::new();
    for (job, core) in held {
        let loose: Vec<Id> =
            design.operators_of(job).map(|(id, _)| id).filter(|id| !scene.contains_key(*id)).cloned().collect();
        let y = if core.h > 0.0 { core.bottom() + 36.0 } else { core.y };
        found.extend(operator_columns(design, &sizes, &loose).into_iter().map(|(id, r)| (id, r.plus(core.x, y))));
    }
    scene.extend(found);
}

fn part(graph: &Graph, blocks: &[Block], component: &[usize], width: f64) -> Corners {
    match component {
        [single] => SortedMap::from([(*single, (0.0, 0.0))]),
        _ => rows(graph, blocks, &tracks(graph, blocks, component), width),
    }
}

/// Beside the fixed element that feeds this part, or that it feeds.
fn beside(
    design: &Design,
    scene: &Scene,
    blocks: &[Block],
    component: &[usize],
    corners: &Corners,
    bounds: Rect,
) -> Option<(f64, f64)> {
    if scene.is_empty() {
        return None;
    }
    let mut at: SortedMap<&Id, Rect> = SortedMap::new();
    for block in component {
        let (x, y) = corners.get(block)?;
        at.extend(blocks[*block].members.iter().map(|(id, rect)| (id, rect.plus(*x, *y))));
    }
    design.links.values().filter_map(Subject::as_link).find_map(|link| {
        match (scene.get(&link.from), at.get(&link.to), at.get(&link.from), scene.get(&link.to)) {
            (Some(from), Some(to), ..) if link.port.is_some() => Some((from.x - to.x, from.bottom() + 44.0 - to.y)),
            (Some(from), Some(to), ..) => Some((from.right() + GAP - to.x, from.centre().y - to.centre().y)),
            (.., Some(from), Some(to)) => {
                Some((to.x - GAP - bounds.right().max(from.right()), to.centre().y - from.centre().y))
            }
            _ => None,
        }
    })
}

/// The smallest move down that keeps a part clear of everything taken.
fn lowered(blocks: &[Block], corners: &Corners, taken: &[Rect], dx: f64, mut dy: f64) -> f64 {
    loop {
        let clash = corners.iter().find_map(|(block, (x, y))| {
            let outer = blocks[*block].outer.plus(x + dx, y + dy);
            let under = taken.iter().filter(|other| other.overlaps(outer)).map(|other| other.bottom() - outer.y);
            under.reduce(f64::max)
        });
        match clash {
            Some(by) => dy = on_grid(dy + by.max(super::SNAP)),
            None => return dy,
        }
    }
}

/// Parts side by side in shelves, as words in a line.
struct Shelf {
    corner: (f64, f64),
    width: f64,
    x: f64,
    y: f64,
    height: f64,
}

impl Shelf {
    const fn new(width: f64) -> Self {
        Self { corner: ORIGIN, width, x: 0.0, y: 0.0, height: 0.0 }
    }

    /// Under a drawing, no narrower than it is.
    fn below(drawing: Rect, width: f64) -> Self {
        Self { corner: (drawing.x, drawing.bottom() + PART_GAP), ..Self::new(width.max(drawing.w)) }
    }

    /// How far to move a part with these bounds.
    fn next(&mut self, bounds: Rect) -> (f64, f64) {
        if self.x > 0.0 && self.x + bounds.w > self.width {
            (self.x, self.y, self.height) = (0.0, self.y + self.height + PART_GAP, 0.0);
        }
        let moved = (self.corner.0 + self.x - bounds.x, self.corner.1 + self.y - bounds.y);
        self.x += bounds.w + PART_GAP;
        self.height = self.height.max(bounds.h);
        moved
    }
}
