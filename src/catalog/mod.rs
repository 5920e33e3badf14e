//! What each system can do: sources, logs and queues, engines, stores, and where that is written.
//!
//! Data only: one static a system, one line in [`ENTRIES`]. A system without a capability is known by name; the
//! analysis then makes no claim about it. Not here: what a design says ([`crate::model`]), and what follows from both
//! (`analysis`). Product defaults stand in [`struct@Default`] and are never used as if they had been read.

mod batch;
pub mod brief;
mod capability;
mod databases;
mod endpoints;
mod engines;
mod entry;
mod examples;
mod kafka;
#[cfg(test)]
mod kinds;
mod lakehouse;
mod late;
mod logs;
mod movers;
mod patterns;
mod queues;
mod stores;
mod words;

pub use crate::model::Version;
pub use capability::{
    Channel, ChannelKind, Durability, Ends, Engine, Keys, Limits, Mode, Order, PositionIn, Resend, Sink, Source,
    StateCommit, Taking, Visibility,
};
pub use entry::{Command, Default, DefaultValue, Entry, Family, Role};
pub use examples::{Example, examples};
pub use late::{Lateness, drops_late};
pub use patterns::{Pattern, patterns};

use crate::model::{
    Design, Field, Id, Shape,
    words::{Capture, Client},
};

/// All systems, sorted by id.
pub static ENTRIES: &[&Entry] = &[
    &batch::AIRFLOW,
    &endpoints::APPLICATION,
    &engines::BEAM,
    &stores::BIGQUERY,
    &movers::BROOKLIN,
    &databases::CASSANDRA,
    &stores::CLICKHOUSE,
    &movers::CLICKHOUSE_KAFKA,
    &endpoints::CONSOLE,
    &endpoints::DASHBOARD,
    &engines::DATAFLOW,
    &batch::DBT,
    &engines::DEBEZIUM_SERVER,
    &lakehouse::DELTA,
    &endpoints::DEVICE,
    &stores::DRUID,
    &databases::DYNAMODB,
    &logs::DYNAMODB_STREAMS,
    &stores::ELASTICSEARCH,
    &endpoints::EMAIL,
    &logs::EVENT_HUBS,
    &queues::EVENTBRIDGE,
    &endpoints::FILE,
    &engines::FIREHOSE,
    &engines::FLINK,
    &lakehouse::GCS,
    &lakehouse::HDFS,
    &endpoints::HTTP,
    &lakehouse::HUDI,
    &lakehouse::ICEBERG,
    &kafka::KAFKA,
    &engines::KAFKA_CONNECT,
    &queues::KAFKA_SHARE_GROUP,
    &engines::KAFKA_STREAMS,
    &logs::KINESIS,
    &engines::KSQLDB,
    &movers::LAMBDA,
    &databases::MARIADB,
    &movers::MATERIALIZE,
    &engines::MIRROR_MAKER,
    &databases::MONGODB,
    &endpoints::MQTT,
    &databases::MYSQL,
    &queues::NATS,
    &stores::OPENSEARCH,
    &databases::ORACLE,
    &stores::PINOT,
    &engines::PLAIN_CONSUMER,
    &databases::POSTGRES,
    &queues::PUBSUB,
    &logs::PULSAR,
    &queues::RABBITMQ,
    &queues::RABBITMQ_QUORUM,
    &logs::RABBITMQ_STREAMS,
    &databases::REDIS,
    &logs::REDIS_STREAMS,
    &kafka::REDPANDA,
    &movers::REDPANDA_CONNECT,
    &lakehouse::S3,
    &queues::SERVICE_BUS,
    &stores::SNOWFLAKE,
    &queues::SNS,
    &endpoints::SOCKET,
    &engines::SPARK,
    &databases::SQLSERVER,
    &queues::SQS,
    &movers::TELEGRAF,
    &movers::VECTOR,
    &stores::WAREHOUSE,
];

/// The entry of a catalogue id.
#[must_use]
pub fn entry(id: &str) -> Option<&'static Entry> {
    ENTRIES.binary_search_by(|entry| entry.id.cmp(id)).ok().and_then(|at| ENTRIES.get(at)).copied()
}

/// The entries that can stand for a role, in id order.
pub fn entries(role: Role) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().copied().filter(move |entry| entry.has(role))
}

/// What one way of taking events from this system does.
#[must_use]
pub fn taking(system: &str, capture: Capture) -> Option<&'static Taking> {
    entry(system)?.source?.takings.iter().find(|taking| taking.capture == capture)
}

/// The command that reads a field of this system, with `{name}` and `{group}` to fill in.
#[must_use]
pub fn command_for(field: Field, system: &str) -> Option<&'static str> {
    entry(system)?.commands.iter().find(|command| command.reads.contains(&field)).map(|command| command.text)
}

/// The command that reads a missing setting of this subject, with its name filled in. A link is asked of its channel,
/// its job and its sink.
#[must_use]
pub fn command(design: &Design, subject: &Id, field: Field) -> Option<String> {
    let asked: Vec<Id> = match &design.subject(subject)?.shape {
        Shape::Link(link) => {
            [&link.from, &link.to].into_iter().map(|end| design.job_of(end).unwrap_or(end).clone()).collect()
        }
        _ => vec![design.job_of(subject).unwrap_or(subject).clone()],
    };
    asked.iter().find_map(|at| {
        let text = command_for(field, design.system(at)?)?;
        let group = design.subject(subject).and_then(|link| {
            link.observed.values().chain([&link.proposed]).find_map(|facts| facts.typed(crate::model::key::read::GROUP))
        });
        let group = group.as_deref().unwrap_or("<group>");
        Some(
            text.replace("{name}", &argument(&design.title(at), "<name>"))
                .replace("{group}", &argument(group, "<group>")),
        )
    })
}

