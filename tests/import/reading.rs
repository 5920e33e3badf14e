//! Each format, line by line.

use super::support::{facts, file, pasted, read, states};
use pipeline_desk::import::{self, Entity, LineState};
use pipeline_desk::model::Design;

fn propose(name: &str) -> import::Proposal {
    import::propose(&read(name), &Design::default(), None)
}

#[test]
fn topics_of_a_current_version_with_a_warning_mixed_in() {
    let reading = read("topics-4x-tabs.txt");
    assert_eq!(
        states(&reading),
        ["1 command", "2 read", "3 read", "4 read", "5 noise", "6 read", "7 read", "8 read", "9 read"]
    );
    let proposal = propose("topics-4x-tabs.txt");
    assert_eq!(
        facts(&proposal),
        [
            "shop.orders partitions = 3 (2)",
            "shop.orders replication_factor = 3 (2)",
            "shop.orders min_insync_replicas = 2 (2)",
            "shop.orders cleanup_policy = compact_delete (2)",
            "shop.orders retention_time = 7d (2)",
            "shop.orders in_sync_replicas = 1 (6)",
            "audit partitions = 1 (7)",
            "audit replication_factor = 1 (7)",
            "audit in_sync_replicas = 1 (8)",
        ]
    );
    let remarks: Vec<&str> = proposal.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert_eq!(
        remarks,
        [
            "shop.orders: 1 of 3 partitions shown with no leader (2)",
            "shop.orders: 2 of 3 partitions shown with fewer copies in sync than replicas (1-2)",
            "__consumer_offsets: 0 of 50 partitions shown; the others are not measured",
        ]
    );
    assert_eq!(proposal.skipped.len(), 1, "{:?}", proposal.skipped);
    assert_eq!(proposal.skipped[0].what, "__consumer_offsets");
    let orders = reading.topics().next().unwrap();
    assert_eq!((orders.leaderless(), orders.under_replicated()), (vec![2], vec![1, 2]));
    assert_eq!(orders.rows[1].eligible, Some(vec![1]));
    assert_eq!(proposal.evidence.len(), 1);
    let from = proposal.evidence[0].1.from.as_deref();
    assert_eq!(from, Some("bin/kafka-topics.sh --bootstrap-server localhost:9092 --describe"));
}

#[test]
fn topics_of_an_old_version_with_broken_lines() {
    let reading = read("topics-0x-broken-crlf.txt");
    assert_eq!(
        states(&reading),
        [
            "1 read",
            "2 read",
            "3 ? not a line of kafka-topics --describe, or broken",
            "4 ? cut: the replicas are missing",
            "5 ? the partition count is not a number",
            "6 read",
            "7 read",
            "8 noise",
        ]
    );
    assert_eq!(reading.lines[0].remark.as_deref(), Some("\"raised last week\" is a note of the writer, not a setting"));
    assert_eq!(
        facts(&propose("topics-0x-broken-crlf.txt")),
        [
            "clicks partitions = 2 (1)",
            "clicks replication_factor = 2 (1)",
            "clicks retention_size = unlimited (1)",
            "clicks segment_size = 1MiB (1)",
            "clicks in_sync_replicas = 2 (2)",
            "wrapped partitions = 4 (6)",
            "wrapped replication_factor = 1 (6)",
            "wrapped retention_time = 1h (7)",
        ]
    );
}

