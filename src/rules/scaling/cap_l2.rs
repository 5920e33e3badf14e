use crate::{
    model::{ElementKind, Id, Link, counted, counted_as, key, words::Processing},
    rules::{Context, Finding, Rule, rule::rule},
};

rule! {
    /// More instances read a channel than it has partitions.
    ///
    /// # Why
    /// A partition is read by one member of a group. The others stand by and cost memory; adding more changes nothing.
    ///
    /// # Example
    /// Twelve tasks on six partitions: six do the work.
    ///
    /// # What to do
    /// Fewer instances, or more partitions where keys and order allow it.
    CAP_L2 "CAP-L2" Warning "More readers than partitions"
    why "the readers beyond the partitions stand idle"
    sources ["Apache Kafka documentation, Design: The Consumer", "Apache Flink Kafka connector documentation, Kafka Source: idleness"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, link): (&Id, &Link)| {
        if context.kind(&link.from) != Some(ElementKind::Channel) {
            return None;
        }
        let partitions = context.get(&link.from, key::channel::PARTITIONS)?
            .saturating_mul(context.get(&link.from, key::channel::TOPICS).unwrap_or(1));
        let job = context.job_of(&link.to)?;
        let processes = || {
            let instances = context.get(job, key::job::INSTANCES)?.max()?;
            // Workers behind one reader are no readers.
            let pooled = matches!(context.get(id, key::read::PROCESSING), Some(Processing::Threads | Processing::Async));
            let threads = context.get(job, key::job::THREADS).filter(|_| !pooled).unwrap_or(1);
            Some(instances.saturating_mul(threads))
        };
        let readers = context.get(&link.to, key::operator::PARALLELISM)
            .or_else(|| context.get(job, key::job::PARALLELISM))
            .or_else(processes)?;
        (readers > partitions).then(|| {
            let (of, idle) = (counted(partitions, "partition"), counted_as(readers - partitions, "stands idle", "stand idle"));
            let message = format!("{readers} readers of {} on {of} of {}: {idle}", context.title(job), context.title(&link.from));
            rule.finding(&[id, job], message, "fewer readers, or more partitions where keys and order allow it")
        })
    };
    context.links_from(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn more_readers_than_partitions_are_found() {
        let twelve = ("elements/loader/proposed/parallelism", "12");
        assert_eq!(fires("CAP-L2", &[twelve]).message, "12 readers of loader on 3 partitions of totals: 9 stand idle");
        let one = ("elements/totals/proposed/partitions", "1");
        let two = ("elements/loader/proposed/parallelism", "2");
        assert_eq!(fires("CAP-L2", &[one, two]).message, "2 readers of loader on 1 partition of totals: 1 stands idle");
        silent("CAP-L2", &[("elements/loader/proposed/parallelism", "null")]);
        silent("CAP-L2", &[twelve, ("elements/totals/proposed/partitions", "12"), ("elements/dlq", "null"), ("links/l9", "null"), ("links/l10", "null")]);
    }
}
