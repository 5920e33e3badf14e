//! Records and bytes per time.

use super::{SizeUnit, UnitError, decimal::Decimal, decimal::split_number};
use std::{fmt, str::FromStr};

/// The time that a rate counts over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Per {
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

impl Per {
    const ALL: [(Self, &'static str, f64); 5] = [
        (Self::Second, "s", 1.0),
        (Self::Minute, "min", 60.0),
        (Self::Hour, "h", 3600.0),
        (Self::Day, "d", 86_400.0),
        (Self::Week, "w", 604_800.0),
    ];

    /// As written after the stroke: `s`, `min`, `h`, `d`, `w`.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).map_or("s", |row| row.1)
    }

    /// Seconds in one.
    #[must_use]
    pub fn secs(self) -> f64 {
        Self::ALL.iter().find(|row| row.0 == self).map_or(1.0, |row| row.2)
    }
}

/// Records (or deploys, or keys) per time, written `300/s`, `20000000/d`. The unit is kept as people wrote it.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    amount: f64,
    per: Per,
}

impl Rate {
    /// So many per second, to nine decimals; negative or not finite becomes zero.
    #[must_use]
    pub fn per_second(amount: f64) -> Self {
        Self { amount: writable(amount), per: Per::Second }
    }

    /// The rate per second.
    #[must_use]
    pub fn secs(self) -> f64 {
        self.amount / self.per.secs()
    }
}

impl PartialEq for Rate {
    fn eq(&self, other: &Self) -> bool {
        self.secs() == other.secs()
    }
}

impl PartialOrd for Rate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.secs().partial_cmp(&other.secs())
    }
}

/// The nearest amount that can be written and read again: 20 digits before the point, 9 after it.
fn writable(amount: f64) -> f64 {
    match amount {
        n if !n.is_finite() || n <= 0.0 => 0.0,
        n if n >= 1e6 => n.min(1e17),
        n => (n * 1e9).round() / 1e9,
    }
}

/// The shortest decimal, never with an exponent.
/// Reads an amount that is read again as printed: rounded to a double, twenty nines are 1 and twenty zeros.
fn amount(text: &str) -> Option<f64> {
    Decimal::read(text)?;
    let amount = text.parse().ok()?;
    Decimal::read(&plain(amount)).map(|_| amount)
}

fn plain(amount: f64) -> String {
    format!("{amount}")
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", plain(self.amount), self.per.symbol())
    }
}

impl FromStr for Rate {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError { text: text.to_owned(), expected: "a rate such as 300/s, 0.5/min or 20000000/d" };
        let (number, per) = text.split_once('/').ok_or_else(error)?;
        let per = Per::ALL.iter().find(|row| row.1 == per).ok_or_else(error)?.0;
        Ok(Self { amount: amount(number).ok_or_else(error)?, per })
    }
}

/// Bytes per second, written `2MB/s`. The unit is kept as people wrote it.
#[derive(Clone, Copy, Debug)]
pub struct ByteRate {
    amount: f64,
    unit: SizeUnit,
}

impl ByteRate {
    /// So many bytes per second, to nine decimals; negative or not finite becomes zero.
    #[must_use]
    pub fn from_bytes(amount: f64) -> Self {
        Self { amount: writable(amount), unit: SizeUnit::Byte }
    }

    /// Bytes per second.
    #[must_use]
    pub fn bytes(self) -> f64 {
        self.amount * self.unit.bytes() as f64
    }
}

impl PartialEq for ByteRate {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl PartialOrd for ByteRate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.bytes().partial_cmp(&other.bytes())
    }
}

impl fmt::Display for ByteRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/s", plain(self.amount), self.unit.symbol())
    }
}

impl FromStr for ByteRate {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError { text: text.to_owned(), expected: "a byte rate such as 2MB/s or 500KiB/s" };
        let (number, unit) = split_number(text.strip_suffix("/s").ok_or_else(error)?);
        let unit = SizeUnit::named(unit).ok_or_else(error)?;
        Ok(Self { amount: amount(number).ok_or_else(error)?, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file may hold stands in the file as this program prints it, or the design would not open again.
    #[test]
    fn what_is_read_is_read_again_as_printed() {
        assert!("99999999999999999999/s".parse::<Rate>().is_err());
        assert!("99999999999999999999TiB/s".parse::<ByteRate>().is_err());
        for text in ["99999999999999990000/s", "0.000000001/s", "123456789012.123456789/s", "00000000000000000007/w"] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(rate.to_string().parse::<Rate>(), Ok(rate), "{text}");
        }
    }

    #[test]
    fn rates_keep_their_unit_and_compare_by_meaning() {
        let daily: Rate = "86400/d".parse().unwrap();
        assert_eq!(daily, "1/s".parse().unwrap());
        assert_eq!(daily.to_string(), "86400/d");
        assert_eq!("0.5MB/s".parse::<ByteRate>().unwrap().bytes(), 500_000.0);
        for text in ["", "300", "/s", "-1/s", "1e3/s", "1/y", "NaN/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text:?}");
            assert!(text.parse::<ByteRate>().is_err(), "{text:?}");
        }
    }
}
