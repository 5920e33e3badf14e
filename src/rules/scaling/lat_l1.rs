use crate::{
    analysis::explain::{Explained, Origin},
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::sync::Arc;

rule! {
    /// The longest waits on the way to a consumer add up to more than it can wait.
    ///
    /// # Why
    /// Every hop that batches, buffers or waits for a window adds its whole wait for the event that just missed it. No capacity makes
    /// that shorter.
    ///
    /// # Example
    /// Windows of five minutes, a watermark 30 s behind, a commit every minute: an answer "within a minute" cannot be had.
    ///
    /// # What to do
    /// Shorten the longest part: a smaller window, results while it is open, a shorter commit or flush; or agree on a later answer.
    LAT_L1 "LAT-L1" Error "Later than the decision needs"
    why "the result comes after the moment it was wanted for"
    sources ["Apache Flink documentation, Generating Watermarks", "Apache Kafka documentation, Producer Configs: linger.ms", "Apache Spark documentation, Structured Streaming Programming Guide: Triggers"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let needed = context.get(id, key::consumer::LATENCY_REQUIREMENT)?;
        let latency = context.consumer_report(id)?.latency.as_ref().ok()?;
        let longest = latency.inputs().iter().reduce(|a, b| if b.value > a.value { b } else { a })?;
        // A commit that alone is too late, and is the longest part, is found as such.
        let commit = transaction(latency).is_some_and(|term| term.value > needed.secs() && Arc::ptr_eq(term, longest));
        if latency.value <= needed.secs() || commit {
            return None;
        }
        let whole = context.consumer_report(id)?.latency_open.is_empty();
        let at = longest.of.as_ref().unwrap_or(id);
        // The parts are rounded as the whole is: none looks longer than all together.
        let rounded = |value: f64| if whole { human::at_most(value) } else { human::at_least(value) };
        let (sees, part) = if latency.unbounded() {
            ("sees a result nobody knows when".to_owned(), "which has no end".to_owned())
        } else {
            let open = if whole { "up to" } else { "at least" };
            (format!("sees a result after {open} {}", rounded(latency.value)), rounded(longest.value))
        };
        let message = format!(
            "{} {sees}, and needs it within {}; the longest part is {} at {}, {part}",
            context.title(id), needed.spoken(), longest.what, context.title(at)
        );
        Some(rule.finding(&[id], message, "shorten the longest part, or agree on a later answer"))
    };
    context.elements_with(ElementKind::Consumer, key::consumer::LATENCY_REQUIREMENT).filter_map(one).collect()
}

/// The wait for the commit of a checkpoint, where there is one on the way.
pub(super) fn transaction(latency: &Explained) -> Option<&Arc<Explained>> {
    let commits = |term: &&Arc<Explained>| matches!(&term.origin, Origin::Formula { formula, .. } if formula.id == "LAT-E1.transaction");
    latency.inputs().iter().filter(commits).reduce(|a, b| if b.value > a.value { b } else { a })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// The window alone: 300 s, 30 s, 0.2 s and a minute of silence are 6 min 30 s; the commit takes 65 s more.
    #[test]
    fn waits_above_the_need_are_found() {
        let message = fires("LAT-L1", &[("elements/board/proposed/latency_requirement", "\"7min\"")]).message;
        assert!(message.starts_with("board sees a result after at least 7 min 35 s, and needs it within 7 min;"), "{message}");
        assert!(message.contains("at sum, 6 min 30 s"), "{message}");
        silent("LAT-L1", &[("elements/board/proposed/latency_requirement", "\"8min\"")]);
        let never = [
            ("elements/orders/proposed/longest_silence", "\"unlimited\""),
            ("elements/sum/proposed/idle_timeout", "\"unlimited\""),
            ("elements/board/proposed/latency_requirement", "\"8min\""),
            ("links/l10", "null"),
        ];
        let message = fires("LAT-L1", &never).message;
        let expected = "board sees a result nobody knows when, and needs it within 8 min; the longest part is until the window closes at sum, which has no end";
        assert_eq!(message, expected);
        silent("LAT-L1", &[("elements/board/proposed/latency_requirement", "null")]);
    }
}