#[test]
fn all_settings_of_a_topic() {
    let reading = read("configs-all.txt");
    let states = states(&reading);
    assert_eq!(states[..2], ["1 command", "2 read"]);
    assert_eq!(
        states[states.len() - 2..],
        [
            "20 ? not a line of kafka-configs --describe, or broken",
            "21 ? cut: the value may not be whole, so it was left out"
        ]
    );
    let proposal = propose("configs-all.txt");
    assert_eq!(
        facts(&proposal),
        [
            "shop.orders min_insync_replicas = 2 (13)",
            "shop.orders unclean_leader_election = no (19)",
            "shop.orders cleanup_policy = compact_delete (3)",
            "shop.orders retention_time = 7d (16)",
            "shop.orders retention_size = 50GiB (15)",
            "shop.orders segment_time = 7d (18)",
            "shop.orders segment_size = 1GiB (17)",
            "shop.orders tombstone_retention = 1d (5)",
            "shop.orders tiered = no (14)",
            "shop.orders local_retention_time = 7d (8)",
            "shop.orders timestamp_type = append_time (12)",
            "shop.orders max_message_size = 1048588B (9)",
            "shop.orders timestamp_before_max = unlimited (11)",
            "shop.orders timestamp_after_max = 1h (10)",
        ]
    );
    let note = |field: &str| proposal.facts.iter().find(|f| f.field.name() == field).and_then(|f| f.note.clone());
    assert_eq!(note("timestamp_type").as_deref(), Some("set in the file of a broker, not on the topic"));
    assert_eq!(note("segment_size").as_deref(), Some("in force without being set on the topic"));
    assert_eq!(note("retention_time"), None);
}

/// A complete list that lacks a key says so; one that is cut says nothing about it.
#[test]
fn what_a_complete_list_lacks_is_unset() {
    let core = "  cleanup.policy=delete sensitive=false synonyms={}\n  retention.ms=1 sensitive=false synonyms={}\n  \
        retention.bytes=-1 sensitive=false synonyms={}\n  segment.ms=1 sensitive=false synonyms={}\n  \
        segment.bytes=14 sensitive=false synonyms={}\n  min.insync.replicas=1 sensitive=false synonyms={}\n  \
        max.message.bytes=1 sensitive=false synonyms={}\n  delete.retention.ms=1 sensitive=false synonyms={}\n";
    let tiered = |text: String| {
        let proposal = import::propose(&import::read(&[pasted(&text)]), &Design::default(), None);
        let fact = proposal.facts.iter().find(|f| f.field.name() == "tiered");
        fact.and_then(|fact| fact.read_as.as_ref()).map(ToString::to_string)
    };
    assert_eq!(tiered(format!("All configs for topic a are:\n{core}")).as_deref(), Some("unset"));
    assert_eq!(tiered(format!("All configs for topic a are:\n{core}....\n")), None);
    assert_eq!(tiered(format!("Dynamic configs for topic a are:\n{core}")), None);
}

#[test]
fn settings_of_brokers_are_the_clusters() {
    let reading = read("configs-brokers.txt");
    assert_eq!(reading.lines[7 - 1].state, LineState::SecretRemoved);
    assert!(reading.lines.iter().all(|line| !line.text.contains("hunter2")));
    let proposal = propose("configs-brokers.txt");
    let read = [
        "kafka transaction_max_timeout = 15min (14)",
        "kafka offsets_retention = 7d (13)",
        "kafka retention_time = 3d (11)",
    ];
    assert_eq!(facts(&proposal), read);
    assert_eq!(proposal.remarks[0].text, "num.partitions differs between brokers, so it is not taken as the cluster's");
    assert!(matches!(reading.lines.last().unwrap().state, LineState::NotUsed(_)));
}

#[test]
fn groups_out_of_a_mail() {
    let reading = read("groups-3x.txt");
    assert_eq!(
        states(&reading),
        [
            "1 command",
            "2 command",
            "3 command",
            "5 read",
            "6 read",
            "7 read",
            "8 read",
            "9 read",
            "10 read",
            "12 read",
            "14 read",
            "15 read",
            "16 read",
            "17 ? not a line of kafka-consumer-groups --describe, or broken",
            "19 read",
        ]
    );
    let proposal = propose("groups-3x.txt");
    assert_eq!(
        facts(&proposal),
        [
            "shop.orders end_offset = 0 1841, 1 2000, 2 50 (15)",
            "audit end_offset = 0 7 (9)",
            "shop.orders → billing group = billing (6)",
            "shop.orders → billing committed_offset = 0 1000, 1 2000 (6)",
            "shop.orders → billing lag = 0 840, 1 0 (6)",
            "shop.orders → billing members = 3 (6)",
            "audit → billing group = billing (9)",
            "audit → billing committed_offset = 0 7 (9)",
            "audit → billing lag = 0 0 (9)",
            "audit → billing members = 3 (6)",
            "shop.orders → report group = report (15)",
            "shop.orders → report committed_offset = 0 900, 1 2000 (15)",
            "shop.orders → report lag = 0 941, 1 0 (15)",
            "shop.orders → report members = 0 (12)",
        ]
    );
    let remarks: Vec<&str> = proposal.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert_eq!(
        remarks,
        [
            "billing: nothing committed in 1 of 4 partitions, so their lag is not measured",
            "loader (rebalancing): no offsets in the text, so its lag is not measured",
        ]
    );
    let from = proposal.evidence[0].1.from.as_deref();
    assert_eq!(
        from,
        Some(
            "docker compose exec kafka-1 /opt/kafka/bin/kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --all-groups"
        )
    );
}

