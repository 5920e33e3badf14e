//! Untyped JSON that keeps the order of its keys.
//!
//! The columns of an event stand in order, so a map that sorts its keys would lose meaning. Not here: parsing of text
//! and the file's line layout, which are `codec`'s.

use std::fmt::{self, Write as _};

/// One JSON value. Objects may hold a key twice: the parser of `codec` refuses that with its path.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`: legal JSON, never legal in a design.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number. Whole numbers are exact up to [`MAX_COUNT`].
    Number(f64),
    /// A string.
    Text(String),
    /// `[…]`.
    List(Vec<Json>),
    /// `{…}` in the order written.
    Object(Vec<(String, Json)>),
}

/// The largest whole number that every JSON reader holds exactly: 2⁵³ − 1 (RFC 8259, section 6).
pub const MAX_COUNT: u64 = (1 << 53) - 1;

impl Json {
    /// A string.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, where it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where it is whole, not negative and at most [`MAX_COUNT`].
    #[must_use]
    pub fn as_count(&self) -> Option<u64> {
        match self {
            Self::Number(n) if n.fract() == 0.0 && *n >= 0.0 && *n <= MAX_COUNT as f64 => Some(*n as u64),
            _ => None,
        }
    }

    /// What kind of JSON this is, for messages: `a number`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// Is it an object or a list?
    #[must_use]
    pub const fn is_nested(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }

    /// As `serde_json`'s value: keys sorted, whole numbers as integers.
    #[must_use]
    pub fn to_serde(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(b) => (*b).into(),
            Self::Number(n) if n.fract() == 0.0 && n.abs() <= MAX_COUNT as f64 => (*n as i64).into(),
            Self::Number(n) => (*n).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(Self::to_serde).collect(),
            Self::Object(members) => members.iter().map(|(key, value)| (key.clone(), value.to_serde())).collect(),
        }
    }

    /// From `serde_json`'s value.
    #[must_use]
    pub fn from_serde(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(b) => Self::Bool(*b),
            serde_json::Value::Number(n) => Self::Number(n.as_f64().unwrap_or(0.0)),
            serde_json::Value::String(text) => Self::Text(text.clone()),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from_serde).collect()),
            serde_json::Value::Object(members) => {
                Self::Object(members.iter().map(|(key, value)| (key.clone(), Self::from_serde(value))).collect())
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Self>> for Json {
    fn from(items: Vec<Self>) -> Self {
        Self::List(items)
    }
}

impl fmt::Display for Json {
    /// Without spaces and line breaks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Number(n) => write_number(f, *n),
            Self::Text(text) => write_text(f, text),
            Self::List(items) => {
                f.write_char('[')?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    item.fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Object(members) => {
                f.write_char('{')?;
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    write_text(f, key)?;
                    f.write_char(':')?;
                    value.fmt(f)?;
                }
                f.write_char('}')
            }
        }
    }
}

/// The shortest text that reads back as the same number; whole numbers without a point, both zeros as `0`.
fn write_number(f: &mut impl fmt::Write, n: f64) -> fmt::Result {
    match n.abs() {
        0.0 => f.write_char('0'),
        size if (1e-6..1e17).contains(&size) => write!(f, "{n}"),
        size if size.is_finite() => write!(f, "{n:e}"),
        _ => f.write_str("null"),
    }
}

/// A JSON string: quote, backslash and control characters escaped, all else as it is.
fn write_text(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_print_as_json() {
        for (n, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (12.0, "12"),
            (-3.5, "-3.5"),
            (1e300, "1e300"),
            (1.5e-9, "1.5e-9"),
            (9_007_199_254_740_991.0, "9007199254740991"),
        ] {
            assert_eq!(Json::Number(n).to_string(), text);
            assert_eq!(text.parse::<f64>().unwrap(), n);
        }
        assert_eq!(Json::text("a\"b\\c\n\u{1}é").to_string(), "\"a\\\"b\\\\c\\n\\u0001é\"");
    }

    #[test]
    fn order_is_kept_and_counts_are_whole() {
        let json = Json::Object(vec![("b".into(), Json::Number(6.0)), ("a".into(), Json::Number(0.5))]);
        assert_eq!(json.to_string(), r#"{"b":6,"a":0.5}"#);
        assert_eq!(json.get("b").and_then(Json::as_count), Some(6));
        assert_eq!(json.get("a").and_then(Json::as_count), None);
    }
}
