//! What aggregates keep.

use super::{design, entries, id, operator};
use crate::analysis::figures::stay;

/// 600 keys in each window of five minutes: two new entries a second, and no bound; append keeps ⌈(300 + 60 + 120) ÷ 300⌉ = 2.
#[test]
fn complete_mode_keeps_every_window() {
    let settings = |mode: &str| {
        format!(
            r#"{{"clock":"event_time","window":"tumbling","window_size":"5min","watermark_delay":"1min","keys_per_window":600,"entry_size":"100B","output_mode":"{mode}"}}"#
        )
    };
    let job = r#"{"trigger_interval":"1min","space_amplification":1}"#;
    let complete = operator("spark", job, "aggregate", &settings("complete"));
    assert!(entries(&complete).is_infinite());
    // 2 × 86 400 × 100 B.
    assert!((complete.growth.unwrap().unwrap().value - 17_280_000.0).abs() < 1.0);
    assert!((entries(&operator("spark", job, "aggregate", &settings("append"))) - 1200.0).abs() < 1e-6);
}

/// 100 000 keys of ten rows each.
#[test]
fn a_top_n_keeps_its_rows_for_each_key() {
    let of = |top: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},"j":{{"kind":"job","system":"flink"}},
            "o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"top_n","window":"none",
             "state_ttl":"unlimited","live_keys":100000,"new_keys":"0/s"{top}}}}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).operators[&id("o")].entries.clone().unwrap()
    };
    assert!((of(r#","top":10"#).unwrap().value - 1_000_000.0).abs() < 1e-6);
    assert_eq!(of("").unwrap_err().missing[0].field.name(), "top");
}

/// One session starts each second and lasts an hour; a gap of 5 min and no grace keep it (300 + 150) s more.
#[test]
fn sessions_of_kafka_streams_are_there_while_they_last() {
    let settings =
        r#"{"window":"session","live_keys":3600,"key_lifetime":"1h","window_gap":"5min","allowed_lateness":"0s"}"#;
    let report = operator("kafka_streams", "{}", "aggregate", settings);
    assert!((entries(&report) - 4_050.0).abs() < 1e-6);
    let stay = stay::of(&id("o"), report.entries.as_ref().unwrap().as_ref().unwrap()).unwrap();
    assert_eq!(stay.time.value, 4_050.0);
}

/// Results that wait for the end of their window lie in a buffer beside the store.
#[test]
fn suppressed_results_are_kept_beside_the_store() {
    let of = |emit: &str| {
        let settings = format!(
            r#"{{"window":"tumbling","window_size":"5min","allowed_lateness":"0s","keys_per_window":600,"clock":"event_time"{emit}}}"#
        );
        entries(&operator("kafka_streams", "{}", "aggregate", &settings))
    };
    let (store, both) = (of(r#","emit":"every_update""#), of(r#","emit":"suppress""#));
    assert!(store >= 600.0 && both >= store + 600.0, "{store} {both}");
}
