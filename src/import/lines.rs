//! The tolerant line model: what a paste looks like once mail, chat, terminal and word processor are taken off it.
//!
//! A physical line is decoded in this order: escape sequences and invisible characters, typographic signs, HTML, quoting
//! marks, table bars, and secrets last, so that nothing after this file ever sees one. Not here: what a line says.

use super::{Input, command, secrets};

/// Longest line that is read, in bytes; what is longer is cut and said so.
pub const MAX_LINE: usize = 20_000;
/// Most text that is read at once, in bytes over all inputs.
pub const MAX_TEXT: usize = 8 * 1024 * 1024;

/// A place in what was pasted or dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRef {
    /// Which input, from 0.
    pub input: usize,
    /// Which line of it, from 1.
    pub number: usize,
}

/// One line, cleaned and without secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub at: LineRef,
    pub text: String,
    pub secret: bool,
    pub cut: bool,
}

/// All lines of all inputs. The flag says that the text was longer than [`MAX_TEXT`] and its end is missing.
pub(super) fn split(inputs: &[Input]) -> (Vec<Line>, bool) {
    let (mut lines, mut left, mut cut) = (Vec::new(), MAX_TEXT, false);
    for (input, Input { text, .. }) in inputs.iter().enumerate() {
        let text = head(text, left);
        cut |= text.len() < inputs.get(input).map_or(0, |input| input.text.len());
        left -= text.len();
        let mut secrets = secrets::Remover::default();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, raw) in body.split('\n').enumerate() {
            let at = LineRef { input, number: index + 1 };
            let raw = raw.strip_suffix('\r').unwrap_or(raw);
            // JSON in one line is read, and shown, as if it were printed over several.
            let pieces = json_parts(raw).unwrap_or_else(|| vec![raw]);
            for piece in pieces {
                let short = head(piece, MAX_LINE);
                for part in parts(short) {
                    let (text, secret) = secrets.remove(clean(part));
                    lines.push(Line { at, text, secret, cut: short.len() < piece.len() });
                }
            }
        }
        // A final line end starts no new line.
        if lines.last().is_some_and(|line| line.at.input == input && line.text.is_empty()) && body.ends_with('\n') {
            lines.pop();
        }
    }
    (lines, cut)
}

/// The first `max` bytes, cut between characters.
fn head(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let end = (0..=max).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// The pieces of JSON in one long line, cut where a printer would begin a new line; what stands before and behind it is a
/// piece of its own. Nothing for other lines, for a command with JSON in it, and for the output that is read by its one line.
fn json_parts(line: &str) -> Option<Vec<&str>> {
    const SHORT: usize = 100;
    let start = ["{\"", "{ \"", "{'"].into_iter().find_map(|open| line.find(open))?;
    // `[{"key":…`: the list begins before.
    let start = line
        .get(..start)?
        .rfind(|c: char| c != '[' && !c.is_whitespace())
        .map_or(0, |at| at + line.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let before = line.get(..start)?;
    if line.len() < SHORT || line.contains("\"logDirs\":") || command::begin(before).is_some() {
        return None;
    }
    // A key belongs to what stands behind it.
    let from = if before.trim_end().ends_with(':') { 0 } else { start };
    let (mut pieces, mut begin, mut depth, mut quoted, mut escaped) = (vec![], from, 0i32, None, false);
    // As Python prints it, in single quotes.
    let python = line.get(start..)?.trim_start_matches(['[', ' ']).starts_with("{'");
    if from > 0 {
        pieces.push(before);
    }
    for (at, c) in line.char_indices().filter(|(at, _)| *at >= from) {
        let cut = match c {
            _ if escaped => {
                escaped = false;
                continue;
            }
            '\\' if quoted.is_some() => {
                escaped = true;
                continue;
            }
            _ if quoted.is_some() => {
                quoted = quoted.filter(|quote| *quote != c);
                continue;
            }
            '"' | '\'' if c == '"' || python => {
                quoted = Some(c);
                continue;
            }
            '{' | '[' => {
                depth += 1;
                at + 1
            }
            '}' | ']' => {
                depth -= 1;
                if at > begin && !line.get(begin..at).is_some_and(|text| text.trim().is_empty()) {
                    pieces.push(line.get(begin..at)?);
                    begin = at;
                }
                if depth > 0 {
                    continue;
                }
                // What stands behind the last bracket is no part of it, unless it is another one.
                pieces.push(line.get(begin..=at)?);
                begin = at + 1;
                if !line.get(begin..)?.trim_start().starts_with(['{', ',']) {
                    break;
                }
                continue;
            }
            ',' => at + 1,
            _ => continue,
        };
        pieces.push(line.get(begin..cut)?);
        begin = cut;
    }
    pieces.push(line.get(begin..)?);
    pieces.retain(|piece| !piece.trim().is_empty());
    (pieces.len() > 1).then_some(pieces)
}

/// A web page's line breaks and lone carriage returns divide a line too.
fn parts(line: &str) -> Vec<&str> {
    if !line.contains(['<', '\r']) {
        return vec![line];
    }
    let mut parts: Vec<&str> = line.split('\r').collect();
    for tag in ["<br>", "<br/>", "<br />", "<BR>"] {
        parts = parts.into_iter().flat_map(|part| part.split(tag)).collect();
    }
    let blank = |part: &&str| part.chars().all(|c| c.is_whitespace() || c == '>');
    match parts.iter().filter(|part| !blank(part)).count() {
        0 => vec![line.split("<br").next().unwrap_or_default()],
        _ => parts.into_iter().filter(|part| !blank(part)).collect(),
    }
}

/// One line without what copying added to it.
fn clean(line: &str) -> String {
    let plain = |b: u8| (b == b'\t' || (b' '..=b'~').contains(&b)) && !matches!(b, b'&' | b'<' | b'>' | b'|');
    if line.bytes().all(plain) {
        return line.trim_end().to_owned();
    }
    let text = entities(&characters(line));
    let text = unquote(&text);
    bars(text).trim_end().to_owned()
}

/// Escape sequences and invisible characters removed, typographic signs made plain.
fn characters(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\t' => out.push('\t'),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' => out.push('"'),
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' => out.push('\''),
            '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2212}' => out.push('-'),
            // An option that a word processor corrected: --describe became –describe.
            '\u{2013}' | '\u{2014}' => {
                let option = out.is_empty() || out.ends_with([' ', '\t', '-']);
                let long = option && !out.ends_with('-') && chars.peek().is_some_and(char::is_ascii_lowercase);
                out.push_str(if long { "--" } else { "-" });
            }
            '\u{2026}' => out.push_str("..."),
            c if c.is_control() => {}
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// After an escape character: a colour or cursor sequence up to its letter, a title up to its end.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => {
            for c in chars.by_ref() {
                if ('@'..='~').contains(&c) {
                    return;
                }
            }
        }
        Some(']') => {
            for c in chars.by_ref() {
                if c == '\u{7}' || c == '\\' {
                    return;
                }
            }
        }
        _ => {}
    }
}

