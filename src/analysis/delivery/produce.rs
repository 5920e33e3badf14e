//! Writing into a log: what the producer and the log keep, and what the producer sends twice.

use super::{
    hop::{Examined, Retries},
    ledger::{COPIES, ClaimKind, Found, LOSS},
    state::{Instance, State},
    verdict::{Condition, CopyClass, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, MissingWhy, Unit},
        graph::Place,
    },
    catalog::{self, Durability},
    model::{
        Known, counted,
        key::{channel, job, produce, source},
        units::Limit,
        words::{Acks, Client, OnSendFailure},
    },
};

/// Whose producer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Producer {
    /// The source or job that owns the client.
    pub owner: Place,
    /// Application code, which alone decides what happens when a send fails.
    pub application: bool,
    /// A connector runtime, whose producers are not idempotent unless told so.
    pub connector: bool,
    /// Writes in transactions, which need an idempotent producer and the acknowledgement of all.
    pub transactional: bool,
}

/// Examines the write of `producer` into the channel at the end of this link.
pub(super) fn examine(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, producer: Producer) {
    let graph = hop.graph;
    let place = graph.node_place(to);
    let Some(log) = graph.nodes[to].entry.and_then(|entry| entry.channel) else {
        hop.miss(state, place, channel::VERSION.field(), MissingWhy::System, super::ledger::BOTH);
        return;
    };
    match log.durability {
        Durability::Replicas => replicas(hop, state, to, producer),
        Durability::Service => hop.claim(state, ClaimKind::Keeps, "replicated before it is acknowledged"),
        Durability::MajorityFlushed => {
            hop.claim(state, ClaimKind::Keeps, "flushed by a majority before it is acknowledged")
        }
        Durability::Conditional => {
            let condition = brokers(hop, place, "every machine of the log writes to disk before it fails", None);
            hop.lose(state, Found::unless(HopPart::Whole, condition, "acknowledged before it is on disk everywhere"));
        }
    }
    if producer.application {
        send_failures(hop, state);
    }
    if log.transactions || log.durability == Durability::Replicas {
        retries(hop, state, producer);
    } else {
        windowed_retries(hop, state, place);
    }
}

fn brokers(hop: &Examined<'_, '_>, place: Place, text: &str, survives: Option<f64>) -> Condition {
    let source = "min.insync.replicas − 1; Apache Kafka documentation, Topic Configs";
    Condition {
        text: text.to_owned(),
        variable: Variable::BrokerLosses(hop.graph.id(place).clone()),
        bound: survives.map(|n| Explained::constant("brokers that may be lost", Unit::Count, n, source)),
        inside: None,
        hop: hop.hop(HopPart::Whole),
    }
}

fn replicas(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, producer: Producer) {
    let place = hop.graph.node_place(to);
    if !producer.transactional {
        match acks(hop, state, producer) {
            Some(Acks::Zero) => {
                hop.lose(state, Found::possible(HopPart::Whole, "acks=0: a failed send is never noticed"));
                return;
            }
            Some(Acks::One) => {
                let cause = "acks=1: a change of leader, planned or not, drops what no follower has yet";
                hop.lose(state, Found::possible(HopPart::Whole, cause));
                return;
            }
            Some(Acks::All) => {}
            None => return,
        }
    }
    let product = product(hop, to);
    let product = product.as_ref().map(|(system, version)| (*system, version.as_deref()));
    let factor = hop.need_default(state, place, channel::REPLICATION_FACTOR, product, LOSS);
    let in_sync = hop.need_default(state, place, channel::MIN_INSYNC_REPLICAS, product, LOSS);
    let unclean = hop.need_default(state, place, channel::UNCLEAN_LEADER_ELECTION, product, LOSS);
    if let (Some(factor), Some(in_sync)) = (factor, in_sync) {
        if in_sync > factor && refused(hop, state, to, place) {
            let cause = format!("RF {factor}, min ISR {in_sync}: brokers before 3.7 refuse every write with acks=all");
            hop.lose(state, Found::possible(HopPart::Whole, cause));
        }
        let effective = in_sync.min(factor);
        if effective <= 1 {
            let text = "every broker that leads a partition comes back with its disk";
            let condition = brokers(hop, place, text, None);
            let cause = format!("RF {factor}, min ISR {in_sync}: one copy can be the only one");
            hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
        } else {
            let lost = counted(effective - 1, "lost broker");
            let text = format!("acks=all, RF {factor}, min ISR {in_sync}: survives {lost}");
            hop.claim(state, ClaimKind::Keeps, text);
        }
    }
    if unclean == Some(true) {
        let condition = brokers(hop, place, "one replica in sync stays up", None);
        let cause = "unclean election: a stale replica can lead and drop what was acknowledged";
        hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
    }
}

