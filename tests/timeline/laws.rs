//! What holds for any input.

use pipeline_desk::timeline::{
    Arrival, At, Change, DataStream, Event, Keep, MAX_WINDOWS, MarkForm, MergePolicy, Operator, OutputMode, Query,
    Role, Setup, Side, Spark, Sql, Streams, StreamsEmit, Subject, Then, Timeline, Verdict, Watermark, What, Window,
    WindowFunction, WindowLife, Zone, demonstrate, predict,
};
use proptest::prelude::*;

/// Mostly small numbers, sometimes absurd ones.
fn number() -> BoxedStrategy<i64> {
    prop_oneof![8 => -5i64..40, 1 => any::<i64>(), 1 => Just(i64::MAX), 1 => Just(i64::MIN)].boxed()
}

fn small() -> BoxedStrategy<i64> {
    (0i64..12).boxed()
}

fn windows(number: BoxedStrategy<i64>) -> impl Strategy<Value = Window> {
    let two = (number.clone(), number.clone(), number.clone());
    prop_oneof![
        (number.clone(), number.clone()).prop_map(|(size, offset)| Window::Tumbling { size, offset }),
        two.clone().prop_map(|(size, advance, offset)| Window::Hopping { size, advance, offset }),
        two.prop_map(|(max, step, offset)| Window::Cumulating { max, step, offset }),
        number.clone().prop_map(|gap| Window::Session { gap }),
        number.prop_map(|difference| Window::Sliding { difference }),
    ]
}

fn operators(number: BoxedStrategy<i64>) -> impl Strategy<Value = Operator> {
    let numbers = (number.clone(), number.clone(), any::<bool>(), any::<bool>());
    let window = windows(number.clone());
    let more = (windows(number.clone()), any::<bool>(), 0u8..4, 0u8..3);
    (0u8..16, window, numbers, more, number).prop_map(
        |(which, window, (a, b, yes, no), (other, then, four, three), c)| {
            let second = then.then_some(other);
            let zone = Zone { offset: c, daylight_saving: no };
            let keep = [Keep::FirstByTime, Keep::LastByTime, Keep::FirstToArrive, Keep::LastToArrive][four as usize];
            let emit = [StreamsEmit::EveryUpdate, StreamsEmit::OnWindowClose, StreamsEmit::Suppress][three as usize];
            let mode = [OutputMode::Append, OutputMode::Update, OutputMode::Complete][three as usize];
            let spark = |query| Operator::Spark(Spark { query, mode, no_data_batches: yes, backlog: no });
            match which {
                0 | 1 => Operator::DataStream(DataStream::Window {
                    window,
                    lateness: a,
                    late_output: yes,
                    purging: no,
                    then: second.map(|window| Then { window, lateness: b }),
                }),
                2 => Operator::DataStream(DataStream::IntervalJoin { lower: a, upper: b, late_output: yes }),
                3 => Operator::DataStream(DataStream::WindowJoin { window }),
                4 | 5 => Operator::Sql(Sql::WindowFunction(WindowFunction {
                    window,
                    two_phase: yes,
                    zone,
                    flush_heeds_offset: no,
                    late_fire: false,
                    then: second,
                })),
                6 => Operator::Sql(Sql::GroupWindow { window, late_fire: yes.then_some(a), zone }),
                7 => Operator::Sql(Sql::Deduplicate(keep)),
                8 => Operator::Sql(Sql::GroupBy { ttl: yes.then_some(a) }),
                9 => Operator::Sql(Sql::IntervalJoin { lower: a, upper: b, left: yes }),
                10 => Operator::Sql(if yes { Sql::WindowJoin { window } } else { Sql::Join { left: no } }),
                11 | 12 => Operator::Streams(Streams::Window { window, grace: a, emit }),
                13 => Operator::Streams(Streams::Join { before: a, after: b, grace: c, left: yes }),
                14 => spark(Query::Window { window, then: second }),
                _ => spark(match four {
                    0 => Query::GroupBy,
                    1 => Query::DropDuplicatesWithinWatermark,
                    _ => Query::Join { lower: a, upper: b, left: no },
                }),
            }
        },
    )
}

