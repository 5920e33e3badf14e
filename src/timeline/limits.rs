//! What is refused: queries the engine refuses, sequences that do not fit, and more than can be worked through.

use super::{
    Arrival,
    setup::{DataStream, Operator, OutputMode, Query, Setup, Spark, Sql, Streams, Window, WindowFunction},
};
use std::fmt;

/// Most arrivals of one sequence.
pub const MAX_ARRIVALS: usize = 1_000;
/// Most partitions of one input.
pub const MAX_PARTITIONS: u32 = 64;
/// Most windows one record may fall in.
pub const MAX_WINDOWS: i64 = 200;
/// Most places of records in windows: arrivals × windows a record falls in.
pub const MAX_PLACES: i64 = 5_000;
/// Most members of all result rows together.
pub(super) const MAX_MEMBERS: usize = 400_000;

/// Times and lengths further out overflow: some 30,000 years.
const FARTHEST: i64 = 1_000_000_000_000_000;

/// Why nothing is predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The engine refuses the query, with these words.
    Engine(String),
    /// The setup or sequence makes no sense: what, and where.
    Input(String),
    /// It is too much: of what, and how much is possible.
    TooMuch(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(text) | Self::Input(text) | Self::TooMuch(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Refusal {}

fn engine<T>(text: &str) -> Result<T, Refusal> {
    Err(Refusal::Engine(text.to_owned()))
}

fn input<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Input(text.into()))
}

/// Everything that can be refused before the first step.
pub(super) fn check(setup: &Setup, arrivals: &[Arrival]) -> Result<(), Refusal> {
    check_watermark(setup)?;
    if let Some(window) = setup.window() {
        check_window(window, "window")?;
    }
    match &setup.operator {
        Operator::DataStream(operator) => check_datastream(operator)?,
        Operator::Sql(query) => check_sql(query)?,
        Operator::Streams(operator) => check_streams(operator)?,
        Operator::Spark(query) => check_spark(query, setup)?,
    }
    check_arrivals(setup, arrivals)
}

fn length(value: i64, least: i64, what: &str) -> Result<(), Refusal> {
    if (least..=FARTHEST).contains(&value) {
        return Ok(());
    }
    input(format!("{what} of {value} ms: use {least} ms or more, up to {FARTHEST} ms"))
}

fn bounds(lower: i64, upper: i64) -> Result<(), Refusal> {
    if -FARTHEST <= lower && lower <= upper && upper <= FARTHEST {
        return Ok(());
    }
    input(format!("join bounds {lower} ms to {upper} ms: the lower one must not be above the upper one"))
}

fn check_watermark(setup: &Setup) -> Result<(), Refusal> {
    let watermark = &setup.watermark;
    length(watermark.delay.unwrap_or(0), 0, "watermark delay")?;
    length(watermark.interval.unwrap_or(1), 1, "watermark interval")?;
    length(watermark.idle_after.unwrap_or(1), 1, "idle timeout")?;
    length(setup.rest, 0, "time after the last arrival")?;
    if watermark.partitions > MAX_PARTITIONS {
        return Err(Refusal::TooMuch(format!(
            "{} partitions: at most {MAX_PARTITIONS} can be shown",
            watermark.partitions
        )));
    }
    Ok(())
}

/// The most windows a record falls in, of a window that has been checked.
fn per_record(window: Window) -> i64 {
    match window {
        Window::Hopping { size, advance, .. } => size / advance + 1,
        Window::Cumulating { max, step, .. } => max / step,
        Window::Sliding { .. } => 3,
        Window::Tumbling { .. } | Window::Session { .. } => 1,
    }
}

fn check_window(window: Window, what: &str) -> Result<(), Refusal> {
    let (size, step, offset) = match window {
        Window::Tumbling { size, offset } => (size, size, offset),
        Window::Hopping { size, advance, offset } => (size, advance, offset),
        Window::Cumulating { max, step, offset } => (max, step, offset),
        Window::Session { gap } => (gap, gap, 0),
        Window::Sliding { difference } => return length(difference, 0, "time difference"),
    };
    length(size, 1, &format!("{what} size"))?;
    length(step, 1, &format!("{what} step"))?;
    length(offset.saturating_abs(), 0, &format!("{what} offset"))?;
    if size / step > MAX_WINDOWS {
        let windows = size / step;
        return Err(Refusal::TooMuch(format!(
            "a record would fall in {windows} windows: at most {MAX_WINDOWS} can be shown, use a longer step"
        )));
    }
    Ok(())
}

