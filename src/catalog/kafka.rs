//! Kafka, and what has its protocol and its storage.

use super::{
    capability::{Channel, Durability, Limits, Order},
    entry::{Command, Default, DefaultValue, Entry, Family, Role, Version},
};
use crate::model::{
    key::{channel, cluster, produce, read},
    units::SizeUnit,
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Log, ..super::entry::NAMED };

const TOPIC_CONFIGS: &str = "Apache Kafka documentation, Topic Configs";
const BROKER_CONFIGS: &str = "Apache Kafka documentation, Broker Configs";
const PRODUCER_CONFIGS: &str = "Apache Kafka documentation, Producer Configs";
const CONSUMER_CONFIGS: &str = "Apache Kafka documentation, Consumer Configs";
const KIP_1030: &str = "KIP-1030: Change constraints and default values for various configurations";
const LIBRDKAFKA_CONFIGURATION: &str = "librdkafka, CONFIGURATION.md";

/// What bounds Kafka's replay reach; the same for products with its protocol and storage.
const KAFKA_REACH: &str = "retention.ms and retention.bytes per partition, whichever is shorter";

const TOPIC_FIELDS: &[crate::model::Field] = &[
    channel::CLEANUP_POLICY.field(),
    channel::RETENTION_TIME.field(),
    channel::RETENTION_SIZE.field(),
    channel::SEGMENT_TIME.field(),
    channel::SEGMENT_SIZE.field(),
    channel::MIN_INSYNC_REPLICAS.field(),
    channel::UNCLEAN_LEADER_ELECTION.field(),
    channel::MIN_COMPACTION_LAG.field(),
    channel::MAX_COMPACTION_LAG.field(),
    channel::TOMBSTONE_RETENTION.field(),
    channel::DIRTY_RATIO.field(),
    channel::TIERED.field(),
    channel::LOCAL_RETENTION_TIME.field(),
    channel::LOCAL_RETENTION_SIZE.field(),
    channel::TIMESTAMP_TYPE.field(),
    channel::TIMESTAMP_BEFORE_MAX.field(),
    channel::TIMESTAMP_AFTER_MAX.field(),
    channel::MAX_MESSAGE_SIZE.field(),
];

/// What a topic of Redpanda can be asked: replicas in sync and unclean elections are no settings of it, for Raft decides
/// both (Redpanda documentation, Topic configuration properties).
const REDPANDA_TOPIC_FIELDS: &[crate::model::Field] = &[
    channel::CLEANUP_POLICY.field(),
    channel::RETENTION_TIME.field(),
    channel::RETENTION_SIZE.field(),
    channel::SEGMENT_TIME.field(),
    channel::SEGMENT_SIZE.field(),
    channel::MIN_COMPACTION_LAG.field(),
    channel::MAX_COMPACTION_LAG.field(),
    channel::TOMBSTONE_RETENTION.field(),
    channel::DIRTY_RATIO.field(),
    channel::TIERED.field(),
    channel::LOCAL_RETENTION_TIME.field(),
    channel::LOCAL_RETENTION_SIZE.field(),
    channel::TIMESTAMP_TYPE.field(),
    channel::TIMESTAMP_BEFORE_MAX.field(),
    channel::TIMESTAMP_AFTER_MAX.field(),
    channel::MAX_MESSAGE_SIZE.field(),
];

const BROKER_FIELDS: &[crate::model::Field] = &[
    cluster::TRANSACTION_MAX_TIMEOUT.field(),
    cluster::OFFSETS_RETENTION.field(),
    cluster::RETENTION_CHECK_INTERVAL.field(),
    cluster::MIN_INSYNC_REPLICAS.field(),
    cluster::REPLICATION_FACTOR.field(),
    cluster::RETENTION_TIME.field(),
    cluster::RETENTION_SIZE.field(),
    cluster::PARTITIONS.field(),
    cluster::UNCLEAN_LEADER_ELECTION.field(),
    cluster::CLEANUP_POLICY.field(),
    cluster::SEGMENT_TIME.field(),
    cluster::SEGMENT_SIZE.field(),
    cluster::MIN_COMPACTION_LAG.field(),
    cluster::MAX_COMPACTION_LAG.field(),
    cluster::TOMBSTONE_RETENTION.field(),
    cluster::DIRTY_RATIO.field(),
    cluster::LOCAL_RETENTION_TIME.field(),
    cluster::LOCAL_RETENTION_SIZE.field(),
    cluster::TIMESTAMP_TYPE.field(),
    cluster::TIMESTAMP_BEFORE_MAX.field(),
    cluster::TIMESTAMP_AFTER_MAX.field(),
    cluster::MAX_MESSAGE_SIZE.field(),
];

