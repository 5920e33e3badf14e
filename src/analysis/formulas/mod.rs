//! Every figure of the desk as a pure function of numbers: seconds, bytes, records per second.
//!
//! Infinity means "no bound"; nothing here returns NaN or a negative number for inputs that are not negative. What is
//! *not* here: where the inputs come from, what happens when one is missing, and how a number explains itself — that is
//! `figures`. The forms were derived from how the products work (their sources are named at each) and checked
//! against simulations of them; the vectors are in `tests/formulas/main.rs`.

pub mod capacity;
pub mod checkpoint;
pub mod latency;
pub mod log;
pub mod reconciliation;
pub mod recovery;
pub mod replay;
pub mod skew;
pub mod state;

/// No bound.
pub const UNBOUNDED: f64 = f64::INFINITY;

/// Seconds in a day.
pub const DAY: f64 = 86_400.0;

/// `a / b`, where something over nothing never ends and nothing over anything is nothing.
#[must_use]
pub fn ratio(a: f64, b: f64) -> f64 {
    if a <= 0.0 {
        0.0
    } else if b <= 0.0 || a.is_infinite() {
        UNBOUNDED
    } else {
        a / b
    }
}

/// `a * b`, where none of something endless is none.
#[must_use]
pub fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// `a - b`, not below zero; endless less anything that ends is endless, anything less something endless is nothing.
#[must_use]
pub fn less(a: f64, b: f64) -> f64 {
    if b.is_infinite() { 0.0 } else { (a - b).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_arithmetic_have_a_meaning() {
        assert_eq!(ratio(5.0, 0.0), UNBOUNDED);
        assert_eq!(ratio(0.0, 0.0), 0.0);
        assert_eq!(ratio(UNBOUNDED, UNBOUNDED), UNBOUNDED);
        assert_eq!(product(0.0, UNBOUNDED), 0.0);
        assert_eq!(less(UNBOUNDED, UNBOUNDED), 0.0);
        assert_eq!(less(UNBOUNDED, 5.0), UNBOUNDED);
        assert_eq!(less(3.0, 5.0), 0.0);
    }
}
