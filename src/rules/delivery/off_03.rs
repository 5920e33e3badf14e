use crate::{
    analysis::formulas::recovery,
    catalog::PositionIn,
    model::{Id, Link, key, words::OffsetReset},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// A reader that comes back after its records were deleted goes on behind the gap, and nobody is told.
    ///
    /// # Why
    /// A position that the log no longer has is out of range. With `earliest` the reader goes on at the oldest record that is left,
    /// with `latest` at the end: neither fails, neither reports what is missing.
    ///
    /// # Example
    /// A mirror pauses for 14 h on a log that keeps 12 h: the standby misses two hours, and every dashboard is green.
    ///
    /// # What to do
    /// `none`, and an alert on it: the reader stops where somebody has to decide.
    OFF_03 "OFF-03" Warning "A gap is passed over without a word"
    why "what is missing is missing silently"
    sources ["Apache Kafka documentation, Consumer Configs: auto.offset.reset", "Apache Kafka Javadoc, OffsetOutOfRangeException"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        let job = context.job_of(&link.to)?;
        let reset = context.get(id, key::read::OFFSET_RESET).filter(|reset| *reset != OffsetReset::Nothing)?;
        let mode = context.engine(job).and_then(|engine| engine.modes.first())?;
        let (kept, _) = context.kept(id, &link.from)?;
        let back = context.needs_back(id, job, context.away(job)?.secs());
        let lost = recovery::loses_on_restart(back, kept) && context.loss_matters(id) && mode.position != PositionIn::Checkpoint;
        lost.then(|| {
            let word = if reset == OffsetReset::Earliest { "at the oldest record that is left" } else { "at the end" };
            let message = format!("{} goes on {word} of {} after an outage, without an error", context.title(job), context.title(&link.from));
            let fix = propose("Propose to stop instead", id, key::read::OFFSET_RESET, OffsetReset::Nothing);
            rule.finding(&[id, job], message, "stop and tell somebody").fixed_by(Some(fix))
        })
    };
    context.links_with(key::read::OFFSET_RESET).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_gap_that_nobody_is_told_of_is_found() {
        let away = ("elements/loader/proposed/longest_outage", "\"8d\"");
        fires("OFF-03", &[away]);
        mends("OFF-03", &[away]);
        silent("OFF-03", &[away, ("links/l5/proposed/offset_reset", "\"none\"")]);
        silent("OFF-03", &[("elements/loader/proposed/longest_outage", "\"6d\"")]);
    }

    /// 6 d away and two days behind before; or two days late, of 7 d.
    #[test]
    fn what_was_behind_or_came_late_counts() {
        let away = ("elements/loader/proposed/longest_outage", "\"6d\"");
        fires("OFF-03", &[away, ("links/l5/proposed/lag_time", "\"2d\"")]);
        fires("OFF-03", &[away, ("elements/totals/proposed/append_delay", r#"{"max":"2d"}"#)]);
    }
}
