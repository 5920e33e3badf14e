//! From Apache Flink's keys to fields: its configuration with the spellings of 1.x and 2.x, and its REST interface.
//!
//! Sources: Apache Flink documentation, Configuration (Checkpointing, State Backends, Pipeline, Table); REST API. A configuration
//! that lacks a key says nothing of it, for a job sets its own in code. Not here: which job a text is about.

use super::keys::{
    Kind::{self, *},
    Mapped, put,
};
use crate::model::{
    Field, FieldValue, MAX_COUNT, Statistic, Value,
    key::*,
    units::{Duration, Size},
    words::{CheckpointStorage, ProcessingGuarantee},
};
use crate::sorted::SortedMap;

/// Key, field, how to read it.
pub(super) type Row = (&'static str, Field, Kind);

const BACKEND: Kind = Word(&[
    ("rocksdb", "rocksdb"),
    ("EmbeddedRocksDBStateBackend", "rocksdb"),
    ("EmbeddedRocksDBStateBackendFactory", "rocksdb"),
    ("RocksDBStateBackend", "rocksdb"),
    ("RocksDBStateBackendFactory", "rocksdb"),
    ("hashmap", "heap"),
    ("HashMapStateBackend", "heap"),
    ("FsStateBackend", "heap"),
    ("MemoryStateBackend", "heap"),
    ("filesystem", "heap"),
    ("jobmanager", "heap"),
    ("forst", "remote"),
    ("ForStStateBackend", "remote"),
    ("ForStStateBackendFactory", "remote"),
]);
const MODE: Kind = Word(&[("exactly_once", "exactly_once"), ("at_least_once", "at_least_once"), ("none", "none")]);

/// The keys of the configuration.
pub(super) const CONFIGURATION: &[Row] = &[
    ("execution.checkpointing.interval", job::CHECKPOINT_INTERVAL.field(), Time),
    ("execution.checkpointing.mode", job::PROCESSING_GUARANTEE.field(), MODE),
    ("execution.checkpointing.timeout", job::CHECKPOINT_TIMEOUT.field(), Time),
    ("execution.checkpointing.min-pause", job::CHECKPOINT_MIN_PAUSE.field(), Time),
    ("execution.checkpointing.tolerable-failed-checkpoints", job::TOLERABLE_FAILED_CHECKPOINTS.field(), Count),
    ("execution.checkpointing.unaligned.enabled", job::CHECKPOINT_UNALIGNED.field(), Flag),
    ("execution.checkpointing.unaligned", job::CHECKPOINT_UNALIGNED.field(), Flag),
    ("execution.checkpointing.incremental", job::CHECKPOINT_INCREMENTAL.field(), Flag),
    ("state.backend.incremental", job::CHECKPOINT_INCREMENTAL.field(), Flag),
    ("execution.checkpointing.local-backup.enabled", job::LOCAL_RECOVERY.field(), Flag),
    ("state.backend.local-recovery", job::LOCAL_RECOVERY.field(), Flag),
    ("state.backend.type", job::STATE_BACKEND.field(), BACKEND),
    ("state.backend", job::STATE_BACKEND.field(), BACKEND),
    ("parallelism.default", job::PARALLELISM.field(), Count),
    ("heartbeat.timeout", job::DETECTION_TIME.field(), Time),
    ("taskmanager.memory.process.size", job::MEMORY.field(), Memory),
    ("table.exec.state.ttl", operator::STATE_TTL.field(), TimeOrEver),
    ("table.exec.source.idle-timeout", operator::IDLE_TIMEOUT.field(), TimeOrEver),
    ("table.exec.emit.allow-lateness", operator::ALLOWED_LATENESS.field(), Time),
    ("pipeline.auto-watermark-interval", operator::WATERMARK_INTERVAL.field(), Time),
];

/// The keys of `/jobs/ID/checkpoints/config`, `/jobs/ID/checkpoints`, `/jobs/ID`.
pub(super) const REST: &[Row] = &[
    ("mode", job::PROCESSING_GUARANTEE.field(), MODE),
    ("interval", job::CHECKPOINT_INTERVAL.field(), Millis),
    ("timeout", job::CHECKPOINT_TIMEOUT.field(), Millis),
    ("min_pause", job::CHECKPOINT_MIN_PAUSE.field(), Millis),
    ("unaligned_checkpoints", job::CHECKPOINT_UNALIGNED.field(), Flag),
    ("tolerable_failed_checkpoints", job::TOLERABLE_FAILED_CHECKPOINTS.field(), Count),
    ("state_backend", job::STATE_BACKEND.field(), BACKEND),
    ("parallelism", job::PARALLELISM.field(), Count),
    ("maxParallelism", job::MAX_PARALLELISM.field(), Count),
];

/// The keys of `/overview`.
pub(super) const OVERVIEW: &[Row] =
    &[("slots-total", cluster::SLOTS.field(), Count), ("flink-version", cluster::VERSION.field(), Kind::Text)];

/// What is measured: by the name of the figure, the field, and whether it is a time.
const MEASURED: [(&str, Field, bool); 3] = [
    ("end_to_end_duration", job::CHECKPOINT_DURATION.field(), true),
    ("checkpointed_size", job::CHECKPOINT_SIZE.field(), false),
    ("state_size", job::STATE_SIZE.field(), false),
];

/// Keys that are read together with others.
pub(super) const BESIDE: &[&str] = &[
    "checkpoint_storage",
    "externalization.enabled",
    "externalization.delete_on_cancellation",
    "execution.checkpointing.storage",
    "state.checkpoint-storage",
    "execution.checkpointing.dir",
    "state.checkpoints.dir",
    "execution.checkpointing.num-retained",
    "state.checkpoints.num-retained",
    "execution.checkpointing.externalized-checkpoint-retention",
    "pipeline.max-parallelism",
    "summary.end_to_end_duration.avg",
    "summary.end_to_end_duration.min",
    "summary.end_to_end_duration.max",
    "summary.end_to_end_duration.p50",
    "summary.end_to_end_duration.p95",
    "summary.end_to_end_duration.p99",
    "summary.checkpointed_size.avg",
    "summary.checkpointed_size.min",
    "summary.checkpointed_size.max",
    "summary.checkpointed_size.p50",
    "summary.checkpointed_size.p95",
    "summary.checkpointed_size.p99",
    "latest.completed.end_to_end_duration",
    "latest.completed.checkpointed_size",
    "latest.completed.state_size",
];

/// Is it a key that no other product has?
pub(super) fn is_own(key: &str) -> bool {
    ["execution.checkpointing.", "state.backend", "state.checkpoint", "taskmanager.", "table.exec.", "pipeline."]
        .into_iter()
        .any(|begin| key.starts_with(begin))
        || key == "parallelism.default"
}

type Settings<'a> = SortedMap<&'a str, &'a str>;

/// The fields of a job that its settings and readings fill.
pub(super) fn of_job(settings: &Settings<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    off(settings, &mut mapped);
    storage(settings, &mut mapped);
    retained(settings, &mut mapped);
    measured(settings, &mut mapped);
    for (name, field, kind) in CONFIGURATION.iter().chain(REST) {
        if let Some(text) = settings.get(name).filter(|_| !mapped.used.contains(name) && !mapped.holds(*field)) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    // -1: as the engine works it out.
    if let Some(text) = settings.get("pipeline.max-parallelism").filter(|text| **text != "-1") {
        put("pipeline.max-parallelism", job::MAX_PARALLELISM.field(), Count, text, &mut mapped);
    }
    mapped
}

/// The fields of the cluster.
pub(super) fn of_cluster(settings: &Settings<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    for (name, field, kind) in OVERVIEW {
        if let Some(text) = settings.get(name) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    mapped
}

/// An interval of 0, or of the largest number there is, stands for none: then the mode says nothing.
fn off(settings: &Settings<'_>, mapped: &mut Mapped) {
    for (interval, mode) in [("interval", "mode"), ("execution.checkpointing.interval", "execution.checkpointing.mode")]
    {
        let text = settings.get(interval).copied().unwrap_or_default();
        if matches!(text, "9223372036854775807" | "0" | "-1" | "0s" | "0 s" | "0 ms" | "0ms") {
            let none = ProcessingGuarantee::Nothing.into_value();
            mapped.tell(job::PROCESSING_GUARANTEE.field(), interval, none, Some("no checkpoints are taken"));
            mapped.used.push(mode);
        }
    }
}

/// Where checkpoints lie. A file system counts as durable where its address names one that many machines reach.
fn storage(settings: &Settings<'_>, mapped: &mut Mapped) {
    const FAR: [&str; 12] = ["s3", "s3a", "s3p", "s3n", "hdfs", "gs", "abfs", "abfss", "wasb", "wasbs", "oss", "obs"];
    let field = job::CHECKPOINT_STORAGE.field();
    let (durable, memory) = (CheckpointStorage::Durable, CheckpointStorage::CoordinatorMemory);
    for name in ["checkpoint_storage", "execution.checkpointing.storage", "state.checkpoint-storage"] {
        match settings.get(name).map(|text| text.rsplit('.').next().unwrap_or(text).to_ascii_lowercase()).as_deref() {
            Some("jobmanager" | "jobmanagercheckpointstorage") => mapped.tell(field, name, memory.into_value(), None),
            Some("filesystemcheckpointstorage") => {
                let note = "in a file system: durable where it outlives the machines of the job";
                mapped.tell(field, name, durable.into_value(), Some(note));
            }
            _ => {}
        }
    }
    for name in ["execution.checkpointing.dir", "state.checkpoints.dir"] {
        let Some(text) = settings.get(name) else { continue };
        match text.split_once("://").map(|(scheme, _)| scheme) {
            Some(scheme) if FAR.contains(&scheme) => mapped.tell(field, name, durable.into_value(), None),
            _ => {
                let reason = format!("{text:?} does not say whether it outlives the machines of the job");
                mapped.unfit.push((name, reason));
            }
        }
    }
}

/// How many checkpoints are left where the job is cancelled: none, unless they are to be kept.
fn retained(settings: &Settings<'_>, mapped: &mut Mapped) {
    let field = job::CHECKPOINTS_RETAINED.field();
    let rest = match (settings.get("externalization.enabled"), settings.get("externalization.delete_on_cancellation")) {
        (Some(&"false"), _) => Some("externalization.enabled"),
        (_, Some(&"true")) => Some("externalization.delete_on_cancellation"),
        _ => None,
    };
    let name = "execution.checkpointing.externalized-checkpoint-retention";
    let kept = settings.get(name).copied();
    let deleted = kept.is_some_and(|kept| kept.starts_with("DELETE") || kept.starts_with("NO_"));
    if let Some(name) = rest.or(deleted.then_some(name)) {
        mapped.tell(field, name, Value::Count(0), Some("they are deleted where the job is cancelled"));
    } else if kept.is_some_and(|kept| kept.starts_with("RETAIN")) {
        for name in ["execution.checkpointing.num-retained", "state.checkpoints.num-retained"] {
            if let Some(text) = settings.get(name) {
                put(name, field, Count, text, mapped);
            }
        }
    }
}

/// What checkpoints took: the summary of all of them where it is printed, else the last. Before `checkpointed_size` was
/// printed (1.15), `state_size` was the size of the checkpoint.
fn measured(settings: &Settings<'_>, mapped: &mut Mapped) {
    let older = !settings.contains_key("latest.completed.checkpointed_size");
    for (figure, field, time) in MEASURED {
        let field = if figure == "state_size" && older { job::CHECKPOINT_SIZE.field() } else { field };
        let value = |key: &str| -> Option<Value> {
            let n = settings.get(key)?.parse::<f64>().ok().filter(|n| (0.0..MAX_COUNT as f64).contains(n))? as u64;
            Some(if time { Duration::from_millis(n).into_value() } else { Size::from_bytes(n).into_value() })
        };
        let all: SortedMap<Statistic, Value> = [
            ("avg", Statistic::Mean),
            ("min", Statistic::Min),
            ("max", Statistic::Max),
            ("p50", Statistic::Percentile(50_000)),
            ("p95", Statistic::Percentile(95_000)),
            ("p99", Statistic::Percentile(99_000)),
        ]
        .into_iter()
        .filter_map(|(name, statistic)| Some((statistic, value(&format!("summary.{figure}.{name}"))?)))
        .collect();
        let of = |end: &str| BESIDE.iter().find(|key| key.ends_with(end) && key.contains(figure)).copied();
        if let Some(name) = of("max").filter(|name| !all.is_empty() && settings.contains_key(name)) {
            mapped.tell(field, name, Value::Statistics(all), Some("over the checkpoints that the job remembers"));
        } else if let Some((name, value)) = of(figure).and_then(|name| Some((name, value(name)?))) {
            mapped.tell(field, name, value, Some("of the last checkpoint"));
        }
    }
}
