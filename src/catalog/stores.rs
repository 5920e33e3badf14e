//! Search indexes, analytical stores and warehouses.

use super::{
    capability::{Keys, Sink, Visibility},
    entry::{Command, Entry, Family, Role},
};
use crate::model::{
    Field,
    key::{serve, sink, store},
    words::{Collapse, Rebuild, Transactions, WriteMode},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Store, ..super::entry::NAMED };

const INDEX: Sink = Sink {
    write_modes: &[WriteMode::Upsert, WriteMode::InsertIfAbsent, WriteMode::Patch, WriteMode::Append],
    keys: Keys::Enforced,
    transactions: Transactions::Nothing,
    holds_position: false,
    collapse: Some(Collapse::AtWrite),
    visibility: Visibility::AfterRefresh,
    rebuilds: &[Rebuild::Shadow, Rebuild::Overwrite],
};

const INDEX_ASK: &[Field] =
    &[sink::UNIQUE_KEYS.field(), serve::REFRESH_INTERVAL.field(), sink::REBUILD.field(), sink::OTHER_WRITERS.field()];

/// Elasticsearch.
pub(super) static ELASTICSEARCH: Entry = Entry {
    id: "elasticsearch",
    name: "Elasticsearch",
    technology: "index",
    icon: "search",
    roles: &[Role::Sink, Role::Cluster],
    versions: "index or data stream: a data stream takes no document id and only appends",
    sink: Some(&INDEX),
    ask: INDEX_ASK,
    commands: &[
        Command {
            reads: &[serve::REFRESH_INTERVAL.field(), sink::VISIBILITY_DELAY.field()],
            text: "curl 'https://<elasticsearch>:9200/{name}/_settings?include_defaults=true&filter_path=**.refresh_interval,**.gc_deletes'",
        },
        Command { reads: &[sink::ROWS.field()], text: "curl 'https://<elasticsearch>:9200/{name}/_count'" },
        Command {
            reads: &[sink::UNIQUE_KEYS.field()],
            text: "curl 'https://<elasticsearch>:9200/_resolve/index/{name}'  (an index is unique by _id, a data stream is not)",
        },
    ],
    references: &[
        "Elasticsearch reference, Index API: _id, external versioning; index.gc_deletes",
        "Confluent documentation, Elasticsearch Sink Connector: key.ignore, write.method",
    ],
    ..NAMED
};

/// OpenSearch.
pub(super) static OPENSEARCH: Entry = Entry {
    id: "opensearch",
    name: "OpenSearch",
    technology: "index",
    icon: "search",
    roles: &[Role::Sink, Role::Cluster],
    sink: Some(&INDEX),
    ask: INDEX_ASK,
    references: &["OpenSearch documentation, Index document; Index settings"],
    ..NAMED
};

/// ClickHouse.
pub(super) static CLICKHOUSE: Entry = Entry {
    id: "clickhouse",
    name: "ClickHouse",
    technology: "ClickHouse",
    icon: "database",
    roles: &[Role::Sink, Role::Cluster],
    versions: "window of block de-duplication: read it from the table's settings",
    sink: Some(&Sink {
        write_modes: &[WriteMode::Append, WriteMode::ReplaceRange],
        keys: Keys::Declared,
        transactions: Transactions::Nothing,
        holds_position: false,
        collapse: None,
        visibility: Visibility::AtCommit,
        rebuilds: &[Rebuild::Shadow, Rebuild::AppendOnly],
    }),
    ask: &[sink::DEDUP_WINDOW.field(), sink::COLLAPSE.field(), sink::VERSION_COLUMN.field(), serve::READ_MODE.field()],
    commands: &[
        Command {
            reads: &[sink::DEDUP_WINDOW.field()],
            text: "SELECT name, value FROM system.merge_tree_settings WHERE name LIKE '%deduplication_window%'",
        },
        Command {
            reads: &[
                sink::COLLAPSE.field(),
                sink::DECLARED_KEYS.field(),
                sink::UNIQUE_KEYS.field(),
                sink::VERSION_COLUMN.field(),
            ],
            text: "SHOW CREATE TABLE {name}",
        },
    ],
    references: &["ClickHouse documentation, Deduplicating inserts on retries; ReplacingMergeTree; MergeTree settings"],
    ..NAMED
};

