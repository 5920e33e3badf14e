//! What joins keep.

use super::{design, entries, id, operator};

/// Entries of a join of this engine behind a log of 100 records a second and one of 50.
fn joined(engine: &str, job: &str, facts: &str) -> f64 {
    let elements = format!(
        r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
        "b":{{"kind":"channel","system":"kafka","proposed":{{"rate":"50/s"}}}},
        "j":{{"kind":"job","system":"{engine}","proposed":{{{job}}}}},
        "o":{{"kind":"operator","job":"j","step":"join","proposed":{{{facts}}}}}"#
    );
    let links = r#""l1":{"from":"a","to":"o","into":"left"},"l2":{"from":"b","to":"o","into":"right"}"#;
    entries(&design(&elements, links).operators[&id("o")])
}

/// 1 000 keys, and 120 records a second that wait for a delay of 30 s and a step of 0.2 s: 1 000 + 3 624.
#[test]
fn a_temporal_join_of_flink_keeps_what_waits_for_the_watermark() {
    let settings =
        r#"{"join":"temporal","clock":"event_time","watermark_delay":"30s","live_keys":1000,"new_keys":"0/s"}"#;
    assert!((entries(&operator("flink", "{}", "join", settings)) - 4624.0).abs() < 1e-6);
    let growing = settings.replace("0/s", "1/s");
    assert!(entries(&operator("flink", "{}", "join", &growing)).is_infinite());
}

/// Left: 100 × (60 + 10 + 2 × 5); right: 20 × (0 + 10 + 10).
#[test]
fn an_interval_join_of_spark_keeps_two_batches_more() {
    let settings = r#"{"join":"interval","join_before":"0s","join_after":"1min","watermark_delay":"10s"}"#;
    let report = operator("spark", r#"{"trigger_interval":"5s"}"#, "join", settings);
    assert!((entries(&report) - 8400.0).abs() < 1e-6);
}

/// Each row waits for the delay and two batches, and for how far the inputs are apart: 100 ÷ s × (10 + 30 + 2 × 5 + 60) s of
/// the left, 50 ÷ s × (5 + 30 + 2 × 5 + 60) s of the right.
#[test]
fn inputs_of_a_spark_join_that_are_apart_keep_more() {
    let facts = r#""join":"interval","key":["k"],"join_before":"5s","join_after":"10s","watermark_delay":"30s""#;
    let of = |more: &str| joined("spark", r#""trigger_interval":"5s""#, &format!("{facts}{more}"));
    let together = of("");
    let apart = of(r#","input_time_spread":"60s""#);
    assert!((apart - together - (100.0 + 50.0) * 60.0).abs() < 1e-6, "{together} {apart}");
}

/// Flink from 1.18 on cleans as soon as it can, unless a least time between two clean-ups is set: a minute of both sides.
#[test]
fn an_interval_join_that_cleans_seldom_keeps_more() {
    let facts = r#""join":"interval","key":["k"],"join_before":"5s","join_after":"10s","watermark_delay":"30s","watermark_assigned":"at_source","idle_timeout":"1min""#;
    let of = |more: &str| joined("flink", r#""version":"1.20""#, &format!("{facts}{more}"));
    let (at_once, seldom) = (of(""), of(r#","cleanup_interval":"1min""#));
    assert!((seldom - at_once - 150.0 * 60.0).abs() < 1e-6, "{at_once} {seldom}");
}

/// 1 GB a day on each of four instances that may hold 10 GB each: full in 40 ÷ 4 = 10 days. A foreign-key join writes each new
/// key three times: 3 GB a day, and 40 ÷ 3 is 13 full days.
#[test]
fn copies_of_a_table_grow_as_often() {
    let full = |join: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"b":{{"kind":"channel","system":"kafka"}},
            "j":{{"kind":"job","system":"kafka_streams","proposed":{{"instances":4,"state_budget":"10GB","state_size":"0B","space_amplification":1}}}},
            "o":{{"kind":"operator","job":"j","step":"join","proposed":{{"join":"{join}","new_keys":"10/s","entry_size":"1157.4074B"}}}}"#
        );
        let elements = elements.replace("1157.4074B", "1157B");
        let links = r#""l1":{"from":"a","to":"o","into":"left"},"l2":{"from":"b","to":"o","into":"table"}"#;
        let report = design(&elements, links).operators[&id("o")].clone();
        (report.growth.unwrap().unwrap().value, report.full_in.unwrap().unwrap().value / 86_400.0)
    };
    // 10 × 86 400 × 1 157 B = 999 648 000 B a day.
    assert_eq!(full("table"), (999_648_000.0, 40.0));
    assert_eq!(full("global_table"), (4.0 * 999_648_000.0, 10.0));
    assert_eq!(full("foreign_key"), (3.0 * 999_648_000.0, 13.0));
}

/// A static table of Spark is read anew with every batch and is no state; without a range of time nothing ever leaves a join of
/// two streams; on windows rows stay for 600 + 30 + 2 × 5 s, 150 a second of them. A join of two tables keeps both.
#[test]
fn joins_without_a_time_to_live() {
    let report = |engine: &str, facts: &str| operator(engine, r#"{"trigger_interval":"5s"}"#, "join", facts);
    for kind in ["table", "global_table"] {
        assert!(report("spark", &format!(r#"{{"join":"{kind}"}}"#)).state.is_none(), "{kind}");
        assert!(report("flink", &format!(r#"{{"join":"{kind}"}}"#)).state.is_some(), "{kind}");
    }
    let endless = report("spark", r#"{"join":"regular","entry_size":"100B"}"#);
    assert!(entries(&endless).is_infinite());
    let window = r#""join":"window","window_size":"10min","watermark_delay":"30s""#;
    assert_eq!(joined("spark", r#""trigger_interval":"5s""#, window), 150.0 * 640.0);
    let tables = r#"{"join":"regular","live_keys":1000,"new_keys":"0/s"}"#;
    assert_eq!(entries(&report("kafka_streams", tables)), 2_000.0);
}
