//! What stands under the badge of a link says what made that badge, and nothing else.

use crate::{
    catalog, codec,
    model::{Design, View},
    rules::review,
};

fn pattern(id: &str) -> Design {
    let all = catalog::patterns().iter().map(|one| (one.id, one.text));
    let mut all = all.chain(catalog::examples().iter().map(|one| (one.id, one.text)));
    codec::decode(all.find(|(one, _)| *one == id).unwrap().1).unwrap()
}

/// Badge and lines of each link.
fn captions(design: &Design) -> Vec<(String, String, Vec<String>)> {
    let review = review(design, View::ToBe);
    let of = review
        .links
        .iter()
        .map(|(id, link)| (id.to_string(), link.badge.text(), link.captions.lines(&|id| design.title(id)).collect()));
    of.collect()
}

/// An application sends again after it crashed, to a log that acknowledges in two of three replicas. Its reader starts
/// again from the last checkpoint, and loses what the log deletes while it is down. Inside the job the snapshot takes
/// what was read and what was counted back together. What comes late at the count is not stated.
#[test]
fn each_line_says_what_made_its_cell() {
    let lines = captions(&pattern("windowed_metric"));
    let of = |id: &str| {
        let (_, badge, lines) = lines.iter().find(|(link, ..)| link == id).unwrap();
        (badge.as_str(), lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let acks = "acks=all, RF 3, min ISR 2: survives 1 lost broker";
    assert_eq!(of("l1"), ("1..n", vec![acks, "re-sends after a producer restart"]));
    let down = "while metric is down less long than events keeps records";
    assert_eq!(of("l2"), ("1*..n", vec![down, "re-reads after a crash"]));
    assert_eq!(of("l3"), ("?..1*", vec!["checkpoint duration: not measured", "the commit with the checkpoint"]));
    assert_eq!(of("l6"), ("1*..1*", vec!["one per event_id within 24 h"]));
}

/// One transaction takes back what the job itself would repeat; repeats from before the count stay in its values, so that
/// the transaction is no reason for what stands there.
#[test]
fn a_mechanism_that_leaves_repeats_is_no_reason_for_them() {
    let lines = captions(&pattern("device_alerts"));
    let (_, badge, said) = lines.iter().find(|(link, ..)| link == "l4").unwrap();
    assert_eq!((badge.as_str(), said.join("; ")), ("?..n", "allowed lateness: not read".to_owned()));
    let (_, badge, said) = lines.iter().find(|(link, ..)| link == "l6").unwrap();
    assert_eq!((badge.as_str(), said.join("; ")), ("?..?", "client retries: not read".to_owned()));
}

/// Every sign in a line has its cell: a condition one with a star, a missing fact one with a question mark.
#[test]
fn no_line_speaks_of_a_cell_that_says_something_else() {
    let texts = catalog::patterns().iter().map(|one| one.text).chain(catalog::examples().iter().map(|one| one.text));
    for design in texts.map(|text| codec::decode(text).unwrap()) {
        for (link, badge, lines) in captions(&design) {
            let (fewest, most) = badge.split_once("..").unwrap();
            assert!(lines.len() <= 2, "{link}: {lines:?}");
            for line in lines {
                assert!(!line.starts_with("while ") || fewest == "1*", "{link} {badge}: {line}");
                let missing = [": not read", ": not measured", ": not stated"].iter().any(|end| line.ends_with(end));
                assert!(!missing || badge.contains('?'), "{link} {badge}: {line}");
                let removes = ["one per ", "upsert", "insert if absent", "the commit with"];
                assert!(
                    !removes.iter().any(|by| line.starts_with(by)) || most.starts_with('1'),
                    "{link} {badge}: {line}"
                );
                assert!(!line.contains("recognises its retries") || most == "1", "{link} {badge}: {line}");
            }
        }
    }
}

/// By event time late events are lost, by the clock on the wall a re-run makes other windows (each window has to
/// name its clock). Of a window of which nobody said it, neither is claimed, and the clock is asked for.
#[test]
fn the_clock_of_a_window_is_asked_for() {
    let text = codec::encode(&pattern("windowed_metric"));
    let stated = "\"clock\": \"event_time\", ";
    assert!(text.contains(stated), "{text}");
    let asked = |text: &str| {
        let review = review(&codec::decode(text).unwrap(), View::ToBe);
        let verdict = &review.consumers.values().next().unwrap().delivery;
        let clock = verdict.unknown.iter().any(|missing| missing.field.name() == "clock");
        (clock, verdict.badge.text())
    };
    assert_eq!(asked(&text), (false, "?..1*".to_owned()));
    assert_eq!(asked(&text.replace(stated, "")), (true, "?..?".to_owned()));
}

/// A retry channel and a loop are cut where they come back; what stands there is what the channel holds. The fact is one
/// of the first link, and named as such from there on.
#[test]
fn a_link_that_closes_a_cycle_says_what_its_channel_holds_and_a_fact_further_up_is_named() {
    for role in ["", r#""role": "retry","#] {
        let text = format!(
            r#"{{"format": "streaming-pipeline", "version": 1, "elements": {{
                "s": {{"kind": "source", "name": "Shop"}}, "t": {{"kind": "channel"}},
                "j": {{"kind": "job", "system": "flink"}}, "a": {{"kind": "operator", "job": "j", "step": "map"}},
                "again": {{{role} "kind": "channel"}}, "o": {{"kind": "sink"}}}},
              "links": {{"l1": {{"from": "s", "to": "t"}}, "l2": {{"from": "t", "to": "a"}},
                "l3": {{"from": "a", "to": "again"}}, "l4": {{"from": "again", "to": "a"}},
                "l5": {{"from": "a", "to": "o"}}}}}}"#
        );
        let lines = captions(&codec::decode(&text).unwrap());
        let of = |at: usize| lines[at].2.join("; ");
        assert_eq!(of(0), "capture: not read");
        assert_eq!(of(3), "capture of Shop → t: not read");
        assert!(lines.iter().all(|(_, _, lines)| !lines.is_empty()), "{lines:?}");
    }
}

/// Nothing enters the one cycle, and the other is entered at two places: what stands on its links says so.
#[test]
fn a_badge_of_what_is_not_drawn_or_not_followed_says_that() {
    let cycle = |more: &str, entry: &str| {
        let text = format!(
            r#"{{"format": "streaming-pipeline", "version": 1, "elements": {{{more}
                "t": {{"kind": "channel"}}, "again": {{"kind": "channel"}},
                "j": {{"kind": "job"}}, "a": {{"kind": "operator", "job": "j", "step": "map"}},
                "k": {{"kind": "job"}}, "b": {{"kind": "operator", "job": "k", "step": "map"}}}},
              "links": {{{entry} "l3": {{"from": "t", "to": "a"}}, "l4": {{"from": "a", "to": "again"}},
                "l5": {{"from": "again", "to": "b"}}, "l6": {{"from": "b", "to": "t"}}}}}}"#
        );
        captions(&codec::decode(&text).unwrap())
    };
    let alone = cycle("", "");
    let said: Vec<&str> = alone.iter().map(|(_, _, lines)| lines[0].as_str()).collect();
    let undrawn = "not drawn from its source on";
    assert_eq!(said, [undrawn, "system: not known", undrawn, "system: not known"]);
    let twice = cycle(
        r#""s": {"kind": "source"}, "z": {"kind": "source"},"#,
        r#""l1": {"from": "s", "to": "t"}, "l2": {"from": "z", "to": "again"},"#,
    );
    assert!(twice.iter().all(|(_, _, lines)| !lines.is_empty()), "{twice:?}");
}
