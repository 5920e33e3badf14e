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
    /// More instances or a larger disk, a shorter time-to-live, smaller entries.
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
        Some(rule.finding(&[id], message, "more instances or room, a shorter time-to-live, smaller entries"))
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
        assert_eq!(fires("STA-05", &[two, budget("\"1GB\"")]).message, "revenue: 1.12 GB of state on one instance, room for 1 GB");
        silent("STA-05", &[two, budget("\"2GB\"")]);
        silent("STA-05", &[budget("\"1GB\"")]);
        silent("STA-05", &[two]);
    }
}
