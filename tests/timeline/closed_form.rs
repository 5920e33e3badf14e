//! The answers for one window: the worked examples, and the same window step by step.

use pipeline_desk::timeline::{
    Arrival, DataStream, Event, MarkForm, MeasuredOn, Operator, OutputMode, Query, Setup, Side, Span, Spark, Sql,
    Streams, StreamsEmit, Verdict, Watermark, What, Window, WindowFunction, Zone, answers, predict,
};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
/// 12:00 of the first day.
const NOON: i64 = 12 * 60 * MINUTE;

const FIVE_MINUTES: Window = Window::Tumbling { size: 5 * MINUTE, offset: 0 };
const TO_12_05: Span = Span { start: NOON, end: NOON + 5 * MINUTE };

fn setup(operator: Operator, delay: i64) -> Setup {
    Setup::new(operator, Watermark { delay: Some(delay), ..Watermark::default() })
}

fn datastream(window: Window, lateness: i64) -> Operator {
    Operator::DataStream(DataStream::Window { window, lateness, late_output: true, purging: false, then: None })
}

fn streams(window: Window, grace: i64, emit: StreamsEmit) -> Operator {
    Operator::Streams(Streams::Window { window, grace, emit })
}

fn spark(window: Window, mode: OutputMode) -> Operator {
    Operator::Spark(Spark { query: Query::Window { window, then: None }, mode, no_data_batches: true, backlog: false })
}

#[test]
fn flink_fires_at_end_and_bound_and_drops_after_the_lateness() {
    // [12:00, 12:05), bound 60 s: first result at 12:06:00; with 10 min of lateness counted until 12:16:00.
    let with = answers(&setup(datastream(FIVE_MINUTES, 10 * MINUTE), 60 * SECOND), TO_12_05).unwrap();
    assert_eq!(with.measured_on, MeasuredOn::SlowestPartition);
    assert_eq!(with.first_result, Some(NOON + 6 * MINUTE));
    assert_eq!(with.counted_until, Some(NOON + 16 * MINUTE));
    assert_eq!(with.state_dropped, Some(NOON + 16 * MINUTE));
    assert!(with.repeated);
    // Without lateness a record has to come before 12:06:00.
    let without = answers(&setup(datastream(FIVE_MINUTES, 0), 60 * SECOND), TO_12_05).unwrap();
    assert_eq!((without.counted_until, without.repeated), (Some(NOON + 6 * MINUTE), false));
}

#[test]
fn kafka_streams_waits_for_the_grace() {
    // Grace of 11 min stands for bound and lateness together: until 12:16:00.
    let suppressed = setup(streams(FIVE_MINUTES, 11 * MINUTE, StreamsEmit::Suppress), 0);
    let suppressed = answers(&suppressed, TO_12_05).unwrap();
    assert_eq!(suppressed.measured_on, MeasuredOn::Task);
    assert_eq!(suppressed.first_result, Some(NOON + 16 * MINUTE));
    assert_eq!(suppressed.counted_until, Some(NOON + 16 * MINUTE));
    let updates = setup(streams(FIVE_MINUTES, 11 * MINUTE, StreamsEmit::EveryUpdate), 0);
    let updates = answers(&updates, TO_12_05).unwrap();
    assert_eq!((updates.first_result, updates.repeated), (None, true));
    // A session [1 s, 6 s] of gap 5 s and grace 2 s may grow at 13 s still, and is closed at 13.001 s.
    let session = streams(Window::Session { gap: 5 * SECOND }, 2 * SECOND, StreamsEmit::OnWindowClose);
    let session = answers(&setup(session, 0), Span { start: SECOND, end: 6 * SECOND }).unwrap();
    assert_eq!((session.first_result, session.counted_until), (Some(13_001), Some(13_001)));
    // A sliding window [1 s, 6 s] of grace 2 s: a record counts at 8 s still.
    let sliding = |emit| {
        let sliding = streams(Window::Sliding { difference: 5 * SECOND }, 2 * SECOND, emit);
        answers(&setup(sliding, 0), Span { start: SECOND, end: 6 * SECOND }).unwrap()
    };
    assert_eq!(sliding(StreamsEmit::OnWindowClose).first_result, Some(8_001));
    assert_eq!(sliding(StreamsEmit::Suppress).first_result, Some(8_000));
    assert_eq!(sliding(StreamsEmit::Suppress).counted_until, Some(8_001));
}

#[test]
fn spark_evicts_at_end_and_delay() {
    // Delay of 11 min: the row is appended in the batch after one that saw 12:16:00.
    let append = answers(&setup(spark(FIVE_MINUTES, OutputMode::Append), 11 * MINUTE), TO_12_05).unwrap();
    assert_eq!(append.measured_on, MeasuredOn::FinishedBatches);
    assert_eq!(append.first_result, Some(NOON + 16 * MINUTE));
    assert_eq!(append.counted_until, Some(NOON + 16 * MINUTE));
    let complete = answers(&setup(spark(FIVE_MINUTES, OutputMode::Complete), 11 * MINUTE), TO_12_05).unwrap();
    assert_eq!((complete.counted_until, complete.state_dropped), (None, None));
    let update = answers(&setup(spark(FIVE_MINUTES, OutputMode::Update), 11 * MINUTE), TO_12_05).unwrap();
    assert_eq!((append.repeated, update.repeated, complete.repeated), (false, true, true));
}