const GROUP_FIELDS: &[crate::model::Field] = &[read::GROUP.field(), read::LAG.field(), read::COMMITTED_OFFSET.field()];

static KAFKA_COMMANDS: &[Command] = &[
    Command {
        reads: &[
            channel::PARTITIONS.field(),
            channel::REPLICATION_FACTOR.field(),
            channel::IN_SYNC_REPLICAS.field(),
            channel::TOPICS.field(),
        ],
        text: "kafka-topics.sh --bootstrap-server <broker>:9092 --describe --topic {name}",
    },
    Command {
        reads: TOPIC_FIELDS,
        text: "kafka-configs.sh --bootstrap-server <broker>:9092 --describe --all --entity-type topics --entity-name {name}",
    },
    Command {
        reads: BROKER_FIELDS,
        text: "kafka-configs.sh --bootstrap-server <broker>:9092 --describe --all --entity-type brokers --entity-name <broker id>",
    },
    Command {
        reads: &[cluster::TRANSACTION_VERSION.field()],
        text: "kafka-features.sh --bootstrap-server <broker>:9092 describe",
    },
    Command {
        reads: &[cluster::BROKERS.field(), cluster::FAILURE_DOMAINS.field()],
        text: "kafka-broker-api-versions.sh --bootstrap-server <broker>:9092",
    },
    Command {
        reads: GROUP_FIELDS,
        text: "kafka-consumer-groups.sh --bootstrap-server <broker>:9092 --describe --group {group}",
    },
    Command {
        reads: &[read::MEMBERS.field()],
        text: "kafka-consumer-groups.sh --bootstrap-server <broker>:9092 --describe --state --group {group}",
    },
    Command {
        reads: &[channel::SIZE_ON_DISK.field(), channel::DISK_RATE.field()],
        text: "kafka-log-dirs.sh --bootstrap-server <broker>:9092 --describe --topic-list {name}  (twice, some time apart, for the rate)",
    },
    Command {
        reads: &[channel::START_OFFSET.field()],
        text: "kafka-get-offsets.sh --bootstrap-server <broker>:9092 --topic {name} --time earliest",
    },
    Command {
        reads: &[channel::END_OFFSET.field()],
        text: "kafka-get-offsets.sh --bootstrap-server <broker>:9092 --topic {name} --time latest",
    },
    Command {
        reads: &[channel::OLDEST_RECORD_AGE.field()],
        text: "kafka-console-consumer.sh --bootstrap-server <broker>:9092 --topic {name} --from-beginning --max-messages 1 --property print.timestamp=true",
    },
    Command {
        reads: &[channel::RATE.field()],
        text: "JMX kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic={name}",
    },
];

const fn topic(field: crate::model::Field, key: &'static str, value: DefaultValue) -> Default {
    Default::always(field, key, value, TOPIC_CONFIGS)
}

