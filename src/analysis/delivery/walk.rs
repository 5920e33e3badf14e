//! The walk: every element and link once, in flow order, each from the states that reach it.

use super::{
    badge, fan_in,
    hop::{Examined, Retries, Row, bereave},
    ledger::{ClaimKind, Found, Ledger},
    produce::{self, Producer},
    read,
    running::{Running, Side, running},
    source::{self, Taker},
    state::{Instance, State, Way, put, unite, weaker},
    step, store,
    verdict::{Badge, Captions, CopyClass, HopPart, HopRow},
    versions, write,
};
use crate::{
    analysis::{
        figures::Figures,
        graph::{Cut, Graph, Place},
    },
    model::{Basis, Element, ElementKind, Id, Port, Step},
};
use std::sync::Arc;

/// What a walk found.
pub(super) struct Walked {
    /// Losses, claims, unknown facts.
    pub ledger: Ledger,
    /// The state in which each consumer finds events, by node; `None` for others and where nothing arrives.
    pub consumers: Vec<(usize, Box<State>)>,
    /// The row of each place.
    pub rows: Vec<Option<Arc<HopRow>>>,
    /// Captions of each link.
    pub captions: Vec<Captions>,
    /// What the retries of the producer of each link do to the order.
    pub retries: Vec<Retries>,
}

struct Walk<'w, 'd> {
    graph: &'w Graph<'d>,
    figures: &'w Figures,
    ledger: Ledger,
    arriving: Vec<Option<Box<State>>>,
    rows: Vec<Option<Arc<HopRow>>>,
    captions: Vec<Captions>,
    retries: Vec<Retries>,
    consumers: Vec<(usize, Box<State>)>,
    /// Where a cycle is entered that is entered at other places too; empty: nowhere.
    beside: Vec<bool>,
}

/// Walks through the whole graph.
pub(super) fn walk(graph: &Graph<'_>, figures: &Figures) -> Walked {
    let mut walk = Walk {
        graph,
        figures,
        ledger: Ledger::default(),
        arriving: Vec::new(),
        rows: vec![None; graph.places()],
        captions: vec![Captions::default(); graph.edges.len()],
        retries: vec![Retries::default(); graph.edges.len()],
        consumers: Vec::new(),
        beside: graph.entered_beside(),
    };
    walk.arriving.resize_with(graph.edges.len(), || None);
    for node in &graph.order {
        walk.node(*node);
    }
    let Walk { ledger, consumers, rows, captions, retries, .. } = walk;
    Walked { ledger, consumers, rows, captions, retries }
}

impl Walk<'_, '_> {
    fn node(&mut self, node: usize) {
        let graph = self.graph;
        let place = graph.node_place(node);
        let kind = graph.nodes[node].kind();
        if kind == ElementKind::Job {
            return;
        }
        if shared(graph, node) {
            self.writes(node);
        }
        let arriving = &mut self.arriving;
        let mut inputs =
            graph.flows_in(node).filter_map(|edge| Some((fan_in::way(graph, edge), arriving[edge].take()?)));
        let mut hop = Examined::new(graph, &mut self.ledger, place).beside(self.figures);
        let mut state = fan_in::merge(&mut hop, &mut inputs, node);
        let undrawn = state.undrawn;
        match graph.nodes[node].element {
            Element::Source { .. } => begin(&mut state, place),
            Element::Channel { .. } if state.begins.is_empty() && graph.ins(node).is_empty() => {
                begin(&mut state, place);
                hop.claim(&mut state, ClaimKind::Keeps, "taken as it stands: who writes it is not drawn");
                hop.claim(&mut state, ClaimKind::Prevents, "taken as it stands: who writes it is not drawn");
            }
            Element::Operator { step, emits, .. } => operator(&mut hop, &mut state, node, *step, emits.as_ref()),
            _ => {}
        }
        let beside = self.beside.get(node) == Some(&true);
        if beside {
            hop.row.remarks.push("one of several places where a cycle is entered: what comes round is not followed");
        }
        state.round |= beside;
        state.undrawn |= beside || state.begins.is_empty();
        returns(&mut hop, &mut state, node);
        let (basis, row) = (hop.basis, std::mem::take(&mut hop.row));
        state.basis = weaker(state.basis, basis);
        let passed = if state.undrawn == undrawn { self.passed(node) } else { None };
        self.close(place, &state, passed, row, basis);
        if kind == ElementKind::Consumer {
            self.consumers.push((node, state));
            return;
        }
        let ports = graph.flows_out(node).any(|edge| graph.edges[edge].link.port.is_some());
        let Some(last) = graph.flows_out(node).last() else { return };
        for edge in graph.flows_out(node).filter(|edge| *edge != last) {
            self.edge(edge, state.clone(), ports);
        }
        self.edge(last, state, ports);
    }

