//! What `kafka-topics --describe` prints, from 0.8 to 4.x: one line a topic, one line a partition.
//!
//! Labels stand with or without a blank after the colon, parted by tabs or blanks; newer versions add `TopicId`, `Elr`
//! and `LastKnownElr`, reassignments `Adding Replicas`. Printed by `kafka.admin.TopicCommand` (up to 3.x) and
//! `org.apache.kafka.tools.TopicCommand`. A setting that is not in `Configs:` is *not* known to be at its default: a
//! broker's `log.retention.hours` shows there as little. Not here: what the settings mean (`kafka_keys`).

use super::{Verdict, command::is_topic, lines::LineRef};

/// A key and its value as printed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The product's key.
    pub key: String,
    /// Its value as printed.
    pub value: String,
    /// Where it stands.
    pub at: LineRef,
}

/// One partition as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionRow {
    /// Where it stands.
    pub at: LineRef,
    /// Its number.
    pub partition: u32,
    /// The broker that leads it; `Some(None)`: printed as none or -1.
    pub leader: Option<Option<u32>>,
    /// Brokers that hold a copy.
    pub replicas: Vec<u32>,
    /// Brokers in sync; nothing where the row is cut before it.
    pub in_sync: Option<Vec<u32>>,
    /// Eligible leader replicas (KIP-966), where the column is there.
    pub eligible: Option<Vec<u32>>,
}

/// One topic as printed: its line and the rows below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicReading {
    /// Where its line stands; its first row where there is no such line.
    pub at: LineRef,
    /// Its name.
    pub name: String,
    /// The id that a topic gets when it is created (2.8 and later).
    pub topic_id: Option<String>,
    /// `PartitionCount`
    pub partitions: Option<u64>,
    /// `ReplicationFactor`
    pub replication_factor: Option<u64>,
    /// `Configs`: what somebody set.
    pub settings: Vec<Setting>,
    /// Was `Configs` read to its end, so that an earlier setting that is missing has been taken back?
    pub settings_complete: bool,
    /// Partition by partition.
    pub rows: Vec<PartitionRow>,
    /// Rows were left out of the text ("...").
    pub elided: bool,
    /// It is being deleted.
    pub marked_for_deletion: bool,
}

impl TopicReading {
    /// Partitions without a leader.
    #[must_use]
    pub fn leaderless(&self) -> Vec<u32> {
        self.rows.iter().filter(|row| row.leader == Some(None)).map(|row| row.partition).collect()
    }

    /// Partitions with fewer copies in sync than replicas.
    #[must_use]
    pub fn under_replicated(&self) -> Vec<u32> {
        let behind = |row: &&PartitionRow| row.in_sync.as_ref().is_some_and(|isr| isr.len() < row.replicas.len());
        self.rows.iter().filter(behind).map(|row| row.partition).collect()
    }

    /// The smallest number of copies in sync over the rows shown, and where it stands.
    #[must_use]
    pub fn in_sync(&self) -> Option<(u64, LineRef)> {
        self.rows.iter().filter_map(|row| Some((row.in_sync.as_ref()?.len() as u64, row.at))).min_by_key(|isr| isr.0)
    }

    /// Partitions that are announced and have no row: nothing is known of them.
    #[must_use]
    pub fn unmeasured(&self) -> u64 {
        self.partitions.unwrap_or(0).saturating_sub(self.rows.len() as u64)
    }
}

const LABELS: [&str; 13] = [
    "Topic:",
    "TopicId:",
    "PartitionCount:",
    "ReplicationFactor:",
    "Configs:",
    "Partition:",
    "Leader:",
    "Replicas:",
    "Isr:",
    "Elr:",
    "LastKnownElr:",
    "MarkedForDeletion:",
    "Offline:",
];

