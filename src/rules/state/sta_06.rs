use crate::{
    model::{ElementKind, Id, Subject, key, units::human},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// The stores of Kafka Streams may take more memory than the instance has.
    ///
    /// # Why
    /// Each RocksDB instance has a block cache of 50 MiB and up to three memtables of 16 MiB outside the heap, unless a
    /// `RocksDBConfigSetter` bounds them together. A windowed store has one RocksDB a segment, and every partition has its own.
    ///
    /// # Example
    /// 12 partitions and two windowed stores on one instance: 72 times 98 MiB, and the container of 4 GB is killed.
    ///
    /// # What to do
    /// Bound cache and memtables for all stores together, or fewer partitions an instance.
    STA_06 "STA-06" Warning "RocksDB may outgrow the container"
    why "memory outside the heap grows until the container is killed"
    sources ["Apache Kafka documentation, Kafka Streams: Memory Management, RocksDB", "Apache Kafka, RocksDBStore: 50 MiB block cache, three write buffers of 16 MiB"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let memory = context.get(id, key::job::MEMORY)?.bytes() as f64;
        let stores = context.job_report(id)?.store_memory.as_ref()?.as_ref().ok()?;
        (stores.value > memory).then(|| {
            let message = format!(
                "{}: its stores take up to {} of an instance that has {}",
                context.title(id),
                human::bytes(stores.value),
                human::bytes(memory)
            );
            rule.finding(&[id], message, "bound the memory of all stores together (RocksDBConfigSetter)")
        })
    };
    context.elements_with(ElementKind::Job, key::job::MEMORY).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    const STREAMS: [(&str, &str); 3] = [
        ("elements/revenue/system", "\"kafka_streams\""),
        ("elements/revenue/proposed/instances", "2"),
        ("elements/revenue/proposed/threads", "1"),
    ];

    /// 6 partitions on 2 instances: 3 each. The window keeps ⌈(360 s + 180 s) ÷ 300 s⌉ = 2 segments, the de-duplication of two days
    /// 3: 3 × 5 × 98 MiB = 1.54 GB.
    #[test]
    fn stores_beyond_the_memory_are_found() {
        let memory = |text| ("elements/revenue/proposed/memory", text);
        let message = fires("STA-06", &[STREAMS[0], STREAMS[1], STREAMS[2], memory("\"1.5GB\"")]).message;
        assert_eq!(message, "revenue: its stores take up to 1.54 GB of an instance that has 1.5 GB");
        silent("STA-06", &[STREAMS[0], STREAMS[1], STREAMS[2], memory("\"2GB\"")]);
        silent("STA-06", &[STREAMS[0], memory("\"1GB\"")]);
        silent("STA-06", &[STREAMS[1], STREAMS[2], memory("\"1GB\"")]);
        let heap = ("elements/revenue/proposed/state_backend", "\"heap\"");
        silent("STA-06", &[STREAMS[0], STREAMS[1], STREAMS[2], heap, memory("\"1GB\"")]);
    }
}
