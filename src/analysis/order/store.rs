//! Writing into a store: rows of one key replace each other in the order in which they are written, unless their
//! versions are compared (Elasticsearch reference, Index API: external versioning; Apache Iceberg documentation, Flink
//! Writes: distribution mode).

use super::{
    send::by_columns,
    state::{At, State, union},
    verdict::{Break, covers},
};
use crate::{
    analysis::{graph::Place, versions::Versions},
    model::{
        Columns, Element,
        key::{event, operator, sink, store, write},
        words::{Emit, WindowKind, WriteMode},
    },
};
use std::sync::Arc;

/// The write of `from` into the store `to`.
pub(super) fn examine(at: &mut At<'_, '_>, state: &mut State, from: usize, to: usize) {
    let graph = at.graph;
    let place = graph.node_place(to);
    state.store = Some(place);
    if state.writer.is_none() {
        state.writer = Some(graph.node_place(graph.nodes[from].job.unwrap_or(from)));
    }
    state.global = false;
    match at.need(state, at.place, store::WRITE_MODE) {
        Some(WriteMode::Upsert | WriteMode::Patch) => replaced(at, state),
        Some(
            WriteMode::Append
            | WriteMode::InsertIfAbsent
            | WriteMode::Increment
            | WriteMode::ReplaceRange
            | WriteMode::FileCommit
            | WriteMode::Call,
        )
        | None => {}
    }
    if at.peek(state, place, sink::OTHER_WRITERS) == Some(true) {
        at.ends(state, Break::OtherWriters);
        state.newest = false;
    }
}

/// Rows by key: what is written last stands.
fn replaced(at: &mut At<'_, '_>, state: &mut State) {
    let key = at.need(state, at.place, write::KEY);
    let Some(row) = key.and_then(|key| by_columns(at, state, key)) else { return };
    let guard = at.peek(state, at.place, store::VERSION_GUARD).unwrap_or_default();
    let by_offset = guard.0.iter().any(|column| &**column == "@offset");
    if !guard.0.is_empty() && !by_offset {
        (state.newest, state.arrival) = (true, row);
        return;
    }
    // Rows that stand for one event each are never replaced by another one.
    if row.0.is_empty() || by_event(at, state, &row) {
        return;
    }
    let versions = Versions::at(at.graph, at.place);
    if guard.0.is_empty() && versions == Versions::NotCompared && !once(at, state) {
        state.overwrites = vec![at.place];
    }
    if state.keyless {
        return at.ends(state, Break::RowsApart(versions));
    }
    if covers(&row, &state.arrival) {
        return;
    }
    let kept = union(&union(&state.key, &state.arrival), &row);
    state.trail = at.trail.breaks(state.trail, at.place, Break::RowsApart(versions), Some(Arc::clone(&kept)));
    (state.key, state.broken, state.broken_here) = (kept, true, true);
}

/// Are these results of windows that are sent once each?
fn once(at: &At<'_, '_>, state: &mut State) -> bool {
    let Some(born) = state.born else { return false };
    let windowed = at.peek(state, born, operator::WINDOW).is_some_and(|window| window != WindowKind::Nothing);
    windowed && matches!(at.peek(state, born, operator::EMIT), Some(Emit::OnClose | Emit::Suppress))
}

/// Is the key of the row, or a part of it, the id of one event?
fn by_event(at: &At<'_, '_>, state: &mut State, row: &Columns) -> bool {
    let id = state.born.and_then(|born| born_as(at, born));
    let Some((id, subject)) = id.and_then(|id| at.graph.design.events.get_key_value(id)) else { return false };
    let known = at.graph.design.read(at.graph.view, id, subject, event::EVENT_ID).fact();
    known.is_some_and(|fact| {
        state.weigh(fact.basis);
        !fact.value.0.is_empty() && covers(row, &fact.value)
    })
}

fn born_as<'d>(at: &At<'_, 'd>, place: Place) -> Option<&'d crate::model::Id> {
    match at.graph.nodes.get(place.index())?.element {
        Element::Source { event, .. } => event.as_ref(),
        Element::Operator { emits, .. } => emits.as_ref(),
        _ => None,
    }
}
