//! The path of one consumer in the terms of the operational model, or what of it the model does not hold.

use super::{super::desk::Desk, open};
use crate::{
    explore::path::{Acks, Checkpoints, Client, Commit, Engine, Node, Operator, Path, Rows, Source, Write},
    model::{
        Element, ElementKind, Id, Link, Port, Step,
        key::{channel, job, operator, produce, read, sink, store, take, write},
        words::{
            Acknowledge, AfterRestart, AggregateFunction, Capture, CleanupPolicy, CloseCommits, Determinism, Emit,
            Isolation, Marks, OffsetCommit, OutputCommit, PositionGuard, Processing, ProcessingGuarantee, StateIn,
            WindowKind, WriteMode,
        },
    },
};

/// A path to explore, with the element that each hop of it stands for.
pub(in crate::documents) struct Found {
    /// For the model.
    pub path: Path,
    /// The source, then the job of each node.
    pub hops: Vec<Id>,
}

impl Found {
    /// Does this hop commit what it polls before it works on it?
    pub fn commits_early(&self, hop: usize) -> bool {
        let node = hop.checked_sub(1).and_then(|at| self.path.nodes.get(at));
        node.is_some_and(|node| node.engine == Engine::Consumer(Commit::Before))
    }
}

/// Jobs in a row that are followed.
const MOST_NODES: usize = 3;

type Read<T> = Result<T, String>;

/// The way to a consumer: links with what stands at their ends.
pub(in crate::documents) fn of(desk: &Desk<'_>, consumer: &Id) -> Read<Found> {
    let chain = chain(desk, consumer)?;
    let mut rest = chain.as_slice();
    let (source, born) = source(desk, &mut rest)?;
    let mut path = Path { source, nodes: Vec::new(), committed: false };
    let mut hops = vec![born];
    while let Some(((link, ends), after)) = rest.split_first() {
        if ends.to == *consumer {
            path.committed = desk.design.kind(&ends.from) != Some(ElementKind::Channel) || committed(desk, link)?;
            break;
        }
        rest = after;
        log(desk, &ends.from)?;
        let (node, of) = node(desk, link, ends, &mut rest)?;
        path.nodes.push(node);
        hops.push(of);
    }
    if path.nodes.len() > MOST_NODES {
        return Err("more jobs stand in a row than the model follows".to_owned());
    }
    Ok(Found { path, hops })
}

type Chain<'a> = Vec<(&'a Id, &'a Link)>;

fn chain<'a>(desk: &Desk<'a>, consumer: &Id) -> Read<Chain<'a>> {
    let mut chain: Chain<'a> = Vec::new();
    let mut at = consumer.clone();
    while desk.design.kind(&at) != Some(ElementKind::Source) {
        let inputs = desk.into(&at);
        match inputs.as_slice() {
            [] => return Err(format!("nothing is drawn in front of {}", desk.said(&at))),
            [(id, link)] if link.port.is_none() => {
                chain.push((id, link));
                at = link.from.clone();
            }
            [(_, link)] if matches!(link.port, Some(Port::Late | Port::DeadLetter | Port::Side)) => {
                return Err(format!("{} takes what {} sets aside", desk.said(&at), desk.said(&link.from)));
            }
            _ => return Err(format!("several ways meet at {}, and the model follows one", desk.said(&at))),
        }
        if chain.len() > 64 {
            return Err("the way to it is too long, or goes in a circle".to_owned());
        }
    }
    chain.reverse();
    Ok(chain)
}

fn client(desk: &Desk<'_>, link: &Id) -> Read<Client> {
    use crate::model::words::Acks as Set;
    let acks = match desk.fact(link, produce::ACKS).map(|fact| fact.value) {
        Some(Set::Zero) => Acks::Zero,
        Some(Set::One) => Acks::One,
        Some(Set::All) => Acks::All,
        None => return Err(open(desk, link, "acks")),
    };
    let idempotent = desk.fact(link, produce::IDEMPOTENCE).map(|fact| fact.value);
    let idempotent = idempotent.ok_or_else(|| open(desk, link, "idempotence"))?;
    let one_at_a_time = desk.fact(link, produce::MAX_IN_FLIGHT).is_some_and(|fact| fact.value == 1);
    Ok(Client { acks, idempotent, one_at_a_time })
}

fn committed(desk: &Desk<'_>, link: &Id) -> Read<bool> {
    let isolation = desk.fact(link, read::ISOLATION).map(|fact| fact.value);
    isolation.map(|isolation| isolation == Isolation::ReadCommitted).ok_or_else(|| open(desk, link, "isolation"))
}

