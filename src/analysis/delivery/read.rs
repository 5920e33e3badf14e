//! Reading a log or queue: which position is committed when, whether open transactions are waited for, and how long
//! a reader may stand still.

use super::{
    hop::{Examined, isolate},
    ledger::{BOTH, COPIES, ClaimKind, Found, LOSS},
    position, replay, retention,
    running::{Running, millis, rewind},
    state::{Instance, State},
    transaction::stated_outage,
    verdict::{CopyClass, HopPart, Transient},
    versions,
};
use crate::{
    analysis::graph::Place,
    catalog::{ChannelKind, PositionIn, Resend},
    model::{
        key::{channel, job, read},
        words::{Client, CloseCommits, Isolation, OffsetCommit, OffsetReset, OnMissingData, Ordering, Processing},
    },
};

/// A job reads the channel that this link leaves.
pub(super) fn by_job(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) {
    enter(hop, state, from);
    isolation(hop, state);
    replay::examine(hop, state, from, running);
    retention::examine(hop, state, from, Some(running.job));
    if running.batch {
        return;
    }
    position::examine(hop, state, from, running);
    if running.plain {
        plain(hop, state, from, running);
    } else if let Some(mode) = running.mode {
        // What is read again can be lost the second time: the loss comes after the copies.
        reread(hop, state, from, running);
        if mode.position == PositionIn::Group && running.volatile() {
            let cause = "no checkpoints: state and what is in flight are gone after a restart";
            hop.lose(state, Found::possible(HopPart::VolatileState, cause));
        }
        roll_back(hop, state, running);
        if hop.peek(hop.place, read::ON_MISSING_DATA) == Some(OnMissingData::Continue) {
            hop.row.remarks.push("goes on where data is missing");
        }
    }
}

/// A consumer reads the channel that this link leaves, itself.
pub(super) fn by_consumer(hop: &mut Examined<'_, '_>, state: &mut State, from: usize) {
    enter(hop, state, from);
    isolation(hop, state);
    retention::examine(hop, state, from, None);
}

/// What is read has the coordinates of this log.
fn enter(hop: &mut Examined<'_, '_>, state: &mut State, from: usize) {
    let place = hop.graph.node_place(from);
    let recreated = hop.peek(place, channel::RECREATED) == Some(true);
    let in_sync = hop.graph.nodes[from].entry.is_none_or(crate::catalog::Entry::has_in_sync);
    let unclean = in_sync && hop.graph.fact(place, channel::UNCLEAN_LEADER_ELECTION).is_some_and(|fact| fact.value);
    state.reused_offsets = Vec::from_iter((recreated || unclean).then_some(place));
    state.first_log = state.first_log.or(Some(place));
    state.log = Some(place);
    state.grown = Vec::from_iter(versions::grows(hop.graph, from).then_some(place));
}

/// Behind a transactional writer, a reader that does not wait sees what is rolled back.
fn isolation(hop: &mut Examined<'_, '_>, state: &mut State) {
    if !state.transactional {
        return;
    }
    state.transactional = false;
    match hop.need(state, hop.place, read::ISOLATION, COPIES) {
        Some(Isolation::ReadCommitted) => hop.row.remarks.push("waits for the commit"),
        Some(Isolation::ReadUncommitted) => {
            let copies = Instance { coordinates: false, ..Instance::new(CopyClass::Aborted, hop.place) };
            for copies in copies.with_ids_of(&state.redrawn) {
                hop.add(state, copies);
            }
            hop.row.remarks.push("none: reads uncommitted");
            state.transient |= bit(Transient::UncommittedVisible);
        }
        None => {}
    }
}

/// The bit of what is wrong for a while.
pub(super) const fn bit(transient: Transient) -> u8 {
    1 << transient as u8
}

/// Inside a job whose state goes back together with its position, what is read again is not seen twice.
pub(super) fn roll_back(hop: &mut Examined<'_, '_>, state: &mut State, running: &Running) {
    state.rolled_back = running.exact();
    if state.rolled_back {
        hop.claim(state, ClaimKind::Prevents, "state goes back together with the position");
    }
}

