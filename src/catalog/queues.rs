//! Queues and subscriptions: a message is gone once acknowledged.

use super::{
    capability::{Channel, ChannelKind, Durability, Limits, Order, Resend},
    entry::{Command, Default, DefaultValue, Entry, Family, Role, Version},
};
use crate::model::key::{channel, read};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Queue, ..super::entry::NAMED };

/// Amazon SQS, standard and FIFO.
pub(super) static SQS: Entry = Entry {
    id: "sqs",
    name: "Amazon SQS",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel],
    channel: Some(&Channel {
        order: Order::Stated,
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
        order: Order::Stated,
        reach: "nothing after delivery, but for the archive of a FIFO topic",
        keeps_acknowledged: true,
        ..Channel::QUEUE
    }),
    ask: &[read::MAX_DELIVERIES.field(), channel::ORDERING.field()],
    references: &[
        "Amazon SNS Developer Guide, Message archiving and replay for FIFO topics",
        "Amazon SNS Developer Guide, Message delivery retries: 100 015 attempts over 23 days into queues and functions, at most 3 600 s by HTTP; then dropped without a dead-letter queue",
    ],
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
    channel: Some(&Channel {
        order: Order::Nothing,
        reach: "archive of the bus, where one is set up",
        keeps_acknowledged: true,
        ..Channel::QUEUE
    }),
    ask: &[read::MAX_DELIVERIES.field(), read::RETENTION_TIME.field()],
    references: &[
        "Amazon EventBridge User Guide, How EventBridge retries delivering events; Retry policies and dead-letter queues",
    ],
    ..NAMED
};

/// Azure Service Bus.
pub(super) static SERVICE_BUS: Entry = Entry {
    id: "service_bus",
    name: "Azure Service Bus",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel],
    versions: "tier: duplicate detection in Standard and Premium only, set when the queue is created",
    channel: Some(&Channel { order: Order::Stated, reach: "nothing after completion", ..Channel::QUEUE }),
    ask: &[channel::DEDUP_WINDOW.field(), channel::ORDERING.field(), read::MAX_DELIVERIES.field()],
    commands: &[Command {
        reads: &[channel::DEDUP_WINDOW.field(), channel::ORDERING.field(), read::MAX_DELIVERIES.field()],
        text: "az servicebus queue show --resource-group <group> --namespace-name <namespace> --name {name}",
    }],
    references: &[
        "Microsoft Learn, Azure Service Bus duplicate message detection: 20 s to 7 d, 10 min unless set; dead-letter queues: what expires is dropped unless dead-lettering on expiration is on",
    ],
    ..NAMED
};

/// RabbitMQ, classic queues, and queues of a kind that nobody named.
pub(super) static RABBITMQ: Entry = Entry {
    id: "rabbitmq",
    name: "RabbitMQ classic queue",
    technology: "queue",
    icon: "queue",
    roles: &[Role::Channel, Role::Cluster],
    versions: "3.13, 4.0: classic queues are not replicated from 4.0 on, a confirm is the disk of one node",
    channel: Some(&RABBITMQ_QUEUE),
    ask: RABBITMQ_ASK,
    commands: RABBITMQ_COMMANDS,
    references: &["RabbitMQ documentation, Classic Queues; Consumer Acknowledgements and Publisher Confirms"],
    ..NAMED
};

const RABBITMQ_QUEUE: Channel = Channel {
    durability: Durability::Conditional,
    order: Order::Stated,
    reach: "nothing after acknowledgement",
    ..Channel::QUEUE
};

const RABBITMQ_ASK: &[crate::model::Field] =
    &[read::MAX_DELIVERIES.field(), read::PREFETCH.field(), read::RETENTION_TIME.field(), channel::VERSION.field()];

const RABBITMQ_COMMANDS: &[Command] = &[
    Command {
        reads: &[read::MAX_DELIVERIES.field(), read::RETENTION_TIME.field()],
        text: "rabbitmqctl list_queues name type arguments effective_policy_definition",
    },
    Command { reads: &[channel::VERSION.field()], text: "rabbitmqctl version" },
];

