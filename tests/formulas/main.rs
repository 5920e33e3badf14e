//! The forms against simulations of the products, and the laws that they keep.
//!
//! `tests/vectors/formulas.json` holds what was simulated: inputs, what the form shall give, and what the simulation saw
//! (inputs are rounded, so the form itself may be off by a thousandth). The simulations rebuilt the broker's log, its
//! cleaner, window and session state, checkpoints, recovery, replay over random graphs, hashing of keys, micro-batches,
//! fetch buffers. Every vector is worked out here through [`formulas`](pipeline_desk::analysis::formulas), which figures and
//! rules call and nobody else needs; what the desk puts together from a whole design, through a design.

mod calls;
mod laws;

use pipeline_desk::{
    analysis::{
        Report, analyse,
        explain::Origin,
        formulas::{
            UNBOUNDED, capacity, checkpoint, latency,
            log::{self, Longest, Retention, Segments},
            product, ratio, reconciliation, recovery, replay, skew,
            state::{self, Delay},
        },
    },
    codec,
    model::{Id, View},
};
use proptest::prelude::*;
use serde_json::Value;
use std::{cell::RefCell, collections::BTreeSet};

/// The inputs of a vector, and which of them its form took.
struct Inputs<'v> {
    values: &'v Value,
    taken: RefCell<BTreeSet<&'static str>>,
}

impl Inputs<'_> {
    /// A number; where a limit is meant, −1 is none.
    fn n(&self, name: &'static str) -> f64 {
        self.taken.borrow_mut().insert(name);
        let value = self.values[name].as_f64().unwrap_or_else(|| panic!("{name} in {}", self.values));
        if value == -1.0 { UNBOUNDED } else { value }
    }

    /// A number that counts as `otherwise` where the vector leaves it open.
    fn or(&self, name: &'static str, otherwise: f64) -> f64 {
        if self.values[name].is_null() { otherwise } else { self.n(name) }
    }

    fn yes(&self, name: &'static str) -> bool {
        self.taken.borrow_mut().insert(name);
        self.values[name].as_bool().unwrap()
    }

    fn retention(&self) -> Retention {
        Retention { time: self.or("retention_s", UNBOUNDED), bytes: self.or("retention_bytes", UNBOUNDED) }
    }

    fn segments(&self) -> Segments {
        Segments { time: self.n("segment_s"), bytes: self.n("segment_bytes"), check: self.n("check_s") }
    }

    fn delay(&self) -> Delay {
        let (drift, step) = (self.or("partition_drift", 0.0), self.or("watermark_step", 0.0));
        Delay { watermark: self.n("B"), lateness: self.n("L"), drift, step }
    }

    /// The reach of each way: its history behind its lookbacks.
    fn ways(&self) -> Vec<f64> {
        self.taken.borrow_mut().insert("ways");
        let number = |value: &Value| value.as_f64().unwrap();
        let way = |way: &Value| {
            let lookbacks = way["lookbacks"].as_array().unwrap().iter().map(number);
            lookbacks.fold(number(&way["history"]), replay::behind)
        };
        self.values["ways"].as_array().unwrap().iter().map(way).collect()
    }
}

