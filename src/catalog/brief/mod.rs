//! Eight answers to a complete starting design. Every answer may stay open: what nobody said stays not stated, and shows
//! as an open question. Answers are kept as stated, what the drawing decides is proposed.
//!
//! What is decided: three replicas and two in sync, seven days of retention, one group a pipeline, commit after the
//! write, de-duplication by the id of the event (kept as long as the channels), a checkpoint every 60 s, results in transactions with readers that wait
//! for the commit, a dead-letter channel. Partitions only where somebody says what one partition takes.

mod sketch;

use self::sketch::{Sketch, columns};
use super::{Keys::Enforced, Role, entry};
use crate::model::{
    Columns, Design, Id, Keys, Port, Step, Text, key,
    units::{Duration, Limit, Rate, Size, SizeUnit},
    words::{
        Acknowledge, Acks, AfterRestart, AggregateFunction, Capture, CheckpointStorage, CleanupPolicy, Clock, Emit,
        EventIdSetBy, ExactlyOnceSource, Isolation, OffsetCommit, OffsetReset, OnError, OnSendFailure, OutputCommit,
        ProcessingGuarantee, TtlClock, TtlFrom, WindowKind, WriteMode,
    },
};

/// The answers; none of them is needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brief {
    /// What happens: `order placed`.
    pub event: Option<String>,
    /// Catalogue id of where it happens.
    pub source: Option<String>,
    /// Catalogue id of where results go.
    pub destination: Option<String>,
    /// Events per time, at the most.
    pub rate: Option<Rate>,
    /// What one partition takes, as measured; without it no number of partitions is proposed.
    pub partition_rate: Option<Rate>,
    /// How soon a result is needed.
    pub latency: Option<Duration>,
    /// Size of the tumbling window; none: no window.
    pub window: Option<Duration>,
    /// How late an event may be and still count.
    pub lateness: Option<Duration>,
    /// Lag that wakes somebody.
    pub lag_alert: Option<Duration>,
    /// Growth of the dead letters that wakes somebody.
    pub dead_letter_alert: Option<Rate>,
}

/// Time that is kept in every channel at the least, so that any point of the last week can be read again.
const KEPT: Duration = Duration::from_secs(7 * 86_400);
/// Checkpoint interval.
const CHECKPOINT: Duration = Duration::from_secs(60);
/// A transaction may be open this long; what brokers allow by default.
const TRANSACTION: Duration = Duration::from_secs(15 * 60);
/// What a consumer fetches at once at the most, so that its memory is bounded.
const FETCH: Size = Size::from_bytes(50 * SizeUnit::Mebibyte.bytes());
/// The column that identifies an event.
const EVENT_ID: &str = "event_id";

/// The design that these answers give.
#[must_use]
pub fn draw(brief: &Brief) -> Design {
    let name = brief.event.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or("event");
    let mut sketch = Sketch::new(name);
    sketch.design.clusters.insert(sketch::id("kafka"), sketch::cluster("kafka"));
    let event = event(&mut sketch, name, brief);
    let events = channel(&mut sketch, "events", name, brief);
    source(&mut sketch, &event, &events, brief);
    let results = process(&mut sketch, &events, brief);
    deliver(&mut sketch, &results, brief);
    sketch.design
}

fn event(sketch: &mut Sketch, name: &str, brief: &Brief) -> Id {
    let born = match brief.source.as_deref().and_then(entry).and_then(|entry| entry.source) {
        Some(source) if source.keeps_log => EventIdSetBy::Source,
        _ => EventIdSetBy::Producer,
    };
    let event = sketch.event(name);
    sketch.event_proposed(&event, |facts| {
        facts.with(key::event::EVENT_ID, columns(&[EVENT_ID])).with(key::event::EVENT_ID_SET_BY, born)
    });
    event
}

/// A channel with what every channel gets.
fn channel(sketch: &mut Sketch, base: &str, name: &str, brief: &Brief) -> Id {
    let id = sketch.channel(base, name);
    sketch.proposed(&id, |facts| {
        facts
            .with(key::channel::REPLICATION_FACTOR, 3)
            .with(key::channel::MIN_INSYNC_REPLICAS, 2)
            .with(key::channel::UNCLEAN_LEADER_ELECTION, false)
            .with(key::channel::CLEANUP_POLICY, CleanupPolicy::Delete)
            .with(key::channel::RETENTION_TIME, Limit::Of(KEPT))
    });
    if let (Some(rate), Some(each)) = (brief.rate, brief.partition_rate)
        && base == "events"
        && each.secs() > 0.0
    {
        let partitions = (rate.secs() / each.secs()).ceil().clamp(1.0, 1e6) as u64;
        sketch.proposed(&id, |facts| facts.with(key::channel::PARTITIONS, partitions));
    }
    id
}

