//! Steps of a job and the hand-over between them: a shuffle keeps the order of what it does not divide, an aggregate
//! makes events of its own.
//!
//! Hash, rebalance and forward are those of Apache Flink (Physical Partitioning); a re-keyed stream of Kafka Streams
//! goes through a repartition topic. Asynchronous steps hand on as they finish (Apache Flink, Async I/O: order of
//! results).

use super::{
    state::{At, ByKey, State},
    verdict::Break,
};
use crate::{
    analysis::graph::{Graph, Place},
    model::{
        Element, ElementKind, Input, Step,
        key::{flow, job, operator},
        words::{AggregateFunction, Distribution, Marks, OrderKept},
    },
};
use std::sync::Arc;

/// The step of an operator.
pub(super) fn examine(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let Element::Operator { step, .. } = at.graph.nodes[node].element else { return };
    match step {
        Step::Aggregate => aggregate(at, state, node),
        Step::Rekey => rekey(at, state, node),
        Step::Join => join(at, state, node),
        Step::Deduplicate if shuffles(at.graph, node) && !handed_over(at.graph, node) => {
            by_own_key(at, state, node);
        }
        _ => {}
    }
    let marks = *step == Step::Deduplicate && !state.owners.is_empty();
    if marks && at.peek(state, at.place, operator::MARKS) == Some(Marks::BeforeWrite) {
        state.marked = vec![at.place];
    }
    let kept = match step {
        // Calls, look-ups and own code can run many at once.
        Step::Call | Step::Lookup | Step::Custom => at.need(state, at.place, operator::ORDER_KEPT),
        _ => at.peek(state, at.place, operator::ORDER_KEPT),
    };
    if kept == Some(OrderKept::No) {
        at.ends(state, Break::Unordered);
    }
}

/// New events are born at this place.
pub(super) fn renew(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let place = at.graph.node_place(node);
    let trail = at.trail.renews(state.trail, at.place);
    let reached = state.reached || at.graph.nodes[node].kind() == ElementKind::Sink;
    state.begin(place);
    state.reached = reached;
    state.trail = trail;
    state.basis = None;
}

/// Does the engine of this operator run its steps as parallel tasks that exchange rows?
fn shuffles(graph: &Graph<'_>, node: usize) -> bool {
    let entry = graph.nodes[node].entry;
    entry.is_some_and(|entry| {
        entry.engine.is_some_and(|engine| engine.stateful) && !matches!(entry.id, "kafka_streams" | "ksqldb")
    })
}

/// Does a link from another step, which says how rows are handed over, lead here?
fn handed_over(graph: &Graph<'_>, node: usize) -> bool {
    let stated = |edge: usize| graph.fact(graph.edge_place(edge), flow::DISTRIBUTION).is_some();
    graph.flows_in(node).any(|edge| graph.nodes[graph.edges[edge].from].kind() == ElementKind::Operator && stated(edge))
}

fn owner(graph: &Graph<'_>, node: usize) -> Place {
    graph.node_place(graph.nodes[node].job.unwrap_or(node))
}

/// Parallel tasks of a step: its own, else the job's.
fn tasks(at: &At<'_, '_>, state: &mut State, node: usize) -> Option<u64> {
    let own = at.peek(state, at.graph.node_place(node), operator::PARALLELISM);
    own.or_else(|| at.peek(state, owner(at.graph, node), job::PARALLELISM))
}

/// Rows go to the task that holds their key.
fn by_own_key(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let Some(key) = at.need(state, at.graph.node_place(node), operator::KEY) else { return };
    let key: ByKey = Arc::new(key);
    if tasks(at, state, node) != Some(1) {
        let by = Arc::clone(&key);
        at.shared(state, &key, |from| Break::Rekeyed(Arc::clone(from), by));
    }
}

fn rekey(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let Some(key) = at.need(state, at.place, operator::KEY) else { return };
    at.enters(state, &Arc::new(key), at.graph.node_place(node), owner(at.graph, node));
}

/// Results of one key come from one task, one after the other. Where their values depend on the order of what came in,
/// that order still counts.
fn aggregate(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let (graph, place) = (at.graph, at.place);
    let function = at.peek(state, place, operator::FUNCTION);
    let by_order = matches!(
        function,
        Some(AggregateFunction::Last | AggregateFunction::First | AggregateFunction::List | AggregateFunction::Pattern)
    );
    if by_order {
        let Some(key) = at.need(state, place, operator::KEY) else { return };
        at.enters(state, &Arc::new(key), place, owner(graph, node));
        return;
    }
    renew(at, state, node);
    let _ = at.need(state, place, operator::FUNCTION);
    (state.holder, state.writer) = (Some(place), Some(owner(graph, node)));
    if let Some(key) = at.need(state, place, operator::KEY) {
        let key = Arc::new(key);
        (state.key, state.arrival) = (Arc::clone(&key), key);
    }
}

/// Two streams: nothing orders them with each other, whatever they are keyed by. With a table, the rows of the stream
/// keep their order.
fn join(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let graph = at.graph;
    let table = |edge: &usize| matches!(graph.edges[*edge].link.into, Some(Input::Table | Input::Lookup));
    if graph.flows_in(node).any(|edge| table(&edge)) {
        if shuffles(graph, node) && !handed_over(graph, node) {
            by_own_key(at, state, node);
        }
        return;
    }
    let place = at.place;
    let right = at.peek(state, place, operator::RIGHT_KEY);
    let Some(key) = at.need(state, place, operator::KEY) else { return };
    let apart = right.is_some_and(|right| right != key);
    at.enters(state, &Arc::new(key), place, owner(graph, node));
    if apart {
        at.ends(state, Break::Joined);
        state.broken_here = false;
    }
}

/// From step to step of one job.
pub(super) fn hand_over(at: &mut At<'_, '_>, state: &mut State, to: usize) {
    let graph = at.graph;
    let stated = at.peek(state, at.place, flow::DISTRIBUTION);
    match stated {
        Some(Distribution::Forward) => {}
        Some(Distribution::Hash) => {
            let own = at.peek(state, at.place, flow::KEY);
            let key = own.or_else(|| at.peek(state, graph.node_place(to), operator::KEY));
            match key {
                Some(key) => {
                    let by = Arc::new(key);
                    let to = Arc::clone(&by);
                    at.shared(state, &by, |from| Break::Rekeyed(Arc::clone(from), to));
                }
                None => drop(at.need(state, at.place, flow::KEY)),
            }
        }
        Some(Distribution::Rebalance | Distribution::Broadcast) => {
            if tasks(at, state, to) != Some(1) {
                at.ends(state, Break::Tasks);
            }
        }
        None => unstated(at, state, to),
    }
}

/// Nothing says how rows are handed over: a step with a key of its own gets them by it, an engine that runs a chain in
/// one task passes them on, and one task gets all.
fn unstated(at: &mut At<'_, '_>, state: &mut State, to: usize) {
    let graph = at.graph;
    if !shuffles(graph, to) {
        return;
    }
    let keyed = matches!(
        graph.nodes[to].element,
        Element::Operator { step: Step::Aggregate | Step::Join | Step::Deduplicate | Step::Rekey, .. }
    );
    let one = tasks(at, state, to) == Some(1);
    if !keyed && !one {
        let _ = at.need(state, at.place, flow::DISTRIBUTION);
    }
}
