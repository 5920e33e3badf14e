//! Writing into a log: into which partition a record goes, and whether it stays behind those that were sent before it.
//!
//! The broker keeps the order in which it appends (Apache Kafka documentation, Design: Message Delivery). Without an
//! idempotent producer a batch that is sent again lands behind the next one (Producer Configs:
//! max.in.flight.requests.per.connection, enable.idempotence). A record without a key goes anywhere (KIP-480, KIP-794).

use super::{
    state::{At, ByKey, State},
    verdict::Break,
};
use crate::{
    analysis::{
        delivery::{hop::Retries, produce::released_with_client},
        explain::MissingWhy,
        graph::Place,
    },
    catalog::{self, ChannelKind},
    model::{
        Columns, ElementKind, Known,
        key::{channel, job, operator, produce, source, take, write},
        words::{Capture, Client, Ordering, Partitioner},
    },
};
use std::sync::Arc;

/// The hash that takes a key to its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    /// As the Java client.
    Murmur2,
    /// As librdkafka by default.
    Crc32,
}

/// By which hash a writer finds the partition of a key: as set, else as its client does where nothing is set (Apache
/// Kafka documentation, Producer Configs: partitioner.class; librdkafka, CONFIGURATION.md: partitioner). `None`: not
/// known, or by none.
#[must_use]
pub const fn hashing(set: Option<Partitioner>, client: Option<Client>) -> Option<Hashing> {
    match (set, client) {
        (Some(Partitioner::Murmur2), _) | (None, Some(Client::Java)) => Some(Hashing::Murmur2),
        (Some(Partitioner::Crc32), _) | (None, Some(Client::Librdkafka)) => Some(Hashing::Crc32),
        _ => None,
    }
}

/// The write of `from` into the channel `to`.
pub(super) fn examine(at: &mut At<'_, '_>, state: &mut State, from: usize, to: usize, retries: Retries) {
    let graph = at.graph;
    let place = graph.node_place(to);
    let writer = graph.node_place(graph.nodes[from].job.unwrap_or(from));
    let Some(log) = graph.nodes[to].entry.and_then(|entry| entry.channel) else {
        at.miss(state, place, channel::VERSION.field(), MissingWhy::System);
        let by = written(at, state).unwrap_or_default();
        at.enters(state, &by, place, writer);
        return;
    };
    // A producer of the protocol of Kafka finds the partition and sends again.
    let kafka = log.transactions && log.order == catalog::Order::Partition;
    let ordering = at.peek(state, place, channel::ORDERING);
    let single = one_partition(at, state, place, log.order, ordering);
    let copied = at.peek(state, graph.node_place(from), operator::KEEPS_PARTITIONS) == Some(true);
    let by = if single {
        Some(ByKey::default())
    } else if copied {
        state.record.clone().or_else(|| written(at, state))
    } else {
        written(at, state)
    };
    let born_here = graph.nodes[from].kind() == ElementKind::Source;
    let read = state.holder;
    at.enters(state, &by.clone().unwrap_or_default(), place, writer);
    if !offered(log.order, ordering) {
        if log.order == catalog::Order::Stated && ordering.is_none() {
            let _ = at.need(state, place, channel::ORDERING);
        } else {
            at.ends(state, Break::NotOffered);
        }
    }
    if !single && by.is_some_and(|by| by.0.is_empty()) {
        keyless(at, state, place, Break::NoKey);
    } else if !single && !copied && kafka {
        partitioner(at, state, place, writer);
    }
    // What is not known so far is which partition records go to, and in which order they come to the writer. What
    // follows is whether the log keeps that order.
    if log.order == catalog::Order::Partition && offered(log.order, ordering) {
        (state.open_here, state.in_log) = (false, true);
    }
    if copied {
        mirrored(at, state, from, read, place);
    }
    if born_here {
        instances(at, state, writer, single && ordering == Some(Ordering::Global));
    }
    let in_order = log.kind == ChannelKind::Log && !log.transactions;
    match retries {
        // A client of its own sends again what was in flight, in its order.
        _ if log.transactions && !kafka => {}
        Retries::Overtaken => overtaken(at, state, Break::Retries),
        Retries::Unknown => unread(at, state, writer),
        Retries::Elsewhere if in_order => overtaken(at, state, |_| Break::Resent),
        Retries::Elsewhere | Retries::InPlace => {}
    }
}

