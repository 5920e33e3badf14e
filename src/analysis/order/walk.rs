//! The walk: every element and link once, in flow order, each from the states that reach it.

use super::{
    read, replaced, send,
    state::{At, State, union},
    step, store,
    trail::{Found, Trail},
    verdict::{Break, Breaker, OldRows, Order, OrderKind, OrderVerdict},
};
use crate::{
    analysis::{
        delivery::{hop::Retries, unite, verdict::DeliveryVerdict},
        graph::{Cut, Graph, Place},
        versions::Versions,
    },
    model::{ElementKind, Id, Input, Port},
};

/// What a walk found.
pub(super) struct Walked<'w, 'd> {
    graph: &'w Graph<'d>,
    trail: Trail,
    /// What goes over each link; of most it was taken by what stands behind.
    arriving: Vec<Option<State>>,
    /// Where a cycle is entered that is entered at other places too; empty: nowhere.
    beside: Vec<bool>,
}

/// Walks through the whole graph; `retries` are those of the producer of each link.
pub(super) fn walk<'w, 'd>(graph: &'w Graph<'d>, retries: &[Retries]) -> Walked<'w, 'd> {
    let mut walked = Walked { graph, trail: Trail::default(), arriving: Vec::new(), beside: graph.entered_beside() };
    walked.arriving.resize_with(graph.edges.len(), || None);
    for node in &graph.order {
        walked.node(*node, retries);
    }
    walked
}

impl Walked<'_, '_> {
    fn node(&mut self, node: usize, retries: &[Retries]) {
        let graph = self.graph;
        let kind = graph.nodes[node].kind();
        if matches!(kind, ElementKind::Job | ElementKind::Consumer) {
            return;
        }
        let mut at = At { graph, trail: &mut self.trail, place: graph.node_place(node) };
        let mut state = merge(&mut at, &mut self.arriving, node);
        returns(&mut at, &mut state, node);
        if self.beside.get(node) == Some(&true) {
            // Nothing follows what comes round from the other places.
            (state.open, state.open_here) = (true, true);
        }
        let input = graph.flows_out(node).any(|edge| rest(graph.edges[edge].link.port)).then(|| state.clone());
        match kind {
            ElementKind::Source => state.begin(graph.node_place(node)),
            ElementKind::Channel => read::channel(&mut at, &mut state, node),
            ElementKind::Operator => step::examine(&mut at, &mut state, node),
            ElementKind::Batch => {
                step::renew(&mut at, &mut state, node);
                at.ends(&mut state, Break::Batch);
            }
            _ => {}
        }
        for edge in graph.flows_out(node) {
            let from = if rest(graph.edges[edge].link.port) { input.as_ref() } else { None };
            let mut state = from.unwrap_or(&state).clone();
            let mut at = At { graph, trail: &mut self.trail, place: graph.edge_place(edge) };
            link(&mut at, &mut state, edge, retries.get(edge).copied().unwrap_or_default());
            self.arriving[edge] = Some(state);
        }
    }

    /// The verdict of a consumer, with what the delivery walk found about the rows that it reads.
    pub fn verdict(&mut self, consumer: usize, delivery: Option<&DeliveryVerdict>) -> OrderVerdict {
        let graph = self.graph;
        let edges: Vec<usize> = graph.flows_in(consumer).collect();
        let mut inputs = Vec::with_capacity(edges.len());
        for edge in edges {
            if let Some(state) = self.arriving[edge].take().filter(|state| state.reached) {
                inputs.push(self.order(edge, state, delivery));
            }
        }
        OrderVerdict { inputs }
    }

    fn order(&mut self, edge: usize, mut state: State, delivery: Option<&DeliveryVerdict>) -> Order {
        let graph = self.graph;
        let Found { mut breakers, missing } = self.trail.collect(graph, state.trail);
        if let Some(found) = overwritten(graph, &state, &breakers, delivery) {
            breakers.push(found);
            state.broken_here = true;
        }
        let id = |place: Option<Place>| place.map(|place| graph.id(place).clone());
        let kind = state.kind();
        let old_rows = old_rows(graph, &state, &breakers);
        let basis = state.basis.filter(|_| kind != OrderKind::NotEstablished);
        Order {
            over: graph.edges[edge].id.clone(),
            kind,
            holder: id(state.holder),
            writer: id(state.writer),
            store: id(state.store),
            born: id(state.born),
            key: state.arrival,
            old_rows,
            breakers,
            missing,
            basis,
        }
    }
}

/// Rows that an older one can replace, because nothing compares versions and their order ended for good.
fn old_rows(graph: &Graph<'_>, state: &State, breakers: &[Breaker]) -> Option<OldRows> {
    if state.newest || state.overwrites.is_empty() {
        return None;
    }
    let overtakes: Vec<&Breaker> = breakers.iter().filter(|breaker| breaker.overtakes()).collect();
    // What ended the order in front of one write says nothing of another.
    graph.in_flow(&state.overwrites).into_iter().find_map(|at| {
        let before = |breaker: &&&Breaker| graph.place(&breaker.at).is_none_or(|by| graph.leads(by, at));
        let after = overtakes.iter().find(before)?;
        Some(OldRows { at: graph.id(at).clone(), after: (*after).clone() })
    })
}

