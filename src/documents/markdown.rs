//! A block tree as Markdown (CommonMark with GitHub's tables). Names come from other people's systems: whatever they
//! hold, they cannot start a heading, a list, a link, HTML or another table cell.

use super::blocks::{Block, Inline, Span};
use crate::model::units::human::unbroken;

/// Where a line stands, which decides what has to be escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Flow,
    Heading,
    Cell,
}

/// The whole document, ending in one line break.
#[must_use]
pub fn render(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        match block {
            Block::Heading { level, text } => {
                let level = usize::from((*level).clamp(1, 6));
                out.push_str(&format!("{} {}\n", "#".repeat(level), inline(text, Place::Heading)));
            }
            Block::Status { status, detail } => {
                out.push_str(&format!("**Status: {}.**", escape(status, Place::Flow)));
                if !detail.is_empty() {
                    out.push_str(&format!(" {}", inline(detail, Place::Flow)));
                }
                out.push('\n');
            }
            Block::Paragraph(text) => out.push_str(&format!("{}\n", start(&inline(text, Place::Flow)))),
            Block::Table { head, rows } => table(&mut out, head, rows),
            Block::List { ordered, items } => {
                for (i, item) in items.iter().enumerate() {
                    let mark = if *ordered { format!("{}.", i + 1) } else { "-".to_owned() };
                    out.push_str(&format!("{mark} {}\n", start(&inline(item, Place::Flow))));
                }
            }
            Block::Code { language, text } => code_block(&mut out, language, text),
            Block::Figure { file, alternative, .. } => {
                out.push_str(&format!("![{}]({file})\n", escape(alternative, Place::Flow)));
            }
        }
    }
    out
}

fn table(out: &mut String, head: &[Inline], rows: &[Vec<Inline>]) {
    let row = |cells: &[Inline]| {
        let mut line = String::from("|");
        for i in 0..head.len() {
            let cell = cells.get(i).map(|cell| inline(cell, Place::Cell)).unwrap_or_default();
            line.push_str(&format!(" {cell} |"));
        }
        line.push('\n');
        line
    };
    out.push_str(&row(head));
    out.push('|');
    out.push_str(&" --- |".repeat(head.len()));
    out.push('\n');
    for cells in rows {
        out.push_str(&row(cells));
    }
}

/// A fence longer than any run of backticks inside.
fn code_block(out: &mut String, language: &str, text: &str) {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    out.push_str(&format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n')));
}

fn longest_run(text: &str, of: char) -> usize {
    text.chars()
        .fold((0usize, 0usize), |(longest, run), c| {
            let run = if c == of { run + 1 } else { 0 };
            (longest.max(run), run)
        })
        .0
}

fn inline(line: &Inline, place: Place) -> String {
    let mut out = String::new();
    for span in &line.0 {
        match span {
            Span::Text(text) | Span::Absent(text) => out.push_str(&escape(&unbroken(text), place)),
            Span::Strong(text) => {
                let text = clean(text);
                let (before, core, after) = trimmed(&text);
                if core.is_empty() {
                    out.push_str(before);
                } else {
                    out.push_str(&format!("{before}**{}**{after}", escape(&unbroken(core), place)));
                }
            }
            Span::Code(text) => out.push_str(&code(text, place)),
            Span::Value { text, code: is_code, basis, number, .. } => {
                out.push_str(&if *is_code { code(text, place) } else { escape(&unbroken(text), place) });
                match (basis, number) {
                    (Some(basis), Some(number)) => out.push_str(&format!(" ({basis}, N{number})")),
                    (Some(basis), None) => out.push_str(&format!(" ({basis})")),
                    (None, Some(number)) => out.push_str(&format!(" (N{number})")),
                    (None, None) => {}
                }
            }
            // A name inside a sentence stands out; in a cell or a heading it stands alone.
            Span::Subject { title, .. } if place == Place::Flow => out.push_str(&code(title, place)),
            Span::Subject { title, .. } => out.push_str(&escape(title, place)),
            Span::Finding(rule) => out.push_str(&code(rule, place)),
        }
    }
    // No line may end in a backslash or spaces that would mean a break.
    out.trim_end().to_owned()
}

fn trimmed(text: &str) -> (&str, &str, &str) {
    let core = text.trim();
    let start = text.len() - text.trim_start().len();
    (&text[..start], core, &text[(start + core.len()).min(text.len())..])
}

/// Code as it is: a fence longer than any inside. Where a cell would break at a bar, plain text with the bar as entity.
fn code(text: &str, place: Place) -> String {
    let text = clean(text);
    if text.trim().is_empty() {
        return String::new();
    }
    if place == Place::Cell && text.contains('|') {
        return escape(&text, place);
    }
    let fence = "`".repeat(longest_run(&text, '`') + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') || (text.starts_with(' ') && text.ends_with(' ')) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// One line of printable characters: control characters and marks that turn the writing direction are taken out.
#[must_use]
pub fn clean(text: &str) -> String {
    let direction = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    text.chars()
        .filter_map(|c| match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' | '\u{85}' => Some(' '),
            c if c.is_control() || direction(c) => None,
            c => Some(c),
        })
        .collect()
}

fn escape(text: &str, place: Place) -> String {
    let text = clean(text);
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let letter = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| c.is_alphanumeric());
    for (i, c) in chars.iter().enumerate() {
        match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '$' | '#' => out.extend(['\\', *c]),
            // Inside a word an underscore is only an underscore.
            '_' if !(letter(i.checked_sub(1)) && letter(Some(i + 1))) => out.push_str("\\_"),
            '|' if place == Place::Cell => out.push_str("&#124;"),
            '|' => out.push_str("\\|"),
            // No address becomes a link by itself.
            ':' if chars.get(i + 1) == Some(&'/') => out.push_str("\\:"),
            '.' if i >= 3 && chars[i - 3..i].iter().collect::<String>().eq_ignore_ascii_case("www") => {
                out.push_str("\\.")
            }
            c => out.push(*c),
        }
    }
    out
}

