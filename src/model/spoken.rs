//! Values as people say them: `7 d`, `50 GiB`, `300 /s`. The file form is in [`super::written`].

use super::{
    Value,
    units::{Duration, Limit, Rate, Size, human},
};

impl Value {
    /// As messages say it.
    #[must_use]
    pub fn spoken(&self) -> String {
        match self {
            Self::Duration(v) => v.spoken(),
            Self::Limit(Limit::Of(v)) => v.spoken(),
            Self::Size(v) => v.spoken(),
            Self::SizeLimit(Limit::Of(v)) => v.spoken(),
            Self::Rate(v) => v.spoken(),
            Self::ByteRate(_) => spaced(&self.to_string()),
            Self::Count(v) => human::number(*v as f64),
            Self::Number(v) => human::decimals(*v, 3),
            other => other.to_string(),
        }
    }
}

impl Duration {
    /// As messages say it: `10 min`, `7 h 27 min`.
    #[must_use]
    pub fn spoken(self) -> String {
        human::seconds(self.secs())
    }
}

impl Size {
    /// As messages say it, as configured: `50 GiB`.
    #[must_use]
    pub fn spoken(self) -> String {
        spaced(&self.to_string())
    }
}

impl Rate {
    /// As messages say it: `300 /s`.
    #[must_use]
    pub fn spoken(self) -> String {
        spaced(&self.to_string())
    }
}

/// A space between the number and its unit.
fn spaced(text: &str) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() || unit.is_empty() { text.to_owned() } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_with_their_units() {
        for (value, text) in [
            (Value::Duration(Duration::from_secs(600)), "10 min"),
            (Value::Limit(Limit::Of(Duration::from_secs(604_800))), "7 d"),
            (Value::Limit(Limit::Unlimited), "unlimited"),
            (Value::SizeLimit(Limit::Of(Size::from_bytes(50 << 30))), "50 GiB"),
            (Value::Count(12), "12"),
            (Value::Word("delete"), "delete"),
        ] {
            assert_eq!(value.spoken(), text);
        }
    }
}
