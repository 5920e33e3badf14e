//! The answers for one window without a sequence: when its first result comes, until when a record counts, when its state
//! goes.

use super::{
    outcome::Span,
    setup::{DataStream, MarkForm, Operator, OutputMode, Query, Setup, Spark, Sql, Streams, StreamsEmit, Window},
};

/// Whose highest event time decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredOn {
    /// The slowest partition that is not idle (Flink, watermark at the source).
    SlowestPartition,
    /// All partitions together (Flink, watermark assigned after a merge).
    AllPartitions,
    /// The task of the partition (Kafka Streams).
    Task,
    /// All partitions of the stream, in finished micro-batches (Spark).
    FinishedBatches,
}

/// A window in terms of the highest event time seen, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Whose highest event time.
    pub measured_on: MeasuredOn,
    /// The first result comes once it is at least this; none: with the first record already.
    pub first_result: Option<i64>,
    /// A record of the window counts as long as it is below this when the record has come; none: always.
    pub counted_until: Option<i64>,
    /// The state of the window goes once it is at least this; none: never.
    pub state_dropped: Option<i64>,
    /// Results after the first are sent again, as new totals.
    pub repeated: bool,
}

/// The answers for a window of the operator; none where it has no windows.
///
/// Flink fires at watermark ≥ end − 1 (`EventTimeTrigger`) and keeps a window until watermark ≥ end − 1 + lateness
/// (`WindowOperator.isCleanupTime`). Kafka Streams takes a record in while end > stream time − grace. Spark evicts at
/// watermark ≥ end, and holds late rows against the watermark of the batch before.
#[must_use]
pub fn answers(setup: &Setup, span: Span) -> Option<Answers> {
    setup.window()?;
    match setup.operator {
        Operator::DataStream(DataStream::Window { lateness, .. }) => Some(flink(setup, span, lateness)),
        Operator::DataStream(_) => Some(flink(setup, span, 0)),
        Operator::Sql(Sql::GroupWindow { late_fire, zone, .. }) => {
            Some(flink(setup, shifted(span, zone.offset), late_fire.unwrap_or(0)))
        }
        Operator::Sql(Sql::WindowFunction(function)) => Some(flink(setup, shifted(span, function.zone.offset), 0)),
        Operator::Sql(_) => Some(flink(setup, span, 0)),
        Operator::Streams(Streams::Window { window, grace, emit }) => Some(streams(window, grace, emit, span)),
        Operator::Streams(Streams::Join { .. }) => None,
        Operator::Spark(query) => spark(setup, query, span),
    }
}

/// A window in local time, as UTC.
fn shifted(span: Span, offset: i64) -> Span {
    Span { start: span.start.saturating_sub(offset), end: span.end.saturating_sub(offset) }
}

fn flink(setup: &Setup, span: Span, lateness: i64) -> Answers {
    let bound = setup.watermark.delay.unwrap_or(0);
    let bound = if setup.watermark.form == MarkForm::AtBound { bound.saturating_sub(1) } else { bound };
    let first = span.end.saturating_add(bound);
    let last = first.saturating_add(lateness);
    let measured_on = match setup.watermark.after_merge {
        true => MeasuredOn::AllPartitions,
        false => MeasuredOn::SlowestPartition,
    };
    Answers {
        measured_on,
        first_result: Some(first),
        counted_until: Some(last),
        state_dropped: Some(last),
        repeated: lateness > 0,
    }
}

fn streams(window: Window, grace: i64, emit: StreamsEmit, span: Span) -> Answers {
    // The ends of sliding windows and sessions are inclusive; a session may still grow for a gap.
    let (closed, inclusive) = match window {
        Window::Session { gap } => (span.end.saturating_add(gap).saturating_add(grace), true),
        Window::Sliding { .. } => (span.end.saturating_add(grace), true),
        _ => (span.end.saturating_add(grace), false),
    };
    let counted_until = if inclusive { closed.saturating_add(1) } else { closed };
    let first_result = match emit {
        StreamsEmit::EveryUpdate => None,
        StreamsEmit::OnWindowClose => Some(counted_until),
        StreamsEmit::Suppress => Some(closed),
    };
    Answers {
        measured_on: MeasuredOn::Task,
        first_result,
        counted_until: Some(counted_until),
        state_dropped: Some(counted_until),
        repeated: emit == StreamsEmit::EveryUpdate,
    }
}

fn spark(setup: &Setup, query: Spark, span: Span) -> Option<Answers> {
    let Query::Window { .. } = query.query else { return None };
    let closed = setup.watermark.delay.map(|delay| span.end.saturating_add(delay));
    let closed = closed.filter(|_| query.mode != OutputMode::Complete);
    Some(Answers {
        measured_on: MeasuredOn::FinishedBatches,
        first_result: closed.filter(|_| query.mode == OutputMode::Append),
        counted_until: closed,
        state_dropped: closed,
        repeated: query.mode != OutputMode::Append,
    })
}
