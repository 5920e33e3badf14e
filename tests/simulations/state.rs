//! State as the engines keep it, counted record by record.

use crate::{Dice, at_most};
use pipeline_desk::analysis::formulas::state::{self, Delay};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Windows of one key on Apache Flink: a record goes into every window that it lies in; the watermark is the least over
/// the partitions of the largest timestamp less the bound, and moves only with records; a window goes when the watermark
/// has passed its end and the lateness.
fn most_windows(size: f64, advance: f64, delay: f64, lateness: f64, behind: &[f64], step: f64) -> usize {
    let mut largest: Vec<f64> = vec![f64::NEG_INFINITY; behind.len()];
    let (mut live, mut most): (BTreeMap<i64, ()>, usize) = (BTreeMap::new(), 0);
    let end = |start: i64| start as f64 * advance + size;
    for tick in 0..600 {
        let now = f64::from(tick) * step;
        for (partition, behind) in behind.iter().enumerate() {
            let stamp = now - behind;
            let watermark = largest.iter().copied().fold(f64::INFINITY, f64::min) - delay;
            let mut start = (stamp / advance).floor() as i64;
            while end(start) > stamp {
                if watermark < end(start) + lateness {
                    live.insert(start, ());
                }
                start -= 1;
            }
            most = most.max(live.len());
            largest[partition] = largest[partition].max(stamp);
            let watermark = largest.iter().copied().fold(f64::INFINITY, f64::min) - delay;
            live.retain(|start, ()| watermark < end(*start) + lateness);
        }
    }
    most
}

/// A window store of Kafka Streams, in milliseconds: rows lie in segments of max(retention ÷ 2, 60 s); a segment is dropped
/// as a whole once stream time less the retention has left it, and nothing goes into one that was dropped.
struct Store {
    retention: i64,
    segment: i64,
    time: i64,
    rows: BTreeMap<i64, usize>,
}

impl Store {
    fn new(retention: i64) -> Self {
        Self { retention, segment: (retention / 2).max(60_000), time: 0, rows: BTreeMap::new() }
    }

    fn put(&mut self, stamp: i64) {
        self.time = self.time.max(stamp);
        let first = (self.time - self.retention).div_euclid(self.segment);
        let own = stamp.div_euclid(self.segment);
        if own >= first {
            *self.rows.entry(own).or_default() += 1;
        }
        self.rows.retain(|segment, _| *segment >= first);
    }

    fn rows(&self) -> usize {
        self.rows.values().sum()
    }
}

/// What is kept at the commits of a de-duplication within the watermark of Apache Spark: the first row of an id is kept until the watermark, which is that
/// of the batch before, has passed its timestamp by the delay.
fn most_ids(rate: usize, delay: f64, batch: f64) -> usize {
    let (mut kept, mut most, mut watermark): (Vec<f64>, usize, f64) = (Vec::new(), 0, 0.0);
    for number in 0..60 {
        let begin = f64::from(number) * batch;
        let rows = (rate as f64 * batch) as usize;
        kept.extend((0..rows).map(|row| begin + batch * row as f64 / rows.max(1) as f64));
        kept.retain(|stamp| stamp + delay > watermark);
        most = most.max(kept.len());
        watermark = begin + batch - delay;
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn windows_of_a_key(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let advance = dice.pick(&[5.0, 20.0, 60.0]);
        let size = advance * (1.0 + dice.roll(6) as f64);
        let (delay, lateness) = (dice.pick(&[0.0, 10.0, 100.0]), dice.pick(&[0.0, 30.0, 300.0]));
        let behind: Vec<f64> = (0..1 + dice.roll(3)).map(|_| dice.pick(&[0.0, 7.0, 120.0])).collect();
        let step = dice.pick(&[1.0, 3.0, 15.0]);
        let seen = most_windows(size, advance, delay, lateness, &behind, step);
        let spread = behind.iter().copied().fold(0.0, f64::max) - behind.iter().copied().fold(f64::INFINITY, f64::min);
        let bound = state::flink_windows(1.0, size, advance, Delay { watermark: delay, lateness, drift: spread, step });
        at_most(seen as f64, bound, "windows");
    }

    #[test]
    fn rows_and_segments_of_a_store(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let retention = dice.pick(&[1.0, 10.0, 100.0, 119.999, 600.001, 5000.0]);
        let every = dice.pick(&[0.25, 1.0, 9.0]);
        let late = dice.pick(&[0.0, 0.5, 2.0]) * retention;
        let mut store = Store::new((retention * 1000.0).round() as i64);
        let (mut most, mut segments) = (0, 0);
        for row in 0..3000u32 {
            // No row is older than the last by more than it may be late.
            let now = f64::from(row) * every;
            let stamp = if row % 3 == 0 { (now - dice.between(0.0, late.max(1e-9))).max(0.0) } else { now };
            store.put((stamp * 1000.0) as i64);
            most = most.max(store.rows());
            segments = segments.max(store.rows.len());
        }
        // Rows come at twice the rate where late ones fall into the same time as those in order.
        let rate = if late > 0.0 { 1.0 / every + 1.0 / (3.0 * every) } else { 1.0 / every };
        at_most(most as f64, state::streams_rows(rate, retention) + 1.0, "rows");
        at_most(segments as f64, state::streams_segments(retention, 0.001), "segments");
    }

    #[test]
    fn ids_within_the_watermark(rate in 1usize..5, delay in 1u32..400, batch in 1u32..60) {
        let (delay, batch) = (f64::from(delay), f64::from(batch));
        let bound = state::spark_deduplication_within(rate as f64, delay, batch);
        at_most(most_ids(rate, delay, batch) as f64, bound + 1.0, "ids");
    }
}