/// The source, and what takes its events into the channel.
fn source(sketch: &mut Sketch, event: &Id, events: &Id, brief: &Brief) {
    let system = brief.source.as_deref().filter(|id| entry(id).is_some_and(|entry| entry.has(Role::Source)));
    let source = sketch.source(system, event);
    if let Some(rate) = brief.rate {
        sketch.stated(&source, |facts| facts.with(key::source::RATE, sketch::plain(rate)));
    }
    let kind = system.and_then(entry).and_then(|entry| entry.source);
    let capture = kind.and_then(|source| source.takings.first()).map(|taking| taking.capture);
    match capture {
        Some(Capture::ChangeLog) => {
            let (job, copy) = sketch.connector("capture");
            sketch.proposed(&job, |facts| {
                facts
                    .with(key::job::PROCESSING_GUARANTEE, ProcessingGuarantee::ExactlyOnce)
                    .with(key::job::ON_ERROR, OnError::Fail)
            });
            sketch.cluster_proposed("connect", |facts| {
                facts.with(key::cluster::EXACTLY_ONCE_SOURCE, ExactlyOnceSource::Enabled)
            });
            let take = sketch.link(&source, &copy, None);
            sketch.link_proposed(&take, |facts| {
                facts
                    .with(key::take::CAPTURE, Capture::ChangeLog)
                    .with(key::take::ACKNOWLEDGE, Acknowledge::AfterStore)
                    .with(key::take::AFTER_RESTART, AfterRestart::ResumePosition)
            });
            let write = sketch.link(&copy, events, None);
            sketch.link_proposed(&write, |facts| {
                producer(facts).with(key::write::OUTPUT_COMMIT, OutputCommit::WithPosition)
            });
        }
        Some(Capture::Subscribe | Capture::Listing) => {
            let (_, copy) = sketch.service("bridge", Step::Copy);
            let take = sketch.link(&source, &copy, None);
            let capture = capture.unwrap_or(Capture::Subscribe);
            sketch.link_proposed(&take, |facts| {
                facts.with(key::take::CAPTURE, capture).with(key::take::ACKNOWLEDGE, Acknowledge::AfterStore)
            });
            let write = sketch.link(&copy, events, None);
            sketch.link_proposed(&write, |facts| producer(facts).with(key::write::OUTPUT_COMMIT, OutputCommit::Flush));
        }
        _ => {
            let write = sketch.link(&source, events, None);
            sketch.link_proposed(&write, |facts| {
                let facts = producer(facts).with(key::write::OUTPUT_COMMIT, OutputCommit::Flush);
                match capture {
                    Some(Capture::Push) => facts
                        .with(key::take::CAPTURE, Capture::Push)
                        .with(key::take::ACKNOWLEDGE, Acknowledge::AfterStore),
                    Some(capture) => facts.with(key::take::CAPTURE, capture),
                    None => facts,
                }
            });
        }
    }
}

/// A producer that waits for the replicas and does not drop.
fn producer(facts: crate::model::Facts) -> crate::model::Facts {
    facts
        .with(key::produce::ACKS, Acks::All)
        .with(key::produce::IDEMPOTENCE, true)
        .with(key::produce::ON_SEND_FAILURE, OnSendFailure::Retry)
        .with(key::produce::FLUSH_ON_CLOSE, true)
}

