use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// What a client may hold fetched takes more than half of the memory of an instance.
    ///
    /// # Why
    /// A client fetches ahead for every partition that has nothing buffered. `max.poll.records` does not limit that: it cuts up what is
    /// already there. `fetch.max.bytes` bounds one answer of one broker. What a sink gathers of each partition before a write is held
    /// as well.
    ///
    /// # Example
    /// 300 partitions at 1 MiB are 300 MiB, in a heap of 512 MiB that also has to do the work.
    ///
    /// # What to do
    /// A smaller `max.partition.fetch.bytes`, more instances, or more memory.
    MEM_L1 "MEM-L1" Warning "Fetched records fill the memory"
    why "a reader that catches up runs out of memory just then"
    sources ["Apache Kafka documentation, Consumer Configs: max.partition.fetch.bytes, fetch.max.bytes, max.poll.records", "KAFKA-17182"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let memory = context.get(id, key::job::MEMORY)?;
        let fetched = context.job_report(id)?.fetched.as_ref()?.as_ref().ok()?;
        (fetched.value > 0.5 * memory.bytes() as f64).then(|| {
            let message = format!("an instance of {} can hold {} fetched or gathered, of {} of memory", context.title(id), human::bytes(fetched.value), memory.spoken());
            rule.finding(&[id], message, "fetch less a partition, more instances, or more memory")
        })
    };
    context.elements_with(ElementKind::Job, key::job::MEMORY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    /// 300 partitions on 3 instances: 100 MiB each.
    #[test]
    fn more_than_half_of_the_memory_is_found() {
        let reads = [
            ("elements/totals/proposed/partitions", "300"),
            ("links/l5/proposed/fetch_max_partition", "\"1MiB\""),
            ("elements/loader/proposed/memory", "\"128MiB\""),
        ];
        assert_eq!(fires("MEM-L1", &reads).message, "an instance of loader can hold 105 MB fetched or gathered, of 128 MiB of memory");
        silent("MEM-L1", &[reads[0], reads[1], ("elements/loader/proposed/memory", "\"256MiB\"")]);
        silent("MEM-L1", &[reads[0], reads[2]]);
        silent("MEM-L1", &reads[..2]);
    }
}