static KAFKA_DEFAULTS: &[Default] = &[
    topic(channel::CLEANUP_POLICY.field(), "cleanup.policy", DefaultValue::Word("delete")),
    topic(channel::RETENTION_TIME.field(), "retention.ms", DefaultValue::MillisLimit(604_800_000)),
    topic(channel::RETENTION_SIZE.field(), "retention.bytes", DefaultValue::UnlimitedSize),
    topic(channel::SEGMENT_TIME.field(), "segment.ms", DefaultValue::Millis(604_800_000)),
    topic(channel::SEGMENT_SIZE.field(), "segment.bytes", DefaultValue::Bytes(SizeUnit::Gibibyte.bytes())),
    topic(channel::MIN_INSYNC_REPLICAS.field(), "min.insync.replicas", DefaultValue::Count(1)),
    topic(channel::UNCLEAN_LEADER_ELECTION.field(), "unclean.leader.election.enable", DefaultValue::Bool(false)),
    topic(channel::MIN_COMPACTION_LAG.field(), "min.compaction.lag.ms", DefaultValue::Millis(0)),
    topic(channel::MAX_COMPACTION_LAG.field(), "max.compaction.lag.ms", DefaultValue::Unlimited),
    topic(channel::TOMBSTONE_RETENTION.field(), "delete.retention.ms", DefaultValue::Millis(86_400_000)),
    topic(channel::TIMESTAMP_TYPE.field(), "message.timestamp.type", DefaultValue::Word("create_time")),
    topic(channel::TIMESTAMP_BEFORE_MAX.field(), "message.timestamp.before.max.ms", DefaultValue::Unlimited),
    Default::always(
        channel::TIMESTAMP_AFTER_MAX.field(),
        "message.timestamp.after.max.ms",
        DefaultValue::Unlimited,
        TOPIC_CONFIGS,
    )
    .below(Version(4, 0)),
    Default::always(
        channel::TIMESTAMP_AFTER_MAX.field(),
        "message.timestamp.after.max.ms",
        DefaultValue::MillisLimit(3_600_000),
        KIP_1030,
    )
    .from(Version(4, 0)),
    topic(channel::MAX_MESSAGE_SIZE.field(), "max.message.bytes", DefaultValue::Bytes(1_048_588)),
    topic(channel::TIERED.field(), "remote.storage.enable", DefaultValue::Bool(false)),
    Default::always(
        channel::REPLICATION_FACTOR.field(),
        "default.replication.factor",
        DefaultValue::Count(1),
        BROKER_CONFIGS,
    ),
    Default::always(
        cluster::TRANSACTION_MAX_TIMEOUT.field(),
        "transaction.max.timeout.ms",
        DefaultValue::Millis(900_000),
        BROKER_CONFIGS,
    ),
    Default::always(
        cluster::OFFSETS_RETENTION.field(),
        "offsets.retention.minutes",
        DefaultValue::Millis(604_800_000),
        BROKER_CONFIGS,
    )
    .from(Version(2, 0)),
    Default::always(
        cluster::RETENTION_CHECK_INTERVAL.field(),
        "log.retention.check.interval.ms",
        DefaultValue::Millis(300_000),
        BROKER_CONFIGS,
    ),
];

