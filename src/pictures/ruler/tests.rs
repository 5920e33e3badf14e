use super::{
    super::{
        labels::Label,
        testing::{example, text},
    },
    *,
};
use crate::{
    analysis::analyse,
    codec,
    edit::Edit,
    model::{
        Design, FieldValue, Slot, Value, View, key,
        units::Duration,
        words::{Determinism, TimestampType},
    },
};

fn ruler(design: &Design, consumer: &str) -> Picture {
    draw(design, View::ToBe, &analyse(design, View::ToBe), Some(&Id::new(consumer).unwrap())).unwrap()
}

fn row<'p>(picture: &'p Picture, id: &str) -> &'p Row {
    picture.rows.iter().find(|row| row.id.as_str() == id).unwrap()
}

fn words(labels: &[Label]) -> Vec<&str> {
    labels.iter().map(|label| label.text.as_str()).collect()
}

/// 50 GiB at 2 MB/s are 26 844 s; less the window of 5 min 26 544 s. Needed of the log: 24 h and 5 min, 86 700 s.
#[test]
fn the_ruler_of_the_example() {
    let picture = ruler(&example(), "board");
    assert_eq!(picture.headline, "Results can be recomputed for 7 h 22 min, not for the 24 h needed.");
    assert_eq!(picture.about[0], "From orders: 7 h 27 min in the log, bytes bind.");
    assert_eq!(picture.about[1], "Less what has to be read before the first right result: 5 min (sum by store).");
    assert_eq!(picture.about.last().unwrap(), "Refilled from revenue_5m: 14 d, with the results as they were.");
    let rows: Vec<(&str, Role)> = picture.rows.iter().map(|row| (row.id.as_str(), row.role)).collect();
    let expected = [
        ("orders", Role::Recompute),
        ("revenue_5m", Role::Refill),
        ("orders_dlq", Role::Beside),
        ("orders_late", Role::Beside),
        ("checkout_db", Role::Recompute),
    ];
    assert_eq!(rows, expected);
    let orders = row(&picture, "orders");
    // 50 GiB at 0.5 MB/s are 107 374 s; half of the 2 147 s in a segment and of the 300 s between checks: 108 598 s.
    let expected = ["at least 7 h 27 min, bytes bind", "typical 30 h 10 min", "7 d by time, not reached"];
    assert_eq!(words(&orders.labels), expected);
    assert_eq!(orders.short.as_ref().map(|label| label.text.as_str()), Some("short by 16 h 38 min"));
    assert_eq!(orders.enough, Some(false));
    assert_eq!(text(&orders.needs, "Needed of this log"), "24 h 5 min");
    assert_eq!(text(&orders.needs, "Look-back of sum by store"), "5 min");
    // 24 h back, 300 of 1 500 /s arrive meanwhile: 24 h × 300 ÷ 1 200.
    assert_eq!(text(&orders.race, "It takes"), "6 h");
    assert_eq!(text(&orders.beside, "Position of revenue is kept for"), "kafka.offsets_retention");
    assert_eq!(text(&orders.beside, "Checkpoints of revenue kept"), "revenue.checkpoints_retained");
    // It begins too late already; what one that refills does is not measured.
    let left = text(&orders.race, "Time left to start a replay of what is needed");
    assert_eq!(left, "none: part of what it needs is not kept");
    assert_eq!(words(&row(&picture, "checkout_db").labels)[1], "a snapshot gives today's rows, no history");
}

/// 86 700 s × 2 MB/s ÷ 2^30 = 161.5 GiB: 162 GiB, which last 86 973 s; 12 × 3 × 163 GiB = 6.3 TB.
#[test]
fn what_would_do_is_said_with_what_it_costs() {
    let picture = ruler(&example(), "board");
    let choices = &row(&picture, "orders").choices;
    let text = |derived: &Option<Derived>| derived.as_ref().map(|derived| derived.as_ref().unwrap().text());
    assert_eq!(
        (choices[0].what.as_str(), text(&choices[0].disk).as_deref()),
        ("As it is: 50 GiB per partition", Some("1.97 TB"))
    );
    let more = &choices[1];
    assert_eq!(more.what, "162 GiB per partition");
    assert_eq!((text(&more.reach).as_deref(), text(&more.disk).as_deref()), (Some("24 h 9 min"), Some("6.3 TB")));
    assert_eq!(more.then, "recomputes 24 h 4 min");
    // Applied, the analysis says the same.
    let (label, edit) = more.fix.clone().unwrap();
    assert_eq!(label, "Propose 162 GiB per partition");
    let mut design = example();
    design.apply(edit).unwrap();
    let after = ruler(&design, "board");
    assert_eq!(after.headline, "Results can be recomputed for 24 h 4 min; 24 h is needed.");
    assert_eq!(row(&after, "orders").enough, Some(true));
    let all: Vec<&str> = choices.iter().map(|choice| choice.what.as_str()).collect();
    assert!(all.contains(&"Refill from revenue_5m") && all.contains(&"A snapshot of checkout db"), "{all:?}");
    assert!(all.contains(&"Start revenue from a savepoint"), "{all:?}");
}

