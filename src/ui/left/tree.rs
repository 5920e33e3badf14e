//! The rows of the outline: the canvas in the order of flow, jobs hold their operators, side channels hang under the
//! operator that fills them, batch paths come last.

use crate::model::{Design, Element, ElementKind, Id, Port, Shape};
use crate::sorted::{self, SortedMap, SortedSet};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// Element.
    pub id: Id,
    /// 1 for the outermost.
    pub level: usize,
    /// Does it hold rows?
    pub holds: bool,
}

/// All rows from top to bottom.
pub fn rows(design: &Design) -> Vec<TreeRow> {
    let order = flow_order(design);
    let side = side_channels(design);
    let mut rows = Vec::new();
    let mut seen = SortedSet::new();
    // A job stands where its first operator does, so jobs are not walked themselves.
    for id in order.iter().filter(|id| design.kind(id) != Some(ElementKind::Job)) {
        let root = design.job_of(id).unwrap_or(id);
        if !seen.contains(root) && !side.contains_key(root) {
            put(design, &order, &side, root, 1, &mut rows, &mut seen);
        }
    }
    // A side channel whose operator is missing stands for itself.
    for id in &order {
        if !seen.contains(id) {
            put(design, &order, &side, id, 1, &mut rows, &mut seen);
        }
    }
    rows
}

fn put(
    design: &Design,
    order: &[Id],
    side: &SortedMap<Id, Id>,
    id: &Id,
    level: usize,
    rows: &mut Vec<TreeRow>,
    seen: &mut SortedSet<Id>,
) {
    if !seen.insert(id.clone()) {
        return;
    }
    let inside = |child: &&Id| design.job_of(child) == Some(id) || side.get(*child) == Some(id);
    let children: Vec<&Id> = order.iter().filter(inside).filter(|child| !seen.contains(*child)).collect();
    rows.push(TreeRow { id: id.clone(), level, holds: !children.is_empty() });
    for child in children {
        put(design, order, side, child, level + 1, rows, seen);
    }
}

/// Channels that are only filled by a late, dead-letter or side output, with the operator that fills them.
fn side_channels(design: &Design) -> SortedMap<Id, Id> {
    let mut side = SortedMap::new();
    let mut main = SortedSet::new();
    for subject in design.links.values() {
        let Some(link) = subject.as_link() else { continue };
        match link.port {
            Some(Port::Late | Port::DeadLetter | Port::Side) if design.kind(&link.to) == Some(ElementKind::Channel) => {
                side.entry(link.to.clone()).or_insert_with(|| link.from.clone());
            }
            Some(Port::Reconcile) => {}
            _ => {
                main.insert(link.to.clone());
            }
        }
    }
    side.retain(|channel, _| !main.contains(channel));
    side
}

/// Elements by their distance from the start of the flow, then as ids sort; batch paths and what only they feed last.
fn flow_order(design: &Design) -> Vec<Id> {
    let links: Vec<(&Id, &Id)> = design
        .links
        .values()
        .filter_map(|s| s.as_link())
        .filter(|l| l.port != Some(Port::Reconcile))
        .map(|l| (&l.from, &l.to))
        .collect();
    let mut depth: SortedMap<&Id, usize> = design.elements.keys().map(|id| (id, 0)).collect();
    // Longest distance, cut off at the number of elements so that a cycle ends.
    for _ in 0..design.elements.len().min(64) {
        let mut changed = false;
        for (from, to) in &links {
            let next = depth.get(from).copied().unwrap_or(0) + 1;
            if let Some(at) = depth.get_mut(to)
                && *at < next
                && next <= design.elements.len()
            {
                *at = next;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let is_batch = |id: &Id| matches!(design.elements.get(id).map(|s| &s.shape), Some(Shape::Element(Element::Batch)));
    let mut batch: SortedSet<&Id> = design.elements.keys().filter(|id| is_batch(id)).collect();
    for _ in 0..links.len().min(64) {
        let fed = |id: &Id| {
            let mut into = links.iter().filter(|(_, to)| *to == id).peekable();
            into.peek().is_some() && into.all(|(from, _)| batch.contains(from))
        };
        let more: Vec<&Id> = design.elements.keys().filter(|id| !batch.contains(id) && fed(id)).collect();
        if more.is_empty() {
            break;
        }
        batch.extend(more);
    }
    let mut order: Vec<&Id> = design.elements.keys().collect();
    sorted::sort_by_key(&mut order, |id| (batch.contains(id), depth.get(id).copied().unwrap_or(0)));
    order.into_iter().cloned().collect()
}
