//! Figures of consumers of the built-in example, and laws over small designs.

mod waits;

use super::*;
use crate::{
    analysis::explain::{Explained, Origin},
    catalog::examples,
    codec,
    model::View,
};
use std::sync::Arc;

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn checkout(view: View) -> Figures {
    let example = examples().iter().find(|example| example.id == "checkout_revenue").unwrap();
    Figures::of(&Graph::new(&codec::decode(example.text).unwrap(), view))
}

fn formula(figure: &Arc<Explained>) -> &'static str {
    match &figure.origin {
        Origin::Formula { formula, .. } => formula.id,
        _ => "",
    }
}

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

/// Through the job: 26 843.5456 s − 300 s = 26 543.5456 s = 7 h 22 min; when the de-duplication must be filled first it
/// takes how long copies can come, and nobody stated that. From revenue_5m the table is refilled, not recomputed.
#[test]
fn where_the_board_can_be_made_again_from() {
    let figures = checkout(View::AsIs);
    let starts = &figures.consumers[&id("board")].replay;
    let orders = starts.iter().find(|start| start.from == id("orders")).unwrap();
    let reach = orders.reach.as_ref().unwrap();
    assert!((reach.value - 26_543.545_6).abs() < 1e-6);
    assert_eq!(reach.text(), "7 h 22 min");
    assert!(orders.recompute);
    let filled = orders.after_deduplication.as_ref().unwrap().as_ref().unwrap_err();
    assert_eq!(filled.missing[0].field.name(), "resend_within");
    let table = starts.iter().find(|start| start.from == id("revenue_5m")).unwrap();
    assert!(!table.recompute && table.after_deduplication.is_none());
    let source = starts.iter().find(|start| start.from == id("checkout_db")).unwrap();
    assert!(source.reach.is_err());
}

fn operator(system: &str, job: &str, step: &str, settings: &str) -> crate::analysis::OperatorReport {
    let text = format!(
        r#"{{"format":"streaming-pipeline","version":1,"elements":{{
        "a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
        "b":{{"kind":"channel","system":"kafka","proposed":{{"rate":"20/s"}}}},
        "j":{{"kind":"job","system":"{system}","proposed":{job}}},
        "o":{{"kind":"operator","job":"j","step":"{step}","proposed":{settings}}}}},
        "links":{{"l1":{{"from":"a","to":"o","into":"left"}},"l2":{{"from":"b","to":"o","into":"right"}}}}}}"#
    );
    let figures = Figures::of(&Graph::new(&codec::decode(&text).unwrap(), View::ToBe));
    figures.operators[&id("o")].clone()
}