/// A log that keeps what is acknowledged, in one copy of the model's: replicated, and deleted by age only.
fn log(desk: &Desk<'_>, id: &Id) -> Read<()> {
    let system = desk.design.system(id);
    let kafka = system.is_some_and(|system| matches!(&**system, "kafka" | "redpanda"));
    // A majority of two or more decides in Redpanda, without a setting.
    let by_majority = system.is_some_and(|system| &**system == "redpanda");
    let safe = desk.fact(id, channel::REPLICATION_FACTOR).is_some_and(|fact| fact.value >= 2)
        && (by_majority
            || desk.fact(id, channel::MIN_INSYNC_REPLICAS).is_some_and(|fact| fact.value >= 2)
                && desk.fact(id, channel::UNCLEAN_LEADER_ELECTION).is_some_and(|fact| !fact.value));
    let plain = desk.fact(id, channel::CLEANUP_POLICY).is_some_and(|fact| fact.value == CleanupPolicy::Delete);
    if kafka && safe && plain {
        return Ok(());
    }
    let name = desk.said(id);
    Err(format!("{name} is not a log of Kafka, or not known to be one, with two replicas in sync that deletes by age"))
}

/// Where events begin, up to and with the link into the first log.
fn source(desk: &Desk<'_>, rest: &mut &[(&Id, &Link)]) -> Read<(Source, Id)> {
    let Some(((link, ends), after)) = rest.split_first() else { return Err("no source is drawn".to_owned()) };
    *rest = after;
    let born = ends.from.clone();
    let capture = desk.fact(link, take::CAPTURE).map(|fact| fact.value);
    let acknowledge = desk.fact(link, take::ACKNOWLEDGE).map(|fact| fact.value);
    // Into the log itself, or through a step that takes and sends.
    let (mut sends, mut into) = (*link, &ends.to);
    if desk.design.kind(&ends.to) != Some(ElementKind::Channel) {
        let through =
            rest.split_first().filter(|((_, next), _)| desk.design.kind(&next.to) == Some(ElementKind::Channel));
        let Some(((next, written), after)) = through else {
            return Err(format!("what takes from {} does more than send on", desk.said(&born)));
        };
        (sends, into, *rest) = (*next, &written.to, after);
    }
    let source = match (capture, acknowledge) {
        (Some(Capture::InProcess | Capture::ChangeLog), _) => {
            // Of what is no log of Kafka, nobody knows the settings of its producer.
            log(desk, into)?;
            let client = client(desk, sends)?;
            match (capture, desk.fact(link, take::AFTER_RESTART).map(|fact| fact.value)) {
                (Some(Capture::ChangeLog), _) | (_, Some(AfterRestart::ResumePosition)) => Source::Position(client),
                (_, Some(AfterRestart::Nothing)) => Source::InMemory(client),
                (_, Some(AfterRestart::ResendUnmarked)) => Source::Flags(client),
                (_, None) => return Err(open(desk, link, "what a restart sends again")),
            }
        }
        (Some(Capture::Push), Some(Acknowledge::BeforeStore)) => Source::Webhook { before: true },
        (Some(Capture::Push), Some(Acknowledge::AfterStore)) => Source::Webhook { before: false },
        (Some(Capture::Subscribe), Some(Acknowledge::Never)) => Source::FireAndForget,
        _ => {
            return Err(format!(
                "how events are taken from {} is not one of the model's ways, or not known",
                desk.said(&born)
            ));
        }
    };
    Ok((source, born))
}

/// One job, from the link that reads to the link that writes.
fn node(desk: &Desk<'_>, reads: &Id, ends: &Link, rest: &mut &[(&Id, &Link)]) -> Read<(Node, Id)> {
    let mut at = &ends.to;
    let Some(job) = desk.design.job_of(at).cloned() else {
        return Err(format!("{} is no job that the model runs", desk.said(at)));
    };
    let mut operators = Vec::new();
    let (written, to) = loop {
        operators.push(step(desk, at)?);
        let Some(((link, next), after)) = rest.split_first() else {
            return Err(format!("what {} gives out goes to a reader at once", desk.said(at)));
        };
        *rest = after;
        match desk.design.kind(&next.to) {
            Some(ElementKind::Operator) if desk.design.job_of(&next.to) == Some(&job) => at = &next.to,
            Some(ElementKind::Channel | ElementKind::Sink) => break (*link, &next.to),
            _ => return Err(format!("{} gives to something other than a log or a store", desk.said(at))),
        }
    };
    let engine = engine(desk, &job, reads, written)?;
    let write = writes(desk, written, to, engine)?;
    Ok((Node { engine, committed: committed(desk, reads)?, operators, write }, job))
}

