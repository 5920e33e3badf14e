//! What people type into a field: text to a value of the field's type, and back, and what a value looks like on screen.
//!
//! Quantities are written as in the file (`7d`, `50GiB`, `300/s`); a space before the unit and the thin space between
//! thousands do no harm. Lists are parted by commas, keys by semicolons, columns and shares stand one a line.

use super::refusal;
use crate::model::{
    Date, Field, FieldType, Json, Statistic, Value, capital, said, shortened,
    units::{Limit, human},
    written::UNSET,
};

/// A value of the field from what was typed. The error says what is accepted; nothing typed is no value.
pub fn read(field: Field, text: &str) -> Result<Value, String> {
    let text = text.trim();
    // `300 /s` is a rate and no reading of partition 300; of counts `7 1840` is a reading of partition 7.
    if let FieldType::Measured(plain) = field.row().ty
        && !matches!(plain, FieldType::Count)
        && let Some(value) = written(*plain, text).ok().and_then(|json| field.read(&json).ok())
    {
        return possible(field, value, text);
    }
    let json = written(field.row().ty, text)?;
    let value = field.read(&json).map_err(|why| {
        let near = why.suggestion.map(|word| format!(" Did you mean {word}?")).unwrap_or_default();
        let text_of_its_own = matches!(
            field.row().ty,
            FieldType::Text | FieldType::Columns | FieldType::Keys | FieldType::List | FieldType::Schema
        );
        match text_of_its_own && !text.is_empty() || text == UNSET {
            true => format!("{}.{near}", capital(&why.reason)),
            false => refusal::refusal(field, text) + &near,
        }
    })?;
    possible(field, value, text)
}

/// Is it within the bounds of its row? Of several statistics, the one that is not is named.
fn possible(field: Field, value: Value, text: &str) -> Result<Value, String> {
    let bounds = field.row().bounds;
    if bounds.admit(&value) {
        return Ok(value);
    }
    Err(match &value {
        Value::Statistics(all) => match all.values().find(|one| !bounds.admit(one)) {
            Some(one) => refusal::refusal(field, &print(one)),
            None => refusal::refusal(field, text),
        },
        _ => refusal::refusal(field, text),
    })
}

fn written(ty: FieldType, text: &str) -> Result<Json, String> {
    let items = |text: &str| Json::List(parts(text, ',').map(Json::text).collect());
    Ok(match ty {
        FieldType::Duration
        | FieldType::Size
        | FieldType::Rate
        | FieldType::ByteRate
        | FieldType::Limit
        | FieldType::SizeLimit => Json::text(close_up(text)),
        // What is no number stays a text, which no field of numbers takes.
        FieldType::Count | FieldType::Number | FieldType::Ratio => number(ty, text).unwrap_or_else(|| Json::text(text)),
        FieldType::Bool => match text.to_ascii_lowercase().as_str() {
            "yes" | "true" | "on" => Json::Bool(true),
            "no" | "false" | "off" => Json::Bool(false),
            _ => Json::text(text),
        },
        FieldType::Text | FieldType::Date | FieldType::Words(_) => Json::text(text),
        FieldType::Columns | FieldType::List if text.eq_ignore_ascii_case("none") => Json::List(Vec::new()),
        FieldType::Columns => items(text.trim_start_matches('(').trim_end_matches(')')),
        FieldType::List => items(text),
        FieldType::Keys if text.eq_ignore_ascii_case("none") => Json::List(Vec::new()),
        FieldType::Keys => Json::List(
            parts(text, ';').map(|key| items(key.trim().trim_start_matches('(').trim_end_matches(')'))).collect(),
        ),
        FieldType::Schema => Json::Object(
            columns(text)
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(|line| match line.split_once([' ', ':']) {
                    Some((name, ty)) => Ok((name.to_owned(), Json::text(ty.trim()))),
                    None => Err(format!("{}: needs a name and a type, such as: amount decimal.", cut(line))),
                })
                .collect::<Result<_, _>>()?,
        ),
        FieldType::Shares => Json::Object(
            text.split(['\n', ','])
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(|line| match line.rsplit_once([' ', ':']) {
                    Some((cause, share)) => Ok((cause.trim().to_owned(), member(FieldType::Ratio, share)?)),
                    None => Err(format!("{}: needs a cause and a share, such as: late records 0.02.", cut(line))),
                })
                .collect::<Result<_, String>>()?,
        ),
        FieldType::Measured(plain) => measured(*plain, text)?,
    })
}

