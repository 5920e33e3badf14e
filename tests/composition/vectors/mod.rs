//! Small paths with what a reader at their end can observe, found by exhaustive exploration of failures of an operational
//! model of each hop: two events, up to two crashes, one lost broker, one lost answer.

mod logs;
mod stores;
mod values;

use crate::{
    expect::{Expect, Loss},
    path::{Engine, Job, Step, Write},
};
use pipeline_desk::analysis::delivery::verdict::{Label, ValueEffect};

pub const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

pub const fn uncommitted(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: false, steps, write }
}

pub const NOTHING: Expect = Expect {
    loss: Loss::No,
    lossy: &[],
    rows: &[],
    transient: &[],
    taint: &[],
    value: ValueEffect::NotApplicable,
    label: Label::EffectivelyOnce,
    weakest_loss: None,
    origin: None,
    repair: None,
};
