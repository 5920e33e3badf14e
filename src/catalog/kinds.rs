//! The kinds of places and engines that a streaming design is made of, and the entry and variant that answers each.
//!
//! What is checked is what the delivery walk reads: where a position is kept, what keeps an acknowledged record, what a
//! repeat does. Each row says what the product's documentation says.

use super::{
    Channel, ChannelKind, DefaultValue, Durability, Engine, Entry, Keys, Mode, Order, PositionIn, Resend, Role, Sink,
    StateCommit, Taking, client_default, default_of, entry,
};
use crate::model::{
    key::{channel, produce, read, sink, store},
    words::{
        AfterRestart, Capture, Client, Collapse, Isolation, OutputCommit, ProcessingGuarantee, Rebuild, Transactions,
        WriteMode,
    },
};

struct Kind {
    name: &'static str,
    entries: &'static [&'static str],
    answers: fn(&Entry) -> bool,
}

const fn kind(name: &'static str, entries: &'static [&'static str], answers: fn(&Entry) -> bool) -> Kind {
    Kind { name, entries, answers }
}

fn log(entry: &Entry, kind: ChannelKind, durability: Durability) -> bool {
    entry.channel.is_some_and(|channel| channel.kind == kind && channel.durability == durability)
}

fn channel_of(entry: &Entry) -> &Channel {
    entry.channel.unwrap()
}

fn queue(entry: &Entry, durability: Durability) -> bool {
    log(entry, ChannelKind::Queue, durability) && channel_of(entry).redelivery == Resend::Isolated
}

fn engine(entry: &Entry) -> &Engine {
    entry.engine.unwrap()
}

fn mode(entry: &Entry, guarantee: Option<ProcessingGuarantee>) -> Mode {
    *engine(entry).mode(guarantee).unwrap()
}

fn runs(entry: &Entry, guarantee: Option<ProcessingGuarantee>, state: StateCommit, position: PositionIn) -> bool {
    let mode = mode(entry, guarantee);
    mode.state == state && mode.position == position
}

fn taking(entry: &Entry, capture: Capture) -> Taking {
    *entry.source.unwrap().takings.iter().find(|taking| taking.capture == capture).unwrap()
}

fn sink_of(entry: &Entry) -> &Sink {
    entry.sink.unwrap()
}

fn writes(entry: &Entry, mode: WriteMode, keys: Keys) -> bool {
    sink_of(entry).write_modes.contains(&mode) && sink_of(entry).keys == keys
}

const ALO: Option<ProcessingGuarantee> = Some(ProcessingGuarantee::AtLeastOnce);
const EXACT: Option<ProcessingGuarantee> = Some(ProcessingGuarantee::ExactlyOnce);

const KINDS: [Kind; 70] = [
    kind("Kafka topic, delete", &["kafka"], |e| {
        log(e, ChannelKind::Log, Durability::Replicas) && channel_of(e).transactions && channel_of(e).coordinates
    }),
    kind("Kafka topic, compact", &["kafka"], |e| {
        let lag = default_of(channel::MAX_COMPACTION_LAG.field(), e.id, Some("4.0"));
        channel_of(e).compaction && lag.is_some_and(|default| default.value == DefaultValue::Unlimited)
    }),
    kind("Kafka topic, compact and delete", &["kafka"], |e| {
        channel_of(e).compaction && e.ask.contains(&channel::CLEANUP_POLICY.field())
    }),
    kind("Kafka topic, tiered", &["kafka"], |e| {
        e.commands.iter().any(|command| command.reads.contains(&channel::LOCAL_RETENTION_TIME.field()))
    }),
    kind("Kafka share group", &["kafka_share_group"], |e| {
        let default = |field| default_of(field, e.id, Some("4.2")).map(|default| default.value);
        queue(e, Durability::Replicas)
            && default(read::MAX_DELIVERIES.field()) == Some(DefaultValue::Count(5))
            && default(read::OFFSET_RESET.field()) == Some(DefaultValue::Word("latest"))
            && default(read::ISOLATION.field()) == Some(DefaultValue::Word("read_uncommitted"))
    }),
    kind("Kafka producer, Java", &["application"], |e| {
        let on = |version| client_default(produce::IDEMPOTENCE.field(), Client::Java, Some(version)).map(|d| d.value);
        taking(e, Capture::InProcess).resend == Resend::Isolated
            && on("3.9") == Some(DefaultValue::Bool(true))
            && on("2.8") == Some(DefaultValue::Bool(false))
    }),
    kind("Kafka producer, librdkafka", &["application"], |e| {
        let on = client_default(produce::IDEMPOTENCE.field(), Client::Librdkafka, Some("2.6")).map(|d| d.value);
        e.has(Role::Source) && on == Some(DefaultValue::Bool(false))
    }),
    kind("Kafka consumer application", &["plain_consumer"], |e| {
        runs(e, None, StateCommit::Volatile, PositionIn::Group)
            && engine(e).output_commits.contains(&OutputCommit::WithPosition)
    }),
    kind("Kafka Streams, at least once", &["kafka_streams"], |e| {
        runs(e, ALO, StateCommit::AtLeastOnce, PositionIn::Group) && mode(e, ALO).gate_loses
    }),
    kind("Kafka Streams, exactly_once_v2", &["kafka_streams"], |e| {
        runs(e, EXACT, StateCommit::Exact, PositionIn::Transaction)
            && mode(e, EXACT).output == Some(OutputCommit::WithPosition)
    }),
    kind("ksqlDB", &["ksqldb"], |e| mode(e, ALO).gate_loses && mode(e, EXACT).position == PositionIn::Transaction),
    kind("Flink, exactly once", &["flink"], |e| {
        runs(e, EXACT, StateCommit::Exact, PositionIn::Checkpoint)
            && engine(e).output_commits.contains(&OutputCommit::TwoPhase)
    }),
    kind("Flink, at least once", &["flink"], |e| {
        runs(e, ALO, StateCommit::AtLeastOnce, PositionIn::Checkpoint) && !mode(e, ALO).gate_loses
    }),
    kind("Flink without checkpoints", &["flink"], |e| {
        runs(e, Some(ProcessingGuarantee::Nothing), StateCommit::Volatile, PositionIn::Group)
    }),
    kind("Spark Structured Streaming", &["spark"], |e| {
        runs(e, None, StateCommit::Exact, PositionIn::Checkpoint)
            && engine(e).output_commits.contains(&OutputCommit::BatchId)
    }),
    kind("Beam on Dataflow", &["dataflow"], |e| {
        runs(e, EXACT, StateCommit::Exact, PositionIn::Checkpoint)
            && runs(e, ALO, StateCommit::AtLeastOnce, PositionIn::Checkpoint)
    }),
    kind("Beam on another runner", &["beam"], |e| {
        runs(e, Some(ProcessingGuarantee::Nothing), StateCommit::Volatile, PositionIn::Group)
            && runs(e, EXACT, StateCommit::Exact, PositionIn::Checkpoint)
            && engine(e).output_commits.contains(&OutputCommit::WithPosition)
    }),
    kind("AWS Lambda by event source mapping", &["lambda"], |e| {
        let retries = default_of(crate::model::key::job::ERROR_RETRY_TIME.field(), e.id, Some("1"));
        runs(e, None, StateCommit::Nothing, PositionIn::Framework)
            && retries.is_some_and(|default| default.value == DefaultValue::Unlimited)
    }),
    kind("Redpanda Connect", &["redpanda_connect"], |e| {
        runs(e, None, StateCommit::Nothing, PositionIn::Framework)
            && engine(e).default_idempotence == Some(true)
            && engine(e).default_isolation == Some(Isolation::ReadUncommitted)
            && engine(e).output_commits.contains(&OutputCommit::Nothing)
    }),
    kind("MirrorMaker 2", &["mirror_maker"], |e| {
        mode(e, ALO).output == Some(OutputCommit::Flush)
            && engine(e).default_isolation == Some(Isolation::ReadUncommitted)
    }),
    kind("Debezium on Connect", &["kafka_connect"], |e| {
        let postgres = taking(entry("postgres").unwrap(), Capture::ChangeLog);
        engine(e).captures && engine(e).default_idempotence == Some(false) && postgres.resend == Resend::Rewind
    }),
    kind("Debezium Server and engine", &["debezium_server"], |e| {
        mode(e, EXACT).position == PositionIn::Framework && engine(e).output_commits == [OutputCommit::Flush]
    }),
    kind("Source by polling JDBC", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        let all = taking(e, Capture::PollTable);
        !taking(e, Capture::PollTimestamp).sees_deletes
            && !taking(e, Capture::PollSequence).sees_deletes
            && all.after_restart == Some(AfterRestart::ResendUnmarked)
    }),
    kind("Outbox table and change capture", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        taking(e, Capture::ChangeLog).sees_deletes && e.source.is_some_and(|source| source.keeps_log)
    }),
    kind("Dual write by an application", &["application"], |e| {
        e.source.is_some_and(|source| !source.keeps_log && !source.snapshots)
    }),
    kind("MongoDB change streams", &["mongodb"], |e| {
        taking(e, Capture::ChangeLog).resend == Resend::Rewind
            && e.source.is_some_and(|source| source.reach.contains("oplog"))
    }),
    kind("Kinesis Data Streams", &["kinesis"], |e| {
        log(e, ChannelKind::Log, Durability::Service)
            && !channel_of(e).transactions
            && channel_of(e).order == Order::Partition
    }),
    kind("Amazon Data Firehose", &["firehose"], |e| {
        runs(e, None, StateCommit::Nothing, PositionIn::Framework) && e.versions.contains("24 h")
    }),
    kind("SQS, standard", &["sqs"], |e| queue(e, Durability::Service) && channel_of(e).order == Order::Stated),
    kind("SQS, FIFO", &["sqs"], |e| {
        channel_of(e).order == Order::Stated && e.ask.contains(&channel::DEDUP_WINDOW.field())
    }),
    kind("SNS", &["sns"], |e| queue(e, Durability::Service) && e.ask.contains(&read::MAX_DELIVERIES.field())),
    kind("EventBridge", &["eventbridge"], |e| queue(e, Durability::Service) && e.versions.contains("300 s")),
    kind("DynamoDB Streams", &["dynamodb_streams"], |e| {
        channel_of(e).reach.contains("24 h") && channel_of(e).order == Order::Partition
    }),
    kind("Pub/Sub, pull", &["pubsub"], |e| {
        let read = |field| e.commands.iter().any(|command| command.reads.contains(&field));
        log(e, ChannelKind::Subscription, Durability::Service)
            && read(crate::model::key::read::EXACTLY_ONCE_DELIVERY.field())
    }),
    kind("Pub/Sub, push and export", &["pubsub"], |e| e.versions.contains("not for push")),
    kind("Azure Event Hubs", &["event_hubs"], |e| {
        log(e, ChannelKind::Log, Durability::Service) && !channel_of(e).transactions && e.versions.contains("90 d")
    }),
    kind("Azure Service Bus", &["service_bus"], |e| {
        queue(e, Durability::Service) && e.ask.contains(&channel::DEDUP_WINDOW.field())
    }),
    kind("Apache Pulsar", &["pulsar"], |e| {
        log(e, ChannelKind::Subscription, Durability::MajorityFlushed)
            && channel_of(e).transactions
            && channel_of(e).reach.starts_with("nothing after acknowledgement")
    }),
    kind("RabbitMQ, classic and quorum", &["rabbitmq", "rabbitmq_quorum"], |e| {
        let limit = default_of(read::MAX_DELIVERIES.field(), e.id, Some("4.0")).map(|default| default.value);
        match e.id {
            "rabbitmq" => queue(e, Durability::Conditional) && limit.is_none(),
            _ => queue(e, Durability::MajorityFlushed) && limit == Some(DefaultValue::Count(20)),
        }
    }),
    kind("RabbitMQ streams", &["rabbitmq_streams"], |e| {
        log(e, ChannelKind::Log, Durability::Conditional) && channel_of(e).reach.contains("until the disk is full")
    }),
    kind("NATS JetStream", &["nats"], |e| {
        log(e, ChannelKind::Subscription, Durability::Conditional) && e.ask.contains(&channel::DEDUP_WINDOW.field())
    }),
    kind("Redis streams", &["redis_streams"], |e| {
        log(e, ChannelKind::Log, Durability::Conditional)
            && e.versions.contains("8.6")
            && e.ask.contains(&channel::DEDUP_WINDOW.field())
    }),
    kind("MQTT, QoS 0, 1 and 2", &["mqtt"], |e| {
        let taking = taking(e, Capture::Subscribe);
        taking.resend == Resend::Isolated && taking.blind_to.contains("session was not kept")
    }),
    kind("HTTP webhook", &["http"], |e| taking(e, Capture::Push).after_restart == Some(AfterRestart::ResendUnmarked)),
    kind("Files that are dropped and listed", &["file", "s3", "gcs", "hdfs"], |e| {
        taking(e, Capture::Listing).blind_to.contains("overwritten")
    }),
    kind("Device clock or mobile application", &["device"], |e| taking(e, Capture::Push).blind_to.contains("offline")),
    kind("SQL table, INSERT", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        writes(e, WriteMode::Append, Keys::Enforced)
    }),
    kind("SQL table, upsert on a unique key", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        writes(e, WriteMode::Upsert, Keys::Enforced) && sink_of(e).collapse == Some(Collapse::AtWrite)
    }),
    kind("SQL table with an offsets table", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        sink_of(e).holds_position
    }),
    kind("SQL table by XA", &["postgres", "mysql", "mariadb", "sqlserver", "oracle"], |e| {
        sink_of(e).transactions == Transactions::TwoPhase && e.ask.contains(&sink::TRANSACTIONS.field())
    }),
    kind("Elasticsearch and OpenSearch", &["elasticsearch", "opensearch"], |e| {
        writes(e, WriteMode::Upsert, Keys::Enforced) && sink_of(e).transactions == Transactions::Nothing
    }),
    kind("Cassandra and ScyllaDB", &["cassandra"], |e| {
        writes(e, WriteMode::Increment, Keys::Enforced) && !sink_of(e).holds_position
    }),
    kind("DynamoDB, put and add", &["dynamodb"], |e| {
        writes(e, WriteMode::Increment, Keys::Enforced) && writes(e, WriteMode::InsertIfAbsent, Keys::Enforced)
    }),
    kind("MongoDB sink", &["mongodb"], |e| {
        writes(e, WriteMode::Upsert, Keys::Enforced) && sink_of(e).transactions == Transactions::Local
    }),
    kind("Redis SET and INCR", &["redis"], |e| {
        writes(e, WriteMode::Increment, Keys::Enforced) && writes(e, WriteMode::Upsert, Keys::Enforced)
    }),
    kind("ClickHouse MergeTree", &["clickhouse"], |e| {
        writes(e, WriteMode::Append, Keys::Declared)
            && e.ask.contains(&sink::DEDUP_WINDOW.field())
            && !e.versions.is_empty()
    }),
    kind("ClickHouse ReplacingMergeTree", &["clickhouse"], |e| {
        sink_of(e).collapse.is_none()
            && e.ask.contains(&sink::COLLAPSE.field())
            && e.ask.contains(&crate::model::key::serve::READ_MODE.field())
    }),
    kind("Snowflake by files", &["snowflake"], |e| {
        writes(e, WriteMode::Append, Keys::Declared) && e.versions.contains("connector 3")
    }),
    kind("Snowflake by streaming", &["snowflake"], |e| sink_of(e).holds_position && e.versions.contains("4 and later")),
    kind("BigQuery, insertAll and default stream", &["bigquery"], |e| writes(e, WriteMode::Append, Keys::Declared)),
    kind("BigQuery, streams with offsets", &["bigquery"], |e| {
        sink_of(e).holds_position && e.versions.contains("offset")
    }),
    kind("Iceberg", &["iceberg"], |e| {
        sink_of(e).transactions == Transactions::TwoPhase
            && e.commands.iter().any(|command| command.reads.contains(&sink::RETENTION_TIME.field()))
    }),
    kind("Delta Lake", &["delta"], |e| writes(e, WriteMode::Upsert, Keys::ByWriter) && e.versions.contains("txnAppId")),
    kind("Hudi", &["hudi"], |e| writes(e, WriteMode::Upsert, Keys::ByWriter) && e.versions.contains("bulk_insert")),
    kind("Object stores by Connect", &["s3", "gcs", "hdfs"], |e| {
        writes(e, WriteMode::FileCommit, Keys::Nothing) && e.ask.contains(&store::ROTATION.field())
    }),
    kind("Druid and Pinot", &["druid", "pinot"], |e| {
        runs(e, None, StateCommit::Exact, PositionIn::Checkpoint)
            && engine(e).output_commits.contains(&OutputCommit::WithPosition)
            && sink_of(e).holds_position
            && (e.id != "druid" || engine(e).default_isolation == Some(Isolation::ReadCommitted))
    }),
    kind("HTTP call, mail, text message, payment", &["http", "email"], |e| {
        writes(e, WriteMode::Call, Keys::Nothing)
            && sink_of(e).rebuilds == [Rebuild::Irreversible]
            && e.ask.contains(&sink::IDEMPOTENCY_WINDOW.field())
    }),
    kind("Dashboard by push", &["dashboard"], |e| {
        writes(e, WriteMode::Call, Keys::Nothing) && sink_of(e).rebuilds.is_empty()
    }),
    kind("Dead-letter topic", &["kafka"], |e| e.has(Role::Channel)),
    kind("Archive of the raw topic", &["s3", "gcs", "hdfs"], |e| {
        e.has(Role::Source) && e.has(Role::Sink) && e.source.is_some_and(|source| source.reach.contains("as long as"))
    }),
];

