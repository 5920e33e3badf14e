//! What a result waits for, and what is open about it.

use super::{checkout, formula, id, latency, operator};
use crate::model::{Basis, View};

/// 300 s + 30 s + 0.2 s for the window: 330.2 s. The table is filled by a reader of uncommitted records, which does not wait
/// for the commit. The silence of orders, the hand-over of the capture, lag and flushes have no figure, so it is "at least".
#[test]
fn first_result_at_the_board() {
    for view in [View::AsIs, View::ToBe] {
        let figures = checkout(view);
        let board = &figures.consumers[&id("board")];
        let latency = board.latency.as_ref().unwrap();
        assert!((latency.value - 330.2).abs() < 1e-9, "{}", latency.value);
        assert_eq!(latency.text(), "5 min 30 s");
        assert_eq!(formula(latency), "LAT-E2.at_least");
        let terms: Vec<_> = latency.inputs().iter().map(|term| (formula(term), term.value)).collect();
        assert_eq!(terms, [("LAT-E1.window", 330.2)]);
        assert!(board.latency_open.iter().any(|open| open.field.name() == "longest_silence"));
    }
}

/// Rows that wait for the watermark: 30 s, a step of 200 ms and a silence of 60 s.
#[test]
fn rows_that_wait_for_the_watermark() {
    let waits = |system: &str, step: &str, settings: &str| {
        let (terms, open) = latency(
            &format!(
                r#""j":{{"kind":"job","system":"{system}"}},"a":{{"kind":"operator","job":"j","step":"{step}","proposed":{settings}}},
                "quiet":{{"kind":"channel","system":"kafka","proposed":{{"longest_silence":"60s"}}}},"out":{{"kind":"sink","system":"postgres"}}"#
            ),
            r#""l1":{"from":"quiet","to":"a","into":"left","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"out","proposed":{"flush_interval":"0s"}},"l3":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        );
        (terms.into_iter().find(|(formula, _)| !formula.is_empty()), open)
    };
    let row = Some(("LAT-E1.watermark", 90.2));
    let over = r#"{"window":"sliding","window_size":"5min","watermark_delay":"30s","clock":"event_time"}"#;
    assert_eq!(waits("flink", "aggregate", over).0, row);
    let join = r#"{"join":"temporal","watermark_delay":"30s","clock":"event_time"}"#;
    assert_eq!(waits("flink", "join", join).0, row);
    let first = r#"{"api":"table_function","watermark_delay":"30s","clock":"event_time","state_ttl":"1h"}"#;
    assert_eq!(waits("flink", "deduplicate", first).0, row);
    assert_eq!(waits("flink", "deduplicate", r#"{"api":"table_function","clock":"processing_time"}"#).0, None);
    let own = first.replace("table_function", "datastream");
    assert_eq!(waits("flink", "deduplicate", &own).0, None, "own code lets the first one pass at once");
    let asked = waits("flink", "deduplicate", r#"{"watermark_delay":"30s","clock":"event_time"}"#);
    assert_eq!(asked.1, ["api"]);
    let sliding = r#"{"window":"sliding","window_size":"5min","allowed_lateness":"10s","emit":"suppress"}"#;
    assert_eq!(waits("kafka_streams", "aggregate", sliding).0, Some(("LAT-E1.streams.sliding", 70.0)));
    assert_eq!(waits("kafka_streams", "aggregate", &sliding.replace("suppress", "every_update")).0, None);
    // A session is 1 h long at most, its gap 5 min.
    let session =
        r#"{"window":"session","window_max":"1h","window_gap":"5min","allowed_lateness":"10s","emit":"suppress"}"#;
    assert_eq!(waits("kafka_streams", "aggregate", session).0, Some(("LAT-E1.streams.session", 3_970.0)));
}

/// Two steps in front of a window, of a minute and of an hour: the watermark is the lesser of theirs, an hour back. Where one says
/// nothing, or that it is not set, the wait is open.
#[test]
fn the_watermark_of_several_inputs_is_held_back_by_the_slowest() {
    let waits = |one: &str, other: &str| {
        let (terms, open) = latency(
            &format!(
                r#""j":{{"kind":"job","system":"flink"}},"a":{{"kind":"operator","job":"j","step":"map","proposed":{{{one}}}}},"b":{{"kind":"operator","job":"j","step":"map","proposed":{{{other}}}}},
                "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"5min","emit":"on_close","clock":"event_time","watermark_interval":"0s"}}}},
                "quiet":{{"kind":"channel","system":"kafka","proposed":{{"longest_silence":"0s"}}}},"out":{{"kind":"sink","system":"postgres"}}"#
            ),
            r#""l1":{"from":"quiet","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"quiet","to":"b","proposed":{"lag_time":"0s"}},"l3":{"from":"a","to":"w"},"l4":{"from":"b","to":"w"},
            "l5":{"from":"w","to":"out","proposed":{"flush_interval":"0s"}},"l6":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        );
        (terms.into_iter().find(|(formula, _)| !formula.is_empty()), open)
    };
    let (minute, hour) = (r#""watermark_delay":"1min""#, r#""watermark_delay":"1h""#);
    let held = |wait| (Some(("LAT-E1.window", wait)), vec![]);
    assert_eq!(waits(minute, hour), held(3_900.0));
    assert_eq!(waits(hour, minute), held(3_900.0));
    assert_eq!(waits(minute, minute), held(360.0));
    assert_eq!(waits(minute, ""), (None, vec!["watermark_delay"]));
    assert_eq!(waits(minute, r#""watermark_delay":"unset""#), (None, vec!["watermark_delay"]));
}

/// A window by the machine's clock closes at its end and nothing more: a record waits for one of them at most, and where windows
/// overlap for the first that closes.
#[test]
fn a_window_by_the_clock_waits_for_its_own_length() {
    let waits = |window: &str| {
        let (terms, open) = latency(
            &format!(
                r#""j":{{"kind":"job","system":"flink"}},"a":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"clock":"processing_time","emit":"on_close","watermark_delay":"1h",{window}}}}},
                "out":{{"kind":"sink","system":"postgres"}}"#
            ),
            r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"out","proposed":{"flush_interval":"0s"}},"l3":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        );
        assert_eq!(open, [] as [&str; 0]);
        terms.into_iter().find(|(formula, _)| !formula.is_empty())
    };
    let clock = |seconds| Some(("LAT-E1.clock", seconds));
    assert_eq!(waits(r#""window":"tumbling","window_size":"5min""#), clock(300.0));
    assert_eq!(waits(r#""window":"hopping","window_size":"1h","window_step":"5min""#), clock(300.0));
    assert_eq!(waits(r#""window":"session","window_max":"1h","window_gap":"5min""#), clock(3_900.0));
}

/// One writer of a table is known, of the other nobody knows how long it waits: its gap is named, although it is not on the way
/// with the most known waits.
#[test]
fn a_gap_beside_the_slowest_way_is_named() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"plain_consumer"},"k":{"kind":"job","system":"plain_consumer"},"a":{"kind":"operator","job":"j","step":"map"},
        "b":{"kind":"operator","job":"k","step":"map"},"out":{"kind":"sink","system":"postgres"}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"10s"}},"l2":{"from":"a","to":"out","proposed":{"flush_interval":"1s"}},
        "l3":{"from":"in","to":"b"},"l4":{"from":"b","to":"out","proposed":{"flush_interval":"1s"}},
        "l5":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
    );
    assert_eq!(terms, [("", 10.0), ("", 1.0), ("", 0.0)]);
    assert_eq!(open, ["lag_time"]);
}

/// Windows of 300 s, 600 s of delay, a trigger of 60 s: 60 s until the batch that reads, then 300 + 600 + 60 s; how long a
/// batch takes is open. With its 10 s it is 70 s and 1 030 s in all; with 90 s, longer than the trigger, 180 s and 990 s.
#[test]
fn a_window_that_spark_appends() {
    let of = |job: &str| {
        latency(
            &format!(
                r#""j":{{"kind":"job","system":"spark","proposed":{{{job}}}}},"s":{{"kind":"sink","system":"delta"}},
                "a":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"5min","watermark_delay":"10min","emit":"on_close"}}}}"#
            ),
            r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"s"},"l3":{"from":"s","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        )
    };
    let (terms, open) = of(r#""trigger_interval":"1min""#);
    assert_eq!(terms, [("", 0.0), ("", 60.0), ("LAT-E1.spark.window", 960.0), ("", 0.0)]);
    assert_eq!(open, ["batch_duration"]);
    let whole = |takes: &str| of(&format!(r#""trigger_interval":"1min","batch_duration":{takes}"#));
    let (terms, open) = whole(r#"{"mean":"4s","max":"10s"}"#);
    assert_eq!(terms, [("", 0.0), ("LAT-E1.batch", 70.0), ("LAT-E1.spark.window", 960.0), ("", 0.0)]);
    assert!(open.is_empty(), "{open:?}");
    let (terms, _) = whole(r#""90s""#);
    assert_eq!(terms, [("", 0.0), ("LAT-E1.batch", 180.0), ("LAT-E1.spark.window", 990.0), ("", 0.0)]);
}

/// A batch of 10 s: what just missed one waits for it and then for its own, 20 s at least, whatever the trigger is.
#[test]
fn without_its_trigger_two_batches_are_the_least() {
    let of = |job: &str| {
        latency(
            &format!(
                r#""j":{{"kind":"job","system":"spark","proposed":{{{job}}}}},"s":{{"kind":"sink","system":"delta"}},
                "a":{{"kind":"operator","job":"j","step":"map"}}"#
            ),
            r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"s"},"l3":{"from":"s","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        )
    };
    let (terms, open) = of(r#""batch_duration":"10s""#);
    assert_eq!(terms, [("", 0.0), ("LAT-E1.batch.two", 20.0), ("", 0.0)]);
    assert_eq!(open, ["trigger_interval"]);
    let (terms, open) = of(r#""batch_duration":"10s","trigger_interval":"0s""#);
    assert_eq!(terms, [("", 0.0), ("LAT-E1.batch", 20.0), ("", 0.0)]);
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(of("").1, ["trigger_interval", "batch_duration"]);
}

/// What is kept is asked for where nobody read how often Beam moves its watermark; of Flink the documented 200 ms are taken,
/// as an assumption.
#[test]
fn a_documented_default_is_an_assumption() {
    let settings = r#"{"window":"tumbling","window_size":"5min","watermark_delay":"30s","allowed_lateness":"0s","keys_per_window":10,"clock":"event_time"}"#;
    let report = operator("flink", "{}", "aggregate", settings);
    assert_eq!(report.entries.unwrap().unwrap().basis, Some(Basis::Assumed));
    let waits = |system: &str| {
        latency(
            &format!(
                r#""j":{{"kind":"job","system":"{system}"}},"a":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"5min","watermark_delay":"30s","emit":"on_close","clock":"event_time"}}}},
                "out":{{"kind":"sink","system":"postgres"}}"#
            ),
            r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"out","proposed":{"flush_interval":"0s"}},"l3":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
        )
    };
    assert!(waits("beam").1.contains(&"watermark_interval"), "{:?}", waits("beam"));
    assert!(!waits("flink").1.contains(&"watermark_interval"), "{:?}", waits("flink"));
}

/// A broker answers with what is there once it is as much as fetch.min.bytes, 1 B by default; for more it waits up to
/// fetch.max.wait.ms.
#[test]
fn a_fetch_waits_only_for_more_than_a_byte() {
    let of = |fetch: &str| {
        let (terms, open) = latency(
            r#""j":{"kind":"job","system":"plain_consumer"},"a":{"kind":"operator","job":"j","step":"map"},"s":{"kind":"sink","system":"postgres"}"#,
            &format!(
                r#""l1":{{"from":"in","to":"a","proposed":{{"lag_time":"0s"{fetch}}}}},"l2":{{"from":"a","to":"s","proposed":{{"flush_interval":"0s"}}}},
                "l3":{{"from":"s","to":"user","proposed":{{"refresh_interval":"0s"}}}}"#
            ),
        );
        (terms.iter().map(|(_, value)| value).sum::<f64>(), open)
    };
    assert_eq!(of(r#","fetch_min":"64KiB","fetch_wait":"500ms""#), (0.5, vec![]));
    assert_eq!(of(r#","fetch_min":"1B","fetch_wait":"500ms""#), (0.0, vec![]));
    assert_eq!(of(r#","fetch_min":"64KiB""#), (0.0, vec!["fetch_wait"]));
    assert_eq!(of(""), (0.0, vec![]));
}