/// A plain value, or statistics: `mean 300/s, max 900/s`.
fn measured(plain: FieldType, text: &str) -> Result<Json, String> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let statistic = crate::model::Statistic::named(first).is_some();
    if !statistic || !text.trim().contains(' ') {
        return written(plain, text);
    }
    let members = parts(text, ',').map(|part| match part.trim().split_once(char::is_whitespace) {
        Some((name, value)) => Ok((name.to_owned(), member(plain, value)?)),
        None => Err(format!("{}: needs a statistic and a value, such as: max 900/s.", cut(part))),
    });
    members.collect::<Result<_, String>>().map(Json::Object)
}

/// A part of a value, in its file form.
fn member(ty: FieldType, text: &str) -> Result<Json, String> {
    let text = text.trim();
    let json = written(ty, text)?;
    ty.read(&json).map(|_| json).map_err(|_| refusal::within(ty, text))
}

/// The columns of a schema, one a line or parted by commas; those inside brackets belong to a type: `decimal(10,2)`.
fn columns(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |c| {
        depth = match c {
            '(' | '<' => depth.saturating_add(1),
            ')' | '>' => (depth - 1).max(0),
            '\n' => 0,
            _ => depth,
        };
        c == '\n' || (c == ',' && depth == 0)
    })
}

/// As much of what was typed as a message has room for.
fn cut(text: &str) -> String {
    shortened(text, 60)
}

fn parts(text: &str, by: char) -> impl Iterator<Item = &str> {
    text.split(by).map(str::trim).filter(|part| !part.is_empty())
}

/// Numbers may hold spaces between thousands; shares may be written in per cent.
fn number(ty: FieldType, text: &str) -> Option<Json> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{2009}' && *c != '_').collect();
    let (digits, factor) = match plain.strip_suffix('%') {
        Some(digits) if ty == FieldType::Ratio => (digits, 0.01),
        _ => (plain.as_str(), 1.0),
    };
    digits.parse::<f64>().ok().filter(|n| n.is_finite()).map(|n| Json::Number(n * factor))
}

/// `7 d` is `7d`, `300 /s` is `300/s`, `1 h 30 min` is `90min` where it can be said so.
fn close_up(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{2009}').collect();
    plain
}

/// What stands in the input for a value.
#[must_use]
pub fn print(value: &Value) -> String {
    match value {
        Value::Unset => "unset".to_owned(),
        Value::Columns(columns) if !columns.0.is_empty() => join(columns.0.iter().map(ToString::to_string), ", "),
        Value::Keys(keys) if !keys.0.is_empty() => {
            join(keys.0.iter().map(|key| join(key.0.iter().map(ToString::to_string), ", ")), "; ")
        }
        Value::Columns(_) | Value::Keys(_) => "none".to_owned(),
        Value::List(list) if list.0.is_empty() => "none".to_owned(),
        Value::Schema(schema) => join(schema.0.iter().map(|(name, ty)| format!("{name} {ty}")), "\n"),
        Value::Shares(shares) => join(shares.0.iter().map(|(cause, share)| format!("{cause} {share}")), "\n"),
        Value::Statistics(map) => {
            join(map.iter().map(|(statistic, value)| format!("{statistic} {}", print(value))), ", ")
        }
        other => other.to_string(),
    }
}

fn join(items: impl Iterator<Item = String>, by: &str) -> String {
    items.collect::<Vec<_>>().join(by)
}