/// Defaults of the Java producer and consumer, by version of the client library.
pub(super) static JAVA_CLIENT: &[Default] = &[
    Default::always(
        produce::ACKS.field(),
        "acks",
        DefaultValue::Word("1"),
        "KIP-679: Producer will enable the strongest delivery guarantee by default",
    )
    .below(Version(3, 0)),
    Default::always(produce::ACKS.field(), "acks", DefaultValue::Word("all"), PRODUCER_CONFIGS).from(Version(3, 0)),
    Default::always(
        produce::IDEMPOTENCE.field(),
        "enable.idempotence",
        DefaultValue::Bool(false),
        "KAFKA-13598: idempotence was not on by default in 3.0.0 and 3.1.0",
    )
    .below(Version(3, 2)),
    Default::always(produce::IDEMPOTENCE.field(), "enable.idempotence", DefaultValue::Bool(true), PRODUCER_CONFIGS)
        .from(Version(3, 2)),
    Default::always(produce::LINGER.field(), "linger.ms", DefaultValue::Millis(0), PRODUCER_CONFIGS)
        .below(Version(4, 0)),
    Default::always(produce::LINGER.field(), "linger.ms", DefaultValue::Millis(5), KIP_1030).from(Version(4, 0)),
    Default::always(
        produce::MAX_IN_FLIGHT.field(),
        "max.in.flight.requests.per.connection",
        DefaultValue::Count(5),
        PRODUCER_CONFIGS,
    ),
    Default::always(produce::RETRIES.field(), "retries", DefaultValue::Count(2_147_483_647), PRODUCER_CONFIGS),
    Default::always(
        produce::DELIVERY_TIMEOUT.field(),
        "delivery.timeout.ms",
        DefaultValue::MillisLimit(120_000),
        PRODUCER_CONFIGS,
    ),
    Default::always(
        produce::TRANSACTION_TIMEOUT.field(),
        "transaction.timeout.ms",
        DefaultValue::Millis(60_000),
        PRODUCER_CONFIGS,
    ),
    Default::always(
        read::ISOLATION.field(),
        "isolation.level",
        DefaultValue::Word("read_uncommitted"),
        CONSUMER_CONFIGS,
    ),
    Default::always(read::OFFSET_COMMIT.field(), "enable.auto.commit", DefaultValue::Word("auto"), CONSUMER_CONFIGS),
    Default::always(read::OFFSET_RESET.field(), "auto.offset.reset", DefaultValue::Word("latest"), CONSUMER_CONFIGS),
    Default::always(read::MAX_POLL_RECORDS.field(), "max.poll.records", DefaultValue::Count(500), CONSUMER_CONFIGS),
    Default::always(
        read::MAX_POLL_INTERVAL.field(),
        "max.poll.interval.ms",
        DefaultValue::Millis(300_000),
        CONSUMER_CONFIGS,
    ),
    Default::always(read::FETCH_MIN.field(), "fetch.min.bytes", DefaultValue::Bytes(1), CONSUMER_CONFIGS),
    Default::always(read::FETCH_WAIT.field(), "fetch.max.wait.ms", DefaultValue::Millis(500), CONSUMER_CONFIGS),
];

/// Defaults of librdkafka and the clients built on it.
pub(super) static LIBRDKAFKA: &[Default] = &[
    Default::always(produce::ACKS.field(), "acks", DefaultValue::Word("all"), LIBRDKAFKA_CONFIGURATION),
    Default::always(
        produce::IDEMPOTENCE.field(),
        "enable.idempotence",
        DefaultValue::Bool(false),
        LIBRDKAFKA_CONFIGURATION,
    ),
    Default::always(produce::LINGER.field(), "linger.ms", DefaultValue::Millis(5), LIBRDKAFKA_CONFIGURATION),
    Default::always(produce::RETRIES.field(), "retries", DefaultValue::Count(2_147_483_647), LIBRDKAFKA_CONFIGURATION),
    Default::always(
        read::ISOLATION.field(),
        "isolation.level",
        DefaultValue::Word("read_committed"),
        LIBRDKAFKA_CONFIGURATION,
    ),
    Default::always(
        read::OFFSET_COMMIT.field(),
        "enable.auto.commit",
        DefaultValue::Word("auto"),
        LIBRDKAFKA_CONFIGURATION,
    ),
];

const KAFKA_ASK: &[crate::model::Field] = &[
    channel::PARTITIONS.field(),
    channel::REPLICATION_FACTOR.field(),
    channel::MIN_INSYNC_REPLICAS.field(),
    channel::CLEANUP_POLICY.field(),
    channel::RETENTION_TIME.field(),
    channel::RETENTION_SIZE.field(),
    channel::DISK_RATE.field(),
    channel::UNCLEAN_LEADER_ELECTION.field(),
    channel::TIMESTAMP_TYPE.field(),
    channel::LATENESS.field(),
    channel::RATE.field(),
    channel::SEGMENT_TIME.field(),
    channel::SEGMENT_SIZE.field(),
];

/// What is worth asking of a topic of Redpanda; see [`REDPANDA_TOPIC_FIELDS`] for what it has no setting for.
const REDPANDA_ASK: &[crate::model::Field] = &[
    channel::PARTITIONS.field(),
    channel::REPLICATION_FACTOR.field(),
    channel::CLEANUP_POLICY.field(),
    channel::RETENTION_TIME.field(),
    channel::RETENTION_SIZE.field(),
    channel::DISK_RATE.field(),
    channel::TIMESTAMP_TYPE.field(),
    channel::LATENESS.field(),
    channel::RATE.field(),
    channel::SEGMENT_TIME.field(),
    channel::SEGMENT_SIZE.field(),
];

