use super::told;
use crate::{
    model::{Id, Step, key, units::Limit},
    rules::{Context, Finding, Rule, rule::rule},
};
use std::cell::LazyCell;

rule! {
    /// A de-duplication of Spark promises more than its watermark holds.
    ///
    /// # Why
    /// `dropDuplicatesWithinWatermark` keeps a key until the watermark has passed the first copy by the delay: a copy is recognised
    /// within one delay for certain, and by chance up to two. Records behind the watermark are dropped as well, first copies
    /// too.
    ///
    /// # Example
    /// A delay of ten minutes, and a partner that sends again for an hour: the second copy passes.
    ///
    /// # What to do
    /// A watermark delay as long as copies can be apart, or a write on a unique key.
    TIM_22 "TIM-22" Warning "Copies are recognised within the watermark delay only"
    why "later copies pass as new, and late first copies are dropped"
    sources ["Apache Spark, Structured Streaming Programming Guide: Streaming Deduplication; StreamingDeduplicateWithinWatermarkExec, seen with 4.3"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let measured = LazyCell::new(|| super::measured(context));
    let one = |(id, job, step): (&Id, &Id, Step)| {
        if step != Step::Deduplicate || !context.runs(job, "spark") {
            return None;
        }
        let kept = context.get(id, key::operator::STATE_TTL);
        if kept == Some(Limit::Unlimited) {
            return None;
        }
        let delay = told::inherited(context, id, key::operator::WATERMARK_DELAY).value()?;
        let name = context.title(id);
        let message = match (kept, measured.get(id).and_then(|(_, late)| late.percentiles().find(|(_, late)| *late > delay))) {
            (Some(Limit::Of(kept)), _) if kept > delay => {
                format!("{name} is to know ids for {}, its watermark holds {} for certain", kept.spoken(), delay.spoken())
            }
            (_, Some((percent, late))) => format!(
                "{name} drops what is more than {} late, first copies too, and p{percent} is {}",
                delay.spoken(),
                late.spoken()
            ),
            _ => return None,
        };
        Some(rule.finding(&[id], message, "a watermark delay as long as copies can be apart and events late"))
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn more_than_the_watermark_holds_is_found() {
        let spark = ("elements/revenue/system", "\"spark\"");
        let delay = |text| ("elements/dedup/proposed/watermark_delay", text);
        let finding = fires("TIM-22", &[spark, delay("\"1h\"")]);
        assert_eq!(finding.message, "dedup is to know ids for 2 d, its watermark holds 1 h for certain");
        let short = ("elements/dedup/proposed/state_ttl", "\"30s\"");
        let late = fires("TIM-22", &[spark, delay("\"30s\""), short]);
        assert_eq!(late.message, "dedup drops what is more than 30 s late, first copies too, and p99.9 is 50 s");
        silent("TIM-22", &[spark, delay("\"2d\"")]);
        silent("TIM-22", &[spark]);
        silent("TIM-22", &[delay("\"1h\"")]);
        silent("TIM-22", &[spark, delay("\"1h\""), ("elements/dedup/proposed/state_ttl", "\"unlimited\"")]);
    }
}
