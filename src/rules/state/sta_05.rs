use crate::{
    model::{ElementKind, Id, Subject, key, units::human, words::JoinKind},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An instance has less room for state than its part of it takes.
    ///
    /// # Why
    /// A full disk or heap stops the job at its busiest hour, and a restart fills it again.
    ///
    /// # Example
    /// 400 GB over four instances with 80 GB of disk each.
    ///
    /// # What to do
    /// More instances or a larger disk, a shorter time-to-live, smaller entries: the remedy says how much of each would do alone.
    STA_05 "STA-05" Error "State does not fit"
    why "a full disk or heap stops the job"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning", "Apache Kafka documentation, Kafka Streams: Memory Management"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let (part, budget) = over_budget(context, id)?;
        // A copy of a table on each instance, and windows that are only held open, are findings of their own.
        let special = |at: &Id| global(context, at) || super::held_open(context, at).is_some();
        if context.operators_of(id).any(special) {
            return None;
        }
        let message = format!("{}: {} of state on one instance, room for {}", context.title(id), human::bytes(part), human::bytes(budget));
        Some(rule.finding(&[id], message, super::relief::relief(context, id, part, budget)))
    };
    context.elements(ElementKind::Job).filter_map(one).collect()
}

/// State on the fullest instance of a job against the room it has, where it is more.
pub(in crate::rules) fn over_budget(context: &Context<'_>, job: &Id) -> Option<(f64, f64)> {
    let budget = context.get(job, key::job::STATE_BUDGET)?.bytes() as f64;
    let most = fullest_instance(context, job)?;
    (most > budget).then_some((most, budget))
}

/// State on the instance of a job with most of it, as far as it is known.
pub(in crate::rules) fn fullest_instance(context: &Context<'_>, job: &Id) -> Option<f64> {
    let report = context.job_report(job)?;
    let known = [&report.state_of_instance, &report.state_of_task].into_iter().flatten().flatten();
    known.map(|part| part.value).filter(|part| part.is_finite()).reduce(f64::max)
}

/// Does this operator keep a whole table on every instance?
pub(in crate::rules) fn global(context: &Context<'_>, id: &Id) -> bool {
    context.get(id, key::operator::JOIN) == Some(JoinKind::GlobalTable)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 100 /s for two days of 100 B and 1.3 around it: 2.25 GB, on two instances 1.12 GB each.
    #[test]
    fn a_state_that_does_not_fit_is_found() {
        let two = ("elements/revenue/proposed/instances", "2");
        let budget = |text| ("elements/revenue/proposed/state_budget", text);
        let found = fires("STA-05", &[two, budget("\"1GB\"")]);
        assert_eq!(found.message, "revenue: 1.12 GB of state on one instance, room for 1 GB");
        // Six tasks of 375 MB: two on an instance. 89.02 % of what de-duplication keeps: 42.73 h of 2 d, 89 B of 100 B.
        let ways = "3 instances instead of 2, a time-to-live of 42 h 43 min instead of 2 d in dedup, entries of 89 B instead of 100 B in dedup, or room for 1.13 GB on each instance";
        assert_eq!(found.remedy, ways);
        // A task of 375 MB fits nowhere: tasks have to be smaller, 2.25 GB ÷ 0.3 GB are eight.
        let found = fires("STA-05", &[two, budget("\"300MB\""), ("elements/revenue/proposed/state_backend", "\"heap\"")]);
        assert!(found.remedy.starts_with("at least 8 tasks, each on an instance of its own, instead of 6 tasks, "), "{}", found.remedy);
        assert!(found.remedy.contains(", RocksDB, which keeps it on disk, or room for 1.13 GB"), "{}", found.remedy);
        silent("STA-05", &[two, budget("\"2GB\"")]);
        silent("STA-05", &[budget("\"1GB\"")]);
        silent("STA-05", &[two]);
    }
}