    fn edge(&mut self, edge: usize, mut state: Box<State>, ports: bool) {
        let graph = self.graph;
        if ports {
            let taken = port(graph.edges[edge].link.port);
            for way in &mut state.ways {
                put(&mut way.ports, (graph.node_place(graph.edges[edge].from), taken));
            }
        }
        if shared(graph, graph.edges[edge].to) {
            self.arriving[edge] = Some(state);
        } else {
            self.pass(edge, state);
        }
    }

    /// The writes into a store with several: what one of them repeats, another one may have written.
    fn writes(&mut self, node: usize) {
        let graph = self.graph;
        let arriving = &mut self.arriving;
        let mut writes: Vec<(usize, Box<State>)> =
            graph.flows_in(node).filter_map(|edge| Some((edge, arriving[edge].take()?))).collect();
        fan_in::beside(graph.node_place(node), &mut writes);
        for (edge, state) in writes {
            self.pass(edge, state);
        }
    }

    fn pass(&mut self, edge: usize, mut state: Box<State>) {
        let graph = self.graph;
        let place = graph.edge_place(edge);
        let mut hop = Examined::new(graph, &mut self.ledger, place).beside(self.figures);
        link(&mut hop, &mut state, edge);
        let (basis, row) = (hop.basis, std::mem::take(&mut hop.row));
        state.basis = weaker(state.basis, basis);
        self.close(place, &state, None, row, basis);
        self.arriving[edge] = Some(state);
    }

    /// The badge that comes in at an element which leaves it as it is: it does nothing itself, and has this input alone.
    fn passed(&self, node: usize) -> Option<Arc<Badge>> {
        let graph = self.graph;
        let [edge] = *graph.ins(node) else { return None };
        let acts = matches!(graph.nodes[node].kind(), ElementKind::Source | ElementKind::Operator);
        if acts || fan_in::way(graph, edge) != fan_in::Way::Main {
            return None;
        }
        let row = self.rows[graph.edge_place(edge).index()].as_ref()?;
        Some(Arc::clone(&row.leaves))
    }

    /// Writes the row of a place, with the badge that passes it unchanged, where one does.
    fn close(&mut self, place: Place, state: &State, passed: Option<Arc<Badge>>, row: Row, basis: Option<Basis>) {
        let leaves = passed.unwrap_or_else(|| Arc::new(badge::badge(&self.ledger, state, false)));
        let captions = || badge::captions(self.graph, &self.ledger, state, place, &row, &leaves);
        if place.index() >= self.graph.nodes.len() {
            let edge = place.index() - self.graph.nodes.len();
            self.captions[edge] = captions();
            self.retries[edge] = row.retries;
        } else {
            // A link that the walk cuts carries what its channel holds.
            let outs = self.graph.outs(place.index()).iter().copied();
            for edge in outs.filter(|edge| self.graph.edges[*edge].cut != Cut::No) {
                self.captions[edge] = captions();
            }
        }
        self.rows[place.index()] = Some(Arc::new(badge::row(self.graph, &self.ledger, place, leaves, row, basis)));
    }
}

/// Is it a store that several links write?
fn shared(graph: &Graph<'_>, node: usize) -> bool {
    graph.nodes[node].kind() == ElementKind::Sink && graph.flows_in(node).nth(1).is_some()
}

