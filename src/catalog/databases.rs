//! Databases: sources with a log of changes, and tables that are written.

use super::{
    capability::{Ends, Keys, Limits, Resend, Sink, Source, Taking, Visibility},
    entry::{Command, Entry, Family, Role, Version},
};
use crate::model::{
    Field,
    key::{sink, source, take},
    words::{AfterRestart, Capture, Collapse, Rebuild, Transactions, WriteMode},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Database, ..super::entry::NAMED };

const DEBEZIUM_PG: &str = "Debezium documentation, PostgreSQL connector";
const DEBEZIUM_MYSQL: &str = "Debezium documentation, MySQL connector";
const JDBC_SOURCE: &str = "Confluent documentation, JDBC Source Connector: incremental query modes";

const fn change_log(source: &'static str) -> Taking {
    Taking::of(Capture::ChangeLog, Resend::Rewind, source)
}

const POLL_TIMESTAMP: Taking = Taking {
    blind_to: "deletes, updates that are overwritten between two polls, rows that commit late",
    sees_deletes: false,
    ..Taking::of(Capture::PollTimestamp, Resend::Rewind, JDBC_SOURCE)
};

const POLL_SEQUENCE: Taking = Taking {
    blind_to: "updates, deletes, and rows whose lower number commits late",
    sees_deletes: false,
    ..Taking::of(Capture::PollSequence, Resend::Rewind, JDBC_SOURCE)
};

const POLL_TABLE: Taking = Taking {
    after_restart: Some(AfterRestart::ResendUnmarked),
    blind_to: "deletes and updates that are overwritten between two polls; every poll sends all rows again",
    sees_deletes: false,
    ..Taking::of(Capture::PollTable, Resend::Rewind, JDBC_SOURCE)
};

/// A database whose change log and tables can both be read.
const TABLE_LOG: Source = Source { keeps_log: true, snapshots: true, ..Source::PASSING };

const TABLE_MODES: &[WriteMode] = &[
    WriteMode::Upsert,
    WriteMode::InsertIfAbsent,
    WriteMode::ReplaceRange,
    WriteMode::Patch,
    WriteMode::Increment,
    WriteMode::Append,
];

const TABLE: Sink = Sink {
    write_modes: TABLE_MODES,
    keys: Keys::Enforced,
    transactions: Transactions::TwoPhase,
    holds_position: true,
    collapse: Some(Collapse::AtWrite),
    visibility: Visibility::AtCommit,
    rebuilds: &[Rebuild::Shadow, Rebuild::Overwrite],
};

const TABLE_ASK: &[Field] = &[
    sink::UNIQUE_KEYS.field(),
    sink::TRANSACTIONS.field(),
    sink::REBUILD.field(),
    sink::OTHER_WRITERS.field(),
    source::RATE.field(),
    source::POSITION_SURVIVES_FAILOVER.field(),
    source::LOG_REACH_SIZE.field(),
    source::LOG_REACH.field(),
    source::RESNAPSHOT.field(),
];

const POSTGRES_ASK: &[Field] = &[
    sink::UNIQUE_KEYS.field(),
    sink::TRANSACTIONS.field(),
    sink::REBUILD.field(),
    sink::OTHER_WRITERS.field(),
    source::RATE.field(),
    source::POSITION_SURVIVES_FAILOVER.field(),
    take::OFFSET_MISMATCH.field(),
    source::LOG_REACH_SIZE.field(),
    source::LOG_REACH.field(),
    source::RESNAPSHOT.field(),
];

/// PostgreSQL.
pub(super) static POSTGRES: Entry = Entry {
    id: "postgres",
    name: "PostgreSQL",
    technology: "Postgres",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    versions: "14, 15, 17, 18: what happens to a slot that is ahead, behind or idle differs",
    source: Some(&Source {
        takings: &[change_log(DEBEZIUM_PG), POLL_TIMESTAMP, POLL_SEQUENCE, POLL_TABLE],
        reach: "the replication slot: without limit, or max_slot_wal_keep_size and, from 18, idle_replication_slot_timeout",
        limits: Limits { time: Some(Version(18, 0)), ..Limits::BOTH },
        ..TABLE_LOG
    }),
    sink: Some(&TABLE),
    ask: POSTGRES_ASK,
    commands: &[
        Command {
            reads: &[source::POSITION_SURVIVES_FAILOVER.field()],
            text: "psql -c 'SELECT slot_name, plugin, failover, active, wal_status FROM pg_replication_slots'",
        },
        Command { reads: &[source::LOG_REACH_SIZE.field()], text: "psql -c 'SHOW max_slot_wal_keep_size'" },
        Command {
            reads: &[source::LOG_REACH.field()],
            text: "psql -c 'SHOW idle_replication_slot_timeout'  (0 is unlimited; before version 18 there is none: unlimited)",
        },
        Command {
            reads: &[source::LOG_RATE.field()],
            text: "psql -c 'SELECT pg_current_wal_lsn()'  (twice, some time apart)",
        },
        Command { reads: &[sink::UNIQUE_KEYS.field()], text: "psql -c '\\d {name}'" },
        Command { reads: &[sink::TRANSACTIONS.field()], text: "psql -c 'SHOW max_prepared_transactions'" },
        Command { reads: &[sink::ROWS.field()], text: "psql -c 'SELECT count(*) FROM {name}'" },
    ],
    references: &[
        DEBEZIUM_PG,
        "PostgreSQL documentation, INSERT: ON CONFLICT; Replication: max_slot_wal_keep_size; PREPARE TRANSACTION",
    ],
    ..NAMED
};

