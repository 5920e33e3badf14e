//! What a consumer needs of a log: the age of its oldest result, and the look-backs on the way, which add.

use super::super::read;
use crate::{
    analysis::{
        ReplayStart,
        explain::{Explained, Formula, Unit},
    },
    model::{Design, Id, View, key},
};
use std::sync::Arc;

static AT_LOG: Formula = Formula {
    id: "E5.needed",
    text: "needed by the consumer + look-backs on the way",
    source: "look-backs add along the way; results of replays compared with the full run over 4 000 simulated pipelines",
};
static SHORT: Formula = Formula { id: "E5.short", text: "needed − reach", source: "what a replay would not find" };

/// What the consumer says it needs.
pub(super) fn of(design: &Design, view: View, consumer: &Id) -> Option<Arc<Explained>> {
    let fact = design.get(view, consumer, key::consumer::REPLAY_NEEDED).fact()?;
    let value = fact.value.secs();
    Some(Explained::fact("replay needed", Unit::Seconds, &fact, value))
}

/// The look-backs between a start and the results; those of a de-duplication that has to know all first copies apart.
pub(super) struct Way {
    /// The look-backs, nearest to the consumer first.
    pub taken: Vec<Arc<Explained>>,
    /// Of a de-duplication, where it must be filled.
    pub filling: Vec<Arc<Explained>>,
}

impl Way {
    pub(super) fn of(start: &ReplayStart) -> Self {
        let look_backs = |reach: &Arc<Explained>| read::look_backs(reach).0;
        let taken = start.reach.as_ref().map(look_backs).unwrap_or_default();
        let filled = start.after_deduplication.iter().flatten().flat_map(look_backs);
        let filling = filled.filter(|one| !taken.contains(one)).collect();
        Self { taken, filling }
    }
}

/// What is needed of the log.
pub(super) fn at_log(log: &Id, needed: &Arc<Explained>, taken: &[Arc<Explained>]) -> Arc<Explained> {
    let inputs: Vec<Arc<Explained>> = std::iter::once(needed).chain(taken).cloned().collect();
    let value = inputs.iter().map(|one| one.value).sum();
    Explained::derive("needed of the log", Some(log), Unit::Seconds, &AT_LOG, inputs, value, None)
}

/// What is missing to what is needed.
pub(super) fn short(log: &Id, needed: &Arc<Explained>, reach: &Arc<Explained>) -> Arc<Explained> {
    let value = (needed.value - reach.value).max(0.0);
    let inputs = vec![Arc::clone(needed), Arc::clone(reach)];
    Explained::derive("short by", Some(log), Unit::Seconds, &SHORT, inputs, value, None)
}
