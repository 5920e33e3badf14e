//! The block tree of a document: small enough to be rendered in a few lines, as Markdown and on screen.
//!
//! Not here: how a block looks (`markdown`, the shell), and what a document says (one file a document).

use crate::{
    analysis::explain::Explained,
    model::{Basis, Field, Id},
};
use std::sync::Arc;

/// One block of a document, from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading; level 1 is the title of the document.
    Heading {
        /// 1 to 4.
        level: u8,
        /// Its words.
        text: Inline,
    },
    /// The line that says how far the document is.
    Status {
        /// `complete`, `unfinished: 2 gaps`, `halted: missing approval`.
        status: String,
        /// What is missing or halted, in a sentence; empty where nothing is.
        detail: Inline,
    },
    /// A paragraph.
    Paragraph(Inline),
    /// A table; every row has as many cells as the head.
    Table {
        /// Column headings.
        head: Vec<Inline>,
        /// Rows of cells.
        rows: Vec<Vec<Inline>>,
    },
    /// A list.
    List {
        /// Numbered from one, or with bullets.
        ordered: bool,
        /// Its items.
        items: Vec<Inline>,
    },
    /// Text to be copied as it stands.
    Code {
        /// `mermaid`, `text`, `sh`.
        language: &'static str,
        /// The lines.
        text: String,
    },
    /// A picture that stands in the bundle beside the document.
    Figure {
        /// File name in the bundle: `diagram.svg`.
        file: &'static str,
        /// What it shows, for those who do not see it.
        alternative: String,
        /// The picture itself.
        svg: Arc<str>,
    },
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Span {
    /// Plain words.
    Text(String),
    /// Words that matter most.
    Strong(String),
    /// A key, a column, a command.
    Code(String),
    /// A value with its basis, so that nobody takes an assumption for a reading.
    Value {
        /// As printed.
        text: String,
        /// Is it a word of a product, to be set like code?
        code: bool,
        /// How well it is founded; `None` for a constant.
        basis: Option<Basis>,
        /// Its number in the appendix, for computed figures.
        number: Option<usize>,
        /// Its explanation, for computed figures.
        explained: Option<Arc<Explained>>,
        /// The setting that it is the value of, where it is one: where it was read, and what else was.
        setting: Option<(Id, Field)>,
    },
    /// What nobody read, measured or stated.
    Absent(String),
    /// An element or link by its name.
    Subject {
        /// Which.
        id: Id,
        /// As people call it.
        title: String,
    },
    /// A finding by the id of its rule.
    Finding(&'static str),
}

impl Span {
    /// A value with the setting that it is the value of.
    #[must_use]
    pub fn of_setting(mut self, id: &Id, field: Field) -> Self {
        if let Self::Value { setting, .. } = &mut self {
            *setting = Some((id.clone(), field));
        }
        self
    }
}

/// A line of spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inline(pub Vec<Span>);

impl Inline {
    /// Adds words, a span or another line.
    pub fn push(&mut self, part: impl Into<Self>) {
        self.0.extend(part.into().0);
    }

    /// Does a value stand in it, and not only that none is known?
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.0.iter().any(|span| matches!(span, Span::Value { .. }))
    }

    /// Is there nothing to print?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bare words, without marks: for tooltips, search and checks.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for span in &self.0 {
            match span {
                Span::Text(text) | Span::Strong(text) | Span::Code(text) | Span::Absent(text) => out.push_str(text),
                Span::Value { text, basis, .. } => {
                    out.push_str(text);
                    if let Some(basis) = basis {
                        out.push_str(&format!(" ({basis})"));
                    }
                }
                Span::Subject { title, .. } => out.push_str(title),
                Span::Finding(rule) => out.push_str(rule),
            }
        }
        out
    }
}

impl From<Span> for Inline {
    fn from(span: Span) -> Self {
        Self(vec![span])
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        if text.is_empty() { Self::default() } else { Span::Text(text.to_owned()).into() }
    }
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&Self> for Inline {
    fn from(line: &Self) -> Self {
        line.clone()
    }
}

/// Joins lines with words between them.
#[must_use]
pub fn join(lines: impl IntoIterator<Item = Inline>, between: &str) -> Inline {
    let mut out = Inline::default();
    for line in lines {
        if !out.is_empty() {
            out.push(between);
        }
        out.push(line);
    }
    out
}

/// A line of parts: words, spans and other lines, one after the other.
macro_rules! line {
    ($($part:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut line = $crate::documents::blocks::Inline::default();
        $(line.push($part);)*
        line
    }};
}
pub(crate) use line;
