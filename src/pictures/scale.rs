//! How far back: now at the right, the past to the left, on a logarithmic scale that begins at now.

use super::Tick;
use crate::model::units::human;

/// Where now is.
pub(super) const NOW: f64 = 96.0;
/// Where the farthest is.
const FAR: f64 = 7.0;

/// Lengths of time that are written on the axis, seconds.
const MARKS: [f64; 19] = [
    1.0,
    10.0,
    60.0,
    300.0,
    900.0,
    3_600.0,
    10_800.0,
    21_600.0,
    43_200.0,
    86_400.0,
    172_800.0,
    604_800.0,
    1_209_600.0,
    2_592_000.0,
    7_776_000.0,
    31_536_000.0,
    94_608_000.0,
    315_360_000.0,
    3_153_600_000.0,
];

/// A scale of ages.
pub(super) struct Back {
    near: f64,
    far: f64,
}

impl Back {
    /// Through these ages in seconds; what is not finite stands beyond the farthest.
    pub(super) fn through(ages: impl IntoIterator<Item = f64>) -> Self {
        let (mut near, mut far) = (f64::INFINITY, 0.0_f64);
        for age in ages.into_iter().filter(|age| age.is_finite() && *age > 0.0) {
            near = near.min(age);
            far = far.max(age);
        }
        if far <= 0.0 {
            return Self { near: 3_600.0, far: 86_400.0 };
        }
        // The shortest age keeps about a third of the width, and one among very long ones can still be seen.
        Self { near: (near / 8.0).max(far / 1e4), far }
    }

    /// Where an age is, in hundredths; zero: beyond the farthest.
    pub(super) fn x(&self, age: f64) -> f64 {
        if !age.is_finite() {
            return 0.0;
        }
        let share = (1.0 + age.max(0.0) / self.near).ln() / (1.0 + self.far / self.near).ln();
        (NOW - (NOW - FAR) * share).clamp(0.0, NOW)
    }

    /// What is written on the axis, from the farthest on, never on top of each other or of now.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = Vec::new();
        for age in MARKS.into_iter().rev().filter(|age| *age <= self.far) {
            let at = self.x(age);
            if NOW - at >= 7.0 && ticks.last().is_none_or(|last| at - last.at >= 8.0) {
                ticks.push(Tick { at, text: human::seconds(age) });
            }
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn now_is_at_the_right_and_the_farthest_at_the_left() {
        let scale = Back::through([26_844.0, 86_400.0, 1_209_600.0]);
        assert_eq!(scale.x(0.0), NOW);
        assert!((scale.x(1_209_600.0) - FAR).abs() < 1e-9);
        assert_eq!(scale.x(f64::INFINITY), 0.0);
        // ln 9 of ln(1 + 1 209 600 ÷ 3 355.5) = 2.197 of 5.890: 37 % of the width from now.
        assert!((scale.x(26_844.0) - (NOW - 89.0 * 2.1972 / 5.8903)).abs() < 0.1, "{}", scale.x(26_844.0));
    }

    /// On a scale of one minute a tick stands at its age: 10 s at ln(1 + 10 ÷ 7.5) of ln 9, 38.6 hundredths of the width,
    /// and 1 s too near to now. Of ten years and half a second the shortest is 1 ÷ 10 000 of the longest.
    #[test]
    fn ticks_keep_apart() {
        let apart = |ticks: &[Tick]| ticks.windows(2).all(|pair| pair[1].at - pair[0].at >= 8.0);
        let day = ["24 h", "12 h", "6 h", "3 h", "1 h"];
        let years = ["3\u{2009}650 d", "1\u{2009}095 d", "365 d", "90 d", "30 d", "7 d", "2 d", "12 h"];
        let weeks = ["14 d", "7 d", "2 d", "24 h", "12 h", "6 h", "3 h", "1 h"];
        for (ages, expected) in [
            (vec![60.0], &["60 s", "10 s"][..]),
            (vec![0.5, 315_360_000.0], &years),
            (vec![f64::INFINITY], &day),
            (vec![26_844.0, 1_209_600.0], &weeks),
            (vec![], &day),
        ] {
            let ticks = Back::through(ages).ticks();
            let words: Vec<&str> = ticks.iter().map(|tick| tick.text.as_str()).collect();
            assert_eq!(words, expected);
            assert!(apart(&ticks), "{ticks:?}");
            assert!(ticks.iter().all(|tick| (FAR - 0.001..=NOW - 7.0).contains(&tick.at)), "{ticks:?}");
        }
    }
}