/// What the desk works out for a design where a form has no function of its own.
fn report(elements: &str, links: &str) -> Report {
    let text =
        format!(r#"{{"format":"streaming-pipeline","version":2,"elements":{{{elements}}},"links":{{{links}}}}}"#);
    analyse(&codec::decode(&text).unwrap_or_else(|error| panic!("{error}: {text}")), View::ToBe)
}

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

const DAY: f64 = 86_400.0;

const fn holds(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

/// What a form gives for the inputs of a vector: logs and compaction.
fn of_log(form: &str, i: &Inputs<'_>) -> Option<f64> {
    Some(match form {
        "guaranteed reach" => log::guaranteed(i.retention(), i.or("r_peak", i.or("r_peak_over_window", 0.0))),
        "guaranteed reach since append" => log::guaranteed_since_append(i.retention(), 0.0, i.n("create_delay_s")),
        "typical reach" => {
            let (rate, cut) = (i.n("r_mean"), i.segments());
            log::typical(log::guaranteed(i.retention(), rate), log::span(cut.time, cut.bytes, rate), cut.check)
        }
        "longest stay" => {
            let rate = i.n("r_mean");
            let (slowest, peak) = (i.or("r_min", rate), i.or("r_peak", rate));
            let by = Longest { slowest, peak, future: i.or("future_skew_s", 0.0), gap: i.n("record_gap_s") };
            log::longest(i.retention(), i.segments(), by)
        }
        "a quiet key stays" => {
            let kept = i.n("retention_h") * 3600.0;
            assert!(i.n("keys") > 1.0 && i.n("update_gap_s") < kept, "others are written");
            let channel = format!(
                r#""c":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"compact_delete","retention_time":"{}h",
                "segment_time":"{}h"}}}}"#,
                i.n("retention_h"),
                i.n("segment_h"),
            );
            let longest = report(&channel, "").channels[&id("c")].longest.clone().unwrap().value;
            holds(longest > 12.0 * kept)
        }
        "compacted history" => log::compacted_history(i.n("min_compaction_lag_s"), UNBOUNDED),
        "value erased" => log::value_erased_within(i.n("max_compaction_lag_s"), i.n("append_gap_s")),
        "key erased" => {
            log::key_erased_within(i.n("max_compaction_lag_s"), i.n("append_gap_s"), i.n("delete_retention_s"))
        }
        "changelog" => {
            assert_eq!(i.n("backoff_s"), 15.0, "log.cleaner.backoff.ms is part of the form");
            let segments = Segments { time: UNBOUNDED, bytes: i.n("segment_bytes"), check: 300.0 };
            log::changelog_bytes(i.n("live_bytes"), i.n("ratio"), segments, i.n("write_bps"), 0.0)
        }
        "position survives" => {
            let since = i.n("days_since_last_commit_at_stop") * DAY;
            let counted = if i.yes("classic") { 0.0 } else { since };
            holds(log::position_survives(i.n("pause_d") * DAY, counted, i.n("offsets_retention_d") * DAY))
        }
        _ => return None,
    })
}

/// Replays, checkpoints, recovery.
fn of_recovery(form: &str, i: &Inputs<'_>) -> Option<f64> {
    let cycle = || (i.n("I"), i.n("d"), i.n("min_pause"));
    Some(match form {
        "reach of results" => replay::together(i.ways()),
        "lookback of refreshed state" => {
            assert!(i.n("gap_max") < i.n("ttl"), "the events of a key make one run, as long as the history");
            refreshed_lookback(i.n("ttl"))
        }
        "replay is safe" => {
            assert_eq!(i.n("end_age_s"), 0.0, "to the present");
            let left = replay::start_within(i.n("reach_guaranteed_s"), i.n("start_age_s"), i.n("speed") >= 1.0);
            holds(i.n("wait_s") <= left)
        }
        "worst rewind" => {
            let (interval, duration, pause) = cycle();
            checkpoint::rewind_worst(interval, duration, pause, 0.0, 0.0)
        }
        "two-phase sink" => {
            let (interval, duration, pause) = cycle();
            latency::transaction(checkpoint::period(interval, duration, pause), duration)
        }
        "hottest task" => {
            let (bytes, tasks, times, bandwidth) =
                (i.n("total_bytes"), i.n("tasks"), i.n("hottest_vs_other"), i.n("bw_per_task"));
            let part = bytes / (tasks - 1.0 + times);
            checkpoint::slowest(&[(part * times, bandwidth), (part, bandwidth)])
        }
        "recovery" => {
            recovery::recovery(i.n("down_s"), i.n("initial_lag_s"), i.n("rewind_s"), i.n("lambda"), i.n("mu"))
        }
        "catch-up" => recovery::catch_up(i.n("outage_s"), i.n("lam"), i.n("mu")),
        "lost on restart" => {
            let back = recovery::needs_back(i.n("lag_s"), i.n("rewind_s"), i.n("down_s"));
            holds(recovery::loses_on_restart(back, i.n("reach_s")))
        }
        "lost to lag" => {
            let most = i.or("lam_max", i.or("lam", 0.0));
            capacity::time_until_lost(i.n("R"), i.n("a0"), most, i.n("mu"))
        }
        "lost by size" => {
            capacity::time_until_lost_by_size(i.n("retention_bytes"), i.n("lag_bytes"), i.n("in_bps"), i.n("out_bps"))
        }
        _ => return None,
    })
}

