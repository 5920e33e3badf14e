//! From the keys of Kafka Connect and its connectors to fields.
//!
//! Sources: Apache Kafka documentation, Kafka Connect Configs; Debezium documentation, connector properties and
//! ExtractNewRecordState; the configuration references of the JDBC, Elasticsearch, S3, Iceberg, Snowflake, MongoDB, BigQuery and
//! ClickHouse connectors. A key that only its connector decides and that a whole configuration lacks is told as unset; what
//! the worker may set for all its connectors (`consumer.isolation.level`) is not. Not here: topics, sources and sinks (`connect_ends`).

use super::{
    connect_kinds::{Of, Settings, is_sink, transforms},
    keys::{
        Kind::{self, *},
        Mapped, columns, names, put,
    },
};
use crate::model::{Field, FieldValue, Value, key::*, words};

const FLAG_DELETES: Kind = Word(&[("true", "applied"), ("false", "ignored")]);

/// The keys, with the connectors that have them and the field each fills.
const KEYS: &[(Of, &str, Field, Kind)] = &[
    (Of::Any, "tasks.max", job::PARALLELISM.field(), Count),
    (Of::Any, "errors.retry.timeout", job::ERROR_RETRY_TIME.field(), MillisLimit),
    (Of::Any, super::connect::VERSION, job::CLIENT_VERSION.field(), Kind::Text),
    (
        Of::Source,
        "exactly.once.support",
        job::PROCESSING_GUARANTEE.field(),
        Word(&[("required", "exactly_once"), ("requested", "")]),
    ),
    (Of::Source, "producer.override.acks", produce::ACKS.field(), ACKS),
    (Of::Source, "producer.override.enable.idempotence", produce::IDEMPOTENCE.field(), Flag),
    (Of::Source, "producer.override.max.in.flight.requests.per.connection", produce::MAX_IN_FLIGHT.field(), Count),
    (Of::Source, "producer.override.retries", produce::RETRIES.field(), Count),
    (Of::Source, "producer.override.delivery.timeout.ms", produce::DELIVERY_TIMEOUT.field(), MillisLimit),
    (Of::Source, "producer.override.linger.ms", produce::LINGER.field(), Millis),
    (Of::Source, "producer.override.batch.size", produce::BATCH_SIZE.field(), Bytes),
    (Of::Source, "producer.override.compression.type", produce::COMPRESSION.field(), COMPRESSION),
    (Of::Source, "producer.override.max.request.size", produce::MAX_REQUEST_SIZE.field(), Bytes),
    (Of::Source, "producer.override.transaction.timeout.ms", produce::TRANSACTION_TIMEOUT.field(), Millis),
    (Of::Source, "producer.override.partitioner.class", produce::PARTITIONER.field(), PARTITIONER),
    (Of::Sink, "consumer.override.group.id", read::GROUP.field(), Kind::Text),
    (Of::Sink, "consumer.override.isolation.level", read::ISOLATION.field(), Kind::Isolation),
    (Of::Sink, "consumer.override.auto.offset.reset", read::OFFSET_RESET.field(), Reset),
    (Of::Sink, "consumer.override.max.poll.records", read::MAX_POLL_RECORDS.field(), Count),
    (Of::Sink, "consumer.override.max.poll.interval.ms", read::MAX_POLL_INTERVAL.field(), Millis),
    (Of::Sink, "consumer.override.fetch.min.bytes", read::FETCH_MIN.field(), Bytes),
    (Of::Sink, "consumer.override.fetch.max.wait.ms", read::FETCH_WAIT.field(), Millis),
    (Of::Sink, "consumer.override.fetch.max.bytes", read::FETCH_MAX.field(), Bytes),
    (Of::Sink, "consumer.override.max.partition.fetch.bytes", read::FETCH_MAX_PARTITION.field(), Bytes),
    (Of::Sink, "consumer.override.session.timeout.ms", job::SESSION_TIMEOUT.field(), Millis),
    (
        Of::Debezium,
        "snapshot.mode",
        take::SNAPSHOT.field(),
        Word(&[
            ("initial", "initial"),
            ("initial_only", "initial"),
            ("always", "repeated"),
            ("when_needed", "repeated"),
            ("never", "none"),
            ("no_data", "none"),
            ("schema_only", "none"),
            ("schema_only_recovery", "none"),
            ("recovery", "none"),
            ("configuration_based", ""),
            ("custom", ""),
        ]),
    ),
    (Of::Debezium, "heartbeat.interval.ms", take::HEARTBEAT.field(), TimeOrNone),
    (
        Of::DebeziumPostgres,
        "offset.mismatch.strategy",
        take::OFFSET_MISMATCH.field(),
        Word(&[
            ("no_validation", "no_validation"),
            ("trust_offset", "trust_offset"),
            ("trust_slot", "trust_slot"),
            ("trust_greater_lsn", "trust_greater_lsn"),
        ]),
    ),
    (Of::DebeziumPostgres, "slot.failover", source::POSITION_SURVIVES_FAILOVER.field(), Flag),
    (Of::Debezium, "log.mining.transaction.retention.ms", take::TRANSACTION_RETENTION.field(), TimeOrEver),
    (
        Of::JdbcSource,
        "mode",
        take::CAPTURE.field(),
        Word(&[
            ("timestamp", "poll_timestamp"),
            ("timestamp+incrementing", "poll_timestamp"),
            ("incrementing", "poll_sequence"),
            ("bulk", "poll_table"),
        ]),
    ),
    (Of::JdbcSource, "poll.interval.ms", take::POLL_INTERVAL.field(), Millis),
    (Of::JdbcSource, "timestamp.delay.interval.ms", take::POLL_DELAY.field(), Millis),
    (
        Of::JdbcSink,
        "insert.mode",
        store::WRITE_MODE.field(),
        Word(&[("insert", "append"), ("upsert", "upsert"), ("update", "patch")]),
    ),
    (Of::JdbcSink, "delete.enabled", store::DELETES.field(), FLAG_DELETES),
    (Of::JdbcSink, "max.retries", store::CLIENT_RETRIES.field(), Count),
    (Of::Elastic, "key.ignore", write::KEY.field(), Token(&[("true", "@coordinates"), ("false", "@record_key")])),
    (Of::Elastic, "write.method", store::WRITE_MODE.field(), Word(&[("insert", "upsert"), ("upsert", "patch")])),
    (
        Of::Elastic,
        "behavior.on.null.values",
        store::DELETES.field(),
        Word(&[("delete", "applied"), ("ignore", "ignored"), ("fail", "")]),
    ),
    (Of::Elastic, "max.retries", store::CLIENT_RETRIES.field(), Count),
    (Of::Files, "flush.size", store::FLUSH_RECORDS.field(), Count),
    (Of::Iceberg, "iceberg.control.commit.interval-ms", store::FLUSH_INTERVAL.field(), Millis),
    (Of::Iceberg, "iceberg.tables.upsert-mode-enabled", store::WRITE_MODE.field(), FLAG_UPSERT),
    (Of::Iceberg, "iceberg.tables.default-id-columns", write::KEY.field(), Names),
    (
        Of::Snowflake,
        "snowflake.ingestion.method",
        write::OUTPUT_COMMIT.field(),
        Word(&[("SNOWPIPE_STREAMING", "with_position"), ("SNOWPIPE", "none")]),
    ),
    (Of::Snowflake, "buffer.flush.time", store::FLUSH_INTERVAL.field(), Seconds),
    (Of::Snowflake, "buffer.count.records", store::FLUSH_RECORDS.field(), Count),
    (Of::Snowflake, "buffer.size.bytes", store::BUFFER_SIZE.field(), Bytes),
    (
        Of::MongoSink,
        "document.id.strategy",
        write::KEY.field(),
        Token(&[
            ("BsonOidStrategy", "@random"),
            ("UuidStrategy", "@random"),
            ("FullKeyStrategy", "@record_key"),
            ("ProvidedInKeyStrategy", "@record_key"),
            ("PartialKeyStrategy", "@record_key"),
            ("KafkaMetaDataStrategy", "@coordinates"),
            ("ProvidedInValueStrategy", "_id"),
            ("PartialValueStrategy", ""),
        ]),
    ),
    (
        Of::MongoSink,
        "writemodel.strategy",
        store::WRITE_MODE.field(),
        Word(&[
            ("ReplaceOneDefaultStrategy", "upsert"),
            ("ReplaceOneBusinessKeyStrategy", "upsert"),
            ("InsertOneDefaultStrategy", "append"),
            ("UpdateOneTimestampsStrategy", "patch"),
            ("UpdateOneDefaultStrategy", "patch"),
        ]),
    ),
    (Of::MongoSink, "delete.on.null.values", store::DELETES.field(), FLAG_DELETES),
    (Of::MongoSink, "max.num.retries", store::CLIENT_RETRIES.field(), Count),
    (Of::BigQuery, "upsertEnabled", store::WRITE_MODE.field(), FLAG_UPSERT),
    (Of::BigQuery, "deleteEnabled", store::DELETES.field(), FLAG_DELETES),
    (
        Of::ClickHouse,
        "exactlyOnce",
        write::OUTPUT_COMMIT.field(),
        Word(&[("true", "with_position"), ("false", "flush")]),
    ),
    (Of::Http, "max.retries", store::CLIENT_RETRIES.field(), Count),
    (Of::Any, "errors.tolerance", job::ON_ERROR.field(), Word(&[("none", "fail"), ("all", "skip")])),
];

