//! Laws of the forms, whatever is put in.

use super::*;

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
        prop_assert!(sound(log::typical(log::guaranteed(retention, r), log::span(s, c, r), g)));
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
        let reach = replay::behind(history, lookback);
        prop_assert!(sound(reach) && reach <= history);
        prop_assert!(replay::behind(reach, more) <= reach);
        prop_assert!(replay::together([reach, other]) <= reach);
        prop_assert!(replay::behind(history + more, lookback) >= reach);
        prop_assert!(replay::behind(history, 0.0) == history && replay::together([reach]) == reach);
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

    /// More capacity never makes anything later, and never loses more; more that arrives never makes it better.
    #[test]
    fn more_capacity_never_worsens(kept in some(), behind in some(), down in some(), rate in some(), spare in some(), more in some()) {
        let (little, much) = (rate + spare, rate + spare + more);
        prop_assert!(recovery::recovery(down, behind, 0.0, rate, much) <= recovery::recovery(down, behind, 0.0, rate, little));
        prop_assert!(recovery::recovery(down, behind, 0.0, rate + more, much) >= recovery::recovery(down, behind, 0.0, rate, much));
        prop_assert!(recovery::drain(behind, rate, much) <= recovery::drain(behind, rate, little));
        let least = rate / 2.0;
        let lost = |capacity: f64| capacity::time_until_lost(kept, behind, rate, capacity);
        prop_assert!(lost(least) <= lost(rate * 0.9) && lost(rate).is_infinite());
        let loads = [1.0, 1.5, 2.0].map(|headroom| skew::load(0.3, rate, headroom, spare));
        prop_assert!(loads.is_sorted());
        let needed = [1.0, 1.5, 2.0].map(|headroom| capacity::partitions_needed(rate, headroom, spare, more, 1.0));
        prop_assert!(needed.is_sorted());
        prop_assert!(replay::time_to_head(kept, rate, much) <= replay::time_to_head(kept, rate, little));
        prop_assert!(replay::start_within(kept, behind, false) <= replay::start_within(kept, behind, true));
    }

    /// Seconds count as seconds: a clock that runs at another pace changes times by its pace and nothing else. Records and
    /// bytes come per second, so that their rates go the other way.
    #[test]
    fn units_scale(a in 1.0..1e4f64, b in 1.0..1e4f64, c in 1.0..1e4f64, rate in 1.0..1e4f64, k in 0.01..100.0f64) {
        let same = |given: f64, wanted: f64| given == wanted || (given - wanted).abs() <= 1e-9 * wanted.abs();
        let faster = rate + c;
        prop_assert!(same(recovery::recovery(a * k, b * k, c * k, rate / k, faster / k), k * recovery::recovery(a, b, c, rate, faster)));
        prop_assert!(same(recovery::drain(a, rate / k, faster / k), k * recovery::drain(a, rate, faster)));
        prop_assert!(same(recovery::drain(a * k, rate * k, faster * k), recovery::drain(a, rate, faster)));
        prop_assert!(same(capacity::time_until_lost(a * k, 0.0, faster / k, rate / k), k * capacity::time_until_lost(a, 0.0, faster, rate)));
        prop_assert!(same(capacity::time_until_lost_by_size(a * k, 0.0, faster * k, rate * k), capacity::time_until_lost_by_size(a, 0.0, faster, rate)));
        prop_assert!(same(checkpoint::rewind_worst(a * k, b * k, c * k, 2.0, a * k), k * checkpoint::rewind_worst(a, b, c, 2.0, a)));
        prop_assert!(same(latency::micro_batch_window(a * k, b * k, c * k, a * k), k * latency::micro_batch_window(a, b, c, a)));
        prop_assert!(same(latency::window(a * k, b * k, c * k, a * k), k * latency::window(a, b, c, a)));
        prop_assert!(same(recovery::rolling_static(a * k, b * k, c * k), k * recovery::rolling_static(a, b, c)));
        prop_assert!(same(state::growth_per_day(rate, a * k, b), k * state::growth_per_day(rate, a, b)));
        prop_assert!(same(replay::behind(a * k, b * k), k * replay::behind(a, b)));
        let delay = |k: f64| Delay { watermark: a * k, lateness: b * k, drift: 0.0, step: c * k };
        prop_assert!(same(state::flink_elements(rate / k, b * k, b * k, delay(k)), state::flink_elements(rate, b, b, delay(1.0))));
    }
}
