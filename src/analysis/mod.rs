//! Design to report: total, pure, deterministic. A half-drawn design is normal input.
//!
//! Nothing here fails and nothing here reads layout, names or the clock.

pub mod delivery;
pub mod explain;
mod figures;
pub mod formulas;
mod report;

pub use report::{
    ChannelReport, ConsumerReport, JobReport, LinkReport, OperatorReport, ReplayStart, Report, SinkReport,
};

use crate::model::{Design, View};
use figures::Figures;

/// Works out everything that is known about `design` in `view`.
#[must_use]
pub fn analyse(design: &Design, view: View) -> Report {
    let Figures { channels, operators, jobs, sinks, consumers: _ } = Figures::of(design, view);
    Report { view, channels, operators, jobs, sinks, ..Report::default() }
}
