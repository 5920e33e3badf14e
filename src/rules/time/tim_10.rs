use super::told;
use crate::{
    model::{Element, Id, Known, Link, Step, key, units::Limit, words::JoinKind},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// A replay reads several inputs side by side, and nothing keeps them at the same event time.
    ///
    /// # Why
    /// Read at full speed, the smaller input runs ahead. The slower one holds the watermark, so everything that the faster one has
    /// read stays in state: the distance between them times its rate.
    ///
    /// # Example
    /// A join of orders and payments works for years. On a replay of a week the payments are through in minutes, and the state
    /// holds the week.
    ///
    /// # What to do
    /// Align the watermarks of the sources with a bound on the drift, or size the state for the whole range that is replayed.
    TIM_10 "TIM-10" Warning "Inputs drift apart on a replay"
    why "the faster input stays in state until the slower one has come up"
    sources ["Apache Flink documentation, Generating Watermarks: Watermark alignment", "FLIP-182: Support watermark alignment of FLIP-27 Sources"]
    check check
}

/// What is read in front of an operator: one input, or more.
type Reads<'a> = (&'a Id, Option<&'a Id>);

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let needed = LazyCell::new(|| told::replay_needed(context));
    let reads = LazyCell::new(|| context.forward(|id, inputs: &[(&Id, &Link, &Reads<'_>)]| match context.subject(id)?.element()? {
        Element::Channel { role: Some(_) } => None,
        Element::Channel { .. } | Element::Source { .. } => Some((id, None)),
        Element::Operator { .. } => {
            let main = inputs.iter().filter(|(_, link, _)| link.port.is_none()).map(|(.., reads)| **reads);
            main.reduce(|a, b| (a.0, a.1.or(b.1).or((a.0 != b.0).then_some(b.0))))
        }
        _ => None,
    }));
    let one = |(id, job, step): (&Id, &Id, Step)| {
        let by_watermark = super::closes(context, id)
            || step == Step::Join && matches!(context.get(id, key::operator::JOIN), Some(JoinKind::Interval | JoinKind::Window | JoinKind::Temporal));
        if !by_watermark || !context.runs(job, "flink") {
            return None;
        }
        let consumer = *needed.get(id)?;
        // Nothing said of watermarks at all is another question.
        if !told::reaching(context, id, key::operator::WATERMARK_DELAY).iter().any(Known::is_value) {
            return None;
        }
        let aligned = match told::guard(context, id, key::operator::ALIGNMENT_DRIFT) {
            Known::Value(fact) if matches!(fact.value, Limit::Of(_)) => return None,
            Known::Conflict(_) => return None,
            Known::NotKnown(_) => "alignment is not stated",
            _ => "nothing aligns them",
        };
        let (first, Some(second)) = *reads.get(id)? else { return None };
        let (first, second) = (context.title(first), context.title(second));
        let message = format!("{}: a replay for {} reads {first} and {second} side by side, and {aligned}", context.title(id), context.title(consumer));
        Some(rule.finding(&[id, consumer], message, "bound the drift between the inputs, or size the state for all that is replayed"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const SECOND: [(&str, &str); 2] = [
        ("elements/sources", r#"{"kind":"channel","cluster":"kafka"}"#),
        ("links/m1", r#"{"from":"sources","to":"sum"}"#),
    ];

    #[test]
    fn two_inputs_without_alignment_are_found() {
        let finding = fires("TIM-10", &SECOND);
        let message = "sum: a replay for board reads orders and sources side by side, and alignment is not stated";
        assert_eq!(finding.message, message);
        fires("TIM-10", &[SECOND[0], SECOND[1], ("elements/sum/proposed/alignment_drift", "\"unlimited\"")]);
    }

    #[test]
    fn alignment_one_input_or_no_replay_is_silent() {
        silent("TIM-10", &[]);
        silent("TIM-10", &[SECOND[0], SECOND[1], ("elements/sum/proposed/alignment_drift", "\"1min\"")]);
        silent("TIM-10", &[SECOND[0], SECOND[1], ("elements/board/proposed/replay_needed", "null")]);
        silent("TIM-10", &[SECOND[0], SECOND[1], ("elements/sum/proposed/watermark_delay", "null")]);
    }
}
