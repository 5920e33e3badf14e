//! How the text of a product's key becomes the value of a field, for the tables of keys of all products.
//!
//! A value that a field cannot hold is not bent: it is told with its key. Not here: which key fills which field.

use crate::model::{
    Columns, Field, FieldValue, Ratio, Text, Value,
    units::{Duration, Limit, Size, product},
    words::{CleanupPolicy, Isolation, OffsetReset, TimestampType},
};
use crate::sorted;

/// Words of a product and those of the format; an empty one says nothing that a field holds.
pub(super) type Words = &'static [(&'static str, &'static str)];

/// How the text of a key becomes a value.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Count,
    Flag,
    Millis,
    MillisLimit,
    Bytes,
    BytesLimit,
    Ratio,
    Policy,
    TimestampType,
    Reset,
    Isolation,
    /// `10 s`, `1min`, `PT1M`; a plain number is milliseconds.
    Time,
    /// A time, in which 0 stands for none.
    TimeOrNone,
    /// A time, in which 0 stands for unlimited.
    TimeOrEver,
    /// A plain number of seconds.
    Seconds,
    /// `4096m`, `4 gb`: powers of two, as Java and its engines count.
    Memory,
    /// One of these words.
    Word(Words),
    /// One of these words, as the token of a key.
    Token(Words),
    /// Names parted by commas.
    Names,
    /// As written.
    Text,
}

/// What became of the settings of one subject.
#[derive(Default)]
pub(super) struct Mapped {
    /// Field, the key it comes from, the value, and what to say about it.
    pub facts: Vec<(Field, &'static str, Value, Option<&'static str>)>,
    /// Keys that filled a field or that another key overrules.
    pub used: Vec<&'static str>,
    /// Keys whose value no field can hold, with the reason.
    pub unfit: Vec<(&'static str, String)>,
}

impl Mapped {
    /// Is the field told already?
    pub fn holds(&self, field: Field) -> bool {
        self.facts.iter().any(|fact| fact.0 == field)
    }

    /// A value of a field, unless it is told already.
    pub fn tell(&mut self, field: Field, name: &'static str, value: Value, note: Option<&'static str>) {
        self.used.push(name);
        if !self.holds(field) {
            self.facts.push((field, name, value, note));
        }
    }
}

/// A hundred years: what is longer is "for ever" written in another way.
const LONGEST_MS: u64 = 100 * 365 * 86_400_000;

fn convert(kind: Kind, text: &str) -> Option<Value> {
    let within = |time: &Duration| time.millis() <= LONGEST_MS;
    Some(match kind {
        Kind::Count => text.parse::<u64>().ok().filter(|n| *n <= u64::from(u32::MAX))?.into_value(),
        Kind::Flag => text.parse::<bool>().ok()?.into_value(),
        Kind::Millis => product::millis(text).filter(within)?.into_value(),
        Kind::MillisLimit => match product::millis_limit(text)? {
            Limit::Of(time) if !within(&time) => Value::Limit(Limit::Unlimited),
            limit => limit.into_value(),
        },
        Kind::Time => spelled_time(text).filter(within)?.into_value(),
        Kind::TimeOrNone | Kind::TimeOrEver => match spelled_time(text).filter(within)? {
            Duration::ZERO if matches!(kind, Kind::TimeOrNone) => Value::Limit(Limit::None),
            Duration::ZERO => Value::Limit(Limit::Unlimited),
            time => Limit::Of(time).into_value(),
        },
        Kind::Seconds => Duration::from_secs(text.parse().ok()?).into_value(),
        Kind::Bytes => product::bytes(text).filter(|size| size.bytes() < 1 << 62)?.into_value(),
        Kind::BytesLimit => product::bytes_limit(text)?.into_value(),
        Kind::Memory => spelled_size(text).filter(|size| size.bytes() < 1 << 62)?.into_value(),
        Kind::Ratio => {
            let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share))?;
            Ratio(share).into_value()
        }
        Kind::Policy => {
            let mut words: Vec<&str> = text.trim_matches(['[', ']']).split(',').map(str::trim).collect();
            sorted::sort(&mut words);
            match words.as_slice() {
                ["delete"] => CleanupPolicy::Delete.into_value(),
                ["compact"] => CleanupPolicy::Compact.into_value(),
                ["compact", "delete"] => CleanupPolicy::CompactDelete.into_value(),
                _ => return None,
            }
        }
        Kind::TimestampType => match text {
            "CreateTime" => TimestampType::CreateTime.into_value(),
            "LogAppendTime" => TimestampType::AppendTime.into_value(),
            _ => return None,
        },
        // A reset by duration (KIP-1106) begins at neither end.
        Kind::Reset => match text {
            "earliest" => OffsetReset::Earliest.into_value(),
            "latest" => OffsetReset::Latest.into_value(),
            _ => return None,
        },
        Kind::Isolation => match text {
            "read_committed" => Isolation::ReadCommitted.into_value(),
            "read_uncommitted" => Isolation::ReadUncommitted.into_value(),
            _ => return None,
        },
        Kind::Word(words) => Value::Word(word(words, text)?),
        Kind::Token(words) => columns([word(words, text)?].into_iter()),
        Kind::Names => columns(names(text)),
        Kind::Text => Value::Text(Some(text).filter(|text| !text.is_empty())?.into()),
    })
}

