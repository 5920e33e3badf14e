//! Text of several lines that says key and value: JSON, properties, YAML, each value with the line that it stands on.
//!
//! A reading for people who paste: a comma too few or too many, a cut end, a word of a log in between cost a line and not
//! the text. Bounds: [`MAX_DEPTH`] levels, [`MAX_ODD`] lines that cannot be read. Not here: which product the keys are of.

mod flat;
mod json;

pub(super) use flat::{Syntax, flat, pair};
pub(super) use json::{begins, json};

use super::lines::LineRef;

/// Deepest nesting that is read.
pub(super) const MAX_DEPTH: usize = 32;
/// Most lines that cannot be read before a text is taken for something else.
pub(super) const MAX_ODD: usize = 20;

/// One value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub at: LineRef,
    /// Which of the lines handed over it begins on.
    pub line: usize,
    pub is: Is,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Is {
    /// `null`, or nothing behind the key.
    Nothing,
    /// A text, a number, `true`: as written.
    Text(String),
    /// Values in order.
    List(Vec<Node>),
    /// Keys and values in order; a key may stand twice.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The value of a key of an object; the last where it stands twice.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members().iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Does the object hold all of these?
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.get(key).is_some())
    }

    /// The text of a key of an object.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// As it is written, where it is one value.
    pub fn as_text(&self) -> Option<&str> {
        if let Is::Text(text) = &self.is { Some(text) } else { None }
    }

    /// Keys and values of an object.
    pub fn members(&self) -> &[(String, Self)] {
        if let Is::Object(members) = &self.is { members } else { &[] }
    }

    /// The values of a list.
    pub fn items(&self) -> &[Self] {
        if let Is::List(items) = &self.is { items } else { &[] }
    }

    /// The value that these keys lead to, joined by points; where a key holds points itself, it stands whole.
    pub fn path(&self, path: &str) -> Option<&Self> {
        match (self.get(path), path.split_once('.')) {
            (Some(node), _) => Some(node),
            (None, Some((key, rest))) => self.get(key)?.path(rest),
            (None, None) => None,
        }
    }

    /// Each value below that is one text.
    pub fn leaves(&self, each: &mut dyn FnMut(&Self)) {
        match &self.is {
            Is::Nothing | Is::Text(_) => each(self),
            Is::List(items) => items.iter().for_each(|item| item.leaves(each)),
            Is::Object(members) => members.iter().for_each(|(_, value)| value.leaves(each)),
        }
    }
}

/// What became of a line of such a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It was read.
    Read,
    /// It was read, and something is to be said about it.
    But(String),
    /// It cannot be read, with the reason.
    Odd(String),
    /// It is no part of the text: a word of a log, an empty line.
    Beside,
}

/// A text of several lines, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub root: Node,
    /// What became of each of its lines, from the first.
    pub lines: Vec<Said>,
    /// Is it there to its end?
    pub whole: bool,
    /// What stands behind it on its last line.
    pub tail: String,
}
