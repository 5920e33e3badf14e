//! What `rpk group describe` prints: a summary of the group, a blank line, and its partitions with their members.
//!
//! A partition in which nothing is committed has `-` for its offset and all records of the log for its lag: where the group
//! will begin there is not known, so its lag is unmeasured. A partition without records has `-` for its lag. Printed by
//! `src/go/rpk/pkg/cli/group/describe.go` of Redpanda. Not here: sums of lag by topic (`--print-lag-per-topic`), and what a
//! group is in a design (`found`).

use super::{
    GroupReading, OffsetRow, Verdict,
    command::{Command, Tool, is_topic},
    lines::LineRef,
};
use crate::model::MAX_COUNT;

/// What the lines are part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Outside,
    Summary,
    /// The partitions, with a column for instance ids or without, and one for errors.
    Rows {
        instance: bool,
        error: bool,
    },
    Sums,
}

/// Reads line after line.
#[derive(Default)]
pub(super) struct Reader {
    part: Part,
    /// A line that may begin a summary, where no command says so: its group, and where it stands.
    begun: Option<(String, LineRef)>,
    /// A group is open that a table belongs to.
    open: bool,
}

impl Reader {
    /// Reads one line into `groups`.
    pub(super) fn line(
        &mut self,
        text: &str,
        at: LineRef,
        command: Option<&Command>,
        groups: &mut Vec<GroupReading>,
    ) -> Verdict {
        let asked = command.is_some_and(|command| command.tool == Tool::RpkGroups);
        let words: Vec<&str> = text.split_whitespace().collect();
        let begun = self.begun.take();
        if let ["GROUP", name, ..] = words.as_slice()
            && !matches!(*name, "TOPIC" | "CONSUMER-ID" | "COORDINATOR")
        {
            let name = text.trim().strip_prefix("GROUP").unwrap_or_default().trim().to_owned();
            if name.len() > 255 {
                return Verdict::Odd("what follows GROUP is too long for the name of a group".to_owned());
            }
            if asked {
                self.begin(name, at, groups);
                return Verdict::Read;
            }
            self.begun = Some((name, at));
            return Verdict::NotMine;
        }
        if let (Some((name, at)), Some(&("COORDINATOR" | "COORDINATOR-NODE"))) = (begun, words.first()) {
            self.begin(name, at, groups);
        }
        if let Some(verdict) = self.table(&words, at, command.filter(|_| asked), groups) {
            return verdict;
        }
        match self.part {
            Part::Summary => summary(&words, at, groups),
            Part::Rows { instance, error } => row(&words, at, (instance, error), groups),
            Part::Sums => {
                Verdict::Idle("the lag of a topic in one sum; without --print-lag-per-topic it is read by partition")
            }
            Part::Outside => Verdict::NotMine,
        }
    }

    fn begin(&mut self, name: String, at: LineRef, groups: &mut Vec<GroupReading>) {
        groups.push(GroupReading { at, name: Some(name), shows_consumers: true, ..GroupReading::default() });
        (self.part, self.open) = (Part::Summary, true);
    }

    /// The head of a table.
    fn table(
        &mut self,
        words: &[&str],
        at: LineRef,
        command: Option<&Command>,
        groups: &mut Vec<GroupReading>,
    ) -> Option<Verdict> {
        match words {
            ["TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-START-OFFSET", "LOG-END-OFFSET", "LAG", rest @ ..] => {
                let has = |name: &str| rest.contains(&name);
                self.part = Part::Rows { instance: has("INSTANCE-ID"), error: has("ERROR") };
                if !std::mem::replace(&mut self.open, true) {
                    // Only the table was asked for: the command says whose it is, or nothing does.
                    let name = command.and_then(Command::group).map(str::to_owned);
                    groups.push(GroupReading { at, name, shows_consumers: true, ..GroupReading::default() });
                }
                Some(Verdict::Read)
            }
            ["TOPIC", "LAG"] if self.open => {
                self.part = Part::Sums;
                Some(Verdict::Idle("the lag of a topic in one sum"))
            }
            _ => None,
        }
    }

