//! Agents, mirrors and built-in ingestion: what moves records from a log into another place and does little else.

use super::{
    capability::{Engine, Mode, PositionIn, StateCommit},
    entry::{Command, Entry, Family, Role},
};
use crate::model::{
    Field,
    key::{job, read},
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
    engine: Some(&RELAY),
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

/// Segments of Apache Pinot carry the offsets at which they begin and end.
pub(super) const PINOT_INGESTION: Engine = POSITION_WITH_DATA;

/// The engine of Apache Druid's Kafka supervisor: segments and offsets are published in one metadata transaction.
pub(super) const DRUID_INGESTION: Engine =
    Engine { default_isolation: Some(Isolation::ReadCommitted), ..POSITION_WITH_DATA };