fn engine(desk: &Desk<'_>, id: &Id, reads: &Id, writes: &Id) -> Read<Engine> {
    let guarantee = desk.fact(id, job::PROCESSING_GUARANTEE).map(|fact| fact.value);
    Ok(match (desk.design.system(id).map(|system| &**system), guarantee) {
        (Some("plain_consumer"), _) => consumer(desk, reads, writes)?,
        // A sink connector commits what it has written.
        (Some("kafka_connect"), _) => Engine::Consumer(Commit::After),
        (Some("flink"), Some(ProcessingGuarantee::Nothing)) => Engine::Flink(Checkpoints::Off),
        (Some("flink"), Some(ProcessingGuarantee::AtLeastOnce)) => Engine::Flink(Checkpoints::AtLeastOnce),
        (Some("flink"), Some(ProcessingGuarantee::ExactlyOnce)) => Engine::Flink(Checkpoints::ExactlyOnce),
        (Some("kafka_streams"), Some(ProcessingGuarantee::AtLeastOnce)) => Engine::Streams { exact: false },
        (Some("kafka_streams"), Some(ProcessingGuarantee::ExactlyOnce)) => Engine::Streams { exact: true },
        (Some("spark"), _) => Engine::Spark,
        (Some("flink" | "kafka_streams"), None) => return Err(open(desk, id, "the processing guarantee")),
        _ => return Err(format!("what runs {} is not one of the model's engines, or not known", desk.said(id))),
    })
}

fn consumer(desk: &Desk<'_>, reads: &Id, writes: &Id) -> Read<Engine> {
    if desk.fact(writes, write::OUTPUT_COMMIT).is_some_and(|fact| fact.value == OutputCommit::WithPosition) {
        let guard = desk.fact(writes, store::POSITION_GUARD).map(|fact| fact.value);
        let guard = guard.ok_or_else(|| open(desk, writes, "the guard of the position"))?;
        return Ok(Engine::WithRows { guarded: guard != PositionGuard::Nothing });
    }
    let commit = desk.fact(reads, read::OFFSET_COMMIT).map(|fact| fact.value);
    let apart = desk.fact(reads, read::PROCESSING).is_some_and(|fact| fact.value != Processing::Sequential);
    let closing = desk.fact(reads, read::CLOSE_COMMITS).map(|fact| fact.value);
    Ok(Engine::Consumer(match (commit, closing) {
        (Some(OffsetCommit::AfterWork), _) => Commit::After,
        (Some(OffsetCommit::BeforeWork), _) => Commit::Before,
        (Some(OffsetCommit::Auto), _) if apart => Commit::AutoApart,
        (Some(OffsetCommit::Auto), Some(CloseCommits::Handled)) => Commit::AutoHandled,
        (Some(OffsetCommit::Auto), Some(CloseCommits::Polled)) => Commit::AutoClosing,
        (None, _) => return Err(open(desk, reads, "when positions are committed")),
        _ => return Err(format!("how {} commits is not one of the model's ways, or not known", desk.said(reads))),
    }))
}

fn step(desk: &Desk<'_>, id: &Id) -> Read<Operator> {
    let Some(Element::Operator { step, .. }) = desk.design.subject(id).and_then(|subject| subject.element()) else {
        return Err(format!("{} is no step of a job", desk.said(id)));
    };
    let unknown = || Err(format!("{} is a step that the model does not run", desk.said(id)));
    match step {
        Step::Map | Step::Filter | Step::Copy => Ok(Operator::Map),
        Step::AssignId => match desk.fact(id, operator::DETERMINISM).map(|fact| fact.value) {
            Some(Determinism::KeyVaries) => Ok(Operator::NewId),
            Some(_) => Ok(Operator::Map),
            None => Err(open(desk, id, "whether a second run gives the same ids")),
        },
        Step::Deduplicate => {
            let outside = desk.fact(id, operator::STATE_IN).is_some_and(|fact| fact.value == StateIn::External);
            match desk.fact(id, operator::MARKS).map(|fact| fact.value) {
                _ if !outside => Ok(Operator::Deduplicate),
                Some(Marks::BeforeWrite) => Ok(Operator::MarkBefore),
                Some(Marks::AfterWrite) => Ok(Operator::MarkAfter),
                Some(Marks::WithWrite) => Ok(Operator::MarkWith),
                None => Err(open(desk, id, "when ids are marked")),
            }
        }
        Step::Aggregate => aggregate(desk, id).map_or_else(unknown, Ok),
        Step::Rekey | Step::Join | Step::Lookup | Step::Call | Step::Custom => unknown(),
    }
}

