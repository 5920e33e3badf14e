use crate::{
    model::{ElementKind, Id, Subject, key},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// A job keeps state, and how long it takes to come back after a failure cannot be said.
    ///
    /// # Why
    /// Everything in state has to be read back before the job goes on, and what has piled up has to be worked off. Without these
    /// numbers nobody can promise when results are there again.
    ///
    /// # Example
    /// "Flink recovers automatically": in four minutes or in four hours.
    ///
    /// # What to do
    /// Read or measure what is missing, or measure a restart.
    CHK_07 "CHK-07" Error "Recovery time is not stated"
    why "nobody knows when results are there again after a failure"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning", "Apache Kafka documentation, Kafka Streams: Running Streams Applications"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let targets = LazyCell::new(|| super::recovery_targets(context));
    let one = |(id, _): (&Id, &Subject)| {
        let report = context.job_report(id)?;
        let missing = report.recovery.as_ref().err()?;
        // State of unknown or unbounded size is a finding of its own.
        report.state.as_ref()?.as_ref().ok().filter(|state| !state.unbounded())?;
        if context.get(id, key::job::RECOVERY_TIME).is_some() {
            return None;
        }
        let target = context.operators_of(id).filter_map(|operator| targets.get(operator)).min();
        let first: Vec<String> = missing
            .missing
            .iter()
            .take(2)
            .map(|missing| format!("{}: {}", context.title(&missing.subject), missing.words()))
            .collect();
        let waits = target.map_or_else(String::new, |(target, consumer)| format!(", and {} can wait {}", context.title(consumer), target.spoken()));
        let message = format!("{}: time to recover is not derivable{waits} ({})", context.title(id), first.join("; "));
        let about: &[&Id] = match target {
            Some((_, consumer)) => &[id, consumer],
            None => &[id],
        };
        let mut finding = rule.finding(about, message, "read or measure what is missing, or measure a restart");
        if target.is_none() {
            finding.severity = Severity::Warning;
        }
        Some(finding)
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    #[test]
    fn a_recovery_without_a_number_is_found() {
        let capacity = ("elements/revenue/proposed/capacity", "null");
        let finding = fires("CHK-07", &[capacity]);
        let message = "revenue: time to recover is not derivable, and board can wait 30 min (revenue: capacity: not measured)";
        assert_eq!((finding.severity, &*finding.message), (Severity::Error, message));
        let nobody = fires("CHK-07", &[capacity, ("elements/board/proposed/recovery_target", "null")]);
        assert_eq!(nobody.severity, Severity::Warning);
        silent("CHK-07", &[capacity, ("elements/revenue/proposed/recovery_time", "\"4min\"")]);
        silent("CHK-07", &[capacity, ("elements/dedup/proposed/entry_size", "null")]);
        silent("CHK-07", &[]);
    }
}