/// Apache Druid.
pub(super) static DRUID: Entry = Entry {
    id: "druid",
    name: "Apache Druid",
    technology: "Druid",
    icon: "database",
    roles: &[Role::Sink, Role::Engine],
    engine: Some(&super::movers::DRUID_INGESTION),
    sink: Some(&Sink {
        write_modes: &[WriteMode::Append, WriteMode::ReplaceRange],
        keys: Keys::Nothing,
        transactions: Transactions::Local,
        holds_position: true,
        collapse: Some(Collapse::Never),
        visibility: Visibility::AtCommit,
        rebuilds: &[Rebuild::Overwrite],
    }),
    ask: &[crate::model::key::read::OFFSET_RESET.field(), crate::model::key::read::ISOLATION.field()],
    references: &[
        "Apache Druid documentation, Apache Kafka ingestion: useEarliestOffset, resetOffsetAutomatically; Supervisor: parse exceptions, late and early message rejection",
    ],
    ..NAMED
};

/// Apache Pinot.
pub(super) static PINOT: Entry = Entry {
    id: "pinot",
    name: "Apache Pinot",
    technology: "Pinot",
    icon: "database",
    roles: &[Role::Sink, Role::Engine],
    engine: Some(&super::movers::PINOT_INGESTION),
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::InsertIfAbsent, WriteMode::Append],
        keys: Keys::ByWriter,
        transactions: Transactions::Local,
        holds_position: true,
        collapse: None,
        visibility: Visibility::Immediately,
        rebuilds: &[Rebuild::Shadow],
    }),
    ask: &[sink::COLLAPSE.field(), sink::DEDUP_WINDOW.field(), store::WRITE_MODE.field()],
    commands: &[Command {
        reads: &[sink::COLLAPSE.field(), sink::DEDUP_WINDOW.field()],
        text: "curl http://<controller>:9000/tables/{name}  (upsertConfig, dedupConfig with metadataTTL, enableOffsetAutoReset)",
    }],
    references: &[
        "Apache Pinot documentation, Stream ingestion: segments carry start and end offsets; Stream ingestion with dedup: metadataTTL; with upsert",
    ],
    ..NAMED
};

/// Snowflake.
pub(super) static SNOWFLAKE: Entry = Entry {
    id: "snowflake",
    name: "Snowflake",
    technology: "Snowflake",
    icon: "warehouse",
    roles: &[Role::Sink],
    versions: "connector 3 writes files by default, 4 and later only streams",
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::ReplaceRange, WriteMode::Append],
        keys: Keys::Declared,
        transactions: Transactions::Local,
        holds_position: true,
        collapse: Some(Collapse::Never),
        visibility: Visibility::AtCommit,
        rebuilds: &[Rebuild::Shadow, Rebuild::Overwrite],
    }),
    ask: &[store::WRITE_MODE.field(), sink::REBUILD.field()],
    references: &["Snowflake documentation, Snowpipe Streaming: channels and offset tokens; Constraints: not enforced"],
    ..NAMED
};

/// Google BigQuery.
pub(super) static BIGQUERY: Entry = Entry {
    id: "bigquery",
    name: "Google BigQuery",
    technology: "BigQuery",
    icon: "warehouse",
    roles: &[Role::Sink],
    versions: "interface: insertAll and the default stream append what comes, streams of one's own take an offset",
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::ReplaceRange, WriteMode::Append],
        keys: Keys::Declared,
        transactions: Transactions::Local,
        holds_position: true,
        collapse: Some(Collapse::Never),
        visibility: Visibility::AtCommit,
        rebuilds: &[Rebuild::Shadow, Rebuild::Overwrite],
    }),
    ask: &[store::WRITE_MODE.field(), sink::REBUILD.field()],
    references: &["Google Cloud documentation, Introduction to the BigQuery Storage Write API"],
    ..NAMED
};

/// Any warehouse of which nothing more is said.
pub(super) static WAREHOUSE: Entry = Entry {
    id: "warehouse",
    name: "Warehouse",
    technology: "warehouse",
    icon: "warehouse",
    roles: &[Role::Sink],
    ask: &[sink::UNIQUE_KEYS.field(), sink::DECLARED_KEYS.field(), sink::REBUILD.field(), store::WRITE_MODE.field()],
    references: &["SQL:2016, ISO/IEC 9075: table constraints may be declared NOT ENFORCED"],
    ..NAMED
};
