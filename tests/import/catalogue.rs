//! What the catalogue says that a command or a key tells of, against what the import reads out of it.

use super::support::{accept, day, pasted};
use pipeline_desk::{
    catalog::{self, Command, DefaultValue},
    edit::{Edit, Label},
    import::{self, Choices, FactState, Proposal},
    model::{Design, Field, Group, Id, Value},
};

const GROUPS: &str = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n\
    billing orders 0 5 7 2 c-1 /10.0.0.1 c\n";

/// What stands below each command of the catalogue that the import has a format for, by the beginning of the command.
const PRINTED: [(&str, &str); 13] = [
    (
        "kafka-topics.sh",
        "Topic: orders\tTopicId: x\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n\
         \tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n",
    ),
    ("--entity-type topics", ""),
    ("--entity-type brokers", ""),
    ("--entity-type groups", ""),
    (
        "kafka-features.sh",
        "Feature: metadata.version\tSupportedMinVersion: 3.3-IV3\tSupportedMaxVersion: 4.1-IV1\tFinalizedVersionLevel: 4.1-IV1\tEpoch: 9\n\
         Feature: transaction.version\tSupportedMinVersion: 0\tSupportedMaxVersion: 2\tFinalizedVersionLevel: 2\tEpoch: 9\n",
    ),
    (
        "kafka-broker-api-versions.sh",
        "b1:9092 (id: 1 rack: a isFenced: false) -> (\n\tProduce(0): 0 to 12 [usable: 12],\n)\n\
         b2:9092 (id: 2 rack: b isFenced: false) -> (\n\tProduce(0): 0 to 12 [usable: 12],\n)\n",
    ),
    ("kafka-consumer-groups.sh", GROUPS),
    (
        "kafka-log-dirs.sh",
        "Querying brokers for log directories information\nReceived log directory information from brokers 1\n\
         {\"version\":1,\"brokers\":[{\"broker\":1,\"logDirs\":[{\"partitions\":[{\"partition\":\"orders-0\",\"size\":4096,\"offsetLag\":0,\"isFuture\":false}],\"error\":null,\"logDir\":\"/d\"}]}]}\n",
    ),
    ("kafka-get-offsets.sh", "orders:0:7\n"),
    ("--print-configs", ""),
    ("cluster config export", ""),
    (
        "--print-partitions",
        "SUMMARY\n=======\nNAME        orders\nPARTITIONS  1\nREPLICAS    2\n\nPARTITIONS\n==========\n\
         PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  HIGH-WATERMARK\n\
         0          1       1      [1 2]     3                 7\n\n",
    ),
    (
        "rpk group describe",
        "GROUP        billing\nCOORDINATOR  1\nSTATE        Stable\nBALANCER     range\nMEMBERS      1\nTOTAL-LAG    2\n\n\
         TOPIC   PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n\
         orders  0          5               3                 7               2    c-1-uuid   c-1        10.0.0.1\n",
    ),
];

/// What a command of Kafka is said to tell and the import does not read, with the reason.
const NOT_READ: [(&str, &str); 4] = [
    ("channel.topics", "how many topics are alike is for a person to say"),
    ("channel.disk_rate", "a rate needs two readings with their times"),
    ("channel.oldest_record_age", "the age of a printed time stamp depends on the moment of the reading"),
    ("channel.rate", "a metric of a running broker, read by tools of many kinds"),
];

/// Settings as `kafka-configs --all` prints them, with where the value comes from.
fn all_configs(heading: &str, settings: &[(&str, &str)], origin: &str) -> String {
    let lines = settings
        .iter()
        .map(|(key, value)| format!("  {key}={value} sensitive=false synonyms={{{origin}:{key}={value}}}\n"));
    format!("All configs for {heading} are:\n{}", lines.collect::<String>())
}

