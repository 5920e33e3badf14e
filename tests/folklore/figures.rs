//! Sayings about time, state, retention and capacity.

use crate::{
    path::{CLEAN, Engine, Job, SHORT, Step, Times, Write},
    said::{Asked, CHECKOUT, along, ask, careful, id, is, straight},
};
use pipeline_desk::{
    analysis::delivery::verdict::{CopyClass, LossKind, ValueEffect, Variable},
    model::Id,
};

const fn job(engine: Engine, steps: &'static [Step], write: Write) -> Job {
    Job { engine, committed: true, steps, write }
}

fn orders() -> Id {
    id("orders")
}

#[test]
fn f06_checkpoints_avoid_reprocessing() {
    let rewind = |interval: &str, failures: &str| {
        let changes = [
            ("elements/revenue/proposed/checkpoint_interval", interval),
            ("elements/revenue/proposed/tolerable_failed_checkpoints", failures),
        ];
        careful(&changes).review.jobs[&id("revenue")].rewind.clone().unwrap().unwrap()
    };
    // max(60 s, 5 s + 0 s) + 5 s are done again; each failed checkpoint that is tolerated adds its timeout of 600 s.
    is(&rewind("\"1min\"", "0"), 65.0);
    is(&rewind("\"5min\"", "0"), 305.0);
    is(&rewind("\"1min\"", "3"), 1865.0);
    let appended = straight(CLEAN, &[job(Engine::Flink("exactly_once"), &[Step::Map], Write::Insert)], &[]);
    assert!(appended.repeats(CopyClass::Reemission), "{}", appended.reader().sentence);
}

#[test]
fn f07_the_checkpoint_interval_is_about_fault_tolerance_only() {
    let five = ("elements/revenue/proposed/checkpoint_interval", "\"5min\"");
    let (one, five) = (careful(&[]), careful(&[five]));
    let job = |asked: &Asked| asked.review.jobs[&id("revenue")].clone();
    let difference = |a: f64, b: f64| assert!((b - a - 240.0).abs() < 0.5, "{a} {b}");
    let latency = |asked: &Asked| asked.review.consumers[&id("board")].latency.clone().unwrap().value;
    difference(latency(&one), latency(&five));
    let needed = |asked: &Asked| job(asked).required_timeout.unwrap().unwrap().value;
    difference(needed(&one), needed(&five));
    let covered = |asked: &Asked| job(asked).outage_bound.unwrap().unwrap().value;
    difference(covered(&five), covered(&one));
}

#[test]
fn f09_a_compacted_topic_is_bounded() {
    let compact = careful(&[("elements/totals/proposed/cleanup_policy", "\"compact\"")]);
    let longest = compact.review.channels[&id("totals")].longest.clone().unwrap();
    assert!(longest.value.is_infinite(), "the newest record of each key stays: {longest:?}");
    compact.never_says(&["compact", "bounded"]);
    // State that is kept by key grows with the keys, whatever the topic behind it does.
    let running = [
        ("elements/totals/proposed/cleanup_policy", "\"compact\""),
        ("elements/sum/proposed/window", "\"none\""),
        ("elements/sum/proposed/new_keys", "\"100/d\""),
    ];
    let state = careful(&running).review.operators[&id("sum")].state.clone().unwrap();
    assert!(state.is_err() || state.unwrap().value.is_infinite(), "no number of keys is stated");
}

#[test]
fn f11_retention_is_exact() {
    let channel = careful(&[]).review.channels[&orders()].clone();
    is(&channel.reach.unwrap(), 604_800.0);
    // 7 d + 1 h of stamps ahead + a segment that fills in 1 GiB ÷ 15 kB/s = 71 583 s + 5 min + 1 min of silence.
    is(&channel.longest.unwrap(), 604_800.0 + 3600.0 + 71_582.8 + 300.0 + 60.0);
    careful(&[]).never_says(&["active segment", "never deleted"]);
}

#[test]
fn f12_seven_days_of_retention_replay_any_point_of_last_week() {
    let checkout = ask(CHECKOUT, &[]);
    let channel = &checkout.review.channels[&orders()];
    // 50 GiB ÷ 2 MB/s of the fullest partition at its peak.
    is(channel.reach.as_ref().unwrap(), 53_687_091_200.0 / 2e6);
    for start in &checkout.review.consumers[&id("board")].replay {
        assert!(start.reach.as_ref().is_ok_and(|reach| reach.value < 30_000.0) || start.from != orders(), "{start:?}");
    }
    checkout.never_says(&["replay reach", "orders", "| 7 d |"]);
    let without = ask(CHECKOUT, &[("elements/orders/observed/e_topics/retention_size", "\"unlimited\"")]);
    is(without.review.channels[&orders()].reach.as_ref().unwrap(), 604_800.0);
}

#[test]
fn f14_fetch_wait_adds_its_time_to_the_latency() {
    let latency =
        |changes: &[(&str, &str)]| careful(changes).review.consumers[&id("board")].latency.clone().unwrap().value;
    let wait = ("links/l2/proposed/fetch_wait", "\"500ms\"");
    let plain = latency(&[]);
    assert_eq!(latency(&[wait]).to_bits(), plain.to_bits(), "one byte is enough for an answer");
    assert_eq!(latency(&[wait, ("links/l2/proposed/fetch_min", "\"1B\"")]).to_bits(), plain.to_bits());
    let held = latency(&[wait, ("links/l2/proposed/fetch_min", "\"1MiB\"")]);
    assert!((held - plain - 0.5).abs() < 1e-6, "{plain} {held}");
}

