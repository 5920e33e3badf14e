use super::{
    super::{
        chart::{Shape, collides},
        testing::{example, text},
    },
    *,
};
use crate::{
    analysis::analyse,
    codec,
    model::{Design, View},
};

fn lag(design: &Design, job: &str) -> Picture {
    draw(design, View::ToBe, &analyse(design, View::ToBe), &Id::new(job).unwrap()).unwrap()
}

/// 30 min × 300 ÷ (1 500 − 300) = 7 min 30 s.
#[test]
fn the_group_of_the_example_catches_up() {
    let design = example();
    let picture = lag(&design, "revenue");
    assert_eq!(picture.headline, "After 30 min down, as an example, the group needs 7 min 30 s to catch up.");
    assert_eq!(picture.about[0], "It reads 1\u{2009}500 /s against 300 /s arriving.");
    assert_eq!(picture.about[1], "Lag now: 1\u{2009}840 records on partition 7 of orders, the farthest behind.");
    assert_eq!(text(&picture.lag, "To catch up after it"), "7 min 30 s");
    assert_eq!(text(&picture.lag, "Until unread records are deleted"), "no bound");
    assert_eq!(text(&picture.scaling, "Instances that can work at once"), "12");
    let chart = picture.chart.unwrap();
    assert_eq!(collides(&chart), None);
    let said: Vec<&str> = chart.words.iter().map(|words| words.text.as_str()).collect();
    assert!(said.contains(&"537 s: uncommitted results can be lost"), "{said:?}");
    assert!(said.contains(&"orders deletes after 7 h 27 min, above this chart"), "{said:?}");
    // What it would need is named, with the subject that it stands on.
    let picture = lag(&design, "rev_jdbc");
    assert_eq!(picture.headline, "How long it needs to catch up cannot be said yet.");
    assert!(picture.chart.is_none());
    assert_eq!(picture.missing[0].field.name(), "capacity");
}

fn group(capacity: &str, retention: &str, needs: &str) -> Design {
    group_at("300/s", capacity, retention, needs)
}

fn group_at(rate: &str, capacity: &str, retention: &str, needs: &str) -> Design {
    let rate = if rate.starts_with('{') { rate.to_owned() } else { format!("\"{rate}\"") };
    codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":1,"elements":{{
        "in":{{"kind":"channel","system":"kafka","proposed":{{"rate":{rate},"partitions":4,"cleanup_policy":"delete",
            "retention_time":"{retention}","retention_size":"unlimited"}}}},
        "j":{{"kind":"job","system":"flink","proposed":{{"capacity":"{capacity}"{needs}}}}},
        "m":{{"kind":"operator","job":"j","step":"map"}}}},
        "links":{{"l1":{{"from":"in","to":"m","proposed":{{"lag_time":"4min","lag":7200}}}}}}}}"#
    ))
    .unwrap()
}

