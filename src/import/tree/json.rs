//! JSON as it stands in a terminal: over several lines or in one, with what a hand has broken in it (RFC 8259), and as Python
//! prints it, in single quotes.

use super::{Is, MAX_DEPTH, MAX_ODD, Node, Said, Tree};
use crate::import::{command, detect, lines::Line};

/// Does a JSON text begin on this line, and at which byte? An opening bracket stands first, or at the end of a line of a log.
pub(in crate::import) fn begins(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?;
    let opens = |rest: &str| {
        let mut inner = rest.chars().skip(1).filter(|c| !c.is_whitespace());
        match (rest.chars().next(), inner.next()) {
            (Some('{'), None | Some('"' | '\'' | '}')) | (Some('['), Some('{')) => true,
            (Some('['), None) => rest.trim_end() == "[",
            _ => false,
        }
    };
    if opens(rest) {
        return Some(start);
    }
    // `… made progress: {`, and `100  512  …  10240{"name":…`: what a log or curl's meter writes before it.
    let at = text.find('{')?;
    let head = text.get(..at)?.trim_end();
    // `--data '{` begins the body of a request.
    let log = head.ends_with([':', '\'', '"']) && head.contains(' ') && text.get(at..)?.trim_end() == "{";
    ((log || head.contains("--:--:--")) && opens(text.get(at..)?)).then_some(at)
}

/// Reads the JSON text that begins on the first line; nothing where it is none.
pub(in crate::import) fn json(lines: &[Line]) -> Option<Tree> {
    let first = lines.first()?;
    let mut scan =
        Scan { lines, line: 0, column: begins(&first.text)?, said: vec![Said::Read], odd: 0, read: 0, ended: false };
    let root = scan.value(0)?;
    let whole = !scan.ended;
    if !whole {
        let last = scan.said.iter().rposition(|said| *said != Said::Beside).unwrap_or_default();
        scan.said.truncate(last + 1);
        if let Some(said) = scan.said.last_mut().filter(|said| **said == Said::Read) {
            *said =
                Said::But("the text ends before its last bracket is closed; what stood behind is missing".to_owned());
        }
    }
    let read = matches!(&root.is, Is::Object(members) if !members.is_empty())
        || matches!(&root.is, Is::List(items) if !items.is_empty());
    let tail = if whole { scan.rest().trim().to_owned() } else { String::new() };
    read.then_some(Tree { root, lines: scan.said, whole, tail })
}