#[test]
fn a_watermark_declared_in_sql_is_one_millisecond_ahead() {
    let function = WindowFunction {
        window: FIVE_MINUTES,
        two_phase: true,
        zone: Zone::default(),
        flush_heeds_offset: true,
        late_fire: false,
        then: None,
    };
    let mut setup = setup(Operator::Sql(Sql::WindowFunction(function)), 60 * SECOND);
    setup.watermark.form = MarkForm::AtBound;
    assert_eq!(answers(&setup, TO_12_05).unwrap().first_result, Some(NOON + 6 * MINUTE - 1));
    // A day of Shanghai is 16:00 to 16:00 UTC; window_end is written in local time.
    let day = 24 * 60 * MINUTE;
    let zone = Zone { offset: 8 * 60 * MINUTE, daylight_saving: false };
    let window = Window::Tumbling { size: day, offset: 0 };
    setup.operator = Operator::Sql(Sql::WindowFunction(WindowFunction { window, zone, ..function }));
    let answers = answers(&setup, Span { start: 0, end: day }).unwrap();
    assert_eq!(answers.first_result, Some(16 * 60 * MINUTE + 60 * SECOND - 1));
}

#[test]
fn an_operator_without_windows_has_no_answers() {
    let join = Operator::DataStream(DataStream::IntervalJoin { lower: 0, upper: 1, late_output: false });
    assert_eq!(answers(&setup(join, 0), TO_12_05), None);
}

fn arrivals(times: &[i64]) -> Vec<Arrival> {
    let one = |(step, time): (u32, &i64)| {
        let event = Event { id: step.to_string(), time: *time, key: "k".to_owned(), value: 1 };
        let clock = i64::from(step);
        Arrival { step, clock, batch: step, side: Side::Left, partition: 0, what: What::Event(event) }
    };
    (1..).zip(times).map(one).collect()
}

/// Step by step, a window behaves as its answers say, to the millisecond.
#[test]
fn the_answers_are_what_happens() {
    let mut seen = 0;
    for size in [1, 7, 10_000] {
        for offset in [0, -3, 4] {
            let window = Window::Tumbling { size, offset: offset % size };
            for delay in [0, 1, 2_500] {
                for lateness in [0, 1, 4_000] {
                    let setups = [
                        setup(datastream(window, lateness), delay),
                        setup(
                            Operator::Sql(Sql::GroupWindow {
                                window,
                                late_fire: Some(lateness),
                                zone: Zone::default(),
                            }),
                            delay,
                        ),
                        setup(streams(window, lateness, StreamsEmit::Suppress), 0),
                        setup(streams(window, lateness, StreamsEmit::OnWindowClose), 0),
                        setup(spark(window, OutputMode::Append), delay),
                        setup(spark(window, OutputMode::Update), delay),
                    ];
                    for setup in setups {
                        seen += usize::from(follows(&setup, size, offset % size));
                    }
                }
            }
        }
    }
    // Kafka Streams has no offset: of the nine sizes and offsets it takes the three of 1 ms and two others.
    assert_eq!(seen, 9 * 9 * 4 + 5 * 9 * 2);
}

/// Whether the setup is one the engine takes.
fn follows(setup: &Setup, size: i64, offset: i64) -> bool {
    let start = 1_000_000 * size + offset;
    let span = Span { start, end: start + size };
    let (own, says) = (start + size / 2, answers(setup, span).unwrap());
    let until = says.counted_until.unwrap();
    let Ok(last) = predict(setup, &arrivals(&[own, until - 1, own])) else { return false };
    assert_eq!(
        last.fates[2].verdict != Verdict::Waiting,
        says.first_result.is_none_or(|first| first < until),
        "{setup:?}"
    );
    assert!(!matches!(last.fates[2].verdict, Verdict::Late(_)), "counted until {until}: {setup:?}");
    let over = predict(setup, &arrivals(&[own, until, own])).unwrap();
    assert!(matches!(over.fates[2].verdict, Verdict::Late(_)), "too late at {until}: {setup:?}");
    if let Some(first) = says.first_result {
        let before = predict(setup, &arrivals(&[own, first - 1])).unwrap();
        assert_eq!(before.fates[0].verdict, Verdict::Waiting, "no result before {first}: {setup:?}");
        let after = predict(setup, &arrivals(&[own, first])).unwrap();
        assert_eq!(after.fates[0].verdict, Verdict::Counted, "a result at {first}: {setup:?}");
        let purged = |last: i64| {
            let timeline = predict(setup, &arrivals(&[own, last])).unwrap();
            timeline.windows.iter().find(|life| life.span == span).unwrap().purged.is_some()
        };
        let dropped = says.state_dropped.unwrap();
        assert!(!purged(dropped - 1) && purged(dropped), "state is dropped at {dropped}: {setup:?}");
    }
    true
}