/// State.
fn of_state(form: &str, i: &Inputs<'_>) -> Option<f64> {
    let seconds = |name| i.n(name) / 1000.0;
    Some(match form {
        "Flink windows" => state::flink_windows(1.0, i.n("S"), i.n("A"), i.delay()),
        "Flink elements" => state::flink_elements(i.n("rate"), i.n("S"), i.n("A"), i.delay()),
        "Flink sessions" => {
            // The vector counts the sessions of all keys together: how many keys there are does not matter.
            let (starts, _) = (i.n("session_starts_per_s"), i.n("keys"));
            state::flink_sessions(starts, i.n("mean_len"), i.n("gap"), i.delay())
        }
        "Streams rows" => state::streams_rows(i.n("rate"), seconds("retention_ms")),
        "Streams ids" => state::streams_rows(i.n("unique_rate"), i.n("ttl_s")),
        "Streams segments" => state::streams_segments(seconds("retention_ms"), seconds("advance_ms")),
        "Streams span" => state::streams_span(seconds("retention_ms")) * 1000.0,
        "Streams versions" => state::versioned_old(i.n("updates_per_s"), seconds("history_ms")),
        "Spark ids" => state::spark_deduplication_within(i.n("unique_rate"), i.n("delay_s"), i.n("batch_event_s")),
        "interval join" => {
            let (low, high) = (i.n("lo"), i.n("hi"));
            let extra =
                state::interval_cleanup(low, high, i.yes("before_1_18")) + i.n("B") + i.n("input_drift_b_behind");
            state::interval_side(i.n("rate_a"), high, extra) + state::interval_side(i.n("rate_b"), -low, extra)
        }
        "days until full" => {
            let growth = state::growth_per_day(i.n("new_keys_per_day") / DAY, i.n("entry_bytes"), i.n("amp"));
            ratio(i.n("limit_bytes"), growth)
        }
        _ => return None,
    })
}

/// Capacity, latency, comparisons.
fn of_flow(form: &str, i: &Inputs<'_>) -> Option<f64> {
    Some(match form {
        "micro-batch" => latency::micro_batch(i.n("trigger_s"), i.n("batch_s")),
        "window of micro-batches" => {
            let (trigger, batch) = (i.n("trigger_s"), i.n("batch_s"));
            latency::micro_batch_window(i.n("S"), i.n("D"), trigger, batch) + latency::micro_batch(trigger, batch)
        }
        "commits in series" => i.n("subtopologies") * latency::commit(i.n("commit_interval_s"), 0.0),
        "fetched" => capacity::fetch_bytes(
            i.n("partitions"),
            i.n("max_partition_fetch_MiB"),
            i.n("brokers"),
            i.n("fetch_max_MiB"),
            i.yes("skips_buffered_nodes"),
        ),
        "busiest partition" => {
            assert!(i.n("keys") >= i.n("P"), "one key at least a partition");
            skew::hot_share_95(i.n("s"), i.n("sum_sq_rest"), i.n("second_share"), i.n("P"))
        }
        "partition of the hot key" => skew::hot_share(i.n("s"), i.n("P")),
        "key groups" => skew::key_group_imbalance(i.n("G"), i.n("p")),
        "safe to compare" => safe_to_compare(i),
        _ => return None,
    })
}

/// A day of a log behind an aggregate whose entries every event of their key keeps for `ttl` more: what it must have read.
fn refreshed_lookback(ttl: f64) -> f64 {
    let elements = format!(
        r#""c":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"1d","retention_size":"unlimited"}}}},
        "j":{{"kind":"job","system":"flink"}},"o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"none","state_ttl":"{ttl}s","ttl_from":"last"}}}},
        "s":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}"#
    );
    let report =
        report(&elements, r#""l1":{"from":"c","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"}"#);
    let starts = &report.consumers[&id("u")].replay;
    let reach = starts.iter().find(|start| start.from == id("c")).unwrap().reach.clone().unwrap();
    assert!(matches!(&reach.origin, Origin::Formula { formula, .. } if formula.id == "E5.lookback"), "{reach:?}");
    reach.inputs()[1].value
}

