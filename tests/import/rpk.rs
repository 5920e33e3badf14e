//! What Redpanda's `rpk` prints, as its printing code lays it out: parts under headings, columns found by their names.

use super::support::{accept, facts, file, pasted, read, states};
use pipeline_desk::import::{self, Entity, Input, LineState, SubjectRole};
use pipeline_desk::model::{Design, Id, View, key};

fn proposed(text: &str) -> Vec<String> {
    facts(&import::propose(&import::read(&[pasted(text)]), &Design::default(), None))
}

fn numbers(values: &[Option<u64>]) -> Vec<u64> {
    values.iter().flatten().copied().collect()
}

/// Two topics and a group, with all parts; line ends of Windows change nothing, nor tabs where blanks were.
#[test]
fn topics_and_groups() {
    let Input { text, name } = file("rpk-topics-groups.txt");
    let of = |text: String| {
        facts(&import::propose(&import::read(&[Input { name: name.clone(), text }]), &Design::default(), None))
    };
    let plain = of(text.clone());
    assert_eq!(
        plain,
        [
            "payments partitions = 2 (5)",
            "payments replication_factor = 3 (6)",
            "payments cleanup_policy = delete (11)",
            "payments retention_time = 12h (18)",
            "payments retention_size = unlimited (17)",
            "payments segment_time = 14d (20)",
            "payments segment_size = 128MiB (19)",
            "payments tiered = yes (16)",
            "payments timestamp_type = create_time (14)",
            "payments max_message_size = 1MiB (13)",
            "payments start_offset = 0 40, 1 0 (54)",
            "payments end_offset = 0 1240, 1 1198 (54)",
            "payments.late partitions = 1 (32)",
            "payments.late replication_factor = 1 (33)",
            "payments.late cleanup_policy = compact (38)",
            "payments.late start_offset = 0 0 (43)",
            "payments.late end_offset = 0 9 (43)",
            "payments → ledger group = ledger (54)",
            "payments → ledger committed_offset = 0 1200 (54)",
            "payments → ledger lag = 0 40 (54)",
            "payments → ledger members = 1 (50)",
        ]
    );
    assert_eq!(of(text.replace('\n', "\r\n")), plain);
    assert_eq!(of(text.replace("   ", "\t")), plain);
}

/// Whose topics these are: Redpanda's, unless a command of Kafka speaks of them too.
#[test]
fn the_cluster_is_of_redpanda() {
    let system = |text: &str| {
        let mut design = Design::default();
        accept(&mut design, &[pasted(text)], "2026-12-01");
        design.clusters.values().next().and_then(|cluster| cluster.system.clone()).map(|system| system.to_string())
    };
    let list = "NAME    PARTITIONS  REPLICAS\norders  6           3\n";
    assert_eq!(system(list).as_deref(), Some("redpanda"));
    let kafka = "\nTopic: other\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n";
    assert_eq!(system(&format!("{list}{kafka}")).as_deref(), Some("kafka"));
    let key = "$ rpk topic describe orders -c\nKEY  VALUE  SOURCE\nredpanda.remote.read  false  DEFAULT_CONFIG\n";
    assert_eq!(system(&format!("{key}{kafka}")).as_deref(), Some("redpanda"));
}

/// A part that stands alone has no heading and no name: the command says whose it is, or it is asked for.
#[test]
fn a_part_alone() {
    let table = "KEY           VALUE      SOURCE\nretention.ms  86400000   DYNAMIC_TOPIC_CONFIG\n";
    assert_eq!(proposed(&format!("$ rpk topic describe orders -c\n{table}")), ["orders retention_time = 1d (3)"]);
    let mut reading = import::read(&[pasted(table)]);
    let proposal = import::propose(&reading, &Design::default(), None);
    assert!(proposal.facts.is_empty());
    assert!(reading.name(proposal.asks[0].section, "orders"));
    assert_eq!(facts(&import::propose(&reading, &Design::default(), None)), ["orders retention_time = 1d (2)"]);
    // Several topics were described: one name fits none of them.
    assert!(proposed(&format!("$ rpk topic describe orders other -c\n{table}")).is_empty());
    let rows = "PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  HIGH-WATERMARK\n0          1       4      [1 2 3]   7                 90\n";
    assert_eq!(
        proposed(&format!("$ rpk topic describe orders -p\n{rows}")),
        ["orders start_offset = 0 7 (3)", "orders end_offset = 0 90 (3)"]
    );
    let summary = "NAME        orders\nPARTITIONS  6\nREPLICAS    3\n";
    let counted = ["orders partitions = 6 (3)", "orders replication_factor = 3 (4)"];
    assert_eq!(proposed(&format!("$ rpk topic describe orders -s\n{summary}")), counted);
    // Without command and heading a name is a word like others.
    assert!(proposed(summary).is_empty());
}