#[test]
fn every_kind_has_an_entry_that_answers_for_it() {
    for kind in &KINDS {
        assert!(!kind.entries.is_empty(), "{}", kind.name);
        for id in kind.entries {
            let entry = entry(id).unwrap_or_else(|| panic!("{}: no entry {id}", kind.name));
            assert!(entry.has_capability() && !entry.references.is_empty(), "{}: {id}", kind.name);
            assert!((kind.answers)(entry), "{}: {id} answers otherwise", kind.name);
        }
    }
}

/// Where the behaviour depends on the version, the tier or the edition, the entry says so.
#[test]
fn what_depends_on_the_version_says_so() {
    let ids = [
        "beam",
        "bigquery",
        "clickhouse",
        "delta",
        "event_hubs",
        "eventbridge",
        "firehose",
        "flink",
        "hudi",
        "iceberg",
        "kafka",
        "kafka_connect",
        "kafka_share_group",
        "kafka_streams",
        "lambda",
        "mirror_maker",
        "mongodb",
        "mqtt",
        "postgres",
        "pubsub",
        "rabbitmq",
        "rabbitmq_quorum",
        "redis_streams",
        "redpanda_connect",
        "s3",
        "service_bus",
        "snowflake",
        "spark",
    ];
    for id in ids {
        assert!(!entry(id).unwrap().versions.is_empty(), "{id}");
    }
}

/// Members of consumer groups and holders of leases, and tasks of Kafka Connect; engines that give out partitions themselves and
/// services of which nothing public says it are not among them.
#[test]
fn whose_readers_can_be_replaced_while_they_work() {
    let engines = super::ENTRIES.iter().filter(|entry| entry.engine.is_some_and(|engine| engine.zombies));
    let ids: Vec<_> = engines.map(|entry| entry.id).collect();
    assert_eq!(
        ids,
        [
            "clickhouse_kafka",
            "kafka_connect",
            "kafka_streams",
            "ksqldb",
            "mirror_maker",
            "plain_consumer",
            "redpanda_connect",
            "telegraf",
            "vector"
        ]
    );
}
