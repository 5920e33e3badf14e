//! What is said at a field when what was typed is no value of it: what is wrong with it, word for word as it was typed,
//! and what is allowed.
//!
//! A file has words of its own for the same ([`crate::model::Refusal`]): it has quotes and braces, a field has none.

use crate::model::{Bounds, Date, Field, FieldType, MAX_COUNT, shortened, units::SizeUnit};

/// The units of a time, the largest first, as they have to follow each other.
const TIMES: [&str; 5] = ["d", "h", "min", "s", "ms"];
/// No quantity of more digits before the point can be kept.
const MOST_DIGITS: usize = 19;
/// What a rate counts by.
const PERIODS: [&str; 5] = ["s", "min", "h", "d", "w"];

/// `“-3” is below zero. Allowed: a whole number from 1 to 9 007 199 254 740 991.`
pub(super) fn refusal(field: Field, typed: &str) -> String {
    let (ty, bounds) = (field.row().ty, field.row().bounds);
    said(typed, &fault(ty, bounds, typed), &format!("{}.", allowed(ty, bounds)))
}

/// The same where the type is part of another: of a statistic, of a share.
pub(super) fn within(ty: FieldType, typed: &str) -> String {
    said(typed, &fault(ty, Bounds::Type, typed), &format!("{}.", allowed(ty, Bounds::Type)))
}

fn said(typed: &str, fault: &str, allowed: &str) -> String {
    if typed.is_empty() {
        return format!("Nothing is typed. Allowed: {allowed}");
    }
    format!("“{}” {fault}. Allowed: {allowed}", shortened(typed, 60))
}

/// What can be typed.
pub(super) fn allowed(ty: FieldType, bounds: Bounds) -> String {
    let beyond = if bounds == Bounds::AboveZero { ", and more than none" } else { "" };
    let least = if let Bounds::AtLeast(least) = bounds { Some(least) } else { None };
    match ty {
        FieldType::Duration => format!("a time such as 250ms, 10min, 1h30min or 7d{beyond}"),
        FieldType::Limit => "a time such as 10min, 1h30min or 7d, or unlimited, or none".to_owned(),
        FieldType::Size => format!("a size such as 600B, 2MB or 50GiB{beyond}"),
        FieldType::SizeLimit => "a size such as 600B, 2MB or 50GiB, or unlimited, or none".to_owned(),
        FieldType::Rate => format!("a rate such as 300/s, 0.5/min or 20000/d{beyond}"),
        FieldType::ByteRate => format!("bytes per second such as 2MB/s or 500KiB/s{beyond}"),
        FieldType::Count => {
            format!("a whole number from {} to {MAX_COUNT}", least.unwrap_or(0))
        }
        FieldType::Number => match least {
            Some(least) => format!("a number from {least} up, of at most 15 digits"),
            None => "a number of at most 15 digits".to_owned(),
        },
        FieldType::Ratio => "a share from 0 to 1, or in per cent such as 2%".to_owned(),
        FieldType::Bool => "yes or no".to_owned(),
        FieldType::Date => "a day such as 2026-11-30, or a time such as 2026-11-30T08:00Z".to_owned(),
        FieldType::Words(words) => words.join(", "),
        FieldType::Measured(plain) => {
            let several = super::entry::example(ty).split_once(", or ").map_or("mean, max", |(_, several)| several);
            format!("{}, or statistics such as {several}", allowed(*plain, bounds))
        }
        FieldType::Text | FieldType::Columns | FieldType::Keys | FieldType::List => "text".to_owned(),
        FieldType::Schema => "a column and its type in each line, such as amount decimal".to_owned(),
        FieldType::Shares => "a cause and its share in each line, such as late records 0.02".to_owned(),
    }
}