/// The labels of a line and what follows each. Text before the first label is not a line of this format.
fn labels(text: &str) -> Vec<(&'static str, &str)> {
    let mut starts: Vec<(usize, &'static str)> = Vec::new();
    let (mut from, mut moved) = (0, false);
    while let Some(rest) = text.get(from..) {
        let skip = rest.len() - rest.trim_start().len();
        let Some(word) = rest.get(skip..).filter(|word| !word.is_empty()) else { break };
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        let word_text = word.get(..length).unwrap_or_default();
        match LABELS.iter().find(|label| word_text.starts_with(**label)) {
            // "Adding Replicas:" and "Removing Replicas:" are not the replicas.
            Some(label) if *label == "Replicas:" && moved => starts.push((from + skip, "Moving")),
            Some(label) => starts.push((from + skip, label)),
            None if starts.is_empty() => return Vec::new(),
            None => {}
        }
        moved = matches!(word_text, "Adding" | "Removing");
        from += skip + length;
    }
    let ends = starts.iter().skip(1).map(|start| start.0).chain([text.len()]).collect::<Vec<_>>();
    starts
        .iter()
        .zip(ends)
        .map(|((start, label), end)| {
            let head = start + if *label == "Moving" { "Replicas:".len() } else { label.len() };
            (*label, text.get(head..end).unwrap_or_default().trim())
        })
        .collect()
}

/// Reads line after line.
#[derive(Default)]
pub(super) struct Reader {
    /// What the last line was, for lines that go on.
    last: Last,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    #[default]
    Other,
    Header,
    Row,
}

impl Reader {
    /// Reads one line into `topics`.
    pub(super) fn line(&mut self, text: &str, at: LineRef, topics: &mut Vec<TopicReading>) -> Verdict {
        let last = std::mem::take(&mut self.last);
        let trimmed = text.trim_start();
        if !trimmed.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Verdict::NotMine;
        }
        let labels = labels(trimmed);
        let has = |label| labels.iter().any(|(name, _)| *name == label);
        let verdict = match labels.first() {
            Some(("Topic:", name)) if has("PartitionCount:") => header(name, &labels, at, topics),
            Some(("Topic:", name)) if has("Partition:") => row(name, &labels, at, topics),
            // A line of a letter may begin so; inside an output, or with another label, it is one that was cut.
            Some(("Topic:", _)) if labels.len() > 1 || last != Last::Other => {
                Verdict::Odd("cut: neither a partition count nor a partition follows the name".to_owned())
            }
            Some(("Topic:", _)) => Verdict::NotMine,
            Some((label, _)) if last == Last::Header && *label != "Partition:" => go_on(&labels, at, topics),
            Some((label, _)) if last == Last::Row && *label != "Partition:" => row_goes_on(&labels, topics),
            Some(_) => Verdict::NotMine,
            None if last == Last::Header && is_list(trimmed) => settings(trimmed, at, topics),
            None => Verdict::NotMine,
        };
        self.last = match (&verdict, has("Partition:")) {
            (Verdict::NotMine | Verdict::Odd(_), _) => Last::Other,
            (_, true) => Last::Row,
            (_, false) if last == Last::Row => Last::Row,
            _ => Last::Header,
        };
        verdict
    }
}

fn value<'a>(labels: &[(&str, &'a str)], name: &str) -> Option<&'a str> {
    labels.iter().find(|(label, _)| *label == name).map(|(_, value)| *value)
}

fn header(name: &str, labels: &[(&str, &str)], at: LineRef, topics: &mut Vec<TopicReading>) -> Verdict {
    if !is_topic(name) {
        return Verdict::Odd(format!("{name:?} is not a name of a topic"));
    }
    let count = |label| value(labels, label).and_then(|text| text.parse::<u64>().ok());
    let Some(partitions) = count("PartitionCount:").filter(|count| (1..=1_000_000).contains(count)) else {
        return Verdict::Odd("the partition count is not a number".to_owned());
    };
    topics.push(TopicReading { at, name: name.to_owned(), partitions: Some(partitions), ..TopicReading::default() });
    go_on(labels, at, topics)
}

/// The labels of a topic's line, also where it goes on in a second one.
fn go_on(labels: &[(&str, &str)], at: LineRef, topics: &mut [TopicReading]) -> Verdict {
    let Some(topic) = topics.last_mut() else { return Verdict::NotMine };
    topic.topic_id = value(labels, "TopicId:").filter(|id| !id.is_empty()).map(str::to_owned).or(topic.topic_id.take());
    let factor =
        value(labels, "ReplicationFactor:").and_then(|text| text.parse().ok()).filter(|n| (1..=32_767).contains(n));
    topic.replication_factor = factor.or(topic.replication_factor);
    topic.marked_for_deletion |= value(labels, "MarkedForDeletion:") == Some("true");
    match value(labels, "Configs:") {
        Some(configs) => {
            topic.settings_complete = true;
            settings(configs, at, topics)
        }
        None if value(labels, "ReplicationFactor:").is_some() && factor.is_none() => {
            Verdict::ReadBut("the replication factor is not a number and was left out".to_owned())
        }
        None => Verdict::Read,
    }
}

