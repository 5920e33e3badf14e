//! The figures of the built-in example, worked by hand, with their explanations.

use pipeline_desk::{
    analysis::{
        Report, analyse,
        explain::{Derived, Explained, Origin},
    },
    catalog::examples,
    codec,
    model::{Basis, Design, Id, View},
};
use std::sync::Arc;

fn checkout() -> Design {
    let example = examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    codec::decode(example.text).unwrap()
}

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn both() -> [Report; 2] {
    let design = checkout();
    [View::AsIs, View::ToBe].map(|view| analyse(&design, view))
}

#[track_caller]
fn near(derived: &Derived, expected: f64) -> Arc<Explained> {
    let figure = derived.as_ref().unwrap();
    assert!((figure.value - expected).abs() <= 1e-6 * expected, "{} is {}, not {expected}", figure.what, figure.value);
    figure.clone()
}

/// The formula id of a figure, and its inputs as `what = value`.
fn shape(figure: &Explained) -> (&'static str, Vec<(&'static str, f64)>) {
    let Origin::Formula { formula, inputs, .. } = &figure.origin else { panic!("{} is no formula", figure.what) };
    (formula.id, inputs.iter().map(|input| (input.what, input.value)).collect())
}

/// 50 GiB / 2 MB/s = 53 687 091 200 / 2 000 000 = 26 843.5456 s; by time 7 d = 604 800 s.
#[test]
fn bytes_bind_the_reach_of_orders() {
    for report in both() {
        let reach = near(&report.channels[&id("orders")].reach, 26_843.545_6);
        assert_eq!(reach.text(), "7 h 27 min");
        assert_eq!(reach.basis, Some(Basis::Configured));
        let Origin::Formula { formula, inputs, binding } = &reach.origin else { panic!() };
        assert_eq!((formula.id, *binding), ("E1.guaranteed", Some(1)));
        assert_eq!(inputs[0].text(), "7 d");
        assert_eq!(
            shape(&inputs[1]),
            (
                "E1.size",
                vec![
                    ("retention size, per partition", 53_687_091_200.0),
                    ("bytes on disk per second, fullest partition at peak", 2e6)
                ]
            )
        );
    }
}

/// Mean partition: 50 GiB / 0.5 MB/s = 107 374.1824 s; a segment of 1 GiB spans 2 147.483648 s, half of that and of the
/// check interval of 300 s: 1 223.741824 s. In all 108 597.924224 s = 30 h 10 min.
#[test]
fn typical_reach_of_orders() {
    for report in both() {
        let typical = near(&report.channels[&id("orders")].typical, 108_597.924_224);
        assert_eq!(typical.text(), "30 h 10 min");
    }
}

/// 300 /s × 86 400 s = 25 920 000 ids of 60 B = 1.5552 GB, × 1.3 = 2.02176 GB.
#[test]
fn state_of_the_deduplication() {
    for report in both() {
        let dedup = &report.operators[&id("dedup")];
        near(dedup.entries.as_ref().unwrap(), 25_920_000.0);
        let state = near(dedup.state.as_ref().unwrap(), 2_021_760_000.0);
        assert_eq!(state.text(), "2.02 GB");
        assert_eq!(state.basis, Some(Basis::Assumed), "entry size and overhead are assumed");
        assert_eq!(shape(&state), ("D2.state", vec![("live state", 1.5552e9), ("space amplification", 1.3)]));
        near(&dedup.input_rate, 300.0);
        assert!(dedup.growth.is_none());
    }
}

/// As it is: ⌈(300 + 30 + 0 + 0 + 0.2) / 300⌉ = 2 windows of 800 stores, 90 B each: 144 kB live. As it shall be, with
/// 10 min of lateness: ⌈930.2 / 300⌉ = 4: 288 kB. On disk × 1.3.
#[test]
fn state_of_the_window() {
    for (report, windows) in both().into_iter().zip([2.0, 4.0]) {
        let sum = &report.operators[&id("sum")];
        near(sum.entries.as_ref().unwrap(), 800.0 * windows);
        let state = near(sum.state.as_ref().unwrap(), 800.0 * windows * 90.0 * 1.3);
        assert_eq!(state.inputs()[0].value, 800.0 * windows * 90.0);
    }
}

/// Down: 50 s + 20 s + (2 021 760 000 + 187 200) B / 500 MB/s = 4.0438944 s: 74.0438944 s. Again: 60 s + 3 s. Behind before:
/// 1 840 records in one partition of twelve, which gets 300 / 12 = 25 /s: 73.6 s. Catch-up: (73.6 + 63 + 74.0438944) × 300 /
/// (1 500 − 300) = 52.6609736 s. In all 126.7048680 s.
#[test]
fn recovery_of_the_job() {
    let [as_is, _] = both();
    let job = &as_is.jobs[&id("revenue")];
    let recovery = near(&job.recovery, 126.704_868);
    assert_eq!(recovery.text(), "2 min 7 s");
    let [down, catch_up] = recovery.inputs() else { panic!() };
    assert_eq!((down.text(), catch_up.text()), ("74 s".into(), "53 s".into()));
    assert_eq!(down.inputs().iter().map(|input| input.text()).collect::<Vec<_>>(), ["50 s", "20 s", "4 s"]);
    near(job.rewind.as_ref().unwrap(), 63.0);
    near(job.checkpoint.as_ref().unwrap(), 3.0);
    near(&job.parallelism_cap, 12.0);
}