#[test]
fn a_table_without_a_group_asks_for_its_name() {
    let mut reading = read("groups-old.txt");
    let proposal = import::propose(&reading, &Design::default(), None);
    assert_eq!(facts(&proposal), ["clicks end_offset = 0 20, 1 30 (4)"]);
    assert_eq!(proposal.asks.len(), 1);
    assert!(reading.name(proposal.asks[0].section, "clickers"));
    let proposal = import::propose(&reading, &Design::default(), None);
    assert!(proposal.asks.is_empty());
    assert_eq!(
        facts(&proposal)[1..],
        [
            "clicks → clickers group = clickers (4)",
            "clicks → clickers committed_offset = 0 15, 1 30 (4)",
            "clicks → clickers lag = 0 5, 1 0 (4)",
            "clicks → clickers members = 1 (4)",
        ]
    );
}

#[test]
fn the_command_above_names_the_group() {
    let mut input = file("groups-old.txt");
    input.text = format!("$ kafka-consumer-groups.sh --describe --group clickers\n{}", input.text);
    let reading = import::read(&[input]);
    assert_eq!(reading.groups().next().unwrap().name.as_deref(), Some("clickers"));
}

#[test]
fn older_tables() {
    let nine =
        "GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER\ng, t, 0, 3, 10, 7, c-1_/10.0.0.1\n";
    let eight = "Group           Topic           Pid Offset          logSize         Lag             Owner\n\
        g               t               0   3               10              7               none\n";
    let four = "GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n\
        g t 0 12 3 10 7 c-1 /10.0.0.1 c\n";
    let broken = "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n\
        my-group my-topic\n0 3 10 7 consumer-1\n/10.0.0.1 consumer\n";
    let none = "$ kafka-consumer-groups.sh --zookeeper z:2181 --describe --group g\ng t 0 3 10 7 c-1_/10.0.0.1\n";
    for text in [nine, eight, four, broken, none] {
        let reading = import::read(&[pasted(text)]);
        let row = &reading.groups().next().unwrap_or_else(|| panic!("{text}")).rows[0];
        assert_eq!((row.partition, row.committed, row.end, row.lag), (0, Some(3), Some(10), Some(7)), "{text}");
        assert_eq!(reading.not_understood().count(), 0, "{text} {:?}", states(&reading));
    }
}

#[test]
fn members_and_state() {
    let text = "GROUP CONSUMER-ID GROUP-INSTANCE-ID HOST CLIENT-ID #PARTITIONS\n\
        g c-1 one /10.0.0.1 c 2\ng c-2 two /10.0.0.2 c 0\n\n\
        GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\ng host:9092 (1) roundrobin Stable 2\nh host:9092 (2) Empty 0\n";
    let reading = import::read(&[pasted(text)]);
    let groups: Vec<_> = reading.groups().collect();
    assert_eq!(groups[0].consumers.len(), 2);
    assert!(groups[0].static_members);
    assert_eq!((groups[1].strategy.as_deref(), groups[1].state.as_deref()), (Some("roundrobin"), Some("Stable")));
    assert_eq!(
        (groups[2].strategy.as_deref(), groups[2].state.as_deref(), groups[2].members()),
        (None, Some("Empty"), Some(0))
    );
}

