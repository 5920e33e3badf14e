//! Where paths begin and end outside stores: applications, devices, web calls, files, screens.

use super::{
    capability::{Resend, Sink, Source, Taking},
    entry::{Command, Entry, Family, Role},
};
use crate::model::{
    key::{sink, source, store, take},
    words::{AfterRestart, Capture, Rebuild, WriteMode},
};

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Endpoint, ..super::entry::NAMED };

/// An application that writes events itself.
pub(super) static APPLICATION: Entry = Entry {
    id: "application",
    name: "Application",
    technology: "application",
    icon: "service",
    roles: &[Role::Source, Role::Consumer],
    versions: "client family and version of its producer library",
    source: Some(&Source {
        takings: &[Taking {
            blind_to: "what it held in memory only when it stopped",
            ..Taking::of(
                Capture::InProcess,
                Resend::Isolated,
                "Apache Kafka Javadoc, KafkaProducer: a restarted producer is a new session",
            )
        }],
        ..Source::PASSING
    }),
    ask: &[source::CLIENT.field(), source::CLIENT_VERSION.field(), source::RATE.field(), source::INSTANCES.field()],
    commands: &[Command {
        reads: &[
            source::CLIENT.field(),
            source::CLIENT_VERSION.field(),
            crate::model::key::produce::ACKS.field(),
            crate::model::key::produce::IDEMPOTENCE.field(),
            crate::model::key::produce::MAX_IN_FLIGHT.field(),
            crate::model::key::produce::DELIVERY_TIMEOUT.field(),
            crate::model::key::produce::TRANSACTIONAL_ID.field(),
        ],
        text: "grep -A 60 'ProducerConfig values' <log of {name}>",
    }],
    references: &["Apache Kafka Javadoc, KafkaProducer", "Apache Kafka documentation, Producer Configs"],
    ..NAMED
};

/// A device or a mobile application with a buffer and a clock of its own.
pub(super) static DEVICE: Entry = Entry {
    id: "device",
    name: "Device or mobile application",
    technology: "device",
    icon: "device",
    roles: &[Role::Source],
    source: Some(&Source {
        takings: &[
            Taking {
                blind_to: "what its buffer overwrote while it was offline",
                ..Taking::of(
                    Capture::Push,
                    Resend::Isolated,
                    "RFC 9110, HTTP Semantics: idempotent methods and automatic retries",
                )
            },
            Taking {
                blind_to: "what its buffer overwrote while it was offline",
                ..Taking::of(
                    Capture::Subscribe,
                    Resend::Isolated,
                    "OASIS MQTT Version 5.0, section 4.4 Message delivery retry",
                )
            },
        ],
        reach: "the device's own buffer",
        ..Source::PASSING
    }),
    ask: &[
        source::RATE.field(),
        source::BUFFER_TIME.field(),
        source::LATENESS.field(),
        source::LONGEST_SILENCE.field(),
    ],
    references: &["RFC 9110, HTTP Semantics", "OASIS MQTT Version 5.0"],
    ..NAMED
};

/// An MQTT broker that is subscribed to.
pub(super) static MQTT: Entry = Entry {
    id: "mqtt",
    name: "MQTT broker",
    technology: "MQTT",
    icon: "device",
    roles: &[Role::Source],
    versions: "MQTT 3.1.1 and 5: how long a session is kept is set differently",
    source: Some(&Source {
        takings: &[Taking {
            blind_to: "messages while the session was not kept, and beyond the broker's queue limit",
            ..Taking::of(
                Capture::Subscribe,
                Resend::Isolated,
                "OASIS MQTT Version 5.0, sections 3.1.2.11.2 Session Expiry Interval and 4.3 Quality of Service",
            )
        }],
        reach: "the session queue of the broker, while the session is kept",
        ..Source::PASSING
    }),
    ask: &[
        take::ACKNOWLEDGE.field(),
        take::SESSION_KEPT.field(),
        source::RATE.field(),
        source::LATENESS.field(),
        source::LONGEST_SILENCE.field(),
        source::DOMINANT_KEY_SHARE.field(),
    ],
    commands: &[Command {
        reads: &[take::ACKNOWLEDGE.field(), take::SESSION_KEPT.field()],
        text: "grep -iE 'qos|clean|session' <configuration of the subscriber>; grep -E 'max_queued|persistence' mosquitto.conf",
    }],
    references: &["OASIS MQTT Version 5.0", "Eclipse Mosquitto manual, mosquitto.conf: max_queued_messages"],
    ..NAMED
};