    /// A blank line ends the summary or the table; the table of a group stands behind one.
    pub(super) fn blank(&mut self) {
        self.open &= self.part == Part::Summary;
        (self.part, self.begun) = (Part::Outside, None);
    }

    /// Another command or another output begins.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

/// A line of the summary behind the group's name.
fn summary(words: &[&str], at: LineRef, groups: &mut [GroupReading]) -> Verdict {
    let Some(group) = groups.last_mut() else { return Verdict::NotMine };
    match words {
        ["STATE", state] => {
            // What a cluster answers of a group that it does not know (Kafka's protocol, DescribeGroups).
            group.missing = *state == "Dead";
            group.state = Some((*state).to_owned());
        }
        ["BALANCER", strategy] => (group.strategy, group.strategy_at) = (Some((*strategy).to_owned()), Some(at)),
        ["MEMBERS", n] => match n.parse::<u64>().ok().filter(|n| *n <= MAX_COUNT) {
            Some(n) => (group.stated_members, group.stated_at) = (Some(n), Some(at)),
            None => return Verdict::Odd(format!("{n:?} is no number of members")),
        },
        ["ERROR", error @ ..] => return Verdict::ReadBut(format!("the cluster answered: {}", error.join(" "))),
        ["COORDINATOR" | "COORDINATOR-NODE" | "COORDINATOR-PARTITION" | "TOTAL-LAG", _] | ["BALANCER"] => {}
        ["STATE" | "MEMBERS" | "TOTAL-LAG"] => return Verdict::Odd("cut: the value is missing".to_owned()),
        _ => return Verdict::NotMine,
    }
    Verdict::Read
}

/// `orders 0 5 0 7 2 c-1-… c-1 10.0.0.1`, without the last where nobody reads the partition.
fn row(words: &[&str], at: LineRef, (instance, error): (bool, bool), groups: &mut [GroupReading]) -> Verdict {
    let Some(group) = groups.last_mut() else { return Verdict::NotMine };
    let Some(topic) = words.first().filter(|topic| is_topic(topic)) else { return Verdict::NotMine };
    let [_, partition, committed, start, end, lag, tail @ ..] = words else {
        return Verdict::Odd("cut: not all offsets are on this line".to_owned());
    };
    let printed = |word: &str| word == "-" || word.parse::<i64>().is_ok_and(|n| n.unsigned_abs() <= MAX_COUNT);
    let Some(partition) = partition.parse::<u32>().ok().filter(|n| *n < 1_000_000) else {
        return Verdict::Odd("the partition is not a number".to_owned());
    };
    if ![committed, start, end, lag].into_iter().all(|word| printed(word)) {
        return Verdict::Odd("an offset or the lag is not a number".to_owned());
    }
    let number = |word: &str| word.parse::<u64>().ok();
    let (committed, end) = (number(committed), number(end));
    let lag = match (committed, end, number(lag)) {
        (None, ..) => None,
        (Some(0), Some(0), None) => Some(0),
        (_, _, lag) => lag,
    };
    group.missing = false;
    group.rows.push(OffsetRow { at, topic: (*topic).to_owned(), partition, committed, start: number(start), end, lag });
    // Member, client and host; an instance id only where the member has one. With a column of errors nothing tells a
    // member from the words of an error.
    group.shows_consumers &= !error;
    group.streams |= tail.iter().any(|word| word.contains("-StreamThread-"));
    if let [member, rest @ ..] = tail
        && !error
    {
        group.consumer(member, None, at);
        if instance && rest.len() > 2 {
            group.static_member(at);
        }
    }
    match (committed, end, lag) {
        (Some(_), _, None) => Verdict::ReadBut("the cluster gave no lag of this partition".to_owned()),
        (Some(committed), Some(end), Some(lag)) if lag != end.saturating_sub(committed) => {
            Verdict::ReadBut("LAG is not LOG-END-OFFSET less CURRENT-OFFSET; kept as printed".to_owned())
        }
        _ => Verdict::Read,
    }
}
