use crate::{
    analysis::{OperatorReport, explain::{Explained, Origin}},
    model::{Basis, FactRef, Id, key},
    rules::{Context, Finding, Rule, Severity, rule::rule},
};

rule! {
    /// The size of a state rests on a number that somebody assumed.
    ///
    /// # Why
    /// State is a product: a key count that is off by ten makes disks, checkpoints and recovery times off by ten.
    ///
    /// # Example
    /// "About 200 bytes an entry, I suppose": with the key and the overhead of the backend it is 600.
    ///
    /// # What to do
    /// Measure the assumed number on a sample, or ask whoever knows and mark it as stated. Where ten times as much would fit,
    /// nothing hangs on it, and it is only noted.
    STA_04 "STA-04" Warning "The size of a state is assumed"
    why "disk, checkpoints and recovery follow from an assumption"
    sources ["Apache Flink documentation, Tuning Checkpoints and Large State: Capacity Planning"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &OperatorReport)| {
        let state = report.state.as_ref()?.as_ref().ok()?;
        if state.unbounded() || state.basis != Some(Basis::Assumed) {
            return None;
        }
        let (what, fact) = assumed(state)?;
        let message = format!("{}: the size of its state rests on {what}, which is assumed", context.title(id));
        let about: &[&Id] = if fact.subject == *id { &[id] } else { &[id, &fact.subject] };
        let finding = rule.finding(about, message, "measure the assumed number, or ask whoever knows it");
        Some(if roomy(context, id) { Finding { severity: Severity::Note, ..finding } } else { finding })
    };
    context.report.operators.iter().filter_map(one).collect()
}

/// Would ten times as much fit? Then nothing follows from the number.
fn roomy(context: &Context<'_>, operator: &Id) -> bool {
    let fits = |job: &Id| {
        let budget = context.get(job, key::job::STATE_BUDGET)?.bytes() as f64;
        Some(10.0 * super::fullest_instance(context, job)? <= budget)
    };
    context.job_of(operator).and_then(fits) == Some(true)
}

/// The first setting of the design among the inputs that is assumed. What the analysis itself takes for granted, such as
/// partitions that keep pace, is said with the figure.
fn assumed(figure: &Explained) -> Option<(&'static str, &FactRef)> {
    match &figure.origin {
        _ if figure.basis != Some(Basis::Assumed) => None,
        Origin::Fact(fact) => Some((figure.what, fact)),
        Origin::FactBy(..) | Origin::Constant { .. } => None,
        Origin::Formula { inputs, .. } => inputs.iter().find_map(|input| assumed(input)),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Severity, testing::*};

    #[test]
    fn an_assumed_entry_size_is_found() {
        let evidence = ("evidence", r#"{"guess":{"basis":"assumed","from":"a guess"}}"#);
        let none = ("elements/dedup/proposed/entry_size", "null");
        let guess = ("elements/dedup/observed", r#"{"guess":{"entry_size":"100B"}}"#);
        let message = "dedup: the size of its state rests on bytes per entry, which is assumed";
        let found = fires("STA-04", &[evidence, none, guess]);
        assert_eq!((found.message.as_str(), found.severity), (message, Severity::Warning));
        // 2.25 GB on the one instance that is taken to hold it: ten times as much fits into 25 GB, not into 20 GB.
        let room = |text| fires("STA-04", &[evidence, none, guess, ("elements/revenue/proposed/instances", "1"), ("elements/revenue/proposed/state_budget", text)]);
        assert_eq!((room("\"25GB\"").severity, room("\"20GB\"").severity), (Severity::Note, Severity::Warning));
        let read = ("evidence", r#"{"guess":{"basis":"stated","from":"the team"}}"#);
        silent("STA-04", &[read, none, guess]);
        silent("STA-04", &[]);
    }
}
