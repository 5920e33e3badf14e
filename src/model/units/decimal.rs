//! Exact decimals: the number in front of a unit.

use std::fmt;

/// A non-negative decimal as digits and a power of ten: `digits / 10^scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: u128,
    scale: u32,
}

impl Decimal {
    /// Reads `12` or `12.5`: at most 20 digits before and 9 after the point, no sign, no exponent.
    pub fn read(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits_only = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || whole.len() > 20 || fraction.len() > 9 || !digits_only(whole) || !digits_only(fraction) {
            return None;
        }
        if text.contains('.') && fraction.is_empty() {
            return None;
        }
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { digits, scale: u32::try_from(fraction.len()).ok()? })
    }

    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self { digits: number.into(), scale: 0 }
    }

    /// This times `factor`, where that is a whole number that fits.
    pub fn times(self, factor: u64) -> Option<u64> {
        let product = self.digits.checked_mul(u128::from(factor))?;
        let divisor = 10u128.pow(self.scale);
        (product % divisor == 0).then(|| u64::try_from(product / divisor).ok()).flatten()
    }

    /// `value / unit` where at most `places` decimals hold it exactly.
    pub fn ratio(value: u64, unit: u64, places: u32) -> Option<Self> {
        // Only the rest has decimals: `whole` and `rest` are far smaller than what they are made from.
        let (whole, rest) = (value / unit, value % unit);
        if rest == 0 {
            return Some(Self::whole(whole));
        }
        for scale in 1..=places {
            // Divisions of 64 bits are far cheaper than of 128; units are far smaller than that.
            let one = 10u64.pow(scale);
            let scaled = rest.checked_mul(one)?;
            if scaled % unit == 0 {
                return Some(Self { digits: u128::from(whole) * u128::from(one) + u128::from(scaled / unit), scale });
            }
        }
        None
    }

    /// How many characters it takes.
    pub fn len(self) -> u32 {
        let point = if self.scale == 0 { 0 } else { self.scale + 1 };
        let whole = if self.scale == 0 { self.digits } else { self.digits / 10u128.pow(self.scale) };
        whole.checked_ilog10().map_or(1, |log| log + 1) + point
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scale == 0 {
            return self.digits.fmt(f);
        }
        let one = 10u128.pow(self.scale);
        write!(f, "{}.{:0width$}", self.digits / one, self.digits % one, width = self.scale as usize)
    }
}

/// Splits `12.5MiB` into its number and the rest.
pub fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}
