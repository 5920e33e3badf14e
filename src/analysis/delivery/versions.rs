//! Rows of one key that come out of order, or whose versions do not compare.
//!
//! An offset orders the records of one partition of one topic and nothing else. Where rows of one key can come from
//! several partitions, or offsets start again, the newer row can have the lower offset and is then ignored
//! (Elasticsearch reference, Index API: external versioning; Confluent Elasticsearch sink: version is the offset).

use super::{
    hop::Examined,
    ledger::{Found, LOSS},
    read::bit,
    state::{Instance, State, Tainted, put},
    verdict::{Condition, CopyClass, HopPart, Transient, Variable},
    write::{log_reads, reused_offsets},
};
use crate::{
    analysis::graph::{Graph, Place},
    model::{
        Columns, View,
        key::{channel, flow, job, operator, produce, store, write},
        words::{Distribution, Partitioner},
    },
};

/// A write of rows by key that an offset guards.
pub(super) fn by_offset(hop: &mut Examined<'_, '_>, state: &mut State, key: &Columns) {
    let guard = hop.peek(hop.place, store::VERSION_GUARD);
    if !guard.is_some_and(|guard| guard.0.iter().any(|part| &**part == "@offset")) {
        return;
    }
    let Some(log) = state.log else { return several_logs(hop, state) };
    let title = hop.title(log);
    if hop.peek(log, channel::RECREATED) == Some(true) {
        let cause = format!("offsets of {title} started again: newer rows have lower ones and are ignored");
        hop.lose(state, Found::possible(HopPart::Writer, cause));
        return;
    }
    reused_offsets(hop, state);
    if hop.peek(log, channel::PARTITIONS) == Some(1) {
        return;
    }
    let across = format!("one key comes from several partitions of {title}, whose offsets do not compare");
    match one_partition(hop, state, log, key) {
        Some(Partition::ByKey) | None => {}
        Some(Partition::Any) => hop.lose(state, Found::possible(HopPart::Writer, across)),
        Some(Partition::NotStated) => {
            let condition = Condition {
                text: format!("one key always goes to the same partition of {title}"),
                variable: Variable::Other(hop.graph.id(log).clone()),
                bound: None,
                inside: None,
                hop: hop.hop(HopPart::Writer),
            };
            hop.lose(state, Found::unless(HopPart::Writer, condition, across));
        }
    }
}

/// Offsets of one log say nothing of those of another.
fn several_logs(hop: &mut Examined<'_, '_>, state: &mut State) {
    let graph = hop.graph;
    let from = hop.place.index().checked_sub(graph.nodes.len()).map(|edge| graph.edges[edge].from);
    if from.is_none_or(|from| log_reads(graph, from).len() < 2) {
        return;
    }
    let condition = Condition {
        text: "all records of one row come from the same log".to_owned(),
        variable: Variable::Other(graph.id(hop.place).clone()),
        bound: None,
        inside: None,
        hop: hop.hop(HopPart::Writer),
    };
    let cause = "offsets of several logs do not compare: a newer row can have the lower one and is then ignored";
    hop.lose(state, Found::unless(HopPart::Writer, condition, cause));
}

/// Where the records of one row go.
enum Partition {
    /// By the key: all into one.
    ByKey,
    /// Into several.
    Any,
    /// By whatever the client does where nothing is set.
    NotStated,
}

/// `None`: not known, and noted.
fn one_partition(hop: &mut Examined<'_, '_>, state: &mut State, log: Place, key: &Columns) -> Option<Partition> {
    let writer = state.record_key;
    if !key.0.iter().any(|column| &**column == "@record_key") {
        let record = match state.keyed_by {
            Some(from) => hop.need(state, from, write::KEY, LOSS)?,
            None => hop.need(state, log, channel::KEY, LOSS)?,
        };
        if record.0.is_empty() || !record.0.iter().all(|column| key.0.contains(column)) {
            return Some(Partition::Any);
        }
    }
    Some(match writer.and_then(|from| hop.peek(from, produce::PARTITIONER)) {
        Some(Partitioner::Murmur2 | Partitioner::Crc32) => Partition::ByKey,
        Some(Partitioner::Custom | Partitioner::RoundRobin) => Partition::Any,
        Some(Partitioner::Sticky) | None => Partition::NotStated,
    })
}

/// A hand-over inside a job: parallel tasks that do not each get all rows of a key lose their order (Apache Flink
/// documentation, Physical Partitioning; Apache Iceberg documentation, Flink Writes: distribution mode).
pub(super) fn hand_over(hop: &mut Examined<'_, '_>, state: &mut State, to: usize) {
    let place = hop.graph.node_place(to);
    let tasks = hop.peek(place, operator::PARALLELISM).or_else(|| {
        let job = hop.graph.nodes[to].job?;
        hop.peek(hop.graph.node_place(job), job::PARALLELISM)
    });
    let distribution = hop.peek(hop.place, flow::DISTRIBUTION);
    if distribution.is_some_and(|distribution| distribution != Distribution::Forward) {
        // Marks and what comes behind them are no longer saved together.
        state.deduplicated = None;
    }
    match distribution {
        Some(Distribution::Hash) => state.shuffled.clear(),
        Some(Distribution::Rebalance | Distribution::Broadcast) if tasks != Some(1) => {
            put(&mut state.shuffled, hop.place);
            hop.row.remarks.push("rows of one key go to several tasks");
        }
        Some(Distribution::Rebalance | Distribution::Broadcast | Distribution::Forward) | None => {}
    }
}

/// Are more partitions proposed than the log has today? Keys then move, and their newer rows are read beside the older
/// ones that are still unread (Apache Kafka documentation, Basic Operations: Modifying topics).
pub(in crate::analysis) fn grows(graph: &Graph<'_>, log: usize) -> bool {
    let subject = graph.nodes[log].subject;
    let today = subject.observed.values().find_map(|facts| facts.typed(channel::PARTITIONS));
    let then = subject.proposed.typed(channel::PARTITIONS);
    graph.view == View::ToBe && then.zip(today).is_some_and(|(then, today)| then > today)
}

/// Rows that replace each other, written by several tasks that share a key: an older one can come last.
pub(super) fn overtaken(hop: &Examined<'_, '_>, state: &mut State) {
    for origin in [&*state.shuffled, &state.grown].concat() {
        state.taint(Tainted {
            at: hop.place,
            class: CopyClass::Reordered,
            origin,
            stale: true,
            own: false,
            hidden: None,
        });
    }
}

/// Copies whose first one was lost: they come after newer events and are taken for new ones.
pub(super) fn late_copies(hop: &Examined<'_, '_>, state: &mut State) {
    for (class, origin) in state.late_copies.clone() {
        state.taint(Tainted { at: hop.place, class, origin, stale: true, own: false, hidden: None });
        state.transient |= bit(Transient::OlderValueShownAgain);
    }
}

/// What stands here in the end is the newest version only while no owner that was replaced writes late: such a writer brings
/// one old copy after newer ones. Nothing is added where an older version can stand anyway.
pub(super) fn replaced(hop: &Examined<'_, '_>, state: &mut State, of: impl Fn(&Instance) -> bool) {
    if state.taints.iter().any(|taint| taint.at == hop.place && taint.stale && taint.hidden.is_none()) {
        return;
    }
    let late = |copy: &&Instance| copy.zombie && copy.key && copy.hidden.is_none() && of(copy);
    for copy in state.copies.iter().filter(late) {
        put(&mut state.replaced, (hop.place, copy.origin));
    }
}