/// `a=1,b=2`; values may hold commas (`compact,delete`), notes of the writer may follow (`<< changed`).
fn settings(list: &str, at: LineRef, topics: &mut [TopicReading]) -> Verdict {
    let Some(topic) = topics.last_mut() else { return Verdict::NotMine };
    let mut remark = None;
    let list = match list.split_once("<<") {
        Some((list, note)) => {
            remark = Some(format!("{:?} is a note of the writer, not a setting", note.trim()));
            list
        }
        None => list,
    };
    // A comma at the end: the list goes on, or is cut.
    let whole = list.trim_end().trim_end_matches(',');
    topic.settings_complete &= whole.len() == list.trim_end().len();
    for piece in pieces(whole.trim()) {
        match piece.split_once('=') {
            Some((key, value)) if is_key(key) => {
                let json = value.starts_with('{');
                let (value, rest) =
                    if json { (value, "") } else { value.split_once(char::is_whitespace).unwrap_or((value, "")) };
                if !rest.trim().is_empty() {
                    remark = Some(format!("{:?} after {key} was left out", rest.trim()));
                }
                topic.settings.push(Setting { key: key.to_owned(), value: value.to_owned(), at });
            }
            _ if piece.is_empty() => {}
            _ => {
                topic.settings_complete = false;
                remark = Some(format!("{piece:?} is cut or not a setting and was left out"));
            }
        }
    }
    remark.map_or(Verdict::Read, Verdict::ReadBut)
}

/// A key of Kafka: small letters, digits, points, hyphens or underscores.
pub(super) fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.len() <= 200
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// Divides at each comma after which a new key begins, outside of braces.
pub(super) fn pieces(list: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (i, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let rest = list.get(i + 1..).unwrap_or_default();
                let next = rest.split(',').next().unwrap_or_default();
                let key = next.split('=').next().unwrap_or_default();
                // A word with a point that the text ends in is a key that was cut off.
                let cut = next.len() == rest.len() && next.contains('.') && is_key(next);
                if (next.contains('=') && is_key(key.trim())) || cut {
                    pieces.push(list.get(start..i).unwrap_or_default().trim());
                    start = i + 1;
                }
            }
            _ => {}
        }
    }
    pieces.push(list.get(start..).unwrap_or_default().trim());
    pieces
}

/// Nothing but settings: the rest of a long line that a terminal or mail program broke.
fn is_list(text: &str) -> bool {
    !text.contains(" sensitive=")
        && !text.trim().contains(char::is_whitespace)
        && pieces(text.trim().trim_end_matches(',')).iter().all(|p| {
            p.split_once('=').is_some_and(|(key, _)| is_key(key) && (key.contains('.') || key == "preallocate"))
        })
}

fn brokers(list: &str) -> Option<Vec<u32>> {
    let list = list.trim_matches(['[', ']']);
    if list.is_empty() {
        return Some(Vec::new());
    }
    list.split([',', ' ']).filter(|id| !id.is_empty()).map(|id| id.parse().ok()).collect()
}

fn row(name: &str, labels: &[(&str, &str)], at: LineRef, topics: &mut Vec<TopicReading>) -> Verdict {
    if !is_topic(name) {
        return Verdict::Odd(format!("{name:?} is not a name of a topic"));
    }
    let Some(partition) = value(labels, "Partition:").and_then(|text| text.parse().ok()).filter(|p| *p < 1_000_000)
    else {
        return Verdict::Odd("the partition is not a number".to_owned());
    };
    let Some(replicas) = value(labels, "Replicas:").and_then(brokers).filter(|list| !list.is_empty()) else {
        return Verdict::Odd("cut: the replicas are missing".to_owned());
    };
    let leader = value(labels, "Leader:").and_then(|text| match text {
        "none" | "-1" => Some(None),
        id => id.parse().ok().map(Some),
    });
    let in_sync = value(labels, "Isr:").and_then(brokers);
    let row =
        PartitionRow { at, partition, leader, replicas, in_sync, eligible: value(labels, "Elr:").and_then(brokers) };
    let cut = row.in_sync.is_none();
    let same = topics.last_mut().filter(|topic| topic.name == name);
    let ascending = |topic: &TopicReading| topic.rows.last().is_none_or(|last| last.partition < partition);
    let first = |topic: &TopicReading| topic.rows.iter().all(|other| other.partition != partition);
    match same {
        Some(topic) if ascending(topic) || (topic.partitions.is_some() && first(topic)) => topic.rows.push(row),
        // Rows without a line of the topic above them: only what is behind was asked for.
        _ => topics.push(TopicReading { at, name: name.to_owned(), rows: vec![row], ..TopicReading::default() }),
    }
    if cut { Verdict::ReadBut("the brokers in sync are not on this line".to_owned()) } else { Verdict::Read }
}

fn row_goes_on(labels: &[(&str, &str)], topics: &mut [TopicReading]) -> Verdict {
    let Some(row) = topics.last_mut().and_then(|topic| topic.rows.last_mut()) else { return Verdict::NotMine };
    row.in_sync = row.in_sync.take().or_else(|| value(labels, "Isr:").and_then(brokers));
    row.eligible = row.eligible.take().or_else(|| value(labels, "Elr:").and_then(brokers));
    Verdict::Read
}
