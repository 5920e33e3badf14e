use super::{
    super::{
        chart::collides,
        labels::Tone,
        testing::{example, text},
    },
    *,
};
use crate::{
    analysis::analyse,
    codec,
    model::{Design, View},
};

fn state(design: &Design, operator: &str) -> Picture {
    draw(design, View::ToBe, &analyse(design, View::ToBe), &Id::new(operator).unwrap()).unwrap()
}

/// 300 /s × 86 400 s × 60 B × 1.3 = 2.02 GB. Back: 50 s until it is noticed, 20 s, 2.02 GB at 500 MB/s, and what came
/// meanwhile: (73.6 + 63 + 74.04) s × 300 ÷ 1 200 = 52.7 s; 1 840 records behind in one of twelve partitions, which gets
/// 25 /s where all get as much, are 73.6 s.
#[test]
fn state_with_a_time_to_live_stops_growing() {
    let picture = state(&example(), "dedup");
    assert_eq!(picture.headline, "State grows to at most 2.02 GB, within 24 h.");
    assert_eq!(
        picture.about,
        [
            "An entry expires 24 h after it was last written.",
            "Without that bound it would grow by at most 2.02 GB a day."
        ]
    );
    // What would be without the bound: at the end of its line, which leaves the chart in the middle, and not on it.
    let words = picture.chart.as_ref().unwrap().words.iter().find(|words| words.tone == Tone::Bad).unwrap();
    assert_eq!(words.text, "at most + 2.02 GB a day");
    assert!(!words.left && words.x >= 50.0, "{}", words.x);
    assert_eq!(text(&picture.made_of, "Live entries"), "25\u{2009}920\u{2009}000");
    assert_eq!(text(&picture.made_of, "Growth if nothing bounded it, at most"), "2.02 GB/day");
    assert_eq!(text(&picture.made_of, "Time-to-live"), "dedup.state_ttl");
    assert_eq!(text(&picture.job_lines, "On one instance, at least"), "without instances");
    let recovery = picture.recovery.unwrap();
    let terms: Vec<(&str, String)> =
        recovery.terms.iter().map(|term| (term.what.as_str(), term.figure.text())).collect();
    let expected = [("detection", "50 s"), ("rescheduling", "20 s"), ("restore", "4 s"), ("catch-up", "53 s")];
    assert_eq!(terms, expected.map(|(what, text)| (what, text.to_owned())));
    assert_eq!(recovery.total.unwrap().text(), "2 min 7 s");
    // One after the other over the whole bar: 50 of 126.7 s first.
    assert!((recovery.terms[0].span.1 - 39.5).abs() < 0.1 && (recovery.terms[3].span.1 - 100.0).abs() < 0.01);
    assert!(recovery.terms.windows(2).all(|pair| pair[0].span.1 == pair[1].span.0));
}

/// 5 min + 30 s + 10 min = 15 min 30 s: ⌈930 ÷ 300⌉ = 4 windows × 800 keys × 90 B × 1.3 = 374 kB.
#[test]
fn state_of_a_window_is_kept_until_its_results_are_final() {
    let picture = state(&example(), "sum");
    assert_eq!(picture.headline, "State grows to at most 374 kB, within 15 min 30 s.");
    assert_eq!(picture.about, ["Each window is kept for 15 min 30 s at most, from its start."]);
}

/// A step of a job that 10 /s enter, with entries of 100 B and no overhead.
fn step(system: &str, more_job: &str, settings: &str) -> Design {
    codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":2,"elements":{{
        "in":{{"kind":"channel","system":"kafka","proposed":{{"rate":"10/s"}}}},
        "j":{{"kind":"job","system":"{system}","proposed":{{"space_amplification":1{more_job}}}}},
        "o":{{"kind":"operator","job":"j","step":{settings},"entry_size":"100B"}}}}}},
        "links":{{"l1":{{"from":"in","to":"o"}}}}}}"#
    ))
    .unwrap_or_else(|error| panic!("{error}"))
}

