use super::told;
use crate::{
    catalog::Version,
    model::{Id, Known, Step, key, units::Duration, words::{Api, WindowKind}, zone},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// A window table function of Flink SQL is not aligned to UTC, and some of its rows never reach a result.
    ///
    /// # Why
    /// The operators buffer rows in memory and flush them at borders that are reckoned in UTC. Rows that are flushed after their window
    /// has ended are dropped; in the one-phase plan not even a counter shows it. Until 2.3 this hits every window with an offset,
    /// and in zones without daylight saving time it hits windows on TIMESTAMP_LTZ in later versions too.
    ///
    /// # Example
    /// Days of Asia/Shanghai on TIMESTAMP_LTZ: of eight rows since the last checkpoint seven are in no result.
    ///
    /// # What to do
    /// Window in UTC (TIMESTAMP(3)) and shift the result, or windows whose step divides the zone's offset; for offsets Flink 2.3.
    TIM_18 "TIM-18" Error "Windows off UTC lose rows"
    why "rows since the last checkpoint can be dropped when their window ends"
    sources ["FLINK-36664: window offset is not heeded when buffers are flushed", "FLINK-38075: window TVF on TIMESTAMP_LTZ loses data in zones without daylight saving time"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !context.runs(job, "flink") || context.get(id, key::operator::API)? != Api::TableFunction || !super::closes(context, id) {
            return None;
        }
        let step = step(context, id)?;
        let (what, certain) = zone_hits(context, id, step).map(|what| (what, true)).or_else(|| offset_hits(context, id, job))?;
        let message = format!("{}: {what}", context.title(id));
        let mut finding = rule.finding(&[id], message, "windows in UTC that are shifted afterwards, or a step that divides the offset");
        if !certain {
            finding.severity = Severity::Warning;
        }
        Some(finding)
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

/// How far the borders are apart at which buffers are flushed.
fn step(context: &Context<'_>, id: &Id) -> Option<u64> {
    let of = |key| context.get(id, key).map(Duration::millis).filter(|ms| *ms > 0);
    match context.get(id, key::operator::WINDOW)? {
        WindowKind::Tumbling => of(key::operator::WINDOW_SIZE),
        WindowKind::Hopping => Some(divisor(of(key::operator::WINDOW_SIZE)?, of(key::operator::WINDOW_STEP)?)),
        WindowKind::Cumulating => of(key::operator::WINDOW_STEP),
        _ => None,
    }
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

fn zone_hits(context: &Context<'_>, id: &Id, step: u64) -> Option<String> {
    if context.get(id, key::operator::LOCAL_ROWTIME) != Some(true) {
        return None;
    }
    let name = context.get(id, key::operator::TIME_ZONE)?;
    let shift = zone::steady_offset(&name)?;
    (shift.unsigned_abs() % step != 0).then(|| {
        let step = Duration::from_millis(step).spoken();
        format!("borders every {step} in {name}, which keeps its offset from UTC all year: rows can be flushed too late and dropped")
    })
}

fn offset_hits(context: &Context<'_>, id: &Id, job: &Id) -> Option<(String, bool)> {
    let Known::Value(offset) = context.known(id, key::operator::WINDOW_OFFSET) else { return None };
    if offset.value == Duration::ZERO {
        return None;
    }
    let version = told::version(context, job);
    let (of, certain) = match &version {
        Some(version) if !told::before(version, Version(2, 3)) => return None,
        Some(version) => (format!("Flink {version} flushes without it"), true),
        None => ("Flink before 2.3 flushes without it (version not read)".to_owned(), false),
    };
    Some((format!("an offset of {}, and {of}: rows can be dropped", offset.value.spoken()), certain))
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    const SQL: (&str, &str) = ("elements/sum/proposed/api", "\"table_function\"");
    const OFFSET: (&str, &str) = ("elements/sum/proposed/window_offset", "\"3s\"");

    #[test]
    fn an_offset_before_2_3_is_found() {
        let finding = fires("TIM-18", &[SQL, OFFSET]);
        assert_eq!(finding.message, "sum: an offset of 3 s, and Flink 2.1 flushes without it: rows can be dropped");
        assert_eq!(finding.severity, Severity::Error);
        let open = fires("TIM-18", &[SQL, OFFSET, ("clusters/flink/proposed/version", "null")]);
        assert_eq!(open.severity, Severity::Warning);
        silent("TIM-18", &[SQL, OFFSET, ("elements/revenue/proposed/version", "\"2.3.0\"")]);
        silent("TIM-18", &[OFFSET]);
        silent("TIM-18", &[SQL, ("elements/sum/proposed/window_offset", "\"0s\"")]);
    }

    #[test]
    fn a_zone_without_daylight_saving_is_found_in_every_version() {
        let (local, version) = (("elements/sum/proposed/local_rowtime", "true"), ("elements/revenue/proposed/version", "\"2.3.0\""));
        let zone = |name| ("elements/sum/proposed/time_zone", name);
        let size = |size| ("elements/sum/proposed/window_size", size);
        fires("TIM-18", &[SQL, local, version, zone("\"Asia/Shanghai\""), size("\"1d\"")]);
        fires("TIM-18", &[SQL, local, version, zone("\"Asia/Kolkata\""), size("\"1h\"")]);
        // An hour divides eight of them; the zone has daylight saving; the time attribute is not local.
        silent("TIM-18", &[SQL, local, zone("\"Asia/Shanghai\""), size("\"1h\"")]);
        silent("TIM-18", &[SQL, local, zone("\"America/New_York\""), size("\"1d\"")]);
        silent("TIM-18", &[SQL, zone("\"Asia/Shanghai\""), size("\"1d\"")]);
    }

    #[test]
    fn borders_of_hopping_windows_are_those_of_the_common_divisor() {
        assert_eq!(super::divisor(3_600_000, 1_500_000), 300_000);
    }
}
