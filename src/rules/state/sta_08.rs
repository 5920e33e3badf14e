use crate::{
    model::{Id, Step, key, units::{Duration, human}, words::WindowKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Windows are held open for late events, and that is what does not fit.
    ///
    /// # Why
    /// A window stays in state until the watermark has passed its end and the allowed lateness. With a lateness of many windows, many
    /// windows are open at once for the few events that come that late.
    ///
    /// # Example
    /// Windows of one minute with two days of lateness: 2 881 windows of every key.
    ///
    /// # What to do
    /// A lateness that the measured share of late events pays for, and a correction by batch for the rest.
    STA_08 "STA-08" Error "Windows held open do not fit"
    why "state is kept for the few events that come late"
    sources ["Apache Flink documentation, Windows: Allowed Lateness, Useful state size considerations"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        let (open, needed) = held_open(context, id)?;
        let (part, budget) = super::over_budget(context, job)?;
        let message = format!(
            "{}: {} windows of a key are open at once, {} without waiting for late events; {} on one instance, room for {}",
            context.title(id),
            human::number(open),
            human::number(needed),
            human::bytes(part),
            human::bytes(budget)
        );
        Some(rule.finding(&[id, job], message, "a shorter lateness, and a correction for what is later"))
    };
    context.operators().filter_map(one).collect()
}

/// Windows of a key that are open at once, and those that would be without any waiting for late events, where that makes
/// the difference between a state that fits and one that does not.
pub(in crate::rules) fn held_open(context: &Context<'_>, id: &Id) -> Option<(f64, f64)> {
    let step = match context.get(id, key::operator::WINDOW)? {
        WindowKind::Tumbling => context.get(id, key::operator::WINDOW_SIZE)?,
        WindowKind::Hopping => context.get(id, key::operator::WINDOW_STEP)?,
        _ => return None,
    };
    let job = context.job_of(id)?;
    let (part, budget) = super::over_budget(context, job)?;
    let report = context.operator_report(id)?;
    let keys = context.get(id, key::operator::KEYS_PER_WINDOW).filter(|keys| *keys > 0)?;
    let open = report.entries.as_ref()?.as_ref().ok()?.value / keys as f64;
    let size = context.get(id, key::operator::WINDOW_SIZE)?;
    let needed = (size.secs() / step.secs()).ceil() + 1.0;
    let own = report.state.as_ref()?.as_ref().ok()?.value;
    let whole = context.job_report(job)?.state.as_ref()?.as_ref().ok()?.value;
    // The job's part less what this operator keeps for late events only.
    let without = part * (1.0 - own / whole * (1.0 - needed / open));
    (step > Duration::ZERO && open > needed && without <= budget).then_some((open, needed))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// A partition that is silent holds windows open until its idle time-out of 60 s: ⌈(60 s + 30 s + 2 d + 60 s + 0.2 s) ÷ 60 s⌉ = 2 883
    /// windows of a key.
    #[test]
    fn a_lateness_of_many_windows_is_found() {
        let room = [
            ("elements/revenue/proposed/instances", "1"),
            ("elements/revenue/proposed/state_budget", "\"3GB\""),
            ("elements/sum/proposed/window_size", "\"1min\""),
            ("elements/sum/proposed/keys_per_window", "50000"),
        ];
        let late = |text| ("elements/sum/proposed/allowed_lateness", text);
        let long = [&room[..], &[late("\"2d\"")]].concat();
        let message = fires("STA-08", &long).message;
        assert!(message.starts_with("sum: 2\u{2009}883 windows of a key are open at once, 2 without"), "{message}");
        silent("STA-05", &long);
        silent("STA-08", &[&room[..], &[late("\"1min\"")]].concat());
        let larger = ("elements/revenue/proposed/state_budget", "\"1TB\"");
        silent("STA-08", &[room[0], larger, room[2], room[3], late("\"2d\"")]);
    }
}