fn entries(report: &crate::analysis::OperatorReport) -> f64 {
    report.entries.as_ref().unwrap().as_ref().unwrap().value
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

/// Left: 100 × (60 + 10 + 2 × 5); right: 20 × (0 + 10 + 10).
#[test]
fn an_interval_join_of_spark_keeps_two_batches_more() {
    let settings = r#"{"join":"interval","join_before":"0s","join_after":"1min","watermark_delay":"10s"}"#;
    let report = operator("spark", r#"{"trigger_interval":"5s"}"#, "join", settings);
    assert!((entries(&report) - 8400.0).abs() < 1e-6);
}

/// 100 records a second for an hour at 100 B: 36 MB, all of it where checkpoints are not incremental.
#[test]
fn a_full_checkpoint_writes_all_of_the_state() {
    let size = |settings: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{
            "a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
            "j":{{"kind":"job","system":"flink","proposed":{{"space_amplification":1,{settings}}}}},
            "o":{{"kind":"operator","job":"j","step":"deduplicate","proposed":{{"state_ttl":"1h","entry_size":"100B"}}}}}},
            "links":{{"l1":{{"from":"a","to":"o"}}}}}}"#
        );
        let figures = Figures::of(&Graph::new(&codec::decode(&text).unwrap(), View::ToBe));
        figures.jobs[&id("j")].checkpoint_size.clone().unwrap().map(|size| size.value)
    };
    assert_eq!(size(r#""checkpoint_incremental":false"#).unwrap(), 36e6);
    assert_eq!(size(r#""checkpoint_incremental":true,"checkpoint_size":"2MB""#).unwrap(), 2e6);
    assert!(size(r#""checkpoint_incremental":true"#).is_err());
}

/// The latency of a consumer of a small design: its terms, and the names of what is open.
fn latency(elements: &str, links: &str) -> (Vec<(&'static str, f64)>, Vec<&'static str>) {
    let text = format!(
        r#"{{"format":"streaming-pipeline","version":1,"elements":{{"in":{{"kind":"channel","system":"kafka"}},
        "user":{{"kind":"consumer"}},{elements}}},"links":{{{links}}}}}"#
    );
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
    let figures = Figures::of(&Graph::new(&design, View::ToBe));
    let user = &figures.consumers[&id("user")];
    let terms = user
        .latency
        .as_ref()
        .map_or(Vec::new(), |latency| latency.inputs().iter().map(|term| (formula(term), term.value)).collect());
    (terms, user.latency_open.iter().map(|open| open.field.name()).collect())
}

/// Three sub-topologies in series, each with a commit every 100 ms: 0.3 s.
#[test]
fn every_repartition_waits_for_a_commit() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"kafka_streams","proposed":{"processing_guarantee":"exactly_once","commit_interval":"100ms"}},
        "a":{"kind":"operator","job":"j","step":"map"},"b":{"kind":"operator","job":"j","step":"map"},
        "c":{"kind":"operator","job":"j","step":"map"},"d":{"kind":"operator","job":"j","step":"map"},
        "out":{"kind":"channel","system":"kafka"}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"b","proposed":{"distribution":"hash"}},
        "l3":{"from":"b","to":"c","proposed":{"distribution":"hash"}},"l4":{"from":"c","to":"d","proposed":{"distribution":"forward"}},
        "l5":{"from":"d","to":"out"},"l6":{"from":"out","to":"user","proposed":{"lag_time":"0s","isolation":"read_committed"}}"#,
    );
    let commit = ("LAT-E1.streams.commit", 0.1);
    assert_eq!(terms, [("", 0.0), commit, commit, commit, ("", 0.0)]);
    assert_eq!(open, [] as [&str; 0]);
}

const FLINK_JOB: &str = r#""j":{"kind":"job","system":"flink","proposed":{"processing_guarantee":"exactly_once","checkpoint_interval":"1min","checkpoint_duration":"500ms","checkpoint_min_pause":"0s"}},
    "a":{"kind":"operator","job":"j","step":"map"}"#;

/// A table shows a commit for each checkpoint, 60 s + 0.5 s; a database is written to at the latest before one, and
/// by its own interval where that is set.
#[test]
fn what_a_store_shows_of_flink() {
    let to = |system: &str, write: &str| {
        let store = format!(r#"{FLINK_JOB},"s":{{"kind":"sink","system":"{system}"}}"#);
        let links = format!(
            r#""l1":{{"from":"in","to":"a","proposed":{{"lag_time":"0s"}}}},"l2":{{"from":"a","to":"s","proposed":{write}}},
            "l3":{{"from":"s","to":"user","proposed":{{"refresh_interval":"0s"}}}}"#
        );
        latency(&store, &links).0[1]
    };
    assert_eq!(to("iceberg", "{}"), ("LAT-E1.transaction", 60.5));
    assert_eq!(to("postgres", "{}"), ("LAT-E1.flush", 60.5));
    assert_eq!(to("postgres", r#"{"flush_interval":"1s"}"#), ("", 1.0));
    assert_eq!(to("postgres", r#"{"output_commit":"two_phase"}"#), ("LAT-E1.transaction", 60.5));
}

/// Windows of 300 s, 600 s of delay, a trigger of 60 s: 60 s until the batch that reads, then 300 + 600 + 60 s; how long a
/// batch takes is open. With its 10 s it would be 1 030 s.
#[test]
fn a_window_that_spark_appends() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"spark","proposed":{"trigger_interval":"1min"}},"s":{"kind":"sink","system":"delta"},
        "a":{"kind":"operator","job":"j","step":"aggregate","proposed":{"window":"tumbling","window_size":"5min","watermark_delay":"10min","emit":"on_close"}}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"s"},"l3":{"from":"s","to":"user","proposed":{"refresh_interval":"0s"}}"#,
    );
    assert_eq!(terms, [("", 0.0), ("", 60.0), ("LAT-E1.spark.window", 960.0), ("", 0.0)]);
    assert_eq!(open, ["latency"]);
}

/// A connector writes after a thousand records: at 100 a second after 10 s, and what if fewer come is open.
#[test]
fn a_connector_that_counts_records() {
    let (terms, open) = latency(
        r#""j":{"kind":"job","system":"kafka_connect"},"a":{"kind":"operator","job":"j","step":"copy"},"s":{"kind":"sink","system":"s3"}"#,
        r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"s","proposed":{"flush_records":1000,"rate":"100/s"}},
        "l3":{"from":"s","to":"user","proposed":{"refresh_interval":"0s"}}"#,
    );
    assert_eq!(terms, [("", 0.0), ("LAT-E1.filled", 10.0), ("", 0.0)]);
    assert_eq!(open, ["flush_interval"]);
}

