//! By how much two figures of the same events may differ for measured causes.

/// How far a stream may be from a batch path, as shares: each side for itself. What only takes away and what only adds do
/// not cancel out in a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// Below it at most: late, dropped, rejected.
    pub below: f64,
    /// Above it at most: repeats, results of aborted transactions, rows not taken back.
    pub above: f64,
}

/// See [`Divergence`]: `losing` are the shares of causes that take away, `adding` of those that add. A cause of which it is
/// not known stands on both.
#[must_use]
pub fn divergence(losing: &[f64], adding: &[f64]) -> Divergence {
    Divergence { below: losing.iter().sum(), above: adding.iter().sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.4 % late and 0.02 % repeated: from −0.4 % to +0.02 %, and not ±0.42 %, which would hide repeats of 0.4 %.
    #[test]
    fn sides_do_not_cancel_out() {
        assert_eq!(divergence(&[0.004], &[0.0002]), Divergence { below: 0.004, above: 0.0002 });
        assert_eq!(divergence(&[], &[]), Divergence { below: 0.0, above: 0.0 });
    }
}
