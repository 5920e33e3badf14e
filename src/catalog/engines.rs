//! Engines: what processes, connects, copies, or simply consumes.

use super::{
    capability::{Engine, Mode, PositionIn, StateCommit},
    entry::{Command, Default, DefaultValue, Entry, Family, Role},
};
use crate::model::{
    key::{cluster, job, produce, read, store, take, write},
    words::{Isolation, OutputCommit, ProcessingGuarantee},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Engine, ..super::entry::NAMED };

const FLINK_GUARANTEES: &str = "Apache Flink documentation, Fault Tolerance Guarantees of Data Sources and Sinks";
const FLINK_CHECKPOINTING: &str = "Apache Flink documentation, Checkpointing";

/// Apache Flink.
pub(super) static FLINK: Entry = Entry {
    id: "flink",
    name: "Apache Flink",
    technology: "Flink job",
    icon: "engine",
    roles: &[Role::Engine, Role::Cluster],
    versions: "1.18, 1.19, 1.20, 2.x and the connector: restart strategy, key names, transaction naming differ",
    engine: Some(&Engine {
        modes: &[
            Mode::under(ProcessingGuarantee::Nothing, StateCommit::Volatile, PositionIn::Group),
            Mode::under(ProcessingGuarantee::AtLeastOnce, StateCommit::AtLeastOnce, PositionIn::Checkpoint),
            Mode::under(ProcessingGuarantee::ExactlyOnce, StateCommit::Exact, PositionIn::Checkpoint),
        ],
        output_commits: &[OutputCommit::TwoPhase, OutputCommit::Flush, OutputCommit::Nothing],
        default_isolation: Some(Isolation::ReadUncommitted),
        captures: true,
        stateful: true,
        ..Engine::MOVER
    }),
    ask: &[
        job::PROCESSING_GUARANTEE.field(),
        job::CHECKPOINT_INTERVAL.field(),
        job::CHECKPOINT_DURATION.field(),
        job::CHECKPOINT_STORAGE.field(),
        job::CHECKPOINT_INCREMENTAL.field(),
        job::CHECKPOINT_TIMEOUT.field(),
        job::STATE_BACKEND.field(),
        job::PARALLELISM.field(),
        job::CAPACITY.field(),
        job::RESTORE_RATE.field(),
        job::RESTART_TIME.field(),
        job::LONGEST_OUTAGE.field(),
    ],
    commands: &[
        Command {
            reads: &[
                job::CHECKPOINT_INTERVAL.field(),
                job::PROCESSING_GUARANTEE.field(),
                job::CHECKPOINT_TIMEOUT.field(),
                job::CHECKPOINT_MIN_PAUSE.field(),
                job::CHECKPOINT_UNALIGNED.field(),
                job::TOLERABLE_FAILED_CHECKPOINTS.field(),
                job::CHECKPOINT_STORAGE.field(),
                job::STATE_BACKEND.field(),
            ],
            text: "curl http://<jobmanager>:8081/jobs/<job id of {name}>/checkpoints/config",
        },
        Command {
            reads: &[job::CHECKPOINT_DURATION.field(), job::CHECKPOINT_SIZE.field(), job::STATE_SIZE.field()],
            text: "curl http://<jobmanager>:8081/jobs/<job id of {name}>/checkpoints",
        },
        Command {
            reads: &[
                job::CHECKPOINT_INCREMENTAL.field(),
                job::CHECKPOINTS_RETAINED.field(),
                job::DETECTION_TIME.field(),
                job::LOCAL_RECOVERY.field(),
                job::MEMORY.field(),
            ],
            text: "curl http://<jobmanager>:8081/jobmanager/config",
        },
        Command {
            reads: &[job::PARALLELISM.field(), job::MAX_PARALLELISM.field()],
            text: "curl http://<jobmanager>:8081/jobs/<job id of {name}>",
        },
        Command {
            reads: &[cluster::SLOTS.field(), cluster::VERSION.field()],
            text: "curl http://<jobmanager>:8081/overview",
        },
    ],
    references: &[
        FLINK_GUARANTEES,
        FLINK_CHECKPOINTING,
        "Apache Flink Kafka connector documentation; KafkaSinkBuilder, KafkaCommitter",
    ],
    ..NAMED
};

