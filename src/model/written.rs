//! Values as they stand in the file: one reader and one printer for every type of the field table.

use super::{
    Columns, Date, Field, FieldType, Json, Keys, List, Nature, Schema, Shares, Statistic, Value,
    json::MAX_COUNT,
    limits::MAX_NUMBER,
    limits::{MAX_ITEMS, TextKind, nearest},
};
use crate::sorted::SortedMap;
use std::{fmt::Display, str::FromStr};

/// How the file says that a complete configuration was read and the key is not in it.
pub const UNSET: &str = "unset";

/// Tokens that may stand for columns.
pub const COLUMN_TOKENS: [&str; 6] = ["@record_key", "@coordinates", "@offset", "@batch_id", "@arrival", "@random"];

/// Why a written value was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// Where inside the value, as a path without the field: `p99`, `0.1`; empty for the value itself.
    pub inside: String,
    /// What is wrong and what would be right.
    pub reason: String,
    /// The nearest legal word, where one is near.
    pub suggestion: Option<String>,
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }

    fn at(mut self, step: impl Display) -> Self {
        self.inside =
            if self.inside.is_empty() { step.to_string() } else { format!("{step}.{inside}", inside = self.inside) };
        self
    }
}

impl Field {
    /// Reads a value of this field from its file form.
    pub fn read(self, json: &Json) -> Result<Value, Refusal> {
        let row = self.row();
        if json.as_text() == Some(UNSET) {
            if row.nature == Nature::Configuration {
                return Ok(Value::Unset);
            }
            if !matches!(row.ty, FieldType::Text) {
                return Err(Refusal::new("only a configuration setting can be unset; leave out what is not known"));
            }
        }
        row.ty.read(json)
    }

    /// Is this value one of this field, and does it stand in the file as it is? The reason where not.
    pub fn check(self, value: &Value) -> Result<(), Refusal> {
        match self.read(&value.written())? {
            read if read == *value => Ok(()),
            _ => Err(Refusal::new(format!("{value} does not fit the field {}", self.label()))),
        }
    }
}

impl FieldType {
    /// Reads a value of this type from its file form.
    pub fn read(self, json: &Json) -> Result<Value, Refusal> {
        match self {
            Self::Duration => quantity(json, "a duration such as \"7d\" or \"250ms\"").map(Value::Duration),
            Self::Size => quantity(json, "a size such as \"2GiB\" or \"600B\"").map(Value::Size),
            Self::Rate => quantity(json, "a rate such as \"300/s\"").map(Value::Rate),
            Self::ByteRate => quantity(json, "a byte rate such as \"2MB/s\"").map(Value::ByteRate),
            Self::Limit => quantity(json, "a duration, \"unlimited\" or \"none\"").map(Value::Limit),
            Self::SizeLimit => quantity(json, "a size, \"unlimited\" or \"none\"").map(Value::SizeLimit),
            Self::Count => json.as_count().map(Value::Count).ok_or_else(|| {
                Refusal::new(format!("needs a whole number from 0 to {MAX_COUNT} without quotes, not {}", shown(json)))
            }),
            Self::Number => number(json, -MAX_NUMBER, MAX_NUMBER, "a number of at most 15 digits").map(Value::Number),
            Self::Ratio => number(json, 0.0, 1.0, "a share from 0 to 1").map(Value::Number),
            Self::Bool => match json {
                Json::Bool(b) => Ok(Value::Bool(*b)),
                other => Err(Refusal::new(format!("needs true or false, not {}", shown(other)))),
            },
            Self::Text => text(json).map(|t| Value::Text(t.into())),
            Self::Date => json
                .as_text()
                .and_then(Date::new)
                .map(Value::Date)
                .ok_or_else(|| Refusal::new(format!("needs {DATE}, not {}", shown(json)))),
            Self::Columns => columns(json).map(Value::Columns),
            Self::Keys => {
                let keys = list(json, "a list of keys such as [[\"id\"],[\"email\"]]", |item| match columns(item)? {
                    Columns(names) if names.is_empty() => Err(Refusal::new("a key needs at least one column")),
                    key => Ok(key),
                })?;
                Ok(Value::Keys(Keys(keys)))
            }
            Self::List => Ok(Value::List(List(list(json, "a list of texts", |item| Ok(text(item)?.into()))?))),
            Self::Schema => {
                let columns = members(json, "columns and their types", |name, ty| {
                    column(name)?;
                    Ok((name.into(), text(ty)?.into()))
                })?;
                Ok(Value::Schema(Schema(columns)))
            }
            Self::Shares => {
                let shares = members(json, "causes and their shares", |cause, share| {
                    TextKind::Setting.check(cause).map_err(Refusal::new)?;
                    Ok((cause.into(), number(share, 0.0, 1.0, "a share from 0 to 1")?))
                })?;
                Ok(Value::Shares(Shares(shares.into_iter().collect())))
            }
            Self::Words(words) => word(json, words).map(Value::Word),
            Self::Measured(plain) => measured(json, *plain),
        }
    }
}