/// Kafka Streams drops segments of half the retention whole: 24 h and 12 h more, 10 /s × 129 600 s × 100 B = 129.6 MB. That
/// they would be for ever is 10 /s × 86 400 s × 100 B = 86.4 MB a day, and not 129.6 MB in 24 h. Half of a minute is no
/// segment: one minute and one more, 10 /s × 120 s × 100 B.
#[test]
fn a_deduplication_of_kafka_streams_keeps_a_segment_more() {
    let of = |ttl: &str| {
        let settings = format!(r#""deduplicate","proposed":{{"state_ttl":"{ttl}""#);
        state(&step("kafka_streams", "", &settings), "o")
    };
    let picture = of("24h");
    assert_eq!(picture.headline, "State grows to at most 130 MB, within 36 h.");
    assert!(picture.about[0].starts_with("A key is on disk for 36 h at most"), "{:?}", picture.about);
    assert_eq!(picture.about[1], "Without that bound it would grow by at most 86.4 MB a day.");
    assert_eq!(collides(picture.chart.as_ref().unwrap()), None);
    assert_eq!(of("1min").headline, "State grows to at most 120 kB, within 2 min.");
}

/// A running count with a time-to-live of an hour: each of 36 000 records could be a new key, 3.6 MB, and need not be.
#[test]
fn a_running_aggregate_has_an_upper_bound() {
    let settings = r#""aggregate","proposed":{"function":"count","window":"none","state_ttl":"1h""#;
    let picture = state(&step("flink", "", settings), "o");
    assert_eq!(picture.headline, "State grows to at most 3.6 MB, within 1 h.");
    assert_eq!(picture.about[0], "An entry expires 1 h after it was last written.");
    assert_eq!(picture.about[1], "Without that bound it would grow by at most 86.4 MB a day.");
}

/// Spark: a key of a de-duplication within the watermark lives 2 × 10 min and the minute of a batch, 1 260 s × 10 /s ×
/// 100 B = 1.26 MB. A tumbling window of 5 min stays 5 min + 10 min + 2 × 1 min = 17 min.
#[test]
fn what_spark_keeps_goes_with_the_watermark() {
    let trigger = r#","trigger_interval":"1min""#;
    let picture =
        state(&step("spark", trigger, r#""deduplicate","proposed":{"watermark_delay":"10min","state_ttl":"1h""#), "o");
    assert_eq!(picture.headline, "State grows to at most 1.26 MB, within 21 min.");
    assert_eq!(picture.about[0], "A key is kept for 21 min at most, until the watermark has passed it.");
    let window = r#""aggregate","proposed":{"window":"tumbling","window_size":"5min","watermark_delay":"10min","keys_per_window":10"#;
    let picture = state(&step("spark", trigger, window), "o");
    assert_eq!(picture.about, ["Each window is kept for 17 min at most, from its start."]);
}

/// Kafka Streams: size and grace are 15 min, and the segment of 7 min 30 s more.
#[test]
fn a_window_of_kafka_streams_stays_until_its_segment_goes() {
    let window = r#""aggregate","proposed":{"window":"tumbling","window_size":"5min","allowed_lateness":"10min","keys_per_window":10"#;
    let picture = state(&step("kafka_streams", "", window), "o");
    assert_eq!(picture.about, ["Each window is kept for 22 min 30 s at most, from its start."]);
}

/// Sessions of 10 min that close 5 min after their last record, with a watermark 1 min behind: 16 min, on average. A join of
/// what comes up to 10 min before and 60 min after keeps one side for 60 min and the minute of the watermark. Top values of
/// a sliding hour need its records for the hour, the minute and the 0.2 s in which a watermark moves on.
#[test]
fn sessions_are_a_mean_and_records_stay_as_long_as_they_are_needed() {
    let session = r#""aggregate","proposed":{"window":"session","window_gap":"5min","live_keys":1200,"key_lifetime":"10min","watermark_delay":"1min","allowed_lateness":"0s""#;
    let picture = state(&step("flink", "", session), "o");
    // 2 sessions start a second, each kept for 960 s, of 100 B.
    assert_eq!(picture.headline, "State grows to about 192 kB, within 16 min.");
    assert_eq!(picture.about, ["A session is kept for 16 min from its start, on average."]);
    let join = r#""join","proposed":{"join":"interval","api":"datastream","join_before":"10min","join_after":"60min","watermark_delay":"1min""#;
    let text = codec::encode(&step("flink", "", join))
        .replace("\"l1\"", "\"l2\": {\"from\": \"in\", \"to\": \"o\", \"into\": \"right\"}, \"l1\"");
    let picture = state(&codec::decode(&text).unwrap(), "o");
    assert_eq!(picture.about, ["A record is kept for 1 h 1 min at most, as long as a result can need it."]);
    let over = r#""aggregate","proposed":{"window":"sliding","window_size":"1h","watermark_delay":"1min","allowed_lateness":"0s""#;
    let picture = state(&step("flink", "", over), "o");
    assert_eq!(picture.about, ["A record is kept for 1 h 1 min at most, as long as a result can need it."]);
}

fn endless(now: &str) -> Design {
    let now = if now.is_empty() { String::new() } else { format!(r#","e":{{"state_size":"{now}"}}"#) };
    codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":1,"elements":{{
        "in":{{"kind":"channel","system":"kafka"}},
        "j":{{"kind":"job","system":"flink","proposed":{{"space_amplification":1,"state_budget":"50GB","instances":1}}}},
        "w":{{"kind":"operator","name":"per user","job":"j","step":"aggregate","observed":{{"e2":{{"window":"none","state_ttl":"unlimited"}}{now}}},
        "proposed":{{"new_keys":"50000/h","entry_size":"150B"}}}}}},
        "links":{{"l1":{{"from":"in","to":"w"}}}},
        "evidence":{{"e":{{"basis":"read","at":"2026-11-30"}},"e2":{{"basis":"read"}}}}}}"#
    ))
    .unwrap()
}

