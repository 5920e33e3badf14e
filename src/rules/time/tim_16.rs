use crate::{
    model::{Id, Link, Step, key},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// One partition is further behind than Spark's watermark waits.
    ///
    /// # Why
    /// Spark takes the newest event time over all partitions of a stream, less the delay. It does not wait for a slow one: whatever
    /// that partition brings behind the watermark is dropped.
    ///
    /// # Example
    /// Eleven partitions are at the head, one is twenty minutes behind, the delay is ten: the records of the twelfth are in no window.
    ///
    /// # What to do
    /// A delay above the distance of the partitions, or no partition that lags.
    TIM_16 "TIM-16" Warning "A slow partition counts as late"
    why "the watermark follows the fastest partition"
    sources ["Apache Spark, Structured Streaming Programming Guide: Handling Late Data and Watermarking; EventTimeWatermarkExec keeps the maximum"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let spreads = LazyCell::new(|| context.forward(|id, inputs: &[(&Id, &Link, &&Id)]| {
        let own = context.get(id, key::channel::PARTITION_TIME_SPREAD).map(|_| id);
        own.or_else(|| inputs.first().map(|(.., at)| **at))
    }));
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !super::closes(context, id) || !context.runs(job, "spark") {
            return None;
        }
        let bound = super::bound(context, id)?;
        let channel = *spreads.get(id)?;
        let spread = context.get(channel, key::channel::PARTITION_TIME_SPREAD)?;
        (spread > bound).then(|| {
            let message = format!(
                "partitions of {} are {} apart, the watermark of {} waits {}",
                context.title(channel),
                spread.spoken(),
                context.title(id),
                bound.spoken()
            );
            rule.finding(&[id, channel], message, "a delay above the distance of the partitions")
        })
    };
    context.operators_with(key::operator::WINDOW).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn partitions_further_apart_than_the_delay_are_found() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let spread = |text| ("elements/orders/proposed/partition_time_spread", text);
        let finding = fires("TIM-16", &[spark, spread("\"20min\"")]);
        assert_eq!(finding.message, "partitions of orders are 20 min apart, the watermark of sum waits 30 s");
        silent("TIM-16", &[spark, spread("\"30s\"")]);
        silent("TIM-16", &[spark]);
        silent("TIM-16", &[spread("\"20min\"")]);
    }
}
