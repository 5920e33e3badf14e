//! The axis: event time to a share of the width, and where it is written.

use super::{Tick, words::Times};

/// A scale in pieces: true where it can be, with short stretches drawn out so that they can be seen.
pub(super) struct Scale {
    /// `(event time, hundredths of the width)`, both rising.
    points: Vec<(i64, f64)>,
    /// All pieces have one scale.
    pub to_scale: bool,
}

const LEFT: f64 = 3.0;
const RIGHT: f64 = 97.0;
/// The least share of the width that a stretch gets.
const LEAST: f64 = 0.09;

impl Scale {
    /// Through these moments: the ends of the axis and what has to be told apart between them.
    pub(super) fn through(moments: &[i64]) -> Self {
        let mut moments = moments.to_vec();
        crate::sorted::sort(&mut moments);
        moments.dedup();
        let (Some(first), Some(last)) = (moments.first().copied(), moments.last().copied()) else {
            return Self { points: vec![(0, LEFT)], to_scale: true };
        };
        let whole = (last.saturating_sub(first)).max(1) as f64;
        let share = |pair: &[i64]| (pair[1] - pair[0]) as f64 / whole;
        let shares: Vec<f64> = moments.windows(2).map(share).collect();
        // What is longer than a day of ticks beside a minute is drawn out; a short rest beside it is no loss of truth.
        let to_scale = shares.iter().all(|share| *share >= 0.015);
        let drawn: Vec<f64> = shares.iter().map(|share| if to_scale { *share } else { share.max(LEAST) }).collect();
        let sum: f64 = drawn.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mut points = vec![(first, LEFT)];
        let mut x = LEFT;
        for (moment, share) in moments.iter().skip(1).zip(drawn) {
            x += share / sum * (RIGHT - LEFT);
            points.push((*moment, x));
        }
        Self { points, to_scale }
    }

    /// Where a moment is; what lies outside stands at the edge.
    pub(super) fn x(&self, time: i64) -> f64 {
        let after = self.points.partition_point(|(moment, _)| *moment < time);
        match (after.checked_sub(1).and_then(|at| self.points.get(at)), self.points.get(after)) {
            (_, Some((moment, x))) if *moment == time => *x,
            (Some((t0, x0)), Some((t1, x1))) => x0 + (x1 - x0) * (time - t0) as f64 / (t1 - t0) as f64,
            (None, Some(_)) => 0.0,
            (Some(_), None) => 100.0,
            (None, None) => LEFT,
        }
    }

    /// Even ticks where it is to scale, else the moments alone.
    pub(super) fn ticks(&self, times: Times, moments: &[i64]) -> Vec<Tick> {
        let (Some((first, _)), Some((last, _))) = (self.points.first(), self.points.last()) else { return Vec::new() };
        let tick = |time: i64| Tick { x: self.x(time), text: times.at(time) };
        if self.to_scale {
            let step = STEPS.into_iter().find(|step| (last - first) / step <= 9);
            let step = step.unwrap_or_else(|| ((last - first) / 9 / DAY + 1) * DAY);
            let start = first + (step - first.rem_euclid(step)) % step;
            return (0..10).map(|n| start + n * step).take_while(|time| time <= last).map(tick).collect();
        }
        let mut apart: Vec<Tick> = Vec::new();
        for moment in moments {
            let next = tick(*moment);
            if apart.last().is_none_or(|before| next.x - before.x >= 8.0) {
                apart.push(next);
            }
        }
        apart
    }
}

const DAY: i64 = 86_400_000;

/// Lengths between ticks, ms.
const STEPS: [i64; 19] = [
    10,
    100,
    500,
    1_000,
    5_000,
    10_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    7_200_000,
    21_600_000,
    43_200_000,
    86_400_000,
    172_800_000,
    604_800_000,
];
