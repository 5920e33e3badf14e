//! The path of one consumer in the terms of the operational model, or what of it the model does not hold.

use super::super::desk::Desk;
use crate::{
    analysis::explain::{Missing, MissingWhy},
    explore::path::{Acks, Checkpoints, Client, Commit, Engine, Node, Operator, Path, Rows, Source, Write},
    model::{
        Element, ElementKind, FieldValue, Id, Key, Known, Link, Port, Step, View,
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

/// Why no story is told; where a fact is not known, which.
#[derive(Debug)]
pub(in crate::documents) struct Untold {
    /// In words.
    pub why: String,
    /// What would have to be known.
    pub open: Option<Missing>,
}

type Read<T> = Result<T, Untold>;

/// The model does not hold it.
fn untold<T>(why: impl Into<String>) -> Read<T> {
    Err(Untold { why: why.into(), open: None })
}

/// A fact that the model needs, or that it is not known; `what` it says.
fn need<T: FieldValue>(desk: &Desk<'_>, id: &Id, key: Key<T>, what: &str) -> Read<T> {
    desk.fact(id, key).map(|fact| fact.value).ok_or_else(|| {
        let why = match desk.design.get(View::ToBe, id, key) {
            Known::Unset(_) => MissingWhy::Unset,
            Known::Conflict(_) => MissingWhy::Conflict,
            Known::Value(_) | Known::NotKnown(_) => MissingWhy::NotKnown,
        };
        let open = Some(Missing { subject: id.clone(), field: key.field(), why });
        Untold { why: format!("{what} of {} is not known", desk.said(id)), open }
    })
}

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
        return untold("more jobs stand in a row than the model follows");
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
            [] => return untold(format!("nothing is drawn in front of {}", desk.said(&at))),
            [(id, link)] if link.port.is_none() => {
                chain.push((id, link));
                at = link.from.clone();
            }
            [(_, link)] if matches!(link.port, Some(Port::Late | Port::DeadLetter | Port::Side)) => {
                return untold(format!("{} takes what {} sets aside", desk.said(&at), desk.said(&link.from)));
            }
            _ => return untold(format!("several ways meet at {}, and the model follows one", desk.said(&at))),
        }
        if chain.len() > 64 {
            return untold("the way to it is too long, or goes in a circle");
        }
    }
    chain.reverse();
    Ok(chain)
}

fn client(desk: &Desk<'_>, link: &Id) -> Read<Client> {
    use crate::model::words::Acks as Set;
    let acks = match need(desk, link, produce::ACKS, "acks")? {
        Set::Zero => Acks::Zero,
        Set::One => Acks::One,
        Set::All => Acks::All,
    };
    let idempotent = need(desk, link, produce::IDEMPOTENCE, "idempotence")?;
    let one_at_a_time = desk.fact(link, produce::MAX_IN_FLIGHT).is_some_and(|fact| fact.value == 1);
    Ok(Client { acks, idempotent, one_at_a_time })
}

fn committed(desk: &Desk<'_>, link: &Id) -> Read<bool> {
    Ok(need(desk, link, read::ISOLATION, "isolation")? == Isolation::ReadCommitted)
}

/// A log that keeps what is acknowledged, in one copy of the model's: replicated, and deleted by age only.
fn log(desk: &Desk<'_>, id: &Id) -> Read<()> {
    let name = desk.said(id);
    // A majority of two or more decides in Redpanda, without a setting.
    let by_majority = match desk.design.system(id).map(|system| &**system) {
        Some("kafka") => false,
        Some("redpanda") => true,
        _ => return untold(format!("{name} is not a log of Kafka")),
    };
    let safe = need(desk, id, channel::REPLICATION_FACTOR, "the replication factor")? >= 2
        && (by_majority
            || need(desk, id, channel::MIN_INSYNC_REPLICAS, "min insync replicas")? >= 2
                && !need(desk, id, channel::UNCLEAN_LEADER_ELECTION, "unclean leader election")?);
    if safe && need(desk, id, channel::CLEANUP_POLICY, "the cleanup policy")? == CleanupPolicy::Delete {
        return Ok(());
    }
    untold(format!("{name} is not a log with two replicas in sync that deletes by age"))
}