/// Does all of the channel lie in one partition?
fn one_partition(
    at: &At<'_, '_>,
    state: &mut State,
    place: Place,
    order: catalog::Order,
    ordering: Option<Ordering>,
) -> bool {
    let partitions = at.peek(state, place, channel::PARTITIONS);
    match order {
        catalog::Order::Partition => partitions == Some(1),
        catalog::Order::Stream => partitions.is_none_or(|partitions| partitions == 1),
        catalog::Order::Stated => ordering == Some(Ordering::Global),
        catalog::Order::Nothing => false,
    }
}

/// Does the channel keep an order, by its nature or as it is set up?
fn offered(order: catalog::Order, ordering: Option<Ordering>) -> bool {
    match order {
        catalog::Order::Nothing => false,
        catalog::Order::Stated => ordering.is_some_and(|ordering| ordering != Ordering::Nothing),
        catalog::Order::Partition | catalog::Order::Stream => ordering != Some(Ordering::Nothing),
    }
}

/// The key that records are written by; empty: by none, or by a new one each. `None`: not known, and noted.
fn written(at: &mut At<'_, '_>, state: &mut State) -> Option<ByKey> {
    let key = at.need(state, at.place, write::KEY)?;
    by_columns(at, state, key)
}

/// A key as columns, with the record key followed to where it was set.
pub(super) fn by_columns(at: &mut At<'_, '_>, state: &mut State, key: Columns) -> Option<ByKey> {
    let named = |token: &str| key.0.iter().any(|column| &**column == token);
    if named("@record_key") {
        if state.record.is_none() {
            let holder = state.holder.unwrap_or(at.place);
            at.miss(state, holder, channel::KEY.field(), MissingWhy::NotKnown);
        }
        return state.record.clone();
    }
    // Tokens that are new for every record, or only say where it lay.
    let tokens = key.0.iter().any(|column| column.starts_with('@'));
    Some(if tokens { ByKey::default() } else { Arc::new(key) })
}

/// Without a key, records go to any of several partitions.
fn keyless(at: &mut At<'_, '_>, state: &mut State, place: Place, by: Break) {
    if at.need(state, place, channel::PARTITIONS).is_none() {
        return;
    }
    let before = state.broken_here;
    at.ends(state, by);
    // Within a partition they still stand as they were appended.
    (state.broken_here, state.keyless) = (before, true);
}

fn partitioner(at: &mut At<'_, '_>, state: &mut State, place: Place, writer: Place) {
    match at.graph.known(at.place, produce::PARTITIONER) {
        Known::Unset(_) => {
            let client = client(at, state, writer);
            if hashing(None, client).is_none() {
                at.miss(state, at.place, produce::PARTITIONER.field(), MissingWhy::Unset);
            }
            state.weigh(crate::model::Basis::Assumed);
        }
        _ => match at.need(state, at.place, produce::PARTITIONER) {
            Some(Partitioner::Murmur2 | Partitioner::Crc32) | None => {}
            Some(Partitioner::Sticky | Partitioner::RoundRobin) => keyless(at, state, place, Break::Spread),
            Some(Partitioner::Custom) => keyless(at, state, place, Break::CustomPartitioner),
        },
    }
}

/// The client library of a writer: as stated, else the one that its engine brings along.
fn client(at: &At<'_, '_>, state: &mut State, writer: Place) -> Option<Client> {
    let stated = at.peek(state, writer, source::CLIENT).or_else(|| at.peek(state, writer, job::CLIENT));
    let entry = at.graph.nodes.get(writer.index())?.entry?;
    let java = matches!(entry.id, "flink" | "kafka_streams" | "ksqldb" | "kafka_connect" | "mirror_maker" | "spark");
    stated.or(java.then_some(Client::Java))
}

