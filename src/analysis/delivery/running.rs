//! How the job of an operator runs: what its engine does under its guarantee.

use super::{hop::Examined, ledger::BOTH, state::State, transaction::stated_outage};
use crate::{
    analysis::{
        explain::MissingWhy,
        formulas::checkpoint,
        graph::{Graph, Place},
    },
    catalog::{Mode, PositionIn, StateCommit},
    model::{ElementKind, Field, key::job, words::ProcessingGuarantee},
};

/// How a job runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    /// The job; a batch path stands for itself.
    pub job: Place,
    /// What its engine does; `None`: not known, and noted.
    pub mode: Option<&'static Mode>,
    /// A consumer of its own making: position and state are what its code makes of them.
    pub plain: bool,
    /// A connector runtime: it confirms its writes before it moves on.
    pub connector: bool,
    /// A batch path.
    pub batch: bool,
    /// Can one of its readers be replaced while it still works?
    pub zombies: bool,
    /// Does it keep its positions in logs where none expires?
    pub own_positions: bool,
}

/// Which side of a connector asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It reads a log: the guarantee of source connectors does not apply.
    Sink,
    /// It writes into a log.
    Source,
}

impl Running {
    /// Is its state restored to the same point as its position?
    pub fn exact(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::Exact)
    }

    /// Can its state already hold what is read again?
    pub fn at_least_once(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::AtLeastOnce)
    }

    /// Does a restart forget its state, while the position moves on?
    pub fn volatile(&self) -> bool {
        self.mode.is_some_and(|mode| mode.state == StateCommit::Volatile)
    }

    /// Does it keep its position in a checkpoint?
    pub fn checkpointed(&self) -> bool {
        self.mode.is_some_and(|mode| mode.position == PositionIn::Checkpoint)
    }
}

/// How the job of `node` runs; notes what is missing for an answer.
pub(super) fn running(hop: &mut Examined<'_, '_>, state: &mut State, node: usize, side: Side) -> Running {
    let graph = hop.graph;
    let owner = graph.nodes[node].job.unwrap_or(node);
    let place = graph.node_place(owner);
    let batch = graph.nodes[node].kind() == ElementKind::Batch;
    let mut running =
        Running { job: place, mode: None, plain: false, connector: false, batch, zombies: false, own_positions: false };
    if batch {
        return running;
    }
    let Some(engine) = graph.nodes[node].entry.and_then(|entry| entry.engine) else {
        hop.miss(state, place, system_field(), MissingWhy::System, BOTH);
        return running;
    };
    running.connector = engine.connector();
    running.zombies = engine.zombies;
    running.own_positions = engine.own_positions;
    let only = match engine.modes {
        [only] => Some(only),
        _ => None,
    };
    running.plain = only.is_some_and(|mode| mode.position == PositionIn::Group);
    running.mode = only.or_else(|| {
        if running.connector && side == Side::Sink {
            return engine.mode(Some(ProcessingGuarantee::AtLeastOnce));
        }
        let guarantee = hop.need(state, place, job::PROCESSING_GUARANTEE, BOTH)?;
        let mode = engine.mode(Some(guarantee));
        if mode.is_none() {
            hop.miss(state, place, job::PROCESSING_GUARANTEE.field(), MissingWhy::NotKnown, BOTH);
        }
        mode
    });
    running
}

/// Stands for the system of a job in what is missing: the nearest setting that every subject has.
pub(super) fn system_field() -> Field {
    job::VERSION.field()
}

/// How long after the first one a copy can come that this job makes by reading again, in ms: what it may have to read
/// again, and how long it may be down. `None`: not known.
pub(super) fn rewind(graph: &Graph<'_>, job: Place) -> Option<u64> {
    let again = match graph.fact(job, job::CHECKPOINT_INTERVAL) {
        Some(interval) => since_checkpoint(graph, job, interval.value.secs())?,
        None => graph.fact(job, job::COMMIT_INTERVAL)?.value.secs(),
    };
    Some(millis(again + stated_outage(graph, job)?.value))
}

