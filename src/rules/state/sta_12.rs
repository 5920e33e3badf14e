use crate::{
    catalog::Version,
    model::{Id, Step, key, words::{Api, JoinKind}},
    rules::{Context, Finding, Rule, rule::rule, time::told},
};

rule! {
    /// An interval join of an older Flink SQL keeps rows longer than its interval.
    ///
    /// # Why
    /// Before 1.18 such a join cleans its state in steps of half the interval. Later versions clean at once, unless
    /// `table.exec.interval-join.min-cleanup-interval` says otherwise.
    ///
    /// # Example
    /// An interval from 10 minutes before to 60 after: 35 minutes more of both sides are kept than the interval needs.
    ///
    /// # What to do
    /// Plan the state with the step, or a newer version.
    STA_12 "STA-12" Note "The interval join cleans in steps"
    why "state is larger than the interval alone makes it"
    sources ["FLINK-32330: configurable minimum clean-up interval of interval joins (1.18)"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let interval = context.get(id, key::operator::JOIN)? == JoinKind::Interval;
        let code = context.get(id, key::operator::API) == Some(Api::Datastream);
        if step != Step::Join || !interval || code || !context.runs(job, "flink") {
            return None;
        }
        let version = told::version(context, job).filter(|version| told::before(version, Version(1, 18)))?;
        let message = format!("{}: Flink SQL {version} cleans an interval join in steps of half its interval", context.title(id));
        Some(rule.finding(&[id], message, "plan the state with the step, or Flink 1.18 and later"))
    };
    context.operators_with(key::operator::JOIN).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn a_join_that_cleans_in_steps_is_found() {
        let join = [("elements/dedup/step", "\"join\""), ("elements/dedup/proposed/join", "\"interval\"")];
        let version = |text| ("elements/revenue/proposed/version", text);
        fires("STA-12", &[join[0], join[1], version("\"1.17.2\"")]);
        silent("STA-12", &[join[0], join[1], version("\"1.18\"")]);
        silent("STA-12", &[join[0], join[1], version("\"1.17.2\""), ("elements/dedup/proposed/api", "\"datastream\"")]);
        silent("STA-12", &[version("\"1.17.2\"")]);
    }
}