/// The oldest transaction in the log is open for 90 s. The record's own commit takes 60.5 s of them: 29.5 s on top.
#[test]
fn a_reader_of_committed_records_waits_for_all_transactions() {
    let read = |isolation: &str| {
        let elements = format!(
            r#"{FLINK_JOB},"log":{{"kind":"channel","system":"kafka","proposed":{{"longest_open_transaction":"90s"}}}}"#
        );
        let links = format!(
            r#""l1":{{"from":"in","to":"a","proposed":{{"lag_time":"0s"}}}},
            "l2":{{"from":"a","to":"log","proposed":{{"output_commit":"two_phase","linger":"100ms"}}}},
            "l3":{{"from":"log","to":"user","proposed":{{"lag_time":"0s"{isolation}}}}}"#
        );
        latency(&elements, &links)
    };
    // A reader of uncommitted records gets them when the producer has sent them.
    let sent = [("", 0.0), ("", 0.1), ("", 0.0)];
    assert_eq!(read(r#","isolation":"read_uncommitted""#), (sent.to_vec(), vec![]));
    assert_eq!(read(""), (sent.to_vec(), vec!["isolation"]), "at least so much, and it is asked for");
    let committed = [("", 0.0), ("LAT-E1.transaction", 60.5), ("", 0.0), ("LAT-E1.stable", 29.5)];
    assert_eq!(read(r#","isolation":"read_committed""#).0, committed);
}

/// An operator of this engine behind a log of 100 records a second.
fn joined(engine: &str, job: &str, step: &str, facts: &str) -> Derived {
    let design = codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":2,
        "elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},
         "b":{{"kind":"channel","system":"kafka","proposed":{{"rate":"50/s"}}}},
         "j":{{"kind":"job","system":"{engine}","proposed":{{{job}}}}},
         "o":{{"kind":"operator","job":"j","step":"{step}","proposed":{{{facts}}}}}}},
        "links":{{"l1":{{"from":"a","to":"o","into":"left"}},"l2":{{"from":"b","to":"o","into":"right"}}}}}}"#
    ))
    .unwrap_or_else(|error| panic!("{error}"));
    let figures = Figures::of(&Graph::new(&design, View::ToBe));
    figures.operators[&id("o")].entries.clone().unwrap()
}

