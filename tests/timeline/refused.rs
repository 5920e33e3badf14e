//! What the engines refuse, and what cannot be shown: each with the case beside it that is still possible.

use crate::laws::plain;
use pipeline_desk::timeline::{
    Arrival, DataStream, Event, MAX_ARRIVALS, MAX_PARTITIONS, MAX_WINDOWS, Operator, OutputMode, Query, Refusal, Setup,
    Side, Spark, Sql, Streams, StreamsEmit, Then, Watermark, What, Window, WindowFunction, Zone, predict,
};

/// Further out than this, sums of times could overflow.
const FAR: i64 = 1_000_000_000_000_000;

const TUMBLING: Window = Window::Tumbling { size: 10, offset: 0 };
const SESSION: Window = Window::Session { gap: 10 };
const SLIDING: Window = Window::Sliding { difference: 10 };
const CUMULATING: Window = Window::Cumulating { max: 10, step: 5, offset: 0 };
/// Windows that leave gaps.
const APART: Window = Window::Hopping { size: 5, advance: 10, offset: 0 };

fn hopping(size: i64, advance: i64) -> Window {
    Window::Hopping { size, advance, offset: 0 }
}

fn datastream(window: Window, lateness: i64, then: Option<Then>) -> Operator {
    Operator::DataStream(DataStream::Window { window, lateness, late_output: false, purging: false, then })
}

fn function(window: Window, then: Option<Window>) -> Operator {
    Operator::Sql(Sql::WindowFunction(WindowFunction {
        window,
        two_phase: true,
        zone: Zone::default(),
        flush_heeds_offset: true,
        late_fire: false,
        then,
    }))
}

fn streams(window: Window, grace: i64) -> Operator {
    Operator::Streams(Streams::Window { window, grace, emit: StreamsEmit::EveryUpdate })
}

fn spark(query: Query, mode: OutputMode) -> Operator {
    Operator::Spark(Spark { query, mode, no_data_batches: true, backlog: false })
}

fn windowed(window: Window, mode: OutputMode) -> Operator {
    spark(Query::Window { window, then: None }, mode)
}

/// `+`: possible; else the beginning of what says why not, behind its kind.
fn said(setup: &Setup, arrivals: &[Arrival]) -> String {
    match predict(setup, arrivals) {
        Ok(_) => "+".to_owned(),
        Err(Refusal::Engine(text)) => format!("engine: {text}"),
        Err(Refusal::Input(text)) => format!("input: {text}"),
        Err(Refusal::TooMuch(text)) => format!("too much: {text}"),
    }
}

