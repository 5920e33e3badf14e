//! Agents, mirrors, built-in ingestion and functions: what moves records from a log into another place, or through a few
//! lines of code, and keeps no state of its own.

use super::{
    capability::{Engine, Mode, PositionIn, StateCommit},
    entry::{Command, Default, DefaultValue, Entry, Family, Role},
};
use crate::model::{
    Field,
    key::{job, read, write},
    words::{Isolation, OutputCommit},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Mover, ..super::entry::NAMED };

/// Reads, writes, then notes its position; nothing ties the two together.
pub(super) const RELAY: Engine = Engine {
    modes: &[Mode::only(StateCommit::Nothing, PositionIn::Framework).with(OutputCommit::Flush)],
    output_commits: &[OutputCommit::Flush],
    ..Engine::MOVER
};

/// A consumer of its own making: what it commits when is a matter of its settings.
const AGENT: Engine = Engine {
    modes: &[Mode::only(StateCommit::Volatile, PositionIn::Group)],
    output_commits: &[OutputCommit::Flush, OutputCommit::Nothing],
    zombies: true,
    ..RELAY
};

/// Keeps the position with the data, in one commit.
const POSITION_WITH_DATA: Engine = Engine {
    modes: &[Mode::only(StateCommit::Exact, PositionIn::Checkpoint)],
    output_commits: &[OutputCommit::WithPosition, OutputCommit::Flush],
    ..RELAY
};

const AGENT_ASK: &[Field] =
    &[read::OFFSET_COMMIT.field(), read::OFFSET_RESET.field(), job::COMMIT_INTERVAL.field(), job::INSTANCES.field()];

/// Vector.
pub(super) static VECTOR: Entry = Entry {
    id: "vector",
    name: "Vector",
    technology: "log agent",
    icon: "connector",
    roles: &[Role::Engine],
    engine: Some(&AGENT),
    ask: AGENT_ASK,
    commands: &[Command {
        reads: &[read::OFFSET_COMMIT.field(), read::OFFSET_RESET.field(), job::COMMIT_INTERVAL.field()],
        text: "grep -E 'acknowledgements|auto_offset_reset|commit_interval_ms' vector.yaml",
    }],
    references: &["Vector documentation, End-to-end acknowledgements; Kafka source: commit_interval_ms"],
    ..NAMED
};

/// Telegraf.
pub(super) static TELEGRAF: Entry = Entry {
    id: "telegraf",
    name: "Telegraf",
    technology: "metrics agent",
    icon: "connector",
    roles: &[Role::Engine],
    engine: Some(&AGENT),
    ask: AGENT_ASK,
    references: &[
        "Telegraf documentation, Kinesis Consumer input: shard_iterator_type, checkpoint_dynamodb; Kafka Consumer input: max_undelivered_messages",
    ],
    ..NAMED
};

/// Brooklin.
pub(super) static BROOKLIN: Entry = Entry {
    id: "brooklin",
    name: "Brooklin",
    technology: "mirror",
    icon: "connector",
    roles: &[Role::Engine],
    engine: Some(&RELAY),
    ask: &[job::COMMIT_INTERVAL.field(), read::ISOLATION.field()],
    references: &["Brooklin wiki, Kafka mirroring: delivery is at least once, positions are committed after a flush"],
    ..NAMED
};

/// The table engine of ClickHouse that reads a topic into a materialized view.
pub(super) static CLICKHOUSE_KAFKA: Entry = Entry {
    id: "clickhouse_kafka",
    name: "ClickHouse Kafka engine",
    technology: "Kafka table engine",
    icon: "connector",
    roles: &[Role::Engine],
    engine: Some(&Engine { zombies: true, ..RELAY }),
    ask: &[job::PARALLELISM.field(), read::GROUP.field()],
    commands: &[Command {
        reads: &[job::PARALLELISM.field(), read::GROUP.field()],
        text: "SHOW CREATE TABLE {name}  (kafka_num_consumers, kafka_group_name)",
    }],
    references: &["ClickHouse documentation, Kafka table engine: delivery is at least once"],
    ..NAMED
};

/// Materialize: ingests a topic into collections and keeps views over them.
pub(super) static MATERIALIZE: Entry = Entry {
    id: "materialize",
    name: "Materialize",
    technology: "incremental views",
    icon: "engine",
    roles: &[Role::Engine, Role::Sink],
    engine: Some(&Engine { stateful: true, ..POSITION_WITH_DATA }),
    references: &["Materialize documentation, CREATE SOURCE: Kafka: envelopes, progress tracking, consistency"],
    ..NAMED
};

