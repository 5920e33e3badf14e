//! The header of a table of `kafka-consumer-groups`: which table it is, and which columns it has in which order.

use crate::import::command::is_topic;
use crate::model::MAX_COUNT;

/// A column that a header can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Group,
    Topic,
    Partition,
    Committed,
    End,
    Lag,
    Epoch,
    Consumer,
    Instance,
    Host,
    Client,
    Partitions,
    Assignment,
    Coordinator,
    Strategy,
    State,
    Members,
    NewOffset,
}

const NAMES: [(&str, Column); 26] = [
    ("GROUP", Column::Group),
    ("TOPIC", Column::Topic),
    ("PARTITION", Column::Partition),
    ("PID", Column::Partition),
    ("CURRENT-OFFSET", Column::Committed),
    ("OFFSET", Column::Committed),
    ("LOG-END-OFFSET", Column::End),
    ("LOGSIZE", Column::End),
    ("LAG", Column::Lag),
    ("LEADER-EPOCH", Column::Epoch),
    ("CONSUMER-ID", Column::Consumer),
    ("OWNER", Column::Consumer),
    ("GROUP-INSTANCE-ID", Column::Instance),
    ("HOST", Column::Host),
    ("CLIENT-ID", Column::Client),
    ("#PARTITIONS", Column::Partitions),
    ("ASSIGNMENT", Column::Assignment),
    ("CURRENT-ASSIGNMENT", Column::Assignment),
    ("TARGET-ASSIGNMENT", Column::Assignment),
    ("COORDINATOR", Column::Coordinator),
    ("(ID)", Column::Coordinator),
    ("ASSIGNMENT-STRATEGY", Column::Strategy),
    ("STATE", Column::State),
    ("#MEMBERS", Column::Members),
    ("NEW-OFFSET", Column::NewOffset),
    ("SUBSCRIPTIONS", Column::Assignment),
];

/// What a table lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Offsets,
    Members,
    State,
    Reset,
}

/// The header of a table: what it lists, and its columns in order.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) table: Table,
    pub(super) columns: Vec<Column>,
}

impl Header {
    /// Does it name this column?
    pub(super) fn has(&self, column: Column) -> bool {
        self.columns.contains(&column)
    }

    /// Where the column stands.
    pub(super) fn index(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|other| *other == column)
    }
}

/// A header is a line of known column names only, with those that make one of the tables.
pub(super) fn header(text: &str) -> Option<Header> {
    if !text.contains("TOPIC")
        && !text.contains("CONSUMER-ID")
        && !text.contains("COORDINATOR")
        && !text.contains("logSize")
    {
        return None;
    }
    let text = text.replace("CURRENT OFFSET", "CURRENT-OFFSET").replace("LOG END OFFSET", "LOG-END-OFFSET");
    let mut columns: Vec<Column> = Vec::new();
    for token in text.split([' ', '\t', ',']).filter(|token| !token.is_empty()) {
        let name = token.to_ascii_uppercase();
        let column = match NAMES.iter().find(|(known, _)| *known == name) {
            Some((_, column)) => *column,
            None if name.ends_with("-EPOCH") => Column::Epoch,
            None => return None,
        };
        if columns.last() != Some(&column) || column == Column::Epoch {
            columns.push(column);
        }
    }
    let has = |needed: &[Column]| needed.iter().all(|column| columns.contains(column));
    let table = if has(&[Column::Topic, Column::Partition, Column::NewOffset]) {
        Table::Reset
    } else if has(&[Column::Topic, Column::Partition, Column::Committed, Column::End, Column::Lag]) {
        Table::Offsets
    } else if has(&[Column::Consumer, Column::Host, Column::Partitions]) {
        Table::Members
    } else if has(&[Column::Coordinator, Column::State, Column::Members]) {
        Table::State
    } else {
        return None;
    };
    Some(Header { table, columns })
}

/// The header that a row of an old version has not got, below a command that asks for groups: two names or one, then a
/// partition and three offsets that fit together.
pub(super) fn headless(tokens: &[&str]) -> Option<Header> {
    let fits = |before: &usize| {
        let run = tokens.get(*before..before + 4).unwrap_or_default();
        let number = |i: usize| run.get(i).and_then(|token| token.parse::<u64>().ok());
        let sums = match (number(1), number(2), number(3)) {
            (Some(committed), Some(end), Some(lag)) => lag == end.saturating_sub(committed),
            (None, _, None) => run.get(3) == Some(&"-"),
            _ => false,
        };
        let topic = tokens.get(before - 1).is_some_and(|topic| is_topic(topic) && !is_number(topic));
        run.len() == 4 && number(0).is_some() && run.iter().all(|token| is_number(token)) && sums && topic
    };
    let before = [2, 1].into_iter().find(fits)?;
    let names = if before == 2 { &[Column::Group, Column::Topic][..] } else { &[Column::Topic] };
    let rest = [Column::Partition, Column::Committed, Column::End, Column::Lag, Column::Consumer];
    Some(Header { table: Table::Offsets, columns: names.iter().chain(&rest).copied().collect() })
}

/// An offset or a lag as printed, `-` for none.
pub(super) fn is_number(token: &str) -> bool {
    token == "-"
        || token == "-1"
        || (token.bytes().all(|b| b.is_ascii_digit()) && token.parse::<u64>().is_ok_and(|n| n <= MAX_COUNT))
}