/// The word of the format for one of a product, whatever its case; of the name of a class the last part counts.
fn word(words: Words, text: &str) -> Option<&'static str> {
    let text = text.rsplit(['.', '$']).next().unwrap_or(text);
    words.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(text)).map(|(_, ours)| *ours)
}

/// Names parted by commas, without blanks.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// Columns or a token as a value.
pub(super) fn columns<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    Columns(names.map(Text::from).collect()).into_value()
}

/// Files the value of a key, or why there is none.
pub(super) fn put(name: &'static str, field: Field, kind: Kind, text: &str, mapped: &mut Mapped) {
    if let Kind::Word(words) | Kind::Token(words) = kind
        && word(words, text) == Some("")
    {
        mapped.used.push(name);
        return;
    }
    match convert(kind, text) {
        Some(value) => mapped.tell(field, name, value, None),
        None => mapped.unfit.push((name, format!("{text:?} is no value that {} can hold", field.label()))),
    }
}

/// A number and the unit behind it: `4096m`, `10 s`.
fn number_and_unit(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, unit.trim()))
}

/// A time as Flink and Spark write it (`org.apache.flink.util.TimeUtils`, Spark's `JavaUtils.timeStringAs`): `10 s`, `5 min`,
/// `PT1M` of ISO 8601 in hours, minutes and seconds; a plain number is milliseconds.
fn spelled_time(text: &str) -> Option<Duration> {
    let upper = text.trim().to_ascii_uppercase();
    if let Some(mut rest) = upper.strip_prefix("PT").filter(|rest| !rest.is_empty()) {
        let mut total = 0u64;
        while !rest.is_empty() {
            let end = rest.find(['H', 'M', 'S'])?;
            let ms = match rest.as_bytes().get(end)? {
                b'H' => 3_600_000,
                b'M' => 60_000,
                _ => 1000,
            };
            total = total.checked_add(rest.get(..end)?.parse::<u64>().ok()?.checked_mul(ms)?)?;
            rest = rest.get(end + 1..)?;
        }
        return Some(Duration::from_millis(total));
    }
    let (number, unit) = number_and_unit(text)?;
    let ms = match unit.to_ascii_lowercase().trim_end_matches('s') {
        // `ms` and `s` end in what a plural ends in.
        "" if unit.is_empty() => 1,
        "" | "sec" | "second" => 1000,
        "m" if unit.ends_with(['s', 'S']) => 1,
        "milli" | "millisecond" => 1,
        "m" | "min" | "minute" => 60_000,
        "h" | "hour" => 3_600_000,
        "d" | "day" => 86_400_000,
        _ => return None,
    };
    number.checked_mul(ms).map(Duration::from_millis)
}

/// A size as Java and its engines write it (`org.apache.flink.configuration.MemorySize`): `4096m`, `4 gb`; a plain number is bytes.
fn spelled_size(text: &str) -> Option<Size> {
    let (number, unit) = number_and_unit(text)?;
    let power = match unit.to_ascii_lowercase().as_str() {
        "" | "b" | "bytes" => 0,
        "k" | "kb" | "kib" | "kibibytes" => 10,
        "m" | "mb" | "mib" | "mebibytes" => 20,
        "g" | "gb" | "gib" | "gibibytes" => 30,
        "t" | "tb" | "tib" | "tebibytes" => 40,
        _ => return None,
    };
    number.checked_mul(1 << power).map(Size::from_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_as_engines_write_them() {
        for (text, told) in [
            ("10 s", "10s"),
            ("10s", "10s"),
            ("60000", "1min"),
            ("500 ms", "500ms"),
            ("500ms", "500ms"),
            ("3 min", "3min"),
            ("3m", "3min"),
            ("2 hours", "2h"),
            ("1 d", "1d"),
            ("1 minute", "1min"),
            ("30 seconds", "30s"),
            ("PT1M30S", "90s"),
            ("pt2h", "2h"),
        ] {
            assert_eq!(spelled_time(text).map(|time| time.to_string()).as_deref(), Some(told), "{text}");
        }
        for text in ["", "s", "soon", "1 fortnight", "P1D", "PT", "PT5", "99999999999999999999 d", "-1"] {
            assert!(spelled_time(text).is_none(), "{text}");
        }
        for (text, told) in [("4096m", "4GiB"), ("4 gb", "4GiB"), ("1024", "1KiB"), ("1024 bytes", "1KiB")] {
            assert_eq!(spelled_size(text).map(|size| size.to_string()).as_deref(), Some(told), "{text}");
        }
        assert_eq!(spelled_size("4 x"), None);
        assert_eq!(spelled_size("99999999999999999 t"), None);
    }
}
