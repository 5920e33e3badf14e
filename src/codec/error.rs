//! What was wrong with a document, and where.

use std::fmt::{self, Write as _};

/// Most problems that one refusal lists.
pub const MAX_PROBLEMS: usize = 20;

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where: `elements.orders.observed.e1.retention_time`, or `line 3, column 7` where the text is no JSON.
    pub path: String,
    /// What is wrong and what would be right.
    pub reason: String,
    /// The nearest legal name or word, where one is near.
    pub suggestion: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.reason)?;
        match &self.suggestion {
            Some(name) => write!(f, ". Did you mean {name}?"),
            None => Ok(()),
        }
    }
}

/// Why a document was refused as a whole: the first problem, and the further ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DecodeError {
    /// Where the first problem is.
    pub path: String,
    /// What is wrong there.
    pub reason: String,
    /// The nearest legal name or word there.
    pub suggestion: Option<String>,
    /// Further problems, in the order of the document; at most [`MAX_PROBLEMS`] in all.
    pub further: Vec<Problem>,
    /// How many more there are than are listed.
    pub unlisted: usize,
}

impl DecodeError {
    /// A refusal for one reason.
    pub(crate) fn one(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into(), suggestion: None, further: Vec::new(), unlisted: 0 }
    }

    /// All listed problems, the first one included.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let first =
            Problem { path: self.path.clone(), reason: self.reason.clone(), suggestion: self.suggestion.clone() };
        std::iter::once(first).chain(self.further.iter().cloned()).collect()
    }
}

impl fmt::Display for DecodeError {
    /// One message: the first problem, and how many more there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first =
            Problem { path: self.path.clone(), reason: self.reason.clone(), suggestion: self.suggestion.clone() };
        first.fmt(f)?;
        match self.further.len() + self.unlisted {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

/// The problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    unlisted: usize,
}

impl Problems {
    /// Notes one; beyond [`MAX_PROBLEMS`] only their number.
    pub(crate) fn push(&mut self, path: &Path<'_>, reason: impl Into<String>, suggestion: Option<String>) {
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(Problem { path: path.to_string(), reason: reason.into(), suggestion });
        } else {
            self.unlisted += 1;
        }
    }

    /// Will the next one be listed? Where not, looking for a near name is wasted work.
    pub(crate) fn has_room(&self) -> bool {
        self.list.len() < MAX_PROBLEMS
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len() + self.unlisted
    }

    /// The listed ones.
    pub(crate) fn into_list(self) -> Vec<Problem> {
        self.list
    }

    /// The refusal, where there is a problem.
    pub(crate) fn into_error(self) -> Option<DecodeError> {
        let mut list = self.list.into_iter();
        let Problem { path, reason, suggestion } = list.next()?;
        Some(DecodeError { path, reason, suggestion, further: list.collect(), unlisted: self.unlisted })
    }
}

/// What is wrong with a text that is no JSON, in words a person can act on.
#[must_use]
pub fn not_json(error: &serde_json::Error) -> String {
    let message = error.to_string();
    if error.is_eof() {
        "it ends before its last bracket is closed, so its end is missing; copy or save it again, whole".to_owned()
    } else if message.starts_with("recursion limit") {
        "its brackets are nested deeper than anything that is read here".to_owned()
    } else {
        message.split(" at line ").next().unwrap_or_default().to_owned()
    }
}

/// A place in the document, as a chain of keys on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    key: &'a str,
}

impl<'a> Path<'a> {
    /// The document itself.
    pub(crate) const ROOT: Path<'static> = Path { parent: None, key: "" };

    /// The place of `key` inside this one.
    pub(crate) const fn at<'b>(&'b self, key: &'b str) -> Path<'b> {
        Path { parent: Some(self), key }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent.filter(|parent| parent.parent.is_some()) {
            parent.fmt(f)?;
            f.write_str(".")?;
        }
        // A key comes from outside and may be any text: keep the path one short line.
        for c in self.key.chars().take(80) {
            // Signs that turn the direction of writing would turn the message around.
            let hidden = c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            f.write_char(if hidden { '?' } else { c })?;
        }
        if self.key.chars().nth(80).is_some() { f.write_str("…") } else { Ok(()) }
    }
}