/// Copies of this reader, after a crash: the same records again.
fn reread(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) {
    let log = hop.graph.nodes[from].entry.and_then(|entry| entry.channel);
    let queue = log.is_some_and(|log| log.kind != ChannelKind::Log);
    // What is acknowledged does not come again; what was worked off and not acknowledged before a crash does (Google
    // Cloud documentation, Pub/Sub: Exactly-once delivery).
    if queue && hop.peek(hop.place, read::EXACTLY_ONCE_DELIVERY) == Some(true) {
        hop.row.remarks.push("does not come again once its acknowledgement has succeeded");
    }
    let horizon =
        if queue && running.plain { redelivered_within(hop, from, running) } else { rewind(hop.graph, running.job) };
    let copies = Instance {
        own: true,
        horizon,
        coordinates: !queue,
        isolated: log.is_some_and(|log| log.redelivery == Resend::Isolated),
        zombie: running.zombies,
        ..Instance::new(CopyClass::Redelivery, hop.place)
    };
    hop.add(state, copies);
}

/// The commit table of consumers that are applications of their own.
fn plain(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, running: &Running) {
    let Some(commit) = hop.need(state, hop.place, read::OFFSET_COMMIT, BOTH) else { return };
    match commit {
        OffsetCommit::BeforeWork => {
            let cause = "the position is committed before the work: a crash skips what was not finished";
            hop.lose(state, Found::possible(HopPart::Whole, cause));
            if acknowledged_for_good(hop, from) && !unconfirmed(hop, from) {
                let claim = "the position is committed before the work: nothing is read again";
                hop.claim(state, ClaimKind::Prevents, claim);
            } else {
                let copies =
                    Instance { isolated: true, coordinates: false, ..Instance::new(CopyClass::Redelivery, hop.place) };
                hop.add(state, copies);
                hop.row.remarks.push("can come again after its acknowledgement");
            }
        }
        OffsetCommit::PerRecord if out_of_order(hop, state) => reread(hop, state, from, running),
        OffsetCommit::AfterWork | OffsetCommit::PerRecord | OffsetCommit::WithOutput => {
            hop.claim(state, ClaimKind::Keeps, "the position is committed after the work");
            reread(hop, state, from, running);
        }
        OffsetCommit::Auto => {
            reread(hop, state, from, running);
            automatic(hop, state, running.job);
        }
        OffsetCommit::Never => {
            if hop.need(state, hop.place, read::OFFSET_RESET, BOTH) == Some(OffsetReset::Latest) {
                let cause = "starts at the end after every restart: what came meanwhile is skipped";
                hop.lose(state, Found::possible(HopPart::Whole, cause));
            } else {
                let copies = Instance { own: true, ..Instance::new(CopyClass::Redelivery, hop.place) };
                hop.add(state, copies);
            }
        }
    }
}

/// Does what was acknowledged never come again? Amazon SQS standard queues can deliver a message again that was deleted while
/// a server with a copy of it was away (Amazon SQS Developer Guide, Standard queues: At-least-once delivery), FIFO queues not
/// (FIFO queues: Exactly-once processing), and Pub/Sub one that was acknowledged, unless exactly-once delivery is on (Google
/// Cloud documentation, Pub/Sub: Exactly-once delivery, Redelivery versus duplicate).
fn acknowledged_for_good(hop: &mut Examined<'_, '_>, from: usize) -> bool {
    match hop.graph.nodes[from].entry.map(|entry| entry.id) {
        Some("sqs") => {
            let ordering = hop.peek(hop.graph.node_place(from), channel::ORDERING);
            matches!(ordering, Some(Ordering::PerGroup | Ordering::PerKey | Ordering::Global))
        }
        Some("pubsub") => hop.peek(hop.place, read::EXACTLY_ONCE_DELIVERY) == Some(true),
        _ => true,
    }
}

/// Can an acknowledgement get lost with the connection, unnoticed, so that the message comes again? (RabbitMQ documentation,
/// Consumer Acknowledgements and Publisher Confirms: Automatic Requeueing; NATS documentation, JetStream Model Deep Dive: only a
/// double acknowledgement is answered; Apache Pulsar Javadoc, `ConsumerBuilder.isAckReceiptEnabled`, off by default.)
fn unconfirmed(hop: &Examined<'_, '_>, from: usize) -> bool {
    let entry = hop.graph.nodes[from].entry.map(|entry| entry.id);
    matches!(entry, Some("rabbitmq" | "rabbitmq_quorum" | "nats" | "pulsar"))
}

