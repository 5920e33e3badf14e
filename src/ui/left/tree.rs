//! The rows of the outline: the canvas in the order of flow, jobs hold their operators, side channels hang under the
//! operator that fills them, batch paths come last.

use crate::model::{Design, Element, ElementKind, Id, Port, Shape};
use crate::sorted::{SortedMap, SortedSet};

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

/// The rows of what is shown, from top to bottom.
pub fn rows(design: &Design, shown: impl Fn(&Id) -> bool) -> Vec<TreeRow> {
    let mut order = flow_order(design);
    order.retain(&shown);
    let side = side_channels(design);
    let mut inside: SortedMap<&Id, Vec<&Id>> = SortedMap::new();
    for id in &order {
        for holder in design.job_of(id).into_iter().chain(side.get(id)).filter(|holder| shown(holder)) {
            inside.entry(holder).or_default().push(id);
        }
    }
    let mut tree = Tree { inside, rows: Vec::new(), seen: SortedSet::new() };
    // A job stands where its first operator does, so jobs are not walked themselves.
    for id in order.iter().filter(|id| design.kind(id) != Some(ElementKind::Job)) {
        let root = design.job_of(id).filter(|job| shown(job)).unwrap_or(id);
        if !side.contains_key(root) {
            tree.put(root, 1);
        }
    }
    // A side channel whose operator is missing stands for itself.
    order.iter().for_each(|id| tree.put(id, 1));
    tree.rows
}

struct Tree<'a> {
    /// What stands under an element, in the order of flow.
    inside: SortedMap<&'a Id, Vec<&'a Id>>,
    rows: Vec<TreeRow>,
    seen: SortedSet<&'a Id>,
}

impl<'a> Tree<'a> {
    fn put(&mut self, id: &'a Id, level: usize) {
        if !self.seen.insert(id) {
            return;
        }
        let mut children = self.inside.get(id).cloned().unwrap_or_default();
        children.retain(|child| !self.seen.contains(child));
        self.rows.push(TreeRow { id: id.clone(), level, holds: !children.is_empty() });
        for child in children {
            self.put(child, level + 1);
        }
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
    let mut feeds: SortedMap<&Id, Vec<&Id>> = SortedMap::new();
    let mut fed_by = feeds.clone();
    for (from, to) in &links {
        feeds.entry(from).or_default().push(to);
        fed_by.entry(to).or_default().push(from);
    }
    let mut reached: Vec<&Id> = batch.iter().copied().collect();
    while let Some(id) = reached.pop() {
        for to in feeds.get(id).into_iter().flatten() {
            let only_batch = fed_by.get(to).is_some_and(|from| from.iter().all(|from| batch.contains(from)));
            if only_batch && design.elements.contains_key(to) && batch.insert(to) {
                reached.push(to);
            }
        }
    }
    let mut order: Vec<&Id> = design.elements.keys().collect();
    crate::sorted::sort_by_key(&mut order, |id| (batch.contains(id), depth.get(id).copied().unwrap_or(0)));
    order.into_iter().cloned().collect()
}
