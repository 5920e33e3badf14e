//! Writing into a log: what the producer and the log keep, and what the producer sends twice.

use super::{
    hop::{Examined, Retries},
    ledger::{ClaimKind, Found, LOSS, MORE_COPIES},
    state::{Instance, State},
    verdict::{Condition, CopyClass, HopPart, Variable},
};
use crate::{
    analysis::{
        explain::{Explained, MissingWhy, Unit},
        graph::{Graph, Place},
    },
    catalog::{self, Durability},
    model::{
        ElementKind, Field, Known, Text, counted,
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
        Durability::MajorityByAcks => majority(hop, state, place, producer),
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

/// Does a write wait for more than the leader? Notes the loss where it does not, and what is missing where it is not known.
fn all_acknowledge(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer, one: &'static str) -> bool {
    if producer.transactional {
        return true;
    }
    match acks(hop, state, producer) {
        Some(Acks::Zero) => {
            hop.lose(state, Found::possible(HopPart::Whole, "acks=0: a failed send is never noticed"));
            false
        }
        Some(Acks::One) => {
            hop.lose(state, Found::possible(HopPart::Whole, one));
            false
        }
        Some(Acks::All) => true,
        None => false,
    }
}

/// Raft: what a majority has flushed is in every later leader's log, so that only the number of replicas counts (Redpanda
/// documentation, Architecture; Configure Producers).
fn majority(hop: &mut Examined<'_, '_>, state: &mut State, place: Place, producer: Producer) {
    let one = "acks=1: what the leader alone has, and has not flushed, is lost with it";
    if !all_acknowledge(hop, state, producer, one) {
        return;
    }
    match hop.need(state, place, channel::REPLICATION_FACTOR, LOSS) {
        Some(factor) if factor >= 2 => {
            // A majority of n is n ÷ 2 + 1, of which one has to be left.
            let lost = counted(factor / 2, "lost broker");
            let text = format!("acks=all, RF {factor}: flushed by a majority, without write caching; survives {lost}");
            hop.claim(state, ClaimKind::Keeps, text);
        }
        Some(factor) => {
            let text = "every broker that leads a partition comes back with its disk";
            let condition = brokers(hop, place, text, None);
            let cause = format!("RF {factor}: one copy is the only one");
            hop.lose(state, Found::unless(HopPart::Whole, condition, cause));
        }
        None => {}
    }
}

fn replicas(hop: &mut Examined<'_, '_>, state: &mut State, to: usize, producer: Producer) {
    let place = hop.graph.node_place(to);
    let one = "acks=1: a change of leader, planned or not, drops what no follower has yet";
    if !all_acknowledge(hop, state, producer, one) {
        return;
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

/// The client family and version of a producer. Kafka Streams is released with its client, under one version (Apache Kafka
/// documentation, Kafka Streams: kafka-streams depends on kafka-clients).
fn client(hop: &mut Examined<'_, '_>, owner: Place) -> (Option<Client>, Option<Text>) {
    let family = hop.peek(owner, source::CLIENT).or_else(|| hop.peek(owner, job::CLIENT));
    let version = hop.peek(owner, source::CLIENT_VERSION).or_else(|| hop.peek(owner, job::CLIENT_VERSION));
    if released_with_client(hop.graph, owner) {
        return (family.or(Some(Client::Java)), version.or_else(|| hop.peek(owner, job::VERSION)));
    }
    (family, version)
}

/// Does this job have the version of its client as its own?
pub(in crate::analysis) fn released_with_client(graph: &Graph<'_>, job: Place) -> bool {
    let entry = graph.nodes.get(job.index()).and_then(|node| node.entry);
    entry.is_some_and(|entry| entry.id == "kafka_streams")
}

/// What has to be known of the owner of a producer to know the defaults of its client: family, version.
fn client_fields(hop: &Examined<'_, '_>, owner: Place) -> [Field; 2] {
    let source = hop.graph.nodes.get(owner.index()).is_some_and(|node| node.kind() == ElementKind::Source);
    match source {
        true => [source::CLIENT.field(), source::CLIENT_VERSION.field()],
        false if released_with_client(hop.graph, owner) => [job::CLIENT.field(), job::VERSION.field()],
        false => [job::CLIENT.field(), job::CLIENT_VERSION.field()],
    }
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

/// What says that a producer is idempotent.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Idempotent {
    /// A setting.
    Set,
    /// The runtime, where nothing is set.
    ByRuntime(&'static str),
    /// The client of this version, where nothing is set.
    ByClient(Text),
}

impl Idempotent {
    fn mechanism(&self) -> std::borrow::Cow<'static, str> {
        match self {
            Self::Set => "idempotent producer: the broker recognises its retries".into(),
            Self::ByRuntime(name) => {
                format!("idempotent producer, the default of {name}: the broker recognises its retries").into()
            }
            Self::ByClient(version) => format!(
                "idempotent producer, the default of the Java client {version}: the broker recognises its retries"
            )
            .into(),
        }
    }
}

/// Is the producer idempotent in effect, and what says so? Outer `None`: not known, and noted; also of the client that an
/// engine brings along, as long as nobody read whether somebody set it otherwise.
fn idempotent(
    hop: &mut Examined<'_, '_>,
    state: &mut State,
    producer: Producer,
    acks: Acks,
) -> Option<Option<Idempotent>> {
    match hop.graph.known(hop.place, produce::IDEMPOTENCE) {
        Known::Value(fact) => Some((hop.take(fact) && acks == Acks::All).then_some(Idempotent::Set)),
        // Whatever is set: without the acknowledgement of all it is turned off, or the client does not start.
        _ if acks != Acks::All => Some(None),
        Known::Unset(_) => by_default(hop, state, producer),
        Known::NotKnown(_) | Known::Conflict(_) => {
            hop.need(state, hop.place, produce::IDEMPOTENCE, MORE_COPIES)?;
            None
        }
    }
}

/// Read as not set: the runtime decides where it has a default of its own, else the client by family, version and the
/// settings that conflict with idempotence.
fn by_default(hop: &mut Examined<'_, '_>, state: &mut State, producer: Producer) -> Option<Option<Idempotent>> {
    let entry = hop.graph.nodes.get(producer.owner.index()).and_then(|node| node.entry);
    let in_flight = hop.peek(hop.place, produce::MAX_IN_FLIGHT).is_none_or(|n| n <= 5);
    let retries = hop.peek(hop.place, produce::RETRIES).is_none_or(|n| n > 0);
    let fits = in_flight && retries;
    if let Some((entry, on)) = entry.and_then(|entry| Some((entry, entry.engine?.default_idempotence?))) {
        hop.basis = super::state::weaker(hop.basis, Some(crate::model::Basis::Assumed));
        return Some((on && fits).then_some(Idempotent::ByRuntime(entry.name)));
    }
    let (family, version) = client(hop, producer.owner);
    let [family_field, version_field] = client_fields(hop, producer.owner);
    let Some(family) = family else {
        hop.miss(state, producer.owner, family_field, MissingWhy::NotKnown, MORE_COPIES);
        return None;
    };
    if family == Client::Other {
        return Some(None);
    }
    let Some(text) = version else {
        hop.miss(state, producer.owner, version_field, MissingWhy::NotKnown, MORE_COPIES);
        return None;
    };
    hop.basis = super::state::weaker(hop.basis, Some(crate::model::Basis::Assumed));
    if family == Client::Librdkafka {
        return Some(None);
    }
    // The default came with 3.0 and did not take effect before 3.0.1 and 3.1.1 (KAFKA-13598).
    let late = text.trim().trim_start_matches(['v', 'V']);
    let patched = !matches!(late, "3.0" | "3.0.0" | "3.1" | "3.1.0");
    let default = catalog::Version::read(&text).is_some_and(|version| version >= catalog::Version(3, 0)) && patched;
    Some((default && fits).then_some(Idempotent::ByClient(text)))
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
        Some(Some(by)) => hop.claim(state, ClaimKind::Prevents, by.mechanism()),
        Some(None) if hop.peek(hop.place, produce::RETRIES) == Some(0) => {
            hop.claim(state, ClaimKind::Prevents, "retries=0: never sent again");
        }
        Some(None) => {
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
                text: format!("retries come within {}", crate::model::units::human::at_least(window.secs())),
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