fn check_datastream(operator: &DataStream) -> Result<(), Refusal> {
    let known = |window| match window {
        Window::Sliding { .. } => input("windows per record are Kafka Streams' own: use another window"),
        Window::Cumulating { .. } => input("cumulating windows are Flink SQL's own: use another window"),
        _ => Ok(()),
    };
    match operator {
        DataStream::Window { window, lateness, then, .. } => {
            known(*window)?;
            length(*lateness, 0, "allowed lateness")?;
            let Some(then) = then else { return Ok(()) };
            check_window(then.window, "second window")?;
            known(then.window)?;
            length(then.lateness, 0, "allowed lateness of the second window")
        }
        DataStream::IntervalJoin { lower, upper, .. } => bounds(*lower, *upper),
        DataStream::WindowJoin { window: Window::Session { .. } } => {
            input("a join in session windows is not predicted: use fixed windows")
        }
        DataStream::WindowJoin { window } => known(*window),
    }
}

fn check_sql(query: &Sql) -> Result<(), Refusal> {
    if let Sql::WindowFunction(function) = query {
        return check_window_function(function);
    }
    match query {
        Sql::GroupWindow { window, late_fire, zone } => {
            length(zone.offset.saturating_abs(), 0, "zone offset")?;
            length(late_fire.unwrap_or(0), 0, "allowed lateness")?;
            match (window, late_fire) {
                (Window::Session { .. }, Some(_)) => {
                    input("late-fire with session windows is not predicted: use fixed windows, or leave late-fire out")
                }
                (Window::Sliding { .. } | Window::Cumulating { .. }, _) => {
                    input("legacy group windows are TUMBLE, HOP and SESSION: use one of these")
                }
                _ => Ok(()),
            }
        }
        Sql::IntervalJoin { lower, upper, .. } => bounds(*lower, *upper),
        Sql::WindowJoin { window: Window::Session { .. } | Window::Sliding { .. } } => {
            input("a window join needs TUMBLE, HOP or CUMULATE: use one of these")
        }
        Sql::GroupBy { ttl } => length(ttl.unwrap_or(1), 1, "state time to live"),
        _ => Ok(()),
    }
}

fn check_window_function(function: &WindowFunction) -> Result<(), Refusal> {
    length(function.zone.offset.saturating_abs(), 0, "zone offset")?;
    if function.late_fire {
        return engine(
            "TableException: Currently, window table function based aggregate doesn't support early-fire and \
             late-fire configuration",
        );
    }
    match function.window {
        Window::Hopping { size, advance, .. } if size % advance != 0 => {
            return Err(Refusal::Engine(format!(
                "TableException: HOP table function based aggregate requires size must be an integral multiple of \
                 slide, but got size {size} ms and slide {advance} ms"
            )));
        }
        Window::Cumulating { max, step, .. } if max % step != 0 => {
            return Err(Refusal::Engine(format!(
                "TableException: CUMULATE table function based aggregate requires maxSize must be an integral \
                 multiple of step, but got maxSize {max} ms and step {step} ms"
            )));
        }
        Window::Sliding { .. } => return input("windows per record are Kafka Streams' own: use another window"),
        _ => {}
    }
    match function.then {
        None => Ok(()),
        Some(window @ Window::Tumbling { .. }) => check_window(window, "second window"),
        Some(_) => input("a second window is predicted for TUMBLE only: use a tumbling one"),
    }
}

fn check_streams(operator: &Streams) -> Result<(), Refusal> {
    match operator {
        Streams::Join { before, after, grace, .. } => {
            length(*grace, 0, "grace")?;
            bounds(before.saturating_neg(), *after)
        }
        Streams::Window { window, grace, .. } => {
            length(*grace, 0, "grace")?;
            match window {
                Window::Cumulating { .. } => input("cumulating windows are Flink SQL's own: use another window"),
                Window::Tumbling { offset, .. } | Window::Hopping { offset, .. } if *offset != 0 => {
                    input("Kafka Streams aligns windows to the epoch: leave the offset out")
                }
                Window::Hopping { size, advance, .. } if advance > size => {
                    engine("IllegalArgumentException: AdvanceMs should be in the range of (0, windowSize]")
                }
                _ => Ok(()),
            }
        }
    }
}

