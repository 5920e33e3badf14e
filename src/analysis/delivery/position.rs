//! Whether a reader finds its position again, and where it goes on where it does not.
//!
//! A group without a committed position starts where `auto.offset.reset` says: at the end, past everything that came
//! before, or at the beginning, once more through everything that is kept. A group is without one before its first
//! commit, and when its position expired because no member was there for as long as the broker keeps it (Apache Kafka
//! documentation, Consumer Configs: auto.offset.reset; Broker Configs: offsets.retention.minutes; KIP-211).

use super::{
    hop::Examined,
    ledger::Found,
    running::Running,
    source::down_less,
    state::{Instance, State},
    transaction::stated_outage,
    verdict::{Condition, CopyClass, HopPart, Variable},
};
use crate::{
    analysis::explain::{Explained, Unit},
    catalog::{ChannelKind, PositionIn},
    model::{
        key::{cluster, read},
        units::Limit,
        words::{OffsetCommit, OffsetReset},
    },
};
use std::sync::Arc;

/// Examines what a lost position does to this reader of the log `from`.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) {
    let log = hop.graph.nodes[from].entry.and_then(|entry| entry.channel);
    let of_its_own = running.mode.is_none_or(|mode| mode.position == PositionIn::Checkpoint);
    let never = hop.graph.fact(hop.place, read::OFFSET_COMMIT).is_some_and(|fact| fact.value == OffsetCommit::Never);
    if of_its_own || never || log.is_none_or(|log| log.kind != ChannelKind::Log) {
        return;
    }
    let kept = if running.own_positions { None } else { retention(hop, from) };
    match hop.peek(hop.place, read::OFFSET_RESET) {
        Some(OffsetReset::Latest) => skips(hop, state, from, running, kept),
        Some(OffsetReset::Earliest) => {
            let away = stated_outage(hop.graph, running.job);
            if kept.zip(away).is_some_and(|(kept, away)| away.value >= kept.value) {
                hop.row.remarks.push("none: its position has expired, and everything that is kept comes again");
                hop.add(state, Instance { own: true, ..Instance::new(CopyClass::Redelivery, hop.place) });
            }
        }
        Some(OffsetReset::Nothing) | None => {}
    }
}

fn skips(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running, kept: Option<Arc<Explained>>) {
    let (name, log) = (hop.title(running.job), hop.title(hop.graph.node_place(from)));
    let condition = Condition {
        text: format!("{name} has a position in {log} before records come"),
        variable: Variable::Other(hop.graph.id(hop.place).clone()),
        bound: None,
        inside: None,
        hop: hop.hop(HopPart::Whole),
    };
    let cause = "without a position it starts at the end: what came before is skipped";
    hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
    if kept.is_some() {
        let condition = down_less(hop, running.job, kept, "its position is kept");
        let cause = "its position expires while it is away, and it goes on at the end";
        hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
    }
}

/// How long the position of an empty group is kept: as set for this reader, else by the cluster.
fn retention(hop: &Examined<'_, '_>, from: usize) -> Option<Arc<Explained>> {
    let what = "how long an idle position is kept";
    if let Some(fact) = hop.graph.fact(hop.place, read::OFFSETS_RETENTION) {
        let Limit::Of(kept) = fact.value else { return None };
        return Some(Explained::fact(what, Unit::Seconds, &fact, kept.secs()));
    }
    let graph = hop.graph;
    let id = graph.nodes[from].subject.cluster.as_ref()?;
    let subject = graph.design.clusters.get(id)?;
    let fact = graph.design.read(graph.view, id, subject, cluster::OFFSETS_RETENTION).fact()?;
    Some(Explained::fact(what, Unit::Seconds, &fact, fact.value.secs()))
}
