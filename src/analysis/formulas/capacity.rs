//! How much can be worked on at once, what one key can do to it, and when data is lost to lag.

use super::{UNBOUNDED, less, ratio};

/// Instances that can work at once: no more than there are partitions.
#[must_use]
pub fn parallelism(partitions: f64, instances: f64) -> f64 {
    partitions.min(instances)
}

/// Share of all records that the partition of the most frequent key is expected to get.
#[must_use]
pub fn hot_share(top: f64, partitions: f64) -> f64 {
    (top + ratio(1.0 - top, partitions)).min(1.0)
}

/// Share of the busiest partition that 95 of 100 assignments of keys stay under. `squares`: sum of the squared shares of
/// all keys but the first; `second`: share of the next key. Bernstein's inequality over the hashing of the other keys.
#[must_use]
pub fn hot_share_95(top: f64, squares: f64, second: f64, partitions: f64) -> f64 {
    if partitions <= 1.0 {
        return 1.0;
    }
    let z = (2.0 * (partitions / 0.05).ln()).sqrt();
    let spread = z * (squares / partitions * (1.0 - 1.0 / partitions)).sqrt();
    (hot_share(top, partitions) + spread + second * z * z / 6.0).min(1.0)
}

/// Partitions that get any key at all.
#[must_use]
pub fn used_partitions(keys: f64, partitions: f64) -> f64 {
    if partitions < 1.0 { 0.0 } else { partitions * (1.0 - (1.0 - 1.0 / partitions).powf(keys)) }
}

/// Load of the busiest task over the mean, where `groups` key groups spread over `tasks`.
#[must_use]
pub fn key_group_imbalance(groups: f64, tasks: f64) -> f64 {
    if groups < 1.0 { 1.0 } else { ratio(groups, tasks).ceil() * tasks / groups }
}

/// Partitions needed for a peak with headroom, by what one partition takes and gives.
#[must_use]
pub fn partitions_needed(peak: f64, headroom: f64, writes: f64, reads: f64, most_instances: f64) -> f64 {
    ratio(peak * headroom, writes).ceil().max(ratio(peak * headroom, reads).ceil()).max(most_instances)
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

/// Does a batch of `records` stay well inside `max.poll.interval.ms`, when `slow` of them take the longest?
#[must_use]
pub fn poll_fits(records: f64, mean: f64, slow: f64, longest: f64, interval: f64) -> bool {
    records * mean + slow * longest <= 0.5 * interval
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 0.005 * b.abs(), "{a} is not about {b}");
    }

    #[test]
    fn one_key_bounds_what_partitions_bring() {
        near(50_000.0 * hot_share(0.4, 12.0), 22_500.0);
        near(10_000.0 * hot_share(0.15, 6.0), 2917.0);
        near(1.0 / hot_share(0.0, 12.0), 12.0);
        near(20_000.0 * hot_share(0.9, 24.0), 18_083.0);
        assert_eq!(hot_share(0.5, 0.0), 1.0);
    }

    #[test]
    fn few_keys_leave_partitions_empty() {
        near(used_partitions(12.0, 12.0), 7.78);
        near(key_group_imbalance(128.0, 100.0), 1.5625);
        near(key_group_imbalance(256.0, 100.0), 1.17);
    }

    /// 60 MB/s, 10 in and 3 out per partition: 20.
    #[test]
    fn the_slower_side_sets_the_partitions() {
        assert_eq!(partitions_needed(60.0, 1.0, 10.0, 3.0, 12.0), 20.0);
        assert_eq!(parallelism(12.0, 16.0), 12.0);
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
        assert!(!poll_fits(500.0, 0.8, 0.0, 0.0, 300.0));
        assert!(poll_fits(187.0, 0.8, 0.0, 0.0, 300.0));
        assert!(!poll_fits(500.0, 0.01, 1.0, 320.0, 300.0));
    }

    #[test]
    fn fetched_and_not_yet_handed_over() {
        assert_eq!(fetch_bytes(24.0, 1.0, 6.0, 50.0, true), 24.0);
        assert_eq!(fetch_bytes(300.0, 1.0, 3.0, 50.0, true), 150.0);
        assert_eq!(fetch_bytes(300.0, 1.0, 3.0, 50.0, false), 300.0);
    }
}
