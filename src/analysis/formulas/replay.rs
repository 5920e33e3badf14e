//! Making results again: how far back, how fast, how safely. Ages count to the end of an output.

use super::{UNBOUNDED, less};

/// How far back results are right behind an operator that must have read `lookback` before its output is right; `reach`: how
/// far back what enters it is. Lookbacks add along a way. Zero: not at all.
#[must_use]
pub fn behind(reach: f64, lookback: f64) -> f64 {
    less(reach, lookback)
}

/// How far back results are right that need all of these inputs (both sides of a join, all members of a union), each with
/// the lookbacks on its own way taken off.
#[must_use]
pub fn together(reaches: impl IntoIterator<Item = f64>) -> f64 {
    reaches.into_iter().reduce(f64::min).unwrap_or(0.0)
}

/// Lookback of a de-duplication. `refreshed`: its time-to-live starts anew with every copy. `spread`: all copies of a
/// key come within this time. A first-seen time-to-live with copies beyond it forms a chain without end.
#[must_use]
pub fn deduplication_lookback(ttl: f64, refreshed: bool, spread: Option<f64>) -> f64 {
    match spread {
        _ if refreshed => ttl,
        Some(spread) if spread <= ttl => spread,
        _ => UNBOUNDED,
    }
}

/// Time until a replay from `age` seconds back has caught up with the present.
#[must_use]
pub fn time_to_head(age: f64, arriving: f64, speed: f64) -> f64 {
    super::recovery::catch_up(age, arriving, speed)
}

/// How long a replay to the present from `start` seconds back may wait before it begins, with the oldest record still there
/// when it comes to it, where `kept` is kept. One that reads slower than records arrive is overtaken, however soon it begins.
#[must_use]
pub fn start_within(kept: f64, start: f64, keeps_up: bool) -> f64 {
    if keeps_up { less(kept, start) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 3600.0;

    fn one(history: f64, lookbacks: &[f64]) -> f64 {
        lookbacks.iter().fold(history, |reach, lookback| behind(reach, *lookback))
    }

    /// 168 h of a topic, copies within 24 h, windows of 1 h: 168 − 24 − 1 = 143 h by the end of the window; from an
    /// archive of one year 8 760 − 25 = 8 735 h.
    #[test]
    fn lookbacks_add_along_a_way() {
        assert_eq!(one(168.0 * H, &[24.0 * H, H]), 143.0 * H);
        assert_eq!(one(8760.0 * H, &[24.0 * H, H]), 8735.0 * H);
    }

    /// Orders 7 d, payments 3 d, window of 2 h: 72 − 2 = 70 h.
    #[test]
    fn a_join_needs_both_sides() {
        assert_eq!(together([one(168.0 * H, &[2.0 * H]), one(72.0 * H, &[2.0 * H])]), 70.0 * H);
    }

    /// Each side with its own way: 168 h behind 100 h, and 30 h behind 1 h: 29 h, not "cannot".
    #[test]
    fn each_input_has_its_own_way() {
        assert_eq!(together([one(168.0 * H, &[100.0 * H]), one(30.0 * H, &[H])]), 29.0 * H);
    }

    #[test]
    fn a_count_for_ever_cannot_be_made_again() {
        assert_eq!(one(168.0 * H, &[UNBOUNDED]), 0.0);
        assert_eq!(one(UNBOUNDED, &[UNBOUNDED]), 0.0);
        assert_eq!(together([]), 0.0);
        assert_eq!(deduplication_lookback(86_400.0, false, None), UNBOUNDED);
        assert_eq!(deduplication_lookback(86_400.0, false, Some(3600.0)), 3600.0);
        assert_eq!(deduplication_lookback(86_400.0, false, Some(90_000.0)), UNBOUNDED);
        assert_eq!(deduplication_lookback(86_400.0, true, None), 86_400.0);
    }

    /// 7 d at 5 000 /s against 15 000 /s: 84 h.
    #[test]
    fn to_the_present() {
        assert_eq!(time_to_head(168.0 * H, 5000.0, 15_000.0), 84.0 * H);
        assert_eq!(time_to_head(1.0, 5.0, 5.0), UNBOUNDED);
    }

    /// 400 s back of 1 000 s: 600 s are left; 1 000 s back, none; at less than the pace of arrival none either.
    #[test]
    fn what_is_left_to_begin_a_replay() {
        assert_eq!(start_within(1000.0, 400.0, true), 600.0);
        assert_eq!(start_within(1000.0, 1000.0, true), 0.0);
        assert_eq!(start_within(1000.0, 1100.0, true), 0.0);
        assert_eq!(start_within(1000.0, 400.0, false), 0.0);
        assert_eq!(start_within(UNBOUNDED, 400.0, true), UNBOUNDED);
    }
}
