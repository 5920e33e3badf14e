//! What `rpk topic describe` and `rpk topic list` print: Redpanda's own command line, for its clusters and for Kafka's.
//!
//! Up to three parts, each under its name where there are several: `SUMMARY` (name, partitions, replicas), `CONFIGS` (every
//! setting in force with the place that it comes from), `PARTITIONS` (leader, replicas, start and end of the log). A part
//! that stands alone has no heading, and only the command says whose it is. Columns are found by their names, for load
//! errors, offline replicas and last stable offsets have a column only where there are any. Printed by
//! `src/go/rpk/pkg/cli/topic/describe.go` and `list.go` of Redpanda. Not here: `--format json` and `yaml`, and what the
//! settings mean (`kafka_keys`).

use super::{
    Verdict,
    command::{Command, Tool, is_topic},
    kafka_configs::{ConfigEntry, ConfigReading, Entity, source},
    kafka_topics::is_key,
    lines::LineRef,
};
use crate::model::MAX_COUNT;

/// One partition as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpkPartition {
    /// Where it stands.
    pub at: LineRef,
    /// Its number.
    pub partition: u32,
    /// The broker that leads it; nothing where it is -1.
    pub leader: Option<u32>,
    /// Brokers that hold a copy.
    pub replicas: Vec<u32>,
    /// Those of them that are down.
    pub offline: Vec<u32>,
    /// LOG-START-OFFSET; nothing where it was not listed.
    pub start: Option<u64>,
    /// HIGH-WATERMARK, the offset behind the last record that all in sync hold; nothing where it was not listed.
    pub end: Option<u64>,
}

/// One topic as printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpkTopic {
    /// Where it begins.
    pub at: LineRef,
    /// Its name; nothing where neither the output nor the command says it.
    pub name: Option<String>,
    /// PARTITIONS, and where it stands.
    pub partitions: Option<(u64, LineRef)>,
    /// REPLICAS, and where it stands.
    pub replicas: Option<(u64, LineRef)>,
    /// It is one of the cluster's own.
    pub internal: bool,
    /// Its settings, where they were printed.
    pub settings: Option<ConfigReading>,
    /// Partition by partition, where they were printed.
    pub rows: Vec<RpkPartition>,
}

/// A column of the table of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Partition,
    Leader,
    Epoch,
    Replicas,
    Offline,
    Error,
    Start,
    Stable,
    End,
}

const COLUMNS: [(&str, Column); 9] = [
    ("PARTITION", Column::Partition),
    ("LEADER", Column::Leader),
    ("EPOCH", Column::Epoch),
    ("REPLICAS", Column::Replicas),
    ("OFFLINE-REPLICAS", Column::Offline),
    ("LOAD-ERROR", Column::Error),
    ("LOG-START-OFFSET", Column::Start),
    ("LAST-STABLE-OFFSET", Column::Stable),
    ("HIGH-WATERMARK", Column::End),
];

/// What the lines are part of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Outside,
    Summary,
    Configs,
    Partitions(Vec<Column>),
    List,
}

/// Reads line after line.
#[derive(Default)]
pub(super) struct Reader {
    part: Part,
    /// The last heading was that of a summary, and nothing of it came yet.
    summary: bool,
    /// A topic is open that further parts belong to.
    open: bool,
}

impl Reader {
    /// Reads one line into `topics`.
    pub(super) fn line(
        &mut self,
        text: &str,
        at: LineRef,
        command: Option<&Command>,
        topics: &mut Vec<RpkTopic>,
    ) -> Verdict {
        let command = command.filter(|command| command.tool == Tool::RpkTopics);
        let words: Vec<&str> = text.split_whitespace().collect();
        if self.heading(&words) {
            return Verdict::NotMine;
        }
        if let Some(verdict) = self.table(&words, at, command, topics) {
            return verdict;
        }
        if let Some(topic) = detailed(text, at) {
            topics.push(topic);
            (self.part, self.open) = (Part::Outside, true);
            return Verdict::Read;
        }
        match &self.part {
            Part::Configs => setting(&words, at, topics),
            Part::Partitions(columns) => partition(columns, &words, at, topics),
            Part::List => listed(&words, at, topics),
            Part::Summary => summary(&words, at, topics),
            Part::Outside if self.summary || command.is_some() => self.name(&words, at, topics),
            Part::Outside => Verdict::NotMine,
        }
    }

    /// `SUMMARY` and its line of signs of equality: what comes next, and no fact.
    fn heading(&mut self, words: &[&str]) -> bool {
        let [word] = words else { return false };
        let line = word.len() > 3 && word.bytes().all(|b| b == b'=');
        if matches!(*word, "SUMMARY" | "CONFIGS" | "PARTITIONS") {
            self.part = Part::Outside;
            self.summary = *word == "SUMMARY";
            // Each topic begins with its summary, where summaries are printed.
            self.open &= !self.summary;
        }
        line || matches!(*word, "SUMMARY" | "CONFIGS" | "PARTITIONS")
    }

