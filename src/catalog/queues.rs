//! Queues and subscriptions: a message is gone once acknowledged.

use super::{
    capability::{Channel, ChannelKind, Durability, Resend},
    entry::{Command, Entry, NAMED, Role},
};
use crate::model::key::{channel, read};

/// Amazon SQS, standard and FIFO.
pub(super) static SQS: Entry = Entry {
    id: "sqs",
    name: "Amazon SQS",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        order: "none; FIFO: per message group",
        reach: "nothing after deletion; MessageRetentionPeriod before it",
        ..Channel::QUEUE
    }),
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
    channel: Some(&Channel {
        order: "none; FIFO: per message group",
        reach: "nothing after delivery",
        ..Channel::QUEUE
    }),
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
    channel: Some(&Channel { order: "none", reach: "archive of the bus, where one is set up", ..Channel::QUEUE }),
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
    channel: Some(&Channel { order: "per session", reach: "nothing after completion", ..Channel::QUEUE }),
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
    channel: Some(&Channel {
        durability: Durability::Conditional,
        order: "per queue with a single active consumer",
        reach: "nothing after acknowledgement",
        ..Channel::QUEUE
    }),
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
        durability: Durability::Conditional,
        redelivery: Resend::Isolated,
        order: "per subject",
        reach: "limits of the stream; nothing after acknowledgement with work-queue or interest retention",
        ..Channel::LOG
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
        order: "per ordering key, where enabled",
        reach: "nothing after acknowledgement unless the topic or the subscription retains",
        ..Channel::QUEUE
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
