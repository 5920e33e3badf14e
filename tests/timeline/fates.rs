//! What the lines of a recorded run do not say, worked by hand: verdicts, missed windows, lives of windows, partitions, and
//! the sequences of demonstrations.

use super::notation::{Run, runs};
use pipeline_desk::timeline::{
    Arrival, At, Event, Operator, Refusal, Role, Setup, Side, Span, Sql, Streams, StreamsEmit, Timeline, Verdict,
    Watermark, What, Why, Window, WindowFunction, WindowLife, Zone, demonstrate, predict,
};

fn run(engine: &str, set: &str, input: &str) -> Timeline {
    let text = format!("run one\nset {set}\nin {input}");
    let mut runs: Vec<Run> = runs(engine, &text);
    let run = runs.pop().unwrap();
    predict(&run.setup, &run.arrivals).unwrap()
}

fn verdicts(timeline: &Timeline) -> Vec<Verdict> {
    timeline.fates.iter().map(|fate| fate.verdict).collect()
}

fn life(timeline: &Timeline, start: i64, end: i64) -> &WindowLife {
    timeline.windows.iter().find(|life| life.span == Span { start, end }).unwrap()
}

fn spans(timeline: &Timeline) -> Vec<(i64, i64)> {
    timeline.windows.iter().map(|life| (life.span.start, life.span.end)).collect()
}

#[test]
fn a_record_too_late_for_one_of_its_windows_is_partly_counted() {
    let set = "op=window window=hopping:10000:5000:0 delay=0";
    // At 9,999 the window up to 10,000 has fired, and that up to 15,000 has not: both records are in it.
    let timeline = run("flink_datastream", set, "e1,b,10000 e2,a,9000 e3,b,30000");
    assert_eq!(timeline.fates[1].missed, [Span { start: 0, end: 10_000 }]);
    assert_eq!(timeline.fates[1].windows, [Span { start: 5_000, end: 15_000 }]);
    assert_eq!(verdicts(&timeline), [Verdict::Counted, Verdict::PartlyCounted, Verdict::Waiting]);
}

#[test]
fn a_window_lives_from_its_first_record_to_its_cleanup() {
    let set = "op=window window=tumbling:10000:0 delay=0 lateness=5000";
    let timeline = run("flink_datastream", set, "e1,a,1000 e2,a,10000 e3,a,2000 e4,a,15000");
    let life = life(&timeline, 0, 10_000);
    assert_eq!((life.opened, life.first_result, life.last_result), (At::Step(1), Some(At::Step(2)), Some(At::Step(3))));
    // Sent at the watermark 9,999 and for the late record; forgotten at 14,999.
    assert_eq!((life.results, life.purged), (2, Some(At::Step(4))));
}

#[test]
fn a_window_in_a_zone_is_forgotten_when_the_zone_says_so() {
    let set = "op=group-window window=tumbling:3600000:0 zone=1800000 delay=0";
    let timeline = run("flink_sql", set, "e1,a,1000 e2,a,1800000");
    assert_eq!(life(&timeline, 0, 3_600_000).purged, Some(At::Step(2)));
    assert_eq!(life(&timeline, 3_600_000, 7_200_000).purged, None);
}

#[test]
fn a_session_is_purged_when_it_is_merged_and_a_late_one_never_lives() {
    let set = "op=window window=session:5000 delay=0";
    let timeline = run("flink_datastream", set, "e1,a,10000 e2,a,13000 e3,b,30000 e4,a,1000");
    assert_eq!(spans(&timeline), [(10_000, 15_000), (10_000, 18_000), (30_000, 35_000)]);
    assert_eq!(life(&timeline, 10_000, 15_000).purged, Some(At::Step(2)));
    assert!(matches!(timeline.fates[3].verdict, Verdict::Late(_)));
}

#[test]
fn a_row_in_a_buffer_opens_its_windows() {
    // Added up before the shuffle, it waits there for a boundary, and its windows wait for it.
    let timeline = run("flink_sql", "op=window window=hopping:10000:5000:0 delay=0", "e1,a,1000");
    assert_eq!(spans(&timeline), [(-5_000, 5_000), (0, 10_000)]);
    assert!(timeline.windows.iter().all(|life| life.opened == At::Step(1)));
    // The first has fired when the second row comes: only the second is opened by it.
    let timeline = run("flink_sql", "op=window window=hopping:10000:5000:0 delay=0", "e1,b,5000 e2,a,1000");
    let of_a: Vec<Span> = timeline.windows.iter().filter(|life| life.key == "a").map(|life| life.span).collect();
    assert_eq!(of_a, [Span { start: 0, end: 10_000 }]);
}

