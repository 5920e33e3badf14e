//! What `kafka-consumer-groups --describe` prints: offsets, members, state, in one table or many.
//!
//! Columns are found by their names in the header and rows are divided at blanks, because real pastes are misaligned and
//! ids outgrow their columns. Versions from 0.10.2 to 1.x print no GROUP column, 0.8 to 0.10 an OWNER, 4.x (`--verbose`,
//! KIP-1099) epochs. `-` is "nothing committed": the lag is unmeasured, never zero. A planned reset is no reading.
//! Printed by `kafka.admin.ConsumerGroupCommand`. Not here: what a group is in a design (`found`).

use super::{
    Verdict,
    command::{Command, Tool, is_topic},
    lines::LineRef,
};
use header::{Column, Header, Table, header, headless, is_number};

mod header;

/// One partition of a group as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetRow {
    /// Where it stands.
    pub at: LineRef,
    /// Topic name.
    pub topic: String,
    /// Partition number.
    pub partition: u32,
    /// CURRENT-OFFSET; nothing where it is `-`.
    pub committed: Option<u64>,
    /// LOG-START-OFFSET, which only `rpk` prints.
    pub start: Option<u64>,
    /// LOG-END-OFFSET; nothing where it is `-`.
    pub end: Option<u64>,
    /// LAG; nothing where it is `-` or -1.
    pub lag: Option<u64>,
}

/// What one output says of one group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupReading {
    /// Where it begins.
    pub at: LineRef,
    /// Its name; nothing where neither the table nor a line above says it.
    pub name: Option<String>,
    /// Its partitions.
    pub rows: Vec<OffsetRow>,
    /// Distinct consumer ids seen, with the partitions each holds where that was printed.
    pub consumers: Vec<(String, Option<u64>)>,
    /// The number of members that the output itself states.
    pub stated_members: Option<u64>,
    /// `Stable`, `Empty`, `PreparingRebalance` …
    pub state: Option<String>,
    /// The assignment strategy.
    pub strategy: Option<String>,
    /// Some member has a GROUP-INSTANCE-ID (static membership, KIP-345).
    pub static_members: bool,
    /// Client ids are those of Kafka Streams threads.
    pub streams: bool,
    /// It does not exist on this cluster.
    pub missing: bool,
    /// The table has a column for consumers, so that none in it means that nobody reads.
    pub shows_consumers: bool,
    /// Where the number of members is stated.
    pub stated_at: Option<LineRef>,
    /// Where each of `consumers` stands first.
    pub consumers_at: Vec<LineRef>,
    /// Where the strategy stands.
    pub strategy_at: Option<LineRef>,
    /// The first member that has a GROUP-INSTANCE-ID.
    pub static_at: Option<LineRef>,
}

impl GroupReading {
    /// The number of members: as stated, else as counted over a table that shows consumers.
    #[must_use]
    pub fn members(&self) -> Option<u64> {
        let counted = (!self.consumers.is_empty()).then_some(self.consumers.len() as u64);
        // Every row without a consumer: nobody reads.
        let nobody = (!self.rows.is_empty() && self.shows_consumers).then_some(0);
        self.stated_members.or(counted).or(nobody)
    }

    /// The lines that [`Self::members`] is read from: where it is stated, else those of the members, else the rows
    /// without one.
    #[must_use]
    pub fn members_at(&self) -> Vec<LineRef> {
        match (self.stated_at, self.consumers_at.as_slice()) {
            (Some(at), _) => vec![at],
            (None, []) => self.rows.iter().map(|row| row.at).collect(),
            (None, all) => all.to_vec(),
        }
    }

    /// One more member, with the partitions that it holds where that was printed.
    pub(super) fn consumer(&mut self, id: &str, held: Option<u64>, at: LineRef) {
        // A large group is printed member by member, so it is most often the last.
        if self.consumers.last().is_some_and(|(last, _)| last == id) && held.is_none() {
            return;
        }
        match self.consumers.iter_mut().find(|(other, _)| other == id) {
            Some(known) => known.1 = held.or(known.1),
            None => {
                self.consumers.push((id.to_owned(), held));
                self.consumers_at.push(at);
            }
        }
    }

