use super::{
    super::{
        chart::collides,
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
/// meanwhile: (6.5 + 63 + 74.04) s × 300 ÷ 1 200 = 35.9 s; 1 952 records behind
/// at 300 /s are 6.5 s.
#[test]
fn state_with_a_time_to_live_stops_growing() {
    let picture = state(&example(), "dedup");
    assert_eq!(picture.headline, "State stops growing at 2.02 GB after 24 h.");
    assert_eq!(picture.about, ["Each key is kept for 24 h.", "Without that bound it would grow 2.02 GB a day."]);
    assert_eq!(text(&picture.made_of, "Live entries"), "25\u{2009}920\u{2009}000");
    assert_eq!(text(&picture.made_of, "Growth if nothing bounded it"), "2.02 GB/day");
    assert_eq!(text(&picture.made_of, "Time-to-live"), "dedup.state_ttl");
    assert_eq!(text(&picture.job_lines, "On one instance, at least"), "without instances");
    let recovery = picture.recovery.unwrap();
    let terms: Vec<(&str, String)> =
        recovery.terms.iter().map(|term| (term.what.as_str(), term.figure.text())).collect();
    let expected = [("detection", "50 s"), ("rescheduling", "20 s"), ("restore", "4 s"), ("catch-up", "36 s")];
    assert_eq!(terms, expected.map(|(what, text)| (what, text.to_owned())));
    assert_eq!(recovery.total.unwrap().text(), "110 s");
    // One after the other over the whole bar: 50 of 109.9 s first.
    assert!((recovery.terms[0].span.1 - 45.5).abs() < 0.1 && (recovery.terms[3].span.1 - 100.0).abs() < 0.01);
    assert!(recovery.terms.windows(2).all(|pair| pair[0].span.1 == pair[1].span.0));
}

/// 5 min + 30 s + 10 min = 15 min 30 s: ⌈930 ÷ 300⌉ = 4 windows × 800 keys × 90 B × 1.3 = 374 kB.
#[test]
fn state_of_a_window_is_kept_until_its_results_are_final() {
    let picture = state(&example(), "sum");
    assert_eq!(picture.headline, "State stops growing at 374 kB after 15 min 30 s.");
    assert_eq!(picture.about, ["Each window is kept for 15 min 30 s from its start."]);
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
fn words_keep_apart_in_every_built_in_design() {
    let patterns = crate::catalog::patterns().iter().map(|pattern| pattern.text);
    for text in crate::catalog::examples().iter().map(|example| example.text).chain(patterns) {
        let design = codec::decode(text).unwrap();
        let report = analyse(&design, View::ToBe);
        for operator in operators(&design, View::ToBe, &report) {
            let picture = draw(&design, View::ToBe, &report, operator).unwrap();
            assert_eq!(picture.chart.as_ref().and_then(collides), None, "{operator}");
        }
    }
    assert_eq!(collides(&state(&endless("49GB"), "w").chart.unwrap()), None);
}