const ACKS: Kind = Word(&[("all", "all"), ("-1", "all"), ("1", "1"), ("0", "0")]);
const COMPRESSION: Kind =
    Word(&[("none", "none"), ("gzip", "gzip"), ("snappy", "snappy"), ("lz4", "lz4"), ("zstd", "zstd")]);
const PARTITIONER: Kind = Word(&[
    ("RoundRobinPartitioner", "round_robin"),
    ("UniformStickyPartitioner", "sticky"),
    ("DefaultPartitioner", "murmur2"),
]);
const FLAG_UPSERT: Kind = Word(&[("true", "upsert"), ("false", "append")]);

/// What the connector does whatever is set: its class, the field, the word, why.
const CLASSES: &[(Of, Field, &str, &str)] = &[
    (Of::Debezium, take::CAPTURE.field(), "change_log", "Debezium reads the log of the database"),
    (Of::MongoSource, take::CAPTURE.field(), "change_log", "the connector follows the change stream"),
    (Of::Files, store::WRITE_MODE.field(), "file_commit", "a file is named by topic, partition and first offset"),
    (Of::Files, write::KEY.field(), "@coordinates", "a file is named by topic, partition and first offset"),
    (
        Of::Iceberg,
        write::OUTPUT_COMMIT.field(),
        "with_position",
        "offsets are committed with the snapshot of the table",
    ),
    (Of::Iceberg, store::WRITE_MODE.field(), "append", "appends where no upsert is set"),
    (Of::Snowflake, store::WRITE_MODE.field(), "append", "rows are inserted"),
    (Of::BigQuery, store::WRITE_MODE.field(), "append", "appends where no upsert is set"),
    (Of::ClickHouse, store::WRITE_MODE.field(), "append", "rows are inserted"),
    (Of::Http, store::WRITE_MODE.field(), "call", "each record or batch is a call"),
];

