//! How output becomes final: what ties a write to the position, and what happens to a job's own copies.

use super::{
    connector,
    hop::Examined,
    ledger::{BOTH, COPIES, ClaimKind, Found, LOSS},
    produce::{self, Producer},
    running::Running,
    state::{Instance, State, join},
    transaction,
    verdict::{Condition, CopyClass, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::MissingWhy,
        graph::{Graph, Place},
    },
    catalog::StateCommit,
    model::{
        ElementKind,
        key::{operator, read, sink, store, write},
        words::{OffsetCommit, OutputCommit, PositionGuard, Transactions, WriteMode},
    },
};

/// A job writes into the channel at the end of this link.
pub(super) fn into_channel(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, to: usize, running: &Running) {
    let commit = tied(hop, state, running, to);
    let log = hop.graph.nodes[to].entry.and_then(|entry| entry.channel);
    let transactional = match commit {
        Some(OutputCommit::TwoPhase | OutputCommit::WithPosition) if log.is_some_and(|log| !log.transactions) => {
            hop.row.remarks.push("none: this log has no transactions");
            false
        }
        Some(OutputCommit::TwoPhase) => two_phase(hop, state, running, true),
        Some(OutputCommit::WithPosition) => with_position_in_log(hop, state, from, running),
        Some(OutputCommit::Nothing) => {
            unconfirmed(hop, state);
            false
        }
        _ => false,
    };
    let producer = Producer { owner: running.job, application: running.plain, transactional };
    let keeps_offsets = hop.peek(hop.graph.node_place(from), operator::KEEPS_OFFSETS) == Some(true);
    state.leave_job();
    new_log(hop, state, keeps_offsets);
    produce::examine(hop, state, to, producer);
    state.transactional = transactional;
    let kept = hop.peek(hop.place, write::KEY).is_some_and(|key| key.0.iter().any(|column| &**column == "@record_key"));
    if !kept {
        state.keyed_by = Some(hop.place);
    }
    state.record_key = Some(hop.place);
    state.last_write = Some(hop.place);
}

/// In a new log every copy is a record of its own; a job's own copies become results that were written again.
pub(super) fn new_log(hop: &mut Examined<'_, '_>, state: &mut State, keeps_offsets: bool) {
    if keeps_offsets {
        hop.remove(state, ClaimKind::Removes, |_| "records keep their offsets".to_owned(), |copy| copy.own);
        return;
    }
    let mut written = false;
    for copy in &mut state.copies {
        copy.coordinates = false;
        if copy.own {
            copy.own = false;
            if copy.class == CopyClass::Redelivery {
                rewritten(copy, hop);
                written = true;
            }
        }
    }
    if written {
        hop.row.adds.push(CopyClass::Reemission);
    }
    let copies = std::mem::take(&mut state.copies);
    join(&mut state.copies, copies);
}

/// What a job reads again is a result that it writes again; of the two, the first one can only be lost from here on.
fn rewritten(copy: &mut Instance, hop: &Examined<'_, '_>) {
    (copy.class, copy.origin) = (CopyClass::Reemission, hop.place);
    copy.bereft = hop.row.bereaves;
}

/// What ties this write to the position; `None`: not known, and noted.
pub(super) fn tied(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    running: &Running,
    to: usize,
) -> Option<OutputCommit> {
    if running.batch {
        return Some(OutputCommit::Flush);
    }
    let stated = hop.peek(hop.place, write::OUTPUT_COMMIT);
    let into_log = hop.graph.nodes[to].kind() == ElementKind::Channel;
    let mode = running.mode?;
    if running.plain {
        return Some(stated.unwrap_or(OutputCommit::Flush));
    }
    match mode.output {
        // What the engine fixes for its own log does not reach into another store.
        Some(OutputCommit::WithPosition) if !into_log => Some(stated.unwrap_or(OutputCommit::Flush)),
        Some(fixed) if into_log || !running.connector => Some(fixed),
        Some(fixed) => Some(stated.unwrap_or(fixed)),
        None if running.checkpointed() || mode.state == StateCommit::Volatile => match stated {
            Some(commit) => Some(commit),
            None if batches(hop, running) => Some(OutputCommit::Flush),
            None => hop.need(state, hop.place, write::OUTPUT_COMMIT, BOTH),
        },
        None => Some(stated.unwrap_or(OutputCommit::Flush)),
    }
}