fn begin(state: &mut State, place: Place) {
    put(&mut state.begins, place);
    put(&mut state.kinds, place);
    put(&mut state.ways, Way { root: place, ports: Vec::new(), narrowed: false });
}

const fn port(port: Option<Port>) -> u8 {
    match port {
        None => 0,
        Some(Port::Late) => 1,
        Some(Port::DeadLetter) => 2,
        Some(Port::Side) => 3,
        Some(Port::Reconcile) => 4,
    }
}

fn operator(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, step: Step, emits: Option<&Id>) {
    let running = running(hop, state, node, Side::Sink);
    step::examine(hop, state, node, step, &running);
    if emits.is_some() && !matches!(step, Step::Aggregate | Step::Join) {
        state.kinds = vec![hop.place];
        state.ways = vec![Way { root: hop.place, ports: Vec::new(), narrowed: false }];
    }
}

/// What comes back over links that the walk cuts: events again, after newer ones.
fn returns(hop: &mut Examined<'_, '_>, state: &mut State, node: usize) {
    let graph = hop.graph;
    let cut = || graph.ins(node).iter().copied().filter(|edge| graph.edges[*edge].cut != Cut::No);
    // What is lost on its way back comes neither this way nor another.
    for edge in cut() {
        goes_back(hop, state, graph.edges[edge].from);
    }
    for edge in cut() {
        let copies = Instance {
            isolated: true,
            coordinates: false,
            ..Instance::new(CopyClass::Reemission, graph.edge_place(edge))
        };
        hop.add(state, copies);
        hop.row.remarks.push(match graph.edges[edge].cut {
            Cut::Loop => "closes a cycle without a retry channel",
            _ => "events come back after newer ones",
        });
    }
}

/// What the writes into a channel lose of events that come back.
fn goes_back(hop: &mut Examined<'_, '_>, state: &mut State, channel: usize) {
    let graph = hop.graph;
    if graph.nodes[channel].kind() != ElementKind::Channel {
        return;
    }
    for writer in graph.ins(channel).iter().copied() {
        let mut scratch = State::default();
        let from = graph.edges[writer].from;
        let mut hop = Examined::new(graph, hop.ledger, graph.edge_place(writer));
        let running = running(&mut hop, &mut scratch, from, Side::Source);
        let producer = Producer { owner: running.job, application: running.plain, transactional: false };
        produce::examine(&mut hop, &mut scratch, channel, producer);
        unite(&mut state.losses, &scratch.losses);
        unite(&mut state.unknown, &scratch.unknown);
        if hop.row.bereaves {
            bereave(state);
        }
    }
}

/// Examines a link by what stands at its two ends.
fn link(hop: &mut Examined<'_, '_>, state: &mut State, edge: usize) {
    use ElementKind::{Batch, Channel, Consumer, Operator, Sink, Source};
    let graph = hop.graph;
    let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
    match (graph.nodes[from].kind(), graph.nodes[to].kind()) {
        (Source, Channel) => {
            source::examine(hop, state, from, Taker::Itself);
            dual_write(hop, state, from);
            let owner = graph.node_place(from);
            let producer = Producer { owner, application: true, transactional: false };
            write::new_log(hop, state, false);
            produce::examine(hop, state, to, producer);
            state.record_key = Some(hop.place);
            state.keyed_by = Some(hop.place);
            state.last_write = Some(hop.place);
        }
        (Source, Sink) => {
            source::examine(hop, state, from, Taker::Itself);
            dual_write(hop, state, from);
            store::examine(hop, state, to, None);
        }
        (Source | Sink, Operator | Batch) => {
            let running = running(hop, state, to, Side::Sink);
            source::examine(hop, state, from, Taker::Job(&running));
        }
        (Channel, Operator | Batch) => {
            let running = running(hop, state, to, Side::Sink);
            read::by_job(hop, state, from, &running);
        }
        (Operator, Operator) => versions::hand_over(hop, state, to),
        (Channel, Consumer) => read::by_consumer(hop, state, from),
        (Operator | Batch, Channel) => {
            let running = running(hop, state, from, Side::Source);
            write::into_channel(hop, state, from, to, &running);
        }
        (Operator | Batch, Sink) => {
            let running: Running = running(hop, state, from, Side::Sink);
            store::examine(hop, state, to, Some(&running));
        }
        (Sink, Consumer) => store::serve(hop, state),
        _ => {}
    }
}