/// FLINK-36664: windows end at 15 s and 25 s, flushes come at 10 s and 20 s.
#[test]
fn rows_that_leave_their_buffer_behind_their_window_are_named() {
    let set = "op=window one-phase window=tumbling:10000:5000 delay=0";
    let timeline = run("flink_sql", set, "e1,a,6000 e2,a,11000 e3,a,16000 e4,a,21000 e5,a,26000");
    let lost = Verdict::Gone(Why::FlushedTooLate);
    assert_eq!(verdicts(&timeline), [lost, lost, Verdict::Counted, Verdict::Counted, Verdict::Waiting]);
}

#[test]
fn a_window_join_tells_a_gap_from_waiting() {
    // Windows [0, 5,000) and [10,000, 15,000).
    let timeline =
        run("flink_datastream", "op=window-join window=hopping:5000:10000:0 delay=0", "e1,a,7000 e2,a,11000");
    assert_eq!(verdicts(&timeline), [Verdict::Gone(Why::NoWindow), Verdict::Waiting]);
    assert_eq!(timeline.late, []);
}

#[test]
fn spark_holds_rows_against_the_watermark_at_or_above_them() {
    let behind = |set: &str, input: &str| -> Vec<bool> {
        run("spark", set, input).fates.iter().map(|fate| fate.behind).collect()
    };
    let marked = "op=window window=tumbling:10000:0 mode=update delay=0";
    assert_eq!(behind(marked, "e1,a,20000 | e2,a,20000 e3,a,20001"), [false, true, false]);
    let unmarked = "op=window window=tumbling:10000:0 mode=update delay=none";
    assert_eq!(behind(unmarked, "e1,a,0 | e2,a,20000 | e3,a,0"), [false; 3]);
}

/// A left record waits 3.5 s for its partner and a right one 1.5 s, both up to and with the last millisecond.
#[test]
fn a_record_of_a_join_is_unmatched_once_no_partner_can_come() {
    let set = "op=join bounds=-1000:3000 grace=500";
    let timeline = run("kafka_streams", set, "e1,a,10000 e2,b,10000,r e3,c,10500,r e4,d,12000");
    let unmatched = Verdict::Gone(Why::Unmatched);
    assert_eq!(verdicts(&timeline), [Verdict::Waiting, unmatched, Verdict::Waiting, Verdict::Waiting]);
}

#[test]
fn a_window_that_the_store_hides_when_it_closes_is_gone() {
    // Retention is the grace: at 110 the store shows what starts behind 100. The window closes at 111.
    let timeline = run("kafka_streams", "op=window window=sliding:0 emit=close grace=10", "e1,a,100 e2,a,110 e3,b,111");
    assert_eq!(verdicts(&timeline), [Verdict::Gone(Why::HiddenByRetention), Verdict::Waiting, Verdict::Waiting]);
}

#[test]
fn a_record_past_its_sliding_window_missed_the_one_that_ends_with_it() {
    let timeline = run("kafka_streams", "op=window window=sliding:5000 emit=update grace=0", "e1,b,20000 e2,a,14999");
    assert_eq!(timeline.fates[1].missed, [Span { start: 9_999, end: 14_999 }]);
}

#[test]
fn a_step_shows_the_watermark_of_each_partition() {
    let set = "op=window window=tumbling:10000:0 delay=0 partitions=2";
    let timeline = run("flink_datastream", set, "e1,a,1000 e2,a,2000,p=1");
    let marks = |step: usize| timeline.steps[step].partitions.iter().map(|one| one.mark).collect::<Vec<_>>();
    assert_eq!((marks(0), marks(1)), (vec![Some(999), None], vec![Some(999), Some(1_999)]));
}

/// Totals of 1, 2, … n records hold n (n + 1) / 2 together, and there are 2 n − 1 rows: those of 890, 54, 12 and 4 records
/// and eight of one are 398,274 + 1,592 + 101 + 17 + 16 = 400,000.
#[test]
fn results_of_more_than_the_limit_are_refused() {
    let groups = [890, 54, 12, 4, 1, 1, 1, 1, 1, 1, 1, 1];
    let keys = groups.iter().enumerate().flat_map(|(key, many)| std::iter::repeat_n(key, *many));
    let one = |(step, key): (u32, usize)| {
        let event = Event { id: step.to_string(), time: 0, key: key.to_string(), value: 1 };
        Arrival { step, clock: 0, batch: 0, side: Side::Left, partition: 0, what: What::Event(event) }
    };
    let mut arrivals: Vec<Arrival> = (1..).zip(keys).map(one).collect();
    let setup = Setup::new(Operator::Sql(Sql::GroupBy { ttl: None }), Watermark::default());
    assert!(predict(&setup, &arrivals).is_ok());
    arrivals.push(one((969, 12)));
    assert!(matches!(predict(&setup, &arrivals), Err(Refusal::TooMuch(_))));
}

