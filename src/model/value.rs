//! What a setting can hold, and the typed view of it.

use super::units::{ByteRate, Duration, Limit, Rate, Size};
use crate::sorted::SortedMap;
use std::{fmt, sync::Arc};

/// A short text, a column name, a key of a product.
pub type Text = Arc<str>;

/// The value of one setting as it stands in the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The complete configuration was read and the key is not in it.
    Unset,
    /// A length of time.
    Duration(Duration),
    /// An amount of bytes.
    Size(Size),
    /// Records per time.
    Rate(Rate),
    /// Bytes per second.
    ByteRate(ByteRate),
    /// A time that may be unlimited or none.
    Limit(Limit<Duration>),
    /// A size that may be unlimited or none.
    SizeLimit(Limit<Size>),
    /// A whole number.
    Count(u64),
    /// Any finite number.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// Free text.
    Text(Text),
    /// `2026-11-30` or `2026-11-30T08:00Z`.
    Date(Date),
    /// One word of a closed list.
    Word(&'static str),
    /// Column names or tokens such as `@coordinates`.
    Columns(Columns),
    /// Several keys.
    Keys(Keys),
    /// Texts in order.
    List(List),
    /// Column name to type, in order.
    Schema(Schema),
    /// Cause to share, 0 to 1.
    Shares(Shares),
    /// Several statistics of one measurement; never empty.
    Statistics(SortedMap<Statistic, Value>),
}

/// Column names or the tokens `@record_key`, `@coordinates`, `@offset`, `@batch_id`, `@arrival`, `@random`;
/// empty means: read, and there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Columns(pub Arc<[Text]>);

/// Keys as enforced or declared by a store; empty means: read, and there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(pub Vec<Columns>);

/// Texts in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<Text>);

/// Columns of an event: name and type, in order; a type that ends in `?` may be null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema(pub Vec<(Text, Text)>);

/// Causes and their shares, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares(pub SortedMap<Text, f64>);

/// A share between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Ratio(pub f64);

/// A calendar day, or a minute or second of it in UTC, as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(Text);

impl Date {
    /// Reads `YYYY-MM-DD`, `YYYY-MM-DDThh:mmZ` or `YYYY-MM-DDThh:mm:ssZ`; checks that month, day and time exist.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (day, time) = text.split_once('T').map_or((text, None), |(day, time)| (day, Some(time)));
        let number = |t: &str, len: usize| {
            (t.len() == len && t.bytes().all(|b| b.is_ascii_digit())).then(|| t.parse::<u32>().ok()).flatten()
        };
        let mut parts = day.split('-');
        let (year, month) = (number(parts.next()?, 4)?, number(parts.next()?, 2)?);
        let date = number(parts.next()?, 2)?;
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if parts.next().is_some() || date == 0 || date > days {
            return None;
        }
        if let Some(time) = time {
            let mut parts = time.strip_suffix('Z')?.split(':');
            let (hour, minute) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
            let second = parts.next().map_or(Some(0), |s| number(s, 2))?;
            if hour > 23 || minute > 59 || second > 59 || parts.next().is_some() {
                return None;
            }
        }
        Some(Self(text.into()))
    }

    /// As written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which statistic of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean over the time measured.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The sum, over partitions or over time.
    Total,
    /// A percentile in thousandths of a percent: 99.9 % is 99 900.
    Percentile(u32),
    /// One partition, by number.
    Partition(u32),
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Min => f.write_str("min"),
            Self::Max => f.write_str("max"),
            Self::Total => f.write_str("total"),
            Self::Percentile(p) if p % 1000 == 0 => write!(f, "p{}", p / 1000),
            Self::Percentile(p) => {
                let text = format!("{}.{:03}", p / 1000, p % 1000);
                write!(f, "p{}", text.trim_end_matches('0'))
            }
            Self::Partition(n) => write!(f, "{n}"),
        }
    }
}