/// 100 000 keys of ten rows each.
#[test]
fn a_top_n_keeps_its_rows_for_each_key() {
    let of = |top: &str| {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{"rate":"100/s"}}}},"j":{{"kind":"job","system":"flink"}},
             "o":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"key":["k"],"function":"top_n","window":"none",
              "state_ttl":"unlimited","live_keys":100000,"new_keys":"0/s"{top}}}}}}},
            "links":{{"l1":{{"from":"a","to":"o"}}}}}}"#
        ))
        .unwrap();
        Figures::of(&Graph::new(&design, View::ToBe)).operators[&id("o")].entries.clone().unwrap()
    };
    assert!((of(r#","top":10"#).unwrap().value - 1_000_000.0).abs() < 1e-6);
    assert_eq!(of("").unwrap_err().missing[0].field.name(), "top");
}

/// Each row waits for the delay and two batches, and for how far the inputs are apart: 100 ÷ s × (10 + 30 + 2 × 5 + 60) s of
/// the left, 50 ÷ s × (5 + 30 + 2 × 5 + 60) s of the right.
#[test]
fn inputs_of_a_spark_join_that_are_apart_keep_more() {
    let facts = r#""join":"interval","key":["k"],"join_before":"5s","join_after":"10s","watermark_delay":"30s""#;
    let of =
        |more: &str| joined("spark", r#""trigger_interval":"5s""#, "join", &format!("{facts}{more}")).unwrap().value;
    let together = of("");
    let apart = of(r#","input_time_spread":"60s""#);
    assert!((apart - together - (100.0 + 50.0) * 60.0).abs() < 1e-6, "{together} {apart}");
}

/// Flink from 1.18 on cleans as soon as it can, unless a least time between two clean-ups is set: a minute of both sides.
#[test]
fn an_interval_join_that_cleans_seldom_keeps_more() {
    let facts = r#""join":"interval","key":["k"],"join_before":"5s","join_after":"10s","watermark_delay":"30s","watermark_assigned":"at_source","idle_timeout":"1min""#;
    let of = |more: &str| joined("flink", r#""version":"1.20""#, "join", &format!("{facts}{more}"));
    let (at_once, seldom) = (of("").unwrap().value, of(r#","cleanup_interval":"1min""#).unwrap().value);
    assert!((seldom - at_once - 150.0 * 60.0).abs() < 1e-6, "{at_once} {seldom}");
}

/// 100 a second arrive and 50 are done: an hour that is kept is gone in (3 600 s − 600 s) × 100 ÷ 50 = 6 000 s where events
/// come up to ten minutes after their time, and in 7 200 s where they come at once.
#[test]
fn what_comes_after_its_time_is_deleted_sooner() {
    let lost_in = |delay: &str| {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,
            "elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{"rate":{{"mean":"100/s","max":"100/s"}},"partitions":1,
              "cleanup_policy":"delete","retention_time":"1h","retention_size":"unlimited","timestamp_type":"create_time"{delay}}}}},
             "j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"50/s"}}}},"o":{{"kind":"operator","job":"j","step":"map"}}}},
            "links":{{"l1":{{"from":"a","to":"o"}}}}}}"#
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        let figures = Figures::of(&Graph::new(&design, View::ToBe));
        figures.jobs[&id("j")].lost_in.clone().unwrap().unwrap().value
    };
    assert!((lost_in("") - 7_200.0).abs() < 1e-6);
    assert!((lost_in(r#","append_delay":{"p99":"1min","max":"10min"}"#) - 6_000.0).abs() < 1e-6);
}

fn design(elements: &str, links: &str) -> Figures {
    let text =
        format!(r#"{{"format":"streaming-pipeline","version":2,"elements":{{{elements}}},"links":{{{links}}}}}"#);
    let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
    Figures::of(&Graph::new(&design, View::ToBe))
}

/// 50 a second on average, 200 at peak, against 100: while the peak lasts an hour of the log is gone in
/// 3 600 s × 200 ÷ (200 − 100) = 7 200 s. Without a peak above the capacity it has no end.
#[test]
fn a_peak_above_the_capacity_deletes_what_is_not_read() {
    let lost_in = |rate: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"rate":{rate},"partitions":1,"cleanup_policy":"delete",
              "retention_time":"1h","retention_size":"unlimited","timestamp_type":"append_time"}}}},
            "j":{{"kind":"job","system":"plain_consumer","proposed":{{"capacity":"100/s"}}}},"o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].lost_in.clone().unwrap().unwrap()
    };
    let peak = lost_in(r#"{"mean":"50/s","max":"200/s"}"#);
    assert!((peak.value - 7_200.0).abs() < 1e-6, "{}", peak.value);
    assert!(lost_in(r#"{"mean":"50/s","max":"100/s"}"#).unbounded());
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

/// What is kept is asked for where nobody read how often Beam moves its watermark; of Flink the documented 200 ms are taken,
/// as an assumption.
#[test]
fn a_documented_default_is_an_assumption() {
    let settings = r#"{"window":"tumbling","window_size":"5min","watermark_delay":"30s","allowed_lateness":"0s","keys_per_window":10,"clock":"event_time"}"#;
    let report = operator("flink", "{}", "aggregate", settings);
    assert_eq!(report.entries.unwrap().unwrap().basis, Some(crate::model::Basis::Assumed));
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

/// A trigger of 0 s starts a batch when the last one is done: what it does again no setting gives.
#[test]
fn a_batch_without_a_trigger_has_no_figure() {
    let rewind = |trigger: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka"}},"j":{{"kind":"job","system":"spark","proposed":{{"trigger_interval":"{trigger}"}}}},
            "o":{{"kind":"operator","job":"j","step":"map"}}"#
        );
        design(&elements, r#""l1":{"from":"a","to":"o"}"#).jobs[&id("j")].rewind.clone().unwrap()
    };
    assert_eq!(rewind("1min").unwrap().value, 60.0);
    assert!(rewind("0s").is_err());
    let dedup = r#"{"watermark_delay":"10s","state_ttl":"1min"}"#;
    let report = operator("spark", r#"{"trigger_interval":"0s"}"#, "deduplicate", dedup);
    assert!(report.entries.unwrap().is_err());
}

/// Three partitions of 1 GB and a segment of 100 MB; 10 MB/s for 300 s until the next check: 3 × (1 + 0.1 + 3) GB. Compaction
/// deletes nothing by size.
#[test]
fn a_partition_grows_until_the_next_check() {
    let on_disk = |policy: &str, rate: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":2,"elements":{{"a":{{"kind":"channel","cluster":"c","proposed":{{"partitions":3,
            "retention_size":"1GB","segment_size":"100MB","cleanup_policy":"{policy}"{rate}}}}}}},"links":{{}},
            "clusters":{{"c":{{"system":"kafka","proposed":{{"retention_check_interval":"300s"}}}}}}}}"#
        );
        let design = codec::decode(&text).unwrap_or_else(|error| panic!("{error}"));
        Figures::of(&Graph::new(&design, View::ToBe)).channels[&id("a")].on_disk.clone()
    };
    let rate = r#","disk_rate":{"mean":"1MB/s","max":"10MB/s"}"#;
    assert!((on_disk("delete", rate).unwrap().unwrap().value - 12.3e9).abs() < 1.0);
    assert!((on_disk("compact_delete", rate).unwrap().unwrap().value - 12.3e9).abs() < 1.0);
    assert_eq!(on_disk("compact", rate), None);
    let unread = on_disk("delete", "").unwrap().unwrap();
    assert_eq!((formula(&unread), unread.value), ("E1.disk.at_least", 3.3e9));
}