/// What is wrong with it.
fn fault(ty: FieldType, bounds: Bounds, typed: &str) -> String {
    let plain: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '\u{2009}').collect();
    match ty {
        FieldType::Measured(one) => fault(*one, bounds, typed),
        FieldType::Duration | FieldType::Limit => quantity(&plain, "time", bounds, time),
        FieldType::Size | FieldType::SizeLimit => quantity(&plain, "size", bounds, |unit| bytes(unit, "")),
        FieldType::ByteRate => quantity(&plain, "amount of bytes per second", bounds, |unit| bytes(unit, "/s")),
        FieldType::Rate => quantity(&plain, "rate", bounds, per),
        FieldType::Count | FieldType::Number | FieldType::Ratio => number(ty, &plain, bounds),
        FieldType::Bool => "is neither yes nor no".to_owned(),
        FieldType::Date => day(typed).to_owned(),
        FieldType::Words(_) => "is none of the words".to_owned(),
        _ => "is no value of this field".to_owned(),
    }
}

fn below(plain: &str) -> bool {
    plain.strip_prefix(['-', '−']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn number(ty: FieldType, plain: &str, bounds: Bounds) -> String {
    let digits = plain.strip_suffix('%').filter(|_| ty == FieldType::Ratio).unwrap_or(plain).replace('_', "");
    let Ok(n) = digits.parse::<f64>() else {
        return if ty == FieldType::Count { "is no whole number" } else { "is no number" }.to_owned();
    };
    match bounds {
        _ if n.is_nan() => "is no number".to_owned(),
        Bounds::AtLeast(least) if n < f64::from(least) && least > 0 => format!("is less than {least}"),
        _ if n < 0.0 && ty != FieldType::Number => "is below zero".to_owned(),
        Bounds::AtLeast(_) if n < 0.0 => "is below zero".to_owned(),
        _ if ty == FieldType::Ratio => "is more than the whole".to_owned(),
        _ if ty == FieldType::Count && n.fract() != 0.0 => "is no whole number".to_owned(),
        _ => "is too large".to_owned(),
    }
}

/// What is wrong with a number and its unit; `unit` says what is wrong with a unit, where something is.
fn quantity(plain: &str, kind: &str, bounds: Bounds, unit: fn(&str) -> Option<String>) -> String {
    if below(plain) {
        return "is below zero".to_owned();
    }
    let (mut rest, mut last) = (plain, None);
    let (mut fine, mut large) = (false, false);
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("is no {kind}");
    }
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (digits, tail) = rest.split_at(number);
        let end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (symbol, tail) = tail.split_at(end);
        if symbol.is_empty() {
            return "has a number without a unit".to_owned();
        }
        if digits.parse::<f64>().is_err() {
            return format!("is no {kind}");
        }
        if let Some(fault) = unit(symbol) {
            return fault;
        }
        let at = TIMES.iter().position(|one| *one == symbol);
        if kind != "time" && !tail.is_empty() {
            return format!("is no {kind}");
        }
        if last.is_some() && at <= last {
            return "has its units in the wrong order: the largest comes first, each once".to_owned();
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        (fine, large) = (fine || !fraction.is_empty(), large || whole.len() > MOST_DIGITS);
        (rest, last) = (tail, at);
    }
    let nothing = plain.chars().filter(char::is_ascii_digit).all(|c| c == '0');
    match bounds {
        Bounds::AboveZero if nothing => "is no time at all".to_owned(),
        _ if fine && !large => "is finer than can be kept".to_owned(),
        _ => "is too large".to_owned(),
    }
}

fn time(unit: &str) -> Option<String> {
    (!TIMES.contains(&unit)).then(|| format!("has the unit {}; times are in d, h, min, s or ms", shortened(unit, 12)))
}

fn bytes(unit: &str, per: &str) -> Option<String> {
    let symbol = unit.strip_suffix(per)?;
    if SizeUnit::named(symbol).is_some() {
        return None;
    }
    let like = SizeUnit::ALL.into_iter().find(|one| one.symbol().eq_ignore_ascii_case(symbol));
    let near = like.map(|one| format!(": did you mean {}{per}?", one.symbol())).unwrap_or_default();
    Some(format!("has the unit {}, which is none of bytes{near}", shortened(unit, 12)))
}

fn per(unit: &str) -> Option<String> {
    match unit.strip_prefix('/') {
        Some(period) if PERIODS.contains(&period) => None,
        Some(_) => Some(format!("counts by {}; rates are by /s, /min, /h, /d or /w", shortened(unit, 12))),
        None => Some(format!("has {} behind the number instead of /s", shortened(unit, 12))),
    }
}

/// A day that is written right and does not exist, or something else.
fn day(typed: &str) -> &'static str {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let written: String = typed.chars().map(shape).collect();
    let right = ["0000-00-00", "0000-00-00T00:00Z", "0000-00-00T00:00:00Z"].contains(&written.as_str());
    if right && Date::new(typed).is_none() { "is in no calendar" } else { "is no date" }
}

