//! Setups from designs: what is stated where, what the engines take where nothing is.

use pipeline_desk::{
    codec,
    model::{Design, Id, View, key},
    timeline::{
        DataStream, MarkForm, MergePolicy, NOT_STATED, Operator, OutputMode, Query, Reading, Setup, Spark, Sql,
        Streams, StreamsEmit, Watermark, Window, WindowFunction, Zone, from_design, stated_at,
    },
};
use serde_json::{Value, json};

/// Two steps of a job; the second has a tumbling window of a minute by event time.
fn design(system: &str, window: Value, before: Value, job: Value) -> Design {
    let mut facts = json!({ "clock": "event_time", "window": "tumbling", "window_size": "1min" });
    for (field, value) in window.as_object().unwrap() {
        facts[field] = value.clone();
    }
    facts.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    let document = json!({
        "format": "streaming-pipeline", "version": 1,
        "elements": {
            "job": { "kind": "job", "system": system, "proposed": job },
            "first": { "kind": "operator", "job": "job", "step": "map", "proposed": before },
            "t": { "kind": "channel", "system": "kafka" },
            "count": { "kind": "operator", "job": "job", "step": "aggregate", "proposed": facts }
        },
        "links": { "l0": { "from": "t", "to": "first" }, "l1": { "from": "first", "to": "count" } }
    });
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn id(name: &str) -> Id {
    Id::new(name).unwrap()
}

fn read(system: &str, window: Value, before: Value, job: Value) -> Reading {
    from_design(&design(system, window, before, job), View::ToBe, &id("count"))
}

fn setup(system: &str, window: Value, job: Value) -> Setup {
    read(system, window, json!({ "watermark_delay": "5s" }), job).setup.unwrap_or_else(|missing| panic!("{missing:?}"))
}

fn missing(reading: Reading) -> Vec<(String, &'static str)> {
    let missing = reading.setup.unwrap_err().into_iter();
    missing.map(|missing| (missing.field.map_or("", |field| field.name()).to_owned(), missing.why)).collect()
}

const MINUTE: Window = Window::Tumbling { size: 60_000, offset: 0 };

/// A watermark is stated once, at the operator or before it in its job.
#[test]
fn a_watermark_is_that_of_the_nearest_operator_before() {
    let facts = json!({ "api": "datastream", "allowed_lateness": "0s" });
    let delay = |before: Value, window: Value| {
        let mut all = facts.clone();
        all["watermark_delay"] = window;
        read("flink", all, before, json!({})).setup.map(|setup| setup.watermark.delay)
    };
    assert_eq!(delay(json!({ "watermark_delay": "5s" }), Value::Null), Ok(Some(5_000)));
    assert_eq!(delay(json!({ "watermark_delay": "5s" }), json!("7s")), Ok(Some(7_000)));
    assert!(delay(json!({}), Value::Null).is_err(), "nobody states one");
    let design = design("flink", facts, json!({ "watermark_delay": "5s" }), json!({}));
    let at = |operator: &str, field| stated_at(&design, View::ToBe, &id(operator), field);
    assert_eq!(at("count", key::operator::WATERMARK_DELAY.field()), Some(id("first")));
    assert_eq!(at("count", key::operator::ALLOWED_LATENESS.field()), Some(id("count")));
    assert_eq!(at("count", key::operator::IDLE_TIMEOUT.field()), None);
    assert_eq!(at("first", key::operator::ALLOWED_LATENESS.field()), None);
}

#[test]
fn windows_of_flink() {
    let group = |facts: Value| {
        let mut all = json!({ "api": "group_window" });
        for (field, value) in facts.as_object().unwrap() {
            all[field] = value.clone();
        }
        setup("flink", all, json!({})).operator
    };
    let legacy = |late_fire, offset| {
        Operator::Sql(Sql::GroupWindow { window: MINUTE, late_fire, zone: Zone { offset, daylight_saving: false } })
    };
    assert_eq!(group(json!({ "allowed_lateness": "unset" })), legacy(None, 0));
    assert_eq!(group(json!({ "allowed_lateness": "0s" })), legacy(None, 0));
    assert_eq!(group(json!({ "allowed_lateness": "1s" })), legacy(Some(1_000), 0));
    let local = json!({ "allowed_lateness": "0s", "local_rowtime": true, "time_zone": "+08:00" });
    assert_eq!(group(local), legacy(None, 8 * 3_600_000));
    // UTC days: the zone counts only where the time attribute is a local one.
    assert_eq!(group(json!({ "allowed_lateness": "0s", "time_zone": "+08:00" })), legacy(None, 0));
    let function = |facts: Value, job: Value| {
        let mut all = json!({ "api": "table_function", "pre_aggregates": false });
        for (field, value) in facts.as_object().unwrap() {
            all[field] = value.clone();
        }
        let setup = setup("flink", all, job);
        assert_eq!(setup.watermark.form, MarkForm::AtBound);
        match setup.operator {
            Operator::Sql(Sql::WindowFunction(function)) => function,
            other => panic!("{other:?}"),
        }
    };
    let plain = WindowFunction {
        window: MINUTE,
        two_phase: false,
        zone: Zone::default(),
        flush_heeds_offset: true,
        late_fire: false,
        then: None,
    };
    assert_eq!(function(json!({}), json!({})), plain);
    // FLINK-36664: before 2.3 the flush of what was added up does not know the offset.
    let offset = Window::Tumbling { size: 60_000, offset: 10_000 };
    for (version, heeds) in [("2.2", false), ("2.3", true)] {
        let read = function(json!({ "window_offset": "10s" }), json!({ "version": version }));
        assert_eq!(read, WindowFunction { window: offset, flush_heeds_offset: heeds, ..plain });
    }
    let setup = setup("flink", json!({ "api": "datastream", "allowed_lateness": "1s" }), json!({}));
    assert_eq!(setup.watermark.form, MarkForm::OneBehind);
    assert!(matches!(setup.operator, Operator::DataStream(DataStream::Window { lateness: 1_000, .. })));
    let zone =
        json!({ "api": "group_window", "allowed_lateness": "0s", "local_rowtime": true, "time_zone": "Europe/Berlin" });
    let reading = read("flink", zone, json!({ "watermark_delay": "5s" }), json!({}));
    assert_eq!(missing(reading), [("time_zone".to_owned(), "only UTC and fixed offsets such as +08:00 are predicted")]);
}

#[test]
fn windows_of_kafka_streams() {
    for system in ["kafka_streams", "ksqldb"] {
        for (emit, expected) in [
            ("suppress", StreamsEmit::Suppress),
            ("on_close", StreamsEmit::OnWindowClose),
            ("every_update", StreamsEmit::EveryUpdate),
        ] {
            let setup = setup(system, json!({ "emit": emit, "allowed_lateness": "2s" }), json!({}));
            assert_eq!(
                setup.operator,
                Operator::Streams(Streams::Window { window: MINUTE, grace: 2_000, emit: expected })
            );
            assert_eq!(setup.lateness(), 2_000);
            assert_eq!(setup.watermark, Watermark { delay: None, ..Watermark::default() });
        }
    }
    let reading = read("kafka_streams", json!({ "emit": "suppress" }), json!({}), json!({}));
    assert_eq!(missing(reading), [("allowed_lateness".to_owned(), NOT_STATED)]);
}

#[test]
fn windows_of_spark() {
    let spark = |mode, no_data_batches| {
        Operator::Spark(Spark {
            query: Query::Window { window: MINUTE, then: None },
            mode,
            no_data_batches,
            backlog: false,
        })
    };
    for (word, mode) in
        [("append", OutputMode::Append), ("upsert", OutputMode::Update), ("complete", OutputMode::Complete)]
    {
        let setup = setup("spark", json!({ "output_mode": word }), json!({}));
        assert_eq!(setup.operator, spark(mode, true));
        assert_eq!(setup.watermark, Watermark { delay: Some(5_000), ..Watermark::default() });
    }
    let job = json!({ "no_data_batches": false, "watermark_merge": "max" });
    let other = setup("spark", json!({ "output_mode": "append" }), job);
    assert_eq!(other.operator, spark(OutputMode::Append, false));
    assert_eq!(other.watermark.policy, MergePolicy::Max);
    let min = setup("spark", json!({ "output_mode": "append" }), json!({ "watermark_merge": "min" }));
    assert_eq!(min.watermark.policy, MergePolicy::Min);
    let reading = read("spark", json!({ "output_mode": "retract" }), json!({ "watermark_delay": "5s" }), json!({}));
    assert_eq!(missing(reading), [("output_mode".to_owned(), "Spark has append, update and complete")]);
}

/// All that is missing is named together, and nothing is read from what is there.
#[test]
fn without_a_clock_there_is_no_setup() {
    let reading = read(
        "flink",
        json!({ "clock": null, "allowed_lateness": "0s" }),
        json!({ "watermark_delay": "5s" }),
        json!({}),
    );
    assert_eq!(missing(reading), [("clock".to_owned(), NOT_STATED)]);
    let reading = read("dataflow", json!({}), json!({}), json!({}));
    assert_eq!(missing(reading), [(String::new(), "windows of Flink, Kafka Streams and Spark are predicted")]);
}

#[test]
fn what_joins() {
    let joins = |operator| Setup::new(operator, Watermark::default()).joins();
    assert!(joins(Operator::DataStream(DataStream::WindowJoin { window: MINUTE })));
    assert!(joins(Operator::Streams(Streams::Join { before: 1, after: 1, grace: 0, left: false })));
    assert!(!joins(Operator::Sql(Sql::GroupBy { ttl: None })));
    let late = Sql::GroupWindow { window: MINUTE, late_fire: Some(7), zone: Zone::default() };
    assert_eq!(Setup::new(Operator::Sql(late), Watermark::default()).lateness(), 7);
}

/// Other ways of the same job do not count, and a cycle in which nobody states a setting ends.
#[test]
fn settings_come_from_before_and_not_from_beside() {
    let operators = |delay: Value, back: bool| {
        let mut document = json!({
            "format": "streaming-pipeline", "version": 1,
            "elements": {
                "job": { "kind": "job", "system": "flink" },
                "aside": { "kind": "operator", "job": "job", "step": "map", "proposed": { "watermark_delay": "9s" } },
                "behind": { "kind": "operator", "job": "job", "step": "map" },
                "first": { "kind": "operator", "job": "job", "step": "map", "proposed": delay },
                "count": { "kind": "operator", "job": "job", "step": "aggregate" }
            },
            "links": { "a0": { "from": "aside", "to": "behind" }, "l1": { "from": "first", "to": "count" } }
        });
        if back {
            document["links"]["l2"] = json!({ "from": "count", "to": "first" });
        }
        let design = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}"));
        let field = key::operator::WATERMARK_DELAY.field();
        assert!(from_design(&design, View::ToBe, &id("count")).setup.is_err(), "no window is stated");
        stated_at(&design, View::ToBe, &id("count"), field)
    };
    assert_eq!(operators(json!({ "watermark_delay": "5s" }), false), Some(id("first")));
    assert_eq!(operators(json!({}), false), None);
    assert_eq!(operators(json!({}), true), None);
}
