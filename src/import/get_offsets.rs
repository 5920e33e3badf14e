//! What `kafka-get-offsets` (before 3.x `GetOffsetShell`) prints: `topic:partition:offset`, one a line.
//!
//! The lines do not say whether they are the ends or the starts of the log; the command does (`--time -1` or nothing:
//! ends, `-2`: starts). Without the command they are not used. Not here: offsets of a time stamp, which are neither.

use super::{
    Verdict,
    command::{Command, Tool, is_topic},
    lines::LineRef,
};
use crate::model::MAX_COUNT;

/// Which end of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The offset that the next record gets.
    End,
    /// The offset of the oldest record kept.
    Start,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetReading {
    /// Where it stands.
    pub at: LineRef,
    /// Topic name.
    pub topic: String,
    /// Partition number.
    pub partition: u32,
    /// Which end of the log.
    pub which: Which,
    /// The offset.
    pub offset: u64,
}

/// `topic:partition:offset`; a time of day is not one.
fn parse(text: &str) -> Option<(&str, u32, u64)> {
    let (rest, offset) = text.rsplit_once(':')?;
    let (topic, partition) = rest.rsplit_once(':')?;
    let digits = |t: &str| !t.is_empty() && t.len() <= 20 && t.bytes().all(|b| b.is_ascii_digit());
    if !is_topic(topic) || !digits(partition) || !digits(offset) || topic.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((topic, partition.parse().ok().filter(|n| *n < 1_000_000)?, offset.parse().ok()?))
}

/// Reads one line into `offsets`.
pub(super) fn line(text: &str, at: LineRef, command: Option<&Command>, offsets: &mut Vec<OffsetReading>) -> Verdict {
    let Some((topic, partition, offset)) = parse(text.trim()) else { return Verdict::NotMine };
    let Some(command) = command.filter(|command| command.tool == Tool::Offsets) else {
        let reason = "nothing says whether this is the start or the end of the log: paste the command with it";
        return Verdict::Odd(reason.to_owned());
    };
    if offset > MAX_COUNT {
        return Verdict::Odd(format!("the offset is above {MAX_COUNT}, the largest that a design holds"));
    }
    let which = match command.option("time").or_else(|| command.option("offsets")) {
        None | Some("-1" | "latest") => Which::End,
        Some("-2" | "earliest") => Which::Start,
        Some(_) => return Verdict::Idle("offsets of a time stamp are neither the start nor the end of the log"),
    };
    offsets.push(OffsetReading { at, topic: topic.to_owned(), partition, which, offset });
    Verdict::Read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::command;

    #[test]
    fn the_command_says_which_end() {
        let mut offsets = Vec::new();
        let at = LineRef::default();
        let starts = command::begin("kafka-run-class.sh kafka.tools.GetOffsetShell --topic a.b --time -2").unwrap();
        let ends = command::begin("kafka-get-offsets.sh --topic a.b").unwrap();
        assert_eq!(line("a.b:0:17", at, Some(&starts), &mut offsets), Verdict::Read);
        assert_eq!(line("a.b:0:40", at, Some(&ends), &mut offsets), Verdict::Read);
        assert!(matches!(line("a.b:0:40", at, None, &mut offsets), Verdict::Odd(_)));
        assert_eq!(line("12:30:45", at, Some(&ends), &mut offsets), Verdict::NotMine);
        let read: Vec<_> = offsets.iter().map(|o| (o.which, o.partition, o.offset)).collect();
        assert_eq!(read, [(Which::Start, 0, 17), (Which::End, 0, 40)]);
    }
}
