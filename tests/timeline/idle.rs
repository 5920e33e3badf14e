//! Idle partitions of Flink: `StatusWatermarkValve`, by hand.

use pipeline_desk::timeline::{
    Arrival, DataStream, Event, Operator, Setup, Side, Verdict, Watermark, What, Window, predict,
};

/// A record of a partition, or (no time) its idle mark.
fn arrivals(rows: &[(u32, Option<i64>)]) -> Vec<Arrival> {
    let one = |(step, (partition, time)): (u32, &(u32, Option<i64>))| {
        let event = |time| Event { id: step.to_string(), time, key: "a".to_owned(), value: 1 };
        let what = time.map_or(What::Idle, |time| What::Event(event(time)));
        Arrival { step, clock: 0, batch: 0, side: Side::Left, partition: *partition, what }
    };
    (1..).zip(rows).map(one).collect()
}

fn marks(rows: &[(u32, Option<i64>)]) -> (Vec<Option<i64>>, Vec<Verdict>) {
    let window = Window::Tumbling { size: 10_000, offset: 0 };
    let operator =
        Operator::DataStream(DataStream::Window { window, lateness: 0, late_output: true, purging: false, then: None });
    let setup = Setup::new(operator, Watermark { partitions: 2, heeds_idle: true, ..Watermark::default() });
    let timeline = predict(&setup, &arrivals(rows)).unwrap();
    let marks = timeline.steps.iter().map(|step| step.watermark).collect();
    (marks, timeline.fates.iter().map(|fate| fate.verdict).collect())
}

#[test]
fn a_partition_that_resumes_behind_is_left_out_until_it_has_caught_up() {
    let (marks, verdicts) = marks(&[
        (0, Some(1_000)),
        (1, Some(2_000)),
        (0, Some(30_000)),
        (1, None),
        (1, Some(5_000)),
        (0, Some(41_000)),
        (1, Some(35_000)),
        (0, Some(52_000)),
        (1, Some(60_000)),
        (0, Some(70_000)),
    ]);
    let expected = [None, Some(999), Some(1_999), Some(29_999), Some(29_999), Some(40_999), Some(40_999)];
    assert_eq!(marks[..7], expected);
    // Behind until it passes 51,999; from then on it is waited for again.
    assert_eq!(marks[7..], [Some(51_999), Some(51_999), Some(59_999)]);
    let late = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Late(_))).count();
    assert_eq!(late, 2, "5,000 came at 29,999, and 35,000 at 40,999");
}

#[test]
fn when_all_are_idle_the_watermark_goes_to_the_highest() {
    let first = [(0, Some(1_000)), (1, Some(30_000)), (1, None), (0, None)];
    assert_eq!(marks(&first).0, [None, Some(999), Some(999), Some(29_999)]);
    let last = [(0, Some(1_000)), (1, Some(30_000)), (0, None), (1, None)];
    assert_eq!(marks(&last).0, [None, Some(999), Some(29_999), Some(29_999)]);
}

#[test]
fn a_partition_that_resumes_at_the_watermark_is_waited_for() {
    // It resumes with 29,999, which is the watermark: it has caught up.
    let caught_up =
        [(0, Some(1_000)), (1, Some(2_000)), (0, Some(30_000)), (1, None), (1, Some(30_000)), (0, Some(41_000))];
    assert_eq!(marks(&caught_up).0, [None, Some(999), Some(1_999), Some(29_999), Some(29_999), Some(29_999)]);
    // It resumes with an old record, and has never been behind.
    let never_behind = [(0, Some(1_000)), (1, Some(1_000)), (1, None), (1, Some(500)), (0, Some(5_000))];
    assert_eq!(marks(&never_behind).0, [None, Some(999), Some(999), Some(999), Some(999)]);
}

/// What a partition has is sent before it is marked as idle in the same millisecond (`WatermarkAssignerOperator` sends in
/// its timer and asks for idleness after that): a mark that came behind would have it waited for again.
#[test]
fn a_watermark_is_sent_before_its_partition_falls_idle() {
    let rows =
        [(100, 0, 30_000), (101, 1, 10_000), (200, 1, 10_000), (210, 1, 50_000), (305, 1, 50_000), (401, 1, 50_000)];
    let one = |(step, (clock, partition, time)): (u32, (i64, u32, i64))| {
        let event = Event { id: step.to_string(), time, key: "a".to_owned(), value: 1 };
        Arrival { step, clock, batch: 0, side: Side::Left, partition, what: What::Event(event) }
    };
    let arrivals: Vec<Arrival> = (1..).zip(rows).map(one).collect();
    let window = Window::Tumbling { size: 10_000, offset: 0 };
    let operator =
        Operator::DataStream(DataStream::Window { window, lateness: 0, late_output: true, purging: false, then: None });
    // A tick each 200 ms; the first partition falls idle 100 ms after its record of 100: at 200.
    let rule = Watermark {
        partitions: 2,
        interval: Some(200),
        idle_after: Some(99),
        heeds_idle: true,
        ..Watermark::default()
    };
    let timeline = predict(&Setup::new(operator, rule), &arrivals).unwrap();
    let marks: Vec<_> = timeline.steps.iter().map(|step| step.watermark).collect();
    // A step is shown as it stands when the next record comes.
    assert_eq!(marks, [None, None, Some(9_999), Some(9_999), Some(49_999), Some(49_999)]);
}