/// Takes the meaning from whatever could start a list, a heading line or a rule at the start of a paragraph.
fn start(line: &str) -> String {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && matches!(line.as_bytes().get(digits), Some(b'.' | b')')) {
        return format!("{}\\{}", &line[..digits], &line[digits..]);
    }
    match line.as_bytes().first() {
        Some(b'-' | b'+' | b'=' | b':') => format!("\\{line}"),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::blocks::line, *};
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    fn shape(markdown: &str) -> (usize, usize, usize, usize, String) {
        let (mut heads, mut cells, mut lists, mut foreign, mut words) = (0, 0, 0, 0, String::new());
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Start(Tag::Heading { .. }) => heads += 1,
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(Tag::Item) => lists += 1,
                Event::Start(
                    Tag::HtmlBlock
                    | Tag::Link { .. }
                    | Tag::Image { .. }
                    | Tag::BlockQuote(_)
                    | Tag::CodeBlock(_)
                    | Tag::Emphasis
                    | Tag::Strikethrough,
                )
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::Rule
                | Event::HardBreak => foreign += 1,
                Event::Text(text) | Event::Code(text) => words.push_str(&text),
                _ => {}
            }
        }
        (heads, cells, lists, foreign, words)
    }

    fn document(name: &str) -> Vec<Block> {
        let text = || line![name];
        let code = || line![Span::Code(name.to_owned())];
        vec![
            Block::Heading { level: 2, text: text() },
            Block::Paragraph(text()),
            Block::Paragraph(line!["is ", Span::Strong(name.to_owned()), " and ", code(), "."]),
            Block::Table { head: vec![line!["a"], text()], rows: vec![vec![text(), code()], vec![code(), text()]] },
            Block::List { ordered: false, items: vec![text(), code()] },
        ]
    }

    #[test]
    fn names_with_markup_stay_names() {
        for name in [
            "a | b",
            "`x`",
            "``",
            "<script>alert(1)</script>",
            "# head",
            "- item",
            "1. one",
            "a\n# b",
            "*b* _c_ ~~d~~",
            "[l](http://x)",
            "a\\|b",
            "\\",
            "| --- |",
            "<!-- ",
            "&lt;",
            "```\ncode",
            "---",
            "===",
            "> quote",
            "=cmd()",
            "www.x.y",
            "a`|`b",
            "  ",
            "x\\",
            "![i](j)",
            "+",
            "1)",
            "\u{202e}abc",
            "::",
            "|",
            "***",
            "_a_b_",
        ] {
            let markdown = render(&document(name));
            let (heads, cells, items, foreign, _) = shape(&markdown);
            assert_eq!((heads, cells, items, foreign), (1, 6, 2, 0), "{name:?}\n{markdown}");
        }
    }

    #[test]
    fn words_survive() {
        for name in ["a | b", "revenue_5m", "<b>", "a_b_c", "100 %", "x\\y", "`", "&amp;", "*"] {
            let (.., words) =
                shape(&render(&[Block::Paragraph(line![name]), Block::Paragraph(line![Span::Code(name.into())])]));
            // Words as they are; only a number and its unit are kept together.
            assert_eq!(words, format!("{}{name}", unbroken(name)));
        }
    }

    proptest! {
        #[test]
        fn no_name_breaks_the_structure(name in "[ -~\n\t|`*_#<>\\\\éあ]{0,24}") {
            let markdown = render(&document(&name));
            let (heads, cells, items, foreign, _) = shape(&markdown);
            prop_assert_eq!((heads, cells, items, foreign), (1, 6, 2, 0), "{}", markdown);
        }
    }
}
