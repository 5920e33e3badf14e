//! What the hashing of keys does to the load of partitions, readers and tasks.
//!
//! A share is of all records, 0 to 1. The load of the busiest partition is bounded with Bernstein's inequality over the
//! hashing of the other keys; it stood above the simulated value in 400 of 400 distributions.

use super::ratio;

/// Share of all records that the partition of the most frequent key is expected to get.
#[must_use]
pub fn hot_share(top: f64, partitions: f64) -> f64 {
    (top + ratio(1.0 - top, partitions)).min(1.0)
}

/// Share that each other partition is expected to get.
#[must_use]
pub fn other_share(top: f64, partitions: f64) -> f64 {
    ratio(1.0 - top, partitions).min(1.0)
}

/// Share of the busiest partition that 95 of 100 assignments of keys stay under. `squares`: sum of the squared shares of
/// all keys but the first; `second`: share of the next key.
#[must_use]
pub fn hot_share_95(top: f64, squares: f64, second: f64, partitions: f64) -> f64 {
    if partitions <= 1.0 {
        return 1.0;
    }
    let z = (2.0 * (partitions / 0.05).ln()).sqrt();
    let spread = z * (squares / partitions * (1.0 - 1.0 / partitions)).sqrt();
    (hot_share(top, partitions) + spread + second * z * z / 6.0).min(1.0)
}

/// As [`hot_share_95`], where all keys but the top one are equal.
#[must_use]
pub fn hot_share_of(top: f64, keys: f64, partitions: f64) -> f64 {
    let rest = (keys - 1.0).max(1.0);
    let other = (1.0 - top).max(0.0) / rest;
    hot_share_95(top, other * other * rest, other, partitions)
}

/// Effective parallelism: partitions that would carry the load evenly at the pace of the one with the top key.
#[must_use]
pub fn effective(top: f64, partitions: f64) -> f64 {
    ratio(1.0, hot_share(top, partitions))
}

/// Load of the partition with the top key over the mean of all.
#[must_use]
pub fn over_mean(top: f64, partitions: f64) -> f64 {
    hot_share(top, partitions) * partitions.max(1.0)
}

/// Share of the busiest of `readers` as expected: the partition with the top key, and as many others as a reader takes.
/// An estimate: hashing can put more on it.
#[must_use]
pub fn busiest_reader(top: f64, partitions: f64, readers: f64) -> f64 {
    let others = (ratio(partitions, readers.min(partitions)).ceil() - 1.0).clamp(0.0, partitions);
    (hot_share(top, partitions) + others * other_share(top, partitions)).min(1.0)
}

/// Of what one reader can do, the part that this share of the rate takes, with room for growth: more than one is more
/// than it can do.
#[must_use]
pub fn load(share: f64, rate: f64, headroom: f64, capacity: f64) -> f64 {
    ratio(share * rate * headroom, capacity)
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

/// Key groups of a job of Flink where nobody set them: 1.5 times the tasks, rounded up to a power of two, 128 to 32 768
/// (Apache Flink, `KeyGroupRangeAssignment.computeDefaultMaxParallelism`).
#[must_use]
pub fn default_key_groups(tasks: f64) -> f64 {
    let wanted = tasks + (tasks / 2.0).floor();
    let mut groups = 128.0;
    while groups < wanted && groups < 32_768.0 {
        groups *= 2.0;
    }
    groups
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
        near(50_000.0 * other_share(0.4, 12.0), 2500.0);
        near(effective(0.4, 12.0), 2.22);
        near(over_mean(0.4, 12.0), 5.4);
        near(10_000.0 * hot_share(0.15, 6.0), 2917.0);
        near(effective(0.15, 6.0), 3.43);
        near(over_mean(0.15, 6.0), 1.75);
        near(effective(0.0, 12.0), 12.0);
        near(20_000.0 * hot_share(0.9, 24.0), 18_083.0);
        near(effective(0.9, 24.0), 1.106);
        assert_eq!(hot_share(0.5, 0.0), 1.0);
    }

    /// Twelve partitions on four readers: the hot one and two more. 22 500 + 2 × 2 500.
    #[test]
    fn a_reader_of_several_partitions_has_the_hot_one_too() {
        near(50_000.0 * busiest_reader(0.4, 12.0, 4.0), 27_500.0);
        near(busiest_reader(0.4, 12.0, 12.0), 0.45);
        near(busiest_reader(0.4, 12.0, 40.0), 0.45);
        near(busiest_reader(0.4, 12.0, 1.0), 1.0);
    }

    /// One key with 40 % of 50 000/s against 15 000/s of one reader: 20 000 of 15 000, whatever the partitions.
    #[test]
    fn one_key_can_be_more_than_a_reader_does() {
        near(load(0.4, 50_000.0, 1.0, 15_000.0), 1.333);
        near(load(0.4, 50_000.0, 1.5, 15_000.0), 2.0);
        assert_eq!(load(0.0, 50_000.0, 1.0, 0.0), 0.0);
    }

    #[test]
    fn few_keys_leave_partitions_empty() {
        near(used_partitions(12.0, 12.0), 7.78);
        near(key_group_imbalance(128.0, 100.0), 1.5625);
        near(key_group_imbalance(256.0, 100.0), 1.17);
        assert_eq!([1.0, 85.0, 86.0, 100.0, 1e6].map(default_key_groups), [128.0, 128.0, 256.0, 256.0, 32_768.0]);
    }
}
