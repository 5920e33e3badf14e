//! How long an entry of state is kept, read from how the number of entries was worked out: the same engine, the same
//! delays, the same segments.
//!
//! What is *not* here: how many there are (`keyed`, `windows`, `joins`).

use super::{
    joins, keyed,
    need::{Figure, seconds},
    windows,
};
use crate::{
    analysis::{
        explain::{Explained, Formula, Inputs, Origin, Unit},
        formulas::state as form,
    },
    model::Id,
};
use std::sync::Arc;

/// How long an entry is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Stay {
    /// Seconds, at most; of a session on average.
    pub time: Arc<Explained>,
    /// What is kept, and what ends it.
    pub until: Until,
}

/// What is kept, and what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// An entry: so long after it was last written.
    TimeToLive,
    /// A key: until the segment that it lies in is dropped whole.
    Segment,
    /// A key: until the watermark has passed it.
    Watermark,
    /// A window: until its results are final.
    Window,
    /// A session, on average.
    Session,
    /// A record: as long as a result can need it.
    Record,
}

const STAYS: Figure = seconds("an entry is kept");

static WINDOW: Formula = Formula {
    id: "D2.stays.window",
    text: "window size + watermark delay + lateness + spread + step",
    source: "Apache Flink, WindowOperator: kept until the watermark passes the end of the window plus the allowed lateness",
};
static SESSION: Formula = Formula {
    id: "D2.stays.session",
    text: "length + gap + watermark delay + lateness + spread, mean",
    source: "Apache Flink, WindowOperator: kept until the watermark passes the end of the window plus the allowed lateness",
};
static SEGMENTS: Formula = Formula {
    id: "D2.stays.segments",
    text: "retention + max(retention ÷ 2, 60 s)",
    source: "Kafka Streams, Stores.windowStore: whole segments of max(retention/2, 60 s); seen on disk with 3.9",
};
static SESSION_SEGMENTS: Formula = Formula {
    id: "D2.stays.session.segments",
    text: "length + retention + max(retention ÷ 2, 60 s), mean",
    source: "Kafka Streams, Stores.windowStore: whole segments of max(retention/2, 60 s), by the end of the session",
};
static SPARK: Formula = Formula {
    id: "D2.stays.spark",
    text: "length + watermark delay + 2 × event time of a batch",
    source: "Apache Spark, StateStoreSaveExec: evicted by the watermark of the batch before",
};
static SPARK_KEY: Formula = Formula {
    id: "D2.stays.spark.key",
    text: "2 × watermark delay + event time of a batch",
    source: "Apache Spark, dropDuplicatesWithinWatermark: a key expires when the watermark has passed its time plus the delay",
};
static PARTNER: Formula = Formula {
    id: "D2.stays.join",
    text: "larger of before and after + kept longer",
    source: "Apache Flink, IntervalJoinOperator: each side is kept until the watermark rules out a partner",
};
static WITHOUT: Formula = Formula {
    id: "ST-1.without",
    text: "state at its bound ÷ time kept × one day",
    source: "as many entries would come, at most one a record, and nothing would remove one",
};