const STREAMS_CONFIGS: &str =
    "Apache Kafka documentation, Kafka Streams: Configuring a Streams Application, processing.guarantee";

const STREAMS: Engine = Engine {
    modes: &[
        Mode {
            gate_loses: true,
            ..Mode::under(ProcessingGuarantee::AtLeastOnce, StateCommit::AtLeastOnce, PositionIn::Group)
                .with(OutputCommit::Flush)
        },
        Mode::under(ProcessingGuarantee::ExactlyOnce, StateCommit::Exact, PositionIn::Transaction)
            .with(OutputCommit::WithPosition),
    ],
    output_commits: &[OutputCommit::WithPosition, OutputCommit::Flush],
    default_isolation: Some(Isolation::ReadUncommitted),
    stateful: true,
    zombies: true,
    ..Engine::MOVER
};

/// Kafka Streams.
pub(super) static KAFKA_STREAMS: Entry = Entry {
    id: "kafka_streams",
    name: "Kafka Streams",
    technology: "Kafka Streams",
    icon: "engine",
    roles: &[Role::Engine],
    versions: "4.4 keeps state over an unclean close under exactly_once_v2; earlier versions rebuild it",
    engine: Some(&STREAMS),
    ask: &[
        job::PROCESSING_GUARANTEE.field(),
        job::COMMIT_INTERVAL.field(),
        job::STANDBY_REPLICAS.field(),
        job::INSTANCES.field(),
        job::THREADS.field(),
        job::ON_ERROR.field(),
        job::CAPACITY.field(),
        job::RESTORE_RATE.field(),
        job::REBALANCE_PROTOCOL.field(),
    ],
    commands: &[
        Command {
            reads: &[
                job::PROCESSING_GUARANTEE.field(),
                job::COMMIT_INTERVAL.field(),
                job::STANDBY_REPLICAS.field(),
                job::THREADS.field(),
                job::OUTPUT_CACHE.field(),
            ],
            text: "grep -A 80 'StreamsConfig values' <log of {name}>",
        },
        Command {
            reads: &[job::REBALANCE_PROTOCOL.field(), job::SESSION_TIMEOUT.field(), job::STATIC_MEMBERSHIP.field()],
            text: "grep -A 120 'ConsumerConfig values' <log of {name}>",
        },
    ],
    references: &[
        STREAMS_CONFIGS,
        "KAFKA-12508: emit-on-change tables may lose updates under at_least_once",
        "KIP-892: Transactional Semantics for StateStores",
    ],
    ..NAMED
};

/// ksqlDB: Kafka Streams underneath.
pub(super) static KSQLDB: Entry = Entry {
    id: "ksqldb",
    name: "ksqlDB",
    technology: "ksqlDB",
    icon: "engine",
    roles: &[Role::Engine, Role::Cluster],
    engine: Some(&STREAMS),
    ask: &[job::PROCESSING_GUARANTEE.field(), job::COMMIT_INTERVAL.field(), job::INSTANCES.field()],
    commands: &[Command {
        reads: &[job::PROCESSING_GUARANTEE.field()],
        text: "SHOW PROPERTIES;  -- ksql.streams.processing.guarantee",
    }],
    references: &["ksqlDB documentation, Configuration parameters: ksql.streams.processing.guarantee"],
    ..NAMED
};

/// Spark Structured Streaming, micro-batch.
pub(super) static SPARK: Entry = Entry {
    id: "spark",
    name: "Spark Structured Streaming",
    technology: "Spark query",
    icon: "engine",
    roles: &[Role::Engine, Role::Batch],
    versions: "3.5, 4.0, 4.2; Apache or Databricks: state store defaults and checkpoint checks differ",
    engine: Some(&Engine {
        modes: &[Mode::only(StateCommit::Exact, PositionIn::Checkpoint)],
        output_commits: &[OutputCommit::BatchId, OutputCommit::WithPosition, OutputCommit::Flush],
        default_isolation: Some(Isolation::ReadUncommitted),
        stateful: true,
        ..Engine::MOVER
    }),
    ask: &[
        job::TRIGGER_INTERVAL.field(),
        job::BATCH_DURATION.field(),
        job::CHECKPOINT_STORAGE.field(),
        job::STATE_BACKEND.field(),
        job::MAX_PARALLELISM.field(),
        job::CAPACITY.field(),
    ],
    commands: &[
        Command {
            reads: &[job::CAPACITY.field(), job::STATE_SIZE.field(), read::LAG.field()],
            text: "query.lastProgress  (inputRowsPerSecond, processedRowsPerSecond, stateOperators)",
        },
        Command {
            reads: &[job::BATCH_DURATION.field()],
            text: "query.recentProgress  (durationMs.triggerExecution of each batch: the largest)",
        },
    ],
    references: &[
        "Apache Spark documentation, Structured Streaming Programming Guide: Output Sinks, fault-tolerant guarantees",
        "Apache Spark documentation, Structured Streaming Programming Guide: Triggers; Reading Metrics Interactively (durationMs.triggerExecution)",
    ],
    ..NAMED
};