/// Settings with their origins: one of the topic is not the same as one that the cluster gives.
#[test]
fn where_settings_come_from() {
    let text = "$ rpk topic describe orders -c\nKEY  VALUE  SOURCE\nretention.ms  86400000  DEFAULT_CONFIG\n\
        segment.ms  60000  DYNAMIC_TOPIC_CONFIG\nredpanda.leaders.preference    DEFAULT_CONFIG\n\
        my.secret  (sensitive)  DYNAMIC_TOPIC_CONFIG\n";
    let reading = import::read(&[pasted(text)]);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    let settings = reading.rpk_topics().next().unwrap().settings.clone().unwrap();
    assert_eq!((settings.entity, settings.all, settings.complete), (Entity::Topic(Some("orders".into())), true, true));
    let values: Vec<_> = settings.entries.iter().map(|entry| entry.value.as_deref()).collect();
    assert_eq!(values, [Some("86400000"), Some("60000"), None, None]);
    let proposal = import::propose(&reading, &Design::default(), None);
    let notes: Vec<_> = proposal.facts.iter().map(|fact| fact.note.as_deref()).collect();
    assert_eq!(notes, [Some("in force without being set on the topic"), None]);
    // Only a part of the list: what is missing has not been taken back.
    let part =
        "$ rpk topic describe orders -c | grep ms\nKEY  VALUE  SOURCE\nsegment.ms  60000  DYNAMIC_TOPIC_CONFIG\n";
    assert!(!import::read(&[pasted(part)]).rpk_topics().next().unwrap().settings.as_ref().unwrap().complete);
}

/// An override that was taken back goes with the later complete list.
#[test]
fn a_later_list() {
    let text = |rows: &str| {
        format!(
            "$ rpk topic describe orders -a\nSUMMARY\n=======\nNAME  orders\nPARTITIONS  1\nREPLICAS  1\n\nCONFIGS\n=======\nKEY  VALUE  SOURCE\n{rows}\n"
        )
    };
    let mut design = Design::default();
    accept(&mut design, &[pasted(&text("retention.ms  86400000  DYNAMIC_TOPIC_CONFIG\n"))], "2026-12-01");
    let orders = Id::new("orders").unwrap();
    assert!(design.get(View::AsIs, &orders, key::channel::RETENTION_TIME).is_value());
    let proposal = accept(&mut design, &[pasted(&text(""))], "2026-12-02");
    assert_eq!(facts(&proposal)[2..], ["orders retention_time = - (10) [gone]"]);
}

/// Columns that are there only sometimes, offsets that were not listed, partitions without a leader.
#[test]
fn partitions_in_trouble() {
    let text = "$ rpk topic describe orders -p\n\
        PARTITION  LEADER  EPOCH  REPLICAS  OFFLINE-REPLICAS  LOAD-ERROR  LOG-START-OFFSET  LAST-STABLE-OFFSET  HIGH-WATERMARK\n\
        0          1       5      [1 2 3]   []                -           10                88                  90\n\
        1          -1      5      [1 2 3]   [2 3]             LEADER_NOT_AVAILABLE: There is no leader for this topic-partition.  -  -  -\n\
        2          2       6      [1 2 3]   []                -           Not leader for it.  Not leader for it.  Not leader for it.\n";
    let reading = import::read(&[pasted(text)]);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    let topic = reading.rpk_topics().next().unwrap();
    let leaders: Vec<_> = topic.rows.iter().map(|row| row.leader).collect();
    assert_eq!(leaders, [Some(1), None, Some(2)]);
    assert_eq!(numbers(&topic.rows.iter().map(|row| row.start).collect::<Vec<_>>()), [10]);
    assert_eq!(numbers(&topic.rows.iter().map(|row| row.end).collect::<Vec<_>>()), [90]);
    let said: Vec<_> = reading.lines.iter().filter_map(|line| line.remark.as_deref()).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("LEADER_NOT_AVAILABLE: There is no leader"));
    let proposal = import::propose(&reading, &Design::default(), None);
    let remarks: Vec<_> = proposal.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert!(remarks.contains(&"orders: 1 of 3 partitions shown with no leader (1)"), "{remarks:?}");
    assert!(remarks.contains(&"orders: 1 of 3 partitions shown with copies offline (1)"), "{remarks:?}");
}