/// RabbitMQ, quorum queues: a confirm means that a majority has written and flushed.
pub(super) static RABBITMQ_QUORUM: Entry = Entry {
    id: "rabbitmq_quorum",
    name: "RabbitMQ quorum queue",
    technology: "quorum queue",
    icon: "queue",
    roles: &[Role::Channel, Role::Cluster],
    versions: "3.13, 4.0, 4.3: from 4.0 on a message is dropped after 20 deliveries; from 4.3 on a nack does not count",
    channel: Some(&Channel { durability: Durability::MajorityFlushed, ..RABBITMQ_QUEUE }),
    ask: RABBITMQ_ASK,
    commands: RABBITMQ_COMMANDS,
    defaults: &[Default::always(
        read::MAX_DELIVERIES.field(),
        "x-delivery-limit",
        DefaultValue::Count(20),
        "RabbitMQ documentation, Quorum Queues: Poison Message Handling",
    )
    .from(Version(4, 0))],
    references: &[
        "RabbitMQ documentation, Quorum Queues: data safety, delivery limit; Consumer Acknowledgements and Publisher Confirms",
    ],
    ..NAMED
};

/// A topic of Apache Kafka that a share group reads as a queue (KIP-932).
pub(super) static KAFKA_SHARE_GROUP: Entry = Entry {
    id: "kafka_share_group",
    name: "Kafka share group",
    technology: "topic read as a queue",
    icon: "queue",
    roles: &[Role::Channel],
    versions: "4.0 early access, 4.1 preview, 4.2 for production; 4.3 adds a delivery limit per group, 4.4 a dead-letter topic",
    channel: Some(&Channel {
        transactions: true,
        durability: Durability::Replicas,
        order: Order::Nothing,
        reach: "nothing after acknowledgement in this group; retention of the topic for other readers",
        limits: Limits::BOTH,
        ends_unread: true,
        keeps_acknowledged: true,
        ..Channel::QUEUE
    }),
    ask: &[
        channel::REPLICATION_FACTOR.field(),
        channel::MIN_INSYNC_REPLICAS.field(),
        read::OFFSET_RESET.field(),
        read::ISOLATION.field(),
        read::MAX_DELIVERIES.field(),
        read::REDELIVERY_AFTER.field(),
    ],
    commands: &[Command {
        reads: &[
            read::OFFSET_RESET.field(),
            read::ISOLATION.field(),
            read::MAX_DELIVERIES.field(),
            read::REDELIVERY_AFTER.field(),
        ],
        text: "kafka-configs.sh --bootstrap-server <broker>:9092 --describe --all --entity-type groups --entity-name {group}",
    }],
    defaults: SHARE_GROUP_DEFAULTS,
    references: &["KIP-932: Queues for Kafka", "Apache Kafka documentation, Group Configs"],
    ..NAMED
};

const GROUP_CONFIGS: &str = "Apache Kafka documentation, Group Configs";

static SHARE_GROUP_DEFAULTS: &[Default] = &[
    share(read::MAX_DELIVERIES.field(), "group.share.delivery.count.limit", DefaultValue::Count(5)),
    share(read::REDELIVERY_AFTER.field(), "share.record.lock.duration.ms", DefaultValue::Millis(30_000)),
    share(read::OFFSET_RESET.field(), "share.auto.offset.reset", DefaultValue::Word("latest")),
    share(read::ISOLATION.field(), "share.isolation.level", DefaultValue::Word("read_uncommitted")),
];

const fn share(field: crate::model::Field, key: &'static str, value: DefaultValue) -> Default {
    Default::always(field, key, value, GROUP_CONFIGS).from(Version(4, 0))
}

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
        order: Order::Stream,
        reach: "limits of the stream; nothing after acknowledgement with work-queue or interest retention",
        limits: Limits::BOTH,
        ..Channel::LOG
    }),
    ask: &[
        channel::RETENTION_TIME.field(),
        channel::RETENTION_SIZE.field(),
        channel::REPLICATION_FACTOR.field(),
        channel::DEDUP_WINDOW.field(),
    ],
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
    versions: "kind of subscription: exactly-once delivery is for pull subscriptions within one region, not for push or export",
    channel: Some(&Channel {
        kind: ChannelKind::Subscription,
        order: Order::Stated,
        reach: "nothing after acknowledgement unless the topic or the subscription retains",
        keeps_acknowledged: true,
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
