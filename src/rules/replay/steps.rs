//! What rules ask about planned steps: how old what they start at is, and what stands behind it.

use crate::{
    model::{Action, Date, ElementKind, Id, Known, Port, key, units::Duration, words::TimestampType},
    rules::{Context, context::Set},
};

/// Seconds since 1970 of a date, in UTC.
pub(super) fn epoch(date: &Date) -> Option<i64> {
    let (day, time) = date.as_str().split_once('T').unwrap_or((date.as_str(), "00:00Z"));
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    // Days from civil: years from March on, so that the leap day is the last.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day
            - 719_469;
    let mut clock = time.trim_end_matches('Z').split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes) = (clock.next()??, clock.next()??);
    Some(days * 86_400 + hours * 3600 + minutes * 60 + clock.next().flatten().unwrap_or(0))
}

/// How old what a step starts at is when it runs: as an age (`30d`), or as a time against the time of the step.
pub(super) fn age(action: &Action) -> Option<f64> {
    let from = action.from.as_deref()?;
    if let Ok(age) = from.parse::<Duration>() {
        return Some(age.secs());
    }
    let back = epoch(action.at.as_ref()?)? - epoch(&Date::new(from)?)?;
    #[expect(clippy::cast_precision_loss, reason = "seconds of a few thousand years are far below 2^53")]
    (back >= 0).then_some(back as f64)
}

/// Everything behind what a step is about, nearest first, without itself; what is held lets nothing on.
pub(super) fn behind<'a>(context: &Context<'a>, action: &'a Action) -> Vec<&'a Id> {
    let (mut seen, mut found): (Set<'a>, Vec<&Id>) = (Set::default(), Vec::new());
    let mut near: Vec<&Id> = Vec::new();
    for about in &action.about {
        seen.insert(about);
        match context.kind(about) {
            Some(ElementKind::Job) => near.extend(context.operators_of(about)),
            Some(_) => near.extend(on(context, action, about)),
            None => {}
        }
    }
    let mut next = 0;
    while next < near.len() {
        let at = near[next];
        next += 1;
        if held(context, action, at) || !seen.insert(at) {
            continue;
        }
        found.push(at);
        near.extend(on(context, action, at));
    }
    found
}

fn on<'a>(context: &Context<'a>, action: &'a Action, id: &Id) -> impl Iterator<Item = &'a Id> {
    let flows = context.from(id).filter(|(_, link)| link.port != Some(Port::Reconcile));
    flows.filter(|(link, _)| !action.holds.contains(link)).map(|(_, link)| &link.to)
}

fn held(context: &Context<'_>, action: &Action, id: &Id) -> bool {
    action.holds.contains(id) || context.job_of(id).is_some_and(|job| action.holds.contains(job))
}

/// Does a channel keep the time that the producer sets? As set, or read as not set (the default of Kafka).
pub(super) fn create_time(context: &Context<'_>, channel: &Id) -> bool {
    match context.known(channel, key::channel::TIMESTAMP_TYPE) {
        Known::Value(fact) => fact.value == TimestampType::CreateTime,
        Known::Unset(_) => context.runs(channel, "kafka"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2000-03-01 is day 11 017 after 1970-01-01: 30 years of 365 days and 7 leap days, 31 and 29 days more.
    #[test]
    fn seconds_of_dates() {
        let of = |text: &str| epoch(&Date::new(text).unwrap());
        assert_eq!(of("1970-01-01"), Some(0));
        assert_eq!(of("2000-03-01"), Some(11_017 * 86_400));
        assert_eq!(of("2000-02-29T23:59:59Z"), Some(11_017 * 86_400 - 1));
        assert_eq!(of("1969-12-31T12:30Z"), Some(-11 * 3600 - 1800));
    }
}
