//! Text to untyped JSON, with bounds on size and depth, and no key twice.

use super::error::{DecodeError, Path, not_json};
use crate::model::Json;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::{collections::HashSet, fmt};

pub use crate::model::limits::MAX_BYTES;

/// Deepest nesting of a document; the format itself needs seven levels (a column inside a key of a sink).
pub const MAX_DEPTH: usize = 8;

/// How much is read of a text.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Most bytes.
    pub(crate) bytes: usize,
    /// Deepest nesting.
    pub(crate) depth: usize,
}

/// The bounds of a document.
pub(crate) const DOCUMENT: Bounds = Bounds { bytes: MAX_BYTES, depth: MAX_DEPTH };

/// Parses an object; refuses what is too large, too deep, or says a key twice.
pub(crate) fn parse(text: &str, bounds: Bounds) -> Result<Json, DecodeError> {
    if text.len() > bounds.bytes {
        let reason = format!("the text has {} bytes; at most {} are read", text.len(), bounds.bytes);
        return Err(DecodeError::one("", reason));
    }
    // A byte order mark is not part of JSON, but editors write one.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Tree(json) = serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        DecodeError::one(place, format!("not JSON: {}", not_json(&error)))
    })?;
    match json {
        Json::Object(_) => {}
        other => return Err(DecodeError::one("", format!("needs an object in braces, not {}", other.kind()))),
    }
    check(&json, &Path::ROOT, bounds.depth)?;
    Ok(json)
}

/// Refuses depth and doubled keys, with the path.
fn check(json: &Json, path: &Path<'_>, levels: usize) -> Result<(), DecodeError> {
    let deeper = |key: &str, value: &Json| {
        if levels <= 1 && value.is_nested() {
            return Err(DecodeError::one(path.at(key).to_string(), "is nested deeper than any part of a design"));
        }
        check(value, &path.at(key), levels.saturating_sub(1))
    };
    match json {
        Json::Object(members) => {
            let mut seen = HashSet::with_capacity(members.len());
            for (key, value) in members {
                if !seen.insert(key.as_str()) {
                    return Err(DecodeError::one(path.at(key).to_string(), "stands here twice; keep one of them"));
                }
                deeper(key, value)?;
            }
            Ok(())
        }
        Json::List(items) => items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.is_nested())
            .try_for_each(|(i, item)| deeper(&i.to_string(), item)),
        _ => Ok(()),
    }
}

/// The tree as serde's visitor builds it.
struct Tree(Json);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor).map(Tree)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(Tree(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some((key, Tree(value))) = entries.next_entry::<String, Tree>()? {
            members.push((key, value));
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Json, DecodeError> {
        parse(text, DOCUMENT)
    }

    #[test]
    fn bounds_and_doubled_keys_are_refused_with_their_place() {
        assert_eq!(read("{\"a\":{\"b\":1,\"b\":2}}").unwrap_err().path, "a.b");
        assert_eq!(read("{\n \"a\":}").unwrap_err().path, "line 2, column 6");
        assert!(read(&" ".repeat(MAX_BYTES + 1)).unwrap_err().reason.contains("4194305 bytes"));
        let nested = |n: usize| format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(read(&nested(7)).is_ok());
        assert_eq!(read(&nested(8)).unwrap_err().path, "a.0.0.0.0.0.0.0");
        assert!(read(&nested(100_000)).unwrap_err().reason.contains("nested deeper"));
        assert!(read("{\"a\": [1,").unwrap_err().reason.contains("its end is missing"));
        assert_eq!(read("{\"\u{202e}a\":{\"b\":1,\"b\":2}}").unwrap_err().path, "?a.b");
        assert!(read("[]").unwrap_err().reason.contains("not a list"));
        assert!(read("\u{feff}{}").is_ok());
        assert!(read("{} {}").is_err());
        assert!(read("{\"a\":1e999}").is_err());
    }
}