/// A log of one day, a window of an hour, three days needed.
fn one_day(class: &str) -> Design {
    one_day_of("kafka", &format!(r#""classification":"{class}""#))
}

fn one_day_of(system: &str, event: &str) -> Design {
    let system = if system.is_empty() { String::new() } else { format!(r#","system":"{system}""#) };
    codec::decode(&format!(
        r#"{{"format":"streaming-pipeline","version":1,"elements":{{
        "s":{{"kind":"source","event":"e"}},
        "in":{{"kind":"channel"{system},"proposed":{{"cleanup_policy":"delete","retention_time":"1d","retention_size":"unlimited"}}}},
        "j":{{"kind":"job","system":"flink"}},
        "w":{{"kind":"operator","job":"j","step":"aggregate","proposed":{{"window":"tumbling","window_size":"1h"}}}},
        "t":{{"kind":"sink","system":"postgres"}},
        "c":{{"kind":"consumer","proposed":{{"replay_needed":"3d"}}}}}},
        "links":{{"l0":{{"from":"s","to":"in"}},"l1":{{"from":"in","to":"w"}},"l2":{{"from":"w","to":"t"}},"l3":{{"from":"t","to":"c"}}}},
        "events":{{"e":{{"proposed":{{{event}}}}}}}}}"#
    ))
    .unwrap()
}

#[test]
fn results_that_do_not_take_the_place_of_the_old_ones_are_said_to() {
    let mut design = one_day("internal");
    let value = Some(Determinism::KeyVaries.into_value());
    let (subject, field) = (Id::new("w").unwrap(), key::operator::DETERMINISM.field());
    design.apply(Edit::Set { subject, slot: Slot::Proposed, field, value }).unwrap();
    let said = "Results can be recomputed for 23 h, but their keys differ on a second run at w.";
    assert_eq!(ruler(&design, "c").headline, said);
}

/// Three days and the window of an hour are 73 h.
#[test]
fn time_that_binds_is_raised_by_time() {
    let picture = ruler(&one_day("internal"), "c");
    assert_eq!(picture.headline, "Results can be recomputed for 23 h, not for the 3 d needed.");
    let choice = &row(&picture, "in").choices[1];
    assert_eq!(choice.what, "3 d 1 h by time");
    assert_eq!(choice.then, "recomputes 3 d");
    assert!(choice.fix.is_some());
}

/// Records come up to two hours after their time: of the day in the log 22 h are left, less the window 21 h. For 73 h from the
/// append on, 75 h by time.
#[test]
fn what_came_late_needs_as_much_more_by_time() {
    let mut design = one_day("internal");
    let log = Id::new("in").unwrap();
    let late = Value::Duration(Duration::from_secs(7_200));
    for (field, value) in [
        (key::channel::APPEND_DELAY.field(), late),
        (key::channel::TIMESTAMP_TYPE.field(), TimestampType::CreateTime.into_value()),
    ] {
        design.apply(Edit::Set { subject: log.clone(), slot: Slot::Proposed, field, value: Some(value) }).unwrap();
    }
    let picture = ruler(&design, "c");
    assert_eq!(picture.headline, "Results can be recomputed for 21 h, not for the 3 d needed.");
    assert_eq!(picture.about[0], "From in: 22 h in the log, time binds.");
    let log = row(&picture, "in");
    assert_eq!(text(&log.reaches, "At least"), "22 h");
    assert_eq!(log.short.as_ref().map(|label| label.text.as_str()), Some("short by 2 d 3 h"));
    let choice = &log.choices[1];
    assert_eq!((choice.what.as_str(), choice.then.as_str()), ("3 d 3 h by time", "recomputes 3 d"));
    let (_, edit) = choice.fix.clone().unwrap();
    design.apply(edit).unwrap();
    assert_eq!(ruler(&design, "c").headline, "Results can be recomputed for 3 d; 3 d is needed.");
}

