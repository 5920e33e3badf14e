//! Quantities for eyes: at most two units, thin spaces between thousands, always with a unit.

use std::borrow::Cow;

/// The bound of a condition: in whole seconds below 10 min, as time-outs are written (`537 s`), else as [`seconds`].
#[must_use]
pub fn bound(s: f64) -> String {
    if (120.0..600.0).contains(&s) { decimals(s, 0) + " s" } else { seconds(s) }
}

/// Seconds as people say them, at most two units: `7 h 27 min`, `108 s`, `2.4 s`, `14 d`. Negative counts as zero,
/// infinite as `unlimited`.
#[must_use]
pub fn seconds(s: f64) -> String {
    if !s.is_finite() {
        return "unlimited".to_owned();
    }
    let s = s.max(0.0);
    if s > 0.0 && s < 1.0 {
        return decimals(s * 1000.0, 0) + " ms";
    }
    if s < 120.0 {
        return decimals(s, if s < 10.0 { 1 } else { 0 }) + " s";
    }
    let two = |big: f64, big_unit: &str, small: f64, small_unit: &str| {
        let total = (s / small).round();
        let per = big / small;
        let (whole, rest) = ((total / per).floor(), total % per);
        let mut text = if rest == 0.0 { decimals(whole, 0) } else { digits(whole) };
        push(&mut text, &[" ", big_unit]);
        if rest != 0.0 {
            push(&mut text, &[" ", &digits(rest), " ", small_unit]);
        }
        text
    };
    match s {
        s if s < 3600.0 => two(60.0, "min", 1.0, "s"),
        s if s < 172_800.0 => two(3600.0, "h", 60.0, "min"),
        _ => two(86_400.0, "d", 3600.0, "h"),
    }
}

/// Bytes of an estimate, in powers of 1000: `2.02 GB`, `144 kB`.
#[must_use]
pub fn bytes(b: f64) -> String {
    if !b.is_finite() {
        return "unlimited".to_owned();
    }
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (size, unit) = units.into_iter().find(|(size, _)| b.abs() >= size * 0.9995).unwrap_or((1.0, "B"));
    let amount = b / size;
    let places = if amount < 10.0 && size > 1.0 {
        2
    } else if amount < 100.0 && size > 1.0 {
        1
    } else {
        0
    };
    let mut text = decimals(amount, places);
    push(&mut text, &[" ", unit]);
    text
}

/// Records per second: `300 /s`, `4 210 /s`, `0.2 /s`.
#[must_use]
pub fn per_second(rate: f64) -> String {
    number(rate) + " /s"
}

/// A count or plain number with thin spaces: `259 200`.
#[must_use]
pub fn number(n: f64) -> String {
    decimals(
        n,
        if n.abs() < 10.0 {
            2
        } else if n.abs() < 100.0 {
            1
        } else {
            0
        },
    )
}

/// Records, counted: `1 record`, `1 840 records`.
#[must_use]
pub fn records(n: f64) -> String {
    counted(n, "record")
}

/// A number that was worked out and what it counts: `1 key`, `259 200 keys`. For nouns with a plain plural.
#[must_use]
pub fn counted(n: f64, one: &str) -> String {
    let mut text = number(n);
    let plural = if text == "1" { "" } else { "s" };
    push(&mut text, &[" ", one, plural]);
    text
}

/// From here on a number is printed with a power of ten: nobody counts its digits.
const LARGEST_IN_FULL: f64 = 1e15;