impl Statistic {
    /// Reads `mean`, `min`, `max`, `total`, `p0` to `p99.999`, or a partition number of at most six digits.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        Some(match text {
            "mean" => Self::Mean,
            "min" => Self::Min,
            "max" => Self::Max,
            "total" => Self::Total,
            _ => match text.strip_prefix('p') {
                Some(p) => {
                    let (whole, fraction) = p.split_once('.').unwrap_or((p, "0"));
                    if !digits(whole) || !digits(fraction) || whole.len() > 2 || fraction.len() > 3 {
                        return None;
                    }
                    Self::Percentile(whole.parse::<u32>().ok()? * 1000 + format!("{fraction:0<3}").parse::<u32>().ok()?)
                }
                None if digits(text) && text.len() <= 6 => Self::Partition(text.parse().ok()?),
                None => return None,
            },
        })
    }
}

/// A measurement: one plain value, or statistics of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<T> {
    /// A plain value; for rates it stands for the mean.
    pub plain: Option<T>,
    /// Statistics and per-partition readings. A partition that is absent was not measured.
    pub statistics: SortedMap<Statistic, T>,
}

impl<T: Copy + PartialOrd> Measured<T> {
    /// The mean; a plain value counts as one.
    #[must_use]
    pub fn mean(&self) -> Option<T> {
        self.plain.or_else(|| self.statistics.get(&Statistic::Mean).copied())
    }

    /// The stated maximum, else the largest partition reading, else a plain value.
    #[must_use]
    pub fn max(&self) -> Option<T> {
        self.statistics.get(&Statistic::Max).copied().or_else(|| self.over_partitions(|a, b| a > b)).or(self.plain)
    }

    /// The stated minimum, else the smallest partition reading, else a plain value.
    #[must_use]
    pub fn min(&self) -> Option<T> {
        self.statistics.get(&Statistic::Min).copied().or_else(|| self.over_partitions(|a, b| a < b)).or(self.plain)
    }

    /// The mean, else the maximum: for places that need one number.
    #[must_use]
    pub fn mean_or_max(&self) -> Option<T> {
        self.mean().or_else(|| self.max())
    }

    /// Readings by partition.
    pub fn partitions(&self) -> impl Iterator<Item = (u32, T)> + '_ {
        self.statistics.iter().filter_map(|(statistic, value)| match statistic {
            Statistic::Partition(n) => Some((*n, *value)),
            _ => None,
        })
    }

    /// Percentiles, in per cent, ascending.
    pub fn percentiles(&self) -> impl Iterator<Item = (f64, T)> + '_ {
        self.statistics.iter().filter_map(|(statistic, value)| match statistic {
            Statistic::Percentile(p) => Some((f64::from(*p) / 1000.0, *value)),
            _ => None,
        })
    }

    fn over_partitions(&self, better: impl Fn(T, T) -> bool) -> Option<T> {
        self.partitions().map(|(_, value)| value).reduce(|a, b| if better(a, b) { a } else { b })
    }
}

/// The type of a field: what the codec accepts, the inspector offers, the schema prints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum FieldType {
    Duration,
    Size,
    Rate,
    ByteRate,
    Limit,
    SizeLimit,
    Count,
    Number,
    Ratio,
    Bool,
    Text,
    Date,
    Columns,
    Keys,
    List,
    Schema,
    Shares,
    /// One word of this closed list.
    Words(&'static [&'static str]),
    /// A plain value of that type or statistics of it.
    Measured(&'static FieldType),
}

/// A Rust type that a field can hold.
pub trait FieldValue: Sized {
    /// The type as data.
    const TYPE: FieldType;
    /// The typed view; `None` where the value is of another type (or [`Value::Unset`]).
    fn from_value(value: &Value) -> Option<Self>;
    /// The value as stored.
    fn into_value(self) -> Value;
}

macro_rules! field_values {
    ($($rust:ty => $variant:ident),* $(,)?) => {$(
        impl FieldValue for $rust {
            const TYPE: FieldType = FieldType::$variant;

            fn from_value(value: &Value) -> Option<Self> {
                if let Value::$variant(inner) = value { Some(inner.clone()) } else { None }
            }

            fn into_value(self) -> Value {
                Value::$variant(self)
            }
        }
    )*};
}

