//! The forms against simulations of the products, and the laws that they keep.
//!
//! One row a vector: what the form gives, what it shall give, how the simulated value relates to it (see [`Relation`]),
//! within which tolerance, and that value (inputs are rounded, so the form itself may be off by a thousandth). The simulations rebuilt the broker's log, its cleaner, window and session
//! state, checkpoints, recovery, replay over random graphs, hashing of keys, micro-batches, fetch buffers.

use Relation::{AtLeast, AtMost, Equal};
use pipeline_desk::analysis::formulas::{
    UNBOUNDED, capacity, checkpoint, latency,
    log::{self, Longest, Retention, Segments},
    product, ratio, recovery,
    replay::{self, Input},
    skew,
    state::{self, Delay},
};
use proptest::prelude::*;

/// How the simulated value stands to the form.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    /// Equal, within the tolerance.
    Equal,
    /// The form is an upper bound.
    AtMost,
    /// The form is a guarantee.
    AtLeast,
}

struct Vector {
    name: &'static str,
    form: f64,
    expected: f64,
    relation: Relation,
    tolerance: f64,
    observed: f64,
}

const fn row(
    name: &'static str,
    form: f64,
    expected: f64,
    relation: Relation,
    tolerance: f64,
    observed: f64,
) -> Vector {
    Vector { name, form, expected, relation, tolerance, observed }
}

#[track_caller]
fn check(rows: &[Vector]) {
    for Vector { name, form, expected, relation, tolerance, observed } in rows {
        let near = |a: f64, b: f64, tolerance: f64| a == b || (a - b).abs() <= tolerance * b.abs();
        assert!(near(*form, *expected, 1e-3), "{name}: the form gives {form}, not {expected}");
        let holds = match relation {
            Equal => near(*observed, *expected, *tolerance),
            AtMost => *observed <= expected * (1.0 + tolerance),
            AtLeast => *observed >= expected * (1.0 - tolerance),
        };
        assert!(holds, "{name}: {observed} was seen against {expected}");
    }
}

fn time(seconds: f64) -> Retention {
    Retention { time: seconds, bytes: UNBOUNDED }
}

fn size(bytes: f64) -> Retention {
    Retention { time: UNBOUNDED, bytes }
}

fn segments(time: f64, bytes: f64, check: f64) -> Segments {
    Segments { time, bytes, check }
}

fn steady(rate: f64, gap: f64) -> Longest {
    Longest { slowest: rate, peak: rate, future: 0.0, gap }
}

#[test]
fn logs() {
    let by_time = segments(600.0, 50_000.0, 300.0);
    let by_size = segments(600.0, 20_000.0, 60.0);
    let future = Longest { future: 7200.0, ..steady(20.0, 5.0) };
    check(&[
        row("guaranteed, by time", log::guaranteed(time(7200.0), 20.0), 7200.0, AtLeast, 0.0014, 7200.309),
        row("longest, by time", log::longest(time(7200.0), by_time, steady(20.0, 5.0)), 8105.0, AtMost, 0.0, 8095.309),
        row("typical, by time", log::typical(time(7200.0), by_time, 20.0, 0.0), 7650.0, Equal, 0.06, 7702.1),
        row("guaranteed, by size", log::guaranteed(size(100_000.0), 200.0), 500.0, AtLeast, 0.02, 508.062),
        row(
            "longest, by size",
            log::longest(size(100_000.0), by_size, steady(200.0, 5.0)),
            665.0,
            AtMost,
            0.0,
            643.062,
        ),
        row("typical, by size", log::typical(size(100_000.0), by_size, 200.0, 0.0), 580.0, Equal, 0.06, 572.9),
        row(
            "guaranteed, records an hour old when appended",
            log::guaranteed_since_append(time(7200.0), 0.0, 3600.0),
            3600.0,
            AtLeast,
            0.02,
            3608.1,
        ),
        row(
            "longest, timestamps in the future",
            log::longest(time(600.0), segments(600.0, 50_000.0, 10.0), future),
            8415.0,
            AtMost,
            0.0,
            7806.3,
        ),
        row("guaranteed, bursts", log::guaranteed(size(50_000.0), 24.4), 2049.5, AtLeast, 0.01, 2143.1),
        row("compacted history", log::compacted_history(10_800.0, None), 10_800.0, AtLeast, 0.0, 10_810.0),
        row("value erased", log::value_erased_within(7200.0, 600.0), 7815.0, AtMost, 0.0, 3000.0),
        row("key erased", log::key_erased_within(7200.0, 600.0, 86_400.0), 102_030.0, AtMost, 0.0, 96_600.0),
        row("changelog", changelog(20_000.0, 0.5, 5000.0), 51_500.0, AtMost, 0.0, 46_500.0),
        row("changelog, cleaned late", changelog(50_000.0, 0.7, 1000.0), 170_166.666_7, AtMost, 0.0, 167_500.0),
    ]);
    assert_eq!(log::compacted_longest(86_400.0, 3600.0, 15.0, 0.5, true), UNBOUNDED, "alive after 12 retentions");
    assert!(log::position_survives(6.0 * 86_400.0, true, 6.0 * 86_400.0, 7.0 * 86_400.0));
}