/// A window of Flink behind a log, and a store that shows its rows after so long: the waits after the end of a bucket.
fn safe_to_compare(i: &Inputs<'_>) -> f64 {
    let elements = format!(
        r#""c":{{"kind":"channel","system":"kafka","proposed":{{"longest_silence":"{}s"}}}},"j":{{"kind":"job","system":"flink"}},
        "o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"1h","clock":"event_time","emit":"on_close",
          "watermark_delay":"{}s","allowed_lateness":"{}s","watermark_interval":"{}ms"}}}},
        "s":{{"kind":"sink","system":"postgres"}},"b":{{"kind":"sink","system":"postgres"}}"#,
        i.n("max_source_gap"),
        i.n("B"),
        i.n("L"),
        i.n("wm_interval") * 1000.0,
    );
    let links = format!(
        r#""l1":{{"from":"c","to":"o","proposed":{{"lag_time":"{}s"}}}},"l2":{{"from":"o","to":"s","proposed":{{"flush_interval":"{}s"}}}},
        "l3":{{"from":"s","to":"b","port":"reconcile"}}"#,
        i.n("lag_p99"),
        i.n("commit"),
    );
    report(&elements, &links).comparisons[&id("l3")].safe.clone().unwrap().value
}

/// A number of a vector: a truth is one or zero.
fn number(value: &Value) -> f64 {
    match value {
        Value::Bool(yes) => holds(*yes),
        Value::String(text) if text == "no bound" => UNBOUNDED,
        _ => value.as_f64().unwrap_or_else(|| panic!("{value}")),
    }
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * b.abs()
}

fn check(id: &str, vector: &Value, given: f64, expected: f64, observed: f64) {
    assert!(near(given, expected, 1e-3), "{id}: the form gives {given}, not {expected}");
    let tolerance = vector["tolerance"].as_f64().unwrap();
    let stands = match vector["relation"].as_str().unwrap() {
        "equal" => near(observed, expected, tolerance),
        "at_most" => observed <= expected * (1.0 + tolerance),
        "at_least" => observed >= expected * (1.0 - tolerance),
        other => panic!("{id}: {other}"),
    };
    assert!(stands, "{id}: {observed} was seen against {expected}");
}

/// Below and above, each for itself.
fn divergence(id: &str, vector: &Value, i: &Inputs<'_>) {
    let sides = reconciliation::divergence(&[i.n("late")], &[i.n("dup")]);
    for (at, given) in [(0, -sides.below), (1, sides.above)] {
        check(id, vector, given, number(&vector["expected"][at]), number(&vector["observed"][at]));
    }
}

/// Inputs that describe what was simulated and that a form does not go by: a guarantee does not depend on segments, for one.
const SCENE: &[&str] =
    &["r_peak", "r_mean", "r_min", "segment_s", "segment_bytes", "check_s", "record_gap_s", "now", "history_end"];

#[test]
fn every_vector_is_what_its_form_gives() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../vectors/formulas.json")).unwrap();
    let ids: Vec<&str> = vectors.iter().map(|vector| vector["id"].as_str().unwrap()).collect();
    assert!(ids.len() == 58 && ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    for vector in &vectors {
        let (id, form) = (vector["id"].as_str().unwrap(), vector["form"].as_str().unwrap());
        let inputs = Inputs { values: &vector["inputs"], taken: RefCell::default() };
        if form == "divergence" {
            divergence(id, vector, &inputs);
        } else {
            let given = [of_log, of_recovery, of_state, of_flow].iter().find_map(|of| of(form, &inputs));
            let given = given.unwrap_or_else(|| panic!("{id}: no form is called {form}"));
            check(id, vector, given, number(&vector["expected"]), number(&vector["observed"]));
        }
        let taken = inputs.taken.borrow();
        for name in vector["inputs"].as_object().unwrap().keys() {
            assert!(taken.contains(name.as_str()) || SCENE.contains(&name.as_str()), "{id}: {form} leaves out {name}");
        }
    }
}

fn segments(time: f64, bytes: f64, check: f64) -> Segments {
    Segments { time, bytes, check }
}

fn steady(rate: f64, gap: f64) -> Longest {
    Longest { slowest: rate, peak: rate, future: 0.0, gap }
}