/// Where events begin, up to and with the link into the first log.
fn source(desk: &Desk<'_>, rest: &mut &[(&Id, &Link)]) -> Read<(Source, Id)> {
    let Some(((link, ends), after)) = rest.split_first() else { return untold("no source is drawn") };
    *rest = after;
    let born = ends.from.clone();
    let capture = need(desk, link, take::CAPTURE, "capture")?;
    let acknowledge = |desk: &Desk<'_>| need(desk, link, take::ACKNOWLEDGE, "acknowledgement");
    // Into the log itself, or through a step that takes and sends.
    let (mut sends, mut into) = (*link, &ends.to);
    if desk.design.kind(&ends.to) != Some(ElementKind::Channel) {
        let through =
            rest.split_first().filter(|((_, next), _)| desk.design.kind(&next.to) == Some(ElementKind::Channel));
        let Some(((next, written), after)) = through else {
            return untold(format!("what takes from {} does more than send on", desk.said(&born)));
        };
        (sends, into, *rest) = (*next, &written.to, after);
    }
    let source = match capture {
        Capture::InProcess | Capture::ChangeLog => {
            // Of what is no log of Kafka, nobody knows the settings of its producer.
            log(desk, into)?;
            let client = client(desk, sends)?;
            if capture == Capture::ChangeLog {
                return Ok((Source::Position(client), born));
            }
            match need(desk, link, take::AFTER_RESTART, "what a restart sends again")? {
                AfterRestart::ResumePosition => Source::Position(client),
                AfterRestart::Nothing => Source::InMemory(client),
                AfterRestart::ResendUnmarked => Source::Flags(client),
            }
        }
        Capture::Push => match acknowledge(desk)? {
            Acknowledge::BeforeStore => Source::Webhook { before: true },
            Acknowledge::AfterStore => Source::Webhook { before: false },
            _ => return no_way(desk, &born),
        },
        Capture::Subscribe if acknowledge(desk)? == Acknowledge::Never => Source::FireAndForget,
        _ => return no_way(desk, &born),
    };
    Ok((source, born))
}

fn no_way<T>(desk: &Desk<'_>, source: &Id) -> Read<T> {
    untold(format!("how events are taken from {} is not one of the model's ways", desk.said(source)))
}

/// One job, from the link that reads to the link that writes.
fn node(desk: &Desk<'_>, reads: &Id, ends: &Link, rest: &mut &[(&Id, &Link)]) -> Read<(Node, Id)> {
    let mut at = &ends.to;
    let Some(job) = desk.design.job_of(at).cloned() else {
        return untold(format!("{} is no job that the model runs", desk.said(at)));
    };
    let mut operators = Vec::new();
    let (written, to) = loop {
        operators.push(step(desk, at)?);
        let Some(((link, next), after)) = rest.split_first() else {
            return untold(format!("what {} gives out goes to a reader at once", desk.said(at)));
        };
        *rest = after;
        match desk.design.kind(&next.to) {
            Some(ElementKind::Operator) if desk.design.job_of(&next.to) == Some(&job) => at = &next.to,
            Some(ElementKind::Channel | ElementKind::Sink) => break (*link, &next.to),
            _ => return untold(format!("{} gives to something other than a log or a store", desk.said(at))),
        }
    };
    let engine = engine(desk, &job, reads, written)?;
    let write = writes(desk, written, to, engine)?;
    Ok((Node { engine, committed: committed(desk, reads)?, operators, write }, job))
}

