use crate::{
    analysis::formulas::capacity,
    model::{Id, Link, Step, counted, key, units::{Duration, Limit, human}, words::Processing},
    rules::{Context, Finding, Rule, Severity, rule::{propose, rule}},
};

rule! {
    /// A batch of records takes longer than the group waits for the next poll.
    ///
    /// # Why
    /// A consumer that does not poll within `max.poll.interval.ms` is put out of its group. Its batch goes to another member, which
    /// takes as long: the group goes round without end. A record that fails and is tried again in the thread that polls counts as well.
    ///
    /// # Example
    /// 500 records of 0.8 s each are 400 s; the group waits 300.
    ///
    /// # What to do
    /// Fewer records a poll, faster calls with a short time-out, or a longer interval.
    REB_L2 "REB-L2" Error "A batch takes longer than the poll interval"
    why "the group puts its members out again and again"
    sources ["Apache Kafka documentation, Consumer Configs: max.poll.interval.ms, max.poll.records", "KIP-62: Allow consumer to send heartbeats from a background thread"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        // Flink and Spark do not work in the thread that polls, nor does who hands records to other threads.
        let elsewhere = matches!(context.get(id, key::read::PROCESSING), Some(Processing::Threads | Processing::Async));
        if elsewhere || context.runs(&link.to, "flink") || context.runs(&link.to, "spark") {
            return None;
        }
        let records = context.get(id, key::read::MAX_POLL_RECORDS)?;
        let interval = context.get(id, key::read::MAX_POLL_INTERVAL)?.secs();
        let time = context.get(id, key::read::TIME_PER_RECORD);
        let mean = time.as_ref().and_then(|time| time.mean()).map(Duration::secs);
        // A record that fails is tried again in the thread that polls.
        let tried = context.job_of(&link.to).and_then(|job| context.get(job, key::job::ERROR_RETRY_TIME)).and_then(|limit| match limit {
            Limit::Of(tried) => Some(tried.secs()),
            Limit::Unlimited => Some(f64::INFINITY),
            Limit::None => None,
        });
        let measured = time.as_ref().and_then(|time| time.max()).map(Duration::secs);
        let longest = match (measured, tried) {
            (Some(measured), Some(tried)) => Some(measured.max(tried)),
            (measured, tried) => measured.or(tried),
        };
        let (takes, how, severity) = worst(records as f64, mean, longest, called(context, &link.to), interval)?;
        let takes = if takes.is_finite() { format!("takes {}", human::at_most(takes)) } else { "has no end".to_owned() };
        let message = format!("{}: a poll of {} {takes} {how}, the group waits {}", context.title(id), counted(records, "record"), human::bound(interval));
        let slow = longest.map_or(0.0, |longest| slowest(mean, longest, called(context, &link.to)));
        let fits = mean.filter(|mean| *mean > 0.0).map(|mean| ((0.5 * interval - slow) / mean).floor()).filter(|fits| *fits >= 1.0 && *fits < records as f64);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number between 1 and the records of a poll")]
        let fix = fits.map(|fits| propose(&format!("Propose {} a poll", counted(fits as u64, "record")), id, key::read::MAX_POLL_RECORDS, fits as u64));
        let mut finding = rule.finding(&[id], message, "fewer records a poll, or a shorter time-out of calls").fixed_by(fix);
        finding.severity = severity;
        Some(finding)
    };
    context.links_with(key::read::MAX_POLL_RECORDS).filter_map(one).collect()
}

/// How long a poll takes at worst by what is known, where that is over half of the interval.
fn worst(records: f64, mean: Option<f64>, longest: Option<f64>, called: Option<f64>, interval: f64) -> Option<(f64, &'static str, Severity)> {
    if let Some(mean) = mean {
        let usual = capacity::poll_takes(records, mean, 0.0, 0.0);
        if !capacity::poll_fits(usual, interval) {
            let severity = if usual > interval { Severity::Error } else { Severity::Warning };
            return Some((usual, "on average", severity));
        }
    }
    let slow = slowest(mean, longest?, called);
    let one = capacity::poll_takes(records, mean.unwrap_or(0.0), records.min(1.0), slow);
    if !capacity::poll_fits(one, interval) {
        let severity = if one > interval { Severity::Error } else { Severity::Warning };
        return Some((one, "with one slow record", severity));
    }
    let down = capacity::poll_takes(records, 0.0, records, called?);
    (down > interval).then_some((down, "when every call times out", Severity::Warning))
}

