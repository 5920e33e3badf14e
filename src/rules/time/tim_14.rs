use crate::{
    model::{Id, Step, key, units::Duration, words::{Api, Clock, WindowKind}, zone},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Windows of whole days are meant in local time, and cut in UTC.
    ///
    /// # Why
    /// Windows of a fixed length start at the epoch. A day of Shanghai then runs from 8 in the morning to 8; in zones with daylight
    /// saving two days of the year have 23 and 25 hours, which no fixed length follows.
    ///
    /// # Example
    /// "Revenue per day" of a shop in Berlin: what is sold in the first hour of the day stands under the day before.
    ///
    /// # What to do
    /// An offset where the zone keeps one all year; else Flink SQL on a local time attribute, or hours that are added up to days
    /// by the calendar.
    TIM_14 "TIM-14" Warning "Local days are cut in UTC"
    why "a day holds other hours than the calendar says"
    sources ["Apache Flink documentation, Windows: Tumbling Windows (offset for time zones)", "Apache Flink documentation, Time Zone: windows on TIMESTAMP_LTZ", "Apache Spark, functions.window: startTime"]
    check check
}

const DAY: u64 = 86_400_000;

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let name = context.get(id, key::operator::TIME_ZONE)?;
        let size = context.get(id, key::operator::WINDOW_SIZE)?;
        let kind = context.get(id, key::operator::WINDOW)?;
        let fixed = matches!(kind, WindowKind::Tumbling | WindowKind::Hopping | WindowKind::Cumulating);
        if !fixed || context.get(id, key::operator::CLOCK) == Some(Clock::ProcessingTime) {
            return None;
        }
        let shift = zone::steady_offset(&name);
        // A zone that is not in the table is only judged by days: its offset may be whole hours.
        let cut = match shift {
            Some(shift) => shift.unsigned_abs() % size.millis().max(1) != 0,
            None => size.millis() > 0 && size.millis() % DAY == 0,
        };
        let offset = context.get(id, key::operator::WINDOW_OFFSET).unwrap_or(Duration::ZERO);
        if !cut || offset != Duration::ZERO || local(context, id, job) {
            return None;
        }
        let message = format!("{}: windows of {} start in UTC, and {name} is meant", context.title(id), size.spoken());
        Some(rule.finding(&[id], message, "cut windows in local time, or hours that are added up by the calendar")
            .fixed_by(shift.and_then(|shift| offset_fix(context, id, job, shift, size))))
    };
    context.operators_with(key::operator::TIME_ZONE).filter_map(one).collect()
}

/// Does the engine cut these windows in local time?
fn local(context: &Context<'_>, id: &Id, job: &Id) -> bool {
    let sql = matches!(context.get(id, key::operator::API), Some(Api::TableFunction | Api::GroupWindow));
    context.runs(job, "flink") && sql && context.get(id, key::operator::LOCAL_ROWTIME) == Some(true)
}

/// The offset that starts windows at local midnight; only where the API has one and heeds it.
fn offset_fix(context: &Context<'_>, id: &Id, job: &Id, shift: i64, size: Duration) -> Option<crate::rules::Fix> {
    let datastream = matches!(context.get(id, key::operator::API), Some(Api::Datastream));
    if !(context.runs(job, "flink") && datastream || context.runs(job, "spark")) {
        return None;
    }
    let length = i64::try_from(size.millis()).ok().filter(|length| *length > 0)?;
    let offset = Duration::from_millis((-shift).rem_euclid(length).unsigned_abs());
    Some(propose(&format!("Propose an offset of {}", offset.spoken()), id, key::operator::WINDOW_OFFSET, offset))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const SHANGHAI: (&str, &str) = ("elements/sum/proposed/time_zone", "\"Asia/Shanghai\"");
    const DAY: (&str, &str) = ("elements/sum/proposed/window_size", "\"1d\"");

    #[test]
    fn local_days_in_utc_are_found() {
        assert_eq!(fires("TIM-14", &[SHANGHAI, DAY]).message, "sum: windows of 24 h start in UTC, and Asia/Shanghai is meant");
        fires("TIM-14", &[("elements/sum/proposed/time_zone", "\"Europe/Berlin\""), DAY]);
        // Hours are cut wrong by half an hour only.
        fires("TIM-14", &[("elements/sum/proposed/time_zone", "\"Asia/Kolkata\""), ("elements/sum/proposed/window_size", "\"1h\"")]);
        mends("TIM-14", &[SHANGHAI, DAY, ("elements/sum/proposed/api", "\"datastream\"")]);
    }

    /// Local midnight of +08:00 is 16:00 UTC of the day before: 16 h after the last UTC midnight.
    #[test]
    fn the_proposed_offset_starts_days_at_local_midnight() {
        let fix = fires("TIM-14", &[SHANGHAI, DAY, ("elements/sum/proposed/api", "\"datastream\"")]).fix.unwrap();
        assert_eq!(fix.label, "Propose an offset of 16 h");
    }

    #[test]
    fn utc_an_offset_or_short_windows_are_silent() {
        silent("TIM-14", &[SHANGHAI]);
        silent("TIM-14", &[("elements/sum/proposed/time_zone", "\"UTC\""), DAY]);
        silent("TIM-14", &[SHANGHAI, DAY, ("elements/sum/proposed/window_offset", "\"16h\"")]);
        silent("TIM-14", &[SHANGHAI, DAY, ("elements/sum/proposed/api", "\"table_function\""), ("elements/sum/proposed/local_rowtime", "true")]);
        silent("TIM-14", &[DAY]);
    }
}
