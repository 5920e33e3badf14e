//! All differences of one consumer in one sentence.

use super::{
    Presence,
    entry::{Direction, Entry, Topic, What},
};
use crate::model::{Design, Id, counted};

/// `Revenue board: 3 gains (loss, findings), 1 cost (state) and 1 halt to be lifted first.`
pub(super) fn summary(design: &Design, id: &Id, presence: Presence, entries: &[Entry]) -> String {
    let name = design.title(id);
    let halts = |direction| {
        entries.iter().filter(|entry| entry.what.topic() == Topic::Halts && entry.direction == direction).count()
    };
    let mut parts = Vec::new();
    for (direction, one) in [
        (Direction::Better, "gain"),
        (Direction::Worse, "cost"),
        (Direction::UnknownAfter, "point no longer known"),
        (Direction::UnknownBefore, "point not known today"),
        (Direction::Incomparable, "point that cannot be compared"),
        (Direction::Different, "other difference"),
    ] {
        let mine: Vec<&Entry> =
            entries.iter().filter(|e| e.direction == direction && !matches!(e.what, What::Halt(..))).collect();
        if !mine.is_empty() {
            parts.push(format!("{} ({})", several(mine.len(), one), topics(&mine)));
        }
    }
    let raised = halts(Direction::Worse);
    if raised > 0 {
        parts.push(format!("{} raised", counted(raised, "halt")));
    }
    let lifted = halts(Direction::Better);
    if lifted > 0 {
        parts.push(format!("{} lifted", counted(lifted, "halt")));
    }
    let said = match parts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    match (presence, said.is_empty()) {
        (Presence::Both, true) => format!("{name}: nothing that is proposed changes what is delivered."),
        (Presence::Both, false) => format!("{name}: {said}."),
        (Presence::Added, true) => format!("{name} is new: there is nothing to compare with."),
        (Presence::Added, false) => format!("{name} is new, with {said}."),
        (Presence::Removed, true) => format!("{name} is removed."),
        (Presence::Removed, false) => format!("{name} is removed, with {said}."),
    }
}

/// `1 gain`, `2 gains`, `2 points no longer known`.
fn several(count: usize, one: &str) -> String {
    match one.split_once(' ') {
        Some((noun @ "point", rest)) => format!("{} {rest}", counted(count, noun)),
        Some((first, noun)) => format!("{count} {first} {noun}{}", if count == 1 { "" } else { "s" }),
        None => counted(count, one),
    }
}

/// The topics, each once.
fn topics(entries: &[&Entry]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for entry in entries {
        let word = entry.what.topic().word();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(", ")
}