#[track_caller]
fn check(cases: &[(Setup, &str)]) {
    let mut wrong = String::new();
    for (setup, expected) in cases {
        let said = said(setup, &[]);
        if !said.starts_with(expected) {
            wrong += &format!("{:?}\n  expected {expected}\n  said     {said}\n", setup.operator);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn windows_and_bounds_that_make_no_sense() {
    let joined =
        |lower, upper| plain(Operator::DataStream(DataStream::IntervalJoin { lower, upper, late_output: false }), 0);
    let both = |lower, upper| plain(Operator::Sql(Sql::IntervalJoin { lower, upper, left: false }), 0);
    let spark_joined = |lower, upper| plain(spark(Query::Join { lower, upper, left: false }, OutputMode::Append), 0);
    check(&[
        (joined(0, 0), "+"),
        (joined(-FAR, FAR), "+"),
        (joined(1, 0), "input: join bounds"),
        (joined(-FAR - 1, 0), "input: join bounds"),
        (joined(0, FAR + 1), "input: join bounds"),
        (both(1, 0), "input: join bounds"),
        (spark_joined(1, 0), "input: join bounds"),
        (plain(datastream(Window::Tumbling { size: 0, offset: 0 }, 0, None), 0), "input: window size of 0 ms"),
        (plain(datastream(hopping(10, 0), 0, None), 0), "input: window step of 0 ms"),
        (plain(datastream(TUMBLING, -1, None), 0), "input: allowed lateness of -1 ms"),
        (plain(datastream(TUMBLING, 0, None), -1), "input: watermark delay of -1 ms"),
        (plain(datastream(hopping(MAX_WINDOWS, 1), 0, None), 0), "+"),
        (plain(datastream(hopping(MAX_WINDOWS + 1, 1), 0, None), 0), "too much: a record would fall in 201 windows"),
        (
            plain(datastream(hopping(2 * MAX_WINDOWS + 2, 2), 0, None), 0),
            "too much: a record would fall in 201 windows",
        ),
    ]);
    let partitions =
        |partitions| Setup::new(datastream(TUMBLING, 0, None), Watermark { partitions, ..Watermark::default() });
    check(&[
        (partitions(MAX_PARTITIONS - 1), "+"),
        (partitions(MAX_PARTITIONS), "+"),
        (partitions(MAX_PARTITIONS + 1), "too much: 65 partitions"),
    ]);
}

#[test]
fn what_flink_does_not_have() {
    let then = |window| datastream(TUMBLING, 0, Some(Then { window, lateness: 0 }));
    let group = |window, late_fire| Operator::Sql(Sql::GroupWindow { window, late_fire, zone: Zone::default() });
    let joined = |window| Operator::DataStream(DataStream::WindowJoin { window });
    let sql_joined = |window| Operator::Sql(Sql::WindowJoin { window });
    let cases = [
        (datastream(SLIDING, 0, None), "input: windows per record are Kafka Streams' own"),
        (datastream(CUMULATING, 0, None), "input: cumulating windows are Flink SQL's own"),
        (datastream(APART, 0, None), "+"),
        (then(TUMBLING), "+"),
        (then(SLIDING), "input: windows per record"),
        (joined(TUMBLING), "+"),
        (joined(SESSION), "input: a join in session windows"),
        (joined(CUMULATING), "input: cumulating windows"),
        (group(TUMBLING, Some(5)), "+"),
        (group(TUMBLING, Some(-5)), "input: allowed lateness of -5 ms"),
        (group(SESSION, None), "+"),
        (group(SESSION, Some(5)), "input: late-fire with session windows"),
        (group(SLIDING, None), "input: legacy group windows"),
        (group(CUMULATING, None), "input: legacy group windows"),
        (sql_joined(CUMULATING), "+"),
        (sql_joined(SESSION), "input: a window join needs TUMBLE"),
        (sql_joined(SLIDING), "input: a window join needs TUMBLE"),
        (Operator::Sql(Sql::GroupBy { ttl: Some(1) }), "+"),
        (Operator::Sql(Sql::GroupBy { ttl: Some(0) }), "input: state time to live of 0 ms"),
        (function(hopping(10, 5), None), "+"),
        (function(hopping(10, 3), None), "engine: TableException: HOP table function"),
        (function(CUMULATING, None), "+"),
        (
            function(Window::Cumulating { max: 10, step: 3, offset: 0 }, None),
            "engine: TableException: CUMULATE table function",
        ),
        (function(SLIDING, None), "input: windows per record"),
        (function(TUMBLING, Some(TUMBLING)), "+"),
        (function(TUMBLING, Some(SESSION)), "input: a second window is predicted for TUMBLE only"),
    ];
    check(&cases.map(|(operator, expected)| (plain(operator, 0), expected)));
}

#[test]
fn what_kafka_streams_does_not_have() {
    let cases = [
        (streams(CUMULATING, 0), "input: cumulating windows"),
        (streams(Window::Tumbling { size: 10, offset: 1 }, 0), "input: Kafka Streams aligns windows"),
        (streams(Window::Hopping { size: 10, advance: 5, offset: 1 }, 0), "input: Kafka Streams aligns windows"),
        (streams(hopping(10, 10), 0), "+"),
        (streams(hopping(10, 11), 0), "engine: IllegalArgumentException: AdvanceMs"),
        (streams(SLIDING, 0), "+"),
        (streams(TUMBLING, -1), "input: grace of -1 ms"),
        (Operator::Streams(Streams::Join { before: 1, after: -1, grace: 0, left: false }), "+"),
        (Operator::Streams(Streams::Join { before: 0, after: -1, grace: 0, left: false }), "input: join bounds"),
    ];
    check(&cases.map(|(operator, expected)| (plain(operator, 0), expected)));
}

/// Spark's `UnsupportedOperationChecker`, and the bounds of its windows.
#[test]
fn what_spark_does_not_have() {
    use OutputMode::{Append, Complete, Update};
    let join = |left| Query::Join { lower: 0, upper: 5, left };
    let second = |then| Query::Window { window: TUMBLING, then: Some(then) };
    let offset = |offset| Window::Tumbling { size: 10, offset };
    let cases = [
        (windowed(SESSION, Append), "+"),
        (
            windowed(SESSION, Update),
            "engine: AnalysisException: [STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: update",
        ),
        (windowed(SLIDING, Append), "input: Spark has fixed windows"),
        (windowed(CUMULATING, Append), "input: Spark has fixed windows"),
        (windowed(hopping(10, 10), Append), "+"),
        (windowed(APART, Append), "engine: AnalysisException: The slide duration"),
        (windowed(offset(9), Append), "+"),
        (windowed(offset(-9), Append), "+"),
        (windowed(offset(10), Append), "engine: AnalysisException: The absolute value of start time"),
        (windowed(offset(-10), Append), "engine: AnalysisException: The absolute value of start time"),
        (spark(second(TUMBLING), Append), "+"),
        (spark(second(TUMBLING), Update), "input: a second window is predicted in append mode only"),
        (spark(second(TUMBLING), Complete), "input: a second window is predicted in append mode only"),
        (spark(second(SESSION), Append), "input: a second window is predicted for fixed windows only"),
        (spark(Query::GroupBy, Complete), "+"),
        (
            spark(Query::GroupBy, Append),
            "engine: AnalysisException: [STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: append",
        ),
        (spark(join(false), Append), "+"),
        (
            spark(join(false), Update),
            "engine: AnalysisException: [STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: update",
        ),
        (
            spark(join(false), Complete),
            "engine: AnalysisException: [STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: complete",
        ),
        (spark(Query::DropDuplicatesWithinWatermark, Append), "+"),
    ];
    check(&cases.map(|(operator, expected)| (plain(operator, 0), expected)));
    let unmarked = |operator| Setup::new(operator, Watermark { delay: None, ..Watermark::default() });
    check(&[
        (unmarked(windowed(TUMBLING, Append)), "engine: AnalysisException: [STREAMING_OUTPUT_MODE"),
        (unmarked(windowed(TUMBLING, Update)), "+"),
        (
            unmarked(spark(Query::DropDuplicatesWithinWatermark, Append)),
            "engine: AnalysisException: dropDuplicatesWithinWatermark",
        ),
        (unmarked(spark(join(true), Append)), "engine: AnalysisException: Stream-stream LeftOuter join"),
        (unmarked(spark(join(false), Append)), "+"),
    ]);
}

fn arrival(step: u32, clock: i64, batch: u32, partition: u32, time: i64) -> Arrival {
    let event = Event { id: step.to_string(), time, key: "a".to_owned(), value: 1 };
    Arrival { step, clock, batch, side: Side::Left, partition, what: What::Event(event) }
}

#[test]
fn sequences_that_do_not_fit() {
    let flink = plain(datastream(TUMBLING, 0, None), 0);
    let back = "input: step 1: step, clock or batch goes back";
    for (setup, arrivals, expected) in [
        (flink, [arrival(1, 0, 0, 0, 0), arrival(1, 0, 0, 0, 0)], "+"),
        (flink, [arrival(2, 0, 0, 0, 0), arrival(1, 0, 0, 0, 0)], back),
        (flink, [arrival(1, 1, 0, 0, 0), arrival(1, 0, 0, 0, 0)], back),
        (flink, [arrival(1, 0, 1, 0, 0), arrival(1, 0, 0, 0, 0)], back),
        (flink, [arrival(1, 0, 0, 0, 0), arrival(1, 0, 0, 1, 0)], "input: step 1: there is no partition 1"),
        (flink, [arrival(1, 0, 0, 0, 0), arrival(1, -1, 0, 0, 0)], back),
        (flink, [arrival(1, -1, 0, 0, 0), arrival(1, 0, 0, 0, 0)], "input: step 1: a clock of -1 ms"),
        (flink, [arrival(1, 0, 0, 0, -FAR), arrival(1, 0, 0, 0, FAR)], "+"),
        (flink, [arrival(1, 0, 0, 0, 0), arrival(2, 0, 0, 0, FAR + 1)], "input: step 2: an event time"),
        (plain(streams(TUMBLING, 0), 0), [arrival(1, 0, 0, 0, 0), arrival(1, 0, 0, 9, 0)], "+"),
        (
            plain(streams(TUMBLING, 0), 0),
            [arrival(1, 0, 0, 0, 0), arrival(1, 0, 0, 0, -1)],
            "input: step 1: an event time of -1 ms",
        ),
    ] {
        let said = said(&setup, &arrivals);
        assert!(said.starts_with(expected), "expected {expected}, said {said}");
    }
}

/// As many as can be shown, and one more: arrivals, and their places in windows (each falls in 11 at most here).
#[test]
fn as_many_as_can_be_shown() {
    let many = |count: usize| vec![arrival(1, 0, 0, 0, 0); count];
    let flink = plain(datastream(TUMBLING, 0, None), 0);
    assert_eq!(said(&flink, &many(MAX_ARRIVALS)), "+");
    assert!(said(&flink, &many(MAX_ARRIVALS + 1)).starts_with("too much: 1001 arrivals"));
    let cumulating = |max, step| plain(function(Window::Cumulating { max, step, offset: 0 }, None), 0);
    assert_eq!(said(&cumulating(50, 5), &many(500)), "+");
    assert!(said(&cumulating(50, 5), &many(501)).starts_with("too much: the arrivals fall in 5010 windows"));
}
