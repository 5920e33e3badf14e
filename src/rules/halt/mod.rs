//! What must not go on, in six classes and no more: nothing else stops a run. Every other gap is a finding or an open
//! question. A halt says which action is stopped, the consequence that justifies it, and who lifts it.
//!
//! Halts read the slots of a design: a change of a running system is an existing subject whose proposed value is another
//! one than the observed. Consent is bound to one path and one value, so that no later proposal rides on it.

mod approval;
pub(in crate::rules) mod change;
mod conflict;
mod connector;
mod destructive;
mod privacy;
mod release;

use std::borrow::Borrow;

use super::{Context, Halt, HaltClass};
use crate::sorted;

/// All halts, by class in the order of [`HaltClass::ALL`], then by what they are about.
pub(super) fn halts(context: &Context<'_>) -> Vec<Halt> {
    let parts = [
        privacy::halts(context),
        destructive::halts(context),
        approval::halts(context),
        conflict::halts(context),
        release::halts(context),
        connector::halts(context),
    ];
    let mut halts: Vec<Halt> = parts.into_iter().flatten().collect();
    let class = |halt: &Halt| HaltClass::ALL.iter().position(|class| *class == halt.class);
    sorted::sort_by(&mut halts, |a, b| class(a).cmp(&class(b)).then_with(|| a.about.cmp(&b.about)));
    halts
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`.
fn and(names: &[impl Borrow<str>]) -> String {
    match names {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [first @ .., last] => format!("{} and {}", first.join(", "), last.borrow()),
    }
}