fn engine(desk: &Desk<'_>, id: &Id, reads: &Id, writes: &Id) -> Read<Engine> {
    let guarantee = || need(desk, id, job::PROCESSING_GUARANTEE, "the processing guarantee");
    let other = || untold(format!("what runs {} is not one of the model's engines", desk.said(id)));
    let Some(system) = desk.design.system(id) else {
        let field = job::PROCESSING_GUARANTEE.field();
        let open = Some(Missing { subject: id.clone(), field, why: MissingWhy::System });
        return Err(Untold { why: format!("what runs {} is not known", desk.said(id)), open });
    };
    Ok(match &**system {
        "plain_consumer" => consumer(desk, reads, writes)?,
        // A sink connector commits what it has written.
        "kafka_connect" => Engine::Consumer(Commit::After),
        "flink" => Engine::Flink(match guarantee()? {
            ProcessingGuarantee::Nothing => Checkpoints::Off,
            ProcessingGuarantee::AtLeastOnce => Checkpoints::AtLeastOnce,
            ProcessingGuarantee::ExactlyOnce => Checkpoints::ExactlyOnce,
        }),
        "kafka_streams" => match guarantee()? {
            ProcessingGuarantee::AtLeastOnce => Engine::Streams { exact: false },
            ProcessingGuarantee::ExactlyOnce => Engine::Streams { exact: true },
            ProcessingGuarantee::Nothing => return other(),
        },
        "spark" => Engine::Spark,
        _ => return other(),
    })
}

fn consumer(desk: &Desk<'_>, reads: &Id, writes: &Id) -> Read<Engine> {
    if desk.fact(writes, write::OUTPUT_COMMIT).is_some_and(|fact| fact.value == OutputCommit::WithPosition) {
        let guard = need(desk, writes, store::POSITION_GUARD, "the guard of the position")?;
        return Ok(Engine::WithRows { guarded: guard != PositionGuard::Nothing });
    }
    let apart = desk.fact(reads, read::PROCESSING).is_some_and(|fact| fact.value != Processing::Sequential);
    Ok(Engine::Consumer(match need(desk, reads, read::OFFSET_COMMIT, "offset commit")? {
        OffsetCommit::AfterWork => Commit::After,
        OffsetCommit::BeforeWork => Commit::Before,
        OffsetCommit::Auto if apart => Commit::AutoApart,
        OffsetCommit::Auto => match need(desk, reads, read::CLOSE_COMMITS, "what a close commits")? {
            CloseCommits::Handled => Commit::AutoHandled,
            CloseCommits::Polled => Commit::AutoClosing,
        },
        _ => return no_commit(desk, reads),
    }))
}

fn no_commit<T>(desk: &Desk<'_>, reads: &Id) -> Read<T> {
    untold(format!("how {} commits is not one of the model's ways", desk.said(reads)))
}

fn step(desk: &Desk<'_>, id: &Id) -> Read<Operator> {
    let Some(Element::Operator { step, .. }) = desk.design.subject(id).and_then(|subject| subject.element()) else {
        return untold(format!("{} is no step of a job", desk.said(id)));
    };
    let strange = || untold(format!("{} is a step that the model does not run", desk.said(id)));
    match step {
        Step::Map | Step::Filter | Step::Copy => Ok(Operator::Map),
        Step::AssignId => match need(desk, id, operator::DETERMINISM, "whether a second run gives the same ids")? {
            Determinism::KeyVaries => Ok(Operator::NewId),
            _ => Ok(Operator::Map),
        },
        Step::Deduplicate => {
            let outside = desk.fact(id, operator::STATE_IN).is_some_and(|fact| fact.value == StateIn::External);
            if !outside {
                return Ok(Operator::Deduplicate);
            }
            Ok(match need(desk, id, operator::MARKS, "when ids are marked")? {
                Marks::BeforeWrite => Operator::MarkBefore,
                Marks::AfterWrite => Operator::MarkAfter,
                Marks::WithWrite => Operator::MarkWith,
            })
        }
        Step::Aggregate => aggregate(desk, id)?.map_or_else(strange, Ok),
        Step::Rekey | Step::Join | Step::Lookup | Step::Call | Step::Custom => strange(),
    }
}