/// How a date is written, for messages.
pub const DATE: &str = "a date such as 2026-11-30 or 2026-11-30T08:00Z";

/// A value as messages show it: short, as written.
fn shown(json: &Json) -> String {
    let text = json.to_string();
    if text.chars().count() > 60 { json.kind().to_owned() } else { text }
}

fn quantity<T: FromStr>(json: &Json, expected: &str) -> Result<T, Refusal> {
    let refuse = || Refusal::new(format!("needs {expected}, not {}", shown(json)));
    match json {
        Json::Text(text) => text.parse().map_err(|_| refuse()),
        Json::Number(_) => Err(Refusal::new(format!("needs {expected}: a bare {} has no unit", shown(json)))),
        _ => Err(refuse()),
    }
}

fn number(json: &Json, min: f64, max: f64, expected: &str) -> Result<f64, Refusal> {
    match json {
        // Adding zero turns the negative zero into the only one that the file knows.
        Json::Number(n) if n.is_finite() && (min..=max).contains(n) => Ok(*n + 0.0),
        other => Err(Refusal::new(format!("needs {expected} without quotes, not {}", shown(other)))),
    }
}

fn text(json: &Json) -> Result<&str, Refusal> {
    let Json::Text(text) = json else {
        return Err(Refusal::new(format!("needs a text in quotes, not {}", shown(json))));
    };
    TextKind::Setting.check(text).map_err(Refusal::new)?;
    Ok(text)
}

fn word(json: &Json, words: &'static [&'static str]) -> Result<&'static str, Refusal> {
    let written = json.as_text();
    if let Some(word) = words.iter().find(|word| Some(**word) == written) {
        return Ok(word);
    }
    Err(Refusal {
        inside: String::new(),
        reason: format!("{} is not one of {}", shown(json), words.join(", ")),
        suggestion: written.and_then(|w| nearest(w, words.iter().copied())).map(str::to_owned),
    })
}

/// A column name: any text that a store may have, except that only the known tokens begin with `@`.
fn column(name: &str) -> Result<(), Refusal> {
    TextKind::Name.check(name).map_err(Refusal::new)?;
    if name.starts_with('@') && !COLUMN_TOKENS.contains(&name) {
        return Err(Refusal {
            inside: String::new(),
            reason: format!("{name:?} is not one of the tokens {}", COLUMN_TOKENS.join(", ")),
            suggestion: nearest(name, COLUMN_TOKENS).map(str::to_owned),
        });
    }
    Ok(())
}

fn columns(json: &Json) -> Result<Columns, Refusal> {
    let names = list(json, "a list of column names such as [\"store\",\"window_start\"]", |item| {
        let Json::Text(name) = item else {
            return Err(Refusal::new(format!("needs a column name in quotes, not {}", shown(item))));
        };
        column(name)?;
        Ok(name.as_str().into())
    })?;
    Ok(Columns(names.into()))
}

fn list<T>(json: &Json, expected: &str, mut item: impl FnMut(&Json) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
    match json {
        Json::List(items) if items.len() <= MAX_ITEMS => {
            items.iter().enumerate().map(|(i, json)| item(json).map_err(|refusal| refusal.at(i))).collect()
        }
        Json::List(_) => Err(Refusal::new(format!("holds more than {MAX_ITEMS} entries"))),
        other => Err(Refusal::new(format!("needs {expected}, not {}", shown(other)))),
    }
}

fn members<T>(
    json: &Json,
    expected: &str,
    mut member: impl FnMut(&str, &Json) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    match json {
        Json::Object(all) if all.len() <= MAX_ITEMS => {
            all.iter().map(|(key, json)| member(key, json).map_err(|refusal| refusal.at(key))).collect()
        }
        Json::Object(_) => Err(Refusal::new(format!("holds more than {MAX_ITEMS} entries"))),
        other => Err(Refusal::new(format!("needs {expected} in braces, not {}", shown(other)))),
    }
}

fn measured(json: &Json, plain: FieldType) -> Result<Value, Refusal> {
    if !matches!(json, Json::Object(_)) {
        return plain.read(json);
    }
    let mut map = SortedMap::new();
    for (statistic, value) in members(json, "statistics", |name, value| {
        let statistic = Statistic::named(name).filter(|s| s.to_string() == name).ok_or_else(|| {
            Refusal::new("is no statistic; known are mean, min, max, total, p0 to p99.999 and partition numbers")
        })?;
        Ok((statistic, plain.read(value)?))
    })? {
        map.insert(statistic, value);
    }
    if map.is_empty() {
        return Err(Refusal::new("holds no statistic; leave out what was not measured"));
    }
    Ok(Value::Statistics(map))
}

