//! Longest times from an event to its result, hop by hop. Maxima add to a bound; percentiles do not.

/// How often Apache Flink emits watermarks when nothing else is set: `pipeline.auto-watermark-interval`, 200 ms.
pub const WATERMARK_INTERVAL: f64 = 0.2;

/// A result written in a transaction that a checkpoint commits: one period and one checkpoint.
#[must_use]
pub fn transaction(period: f64, duration: f64) -> f64 {
    period + duration
}

/// First result of an event-time window: an event at its start waits `wait` (window size; step, where windows overlap),
/// then for the watermark, which moves only with events: `gap` is the longest pause of the slowest partition.
#[must_use]
pub fn window(wait: f64, delay: f64, step: f64, gap: f64) -> f64 {
    wait + delay + step + gap
}

/// A micro-batch that reads a record: the record can just miss one and then waits for a whole next.
#[must_use]
pub const fn micro_batch(trigger: f64, batch: f64) -> f64 {
    trigger.max(batch) + batch
}

/// A window that micro-batches append when it is closed, beside the [`micro_batch`] that reads its first event: the batch
/// that moves the watermark past its end is followed by the one that shows it.
#[must_use]
pub const fn micro_batch_window(size: f64, delay: f64, trigger: f64, batch: f64) -> f64 {
    size + delay + trigger.max(batch)
}

/// Results that wait for the commit of a sub-topology; those of sub-topologies in series add.
#[must_use]
pub const fn commit(interval: f64, takes: f64) -> f64 {
    interval + takes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5 ms + 100 ms + 60.5 s: about 60.6 s.
    #[test]
    fn maxima_add() {
        assert_eq!(0.005 + 0.1 + transaction(60.0, 0.5), 60.605);
    }

    #[test]
    fn batches_and_commits() {
        assert_eq!(micro_batch(0.0, 30.0), 60.0);
        assert_eq!(micro_batch_window(300.0, 600.0, 60.0, 10.0) + micro_batch(60.0, 10.0), 1030.0);
        assert_eq!(commit(30.0, 1.0), 31.0);
    }

    /// 300 s + 30 s + 0.2 s, and 60 s + 3 s for the commit: 393.2 s = 6 min 33 s.
    #[test]
    fn first_result_of_a_window() {
        let total = window(300.0, 30.0, WATERMARK_INTERVAL, 0.0) + transaction(60.0, 3.0);
        assert!((total - 393.2).abs() < 1e-9);
    }
}