/// Lines that are cut are told by their number, and the others are read.
#[test]
fn broken_lines() {
    let text = "SUMMARY\n=======\nNAME        orders\nPARTITIONS  six\nREPLICAS\n\nCONFIGS\n=======\n\
        KEY  VALUE  SOURCE\nretention.ms  86400000  DYNAMIC_TOPIC_CONFIG\nsegment.ms  600\n\nPARTITIONS\n==========\n\
        PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  HIGH-WATERMARK\n0  1  1\n1  1  1  [1 2\n2  1  1  [1 2 3]  0  55\n2  1  1  [1 2 3]  0  56\n";
    let reading = import::read(&[pasted(text)]);
    let odd: Vec<usize> = reading.not_understood().map(|line| line.at.number).collect();
    assert_eq!(odd, [4, 5, 11, 16, 17, 19], "{:?}", states(&reading));
    assert!(!reading.rpk_topics().next().unwrap().settings.as_ref().unwrap().complete);
    assert_eq!(
        facts(&import::propose(&reading, &Design::default(), None)),
        ["orders retention_time = 1d (10)", "orders start_offset = 2 0 (18)", "orders end_offset = 2 55 (18)",]
    );
    let list = import::read(&[pasted("NAME  PARTITIONS  REPLICAS\norders  6  3\nother  6\nthird  six  3\n")]);
    assert_eq!(list.rpk_topics().count(), 1);
    let odd: Vec<usize> = list.not_understood().map(|line| line.at.number).collect();
    assert_eq!(odd, [3, 4], "{:?}", states(&list));
}

/// A list of topics, short and with partitions; the cluster's own topics stay out.
#[test]
fn lists() {
    let short = "$ rpk topic list\nNAME      PARTITIONS  REPLICAS\norders    6           3\npayments  12          1\n";
    let four = [
        "orders partitions = 6 (3)",
        "orders replication_factor = 3 (3)",
        "payments partitions = 12 (4)",
        "payments replication_factor = 1 (4)",
    ];
    assert_eq!(proposed(short), four);
    let detailed = "$ rpk topic list --detailed\norders, 2 partitions, 3 replicas\n      PARTITION  LEADER  EPOCH  REPLICAS\n      0          1       1      [1 2 3]\n      1          2       1      [1 2 3]\n\n\
        inner (internal), 1 partitions, 3 replicas\n      PARTITION  LEADER  EPOCH  REPLICAS\n      0          1       1      [1 2 3]\n";
    let reading = import::read(&[pasted(detailed)]);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    let rows: Vec<usize> = reading.rpk_topics().map(|topic| topic.rows.len()).collect();
    assert_eq!(rows, [2, 1]);
    let proposal = import::propose(&reading, &Design::default(), None);
    assert_eq!(facts(&proposal), ["orders partitions = 2 (2)", "orders replication_factor = 3 (2)"]);
    assert!(proposal.skipped.iter().any(|skipped| skipped.what == "inner"), "{:?}", proposal.skipped);
}

/// Nothing committed is not a lag of zero, and not one of all records either; nobody reads where nobody stands.
#[test]
fn groups_at_rest() {
    let text = "$ rpk group describe billing\nGROUP        billing\nCOORDINATOR  1\nSTATE        Empty\nBALANCER     \nMEMBERS      0\nTOTAL-LAG    55\n\n\
        TOPIC   PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n\
        orders  0          5               3                 60              55\n\
        orders  1          -               10                30              20\n\
        orders  2          0               0                 0               -\n";
    let reading = import::read(&[pasted(text)]);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    let group = reading.groups().next().unwrap();
    let lags: Vec<_> = group.rows.iter().map(|row| row.lag).collect();
    assert_eq!(lags, [Some(55), None, Some(0)]);
    assert_eq!((group.members(), group.state.as_deref(), group.strategy.as_deref()), (Some(0), Some("Empty"), None));
    let starts: Vec<_> = group.rows.iter().map(|row| row.start).collect();
    assert_eq!(numbers(&starts), [3, 10, 0]);
}

