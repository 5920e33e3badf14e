//! What `kafka-log-dirs --describe` prints: one line of JSON with the size of every copy of every partition.
//!
//! Printed by `org.apache.kafka.tools.LogDirsCommand` (KIP-113). A copy that is being moved to another disk (`isFuture`) is
//! not whole. The line is read piece by piece, so that one that is cut gives what stands before the cut. Not here: which
//! of the copies leads, and rates, which need two readings.

use super::{Verdict, command::is_topic, lines::LineRef};
use crate::model::MAX_COUNT;

/// The size of one copy of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeReading {
    /// Where it stands.
    pub at: LineRef,
    /// Topic name.
    pub topic: String,
    /// Partition number.
    pub partition: u32,
    /// Bytes on disk.
    pub bytes: u64,
}

/// Reads one line into `sizes`.
pub(super) fn line(text: &str, at: LineRef, sizes: &mut Vec<SizeReading>) -> Verdict {
    let text = text.trim();
    if !text.starts_with('{') || !text.contains("\"logDirs\":") || !text.contains("\"brokers\":") {
        return Verdict::NotMine;
    }
    let before = sizes.len();
    let mut unread = 0;
    for piece in text.split("\"partition\":").skip(1) {
        match copy(piece, at) {
            Some(reading) if piece.contains("\"isFuture\":true") => drop(reading),
            Some(reading) => sizes.push(reading),
            None => unread += 1,
        }
    }
    if sizes.len() == before {
        return Verdict::Odd("no size of a partition stands in it".to_owned());
    }
    if unread > 0 {
        return Verdict::ReadBut(format!("{unread} of the sizes are cut or not readable and were left out"));
    }
    if text.contains("\"error\":\"") {
        return Verdict::ReadBut("a directory is in error: the sizes of what lies in it are missing".to_owned());
    }
    Verdict::Read
}

/// `"orders-0","size":123,"offsetLag":0,"isFuture":false},…`
fn copy(piece: &str, at: LineRef) -> Option<SizeReading> {
    let (name, rest) = piece.trim_start().strip_prefix('"')?.split_once('"')?;
    let (topic, partition) = name.rsplit_once('-').filter(|(topic, _)| is_topic(topic))?;
    let partition = partition.parse::<u32>().ok().filter(|n| *n < 1_000_000)?;
    let number = rest.split_once("\"size\":")?.1.trim_start();
    // A number at the very end may be half of one.
    let end = number.find(|c: char| !c.is_ascii_digit())?;
    let bytes = number.get(..end)?.parse::<u64>().ok().filter(|bytes| *bytes <= MAX_COUNT)?;
    Some(SizeReading { at, topic: topic.to_owned(), partition, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_read_up_to_a_cut() {
        let all = r#"{"version":1,"brokers":[{"broker":1,"logDirs":[{"partitions":[{"partition":"a.b-0","size":120,"offsetLag":0,"isFuture":false},{"partition":"a.b-0","size":7,"offsetLag":9,"isFuture":true}],"error":null,"logDir":"/d"}]},{"broker":2,"logDirs":[{"partitions":[{"partition":"a.b-1","size":90,"offsetLag":0,"isFuture":false}],"error":null,"logDir":"/d"}]}]}"#;
        let read = |text: &str| {
            let mut sizes = Vec::new();
            let verdict = line(text, LineRef::default(), &mut sizes);
            (verdict, sizes.into_iter().map(|s| (s.topic, s.partition, s.bytes)).collect::<Vec<_>>())
        };
        let (first, second) = (("a.b".to_owned(), 0, 120), ("a.b".to_owned(), 1, 90));
        assert_eq!(read(all), (Verdict::Read, vec![first.clone(), second.clone()]));
        let cut = all.split_once("90").unwrap().0;
        assert!(matches!(read(&format!("{cut}9")), (Verdict::ReadBut(_), sizes) if sizes == [first.clone()]));
        let broken = all.replacen("\"error\":null", "\"error\":\"KafkaStorageException\"", 1);
        assert!(matches!(read(&broken), (Verdict::ReadBut(says), _) if says.contains("in error")));
        assert!(matches!(read(&all.replace("size", "Size")).0, Verdict::Odd(_)));
        for text in ["{}", "{\"brokers\":[]}", "Querying brokers for log directories information"] {
            assert_eq!(read(text).0, Verdict::NotMine, "{text}");
        }
    }
}
