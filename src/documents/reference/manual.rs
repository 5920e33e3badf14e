//! The manual page of a rule: its doc comment.

use super::{bullets, heading, references, say};
use crate::{
    documents::blocks::{Block, Inline, Span, line},
    rules::{Rule, Severity},
};

/// The page.
pub(super) fn page(rule: &'static Rule) -> Vec<Block> {
    let weight = match rule.severity {
        Severity::Error => "An error. ",
        Severity::Warning => "A warning; an error where a financial or regulatory figure depends on it. ",
        Severity::Note => "A note; a warning where a financial or regulatory figure depends on it. ",
    };
    let speaks = super::document_of(rule.id);
    let mut blocks = vec![
        heading(1, format!("{}: {}", rule.id, rule.title)),
        say(line![weight, "It speaks in ", Span::Code(speaks.to_owned()), "."]),
    ];
    let mut paragraph = String::new();
    let mut items: Vec<Inline> = Vec::new();
    for text in rule.manual.lines().chain([""]).map(str::trim) {
        let item = text.strip_prefix("- ");
        if (text.is_empty() || item.is_some() || text.starts_with("# ")) && !paragraph.is_empty() {
            blocks.push(say(spans(&std::mem::take(&mut paragraph))));
        }
        if item.is_none() && !items.is_empty() {
            blocks.push(bullets(std::mem::take(&mut items)));
        }
        match (item, text.strip_prefix("# ")) {
            (Some(item), _) => items.push(spans(item)),
            (None, Some(title)) => blocks.push(heading(2, title)),
            (None, None) if text.is_empty() => {}
            (None, None) => {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(text);
            }
        }
    }
    references(rule.sources, &mut blocks);
    blocks
}

/// Words, with what stands between backticks as code.
fn spans(text: &str) -> Inline {
    let parts = text.split('`').enumerate().filter(|(_, part)| !part.is_empty());
    let span = |(at, part): (usize, &str)| {
        if at % 2 == 0 { Span::Text(part.to_owned()) } else { Span::Code(part.to_owned()) }
    };
    Inline(parts.map(span).collect())
}
