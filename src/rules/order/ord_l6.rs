use super::hashed_by;
use crate::{
    analysis::order::Hashing,
    model::{ElementKind, Id, Subject, key, words::Partitioner},
    rules::{Context, Finding, Rule, rule::{propose, rule}},
};

rule! {
    /// Two writers of one channel find the partition of a key by different hashes.
    ///
    /// # Why
    /// The Java client hashes a key with murmur2, librdkafka (C, Python, Go, .NET) with CRC32 unless it is told otherwise. The records
    /// of one key then lie in two partitions, and no reader sees them in order.
    ///
    /// # Example
    /// A service in Go joins one in Java on the same topic; nothing fails, and each customer has two histories.
    ///
    /// # What to do
    /// Set `partitioner=murmur2_random` in librdkafka, or one partitioner everywhere.
    ORD_L6 "ORD-L6" Warning "Writers hash keys to different partitions"
    why "records of one key lie in two partitions"
    sources ["librdkafka, CONFIGURATION.md: partitioner (consistent_random: CRC32)", "Apache Kafka documentation, Producer Configs: partitioner.class"]
    check check
}

fn check(rule: &'static Rule, context: &Context<'_>) -> Vec<Finding> {
    let one = |(id, _): (&Id, &Subject)| {
        let mut writers = context.into(id).filter_map(|(at, link)| {
            context.get(at, key::write::KEY).filter(|key| !key.0.is_empty())?;
            Some((at, link, hashed_by(context, at, &link.from)?))
        });
        let (first, from, hash) = writers.next()?;
        let (other, to, _) = writers.find(|(.., by)| *by != hash)?;
        let message = format!("{}: {} and {} hash keys by different functions", context.title(id), context.title(&from.from), context.title(&to.from));
        let crc = if hash == Hashing::Crc32 { first } else { other };
        let fix = Some(propose("Propose murmur2", crc, key::produce::PARTITIONER, Partitioner::Murmur2));
        Some(rule.finding(&[id, first, other], message, "one partitioner for all writers of a channel").fixed_by(fix))
    };
    context.elements(ElementKind::Channel).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::*;

    #[test]
    fn two_hashes_in_one_channel_are_found() {
        let mixed = [&OTHER[..], &[("elements/returns/proposed/client", "\"librdkafka\"")]].concat();
        assert_eq!(fires("ORD-L6", &mixed).message, "orders: shop and returns hash keys by different functions");
        mends("ORD-L6", &mixed);
        silent("ORD-L6", &OTHER);
        silent("ORD-L6", &[&mixed[..], &[("links/l11/proposed/partitioner", "\"murmur2\"")]].concat());
        silent("ORD-L6", &[&mixed[..], &[("links/l11/proposed/key", "[]")]].concat());
    }
}
