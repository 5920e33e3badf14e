//! Real files of the kinds people have, where they are present: `DESK_CORPUS` names the folder, `EXPECT.jsonl` in it says
//! what each holds. Files of the three formats must give these facts; all others must be refused without a fact.

use pipeline_desk::codec;
use pipeline_desk::import::{self, ConfigReading, Entity, Input, LineState, Reading, TopicReading, Which};
use pipeline_desk::model::Design;
use serde_json::Value as Json;
use std::{collections::BTreeMap, fs, path::Path};

fn read(path: &Path) -> Reading {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    import::read(&[Input { name: path.file_name().map(|n| n.to_string_lossy().into_owned()), text }])
}

/// The last reading of a topic counts.
fn last_topics(reading: &Reading) -> BTreeMap<&str, &TopicReading> {
    reading.topics().map(|topic| (topic.name.as_str(), topic)).collect()
}

fn same(printed: &str, expected: &Json) -> bool {
    match expected {
        Json::String(text) => text == printed,
        other => serde_json::from_str::<Json>(printed).is_ok_and(|read| read == *other),
    }
}

fn check_topics(file: &str, reading: &Reading, expected: &Json) {
    let topics = last_topics(reading);
    let expected = expected.as_array().unwrap();
    assert_eq!(topics.len(), expected.len(), "{file}: {:?}", topics.keys());
    for want in expected {
        let name = want["topic"].as_str().unwrap();
        let topic = topics.get(name).unwrap_or_else(|| panic!("{file}: {name} is missing"));
        assert_eq!(topic.partitions, want["partitions"].as_u64(), "{file}: {name}");
        assert_eq!(topic.replication_factor, want["rf"].as_u64(), "{file}: {name}");
        let settings: BTreeMap<&str, &str> =
            topic.settings.iter().map(|s| (s.key.as_str(), s.value.as_str())).collect();
        let config = want["config"].as_object().unwrap();
        for (key, value) in config {
            assert!(
                settings.get(key.as_str()).is_some_and(|printed| same(printed, value)),
                "{file}: {name} {key}: {settings:?}"
            );
        }
        // Only one entry of the corpus lists a part of the settings.
        assert!(settings.len() == config.len() || file.contains("05-under"), "{file}: {name}: {settings:?}");
        if let Some(leaderless) = want["leaderless"].as_u64() {
            assert_eq!(topic.leaderless().len() as u64, leaderless, "{file}: {name}");
        }
        if let Some(rows) = want["rows"].as_u64() {
            assert_eq!(topic.rows.len() as u64, rows, "{file}: {name}");
        }
        if let Some(behind) = want["under_replicated"].as_array() {
            let behind: Vec<u64> = behind.iter().filter_map(Json::as_u64).collect();
            assert_eq!(
                topic.under_replicated().into_iter().map(u64::from).collect::<Vec<_>>(),
                behind,
                "{file}: {name}"
            );
        }
    }
}

fn check_groups(file: &str, reading: &Reading, expected: &Json) {
    let mut last: BTreeMap<Option<&str>, &import::GroupReading> = BTreeMap::new();
    for group in reading.groups() {
        last.insert(group.name.as_deref(), group);
    }
    let expected = expected.as_array().unwrap();
    assert_eq!(last.len(), expected.len(), "{file}: {:?}", last.keys());
    for want in expected {
        let group = last[&want["group"].as_str()];
        assert_eq!(group.rows.len() as u64, want["rows"].as_u64().unwrap(), "{file}");
        assert_eq!(group.measured_lag(), want["measured_lag_sum"].as_u64(), "{file}");
        if let Some(unmeasured) = want["unmeasured_partitions"].as_u64() {
            assert_eq!(group.rows.iter().filter(|row| row.lag.is_none()).count() as u64, unmeasured, "{file}");
        }
        if let Some(members) = want["members"].as_u64() {
            assert_eq!(group.members(), Some(members), "{file}");
        }
        if let Some(state) = want["state"].as_str() {
            assert_eq!(group.state.as_deref(), Some(state), "{file}");
        }
    }
}