/// How long one slow record takes: the longest that was measured, where it is more than the mean, or a call that times out.
fn slowest(mean: Option<f64>, longest: f64, called: Option<f64>) -> f64 {
    let measured = if mean.is_some_and(|mean| longest <= mean) { 0.0 } else { longest };
    measured.max(called.unwrap_or(0.0))
}

/// The longest time-out of a call or look-up that an operator makes.
fn called(context: &Context<'_>, operator: &Id) -> Option<f64> {
    let job = context.job_of(operator)?;
    let calls = context.operators_of(job).filter(|at| matches!(context.step(at), Some(Step::Call | Step::Lookup)));
    calls.filter_map(|at| context.get(at, key::operator::TIMEOUT)).max().map(Duration::secs)
}

#[cfg(test)]
mod tests {
    use super::{Severity, worst};
    use crate::rules::testing::*;

    const READ: [(&str, &str); 2] = [("links/l5/proposed/max_poll_records", "500"), ("links/l5/proposed/max_poll_interval", "\"5min\"")];

    #[test]
    fn a_batch_beyond_the_interval_is_found() {
        let time = |text| ("links/l5/proposed/time_per_record", text);
        let finding = fires("REB-L2", &[READ[0], READ[1], time("\"800ms\"")]);
        assert_eq!(finding.message, "totals → write: a poll of 500 records takes 6 min 40 s on average, the group waits 300 s");
        assert_eq!(finding.fix.as_ref().unwrap().label, "Propose 187 records a poll");
        mends("REB-L2", &[READ[0], READ[1], time("\"800ms\"")]);
        assert_eq!(fires("REB-L2", &[READ[0], READ[1], time("\"400ms\"")]).severity, Severity::Warning);
        fires("REB-L2", &[READ[0], READ[1], time(r#"{"mean":"10ms","max":"320s"}"#)]);
        // A record that fails is tried again for 10 min, in the thread that polls.
        let tried = ("elements/loader/proposed/error_retry_time", "\"10min\"");
        assert!(fires("REB-L2", &[READ[0], READ[1], time("\"10ms\""), tried]).message.contains("takes 10 min 5 s with one slow record"));
        let message = fires("REB-L2", &[READ[0], READ[1], ("elements/loader/proposed/error_retry_time", "\"unlimited\"")]).message;
        assert!(message.contains("has no end with one slow record"), "{message}");
        // 5 s and 160 s: more than half of the interval, and less than all of it.
        let slow = [READ[0], READ[1], time(r#"{"mean":"10ms","max":"160s"}"#)];
        let finding = fires("REB-L2", &slow);
        assert_eq!((finding.severity, finding.fix), (Severity::Warning, None), "{}", finding.message);
        // 50 s and 110 s; 400 records make 40 s of it.
        let some = [READ[0], READ[1], time(r#"{"mean":"100ms","max":"110s"}"#)];
        assert_eq!(fires("REB-L2", &some).fix.unwrap().label, "Propose 400 records a poll");
        mends("REB-L2", &some);
        silent("REB-L2", &[READ[0], READ[1], time("\"100ms\"")]);
        silent("REB-L2", &[READ[0], READ[1]]);
        silent("REB-L2", &[READ[0], READ[1], time("\"800ms\""), ("links/l5/proposed/processing", "\"threads\"")]);
    }

    /// 500 × 0.13 s = 65 s of 300 s; a single record of 10 s makes 75 s. Calls that time out after 2 s, all of them: 1 000 s.
    #[test]
    fn a_high_percentile_alone_is_no_finding() {
        assert_eq!(worst(500.0, Some(0.13), Some(10.0), None, 300.0), None);
        let down = worst(500.0, Some(0.13), Some(1.0), Some(2.0), 300.0).unwrap();
        assert_eq!(down, (1000.0, "when every call times out", Severity::Warning));
    }
}
