//! Planned replays: an operator's rewind of a log, of a group's position, or of a job to an older savepoint.
//!
//! A replay has a place. Rewinding the log that a store is filled from gives records with the same coordinates; further
//! up it gives new ones. State that is kept counts again; state that is wiped or rolled back counts from the start.

use super::{
    hop::Examined,
    running::Running,
    state::{Instance, State},
    verdict::CopyClass,
};
use crate::model::{ActionKind, StateHandling, View};

/// Examines what the planned actions do to this reader of the channel `from`.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) {
    let graph = hop.graph;
    if graph.view == View::AsIs || graph.design.records.actions.is_empty() {
        return;
    }
    let (channel, job) = (graph.nodes[from].id, graph.id(running.job));
    for action in graph.design.records.actions.values() {
        let reads = action.about.iter().any(|id| id == channel || id == job || id == graph.id(hop.place));
        let resets = match action.kind {
            ActionKind::Replay | ActionKind::ResetOffsets | ActionKind::Backfill => {
                matches!(action.state_handling, Some(StateHandling::Reset | StateHandling::Shadow))
            }
            ActionKind::RestoreSavepoint => true,
            ActionKind::DeleteState | ActionKind::DeleteChannel | ActionKind::DeleteRecords | ActionKind::Publish => {
                continue;
            }
        };
        if !reads {
            continue;
        }
        // Not the job's own copies: no transaction of the job takes back what it committed before the rewind.
        hop.add(state, Instance { anew: resets, ..Instance::new(CopyClass::Replay, hop.place) });
    }
}
