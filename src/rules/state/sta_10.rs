use crate::{
    model::{Id, Step, counted, key, units::human, words::StateBackend},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// Every instance keeps a whole copy of a table, and the copy does not fit.
    ///
    /// # Why
    /// A global table is not divided. More instances make the job faster, and the copy on each stays as large as it was.
    ///
    /// # Example
    /// 50 million customers as a GlobalKTable on twelve instances with 20 GB of disk each: twelve times 35 GB.
    ///
    /// # What to do
    /// A table that is divided like the stream (same key, same partitions), or a look-up in a store.
    STA_10 "STA-10" Warning "A whole table on every instance does not fit"
    why "more instances do not make the copy smaller"
    sources ["Apache Kafka documentation, Streams DSL: GlobalKTable"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, job, _): (&Id, &Id, Step)| {
        if !super::global(context, id) {
            return None;
        }
        let heap = context.get(job, key::job::STATE_BACKEND) == Some(StateBackend::Heap);
        let memory = || context.get(job, key::job::MEMORY).filter(|_| heap);
        let room = context.get(job, key::job::STATE_BUDGET).or_else(memory)?.bytes() as f64;
        let copies = context.get(job, key::job::INSTANCES)?.max().filter(|instances| *instances > 0)?;
        let state = context.operator_report(id)?.state.as_ref()?.as_ref().ok()?;
        let copy = state.value / copies as f64;
        (copy.is_finite() && copy > room).then(|| {
            let message = format!(
                "{}: {} of table on each of {}, room for {}",
                context.title(id),
                human::bytes(copy),
                counted(copies, "instance"),
                human::bytes(room)
            );
            rule.finding(&[id, job], message, "a table divided like the stream, or a look-up")
        })
    };
    context.operators().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 50 M keys of 500 B and 1.3 around it: 32.5 GB on each.
    #[test]
    fn a_copy_that_does_not_fit_is_found() {
        let table = [
            ("elements/revenue/system", "\"kafka_streams\""),
            ("elements/revenue/proposed/instances", "12"),
            ("elements/dedup/step", "\"join\""),
            ("elements/dedup/proposed", r#"{"join":"global_table","live_keys":50000000,"new_keys":"0/s","entry_size":"500B"}"#),
        ];
        let room = |text| [&table[..], &[("elements/revenue/proposed/state_budget", text)]].concat();
        assert_eq!(fires("STA-10", &room("\"20GB\"")).message, "dedup: 32.5 GB of table on each of 12 instances, room for 20 GB");
        silent("STA-05", &room("\"20GB\""));
        silent("STA-10", &room("\"40GB\""));
        silent("STA-10", &table);
    }
}
