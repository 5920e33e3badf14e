use crate::{
    analysis::OperatorReport,
    model::{Id, Step, key, units::human, words::{OutputMode, WindowKind}},
    rules::{Context, Finding, Rule, rule::rule, time::told},
};

rule! {
    /// The state of an operator grows without end.
    ///
    /// # Why
    /// Unbounded state is a failure on a date that nobody has picked: checkpoints get slower, restarts longer, and one day
    /// the disk is full.
    ///
    /// # Example
    /// De-duplication without a time-to-live: two million new ids a day, for ever.
    ///
    /// # What to do
    /// Give the entries a time-to-live, or the window an end.
    STA_01 "STA-01" Error "State grows without end"
    why "checkpoints and restarts get slower until the disk is full"
    sources ["Apache Flink documentation, Working with State: State Time-To-Live", "Apache Flink documentation, Table API: Idle State Retention Time"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, report): (&Id, &OperatorReport)| {
        if !endless(context, id) {
            return None;
        }
        if report.growth.is_none() {
            let message = format!("{} waits for a watermark that stands still, and keeps everything until then", context.title(id));
            return Some(rule.finding(&[id], message, "let the watermark move on: an idle time-out, or records in every partition"));
        }
        let growth = report.growth.as_ref().and_then(|growth| growth.as_ref().ok()).filter(|growth| !growth.unbounded());
        let growth = growth.map_or_else(|| "by how much is not derivable".to_owned(), |growth| format!("by {}", growth.text()));
        let full = report.full_in.as_ref().and_then(|full| full.as_ref().ok()).filter(|full| !full.unbounded());
        let full = full.map_or_else(String::new, |full| format!("; the room for it is full in {}", human::at_least(full.value)));
        let message = format!("{} keeps entries for ever and grows, {growth}{full}", context.title(id));
        Some(rule.finding(&[id], message, remedy(context, id)))
    };
    context.report.operators.iter().filter_map(one).collect()
}

/// Does the state of this operator grow without end?
pub(super) fn endless(context: &Context<'_>, id: &Id) -> bool {
    let state = context.operator_report(id).and_then(|report| report.state.as_ref());
    state.and_then(|state| state.as_ref().ok()).is_some_and(|state| state.unbounded())
}

/// What ends the entries, by what the engine has.
fn remedy(context: &Context<'_>, id: &Id) -> &'static str {
    let job = context.job_of(id);
    match context.step(id) {
        Some(Step::Aggregate | Step::Join) if job.is_some_and(|job| told::streams(context, job)) => {
            "delete keys that end (tombstones), or keep them in windows"
        }
        _ if context.get(id, key::operator::OUTPUT_MODE) == Some(OutputMode::Complete) => {
            "append or update mode, in which the watermark removes windows"
        }
        Some(Step::Aggregate | Step::Join) if job.is_some_and(|job| context.runs(job, "spark")) => {
            "a watermark, and a window or a range of time that it ends"
        }
        Some(Step::Aggregate) if context.get(id, key::operator::WINDOW) == Some(WindowKind::Global) => {
            "a trigger that purges what it emitted, or windows that end"
        }
        _ => "set a time-to-live, or an end of the window",
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn state_without_an_end_is_found() {
        let endless = ("elements/dedup/proposed/state_ttl", "\"unlimited\"");
        let found = fires("STA-01", &[endless]);
        assert!(found.message.ends_with("grows, by 1.12 GB/day"), "{}", found.message);
        // 100 /s of 100 B and 1.3 around it are 1.12 GB a day; 100 GB hold 89 whole days.
        let room = [
            endless,
            ("evidence/e1", r#"{"basis":"read","from":"a dashboard"}"#),
            ("elements/dedup/observed", r#"{"e1":{"state_size":"0B"}}"#),
            ("elements/revenue/proposed/instances", "1"),
            ("elements/revenue/proposed/state_budget", "\"100GB\""),
        ];
        let found = fires("STA-01", &room);
        assert!(found.message.ends_with("; the room for it is full in 89 d"), "{}", found.message);
        silent("STA-01", &[]);
    }

    /// What mends it is what the engine has, and what holds the entries.
    #[test]
    fn the_remedy_is_one_that_the_engine_has() {
        let running = [("elements/sum/proposed/window", "\"none\""), ("elements/sum/proposed/new_keys", "\"1/s\"")];
        let remedy = |system| fires("STA-01", &[running[0], running[1], ("elements/revenue/system", system)]).remedy;
        assert!(remedy("\"kafka_streams\"").contains("tombstones"));
        assert!(remedy("\"spark\"").contains("a watermark, and a window"));
        let silent_part = [
            ("elements/orders/proposed/longest_silence", "\"unlimited\""),
            ("elements/sum/proposed/idle_timeout", "\"unlimited\""),
            ("links/l10", "null"),
        ];
        let held = fires("STA-01", &silent_part);
        assert_eq!(held.message, "sum waits for a watermark that stands still, and keeps everything until then");
        assert!(held.remedy.contains("idle time-out"));
    }
}