/// What only the connector decides, by the key that would say it.
const DECIDED: &[(Of, Field, &str)] = &[
    (Of::Any, job::PARALLELISM.field(), "tasks.max"),
    (Of::Any, job::ON_ERROR.field(), "errors.tolerance"),
    (Of::Any, job::ERROR_RETRY_TIME.field(), "errors.retry.timeout"),
    (Of::Debezium, take::SNAPSHOT.field(), "snapshot.mode"),
    (Of::Debezium, take::HEARTBEAT.field(), "heartbeat.interval.ms"),
    (Of::DebeziumPostgres, take::OFFSET_MISMATCH.field(), "offset.mismatch.strategy"),
    (Of::DebeziumPostgres, source::POSITION_SURVIVES_FAILOVER.field(), "slot.failover"),
    (Of::JdbcSource, take::POLL_INTERVAL.field(), "poll.interval.ms"),
    (Of::JdbcSource, take::POLL_DELAY.field(), "timestamp.delay.interval.ms"),
    (Of::JdbcSink, store::WRITE_MODE.field(), "insert.mode"),
    (Of::JdbcSink, store::DELETES.field(), "delete.enabled"),
    (Of::JdbcSink, write::KEY.field(), "pk.mode"),
    (Of::Elastic, write::KEY.field(), "key.ignore"),
    (Of::Elastic, store::WRITE_MODE.field(), "write.method"),
    (Of::Elastic, store::DELETES.field(), "behavior.on.null.values"),
    (Of::Files, store::ROTATION.field(), "rotate.schedule.interval.ms"),
    (Of::MongoSink, write::KEY.field(), "document.id.strategy"),
    (Of::MongoSink, store::WRITE_MODE.field(), "writemodel.strategy"),
    (Of::MongoSink, store::DELETES.field(), "delete.on.null.values"),
];