/// 1.2 million new keys a day of 150 B are 180 MB a day; 50 GB hold 277.8 days of them. 277 days after 30 November 2026 it is
/// 3 September 2027.
#[test]
fn without_a_bound_the_day_is_named_on_which_the_budget_is_full() {
    let picture = state(&endless("0B"), "w");
    assert_eq!(picture.headline, "No bound: state grows 180 MB a day and fills its budget on day 277.");
    assert_eq!(picture.about, ["Counted from the reading of what is there now, that is 2027-09-03."]);
    assert_eq!(text(&picture.made_of, "Budget"), "j.state_budget");
    let chart = picture.chart.unwrap();
    assert!(chart.words.iter().any(|words| words.text == "day 277, 2027-09-03"), "{:?}", chart.words);
    assert_eq!(collides(&chart), None);
    let picture = state(&endless(""), "w");
    assert_eq!(picture.headline, "No bound: state grows 180 MB a day. When its budget is full cannot be said yet.");
    assert_eq!(picture.missing.iter().map(|one| one.field.name()).next(), Some("state_size"));
}

#[test]
fn words_keep_apart_whatever_the_numbers() {
    for ttl in ["1s", "90s", "7h", "33d", "3650d"] {
        for size in ["1B", "999B", "150MB"] {
            for (system, settings) in [
                ("kafka_streams", r#""deduplicate","proposed":{"state_ttl":"#),
                ("flink", r#""aggregate","proposed":{"function":"count","window":"none","state_ttl":"#),
                (
                    "flink",
                    r#""aggregate","proposed":{"window":"tumbling","keys_per_window":1000,"watermark_delay":"3s","allowed_lateness":"0s","window_size":"#,
                ),
            ] {
                let design = step(system, "", &format!("{settings}\"{ttl}\""));
                let text = codec::encode(&design).replace("100 B", size).replace("100B", size);
                let chart = state(&codec::decode(&text).unwrap(), "o").chart.unwrap();
                assert_eq!(collides(&chart), None, "{system} {ttl} {size}");
            }
        }
    }
    for now in ["0B", "1GB", "49GB", "49.9GB", "50GB", "60GB"] {
        assert_eq!(collides(&state(&endless(now), "w").chart.unwrap()), None, "{now}");
    }
}

#[test]
fn words_keep_apart_in_every_built_in_design() {
    let patterns = crate::catalog::patterns().iter().map(|pattern| pattern.text);
    let mut drawn = 0;
    for text in crate::catalog::examples().iter().map(|example| example.text).chain(patterns) {
        let design = codec::decode(text).unwrap();
        let report = analyse(&design, View::ToBe);
        for operator in operators(&design, View::ToBe, &report) {
            let picture = draw(&design, View::ToBe, &report, operator).unwrap();
            assert_eq!(picture.chart.as_ref().and_then(collides), None, "{operator}");
            drawn += usize::from(picture.chart.is_some());
        }
    }
    assert!(drawn > 0);
}
