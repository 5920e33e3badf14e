//! How late an event may be for a step and still count, by what its engine takes ([`Lateness`]): of what the bound is made up.
//! What is *not* here: what becomes of later events ([`super::late`]).

use crate::{
    analysis::graph::{Graph, Place},
    catalog::Lateness,
    model::{
        Fact, FieldValue, Key, Known,
        key::operator,
        units::{Duration, Limit},
        words::OutputMode,
    },
};

/// One term of the bound. Without a fact it is nothing, by the product's documentation where nobody set it.
pub(crate) struct Part {
    pub what: &'static str,
    pub fact: Option<Fact<Duration>>,
}

/// See the module.
pub(crate) struct Bound {
    pub parts: Vec<Part>,
    /// Do all ways into the step bring the same watermark? Where they do not, the least of them is certain to count, and what is
    /// later may count too.
    pub agreed: bool,
}

impl Bound {
    /// All terms together.
    pub fn time(&self) -> Duration {
        let parts = self.parts.iter().filter_map(|part| Some(part.fact.as_ref()?.value.millis()));
        Duration::from_millis(parts.fold(0, u64::saturating_add))
    }
}

/// Who asks for the settings.
pub(crate) trait Ask {
    /// A setting that the bound needs.
    fn ask<T: FieldValue>(&mut self, at: Place, key: Key<T>) -> Option<Fact<T>>;
    /// A documented default stands for what was read as not set.
    fn assume(&mut self);
}

/// The bound of a step of an engine that takes what is late in this way; `None` where a setting is not known.
pub(crate) fn bound(graph: &Graph<'_>, node: usize, takes: Lateness, ask: &mut impl Ask) -> Option<Bound> {
    let at = graph.node_place(node);
    let delayed = !matches!(takes, Lateness::Grace | Lateness::BeyondRunner);
    let delay = if delayed { Some(delay(graph, node, ask)) } else { None };
    let more = match takes {
        Lateness::Grace => {
            Some(ask.ask(at, operator::ALLOWED_LATENESS).map(|fact| Part { what: "grace period", fact: Some(fact) }))
        }
        Lateness::Delay => None,
        Lateness::DelayAndAllowed | Lateness::DelayAndLateResults | Lateness::BeyondRunner => {
            Some(beyond(graph, node, takes, ask))
        }
    };
    let mut bound = Bound { parts: Vec::with_capacity(2), agreed: true };
    if let Some(delay) = delay {
        let (part, agreed) = delay?;
        bound.parts.push(part);
        bound.agreed = agreed;
    }
    if let Some(more) = more {
        bound.parts.push(more?);
    }
    Some(bound)
}

/// The watermark of this step, else of the nearest ones before it in its job, which pass theirs on. Of several inputs the
/// least is certain: behind each, its own delay is all that it may promise.
fn delay(graph: &Graph<'_>, node: usize, ask: &mut impl Ask) -> Option<(Part, bool)> {
    let (mut least, mut agreed): (Option<Fact<Duration>>, bool) = (None, true);
    for node in graph.nearest(node, operator::WATERMARK_DELAY) {
        let fact = ask.ask(graph.node_place(node), operator::WATERMARK_DELAY)?;
        agreed &= least.as_ref().is_none_or(|least| fact.value == least.value);
        if least.as_ref().is_none_or(|least| fact.value < least.value) {
            least = Some(fact);
        }
    }
    least.map(|fact| (Part { what: "watermark delay", fact: Some(fact) }, agreed))
}

/// What is allowed beyond the watermark; nothing, where it only counts with late results and none are sent.
fn beyond(graph: &Graph<'_>, node: usize, takes: Lateness, ask: &mut impl Ask) -> Option<Part> {
    const WHAT: &str = "allowed lateness";
    let at = graph.node_place(node);
    if takes == Lateness::DelayAndLateResults {
        let sent = match graph.known(at, operator::LATE_FIRING) {
            Known::Unset(_) => {
                ask.assume();
                false
            }
            _ => matches!(ask.ask(at, operator::LATE_FIRING)?.value, Limit::Of(_)),
        };
        if !sent {
            return Some(Part { what: WHAT, fact: None });
        }
    }
    let unset = matches!(graph.known(at, operator::ALLOWED_LATENESS), Known::Unset(_));
    if unset && matches!(engine(graph, node), "flink" | "dataflow" | "beam") {
        ask.assume();
        return Some(Part { what: WHAT, fact: None });
    }
    ask.ask(at, operator::ALLOWED_LATENESS).map(|fact| Part { what: WHAT, fact: Some(fact) })
}

/// Is nothing ever too late here? In complete mode Spark keeps every window, and in update mode without a watermark it has
/// nothing to be late against (Structured Streaming Programming Guide, Output Modes; seen with 4.3).
pub(crate) fn everything(graph: &Graph<'_>, node: usize) -> bool {
    let unset =
        |node: &usize| matches!(graph.known(graph.node_place(*node), operator::WATERMARK_DELAY), Known::Unset(_));
    engine(graph, node) == "spark"
        && match graph.fact(graph.node_place(node), operator::OUTPUT_MODE).map(|fact| fact.value) {
            Some(OutputMode::Complete) => true,
            Some(OutputMode::Upsert) => graph.nearest(node, operator::WATERMARK_DELAY).iter().all(unset),
            _ => false,
        }
}

/// The engine of an operator; empty where it is not known.
pub(crate) fn engine(graph: &Graph<'_>, node: usize) -> &'static str {
    let job = graph.nodes[node].job.unwrap_or(node);
    graph.nodes[job].entry.map_or("", |entry| entry.id)
}

/// Of whoever only wants to know.
pub(crate) struct Plain<'g, 'd>(pub &'g Graph<'d>);

impl Ask for Plain<'_, '_> {
    fn ask<T: FieldValue>(&mut self, at: Place, key: Key<T>) -> Option<Fact<T>> {
        self.0.fact(at, key)
    }

    fn assume(&mut self) {}
}