/// Apache Beam on a runner that is not Dataflow. The runner decides what a restart does: the Flink runner restores state and
/// position from checkpoints, which are off by default (Beam documentation, Apache Flink Runner: checkpointingInterval), and
/// elements are processed again after a failure, side effects with them (Beam Programming Guide, Runner considerations).
/// KafkaIO writes in transactions with the state of its sink group by `withEOS` (KafkaIO Javadoc).
pub(super) static BEAM: Entry = Entry {
    id: "beam",
    name: "Apache Beam",
    technology: "Beam pipeline",
    icon: "engine",
    roles: &[Role::Engine],
    versions: "the runner decides: Flink by its checkpoints, which are off unless an interval is set; withEOS of KafkaIO only on runners that give a stable input",
    engine: Some(&Engine {
        modes: &[
            Mode::under(ProcessingGuarantee::Nothing, StateCommit::Volatile, PositionIn::Group),
            Mode::under(ProcessingGuarantee::AtLeastOnce, StateCommit::AtLeastOnce, PositionIn::Checkpoint),
            Mode::under(ProcessingGuarantee::ExactlyOnce, StateCommit::Exact, PositionIn::Checkpoint),
        ],
        output_commits: &[OutputCommit::Flush, OutputCommit::WithPosition],
        default_isolation: Some(Isolation::ReadUncommitted),
        stateful: true,
        ..Engine::MOVER
    }),
    ask: &[
        job::PROCESSING_GUARANTEE.field(),
        job::CHECKPOINT_INTERVAL.field(),
        write::OUTPUT_COMMIT.field(),
        read::ISOLATION.field(),
    ],
    commands: &[Command {
        reads: &[job::PROCESSING_GUARANTEE.field(), job::CHECKPOINT_INTERVAL.field()],
        text: "grep -E 'checkpointingInterval|checkpointingMode|streaming' <pipeline options of {name}>",
    }],
    references: &[
        "Apache Beam documentation, Apache Flink Runner: pipeline options checkpointingInterval, checkpointingMode",
        "Apache Beam Javadoc, KafkaIO: withEOS, withReadCommitted; RequiresStableInput",
        "Apache Beam documentation, Beam Capability Matrix",
    ],
    ..NAMED
};

/// Google Cloud Dataflow.
pub(super) static DATAFLOW: Entry = Entry {
    id: "dataflow",
    name: "Google Cloud Dataflow",
    technology: "Dataflow job",
    icon: "engine",
    roles: &[Role::Engine],
    engine: Some(&Engine {
        modes: &[
            Mode::under(ProcessingGuarantee::AtLeastOnce, StateCommit::AtLeastOnce, PositionIn::Checkpoint),
            Mode::under(ProcessingGuarantee::ExactlyOnce, StateCommit::Exact, PositionIn::Checkpoint),
        ],
        output_commits: &[OutputCommit::Flush, OutputCommit::WithPosition],
        stateful: true,
        ..Engine::MOVER
    }),
    ask: &[job::PROCESSING_GUARANTEE.field()],
    commands: &[Command {
        reads: &[job::PROCESSING_GUARANTEE.field()],
        text: "gcloud dataflow jobs describe <job id of {name}> --full",
    }],
    references: &["Google Cloud documentation, Dataflow: Set the pipeline streaming mode"],
    ..NAMED
};

