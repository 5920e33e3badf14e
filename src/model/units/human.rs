//! Quantities for eyes: at most two units, thin spaces between thousands, always with a unit.

use std::borrow::Cow;

/// The bound of a condition: in whole seconds below 10 min, as time-outs are written (`537 s`), else as [`about`].
/// Never more than holds.
#[must_use]
pub fn bound(s: f64) -> String {
    if (120.0..600.0).contains(&s) { decimals(towards(s, 1.0, Towards::Less), 0) + " s" } else { at_least(s) }
}

/// As [`about`], of what is guaranteed: what is printed is not more.
#[must_use]
pub fn at_least(s: f64) -> String {
    spoken(s, Towards::Less)
}

/// As [`about`], of what is never exceeded: what is printed is not less.
#[must_use]
pub fn at_most(s: f64) -> String {
    spoken(s, Towards::More)
}

/// Seconds as people say them, at most two units: `7 h 27 min`, `108 s`, `2.4 s`, `14 d`. Negative counts as zero,
/// infinite as `unlimited`. For what was worked out and is no bound; what somebody set, read or planned is [`seconds`].
#[must_use]
pub fn about(s: f64) -> String {
    spoken(s, Towards::Nearest)
}

/// A time that stands as it is, to the millisecond: `7 d`, `2 d 23 h 59 min 30 s`, `108 s`. It begins with the unit that
/// [`about`] begins with.
#[must_use]
pub fn seconds(s: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(86_400_000.0, "d"), (3_600_000.0, "h"), (60_000.0, "min"), (1000.0, "s")];
    let mut rest = (s.max(0.0) * 1000.0).round();
    let first = match rest {
        ms if !ms.is_finite() => return "unlimited".to_owned(),
        ms if ms > 0.0 && ms < 1000.0 => return decimals(ms, 0) + " ms",
        ms if ms < 120_000.0 => 3,
        ms if ms < 3_600_000.0 => 2,
        ms if ms < 172_800_000.0 => 1,
        _ => 0,
    };
    let mut text = String::new();
    for (size, unit) in &UNITS[first..] {
        let amount = if *unit == "s" { rest / size } else { (rest / size).floor() };
        // Beyond, the digits of a number do not go down to its smaller units.
        rest = if amount < 1e9 { rest - amount * size } else { 0.0 };
        if amount > 0.0 {
            let gap = if text.is_empty() { "" } else { " " };
            push(&mut text, &[gap, &decimals(amount, 3), " ", unit]);
        }
    }
    if text.is_empty() { "0 s".to_owned() } else { text }
}

/// Where a number goes that is printed with fewer digits than it has.
#[derive(Clone, Copy, PartialEq)]
enum Towards {
    Less,
    Nearest,
    More,
}

/// In whole steps. What is a step but for the last digits of a division is that step.
fn towards(s: f64, step: f64, to: Towards) -> f64 {
    let steps = s / step;
    let near = steps.round();
    let exact = (steps - near).abs() <= 1e-9 * near.max(1.0);
    step * match to {
        Towards::Less if !exact => steps.floor(),
        Towards::More if !exact => steps.ceil(),
        _ => near,
    }
}

/// As [`towards`]; the nearest is left to the printing of decimals.
fn directed(s: f64, step: f64, to: Towards) -> f64 {
    if to == Towards::Nearest { s } else { towards(s, step, to) }
}