impl Value {
    /// The file form of this value.
    #[must_use]
    pub fn written(&self) -> Json {
        let texts = |texts: &[super::Text]| Json::List(texts.iter().map(|t| Json::text(&**t)).collect());
        match self {
            Self::Unset => Json::text(UNSET),
            Self::Duration(v) => Json::text(v.to_string()),
            Self::Size(v) => Json::text(v.to_string()),
            Self::Rate(v) => Json::text(v.to_string()),
            Self::ByteRate(v) => Json::text(v.to_string()),
            Self::Limit(v) => Json::text(v.to_string()),
            Self::SizeLimit(v) => Json::text(v.to_string()),
            Self::Count(v) => Json::Number(*v as f64),
            Self::Number(v) => Json::Number(*v),
            Self::Bool(v) => Json::Bool(*v),
            Self::Text(v) => Json::text(&**v),
            Self::Date(v) => Json::text(v.as_str()),
            Self::Word(v) => Json::text(*v),
            Self::Columns(v) => texts(&v.0),
            Self::Keys(v) => Json::List(v.0.iter().map(|key| texts(&key.0)).collect()),
            Self::List(v) => texts(&v.0),
            Self::Schema(v) => Json::Object(v.0.iter().map(|(n, ty)| (n.to_string(), Json::text(&**ty))).collect()),
            Self::Shares(v) => {
                Json::Object(v.0.iter().map(|(n, share)| (n.to_string(), Json::Number(*share))).collect())
            }
            Self::Statistics(v) => Json::Object(v.iter().map(|(s, v)| (s.to_string(), v.written())).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Group, key, units::Limit};

    fn field(group: Group, name: &str) -> Field {
        group.field(name).unwrap()
    }

    #[test]
    fn values_read_and_print_in_normal_form() {
        let object = |members: &[(&str, Json)]| {
            Json::Object(members.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect())
        };
        let rows: [(Group, &str, Json, &str); 10] = [
            (Group::Channel, "retention_time", Json::text("168h"), "\"7d\""),
            (Group::Channel, "retention_size", Json::text("unlimited"), "\"unlimited\""),
            (Group::Channel, "partitions", Json::Number(12.0), "12"),
            (Group::Channel, "cleanup_policy", Json::text("compact_delete"), "\"compact_delete\""),
            (Group::Channel, "tiered", Json::text("unset"), "\"unset\""),
            (
                Group::Channel,
                "rate",
                object(&[("max", Json::text("30/s")), ("mean", Json::text("2/s"))]),
                r#"{"mean":"2/s","max":"30/s"}"#,
            ),
            (
                Group::Read,
                "lag",
                object(&[("8", Json::Number(112.0)), ("7", Json::Number(1840.0))]),
                r#"{"7":1840,"8":112}"#,
            ),
            (
                Group::Event,
                "fields",
                object(&[("z", Json::text("int")), ("a", Json::text("text?"))]),
                r#"{"z":"int","a":"text?"}"#,
            ),
            (Group::Sink, "unique_keys", Json::List(vec![Json::List(vec![Json::text("id")])]), r#"[["id"]]"#),
            (Group::Write, "key", Json::List(vec![]), "[]"),
        ];
        for (group, name, json, written) in rows {
            let value = field(group, name).read(&json).unwrap();
            assert_eq!(value.written().to_string(), written, "{name}");
            assert_eq!(field(group, name).check(&value), Ok(()));
        }
    }

    #[test]
    fn what_is_not_of_the_type_is_refused_with_a_reason() {
        let refuse = |group, name, json: Json| field(group, name).read(&json).unwrap_err();
        assert!(refuse(Group::Channel, "retention_time", Json::Number(604_800_000.0)).reason.contains("no unit"));
        assert!(refuse(Group::Channel, "partitions", Json::text("12")).reason.contains("without quotes"));
        assert!(refuse(Group::Channel, "partitions", Json::Number(1e300)).reason.contains("whole number"));
        assert!(refuse(Group::Channel, "rate", Json::text("unset")).reason.contains("leave out"));
        assert!(refuse(Group::Channel, "dominant_key_share", Json::Number(1.1)).reason.contains("0 to 1"));
        assert!(refuse(Group::Event, "timestamp_field", Json::text("")).reason.contains("empty"));
        assert_eq!(refuse(Group::Channel, "cleanup_policy", Json::text("compacted")).suggestion.unwrap(), "compact");
        assert_eq!(refuse(Group::Write, "key", Json::List(vec![Json::text("@offsets")])).inside, "0");
        let statistic = refuse(Group::Channel, "rate", Json::Object(vec![("p99".into(), Json::Number(1.0))]));
        assert_eq!(statistic.inside, "p99");
    }

    #[test]
    fn a_value_that_would_not_survive_the_file_is_refused() {
        assert!(key::event::VERSION.field().check(&Value::Text("unset".into())).is_err());
        assert!(key::channel::PARTITIONS.field().check(&Value::Count(u64::MAX)).is_err());
        assert!(key::channel::PARTITIONS.field().check(&Value::Bool(true)).is_err());
        assert!(key::channel::RETENTION_TIME.field().check(&Value::Limit(Limit::Unlimited)).is_ok());
        assert!(key::channel::GROWTH_HEADROOM.field().check(&Value::Number(f64::NAN)).is_err());
    }
}