/// A value for eyes: `7 d`, `50 GiB`, `300 /s`.
#[must_use]
pub fn shown(value: &Value) -> String {
    let spaced = |text: String| {
        let at = text.find(|c: char| c.is_ascii_alphabetic() || c == '/');
        match at {
            Some(at) if at > 0 => {
                let (number, unit) = text.split_at(at);
                let long = number.len() > 15;
                let number = number.parse().ok().filter(|_| long).map(|n| human::decimals(n, 3));
                format!("{} {unit}", number.as_deref().unwrap_or(&text[..at]))
            }
            _ => text,
        }
    };
    match value {
        Value::Word(word) => said(word),
        Value::Duration(duration) => human::seconds(duration.secs()),
        Value::Limit(Limit::Of(duration)) => human::seconds(duration.secs()),
        Value::Size(_) | Value::Rate(_) | Value::ByteRate(_) | Value::SizeLimit(Limit::Of(_)) => {
            spaced(value.to_string())
        }
        Value::Count(count) => human::decimals(*count as f64, 0),
        Value::Number(n) if n.abs() >= 1e6 => human::decimals(*n, 3),
        Value::Statistics(map) => {
            // A bare number would be read as one of the values.
            let partitions = map.keys().all(|statistic| matches!(statistic, Statistic::Partition(_)));
            let (head, colon) = if partitions { ("by partition ", ":") } else { ("", "") };
            let listed = map.iter().take(4).map(|(statistic, value)| format!("{statistic}{colon} {}", shown(value)));
            let more = map.len().saturating_sub(4);
            let rest = if more > 0 { format!(", {more} more") } else { String::new() };
            format!("{head}{}{rest}", join(listed, ", "))
        }
        other => other.to_string(),
    }
}

/// What the field takes, with an example: stands in the empty input.
#[must_use]
pub fn example(ty: FieldType) -> &'static str {
    match ty {
        FieldType::Duration => "7d, 30s, 250ms",
        FieldType::Size => "50GiB, 600B",
        FieldType::Rate => "300/s, 1.5k/s",
        FieldType::ByteRate => "2MB/s",
        FieldType::Limit => "7d, unlimited, none",
        FieldType::SizeLimit => "50GiB, unlimited, none",
        FieldType::Count => "12",
        FieldType::Number => "1.3",
        FieldType::Ratio => "0.02 or 2%",
        FieldType::Bool | FieldType::Words(_) => "",
        FieldType::Text => "text",
        FieldType::Date => "2026-11-30",
        FieldType::Columns => "store, window_start",
        FieldType::Keys => "id; store, day",
        FieldType::List => "one, two",
        FieldType::Schema => "amount decimal, one a line",
        FieldType::Shares => "late records 0.02, one a line",
        FieldType::Measured(FieldType::Rate) => "300/s, or mean 300/s, max 900/s",
        FieldType::Measured(FieldType::ByteRate) => "2MB/s, or mean 1MB/s, max 2MB/s",
        FieldType::Measured(FieldType::Size) => "600B, or mean 600B, max 4kB",
        FieldType::Measured(FieldType::Count) => "1840, or 7 1840, 8 112",
        FieldType::Measured(_) => "3s, or p50 1s, p99 3s",
    }
}