/// Every key of a topic, of a broker and of a share group that fills a field, with a value it can have.
const TOPIC: [(&str, &str, &str); 18] = [
    ("cleanup_policy", "cleanup.policy", "compact"),
    ("retention_time", "retention.ms", "-1"),
    ("retention_size", "retention.bytes", "1024"),
    ("segment_time", "segment.ms", "60000"),
    ("segment_size", "segment.bytes", "1024"),
    ("min_insync_replicas", "min.insync.replicas", "2"),
    ("unclean_leader_election", "unclean.leader.election.enable", "true"),
    ("min_compaction_lag", "min.compaction.lag.ms", "0"),
    ("max_compaction_lag", "max.compaction.lag.ms", "9223372036854775807"),
    ("tombstone_retention", "delete.retention.ms", "60000"),
    ("dirty_ratio", "min.cleanable.dirty.ratio", "0.5"),
    ("tiered", "remote.storage.enable", "true"),
    ("local_retention_time", "local.retention.ms", "-2"),
    ("local_retention_size", "local.retention.bytes", "512"),
    ("timestamp_type", "message.timestamp.type", "LogAppendTime"),
    ("timestamp_before_max", "message.timestamp.before.max.ms", "60000"),
    ("timestamp_after_max", "message.timestamp.after.max.ms", "60000"),
    ("max_message_size", "max.message.bytes", "1048588"),
];
/// Every key of a topic of Redpanda that fills a field, with a value it can have.
const REDPANDA: [(&str, &str, &str); 16] = [
    ("cleanup_policy", "cleanup.policy", "compact,delete"),
    ("retention_time", "retention.ms", "604800000"),
    ("retention_size", "retention.bytes", "-1"),
    ("segment_time", "segment.ms", "1209600000"),
    ("segment_size", "segment.bytes", "134217728"),
    ("min_compaction_lag", "min.compaction.lag.ms", "0"),
    ("max_compaction_lag", "max.compaction.lag.ms", "9223372036854"),
    ("tombstone_retention", "delete.retention.ms", "86400000"),
    ("dirty_ratio", "min.cleanable.dirty.ratio", "0.2"),
    ("tiered", "redpanda.remote.write", "false"),
    ("local_retention_time", "retention.local.target.ms", "86400000"),
    ("local_retention_size", "retention.local.target.bytes", "-1"),
    ("timestamp_type", "message.timestamp.type", "CreateTime"),
    ("timestamp_before_max", "message.timestamp.before.max.ms", "9223372036854"),
    ("timestamp_after_max", "message.timestamp.after.max.ms", "3600000"),
    ("max_message_size", "max.message.bytes", "1048576"),
];
const BROKER: [(&str, &str, &str); 22] = [
    ("transaction_max_timeout", "transaction.max.timeout.ms", "900000"),
    ("offsets_retention", "offsets.retention.minutes", "10080"),
    ("retention_check_interval", "log.retention.check.interval.ms", "300000"),
    ("min_insync_replicas", "min.insync.replicas", "2"),
    ("replication_factor", "default.replication.factor", "3"),
    ("retention_time", "log.retention.hours", "168"),
    ("retention_size", "log.retention.bytes", "-1"),
    ("partitions", "num.partitions", "6"),
    ("unclean_leader_election", "unclean.leader.election.enable", "false"),
    ("cleanup_policy", "log.cleanup.policy", "delete"),
    ("segment_time", "log.roll.hours", "168"),
    ("segment_size", "log.segment.bytes", "1073741824"),
    ("min_compaction_lag", "log.cleaner.min.compaction.lag.ms", "0"),
    ("max_compaction_lag", "log.cleaner.max.compaction.lag.ms", "9223372036854775807"),
    ("tombstone_retention", "log.cleaner.delete.retention.ms", "86400000"),
    ("dirty_ratio", "log.cleaner.min.cleanable.ratio", "0.5"),
    ("local_retention_time", "log.local.retention.ms", "60000"),
    ("local_retention_size", "log.local.retention.bytes", "1024"),
    ("timestamp_type", "log.message.timestamp.type", "CreateTime"),
    ("timestamp_before_max", "log.message.timestamp.before.max.ms", "60000"),
    ("timestamp_after_max", "log.message.timestamp.after.max.ms", "3600000"),
    ("max_message_size", "message.max.bytes", "1048588"),
];
const SHARE: [(&str, &str, &str); 4] = [
    ("offset_reset", "share.auto.offset.reset", "earliest"),
    ("isolation", "share.isolation.level", "read_committed"),
    ("max_deliveries", "share.delivery.count.limit", "7"),
    ("redelivery_after", "share.record.lock.duration.ms", "45000"),
];