    /// The head of a table.
    fn table(
        &mut self,
        words: &[&str],
        at: LineRef,
        command: Option<&Command>,
        topics: &mut Vec<RpkTopic>,
    ) -> Option<Verdict> {
        let columns = || words.iter().map(|word| COLUMNS.iter().find(|(name, _)| name == word).map(|(_, of)| *of));
        self.part = match words {
            ["NAME", "PARTITIONS", "REPLICAS"] => Part::List,
            ["KEY", "VALUE", "SOURCE"] => Part::Configs,
            ["PARTITION", "LEADER", ..] => match columns().collect::<Option<Vec<Column>>>() {
                Some(columns) if columns.contains(&Column::Replicas) => Part::Partitions(columns),
                _ => return Some(Verdict::Odd("a table of partitions with a column that is not known here".into())),
            },
            _ => return None,
        };
        if self.part != Part::List && !std::mem::replace(&mut self.open, true) {
            let name = command.and_then(Command::topic).map(str::to_owned);
            topics.push(RpkTopic { at, name, ..RpkTopic::default() });
        }
        if let (Part::Configs, Some(topic)) = (&self.part, topics.last_mut()) {
            let complete = command.is_none_or(|command| !command.filtered());
            let entity = Entity::Topic(topic.name.clone());
            topic.settings = Some(ConfigReading { at, entity, all: true, complete, entries: Vec::new() });
        }
        Some(Verdict::Read)
    }

    /// `NAME  orders`, the first line of a summary.
    fn name(&mut self, words: &[&str], at: LineRef, topics: &mut Vec<RpkTopic>) -> Verdict {
        match words {
            ["NAME", name] if is_topic(name) => {
                topics.push(RpkTopic { at, name: Some((*name).to_owned()), ..RpkTopic::default() });
                *self = Self { part: Part::Summary, summary: false, open: true };
                Verdict::Read
            }
            ["NAME", ..] => Verdict::Odd("what follows NAME is not a name of a topic".to_owned()),
            _ => Verdict::NotMine,
        }
    }

    /// Something was left out of the open table.
    pub(super) fn elided(&self, topics: &mut [RpkTopic]) -> bool {
        let settings =
            topics.last_mut().and_then(|topic| topic.settings.as_mut()).filter(|_| self.part == Part::Configs);
        if let Some(settings) = settings {
            settings.complete = false;
        }
        self.part != Part::Outside
    }

    /// A blank line ends a part.
    pub(super) fn blank(&mut self) {
        self.part = Part::Outside;
    }