/// Most that is read again from a checkpoint, in seconds: the last complete one was triggered one period and one duration
/// before, and earlier by each one that may fail.
fn since_checkpoint(graph: &Graph<'_>, job: Place, interval: f64) -> Option<f64> {
    let duration = graph.fact(job, job::CHECKPOINT_DURATION)?.value;
    let duration = duration.max().or_else(|| duration.mean())?.secs();
    let pause = graph.fact(job, job::CHECKPOINT_MIN_PAUSE)?.value.secs();
    let failures = graph.fact(job, job::TOLERABLE_FAILED_CHECKPOINTS).map_or(0, |failures| failures.value);
    let failing = match failures {
        0 => 0.0,
        _ => graph.fact(job, job::CHECKPOINT_TIMEOUT)?.value.secs(),
    };
    #[expect(clippy::cast_precision_loss, reason = "so many failures are as good as without end")]
    Some(checkpoint::rewind_worst(interval, duration, pause, failures as f64, failing))
}

/// Seconds as ms.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast of a float saturates")]
pub(super) fn millis(seconds: f64) -> u64 {
    (seconds * 1000.0) as u64
}

#[cfg(test)]
mod tests {
    use super::rewind;
    use crate::{
        analysis::{
            delivery::verdict::{CopyClass, DeliveryVerdict, LossKind, LossyHop},
            graph::Graph,
        },
        codec,
        model::{Id, View},
        rules::review,
    };

    /// A log, one step of this job, and a store or log behind it.
    fn behind(job: &str, step: &str, write: &str, to: &str) -> DeliveryVerdict {
        behind_reading(job, "", step, write, to)
    }