/// The job: de-duplication by event id, a window where one is asked for, dead letters and late events set aside.
fn process(sketch: &mut Sketch, events: &Id, brief: &Brief) -> Id {
    let job = sketch.job("process", "flink");
    sketch.proposed(&job, |facts| {
        facts
            .with(key::job::PROCESSING_GUARANTEE, ProcessingGuarantee::ExactlyOnce)
            .with(key::job::CHECKPOINT_INTERVAL, CHECKPOINT)
            .with(key::job::CHECKPOINT_MIN_PAUSE, Duration::ZERO)
            .with(key::job::CHECKPOINT_STORAGE, CheckpointStorage::Durable)
    });
    if let Some(alert) = brief.lag_alert {
        sketch.stated(&job, |facts| facts.with(key::job::LAG_ALERT, alert));
    }
    let dedup = sketch.operator("by_event_id", &job, Step::Deduplicate);
    sketch.proposed(&dedup, |facts| {
        facts
            .with(key::operator::KEY, columns(&[EVENT_ID]))
            .with(key::operator::STATE_TTL, Limit::Of(KEPT))
            .with(key::operator::TTL_CLOCK, TtlClock::ProcessingTime)
            .with(key::operator::TTL_FROM, TtlFrom::First)
            .with(key::operator::ON_ERROR, OnError::DeadLetter)
    });
    let read = sketch.link(events, &dedup, None);
    let group: Text = job.as_str().into();
    sketch.link_proposed(&read, |facts| {
        facts
            .with(key::read::GROUP, group.clone())
            .with(key::read::ISOLATION, Isolation::ReadCommitted)
            .with(key::read::OFFSET_RESET, OffsetReset::Earliest)
            .with(key::read::FETCH_MAX, FETCH)
    });
    dead_letters(sketch, &dedup, brief);
    let last = brief.window.map_or(dedup.clone(), |size| window(sketch, &job, &dedup, size, brief));
    let results = channel(sketch, "results", "results", brief);
    let write = sketch.link(&last, &results, None);
    let key = result_key(brief);
    sketch.link_proposed(&write, |facts| {
        producer(facts)
            .with(key::write::KEY, key)
            .with(key::write::OUTPUT_COMMIT, OutputCommit::TwoPhase)
            .with(key::produce::TRANSACTIONAL_ID, group)
            .with(key::produce::TRANSACTION_TIMEOUT, TRANSACTION)
    });
    results
}

/// What identifies a result: the event, or the record key and the window.
fn result_key(brief: &Brief) -> Columns {
    columns(if brief.window.is_some() { &["@record_key", "window_start"] } else { &[EVENT_ID] })
}

fn dead_letters(sketch: &mut Sketch, from: &Id, brief: &Brief) {
    let dead = channel(sketch, "dead_letters", "dead letters", brief);
    if let Some(alert) = brief.dead_letter_alert {
        sketch.stated(&dead, |facts| facts.with(key::channel::ALERT_ABOVE, alert));
    }
    let link = sketch.link(from, &dead, Some(Port::DeadLetter));
    sketch.link_proposed(&link, |facts| producer(facts).with(key::write::OUTPUT_COMMIT, OutputCommit::Flush));
}

fn window(sketch: &mut Sketch, job: &Id, after: &Id, size: Duration, brief: &Brief) -> Id {
    let window = sketch.operator("count", job, Step::Aggregate);
    sketch.proposed(&window, |facts| {
        let facts = facts
            .with(key::operator::KEY, columns(&["@record_key"]))
            .with(key::operator::FUNCTION, AggregateFunction::Count)
            .with(key::operator::CLOCK, Clock::EventTime)
            .with(key::operator::WINDOW, WindowKind::Tumbling)
            .with(key::operator::WINDOW_SIZE, size)
            .with(key::operator::EMIT, Emit::OnClose);
        match brief.lateness {
            Some(late) => {
                facts.with(key::operator::WATERMARK_DELAY, late).with(key::operator::ALLOWED_LATENESS, Duration::ZERO)
            }
            None => facts,
        }
    });
    sketch.link(after, &window, None);
    if brief.lateness.is_some() {
        let late = channel(sketch, "late", "late events", brief);
        let link = sketch.link(&window, &late, Some(Port::Late));
        sketch.link_proposed(&link, |facts| producer(facts).with(key::write::OUTPUT_COMMIT, OutputCommit::Flush));
    }
    window
}