/// Do the writers of a channel hash by different functions, as far as that is known?
pub(super) fn hash_apart(at: &At<'_, '_>, channel: usize) -> bool {
    let graph = at.graph;
    let mut first = None;
    graph.flows_in(channel).any(|edge| {
        let from = graph.edges[edge].from;
        let writer = graph.node_place(graph.nodes[from].job.unwrap_or(from));
        let set = graph.fact(graph.edge_place(edge), produce::PARTITIONER).map(|fact| fact.value);
        let Some(by) = hashing(set, client(at, &mut State::default(), writer)) else { return false };
        *first.get_or_insert(by) != by
    })
}

/// A copy that keeps the number of the partition: there must be as many in every log that it reads as in this one. As long
/// as a number is not known, nothing says so.
fn mirrored(at: &mut At<'_, '_>, state: &mut State, from: usize, read: Option<Place>, place: Place) {
    let graph = at.graph;
    let log = |place: &Place| graph.nodes.get(place.index()).is_some_and(|node| node.kind() == ElementKind::Channel);
    // Several logs meet in front of it: each of them.
    let mut logs: Vec<Place> = match read.filter(log) {
        Some(one) => vec![one],
        None => graph.flows_in(from).map(|edge| graph.node_place(graph.edges[edge].from)).filter(log).collect(),
    };
    logs.push(place);
    let counts: Vec<_> = logs.into_iter().map(|log| at.need(state, log, channel::PARTITIONS)).collect();
    let mut known = counts.iter().flatten();
    let first = known.next();
    if known.any(|count| Some(count) != first) {
        at.ends(state, Break::Mirror);
    }
}

/// Instances of a source that write themselves: only one of them appends in its own order.
fn instances(at: &mut At<'_, '_>, state: &mut State, writer: Place, deliberate: bool) {
    let taking = at.graph.nodes.get(writer.index()).and_then(|node| node.entry?.source).map(|source| source.takings);
    let fixed = taking.and_then(|takings| if let [only] = takings { Some(only.capture) } else { None });
    let capture = at.peek(state, at.place, take::CAPTURE).or(fixed);
    if capture == Some(Capture::ChangeLog) {
        state.global = deliberate;
        return;
    }
    match at.need(state, writer, source::INSTANCES) {
        Some(many) if many > 1 => at.ends(state, Break::Instances(many)),
        Some(_) => state.global = deliberate,
        None => {}
    }
}

/// A send that is repeated lands behind those that were in flight with it.
fn overtaken(at: &mut At<'_, '_>, state: &mut State, by: impl FnOnce(u64) -> Break) {
    match at.need(state, at.place, produce::MAX_IN_FLIGHT) {
        Some(in_flight) if in_flight > 1 => at.ends(state, by(in_flight)),
        Some(_) | None => {}
    }
}

/// What would say whether retries keep their place.
fn unread(at: &mut At<'_, '_>, state: &mut State, writer: Place) {
    let (place, before) = (at.place, state.trail);
    // One request at a time, or none sent again: nothing can be overtaken, whatever the rest is.
    if at.peek(state, place, produce::MAX_IN_FLIGHT) == Some(1) || at.peek(state, place, produce::RETRIES) == Some(0) {
        return;
    }
    let acks = at.graph.known(place, produce::ACKS);
    let idempotence = at.graph.known(place, produce::IDEMPOTENCE);
    // Read as not set: the client decides.
    let by_client = matches!(acks, Known::Unset(_)) || matches!(idempotence, Known::Unset(_));
    if !matches!(acks, Known::Value(_) | Known::Unset(_)) {
        let _ = at.need(state, place, produce::ACKS);
    }
    if !matches!(idempotence, Known::Value(_) | Known::Unset(_)) {
        let _ = at.need(state, place, produce::IDEMPOTENCE);
    }
    if by_client && at.graph.nodes[writer.index()].kind() == ElementKind::Source {
        let _ = at.need(state, writer, source::CLIENT);
        let _ = at.need(state, writer, source::CLIENT_VERSION);
    } else if by_client && released_with_client(at.graph, writer) {
        let _ = at.need(state, writer, job::VERSION);
    } else if by_client {
        let _ = at.need(state, writer, job::CLIENT);
        let _ = at.need(state, writer, job::CLIENT_VERSION);
    }
    if state.trail == before {
        at.miss(state, place, produce::IDEMPOTENCE.field(), MissingWhy::NotKnown);
    }
}