/// Apache Kafka, and services that run it.
pub(super) static KAFKA: Entry = Entry {
    id: "kafka",
    name: "Apache Kafka",
    technology: "topic",
    icon: "topic",
    roles: &[Role::Channel, Role::Cluster],
    versions: "3.7, 4.0, 4.1, 4.2: more in sync than replicas, linger and timestamp bound, eligible leader replicas, an empty cleanup.policy",
    channel: Some(&KAFKA_CHANNEL),
    ask: KAFKA_ASK,
    commands: KAFKA_COMMANDS,
    defaults: KAFKA_DEFAULTS,
    references: &[TOPIC_CONFIGS, BROKER_CONFIGS, "Apache Kafka documentation, Design: Replication, Log Compaction"],
    ..NAMED
};

/// What the cluster properties of Redpanda say of all its topics.
const REDPANDA_CLUSTER_FIELDS: &[crate::model::Field] = &[
    cluster::PARTITIONS.field(),
    cluster::REPLICATION_FACTOR.field(),
    cluster::CLEANUP_POLICY.field(),
    cluster::RETENTION_TIME.field(),
    cluster::RETENTION_SIZE.field(),
    cluster::SEGMENT_TIME.field(),
    cluster::SEGMENT_SIZE.field(),
    cluster::MIN_COMPACTION_LAG.field(),
    cluster::MAX_COMPACTION_LAG.field(),
    cluster::DIRTY_RATIO.field(),
    cluster::TOMBSTONE_RETENTION.field(),
    cluster::LOCAL_RETENTION_TIME.field(),
    cluster::LOCAL_RETENTION_SIZE.field(),
    cluster::TIMESTAMP_TYPE.field(),
    cluster::MAX_MESSAGE_SIZE.field(),
    cluster::OFFSETS_RETENTION.field(),
];

/// Redpanda: Kafka's protocol, its own storage.
pub(super) static REDPANDA: Entry = Entry {
    id: "redpanda",
    name: "Redpanda",
    technology: "topic",
    icon: "topic",
    roles: &[Role::Channel, Role::Cluster],
    channel: Some(&Channel { durability: Durability::MajorityByAcks, ..KAFKA_CHANNEL }),
    ask: REDPANDA_ASK,
    commands: &[
        Command { reads: REDPANDA_TOPIC_FIELDS, text: "rpk topic describe {name} --print-configs" },
        Command {
            reads: &[
                channel::PARTITIONS.field(),
                channel::REPLICATION_FACTOR.field(),
                channel::START_OFFSET.field(),
                channel::END_OFFSET.field(),
            ],
            text: "rpk topic describe {name} --print-partitions --print-summary",
        },
        Command { reads: GROUP_FIELDS, text: "rpk group describe {group}" },
        Command { reads: &[read::MEMBERS.field()], text: "rpk group describe {group}" },
        Command { reads: REDPANDA_CLUSTER_FIELDS, text: "rpk cluster config export --filename /dev/stdout" },
    ],
    references: &[
        "Redpanda documentation, Topic configuration properties; Redpanda documentation, Architecture (Raft, acks=all waits for fsync)",
        "Redpanda documentation, Cluster Configuration Properties; rpk cluster config export",
        "Redpanda documentation, Configure Producers: acks, write caching; Redpanda documentation, Use Tiered Storage: remote write, remote read",
    ],
    ..NAMED
};

/// What a topic of a product with Kafka's protocol and storage does.
const KAFKA_CHANNEL: Channel = Channel {
    transactions: true,
    durability: Durability::Replicas,
    compaction: true,
    order: Order::Partition,
    reach: KAFKA_REACH,
    limits: Limits::BOTH,
    ..Channel::LOG
};