#[test]
fn settings_without_a_heading_ask_for_the_topic() {
    let text = "> <br>retention.ms=86400000 sensitive=false synonyms={}\n";
    let mut reading = import::read(&[pasted(text)]);
    assert_eq!(reading.configs().next().unwrap().entity, Entity::Topic(None));
    let proposal = import::propose(&reading, &Design::default(), None);
    assert!(proposal.facts.is_empty());
    assert!(reading.name(proposal.asks[0].section, "clicks"));
    assert_eq!(facts(&import::propose(&reading, &Design::default(), None)), ["clicks retention_time = 1d (1)"]);
}

#[test]
fn letters_are_not_outputs() {
    let reading = read("prose.txt");
    assert!(reading.sections.is_empty());
    assert_eq!(reading.secrets().count(), 1);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    assert_eq!(reading.skipped.len(), 1);
    assert!(reading.skipped[0].reason.contains("not a format known here"), "{:?}", reading.skipped);
}

/// Ten thousand lines are read and compared while a person blinks; here without optimisation.
#[test]
fn large_clusters_are_quick() {
    let mut text = String::new();
    for topic in 0..500 {
        text.push_str(&format!("Topic: company.department.team.topic.{topic}\tTopicId: x{topic}\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: retention.ms=604800000,min.insync.replicas=2\n"));
        for partition in 0..12 {
            text.push_str(&format!("\tTopic: company.department.team.topic.{topic}\tPartition: {partition}\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\tElr: \tLastKnownElr: \n"));
        }
    }
    text.push_str("\nGROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n");
    for topic in 0..290 {
        for partition in 0..12 {
            text.push_str(&format!(
                "group-{} company.department.team.topic.{topic} {partition} 10 12 2 c-{partition} /10.0.0.1 c\n",
                topic % 100
            ));
        }
    }
    let lines = text.lines().count();
    let reading = import::read(&[pasted(&text)]);
    let proposal = import::propose(&reading, &Design::default(), None);
    assert!(lines > 9_900);
    assert_eq!(reading.not_understood().count(), 0);
    // 500 topics, 100 jobs with one step each.
    assert_eq!(proposal.subjects.iter().filter(|s| s.role == import::SubjectRole::Channel).count(), 500);
    assert_eq!(proposal.subjects.iter().filter(|s| s.role == import::SubjectRole::Job).count(), 100);
}

/// Where each fact was read: `title field (input, line)`, of what is filed under the evidence that names it.
fn places(inputs: &[import::Input]) -> Vec<String> {
    let proposal = import::propose(&import::read(inputs), &Design::default(), None);
    let title = |id| proposal.subjects.iter().find(|s| s.id == id).map_or_else(String::new, |s| s.title.clone());
    let said = proposal.facts.iter().map(|fact| {
        let lines: Vec<String> = fact.lines.iter().map(|at| format!("{}:{}", at.input, at.number)).collect();
        let (_, evidence) = proposal.evidence.iter().find(|(id, _)| *id == fact.evidence).unwrap();
        let name = inputs[fact.lines[0].input].name.clone().unwrap_or_default();
        assert!(evidence.from.as_deref().unwrap().ends_with(&format!("file {name}")), "{fact:?} {evidence:?}");
        format!("{} {} {}", title(fact.subject.clone()), fact.field.name(), lines.join(" "))
    });
    said.collect()
}

fn named(name: &str, text: String) -> import::Input {
    import::Input { name: Some(name.to_owned()), text }
}