/// More replicas are asked to be in sync than there are. Apache Kafka before 3.7 then refuses writes with acks=all; since
/// 3.7 it asks for no more than there are (Partition.effectiveMinIsr, KIP-966). Notes it where the version is not known.
fn refused(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, place: Place) -> bool {
    if hop.graph.nodes[to].entry.is_none_or(|entry| entry.id != "kafka") {
        return false;
    }
    let version = hop.need(state, place, channel::VERSION, LOSS);
    version.and_then(|text| catalog::Version::read(&text)).is_some_and(|version| version < catalog::Version(3, 7))
}

fn product<'d>(hop: &Examined<'_, 'd>, to: usize) -> Option<(&'static str, Option<std::sync::Arc<str>>)> {
    let node = &hop.graph.nodes[to];
    let version = hop.graph.fact(hop.graph.node_place(to), channel::VERSION).map(|fact| fact.value);
    Some((node.entry?.id, version))
}

/// The client family and version of a producer.
fn client(hop: &mut Examined<'_, '_>, owner: Place) -> (Option<Client>, Option<std::sync::Arc<str>>) {
    let family = hop.peek(owner, source::CLIENT).or_else(|| hop.peek(owner, job::CLIENT));
    let version = hop.peek(owner, source::CLIENT_VERSION).or_else(|| hop.peek(owner, job::CLIENT_VERSION));
    (family, version)
}

fn acks(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer) -> Option<Acks> {
    if matches!(hop.graph.known(hop.place, produce::ACKS), Known::Unset(_)) {
        let (family, version) = client(hop, producer.owner);
        let default = catalog::client_default(produce::ACKS.field(), family?, version.as_deref());
        if let Some(acks) =
            default.and_then(|default| <Acks as crate::model::FieldValue>::from_value(&default.value.value()))
        {
            hop.basis = super::state::weaker(hop.basis, Some(crate::model::Basis::Assumed));
            return Some(acks);
        }
    }
    hop.need(state, hop.place, produce::ACKS, super::ledger::BOTH)
}

fn send_failures(hop: &mut Examined<'_, '_>, state: &mut State) {
    match hop.need(state, hop.place, produce::ON_SEND_FAILURE, LOSS) {
        Some(OnSendFailure::Drop) => {
            hop.lose(state, Found::possible(HopPart::Whole, "a send that fails in the end is dropped"));
        }
        Some(OnSendFailure::Retry | OnSendFailure::Spool) | None => {}
    }
    if hop.peek(hop.place, produce::FLUSH_ON_CLOSE) == Some(false) {
        hop.lose(state, Found::possible(HopPart::Whole, "what is still buffered is dropped when the producer closes"));
    }
}

/// Is the producer idempotent in effect? `None`: not known, and noted.
fn idempotent(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer, acks: Acks) -> Option<bool> {
    match hop.graph.known(hop.place, produce::IDEMPOTENCE) {
        Known::Value(fact) => Some(hop.take(fact) && acks == Acks::All),
        Known::Unset(_) => by_client(hop, state, producer, acks),
        Known::NotKnown(_) if producer.connector || producer.application => {
            hop.need(state, hop.place, produce::IDEMPOTENCE, COPIES)
        }
        // The client that an engine brings along: its own re-emission is live in any case where this would matter.
        Known::NotKnown(_) => Some(acks == Acks::All),
        Known::Conflict(_) => hop.need(state, hop.place, produce::IDEMPOTENCE, COPIES),
    }
}