    /// A member with a GROUP-INSTANCE-ID.
    pub(super) fn static_member(&mut self, at: LineRef) {
        self.static_members = true;
        self.static_at.get_or_insert(at);
    }

    /// The sum of the lags that were measured; nothing where none was.
    #[must_use]
    pub fn measured_lag(&self) -> Option<u64> {
        self.rows.iter().filter_map(|row| row.lag).reduce(u64::saturating_add)
    }
}

/// Reads line after line.
#[derive(Default)]
pub(super) struct Reader {
    header: Option<Header>,
    /// The group that the next table is about, where a line above said so.
    named: Option<String>,
    /// A row whose numbers are on the next line.
    broken: Option<String>,
    /// The last row lacks columns that may follow on the next line.
    short: bool,
    /// The first reading that the open table may fill.
    base: usize,
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
        let trimmed = text.trim();
        let short = std::mem::take(&mut self.short);
        if let Some(verdict) = self.warning(trimmed, at, groups) {
            return verdict;
        }
        if let Some(header) = header(trimmed) {
            self.broken = None;
            let reset = header.table == Table::Reset;
            // The line above the table opened its reading already.
            let opened = self.named.is_some()
                && groups.last().is_some_and(|group| group.name == self.named && group.rows.is_empty());
            self.base = groups.len() - usize::from(opened);
            self.header = Some(header);
            return if reset {
                Verdict::Idle("planned offsets of a reset: nothing was measured")
            } else {
                Verdict::Read
            };
        }
        let group =
            command.filter(|command| command.tool == Tool::ConsumerGroups).and_then(|command| command.option("group"));
        let named = self.named.clone().or_else(|| group.map(str::to_owned));
        let tokens: Vec<&str> = trimmed.split([' ', '\t', ',']).filter(|token| !token.is_empty()).collect();
        if self.header.is_none() {
            let asked = |command: &Command| command.tool == Tool::ConsumerGroups && command.has("describe");
            self.header = command.filter(|command| asked(command)).and_then(|_| headless(&tokens));
            self.base = groups.len();
        }
        let Some(header) = self.header.clone() else { return Verdict::NotMine };
        let joined = self.broken.take().map(|head| format!("{head} {trimmed}"));
        let all: Vec<&str> = joined.as_deref().map_or(tokens.clone(), |text| text.split_whitespace().collect());
        match header.table {
            Table::Reset => reset_row(&tokens),
            Table::Offsets => match offset_row(&header, &all, at) {
                Some(row) => {
                    self.short = all.len() < header.columns.len();
                    row.file(named, header.has(Column::Consumer), at, self.base, groups)
                }
                None if short && tokens.len() <= 2 && is_tail(&tokens) => Verdict::Read,
                None if joined.is_none() && is_head(&header, &tokens) => {
                    self.broken = Some(trimmed.to_owned());
                    Verdict::ReadBut("the row goes on in the next line or is cut".to_owned())
                }
                None => Verdict::NotMine,
            },
            Table::Members => member_row(&header, trimmed, &tokens, named, (at, self.base), groups),
            Table::State => state_row(&header, &tokens, named, (at, self.base), groups),
        }
    }

    /// `Consumer group 'x' has no active members.` and its like.
    fn warning(&mut self, text: &str, at: LineRef, groups: &mut Vec<GroupReading>) -> Option<Verdict> {
        if text.starts_with("Note: This will") {
            return Some(Verdict::Idle("a remark of the command"));
        }
        let (head, rest) = text.split_once("onsumer group ")?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '`' | '"'))?;
        let (name, says) = rest.get(1..)?.split_once([quote, '\''])?;
        if head.len() > 40 || name.is_empty() || name.len() > 255 {
            return None;
        }
        let mut group = GroupReading { at, name: Some(name.to_owned()), ..GroupReading::default() };
        let says = says.trim();
        if says.starts_with("has no active members") {
            (group.stated_members, group.stated_at) = (Some(0), Some(at));
        } else if says.contains("rebalancing") {
            group.state = Some("rebalancing".to_owned());
        } else if says.contains("does not exist") {
            group.missing = true;
        } else {
            return None;
        }
        self.header = None;
        self.named = Some(name.to_owned());
        groups.push(group);
        Some(Verdict::Read)
    }

    /// A blank line ends a table; the name said above a table outlives the one between.
    pub(super) fn blank(&mut self) {
        if self.header.is_some() {
            self.close();
        }
    }

    /// Another command or another output begins.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