/// A second, slow reader of a topic holds up nobody else's replay: 1 h × 50 ÷ (100 − 50) = 1 h.
#[test]
fn another_reader_does_not_hold_a_replay_up() {
    let elements = r#""a":{"kind":"channel","system":"kafka","proposed":{"rate":"50/s","partitions":1,"cleanup_policy":"delete",
          "retention_time":"2h","retention_size":"unlimited","timestamp_type":"append_time"}},
        "j":{"kind":"job","system":"plain_consumer","proposed":{"capacity":"100/s"}},"o":{"kind":"operator","job":"j","step":"map"},
        "k":{"kind":"job","system":"plain_consumer","proposed":{"capacity":"10/s"}},"p":{"kind":"operator","job":"k","step":"map"},
        "s":{"kind":"sink","system":"postgres"},"t":{"kind":"sink","system":"postgres"},
        "u":{"kind":"consumer","proposed":{"replay_needed":"1h"}},"v":{"kind":"consumer","proposed":{"replay_needed":"1h"}}"#;
    let links = r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"},
        "m1":{"from":"a","to":"p"},"m2":{"from":"p","to":"t"},"m3":{"from":"t","to":"v"}"#;
    let figures = design(elements, links);
    let start = |consumer: &str| {
        let start = figures.consumers[&id(consumer)].replay.iter().find(|start| start.from == id("a")).unwrap();
        let value = |figure: &Option<Derived>| figure.clone().unwrap().unwrap().value;
        (value(&start.duration), value(&start.start_within))
    };
    assert_eq!(start("u"), (3_600.0, 3_600.0));
    assert_eq!(start("v"), (f64::INFINITY, 0.0));
}

/// An own step with entries keeps state, and its results hang on all that it has read.
#[test]
fn an_own_step_that_keeps_entries_needs_its_history() {
    let reach = |facts: &str| {
        let elements = format!(
            r#""a":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"2h","retention_size":"unlimited"}}}},
            "j":{{"kind":"job","system":"flink"}},"o":{{"kind":"operator","job":"j","step":"custom","proposed":{facts}}},
            "s":{{"kind":"sink","system":"postgres"}},"u":{{"kind":"consumer"}}"#
        );
        let figures =
            design(&elements, r#""l1":{"from":"a","to":"o"},"l2":{"from":"o","to":"s"},"l3":{"from":"s","to":"u"}"#);
        let starts = &figures.consumers[&id("u")].replay;
        starts.iter().find(|start| start.from == id("a")).unwrap().reach.clone().unwrap().value
    };
    assert_eq!(reach("{}"), 7_200.0);
    assert_eq!(reach(r#"{"entry_size":"100B"}"#), 0.0);
}
