use crate::{
    analysis::{OperatorReport, explain::{Explained, Origin}},
    model::{Basis, FactRef, Id},
    rules::{Context, Finding, Rule, rule::rule},
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
    /// Measure the assumed number on a sample, or ask whoever knows and mark it as stated.
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
        Some(rule.finding(about, message, "measure the assumed number, or ask whoever knows it"))
    };
    context.report.operators.iter().filter_map(one).collect()
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
    use crate::rules::testing::*;

    #[test]
    fn an_assumed_entry_size_is_found() {
        let evidence = ("evidence", r#"{"guess":{"basis":"assumed","from":"a guess"}}"#);
        let none = ("elements/dedup/proposed/entry_size", "null");
        let guess = ("elements/dedup/observed", r#"{"guess":{"entry_size":"100B"}}"#);
        let message = "dedup: the size of its state rests on bytes per entry, which is assumed";
        assert_eq!(fires("STA-04", &[evidence, none, guess]).message, message);
        let read = ("evidence", r#"{"guess":{"basis":"stated","from":"the team"}}"#);
        silent("STA-04", &[read, none, guess]);
        silent("STA-04", &[]);
    }
}