    /// Another command or another output begins.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

fn number(word: &str) -> Option<u64> {
    word.parse::<u64>().ok().filter(|n| *n <= MAX_COUNT)
}

fn counted(word: &str, most: u64) -> Option<u64> {
    number(word).filter(|n| (1..=most).contains(n))
}

/// A line of a summary behind the name.
fn summary(words: &[&str], at: LineRef, topics: &mut [RpkTopic]) -> Verdict {
    let Some(topic) = topics.last_mut() else { return Verdict::NotMine };
    match words {
        ["PARTITIONS", n] => match counted(n, 1_000_000) {
            Some(n) => topic.partitions = Some((n, at)),
            None => return Verdict::Odd(format!("{n:?} is no number of partitions")),
        },
        ["REPLICAS", n] => match counted(n, 32_767) {
            Some(n) => topic.replicas = Some((n, at)),
            None => return Verdict::Odd(format!("{n:?} is no number of replicas")),
        },
        ["INTERNAL", yes] => topic.internal = *yes == "true",
        ["ERROR", error @ ..] => return Verdict::ReadBut(format!("the cluster answered: {}", error.join(" "))),
        ["PARTITIONS" | "REPLICAS"] => return Verdict::Odd("cut: the number is missing".to_owned()),
        _ => return Verdict::NotMine,
    }
    Verdict::Read
}

/// `cleanup.policy  delete  DEFAULT_CONFIG`; a value may be empty or have blanks.
fn setting(words: &[&str], at: LineRef, topics: &mut [RpkTopic]) -> Verdict {
    let Some(settings) = topics.last_mut().and_then(|topic| topic.settings.as_mut()) else { return Verdict::NotMine };
    let Some((key, rest)) = words.split_first().filter(|(key, _)| is_key(key)) else { return Verdict::NotMine };
    let is_source = |word: &&&str| word.ends_with("_CONFIG") || **word == "UNKNOWN";
    let Some((origin, value)) = rest.split_last().filter(|(last, _)| is_source(last)) else {
        settings.complete = false;
        return Verdict::Odd("cut: no source ends the line, so the value may not be whole".to_owned());
    };
    let value = value.join(" ");
    let value = (!matches!(value.as_str(), "" | "(sensitive)" | super::secrets::REMOVED)).then_some(value);
    settings.entries.push(ConfigEntry { key: (*key).to_owned(), value, origin: source(origin), at });
    Verdict::Read
}

/// `orders  6  3`
fn listed(words: &[&str], at: LineRef, topics: &mut Vec<RpkTopic>) -> Verdict {
    match words {
        [name, partitions, replicas] if is_topic(name) => {
            let at_line = |n| (n, at);
            let partitions = counted(partitions, 1_000_000).map(at_line);
            let replicas = counted(replicas, 32_767).map(at_line);
            if partitions.is_none() || replicas.is_none() {
                return Verdict::Odd("the partitions or replicas are not a number".to_owned());
            }
            topics.push(RpkTopic { at, name: Some((*name).to_owned()), partitions, replicas, ..RpkTopic::default() });
            Verdict::Read
        }
        [name] if is_topic(name) => Verdict::Odd("cut: the partitions and replicas are missing".to_owned()),
        _ => Verdict::NotMine,
    }
}

/// `orders, 6 partitions, 3 replicas`: the line above the partitions of a detailed list.
fn detailed(text: &str, at: LineRef) -> Option<RpkTopic> {
    let parts: Vec<&str> = text.trim().split(", ").collect();
    let [name, partitions, replicas] = parts.as_slice() else { return None };
    let internal = name.ends_with(" (internal)");
    let name = name.strip_suffix(" (internal)").unwrap_or(name);
    let partitions = partitions.strip_suffix(" partitions").and_then(|n| counted(n, 1_000_000))?;
    let replicas = replicas.strip_suffix(" replicas").and_then(|n| counted(n, 32_767))?;
    is_topic(name).then(|| RpkTopic {
        at,
        name: Some(name.to_owned()),
        partitions: Some((partitions, at)),
        replicas: Some((replicas, at)),
        internal,
        ..RpkTopic::default()
    })
}

/// Takes a list of brokers (`[1 2 3]`) off the front.
fn brokers(words: &mut &[&str]) -> Option<Vec<u32>> {
    let (first, _) = words.split_first()?;
    let end = words.iter().position(|word| word.ends_with(']'))?;
    if !first.starts_with('[') {
        return None;
    }
    let (list, rest) = words.split_at_checked(end + 1)?;
    *words = rest;
    let ids = list.iter().map(|word| word.trim_matches(['[', ']'])).filter(|id| !id.is_empty());
    ids.map(|id| id.parse().ok()).collect()
}

/// A row of the table of partitions. What names a broker or an error may have blanks, so the offsets are taken from the
/// end.
fn partition(columns: &[Column], words: &[&str], at: LineRef, topics: &mut [RpkTopic]) -> Verdict {
    let Some(topic) = topics.last_mut() else { return Verdict::NotMine };
    let Some(partition) = words.first().and_then(|word| word.parse::<u32>().ok()).filter(|n| *n < 1_000_000) else {
        return Verdict::NotMine;
    };
    if topic.rows.iter().any(|row| row.partition == partition) {
        return Verdict::Odd(format!("partition {partition} stands here twice"));
    }
    let mut row =
        RpkPartition { at, partition, leader: None, replicas: Vec::new(), offline: Vec::new(), start: None, end: None };
    let mut rest = words.get(1..).unwrap_or_default();
    for column in columns.iter().skip(1) {
        let read = match column {
            Column::Leader | Column::Epoch => rest.split_first().and_then(|(word, tail)| {
                rest = tail;
                let number = word.parse::<i64>().ok()?;
                if *column == Column::Leader {
                    row.leader = u32::try_from(number).ok();
                }
                Some(())
            }),
            Column::Replicas => brokers(&mut rest).filter(|list| !list.is_empty()).map(|list| row.replicas = list),
            Column::Offline => brokers(&mut rest).map(|list| row.offline = list),
            _ => Some(()),
        };
        if read.is_none() {
            return Verdict::Odd("cut: the leader or the replicas are missing".to_owned());
        }
    }
    let offset = |word: &str| word == "-" || word.parse::<i64>().is_ok();
    for column in columns.iter().rev() {
        let side = match column {
            Column::End => &mut row.end,
            Column::Start => &mut row.start,
            Column::Stable => &mut None,
            _ => break,
        };
        match rest.split_last().filter(|(word, _)| offset(word)) {
            Some((word, head)) => (*side, rest) = (number(word), head),
            None => {
                topic.rows.push(RpkPartition { start: None, end: None, ..row });
                return Verdict::ReadBut("the cluster gave no offsets of this partition".to_owned());
            }
        }
    }
    let error = columns.contains(&Column::Error).then(|| rest.join(" ")).filter(|error| error != "-");
    topic.rows.push(row);
    match error {
        Some(error) if !error.is_empty() => Verdict::ReadBut(format!("the cluster answered: {error}")),
        _ => Verdict::Read,
    }
}