#[cfg(test)]
mod tests {
    use crate::{
        action::entry::read,
        model::{Field, key},
    };

    fn refused(field: Field, typed: &str) -> String {
        read(field, typed).unwrap_err()
    }

    /// What was typed stands in the message as it was typed, with what is wrong and what is allowed.
    #[test]
    fn a_refusal_says_what_is_wrong_with_what_was_typed() {
        let (partitions, retention) = (key::channel::PARTITIONS.field(), key::channel::RETENTION_TIME.field());
        let (rate, size) = (key::channel::RATE.field(), key::channel::SEGMENT_SIZE.field());
        let (ttl, share) = (key::job::CHECKPOINT_INTERVAL.field(), key::channel::DOMINANT_KEY_SHARE.field());
        for (field, typed, fault) in [
            (partitions, "-3", "is less than 1"),
            (partitions, "0", "is less than 1"),
            (partitions, "12 000 000 000 000 000 000", "is too large"),
            (partitions, "1.5", "is no whole number"),
            (partitions, "twelve", "is no whole number"),
            (key::read::LAG.field(), "-1", "is below zero"),
            (retention, "99999999999999999999 d", "is too large"),
            (retention, "7", "has a number without a unit"),
            (retention, "- 7 d", "is below zero"),
            (retention, "7 weeks", "has the unit weeks"),
            (retention, "30min 1h", "the largest comes first"),
            (retention, "soon", "is no time"),
            (ttl, "0.1 ms", "is finer than can be kept"),
            (key::operator::WINDOW_SIZE.field(), "0 min", "is no time at all"),
            (rate, "300", "has a number without a unit"),
            (rate, "300pers", "has pers behind the number instead of /s"),
            (rate, "300/month", "counts by /month"),
            (size, "50 gib", "did you mean GiB?"),
            (size, "50 apples", "which is none of bytes"),
            (share, "1.2", "is more than the whole"),
            (share, "-5 %", "is below zero"),
            (key::reconcile::RESULT_AT.field(), "2026-02-30", "is in no calendar"),
            (key::reconcile::RESULT_AT.field(), "yesterday", "is no date"),
            (key::channel::TIERED.field(), "maybe", "is neither yes nor no"),
            (key::operator::SELECTIVITY.field(), "-0.5", "is below zero"),
        ] {
            let message = refused(field, typed);
            assert!(message.starts_with(&format!("“{typed}” ")) && message.contains(fault), "{message}");
            assert!(message.contains("Allowed: ") && !message.contains("quotes"), "{message}");
        }
    }

    #[test]
    fn what_is_allowed_is_what_the_table_says() {
        let partitions = refused(key::channel::PARTITIONS.field(), "");
        assert!(partitions.starts_with("Nothing is typed. Allowed: a whole number from 1 to 9007"), "{partitions}");
        let lag = refused(key::read::LAG.field(), "much");
        assert!(
            lag.contains("a whole number from 0 to") && lag.contains("or statistics such as 7 1840, 8 112"),
            "{lag}"
        );
        assert!(refused(key::operator::WINDOW_GAP.field(), "0s").ends_with("or 7d, and more than none."));
    }

    /// Of several values the one that is wrong is named.
    #[test]
    fn a_statistic_is_refused_by_itself() {
        let message = refused(key::channel::RATE.field(), "mean 300/s, max 9 moons");
        assert!(message.starts_with("“9 moons” has moons behind the number instead of /s"), "{message}");
        let message = refused(key::channel::IN_SYNC_REPLICAS.field(), "min -2");
        assert!(message.starts_with("“-2” is below zero"), "{message}");
    }
}
