use std::borrow::Cow;

use crate::{
    model::{ElementKind, Id, Subject, key, units::human, words::StateBackend},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Spark keeps a large state on the heap of its executors.
    ///
    /// # Why
    /// The default state store holds every key as objects, in two versions, and the garbage collector walks through all of them. Above
    /// half of the memory batches get slow before anything fails.
    ///
    /// # Example
    /// 12 GB of state on executors of 16 GB: minutes of garbage collection in every batch.
    ///
    /// # What to do
    /// The RocksDB state store, or more executors.
    STA_07 "STA-07" Warning "State fills the heap"
    why "garbage collection slows every batch down"
    sources ["Apache Spark, Structured Streaming Programming Guide: State Store, RocksDB state store implementation"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        if !context.runs(id, "spark") || context.get(id, key::job::STATE_BACKEND)? != StateBackend::Heap {
            return None;
        }
        let memory = context.get(id, key::job::MEMORY)?.bytes() as f64;
        let part = context.job_report(id)?.state_of_instance.as_ref()?.as_ref().ok()?;
        (!part.unbounded() && part.value > 0.5 * memory).then(|| {
            let message = format!("{}: {} of state on the heap of {}", context.title(id), human::bytes(part.value), human::bytes(memory));
            let fix = propose("Propose RocksDB", id, key::job::STATE_BACKEND, StateBackend::Rocksdb);
            let remedy = match context.get(id, key::job::INSTANCES).and_then(|now| now.max()) {
                Some(now) => {
                    let needed = (now as f64 * part.value / (0.5 * memory)).ceil();
                    Cow::Owned(format!("the RocksDB state store, or {} executors instead of {now}", human::number(needed)))
                }
                None => "the RocksDB state store, or more executors".into(),
            };
            rule.finding(&[id], message, remedy).fixed_by(Some(fix))
        })
    };
    context.elements_with(ElementKind::Job, key::job::MEMORY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// De-duplication 100 /s × (2 × 2 d + 1 min) × 100 B × 1.3 = 4.49 GB.
    #[test]
    fn a_state_above_half_of_the_heap_is_found() {
        let spark = [
            ("elements/revenue/system", "\"spark\""),
            ("elements/revenue/proposed/instances", "1"),
            ("elements/revenue/proposed/trigger_interval", "\"1min\""),
            ("elements/revenue/proposed/state_backend", "\"heap\""),
            ("elements/dedup/proposed/watermark_delay", "\"2d\""),
        ];
        let with = |memory| [&spark[..], &[("elements/revenue/proposed/memory", memory)]].concat();
        // 4.09 GB on the heap, of which half of 8 GB may be state: two.
        let found = fires("STA-07", &with("\"8GB\""));
        assert_eq!(found.remedy, "the RocksDB state store, or 2 executors instead of 1", "{}", found.message);
        mends("STA-07", &with("\"8GB\""));
        silent("STA-07", &with("\"10GB\""));
        silent("STA-07", &spark);
    }
}
