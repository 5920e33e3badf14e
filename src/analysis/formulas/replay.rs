//! Making results again: how far back, how fast, how safely. Ages count to the end of an output.

use super::{UNBOUNDED, less, ratio};

/// One input that a result needs: how far back it can be read, and the lookbacks of the operators on its way, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// How far back it can be read.
    pub history: f64,
    /// What each operator on the way must have read before its output is right.
    pub lookbacks: Vec<f64>,
}

/// How far back results are right again: the least over all inputs needed (both sides of a join, all members of a
/// union), each less the sum of the lookbacks on its way. Zero: not at all.
#[must_use]
pub fn reach(inputs: &[Input]) -> f64 {
    inputs.iter().map(|input| less(input.history, input.lookbacks.iter().sum())).reduce(f64::min).unwrap_or(0.0)
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

/// Lookback of keyed state with a time-to-live that every write refreshes: the longest run of one key's events with
/// gaps below it, where that is known. Counted from creation there is none.
#[must_use]
pub fn ttl_state_lookback(refreshed: bool, longest_run: Option<f64>) -> f64 {
    longest_run.filter(|_| refreshed).unwrap_or(UNBOUNDED)
}

/// Time until a replay from `age` seconds back has caught up with the present.
#[must_use]
pub fn time_to_head(age: f64, arriving: f64, speed: f64) -> f64 {
    super::recovery::catch_up(age, arriving, speed)
}

/// Is the oldest record still there when the replay comes to it? It starts `start` seconds back after `wait`, reads
/// `speed` times as fast as records arrived, up to `end` seconds back (`None`: to the present); the log keeps `kept`.
#[must_use]
pub fn replay_is_safe(start: f64, end: Option<f64>, wait: f64, speed: f64, kept: f64) -> bool {
    if start + wait > kept {
        return false;
    }
    if speed >= 1.0 {
        return true;
    }
    match end {
        Some(end) if speed > 0.0 => start + wait + (1.0 - speed) * ratio(start - end, speed) <= kept,
        _ => false,
    }
}

/// Reach that a correction needs: from the first wrong output to the end of all preparation.
#[must_use]
pub fn required_reach(first_wrong: f64, approve: f64, hold: f64, prepare: f64, window: f64, lookback: f64) -> f64 {
    first_wrong + approve + hold + prepare + window + lookback
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 3600.0;

    fn one(history: f64, lookbacks: &[f64]) -> Input {
        Input { history, lookbacks: lookbacks.to_vec() }
    }

    /// 168 h of a topic, copies within 24 h, windows of 1 h: 168 − 24 − 1 = 143 h by the end of the window; from an
    /// archive of one year 8 760 − 25 = 8 735 h.
    #[test]
    fn lookbacks_add_along_a_way() {
        assert_eq!(reach(&[one(168.0 * H, &[24.0 * H, H])]), 143.0 * H);
        assert_eq!(reach(&[one(8760.0 * H, &[24.0 * H, H])]), 8735.0 * H);
    }

    /// Orders 7 d, payments 3 d, window of 2 h: 72 − 2 = 70 h.
    #[test]
    fn a_join_needs_both_sides() {
        assert_eq!(reach(&[one(168.0 * H, &[2.0 * H]), one(72.0 * H, &[2.0 * H])]), 70.0 * H);
    }

    /// Each side with its own way: 168 h behind 100 h, and 30 h behind 1 h: 29 h, not "cannot".
    #[test]
    fn each_input_has_its_own_way() {
        assert_eq!(reach(&[one(168.0 * H, &[100.0 * H]), one(30.0 * H, &[H])]), 29.0 * H);
    }

    #[test]
    fn a_count_for_ever_cannot_be_made_again() {
        assert_eq!(reach(&[one(168.0 * H, &[UNBOUNDED])]), 0.0);
        assert_eq!(reach(&[one(UNBOUNDED, &[UNBOUNDED])]), 0.0);
        assert_eq!(reach(&[]), 0.0);
        assert_eq!(deduplication_lookback(86_400.0, false, None), UNBOUNDED);
        assert_eq!(deduplication_lookback(86_400.0, false, Some(3600.0)), 3600.0);
        assert_eq!(deduplication_lookback(86_400.0, false, Some(90_000.0)), UNBOUNDED);
        assert_eq!(deduplication_lookback(86_400.0, true, None), 86_400.0);
        assert_eq!(ttl_state_lookback(true, None), UNBOUNDED);
        assert_eq!(ttl_state_lookback(false, Some(100.0)), UNBOUNDED);
        assert_eq!(ttl_state_lookback(true, Some(100.0)), 100.0);
    }

    /// 7 d at 5 000 /s against 15 000 /s: 84 h.
    #[test]
    fn to_the_present() {
        assert_eq!(time_to_head(168.0 * H, 5000.0, 15_000.0), 84.0 * H);
        assert_eq!(time_to_head(1.0, 5.0, 5.0), UNBOUNDED);
    }

    /// 400 s back to 300 s at half speed after 100 s: 400 + 100 + 0.5 · 100 / 0.5 = 600 s ≤ 1 000 s.
    #[test]
    fn a_bounded_range_may_be_read_slower_than_it_arrived() {
        assert!(replay_is_safe(400.0, Some(300.0), 100.0, 0.5, 1000.0));
        assert!(!replay_is_safe(400.0, None, 100.0, 0.5, 1000.0));
        assert!(replay_is_safe(900.0, None, 100.0, 1.0, 1000.0));
        assert!(!replay_is_safe(950.0, Some(0.0), 100.0, 3.0, 1000.0));
        assert!(!replay_is_safe(400.0, Some(300.0), 100.0, 0.0, 1000.0));
        assert_eq!(required_reach(3600.0, 600.0, 60.0, 60.0, 300.0, 86_400.0), 91_020.0);
    }
}
