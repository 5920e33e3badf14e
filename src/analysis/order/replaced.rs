//! An owner that its group replaced while it worked, and that wakes up and writes.
//!
//! A member that does not poll within `max.poll.interval.ms`, or whose heartbeats stop for longer than its session, loses its
//! partitions and does not know it: another one goes on at the committed position while it is still at work (Apache Kafka
//! Javadoc, `KafkaConsumer`: Detecting Consumer Failures; KIP-447 calls it a zombie). Where its record counts as done, the
//! new owner does not read it again, and what the old one writes is its first copy, after newer records. Where it does not,
//! it is one copy more, for `delivery` to tell. One member alone is no protection: another can start meanwhile.
//!
//! A transaction that holds the position is fenced (KIP-447), and so is a position or an epoch that is compared in the store.
//! A version that is compared turns an older row away, and says nothing of other rows.

use super::{
    send::by_columns,
    state::{At, ByKey, State, union},
    verdict::{Ahead, Break},
};
use crate::{
    analysis::graph::Place,
    catalog::PositionIn,
    model::{
        key::{job, read, store, write},
        words::{Client, OffsetCommit, OutputCommit, PositionGuard, Processing, WriteMode},
    },
};
use std::sync::Arc;

/// The write of `from` into a log: nothing there turns away what comes late.
pub(super) fn into_log(at: &mut At<'_, '_>, state: &mut State, from: usize) {
    for (place, by) in ahead(at, state, from) {
        At { graph: at.graph, trail: at.trail, place }.ends(state, Break::Replaced(by));
    }
}

/// The write of `from` into a store.
pub(super) fn into_store(at: &mut At<'_, '_>, state: &mut State, from: usize) {
    if state.owners.is_empty() {
        return;
    }
    let own_position = at.peek(state, at.place, write::OUTPUT_COMMIT) == Some(OutputCommit::WithPosition);
    if own_position || at.peek(state, at.place, store::POSITION_GUARD) == Some(PositionGuard::Fencing) {
        state.owners.clear();
        state.marked.clear();
        return;
    }
    let ahead = ahead(at, state, from);
    if ahead.is_empty() {
        return;
    }
    let guarded = guarded(at, state);
    let key = Arc::clone(&state.key);
    for (place, by) in ahead {
        let mut at = At { graph: at.graph, trail: at.trail, place };
        match &guarded {
            // Between rows of other keys nothing is compared.
            Some(row) => {
                state.key = Arc::clone(&key);
                at.narrows(state, row, |_| Break::Replaced(by));
            }
            None => at.ends(state, Break::Replaced(by)),
        }
    }
    if let Some(row) = guarded {
        state.arrival = union(&state.arrival, &row);
    }
}

/// The key of rows whose versions this write compares.
fn guarded(at: &mut At<'_, '_>, state: &mut State) -> Option<ByKey> {
    let replaces = matches!(at.peek(state, at.place, store::WRITE_MODE), Some(WriteMode::Upsert | WriteMode::Patch));
    let guard = at.peek(state, at.place, store::VERSION_GUARD).filter(|guard| replaces && !guard.0.is_empty());
    let key = guard.and_then(|_| at.peek(state, at.place, write::KEY))?;
    by_columns(at, state, key).filter(|row| !row.0.is_empty())
}

/// What counts a record as done before this write, and where, if an owner can be replaced between the two.
fn ahead(at: &mut At<'_, '_>, state: &mut State, from: usize) -> Vec<(Place, Ahead)> {
    let (reads, marked) = (std::mem::take(&mut state.owners), std::mem::take(&mut state.marked));
    if reads.is_empty() {
        return Vec::new();
    }
    if !marked.is_empty() {
        return at.graph.in_flow(&marked).into_iter().map(|marked| (marked, Ahead::Mark)).collect();
    }
    let node = &at.graph.nodes[from];
    let Some(engine) = node.entry.and_then(|entry| entry.engine) else { return Vec::new() };
    let stated = at.peek(state, at.place, write::OUTPUT_COMMIT);
    if stated == Some(OutputCommit::Nothing) && engine.output_commits.contains(&OutputCommit::Nothing) {
        return vec![(at.place, Ahead::Send)];
    }
    // Engines and connectors commit what they have written.
    let plain = matches!(engine.modes, [only] if only.position == PositionIn::Group);
    let owner = at.graph.node_place(node.job.unwrap_or(from));
    let mut ahead = at.graph.in_flow(&reads);
    ahead.retain(|read| plain && commits_ahead(at, state, *read, owner));
    ahead.into_iter().map(|read| (read, Ahead::Commit)).collect()
}

/// Does a service commit records that it has not worked off yet? Who never commits is not known to be in a group.
fn commits_ahead(at: &mut At<'_, '_>, state: &mut State, read: Place, owner: Place) -> bool {
    match at.need(state, read, read::OFFSET_COMMIT) {
        Some(OffsetCommit::BeforeWork) => true,
        // A record that finishes early takes along those before it.
        Some(OffsetCommit::PerRecord) => at.peek(state, read, read::IN_FLIGHT) != Some(1) && beside(at, state, read),
        Some(OffsetCommit::Auto) => match at.need(state, owner, job::CLIENT) {
            // The Java client commits in a later poll, of the thread that works unless others do.
            Some(Client::Java) => beside(at, state, read),
            // Others store a position when a record is handed out (librdkafka, CONFIGURATION.md: enable.auto.offset.store).
            Some(_) => true,
            None => false,
        },
        Some(OffsetCommit::AfterWork | OffsetCommit::WithOutput | OffsetCommit::Never) | None => false,
    }
}

/// Do other threads work than the one that polls?
fn beside(at: &mut At<'_, '_>, state: &mut State, read: Place) -> bool {
    matches!(at.need(state, read, read::PROCESSING), Some(Processing::Threads | Processing::Async))
}
