//! Where events come from, and how a log is read: one member of a group reads a partition, and works through it as the
//! read link says.

use super::{
    send::by_columns,
    state::{At, ByKey, State},
    verdict::Break,
};
use crate::{
    analysis::delivery::versions,
    catalog::{self, PositionIn, Resend},
    model::{
        ElementKind,
        key::{channel, read, take},
        units::Limit,
        words::{Acknowledge, Capture, Ordering, Processing},
    },
};
use std::sync::Arc;

/// A channel: what is written is read in its order, unless keys move to other partitions.
pub(super) fn channel(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let graph = at.graph;
    if !state.reached && graph.ins(node).is_empty() {
        taken_as_it_stands(at, state, node);
    }
    // Keys of a log with partitions move; newer records of one are read beside its older ones.
    if versions::grows(graph, node) && !state.arrival.0.is_empty() {
        at.ends(state, Break::Grown);
    }
}

/// Who writes it is not drawn: its own key says what lies in one partition.
fn taken_as_it_stands(at: &mut At<'_, '_>, state: &mut State, node: usize) {
    let (graph, place) = (at.graph, at.place);
    state.begin(place);
    state.holder = Some(place);
    let order = graph.nodes[node].entry.and_then(|entry| entry.channel).map(|log| log.order);
    let partitions = at.peek(state, place, channel::PARTITIONS);
    let whole = order == Some(catalog::Order::Stream) && partitions.is_none();
    let key = if partitions == Some(1) || whole {
        Some(ByKey::default())
    } else {
        at.need(state, place, channel::KEY).and_then(|key| by_columns(at, state, key))
    };
    let none = key.as_ref().is_some_and(|key| key.0.is_empty()) && partitions != Some(1) && !whole;
    if let Some(key) = key {
        (state.key, state.arrival, state.record) = (Arc::clone(&key), Arc::clone(&key), Some(key));
    }
    if none {
        at.ends(state, Break::NoKey);
        (state.broken_here, state.keyless) = (false, true);
    }
    if order == Some(catalog::Order::Nothing) || at.peek(state, place, channel::ORDERING) == Some(Ordering::Nothing) {
        at.ends(state, Break::NotOffered);
    }
}

/// Reading the channel `from`.
pub(super) fn examine(at: &mut At<'_, '_>, state: &mut State, from: usize, to: usize) {
    let graph = at.graph;
    let engine = graph.nodes[to].entry.and_then(|entry| entry.engine);
    let ordered =
        graph.nodes[from].entry.and_then(|entry| entry.channel).is_some_and(|log| log.order != catalog::Order::Nothing);
    let replaceable = engine.is_some_and(|engine| engine.zombies) && graph.nodes[to].kind() == ElementKind::Operator;
    state.owners = Vec::from_iter((ordered && replaceable).then_some(at.place));
    state.marked.clear();
    redelivered(at, state, from);
    let plain = engine.is_some_and(|engine| matches!(engine.modes, [only] if only.position == PositionIn::Group));
    let processing =
        if plain { at.need(state, at.place, read::PROCESSING) } else { at.peek(state, at.place, read::PROCESSING) };
    if matches!(processing, Some(Processing::Threads | Processing::Async)) {
        workers(at, state);
    }
}

/// A message that was not acknowledged comes again after later ones, unless its group waits for it.
fn redelivered(at: &mut At<'_, '_>, state: &mut State, from: usize) {
    let graph = at.graph;
    let Some(entry) = graph.nodes[from].entry else { return };
    let Some(log) = entry.channel.filter(|log| log.redelivery == Resend::Isolated) else { return };
    let waits = match at.peek(state, graph.node_place(from), channel::ORDERING) {
        // FIFO groups, sessions and ordering keys hold back what comes after; Key_Shared of Apache Pulsar does not.
        Some(Ordering::PerGroup | Ordering::PerKey) => entry.id != "pulsar",
        _ => false,
    };
    let one =
        at.peek(state, at.place, read::IN_FLIGHT) == Some(1) || at.peek(state, at.place, read::PREFETCH) == Some(1);
    let nothing = log.order == catalog::Order::Nothing;
    if !waits && !one && !nothing {
        at.ends(state, Break::Redelivery);
    }
}

/// Several workers take records of one partition at once.
fn workers(at: &mut At<'_, '_>, state: &mut State) {
    let by = at.peek(state, at.place, read::WORKER_KEY).filter(|by| !by.0.is_empty());
    let Some(by) = by else { return at.ends(state, Break::Workers(None)) };
    if by.0.iter().any(|column| &**column == "@record_key") && state.record.is_none() {
        return at.ends(state, Break::WorkersByUnreadKey);
    }
    match by_columns(at, state, by).filter(|by| !by.0.is_empty()) {
        Some(by) => {
            let named = Arc::clone(&by);
            at.shared(state, &by, |_| Break::Workers(Some(named)));
        }
        None => at.ends(state, Break::Workers(None)),
    }
}

/// Taking events from a source, or from the changes of a store.
pub(super) fn taken(at: &mut At<'_, '_>, state: &mut State, from: usize) {
    let takings = at.graph.nodes[from].entry.and_then(|entry| entry.source).map_or(&[][..], |source| source.takings);
    let capture = match (at.peek(state, at.place, take::CAPTURE), takings) {
        (Some(capture), _) => Some(capture),
        (None, [only]) => Some(only.capture),
        _ => at.need(state, at.place, take::CAPTURE),
    };
    let again = match capture {
        Some(Capture::Push | Capture::Subscribe) => match at.need(state, at.place, take::ACKNOWLEDGE) {
            Some(Acknowledge::AfterStore | Acknowledge::BeforeStore) => {
                at.peek(state, at.place, take::RESEND_WITHIN) != Some(Limit::None)
            }
            Some(Acknowledge::Never | Acknowledge::OncePerHop) | None => false,
        },
        Some(Capture::Listing) => true,
        // One session appends in its own order; what a restart sends again belongs to the next one.
        Some(Capture::InProcess | Capture::ChangeLog) | None => false,
        Some(Capture::PollTimestamp | Capture::PollSequence | Capture::PollTable) => false,
    };
    if again {
        at.ends(state, Break::SourceResent);
    }
}
