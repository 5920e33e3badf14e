use crate::{
    model::{Id, Step, key, units::human, words::OrderKept},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// An asynchronous step does less than arrives while its calls take as long as they may.
    ///
    /// # Why
    /// A task hands out so many calls at once and no more; it does capacity ÷ duration of them a second. As long as the other side
    /// answers fast nobody sees the limit. When it slows down to the timeout, the step holds up everything in front of it.
    ///
    /// # Example
    /// 100 calls at once in 4 tasks, a timeout of 5 s: 80 records a second while the service is slow, and 500 arrive.
    ///
    /// # What to do
    /// More calls at once or more tasks, a shorter timeout, or a way out for records whose call fails.
    CAP_L5 "CAP-L5" Warning "A slow service holds up an asynchronous step"
    why "the step does less than arrives while the other side is slow"
    sources ["Apache Flink documentation, Asynchronous I/O: capacity, timeout", "Little, A Proof for the Queuing Formula L = λW, 1961"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, step): (&Id, &Id, Step)| {
        if !matches!(step, Step::Lookup | Step::Call | Step::Custom) {
            return None;
        }
        let (at_once, timeout) = (context.get(id, key::operator::ASYNC_CAPACITY)?, context.get(id, key::operator::TIMEOUT)?);
        let tasks = context.get(id, key::operator::PARALLELISM).or_else(|| context.get(job, key::job::PARALLELISM))?;
        let arriving = context.operator_report(id)?.input_rate.as_ref().ok()?.value;
        #[expect(clippy::cast_precision_loss, reason = "calls and tasks are far below 2^53")]
        let most = at_once as f64 * tasks as f64 / timeout.secs();
        if timeout.secs() <= 0.0 || most >= arriving {
            return None;
        }
        let in_order = if context.get(id, key::operator::ORDER_KEPT) == Some(OrderKept::Yes) { ", in order, so that one slow call holds up the rest" } else { "" };
        let message = format!(
            "{} has {at_once} calls at once in {tasks} tasks{in_order}; while each takes its timeout of {} it does {}, and {} arrive",
            context.title(id), timeout.spoken(), human::per_second(most), human::per_second(arriving)
        );
        Some(rule.finding(&[id], message, "more calls at once, more tasks or a shorter timeout"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 100 records a second arrive, 20 calls in 6 tasks: 24 a second at 5 s, 240 at 500 ms.
    fn asynchronous(timeout: &str) -> String {
        format!(r#"{{"key":["order_id"],"async_capacity":20,"timeout":"{timeout}","on_error":"fail"}}"#)
    }

    #[test]
    fn a_step_that_a_slow_service_holds_up_is_found() {
        let (slow, quick) = (asynchronous("5s"), asynchronous("500ms"));
        let step = ("elements/dedup/step", "\"lookup\"");
        let finding = fires("CAP-L5", &[step, ("elements/dedup/proposed", &slow)]);
        assert!(finding.message.contains("it does 24"), "{}", finding.message);
        silent("CAP-L5", &[step, ("elements/dedup/proposed", &quick)]);
        silent("CAP-L5", &[step, ("elements/dedup/proposed", "{}")]);
        silent("CAP-L5", &[]);
    }
}
