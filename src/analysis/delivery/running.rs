//! How the job of an operator runs: what its engine does under its guarantee.

use super::{hop::Examined, ledger::BOTH, state::State, transaction::stated_outage};
use crate::{
    analysis::{
        explain::MissingWhy,
        graph::{Graph, Place},
    },
    catalog::{Mode, PositionIn, StateCommit},
    model::{ElementKind, Field, key::job, words::ProcessingGuarantee},
};

/// How a job runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    /// The job; a batch path stands for itself.
    pub job: Place,
    /// What its engine does; `None`: not known, and noted.
    pub mode: Option<&'static Mode>,
    /// A consumer of its own making: position and state are what its code makes of them.
    pub plain: bool,
    /// A connector runtime: it confirms its writes before it moves on.
    pub connector: bool,
    /// A batch path.
    pub batch: bool,
}

/// Which side of a connector asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It reads a log: the guarantee of source connectors does not apply.
    Sink,
    /// It writes into a log.
    Source,
}

impl Running {
    /// Is its state restored to the same point as its position?
    pub fn exact(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::Exact)
    }

    /// Can its state already hold what is read again?
    pub fn at_least_once(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::AtLeastOnce)
    }

    /// Does a restart forget its state, while the position moves on?
    pub fn volatile(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::Volatile)
    }

    /// Does it keep its position in a checkpoint?
    pub fn checkpointed(&self) -> bool {
        self.mode.is_some_and(|mode| mode.position == PositionIn::Checkpoint)
    }
}

/// How the job of `node` runs; notes what is missing for an answer.
pub(super) fn running(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, side: Side) -> Running {
    let graph = hop.graph;
    let owner = graph.nodes[node].job.unwrap_or(node);
    let place = graph.node_place(owner);
    let batch = graph.nodes[node].kind() == ElementKind::Batch;
    let mut running = Running { job: place, mode: None, plain: false, connector: false, batch };
    if batch {
        return running;
    }
    let Some(engine) = graph.nodes[node].entry.and_then(|entry| entry.engine) else {
        hop.miss(state, place, system_field(), MissingWhy::System, BOTH);
        return running;
    };
    running.connector =
        engine.modes.iter().all(|mode| mode.position != PositionIn::Group && mode.state == StateCommit::Nothing);
    let only = match engine.modes {
        [only] => Some(only),
        _ => None,
    };
    running.plain = only.is_some_and(|mode| mode.position == PositionIn::Group);
    running.mode = only.or_else(|| {
        if running.connector && side == Side::Sink {
            return engine.mode(Some(ProcessingGuarantee::AtLeastOnce));
        }
        let guarantee = hop.need(state, place, job::PROCESSING_GUARANTEE, BOTH)?;
        let mode = engine.mode(Some(guarantee));
        if mode.is_none() {
            hop.miss(state, place, job::PROCESSING_GUARANTEE.field(), MissingWhy::NotKnown, BOTH);
        }
        mode
    });
    running
}

/// Stands for the system of a job in what is missing: the nearest setting that every subject has.
pub(super) fn system_field() -> Field {
    job::VERSION.field()
}

/// How long after the first one a copy can come that this job makes by reading again, in ms: what it may have to read
/// again, and how long it may be down. `None`: not known.
pub(super) fn rewind(graph: &Graph<'_>, job: Place) -> Option<u64> {
    let interval = graph.fact(job, job::CHECKPOINT_INTERVAL).or_else(|| graph.fact(job, job::COMMIT_INTERVAL))?;
    let outage = stated_outage(graph, job)?;
    Some(interval.value.millis().saturating_add(millis(outage.value)))
}

/// Seconds as ms.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast of a float saturates")]
pub(super) fn millis(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}
