//! The engines whose ways of keeping state and committing work have forms of their own.

use super::map::Map;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Flink,
    /// Kafka Streams and ksqlDB.
    Streams,
    Spark,
    /// Connectors, plain consumers, everything that keeps no keyed state of its own, and engines without a form.
    Other,
}

impl Engine {
    /// The engine of a job, or of an operator's job.
    pub fn of(map: &Map, site: usize) -> Self {
        match map.system(site) {
            Some("flink") => Self::Flink,
            Some("kafka_streams" | "ksqldb") => Self::Streams,
            Some("spark") => Self::Spark,
            _ => Self::Other,
        }
    }
}
