//! Lines of `key=value` and `key: value`: properties as Java reads them (`java.util.Properties`), the flat and nested keys of
//! a plain YAML file, what a client logs of its settings (`key = value`), and `key value` of Spark's defaults.
//!
//! Not here: YAML beyond keys, plain values and lists of one level, of which no file read here makes use.

use super::{Is, Node, Said, Tree};
use crate::import::{command, detect, lines::Line};

/// How key and value stand apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Syntax {
    /// `key=value`
    Properties,
    /// `key: value`
    Yaml,
    /// `key  value`
    Blanks,
}

/// Key and value of one line, with how deep it stands; nothing where it holds none.
pub(in crate::import) fn pair(text: &str, syntax: Syntax) -> Option<(usize, &str, &str)> {
    let indent = text.len() - text.trim_start().len();
    let text = text.trim();
    // `*key=value*`: bold in a text of marks.
    let text = text.strip_prefix('*').and_then(|text| text.strip_suffix('*')).unwrap_or(text);
    let (key, value) = match syntax {
        Syntax::Properties => text.split_once('=')?,
        Syntax::Yaml => match text.strip_suffix(':') {
            Some(key) if !key.contains(": ") => (key, ""),
            _ => text.split_once(": ")?,
        },
        Syntax::Blanks => text.split_once(char::is_whitespace)?,
    };
    let key = key.trim().trim_matches(['"', '\'']);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '>' | '$');
    let is_key = !key.is_empty() && key.len() <= 200 && key.chars().all(plain);
    let value = value.trim();
    let value = match value.chars().next().filter(|c| syntax == Syntax::Yaml && matches!(c, '"' | '\'')) {
        Some(quote) => value.get(1..)?.split(quote).next()?,
        None if syntax == Syntax::Yaml => value.split(" #").next().unwrap_or(value).trim_end(),
        None => value,
    };
    is_key.then_some((indent, key, value))
}

/// Reads the lines from the first on as long as they are of this form; keys of nested YAML are joined by points.
pub(in crate::import) fn flat(lines: &[Line], syntax: Syntax) -> Option<Tree> {
    let first = lines.first()?;
    let mut keys = Keys { syntax, members: Vec::new(), open: Vec::new(), goes_on: false };
    let mut said = Vec::new();
    for (index, line) in lines.iter().enumerate().take_while(|(_, line)| line.at.input == first.at.input) {
        match keys.line(index, line) {
            Some(state) => said.push(state),
            None => break,
        }
    }
    let last = said.iter().rposition(|said| *said != Said::Beside)?;
    said.truncate(last + 1);
    let root = Node { at: first.at, line: 0, is: Is::Object(keys.members) };
    Some(Tree { root, lines: said, whole: true, tail: String::new() })
}

/// Keys and values so far.
struct Keys {
    syntax: Syntax,
    members: Vec<(String, Node)>,
    /// Keys without a value, with how deep they stand: those below belong to them.
    open: Vec<(usize, String)>,
    /// The line before ended with a backslash (`java.util.Properties`).
    goes_on: bool,
}

impl Keys {
    /// What a line is; nothing where it is of another form.
    fn line(&mut self, index: usize, line: &Line) -> Option<Said> {
        let text = line.text.trim();
        if std::mem::take(&mut self.goes_on) {
            if let Some((_, Node { is: Is::Text(value), .. })) = self.members.last_mut() {
                value.push_str(text.trim_end_matches('\\'));
            }
            self.goes_on = text.ends_with('\\');
            return Some(Said::Read);
        }
        if text.is_empty() || text.starts_with(['#', '!']) || text == "---" {
            return Some(Said::Beside);
        }
        let Some((indent, key, value)) = pair(&line.text, self.syntax) else { return self.beside(&line.text) };
        self.open.retain(|(of, _)| *of < indent);
        self.goes_on = self.syntax == Syntax::Properties && value.ends_with('\\');
        let value = if self.goes_on { value.trim_end_matches('\\') } else { value };
        let nested = self.syntax == Syntax::Yaml;
        let path: String = self.open.iter().filter(|_| nested).map(|(_, key)| format!("{key}.")).collect();
        if nested && value.is_empty() && self.open.len() < super::MAX_DEPTH {
            self.open.push((indent, key.to_owned()));
        }
        let is = if value.is_empty() { Is::Nothing } else { Is::Text(value.to_owned()) };
        self.members.push((format!("{path}{key}"), Node { at: line.at, line: index, is }));
        Some(Said::Read)
    }

    /// A line without key and value: one of a list, or of a log.
    fn beside(&mut self, text: &str) -> Option<Said> {
        if command::begin(text).is_some() {
            return None;
        }
        match (item(text.trim(), self.syntax), self.members.last_mut()) {
            (Some(item), Some((_, last))) => {
                match &mut last.is {
                    Is::Text(list) => *list = format!("{list},{item}"),
                    is => *is = Is::Text(item.to_owned()),
                }
                Some(Said::Read)
            }
            _ => detect::is_log(text).then_some(Said::Beside),
        }
    }
}

/// `- value` of a YAML list.
fn item(text: &str, syntax: Syntax) -> Option<&str> {
    let item = text.strip_prefix("- ").filter(|_| syntax == Syntax::Yaml)?;
    Some(item.trim().trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Input, lines::split};

    fn read(text: &str, syntax: Syntax) -> Vec<String> {
        let tree = flat(&split(&[Input { name: None, text: text.to_owned() }]).0, syntax).unwrap();
        let member =
            |(key, node): &(String, Node)| format!("{} {key}={}", node.at.number, node.as_text().unwrap_or("-"));
        tree.root.members().iter().map(member).collect()
    }

    #[test]
    fn properties() {
        let text = "# c\na = 1\n\nb.c=x=y\nlong=one,\\\n  two\n*bold=1*\n2026 WARN between\nd=\nThis is prose\ne=5\n";
        assert_eq!(read(text, Syntax::Properties), ["2 a=1", "4 b.c=x=y", "5 long=one,two", "7 bold=1", "9 d=-"]);
    }

    #[test]
    fn yaml() {
        let text = "---\na.b: 1 # why\nc:\n  d: \"x # y\"\n  e:\n    f: 2\ng:\n  - one\n  - two\nh: ''\n";
        let read = read(text, Syntax::Yaml);
        assert_eq!(read, ["2 a.b=1", "3 c=-", "4 c.d=x # y", "5 c.e=-", "6 c.e.f=2", "7 g=one,two", "10 h=-"]);
    }
}