fn check_spark(query: &Spark, setup: &Setup) -> Result<(), Refusal> {
    let mode = |mode: &str, operation: &str| {
        Err(Refusal::Engine(format!(
            "AnalysisException: [STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: {mode}. \
             This output mode is not supported for {operation}"
        )))
    };
    let aggregates = matches!(query.query, Query::Window { .. } | Query::GroupBy);
    let marked = setup.watermark.delay.is_some() && query.query != Query::GroupBy;
    match (query.query, query.mode) {
        (_, OutputMode::Append) if aggregates && !marked => {
            return mode("append", "streaming aggregations without watermark on streaming DataFrames/DataSets");
        }
        (Query::Window { window: Window::Session { .. }, .. }, OutputMode::Update) => {
            return mode("update", "session window streaming aggregations on streaming DataFrames/DataSets");
        }
        (Query::Window { then: Some(_), .. }, OutputMode::Update | OutputMode::Complete) => {
            return input("a second window is predicted in append mode only: use append");
        }
        (_, OutputMode::Complete) if !aggregates => {
            return mode("complete", "streaming queries without streaming aggregations");
        }
        (Query::DropDuplicatesWithinWatermark, _) if !marked => {
            return engine("AnalysisException: dropDuplicatesWithinWatermark is not supported without watermark");
        }
        (Query::Join { left: true, .. }, _) if !marked => {
            return engine("AnalysisException: Stream-stream LeftOuter join needs a watermark");
        }
        (Query::Join { .. }, OutputMode::Update) => {
            return mode("update", "Join between two streaming DataFrames/Datasets");
        }
        _ => {}
    }
    match query.query {
        Query::Window { window, then } => {
            check_spark_window(window)?;
            let Some(then) = then else { return Ok(()) };
            check_window(then, "second window")?;
            match then {
                Window::Tumbling { .. } | Window::Hopping { .. } => check_spark_window(then),
                _ => input("a second window is predicted for fixed windows only: use a fixed one"),
            }
        }
        Query::Join { lower, upper, .. } => bounds(lower, upper),
        _ => Ok(()),
    }
}

fn check_spark_window(window: Window) -> Result<(), Refusal> {
    match window {
        Window::Sliding { .. } | Window::Cumulating { .. } => {
            input("Spark has fixed windows and session_window: use one of these")
        }
        Window::Hopping { size, advance, .. } if advance > size => {
            engine("AnalysisException: The slide duration must be less than or equal to the windowDuration")
        }
        Window::Tumbling { size: step, offset } | Window::Hopping { advance: step, offset, .. }
            if offset.abs() >= step =>
        {
            engine("AnalysisException: The absolute value of start time must be less than the slideDuration")
        }
        _ => Ok(()),
    }
}

fn check_arrivals(setup: &Setup, arrivals: &[Arrival]) -> Result<(), Refusal> {
    if arrivals.len() > MAX_ARRIVALS {
        return Err(Refusal::TooMuch(format!("{} arrivals: at most {MAX_ARRIVALS} can be shown", arrivals.len())));
    }
    let places = setup.window().map_or(1, per_record).saturating_mul(arrivals.len() as i64);
    if places > MAX_PLACES {
        return Err(Refusal::TooMuch(format!(
            "the arrivals fall in {places} windows together: at most {MAX_PLACES} can be shown, use fewer arrivals or a \
             longer step"
        )));
    }
    let flink = matches!(setup.operator, Operator::DataStream(_) | Operator::Sql(_));
    for (at, arrival) in arrivals.iter().enumerate() {
        let step = arrival.step;
        let before = at.checked_sub(1).map(|at| &arrivals[at]);
        if let Some(before) = before
            && (before.step > step || before.clock > arrival.clock || before.batch > arrival.batch)
        {
            return input(format!("step {step}: step, clock or batch goes back behind step {}", before.step));
        }
        if !(0..=FARTHEST).contains(&arrival.clock) {
            return input(format!("step {step}: a clock of {} ms is out of range", arrival.clock));
        }
        if flink && arrival.partition >= setup.watermark.partitions.max(1) {
            return input(format!("step {step}: there is no partition {}", arrival.partition));
        }
        let Some(event) = arrival.event() else { continue };
        let earliest = if matches!(setup.operator, Operator::Streams(_)) { 0 } else { -FARTHEST };
        if !(earliest..=FARTHEST).contains(&event.time) {
            return input(format!("step {step}: an event time of {} ms is out of range", event.time));
        }
    }
    Ok(())
}