/// Where the reading stands.
struct Scan<'a> {
    lines: &'a [Line],
    line: usize,
    column: usize,
    said: Vec<Said>,
    odd: usize,
    /// How many keys were read.
    read: usize,
    /// The text came to its end, or to something that is none, before its brackets were closed.
    ended: bool,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.lines.get(self.line).and_then(|line| line.text.get(self.column..)).unwrap_or_default()
    }

    /// The next sign that is no blank, over the ends of lines.
    fn peek(&mut self) -> Option<char> {
        while !self.ended {
            let rest = self.rest();
            match rest.char_indices().find(|(_, c)| !c.is_whitespace()) {
                Some((at, c)) => {
                    self.column += at;
                    return Some(c);
                }
                None => self.next_line(),
            }
        }
        None
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.column = 0;
        match self.lines.get(self.line) {
            // Another input is another text, and a command ends the output before it.
            Some(line) if line.at.input == self.lines[0].at.input && command::begin(&line.text).is_none() => {
                self.said.push(if line.text.trim().is_empty() { Said::Beside } else { Said::Read });
            }
            _ => self.ended = true,
        }
    }

    fn say(&mut self, said: Said) {
        let worse = matches!(said, Said::Odd(_));
        if let Some(now) =
            self.said.last_mut().filter(|now| matches!(now, Said::Read) || (worse && matches!(now, Said::But(_))))
        {
            *now = said;
        }
    }

    /// The rest of this line is none of it.
    fn skip_line(&mut self) {
        let text = self.lines.get(self.line).map_or("", |line| line.text.as_str());
        if detect::is_log(text) || detect::is_progress(text) {
            self.say(Said::Beside);
        } else {
            self.odd += 1;
            let what: String = self.rest().trim().chars().take(40).collect();
            self.say(Said::Odd(format!("{what:?} is not JSON; the rest of the line was left out")));
        }
        // What begins with lines that are none is none.
        if self.odd > MAX_ODD || (self.read == 0 && self.odd > 1) {
            self.ended = true;
        } else {
            self.next_line();
        }
    }

    /// Takes a sign where it comes next.
    fn take(&mut self, sign: char) -> bool {
        let here = self.peek() == Some(sign);
        if here {
            self.column += sign.len_utf8();
        }
        here
    }

    fn node(&self, line: usize, is: Is) -> Node {
        let at = self.lines.get(line).map(|line| line.at).unwrap_or_default();
        Node { at, line, is }
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let open = self.peek()?;
        let line = self.line;
        let is = match open {
            '{' | '[' if depth >= MAX_DEPTH => {
                self.say(Said::Odd(format!("nested deeper than {MAX_DEPTH} levels; it was not read further")));
                self.ended = true;
                Is::Nothing
            }
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' | '\'' => Is::Text(self.string(open)),
            _ => self.word()?,
        };
        Some(self.node(line, is))
    }

    fn object(&mut self, depth: usize) -> Is {
        self.column += 1;
        let mut members: Vec<(String, Node)> = Vec::new();
        while let Some(next) = self.peek() {
            match next {
                '}' => {
                    self.column += 1;
                    break;
                }
                '"' | '\'' => {
                    let key = self.string(next);
                    self.read += 1;
                    if !self.take(':') {
                        self.missing(':');
                        if self.ended {
                            break;
                        }
                    }
                    match self.value(depth + 1) {
                        Some(value) => members.push((key, value)),
                        None if self.ended => break,
                        None => self.skip_line(),
                    }
                    self.comma(next);
                }
                // A list that was not closed, or a bracket of the one around it.
                ']' => break,
                _ => self.skip_line(),
            }
        }
        Is::Object(members)
    }

    fn list(&mut self, depth: usize) -> Is {
        self.column += 1;
        let mut items = Vec::new();
        while let Some(next) = self.peek() {
            match next {
                ']' => {
                    self.column += 1;
                    break;
                }
                '}' | ':' => break,
                _ => match self.value(depth + 1) {
                    Some(value) => items.push(value),
                    None if self.ended => break,
                    None => self.skip_line(),
                },
            }
            self.comma('{');
        }
        Is::List(items)
    }

    /// A comma between two; one before the closing bracket is let pass, one that is missing is said.
    fn comma(&mut self, next: char) {
        let line = self.said.len();
        if self.take(',') || self.ended {
            return;
        }
        if self.peek() == Some(next)
            && let Some(said) = self.said.get_mut(line - 1).filter(|said| **said == Said::Read)
        {
            *said =
                Said::But("a comma is missing at the end of this line; it was read as if it stood there".to_owned());
        }
    }

    fn missing(&mut self, sign: char) {
        self.say(Said::But(format!("a {sign:?} is missing in this line")));
    }

    /// A text between quotes; one that the line ends before its quote ends with the line.
    fn string(&mut self, quote: char) -> String {
        self.column += 1;
        let rest = self.rest();
        let (mut out, mut chars) = (String::new(), rest.char_indices());
        let mut end = None;
        while let Some((at, c)) = chars.next() {
            match c {
                _ if c == quote => {
                    end = Some(at + 1);
                    break;
                }
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('n' | 'r' | 't' | 'b' | 'f') => out.push(' '),
                    Some('u') => {
                        let hex: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                        out.extend(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32));
                    }
                    Some(c) => out.push(c),
                    None => {}
                },
                c => out.push(c),
            }
        }
        match end {
            Some(end) => self.column += end,
            None => {
                self.column += rest.len();
                self.say(Said::Odd("a quote is not closed on this line, so it was left out".to_owned()));
            }
        }
        out
    }

    /// A number, `true`, `false`, `null`.
    fn word(&mut self) -> Option<Is> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))).unwrap_or(rest.len());
        let word = rest.get(..end)?;
        let known = matches!(word, "true" | "false" | "null" | "True" | "False" | "None" | "NaN" | "Infinity");
        if !known && word.parse::<f64>().is_err() {
            return None;
        }
        let is = match word {
            "null" | "None" => Is::Nothing,
            "True" | "False" => Is::Text(word.to_ascii_lowercase()),
            _ => Is::Text(word.to_owned()),
        };
        self.column += end;
        Some(is)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Input, lines::split};

    fn read(text: &str) -> Option<Tree> {
        json(&split(&[Input { name: None, text: text.to_owned() }]).0)
    }

    #[test]
    fn values_and_their_lines() {
        let tree =
            read("{\n\"a\": {\"b\": [1, -2.5e3, true]},\n\"c\": \"x\\u0041\\n\\\"\\$\", \"d\": null }  rest").unwrap();
        let text = |path: &str| tree.root.path(path).and_then(Node::as_text).map(str::to_owned);
        assert_eq!(text("c").as_deref(), Some("xA \"$"));
        let list: Vec<_> = tree.root.path("a.b").unwrap().items().iter().filter_map(Node::as_text).collect();
        assert_eq!(list, ["1", "-2.5e3", "true"]);
        assert_eq!(tree.root.path("c").map(|node| node.at.number), Some(3));
        assert_eq!((text("d"), tree.tail.as_str(), tree.whole), (None, "rest", true));
        let python = read("{'a': 'it is', 'b': \"it's\", 'c': False, 'd': None}").unwrap();
        assert_eq!(python.root.text("b"), Some("it's"));
        assert_eq!(python.root.text("c"), Some("false"));
    }

    #[test]
    fn what_is_broken_costs_its_line() {
        let comma = "a comma is missing at the end of this line; it was read as if it stood there";
        let tree = read("{\n\"a\": 1\n\"b\": 2,\n}").unwrap();
        assert_eq!(tree.lines[1], Said::But(comma.to_owned()));
        assert!(tree.whole && tree.root.has(&["a", "b"]));
        let tree = read("{\n\"a\": 1,\nb: 2,\n2026-01-01 WARN x\n\"c\": 3\n}").unwrap();
        assert!(matches!(&tree.lines[2], Said::Odd(reason) if reason.starts_with("\"b: 2,\" is not JSON")));
        assert_eq!(tree.lines[3], Said::Beside);
        assert!(tree.root.has(&["a", "c"]));
        let cut = read("{\n\"a\": {\n\"b\": 1\n\n$ curl http://x").unwrap();
        assert!(!cut.whole && cut.lines.len() == 3 && matches!(cut.lines[2], Said::But(_)));
        for text in ["", "{", "[", "{}", "[]", "a {", "{ this is prose }", "[1]"] {
            assert!(read(text).is_none_or(|tree| tree.root.members().is_empty()), "{text}");
        }
    }
}