/// A service that polls, works and commits: any consumer library without a framework of its own.
pub(super) static PLAIN_CONSUMER: Entry = Entry {
    id: "plain_consumer",
    name: "Consumer service",
    technology: "consumer service",
    icon: "service",
    roles: &[Role::Engine],
    versions: "client family (Java or librdkafka) and its version: isolation, offset storing and idempotence differ",
    engine: Some(&Engine {
        modes: &[Mode::only(StateCommit::Volatile, PositionIn::Group)],
        output_commits: &[OutputCommit::WithPosition, OutputCommit::Flush, OutputCommit::Nothing],
        zombies: true,
        ..Engine::MOVER
    }),
    ask: &[
        job::CLIENT.field(),
        read::OFFSET_COMMIT.field(),
        read::PROCESSING.field(),
        read::ISOLATION.field(),
        read::OFFSET_RESET.field(),
        job::INSTANCES.field(),
        job::CAPACITY.field(),
    ],
    commands: &[Command {
        reads: &[
            read::ISOLATION.field(),
            read::OFFSET_RESET.field(),
            read::OFFSET_COMMIT.field(),
            read::MAX_POLL_RECORDS.field(),
            read::MAX_POLL_INTERVAL.field(),
            read::FETCH_MAX.field(),
            job::SESSION_TIMEOUT.field(),
        ],
        text: "grep -A 80 'ConsumerConfig values' <log of {name}>",
    }],
    references: &["Apache Kafka Javadoc, KafkaConsumer: Offsets and Consumer Position", "librdkafka, CONFIGURATION.md"],
    ..NAMED
};

const CONNECT: Engine = Engine {
    modes: &[
        Mode::under(ProcessingGuarantee::AtLeastOnce, StateCommit::Nothing, PositionIn::Framework)
            .with(OutputCommit::Flush),
        Mode::under(ProcessingGuarantee::ExactlyOnce, StateCommit::Nothing, PositionIn::Transaction)
            .with(OutputCommit::WithPosition),
    ],
    output_commits: &[OutputCommit::WithPosition, OutputCommit::Flush],
    default_isolation: Some(Isolation::ReadUncommitted),
    default_idempotence: Some(false),
    captures: true,
    zombies: true,
    ..Engine::MOVER
};

/// Kafka Connect: source and sink connectors, Debezium among them.
pub(super) static KAFKA_CONNECT: Entry = Entry {
    id: "kafka_connect",
    name: "Kafka Connect",
    technology: "Connect",
    icon: "connector",
    roles: &[Role::Engine, Role::Cluster],
    versions: "3.3 and later can commit source positions with the records; the connector's own version decides write modes",
    engine: Some(&CONNECT),
    ask: &[
        job::PROCESSING_GUARANTEE.field(),
        job::COMMIT_INTERVAL.field(),
        job::ON_ERROR.field(),
        job::PARALLELISM.field(),
        read::ISOLATION.field(),
    ],
    commands: &[
        Command {
            reads: &[
                cluster::EXACTLY_ONCE_SOURCE.field(),
                cluster::REBALANCE_DELAY.field(),
                job::COMMIT_INTERVAL.field(),
            ],
            text: "grep -A 120 'DistributedConfig values' <log of a Connect worker>",
        },
        Command {
            reads: &[
                job::PARALLELISM.field(),
                job::ON_ERROR.field(),
                job::ERROR_RETRY_TIME.field(),
                job::PROCESSING_GUARANTEE.field(),
                read::ISOLATION.field(),
                read::MAX_POLL_RECORDS.field(),
                write::KEY.field(),
                store::WRITE_MODE.field(),
                store::DELETES.field(),
                store::ROTATION.field(),
                store::FLUSH_RECORDS.field(),
                take::SNAPSHOT.field(),
                take::OFFSET_MISMATCH.field(),
                take::HEARTBEAT.field(),
                take::CAPTURE.field(),
                take::CAPTURES_DELETES.field(),
                take::POLL_INTERVAL.field(),
                take::POLL_DELAY.field(),
                take::TRANSACTION_RETENTION.field(),
                write::OUTPUT_COMMIT.field(),
                store::VERSION_GUARD.field(),
                store::CLIENT_RETRIES.field(),
                store::FLUSH_INTERVAL.field(),
                store::BUFFER_SIZE.field(),
                produce::ACKS.field(),
                produce::IDEMPOTENCE.field(),
                produce::MAX_IN_FLIGHT.field(),
                produce::DELIVERY_TIMEOUT.field(),
                produce::LINGER.field(),
                produce::MAX_REQUEST_SIZE.field(),
                produce::TRANSACTION_TIMEOUT.field(),
            ],
            text: "curl http://<connect>:8083/connectors/{name}/config",
        },
        Command {
            reads: &[job::CLIENT_VERSION.field()],
            text: "curl http://<connect>:8083/connectors/{name}/status  (version, printed by Kafka 4.1 and later)",
        },
        Command { reads: &[cluster::VERSION.field()], text: "curl http://<connect>:8083/" },
        Command {
            reads: &[read::TIME_PER_RECORD.field()],
            text: "JMX kafka.connect:type=sink-task-metrics,connector={name}  (put-batch-avg-time-ms, sink-record-send-rate)",
        },
    ],
    defaults: &[Default::always(
        job::PARALLELISM.field(),
        "tasks.max",
        DefaultValue::Count(1),
        "Apache Kafka documentation, Kafka Connect Configs: tasks.max",
    )],
    references: &[
        "Apache Kafka documentation, Kafka Connect Configs",
        "KIP-618: Exactly-Once Support for Source Connectors",
        "Apache Kafka, org.apache.kafka.connect.runtime.Worker: baseProducerConfigs, baseConsumerConfigs",
        "Debezium documentation, Exactly once delivery",
    ],
    ..NAMED
};

