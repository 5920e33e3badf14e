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

/// Of one log of 1 000 records a second.
fn kept(system: &str, step: &str, settings: &str) -> crate::analysis::OperatorReport {
    let elements = format!(
        r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"1000/s"}}}},
        "j":{{"kind":"job","system":"{system}","proposed":{{"space_amplification":1,"trigger_interval":"1min"}}}},
        "o":{{"kind":"operator","job":"j","step":"{step}","proposed":{{"entry_size":"100B",{settings}}}}}"#
    );
    design(&elements, r#""l1":{"from":"a","to":"o"}"#).operators[&id("o")].clone()
}

fn asked(report: &crate::analysis::OperatorReport) -> Vec<&'static str> {
    let why = report.state.clone().unwrap().unwrap_err();
    why.missing.iter().map(|missing| missing.field.name()).collect()
}

/// 86.4 M records a day, but 2 000 keys and one new one every 10 s: 2 000 + 8 640 entries. Where keys are many, records decide.
#[test]
fn a_time_to_live_keeps_no_more_than_there_are_keys() {
    let of = |keys: &str| {
        let settings = format!(r#""window":"none","function":"sum","state_ttl":"1d"{keys}"#);
        let report = kept("flink", "aggregate", &settings);
        let stay = stay::of(&id("o"), report.entries.as_ref().unwrap().as_ref().unwrap()).unwrap();
        (entries(&report), stay.time.value)
    };
    assert_eq!(of(r#","live_keys":2000,"new_keys":"0.1/s""#), (10_640.0, 86_400.0));
    assert_eq!(of(r#","live_keys":2000,"new_keys":"0/s""#), (2_000.0, 86_400.0));
    assert_eq!(of(r#","live_keys":90000000,"new_keys":"0/s""#), (86_400_000.0, 86_400.0));
    assert_eq!(of(r#","live_keys":2000"#), (86_400_000.0, 86_400.0), "how many come is not known");
}

/// Stores of Kafka Streams, aggregates of Spark and global windows have no time-to-live: none is asked for, and new keys decide.
#[test]
fn what_never_expires_is_not_asked_for_a_time_to_live() {
    for (system, window) in [("kafka_streams", "none"), ("spark", "none"), ("flink", "global")] {
        let of = |keys: &str| kept(system, "aggregate", &format!(r#""window":"{window}","function":"sum"{keys}"#));
        assert_eq!(entries(&of(r#","live_keys":2000,"new_keys":"0/s""#)), 2_000.0, "{system}");
        let growing = of(r#","live_keys":2000,"new_keys":"1/s""#);
        assert!(entries(&growing).is_infinite(), "{system}");
        assert_eq!(growing.growth.unwrap().unwrap().value, 86_400.0 * 100.0, "{system}");
    }
    assert_eq!(asked(&kept("flink", "aggregate", r#""window":"none","function":"sum""#)), ["state_ttl"]);
}

/// Whether anything is removed is the first question; the delay is that of the step before, 10 min: 1 000 × (2 × 600 + 60).
#[test]
fn a_deduplication_of_spark_is_bounded_where_it_is_said_to_be() {
    let watermark = r#""key":["id"],"watermark_delay":"10min""#;
    assert_eq!(asked(&kept("spark", "deduplicate", watermark)), ["state_ttl"]);
    let within = kept("spark", "deduplicate", &format!(r#"{watermark},"state_ttl":"10min""#));
    assert_eq!(entries(&within), 1_260_000.0);
    let elements = r#""a":{"kind":"channel","system":"kafka","proposed":{"rate":"1000/s"}},
        "j":{"kind":"job","system":"spark","proposed":{"trigger_interval":"1min"}},"m":{"kind":"operator","job":"j","step":"map","proposed":{"watermark_delay":"10min","selectivity":1}},
        "o":{"kind":"operator","job":"j","step":"deduplicate","proposed":{"key":["id"],"state_ttl":"10min"}}"#;
    let inherited = design(elements, r#""l1":{"from":"a","to":"m"},"l2":{"from":"m","to":"o"}"#);
    assert_eq!(entries(&inherited.operators[&id("o")]), 1_260_000.0);
}

/// Where no form gives a bound, what somebody read counts, and nothing else is asked for.
#[test]
fn a_state_that_was_read_stands_where_there_is_no_form() {
    let window = r#""window":"tumbling","window_size":"5min","clock":"event_time""#;
    assert_eq!(asked(&kept("beam", "aggregate", window)), ["state_size"]);
    let read = kept("beam", "aggregate", &format!(r#"{window},"state_size":"5GB""#));
    assert_eq!(read.state.unwrap().unwrap().value, 5e9);
    assert!(read.entries.unwrap().is_err());
}