fn check_configs(file: &str, reading: &Reading, facts: &Json) {
    let list: &ConfigReading = reading.configs().last().unwrap_or_else(|| panic!("{file}: no list"));
    let entity = match &list.entity {
        Entity::Topic(Some(name)) => Some(format!("topic {name}")),
        Entity::Topic(None) => None,
        Entity::Broker(id) => Some(format!("broker {id}")),
        Entity::AllBrokers => Some("brokers".to_owned()),
        Entity::Group(name) => Some(format!("group {name}")),
        Entity::Job { .. } | Entity::ConnectWorker | Entity::FlinkCluster => panic!("{file}: {:?}", list.entity),
    };
    assert_eq!(entity.as_deref(), facts["entity"].as_str(), "{file}");
    for (key, value) in facts["values"].as_object().into_iter().flatten() {
        let entry = list.entries.iter().find(|entry| entry.key == *key).unwrap_or_else(|| panic!("{file}: {key}"));
        assert!(same(entry.value.as_deref().unwrap_or("null"), value), "{file}: {key} {entry:?}");
    }
}

fn check_other(file: &str, reading: &Reading, facts: &Json) {
    if let Some(offsets) = facts["offsets"].as_object() {
        let mut read: BTreeMap<String, BTreeMap<Which2, u64>> = BTreeMap::new();
        for offset in reading.offsets() {
            let which = if offset.which == Which::End { Which2::End } else { Which2::Start };
            read.entry(format!("{}-{}", offset.topic, offset.partition)).or_default().insert(which, offset.offset);
        }
        for (partition, want) in offsets {
            let end = want["end"].as_u64().or_else(|| want.as_u64());
            assert_eq!(read[partition].get(&Which2::End).copied(), end, "{file}: {partition}");
            assert_eq!(read[partition].get(&Which2::Start).copied(), want["start"].as_u64(), "{file}: {partition}");
        }
    }
    let consumers = || reading.groups().flat_map(|group| &group.consumers);
    if let Some(members) = facts["members"].as_object() {
        for (client, held) in members {
            let consumer = consumers().find(|(id, _)| id.starts_with(&format!("{client}-"))).unwrap();
            assert_eq!(consumer.1, held.as_u64(), "{file}: {client}");
        }
    }
    if let Some(assignment) = facts["assignment"].as_object() {
        for (client, partitions) in assignment {
            let consumer = consumers().find(|(id, _)| id.starts_with(&format!("{client}-"))).unwrap();
            assert_eq!(consumer.1, Some(partitions.as_array().unwrap().len() as u64), "{file}: {client}");
        }
    }
    if let Some(state) = facts["state"].as_str() {
        let group = reading.groups().next().unwrap();
        assert_eq!(group.state.as_deref(), Some(state), "{file}");
        assert_eq!(group.members(), facts["members"].as_u64(), "{file}");
        assert_eq!(group.strategy.as_deref(), facts["strategy"].as_str(), "{file}");
    }
    for (name, want) in facts["states"].as_object().into_iter().flatten() {
        let group = reading.groups().find(|group| group.name.as_deref() == Some(name)).unwrap();
        assert_eq!(group.state.as_deref(), want[0].as_str(), "{file}");
        assert_eq!(group.members(), want[1].as_u64(), "{file}");
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Which2 {
    End,
    Start,
}

/// What has to be said about a file beside its facts, as far as reading it can say it.
fn check_flags(file: &str, reading: &Reading) {
    let proposal = import::propose(reading, &Design::default(), None);
    let remark = |text: &str| proposal.remarks.iter().any(|remark| remark.text.contains(text));
    let line = |text: &str| reading.lines.iter().any(|line| line.remark.as_deref().is_some_and(|r| r.contains(text)));
    let asks = || proposal.asks.len() == 1;
    let (name, _) = file.rsplit_once('.').unwrap();
    let said = match name.rsplit('/').next().unwrap() {
        "01-terminal-session-min-isr-3x" | "05-under-replicated-then-healthy" => {
            remark("read 3 times in this text; the last")
        }
        "02-pasted-spaces-truncated" => line("\"max.message\" is cut"),
        "04-leader-none-3x" => remark("8 of 8 partitions shown with no leader (0-7)"),
        "07-auto-create-groups" => remark("0 of 10 partitions shown; the others are not measured"),
        "14-0x-under-replicated" => remark("fewer copies in sync than replicas (0)"),
        "21-2x-consumer-offsets-elided" => remark("4 of 50 partitions shown") && line("left out of the text"),
        "05-ops-6-rows-no-group-column" | "17-no-commits-yet-2x" | "04-topic-grep-retention-html-breaks" => asks(),
        "11-rebalancing-warning" => remark("its lag is not measured"),
        "18-streams-app-very-long-ids" => reading.groups().all(|group| group.streams),
        "01-broker-all-elided-3.6" => reading.configs().all(|list| !list.complete),
        "02-dotted-topic-single-line" => proposal.skipped[0].reason.contains("start or the end of the log"),
        "07-notes-min-isr-session" => line("is a note of the writer"),
        "08-topic-all-compact-with-retention-2.7" => {
            let notes = proposal.facts.iter().filter(|fact| fact.key == "min.insync.replicas");
            notes.filter_map(|fact| fact.note.as_deref()).any(|note| note.contains("the file of a broker"))
        }
        "07-smart-quotes-connector" | "08-trailing-comma-connector" => {
            reading.secrets().count() == 1 && reading.lines.iter().all(|line| !line.text.contains("somepass"))
        }
        _ => true,
    };
    assert!(said, "{file}: {:?} {:?} {:?}", proposal.remarks, proposal.asks, proposal.skipped);
}

/// Reading, accepting, undoing, and reading again, for any file.
fn check_round(file: &str, reading: &Reading) {
    let mut design = Design::default();
    let before = codec::encode(&design);
    let proposal = import::propose(reading, &design, None);
    let edit = proposal.edit(&import::Choices::default());
    let inverse = design.apply(edit).unwrap_or_else(|error| panic!("{file}: {error}"));
    let text = codec::encode(&design);
    let again = codec::decode(&text).unwrap_or_else(|error| panic!("{file}: {error}\n{text}"));
    assert_eq!(again, design, "{file}");
    let second = import::propose(reading, &design, None);
    assert!(second.is_empty(), "{file}: a second import changes {:?}", second.edit(&import::Choices::default()));
    design.apply(inverse).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(codec::encode(&design), before, "{file}");
}

#[test]
fn the_corpus_reads_as_expected() {
    let Ok(folder) = std::env::var("DESK_CORPUS") else {
        println!("skipped: DESK_CORPUS does not name a folder of real files");
        return;
    };
    let folder = Path::new(&folder);
    let expected: BTreeMap<String, Json> = fs::read_to_string(folder.join("EXPECT.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .map(|entry| (entry["file"].as_str().unwrap().to_owned(), entry))
        .collect();
    let mine = ["kafka-topics", "kafka-configs", "consumer-groups", "get-offsets", "derived"];
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().filter_map(Result::ok).filter(|entry| entry.path().is_dir()) {
        files.extend(fs::read_dir(entry.path()).unwrap().filter_map(Result::ok).map(|file| file.path()));
    }
    files.sort();
    for path in &files {
        let file = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
        let reading = &read(path);
        check_round(&file, reading);
        if std::env::var("DESK_CORPUS_SHOW").is_ok() {
            show(&file, reading);
        }
        let kind = file.split('/').next().unwrap();
        if ENGINES.contains(&kind) {
            check_engine(&file, reading, expected.get(&file));
            continue;
        }
        if ["kafka-log-dirs", "rpk"].contains(&kind) {
            assert!(!reading.sections.is_empty(), "{file}: {:?}", reading.skipped);
            continue;
        }
        if !mine.contains(&kind) {
            assert!(reading.sections.is_empty(), "{file}: {:?}", reading.sections);
            assert!(!reading.skipped.is_empty(), "{file} is not refused");
            continue;
        }
        let Some(want) = expected.get(&file) else {
            check_flags(&file, reading);
            continue;
        };
        let facts = &want["facts"];
        if facts["topics"].is_array() {
            check_topics(&file, reading, &facts["topics"]);
        }
        if facts["groups"].is_array() {
            check_groups(&file, reading, &facts["groups"]);
        }
        if kind == "kafka-configs" {
            check_configs(&file, reading, facts);
        }
        check_other(&file, reading, facts);
        check_flags(&file, reading);
        if facts.as_object().unwrap().is_empty() {
            assert!(reading.sections.is_empty(), "{file}");
        }
    }
    println!("{} files", files.len());
}

/// Kinds of files that engines write, or that set them up.
const ENGINES: [&str; 6] =
    ["connect-json", "connect-properties", "flink-checkpoints", "flink-conf", "flink-rest", "spark-progress"];

/// A file of an engine is read without a secret of it; a connector gives the topics that it names.
fn check_engine(file: &str, reading: &Reading, expected: Option<&Json>) {
    // A fragment without a class is of no connector that is known.
    if file.ends_with("06-hana-sink-markdown-stars.properties") {
        assert!(reading.sections.is_empty(), "{file}");
        return;
    }
    assert!(!reading.sections.is_empty(), "{file}: {:?}", reading.skipped);
    for secret in ["mypassword", "postgrespw", "somepass", "minioadmin", "debezium-pw"] {
        assert!(reading.lines.iter().all(|line| !line.text.contains(secret)), "{file}: {secret}");
    }
    let mut named = reading.clone();
    for section in 0..named.sections.len() {
        named.name(section, "thing");
    }
    let proposal = import::propose(&named, &Design::default(), None);
    let Some(topics) = expected.and_then(|want| want["facts"]["topics"].as_array()) else { return };
    let plain = |topic: &&str| topic.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    for topic in topics.iter().filter_map(Json::as_str).filter(plain) {
        let drawn = proposal.subjects.iter().any(|subject| subject.title == topic);
        assert!(drawn, "{file}: {topic} is missing: {:?}", proposal.remarks);
    }
}

fn show(file: &str, reading: &Reading) {
    println!("== {file}");
    for line in &reading.lines {
        let state = match &line.state {
            LineState::Read => "ok".to_owned(),
            LineState::Conflict => "!!".to_owned(),
            LineState::NotUnderstood(why) => format!("? {why}"),
            LineState::NotUsed(why) => format!("- {why}"),
            LineState::SecretRemoved => "secret".to_owned(),
            LineState::Command => "$".to_owned(),
            LineState::Noise => "noise".to_owned(),
            LineState::Blank => continue,
        };
        println!(
            "{:4} [{state}] {} {}",
            line.at.number,
            line.text.chars().take(110).collect::<String>(),
            line.remark.as_deref().map_or(String::new(), |r| format!("  <- {r}"))
        );
    }
    let proposal = import::propose(reading, &Design::default(), None);
    for fact in &proposal.facts {
        println!(
            "     {} {:?} {} = {} {:?} {}",
            fact.subject,
            fact.field,
            fact.key,
            fact.read_as.as_ref().map_or(String::new(), ToString::to_string),
            fact.state,
            fact.note.as_deref().unwrap_or("")
        );
    }
    for remark in &proposal.remarks {
        println!("     * {}: {}", remark.at.number, remark.text);
    }
    for skipped in &proposal.skipped {
        println!("     x {}: {}", skipped.what, skipped.reason);
    }
    for ask in &proposal.asks {
        println!("     ? {}", ask.text);
    }
}