/// A row with what stands left of its numbers.
struct ParsedRow<'a> {
    group: Option<String>,
    row: Option<OffsetRow>,
    consumer: Option<&'a str>,
    instance: bool,
    streams: bool,
}

/// Finds the run of numbers that the header announces; group and topic stand before it, the consumer after it.
fn offset_row<'a>(header: &Header, tokens: &[&'a str], at: LineRef) -> Option<ParsedRow<'a>> {
    let (first, last) = (header.index(Column::Partition)?, header.index(Column::Lag)?);
    let width = last.checked_sub(first)? + 1;
    let before = usize::from(header.has(Column::Group)) + 1;
    let is_run =
        |start: &usize| tokens.get(*start..start + width).is_some_and(|run| run.iter().all(|token| is_number(token)));
    let start = (before..tokens.len()).find(is_run)?;
    let cell = |column| header.index(column).and_then(|i| tokens.get(start + i.checked_sub(first)?).copied());
    let number = |column| cell(column).and_then(|token| token.parse::<u64>().ok());
    let topic = *tokens.get(start - 1)?;
    let group = (before == 2).then(|| tokens.get(..start - 1).unwrap_or_default().join(" "));
    let consumer = cell(Column::Consumer).filter(|id| *id != "-");
    let instance = cell(Column::Instance).is_some_and(|id| id != "-");
    let streams = tokens.get(start + width..).unwrap_or_default().iter().any(|token| token.contains("-StreamThread-"));
    let partition = number(Column::Partition).and_then(|n| u32::try_from(n).ok()).filter(|n| *n < 1_000_000);
    // A member without partitions has a row of its own, with "-" for the topic.
    let row = match partition {
        Some(partition) if is_topic(topic) => Some(OffsetRow {
            at,
            topic: topic.to_owned(),
            partition,
            committed: number(Column::Committed),
            start: None,
            end: number(Column::End),
            lag: number(Column::Lag),
        }),
        None if topic == "-" && consumer.is_some() => None,
        _ => return None,
    };
    Some(ParsedRow { group, row, consumer, instance, streams })
}

impl ParsedRow<'_> {
    fn file(
        self,
        named: Option<String>,
        shows_consumers: bool,
        at: LineRef,
        base: usize,
        groups: &mut Vec<GroupReading>,
    ) -> Verdict {
        let odd = self.row.as_ref().is_some_and(|row| match (row.committed, row.end, row.lag) {
            // A log end read before the commit gives a lag of 0 (the tool prints max(0, end - committed) or less).
            (Some(committed), Some(end), Some(lag)) => lag != end.saturating_sub(committed),
            _ => false,
        });
        let group = open(self.group.or(named), at, base, groups);
        group.shows_consumers |= shows_consumers;
        if let Some(id) = self.consumer {
            group.consumer(id, None, at);
        }
        if self.instance {
            group.static_member(at);
        }
        group.streams |= self.streams;
        group.rows.extend(self.row);
        if odd {
            Verdict::ReadBut("LAG is not LOG-END-OFFSET less CURRENT-OFFSET; kept as printed".to_owned())
        } else {
            Verdict::Read
        }
    }
}

/// The reading that rows of this group go to: the one being filled, or a new one.
fn open(name: Option<String>, at: LineRef, base: usize, groups: &mut Vec<GroupReading>) -> &mut GroupReading {
    let index = match groups.iter().rposition(|group| group.name == name) {
        Some(index) if index >= base => index,
        _ => {
            groups.push(GroupReading { at, name, ..GroupReading::default() });
            groups.len() - 1
        }
    };
    &mut groups[index]
}

