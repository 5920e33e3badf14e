//! How much can be worked on at once, and when data is lost to lag.

use super::{UNBOUNDED, less, ratio};

/// Instances that can work at once: no more than there are partitions.
#[must_use]
pub fn parallelism(partitions: f64, instances: f64) -> f64 {
    partitions.min(instances)
}

/// Partitions needed for a peak with headroom, by what one partition takes and gives.
#[must_use]
pub fn partitions_needed(peak: f64, headroom: f64, writes: f64, reads: f64, most_instances: f64) -> f64 {
    ratio(peak * headroom, writes).ceil().max(ratio(peak * headroom, reads).ceil()).max(most_instances)
}

/// Most partitions that are looked at.
const MOST_PARTITIONS: f64 = 131_072.0;

/// Fewest partitions, from `least` on, that are enough; more are taken never to be worse. Infinite where no number is.
#[must_use]
pub fn fewest(least: f64, enough: impl Fn(f64) -> bool) -> f64 {
    let mut high = least.max(1.0);
    let mut low = high;
    while !enough(high) {
        if high >= MOST_PARTITIONS {
            return UNBOUNDED;
        }
        (low, high) = (high, high * 2.0);
    }
    // `high` is enough, `low` is not where it is less.
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

/// Time until a log deletes what was not read yet, at `arriving` (the most of backlog and future) against `capacity`,
/// where it keeps `kept` seconds and the reader is `behind` seconds back.
#[must_use]
pub fn time_until_lost(kept: f64, behind: f64, arriving: f64, capacity: f64) -> f64 {
    if capacity >= arriving { UNBOUNDED } else { less(kept, behind) * ratio(arriving, arriving - capacity) }
}

/// As [`time_until_lost`] where the size binds, in bytes.
#[must_use]
pub fn time_until_lost_by_size(kept: f64, behind: f64, arriving: f64, capacity: f64) -> f64 {
    if capacity >= arriving { UNBOUNDED } else { ratio(less(kept, behind), arriving - capacity) }
}

/// Bytes that a consumer can hold fetched. A client that still fetches from brokers with buffered partitions (all before
/// KAFKA-17182) is bounded by its partitions only.
#[must_use]
pub fn fetch_bytes(partitions: f64, partition_fetch: f64, brokers: f64, fetch: f64, skips_buffered: bool) -> f64 {
    let by_partition = partitions * partition_fetch;
    if skips_buffered { by_partition.min(brokers * fetch) } else { by_partition }
}

/// How long a poll of `records` takes, `slow` of which take the longest.
#[must_use]
pub fn poll_takes(records: f64, mean: f64, slow: f64, longest: f64) -> f64 {
    records * mean + slow * longest
}

/// Does a poll that takes so long stay well inside `max.poll.interval.ms`?
#[must_use]
pub fn poll_fits(takes: f64, interval: f64) -> bool {
    takes <= 0.5 * interval
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 0.005 * b.abs(), "{a} is not about {b}");
    }

    /// 60 MB/s, 10 in and 3 out per partition: 20.
    #[test]
    fn the_slower_side_sets_the_partitions() {
        assert_eq!(partitions_needed(60.0, 1.0, 10.0, 3.0, 12.0), 20.0);
        assert_eq!(parallelism(12.0, 16.0), 12.0);
    }

    /// 60 MB/s, 3 MB/s a partition, 1 000 equal keys: the busiest of 36 takes 0.001 + 0.999/36 + 3.627 √(0.000999/36 · 35/36)
    /// + 0.001 · 13.16/6 = 4.98 % of it, of 35 5.08 %; 5 % may be. One key with 6 % is too much for any number.
    #[test]
    fn hashing_needs_more_partitions_than_even_keys() {
        let busiest =
            |top: f64| move |partitions: f64| 60.0 * super::super::skew::hot_share_of(top, 1000.0, partitions) <= 3.0;
        assert_eq!(fewest(20.0, busiest(0.001)), 36.0);
        assert_eq!(fewest(20.0, busiest(0.06)), UNBOUNDED);
        assert_eq!(fewest(0.0, |partitions| partitions >= 1.0), 1.0);
    }

    /// 24 h at 10 000 against 9 000: 240 h; against nothing: 24 h.
    #[test]
    fn lag_that_grows_loses_data_one_day() {
        near(time_until_lost(86_400.0, 0.0, 10_000.0, 9000.0), 864_000.0);
        near(time_until_lost(86_400.0, 0.0, 10_000.0, 0.0), 86_400.0);
        assert_eq!(time_until_lost(86_400.0, 0.0, 10.0, 10.0), UNBOUNDED);
        near(time_until_lost_by_size(1e6, 3e5, 500.0, 250.0), 2800.0);
    }

    /// 500 × 0.8 s = 400 s against 300 s; 187 × 0.8 s = 149.6 s against 150 s.
    #[test]
    fn a_poll_must_come_back_in_time() {
        let fits = |records, mean, slow, longest| poll_fits(poll_takes(records, mean, slow, longest), 300.0);
        assert!(!fits(500.0, 0.8, 0.0, 0.0));
        assert!(fits(187.0, 0.8, 0.0, 0.0));
        assert!(!fits(500.0, 0.01, 1.0, 320.0));
    }

    #[test]
    fn fetched_and_not_yet_handed_over() {
        assert_eq!(fetch_bytes(24.0, 1.0, 6.0, 50.0, true), 24.0);
        assert_eq!(fetch_bytes(300.0, 1.0, 3.0, 50.0, true), 150.0);
        assert_eq!(fetch_bytes(300.0, 1.0, 3.0, 50.0, false), 300.0);
    }
}