/// 600 s − 60 s − 3 s = 537 s; 60 s + 3 s + 180 s + 60 s = 303 s.
#[test]
fn the_transaction_of_the_job() {
    for report in both() {
        let job = &report.jobs[&id("revenue")];
        near(job.outage_bound.as_ref().unwrap(), 537.0);
        near(job.required_timeout.as_ref().unwrap(), 303.0);
        assert!(report.jobs[&id("rev_jdbc")].outage_bound.is_none());
    }
}

#[test]
fn the_table_is_written_by_key() {
    for report in both() {
        assert_eq!(report.sinks[&id("revenue_table")].write, "upsert on (store, window_start)");
    }
}

/// An operator behind two logs of 100 and 50 records a second, whose partitions are 5 s of event time apart.
fn operator(system: &str, job: &str, step: &str, settings: &str) -> pipeline_desk::analysis::OperatorReport {
    let text = format!(
        r#"{{"format":"streaming-pipeline","version":2,"elements":{{
        "a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s","partition_time_spread":"5s"}}}},
        "b":{{"kind":"channel","system":"kafka","proposed":{{"rate":"50/s","partition_time_spread":"5s"}}}},
        "j":{{"kind":"job","system":"{system}","proposed":{{{job}}}}},
        "o":{{"kind":"operator","job":"j","step":"{step}","proposed":{{{settings}}}}}}},
        "links":{{"l1":{{"from":"a","to":"o","into":"left"}},"l2":{{"from":"b","to":"o","into":"right"}}}}}}"#
    );
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
    analyse(&design, View::ToBe).operators[&id("o")].clone()
}

#[track_caller]
fn entries(system: &str, job: &str, step: &str, settings: &str, expected: f64) {
    near(operator(system, job, step, settings).entries.as_ref().unwrap(), expected);
}

/// A retention of 600 s, and a segment of half of that: 900 s of the 150 records of both sides; sliding windows write two rows
/// a record, and look back twice their size.
#[test]
fn stores_of_kafka_streams_keep_a_retention_and_a_segment() {
    let join = r#""join":"interval","join_before":"100s","join_after":"200s","allowed_lateness":"300s""#;
    entries("kafka_streams", "", "join", join, 135_000.0);
    let sliding = r#""window":"sliding","window_size":"100s","allowed_lateness":"400s""#;
    entries("kafka_streams", "", "aggregate", sliding, 270_000.0);
}

/// 600 keys in ⌈900 s ÷ 300 s⌉ = 3 windows of the store; suppressed, in ⌈600 s ÷ 300 s⌉ = 2 of the buffer as well.
#[test]
fn a_suppressed_window_is_in_the_store_and_in_the_buffer() {
    let window = |emit: &str| {
        format!(
            r#""window":"tumbling","window_size":"300s","allowed_lateness":"300s","keys_per_window":600,"emit":"{emit}""#
        )
    };
    entries("kafka_streams", "", "aggregate", &window("every_update"), 1_800.0);
    entries("kafka_streams", "", "aggregate", &window("suppress"), 3_000.0);
}

/// 150 records a second stay for 60 s of the window, 30 s of the watermark, 10 s of lateness, 5 s that the partitions are
/// apart and 0.2 s of the interval.
#[test]
fn an_over_aggregate_keeps_its_window_and_what_waits() {
    let over = r#""window":"sliding","window_size":"60s","watermark_delay":"30s","allowed_lateness":"10s","clock":"event_time""#;
    entries("flink", "", "aggregate", over, 15_780.0);
}

/// 1 000 keys of a table: three times of a foreign-key join, once an instance of a global one.
#[test]
fn copies_of_a_table_are_kept() {
    let join = |kind: &str| format!(r#""join":"{kind}","live_keys":1000,"new_keys":"0/s""#);
    entries("kafka_streams", r#""instances":4"#, "join", &join("foreign_key"), 3_000.0);
    entries("kafka_streams", r#""instances":4"#, "join", &join("global_table"), 4_000.0);
}

/// 600 sessions of 300 s at a time: two start each second, and in complete mode none ever leaves: 2 × 86 400 × 100 B a day.
#[test]
fn complete_mode_keeps_every_session() {
    let sessions = r#""clock":"event_time","window":"session","live_keys":600,"key_lifetime":"300s","window_gap":"60s","watermark_delay":"1min","entry_size":"100B","output_mode":"complete""#;
    let job = r#""trigger_interval":"1min","space_amplification":1"#;
    let report = operator("spark", job, "aggregate", sessions);
    assert!(report.entries.as_ref().unwrap().as_ref().unwrap().value.is_infinite());
    near(report.growth.as_ref().unwrap(), 17_280_000.0);
}

/// Left: 100 × (10 + 30 + 5) s; right: 50 × (20 + 30 + 5) s. A temporal join keeps 150 × 35.2 s beside its 1 000 keys.
#[test]
fn joins_of_flink_wait_for_the_slowest_partition() {
    let waits = r#""watermark_delay":"30s","clock":"event_time""#;
    let interval = format!(r#""join":"interval","api":"datastream","join_before":"20s","join_after":"10s",{waits}"#);
    entries("flink", "", "join", &interval, 7_250.0);
    let temporal = format!(r#""join":"temporal","live_keys":1000,"new_keys":"0/s",{waits}"#);
    entries("flink", "", "join", &temporal, 6_280.0);
}

/// 1 000 keys, 50 versions a second for an hour and a segment of a twelfth of that, and 100 rows a second that wait 10 s:
/// 1 000 + 195 000 + 1 000.
#[test]
fn a_versioned_table_keeps_old_versions_and_what_waits() {
    let join = r#""join":"temporal","live_keys":1000,"new_keys":"0/s","history":"1h","allowed_lateness":"10s""#;
    entries("kafka_streams", "", "join", join, 197_000.0);
}
