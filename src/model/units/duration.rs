//! Lengths of time in whole milliseconds.

use super::{UnitError, decimal};
use std::{fmt, str::FromStr};

/// A length of time, exact to the millisecond, written `250ms`, `10min`, `1h30min`, `7d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    ms: u64,
}

const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)];
const EXPECTED: &str = "a duration such as 250ms, 10min, 1h30min or 7d";

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self { ms: 0 };

    /// From whole milliseconds.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self { ms }
    }

    /// From whole seconds; saturates.
    #[must_use]
    pub const fn from_secs(s: u64) -> Self {
        Self { ms: s.saturating_mul(1000) }
    }

    /// Whole milliseconds.
    #[must_use]
    pub const fn millis(self) -> u64 {
        self.ms
    }

    /// Seconds, with the milliseconds as fraction.
    #[must_use]
    pub fn secs(self) -> f64 {
        self.ms as f64 / 1000.0
    }
}

impl fmt::Display for Duration {
    /// Normal form: the largest unit that holds it exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ms == 0 {
            return f.write_str("0s");
        }
        let (unit, size) = UNITS.iter().find(|(_, size)| self.ms.is_multiple_of(*size)).unwrap_or(&UNITS[4]);
        write!(f, "{}{unit}", self.ms / size)
    }
}

impl FromStr for Duration {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let error = || UnitError { text: text.to_owned(), expected: EXPECTED };
        let (mut rest, mut total, mut last) = (text, 0u64, u64::MAX);
        while !rest.is_empty() {
            let (number, tail) = decimal::split_number(rest);
            let end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
            let (unit, tail) = tail.split_at(end);
            let size = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size).ok_or_else(error)?;
            let part = decimal::Decimal::read(number).and_then(|n| n.times(size)).ok_or_else(error)?;
            if size >= last {
                return Err(error());
            }
            total = total.checked_add(part).ok_or_else(error)?;
            (rest, last) = (tail, size);
        }
        if text.is_empty() { Err(error()) } else { Ok(Self { ms: total }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write_and_prints_the_normal_form() {
        for (text, normal) in [
            ("7d", "7d"),
            ("168h", "7d"),
            ("1h30min", "90min"),
            ("60s", "1min"),
            ("0ms", "0s"),
            ("1.5h", "90min"),
            ("537s", "537s"),
        ] {
            assert_eq!(text.parse::<Duration>().unwrap().to_string(), normal, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_duration() {
        for text in ["", "7", "d", "-1d", "7 d", "30min1h", "1min1min", "1e3s", "0.1ms", "99999999999999999999d", "7.d"]
        {
            assert!(text.parse::<Duration>().is_err(), "{text:?}");
        }
    }
}