/// The settings of a worker.
const WORKER: &[(&str, Field, Kind)] = &[
    ("offset.flush.interval.ms", job::COMMIT_INTERVAL.field(), Millis),
    (
        "exactly.once.source.support",
        cluster::EXACTLY_ONCE_SOURCE.field(),
        Word(&[("disabled", "disabled"), ("preparing", "preparing"), ("enabled", "enabled")]),
    ),
    ("scheduled.rebalance.max.delay.ms", cluster::REBALANCE_DELAY.field(), Millis),
    (super::connect::VERSION, cluster::VERSION.field(), Kind::Text),
];

/// Is it a key of a connector that says something here, alone or with others?
pub(super) fn knows(key: &str) -> bool {
    /// Keys that are read together with others, or say where it reads and writes.
    const BESIDE: &[&str] = &[
        "name",
        "connector.class",
        "topics",
        "topics.regex",
        "errors.deadletterqueue.topic.name",
        "insert.mode",
        "pk.mode",
        "pk.fields",
        "primary.key.mode",
        "primary.key.fields",
        "rotate.interval.ms",
        "rotate.schedule.interval.ms",
        "skipped.operations",
        "partitioner.class",
        "timestamp.extractor",
        "transforms",
        "topic.prefix",
        "database.server.name",
        "table.include.list",
        "table.whitelist",
        "collection.include.list",
        "database.dbname",
        "database.names",
        "database.include.list",
        "connection.url",
        "connection.uri",
        "mongodb.connection.string",
        "query",
        "topic",
        "kafka.topic",
        "database",
        "collection",
        "topic.suffix",
        "s3.bucket.name",
        "gcs.bucket.name",
        "hdfs.url",
        "iceberg.tables",
        "snowflake.database.name",
        "table.name.format",
        "collection.name.format",
        "source.cluster.alias",
        "target.cluster.alias",
        "replication.policy.class",
        "replication.policy.separator",
    ];
    let transform = key.starts_with("transforms.")
        && key.rsplit('.').next().is_some_and(|last| {
            matches!(last, "type" | "regex" | "replacement" | "fields" | "mode" | "tombstones" | "topic.regex")
        });
    transform || BESIDE.contains(&key) || KEYS.iter().any(|row| row.1 == key)
}

/// Is it a key of a worker that fills a field, or tells a worker from a connector?
pub(super) fn knows_worker(key: &str) -> bool {
    WORKER.iter().any(|row| row.0 == key) || key == "group.id"
}

