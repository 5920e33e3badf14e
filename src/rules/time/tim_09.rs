use super::told;
use crate::{
    model::{ElementKind, Id, Known, Link, key, units::Limit},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};
use std::cell::LazyCell;

rule! {
    /// A Flink source has more readers than partitions, and windows wait for the readers that have none.
    ///
    /// # Why
    /// A reader without a partition never sends a watermark, and the smallest counts. The Kafka source does not declare such a
    /// reader idle by itself.
    ///
    /// # Example
    /// Parallelism 8 on a topic of 6 partitions: records go through, and no window ever closes.
    ///
    /// # What to do
    /// No more readers than partitions, or an idle time-out on the watermark strategy.
    TIM_09 "TIM-09" Warning "Readers without a partition hold the watermark"
    why "a reader that has nothing to read never moves the watermark"
    sources ["Apache Flink Kafka connector documentation, Kafka Source: Idleness"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    // The window behind an operator, within its job, that waits for all readers.
    let waiting = LazyCell::new(|| context.backward(|id, inputs: &[(&Id, &Link, &&Id)]| {
        let job = context.job_of(id)?;
        let idle = told::guard(context, id, key::operator::IDLE_TIMEOUT);
        let forever = matches!(idle, Known::Unset(_) | Known::NotKnown(_))
            || matches!(&idle, Known::Value(fact) if !matches!(fact.value, Limit::Of(_)));
        if super::closes(context, id) && forever {
            return Some(id);
        }
        inputs.iter().find(|(_, link, _)| context.job_of(&link.to) == Some(job)).map(|(.., window)| **window)
    }));
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.from) != Some(ElementKind::Channel) || !context.runs(&link.to, "flink") {
            return None;
        }
        let job = context.job_of(&link.to)?;
        let partitions = context.get(&link.from, key::channel::PARTITIONS)?
            .saturating_mul(context.get(&link.from, key::channel::TOPICS).unwrap_or(1));
        let own = context.get(&link.to, key::operator::PARALLELISM);
        let readers = own.or_else(|| context.get(job, key::job::PARALLELISM))?;
        if readers <= partitions {
            return None;
        }
        let window = *waiting.get(&link.to)?;
            let message = format!(
                "{readers} readers on {partitions} partitions of {}: {} waits for the watermark of those without one",
                context.title(&link.from),
                context.title(window)
            );
            let size = context.get(window, key::operator::WINDOW_SIZE);
            let fix = size.map(|size| {
                propose(&format!("Propose {} idle time-out", size.spoken()), window, key::operator::IDLE_TIMEOUT, Limit::Of(size))
            });
            Some(rule.finding(&[window, id], message, "no more readers than partitions, or an idle time-out").fixed_by(fix))
    };
    context.links_from(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn readers_that_hold_the_watermark_are_found() {
        let eight = ("elements/revenue/proposed/parallelism", "8");
        let none = ("elements/sum/proposed/idle_timeout", "null");
        let finding = fires("TIM-09", &[eight, none]);
        assert_eq!(finding.message, "8 readers on 6 partitions of orders: sum waits for the watermark of those without one");
        mends("TIM-09", &[eight, none]);
        mends("TIM-09", &[eight, ("elements/sum/proposed/idle_timeout", "\"unlimited\"")]);
        silent("TIM-09", &[eight]);
        silent("TIM-09", &[none]);
        silent("TIM-09", &[eight, none, ("elements/revenue/system", "\"kafka_streams\"")]);
        silent("TIM-09", &[eight, none, ("elements/sum/proposed/clock", "\"processing_time\"")]);
    }
}
