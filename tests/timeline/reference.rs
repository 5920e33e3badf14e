//! What results must be by definition, worked out from the records alone: windows hold the records that fall in them, and
//! joins the pairs that lie in their bounds, in every engine, where nothing is late.

use crate::laws::{plain, sequences};
use pipeline_desk::timeline::{
    Arrival, Change, DataStream, Event, Operator, OutputMode, Query, Setup, Side, Spark, Sql, Streams, StreamsEmit,
    Timeline, Verdict, What, Why, Window, WindowFunction, Zone, predict,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Windows = BTreeMap<(String, i64, i64), i64>;
type Pairs = BTreeSet<(Option<usize>, Option<usize>)>;

fn events(arrivals: &[Arrival]) -> impl Iterator<Item = (usize, Side, &Event)> {
    arrivals.iter().enumerate().filter_map(|(at, arrival)| Some((at, arrival.side, arrival.event()?)))
}

/// The fixed windows that a time falls in.
fn fixed(window: Window, time: i64) -> Vec<(i64, i64)> {
    let starts = |size: i64, every: i64, offset: i64| {
        (time - size + 1..=time)
            .filter(move |start| (start - offset).rem_euclid(every) == 0)
            .map(move |start| (start, start + size))
    };
    match window {
        Window::Tumbling { size, offset } => starts(size, size, offset).collect(),
        Window::Hopping { size, advance, offset } => starts(size, advance, offset).collect(),
        Window::Cumulating { max, step, offset } => {
            let grown = |(start, end): (i64, i64)| {
                (1..).map(move |n| (start, start + n * step)).take_while(move |(_, to)| *to <= end)
            };
            starts(max, max, offset).flat_map(grown).filter(|(_, end)| time < *end).collect()
        }
        Window::Session { .. } | Window::Sliding { .. } => Vec::new(),
    }
}

/// How many records each window of each key holds. Sessions end `after` their last record: Flink's by the gap, those of
/// Kafka Streams with it.
fn held(window: Window, arrivals: &[Arrival], after: i64) -> Windows {
    let mut held = Windows::new();
    let mut times: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for (_, _, event) in events(arrivals) {
        times.entry(&event.key).or_default().push(event.time);
        for (start, end) in fixed(window, event.time) {
            *held.entry((event.key.clone(), start, end)).or_default() += 1;
        }
    }
    for (key, mut times) in times {
        times.sort_unstable();
        match window {
            Window::Session { gap } => {
                for session in times.chunk_by(|one, next| next - one <= gap) {
                    let (first, last) = (session[0], session[session.len() - 1]);
                    held.insert((key.to_owned(), first, last + after), session.len() as i64);
                }
            }
            // A window ends with each record, and one begins behind each.
            Window::Sliding { difference } => {
                let starts: BTreeSet<i64> = times.iter().flat_map(|time| [time - difference, time + 1]).collect();
                for start in starts {
                    let inside = times.iter().filter(|time| (start..=start + difference).contains(time)).count();
                    if inside > 0 {
                        held.insert((key.to_owned(), start, start + difference), inside as i64);
                    }
                }
            }
            _ => {}
        }
    }
    held
}

/// The last row of each key and window.
fn last_rows(timeline: &Timeline) -> Windows {
    let mut last = Windows::new();
    for emission in &timeline.emissions {
        let row = &emission.row;
        let span = row.window.unwrap();
        let place = (row.key.clone().unwrap(), span.start, span.end);
        match emission.change {
            Change::UpdateBefore => {}
            Change::Delete | Change::Tombstone => _ = last.remove(&place),
            Change::Insert | Change::UpdateAfter | Change::Upsert => _ = last.insert(place, row.count),
        }
    }
    last
}

/// In the order of their times, or as they come with a watermark that waits for all.
fn prepared(mut arrivals: Vec<Arrival>, sorted: bool, delay: i64) -> (Vec<Arrival>, i64) {
    if !sorted {
        return (arrivals, 10_000);
    }
    let mut times: Vec<i64> = events(&arrivals).map(|(_, _, event)| event.time).collect();
    times.sort_unstable();
    let mut times = times.into_iter();
    for arrival in &mut arrivals {
        if let What::Event(event) = &mut arrival.what {
            event.time = times.next().unwrap();
        }
    }
    (arrivals, delay)
}

/// Two records far behind the others on each side, in batches of their own, so that all that waits is over.
fn flushed(mut arrivals: Vec<Arrival>) -> Vec<Arrival> {
    let (mut step, mut clock, mut batch) =
        arrivals.last().map_or((0, 0, 0), |last| (last.step, last.clock, last.batch));
    for time in [100_000, 200_000, 300_000] {
        batch += 1;
        for side in [Side::Left, Side::Right] {
            (step, clock) = (step + 1, clock + 1);
            let event = Event { id: format!("flush{step}"), time, key: format!("flush{step}"), value: 0 };
            arrivals.push(Arrival { step, clock, batch, side, partition: 0, what: What::Event(event) });
        }
    }
    arrivals
}

fn far(timeline: &Timeline, arrivals: &[Arrival]) -> Pairs {
    let far = |at: &Option<usize>| at.is_some_and(|at| arrivals[at].event().unwrap().time >= 100_000);
    let rows = timeline.emissions.iter().filter_map(|emission| emission.row.pair);
    rows.map(|[left, right]| (left, right)).filter(|(left, right)| !far(left) && !far(right)).collect()
}

/// All pairs of one key whose right record is between `lower` and `upper` later than the left one; of a left join also
/// the left ones without a partner.
fn pairs(arrivals: &[Arrival], together: impl Fn(i64, i64) -> bool, outer: bool) -> Pairs {
    let mut pairs = Pairs::new();
    for (left, _, one) in events(arrivals).filter(|(_, side, _)| *side == Side::Left) {
        let rights = events(arrivals)
            .filter(|(_, side, other)| *side == Side::Right && one.key == other.key && together(one.time, other.time));
        let before = pairs.len();
        pairs.extend(rights.map(|(right, ..)| (Some(left), Some(right))));
        if outer && pairs.len() == before {
            pairs.insert((Some(left), None));
        }
    }
    pairs
}

fn datastream(window: Window) -> Operator {
    Operator::DataStream(DataStream::Window { window, lateness: 0, late_output: false, purging: false, then: None })
}

fn function(window: Window, two_phase: bool) -> Operator {
    let zone = Zone { offset: 0, daylight_saving: false };
    Operator::Sql(Sql::WindowFunction(WindowFunction {
        window,
        two_phase,
        zone,
        flush_heeds_offset: true,
        late_fire: false,
        then: None,
    }))
}

fn streams(window: Window, grace: i64) -> Operator {
    Operator::Streams(Streams::Window { window, grace, emit: StreamsEmit::EveryUpdate })
}

fn spark(query: Query, mode: OutputMode) -> Operator {
    Operator::Spark(Spark { query, mode, no_data_batches: true, backlog: false })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_hold_what_falls_in_them(
        (size, hops, offset) in (1i64..9, 1i64..5, 0i64..4),
        (sorted, delay, two_phase) in (any::<bool>(), 0i64..6, any::<bool>()),
        arrivals in sequences((100i64..160).boxed(), 1),
    ) {
        let (mut arrivals, delay) = prepared(arrivals, sorted, delay);
        for arrival in &mut arrivals {
            arrival.side = Side::Left;
        }
        let offset = offset % size;
        let tumbling = Window::Tumbling { size, offset };
        let hopping = Window::Hopping { size: size * hops, advance: size, offset };
        let cumulating = Window::Cumulating { max: size * hops, step: size, offset };
        let (plain_tumbling, plain_hopping) =
            (Window::Tumbling { size, offset: 0 }, Window::Hopping { size: size * hops, advance: size, offset: 0 });
        let (session, sliding) = (Window::Session { gap: size }, Window::Sliding { difference: size });
        let cases = [
            (datastream(tumbling), tumbling, 0),
            (datastream(hopping), hopping, 0),
            (datastream(session), session, size),
            (function(tumbling, two_phase), tumbling, 0),
            (function(hopping, two_phase), hopping, 0),
            (function(cumulating, two_phase), cumulating, 0),
            (streams(plain_tumbling, delay), plain_tumbling, 0),
            (streams(plain_hopping, delay), plain_hopping, 0),
            (streams(session, delay), session, 0),
            // With a grace of 0 the store does not show the window that ends twice the difference before.
            (streams(sliding, delay + 1), sliding, 0),
            (spark(Query::Window { window: tumbling, then: None }, OutputMode::Update), tumbling, 0),
            (spark(Query::Window { window: hopping, then: None }, OutputMode::Update), hopping, 0),
        ];
        for (operator, window, after) in cases {
            // In order, a session can be over when a record comes that is behind it by exactly the gap.
            if sorted && matches!(window, Window::Session { .. }) {
                continue;
            }
            let flink = matches!(operator, Operator::DataStream(_) | Operator::Sql(_));
            let setup = Setup { ends: flink, ..plain(operator, delay) };
            let timeline = predict(&setup, &arrivals).unwrap();
            prop_assert_eq!(&timeline.late, &[], "{:?}", operator);
            prop_assert_eq!(last_rows(&timeline), held(window, &arrivals, after), "{:?}", operator);
            prop_assert!(timeline.fates.iter().all(|fate| fate.verdict == Verdict::Counted), "{:?}", operator);
        }
    }

    #[test]
    fn joins_hold_the_pairs_inside_their_bounds(
        (lower, wide, size, step) in (-6i64..6, 0i64..8, 1i64..9, 1i64..4),
        (sorted, delay, outer) in (any::<bool>(), 0i64..6, any::<bool>()),
        arrivals in sequences((100i64..160).boxed(), 1),
    ) {
        let (arrivals, delay) = prepared(arrivals, sorted, delay);
        let (arrivals, upper) = (flushed(arrivals), lower + wide);
        let bounds = |left: i64, right: i64| (lower..=upper).contains(&(right - left));
        // Kafka Streams sends a left record that comes out of order alone before its partner can come.
        let (before, after) = (-lower, upper);
        let tumbling = Window::Tumbling { size, offset: 0 };
        let cases = [
            (Operator::DataStream(DataStream::IntervalJoin { lower, upper, late_output: false }), false),
            (Operator::Sql(Sql::IntervalJoin { lower, upper, left: outer }), outer),
            (Operator::Streams(Streams::Join { before, after, grace: delay + 1, left: outer && sorted }), outer && sorted),
            (spark(Query::Join { lower, upper, left: outer }, OutputMode::Append), outer),
        ];
        for (operator, outer) in cases {
            // Its store shows as much as both sides of the window are long: less than a window on one side of the record.
            if matches!(operator, Operator::Streams(_)) && (before < 0 || after < 0) {
                continue;
            }
            // A row of Spark that is exactly as old as the watermark is late.
            let behind = i64::from(matches!(operator, Operator::Spark(_)));
            let timeline = predict(&plain(operator, delay + behind), &arrivals).unwrap();
            let expected = pairs(&arrivals[..arrivals.len() - 6], bounds, outer);
            prop_assert_eq!(far(&timeline, &arrivals), expected.clone(), "{:?}", operator);
            for fate in timeline.fates.iter().take(timeline.fates.len() - 6) {
                let in_a_pair = expected.iter().any(|(left, right)| [*left, *right].contains(&Some(fate.event)));
                let verdict = if in_a_pair { Verdict::Counted } else { Verdict::Gone(Why::Unmatched) };
                prop_assert_eq!(fate.verdict, verdict, "{:?} {:?}", operator, fate);
            }
        }
        let hopping = Window::Hopping { size: size * step, advance: size, offset: 0 };
        for window in [tumbling, hopping] {
            for operator in [Operator::DataStream(DataStream::WindowJoin { window }), Operator::Sql(Sql::WindowJoin { window })] {
                let timeline = predict(&plain(operator, delay), &arrivals).unwrap();
                let shared = |left: i64, right: i64| fixed(window, left).iter().any(|span| fixed(window, right).contains(span));
                let expected = pairs(&arrivals[..arrivals.len() - 6], shared, false);
                prop_assert_eq!(far(&timeline, &arrivals), expected.clone(), "{:?}", operator);
                for fate in timeline.fates.iter().take(timeline.fates.len() - 6) {
                    let in_a_pair = expected.iter().any(|(left, right)| [*left, *right].contains(&Some(fate.event)));
                    let verdict = if in_a_pair { Verdict::Counted } else { Verdict::Gone(Why::Unmatched) };
                    prop_assert_eq!(fate.verdict, verdict, "{:?} {:?}", operator, fate);
                }
            }
        }
    }

    /// Behind: not later than what the watermark before it says has come; in Kafka Streams, earlier than the latest so far.
    #[test]
    fn records_are_behind_the_watermark_before_them(delay in 0i64..10, arrivals in sequences((100i64..160).boxed(), 1)) {
        let mut arrivals = arrivals;
        for arrival in &mut arrivals {
            arrival.side = Side::Left;
        }
        let window = Window::Tumbling { size: 10, offset: 0 };
        let flink = predict(&plain(datastream(window), delay), &arrivals).unwrap();
        let streams = predict(&plain(streams(window, delay), 0), &arrivals).unwrap();
        let mut latest: Option<i64> = None;
        for ((_, _, event), (flink, streams)) in events(&arrivals).zip(flink.fates.iter().zip(&streams.fates)) {
            prop_assert_eq!(flink.behind, latest.is_some_and(|latest| event.time < latest - delay));
            prop_assert_eq!(streams.behind, latest.is_some_and(|latest| event.time < latest));
            latest = latest.max(Some(event.time));
        }
    }
}