fn aggregate(desk: &Desk<'_>, id: &Id) -> Option<Operator> {
    let window = desk.fact(id, operator::WINDOW).map(|fact| fact.value).filter(|kind| *kind != WindowKind::Nothing);
    let last = desk.fact(id, operator::EMIT).is_some_and(|fact| matches!(fact.value, Emit::OnClose | Emit::Suppress));
    let outside = desk.fact(id, operator::STATE_IN).is_some_and(|fact| fact.value == StateIn::External);
    match (desk.fact(id, operator::FUNCTION)?.value, window) {
        (AggregateFunction::Count | AggregateFunction::Sum, None) if outside => Some(Operator::CountOutside),
        (_, _) if outside => None,
        (AggregateFunction::Count | AggregateFunction::Sum, None) => Some(Operator::Count),
        (AggregateFunction::Last, None) => Some(Operator::Last),
        (AggregateFunction::Max, None) => Some(Operator::Max),
        (AggregateFunction::Count | AggregateFunction::Sum, Some(_)) if last => Some(Operator::CountWindow),
        (AggregateFunction::Distinct, Some(_)) if last => Some(Operator::DistinctWindow),
        _ => None,
    }
}

fn writes(desk: &Desk<'_>, link: &Id, to: &Id, engine: Engine) -> Read<Write> {
    let commit = desk.fact(link, write::OUTPUT_COMMIT).map(|fact| fact.value);
    if desk.design.kind(to) == Some(ElementKind::Channel) {
        return Ok(match (engine, commit) {
            (Engine::Streams { exact: true }, _) => Write::LogTransaction,
            (Engine::Flink(_), None) => return Err(open(desk, link, "how output is committed")),
            (Engine::Flink(_), Some(OutputCommit::TwoPhase)) => Write::LogTransaction,
            (_, Some(OutputCommit::Nothing)) => Write::LogUnconfirmed,
            _ => Write::Log(client(desk, link)?),
        });
    }
    match commit {
        Some(OutputCommit::TwoPhase) => return Ok(Write::StoreTwoPhase),
        Some(OutputCommit::BatchId) => return Ok(Write::StoreBatchId),
        Some(OutputCommit::Nothing) => return Err(format!("{} does not wait for the store", desk.said(link))),
        _ => {}
    }
    rows(desk, link, to).map(Write::Store)
}

fn rows(desk: &Desk<'_>, link: &Id, to: &Id) -> Read<Rows> {
    let mode = desk.fact(link, store::WRITE_MODE).map(|fact| fact.value);
    let guarded = desk.fact(link, store::VERSION_GUARD).is_some_and(|fact| !fact.value.0.is_empty());
    Ok(match mode {
        Some(WriteMode::Append) => Rows::Append,
        Some(WriteMode::Increment) => Rows::Increment,
        Some(WriteMode::Call) => Rows::Call,
        Some(WriteMode::Upsert | WriteMode::InsertIfAbsent) => {
            let key = desk.fact(link, write::KEY).map(|fact| fact.value).ok_or_else(|| open(desk, link, "the key"))?;
            let keys = desk.fact(to, sink::UNIQUE_KEYS).map(|fact| fact.value);
            let enforced = keys.is_some_and(|keys| keys.0.contains(&key));
            let coordinates = key.0.iter().any(|column| &**column == "@coordinates");
            let of_event = desk.events_at(to).iter().any(|event| {
                desk.fact(event, crate::model::key::event::EVENT_ID).is_some_and(|fact| fact.value == key)
            });
            match (coordinates, enforced, of_event, guarded) {
                (true, ..) => Rows::ByCoordinates,
                (_, false, ..) => return Err(format!("no key is known that {} enforces", desk.said(to))),
                (_, _, true, _) => Rows::ById,
                (.., true) => Rows::ByEntityGuarded,
                _ => Rows::ByEntity,
            }
        }
        _ => return Err(format!("how {} writes is not one of the model's ways, or not known", desk.said(link))),
    })
}