fn spoken(s: f64, to: Towards) -> String {
    if !s.is_finite() {
        return "unlimited".to_owned();
    }
    let s = s.max(0.0);
    if s > 0.0 && s < 1.0 {
        return decimals(directed(s * 1000.0, 1.0, to), 0) + " ms";
    }
    if s < 120.0 {
        let (step, places) = if s < 10.0 { (0.1, 1) } else { (1.0, 0) };
        return decimals(directed(s, step, to), places) + " s";
    }
    let two = |big: f64, big_unit: &str, small: f64, small_unit: &str| {
        let total = towards(s / small, 1.0, to);
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

/// The unit, a power of 1000, in which so many bytes are printed: its bytes and its symbol.
#[must_use]
pub fn byte_unit(b: f64) -> (f64, &'static str) {
    use super::SizeUnit as U;
    let units = [U::Terabyte, U::Gigabyte, U::Megabyte, U::Kilobyte].map(|unit| (unit.bytes() as f64, unit.symbol()));
    units.into_iter().find(|(size, _)| b.abs() >= size * 0.9995).unwrap_or((1.0, "B"))
}

/// Bytes of an estimate, in powers of 1000: `2.02 GB`, `144 kB`.
#[must_use]
pub fn bytes(b: f64) -> String {
    bytes_towards(b, Towards::Nearest)
}

/// As [`bytes`], of what is enough: what is printed is not less.
#[must_use]
pub fn bytes_at_most(b: f64) -> String {
    bytes_towards(b, Towards::More)
}

/// As [`bytes`], of what may be taken: what is printed is not more.
#[must_use]
pub fn bytes_at_least(b: f64) -> String {
    bytes_towards(b, Towards::Less)
}

fn bytes_towards(b: f64, to: Towards) -> String {
    if !b.is_finite() {
        return "unlimited".to_owned();
    }
    let (size, unit) = byte_unit(b);
    let amount = b / size;
    let places = if amount < 10.0 && size > 1.0 {
        2
    } else if amount < 100.0 && size > 1.0 {
        1
    } else {
        0
    };
    let step = [1.0, 0.1, 0.01][places];
    let mut text = decimals(directed(amount, step, to), places);
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
        let (unit, per) = after[..word].split_once('/').map_or((&after[..word], None), |(unit, per)| (unit, Some(per)));
        at > 0
            && bytes.get(at - 1).is_some_and(u8::is_ascii_digit)
            && (UNITS.contains(&unit) || unit.is_empty() && per.is_some())
            && per.is_none_or(|per| PER.contains(&per))
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
const UNITS: [&str; 16] =
    ["ms", "s", "min", "h", "d", "w", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "%"];
/// What amounts are printed by: `300 /s`, `2 MB/s`, `1.3 GB/day`.
const PER: [&str; 6] = ["s", "min", "h", "d", "day", "w"];

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
            assert_eq!(about(s), text);
        }
    }

    /// What somebody set is not rounded: half a minute short of three days is not three days.
    #[test]
    fn a_setting_reads_as_it_stands() {
        for (s, text) in [
            (259_170.0, "2 d 23 h 59 min 30 s"),
            (259_200.0, "3 d"),
            (172_800.0, "2 d"),
            (172_799.0, "47 h 59 min 59 s"),
            (86_400.0, "24 h"),
            (3_661.5, "1 h 1 min 1.5 s"),
            (393.0, "6 min 33 s"),
            (119.0, "119 s"),
            (2.44, "2.44 s"),
            (0.25, "250 ms"),
            (0.0, "0 s"),
            (1e300, "1.16e295 d"),
            (f64::INFINITY, "unlimited"),
        ] {
            assert_eq!(seconds(s), text);
        }
    }

    /// A second short of 7 d, and of 6 min 33 s: a guarantee is not printed as more, a bound not as less.
    #[test]
    fn a_bound_is_printed_on_its_safe_side() {
        for (s, less, more) in [
            (604_739.0, "6 d 23 h", "7 d"),
            (604_800.0, "7 d", "7 d"),
            (604_801.0, "7 d", "7 d 1 h"),
            (86_475.0, "24 h 1 min", "24 h 2 min"),
            (392.5, "6 min 32 s", "6 min 33 s"),
            (107.2, "107 s", "108 s"),
            (2.44, "2.4 s", "2.5 s"),
            (2.4, "2.4 s", "2.4 s"),
            (0.2501, "250 ms", "251 ms"),
            (0.0, "0 s", "0 s"),
            (f64::INFINITY, "unlimited", "unlimited"),
            // Three times a third of an hour, to the last digit but one.
            (3.0 * (3600.0 * (2.0 / 3.0)) + 1e-9, "2 h", "2 h"),
        ] {
            assert_eq!((at_least(s), at_most(s)), (less.to_owned(), more.to_owned()), "{s}");
        }
        assert_eq!(bound(537.0), "537 s");
        assert_eq!(bound(537.9), "537 s");
        assert_eq!(bound(604_739.0), "6 d 23 h");
    }

    #[test]
    fn no_line_ends_between_a_number_and_its_unit() {
        for (text, joined) in [
            ("down less than 7 h 27 min.", "down less than 7\u{a0}h 27\u{a0}min."),
            ("at most 50 GiB, 300 /s", "at most 50\u{a0}GiB, 300\u{a0}/s"),
            ("25 % of 12 partitions", "25\u{a0}% of 12 partitions"),
            ("12 days, 3 /", "12 days, 3 /"),
            ("500 KiB/s, 1.3 GB/day", "500\u{a0}KiB/s, 1.3\u{a0}GB/day"),
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
        // 2^20 and 2^30 are 4.9 % and 7.4 % more than 10^6 and 10^9.
        assert_eq!((bytes(1e6), bytes(1_048_576.0)), ("1 MB".to_owned(), "1.05 MB".to_owned()));
        assert_eq!((bytes(1e9), bytes(1_073_741_824.0)), ("1 GB".to_owned(), "1.07 GB".to_owned()));
        assert_eq!((bytes_at_most(1.231e9), bytes_at_least(1.239e9)), ("1.24 GB".to_owned(), "1.23 GB".to_owned()));
        assert_eq!((bytes_at_most(1.5e12), bytes_at_least(89.9)), ("1.5 TB".to_owned(), "89 B".to_owned()));
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