/// Is this a date of the evidence list? An empty text is none.
pub fn date(text: &str) -> Result<Option<Date>, String> {
    match text.trim() {
        "" => Ok(None),
        text => Date::new(text).map(Some).ok_or_else(|| refusal::within(FieldType::Date, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Group, key};

    #[test]
    fn the_commas_of_a_type_part_no_columns() {
        let schema =
            read(key::event::FIELDS.field(), "amount decimal(10,2), tags map<text,array<int>>?\nat long").unwrap();
        assert_eq!(print(&schema), "amount decimal(10,2)\ntags map<text,array<int>>?\nat long");
        let unclosed = read(key::event::FIELDS.field(), "a b(\nc d").unwrap();
        assert_eq!(print(&unclosed), "a b(\nc d");
    }

    #[test]
    fn a_refusal_quotes_no_more_than_a_message_has_room_for() {
        let long = "x".repeat(100_000);
        for field in [key::event::FIELDS.field(), key::reconcile::DIVERGENCE.field()] {
            assert!(read(field, &long).unwrap_err().len() < 200);
        }
    }

    fn field(group: Group, name: &str) -> Field {
        group.field(name).unwrap()
    }

    #[test]
    fn people_write_units_with_and_without_spaces() {
        let retention = key::channel::RETENTION_TIME.field();
        assert_eq!(read(retention, " 7 d "), read(retention, "168h"));
        assert_eq!(shown(&read(retention, "7d").unwrap()), "7 d");
        assert_eq!(read(retention, "unlimited").unwrap().to_string(), "unlimited");
        assert!(read(retention, "soon").unwrap_err().contains("is no time"));
        assert!(read(retention, "7").unwrap_err().ends_with('.'));
        assert_eq!(shown(&read(key::channel::RETENTION_SIZE.field(), "50 GiB").unwrap()), "50 GiB");
        assert_eq!(read(key::channel::PARTITIONS.field(), "1\u{2009}200").unwrap(), Value::Count(1200));
        assert!(read(key::channel::PARTITIONS.field(), "twelve").is_err());
        assert_eq!(read(key::channel::DOMINANT_KEY_SHARE.field(), "25%").unwrap(), Value::Number(0.25));
    }

    #[test]
    fn what_is_typed_stands_in_the_input_again() {
        let reset = field(Group::Read, "group");
        for text in ["unset", "billing"] {
            assert_eq!(print(&read(reset, text).unwrap()), text);
        }
    }

    #[test]
    fn a_factor_has_bounds_and_no_value_prints_a_page_of_digits() {
        let selectivity = key::operator::SELECTIVITY.field();
        assert_eq!(read(selectivity, "1.3"), Ok(Value::Number(1.3)));
        assert!(read(selectivity, "1e300").unwrap_err().contains("15 digits"));
        assert_eq!(shown(&read(key::channel::RATE.field(), "10000000000000000000/s").unwrap()), "1e19 /s");
    }

    #[test]
    fn measurements_take_a_value_or_statistics() {
        let rate = key::channel::RATE.field();
        assert_eq!(print(&read(rate, "300 /s").unwrap()), "300/s");
        let both = read(rate, "mean 300/s, max 900/s").unwrap();
        assert_eq!(print(&both), "mean 300/s, max 900/s");
        assert_eq!(shown(&both), "mean 300 /s, max 900 /s");
        let lag = read(key::read::LAG.field(), "7 1840, 8 112").unwrap();
        assert_eq!(print(&lag), "7 1840, 8 112");
        assert_eq!(read(key::read::LAG.field(), "1840").unwrap(), Value::Count(1840));
        assert!(read(rate, "mean").is_err());
    }

    #[test]
    fn lists_keys_and_words_come_back_as_they_went() {
        let rows = [
            (field(Group::Sink, "unique_keys"), "store, window_start; id"),
            (field(Group::Sink, "unique_keys"), "none"),
            (field(Group::Operator, "key"), "outbox_id"),
            (field(Group::Operator, "window"), "tumbling"),
            (field(Group::Event, "fields"), "order_id string\namount decimal?"),
            (field(Group::Event, "versions_in_flight"), "1, 2"),
            (field(Group::Batch, "divergence"), "late records 0.02"),
            (field(Group::Reconcile, "result_at"), "2026-11-30"),
        ];
        for (field, text) in rows {
            assert_eq!(print(&read(field, text).unwrap()), text, "{field:?}");
        }
        assert_eq!(read(field(Group::Channel, "tiered"), "yes").unwrap(), Value::Bool(true));
        assert!(read(field(Group::Operator, "window"), "tumblng").unwrap_err().contains("tumbling"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_is_allowed() {
        for (field, text, right) in [
            (key::channel::PARTITIONS.field(), "0", "1"),
            (key::channel::REPLICATION_FACTOR.field(), "0", "1"),
            (key::operator::WINDOW_SIZE.field(), "0s", "1ms"),
            (key::operator::WINDOW_GAP.field(), "0 min", "5 min"),
        ] {
            assert!(read(field, text).is_err(), "{text}");
            assert!(read(field, right).is_ok(), "{right}");
        }
        // No lag, no allowed lateness and no offset are what a design may well say.
        assert_eq!(read(key::read::LAG.field(), "0"), Ok(Value::Count(0)));
        assert!(read(key::operator::ALLOWED_LATENESS.field(), "0s").is_ok());
        assert!(read(key::operator::WINDOW_OFFSET.field(), "0s").is_ok());
    }
}