const HOUR: i64 = 3_600_000;

fn shown(setup: &Setup, around: i64) -> (Span, Vec<(Role, i64)>) {
    let demonstration = demonstrate(setup, around, false).unwrap();
    let times = demonstration.arrivals.iter().map(|arrival| arrival.event().unwrap().time);
    let timeline = predict(&demonstration.setup, &demonstration.arrivals).unwrap();
    for (fate, role) in timeline.fates.iter().zip(&demonstration.roles) {
        assert_eq!(matches!(fate.verdict, Verdict::Late(_)), *role == Role::TooLate, "{role:?}");
    }
    (demonstration.span, demonstration.roles.iter().copied().zip(times).collect())
}

/// A day of Shanghai is 16:00 to 16:00 UTC: at 20:00 of day 10 it is day 11 there.
#[test]
fn a_demonstration_shows_the_day_of_the_zone() {
    let window = Window::Tumbling { size: 24 * HOUR, offset: 0 };
    let zone = Zone { offset: 8 * HOUR, daylight_saving: true };
    let function =
        WindowFunction { window, two_phase: false, zone, flush_heeds_offset: true, late_fire: false, then: None };
    for query in [Sql::WindowFunction(function), Sql::GroupWindow { window, late_fire: None, zone }] {
        let setup = Setup::new(Operator::Sql(query), Watermark::default());
        let (span, times) = shown(&setup, (10 * 24 + 20) * HOUR);
        assert_eq!(span, Span { start: 11 * 24 * HOUR, end: 12 * 24 * HOUR });
        let start = (10 * 24 + 16) * HOUR;
        let expected = [
            (Role::OnTime, start + 3 * HOUR),
            (Role::OnTime, start + 12 * HOUR),
            (Role::OutOfOrder, start + 6 * HOUR),
            (Role::ClosesForGood, start + 24 * HOUR),
            (Role::TooLate, start + 9 * HOUR),
        ];
        assert_eq!(times, expected);
    }
}

/// It takes records in up to 1,030,000 + 80,000 + 10,000, and at that still.
#[test]
fn a_demonstration_of_a_sliding_window_follows_its_record() {
    let window = Window::Sliding { difference: 80_000 };
    let operator = Operator::Streams(Streams::Window { window, grace: 10_000, emit: StreamsEmit::EveryUpdate });
    let (span, times) = shown(&Setup::new(operator, Watermark::default()), 1_000_000);
    assert_eq!(span, Span { start: 1_030_000, end: 1_110_000 });
    let expected = [
        (Role::OnTime, 1_010_000),
        (Role::OnTime, 1_040_000),
        (Role::OutOfOrder, 1_020_000),
        (Role::MovesOn, 1_110_000),
        (Role::LateCounted, 1_030_000),
        (Role::ClosesForGood, 1_120_001),
        (Role::TooLate, 1_030_000),
    ];
    assert_eq!(times, expected);
}

/// A suppressed session is sent at 1,030,000 + 60,000 + 30,000 and closed 1 ms later: no late record fits between.
#[test]
fn a_demonstration_of_a_suppressed_session_has_no_time_between() {
    let window = Window::Session { gap: 60_000 };
    let operator = Operator::Streams(Streams::Window { window, grace: 30_000, emit: StreamsEmit::Suppress });
    let (span, times) = shown(&Setup::new(operator, Watermark::default()), 1_000_000);
    assert_eq!(span, Span { start: 1_022_500, end: 1_030_000 });
    let expected = [
        (Role::OnTime, 1_007_500),
        (Role::OnTime, 1_030_000),
        (Role::OutOfOrder, 1_015_000),
        (Role::ClosesForGood, 1_120_001),
        (Role::TooLate, 1_022_500),
    ];
    assert_eq!(times, expected);
}

#[test]
fn two_partitions_begin_at_once() {
    let window = Window::Tumbling { size: 80_000, offset: 0 };
    let operator = Operator::Streams(Streams::Window { window, grace: 0, emit: StreamsEmit::Suppress });
    let clocks = |silent| -> Vec<i64> {
        let shown = demonstrate(&Setup::new(operator, Watermark::default()), 0, silent).unwrap();
        shown.arrivals.iter().map(|arrival| arrival.clock).collect()
    };
    // One a minute.
    assert_eq!(clocks(false), [60_000, 120_000, 180_000, 240_000, 300_000]);
    assert_eq!(clocks(true), [60_000, 60_000, 120_000, 180_000, 240_000, 300_000]);
}