/// An old copy that the store keeps as the newest row, where nothing named it yet.
fn overwritten(
    graph: &Graph<'_>,
    state: &State,
    breakers: &[Breaker],
    delivery: Option<&DeliveryVerdict>,
) -> Option<Breaker> {
    let store = state.store.filter(|_| !state.newest)?;
    let writes = |at: &Id| {
        let edge = graph.edges.binary_search_by(|edge| edge.id.cmp(at)).ok()?;
        (graph.node_place(graph.edges[edge].to) == store).then_some(())
    };
    let taint = delivery?.taints.iter().find(|taint| taint.stale && writes(&taint.at).is_some())?;
    let by = taint.by.first()?;
    let named = |breaker: &Breaker| !breaker.past && breaker.kept.is_none();
    if breakers.iter().any(named) {
        return None;
    }
    let versions = graph.place(&taint.at).map_or(Versions::NotKnown, |at| Versions::at(graph, at));
    Some(Breaker { at: taint.at.clone(), by: Break::Overwritten(by.class, versions), kept: None, past: false })
}

/// Outputs that carry what came in.
const fn rest(port: Option<Port>) -> bool {
    matches!(port, Some(Port::Late | Port::DeadLetter))
}

/// All inputs of a place that carry events together.
fn merge(at: &mut At<'_, '_>, arriving: &mut [Option<State>], node: usize) -> State {
    let graph = at.graph;
    let (mut merged, mut count): (Option<State>, usize) = (None, 0);
    for edge in graph.flows_in(node) {
        let Some(state) = arriving[edge].take().filter(|state| state.reached) else { continue };
        // A table or look-up that events are matched with has no part in their order.
        if matches!(graph.edges[edge].link.into, Some(Input::Table | Input::Lookup)) {
            continue;
        }
        count += 1;
        merged = Some(match merged {
            None => state,
            Some(before) => together(at, before, state),
        });
    }
    let mut state = merged.unwrap_or_default();
    if count > 1 {
        match graph.nodes[node].kind() {
            ElementKind::Channel => {
                at.ends(&mut state, Break::Writers(count));
                if send::hash_apart(at, node) {
                    at.ends(&mut state, Break::Hashing);
                }
            }
            _ => at.ends(&mut state, Break::InputsMeet),
        }
    }
    state
}

fn together(at: &mut At<'_, '_>, a: State, b: State) -> State {
    let same = |one: Option<Place>, other: Option<Place>| one.filter(|_| one == other);
    let both = |mut one: Vec<Place>, other: &[Place]| {
        unite(&mut one, other);
        one
    };
    State {
        key: union(&a.key, &b.key),
        arrival: union(&a.arrival, &b.arrival),
        record: a.record.filter(|one| b.record.as_ref() == Some(one)),
        holder: same(a.holder, b.holder),
        writer: same(a.writer, b.writer),
        overwrites: both(a.overwrites, &b.overwrites),
        store: same(a.store, b.store),
        born: same(a.born, b.born),
        trail: at.trail.meets(a.trail, b.trail, at.place),
        broken: a.broken || b.broken,
        broken_here: a.broken_here || b.broken_here,
        open: a.open || b.open,
        open_here: a.open_here || b.open_here,
        in_log: a.in_log && b.in_log,
        keyless: a.keyless || b.keyless,
        global: false,
        newest: a.newest && b.newest,
        reached: true,
        owners: both(a.owners, &b.owners),
        marked: both(a.marked, &b.marked),
        basis: match (a.basis, b.basis) {
            (Some(one), Some(other)) => Some(one.weaker(other)),
            (one, other) => one.or(other),
        },
    }
}

/// What comes back over links that the walk cuts comes after newer records.
fn returns(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let graph = at.graph;
    for edge in graph.ins(node).iter().filter(|edge| graph.edges[**edge].cut != Cut::No) {
        let mut back = At { graph, trail: at.trail, place: graph.edge_place(*edge) };
        back.ends(state, Break::Returns);
    }
}

/// Examines a link by what stands at its two ends.
fn link(at: &mut At<'_, '_>, state: &mut State, edge: usize, retries: Retries) {
    use ElementKind::{Batch, Channel, Consumer, Operator, Sink, Source};
    let graph = at.graph;
    let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
    match (graph.nodes[from].kind(), graph.nodes[to].kind()) {
        (Source, Channel) => {
            read::taken(at, state, from);
            send::examine(at, state, from, to, retries);
        }
        (Source, Sink) => {
            read::taken(at, state, from);
            store::examine(at, state, from, to);
        }
        (Source, Operator | Batch) => read::taken(at, state, from),
        (Sink, Operator | Batch) => {
            step::renew(at, state, from);
            read::taken(at, state, from);
        }
        (Channel, Operator | Consumer | Batch) => read::examine(at, state, from, to),
        (Operator, Operator) => step::hand_over(at, state, to),
        (Operator | Batch, Channel) => {
            replaced::into_log(at, state, from);
            send::examine(at, state, from, to, retries);
        }
        (Operator | Batch, Sink) => {
            replaced::into_store(at, state, from);
            store::examine(at, state, from, to);
        }
        _ => {}
    }
}