fn changelog(live: f64, dirty_ratio: f64, segment: f64) -> f64 {
    log::changelog_bytes(live, dirty_ratio, segments(UNBOUNDED, segment, 300.0), 100.0, 0.0)
}

#[test]
fn replays() {
    let reach = |inputs: &[(f64, &[f64])]| {
        let inputs: Vec<_> =
            inputs.iter().map(|(history, l)| Input { history: *history, lookbacks: l.to_vec() }).collect();
        replay::reach(&inputs)
    };
    let joined = reach(&[(5000.0, &[300.0, 0.0]), (5000.0, &[300.0, 200.0])]);
    let uneven = reach(&[(6000.0, &[600.0, 0.0]), (3000.0, &[50.0])]);
    let union = reach(&[(6000.0, &[100.0]), (4000.0, &[100.0])]);
    check(&[
        row("de-duplication, then window", reach(&[(5000.0, &[300.0, 200.0])]), 4500.0, AtLeast, 0.0, 4600.0),
        row("de-duplication, then join", joined, 4500.0, AtLeast, 0.0, 4654.0),
        row("join of uneven histories", uneven, 2950.0, AtLeast, 0.0, 3000.0),
        row("union", union, 3900.0, AtLeast, 0.0, 4000.0),
        row("window after window", reach(&[(5000.0, &[300.0, 700.0])]), 4000.0, AtLeast, 0.0, 4600.0),
        row(
            "state that every write refreshes",
            replay::ttl_state_lookback(true, None),
            UNBOUNDED,
            Equal,
            0.0,
            UNBOUNDED,
        ),
    ]);
    assert!(!replay::replay_is_safe(950.0, Some(0.0), 100.0, 3.0, 1000.0));
}