fn setups(number: BoxedStrategy<i64>) -> impl Strategy<Value = Setup> {
    let maybe = proptest::option::of(number.clone());
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (operators(number.clone()), maybe.clone(), maybe.clone(), maybe, 0u32..4, flags, number).prop_map(
        |(operator, delay, interval, idle_after, partitions, (after_merge, heeds_idle, ends, at_bound), rest)| {
            let form = if at_bound { MarkForm::AtBound } else { MarkForm::OneBehind };
            let policy = if at_bound { MergePolicy::Max } else { MergePolicy::Min };
            let watermark =
                Watermark { delay, form, interval, partitions, after_merge, idle_after, heeds_idle, policy };
            Setup { operator, watermark, ends, rest }
        },
    )
}

pub fn sequences(time: BoxedStrategy<i64>, partitions: u32) -> impl Strategy<Value = Vec<Arrival>> {
    let one = (time, 0u8..3, 0..partitions, any::<bool>(), 0i64..6, 0u8..20);
    proptest::collection::vec(one, 0..40).prop_map(|rows| {
        let (mut clock, mut batch) = (0, 0);
        let one = |(step, (time, key, partition, right, gap, kind)): (u32, (i64, u8, u32, bool, i64, u8))| {
            clock += gap;
            batch += u32::from(gap > 2);
            let key = ["a", "b", "c"][key as usize].to_owned();
            let what = match kind {
                0 => What::Idle,
                1 => What::Checkpoint,
                _ => What::Event(Event { id: step.to_string(), time, key, value: 1 }),
            };
            let side = if right { Side::Right } else { Side::Left };
            Arrival { step, clock, batch, side, partition, what }
        };
        (1..).zip(rows).map(one).collect()
    })
}

/// The records that a result names.
fn shown(timeline: &Timeline, event: usize) -> bool {
    timeline.emissions.iter().any(|emission| {
        let row = &emission.row;
        let adds = !matches!(emission.change, Change::UpdateBefore | Change::Delete | Change::Tombstone);
        adds && (row.events.contains(&event) || row.pair.iter().flatten().any(|other| *other == Some(event)))
    })
}

fn late_events(timeline: &Timeline) -> Vec<usize> {
    let events = timeline.late.iter().filter_map(|late| match late.subject {
        Subject::Event(event) => Some(event),
        Subject::Row(_) => None,
    });
    events.collect()
}

fn fixed_windows() -> impl Strategy<Value = Window> {
    prop_oneof![
        (1i64..12).prop_map(|size| Window::Tumbling { size, offset: 0 }),
        (1i64..12, 1i64..6).prop_map(|(size, advance)| Window::Hopping { size: size.max(advance), advance, offset: 0 }),
        (1i64..8).prop_map(|gap| Window::Session { gap }),
    ]
}

