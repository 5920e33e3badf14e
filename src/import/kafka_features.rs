//! What `kafka-features describe` prints (3.3 and later): one line a feature, with the level that the cluster finalized.
//!
//! Printed by `org.apache.kafka.tools.FeatureCommand`. Only `transaction.version` (KIP-890, KIP-1022) has a place in a
//! design. Not here: which version of the product runs; `metadata.version` may be older than the brokers.

use super::{Verdict, lines::LineRef};

/// The level of `transaction.version` that a cluster finalized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureReading {
    /// Where it stands.
    pub at: LineRef,
    /// The level: 0, 1 or 2 up to Kafka 4.x.
    pub transaction_version: u64,
}

/// Reads one line into `features`.
pub(super) fn line(text: &str, at: LineRef, features: &mut Vec<FeatureReading>) -> Verdict {
    let Some(rest) = text.trim().strip_prefix("Feature:") else { return Verdict::NotMine };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let after = |label: &str| words.iter().position(|word| *word == label).and_then(|i| words.get(i + 1)).copied();
    let Some(name) = words.first().filter(|_| after("SupportedMinVersion:").is_some()) else {
        return Verdict::NotMine;
    };
    if *name != "transaction.version" {
        return Verdict::Idle("the level of a feature that a design does not hold");
    }
    let Some(level) = after("FinalizedVersionLevel:") else {
        return Verdict::Odd("cut: transaction.version without FinalizedVersionLevel".to_owned());
    };
    match level.parse::<u64>().ok().filter(|level| *level <= u64::from(u16::MAX)) {
        Some(level) => {
            features.push(FeatureReading { at, transaction_version: level });
            Verdict::Read
        }
        None => Verdict::Odd(format!("transaction.version: {level:?} is no level of a feature")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_level_of_transactions_is_taken() {
        let mut features = Vec::new();
        let mut read = |text: &str| line(text, LineRef::default(), &mut features);
        let printed = |name: &str, level: &str| {
            format!(
                "Feature: {name}\tSupportedMinVersion: 0\tSupportedMaxVersion: 2\tFinalizedVersionLevel: {level}\tEpoch: 9"
            )
        };
        assert_eq!(read(&printed("transaction.version", "2")), Verdict::Read);
        assert!(matches!(read(&printed("metadata.version", "4.1-IV1")), Verdict::Idle(_)));
        assert!(
            matches!(read(&printed("transaction.version", "two")), Verdict::Odd(reason) if reason.contains("\"two\""))
        );
        assert!(matches!(read("Feature: transaction.version SupportedMinVersion: 0"), Verdict::Odd(_)));
        for text in ["Feature: we want exactly once", "Feature:", "transaction.version 2"] {
            assert_eq!(read(text), Verdict::NotMine, "{text}");
        }
        assert_eq!(features.iter().map(|f| f.transaction_version).collect::<Vec<_>>(), [2]);
    }
}
