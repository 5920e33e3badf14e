//! The export check of words: a claim of delivery, order or completeness needs its mechanism and hop beside it.
//!
//! Only what this desk writes is checked; names and keys of the design are set as such and are not claims.

use super::blocks::{Block, Inline, Span};

/// Words that promise more than any single setting holds.
const BARE: [&str; 9] = [
    "exactly once",
    "exactly-once",
    "guaranteed",
    "guarantees",
    "lossless",
    "no data loss",
    "reliable",
    "reliably",
    "real-time",
];

/// Lines that use such a word without two named points to hold between; empty: the document passes.
#[must_use]
pub fn unfounded(blocks: &[Block]) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |line: &Inline| {
        let text = own_words(line).to_lowercase();
        let bare = BARE.iter().any(|word| text.contains(word)) || word(&text, "ordered");
        // Between two named points of one atomic scope the first of them may stand.
        if bare && !(text.contains("once") && text.contains("between")) {
            found.push(line.plain());
        }
    };
    for block in blocks {
        match block {
            Block::Heading { text, .. } | Block::Paragraph(text) | Block::Status { detail: text, .. } => check(text),
            Block::Table { head, rows } => head.iter().chain(rows.iter().flatten()).for_each(&mut check),
            Block::List { items, .. } => items.iter().for_each(&mut check),
            Block::Code { .. } | Block::Figure { .. } => {}
        }
    }
    found
}

fn own_words(line: &Inline) -> String {
    let words = line.0.iter().map(|span| match span {
        Span::Text(text) | Span::Strong(text) | Span::Absent(text) => text.as_str(),
        Span::Value { .. } | Span::Code(_) | Span::Subject { .. } | Span::Finding(_) => " ",
    });
    words.collect()
}

fn word(text: &str, wanted: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::blocks::line;

    #[test]
    fn bare_promises_are_found_and_scoped_ones_pass() {
        let check = |text: &str| unfounded(&[Block::Paragraph(line![text])]).len();
        assert_eq!(check("Delivered exactly once."), 1);
        assert_eq!(check("The stream is ordered."), 1);
        assert_eq!(check("Lossless."), 1);
        assert_eq!(check("Once between orders and revenue_5m, exactly once for readers that wait for the commit."), 0);
        assert_eq!(check("At least once, and repeats show."), 0);
        assert_eq!(check("Records are reordered."), 0);
        let code = Block::Paragraph(line!["Set to ", Span::Code("exactly_once".into()), "."]);
        assert!(unfounded(&[code]).is_empty());
    }
}
