//! Which connectors a key is of: told by the class, the server, and the keys that only some have.

use super::keys::names;
use crate::sorted::SortedMap;

/// Settings of one connector by their keys.
pub(super) type Settings<'a> = SortedMap<&'a str, &'a str>;

/// Which connectors a key is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Any,
    Source,
    Sink,
    Debezium,
    DebeziumPostgres,
    JdbcSource,
    JdbcSink,
    Elastic,
    Files,
    Iceberg,
    Snowflake,
    MongoSink,
    MongoSource,
    BigQuery,
    ClickHouse,
    Http,
}

impl Of {
    /// Is the connector with these settings one of them?
    pub(super) fn is(self, settings: &Settings<'_>) -> bool {
        let class = settings.get("connector.class").copied().unwrap_or_default();
        let named = |part: &str| class.contains(part);
        match self {
            Self::Any => true,
            Self::Sink => is_sink(settings),
            Self::Source => !is_sink(settings),
            Self::Debezium => named("io.debezium.connector.") && !is_sink(settings),
            Self::DebeziumPostgres => named("io.debezium.connector.postgresql"),
            Self::JdbcSource => named("JdbcSource"),
            Self::JdbcSink => named("JdbcSink"),
            Self::Elastic => named("Elasticsearch") || named("OpenSearch") || named("Opensearch"),
            Self::Files => ["connect.s3.", "connect.gcs.", "connect.hdfs", "connect.azure."].into_iter().any(named),
            Self::Iceberg => named("IcebergSink"),
            Self::Snowflake => named("com.snowflake."),
            Self::MongoSink => named("MongoSink") || named("MongoDbSink"),
            Self::MongoSource => named("MongoSource"),
            Self::BigQuery => named("BigQuery"),
            Self::ClickHouse => named("ClickHouseSink"),
            Self::Http => named("HttpSink"),
        }
    }
}

/// Does it read topics? What the server says counts, then the class, then the key that only sinks have.
pub(super) fn is_sink(settings: &Settings<'_>) -> bool {
    let class = settings.get("connector.class").copied().unwrap_or_default();
    match settings.get(super::connect::TYPE) {
        Some(kind) => *kind == "sink",
        None if class.contains("Sink") || class.contains("SINK") => true,
        None if class.contains("Source") || class.contains("io.debezium.") => false,
        None => settings.contains_key("topics") || settings.contains_key("topics.regex"),
    }
}

/// The names of the transforms in use whose class is of this name.
pub(super) fn transforms<'a>(settings: &'a Settings<'a>, class: &'a str) -> impl Iterator<Item = &'a str> {
    names(settings.get("transforms").copied().unwrap_or_default()).filter(move |name| {
        let of = settings.get(format!("transforms.{name}.type").as_str());
        of.is_some_and(|of| of.rsplit(['.', '$']).any(|part| part == class))
    })
}
