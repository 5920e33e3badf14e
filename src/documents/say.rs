//! Values and sources as people read them.
//!
//! Not here: the file form of a value (`codec`), and the numbers of the analysis, which speak for themselves.

use crate::model::{
    Design, Evidence, EvidenceBasis, FactRef, Slot, Value,
    units::{Limit, human},
};
pub use crate::model::{capital, ended};

/// A value in words, and whether it is a word of a product that is set like code.
#[must_use]
pub fn value(value: &Value) -> (String, bool) {
    match value {
        Value::Duration(v) => (human::seconds(v.secs()), false),
        Value::Limit(Limit::Of(v)) => (human::seconds(v.secs()), false),
        Value::Size(_) | Value::SizeLimit(Limit::Of(_)) | Value::ByteRate(_) => (spaced(&value.to_string()), false),
        Value::Rate(_) => (spaced_rate(&value.to_string()), false),
        Value::Count(v) => (human::number(*v as f64), false),
        Value::Number(v) => (human::decimals(*v, 3), false),
        Value::Word(_) | Value::Columns(_) | Value::Keys(_) => {
            let text = value.to_string();
            let code = text != "none";
            (text, code)
        }
        Value::Statistics(map) => {
            let each = map.iter().map(|(statistic, inner)| {
                let name = match statistic {
                    crate::model::Statistic::Partition(n) => format!("partition {n}"),
                    other => other.to_string(),
                };
                format!("{name} {}", self::value(inner).0)
            });
            (each.collect::<Vec<_>>().join(", "), false)
        }
        Value::Shares(shares) => {
            let each = shares.0.iter().map(|(cause, share)| format!("{cause} {} %", human::decimals(share * 100.0, 3)));
            (each.collect::<Vec<_>>().join(", "), false)
        }
        other => (other.to_string(), false),
    }
}

/// `50GiB` with a space before its unit.
fn spaced(text: &str) -> String {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() || unit.is_empty() { text.to_owned() } else { format!("{} {unit}", number.trim_end()) }
}

/// `300/s` with a space before the stroke.
fn spaced_rate(text: &str) -> String {
    match text.split_once('/') {
        Some((number, per)) => {
            let number = number.parse::<f64>().map_or_else(|_| number.to_owned(), |n| human::decimals(n, 3));
            format!("{number} /{per}")
        }
        None => text.to_owned(),
    }
}

/// Where a fact was read, or who said it, and when: `kafka-topics --describe, 2026-11-30`.
#[must_use]
pub fn source(design: &Design, fact: &FactRef) -> String {
    match &fact.slot {
        Slot::Proposed => "proposed in this design".to_owned(),
        Slot::Observed(id) => {
            design.records.evidence.get(id).map_or_else(|| id.to_string(), |e| evidence(id.as_str(), e))
        }
    }
}

/// An evidence entry in words.
#[must_use]
pub fn evidence(id: &str, entry: &Evidence) -> String {
    let mut parts = Vec::new();
    parts.extend(entry.from.as_deref().map(str::to_owned));
    parts.extend(entry.by.as_deref().map(|by| format!("by {by}")));
    if parts.is_empty() {
        let said = match entry.basis {
            Some(EvidenceBasis::Stated) => "stated in this design",
            Some(EvidenceBasis::Read) => "read, source not named",
            Some(EvidenceBasis::Assumed) => "assumed, reason not given",
            None => "source not named",
        };
        parts.push(format!("{said} ({id})"));
    }
    parts.extend(entry.at.as_ref().map(ToString::to_string));
    parts.join(", ")
}

/// A sentence that begins with words of ours: large first letter, full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    ended(&capital(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FieldValue, units::Duration};

    #[test]
    fn values_read_as_spoken() {
        for (text, want) in [("50GiB", "50 GiB"), ("600B", "600 B"), ("2MB/s", "2 MB/s"), ("0", "0")] {
            assert_eq!(spaced(text), want);
        }
        assert_eq!(spaced_rate("300/s"), "300 /s");
        assert_eq!(spaced_rate("20000000/d"), "20\u{2009}000\u{2009}000 /d");
        assert_eq!(value(&Duration::from_secs(300).into_value()), ("5 min".to_owned(), false));
        assert_eq!(value(&Value::Word("read_committed")), ("read_committed".to_owned(), true));
    }
}