    fn behind_reading(job: &str, read: &str, step: &str, write: &str, to: &str) -> DeliveryVerdict {
        let log = r#""partitions":3,"replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited""#;
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":1,
            "elements":{{"c":{{"kind":"channel","system":"kafka","proposed":{{{log}}}}},"j":{{"kind":"job",{job}}},
             "o":{{"kind":"operator","job":"j",{step}}},"t":{{{to}}},"u":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"c","to":"o","proposed":{{"isolation":"read_committed","offset_reset":"earliest"{read}}}}},
             "l2":{{"from":"o","to":"t","proposed":{{{write}}}}},"l3":{{"from":"t","to":"u"}}}}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        review(&design, View::ToBe).consumers[&Id::new("u").unwrap()].delivery.clone()
    }

    const COPY: &str = r#""step":"copy""#;
    const TABLE: &str = r#""kind":"sink","system":"postgres""#;
    const APPEND: &str = r#""write_mode":"append""#;

    fn has(verdict: &DeliveryVerdict, class: CopyClass) -> bool {
        verdict.duplicates.iter().any(|copies| copies.class == class)
    }

    fn loses_at(verdict: &DeliveryVerdict, at: &str) -> bool {
        verdict.lossy_hops.iter().any(|loss| loss.hop.at.as_str() == at)
    }

    #[test]
    fn lambda_processes_again_and_discards_where_it_is_told_to() {
        let of = |facts: &str| behind(&format!(r#""system":"lambda"{facts}"#), COPY, APPEND, TABLE);
        let plain = of(r#","proposed":{"on_error":"fail"}"#);
        assert!(has(&plain, CopyClass::Redelivery), "{plain:?}");
        assert!(!loses_at(&plain, "o") && !loses_at(&plain, "l2"), "{:?}", plain.lossy_hops);
        assert!(loses_at(&of(r#","proposed":{"on_error":"skip"}"#), "o"), "discarded after its retries");
    }

    /// What is older, or failed once too often, is discarded whatever else is done with errors.
    #[test]
    fn lambda_discards_what_does_not_succeed_in_time() {
        let found = |job: &str, read: &str| {
            let verdict = behind_reading(&format!(r#""system":"lambda"{job}"#), read, COPY, APPEND, TABLE);
            let at = verdict.lossy_hops.iter().filter(|loss| loss.hop.at.as_str() == "o");
            let condition = |loss: &LossyHop| match &loss.kind {
                LossKind::Conditional(condition) => condition.text.clone(),
                LossKind::Possible => loss.cause.to_string(),
            };
            at.map(|loss| condition(loss)).collect::<Vec<_>>()
        };
        let hour = r#""error_retry_time":"1h""#;
        let in_time = "each record succeeds within 1 h";
        assert_eq!(found(&format!(r#","proposed":{{"on_error":"fail",{hour}}}"#), ""), [in_time]);
        assert_eq!(found(&format!(r#","proposed":{{{hour}}}"#), ""), [in_time], "nobody says what is done with errors");
        let away = found(&format!(r#","proposed":{{{hour},"longest_outage":"2h"}}"#), "");
        assert_eq!(away, ["what does not succeed in time is discarded"], "2 h away, and older than 1 h is not tried");
        assert_eq!(found(r#","proposed":{"error_retry_time":"unlimited"}"#, ""), Vec::<String>::new());
        assert_eq!(found("", r#","max_deliveries":3"#), ["every record is handled within 3 attempts"]);
        let skips = found(&format!(r#","proposed":{{"on_error":"skip",{hour}}}"#), "");
        assert_eq!(skips, ["records that fail are skipped"]);
    }

    #[test]
    fn redpanda_connect_acknowledges_after_the_write_unless_it_buffers() {
        let of = |write: &str| {
            behind(
                r#""system":"redpanda_connect","proposed":{"on_error":"fail"}"#,
                COPY,
                &format!("{APPEND}{write}"),
                TABLE,
            )
        };
        let plain = of("");
        assert!(has(&plain, CopyClass::Redelivery) && !loses_at(&plain, "l2"), "{plain:?}");
        assert!(loses_at(&of(r#","output_commit":"none""#), "l2"), "a memory buffer");
    }

    /// A checkpoint every minute that takes 100 s, with 400 s of pause: a period of 500 s, 600 s to read again, and 60 s down.
    #[test]
    fn copies_come_as_late_as_what_is_read_again_and_the_outage() {
        let of = |job: &str| {
            let design = codec::decode(&format!(
                r#"{{"format":"streaming-pipeline","version":1,"elements":{{"j":{{"kind":"job","system":"flink","proposed":{{
                "checkpoint_interval":"60s","longest_outage":"60s"{job}}}}}}},"links":{{}}}}"#
            ))
            .unwrap_or_else(|error| panic!("{error}"));
            let graph = Graph::new(&design, View::ToBe);
            let job = graph.node_place(0);
            rewind(&graph, job)
        };
        let known = r#","checkpoint_duration":"100s","checkpoint_min_pause":"400s""#;
        assert_eq!(of(known), Some(660_000));
        assert_eq!(of(r#","checkpoint_duration":"100s""#), None, "the pause is not read");
        assert_eq!(of(r#","checkpoint_min_pause":"400s""#), None, "the duration is not read");
        // Two that fail after 600 s each, a pause after each: 2 000 s more.
        let failing = format!(r#"{known},"tolerable_failed_checkpoints":2"#);
        assert_eq!(of(&format!(r#"{failing},"checkpoint_timeout":"600s""#)), Some(2_660_000));
        assert_eq!(of(&failing), None);
    }

    #[test]
    fn beam_does_what_its_runner_does() {
        let log = r#""kind":"channel","system":"kafka","proposed":{"partitions":3,"replication_factor":3,"min_insync_replicas":2,"unclean_leader_election":false,"cleanup_policy":"delete","retention_time":"7d","retention_size":"unlimited"}"#;
        let sends =
            r#""acks":"all","idempotence":true,"max_in_flight":5,"on_send_failure":"retry","flush_on_close":true"#;
        let of = |guarantee: &str, commit: &str| {
            let job =
                format!(r#""system":"beam","proposed":{{"processing_guarantee":"{guarantee}","on_error":"fail"}}"#);
            behind(&job, COPY, &format!(r#"{sends},"output_commit":"{commit}""#), log)
        };
        let exact = of("exactly_once", "with_position");
        assert!(!has(&exact, CopyClass::Reemission), "withEOS: {:?}", exact.duplicates);
        assert!(has(&of("exactly_once", "flush"), CopyClass::Reemission));
        let off = of("none", "flush");
        assert!(loses_at(&off, "l1"), "without checkpoints: {:?}", off.lossy_hops);
        // A call is repeated whatever the runner does to its state.
        let call = r#""step":"call","proposed":{"on_error":"fail"}"#;
        let job = r#""system":"beam","proposed":{"processing_guarantee":"exactly_once"}"#;
        let called = behind(job, call, r#""write_mode":"call""#, r#""kind":"sink","system":"http""#);
        assert!(has(&called, CopyClass::Reemission) || has(&called, CopyClass::Redelivery), "{called:?}");
    }
}
