//! Entries that an operator keeps at most.
//!
//! Flink keeps a window until the watermark passes its end and the allowed lateness; Kafka Streams keeps whole segments
//! of `max(retention / 2, 60 s)` (`Stores.windowStore`); Spark keeps what the watermark of the batch before did not
//! close. `drift` is how far the watermark stands behind the newest event because of a slower partition or input.

use super::{DAY, product, ratio};

/// What delays the end of an event-time window beyond its own length, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Delay {
    /// Out-of-orderness bound of the watermark.
    pub watermark: f64,
    /// Allowed lateness, or grace.
    pub lateness: f64,
    /// How far the slowest partition or input is behind.
    pub drift: f64,
    /// Watermark interval and longest pause between events.
    pub step: f64,
}

impl Delay {
    const fn total(self) -> f64 {
        self.watermark + self.lateness + self.drift + self.step
    }
}

/// Flink, one accumulator per key and window: `keys` in one window of `size` that starts every `advance`.
#[must_use]
pub fn flink_windows(keys: f64, size: f64, advance: f64, delay: Delay) -> f64 {
    product(keys, ratio(size + delay.total(), advance).ceil())
}

/// Flink, where windows keep their records: each record once per window it falls into. `advance` divides `size`.
#[must_use]
pub fn flink_elements(rate: f64, size: f64, advance: f64, delay: Delay) -> f64 {
    let kept = delay.watermark + delay.lateness + delay.drift + (size + advance) / 2.0;
    product(rate * ratio(size, advance), kept)
}

/// Flink sessions, on average: those that start per second, each kept for its length, its gap and the delay.
#[must_use]
pub fn flink_sessions(starts: f64, mean_length: f64, gap: f64, delay: Delay) -> f64 {
    product(starts, mean_length + gap + delay.watermark + delay.lateness + delay.drift)
}

/// Segment length of a Kafka Streams window, session or join store of this retention, in seconds. The store counts in
/// whole milliseconds and halves them rounding down.
#[must_use]
pub fn streams_segment(retention: f64) -> f64 {
    ((retention * 1000.0 / 2.0).floor() / 1000.0).max(60.0)
}

/// Seconds of stream time that such a store holds on disk.
#[must_use]
pub fn streams_span(retention: f64) -> f64 {
    retention + streams_segment(retention)
}

/// Kafka Streams windows: `retention` is size and grace.
#[must_use]
pub fn streams_windows(keys: f64, retention: f64, advance: f64) -> f64 {
    product(keys, ratio(streams_span(retention), advance).ceil())
}

/// Sessions in a Kafka Streams store, on average: a session is there from its first record on, for `length`, and from its
/// last one on as long as its segment.
#[must_use]
pub fn streams_sessions(starts: f64, length: f64, retention: f64) -> f64 {
    product(starts, length + streams_span(retention))
}

/// Rows of a Kafka Streams store that takes `rate` rows per second: joins, de-duplication; sliding windows write two a
/// record.
#[must_use]
pub fn streams_rows(rate: f64, retention: f64) -> f64 {
    product(rate, streams_span(retention))
}

/// Live segments of such a store; `advance` is 1 ms for joins, sessions, sliding windows and de-duplication.
#[must_use]
pub fn streams_segments(retention: f64, advance: f64) -> f64 {
    (ratio(retention, streams_segment(retention)).ceil() + 1.0).min(ratio(streams_span(retention), advance).ceil())
}

/// Buffered until a window closes (`suppress`).
#[must_use]
pub fn streams_suppressed(keys: f64, size: f64, grace: f64, advance: f64) -> f64 {
    product(keys, ratio(size + grace, advance).ceil())
}

/// Segment length of a versioned Kafka Streams store (`VersionedKeyValueStoreBuilder`: by history retention).
#[must_use]
pub fn versioned_segment(history: f64) -> f64 {
    match history {
        h if h <= 60.0 => (h / 3.0).max(2.0),
        h if h <= 300.0 => (h / 5.0).max(20.0),
        h if h <= 3600.0 => (h / 12.0).max(60.0),
        h => (h / 24.0).max(300.0),
    }
}

/// Old versions that a versioned store keeps.
#[must_use]
pub fn versioned_old(updates: f64, history: f64) -> f64 {
    product(updates, history + versioned_segment(history))
}

/// Spark windows, inside a batch: `batch` is the event time of one batch, in catch-up far more than the trigger.
#[must_use]
pub fn spark_windows(keys: f64, size: f64, advance: f64, delay: f64, batch: f64) -> f64 {
    product(keys, ratio(size + delay + 2.0 * batch, advance).ceil())
}

/// Spark `dropDuplicatesWithinWatermark`.
#[must_use]
pub fn spark_deduplication_within(rate: f64, delay: f64, batch: f64) -> f64 {
    product(rate, 2.0 * delay + batch)
}

/// One side of an interval join: `ahead` is how far the other side may lie after it, `extra` what the engine keeps
/// besides (cleaning step, watermark, drift, batches).
#[must_use]
pub fn interval_side(rate: f64, ahead: f64, extra: f64) -> f64 {
    product(rate, ahead.max(0.0) + extra)
}

/// Step in which Flink SQL before 1.18 cleans an interval join over `low ..= high`; later versions and the DataStream
/// API clean at once (FLINK-32330, `table.exec.interval-join.min-cleanup-interval`).
#[must_use]
pub fn interval_cleanup(low: f64, high: f64, before_1_18: bool) -> f64 {
    if before_1_18 { ((high - low) / 2.0).max(0.0) } else { 0.0 }
}