/// Redpanda Connect (Benthos). A batch is acknowledged to its input once its output has taken it, so that a crash reads it
/// again; batches of one partition are in flight together up to `checkpoint_limit`, and none is committed past one that is
/// not done. What an output refuses is sent again, unless `auto_replay_nacks` is off: then the input drops it.
pub(super) static REDPANDA_CONNECT: Entry = Entry {
    id: "redpanda_connect",
    name: "Redpanda Connect",
    technology: "Redpanda Connect",
    icon: "connector",
    family: Family::Engine,
    roles: &[Role::Engine],
    versions: "4.68 and later: the redpanda input and output stand for kafka_franz; a memory buffer acknowledges before anything is written",
    engine: Some(&Engine {
        modes: &[Mode::only(StateCommit::Nothing, PositionIn::Framework)],
        output_commits: &[OutputCommit::Flush, OutputCommit::Nothing],
        default_isolation: Some(Isolation::ReadUncommitted),
        default_idempotence: Some(true),
        zombies: true,
        ..Engine::MOVER
    }),
    ask: &[
        job::ON_ERROR.field(),
        job::COMMIT_INTERVAL.field(),
        read::ISOLATION.field(),
        read::OFFSET_RESET.field(),
        read::IN_FLIGHT.field(),
        write::OUTPUT_COMMIT.field(),
    ],
    commands: &[Command {
        reads: &[
            job::ON_ERROR.field(),
            job::COMMIT_INTERVAL.field(),
            read::ISOLATION.field(),
            read::OFFSET_RESET.field(),
            read::IN_FLIGHT.field(),
        ],
        text: "grep -E 'auto_replay_nacks|checkpoint_limit|commit_period|transaction_isolation_level|start_offset|idempotent_write|buffer' <configuration of {name}>",
    }],
    references: &[
        "Redpanda Connect documentation, Message Delivery Semantics: at least once by acknowledgement of batches",
        "Redpanda Connect documentation, redpanda input: auto_replay_nacks, transaction_isolation_level read_uncommitted; output: idempotent_write",
        "Redpanda Connect documentation, memory buffer: delivery guarantees are weakened",
    ],
    ..NAMED
};

/// AWS Lambda behind an event source mapping: it polls, calls the function with a batch and moves on when that succeeded,
/// so that each event is processed at least once. A batch that fails comes again as a whole, unless the function reports
/// which items failed (`ReportBatchItemFailures`) or the batch is split (`BisectBatchOnFunctionError`). What is older than
/// the maximum age of a record, or failed too often, is discarded, to a destination on failure where one is set.
pub(super) static LAMBDA: Entry = Entry {
    id: "lambda",
    name: "AWS Lambda",
    technology: "Lambda",
    icon: "service",
    family: Family::Engine,
    roles: &[Role::Engine],
    versions: "source: streams and Kafka keep their order by key and can discard by age and by retries; SQS goes by the redrive policy of the queue; a queue or topic as destination on failure gets where the records lay and not the records, an S3 bucket gets both",
    engine: Some(&Engine {
        modes: &[Mode::only(StateCommit::Nothing, PositionIn::Framework)],
        output_commits: &[OutputCommit::Flush, OutputCommit::Nothing],
        ..Engine::MOVER
    }),
    ask: &[
        job::LONGEST_OUTAGE.field(),
        job::ON_ERROR.field(),
        job::ERROR_RETRY_TIME.field(),
        read::MAX_DELIVERIES.field(),
        read::OFFSET_RESET.field(),
        job::PARALLELISM.field(),
    ],
    commands: &[Command {
        reads: &[
            job::ON_ERROR.field(),
            job::ERROR_RETRY_TIME.field(),
            read::MAX_DELIVERIES.field(),
            read::OFFSET_RESET.field(),
            job::PARALLELISM.field(),
        ],
        text: "aws lambda list-event-source-mappings --function-name {name}  (MaximumRecordAgeInSeconds, MaximumRetryAttempts, DestinationConfig, FunctionResponseTypes, BisectBatchOnFunctionError, StartingPosition, ParallelizationFactor)",
    }],
    defaults: &[Default::always(
        job::ERROR_RETRY_TIME.field(),
        "MaximumRecordAgeInSeconds",
        DefaultValue::Unlimited,
        "AWS Lambda API Reference, CreateEventSourceMapping: MaximumRecordAgeInSeconds, -1: until the record expires",
    )],
    references: &[
        "AWS Lambda Developer Guide, How Lambda processes records from stream and queue-based event sources: each event at least once",
        "AWS Lambda Developer Guide, Configuring error handling controls for Kafka event sources; Retain discarded batch records for a Kinesis Data Streams event source",
        "AWS Lambda API Reference, EventSourceMappingConfiguration",
    ],
    ..NAMED
};

/// Segments of Apache Pinot carry the offsets at which they begin and end.
pub(super) const PINOT_INGESTION: Engine = POSITION_WITH_DATA;

/// The engine of Apache Druid's Kafka supervisor: segments and offsets are published in one metadata transaction.
pub(super) const DRUID_INGESTION: Engine =
    Engine { default_isolation: Some(Isolation::ReadCommitted), ..POSITION_WITH_DATA };