#[test]
fn personal_data_is_not_kept_longer_by_a_proposal() {
    let picture = ruler(&one_day("personal"), "c");
    let choice = &row(&picture, "in").choices[1];
    assert!(choice.fix.is_none());
    assert!(choice.then.contains("it holds personal data"), "{}", choice.then);
}

/// Names of fields are enough, nothing at all is not; nor is a log of which nobody says what keeps it.
#[test]
fn what_is_not_known_to_be_safe_is_not_proposed() {
    let then = |system: &str, event: &str| {
        let choice = row(&ruler(&one_day_of(system, event), "c"), "in").choices[1].clone();
        assert!(choice.fix.is_none(), "{choice:?}");
        choice.then
    };
    let fields = r#""classification":"internal","personal_fields":["email"]"#;
    assert!(then("kafka", fields).contains("it holds personal data"));
    assert!(then("kafka", "").contains("whether it holds personal data is not known"));
    assert!(then("", r#""classification":"internal""#).contains("which system keeps it is not stated"));
    assert!(then("pulsar", r#""classification":"internal""#).contains("as far as the product lets it"));
    let no_fields = one_day_of("kafka", r#""personal_fields":[]"#);
    assert!(row(&ruler(&no_fields, "c"), "in").choices[1].fix.is_some());
}

#[test]
fn what_is_not_known_is_named() {
    let mut design = example();
    let orders = design.elements.get_mut(&Id::new("orders").unwrap()).unwrap();
    let logdirs = Id::new("e_logdirs").unwrap();
    orders.observed.remove(&logdirs);
    let picture = ruler(&design, "board");
    assert_eq!(picture.headline, "How far back results can be recomputed cannot be said yet.");
    let orders = row(&picture, "orders");
    assert!(orders.spans.is_empty() && orders.choices.is_empty());
    assert_eq!(words(&orders.labels), ["not derivable: disk rate: not measured"]);
    assert_eq!(orders.missing.iter().map(Missing::words).collect::<Vec<_>>(), ["disk rate: not measured"]);
}

#[test]
fn without_a_consumer_every_log_stands_there_and_without_a_log_nothing() {
    let design = example();
    let report = analyse(&design, View::ToBe);
    let picture = draw(&design, View::ToBe, &report, None).unwrap();
    assert_eq!(picture.headline, "Every log can be read again for 7 h 27 min at least: bytes bind.");
    assert!(picture.need.is_none() && picture.rows.iter().all(|row| row.role == Role::Beside));
    assert!(draw(&Design::default(), View::ToBe, &analyse(&Design::default(), View::ToBe), None).is_none());
}

/// What all logs keep is said of those of which it is known.
#[test]
fn what_is_not_known_of_a_log_is_not_said_of_every_log() {
    let headline = |logs: &[(&str, &str)]| {
        let log = |(id, settings): &(&str, &str)| {
            format!(r#""{id}":{{"kind":"channel","system":"kafka","proposed":{{{settings}}}}}"#)
        };
        let logs: Vec<String> = logs.iter().map(log).collect();
        let text = format!(r#"{{"format":"streaming-pipeline","version":2,"elements":{{{}}}}}"#, logs.join(","));
        let design = codec::decode(&text).unwrap();
        draw(&design, View::ToBe, &analyse(&design, View::ToBe), None).unwrap().headline
    };
    let kept =
        |time: &str| format!(r#""cleanup_policy":"delete","retention_time":"{time}","retention_size":"unlimited""#);
    let (day, ever) = (kept("24h"), kept("unlimited"));
    let compacted = r#""cleanup_policy":"compact","min_compaction_lag":"0s""#;
    assert_eq!(headline(&[("a", &day), ("b", &ever)]), "Every log can be read again for 24 h at least: time binds.");
    assert_eq!(
        headline(&[("a", &day), ("b", ""), ("c", "")]),
        "1 of 3 logs can be read again for 24 h at least: time binds. Of 2 logs it cannot be said yet."
    );
    assert_eq!(headline(&[("a", &ever), ("b", &ever)]), "No log deletes anything by time or size.");
    assert_eq!(
        headline(&[("a", &ever), ("b", "")]),
        "Nothing is deleted by time or size in 1 of 2 logs. Of 1 log it cannot be said yet."
    );
    assert_eq!(headline(&[("a", &day), ("b", compacted)]), "b keeps for certain only the newest record of each key.");
}

/// The row of a compacted log says what it keeps: every version for the lag, deletions, the newest of each key.
#[test]
fn a_compacted_log_keeps_keys_and_no_time() {
    let row = |lag: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":2,"elements":{{"a":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"compact",
            "min_compaction_lag":"{lag}"}}}}}}}}"#
        );
        let design = codec::decode(&text).unwrap();
        draw(&design, View::ToBe, &analyse(&design, View::ToBe), None).unwrap().rows.remove(0)
    };
    let none = row("0s");
    assert!(words(&none.labels).contains(&"for certain only the newest record of each key"), "{:?}", none.labels);
    let day = row("24h");
    assert!(words(&day.labels).contains(&"every version at least 24 h, the compaction lag binds"), "{:?}", day.labels);
    let whats: Vec<&str> = day.reaches.iter().map(|line| line.what.as_str()).collect();
    assert_eq!(whats, ["Every version, at least", "Deletions", "At most", "Gone from the disk after"]);
}