const MYSQL_LOG: Source = Source {
    takings: &[change_log(DEBEZIUM_MYSQL), POLL_TIMESTAMP, POLL_SEQUENCE, POLL_TABLE],
    reach: "binary log: binlog_expire_logs_seconds, or the provider's retention hours",
    ..TABLE_LOG
};

const MYSQL_COMMANDS: &[Command] = &[
    Command { reads: &[source::LOG_REACH.field()], text: "SHOW VARIABLES LIKE 'binlog_expire_logs_seconds';" },
    Command { reads: &[source::POSITION_SURVIVES_FAILOVER.field()], text: "SHOW VARIABLES LIKE 'gtid_mode';" },
    Command { reads: &[sink::UNIQUE_KEYS.field()], text: "SHOW INDEX FROM {name} WHERE Non_unique = 0;" },
    Command { reads: &[sink::ROWS.field()], text: "SELECT COUNT(*) FROM {name};" },
];

const MARIADB_COMMANDS: &[Command] = &[
    MYSQL_COMMANDS[0],
    Command {
        reads: &[source::LOG_REACH_SIZE.field()],
        text: "SHOW VARIABLES LIKE 'max_binlog_total_size';  (0 is unlimited; before 11.4 there is none: unlimited)",
    },
    MYSQL_COMMANDS[1],
    MYSQL_COMMANDS[2],
    MYSQL_COMMANDS[3],
];

/// MySQL.
pub(super) static MYSQL: Entry = Entry {
    id: "mysql",
    name: "MySQL",
    technology: "MySQL",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    source: Some(&MYSQL_LOG),
    sink: Some(&TABLE),
    ask: TABLE_ASK,
    commands: MYSQL_COMMANDS,
    references: &[
        DEBEZIUM_MYSQL,
        "MySQL Reference Manual, INSERT ... ON DUPLICATE KEY UPDATE; Binary Logging Options; XA Transactions",
    ],
    ..NAMED
};

/// MariaDB.
pub(super) static MARIADB: Entry = Entry {
    id: "mariadb",
    name: "MariaDB",
    technology: "MariaDB",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    versions: "11.4 and later can end the binary log by size as well",
    source: Some(&Source {
        reach: "binary log: binlog_expire_logs_seconds and, from 11.4, max_binlog_total_size",
        limits: Limits { size: Some(Version(11, 4)), ..Limits::BOTH },
        ..MYSQL_LOG
    }),
    sink: Some(&TABLE),
    ask: TABLE_ASK,
    commands: MARIADB_COMMANDS,
    references: &[
        "Debezium documentation, MariaDB connector",
        "MariaDB documentation, INSERT ON DUPLICATE KEY UPDATE; Replication and Binary Log System Variables: max_binlog_total_size",
    ],
    ..NAMED
};

/// Microsoft SQL Server.
pub(super) static SQLSERVER: Entry = Entry {
    id: "sqlserver",
    name: "Microsoft SQL Server",
    technology: "SQL Server",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    source: Some(&Source {
        takings: &[
            change_log("Debezium documentation, SQL Server connector"),
            POLL_TIMESTAMP,
            POLL_SEQUENCE,
            POLL_TABLE,
        ],
        reach: "change tables: retention of the clean-up job, 72 h unless set",
        ..TABLE_LOG
    }),
    sink: Some(&TABLE),
    ask: TABLE_ASK,
    commands: &[
        Command { reads: &[source::LOG_REACH.field()], text: "EXEC sys.sp_cdc_help_jobs;" },
        Command { reads: &[sink::UNIQUE_KEYS.field()], text: "EXEC sp_helpindex '{name}';" },
    ],
    references: &["Microsoft Learn, sys.sp_cdc_add_job", "Debezium documentation, SQL Server connector"],
    ..NAMED
};