/// Read as not set: the client decides, by family, version and the settings that conflict with idempotence.
fn by_client(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer, acks: Acks) -> Option<bool> {
    if producer.connector {
        return Some(false);
    }
    let (family, version) = client(hop, producer.owner);
    let Some(family) = family else {
        hop.miss(state, producer.owner, job::CLIENT.field(), MissingWhy::NotKnown, COPIES);
        return None;
    };
    if family == Client::Other {
        return Some(false);
    }
    let Some(text) = version.as_deref() else {
        hop.miss(state, producer.owner, job::CLIENT_VERSION.field(), MissingWhy::NotKnown, COPIES);
        return None;
    };
    hop.basis = super::state::weaker(hop.basis, Some(crate::model::Basis::Assumed));
    if family == Client::Librdkafka {
        return Some(false);
    }
    // The default came with 3.0 and did not take effect before 3.0.1 and 3.1.1 (KAFKA-13598).
    let late = text.trim().trim_start_matches(['v', 'V']);
    let patched = !matches!(late, "3.0" | "3.0.0" | "3.1" | "3.1.0");
    let default = catalog::Version::read(text).is_some_and(|version| version >= catalog::Version(3, 0)) && patched;
    let in_flight = hop.peek(hop.place, produce::MAX_IN_FLIGHT).is_none_or(|n| n <= 5);
    let retries = hop.peek(hop.place, produce::RETRIES).is_none_or(|n| n > 0);
    Some(default && acks == Acks::All && in_flight && retries)
}

/// Copies by the producer's own retries.
fn retries(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer) {
    hop.row.retries = Retries::InPlace;
    if producer.transactional {
        hop.claim(state, ClaimKind::Prevents, "transactional producer: retries are recognised by the broker");
        return;
    }
    // Whether acks is known was noted with the loss.
    let Some(acks) = acks_known(hop, producer) else {
        hop.row.retries = Retries::Unknown;
        return;
    };
    if acks == Acks::Zero {
        hop.claim(state, ClaimKind::Prevents, "acks=0: never sent again");
        return;
    }
    match idempotent(hop, state, producer, acks) {
        Some(true) => {
            hop.claim(state, ClaimKind::Prevents, "idempotent producer: the broker recognises its retries");
            // What an engine repeats itself hides a copy, but not that it comes behind the next batch.
            if matches!(hop.graph.known(hop.place, produce::IDEMPOTENCE), Known::NotKnown(_)) {
                hop.row.retries = Retries::Unknown;
            }
        }
        Some(false) if hop.peek(hop.place, produce::RETRIES) == Some(0) => {
            hop.claim(state, ClaimKind::Prevents, "retries=0: never sent again");
        }
        Some(false) => {
            let isolated = hop.peek(hop.place, produce::MAX_IN_FLIGHT) != Some(1);
            let horizon = match hop.peek(hop.place, produce::DELIVERY_TIMEOUT) {
                Some(Limit::Of(timeout)) => Some(timeout.millis()),
                _ => None,
            };
            // One request at a time: the copy comes before the next record.
            let copies = Instance {
                isolated,
                level: !isolated,
                horizon,
                coordinates: false,
                ..Instance::new(CopyClass::ProducerRetry, hop.place)
            };
            hop.add(state, copies);
            hop.row.retries = if isolated { Retries::Overtaken } else { Retries::InPlace };
        }
        None => hop.row.retries = Retries::Unknown,
    }
}

fn acks_known(hop: &mut Examined<'_, '_>, producer: Producer) -> Option<Acks> {
    match hop.graph.known(hop.place, produce::ACKS) {
        Known::Value(fact) => Some(fact.value),
        Known::Unset(_) => {
            let (family, version) = client(hop, producer.owner);
            let default = catalog::client_default(produce::ACKS.field(), family?, version.as_deref())?;
            <Acks as crate::model::FieldValue>::from_value(&default.value.value())
        }
        _ => None,
    }
}

/// Retries into a log without idempotent producers: each is a new record, unless the log itself recognises ids.
fn windowed_retries(hop: &mut Examined<'_, '_>, state: &mut State, place: Place) {
    let window = hop.peek(place, channel::DEDUP_WINDOW);
    let copies = Instance { isolated: true, coordinates: false, ..Instance::new(CopyClass::ProducerRetry, hop.place) };
    match window {
        Some(Limit::Unlimited) => hop.claim(state, ClaimKind::Prevents, "the log recognises repeated ids"),
        Some(Limit::Of(window)) => {
            let condition = Condition {
                text: format!("retries come within {}", crate::model::units::human::seconds(window.secs())),
                variable: Variable::CopyHorizon(hop.graph.id(hop.place).clone()),
                bound: hop.graph.fact(place, channel::DEDUP_WINDOW).map(|fact| {
                    Explained::fact("window in which the log recognises ids", Unit::Seconds, &fact, window.secs())
                }),
                inside: None,
                hop: hop.hop(HopPart::Whole),
            };
            let hidden = Some(hop.ledger.condition(condition));
            hop.claim(state, ClaimKind::Suppresses, "the log recognises repeated ids within its window");
            hop.add(state, Instance { hidden, ..copies });
        }
        _ => hop.add(state, copies),
    }
}