/// Micro-batches: a batch is written before the next begins, and written again after a crash.
fn batches(hop: &Examined<'_, '_>, running: &Running) -> bool {
    let engine = hop.graph.nodes[running.job.index()].entry.and_then(|entry| entry.engine);
    engine.is_some_and(|engine| engine.output_commits.contains(&OutputCommit::BatchId))
}

/// Nothing waits for the write before the position moves on.
pub(super) fn unconfirmed(hop: &mut Examined<'_, '_>, state: &mut State) {
    let cause = "not confirmed before the position moves on: what is still buffered is gone after a crash";
    hop.lose(state, Found::possible(HopPart::Writer, cause));
}

/// Removes the job's own copies by something that moves the position in the same step.
pub(super) fn own_undone(hop: &mut Examined<'_, '_>, state: &mut State, mechanism: &str) {
    hop.remove(state, ClaimKind::Atomic, |_| mechanism.to_owned(), |copy| copy.own);
}

/// A two-phase commit with the checkpoint. Gives whether readers can wait for it.
pub(super) fn two_phase(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running, into_log: bool) -> bool {
    if running.exact() || state.deduplicated.is_some() {
        own_undone(hop, state, "the commit with the checkpoint");
    } else if running.volatile() {
        let cause = "two-phase output without checkpoints is never committed";
        hop.lose(state, Found::possible(HopPart::Writer, cause));
    } else {
        hop.row.remarks.push("checkpoints hold earlier positions than the output");
    }
    if into_log && running.checkpointed() {
        timeout(hop, state, running.job);
    }
    true
}

fn timeout(hop: &mut Examined<'_, '_>, state: &mut State, job: Place) {
    let bound = match transaction::outage_bound(hop.graph, hop.place, job) {
        Ok(bound) => bound,
        Err(_) if outlasted(hop, job) => {
            let cause =
                "the stated outage is longer than the whole transaction timeout: the broker aborts what was prepared";
            hop.lose(state, Found::possible(HopPart::TransactionTimeout, cause));
            return;
        }
        Err(underivable) => {
            let mut configuration = false;
            for missing in Vec::from(underivable.missing) {
                configuration |= missing.nature() == crate::model::Nature::Configuration;
                let number = hop.ledger.miss(hop.place, missing, LOSS);
                super::state::put(&mut state.unknown, number);
                hop.row.open.push(number);
            }
            hop.row.blind |= configuration;
            return;
        }
    };
    hop.basis = super::state::weaker(hop.basis, bound.basis);
    let cause = "the broker aborts what was prepared when the job is down longer than the transaction timeout covers";
    if bound.value <= 0.0 {
        hop.lose(state, Found::possible(HopPart::TransactionTimeout, cause));
        return;
    }
    let condition = super::source::down_less(hop, job, Some(bound), "its transaction timeout");
    let condition = Condition { hop: hop.hop(HopPart::TransactionTimeout), ..condition };
    hop.lose(state, Found::unless(HopPart::TransactionTimeout, condition, cause));
}

/// Is the outage that is stated longer than the timeout itself, whatever the checkpoints take of it?
fn outlasted(hop: &mut Examined<'_, '_>, job: Place) -> bool {
    let timeout = hop.peek(hop.place, crate::model::key::produce::TRANSACTION_TIMEOUT);
    let outage = transaction::stated_outage(hop.graph, job);
    timeout.zip(outage).is_some_and(|(timeout, outage)| outage.value >= timeout.secs())
}

/// Position and output in one transaction of the log. Gives whether readers can wait for it.
fn with_position_in_log(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) -> bool {
    if running.connector {
        return connector::with_records(hop, state, from, running);
    }
    if running.plain && !commits_with_output(hop, from) {
        hop.row.remarks.push("the position is committed apart from the transaction");
        return true;
    }
    own_undone(hop, state, "one transaction for position and output");
    true
}

/// Of an application that reads several logs, all positions have to be in its transaction.
fn commits_with_output(hop: &Examined<'_, '_>, from: usize) -> bool {
    let graph = hop.graph;
    let reads = |edge: &usize| {
        graph.fact(graph.edge_place(*edge), read::OFFSET_COMMIT).map(|fact| fact.value)
            == Some(OffsetCommit::WithOutput)
    };
    let edges = log_reads(graph, from);
    !edges.is_empty() && edges.iter().all(reads)
}