field_values!(
    Duration => Duration, Size => Size, Rate => Rate, ByteRate => ByteRate, Limit<Duration> => Limit, Limit<Size> => SizeLimit,
    u64 => Count, f64 => Number, bool => Bool, Text => Text, Date => Date, Columns => Columns, Keys => Keys, List => List,
    Schema => Schema, Shares => Shares,
);

impl FieldValue for Ratio {
    const TYPE: FieldType = FieldType::Ratio;

    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Number(n) = value { Some(Self(*n)) } else { None }
    }

    fn into_value(self) -> Value {
        Value::Number(self.0)
    }
}

impl<T: FieldValue> FieldValue for Measured<T> {
    const TYPE: FieldType = FieldType::Measured(&T::TYPE);

    fn from_value(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Unset => return None,
            Value::Statistics(map) => Self {
                plain: None,
                statistics: map.iter().map(|(s, v)| Some((*s, T::from_value(v)?))).collect::<Option<_>>()?,
            },
            plain => Self { plain: Some(T::from_value(plain)?), statistics: SortedMap::new() },
        })
    }

    fn into_value(self) -> Value {
        match self.plain {
            Some(plain) if self.statistics.is_empty() => plain.into_value(),
            _ => Value::Statistics(self.statistics.into_iter().map(|(s, v)| (s, v.into_value())).collect()),
        }
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, column) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(column)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Value {
    /// For screens and documents; the file form is in `codec`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unset => f.write_str("unset"),
            Self::Duration(v) => v.fmt(f),
            Self::Size(v) => v.fmt(f),
            Self::Rate(v) => v.fmt(f),
            Self::ByteRate(v) => v.fmt(f),
            Self::Limit(v) => v.fmt(f),
            Self::SizeLimit(v) => v.fmt(f),
            Self::Count(v) => v.fmt(f),
            Self::Number(v) => v.fmt(f),
            Self::Bool(v) => f.write_str(if *v { "yes" } else { "no" }),
            Self::Text(v) => f.write_str(v),
            Self::Date(v) => v.fmt(f),
            Self::Word(v) => f.write_str(v),
            Self::Columns(v) if v.0.is_empty() => f.write_str("none"),
            Self::Columns(v) if v.0.len() == 1 => f.write_str(&v.0[0]),
            Self::Columns(v) => v.fmt(f),
            Self::Keys(v) if v.0.is_empty() => f.write_str("none"),
            Self::Keys(v) => join(f, v.0.iter()),
            Self::List(v) => join(f, v.0.iter()),
            Self::Schema(v) => join(f, v.0.iter().map(|(name, ty)| format!("{name} {ty}"))),
            Self::Shares(v) => join(f, v.0.iter().map(|(cause, share)| format!("{cause} {share}"))),
            Self::Statistics(v) => join(f, v.iter().map(|(statistic, value)| format!("{statistic} {value}"))),
        }
    }
}

fn join(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_have_names() {
        for name in ["mean", "min", "max", "total", "p50", "p99.9", "p99.999", "0", "7"] {
            assert_eq!(Statistic::named(name).unwrap().to_string(), name);
        }
        for name in ["p", "p100", "p9.9999", "-1", "median", "1234567", "p1.x"] {
            assert_eq!(Statistic::named(name), None, "{name}");
        }
    }

    #[test]
    fn dates_exist() {
        for text in ["2026-11-30", "2024-02-29", "2026-11-30T08:00Z", "2026-11-30T08:00:59Z"] {
            assert!(Date::new(text).is_some(), "{text}");
        }
        for text in ["2026-02-29", "2026-13-01", "2026-1-1", "2026-11-30T24:00Z", "2026-11-30T08:00", "", "2026-11-31"]
        {
            assert!(Date::new(text).is_none(), "{text}");
        }
    }
}