#[test]
fn states() {
    let delay = |watermark, lateness, drift, step| Delay { watermark, lateness, drift, step };
    let late = delay(60.0, 600.0, 0.0, 1.0);
    let gap = delay(0.0, 600.0, 0.0, 0.0);
    let join = |ahead: f64, c: f64, b: f64| state::interval_side(1.0, ahead, c + b);
    let old = state::interval_cleanup(0.0, 60.0, true);
    check(&[
        row("windows", state::flink_windows(1.0, 300.0, 300.0, late), 4.0, AtMost, 0.0, 4.0),
        row("windows that keep records", state::flink_elements(1.0, 300.0, 300.0, late), 960.0, Equal, 0.06, 961.0),
        row(
            "windows, one partition behind",
            state::flink_windows(1.0, 60.0, 60.0, delay(0.0, 0.0, 300.0, 1.0)),
            7.0,
            AtMost,
            0.0,
            7.0,
        ),
        row(
            "overlapping windows that keep records",
            state::flink_elements(1.0, 300.0, 60.0, delay(10.0, 0.0, 0.0, 0.0)),
            950.0,
            Equal,
            0.06,
            955.0,
        ),
        row("Streams join of 1 s", state::streams_rows(5.0, 1.0), 305.0, Equal, 0.01, 305.0),
        row("Streams segments of 10 s", state::streams_segments(10.0, 0.001), 2.0, Equal, 0.0, 2.0),
        row("Streams segments of a window", state::streams_segments(600.001, 600.0), 2.0, Equal, 0.0, 2.0),
        row("Streams window", state::streams_rows(10.0, 600.001), 9000.01, Equal, 0.01, 9000.0),
        row("Streams span on disk", state::streams_span(1.0), 61.0, AtMost, 0.0, 60.8),
        row("Streams versions", state::versioned_old(125.0, 2.0), 500.0, Equal, 0.01, 500.0),
        row("Streams de-duplication", state::streams_rows(1.0, 3600.0), 5400.0, Equal, 0.01, 5400.0),
        row("Spark de-duplication", state::spark_deduplication_within(2.0, 600.0, 10.0), 2420.0, Equal, 0.02, 2420.0),
        row("interval join", join(3600.0, 0.0, 60.0) + join(600.0, 0.0, 60.0), 4320.0, AtMost, 0.01, 4320.0),
        row("interval join, SQL 1.17", join(60.0, old, 5.0) + join(0.0, old, 5.0), 130.0, AtMost, 0.01, 130.0),
        row("sessions", state::flink_sessions(4.448_2, 0.0, 30.0, gap), 2_802.358_7, Equal, 0.05, 2_793.535_5),
        row(
            "days until full",
            ratio(50e9, state::growth_per_day(1.2e6 / 86_400.0, 150.0, 1.3)),
            213.675_2,
            Equal,
            0.001,
            213.675,
        ),
    ]);
}

#[test]
fn checkpoints_and_recovery() {
    let hottest = [(100e9 * 3.0 / 22.0, 50e6), (100e9 / 22.0, 50e6)];
    check(&[
        row("worst rewind", checkpoint::rewind_worst(60.0, 100.0, 0.0, 0.0, 0.0), 200.0, Equal, 0.0, 200.0),
        row("mean rewind", checkpoint::rewind_mean(60.0, 100.0, 0.0), 150.0, Equal, 0.001, 150.0),
        row("mean rewind with a pause", checkpoint::rewind_mean(1.0, 500.0, 400.0), 950.0, Equal, 0.001, 950.0),
        row("hottest task", checkpoint::slowest(&hottest), 272.727_3, Equal, 0.001, 272.727),
        row("recovery", recovery::recovery(120.0, 0.0, 200.0, 40_000.0, 60_000.0), 760.0, Equal, 0.01, 760.0),
        row("catch-up", recovery::catch_up(1800.0, 8000.0, 12_000.0), 3600.0, Equal, 0.001, 3600.0),
    ]);
    assert!(recovery::loses_on_restart(300.0, 200.0, 3200.0, 3600.0));
}

#[test]
fn capacities() {
    let equal = 1.0 / 100.0;
    check(&[
        row(
            "lost to lag",
            capacity::time_until_lost(86_400.0, 0.0, 10_000.0, 9000.0),
            864_000.0,
            Equal,
            0.001,
            864_000.0,
        ),
        row("lost by size", capacity::time_until_lost_by_size(1e6, 3e5, 500.0, 250.0), 2800.0, Equal, 0.002, 2800.0),
        row(
            "lost to lag, less arrives later",
            capacity::time_until_lost(86_400.0, 25_920.0, 100.0, 18.0),
            73_756.097_6,
            AtLeast,
            0.0,
            73_760.0,
        ),
        row("fetched", capacity::fetch_bytes(300.0, 1.0, 3.0, 50.0, false), 300.0, Equal, 0.0, 300.0),
        row("busiest partition, equal keys", skew::hot_share_95(0.0, equal, equal, 12.0), 0.1931, AtMost, 0.0, 0.16),
        row(
            "busiest partition, one hot key",
            skew::hot_share_95(0.4, 0.0036, 0.0061, 12.0),
            0.5163,
            AtMost,
            0.0,
            0.4788,
        ),
        row("partition of the hot key", skew::hot_share(0.4, 12.0), 0.45, Equal, 0.02, 0.4502),
        row("key groups", skew::key_group_imbalance(128.0, 100.0), 1.5625, Equal, 0.0, 1.5625),
    ]);
}