/// What the vectors do not tell apart, worked by hand: bounds at the very number, and terms that they leave at nothing.
#[test]
fn forms_by_hand() {
    let delay = Delay { watermark: 3.0, lateness: 4.0, drift: 1.0, step: 0.0 };
    let log = |time: f64, bytes: f64| Retention { time, bytes };
    let cut = segments(50.0, 1000.0, 10.0);
    let by = |slowest: f64, gap: f64| Longest { slowest, peak: 0.0, future: 0.0, gap };
    for (what, given, expected) in [
        ("1,500 over 400 and 200", capacity::partitions_needed(1000.0, 1.5, 400.0, 200.0, 2.0), 8.0),
        ("1,500 over 100", capacity::partitions_needed(1000.0, 1.5, 100.0, 1000.0, 1.0), 15.0),
        ("no more than is enough", capacity::fewest(3.0, |n| n >= 3.0), 3.0),
        ("between two powers", capacity::fewest(5.0, |n| n >= 7.0), 7.0),
        ("the most", capacity::fewest(1.0, |n| n >= 131_072.0), 131_072.0),
        ("more than the most", capacity::fewest(1.0, |n| n >= 200_000.0), UNBOUNDED),
        ("as much as comes", capacity::time_until_lost_by_size(4.0, 10.0, 5.0, 5.0), UNBOUNDED),
        ("2 s and 3 s", checkpoint::slowest(&[(10.0, 5.0), (30.0, 10.0)]), 3.0),
        ("2 of 75 s, 60 s, 10 s", checkpoint::rewind_worst(60.0, 10.0, 5.0, 2.0, 70.0), 220.0),
        ("all four", latency::window(300.0, 30.0, 0.5, 7.0), 337.5),
        ("31 s", latency::commit(30.0, 1.0), 31.0),
        ("a gap as long as it is kept", log::longest(log(100.0, 1e9), cut, by(0.0, 110.0)), 270.0),
        ("a shorter gap", log::longest(log(100.0, 1e9), cut, by(0.0, 100.0)), 260.0),
        ("nothing is written", log::longest(log(100.0, 0.0), cut, by(0.0, 20.0)), 180.0),
        ("200 + 2 × 20 + 2 × 20", log::changelog_bytes(100.0, 0.5, segments(10.0, 1000.0, 0.0), 2.0, 5.0), 280.0),
        ("(90,000 + 600) × 3 + 15", log::windowed_changelog(1.0, 90_000.0, 600.0, 0.5), 271_815.0),
        ("over nothing, from below", ratio(1.0, -0.0), UNBOUNDED),
        ("no more than comes", recovery::catch_up(5.0, 2.0, 2.0), UNBOUNDED),
        ("one partition", skew::used_partitions(5.0, 1.0), 1.0),
        ("one group for two tasks", skew::key_group_imbalance(1.0, 2.0), 2.0),
        ("no groups", skew::key_group_imbalance(0.0, 2.0), 1.0),
        ("171 + 85 are a power of two", skew::default_key_groups(171.0), 256.0),
        ("10 others of 9 %", skew::hot_share_of(0.1, 11.0, 10.0), skew::hot_share_95(0.1, 0.081, 0.09, 10.0)),
        ("2 × (10 + 5 + 3 + 4 + 1)", state::flink_sessions(2.0, 10.0, 5.0, delay), 46.0),
        ("a fifth", state::versioned_segment(200.0), 40.0),
        ("a twelfth", state::versioned_segment(1200.0), 100.0),
        ("2 × (200 + 40)", state::versioned_old(2.0, 200.0), 480.0),
        ("reached, and nothing grows", state::days_to_limit(10.0, 10.0, 0.0), 0.0),
        ("nothing grows", state::days_to_limit(10.0, 9.0, 0.0), UNBOUNDED),
    ] {
        assert!(given == expected || (given - expected).abs() < 1e-9, "{what}: {given}, expected {expected}");
    }
    for (what, given, expected) in [
        ("half of the interval", capacity::poll_fits(capacity::poll_takes(10.0, 2.0, 3.0, 10.0), 100.0), true),
        ("more", capacity::poll_fits(capacity::poll_takes(10.0, 2.0, 3.0, 11.0), 100.0), false),
        ("a tombstone that old", log::sees_deletions(100.0, 100.0), false),
        ("a tombstone younger", log::sees_deletions(99.0, 100.0), true),
        ("a pause that long", log::position_survives(50.0, 50.0, 100.0), false),
        ("a shorter pause", log::position_survives(50.0, 49.0, 100.0), true),
        ("read just in time", recovery::loses_on_restart(recovery::needs_back(1.0, 2.0, 3.0), 6.5), false),
        ("read too late", recovery::loses_on_restart(recovery::needs_back(1.0, 2.0, 3.0), 6.0), true),
    ] {
        assert_eq!(given, expected, "{what}");
    }
}