/// What a complete list of settings does not hold is read from that list, whatever was read before it of the same topic
/// with the same values.
#[test]
fn what_a_list_lacks_is_read_from_the_list() {
    let describe =
        "Topic: a\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: cleanup.policy=delete,retention.ms=-1\n";
    let all = |sets: [(&str, &str); 8]| {
        let line = |(key, value): &(&str, &str)| {
            format!("  {key}={value} sensitive=false synonyms={{DYNAMIC_TOPIC_CONFIG:{key}={value}}}\n")
        };
        format!("\nAll configs for topic a are:\n{}", sets.iter().map(line).collect::<String>())
    };
    let sets = [
        ("cleanup.policy", "delete"),
        ("retention.ms", "-1"),
        ("retention.bytes", "-1"),
        ("segment.ms", "1"),
        ("segment.bytes", "1"),
        ("min.insync.replicas", "1"),
        ("max.message.bytes", "1"),
        ("delete.retention.ms", "1"),
    ];
    let said = places(&[named("topics.txt", describe.to_owned()), named("configs.txt", all(sets))]);
    for wanted in ["a tiered 1:2", "a partitions 0:1", "a cleanup_policy 1:3", "a retention_time 1:4"] {
        assert!(said.iter().any(|fact| fact == wanted), "{wanted} in {said:#?}");
    }
    // A list without one of the keys that each has is cut, also where another text says that key.
    let mut cut = sets;
    cut[0] = ("compression.type", "producer");
    let said = places(&[named("topics.txt", describe.to_owned()), named("configs.txt", all(cut))]);
    assert!(!said.iter().any(|fact| fact.starts_with("a tiered")), "{said:#?}");
}

/// Members, the strategy and static members stand on lines of their own, below what said first that the group is there.
#[test]
fn facts_of_a_group_are_read_from_their_own_lines() {
    let text = "Consumer group 'g' has no active members.\n\n\
        GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n\
        g t 0 1 2 1 - - -\n\n\
        GROUP CONSUMER-ID GROUP-INSTANCE-ID HOST CLIENT-ID #PARTITIONS\n\
        g c-1 - /10.0.0.1 c 1\ng c-2 two /10.0.0.2 c 0\n\n\
        GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\ng host:9092 (1) roundrobin Stable 2\n";
    let said = places(&[
        named("other.txt", "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n".to_owned()),
        named("groups.txt", text.to_owned()),
    ]);
    for wanted in ["t → g members 1:11", "g rebalance_protocol 1:11", "g static_membership 1:8", "t → g lag 1:4"] {
        assert!(said.iter().any(|fact| fact == wanted), "{wanted} in {said:#?}");
    }
    let rpk = "GROUP        g\nCOORDINATOR  0\nSTATE        Stable\nBALANCER     roundrobin\nMEMBERS      1\nTOTAL-LAG    1\n\n\
        TOPIC  PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n\
        t      0          1               0                 2               1    c-1        c          10.0.0.1\n";
    let said = places(&[named("groups.txt", rpk.to_owned())]);
    for wanted in ["t → g members 0:5", "g rebalance_protocol 0:4"] {
        assert!(said.iter().any(|fact| fact == wanted), "{wanted} in {said:#?}");
    }
}

/// Offsets of one topic out of two texts are filed under the one that shows its lines first.
#[test]
fn offsets_out_of_two_texts() {
    let head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n";
    let one = named("one.txt", format!("{head}g t 0 1 5 4 - - -\ng t 1 1 7 6 - - -\n"));
    let two = named("two.txt", format!("{head}h x 0 1 1 0 - - -\nh t 2 9 9 0 - - -\n"));
    let said = places(&[one, two]);
    assert!(said.iter().any(|fact| fact == "t end_offset 1:3 0:2 0:3"), "{said:#?}");
}

/// What a connector does not set is read from its whole configuration, not from where its class was first seen.
#[test]
fn what_a_connector_does_not_set() {
    let part = "name=s\nconnector.class=io.confluent.connect.jdbc.JdbcSinkConnector\ntopics=a\n".to_owned();
    let whole = "{\"name\":\"s\",\"config\":{\n\"name\":\"s\",\n\"connector.class\":\"io.confluent.connect.jdbc.JdbcSinkConnector\",\n\"topics\":\"a\"\n},\"tasks\":[],\"type\":\"sink\"}\n".to_owned();
    let inputs = [named("s.properties", part), named("s.json", whole)];
    let proposal = import::propose(&import::read(&inputs), &Design::default(), None);
    let unset: Vec<_> =
        proposal.facts.iter().filter(|fact| fact.note.as_deref() == Some("not in the whole configuration")).collect();
    assert!(!unset.is_empty());
    places(&inputs);
    assert!(unset.iter().all(|fact| fact.lines[0].input == 1), "{unset:#?}");
}