/// A text whose numbers stay with their units at the end of a line: a no-break space between them.
#[must_use]
pub fn unbroken(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let parts = |at: usize| {
        let after = text.get(at + 1..).unwrap_or_default();
        let word = after.find(|c: char| !c.is_ascii_alphabetic() && c != '/' && c != '%').unwrap_or(after.len());
        at > 0 && bytes.get(at - 1).is_some_and(u8::is_ascii_digit) && UNITS.contains(&&after[..word])
    };
    let mut spaces = text.match_indices(' ').map(|(at, _)| at).filter(|at| parts(*at)).peekable();
    if spaces.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut from) = (String::with_capacity(text.len() + 8), 0);
    for at in spaces {
        out.push_str(&text[from..at]);
        out.push('\u{a0}');
        from = at + 1;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// The units that numbers are printed with.
const UNITS: [&str; 24] = [
    "ms", "s", "min", "h", "d", "w", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "%", "/s", "/min", "/h",
    "/d", "/day", "/w", "B/s", "MB/s",
];

/// `n` with at most `places` decimals, trailing zeros cut, thousands parted by a thin space from 1 000 on; from 10^15 on
/// with a power of ten.
#[must_use]
pub fn decimals(n: f64, places: usize) -> String {
    if n.is_finite() && n.abs() >= LARGEST_IN_FULL {
        let text = format!("{n:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let text = if n.fract() == 0.0 { digits(n) } else { format!("{n:.places$}") };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |d| ("-", d));
    if digits.len() <= 3 && fraction.is_empty() {
        let end = whole.len();
        let mut text = text;
        text.truncate(end);
        return text;
    }
    let mut grouped = String::with_capacity(text.len() + digits.len());
    grouped.push_str(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(c);
    }
    if !fraction.is_empty() {
        push(&mut grouped, &[".", fraction]);
    }
    grouped
}

/// A whole number; by way of integers, which print at a tenth of the cost.
#[expect(clippy::cast_possible_truncation, reason = "whole and in the range")]
fn digits(n: f64) -> String {
    // Beyond, and for a negative zero, numbers do not print as the integers do.
    if n.abs() < 1e15 && !(n == 0.0 && n.is_sign_negative()) { (n as i64).to_string() } else { format!("{n:.0}") }
}

/// Appends texts with one allocation at most.
fn push(to: &mut String, texts: &[&str]) {
    to.reserve(texts.iter().map(|text| text.len()).sum());
    for text in texts {
        to.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_spoken() {
        for (s, text) in [
            (26_843.545_6, "7 h 27 min"),
            (108.0, "108 s"),
            (393.0, "6 min 33 s"),
            (604_800.0, "7 d"),
            (86_400.0, "24 h"),
            (0.25, "250 ms"),
            (0.0, "0 s"),
            (2.4, "2.4 s"),
            (f64::INFINITY, "unlimited"),
        ] {
            assert_eq!(seconds(s), text);
        }
    }

    #[test]
    fn no_line_ends_between_a_number_and_its_unit() {
        for (text, joined) in [
            ("down less than 7 h 27 min.", "down less than 7\u{a0}h 27\u{a0}min."),
            ("at most 50 GiB, 300 /s", "at most 50\u{a0}GiB, 300\u{a0}/s"),
            ("25 % of 12 partitions", "25\u{a0}% of 12 partitions"),
            ("12 days", "12 days"),
            (" s", " s"),
            ("ä 5 s", "ä 5\u{a0}s"),
        ] {
            assert_eq!(unbroken(text), joined);
        }
    }

    #[test]
    fn a_number_that_nobody_counts_has_a_power_of_ten() {
        assert_eq!(number(1e300), "1e300");
        assert_eq!(number(-2.5e18), "-2.5e18");
        assert_eq!(number(999_999_999_999_999.0), "999\u{2009}999\u{2009}999\u{2009}999\u{2009}999");
    }

    #[test]
    fn bytes_and_numbers() {
        assert_eq!(bytes(2_021_760_000.0), "2.02 GB");
        assert_eq!(bytes(144_000.0), "144 kB");
        assert_eq!(number(259_200.0), "259\u{2009}200");
        for (n, text) in [
            (-0.0, "-0"),
            (7.0, "7"),
            (-1200.0, "-1\u{2009}200"),
            (1.25, "1.25"),
            (12.04, "12"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(n), text);
        }
    }
}
