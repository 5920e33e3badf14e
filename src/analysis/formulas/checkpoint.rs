//! Checkpoints: how long one takes, how often, what is done again after a failure.
//!
//! Apache Flink triggers the next checkpoint at the later of `interval` after the last trigger and `min-pause` after the
//! last completion (`CheckpointRequestDecider`), so the period is `max(interval, duration + min pause)`.

use super::ratio;

/// Time of the slowest of those that write or read side by side: its bytes over its own bandwidth, `(bytes, bytes per
/// second)`.
#[must_use]
pub fn slowest(tasks: &[(f64, f64)]) -> f64 {
    tasks.iter().map(|(bytes, bandwidth)| ratio(*bytes, *bandwidth)).fold(0.0, f64::max)
}

/// Time between two checkpoint triggers.
#[must_use]
pub fn period(interval: f64, duration: f64, min_pause: f64) -> f64 {
    interval.max(duration + min_pause)
}

/// Most that is read again after a failure, in seconds of input, when up to `failures` checkpoints in a row fail after
/// `failing` seconds each.
#[must_use]
pub fn rewind_worst(interval: f64, duration: f64, min_pause: f64, failures: f64, failing: f64) -> f64 {
    super::product(failures, interval.max(failing + min_pause)) + period(interval, duration, min_pause) + duration
}

/// Shortest transaction timeout under which a restart of `restart` seconds, with `margin`, still finds its transaction.
#[must_use]
pub fn required_timeout(period: f64, duration: f64, restart: f64, margin: f64) -> f64 {
    period + duration + restart + margin
}

/// Longest outage that a transaction survives: the transaction may be one period and one checkpoint old when it starts.
#[must_use]
pub fn outage_bound(timeout: f64, period: f64, duration: f64) -> f64 {
    super::less(timeout, period + duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 GB over 20 tasks of 50 MB/s: 100 s; one task holding three shares of 22: 273 s.
    #[test]
    fn the_hottest_task_sets_the_duration() {
        assert_eq!(slowest(&[(5e9, 50e6); 20]), 100.0);
        assert!((slowest(&[(100e9 * 3.0 / 22.0, 50e6), (100e9 / 22.0, 50e6)]) - 272.727).abs() < 1e-3);
        assert_eq!(slowest(&[]), 0.0);
    }

    #[test]
    fn worst_rewind_is_one_period_and_one_duration() {
        assert_eq!(rewind_worst(60.0, 100.0, 0.0, 0.0, 0.0), 200.0);
        assert_eq!(rewind_worst(60.0, 3.0, 0.0, 0.0, 600.0), 63.0);
        assert_eq!(rewind_worst(60.0, 3.0, 0.0, 2.0, 600.0), 1263.0);
    }

    /// Interval 60 s, duration 120 s, restart 300 s, margin 60 s: 600 s; restart 1 800 s: 2 100 s. Interval 60 s,
    /// duration 3 s, restart 180 s, margin 60 s: 303 s, and a timeout of 600 s survives 537 s.
    #[test]
    fn transactions_must_outlive_a_restart() {
        assert_eq!(required_timeout(period(60.0, 120.0, 0.0), 120.0, 300.0, 60.0), 600.0);
        assert_eq!(required_timeout(period(60.0, 120.0, 0.0), 120.0, 1800.0, 60.0), 2100.0);
        assert_eq!(required_timeout(60.0, 3.0, 180.0, 60.0), 303.0);
        assert_eq!(outage_bound(600.0, 60.0, 3.0), 537.0);
        assert_eq!(outage_bound(60.0, 60.0, 3.0), 0.0);
    }
}