#[test]
fn latencies() {
    let period = checkpoint::period(60.0, 0.5, 0.0);
    check(&[
        row("two-phase sink", latency::transaction(period, 0.5), 60.5, Equal, 0.0, 60.5),
        row("micro-batch", latency::micro_batch(0.0, 30.0), 60.0, Equal, 0.001, 60.0),
        row(
            "window of micro-batches",
            latency::micro_batch_window(300.0, 600.0, 60.0, 10.0),
            1030.0,
            AtMost,
            0.0,
            1029.999,
        ),
        row("commits in series", latency::commits(4.0, 0.1, 0.0), 0.4, AtMost, 0.0, 0.394),
        row("safe to compare", latency::safe_to_compare(660.0, 0.2, 0.0, 120.0, 60.0), 840.2, AtMost, 0.0, 838.8),
    ]);
}

/// Amounts as they come: nothing, tiny, usual, huge, without end.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(UNBOUNDED), 1e-3..1e3f64, 1e3..1e12f64]
}

/// Finite amounts above nothing.
fn some() -> impl Strategy<Value = f64> {
    prop_oneof![1e-3..1e3f64, 1e3..1e9f64]
}

fn sound(value: f64) -> bool {
    value >= 0.0
}

proptest! {
    /// Whatever is put in: a number that is not negative comes out, or no bound; never NaN.
    #[test]
    fn logs_are_sound(t in amount(), b in amount(), r in amount(), s in some(), c in some(), f in amount(), g in amount()) {
        let (retention, segments) = (Retention { time: t, bytes: b }, segments(s, c, 300.0));
        prop_assert!(sound(log::guaranteed(retention, r)));
        prop_assert!(sound(log::guaranteed_since_append(retention, r, g)));
        prop_assert!(sound(log::typical(retention, segments, r, g)));
        let by = Longest { slowest: r, peak: r, future: f, gap: g };
        prop_assert!(sound(log::longest(retention, segments, by)));
    }

    /// Keeping more never shortens a reach, writing faster never lengthens it, and at most is never below at least.
    #[test]
    fn more_retention_never_shortens_a_reach(t in some(), b in some(), r in some(), more in some(), s in some(), c in some()) {
        let retention = Retention { time: t, bytes: b };
        let reach = log::guaranteed(retention, r);
        let (longer, larger) = (Retention { time: t + more, ..retention }, Retention { bytes: b + more, ..retention });
        prop_assert!(log::guaranteed(longer, r) >= reach);
        prop_assert!(log::guaranteed(larger, r) >= reach);
        prop_assert!(log::guaranteed(retention, r + more) <= reach);
        prop_assert!(log::guaranteed_since_append(retention, r, more) <= reach);
        let segments = segments(s, c, 300.0);
        prop_assert!(log::longest(retention, segments, steady(r, 0.0)) * (1.0 + 1e-12) >= reach);
    }

    /// Seconds scale: twice the retention and the segments, twice the reach.
    #[test]
    fn a_reach_scales_with_time_and_with_bytes(t in some(), b in some(), r in some(), k in 1.0..100.0f64) {
        let reach = log::guaranteed(Retention { time: t, bytes: b }, r);
        let scaled = log::guaranteed(Retention { time: t * k, bytes: b * k }, r);
        prop_assert!((scaled - reach * k).abs() <= 1e-9 * scaled);
        let same = log::guaranteed(Retention { time: t, bytes: b * k }, r * k);
        prop_assert!((same - reach).abs() <= 1e-9 * reach);
    }

    /// State is sound, grows with every delay, and scales with what comes in.
    #[test]
    fn states_are_sound_and_monotonic(n in amount(), s in some(), a in some(), w in some(), l in some(), d in some()) {
        let delay = Delay { watermark: w, lateness: l, drift: 0.0, step: 0.2 };
        let slower = Delay { drift: d, ..delay };
        let (one, other) = (state::flink_windows(n, s, a, delay), state::flink_windows(n, s, a, slower));
        prop_assert!(sound(one) && other >= one);
        prop_assert!(state::flink_elements(n, s, a, slower) >= state::flink_elements(n, s, a, delay));
        prop_assert!(state::flink_sessions(n, s, a, slower) >= state::flink_sessions(n, s, a, delay));
        prop_assert!(sound(state::streams_rows(n, s)) && sound(state::streams_windows(n, s, a)));
        prop_assert!(state::streams_segment(s) >= 60.0);
        prop_assert!(sound(state::spark_windows(n, s, a, w, l)));
        prop_assert!(state::spark_windows(n, s, a, w, l) >= state::spark_windows_at_commit(n, s, a, w, l));
        prop_assert!(sound(state::versioned_old(n, s)) && sound(state::interval_side(n, s, w)));
        prop_assert_eq!(state::kept_for(n, 2.0 * s), 2.0 * state::kept_for(n, s));
        prop_assert!(sound(state::days_to_limit(s, a, n)));
    }

    /// A recovery is sound, never shorter than the time down, and longer with every term.
    #[test]
    fn recoveries_are_sound_and_monotonic(down in amount(), behind in some(), rewind in amount(), rate in amount(), spare in amount()) {
        let capacity = if rate.is_infinite() { rate } else { rate + spare };
        let recovery = recovery::recovery(down, 0.0, rewind, rate, capacity);
        prop_assert!(sound(recovery) && recovery >= down);
        prop_assert!(recovery::recovery(down, behind, rewind, rate, capacity) >= recovery);
        prop_assert!(sound(recovery::catch_up(down, rate, capacity)));
        prop_assert!(sound(capacity::time_until_lost(down, behind, rate, capacity)));
        prop_assert!(sound(checkpoint::outage_bound(down, behind, rewind)));
        prop_assert!(sound(checkpoint::rewind_worst(behind, rewind, down, rate, spare)));
    }

    /// More lookback never helps, one more input that is needed never helps, more history never hurts.
    #[test]
    fn replays_are_monotonic(history in amount(), lookback in amount(), more in amount(), other in amount()) {
        let one = |history, lookbacks: &[f64]| Input { history, lookbacks: lookbacks.to_vec() };
        let reach = replay::reach(&[one(history, &[lookback])]);
        prop_assert!(sound(reach) && reach <= history);
        prop_assert!(replay::reach(&[one(history, &[lookback, more])]) <= reach);
        prop_assert!(replay::reach(&[one(history, &[lookback]), one(other, &[])]) <= reach);
        prop_assert!(replay::reach(&[one(history + more, &[lookback])]) >= reach);
        prop_assert!(replay::reach(&[one(history, &[])]) == history);
    }

    /// A share stays one, and the bound for the busiest partition is never under what is expected of it.
    #[test]
    fn shares_are_shares(top in 0.0..=1.0f64, keys in 1.0..1e6f64, partitions in 1.0..1e4f64) {
        let rest = (1.0 - top) / keys;
        let share = skew::hot_share(top, partitions);
        let bound = skew::hot_share_95(top, rest * rest * keys, rest, partitions);
        prop_assert!(share <= bound && bound <= 1.0);
        prop_assert!(sound(skew::used_partitions(keys, partitions)));
        let (even, hot) = (skew::effective(0.0, partitions), skew::effective(top, partitions));
        prop_assert!(hot <= even * (1.0 + 1e-12) && hot >= 1.0 - 1e-12);
        prop_assert!(skew::busiest_reader(top, partitions, keys) >= share - 1e-12);
        prop_assert!(product(0.0, keys) == 0.0);
    }
}
