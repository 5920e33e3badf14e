//! The order of what flows, and the links that are left out of it so that there is one.
//!
//! Which links are left out follows from what is drawn, never from what it is called: of a cycle those that lead back to
//! where it is entered first, counted in links from the sources; then the same of the cycles that are left inside (the
//! nesting of loops by their headers: Steensgaard, Sequentializing Program Dependence Graphs for Irreducible Programs).

use super::{Cut, Edge, Graph, Lists, Node, title};
use crate::{
    model::{ChannelRole, Element},
    sorted,
};

/// Cuts the readers of retry channels that feed the same cycle.
pub(super) fn cut_retries(nodes: &[Node<'_>], outs: &Lists, edges: &mut [Edge<'_>]) {
    let retry = |node: &Node<'_>| matches!(node.element, Element::Channel { role: Some(ChannelRole::Retry) });
    if !nodes.iter().any(retry) {
        return;
    }
    let component = components(nodes.len(), outs, &|edge| Some(edges[edge].to));
    for edge in edges {
        if retry(&nodes[edge.from]) && component[edge.from] == component[edge.to] {
            edge.cut = Cut::Retry;
        }
    }
}

/// Numbers the strongly connected components (Tarjan, without recursion); `to` says where a link leads that is not left out.
fn components(nodes: usize, outs: &Lists, to: &dyn Fn(usize) -> Option<usize>) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut seen, mut low, mut component) = (vec![NEW; nodes], vec![0; nodes], vec![NEW; nodes]);
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    let mut work = Vec::new();
    for root in 0..nodes {
        if seen[root] != NEW {
            continue;
        }
        work.push((root, 0));
        while let Some((node, child)) = work.pop() {
            if child == 0 {
                (seen[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(edge) = outs.at(node).get(child) {
                work.push((node, child + 1));
                let Some(to) = to(*edge) else { continue };
                if seen[to] == NEW {
                    work.push((to, 0));
                } else if component[to] == NEW {
                    low[node] = low[node].min(seen[to]);
                }
                continue;
            }
            if low[node] == seen[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    component
}

/// How deep cycles stand in each other that are still followed.
const NESTED: usize = 64;

/// Flow order by a walk from the sources. Links that close a cycle are cut.
pub(super) fn order(nodes: &[Node<'_>], (outs, ins): (&Lists, &Lists), edges: &mut [Edge<'_>]) -> Vec<usize> {
    let (order, closed) = walk(nodes, (outs, ins), edges);
    if closed.is_empty() {
        return order;
    }
    let ends: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let mut out: Vec<bool> = edges.iter().map(|edge| edge.cut != Cut::No).collect();
    entries(nodes.len(), (outs, ins), &ends, &mut out);
    for (edge, _) in edges.iter_mut().zip(out).filter(|(edge, out)| *out && edge.cut == Cut::No) {
        edge.cut = Cut::Loop;
    }
    let (order, closed) = walk(nodes, (outs, ins), edges);
    // Deeper than cycles are followed: nothing is claimed there.
    for edge in closed {
        edges[edge].cut = Cut::Loop;
    }
    order
}

impl Graph<'_> {
    /// The elements, by number, at which a cycle is entered that is entered at others too, as near to the sources: none is
    /// its beginning. Empty where there is no cycle without a retry channel.
    pub(in crate::analysis) fn entered_beside(&self) -> Vec<bool> {
        if !self.edges.iter().any(|edge| edge.cut == Cut::Loop) {
            return Vec::new();
        }
        let ends: Vec<(usize, usize)> = self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let mut out: Vec<bool> = self.edges.iter().map(|edge| edge.cut == Cut::Retry).collect();
        entries(self.nodes.len(), (&self.outs, &self.ins), &ends, &mut out)
    }
}

/// Flow order by a walk from the sources, by their titles, with the links by which the walk meets its own way.
fn walk(nodes: &[Node<'_>], (outs, ins): (&Lists, &Lists), edges: &[Edge<'_>]) -> (Vec<usize>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; nodes.len()];
    let (mut order, mut closed) = (Vec::with_capacity(nodes.len()), Vec::new());
    let mut work = Vec::new();
    // Then what nothing leads to but its own cycle.
    for source in [true, false] {
        let begins = |node: &usize| mark[*node] == Mark::New && ins.at(*node).is_empty() == source;
        let mut starts: Vec<usize> = (0..nodes.len()).filter(begins).collect();
        sorted::sort_by_key(&mut starts, |start| title(&nodes[*start]));
        // What the walk comes to last stands first.
        for start in starts.into_iter().rev() {
            if mark[start] != Mark::New {
                continue;
            }
            work.push((start, 0));
            mark[start] = Mark::Open;
            while let Some((node, child)) = work.pop() {
                let Some(edge) = outs.at(node).iter().rev().nth(child).copied() else {
                    mark[node] = Mark::Done;
                    order.push(node);
                    continue;
                };
                work.push((node, child + 1));
                if edges[edge].cut != Cut::No {
                    continue;
                }
                match mark[edges[edge].to] {
                    Mark::New => {
                        mark[edges[edge].to] = Mark::Open;
                        work.push((edges[edge].to, 0));
                    }
                    Mark::Open => closed.push(edge),
                    Mark::Done => {}
                }
            }
        }
    }
    order.reverse();
    (order, closed)
}

/// Leaves out of every cycle what leads back to where it is entered, and gives the elements that are such an entry beside
/// others of the same cycle. A cycle that nothing leads into is entered everywhere, and so is one that stands deeper in others
/// than is followed.
fn entries(nodes: usize, (outs, ins): (&Lists, &Lists), ends: &[(usize, usize)], out: &mut [bool]) -> Vec<bool> {
    let far = distances(nodes, (outs, ins), ends);
    let mut beside = vec![false; nodes];
    for depth in 0.. {
        let component = components(nodes, outs, &|edge| (!out[edge]).then_some(ends[edge].1));
        let (closing, leading): (Vec<usize>, Vec<usize>) = (0..ends.len())
            .filter(|edge| !out[*edge])
            .partition(|edge| component[ends[*edge].0] == component[ends[*edge].1]);
        if closing.is_empty() {
            break;
        }
        if depth == NESTED {
            closing.into_iter().for_each(|edge| beside[ends[edge].1] = true);
            break;
        }
        let mut fed = vec![false; nodes];
        for edge in leading {
            fed[ends[edge].1] = true;
        }
        // The best entry of each component: fed from outside, near the sources.
        let rank = |node: usize| (!fed[node], far[node]);
        let mut best = vec![(true, usize::MAX); nodes];
        for (_, to) in closing.iter().map(|edge| ends[*edge]) {
            best[component[to]] = best[component[to]].min(rank(to));
        }
        let mut first: Vec<Option<usize>> = vec![None; nodes];
        for edge in closing {
            let to = ends[edge].1;
            if best[component[to]] != rank(to) {
                continue;
            }
            out[edge] = true;
            let first = first[component[to]].get_or_insert(to);
            if *first != to {
                (beside[*first], beside[to]) = (true, true);
            }
        }
    }
    beside
}

/// How many links each element is away from the nearest one that nothing flows into; the most where none is.
fn distances(nodes: usize, (outs, ins): (&Lists, &Lists), ends: &[(usize, usize)]) -> Vec<usize> {
    let mut far = vec![usize::MAX; nodes];
    let mut now: Vec<usize> = (0..nodes).filter(|node| ins.at(*node).is_empty()).collect();
    for node in &now {
        far[*node] = 0;
    }
    for distance in 1.. {
        let mut next = Vec::new();
        for (_, to) in now.iter().flat_map(|node| outs.at(*node)).map(|edge| ends[*edge]) {
            if far[to] == usize::MAX {
                far[to] = distance;
                next.push(to);
            }
        }
        if next.is_empty() {
            break;
        }
        now = next;
    }
    far
}
