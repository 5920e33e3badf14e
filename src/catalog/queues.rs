//! Queues and subscriptions: a message is gone once acknowledged.

use super::{
    capability::{Channel, ChannelKind, Durability, Resend},
    entry::{Command, Entry, NAMED, Role},
};
use crate::model::key::{channel, read};

const fn queue(durability: Durability, order: &'static str, reach: &'static str) -> Channel {
    Channel {
        kind: ChannelKind::Queue,
        coordinates: false,
        transactions: false,
        durability,
        compaction: false,
        redelivery: Resend::Isolated,
        order,
        reach,
    }
}

/// Amazon SQS, standard and FIFO.
pub(super) static SQS: Entry = Entry {
    id: "sqs",
    name: "Amazon SQS",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&queue(
        Durability::Service,
        "none; FIFO: per message group",
        "nothing after deletion; MessageRetentionPeriod before it",
    )),
    ask: &[channel::ORDERING.field(), channel::DEDUP_WINDOW.field()],
    commands: &[Command {
        reads: &[
            channel::ORDERING.field(),
            channel::DEDUP_WINDOW.field(),
            read::RETENTION_TIME.field(),
            read::REDELIVERY_AFTER.field(),
            read::MAX_DELIVERIES.field(),
        ],
        text: "aws sqs get-queue-attributes --queue-url <url of {name}> --attribute-names All",
    }],
    references: &["Amazon SQS Developer Guide, FIFO queue key terms; Visibility timeout"],
    ..NAMED
};

/// Amazon SNS.
pub(super) static SNS: Entry = Entry {
    id: "sns",
    name: "Amazon SNS",
    technology: "topic, push",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&queue(Durability::Service, "none; FIFO: per message group", "nothing after delivery")),
    references: &["Amazon SNS Developer Guide, Message delivery retries"],
    ..NAMED
};

/// Amazon EventBridge.
pub(super) static EVENTBRIDGE: Entry = Entry {
    id: "eventbridge",
    name: "Amazon EventBridge",
    technology: "event bus",
    icon: "queue",
    roles: &[Role::Channel],
    versions: "bus kind: classic rules retry for 24 h, custom bus subscribers 5 times or 300 s",
    channel: Some(&queue(Durability::Service, "none", "archive of the bus, where one is set up")),
    references: &["Amazon EventBridge User Guide, How EventBridge retries delivering events"],
    ..NAMED
};

/// Azure Service Bus.
pub(super) static SERVICE_BUS: Entry = Entry {
    id: "service_bus",
    name: "Azure Service Bus",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&queue(Durability::Service, "per session", "nothing after completion")),
    references: &["Microsoft Learn, Azure Service Bus duplicate message detection; dead-letter queues"],
    ..NAMED
};

/// RabbitMQ, classic and quorum queues.
pub(super) static RABBITMQ: Entry = Entry {
    id: "rabbitmq",
    name: "RabbitMQ",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel, Role::Cluster],
    versions: "3.13, 4.0, 4.3: classic queues are not replicated from 4.0 on, quorum queues drop after 20 deliveries",
    channel: Some(&queue(
        Durability::Conditional,
        "per queue with a single active consumer",
        "nothing after acknowledgement",
    )),
    references: &[
        "RabbitMQ documentation, Quorum Queues; Classic Queues; Consumer Acknowledgements and Publisher Confirms",
    ],
    ..NAMED
};

/// NATS JetStream.
pub(super) static NATS: Entry = Entry {
    id: "nats",
    name: "NATS JetStream",
    technology: "stream",
    icon: "topic",
    roles: &[Role::Channel, Role::Cluster],
    channel: Some(&Channel {
        kind: ChannelKind::Subscription,
        coordinates: true,
        transactions: false,
        durability: Durability::Conditional,
        compaction: false,
        redelivery: Resend::Isolated,
        order: "per subject",
        reach: "limits of the stream; nothing after acknowledgement with work-queue or interest retention",
    }),
    ask: &[channel::RETENTION_TIME.field(), channel::REPLICATION_FACTOR.field(), channel::DEDUP_WINDOW.field()],
    commands: &[Command {
        reads: &[
            channel::RETENTION_TIME.field(),
            channel::RETENTION_SIZE.field(),
            channel::REPLICATION_FACTOR.field(),
            channel::DEDUP_WINDOW.field(),
        ],
        text: "nats stream info {name}",
    }],
    references: &["NATS documentation, JetStream: stream retention, sync_interval, message deduplication"],
    ..NAMED
};

/// Google Cloud Pub/Sub.
pub(super) static PUBSUB: Entry = Entry {
    id: "pubsub",
    name: "Google Cloud Pub/Sub",
    technology: "topic and subscription",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        kind: ChannelKind::Subscription,
        coordinates: false,
        transactions: false,
        durability: Durability::Service,
        compaction: false,
        redelivery: Resend::Isolated,
        order: "per ordering key, where enabled",
        reach: "nothing after acknowledgement unless the topic or the subscription retains",
    }),
    ask: &[channel::RETENTION_TIME.field(), channel::ORDERING.field()],
    commands: &[
        Command { reads: &[channel::RETENTION_TIME.field()], text: "gcloud pubsub topics describe {name}" },
        Command {
            reads: &[
                read::RETENTION_TIME.field(),
                read::RETAIN_ACKED.field(),
                read::REDELIVERY_AFTER.field(),
                read::EXACTLY_ONCE_DELIVERY.field(),
            ],
            text: "gcloud pubsub subscriptions describe {group}",
        },
    ],
    references: &[
        "Google Cloud documentation, Pub/Sub: Subscription properties; Exactly-once delivery; Replay overview",
    ],
    ..NAMED
};