/// A name that can stand in a command as it is; any other is left for the person to fill in, so that pasting a command
/// never runs what a name holds.
fn argument(name: &str, otherwise: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let safe = !name.is_empty() && !name.starts_with('-') && name.chars().all(plain);
    if safe { name.to_owned() } else { otherwise.to_owned() }
}

/// The default in force for a key that was read as not set, for a known version of the product.
#[must_use]
pub fn default_of(field: Field, system: &str, version: Option<&str>) -> Option<&'static Default> {
    pick(entry(system)?.defaults, field, version)
}

/// The default of a Kafka client library for a key that was read as not set, for a known version of the library.
#[must_use]
pub fn client_default(field: Field, client: Client, version: Option<&str>) -> Option<&'static Default> {
    let defaults = match client {
        Client::Java => kafka::JAVA_CLIENT,
        Client::Librdkafka => kafka::LIBRDKAFKA,
        Client::Other => &[],
    };
    pick(defaults, field, version)
}

/// The defaults of Kafka client libraries, by library.
#[must_use]
pub fn client_defaults() -> [(&'static str, &'static [Default]); 2] {
    [("Java", kafka::JAVA_CLIENT), ("librdkafka", kafka::LIBRDKAFKA)]
}

fn pick(defaults: &'static [Default], field: Field, version: Option<&str>) -> Option<&'static Default> {
    let version = Version::read(version?)?;
    defaults.iter().find(|default| default.field == field && default.in_force(version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key;
    use crate::sorted::SortedSet;

    #[test]
    fn a_command_never_carries_what_a_shell_would_run() {
        assert_eq!(argument("orders_5m", "<name>"), "orders_5m");
        for name in ["", "-x", "a; rm -rf /", "$(x)", "a'b", "a b"] {
            assert_eq!(argument(name, "<name>"), "<name>", "{name}");
        }
    }

    #[test]
    fn entries_are_sorted_and_unique() {
        let ids: Vec<_> = ENTRIES.iter().map(|entry| entry.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(ids, sorted);
        assert!(ids.iter().all(|id| Id::new(id).is_ok()));
    }

    #[test]
    fn every_entry_has_names_roles_and_a_public_reference() {
        for entry in ENTRIES {
            assert!(!entry.name.is_empty() && !entry.technology.is_empty() && !entry.icon.is_empty(), "{}", entry.id);
            assert!(!entry.roles.is_empty() && !entry.references.is_empty(), "{}", entry.id);
            assert!(entry.source.is_none() || entry.has(Role::Source), "{}", entry.id);
            assert!(entry.channel.is_none() || entry.has(Role::Channel), "{}", entry.id);
            assert!(entry.engine.is_none() || entry.has(Role::Engine), "{}", entry.id);
            assert!(entry.sink.is_none() || entry.has(Role::Sink), "{}", entry.id);
        }
        assert!(Role::ALL.iter().all(|role| entries(*role).next().is_some()));
    }

    #[test]
    fn defaults_are_of_the_type_of_their_field_and_cite_a_source() {
        let all = ENTRIES.iter().flat_map(|entry| entry.defaults).chain(kafka::JAVA_CLIENT).chain(kafka::LIBRDKAFKA);
        for default in all {
            let value = default.value.value();
            let known = match (&value, default.field.row().ty) {
                (crate::model::Value::Word(word), crate::model::FieldType::Words(words)) => words.contains(word),
                (crate::model::Value::Bool(_), ty) => ty == crate::model::FieldType::Bool,
                (crate::model::Value::Count(_), ty) => ty == crate::model::FieldType::Count,
                (crate::model::Value::Duration(_), ty) => ty == crate::model::FieldType::Duration,
                (crate::model::Value::Size(_), ty) => ty == crate::model::FieldType::Size,
                (crate::model::Value::Limit(_), ty) => ty == crate::model::FieldType::Limit,
                (crate::model::Value::SizeLimit(_), ty) => ty == crate::model::FieldType::SizeLimit,
                _ => false,
            };
            assert!(known, "{:?} {value:?}", default.field);
            assert!(!default.source.is_empty() && !default.key.is_empty());
        }
    }

    #[test]
    fn takings_are_unique_and_engines_answer_for_their_guarantees() {
        for entry in ENTRIES {
            if let Some(source) = entry.source {
                let kinds: SortedSet<_> = source.takings.iter().map(|taking| taking.capture).collect();
                assert_eq!(kinds.len(), source.takings.len(), "{}", entry.id);
            }
            if let Some(engine) = entry.engine {
                assert!(!engine.modes.is_empty(), "{}", entry.id);
                for mode in engine.modes {
                    assert_eq!(engine.mode(mode.guarantee), Some(mode), "{}", entry.id);
                }
            }
        }
    }

    #[test]
    fn commands_and_defaults_are_found() {
        let command = command_for(key::channel::PARTITIONS.field(), "kafka").unwrap();
        assert!(command.starts_with("kafka-topics.sh") && command.contains("{name}"));
        assert_eq!(command_for(key::channel::PARTITIONS.field(), "nowhere"), None);
        let isr = |version| default_of(key::channel::MIN_INSYNC_REPLICAS.field(), "kafka", version);
        assert_eq!(isr(Some("3.9")).map(|default| default.value), Some(DefaultValue::Count(1)));
        assert!(isr(None).is_none(), "a default needs a known version");
        let linger = |v| client_default(key::produce::LINGER.field(), Client::Java, Some(v)).map(|d| d.value);
        assert_eq!(linger("3.7.0"), Some(DefaultValue::Millis(0)));
        assert_eq!(linger("4.0"), Some(DefaultValue::Millis(5)));
    }
}
