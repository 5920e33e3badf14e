//! Design to report: total, pure, deterministic. A half-drawn design is normal input.
//!
//! Nothing here fails and nothing here reads layout, names or the clock.

pub mod delivery;
pub mod explain;
mod figures;
pub mod formulas;
pub mod graph;
pub mod order;
mod report;
mod reports;
pub mod unreachable;
pub mod versions;

pub use figures::{Figures, stay};
pub(crate) use figures::{made_by, names};
pub use report::{
    ChannelReport, ComparisonReport, ConsumerReport, JobReport, LinkReport, OperatorReport, ReadReport, ReplayStart,
    Report, SinkReport, SkewReport, SourceReport, Usable,
};
pub use reports::Reports;

use crate::model::{Design, View};
use delivery::Deliveries;
use figures::ConsumerFigures;

/// Works out everything that is known about `design` in `view`; what a source would have told that could not be reached
/// is not.
#[must_use]
pub fn analyse(design: &Design, view: View) -> Report {
    let readable = unreachable::readable(design);
    report(&graph::Graph::new(readable.as_ref().unwrap_or(design), view))
}

/// As [`analyse`], for a graph at hand.
#[must_use]
pub fn report(graph: &graph::Graph<'_>) -> Report {
    let figures = Figures::of(graph);
    let deliveries = delivery::judge(graph, &figures);
    let Figures { channels, operators, jobs, sinks, consumers: figures, comparisons, reads, sources } = figures;
    let orders = order::judge(graph, &deliveries);
    let Deliveries { consumers, links, .. } = deliveries;
    // All hold every visible consumer, in id order.
    let all = consumers.into_iter().zip(orders).zip(figures);
    let consumers = all.map(|(((id, mut delivery), (_, order)), (_, figures))| {
        order::say_old_rows(graph, &order, &mut delivery);
        let ConsumerFigures { latency, latency_open, lag_room, complete, replay } = figures;
        (id, ConsumerReport { delivery, order, latency, latency_open, lag_room, complete, replay })
    });
    Report {
        view: graph.view,
        consumers: consumers.collect(),
        links,
        channels,
        operators,
        jobs,
        sinks,
        sources,
        comparisons,
        reads,
    }
}
