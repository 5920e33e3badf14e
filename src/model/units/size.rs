//! Amounts of bytes.

use super::{
    UnitError,
    decimal::{Decimal, split_number},
};
use std::{fmt, str::FromStr};

/// A unit of bytes: powers of 1000 and of 1024 are kept apart (50 GiB is 7 % more than 50 GB).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SizeUnit {
    Tebibyte,
    Terabyte,
    Gibibyte,
    Gigabyte,
    Mebibyte,
    Megabyte,
    Kibibyte,
    Kilobyte,
    Byte,
}

impl SizeUnit {
    /// All units, largest first.
    pub const ALL: [Self; 9] = [
        Self::Tebibyte,
        Self::Terabyte,
        Self::Gibibyte,
        Self::Gigabyte,
        Self::Mebibyte,
        Self::Megabyte,
        Self::Kibibyte,
        Self::Kilobyte,
        Self::Byte,
    ];

    /// As written: `GiB`, `kB`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Tebibyte => "TiB",
            Self::Terabyte => "TB",
            Self::Gibibyte => "GiB",
            Self::Gigabyte => "GB",
            Self::Mebibyte => "MiB",
            Self::Megabyte => "MB",
            Self::Kibibyte => "KiB",
            Self::Kilobyte => "kB",
            Self::Byte => "B",
        }
    }

    /// Bytes in one of these.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Tebibyte => 1 << 40,
            Self::Terabyte => 1_000_000_000_000,
            Self::Gibibyte => 1 << 30,
            Self::Gigabyte => 1_000_000_000,
            Self::Mebibyte => 1 << 20,
            Self::Megabyte => 1_000_000,
            Self::Kibibyte => 1 << 10,
            Self::Kilobyte => 1000,
            Self::Byte => 1,
        }
    }

    /// The unit of this symbol.
    #[must_use]
    pub fn named(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }
}

/// An amount of bytes, written `600B`, `2MB`, `50GiB`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    bytes: u64,
}

impl Size {
    /// From bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self { bytes }
    }

    /// A limit to propose for so many bytes, never less: whole GiB, from a TiB on quarters of one; nothing beyond 1000 TiB.
    #[must_use]
    pub fn to_hold(bytes: f64) -> Option<Self> {
        let whole = |step: u64| (bytes / step as f64).ceil() as u64 * step;
        let (gib, tib) = (SizeUnit::Gibibyte.bytes(), SizeUnit::Tebibyte.bytes());
        let bound = bytes >= 0.0 && bytes <= 1000.0 * tib as f64;
        bound.then(|| Self::from_bytes(if bytes <= tib as f64 { whole(gib) } else { whole(tib / 4) }))
    }

    /// Whole bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }

    /// The number and unit of its normal form.
    pub(in crate::model) fn shortest(self) -> (Decimal, SizeUnit) {
        let written = |unit: SizeUnit| Some((Decimal::ratio(self.bytes, unit.bytes(), 3)?, unit));
        let length = |(number, unit): &(Decimal, SizeUnit)| number.len() as usize + unit.symbol().len();
        let larger = SizeUnit::ALL.into_iter().filter(|unit| self.bytes >= unit.bytes());
        let shortest = larger.filter_map(written).min_by_key(length);
        shortest.unwrap_or((Decimal::whole(self.bytes), SizeUnit::Byte))
    }
}

impl fmt::Display for Size {
    /// Normal form: the shortest exact text with at most three decimals; of equally long ones, the larger unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = self.shortest();
        write!(f, "{number}{}", unit.symbol())
    }
}

impl FromStr for Size {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let (number, unit) = split_number(text);
        Decimal::read(number)
            .zip(SizeUnit::named(unit))
            .and_then(|(number, unit)| number.times(unit.bytes()))
            .map(Self::from_bytes)
            .ok_or_else(|| UnitError { text: text.to_owned(), expected: "a size such as 600B, 2MB or 50GiB" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints_sizes() {
        for (text, normal) in [
            ("50GiB", "50GiB"),
            ("53687091200B", "50GiB"),
            ("2000kB", "2MB"),
            ("1.5GiB", "1.5GiB"),
            ("0B", "0B"),
            ("1000B", "1kB"),
            ("999B", "999B"),
        ] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), normal, "{text}");
        }
        let proposed = |gib: f64| Size::to_hold(gib * (1_u64 << 30) as f64).map(|size| size.spoken());
        for (gib, size) in
            [(22.5, "23 GiB"), (1023.5, "1 TiB"), (1127.0, "1.25 TiB"), (1281.0, "1.5 TiB"), (10_300.0, "10.25 TiB")]
        {
            assert_eq!(proposed(gib).as_deref(), Some(size), "{gib}");
        }
        assert_eq!((proposed(2e6), Size::to_hold(f64::INFINITY), Size::to_hold(f64::NAN)), (None, None, None));
        for text in ["", "50", "50gib", "GiB", "1 GiB", "-1B", "0.1B", "1e3B"] {
            assert!(text.parse::<Size>().is_err(), "{text:?}");
        }
    }
}
