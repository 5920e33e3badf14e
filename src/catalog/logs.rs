//! Logs: read by position, as often as retention allows.

use super::{
    capability::{Channel, ChannelKind, Durability, Limits, Order, Resend},
    entry::{Command, Entry, Family, Role},
};
use crate::model::{key::channel, units::Duration};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Log, ..super::entry::NAMED };

/// Azure Event Hubs.
pub(super) static EVENT_HUBS: Entry = Entry {
    id: "event_hubs",
    name: "Azure Event Hubs",
    technology: "event hub",
    icon: "topic",
    roles: &[Role::Channel, Role::Cluster],
    versions: "tier: Basic 1 d, Standard 7 d, Premium and Dedicated 90 d of retention at most",
    channel: Some(&Channel {
        compaction: true,
        order: Order::Partition,
        reach: "retention of the event hub, bounded by the tier",
        ..Channel::LOG
    }),
    ask: &[channel::PARTITIONS.field(), channel::RETENTION_TIME.field(), channel::CLEANUP_POLICY.field()],
    commands: &[Command {
        reads: &[channel::PARTITIONS.field(), channel::RETENTION_TIME.field(), channel::CLEANUP_POLICY.field()],
        text: "az eventhubs eventhub show --resource-group <group> --namespace-name <namespace> --name {name}",
    }],
    references: &[
        "Microsoft Learn, Azure Event Hubs quotas and limits; Transactions in Apache Kafka for Azure Event Hubs (preview, Premium and Dedicated only)",
    ],
    ..NAMED
};

/// Amazon Kinesis Data Streams.
pub(super) static KINESIS: Entry = Entry {
    id: "kinesis",
    name: "Amazon Kinesis Data Streams",
    technology: "stream",
    icon: "topic",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        order: Order::Partition,
        reach: "retention period of the stream, 24 h to 8 760 h",
        ..Channel::LOG
    }),
    ask: &[channel::PARTITIONS.field(), channel::RETENTION_TIME.field(), channel::CAPACITY_MODE.field()],
    commands: &[Command {
        reads: &[channel::PARTITIONS.field(), channel::RETENTION_TIME.field(), channel::CAPACITY_MODE.field()],
        text: "aws kinesis describe-stream-summary --stream-name {name}",
    }],
    references: &[
        "Amazon Kinesis Data Streams Developer Guide, Handle duplicate records",
        "Amazon Kinesis Data Streams Developer Guide, Change the data retention period",
    ],
    ..NAMED
};

/// Amazon DynamoDB Streams.
pub(super) static DYNAMODB_STREAMS: Entry = Entry {
    id: "dynamodb_streams",
    name: "Amazon DynamoDB Streams",
    technology: "table stream",
    icon: "topic",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        order: Order::Partition,
        reach: "24 h, fixed",
        kept_for: Some(Duration::from_secs(86_400)),
        ..Channel::LOG
    }),
    references: &["Amazon DynamoDB Developer Guide, Change data capture for DynamoDB Streams"],
    ..NAMED
};

/// Apache Pulsar.
pub(super) static PULSAR: Entry = Entry {
    id: "pulsar",
    name: "Apache Pulsar",
    technology: "topic",
    icon: "topic",
    roles: &[Role::Channel, Role::Cluster],
    channel: Some(&Channel {
        kind: ChannelKind::Subscription,
        transactions: true,
        durability: Durability::MajorityFlushed,
        compaction: true,
        redelivery: Resend::Isolated,
        order: Order::Stated,
        reach: "nothing after acknowledgement unless retentionTimeInMinutes and retentionSizeInMB are set",
        limits: Limits::BOTH,
        ends_unread: false,
        ..Channel::LOG
    }),
    ask: &[
        channel::PARTITIONS.field(),
        channel::RETENTION_TIME.field(),
        channel::RETENTION_SIZE.field(),
        channel::DEDUP_WINDOW.field(),
    ],
    commands: &[
        Command {
            reads: &[channel::RETENTION_TIME.field(), channel::RETENTION_SIZE.field()],
            text: "pulsar-admin namespaces get-retention <tenant>/<namespace>",
        },
        Command {
            reads: &[channel::PARTITIONS.field()],
            text: "pulsar-admin topics get-partitioned-topic-metadata {name}",
        },
        Command {
            reads: &[channel::DEDUP_WINDOW.field()],
            text: "pulsar-admin namespaces get-deduplication <tenant>/<namespace>",
        },
    ],
    references: &["Apache Pulsar documentation, Message retention and expiry; Message deduplication"],
    ..NAMED
};

/// RabbitMQ streams.
pub(super) static RABBITMQ_STREAMS: Entry = Entry {
    id: "rabbitmq_streams",
    name: "RabbitMQ streams",
    technology: "stream",
    icon: "topic",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        durability: Durability::Conditional,
        order: Order::Stream,
        reach: "max-age and max-length-bytes; without both it grows until the disk is full",
        limits: Limits::BOTH,
        ..Channel::LOG
    }),
    ask: &[channel::RETENTION_TIME.field(), channel::RETENTION_SIZE.field()],
    commands: &[Command {
        reads: &[channel::RETENTION_TIME.field(), channel::RETENTION_SIZE.field()],
        text: "rabbitmqctl list_queues name type arguments effective_policy_definition",
    }],
    references: &["RabbitMQ documentation, Streams and Super Streams: Data Retention, Data Safety"],
    ..NAMED
};

/// Redis streams.
pub(super) static REDIS_STREAMS: Entry = Entry {
    id: "redis_streams",
    name: "Redis streams",
    technology: "stream",
    icon: "topic",
    roles: &[Role::Channel],
    versions: "8.6 adds idempotent XADD",
    channel: Some(&Channel {
        durability: Durability::Conditional,
        redelivery: Resend::Isolated,
        order: Order::Stream,
        reach: "MAXLEN or MINID of the writer",
        limits: Limits::BOTH,
        ..Channel::LOG
    }),
    ask: &[channel::DEDUP_WINDOW.field(), channel::RETENTION_TIME.field(), channel::RETENTION_SIZE.field()],
    references: &["Redis documentation, Streams: Persistence, replication and message safety"],
    ..NAMED
};
