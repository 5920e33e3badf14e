//! A short sequence of records, made of a setup's own numbers, that shows what can become of a record.

use super::{
    arrival::{Arrival, Event, Side, What},
    assign::spans,
    closed_form::answers,
    limits,
    outcome::Span,
    setup::{Engine, Operator, Setup, Spark, Sql, Window},
};

/// What a record of the demonstration is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In order and in time.
    OnTime,
    /// Older than the one before, and in time.
    OutOfOrder,
    /// On another partition, which is silent from then on.
    ThenSilent,
    /// Newer: moves event time past the first result.
    MovesOn,
    /// After the first result, and still counted: the result is sent again, or another window counts it.
    LateCounted,
    /// Newer: moves event time to where the window takes nothing in any more.
    ClosesForGood,
    /// After that.
    TooLate,
}

/// The sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demonstration {
    /// The setup, with as many partitions as the sequence has.
    pub setup: Setup,
    /// The records.
    pub arrivals: Vec<Arrival>,
    /// What each is there for.
    pub roles: Vec<Role>,
    /// The window it is about; hopping windows: the first to close of those that hold the records.
    pub span: Span,
}

/// One record a minute of the machine's clock, unless there is an idle timeout.
const PACE: i64 = 60_000;

/// The demonstration for the window that holds `around` (event time, ms); none where the operator has no windows or
/// [`predict`](super::predict) refuses it.
///
/// With `silent`, there is a second partition that sends one record and then nothing: without an idle timeout Flink then
/// waits for it, and nothing is sent.
#[must_use]
pub fn demonstrate(setup: &Setup, around: i64, silent: bool) -> Option<Demonstration> {
    limits::check(setup, &[]).ok()?;
    let window = setup.window()?;
    let around = around.clamp(0, 4_000_000_000_000);
    let length = match window {
        Window::Tumbling { size, .. } => size,
        Window::Hopping { advance, .. } => advance,
        Window::Cumulating { step, .. } => step,
        Window::Session { gap } => gap,
        Window::Sliding { difference } => difference,
    };
    let length = length.clamp(1, 1_000_000_000_000);
    let start = latest_start(setup, window, around)?;
    let at = |eighths: i64| start + length * eighths / 8;
    let (first, last) = ends(setup, window, at(3), at(4))?;
    // A session takes in what comes within its gap: only later records leave it as it is.
    let apart = if let Window::Session { gap } = window { at(4) + gap + 1 } else { i64::MIN };
    let closes = answers(setup, last)?.counted_until.map(|closes| closes.max(apart));
    let end = closes.unwrap_or(last.end.saturating_add(length));
    let moves = answers(setup, first)?.first_result.unwrap_or(last.end.max(at(5))).max(apart).min(end);
    let mut times = vec![(Role::OnTime, at(1)), (Role::OnTime, at(4)), (Role::OutOfOrder, at(2))];
    if silent {
        times.insert(1, (Role::ThenSilent, at(2)));
    }
    // The store of a Kafka Streams session forgets it a little earlier than its grace says.
    if end - moves > i64::from(apart > i64::MIN) * 2 {
        times.extend([(Role::MovesOn, moves), (Role::LateCounted, at(3))]);
    }
    times.push((Role::ClosesForGood, end));
    if matches!(setup.operator, Operator::Spark(Spark { no_data_batches: false, .. })) {
        // Late rows are held against the watermark of the batch before.
        times.push((Role::ClosesForGood, end));
    }
    if closes.is_some() {
        times.push((Role::TooLate, at(3)));
    }
    Some(sequence(setup, &times, first, silent))
}

fn sequence(setup: &Setup, times: &[(Role, i64)], span: Span, silent: bool) -> Demonstration {
    let mut setup = *setup;
    setup.watermark.partitions = if silent { 2 } else { 1 };
    let pace = setup.watermark.idle_after.unwrap_or(PACE).clamp(1, 1_000_000_000);
    setup.rest = if silent { pace.saturating_mul(2) } else { 0 };
    let arrivals = (1u32..).zip(times).map(|(step, (role, time))| {
        let (id, key) = (step.to_string(), "a".to_owned());
        // Both partitions begin at once.
        let turn = if silent { (step - 1).max(1) } else { step };
        Arrival {
            step,
            clock: i64::from(turn) * pace,
            batch: step,
            side: Side::Left,
            partition: u32::from(*role == Role::ThenSilent),
            what: What::Event(Event { id, time: *time, key, value: 1 }),
        }
    });
    let (arrivals, roles) = (arrivals.collect(), times.iter().map(|(role, _)| *role).collect());
    Demonstration { setup, arrivals, roles, span }
}

/// Local time − UTC of the windows, ms.
pub(super) fn zone(setup: &Setup) -> i64 {
    match setup.operator {
        Operator::Sql(Sql::WindowFunction(function)) => function.zone.offset,
        Operator::Sql(Sql::GroupWindow { zone, .. }) => zone.offset,
        _ => 0,
    }
}

/// Start of the last fixed window that starts at or before a time.
fn latest_start(setup: &Setup, window: Window, time: i64) -> Option<i64> {
    let zone = zone(setup);
    let starts = spans(window, time + zone).into_iter().map(|span| (span.start - zone).max(0));
    match window {
        Window::Session { .. } | Window::Sliding { .. } => Some(time),
        _ => starts.max(),
    }
}

/// The first and the last window to close of those that hold a record of `late`; a session as it is after `newest`.
fn ends(setup: &Setup, window: Window, late: i64, newest: i64) -> Option<(Span, Span)> {
    let shape = |span: Span| match (window, setup.engine()) {
        (Window::Session { .. }, Engine::KafkaStreams) => Span { start: late, end: newest },
        (Window::Session { gap }, _) => Span { start: span.start, end: newest - late + span.start + gap },
        (Window::Sliding { difference }, _) => Span { start: late, end: late + difference },
        _ => span,
    };
    let spans: Vec<Span> = spans(window, late + zone(setup)).into_iter().map(shape).collect();
    let first = spans.iter().min_by_key(|span| span.end)?;
    let last = spans.iter().max_by_key(|span| span.end)?;
    Some((*first, *last))
}