/// The fields that the settings of a connector fill.
pub(super) fn connector(settings: &Settings<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    on_error(settings, &mut mapped);
    captures_deletes(settings, &mut mapped);
    rotation(settings, &mut mapped);
    key(settings, &mut mapped);
    for (of, name, field, kind) in KEYS {
        if let Some(text) = settings.get(name).filter(|_| of.is(settings) && !mapped.holds(*field)) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    let set = |name: &str, value: &str| settings.get(name).is_some_and(|text| text.eq_ignore_ascii_case(value));
    // The offset of the record is the version of its document, unless parts of documents are merged.
    if Of::Elastic.is(settings) && set("key.ignore", "false") && set("write.method", "insert") {
        let note = "the offset of a record is the version of its document";
        mapped.tell(store::VERSION_GUARD.field(), "key.ignore", columns(["@offset"].into_iter()), Some(note));
    }
    for (_, field, word, note) in CLASSES.iter().filter(|row| row.0.is(settings)) {
        let value = if *field == write::KEY.field() { columns([*word].into_iter()) } else { Value::Word(word) };
        mapped.tell(*field, "connector.class", value, Some(note));
    }
    mapped
}

/// The fields of a whole configuration whose keys are not in it.
pub(super) fn unset<'a>(
    settings: &'a Settings<'a>,
    mapped: &'a Mapped,
) -> impl Iterator<Item = (Field, &'static str)> + 'a {
    let rows = DECIDED.iter().filter(|(of, field, name)| {
        of.is(settings) && !settings.contains_key(name) && !mapped.holds(*field) && !debezium_name(name, settings)
    });
    rows.map(|(_, field, name)| (*field, *name))
}

/// Debezium's sink has other names for the key.
fn debezium_name(name: &str, settings: &Settings<'_>) -> bool {
    name == "pk.mode" && settings.contains_key("primary.key.mode")
}

/// The fields that the settings of a worker fill.
pub(super) fn worker(settings: &Settings<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    for (name, field, kind) in WORKER {
        if let Some(text) = settings.get(name) {
            put(name, *field, *kind, text, &mut mapped);
        }
    }
    mapped
}

/// A queue for bad records is one of sinks only (Apache Kafka documentation, Sink Connector Configs), and only where bad
/// records do not stop the connector.
fn on_error(settings: &Settings<'_>, mapped: &mut Mapped) {
    if settings.get("errors.tolerance") == Some(&"all") && dead_letter(settings).is_some() {
        let (field, value) = (job::ON_ERROR.field(), words::OnError::DeadLetter.into_value());
        mapped.tell(field, "errors.tolerance", value, Some("with errors.deadletterqueue.topic.name"));
    }
}

/// The topic that takes bad records.
pub(super) fn dead_letter<'a>(settings: &Settings<'a>) -> Option<&'a str> {
    let topic = settings.get("errors.deadletterqueue.topic.name").copied()?;
    (is_sink(settings) && !topic.is_empty() && settings.get("errors.tolerance") == Some(&"all")).then_some(topic)
}

/// Deletes that are not sent on: left out of the log's events, or dropped when rows are unwrapped. Before 2.5 the mode `drop`
/// left the tombstone, unless that was dropped as well (Debezium documentation, ExtractNewRecordState).
fn captures_deletes(settings: &Settings<'_>, mapped: &mut Mapped) {
    if !Of::Debezium.is(settings) {
        return;
    }
    let field = take::CAPTURES_DELETES.field();
    if let Some(skipped) = settings.get("skipped.operations") {
        mapped.used.push("skipped.operations");
        if names(skipped).any(|operation| operation == "d") {
            mapped.tell(field, "skipped.operations", Value::Bool(false), Some("deletes are left out"));
        }
    }
    let drops = |option: &str, value: &str| {
        transforms(settings, "ExtractNewRecordState")
            .any(|name| settings.get(format!("transforms.{name}.{option}").as_str()).is_some_and(|text| *text == value))
    };
    if drops("delete.tombstone.handling.mode", "drop")
        || (drops("delete.handling.mode", "drop") && drops("drop.tombstones", "true"))
    {
        mapped.tell(field, "transforms", Value::Bool(false), Some("deletes are dropped when rows are unwrapped"));
    }
}

