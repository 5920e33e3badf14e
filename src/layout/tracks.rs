//! The graph of blocks, cut into tracks: the longest path first, then what branches off or feeds in.

use super::block::Block;
use crate::model::{Design, Id, Port, Subject};
use crate::sorted::{self, SortedMap, SortedSet};

/// Blocks and the links between them, without cycles.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Which blocks follow a block.
    pub next: Vec<SortedSet<usize>>,
    /// Which blocks feed a block.
    pub previous: Vec<SortedSet<usize>>,
    /// Which sinks are compared with a block's.
    pub compared: Vec<SortedSet<usize>>,
}

/// A path of blocks that stands in one row or, wrapped, in several.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Track {
    /// The blocks, left to right.
    pub path: Vec<usize>,
    /// The block of an earlier track that it leaves.
    pub parent: Option<usize>,
    /// The block of an earlier track that it feeds.
    pub joins: Option<usize>,
    /// Does it hold a batch path?
    pub batch: bool,
}

/// The links between blocks; what closes a cycle is left out.
pub(super) fn graph(design: &Design, count: usize, of: &SortedMap<Id, usize>) -> Graph {
    let mut graph = Graph {
        next: vec![SortedSet::new(); count],
        previous: vec![SortedSet::new(); count],
        compared: vec![SortedSet::new(); count],
    };
    let mut raw = vec![SortedSet::new(); count];
    for link in design.links.values().filter_map(Subject::as_link) {
        let (Some(a), Some(b)) = (of.get(&link.from), of.get(&link.to)) else { continue };
        match link.port {
            _ if a == b => {}
            Some(Port::Reconcile) => {
                graph.compared[*a].insert(*b);
                graph.compared[*b].insert(*a);
            }
            _ => _ = raw[*a].insert(*b),
        }
    }
    let fed: SortedSet<usize> = raw.iter().flatten().copied().collect();
    let roots = (0..count).filter(|n| !fed.contains(n)).chain((0..count).filter(|n| fed.contains(n)));
    // Depth first without recursion; a link to a block that is still open closes a cycle.
    let mut state = vec![0_u8; count];
    for root in roots {
        let mut stack = vec![(root, raw[root].iter().copied().collect::<Vec<_>>())];
        if state[root] != 0 {
            continue;
        }
        state[root] = 1;
        while let Some((node, rest)) = stack.last_mut() {
            let node = *node;
            match rest.pop() {
                None => {
                    state[node] = 2;
                    stack.pop();
                }
                Some(to) if state[to] == 1 => {}
                Some(to) => {
                    graph.next[node].insert(to);
                    graph.previous[to].insert(node);
                    if state[to] == 0 {
                        state[to] = 1;
                        stack.push((to, raw[to].iter().copied().collect()));
                    }
                }
            }
        }
    }
    graph
}

/// Groups of blocks that hang together, each in index order, by their first block.
pub(super) fn components(graph: &Graph) -> Vec<Vec<usize>> {
    let mut seen = vec![false; graph.next.len()];
    let mut found = Vec::new();
    for first in 0..seen.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let (mut group, mut open) = (vec![first], vec![first]);
        while let Some(node) = open.pop() {
            for other in graph.next[node].iter().chain(&graph.previous[node]).chain(&graph.compared[node]) {
                if !seen[*other] {
                    seen[*other] = true;
                    group.push(*other);
                    open.push(*other);
                }
            }
        }
        sorted::sort(&mut group);
        found.push(group);
    }
    found
}

/// The tracks of one component, the main one first.
pub(super) fn tracks(graph: &Graph, blocks: &[Block], component: &[usize]) -> Vec<Track> {
    let order = topological(graph, component);
    // How much room the longest way on from here takes; ways through a batch path count for little.
    let mut way = vec![0.0; blocks.len()];
    for node in order.iter().rev() {
        let on = graph.next[*node].iter().map(|n| way[*n]).fold(0.0, f64::max);
        way[*node] = on + if blocks[*node].batch { -1e6 } else { blocks[*node].core.w };
    }
    let longest = |candidates: &mut dyn Iterator<Item = usize>| {
        candidates.max_by(|a, b| way[*a].total_cmp(&way[*b]).then_with(|| b.cmp(a)))
    };
    let mut placed: SortedSet<usize> = SortedSet::new();
    let mut tracks: Vec<Track> = Vec::new();
    let main = longest(&mut order.iter().copied().filter(|n| graph.previous[*n].is_empty()));
    for start in main.into_iter().chain(order.iter().copied()) {
        if placed.contains(&start) {
            continue;
        }
        let mut track =
            Track { parent: graph.previous[start].iter().copied().find(|n| placed.contains(n)), ..Track::default() };
        let mut at = Some(start);
        while let Some(node) = at {
            placed.insert(node);
            track.path.push(node);
            track.batch |= blocks[node].batch;
            at = longest(&mut graph.next[node].iter().copied().filter(|n| !placed.contains(n)));
        }
        let end = track.path.last().copied().unwrap_or(start);
        track.joins = graph.next[end].iter().copied().find(|n| placed.contains(n) && !track.path.contains(n));
        tracks.push(track);
    }
    tracks
}

/// The blocks of a component, each after what feeds it; among equals by index.
fn topological(graph: &Graph, component: &[usize]) -> Vec<usize> {
    let mut waiting: SortedMap<usize, usize> = component.iter().map(|n| (*n, graph.previous[*n].len())).collect();
    let mut ready: SortedSet<usize> = component.iter().copied().filter(|n| graph.previous[*n].is_empty()).collect();
    let mut order = Vec::new();
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for next in &graph.next[node] {
            if let Some(n) = waiting.get_mut(next) {
                *n = n.saturating_sub(1);
                if *n == 0 {
                    ready.insert(*next);
                }
            }
        }
    }
    order
}
