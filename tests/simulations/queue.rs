//! A queue that is filled and worked off in small steps: lag, recovery, the race against retention.

use crate::{Dice, at_most};
use pipeline_desk::analysis::formulas::{capacity, recovery, replay};
use proptest::prelude::*;

/// What arrives per second, changing every so often.
struct Arriving {
    every: f64,
    rates: Vec<f64>,
}

impl Arriving {
    fn new(dice: &mut Dice, most: f64) -> Self {
        let rates = (0..8).map(|_| most * dice.between(0.1, 1.0)).collect();
        Self { every: dice.between(10.0, 300.0), rates }
    }

    fn at(&self, time: f64) -> f64 {
        let number = (time / self.every).floor().rem_euclid(self.rates.len() as f64) as usize;
        self.rates[number.min(self.rates.len() - 1)]
    }
}

const STEP: f64 = 0.5;

/// Time from a failure until nothing is behind any more: down, then read on from before the failure.
fn recovered_after(arriving: &Arriving, capacity: f64, behind: f64, rewind: f64, down: f64) -> f64 {
    let (mut backlog, mut time) = (0.0, -behind - rewind);
    while time < down {
        backlog += arriving.at(time) * STEP;
        time += STEP;
    }
    while backlog > 0.0 && time < 1e6 {
        backlog += (arriving.at(time) - capacity) * STEP;
        time += STEP;
    }
    time
}

/// Time until the log start overtakes a reader that is `behind` and reads `capacity` a second; none within the time given.
fn overtaken_after(arriving: &Arriving, capacity: f64, kept: f64, behind: f64, within: f64) -> Option<f64> {
    // Where the reader stands in time, and how much of the record stream of that second is read.
    let (mut position, mut now) = (-behind, 0.0);
    while now < within {
        let mut read = capacity * STEP;
        while read > 1e-9 && position < now {
            let rate = arriving.at(position).max(1e-9);
            let part = (read / rate).min(now - position);
            read -= part * rate;
            position += part;
        }
        now += STEP;
        if now - position > kept {
            return Some(now);
        }
    }
    None
}

/// Is every record still there when a replay to the present comes to it? In small steps of the clock.
fn replay_finds_all(start: f64, wait: f64, speed: f64, kept: f64) -> bool {
    let (mut position, mut now) = (-start, 0.0);
    while position < now && now < 2e4 {
        if now - position > kept + 1e-6 {
            return false;
        }
        if now >= wait {
            position += speed;
        }
        now += 1.0;
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// By the peak of what arrives, recovery is never later than the form says; at an even rate it is just then.
    #[test]
    fn recovery_is_not_later_than_said(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let peak = dice.between(10.0, 500.0);
        let spare = peak * dice.between(1.05, 3.0);
        let (behind, rewind, down) = (dice.pick(&[0.0, 120.0]), dice.pick(&[0.0, 63.0, 600.0]), dice.between(5.0, 900.0));
        let bound = recovery::recovery(down, behind, rewind, peak, spare);
        let uneven = Arriving::new(&mut dice, peak);
        let slack = 3.0 * STEP * spare / (spare - peak);
        at_most(recovered_after(&uneven, spare, behind, rewind, down), bound + slack, "recovery");
        let even = Arriving { every: 1.0, rates: vec![peak] };
        let seen = recovered_after(&even, spare, behind, rewind, down);
        prop_assert!((seen - bound).abs() <= slack, "{seen} against {bound}");
    }

    /// By the most that arrives, unread records are deleted no earlier than the form says.
    #[test]
    fn nothing_is_lost_to_lag_before_it_is_said(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let most = dice.between(10.0, 200.0);
        let reads = most * dice.between(0.0, 0.95);
        let kept = dice.between(50.0, 400.0);
        let behind = dice.between(0.0, kept * 0.9);
        let bound = capacity::time_until_lost(kept, behind, most, reads);
        let uneven = Arriving::new(&mut dice, most);
        if let Some(seen) = overtaken_after(&uneven, reads, kept, behind, 1500.0) {
            at_most(bound, seen + 2.0 * STEP, "lost to lag");
        }
        let even = Arriving { every: 1.0, rates: vec![most] };
        match overtaken_after(&even, reads, kept, behind, 1500.0) {
            Some(seen) => prop_assert!((seen - bound).abs() <= 0.01 * bound + 4.0 * STEP, "{seen} against {bound}"),
            None => prop_assert!(bound > 1450.0, "{bound}"),
        }
    }

    /// A backlog of records is worked off when it is said.
    #[test]
    fn a_backlog_drains(records in 1.0..1e6f64, arriving in 0.0..500.0f64, spare in 1.0..500.0f64) {
        let (mut left, mut time) = (records, 0.0);
        let step = recovery::drain(records, arriving, arriving + spare) / 1000.0;
        while left > 1e-6 * records {
            left += (arriving - (arriving + spare)) * step;
            time += step;
        }
        let bound = recovery::drain(records, arriving, arriving + spare);
        prop_assert!((time - bound).abs() <= 2.0 * step, "{time} against {bound}");
        prop_assert!(recovery::drain(records, arriving + spare, arriving).is_infinite());
    }

    /// A replay that begins in time finds every record; one that begins later misses one, but for a step at the edge, and one
    /// that is slower than what arrives is overtaken.
    #[test]
    fn a_replay_that_begins_in_time_finds_all(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let start = dice.between(50.0, 2000.0);
        let (wait, speed) = (dice.pick(&[0.0, 30.0, 300.0]), dice.pick(&[0.25, 0.5, 1.0, 3.0]));
        let kept = dice.between(100.0, 4000.0);
        let left = replay::start_within(kept, start, speed >= 1.0);
        if speed < 1.0 {
            prop_assert!(left == 0.0 && !replay_finds_all(start, wait, speed, kept), "overtaken");
        } else if start <= kept && wait <= left {
            prop_assert!(replay_finds_all(start, wait, speed, kept + 2.0), "in time");
        } else if wait > left + 2.0 {
            prop_assert!(!replay_finds_all(start, wait, speed, kept), "too late");
        }
    }
}