/// How long the entries of an operator are kept, where time bounds them.
#[must_use]
pub fn of(id: &Id, entries: &Explained) -> Option<Stay> {
    let Origin::Formula { formula, inputs, .. } = &entries.origin else { return None };
    let sum = |parts: &[Arc<Explained>]| parts.iter().map(|part| part.value).sum::<f64>();
    let made = |formula: &'static Formula, parts: &[Arc<Explained>], value: f64, until: Until| {
        let inputs: Inputs = parts.iter().cloned().collect();
        let time = Explained::derive(STAYS.what, Some(id), STAYS.unit, formula, inputs, value, None);
        Some(Stay { time, until })
    };
    let segments = |parts: &[Arc<Explained>], retention: f64, until: Until| {
        made(&SEGMENTS, parts, form::streams_span(retention), until)
    };
    let is = |of: &[&Formula]| of.iter().any(|of| of.id == formula.id);
    match &**inputs {
        [_, ttl] if is(&[&keyed::KEPT_FOR, &joins::KEPT_FOR]) => {
            Some(Stay { time: Arc::clone(ttl), until: Until::TimeToLive })
        }
        [by_records, _] if is(&[&keyed::FEWER]) => self::of(id, by_records),
        [_, kept] if is(&[&keyed::STREAMS]) => segments(&inputs[1..], kept.value, Until::Segment),
        [_, length, kept] if is(&[&windows::STREAMS_SESSIONS]) => {
            made(&SESSION_SEGMENTS, &inputs[1..], form::streams_sessions(1.0, length.value, kept.value), Until::Session)
        }
        [_, delay, batch] if is(&[&keyed::SPARK]) => made(
            &SPARK_KEY,
            &inputs[1..],
            form::spark_deduplication_within(1.0, delay.value, batch.value),
            Until::Watermark,
        ),
        [_, kept, _] if is(&[&windows::STREAMS_WINDOWS]) => segments(&inputs[1..2], kept.value, Until::Window),
        [_, size, grace] if is(&[&windows::STREAMS_SLIDING]) => {
            segments(&inputs[1..], 2.0 * size.value + grace.value, Until::Record)
        }
        [_, rest @ ..] if is(&[&joins::STREAMS]) => segments(rest, sum(rest), Until::Record),
        [store, _] if is(&[&windows::STORE_AND_BUFFER]) => self::of(id, store),
        [_, size, _, waits @ ..] if is(&[&windows::WINDOWS, &windows::ELEMENTS]) => {
            let parts: Vec<_> = std::iter::once(size).chain(waits).cloned().collect();
            made(&WINDOW, &parts, sum(&parts), Until::Window)
        }
        [_, rest @ ..] if is(&[&windows::OVER, &joins::WINDOW]) => made(&WINDOW, rest, sum(rest), Until::Record),
        // On average a session does not wait for the step of the watermark.
        [_, rest @ .., _] if is(&[&windows::SESSIONS]) && rest.len() > 2 => {
            made(&SESSION, rest, sum(rest), Until::Session)
        }
        [_, rest @ ..] if is(&[&windows::SESSIONS]) => made(&SESSION, rest, sum(rest), Until::Session),
        [_, size, _, delay, batch] if is(&[&windows::SPARK_WINDOWS]) => {
            let parts = [size, delay, batch].map(Arc::clone);
            made(&SPARK, &parts, size.value + delay.value + 2.0 * batch.value, Until::Window)
        }
        [_, rest @ .., batch] if is(&[&windows::SPARK_SESSIONS]) => {
            made(&SPARK, &inputs[1..], sum(rest) + 2.0 * batch.value, Until::Session)
        }
        [_, after, _, before, extra] if is(&[&joins::INTERVAL]) => {
            let parts = [after, before, extra].map(Arc::clone);
            made(&PARTNER, &parts, after.value.max(before.value) + extra.value, Until::Record)
        }
        _ => None,
    }
}

/// Bytes that this state would grow by a day if nothing removed an entry, at most. `None` where an entry is not that of a
/// single record.
#[must_use]
pub fn without(id: &Id, state: &Arc<Explained>, stay: &Stay) -> Option<Arc<Explained>> {
    let single = matches!(stay.until, Until::TimeToLive | Until::Segment | Until::Watermark);
    if !single || state.unbounded() || stay.time.value <= 0.0 || stay.time.unbounded() {
        return None;
    }
    let value = state.value / stay.time.value * crate::analysis::formulas::DAY;
    let inputs = [Arc::clone(state), Arc::clone(&stay.time)];
    Some(Explained::derive("growth without the bound", Some(id), Unit::BytesPerDay, &WITHOUT, inputs, value, None))
}