/// Settings as `rpk topic describe` prints them, aligned as its table is.
fn rpk_configs(settings: &[(&str, &str)]) -> String {
    let row = |key: &str, value: &str, source: &str| format!("{key:<34}{value:<18}{source}\n");
    let rows = settings.iter().map(|(key, value)| row(key, value, "DYNAMIC_TOPIC_CONFIG"));
    format!("{}{}", row("KEY", "VALUE", "SOURCE"), rows.collect::<String>())
}

/// Every property of a cluster of Redpanda that fills a field, with a value it can have.
const PROPERTIES: [(&str, &str, &str); 16] = [
    ("partitions", "default_topic_partitions", "3"),
    ("replication_factor", "default_topic_replications", "3"),
    ("cleanup_policy", "log_cleanup_policy", "delete"),
    ("retention_time", "log_retention_ms", "-1"),
    ("retention_size", "retention_bytes", "1073741824"),
    ("segment_time", "log_segment_ms", "1209600000"),
    ("segment_size", "log_segment_size", "134217728"),
    ("min_compaction_lag", "min_compaction_lag_ms", "0"),
    ("max_compaction_lag", "max_compaction_lag_ms", "9223372036854"),
    ("dirty_ratio", "min_cleanable_dirty_ratio", "0.2"),
    ("tombstone_retention", "tombstone_retention_ms", "86400000"),
    ("local_retention_time", "retention_local_target_ms_default", "86400000"),
    ("local_retention_size", "retention_local_target_bytes_default", "1073741824"),
    ("timestamp_type", "log_message_timestamp_type", "CreateTime"),
    ("max_message_size", "kafka_batch_max_bytes", "1048576"),
    ("offsets_retention", "group_offset_retention_sec", "604800"),
];

/// Properties as `rpk cluster config export` writes them, each below its comment.
fn rpk_properties() -> String {
    PROPERTIES.map(|(_, key, value)| format!("# What it is for.\n{key}: {value}\n\n")).concat()
}