/// Files that close by a clock are cut elsewhere when they are written again (S3 sink connector documentation, Exactly once
/// delivery): a schedule, or times that are taken from the clock.
fn rotation(settings: &Settings<'_>, mapped: &mut Mapped) {
    if !Of::Files.is(settings) {
        return;
    }
    let millis = |name: &str| settings.get(name).and_then(|text| text.parse::<i64>().ok()).filter(|ms| *ms > 0);
    let (schedule, interval) = (millis("rotate.schedule.interval.ms"), millis("rotate.interval.ms"));
    let ends = |name: &str, end: &str| settings.get(name).is_some_and(|text| text.ends_with(end));
    let wallclock = ends("timestamp.extractor", "Wallclock");
    let from_record = ends("timestamp.extractor", "Record") || ends("timestamp.extractor", "RecordField");
    let by_time = settings.get("partitioner.class").is_some_and(|class| class.contains("TimeBased"));
    let off = settings.get("rotate.schedule.interval.ms").is_some_and(|_| schedule.is_none());
    let (by, name) = match (schedule, interval) {
        (Some(_), _) => (words::Rotation::ByClock, "rotate.schedule.interval.ms"),
        (None, _) if wallclock && (by_time || interval.is_some()) => (words::Rotation::ByClock, "timestamp.extractor"),
        (None, _) if off && (!by_time || from_record) => (words::Rotation::ByRecord, "rotate.schedule.interval.ms"),
        _ => return,
    };
    mapped.tell(store::ROTATION.field(), name, by.into_value(), None);
    mapped.used.push("rotate.schedule.interval.ms");
    let every = [(schedule, "rotate.schedule.interval.ms"), (interval, "rotate.interval.ms")];
    if let Some((_, name)) = every.into_iter().find(|(ms, _)| ms.is_some())
        && let Some(text) = settings.get(name)
    {
        put(name, store::FLUSH_INTERVAL.field(), Millis, text, mapped);
    }
}

/// The key of the row: `pk.mode` of one JDBC sink, `primary.key.mode` of the other; the key of the record where a transform
/// makes it.
fn key(settings: &Settings<'_>, mapped: &mut Mapped) {
    let field = write::KEY.field();
    if Of::JdbcSink.is(settings) {
        let modes = [("pk.mode", "pk.fields"), ("primary.key.mode", "primary.key.fields")];
        for (mode, fields) in modes {
            let fields: Vec<&str> = settings.get(fields).map(|text| names(text).collect()).unwrap_or_default();
            let value = match (settings.get(mode).copied(), fields.is_empty()) {
                (Some("none"), _) => columns([].into_iter()),
                (Some("kafka"), _) => columns(["@coordinates"].into_iter()),
                (Some("record_key"), true) => columns(["@record_key"].into_iter()),
                (Some("record_key" | "record_value" | "record_header"), false) => columns(fields.into_iter()),
                (Some("record_value" | "record_header"), true) | (None, _) => continue,
                (Some(other), _) => {
                    mapped.unfit.push((mode, format!("{other:?} is no way to make a key that is known here")));
                    continue;
                }
            };
            mapped.tell(field, mode, value, None);
        }
    }
    if !is_sink(settings) {
        let fields = transforms(settings, "ValueToKey")
            .filter_map(|name| settings.get(format!("transforms.{name}.fields").as_str()))
            .next();
        if let Some(fields) = fields {
            mapped.tell(field, "transforms", columns(names(fields)), Some("by the transform ValueToKey"));
        }
    }
}
