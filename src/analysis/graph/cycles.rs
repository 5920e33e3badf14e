//! The order of what flows, and the links that are left out of it so that there is one.

use super::{Cut, Edge, Lists, Node};
use crate::model::{ChannelRole, Element};

/// Cuts the readers of retry channels that feed the same cycle.
pub(super) fn cut_retries(nodes: &[Node<'_>], outs: &Lists, edges: &mut [Edge<'_>]) {
    let retry = |node: &Node<'_>| matches!(node.element, Element::Channel { role: Some(ChannelRole::Retry) });
    if !nodes.iter().any(retry) {
        return;
    }
    let component = components(nodes.len(), outs, edges);
    for edge in edges {
        if retry(&nodes[edge.from]) && component[edge.from] == component[edge.to] {
            edge.cut = Cut::Retry;
        }
    }
}

/// Numbers the strongly connected components (Tarjan, without recursion).
fn components(nodes: usize, outs: &Lists, edges: &[Edge<'_>]) -> Vec<usize> {
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
                let to = edges[*edge].to;
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

/// Flow order by a walk from the sources, in id order; a link that meets the walk's own way closes a cycle and is cut.
pub(super) fn order(nodes: usize, (outs, ins): (&Lists, &Lists), edges: &mut [Edge<'_>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; nodes];
    let mut order = Vec::with_capacity(nodes);
    let starts = (0..nodes).filter(|node| ins.at(*node).is_empty()).chain(0..nodes);
    let mut work = Vec::new();
    for start in starts {
        if mark[start] != Mark::New {
            continue;
        }
        work.push((start, 0));
        mark[start] = Mark::Open;
        while let Some((node, child)) = work.pop() {
            let Some(edge) = outs.at(node).get(child).copied() else {
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
                Mark::Open => edges[edge].cut = Cut::Loop,
                Mark::Done => {}
            }
        }
    }
    order.reverse();
    order
}