/// The links by which records of logs come in front of this operator, through the operators before it. What it looks up in
/// a store has no position.
pub(super) fn log_reads(graph: &Graph<'_>, from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    graph.upstream(from, |edge| {
        let kind = graph.nodes[graph.edges[edge].from].kind();
        if !matches!(kind, ElementKind::Operator | ElementKind::Sink) {
            found.push(edge);
        }
        kind == ElementKind::Operator
    });
    found
}

/// What a store's transactions and positions do to the job's own copies.
pub(super) fn into_store(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, running: &Running) {
    let place = hop.graph.node_place(to);
    match tied(hop, state, running, to) {
        Some(OutputCommit::TwoPhase) => {
            let fixed = hop.graph.nodes[to].entry.and_then(|entry| entry.sink).map(|sink| sink.transactions);
            let files = hop.peek(hop.place, store::WRITE_MODE) == Some(WriteMode::FileCommit);
            let able = hop.peek(place, sink::TRANSACTIONS).or(fixed).is_some_and(|able| able == Transactions::TwoPhase);
            if able || files {
                two_phase(hop, state, running, false);
            } else {
                hop.miss(state, place, sink::TRANSACTIONS.field(), MissingWhy::NotKnown, COPIES);
            }
        }
        Some(OutputCommit::WithPosition) => with_position_in_store(hop, state),
        Some(OutputCommit::BatchId) => batch_id(hop, state),
        Some(OutputCommit::Nothing) => unconfirmed(hop, state),
        Some(OutputCommit::Flush) | None => {}
    }
    own_stays(hop, state, running);
}

fn with_position_in_store(hop: &mut Examined<'_, '_>, state: &mut State) {
    match hop.need(state, hop.place, store::POSITION_GUARD, COPIES) {
        Some(PositionGuard::CompareAndSet | PositionGuard::Fencing) => {
            // It starts from the position in the store, whatever is done to the group's.
            let known = |copy: &Instance| copy.own || (copy.class == CopyClass::Replay && copy.coordinates);
            let mechanism = "one guarded transaction for rows and position";
            hop.remove(state, ClaimKind::Atomic, |_| mechanism.to_owned(), known);
            reused_offsets(hop, state);
        }
        Some(PositionGuard::Nothing) => {
            hop.row.remarks.push("none: an owner that was replaced can still write");
            for copy in state.copies.iter_mut().filter(|copy| copy.own) {
                copy.isolated = true;
            }
        }
        None => {}
    }
}

/// Where offsets can start again, whatever recognises records by them drops or replaces other ones.
pub(super) fn reused_offsets(hop: &mut Examined<'_, '_>, state: &mut State) {
    for log in hop.graph.in_flow(&state.reused_offsets) {
        let title = hop.title(log);
        let condition = Condition {
            text: format!("each offset of {title} is given out once"),
            variable: Variable::Other(hop.graph.id(log).clone()),
            bound: None,
            inside: None,
            hop: hop.hop(HopPart::Writer),
        };
        let cause = format!("offsets of {title} can start again: other records are taken for known ones");
        hop.lose(state, Found::unless(HopPart::Writer, condition, cause));
    }
}

fn batch_id(hop: &mut Examined<'_, '_>, state: &mut State) {
    own_undone(hop, state, "the number of the batch in the table");
    let paired = hop.peek(hop.place, store::BATCH_GUARD_PAIRED);
    if paired == Some(true) {
        return;
    }
    let condition = Condition {
        text: "the checkpoint and the batch number in the table stay together".to_owned(),
        variable: Variable::BatchGuard(hop.graph.id(hop.place).clone()),
        bound: None,
        inside: paired,
        hop: hop.hop(HopPart::Writer),
    };
    let cause = "a new checkpoint numbers from the start: other rows are skipped under known numbers";
    hop.lose(state, Found::unless(HopPart::Writer, condition, cause));
}

/// What the job still writes again after a crash: of an engine, results; of a consumer, the rows it reads again.
fn own_stays(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) {
    let engine = !running.plain && !running.connector;
    for copy in state.copies.iter_mut().filter(|copy| copy.own) {
        if engine && copy.class == CopyClass::Redelivery {
            rewritten(copy, hop);
            hop.row.adds.push(CopyClass::Reemission);
        }
    }
}