/// Seven days, less 24 h and 12 h that two de-duplications remember: 5 d 12 h.
#[test]
fn every_deduplication_is_named_and_a_log_without_end_is_no_length() {
    let picture = |time: &str| {
        let design = codec::decode(&format!(
            r#"{{"format":"streaming-pipeline","version":2,"elements":{{
            "in":{{"kind":"channel","system":"kafka","proposed":{{"cleanup_policy":"delete","retention_time":"{time}","retention_size":"unlimited"}}}},
            "j":{{"kind":"job","system":"flink"}},
            "first":{{"kind":"operator","job":"j","step":"deduplicate","proposed":{{"state_ttl":"24h","ttl_from":"last"}}}},
            "second":{{"kind":"operator","job":"j","step":"deduplicate","proposed":{{"state_ttl":"12h","ttl_from":"last"}}}},
            "t":{{"kind":"sink","system":"postgres"}},"c":{{"kind":"consumer"}}}},
            "links":{{"l1":{{"from":"in","to":"first"}},"l2":{{"from":"first","to":"second"}},"l3":{{"from":"second","to":"t"}},"l4":{{"from":"t","to":"c"}}}}}}"#
        ));
        ruler(&design.unwrap(), "c")
    };
    let week = picture("7d");
    assert_eq!(week.headline, "Results can be recomputed for 7 d. How far back is needed is not stated.");
    assert_eq!(week.about[0], "From in: 7 d in the log, time binds.");
    assert_eq!(
        week.about[1],
        "If the de-duplications have to know all first copies, 24 h (first) and 12 h (second) more: 5 d 12 h."
    );
    let ever = picture("unlimited");
    assert_eq!(
        ever.headline,
        "Results can be recomputed as far back as the log goes. How far back is needed is not stated."
    );
    assert_eq!(ever.about[0], "From in: its log deletes nothing by time or size.");
    assert_eq!(words(&row(&ever, "in").labels), ["no bound"]);
}

/// All built-in designs: nothing leaves the width, no label stands on another, no span is turned around.
#[test]
fn everything_has_its_place() {
    let mut shorts = 0;
    let patterns = crate::catalog::patterns().iter().map(|pattern| pattern.text);
    for text in crate::catalog::examples().iter().map(|example| example.text).chain(patterns) {
        let design = codec::decode(text).unwrap();
        for view in [View::AsIs, View::ToBe] {
            let report = analyse(&design, view);
            for consumer in consumers(&design, view).map(Some).chain([None]) {
                let Some(picture) = draw(&design, view, &report, consumer) else { continue };
                for row in &picture.rows {
                    assert!(row.spans.iter().all(|s| s.from < s.to && s.from >= 0.0 && s.to <= picture.now), "{row:?}");
                    shorts += row.short.iter().count();
                    let short = row.short.iter().map(Label::extent);
                    assert!(short.into_iter().all(|(from, to)| from >= 0.0 && to <= 100.0), "{:?}", row.short);
                    for (n, one) in row.labels.iter().enumerate() {
                        let (from, to) = one.extent();
                        assert!(from >= 0.0 && to <= 100.0, "{one:?}");
                        let beside = row.labels.iter().skip(n + 1).filter(|other| other.line == one.line);
                        assert!(beside.map(Label::extent).all(|(l, r)| to <= l || r <= from), "{:?}", row.labels);
                    }
                }
                assert!(picture.text().lines().all(|line| line.chars().count() <= 120), "{}", picture.text());
            }
        }
    }
    assert!(shorts > 0);
}