/// Members with instance ids and threads of Kafka Streams; several groups one after the other; a group that is not there.
#[test]
fn several_groups() {
    let text = "GROUP                  billing\nCOORDINATOR-NODE       1\nCOORDINATOR-PARTITION  __consumer_offsets/7\nSTATE                  Stable\nBALANCER               cooperative-sticky\nMEMBERS                2\nTOTAL-LAG              3\n\n\
        TOPIC   PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID    INSTANCE-ID  CLIENT-ID                HOST\n\
        orders  0          5               0                 7               2    till-1-uuid  till-1       app-StreamThread-1-cons  10.0.0.1\n\
        orders  1          6               0                 7               1    till-2-uuid               app-StreamThread-2-cons  10.0.0.2\n\n\
        GROUP        nowhere\nCOORDINATOR  2\nSTATE        Dead\nBALANCER     \nMEMBERS      0\nTOTAL-LAG    0\n";
    let reading = import::read(&[pasted(text)]);
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    let groups: Vec<_> = reading.groups().collect();
    assert_eq!(groups.len(), 2);
    let billing = groups[0];
    assert_eq!((billing.name.as_deref(), billing.consumers.len(), billing.members()), (Some("billing"), 2, Some(2)));
    assert!(billing.static_members && billing.streams);
    assert!(groups[1].missing);
    let proposal = import::propose(&reading, &Design::default(), None);
    assert!(
        proposal.remarks.iter().any(|remark| remark.text.contains("nowhere does not exist")),
        "{:?}",
        proposal.remarks
    );
    assert!(proposal.subjects.iter().any(|subject| subject.role == SubjectRole::Job && subject.title == "billing"));
}

/// Rows that are cut, sums instead of rows, errors in place of members.
#[test]
fn groups_in_trouble() {
    let head = "$ rpk group describe billing -c\nTOPIC  PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST";
    let reading = import::read(&[pasted(&format!(
        "{head}  ERROR\norders  0  5  0  -1  -1        NOT_LEADER: it moved\norders  1  5  0  7\norders  x  5  0  7  2\norders  2  5  0  7  two\n"
    ))]);
    let odd: Vec<usize> = reading.not_understood().map(|line| line.at.number).collect();
    assert_eq!(odd, [4, 5, 6], "{:?}", states(&reading));
    let group = reading.groups().next().unwrap();
    assert_eq!(
        (group.name.as_deref(), group.rows.len(), group.rows[0].lag, group.members()),
        (Some("billing"), 1, None, None)
    );
    let sums = "$ rpk group describe billing -t\nGROUP  billing\nSTATE  Stable\nMEMBERS  1\n\nTOPIC  LAG\norders  55\n";
    let reading = import::read(&[pasted(sums)]);
    assert!(reading.groups().next().unwrap().rows.is_empty());
    assert!(
        reading
            .lines
            .iter()
            .filter(|line| line.at.number >= 6 && line.state != LineState::Blank)
            .all(|line| matches!(line.state, LineState::NotUsed(_)))
    );
    // A table without a command or a summary: whose it is, is asked.
    let table = format!("{}\norders  0  5  0  7  2\n", head.split_once('\n').unwrap().1);
    let reading = import::read(&[pasted(&table)]);
    assert_eq!(import::propose(&reading, &Design::default(), None).asks.len(), 1);
}

/// The words of the parts in a letter are no output.
#[test]
fn words_of_a_letter() {
    let text = "SUMMARY\n=======\nwe looked at the group billing.\nGROUP photo on Friday\nPARTITIONS\nThe lag is fine.\nrpk is a tool\n";
    let reading = import::read(&[pasted(text)]);
    assert!(reading.sections.is_empty());
    assert_eq!(reading.not_understood().count(), 0, "{:?}", states(&reading));
    assert_eq!(reading.skipped.len(), 1);
    assert!(read("prose.txt").rpk_topics().next().is_none());
}
