//! How long a reader may stand still before the log drops what it has not read.

use super::{
    hop::Examined,
    ledger::{Found, LOSS},
    state::State,
    verdict::{Condition, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, Formula, Unit},
        graph::Place,
    },
    catalog::ChannelKind,
    model::{
        Fact, Known, counted,
        key::{channel, read},
        units::{Duration, Limit},
        words::CleanupPolicy,
    },
};
use std::sync::Arc;

static BY_SIZE: Formula = Formula {
    id: "E1.size",
    text: "retention size ÷ bytes per second of the fullest partition",
    source: "Apache Kafka documentation, Topic Configs: retention.bytes",
};

/// Examines what the channel drops before a reader that stands still comes back; `job` is `None` for a consumer that
/// reads itself.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, from: usize, job: Option<Place>) {
    let place = hop.graph.node_place(from);
    let Some(log) = hop.graph.nodes[from].entry.and_then(|entry| entry.channel) else {
        hop.miss(
            state,
            place,
            channel::VERSION.field(),
            crate::analysis::explain::MissingWhy::System,
            super::ledger::BOTH,
        );
        return;
    };
    if log.kind != ChannelKind::Log {
        backlog(hop, state, place, job);
        return;
    }
    if log.compaction {
        let entry = hop.graph.nodes[from].entry.map(|entry| entry.id);
        let version = hop.graph.fact(place, channel::VERSION).map(|fact| fact.value);
        let product = entry.map(|id| (id, version.as_deref()));
        match hop.need_default(state, place, channel::CLEANUP_POLICY, product, LOSS) {
            Some(CleanupPolicy::Compact) => {
                state.compacted = Some(place);
                return;
            }
            Some(CleanupPolicy::CompactDelete) => state.compacted = Some(place),
            Some(CleanupPolicy::Delete) | None => {}
        }
    }
    let time = match hop.need(state, place, channel::RETENTION_TIME, LOSS) {
        Some(Limit::Of(_)) => hop.graph.fact(place, channel::RETENTION_TIME).and_then(of),
        Some(Limit::None) => Some(Explained::constant("nothing is kept", Unit::Seconds, 0.0, "retention none")),
        Some(Limit::Unlimited) | None => None,
    };
    let size = by_size(hop, from);
    let bound = match (time, size) {
        (Some(time), Some(Some(size))) => Some(if size.value < time.value { size } else { time }),
        (time, Some(Some(size))) => time.or(Some(size)),
        // A size that binds at an unknown time may bind before the retention time does.
        (_, Some(None)) => None,
        (Some(time), None) => Some(time),
        (None, None) => return,
    };
    stands_still(hop, state, from, job, bound);
}

fn of(fact: Fact<Limit<Duration>>) -> Option<Arc<Explained>> {
    let seconds = fact.value.bound()?.secs();
    Some(Explained::fact("retention time", Unit::Seconds, &fact, seconds))
}

/// Outer `None`: size does not bound it. Inner: it does or may, and by how much is not known.
#[expect(clippy::cast_precision_loss, reason = "bytes on disk are far below 2^53")]
fn by_size(hop: &mut Examined<'_, '_>, from: usize) -> Option<Option<Arc<Explained>>> {
    let place = hop.graph.node_place(from);
    let fact = match hop.graph.known(place, channel::RETENTION_SIZE) {
        Known::Value(fact) => fact,
        Known::Unset(_) | Known::NotKnown(_) | Known::Conflict(_) => return keeps_by_size(hop, from).then_some(None),
    };
    let Limit::Of(size) = hop.peek(place, channel::RETENTION_SIZE)? else { return None };
    let bytes = size.bytes() as f64;
    let size = Explained::fact("retention size", Unit::Bytes, &fact, bytes);
    let Some(rate) = hop.graph.fact(place, channel::DISK_RATE) else { return Some(None) };
    let Some(fastest) = rate.value.max().map(|rate| rate.bytes()).filter(|rate| *rate > 0.0) else { return Some(None) };
    let rate = Explained::fact("bytes on disk per second, fullest partition", Unit::BytesPerSecond, &rate, fastest);
    let of = hop.graph.id(place);
    let inputs = vec![size, rate];
    Some(Some(Explained::derive(
        "time that the size keeps",
        Some(of),
        Unit::Seconds,
        &BY_SIZE,
        inputs,
        bytes / fastest,
        None,
    )))
}

/// Does this log delete by size as well, so that an unread size may bind? Apache Kafka documentation, Topic Configs:
/// retention.bytes; Redpanda documentation, Topic properties: retention.bytes.
fn keeps_by_size(hop: &Examined<'_, '_>, from: usize) -> bool {
    hop.graph.nodes[from].entry.is_some_and(|entry| matches!(entry.id, "kafka" | "redpanda"))
}

fn stands_still(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    from: usize,
    job: Option<Place>,
    bound: Option<Arc<Explained>>,
) {
    let channel = hop.title(hop.graph.node_place(from));
    let condition = match job {
        Some(job) => super::source::down_less(hop, job, bound, &format!("{channel} keeps records")),
        None => reader(hop, from, bound),
    };
    hop.lose(state, Found::unless(HopPart::Whole, condition, format!("what {channel} drops before it is read")));
}

fn reader(hop: &Examined<'_, '_>, from: usize, bound: Option<Arc<Explained>>) -> Condition {
    let channel = hop.title(hop.graph.node_place(from));
    let text = match &bound {
        Some(bound) => format!("it reads {channel} at least every {}", bound.text()),
        None => format!("it reads {channel} before records are dropped"),
    };
    let variable = Variable::ReaderDowntime(hop.graph.id(hop.place).clone());
    Condition { text, variable, bound, inside: None, hop: hop.hop(HopPart::Whole) }
}

/// A queue or subscription: what is not acknowledged expires, and gives up after so many attempts.
fn backlog(hop: &mut Examined<'_, '_>, state: &mut State, place: Place, job: Option<Place>) {
    match hop.need(state, hop.place, read::RETENTION_TIME, LOSS) {
        Some(Limit::Of(_)) => {
            let fact = hop.graph.fact(hop.place, read::RETENTION_TIME);
            let bound = fact.and_then(of);
            let condition = match job {
                Some(job) => super::source::down_less(hop, job, bound, "the backlog is kept"),
                None => Condition {
                    text: "it reads before the backlog expires".to_owned(),
                    variable: Variable::ReaderDowntime(hop.graph.id(hop.place).clone()),
                    bound,
                    inside: None,
                    hop: hop.hop(HopPart::Whole),
                },
            };
            hop.lose(state, Found::unless(HopPart::Whole, condition, "what expires in the backlog"));
        }
        Some(Limit::None) => {
            hop.lose(state, Found::possible(HopPart::Whole, "nothing is kept for a reader that is away"));
        }
        Some(Limit::Unlimited) | None => {}
    }
    if let Some(most) = hop.peek(hop.place, read::MAX_DELIVERIES) {
        let condition = Condition {
            text: format!("every message is handled within {}", counted(most, "attempt")),
            variable: Variable::Other(hop.graph.id(place).clone()),
            bound: None,
            inside: None,
            hop: hop.hop(HopPart::Whole),
        };
        hop.lose(state, Found::unless(HopPart::Whole, condition, "set aside or dropped after the last attempt"));
    }
}
