//! Checkpoints, transactions and micro-batches by the clock: what is done again after a failure, when a result shows.

use crate::{Dice, at_most};
use pipeline_desk::analysis::formulas::{checkpoint, latency, skew};
use proptest::prelude::*;

/// Checkpoints of one job, each `(triggered, completed)`: the next is triggered at the later of one interval after the last
/// trigger and the pause after the last completion.
fn checkpoints(dice: &mut Dice, interval: f64, longest: f64, pause: f64) -> Vec<(f64, f64)> {
    let (mut all, mut trigger): (Vec<(f64, f64)>, f64) = (Vec::new(), 0.0);
    for _ in 0..60 {
        let completed = trigger + longest * dice.between(0.2, 1.0);
        all.push((trigger, completed));
        trigger = (trigger + interval).max(completed + pause);
    }
    all
}

/// Micro-batches, each `(begun, ended)`: a batch begins with the trigger, or at once where a trigger was missed.
fn batches(dice: &mut Dice, trigger: f64, longest: f64) -> Vec<(f64, f64)> {
    let (mut all, mut begin): (Vec<(f64, f64)>, f64) = (Vec::new(), 0.0);
    for _ in 0..80 {
        let end = begin + longest * dice.between(0.3, 1.0);
        all.push((begin, end));
        begin = if trigger > 0.0 && end <= begin + trigger { begin + trigger } else { end };
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A failure at any time goes back to the trigger of the last checkpoint that was complete; what was written before a
    /// trigger shows when that checkpoint is complete.
    #[test]
    fn a_failure_and_a_commit(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (interval, longest, pause) = (dice.between(1.0, 100.0), dice.between(0.1, 200.0), dice.pick(&[0.0, 5.0, 60.0]));
        let all = checkpoints(&mut dice, interval, longest, pause);
        let period = checkpoint::period(interval, longest, pause);
        let bound = checkpoint::rewind_worst(interval, longest, pause, 0.0, 0.0);
        let last = all[all.len() - 1].1;
        for _ in 0..50 {
            let failure = dice.between(all[0].1, last);
            let back = all.iter().filter(|(_, completed)| *completed <= failure).map(|(triggered, _)| *triggered).fold(0.0, f64::max);
            at_most(failure - back, bound, "done again");
            let written = dice.between(0.0, all[all.len() - 2].0);
            let shown = all.iter().find(|(triggered, _)| *triggered >= written).map(|(_, completed)| *completed).unwrap();
            at_most(shown - written, latency::transaction(period, longest), "two-phase");
        }
    }

    /// An event that comes at any time is in the next batch that begins; its window shows with the batch after the one that
    /// moves the watermark past its end.
    #[test]
    fn an_event_in_a_batch(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (trigger, longest) = (dice.pick(&[0.0, 10.0, 60.0]), dice.between(1.0, 40.0));
        let all = batches(&mut dice, trigger, longest);
        for _ in 0..30 {
            let come = dice.between(0.0, all[all.len() - 2].0);
            let (_, ended) = all.iter().find(|(begun, _)| *begun >= come).unwrap();
            at_most(ended - come, latency::micro_batch(trigger, longest), "micro-batch");
        }
        let (size, delay, gap) = (dice.pick(&[20.0, 100.0]), dice.pick(&[0.0, 50.0, 200.0]), 0.5);
        let window = size * dice.roll(4) as f64;
        // Events come every half second with the time at which they come.
        let mut watermark = f64::NEG_INFINITY;
        let shown = all.iter().find_map(|(begun, ended)| {
            let shows = (watermark >= window + size).then_some(*ended);
            watermark = watermark.max((begun / gap).floor() * gap - delay);
            shows
        });
        if let Some(shown) = shown {
            let bound = latency::micro_batch_window(size, delay, trigger, longest) + latency::micro_batch(trigger, longest) + gap;
            at_most(shown - window, bound, "window of micro-batches");
        }
    }

    /// A record that waits for a commit in each of some sub-topologies, which commit when they do.
    #[test]
    fn commits_in_series(seed in any::<u64>(), stages in 1u32..6) {
        let mut dice = Dice::new(seed);
        let (interval, takes) = (dice.between(0.05, 30.0), dice.between(0.0, 0.02));
        let came = dice.between(0.0, 100.0);
        let mut time = came;
        for _ in 0..stages {
            let first = dice.between(0.0, interval);
            let next = first + ((time - first) / interval).ceil() * interval;
            time = next + takes;
        }
        at_most(time - came, f64::from(stages) * latency::commit(interval, takes), "commits");
    }

    /// Of a hundred ways to hash the keys at most five are worse than the bound, for any keys.
    #[test]
    fn the_busiest_partition(seed in any::<u64>()) {
        let mut dice = Dice::new(seed);
        let (keys, partitions) = (10 + dice.roll(300), 2 + dice.roll(40));
        let slope = dice.pick(&[0.0, 0.5, 1.0]);
        let mut shares: Vec<f64> = (1..=keys).map(|rank| (rank as f64).powf(-slope)).collect();
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        let squares = shares[1..].iter().map(|share| share * share).sum();
        let bound = skew::hot_share_95(shares[0], squares, shares[1], partitions as f64);
        let worse = (0..100)
            .filter(|_| {
                let mut load = vec![0.0; partitions];
                shares.iter().for_each(|share| load[dice.roll(partitions)] += share);
                load.iter().copied().fold(0.0, f64::max) > bound
            })
            .count();
        prop_assert!(worse <= 5, "{worse} of 100 above {bound}");
    }
}