/// Is this the left part of a row that was broken before its numbers?
fn is_head(header: &Header, tokens: &[&str]) -> bool {
    let before = usize::from(header.has(Column::Group)) + 1;
    tokens.len() == before
        && tokens.iter().all(|token| is_topic(token) && !is_number(token))
        && tokens.iter().any(|token| token.contains(['-', '_', '.']))
}

/// Is this the right part of a row: an address or a client?
fn is_tail(tokens: &[&str]) -> bool {
    tokens.iter().any(|token| token.starts_with('/')) || tokens.iter().all(|token| token.contains("consumer"))
}

fn reset_row(tokens: &[&str]) -> Verdict {
    match tokens.last() {
        Some(last) if tokens.len() >= 3 && is_number(last) => {
            Verdict::Idle("planned offset of a reset: nothing was measured")
        }
        _ => Verdict::NotMine,
    }
}

/// `[GROUP] CONSUMER-ID [GROUP-INSTANCE-ID] HOST CLIENT-ID #PARTITIONS [ASSIGNMENT …]`
fn member_row(
    header: &Header,
    text: &str,
    tokens: &[&str],
    named: Option<String>,
    (at, base): (LineRef, usize),
    groups: &mut Vec<GroupReading>,
) -> Verdict {
    let Some(host) = tokens.iter().position(|token| token.starts_with('/')) else { return Verdict::NotMine };
    let instance = usize::from(header.has(Column::Instance));
    let Some(consumer) = host.checked_sub(1 + instance).and_then(|i| tokens.get(i)) else { return Verdict::NotMine };
    let group = host.checked_sub(1 + instance).filter(|i| *i > 0 && header.has(Column::Group));
    let group = group.map(|end| tokens.get(..end).unwrap_or_default().join(" "));
    let Some(held) = text.split_whitespace().skip(host + 1).find_map(|token| token.parse::<u64>().ok()) else {
        return Verdict::Odd("cut: the number of partitions is missing".to_owned());
    };
    let is_static = instance == 1 && tokens.get(host - 1).is_some_and(|id| *id != "-");
    let group = open(group.or(named), at, base, groups);
    if is_static {
        group.static_member(at);
    }
    group.streams |= consumer.contains("-StreamThread-");
    group.consumer(consumer, Some(held), at);
    Verdict::Read
}

/// `[GROUP] COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE [epochs] #MEMBERS`, read from the right: the strategy may be blank.
fn state_row(
    header: &Header,
    tokens: &[&str],
    named: Option<String>,
    (at, base): (LineRef, usize),
    groups: &mut Vec<GroupReading>,
) -> Verdict {
    let Some(members) = tokens.last().filter(|token| is_number(token)).and_then(|token| token.parse::<u64>().ok())
    else {
        return Verdict::NotMine;
    };
    let Some(id) = tokens.iter().position(|token| token.starts_with('(') && token.ends_with(')')) else {
        return Verdict::NotMine;
    };
    let Some(coordinator) = id.checked_sub(1) else { return Verdict::NotMine };
    let words: Vec<&str> = tokens
        .get(id + 1..tokens.len() - 1)
        .unwrap_or_default()
        .iter()
        .copied()
        .filter(|word| !is_number(word))
        .collect();
    let name =
        (header.has(Column::Group) && coordinator > 0).then(|| tokens.get(..coordinator).unwrap_or_default().join(" "));
    let group = open(name.or(named), at, base, groups);
    (group.stated_members, group.stated_at) = (Some(members), Some(at));
    group.state = words.last().map(|word| (*word).to_owned());
    group.strategy = words.len().checked_sub(2).and_then(|i| words.get(i)).map(|word| (*word).to_owned());
    group.strategy_at = group.strategy.as_ref().map(|_| at);
    Verdict::Read
}