/// The way from the results to the consumer.
fn deliver(sketch: &mut Sketch, results: &Id, brief: &Brief) {
    let consumer = sketch.consumer("consumer");
    if let Some(latency) = brief.latency {
        sketch.stated(&consumer, |facts| facts.with(key::consumer::LATENCY_REQUIREMENT, latency));
    }
    let destination = brief.destination.as_deref().and_then(entry);
    let read = |facts: crate::model::Facts, group: &str| {
        facts
            .with(key::read::GROUP, group.into())
            .with(key::read::ISOLATION, Isolation::ReadCommitted)
            .with(key::read::OFFSET_COMMIT, OffsetCommit::AfterWork)
            .with(key::read::OFFSET_RESET, OffsetReset::Earliest)
            .with(key::read::FETCH_MAX, FETCH)
    };
    if destination.is_some_and(|entry| entry.has(Role::Channel)) {
        let link = sketch.link(results, &consumer, None);
        sketch.link_proposed(&link, |facts| read(facts, "consumer"));
        return;
    }
    let modes = destination.and_then(|entry| entry.sink).map_or(&[][..], |sink| sink.write_modes);
    let calls = modes == [WriteMode::Call];
    let (_, load) = if calls { sketch.service("deliver", Step::Call) } else { sketch.connector("load") };
    let take = sketch.link(results, &load, None);
    sketch.link_proposed(&take, |facts| read(facts, load.as_str()));
    let sink = sketch.sink(destination.map(|entry| entry.id));
    let write = sketch.link(&load, &sink, None);
    let key = result_key(brief);
    if destination.and_then(|entry| entry.sink).is_some_and(|sink| sink.keys == Enforced) {
        sketch.proposed(&sink, |facts| facts.with(key::sink::UNIQUE_KEYS, Keys(vec![key.clone()])));
    }
    sketch.link_proposed(&write, |facts| {
        let facts = facts.with(key::write::KEY, key).with(key::write::OUTPUT_COMMIT, OutputCommit::Flush);
        match modes.first() {
            Some(mode) => facts.with(key::store::WRITE_MODE, *mode),
            None => facts,
        }
    });
    sketch.link(&sink, &consumer, None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ElementKind, View};

    fn full() -> Brief {
        Brief {
            event: Some("order placed".to_owned()),
            source: Some("postgres".to_owned()),
            destination: Some("elasticsearch".to_owned()),
            rate: "300/s".parse().ok(),
            partition_rate: "100/s".parse().ok(),
            latency: Some(Duration::from_secs(600)),
            window: Some(Duration::from_secs(300)),
            lateness: Some(Duration::from_secs(30)),
            lag_alert: Some(Duration::from_secs(60)),
            dead_letter_alert: "10/min".parse().ok(),
        }
    }

    fn kinds(design: &Design) -> Vec<ElementKind> {
        design.elements.values().filter_map(crate::model::Subject::kind).collect()
    }

    #[test]
    fn answers_are_stated_and_decisions_proposed() {
        let design = draw(&full());
        let source = design.elements.iter().find(|(_, s)| s.kind() == Some(ElementKind::Source)).unwrap().0;
        let rate = design.get(View::ToBe, source, key::source::RATE).fact().unwrap();
        assert_eq!(rate.basis, crate::model::Basis::Stated);
        let events = sketch::id("events");
        let get = |k| design.get(View::ToBe, &events, k).value();
        assert_eq!(get(key::channel::REPLICATION_FACTOR), Some(3));
        assert_eq!(get(key::channel::MIN_INSYNC_REPLICAS), Some(2));
        assert_eq!(get(key::channel::PARTITIONS), Some(3), "300 /s over 100 /s a partition");
        assert!(kinds(&design).iter().filter(|kind| **kind == ElementKind::Channel).count() == 4);
    }

    #[test]
    fn no_partition_count_is_invented() {
        let design = draw(&Brief { partition_rate: None, ..full() });
        assert_eq!(design.get(View::ToBe, &sketch::id("events"), key::channel::PARTITIONS).value(), None);
    }

    #[test]
    fn every_answer_may_stay_open() {
        let design = draw(&Brief::default());
        assert!(kinds(&design).contains(&ElementKind::Source) && kinds(&design).contains(&ElementKind::Consumer));
        assert!(!design.elements.contains_key(&sketch::id("late")), "no lateness, no place for it yet");
    }

    #[test]
    fn every_source_and_destination_of_the_catalogue_gives_a_legal_design() {
        for source in crate::catalog::entries(Role::Source) {
            let sinks = crate::catalog::entries(Role::Sink).chain(crate::catalog::entries(Role::Channel));
            for destination in sinks {
                let brief = Brief {
                    source: Some(source.id.to_owned()),
                    destination: Some(destination.id.to_owned()),
                    ..full()
                };
                let text = crate::codec::encode(&draw(&brief));
                let read =
                    crate::codec::decode(&text).unwrap_or_else(|e| panic!("{} {}: {e}", source.id, destination.id));
                assert_eq!(crate::codec::encode(&read), text);
            }
        }
    }
}
