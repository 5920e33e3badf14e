//! How long a log keeps what was written, per partition.
//!
//! Follows the broker's own deletion (`UnifiedLog.deletableSegments` and `LogSegment.shouldRoll` of Apache Kafka: whole
//! segments from the oldest, a segment by the largest timestamp in it, by size only while what remains is still at least
//! `retention.bytes`) and the compaction of `LogCleaner`.

use super::{less, ratio};

/// What a partition is told to keep: by time and by size, infinite where not limited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retention {
    /// `retention.ms`, in seconds.
    pub time: f64,
    /// `retention.bytes`.
    pub bytes: f64,
}

/// How a partition is cut into segments, and how often they are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segments {
    /// `segment.ms`, in seconds.
    pub time: f64,
    /// `segment.bytes`.
    pub bytes: f64,
    /// `log.retention.check.interval.ms`, in seconds; with compaction 15 s plus the time of a cleaning.
    pub check: f64,
}

/// Age, by timestamp, up to which a record is certainly still there. `peak`: bytes per second of the fullest partition,
/// over the shortest time in which `retention.bytes` were written.
#[must_use]
pub fn guaranteed(retention: Retention, peak: f64) -> f64 {
    retention.time.min(ratio(retention.bytes, peak))
}

/// As [`guaranteed`], by the time since the append: a record that was `delay` seconds old when it was appended is
/// deleted that much earlier.
#[must_use]
pub fn guaranteed_since_append(retention: Retention, peak: f64, delay: f64) -> f64 {
    less(retention.time, delay).min(ratio(retention.bytes, peak))
}

/// How long a segment is written to, at `rate` bytes per second.
#[must_use]
pub fn span(time: f64, bytes: f64, rate: f64) -> f64 {
    time.min(ratio(bytes, rate))
}

/// Age of the oldest record, averaged over time: `kept` at the mean rate, segments that are written to for `span` and looked
/// at every `check`.
#[must_use]
pub fn typical(kept: f64, span: f64, check: f64) -> f64 {
    kept + (span + check) / 2.0
}

/// What can keep a record longer than it is told to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Longest {
    /// Bytes per second of the slowest partition in its slowest window; zero or unknown is 0.
    pub slowest: f64,
    /// Bytes per second at peak, for how full a segment gets.
    pub peak: f64,
    /// Furthest accepted timestamp in the future, in seconds.
    pub future: f64,
    /// Longest pause between two records, in seconds.
    pub gap: f64,
}

/// Longest time that a record can stay readable.
#[must_use]
pub fn longest(retention: Retention, segments: Segments, by: Longest) -> f64 {
    let Retention { time, bytes } = retention;
    if by.gap > time + segments.check {
        // Every segment dies before the next record comes.
        return time + by.future + segments.check;
    }
    let bound = if by.slowest > 0.0 {
        let span = span(segments.time, segments.bytes, by.slowest);
        let fill = segments.bytes.min(by.peak * segments.time);
        (time + by.future + span).min(ratio(bytes + fill, by.slowest))
    } else {
        time + by.future + segments.time
    };
    bound + segments.check + by.gap
}

/// History that a compacted log certainly keeps: all versions younger than the compaction lag, and no older than what
/// deletion keeps where the policy is `compact,delete`; no end where it is not.
#[must_use]
pub const fn compacted_history(min_compaction_lag: f64, deletion: f64) -> f64 {
    min_compaction_lag.min(deletion)
}

/// Longest time that a key stays in a `compact,delete` log where every key is written once: a cleaning gives what it merges
/// the newest timestamp in it (`LogCleaner.groupSegmentsBySize`), and the lower the ratio, the more often it cleans. Where
/// keys are written again a key has no such bound.
#[must_use]
pub fn written_once_longest(time: f64, span: f64, dirty_ratio: f64) -> f64 {
    ratio((time + span) * (1.0 + dirty_ratio), dirty_ratio) + CLEANER_BACKOFF
}

/// Longest time until an overwritten value is gone. `gap`: longest pause between appends, infinite where a partition can
/// fall idle (an idle partition's active segment is never cleaned).
#[must_use]
pub fn value_erased_within(max_compaction_lag: f64, gap: f64) -> f64 {
    max_compaction_lag + gap + CLEANER_BACKOFF
}

/// Longest time until a deleted key itself is gone.
#[must_use]
pub fn key_erased_within(max_compaction_lag: f64, gap: f64, tombstone_retention: f64) -> f64 {
    2.0 * value_erased_within(max_compaction_lag, gap) + tombstone_retention
}

/// `log.cleaner.backoff.ms`, 15 s.
pub const CLEANER_BACKOFF: f64 = 15.0;

/// Largest size of the changelog of an unwindowed store, in bytes per partition, while the cleaner keeps up.
#[must_use]
pub fn changelog_bytes(live: f64, dirty_ratio: f64, segments: Segments, write: f64, min_compaction_lag: f64) -> f64 {
    ratio(live, 1.0 - dirty_ratio)
        + 2.0 * segments.bytes.min(write * segments.time)
        + write * (CLEANER_BACKOFF + min_compaction_lag)
}

/// Largest changelog of a windowed store, whose keys are written once, in the unit of `rate`: what comes while it is kept.
#[must_use]
pub fn windowed_changelog(rate: f64, retention: f64, span: f64, dirty_ratio: f64) -> f64 {
    super::product(rate, written_once_longest(retention, span, dirty_ratio))
}

/// Is a reader that is `behind` by so much, by a start, a lag or a pause, sure to see every deletion?
#[must_use]
pub fn sees_deletions(behind: f64, tombstone_retention: f64) -> bool {
    behind < tombstone_retention
}