/// Entries with a time-to-live: one an event at most.
#[must_use]
pub fn kept_for(rate: f64, ttl: f64) -> f64 {
    product(rate, ttl)
}

/// Bytes a day that state without a bound grows by.
#[must_use]
pub fn growth_per_day(new_per_second: f64, entry: f64, amplification: f64) -> f64 {
    new_per_second * DAY * entry * amplification
}

/// Full days left until a limit is reached.
#[must_use]
pub fn days_to_limit(limit: f64, now: f64, growth_per_day: f64) -> f64 {
    if now >= limit { 0.0 } else { ratio(limit - now, growth_per_day).floor() }
}

#[cfg(test)]
mod tests {
    use super::{super::UNBOUNDED, *};

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 0.005 * b.abs(), "{a} is not about {b}");
    }

    const LATE: Delay = Delay { watermark: 60.0, lateness: 600.0, drift: 0.0, step: 0.0 };

    /// 5 min, 2 M keys of 120 B: ceil(960/300) = 4 windows: 0.96 GB. 1 h by 5 min, 200 000 keys of 100 B: 15 windows:
    /// 300 MB; 1 h by 1 h: 2 windows: 40 MB.
    #[test]
    fn windows_that_are_open_at_once() {
        near(flink_windows(2e6, 300.0, 300.0, LATE) * 120.0, 0.96e9);
        near(flink_windows(2e5, 3600.0, 300.0, LATE) * 100.0, 300e6);
        near(flink_windows(2e5, 3600.0, 3600.0, LATE) * 100.0, 40e6);
    }

    /// The slowest partition keeps windows open: 60 s windows, 300 s of drift, one second of step: ceil(361/60) = 7.
    #[test]
    fn a_slow_partition_keeps_windows_open() {
        let delay = Delay { drift: 300.0, step: 1.0, ..Delay::default() };
        assert_eq!(flink_windows(1.0, 60.0, 60.0, delay), 7.0);
    }

    /// 1 h by 5 min, 660 s of delay, 0.2 /s: 0.2 · 12 · (660 + 1950) = 6 264.
    #[test]
    fn windows_that_keep_their_records() {
        near(flink_elements(0.2, 3600.0, 300.0, LATE), 6264.0);
        assert_eq!(flink_elements(1.0, 300.0, 300.0, LATE), 960.0);
    }

    /// 5 000 /s for 24 h at 60 B: 432 M entries, 25.92 GB; overhead 1.5: 38.9 GB.
    #[test]
    fn a_deduplication_keeps_every_id_for_its_time_to_live() {
        assert_eq!(kept_for(5000.0, 86_400.0), 432e6);
        near(kept_for(5000.0, 86_400.0) * 60.0 * 1.5, 38.9e9);
    }

    /// 3 000 /s of 1 kB kept 3 660 s and 1 000 /s of 500 B kept 660 s: 11.31 GB. Flink SQL 1.17 cleans in steps of
    /// 2 100 s: 5 760 s and 2 760 s: 18.66 GB.
    #[test]
    fn interval_joins() {
        let bytes =
            |c: f64| interval_side(3000.0, 3600.0, 60.0 + c) * 1000.0 + interval_side(1000.0, 600.0, 60.0 + c) * 500.0;
        near(bytes(interval_cleanup(-600.0, 3600.0, false)), 11.31e9);
        near(bytes(interval_cleanup(-600.0, 3600.0, true)), 18.66e9);
    }

    /// 10 min before and after, 5 min of grace: 1 500 s and 750 s of segment: (3 MB/s + 0.5 MB/s) · 2 250 s = 7.88 GB.
    #[test]
    fn streams_keep_one_segment_more() {
        near(streams_rows(3e6 + 0.5e6, 1500.0), 7.88e9);
        assert_eq!(streams_rows(1.0, 1.0), 61.0);
        assert_eq!(streams_windows(1.0, 900.0, 300.0), 5.0, "ceil(1 350 / 300)");
        assert_eq!(streams_suppressed(10.0, 300.0, 60.0, 300.0), 20.0);
        assert_eq!(streams_segments(10.0, 0.001), 2.0);
    }

    #[test]
    fn spark_keeps_two_batches_more() {
        assert_eq!(spark_windows(1.0, 60.0, 10.0, 600.0, 60.0), 78.0);
        assert_eq!(spark_deduplication_within(2.0, 600.0, 10.0), 2420.0);
    }

    /// 4.4482 sessions start a second, each kept 30 s and 600 s: 2 802.
    #[test]
    fn sessions_not_keys() {
        near(flink_sessions(4.4482, 0.0, 30.0, Delay { lateness: 600.0, ..Delay::default() }), 2802.4);
    }

    #[test]
    fn versions() {
        assert_eq!(versioned_old(125.0, 2.0), 500.0);
        assert_eq!(versioned_segment(60.0), 20.0);
        assert_eq!(versioned_segment(86_400.0), 3600.0);
    }

    /// 1.2 M keys a day of 150 B: 180 MB; with overhead 1.3 234 MB, so 50 GB last 213 full days.
    #[test]
    fn without_a_bound_it_grows() {
        let growth = growth_per_day(1.2e6 / DAY, 150.0, 1.3);
        near(growth, 234e6);
        assert_eq!(days_to_limit(50e9, 0.0, growth), 213.0);
        assert_eq!(days_to_limit(50e9, 60e9, growth), 0.0);
        assert_eq!(days_to_limit(50e9, 0.0, 0.0), UNBOUNDED);
    }
}