/// Debezium Server and the embedded engine: no Connect runtime, so no transactional positions.
pub(super) static DEBEZIUM_SERVER: Entry = Entry {
    id: "debezium_server",
    name: "Debezium Server",
    technology: "Debezium Server",
    icon: "connector",
    roles: &[Role::Engine],
    engine: Some(&Engine {
        modes: &[Mode::only(StateCommit::Nothing, PositionIn::Framework).with(OutputCommit::Flush)],
        output_commits: &[OutputCommit::Flush],
        captures: true,
        ..Engine::MOVER
    }),
    ask: &[job::COMMIT_INTERVAL.field(), job::ON_ERROR.field()],
    commands: &[Command {
        reads: &[job::COMMIT_INTERVAL.field()],
        text: "cat application.properties  (debezium.source.offset.flush.interval.ms)",
    }],
    references: &["Debezium documentation, Debezium Server: offset management"],
    ..NAMED
};

/// MirrorMaker 2: connectors that copy from cluster to cluster.
pub(super) static MIRROR_MAKER: Entry = Entry {
    id: "mirror_maker",
    name: "MirrorMaker 2",
    technology: "MirrorMaker",
    icon: "connector",
    roles: &[Role::Engine],
    versions: "3.5 and later can copy in transactions, in a dedicated cluster with its internal REST on, only where it reads committed",
    engine: Some(&Engine { own_positions: true, ..CONNECT }),
    ask: &[job::PROCESSING_GUARANTEE.field(), read::ISOLATION.field(), job::COMMIT_INTERVAL.field()],
    references: &[
        "Apache Kafka documentation, Geo-Replication: exactly once; MirrorSourceConnector: exactlyOnceSupport",
        "Apache Kafka, MirrorSourceTask: partitions are assigned, positions are those that Connect stores",
        "KIP-710: Full support for distributed mode in dedicated MirrorMaker 2.0 clusters",
    ],
    ..NAMED
};

/// Amazon Data Firehose.
pub(super) static FIREHOSE: Entry = Entry {
    id: "firehose",
    name: "Amazon Data Firehose",
    technology: "Firehose",
    icon: "connector",
    roles: &[Role::Engine],
    versions: "source: a stream keeps records for its own retention; what is put directly is buffered for 24 h at most",
    engine: Some(&super::movers::RELAY),
    ask: &[job::LONGEST_OUTAGE.field(), take::ACKNOWLEDGE.field(), store::FLUSH_INTERVAL.field()],
    commands: &[Command {
        reads: &[store::FLUSH_INTERVAL.field()],
        text: "aws firehose describe-delivery-stream --delivery-stream-name {name}",
    }],
    references: &[
        "Amazon Data Firehose Developer Guide, Understand data delivery: at least once; Troubleshooting: data is lost when a destination is away for more than 24 h",
    ],
    ..NAMED
};