/// 300 /s arrive, 200 /s are read: behind by a third of a second more each second. A log of 24 h, 4 min behind:
/// (86 400 − 240) × 300 ÷ 100 = 258 480 s, 71.8 h: 2 d 23 h for certain.
#[test]
fn a_group_that_reads_less_than_arrives_never_catches_up() {
    let picture = lag(&group("200/s", "1d", r#","longest_outage":"1h""#), "j");
    assert_eq!(picture.headline, "It never catches up: 200 /s are read, 300 /s arrive.");
    assert_eq!(text(&picture.lag, "Until unread records are deleted"), "2 d 23 h");
    let chart = picture.chart.unwrap();
    // After an hour down at 60, one more hour adds a third of it: 80.
    let Some(Shape::Path(points, _)) = chart.shapes.last() else { panic!("{:?}", chart.shapes) };
    assert!((points[2].1 - 80.0).abs() < 0.01 && (points[1].0 - 50.0).abs() < 0.01, "{points:?}");
    assert_eq!(collides(&chart), None);
}

/// 7 200 records behind, and 900 − 300 /s are spare: 12 s. A log of 20 min loses what an outage of 30 min did not read.
#[test]
fn what_is_lost_within_the_outage_is_drawn_in_the_chart() {
    let picture = lag(&group("900/s", "20min", r#","longest_outage":"30min","lag_target":"2min""#), "j");
    assert_eq!(picture.headline, "After 30 min down, the group needs 15 min to catch up.");
    assert_eq!(text(&picture.lag, "Until what is behind now is read"), "12 s");
    let chart = picture.chart.unwrap();
    // 30 min stand at 60, so 20 min at 40.
    assert!(chart.shapes.iter().any(|shape| matches!(shape, Shape::Lost(y) if (y - 40.0).abs() < 0.01)));
    assert!(chart.words.iter().any(|words| words.text == "target 2 min"), "{:?}", chart.words);
    assert_eq!(collides(&chart), None);
}

/// 300 /s on average and 900 /s at peak: 30 min × 900 ÷ (1 500 − 900) = 45 min, whether the outage is stated or an example.
/// 900 /s at peak are above 600 /s.
/// A compacted log has no time: the newest record of each key stays, whatever its age. With deletion beside it, records go by
/// their age: 10 min of 30 min down.
#[test]
fn a_compacted_log_deletes_nothing_by_its_age() {
    let policy = |policy: &str| {
        let text = codec::encode(&group("600/s", "10min", ""));
        let settings = format!("\"cleanup_policy\": \"{policy}\", \"min_compaction_lag\": \"0s\"");
        let picture = lag(&codec::decode(&text.replace("\"cleanup_policy\": \"delete\"", &settings)).unwrap(), "j");
        let said: Vec<String> = picture.chart.unwrap().words.into_iter().map(|words| words.text).collect();
        (picture.lag, said)
    };
    let (lines, said) = policy("compact");
    assert!(!said.iter().any(|words| words.contains("deletes after")), "{said:?}");
    assert_eq!(text(&lines, "Every version kept on in, at least"), "0 s");
    assert_eq!(text(&lines, "Deletions kept on in"), "in.tombstone_retention");
    assert_eq!(text(&lines, "Until unread records are deleted"), "no bound");
    assert_eq!(how_of(&lines, "Until unread records are deleted"), "compaction keeps the newest record of each key");
    assert!(!lines.iter().any(|line| line.what == "Kept on in, at least"), "{lines:?}");
    let (lines, said) = policy("compact_delete");
    assert!(said.iter().any(|words| words == "in deletes after 10 min"), "{said:?}");
    assert_eq!(text(&lines, "Kept on in, at least"), "10 min");
    assert_eq!(text(&lines, "Every version kept on in, at least"), "0 s");
}

#[test]
fn a_peak_that_is_known_counts() {
    let peak = r#"{"mean":"300/s","max":"900/s"}"#;
    for (needs, how) in [("", ", as an example"), (r#","longest_outage":"30min""#, "")] {
        let picture = lag(&group_at(peak, "1500/s", "1d", needs), "j");
        assert_eq!(picture.headline, format!("After 30 min down{how}, the group needs 45 min to catch up at peak."));
        assert_eq!(picture.about[0], "It reads 1\u{2009}500 /s against 900 /s arriving at peak.");
        assert!(!picture.about.iter().any(|said| said.contains("not measured")), "{:?}", picture.about);
        assert_eq!(text(&picture.lag, "Arriving, mean"), "300 /s");
        assert_eq!(text(&picture.lag, "Arriving at peak"), "900 /s");
        let picture = lag(&group_at(peak, "600/s", "1d", needs), "j");
        let expected = "It does not catch up while the peak lasts: 600 /s are read, 900 /s arrive.";
        assert_eq!(picture.headline, expected);
        // A log of a day, 4 min behind, is gone in (86 400 − 240) × 900 ÷ (900 − 600) s.
        assert_eq!(text(&picture.lag, "Until unread records are deleted"), "2 d 23 h");
        assert_eq!(how_of(&picture.lag, "Until unread records are deleted"), "while no less arrives");
        assert_eq!(picture.chart.as_ref().and_then(collides), None);
    }
    // A peak no higher than the mean is a peak that is known.
    let picture = lag(&group_at(r#"{"mean":"300/s","max":"300/s"}"#, "1500/s", "1d", ""), "j");
    assert!(!picture.about.iter().any(|said| said.contains("not measured")), "{:?}", picture.about);
    let picture = lag(&group("1500/s", "1d", ""), "j");
    assert!(picture.about.iter().any(|said| said.contains("not measured")), "{:?}", picture.about);
}

/// 300 /s arrive, 200 /s are read, and the log deletes nothing: it is never caught up, and never lost either.
#[test]
fn why_nothing_unread_is_deleted_is_said() {
    let picture = lag(&group("200/s", "unlimited", ""), "j");
    assert_eq!(text(&picture.lag, "Until unread records are deleted"), "no bound");
    let how = how_of(&picture.lag, "Until unread records are deleted");
    assert_eq!(how, "the log deletes nothing by time or size");
    // Where nobody measured what it reads, that is what is missing.
    let picture = lag(&example(), "rev_jdbc");
    assert_eq!(text(&picture.lag, "Until unread records are deleted"), "without capacity");
}

/// Lag that somebody remembers stands for no reading of a source that could not be reached.
#[test]
fn what_could_not_be_read_is_in_no_sentence() {
    let lagging = |picture: &Picture| picture.about.iter().any(|said| said.starts_with("Lag now"));
    assert!(lagging(&lag(&example(), "revenue")));
    let text = codec::encode(&example()).replace("\"state\": \"not_provided\"", "\"state\": \"unreachable\"");
    let text = text.replace("\"covers\": [\"batch_path\"]", "\"covers\": [\"lag\"]");
    let design =
        codec::decode(&text.replace("\"about\": [\"orders_full\", \"fct_revenue\"]", "\"about\": []")).unwrap();
    assert!(!lagging(&lag(&design, "revenue")));
}

fn how_of<'l>(lines: &'l [Line], what: &str) -> &'l str {
    &lines.iter().find(|line| line.what == what).unwrap().how
}

/// A job that writes in transactions and reads a channel of a long name, from seconds to weeks down.
#[test]
fn words_keep_apart_whatever_the_numbers() {
    let mut drawn = (0, 0, 0);
    for outage in ["1s", "90s", "30min", "7h", "21d"] {
        for capacity in ["200/s", "301/s", "1500/s", "1000000/s"] {
            for retention in ["1min", "20min", "8h", "30d", "unlimited"] {
                for target in ["", r#","lag_target":"1s""#, r#","lag_target":"17min""#, r#","lag_target":"60d""#] {
                    for rate in ["300/s", r#"{"mean":"300/s","max":"350/s"}"#] {
                        let needs = format!(
                            r#","longest_outage":"{outage}"{target},"processing_guarantee":"exactly_once","checkpoint_interval":"1min","checkpoint_min_pause":"0s","checkpoint_duration":"3s""#
                        );
                        let design = with_long_name(&group_at(rate, capacity, retention, &needs));
                        let chart = lag(&design, "j").chart.unwrap();
                        assert_eq!(collides(&chart), None, "{outage} {capacity} {retention} {target} {rate}");
                        let said = |text: &str| usize::from(chart.words.iter().any(|words| words.text.contains(text)));
                        drawn.0 += 1;
                        drawn.1 += said("uncommitted results");
                        drawn.2 += said("… deletes after");
                    }
                }
            }
        }
    }
    // Two outages are longer than 15 min less a minute and 3 s, and one with half an hour; four retentions have an end.
    assert_eq!(drawn, (800, 3 * 160, 4 * 160));
}

fn with_long_name(design: &Design) -> Design {
    let text = codec::encode(design)
        .replace("\"kind\": \"channel\"", "\"kind\": \"channel\", \"name\": \"orders of all shops and regions\"");
    let text = text.replace("\"m\": {", "\"out\": {\"kind\": \"channel\", \"system\": \"kafka\"}, \"m\": {");
    let writes = r#""l2": {"from": "m", "to": "out", "proposed": {"output_commit": "two_phase", "transaction_timeout": "15min"}}, "l1""#;
    codec::decode(&text.replace("\"l1\"", writes)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn words_keep_apart_in_every_built_in_design() {
    let patterns = crate::catalog::patterns().iter().map(|pattern| pattern.text);
    let mut drawn = 0;
    for text in crate::catalog::examples().iter().map(|example| example.text).chain(patterns) {
        let design = codec::decode(text).unwrap();
        let report = analyse(&design, View::ToBe);
        for job in jobs(&design, View::ToBe, &report) {
            let picture = draw(&design, View::ToBe, &report, job).unwrap();
            assert_eq!(picture.chart.as_ref().and_then(collides), None, "{job}");
            drawn += usize::from(picture.chart.is_some());
        }
    }
    assert!(drawn > 0);
}