/// Oracle Database.
pub(super) static ORACLE: Entry = Entry {
    id: "oracle",
    name: "Oracle Database",
    technology: "Oracle",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    source: Some(&Source {
        takings: &[change_log("Debezium documentation, Oracle connector"), POLL_TIMESTAMP, POLL_SEQUENCE, POLL_TABLE],
        reach: "archive logs, back to the oldest open transaction: kept by their deletion policy, and within the size of the fast recovery area",
        limits: Limits::BOTH,
        ..TABLE_LOG
    }),
    sink: Some(&TABLE),
    ask: TABLE_ASK,
    commands: &[
        Command { reads: &[source::LOG_REACH.field()], text: "rman target / <<< 'SHOW ALL;'" },
        Command { reads: &[source::LOG_REACH_SIZE.field()], text: "SHOW PARAMETER db_recovery_file_dest_size" },
    ],
    references: &[
        "Oracle Database Backup and Recovery User's Guide, Configuring the Fast Recovery Area",
        "Debezium documentation, Oracle connector: archive log retention, log.mining.transaction.retention.ms",
    ],
    ..NAMED
};

/// MongoDB.
pub(super) static MONGODB: Entry = Entry {
    id: "mongodb",
    name: "MongoDB",
    technology: "MongoDB",
    icon: "database",
    roles: &[Role::Source, Role::Sink, Role::Cluster],
    versions: "4.4 and later can keep the oplog for a time, not only up to a size",
    source: Some(&Source {
        takings: &[change_log("MongoDB manual, Change Streams")],
        reach: "the oplog: up to its size and, from 4.4, for oplogMinRetentionHours at least",
        limits: Limits { time: Some(Version(4, 4)), ends: Ends::Last, ..Limits::BOTH },
        ..TABLE_LOG
    }),
    sink: Some(&Sink { transactions: Transactions::Local, ..TABLE }),
    ask: TABLE_ASK,
    commands: &[
        Command {
            reads: &[source::LOG_REACH.field()],
            text: "mongosh --eval 'db.serverStatus().oplogTruncation.oplogMinRetentionHours'  (0 is none; before 4.4 there is none)",
        },
        Command {
            reads: &[source::LOG_REACH_SIZE.field(), source::LOG_RATE.field()],
            text: "mongosh --eval 'rs.printReplicationInfo()'",
        },
        Command { reads: &[sink::UNIQUE_KEYS.field()], text: "mongosh --eval 'db.{name}.getIndexes()'" },
    ],
    references: &[
        "MongoDB manual, Replica Set Oplog: Oplog Size, Minimum Oplog Retention Period",
        "MongoDB Kafka Connector documentation, Change Streams; Write Model and document.id.strategy",
    ],
    ..NAMED
};

/// Cassandra and ScyllaDB.
pub(super) static CASSANDRA: Entry = Entry {
    id: "cassandra",
    name: "Cassandra or ScyllaDB",
    technology: "Cassandra",
    icon: "database",
    roles: &[Role::Sink],
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::Patch, WriteMode::Increment],
        transactions: Transactions::Nothing,
        holds_position: false,
        visibility: Visibility::Immediately,
        ..TABLE
    }),
    ask: &[sink::UNIQUE_KEYS.field(), sink::REBUILD.field(), sink::OTHER_WRITERS.field()],
    commands: &[Command { reads: &[sink::UNIQUE_KEYS.field()], text: "cqlsh -e 'DESCRIBE TABLE {name}'" }],
    references: &["Apache Cassandra documentation, Data Definition: PRIMARY KEY; Data Manipulation: UPDATE, counters"],
    ..NAMED
};

/// Amazon DynamoDB.
pub(super) static DYNAMODB: Entry = Entry {
    id: "dynamodb",
    name: "Amazon DynamoDB",
    technology: "DynamoDB",
    icon: "database",
    roles: &[Role::Sink],
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::InsertIfAbsent, WriteMode::Patch, WriteMode::Increment],
        transactions: Transactions::Local,
        ..TABLE
    }),
    ask: &[sink::UNIQUE_KEYS.field(), sink::REBUILD.field(), sink::OTHER_WRITERS.field()],
    commands: &[Command {
        reads: &[sink::UNIQUE_KEYS.field()],
        text: "aws dynamodb describe-table --table-name {name}",
    }],
    references: &["Amazon DynamoDB API Reference, PutItem, UpdateItem, TransactWriteItems: ClientRequestToken"],
    ..NAMED
};

/// Redis as a store of keys.
pub(super) static REDIS: Entry = Entry {
    id: "redis",
    name: "Redis",
    technology: "Redis",
    icon: "database",
    roles: &[Role::Sink, Role::Cluster],
    sink: Some(&Sink {
        write_modes: &[WriteMode::Upsert, WriteMode::InsertIfAbsent, WriteMode::Increment],
        transactions: Transactions::Local,
        visibility: Visibility::Immediately,
        ..TABLE
    }),
    ask: &[sink::REBUILD.field(), sink::OTHER_WRITERS.field()],
    references: &["Redis documentation, Persistence; Replication: asynchronous by default"],
    ..NAMED
};