fn aggregate(desk: &Desk<'_>, id: &Id) -> Read<Option<Operator>> {
    let window = desk.fact(id, operator::WINDOW).map(|fact| fact.value).filter(|kind| *kind != WindowKind::Nothing);
    let last = window.is_some() && matches!(need(desk, id, operator::EMIT, "emit")?, Emit::OnClose | Emit::Suppress);
    let outside = desk.fact(id, operator::STATE_IN).is_some_and(|fact| fact.value == StateIn::External);
    Ok(match (need(desk, id, operator::FUNCTION, "the function")?, window) {
        (AggregateFunction::Count | AggregateFunction::Sum, None) if outside => Some(Operator::CountOutside),
        (_, _) if outside => None,
        (AggregateFunction::Count | AggregateFunction::Sum, None) => Some(Operator::Count),
        (AggregateFunction::Last, None) => Some(Operator::Last),
        (AggregateFunction::Max, None) => Some(Operator::Max),
        (AggregateFunction::Count | AggregateFunction::Sum, Some(_)) if last => Some(Operator::CountWindow),
        (AggregateFunction::Distinct, Some(_)) if last => Some(Operator::DistinctWindow),
        _ => None,
    })
}

fn writes(desk: &Desk<'_>, link: &Id, to: &Id, engine: Engine) -> Read<Write> {
    let commit = desk.fact(link, write::OUTPUT_COMMIT).map(|fact| fact.value);
    if desk.design.kind(to) == Some(ElementKind::Channel) {
        return Ok(match (engine, commit) {
            (Engine::Streams { exact: true }, _) => Write::LogTransaction,
            (Engine::Flink(_), None) => {
                need(desk, link, write::OUTPUT_COMMIT, "how output is committed")?;
                Write::LogUnconfirmed
            }
            (Engine::Flink(_), Some(OutputCommit::TwoPhase)) => Write::LogTransaction,
            (_, Some(OutputCommit::Nothing)) => Write::LogUnconfirmed,
            _ => Write::Log(client(desk, link)?),
        });
    }
    match commit {
        Some(OutputCommit::TwoPhase) => return Ok(Write::StoreTwoPhase),
        Some(OutputCommit::BatchId) => return Ok(Write::StoreBatchId),
        Some(OutputCommit::Nothing) => return untold(format!("{} does not wait for the store", desk.said(link))),
        _ => {}
    }
    rows(desk, link, to).map(Write::Store)
}

fn rows(desk: &Desk<'_>, link: &Id, to: &Id) -> Read<Rows> {
    Ok(match need(desk, link, store::WRITE_MODE, "write mode")? {
        WriteMode::Append => Rows::Append,
        WriteMode::Increment => Rows::Increment,
        WriteMode::Call => Rows::Call,
        WriteMode::Upsert | WriteMode::InsertIfAbsent => {
            let key = need(desk, link, write::KEY, "the key")?;
            let coordinates = key.0.iter().any(|column| &**column == "@coordinates");
            let enforced = coordinates || need(desk, to, sink::UNIQUE_KEYS, "unique keys")?.0.contains(&key);
            let of_event = desk.events_at(to).iter().any(|event| {
                desk.fact(event, crate::model::key::event::EVENT_ID).is_some_and(|fact| fact.value == key)
            });
            match (coordinates, enforced, of_event) {
                (true, ..) => Rows::ByCoordinates,
                (_, false, ..) => {
                    return untold(format!("the key of {} is none that {} enforces", desk.said(link), desk.said(to)));
                }
                (.., true) => Rows::ById,
                _ if guarded(desk, link)? => Rows::ByEntityGuarded,
                _ => Rows::ByEntity,
            }
        }
        _ => return untold(format!("how {} writes is not one of the model's ways", desk.said(link))),
    })
}

/// Does this write compare versions? What nobody set in its condition is not compared.
fn guarded(desk: &Desk<'_>, link: &Id) -> Read<bool> {
    match desk.design.get(View::ToBe, link, store::VERSION_GUARD) {
        Known::Unset(_) => Ok(false),
        _ => Ok(!need(desk, link, store::VERSION_GUARD, "the version guard")?.0.is_empty()),
    }
}