/// An application that writes to a store and to a log, one after the other.
fn dual_write(hop: &mut Examined<'_, '_>, state: &mut State, from: usize) {
    let graph = hop.graph;
    let writes = |kind: ElementKind| graph.flows_out(from).any(|edge| graph.nodes[graph.edges[edge].to].kind() == kind);
    if writes(ElementKind::Sink) && writes(ElementKind::Channel) {
        let cause = "written to a store and to a log apart: a crash in between leaves one of them without it";
        hop.lose(state, Found::possible(HopPart::Writer, cause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{codec, model::View};

    /// What is booked along a chain of channels, de-duplications and windowed sums, and what its consumer still carries.
    fn booked(stages: usize) -> [usize; 6] {
        let mut elements = vec![
            r#""s": {"kind": "source", "system": "application"}"#.to_owned(),
            r#""c0": {"kind": "channel", "system": "kafka"}"#.to_owned(),
            r#""r": {"kind": "consumer"}"#.to_owned(),
        ];
        let mut links = vec![(String::from("s"), String::from("c0")), (format!("c{stages}"), String::from("r"))];
        for n in 0..stages {
            let m = n + 1;
            elements.push(format!(
                r#""c{m}": {{"kind": "channel", "system": "kafka"}},
                "j{n}": {{"kind": "job", "system": "flink", "proposed": {{"processing_guarantee": "exactly_once"}}}},
                "d{n}": {{"kind": "operator", "job": "j{n}", "step": "deduplicate",
                    "proposed": {{"key": ["id"], "state_ttl": "1d"}}}},
                "a{n}": {{"kind": "operator", "job": "j{n}", "step": "aggregate", "proposed": {{"key": ["id"],
                    "function": "sum", "window": "tumbling", "window_size": "5min", "emit": "on_close"}}}}"#
            ));
            links.push((format!("c{n}"), format!("d{n}")));
            links.push((format!("d{n}"), format!("a{n}")));
            links.push((format!("a{n}"), format!("c{m}")));
        }
        let links: Vec<String> = links
            .iter()
            .enumerate()
            .map(|(n, (from, to))| format!(r#""l{n}": {{"from": "{from}", "to": "{to}"}}"#))
            .collect();
        let design = codec::decode(&format!(
            r#"{{"format": "streaming-pipeline", "version": 1, "elements": {{{}}}, "links": {{{}}}}}"#,
            elements.join(","),
            links.join(",")
        ))
        .unwrap();
        let graph = Graph::new(&design, View::ToBe);
        let walked = walk(&graph, &Figures::of(&graph));
        let [(_, end)] = walked.consumers.as_slice() else { panic!("one consumer") };
        let ledger = &walked.ledger;
        let found = [ledger.losses.len(), ledger.claims.len(), ledger.unknown.len(), ledger.conditions.len()];
        [found[0], found[1], found[2], found[3], end.copies.len(), end.taints.len()]
    }

    /// Whatever the machine: twice as long a chain adds at most twice as much to what is found and carried along.
    #[test]
    fn a_deep_chain_finds_and_carries_in_proportion_to_its_length() {
        let [ten, twenty, forty] = [10, 20, 40].map(booked);
        for ((ten, twenty), forty) in ten.into_iter().zip(twenty).zip(forty) {
            assert!(ten <= twenty && forty - twenty <= 2 * (twenty - ten), "{ten} {twenty} {forty}");
        }
        assert!(ten[1] < twenty[1], "each stage claims something");
    }
}
