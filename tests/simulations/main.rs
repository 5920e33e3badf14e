//! Bounds against small machines that behave as the products do, over random settings.
//!
//! Each machine is written from what the product does, step by step, and knows no form: a log of segments, window state,
//! checkpoints, micro-batches, a queue, a pipeline that is run again. What a form calls a guarantee must never be undercut,
//! what it calls a bound never exceeded. Not here: values that a form must give (`tests/formulas/main.rs`).
#![allow(missing_docs, reason = "tests")]

mod batches;
mod log;
mod queue;
mod replay;
mod state;

/// A plain generator, so that a run is named by its seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.share()
    }

    /// 0 up to below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        ((self.share() * sides as f64) as usize).min(sides.saturating_sub(1))
    }

    pub fn pick(&mut self, of: &[f64]) -> f64 {
        of[self.roll(of.len())]
    }
}

/// At most, but for rounding.
#[track_caller]
pub fn at_most(seen: f64, bound: f64, what: &str) {
    assert!(seen <= bound * (1.0 + 1e-9) + 1e-9, "{what}: {seen} was seen above {bound}");
}
