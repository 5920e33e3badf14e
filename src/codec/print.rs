//! The line layout of a file: one line per subject where it fits, else one per group of values, so that a change of one
//! setting changes one line of a text comparison.

use crate::model::Json;

/// Where a line is broken.
const WIDTH: usize = 160;
/// Sections stand at this depth: each of their entries but the first begins a line.
const SECTION: usize = 1;

/// Prints a document.
pub(super) fn print(json: &Json) -> String {
    let mut out = String::new();
    if let Json::Object(members) = json {
        out.push('{');
        let mut line = Line { out: &mut out, column: WIDTH };
        for (i, (key, value)) in members.iter().enumerate() {
            let last = i + 1 == members.len();
            line.member(key, value, 0, i == 0 || matches!(value, Json::Object(_)), last);
        }
        out.push_str("\n}\n");
    }
    out
}

/// Prints on one line, with a space after each comma and colon.
fn flat(json: &Json, out: &mut String) {
    match json {
        Json::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                flat(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&Json::text(key).to_string());
                out.push_str(": ");
                flat(value, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

/// The line being filled.
struct Line<'a> {
    out: &'a mut String,
    column: usize,
}

impl Line<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn break_at(&mut self, depth: usize) {
        self.out.push('\n');
        self.column = 0;
        for _ in 0..=depth {
            self.push(" ");
        }
    }

    /// One member of an object at `depth`: on the current line where it may and fits, else on a new one.
    fn member(&mut self, key: &str, value: &Json, depth: usize, fresh: bool, last: bool) {
        let mut text = Json::text(key).to_string();
        text.push_str(": ");
        let key_length = text.chars().count();
        flat(value, &mut text);
        if !last {
            text.push(',');
        }
        let length = text.chars().count();
        let section = depth + 1 == SECTION && matches!(value, Json::Object(_));
        let at_start = self.column == depth + 1;
        let first = self.out.ends_with('{') && depth > 0;
        if !at_start && !first && (fresh || self.column + 1 + length > WIDTH) {
            self.break_at(depth);
        } else if !at_start && !first {
            self.push(" ");
        }
        match value {
            Json::Object(members) if section || self.column + length > WIDTH => {
                let head: String = text.chars().take(key_length).collect();
                self.push(&head);
                self.object(members, depth + 1, section);
                self.push(if last { "" } else { "," });
            }
            _ => self.push(&text),
        }
    }

    /// An object that does not fit on a line: plain members fill lines, objects begin one each.
    fn object(&mut self, members: &[(String, Json)], depth: usize, section: bool) {
        self.push("{");
        for (i, (key, value)) in members.iter().enumerate() {
            let fresh = i > 0 && (section || matches!(value, Json::Object(_)));
            self.member(key, value, depth, fresh, i + 1 == members.len());
        }
        self.push("}");
    }
}