/// Does the position of a group survive a pause? `counted` is how long its clock had run when the group stopped: with the
/// classic protocol it starts when the group is empty; with the newer ones (KIP-848, KIP-1071) and without a group protocol
/// at each partition's last commit (`OffsetExpirationCondition`).
#[must_use]
pub fn position_survives(pause: f64, counted: f64, offsets_retention: f64) -> bool {
    pause + counted < offsets_retention
}

#[cfg(test)]
mod tests {
    use super::{super::UNBOUNDED, *};

    const GIB: f64 = 1_073_741_824.0;
    const WEEK: f64 = 604_800.0;
    const H: f64 = 3600.0;

    fn by_default(time: f64, bytes: f64) -> (Retention, Segments) {
        (Retention { time, bytes }, Segments { time: WEEK, bytes: GIB, check: 300.0 })
    }

    /// 7 d at 1 MB/s, size not limited: span 1073.7 s = 0.30 h; 168 h, and at most 168 h + 1073.7 s + 300 s = 168.38 h.
    #[test]
    fn time_binds_without_a_size_limit() {
        let (retention, segments) = by_default(WEEK, UNBOUNDED);
        assert_eq!(guaranteed(retention, 1e6), WEEK);
        let most = longest(retention, segments, Longest { slowest: 1e6, peak: 1e6, future: 0.0, gap: 0.0 });
        assert!((most / H - 168.381_6).abs() < 1e-3, "{most}");
    }

    /// 50 GiB at 1 MB/s: 53 687 s = 14.91 h; at most (50 GiB + 1 GiB) / 1 MB/s + 300 s = 55 060.8 s = 15.29 h.
    #[test]
    fn size_binds_long_before_time() {
        let (retention, segments) = by_default(WEEK, 50.0 * GIB);
        assert!((guaranteed(retention, 1e6) / H - 14.913).abs() < 1e-3);
        assert!((guaranteed(retention, 4e6) / H - 3.728).abs() < 1e-3, "fullest partition 4 MB/s");
        let most = longest(retention, segments, Longest { slowest: 1e6, peak: 1e6, future: 0.0, gap: 0.0 });
        assert!((most / H - 15.294_7).abs() < 1e-3, "{most}");
    }

    /// 200 B/s fill a 1 GiB segment in 62 d, so it rolls by time after 7 d: twice the retention. One day at 100 B/s:
    /// 8 d; with segments of 1 h: 25 h + 300 s.
    #[test]
    fn a_slow_topic_keeps_a_whole_segment_longer() {
        let at = |time, segment, slowest| {
            let segments = Segments { time: segment, bytes: GIB, check: 300.0 };
            let by = Longest { slowest, peak: slowest, future: 0.0, gap: 0.0 };
            longest(Retention { time, bytes: UNBOUNDED }, segments, by) / H
        };
        assert!((at(WEEK, WEEK, 200.0) - 336.083).abs() < 1e-3);
        assert!((at(24.0 * H, WEEK, 100.0) - 192.083).abs() < 1e-3);
        assert!((at(24.0 * H, H, 100.0) - 25.083).abs() < 1e-3);
        assert!((at(24.0 * H, H, 0.0) - 25.083).abs() < 1e-3, "slowest not known");
    }

    #[test]
    fn a_record_that_came_late_is_deleted_early() {
        let retention = Retention { time: 6.0 * H, bytes: UNBOUNDED };
        assert_eq!(guaranteed_since_append(retention, 0.0, 2.0 * H), 4.0 * H);
        assert_eq!(guaranteed_since_append(retention, 0.0, 7.0 * H), 0.0);
    }

    #[test]
    fn segments_that_die_before_the_next_record() {
        let (retention, segments) = by_default(600.0, UNBOUNDED);
        let by = Longest { slowest: 1.0, peak: 1.0, future: 0.0, gap: 3600.0 };
        assert_eq!(longest(retention, segments, by), 900.0);
    }

    #[test]
    fn compaction() {
        assert_eq!(compacted_history(10_800.0, UNBOUNDED), 10_800.0);
        assert_eq!(compacted_history(10_800.0, 3600.0), 3600.0);
        assert_eq!(written_once_longest(86_400.0, 3600.0, 0.5), 270_015.0);
        assert_eq!(written_once_longest(86_400.0, 3600.0, 0.0), UNBOUNDED);
        assert_eq!(value_erased_within(7200.0, UNBOUNDED), UNBOUNDED);
        assert!(sees_deletions(7200.0, 86_400.0));
        assert!(!sees_deletions(90_000.0, 86_400.0));
    }

    /// 5 M keys of 400 B, dirty ratio 0.5: 4.0 GB and two segments and 15 s of writes. Windows of 5 min at 1 000 /s, kept a day
    /// longer (`windowstore.changelog.additional.retention.ms`): 86 700 s, so 86.7 M records, up to three times as many, and
    /// what comes in 15 s.
    #[test]
    fn changelogs() {
        let segments = Segments { time: WEEK, bytes: 1e9, check: 300.0 };
        assert_eq!(changelog_bytes(2e9, 0.5, segments, 1e6, 0.0), 4e9 + 2e9 + 15e6);
        assert_eq!(windowed_changelog(1000.0, 86_700.0, 0.0, 0.5), 3.0 * 86.7e6 + 15e3);
    }

    /// 7 d of retention, 6 d without a commit, then a stop.
    #[test]
    fn positions_expire() {
        let day = 86_400.0;
        assert!(position_survives(6.0 * day, 0.0, 7.0 * day));
        assert!(!position_survives(8.0 * day, 0.0, 7.0 * day));
        assert!(!position_survives(2.0 * day, 6.0 * day, 7.0 * day));
    }
}