pub fn plain(operator: Operator, delay: i64) -> Setup {
    Setup::new(operator, Watermark { delay: Some(delay), ..Watermark::default() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(setup in setups(number()), arrivals in sequences(number(), 3)) {
        let _ = predict(&setup, &arrivals);
        let _ = demonstrate(&setup, 12_345, true);
    }

    /// Every record has one fate, and it is what the results and the late list say.
    #[test]
    fn a_record_is_counted_or_gone(setup in setups(small()), arrivals in sequences((0i64..60).boxed(), 1)) {
        if let Ok(timeline) = predict(&setup, &arrivals) {
            let late = late_events(&timeline);
            let events = arrivals.iter().filter(|arrival| arrival.event().is_some()).count();
            prop_assert_eq!(timeline.fates.len(), events);
            for fate in &timeline.fates {
                let counted = matches!(fate.verdict, Verdict::Counted | Verdict::PartlyCounted);
                prop_assert_eq!(counted, shown(&timeline, fate.event), "{:?}", fate);
                prop_assert_eq!(matches!(fate.verdict, Verdict::Late(_)), late.contains(&fate.event), "{:?}", fate);
            }
            for WindowLife { opened, first_result, last_result, purged, .. } in &timeline.windows {
                prop_assert!(first_result.is_none_or(|first| first >= *opened));
                prop_assert!(last_result >= first_result);
                prop_assert!(purged.is_none_or(|purged| purged >= *opened));
            }
            let marks: Vec<_> = timeline.steps.iter().filter_map(|step| step.watermark).collect();
            prop_assert!(marks.is_sorted(), "a watermark falls");
        }
    }

    /// A slower watermark drops no record that a faster one counts.
    #[test]
    fn a_slower_watermark_drops_no_more(
        window in fixed_windows(),
        delay in 0i64..10,
        slower in 1i64..10,
        no_data_batches in any::<bool>(),
        mut arrivals in sequences((0i64..60).boxed(), 1),
    ) {
        for arrival in &mut arrivals {
            arrival.side = Side::Left;
        }
        let query = Query::Window { window, then: None };
        let operators = [
            Operator::DataStream(DataStream::Window { window, lateness: 0, late_output: false, purging: false, then: None }),
            Operator::Spark(Spark { query, mode: OutputMode::Append, no_data_batches, backlog: false }),
        ];
        for operator in operators {
            let fast = predict(&plain(operator, delay), &arrivals).unwrap();
            let slow = predict(&plain(operator, delay + slower), &arrivals).unwrap();
            let dropped = late_events(&fast);
            prop_assert!(late_events(&slow).iter().all(|event| dropped.contains(event)));
        }
        // As does a longer grace.
        let streams = |grace| Operator::Streams(Streams::Window { window, grace, emit: StreamsEmit::EveryUpdate });
        if !matches!(window, Window::Session { .. }) {
            let fast = predict(&plain(streams(delay), 0), &arrivals).unwrap();
            let slow = predict(&plain(streams(delay + slower), 0), &arrivals).unwrap();
            let dropped = late_events(&fast);
            prop_assert!(late_events(&slow).iter().all(|event| dropped.contains(event)));
        }
    }

    /// Two records of one key, time and partition may come in either order.
    #[test]
    fn equal_records_may_change_places(setup in setups(small()), arrivals in sequences((0i64..60).boxed(), 1), at in 0usize..40) {
        let Some(first) = arrivals.get(at).and_then(|arrival| arrival.event()).cloned() else { return Ok(()) };
        let mut twice = arrivals.clone();
        let mut other = arrivals[at].clone();
        other.what = What::Event(Event { id: "other".to_owned(), value: 5, ..first.clone() });
        twice.insert(at + 1, other);
        let mut swapped = twice.clone();
        let (a, b) = (twice[at].what.clone(), twice[at + 1].what.clone());
        (swapped[at].what, swapped[at + 1].what) = (b, a);
        match (predict(&setup, &twice), predict(&setup, &swapped)) {
            (Ok(one), Ok(two)) => {
                // Which of the two came first shows in joins, deduplication and updates; how many count does not.
                prop_assert_eq!(one.steps, two.steps);
                prop_assert_eq!(one.dropped, two.dropped);
                prop_assert_eq!(one.readers.append.rows, two.readers.append.rows);
                prop_assert_eq!(one.readers.append.adding, two.readers.append.adding);
                prop_assert_eq!(one.windows, two.windows);
            }
            (one, two) => prop_assert_eq!(one.is_err(), two.is_err()),
        }
    }

    /// Where every record falls in one window and the input ends, a reader that keeps the last row of each window has every
    /// record that was not late, once.
    #[test]
    fn the_last_rows_hold_every_record_once(
        size in 1i64..12,
        lateness in 0i64..10,
        delay in 0i64..10,
        mut arrivals in sequences((0i64..60).boxed(), 1),
    ) {
        for arrival in &mut arrivals {
            arrival.side = Side::Left;
        }
        let window = Window::Tumbling { size, offset: 0 };
        let operator =
            Operator::DataStream(DataStream::Window { window, lateness, late_output: true, purging: false, then: None });
        let setup = Setup { ends: true, ..plain(operator, delay) };
        let timeline = predict(&setup, &arrivals).unwrap();
        let mut last: Vec<(&str, i64, i64)> = Vec::new();
        for emission in &timeline.emissions {
            let row = &emission.row;
            let (key, start) = (row.key.as_deref().unwrap(), row.window.unwrap().start);
            last.retain(|(other, at, _)| (*other, *at) != (key, start));
            last.push((key, start, row.count));
        }
        let counted: i64 = last.iter().map(|(.., count)| count).sum();
        prop_assert_eq!(counted as usize + timeline.late.len(), timeline.fates.len());
        prop_assert!(timeline.emissions.iter().all(|emission| emission.at >= At::Step(1)));
    }

    /// Each record of a demonstration becomes what it is there for.
    #[test]
    fn a_demonstration_shows_each_fate(
        size in 60i64..600,
        offset in 0i64..20,
        delay in 0i64..300,
        lateness in 20i64..300,
        hops in 1i64..5,
        which in 0u8..9,
        around in 10_000i64..1_000_000,
        silent in any::<bool>(),
        no_data_batches in any::<bool>(),
    ) {
        let tumbling = Window::Tumbling { size, offset };
        let hopping = Window::Hopping { size: size * hops, advance: size, offset };
        let session = Window::Session { gap: size };
        let flink = |window| {
            Operator::DataStream(DataStream::Window { window, lateness, late_output: true, purging: false, then: None })
        };
        let streams = |window, emit| Operator::Streams(Streams::Window { window, grace: lateness, emit });
        let spark = |window, mode| {
            Operator::Spark(Spark { query: Query::Window { window, then: None }, mode, no_data_batches, backlog: false })
        };
        let plain_tumbling = Window::Tumbling { size, offset: 0 };
        let operator = match which {
            0 => flink(tumbling),
            1 => flink(hopping),
            2 => flink(session),
            3 => streams(plain_tumbling, StreamsEmit::Suppress),
            4 => streams(plain_tumbling, StreamsEmit::EveryUpdate),
            5 => streams(session, StreamsEmit::EveryUpdate),
            6 => spark(tumbling, OutputMode::Append),
            7 => spark(session, OutputMode::Append),
            _ => spark(hopping, OutputMode::Update),
        };
        let mut setup = plain(operator, delay);
        setup.watermark.idle_after = Some(30_000);
        let demonstration = demonstrate(&setup, around, silent).unwrap();
        let timeline = predict(&demonstration.setup, &demonstration.arrivals).unwrap();
        let mut roles = Vec::new();
        for (fate, role) in timeline.fates.iter().zip(&demonstration.roles) {
            let counted = matches!(fate.verdict, Verdict::Counted | Verdict::PartlyCounted);
            let fits = match role {
                Role::OnTime | Role::OutOfOrder | Role::ThenSilent | Role::LateCounted => counted,
                Role::TooLate => matches!(fate.verdict, Verdict::Late(_)),
                Role::MovesOn | Role::ClosesForGood => !matches!(fate.verdict, Verdict::Late(_)),
            };
            prop_assert!(fits, "{:?}: {:?} in {:?}", role, fate, demonstration);
            roles.push(*role);
        }
        prop_assert!(roles.contains(&Role::TooLate));
        // A window that is sent once, when it closes, has no time between.
        let between = matches!(which, 0 | 1 | 2 | 4 | 5) || which == 8 && delay > 0;
        prop_assert_eq!(roles.contains(&Role::LateCounted), between, "{:?}", demonstration);
    }
}

/// A partition that falls silent without an idle timeout holds the results of Flink back, and not those of the others.
#[test]
fn a_silent_partition_holds_flink_back() {
    let window = Window::Tumbling { size: 300_000, offset: 0 };
    let operator = Operator::DataStream(DataStream::Window {
        window,
        lateness: 0,
        late_output: false,
        purging: false,
        then: None,
    });
    let results = |operator, idle_after| {
        let mut setup = plain(operator, 30_000);
        setup.watermark.idle_after = idle_after;
        let demonstration = demonstrate(&setup, 0, true).unwrap();
        predict(&demonstration.setup, &demonstration.arrivals).unwrap().emissions.len()
    };
    assert_eq!(results(operator, None), 0);
    assert_eq!(results(operator, Some(60_000)), 1);
    assert_eq!(results(Operator::Streams(Streams::Window { window, grace: 0, emit: StreamsEmit::Suppress }), None), 1);
}

/// More than can be worked through is refused, with the limit.
#[test]
fn too_much_is_refused() {
    let window = Window::Hopping { size: MAX_WINDOWS + 1, advance: 1, offset: 0 };
    let operator = Operator::DataStream(DataStream::Window {
        window,
        lateness: 0,
        late_output: false,
        purging: false,
        then: None,
    });
    let refusal = predict(&plain(operator, 0), &[]).unwrap_err();
    assert!(refusal.to_string().contains("200"), "{refusal}");
    // 100 records in 51 windows each at most: 5,100 places.
    let window = Window::Hopping { size: 50, advance: 1, offset: 0 };
    let operator = Operator::DataStream(DataStream::Window {
        window,
        lateness: 0,
        late_output: false,
        purging: false,
        then: None,
    });
    let one = |step: u32| {
        let event = Event { id: step.to_string(), time: i64::from(step), key: "a".to_owned(), value: 1 };
        Arrival { step, clock: 0, batch: 0, side: Side::Left, partition: 0, what: What::Event(event) }
    };
    let arrivals: Vec<Arrival> = (1..=100).map(one).collect();
    let refusal = predict(&plain(operator, 0), &arrivals).unwrap_err();
    assert!(refusal.to_string().contains("5100"), "{refusal}");
    assert!(predict(&plain(operator, 0), &arrivals[..98]).is_ok());
}
