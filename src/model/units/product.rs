//! The freer spellings of product files: bare milliseconds and bytes, `-1`, `Long.MAX`, `7d`, ISO 8601.

use super::{Duration, Limit, Size};

/// Java's largest `long`: written by people who mean "for ever".
const LONG_MAX: &str = "9223372036854775807";

/// A time key in milliseconds (`retention.ms`): a plain number, `-1` or `Long.MAX` for unlimited, or a written duration.
#[must_use]
pub fn millis_limit(text: &str) -> Option<Limit<Duration>> {
    match text.trim() {
        "-1" | LONG_MAX => Some(Limit::Unlimited),
        text => millis(text).map(Limit::Of),
    }
}

/// A time in milliseconds without a sign for unlimited.
#[must_use]
pub fn millis(text: &str) -> Option<Duration> {
    let text = text.trim();
    text.parse::<u64>().map(Duration::from_millis).ok().or_else(|| text.parse().ok())
}

/// A size key in bytes (`retention.bytes`): a plain number, `-1` or `Long.MAX` for unlimited, or a written size.
#[must_use]
pub fn bytes_limit(text: &str) -> Option<Limit<Size>> {
    match text.trim() {
        "-1" | LONG_MAX => Some(Limit::Unlimited),
        text => bytes(text).map(Limit::Of),
    }
}

/// A size in bytes without a sign for unlimited.
#[must_use]
pub fn bytes(text: &str) -> Option<Size> {
    let text = text.trim();
    text.parse::<u64>().map(Size::from_bytes).ok().or_else(|| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_spellings() {
        assert_eq!(millis_limit("604800000"), Some(Limit::Of(Duration::from_millis(604_800_000))));
        assert_eq!(millis_limit("-1"), Some(Limit::Unlimited));
        assert_eq!(millis_limit(LONG_MAX), Some(Limit::Unlimited));
        assert_eq!(bytes_limit("53687091200").map(|l| l.to_string()).as_deref(), Some("50GiB"));
        assert_eq!(millis_limit("soon"), None);
    }
}
