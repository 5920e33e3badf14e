//! Object stores and table formats on top of them.

use super::{
    capability::{Keys, Resend, Sink, Source, Taking, Visibility},
    entry::{Command, Entry, Family, Role},
};
use crate::model::{
    Field,
    key::{job, serve, sink, store},
    words::{Capture, Collapse, Rebuild, Transactions, WriteMode},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Lakehouse, ..super::entry::NAMED };

const LISTING: Taking = Taking {
    blind_to: "files that are overwritten, or still being written when they are listed",
    sees_deletes: false,
    ..Taking::of(Capture::Listing, Resend::Isolated, "Apache Flink documentation, FileSystem connector: file discovery")
};

const FILES: Source = Source {
    takings: &[LISTING],
    keeps_log: true,
    snapshots: true,
    reach: "as long as the objects are kept",
    ..Source::PASSING
};

/// Files that appear whole when they are closed or committed; a file of the same name is replaced.
const OBJECTS: Sink = Sink {
    write_modes: &[WriteMode::FileCommit, WriteMode::Append],
    keys: Keys::Nothing,
    transactions: Transactions::Nothing,
    holds_position: false,
    collapse: Some(Collapse::Never),
    visibility: Visibility::AtFileClose,
    rebuilds: &[Rebuild::Overwrite, Rebuild::Shadow],
};

const OBJECT_ASK: &[Field] = &[
    store::ROTATION.field(),
    store::FLUSH_RECORDS.field(),
    store::FLUSH_INTERVAL.field(),
    sink::RETENTION_TIME.field(),
];

/// Amazon S3 and stores with its interface.
pub(super) static S3: Entry = Entry {
    id: "s3",
    name: "Amazon S3",
    technology: "objects",
    icon: "file",
    roles: &[Role::Source, Role::Sink],
    versions: "version of the sink connector: newer ones write only where no object of that name is",
    source: Some(&FILES),
    sink: Some(&OBJECTS),
    ask: OBJECT_ASK,
    commands: &[
        Command {
            reads: &[sink::RETENTION_TIME.field()],
            text: "aws s3api get-bucket-lifecycle-configuration --bucket {name}",
        },
        Command { reads: &[sink::ROWS.field()], text: "aws s3 ls s3://{name} --recursive --summarize" },
    ],
    references: &[
        "Confluent documentation, Amazon S3 Sink Connector: exactly-once delivery on top of eventual consistency; rotate.schedule.interval.ms",
    ],
    ..NAMED
};

/// Google Cloud Storage.
pub(super) static GCS: Entry = Entry {
    id: "gcs",
    name: "Google Cloud Storage",
    technology: "objects",
    icon: "file",
    roles: &[Role::Source, Role::Sink],
    source: Some(&FILES),
    sink: Some(&OBJECTS),
    ask: OBJECT_ASK,
    references: &["Confluent documentation, Google Cloud Storage Sink Connector"],
    ..NAMED
};

/// Hadoop Distributed File System.
pub(super) static HDFS: Entry = Entry {
    id: "hdfs",
    name: "HDFS",
    technology: "files",
    icon: "file",
    roles: &[Role::Source, Role::Sink],
    source: Some(&FILES),
    sink: Some(&OBJECTS),
    ask: OBJECT_ASK,
    references: &["Confluent documentation, HDFS 3 Sink Connector: exactly-once delivery"],
    ..NAMED
};

const LAKE_TABLE: Sink = Sink {
    write_modes: &[WriteMode::Upsert, WriteMode::ReplaceRange, WriteMode::FileCommit, WriteMode::Append],
    keys: Keys::ByWriter,
    transactions: Transactions::TwoPhase,
    holds_position: true,
    collapse: Some(Collapse::AtRead),
    visibility: Visibility::AtSnapshot,
    rebuilds: &[Rebuild::Shadow, Rebuild::Overwrite],
};

const LAKE_ASK: &[Field] = &[
    store::WRITE_MODE.field(),
    sink::DECLARED_KEYS.field(),
    sink::COLLAPSE_WITHIN.field(),
    sink::OTHER_WRITERS.field(),
    serve::READ_MODE.field(),
    sink::REBUILD.field(),
    job::CHECKPOINT_INTERVAL.field(),
];

/// Apache Iceberg.
pub(super) static ICEBERG: Entry = Entry {
    id: "iceberg",
    name: "Apache Iceberg",
    technology: "Iceberg table",
    icon: "warehouse",
    roles: &[Role::Sink],
    versions: "format version 2 for upsert by equality fields",
    sink: Some(&LAKE_TABLE),
    ask: LAKE_ASK,
    commands: &[
        Command {
            reads: &[sink::DECLARED_KEYS.field(), sink::UNIQUE_KEYS.field()],
            text: "DESCRIBE TABLE EXTENDED {name}",
        },
        Command {
            reads: &[sink::RETENTION_TIME.field()],
            text: "SHOW TBLPROPERTIES {name}  (history.expire.max-snapshot-age-ms, history.expire.min-snapshots-to-keep)",
        },
        Command { reads: &[sink::ROWS.field()], text: "SELECT sum(record_count) FROM {name}.files" },
    ],
    references: &[
        "Apache Iceberg documentation, Flink Writes: upsert, flink.max-committed-checkpoint-id, expiring snapshots",
        "Apache Iceberg documentation, Kafka Connect: control topic and commit coordination",
    ],
    ..NAMED
};

/// Delta Lake.
pub(super) static DELTA: Entry = Entry {
    id: "delta",
    name: "Delta Lake",
    technology: "Delta table",
    icon: "warehouse",
    roles: &[Role::Sink],
    versions: "2.0 and later skip a batch by txnAppId and txnVersion",
    sink: Some(&LAKE_TABLE),
    ask: LAKE_ASK,
    references: &[
        "Delta Lake documentation, Table streaming reads and writes: idempotent writes in foreachBatch; Table deletes, updates, and merges: data deduplication; change data feed",
    ],
    ..NAMED
};

/// Apache Hudi.
pub(super) static HUDI: Entry = Entry {
    id: "hudi",
    name: "Apache Hudi",
    technology: "Hudi table",
    icon: "warehouse",
    roles: &[Role::Sink],
    versions: "operation: upsert replaces by record key, insert and bulk_insert keep repeats",
    sink: Some(&LAKE_TABLE),
    ask: LAKE_ASK,
    references: &[
        "Apache Hudi documentation, Concurrency Control: single writer guarantees; Write Operations; Indexing: global and non-global; Query Types",
    ],
    ..NAMED
};