fn pairs<'a>(rows: &'a [(&str, &'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    rows.iter().map(|(_, key, value)| (*key, *value)).collect()
}

/// A topic with its reading group, drawn as a share group.
fn drawn() -> Design {
    let mut design = Design::default();
    let topic = "Topic: orders\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: \n\n";
    accept(&mut design, &[pasted(&format!("{topic}{GROUPS}"))], "2026-12-01");
    let to = Some("kafka_share_group".into());
    design.apply(Edit::Label { subject: Id::new("orders").unwrap(), label: Label::System, to }).unwrap();
    design
}

fn proposed(design: &Design, text: &str) -> Proposal {
    import::propose(&import::read(&[pasted(text)]), design, day("2026-12-02"))
}

fn value(proposal: &Proposal, field: Field) -> Option<Value> {
    proposal.facts.iter().find(|fact| fact.field == field)?.read_as.clone()
}

/// What a command prints, with the command above it as the catalogue shows it.
fn printed(command: &Command) -> Option<String> {
    let (mark, text) = PRINTED.iter().find(|(mark, _)| command.text.contains(mark))?;
    let text = match *mark {
        "--entity-type topics" => all_configs("topic orders", &pairs(&TOPIC), "DYNAMIC_TOPIC_CONFIG"),
        "--entity-type brokers" => all_configs("broker 1", &pairs(&BROKER), "STATIC_BROKER_CONFIG"),
        "cluster config export" => rpk_properties(),
        "--print-configs" => rpk_configs(&pairs(&REDPANDA)),
        "--entity-type groups" => all_configs("group billing", &pairs(&SHARE), "DYNAMIC_GROUP_CONFIG"),
        _ => (*text).to_owned(),
    };
    let command = command.text.replace("{name}", "orders").replace("{group}", "billing");
    Some(format!("$ {command}\n{text}"))
}

/// What a command of Kafka or Redpanda is shown for is read from what it prints; what is not stands in one list with its reason.
#[test]
fn commands_tell_what_they_are_shown_for() {
    let (design, mut not_read) = (drawn(), Vec::new());
    for id in ["kafka", "kafka_share_group", "redpanda"] {
        for command in catalog::entry(id).unwrap().commands {
            let proposal = printed(command).map(|text| proposed(&design, &text));
            if let Some(proposal) = &proposal {
                assert_eq!(proposal.summary().not_understood, 0, "{}: {:?}", command.text, proposal.lines);
            }
            let read = |field: Field| proposal.as_ref().is_some_and(|p| value(p, field).is_some());
            not_read.extend(command.reads.iter().filter(|field| !read(**field)).map(|field| field.qualified()));
        }
    }
    assert_eq!(not_read, NOT_READ.map(|(field, _)| field.to_owned()));
}

/// Each key, alone, fills the field that it is listed with here, and a command of the catalogue is shown for that field.
#[test]
fn every_key_fills_its_field() {
    let design = drawn();
    for (group, heading, rows) in [
        (Group::Channel, "topic orders", &TOPIC[..]),
        (Group::Cluster, "broker 1", &BROKER),
        (Group::Read, "group billing", &SHARE),
    ] {
        let system = if group == Group::Read { "kafka_share_group" } else { "kafka" };
        for (name, key, text) in rows {
            let field = group.field(name).unwrap();
            // What -2 stands for has to be known as well.
            let more = if *text == "-2" { &[("retention.ms", "86400000")][..] } else { &[] };
            let settings: Vec<_> = more.iter().copied().chain([(*key, *text)]).collect();
            let proposal = proposed(&design, &all_configs(heading, &settings, "DYNAMIC_CONFIG"));
            assert!(value(&proposal, field).is_some(), "{key}: {:?}", proposal.remarks);
            assert!(catalog::command_for(field, system).is_some(), "no command tells of {}", field.qualified());
        }
    }
    for (name, key, text) in PROPERTIES {
        let field = Group::Cluster.field(name).unwrap();
        let alone = [
            format!("$ rpk cluster config export --filename /dev/stdout\n{key}: {text}\n"),
            format!("$ rpk cluster config get {key}\n{text}\n"),
        ];
        for text in alone {
            let proposal = proposed(&design, &text);
            assert!(value(&proposal, field).is_some(), "{key}: {:?}", proposal.remarks);
        }
        assert!(catalog::command_for(field, "redpanda").is_some(), "no command tells of {}", field.qualified());
    }
    for (name, key, text) in REDPANDA {
        let field = Group::Channel.field(name).unwrap();
        let proposal = proposed(&design, &format!("$ rpk topic describe orders -c\n{}", rpk_configs(&[(key, text)])));
        assert!(value(&proposal, field).is_some(), "{key}: {:?}", proposal.remarks);
        assert!(catalog::command_for(field, "redpanda").is_some(), "no command tells of {}", field.qualified());
    }
}

/// A default of the catalogue as the broker prints it.
fn as_printed(value: DefaultValue, minutes: bool) -> String {
    match value {
        DefaultValue::Millis(ms) if minutes => (ms / 60_000).to_string(),
        DefaultValue::Millis(n) | DefaultValue::MillisLimit(n) | DefaultValue::Bytes(n) | DefaultValue::Count(n) => {
            n.to_string()
        }
        DefaultValue::Bool(flag) => flag.to_string(),
        DefaultValue::Unlimited => "9223372036854775807".to_owned(),
        DefaultValue::UnlimitedSize => "-1".to_owned(),
        DefaultValue::Word("create_time") => "CreateTime".to_owned(),
        DefaultValue::Word(word) => word.to_owned(),
    }
}

/// A default that the broker prints is read as the catalogue has it, and is said to be one.
#[test]
fn printed_defaults_are_those_of_the_catalogue() {
    let design = drawn();
    let entries = ["kafka", "kafka_share_group"].map(|id| catalog::entry(id).unwrap().defaults);
    let mut told = 0;
    for default in entries.into_iter().flatten() {
        let heading = match default.field.group() {
            Group::Cluster => "broker 1",
            Group::Channel if default.key == "default.replication.factor" => continue,
            Group::Channel => "topic orders",
            _ => "group billing",
        };
        // The broker's limit and the group's are two keys (KIP-1240).
        let key =
            default.key.strip_prefix("group.share.delivery").map_or(default.key, |_| "share.delivery.count.limit");
        let text = as_printed(default.value, key.ends_with(".minutes"));
        let proposal = proposed(&design, &all_configs(heading, &[(key, &text)], "DEFAULT_CONFIG"));
        let fact = proposal.facts.iter().find(|fact| fact.field == default.field);
        let fact = fact.unwrap_or_else(|| panic!("{key}={text} is not read"));
        assert_eq!(fact.read_as, Some(default.value.value()), "{key}");
        let said = fact.note.as_deref().is_some_and(|note| note.starts_with("in force without being set"));
        assert!(said, "{key}: {:?}", fact.note);
        told += 1;
    }
    assert!(told > 15, "{told}");
}

/// A value that no field holds is told once, with its place and key, and is no fact.
#[test]
fn bad_values_are_told_with_their_key_and_line() {
    let design = drawn();
    for (heading, rows) in [("topic orders", &TOPIC[..]), ("broker 1", &BROKER), ("group billing", &SHARE)] {
        for (name, key, _) in rows {
            let proposal = proposed(&design, &all_configs(heading, &[(*key, "12 eggs")], "DYNAMIC_CONFIG"));
            let told: Vec<_> = proposal.remarks.iter().filter(|remark| remark.text.contains(*key)).collect();
            assert_eq!((told.len(), told.first().map(|t| t.at.number)), (1, Some(2)), "{key}: {:?}", proposal.remarks);
            assert!(proposal.facts.iter().all(|fact| fact.field.name() != *name), "{key}");
        }
    }
}

/// Two inputs that say different things of one share group are a conflict that a person decides.
#[test]
fn two_readings_of_a_share_group_that_disagree() {
    let design = drawn();
    let of =
        |limit: &str| all_configs("group billing", &[("share.delivery.count.limit", limit)], "DYNAMIC_GROUP_CONFIG");
    let reading = import::read(&[pasted(&of("5")), pasted(&of("9"))]);
    let proposal = import::propose(&reading, &design, day("2026-12-02"));
    let states: Vec<FactState> = proposal.facts.iter().map(|fact| fact.state).collect();
    assert_eq!(states, [FactState::New, FactState::Conflict]);
    // One that says nothing legal is told, and is no side of a conflict.
    let odd = import::read(&[pasted(&of("5")), pasted(&of("five"))]);
    let proposal = import::propose(&odd, &design, day("2026-12-02"));
    assert_eq!(proposal.facts.len(), 1);
    let at: Vec<_> = proposal.remarks.iter().map(|remark| (remark.at.input, remark.at.number)).collect();
    assert_eq!(at, [(1, 2)], "{:?}", proposal.remarks);
    let same = import::read(&[pasted(&of("5")), pasted(&of("5"))]);
    assert_eq!(import::propose(&same, &design, day("2026-12-02")).facts.len(), 1);
}

/// So are two inputs that say different things of one broker.
#[test]
fn two_readings_of_a_broker_that_disagree() {
    let of = |parts: &str| all_configs("broker 1", &[("num.partitions", parts)], "STATIC_BROKER_CONFIG");
    let reading = import::read(&[pasted(&of("6")), pasted(&of("12"))]);
    let proposal = import::propose(&reading, &Design::default(), day("2026-12-02"));
    let states: Vec<_> = proposal.facts.iter().map(|fact| (fact.read_as.clone(), fact.state)).collect();
    assert_eq!(states, [(Some(Value::Count(6)), FactState::New), (Some(Value::Count(12)), FactState::Conflict)]);
}

/// A list of all settings of a plain consumer group holds those of share groups too: they are no facts of it.
#[test]
fn settings_of_share_groups_stay_away_from_other_groups() {
    let mut design = drawn();
    let text = all_configs("group billing", &pairs(&SHARE), "DEFAULT_CONFIG");
    assert_eq!(proposed(&design, &text).facts.len(), 4);
    design.apply(Edit::Label { subject: Id::new("orders").unwrap(), label: Label::System, to: None }).unwrap();
    let proposal = proposed(&design, &text);
    assert!(proposal.facts.is_empty() && proposal.edit(&Choices::default()) == Edit::All(Vec::new()));
    assert!(proposal.skipped.iter().any(|skipped| skipped.reason.contains("share group")), "{:?}", proposal.skipped);
}

/// The largest copy counts, and a later line is a later reading; racks that two commands tell alike are one fact.
#[test]
fn sizes_and_racks() {
    let line = |sizes: [u64; 2]| {
        let broker = |(id, size): (usize, u64)| {
            format!(
                "{{\"broker\":{id},\"logDirs\":[{{\"partitions\":[{{\"partition\":\"orders-0\",\"size\":{size},\"offsetLag\":0,\"isFuture\":false}}],\"error\":null,\"logDir\":\"/d\"}}]}}"
            )
        };
        let brokers: Vec<String> = sizes.into_iter().enumerate().map(broker).collect();
        format!("{{\"version\":1,\"brokers\":[{}]}}\n", brokers.join(","))
    };
    let size = Group::Channel.field("size_on_disk").unwrap();
    let of = |text: &str| value(&proposed(&Design::default(), text), size).unwrap().to_string();
    assert_eq!(of(&line([2048, 4096])), of(&line([4096, 4096])));
    assert_eq!(of(&format!("{}{}", line([9000, 9000]), line([2048, 4096]))), of(&line([4096, 0])));
    assert_ne!(of(&line([4096, 0])), of(&line([2048, 0])));
    let api = "b1:9092 (id: 1 rack: a) -> (\n)\nb2:9092 (id: 2 rack: b) -> (\n)\n";
    let racks: String = [("1", "a"), ("2", "b")]
        .map(|(id, rack)| all_configs(&format!("broker {id}"), &[("broker.rack", rack)], "STATIC_BROKER_CONFIG"))
        .concat();
    let topic = "Topic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n";
    let both = proposed(&Design::default(), &format!("{topic}\n{racks}\n{api}"));
    let domains: Vec<_> = both.facts.iter().filter(|fact| fact.field.name() == "failure_domains").collect();
    assert_eq!(domains.iter().map(|fact| fact.read_as.clone()).collect::<Vec<_>>(), [Some(Value::Count(2))]);
    let unknown = proposed(&Design::default(), &api.replace("rack: b", "rack: null"));
    assert!(unknown.facts.iter().all(|fact| fact.field.name() != "failure_domains"));
    assert!(unknown.facts.iter().any(|fact| fact.field.name() == "brokers"));
}