fn entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let pairs = [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign))
}

/// Mail quoting: `> > text`.
fn unquote(text: &str) -> &str {
    let mut rest = text;
    while let Some(inner) = rest.trim_start().strip_prefix('>') {
        rest = inner;
    }
    rest
}

/// The bars of a pasted table become blanks; a container's name before a bar goes.
fn bars(text: &str) -> String {
    let trimmed = text.trim();
    if trimmed.starts_with('|') {
        return text.replace('|', " ");
    }
    let name = |head: &str| {
        let head = head.trim();
        !head.is_empty() && head.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    };
    match text.split_once(" | ") {
        Some((head, rest)) if name(head) => rest.to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let input = Input { name: None, text: text.to_owned() };
        split(&[input]).0.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn what_copying_added_is_taken_off() {
        for (pasted, read) in [
            ("\u{feff}Topic: a\r\n", "Topic: a"),
            ("> > Topic: a", " Topic: a"),
            (">Topic: a", "Topic: a"),
            ("\u{1b}[1;32mTopic:\u{1b}[0m a", "Topic: a"),
            ("\u{1b}]0;title\u{7}Topic: a", "Topic: a"),
            ("Topic:\u{a0}a\u{200b}", "Topic: a"),
            ("“name”: ‘x’", "\"name\": 'x'"),
            ("kafka-topics –describe", "kafka-topics --describe"),
            ("&lt;a&gt; &amp;&nbsp;b", "<a> & b"),
            ("| GROUP | TOPIC |", "  GROUP   TOPIC"),
            ("kafka_1  | Topic: a", "Topic: a"),
            ("Topic: a   ", "Topic: a"),
        ] {
            assert_eq!(lines(pasted), [read], "{pasted:?}");
        }
    }

    #[test]
    fn breaks_of_a_web_page_divide_a_line() {
        assert_eq!(lines("> <br>a=1<br/>b=2"), ["a=1", "b=2"]);
        assert_eq!(lines("one\n\nthree\n"), ["one", "", "three"]);
        assert_eq!(lines(""), [""]);
    }

    #[test]
    fn json_in_one_line_is_divided() {
        let line = r#"100 --:--:-- 9{"name":"a, b","config":{"topics":"x","k":"say \"{\" and"},"tasks":[],"type":"sink","more":"................................................"}$ curl"#;
        assert_eq!(
            lines(line),
            [
                "100 --:--:-- 9",
                "{",
                r#""name":"a, b","#,
                r#""config":{"#,
                r#""topics":"x","#,
                r#""k":"say \"{\" and""#,
                "},",
                r#""tasks":["#,
                "],",
                r#""type":"sink","#,
                r#""more":"................................................""#,
                "}",
                "$ curl",
            ]
        );
        let short = r#"{"name":"a","config":{}}"#;
        assert_eq!(lines(short), [short]);
        let command = format!("curl -X PUT -d '{}' http://x/connectors/a", line.get(14..).unwrap());
        assert_eq!(lines(&command).len(), 1);
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let read = lines(&"ä".repeat(MAX_LINE));
        assert_eq!(read[0].len(), MAX_LINE);
    }
}