/// How long after the first one a message comes again that an application did not acknowledge, in ms: each attempt has its
/// lease to end, and before each but the first somebody has to be there; at the latest it ends with what the queue keeps.
/// `None`: not known, or it can come again at any time.
///
/// Attempts are counted where the queue sets a message aside after them (Amazon SQS Developer Guide, Dead-letter queues:
/// maxReceiveCount). Pub/Sub only tries to keep to its number (Pub/Sub API reference, DeadLetterPolicy:
/// max_delivery_attempts is honored on a best effort basis), so there it bounds nothing.
fn redelivered_within(hop: &mut Examined<'_, '_>, from: usize, running: &Running) -> Option<u64> {
    if !acknowledged_for_good(hop, from) {
        return None;
    }
    let lease = hop.peek(hop.place, read::REDELIVERY_AFTER)?;
    let longest = hop.peek(hop.place, read::LEASE_MAX).map_or(lease, |most| most.max(lease));
    let longest = longest.millis();
    let counts = hop.graph.nodes[from].entry.is_none_or(|entry| entry.id != "pubsub");
    let attempts = hop.peek(hop.place, read::MAX_DELIVERIES).filter(|_| counts);
    let outage = stated_outage(hop.graph, running.job).map(|outage| millis(outage.value));
    let tried = attempts.zip(outage).map(|(attempts, outage)| {
        let waits = outage.saturating_mul(attempts.saturating_sub(1));
        longest.saturating_mul(attempts).saturating_add(waits)
    });
    let ends_unread = hop.graph.nodes[from].entry.and_then(|entry| entry.channel).is_some_and(|log| log.ends_unread);
    let kept = hop
        .peek(hop.place, read::RETENTION_TIME)
        .or_else(|| ends_unread.then(|| hop.peek(hop.graph.node_place(from), channel::RETENTION_TIME)).flatten());
    // Given out just before it expires, it is still worked off.
    let kept = kept.and_then(|kept| kept.bound()).map(|kept| kept.millis().saturating_add(longest));
    [tried, kept].into_iter().flatten().min()
}

/// One commit for each finished record, with several in work: a commit means that everything before is done, so that a
/// record that finishes early takes the earlier ones along (Apache Kafka Javadoc, KafkaConsumer: the committed offset is
/// the next record to be read). Notes it where it is not known how records are worked through.
fn out_of_order(hop: &mut Examined<'_, '_>, state: &mut State) -> bool {
    if hop.peek(hop.place, read::IN_FLIGHT) == Some(1) {
        return false;
    }
    match hop.need(state, hop.place, read::PROCESSING, LOSS) {
        Some(Processing::Threads | Processing::Async) => {
            let cause =
                "each finished record is committed: those before it that are still in work are skipped after a crash";
            hop.lose(state, Found::possible(HopPart::Whole, cause));
            true
        }
        Some(Processing::Sequential) | None => false,
    }
}

/// Automatic commits: of what was handed out, not of what was worked off.
fn automatic(hop: &mut Examined<'_, '_>, state: &mut State, job: Place) {
    // Not known is no better than the worst: what is read again may be skipped the second time.
    let Some(client) = hop.need(state, job, job::CLIENT, LOSS) else { return isolate(state) };
    if client != Client::Java {
        let cause = "automatic commits: the position is stored when a record is handed out";
        hop.lose(state, Found::possible(HopPart::Whole, cause));
        return;
    }
    let Some(processing) = hop.need(state, hop.place, read::PROCESSING, LOSS) else { return isolate(state) };
    if processing != Processing::Sequential {
        let cause = "automatic commits while other threads still work";
        hop.lose(state, Found::possible(HopPart::Whole, cause));
    } else if hop.peek(hop.place, read::CLOSE_COMMITS) == Some(CloseCommits::Handled) {
        hop.claim(state, ClaimKind::Keeps, "automatic commits of what was worked off before the next poll");
    } else {
        let cause = "automatic commits: closing after an error commits what was polled and not worked off";
        hop.lose(state, Found::possible(HopPart::Whole, cause));
    }
}