/// A web call: a webhook that comes in, or an interface that is called.
pub(super) static HTTP: Entry = Entry {
    id: "http",
    name: "HTTP interface",
    technology: "HTTP",
    icon: "call",
    roles: &[Role::Source, Role::Sink],
    source: Some(&Source {
        takings: &[Taking {
            after_restart: Some(AfterRestart::ResendUnmarked),
            blind_to: "what was answered before it was stored",
            ..Taking::of(
                Capture::Push,
                Resend::Isolated,
                "RFC 9110, HTTP Semantics: a client may repeat a request whose answer it did not get",
            )
        }],
        reach: "the sender's own retries, where it makes any",
        ..Source::PASSING
    }),
    sink: Some(&Sink { rebuilds: &[Rebuild::Irreversible], ..Sink::CALL }),
    ask: &[
        take::ACKNOWLEDGE.field(),
        take::RESEND_WITHIN.field(),
        source::RATE.field(),
        sink::IDEMPOTENCY_WINDOW.field(),
        store::CLIENT_RETRIES.field(),
    ],
    references: &["RFC 9110, HTTP Semantics", "IETF draft, The Idempotency-Key HTTP Header Field"],
    ..NAMED
};

/// Mail, text message, page: what is sent cannot be called back.
pub(super) static EMAIL: Entry = Entry {
    id: "email",
    name: "E-mail, text message or page",
    technology: "message to people",
    icon: "call",
    roles: &[Role::Sink],
    sink: Some(&Sink { rebuilds: &[Rebuild::Irreversible], ..Sink::CALL }),
    ask: &[sink::IDEMPOTENCY_WINDOW.field()],
    references: &["RFC 5321, Simple Mail Transfer Protocol: duplicates after a lost reply"],
    ..NAMED
};

/// Files that are dropped into a folder or bucket and listed.
pub(super) static FILE: Entry = Entry {
    id: "file",
    name: "File drop",
    technology: "files",
    icon: "file",
    roles: &[Role::Source],
    source: Some(&Source {
        takings: &[Taking {
            blind_to: "files that are overwritten, or still being written when they are listed",
            sees_deletes: false,
            ..Taking::of(
                Capture::Listing,
                Resend::Isolated,
                "Apache Flink documentation, FileSystem connector: file discovery",
            )
        }],
        keeps_log: true,
        snapshots: true,
        reach: "as long as the files are kept",
        ..Source::PASSING
    }),
    ask: &[source::RATE.field(), source::LATENESS.field(), source::LOG_REACH.field()],
    references: &["Apache Flink documentation, FileSystem connector", "Amazon S3 User Guide, consistency model"],
    ..NAMED
};

/// A screen that shows what it is sent.
pub(super) static DASHBOARD: Entry = Entry {
    id: "dashboard",
    name: "Dashboard",
    technology: "dashboard",
    icon: "screen",
    roles: &[Role::Sink, Role::Consumer],
    sink: Some(&Sink::CALL),
    ask: &[crate::model::key::serve::REFRESH_INTERVAL.field()],
    references: &["RFC 6455, The WebSocket Protocol: no redelivery after a lost connection"],
    ..NAMED
};

/// A plain network socket: lines that are gone once they were sent.
pub(super) static SOCKET: Entry = Entry {
    id: "socket",
    name: "Network socket",
    technology: "socket",
    icon: "device",
    roles: &[Role::Source],
    source: Some(&Source {
        takings: &[Taking {
            after_restart: Some(AfterRestart::Nothing),
            blind_to: "everything that is sent while nobody is connected",
            ..Taking::of(
                Capture::Push,
                Resend::Nothing,
                "RFC 9293, Transmission Control Protocol; Apache Flink documentation, Fault Tolerance Guarantees: sockets are not replayable",
            )
        }],
        ..Source::PASSING
    }),
    ask: &[source::RATE.field()],
    references: &["Apache Flink documentation, Fault Tolerance Guarantees of Data Sources and Sinks"],
    ..NAMED
};

/// Standard output, a log: written at once, read by whoever looks.
pub(super) static CONSOLE: Entry = Entry {
    id: "console",
    name: "Console output",
    technology: "output",
    icon: "screen",
    roles: &[Role::Sink],
    sink: Some(&Sink { write_modes: &[WriteMode::Append], ..Sink::CALL }),
    references: &["Apache Spark documentation, Structured Streaming: console sink is not fault-tolerant"],
    ..NAMED
};
