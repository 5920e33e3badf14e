//! What the documents say of late records for every window: who says what is late, where it goes, when a window is complete.
//!
//! Not here: how late a record may be (`analysis::delivery::takes`), and the sections that say it all
//! (`windowing_and_lateness`, `downstream_handoff`).

use super::{
    blocks::{Inline, join, line},
    desk::Desk,
    writer::Writer,
};
use crate::{
    analysis::delivery::takes,
    catalog::{self, Lateness},
    model::{
        Field, FieldValue, Id, Key, Known, View,
        key::operator as o,
        units::{Duration, Limit},
        words::{Clock, Emit, OutputMode},
    },
};

/// What says whether a record is too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// The machine's clock closes the window: none ever is.
    Clock,
    /// Every window is kept: none ever is.
    Kept,
    /// It comes later than what is taken.
    By(Lateness),
}

impl Late {
    /// Why no record is late; nothing where one can be.
    #[must_use]
    pub const fn never(self) -> Option<&'static str> {
        match self {
            Self::Clock => Some(
                "This window goes by the time of the machine: no record is late for it. One that comes late counts in the window of its arrival.",
            ),
            Self::Kept => Some(
                "Every window of this step is kept: in complete mode always, in update mode where there is no watermark. No record is late for one.",
            ),
            Self::By(_) => None,
        }
    }
}

/// What says whether a record is too late for a step with a window.
#[must_use]
pub fn late(desk: &Desk<'_>, operator: &Id) -> Late {
    if let Some(Clock::ProcessingTime | Clock::IngestionTime) = desk.fact(operator, o::CLOCK).map(|fact| fact.value) {
        return Late::Clock;
    }
    let node = desk.graph.find(operator);
    if desk.fact(operator, o::OUTPUT_MODE).is_some() && node.is_some_and(|node| takes::everything(&desk.graph, node)) {
        return Late::Kept;
    }
    let engine = node.map_or("", |node| takes::engine(&desk.graph, node));
    Late::By(Lateness::of(engine, desk.fact(operator, o::API).map(|fact| fact.value), None))
}

/// Who drops late records of a step with a window, where its engine has no output for them.
#[must_use]
pub fn dropped_by(desk: &Desk<'_>, operator: &Id) -> Option<&'static str> {
    let engine = desk.design.system(operator)?.to_string();
    let api = desk.fact(operator, o::API).map(|fact| fact.value);
    let window = desk.fact(operator, o::WINDOW).map(|fact| fact.value);
    catalog::drops_late(&engine, api, window, desk.fact(operator, o::JOIN).map(|fact| fact.value))
}

/// The elements whose setting reaches a step, as its watermark does: itself, or the nearest before it in its job.
#[must_use]
pub fn reaching<T: FieldValue>(desk: &Desk<'_>, operator: &Id, key: Key<T>) -> (Field, Vec<Id>) {
    let ids = match desk.graph.find(operator) {
        Some(node) => desk.graph.nearest(node, key).into_iter().map(|node| desk.graph.nodes[node].id.clone()).collect(),
        None => vec![operator.clone()],
    };
    (key.field(), ids)
}

/// A setting that reaches a step, with where it is stated if that is elsewhere.
pub fn reached(w: &mut Writer<'_>, operator: &Id, key: Key<Duration>) -> Inline {
    let (field, ids) = reaching(w.desk, operator, key);
    let each = ids.iter().map(|id| {
        let value = w.field(id, field);
        if id == operator { value } else { line![value, " (of ", w.name(id), ")"] }
    });
    let each: Vec<Inline> = each.collect();
    join(each, "; ")
}

/// When a window is complete (rulebook LATE-6: Flink by the least watermark, Kafka Streams by stream time and grace, Spark by
/// its watermark over all partitions).
#[must_use]
pub fn complete_when(desk: &Desk<'_>, operator: &Id) -> &'static str {
    match late(desk, operator) {
        Late::Clock => "the clock of the machine has passed its end",
        Late::Kept => "never: every window is kept, and may change",
        Late::By(Lateness::Grace) => "the highest event time seen has passed its end and the grace, in every partition",
        Late::By(Lateness::BeyondRunner) => "the watermark of the runner has passed its end and the allowed lateness",
        Late::By(Lateness::Delay) if desk.runs(operator, "spark") => {
            "the watermark, which follows the highest event time over all partitions, has passed its end"
        }
        Late::By(Lateness::Delay) => "the watermark of the slowest partition has passed its end",
        Late::By(Lateness::DelayAndAllowed | Lateness::DelayAndLateResults) => {
            "the watermark of the slowest partition has passed its end and the allowed lateness"
        }
    }
}

/// The setting that says when results are sent: of Spark its output mode, where that is known.
#[must_use]
pub fn sends_by(desk: &Desk<'_>, operator: &Id) -> Option<OutputMode> {
    let mode = desk.fact(operator, o::OUTPUT_MODE).map(|fact| fact.value);
    mode.filter(|_| desk.runs(operator, "spark"))
}

/// When a step sends its results.
#[must_use]
pub fn emission(desk: &Desk<'_>, operator: &Id) -> Option<Emit> {
    match sends_by(desk, operator) {
        Some(OutputMode::Append) => Some(Emit::OnClose),
        Some(OutputMode::Complete | OutputMode::Upsert | OutputMode::Retract) => Some(Emit::EveryUpdate),
        None => desk.fact(operator, o::EMIT).map(|fact| fact.value),
    }
}

/// Does a late record make a window send its result again? Where it is not known, the setting that would say it.
pub fn again(desk: &Desk<'_>, operator: &Id, takes: Lateness) -> Result<bool, Field> {
    if matches!(takes, Lateness::Grace | Lateness::Delay) {
        return Ok(false);
    }
    let late_results = match known(desk, operator, o::LATE_FIRING) {
        _ if takes != Lateness::DelayAndLateResults => None,
        Known::Value(fact) if fact.value != Limit::None => Some(fact.value),
        Known::Value(_) | Known::Unset(_) => return Ok(false),
        Known::Conflict(_) | Known::NotKnown(_) => return Err(o::LATE_FIRING.field()),
    };
    match known(desk, operator, o::ALLOWED_LATENESS) {
        Known::Value(fact) => Ok(takes.sends_again(Some(fact.value), late_results)),
        // Nothing is allowed by the documented default of Flink and Beam; of an engine without an entry it is not known.
        Known::Unset(_) if desk.engine(operator).is_some() => Ok(false),
        Known::Unset(_) | Known::Conflict(_) | Known::NotKnown(_) => Err(o::ALLOWED_LATENESS.field()),
    }
}

fn known<T: FieldValue>(desk: &Desk<'_>, id: &Id, key: Key<T>) -> Known<T> {
    match desk.withheld(id, key.field()) {
        Some(_) => Known::NotKnown(key.field().row().nature),
        None => desk.design.get(View::ToBe, id, key),
    }
}
