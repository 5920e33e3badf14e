//! Exact decimals: the number in front of a unit.

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

    /// This times `factor`, where that is a whole number that fits.
    pub fn times(self, factor: u64) -> Option<u64> {
        let product = self.digits.checked_mul(u128::from(factor))?;
        let divisor = 10u128.pow(self.scale);
        (product % divisor == 0).then(|| u64::try_from(product / divisor).ok()).flatten()
    }

    /// `value / unit` as text where at most `places` decimals hold it exactly.
    pub fn print_ratio(value: u64, unit: u64, places: u32) -> Option<String> {
        for scale in 0..=places {
            let scaled = u128::from(value) * 10u128.pow(scale);
            if scaled % u128::from(unit) == 0 {
                let digits = scaled / u128::from(unit);
                let one = 10u128.pow(scale);
                return Some(match scale {
                    0 => digits.to_string(),
                    _ => format!("{}.{:0width$}", digits / one, digits % one, width = scale as usize),
                });
            }
        }
        None
    }
}

/// Splits `12.5MiB` into its number and the rest.
pub fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}