#[test]
fn f15_partitions_are_throughput_by_throughput() {
    // No number of partitions is ever derived; what they cap is.
    let asked = careful(&[]);
    asked.never_says(&["throughput ÷"]);
    is(&asked.review.jobs[&id("revenue")].parallelism_cap.clone().unwrap(), 6.0);
    let hot = careful(&[
        ("elements/orders/proposed/dominant_key_share", "0.5"),
        ("elements/revenue/proposed/instance_capacity", "\"50/s\""),
        ("elements/orders/proposed/partitions", "600"),
    ]);
    assert!(!hot.findings("SKW-02").is_empty(), "half of it is one key: more partitions change nothing");
}

#[test]
fn f16_a_group_of_its_own_makes_replay_independent() {
    let asked = careful(&[]);
    let starts = &asked.review.consumers[&id("board")].replay;
    let start = starts.iter().find(|start| start.from == orders()).unwrap();
    let shadow = "Needs the job's state reset or a shadow job";
    assert!(start.remarks.iter().any(|remark| remark.starts_with(shadow)), "{:?}", start.remarks);
    let append = careful(&[("elements/table/proposed/rebuild", "\"append_only\"")]);
    let starts = &append.review.consumers[&id("board")].replay;
    assert!(starts.iter().any(|start| start.remarks.iter().any(|remark| remark.contains("double"))), "{starts:?}");
}

#[test]
fn f17_late_events_are_allowed_up_to_a_bound_before_the_window_closes() {
    let latency =
        |changes: &[(&str, &str)]| careful(changes).review.consumers[&id("board")].latency.clone().unwrap().value;
    let delay = ("elements/sum/proposed/watermark_delay", "\"90s\"");
    let allowed = ("elements/sum/proposed/allowed_lateness", "\"2min\"");
    assert!((latency(&[delay]) - latency(&[]) - 60.0).abs() < 1e-6, "the watermark's delay holds back every result");
    assert_eq!(latency(&[allowed]).to_bits(), latency(&[]).to_bits(), "what is allowed to be late changes it later");
    // Without a place for them, what is later than both together is lost.
    let nowhere = |changes: &[(&str, &str)]| {
        let mut all = vec![("links/l8", "null"), ("elements/late", "null")];
        all.extend_from_slice(changes);
        let asked = careful(&all);
        let lossy = asked.verdict("board").lossy_hops.clone();
        let condition = lossy.iter().find_map(|loss| match &loss.kind {
            LossKind::Conditional(condition) if matches!(condition.variable, Variable::Lateness(_)) => {
                Some(condition.text.clone())
            }
            _ => None,
        });
        (condition, asked.findings("TIM-07").len() + asked.findings("TIM-04").len())
    };
    let (condition, found) = nowhere(&[]);
    assert_eq!(condition.as_deref(), Some("every event is at most 90 s late"));
    assert!(found > 0, "no destination is a finding");
}

#[test]
fn f24_spark_drops_everything_later_than_the_watermark() {
    let windowed = |system: &str| {
        let window = r#"{"function":"sum","key":["entity"],"window":"tumbling","window_size":"5min","clock":"event_time",
            "emit":"on_close","watermark_delay":"30s","allowed_lateness":"0s"}"#;
        let changes = [("elements/n1_job/system", system), ("elements/n1_0/observed/e1", window)];
        straight(CLEAN, &[job(Engine::Flink("exactly_once"), &[Step::Count], Write::Insert)], &changes)
    };
    let spark = windowed("\"spark\"");
    spark.does_say(&["events later than 30 s may be dropped"]);
    spark.never_says(&["are dropped from their window"]);
    windowed("\"flink\"").does_say(&["events later than 30 s are dropped"]);
}

#[test]
fn f28_the_time_to_live_of_state_is_event_time() {
    let with = |clock: &str, outage| {
        let jobs =
            [job(Engine::Flink("exactly_once"), &[Step::Deduplicate("24h"), Step::Count], Write::LogTransaction)];
        let times = Times { outage, transaction_timeout: "200000s", ..SHORT };
        let from = crate::path::From::Capture { retries_within: "1s", resent_within: Some("60s") };
        along(from, &jobs, &times, &[("elements/n1_0/observed/e1/ttl_clock", clock)]).reader().clone()
    };
    // Down for 30 h, ids that are kept for 24 h by the machine's clock are gone when the second copy is read.
    assert!(!holds(&with("\"processing_time\"", "30h")));
    assert!(holds(&with("\"processing_time\"", "1h")));
    assert!(holds(&with("\"event_time\"", "30h")));
    assert!(!holds(&with("\"unset\"", "30h")), "what is not known is the machine's clock");
}

/// Do repeats come while the ids are kept, by what is stated?
fn holds(verdict: &pipeline_desk::analysis::delivery::verdict::DeliveryVerdict) -> bool {
    use pipeline_desk::analysis::delivery::verdict::Most;
    match &verdict.badge.most {
        Most::OneWhile(_, conditions) => {
            assert_eq!(verdict.value, ValueEffect::Exact);
            conditions.iter().all(|condition| condition.inside == Some(true))
        }
        _ => false,
    }
}
