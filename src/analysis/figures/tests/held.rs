//! What joins hold back, what silence holds back, and when a window that sends early results is complete.

use super::{design, id, latency};

/// The one wait of a formula, and the names of what is open, of an operator behind two logs of 12 partitions that are silent for 60 s.
fn waits(system: &str, step: &str, settings: &str) -> (Option<(&'static str, f64)>, Vec<&'static str>) {
    behind(r#""partitions":12,"longest_silence":"60s""#, system, step, settings)
}

fn behind(log: &str, system: &str, step: &str, settings: &str) -> (Option<(&'static str, f64)>, Vec<&'static str>) {
    let (terms, open) = latency(
        &format!(
            r#""j":{{"kind":"job","system":"{system}","proposed":{{"trigger_interval":"1min","batch_duration":"10s","version":"1.20"}}}},
            "a":{{"kind":"operator","job":"j","step":"{step}","proposed":{{"watermark_interval":"0s","watermark_delay":"30s",{settings}}}}},
            "left":{{"kind":"channel","system":"kafka","proposed":{{{log}}}}},"right":{{"kind":"channel","system":"kafka","proposed":{{{log}}}}},
            "out":{{"kind":"sink","system":"postgres"}}"#
        ),
        r#""l1":{"from":"left","to":"a","into":"left","proposed":{"lag_time":"0s"}},"l2":{"from":"right","to":"a","into":"right","proposed":{"lag_time":"0s"}},
        "l3":{"from":"a","to":"out","proposed":{"flush_interval":"0s"}},"l4":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}}"#,
    );
    let other = |(formula, _): &(&'static str, f64)| !formula.is_empty() && *formula != "LAT-E1.batch";
    (terms.into_iter().find(other), open)
}

/// Both sides of a window are joined when it closes: 10 min, a delay of 30 s, a silence of 60 s.
#[test]
fn a_window_join_of_flink_waits_for_its_window() {
    let window = r#""join":"window","window_size":"10min""#;
    let of = |clock: &str| waits("flink", "join", &format!(r#"{window},"clock":"{clock}""#));
    assert_eq!(of("event_time"), (Some(("LAT-E1.window", 690.0)), vec![]));
    assert_eq!(of("processing_time"), (Some(("LAT-E1.clock", 600.0)), vec![]));
    // The window of a join of Kafka Streams is a distance of two records: a pair comes out at once.
    let near =
        r#""join":"window","join_before":"5min","join_after":"10min","allowed_lateness":"1min","join_type":"inner""#;
    assert_eq!(waits("kafka_streams", "join", near), (None, vec!["output_cache"]));
}

/// That nothing matches is certain only when no partner can come any more. After 10 min and before 5 min: a left row waits
/// 10 min, a delay of 30 s, a silence of 60 s; in Kafka Streams 10 min, a grace of 60 s, the silence; in Spark 10 min, the delay
/// and one batch of 60 s.
#[test]
fn a_row_without_a_partner_waits_until_none_can_come() {
    let join = |system: &str, kind: &str| {
        let settings = format!(
            r#""join":"interval","clock":"event_time","join_before":"5min","join_after":"10min","allowed_lateness":"1min"{kind}"#
        );
        waits(system, "join", &settings).0
    };
    for (system, formula, left) in [
        ("flink", "LAT-E1.unmatched", 690.0),
        ("kafka_streams", "LAT-E1.streams.unmatched", 720.0),
        ("spark", "LAT-E1.spark.unmatched", 690.0),
    ] {
        assert_eq!(join(system, r#","join_type":"inner""#), None, "{system}");
        assert_eq!(join(system, r#","join_type":"left""#), Some((formula, left)), "{system}");
        assert_eq!(join(system, r#","join_type":"outer""#), Some((formula, left)), "{system}");
    }
    let before_is_longer =
        r#""join":"interval","clock":"event_time","join_before":"20min","join_after":"10min","join_type":"outer""#;
    assert_eq!(waits("flink", "join", before_is_longer).0, Some(("LAT-E1.unmatched", 1_290.0)));
    let open = waits("flink", "join", r#""join":"interval","clock":"event_time","join_after":"10min""#);
    assert_eq!(open, (None, vec!["join_type"]));
    assert_eq!(waits("flink", "join", r#""clock":"event_time""#), (None, vec!["join"]));
}

/// KIP-923: a record waits out the grace, and stream time moves with the next one.
#[test]
fn a_versioned_join_of_kafka_streams_waits_out_its_grace() {
    let of =
        |grace: &str| waits("kafka_streams", "join", &format!(r#""join":"temporal","allowed_lateness":"{grace}""#)).0;
    assert_eq!(of("10min"), Some(("LAT-E1.streams.versioned", 660.0)));
    assert_eq!(of("0s"), Some(("LAT-E1.streams.versioned", 0.0)));
}

/// One of twelve partitions never sends, and is left out after 2 min: 5 min, 30 s and 2 min. Of one partition nothing is left
/// that moves the watermark; nor does an idle time-out move the stream time of Kafka Streams.
#[test]
fn an_idle_time_out_leaves_a_silent_partition_out() {
    let window =
        r#""window":"tumbling","window_size":"5min","emit":"on_close","clock":"event_time","allowed_lateness":"0s""#;
    let of = |log: &str, system: &str, idle: &str| {
        behind(log, system, "aggregate", &format!(r#"{window},"idle_timeout":"{idle}""#)).0.unwrap().1
    };
    let (many, one) = (r#""partitions":12,"longest_silence":"unlimited""#, r#""partitions":1,"longest_silence":"1h""#);
    assert_eq!(of(many, "flink", "2min"), 450.0);
    assert_eq!(of(many, "flink", "unlimited"), f64::INFINITY);
    assert_eq!(of(many, "kafka_streams", "2min"), f64::INFINITY);
    // Two logs of one partition each: the other one goes on.
    assert_eq!(of(one, "flink", "2min"), 450.0);
    assert_eq!(of(r#""longest_silence":"1h""#, "flink", "2min"), 3_930.0, "how many there are is not known");
    assert_eq!(of(r#""partitions":12,"longest_silence":"30s""#, "flink", "2min"), 360.0);
}

/// Early results are there in no time; complete a window of 5 min is only after its delay of 30 s, the lateness of 10 min and the
/// silence of 60 s. In Kafka Streams after the grace and the silence, in Spark after the delay and two batches and a half; in
/// complete mode never.
#[test]
fn a_window_is_complete_when_it_closes_whatever_it_sends_before() {
    let complete = |system: &str, settings: &str| {
        let elements = format!(
            r#""in":{{"kind":"channel","system":"kafka","proposed":{{"longest_silence":"60s"}}}},"user":{{"kind":"consumer"}},
            "j":{{"kind":"job","system":"{system}","proposed":{{"trigger_interval":"1min","batch_duration":"10s","output_cache":"0B"}}}},
            "a":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"5min","clock":"event_time",
            "watermark_interval":"0s","watermark_delay":"30s","allowed_lateness":"10min",{settings}}}}},
            "out":{{"kind":"sink","system":"postgres"}},"twin":{{"kind":"sink","system":"postgres"}}"#
        );
        let links = r#""l1":{"from":"in","to":"a","proposed":{"lag_time":"0s"}},"l2":{"from":"a","to":"out","proposed":{"flush_interval":"0s"}},
            "l3":{"from":"out","to":"user","proposed":{"refresh_interval":"0s"}},"l4":{"from":"out","to":"twin","port":"reconcile"}"#;
        let figures = design(&elements, links);
        let user = &figures.consumers[&id("user")];
        let safe = &figures.comparisons[&id("l4")];
        let complete = user.complete.as_ref().map(|(figure, open)| (figure.as_ref().unwrap().value, open.len()));
        (user.latency.as_ref().unwrap().value, complete, (safe.safe.as_ref().unwrap().value, safe.open.len()))
    };
    let of = |latency: f64, complete: f64| (latency, Some((complete, 0)), (complete, 0));
    for emit in ["early_and_close", "every_update", "delta"] {
        let emit = format!(r#""emit":"{emit}""#);
        assert_eq!(complete("flink", &emit), of(0.0, 690.0), "{emit}");
        assert_eq!(complete("kafka_streams", &emit), of(0.0, 660.0), "{emit}");
    }
    assert_eq!(complete("flink", r#""emit":"on_close""#), of(390.0, 690.0));
    assert_eq!(complete("spark", r#""output_mode":"upsert""#), of(70.0, 160.0));
    assert_eq!(complete("spark", r#""output_mode":"complete""#), (70.0, None, (70.0, 1)));
    // A window function of SQL has no lateness beyond the watermark, and none is asked for.
    let function = r#""emit":"on_close","api":"table_function""#;
    assert_eq!(complete("flink", function), of(390.0, 90.0));
}
