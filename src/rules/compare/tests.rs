//! What the comparison says of designs that were worked through by hand.

use super::{Direction, Entry, ForConsumer, Presence, Topic, Trace, What, changes, compare, for_consumer};
use crate::{
    codec,
    model::{Design, Id, View},
    rules::{Review, review, testing::careful_with},
};

pub(super) fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn both(design: &Design) -> (Review, Review) {
    (review(design, View::AsIs), review(design, View::ToBe))
}

pub(super) fn of(design: &Design, consumer: &str) -> ForConsumer {
    let (as_is, to_be) = both(design);
    for_consumer(design, &as_is, &to_be, &id(consumer))
}

fn checkout() -> Design {
    codec::decode(crate::catalog::examples()[0].text).unwrap()
}

/// The careful design as it runs, with these changes.
pub(super) fn running(changes: &[(&str, &str)]) -> Design {
    let mut document: serde_json::Value = serde_json::from_str(&codec::encode(&careful_with(&[]))).unwrap();
    let sections = ["elements", "links", "events", "clusters"];
    document["evidence"] =
        serde_json::json!({"e1": {"basis": "read", "from": "the running system", "at": "2026-11-30"}});
    for section in sections {
        let subjects = document[section].as_object_mut().unwrap();
        for subject in subjects.values_mut() {
            let subject = subject.as_object_mut().unwrap();
            if let Some(proposed) = subject.remove("proposed") {
                subject.insert("observed".into(), serde_json::json!({"e1": proposed}));
            }
            if section == "elements" && subject["kind"] != "operator" {
                subject.insert("lifecycle".into(), "existing".into());
            }
        }
    }
    for (path, text) in changes {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut at = &mut document;
        for part in path.split('/') {
            at = at.as_object_mut().unwrap().entry(part).or_insert_with(|| serde_json::json!({}));
        }
        *at = value;
    }
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{changes:?}: {error}"))
}

pub(super) fn entry(of: &ForConsumer, test: impl Fn(&What) -> bool) -> &Entry {
    of.entries.iter().find(|entry| test(&entry.what)).unwrap_or_else(|| panic!("{:#?}", of.entries))
}

fn topics(of: &ForConsumer) -> Vec<(Topic, Direction)> {
    of.entries.iter().map(|entry| (entry.what.topic(), entry.direction)).collect()
}

#[test]
fn a_view_compared_with_itself_gives_nothing() {
    for design in [checkout(), running(&[]), careful_with(&[])] {
        let (as_is, to_be) = both(&design);
        for review in [&as_is, &to_be] {
            for (id, of) in &compare(&design, review, review).consumers {
                assert_eq!(of.entries, [], "{id}");
            }
        }
    }
}

#[test]
fn what_runs_and_shall_run_on_gains_and_costs_nothing() {
    let design = running(&[]);
    assert_eq!(changes(&design), []);
    let board = of(&design, "board");
    assert_eq!((board.presence, board.entries.as_slice()), (Presence::Both, &[][..]));
    assert_eq!(board.summary, "board: nothing that is proposed changes what is delivered.");
}

/// Far more lateness counts, a late channel takes the rest; the owner of the published figure has to agree.
#[test]
fn more_lateness_loses_less_and_has_to_be_agreed_to() {
    let design = checkout();
    let board = of(&design, "board");
    let loss = entry(&board, |what| matches!(what, What::Loss(hop) if hop.at.as_str() == "sum"));
    assert_eq!(loss.before.text, "events later than 30 s are dropped from their window");
    let rest = "events later than 10 min 30 s go to orders_late and are missing here";
    assert_eq!(loss.after.text, format!("{rest}, unless every event is at most 10 min 30 s late"));
    assert_eq!(loss.direction, Direction::Better, "{loss:?}");
    let halt = entry(&board, |what| matches!(what, What::Halt(..)));
    assert_eq!(halt.direction, Direction::Worse);
    assert!(halt.after.text.starts_with("change allowed lateness 0 s → 10 min of sum by store"), "{}", halt.after.text);
    let gone: Vec<&str> = board
        .of(Direction::Better)
        .filter_map(|entry| if let What::Finding(rule, ..) = &entry.what { Some(*rule) } else { None })
        .collect();
    for rule in ["TIM-04", "TIM-07"] {
        assert!(gone.contains(&rule), "{rule}: {gone:?}");
    }
    assert!(board.summary.starts_with("Revenue board: "), "{}", board.summary);
    assert!(board.summary.ends_with("1 halt raised."), "{}", board.summary);
}

/// Two settings that lose on their own, both mended: the events are only kept when both are.
#[test]
fn what_only_two_changes_together_bring_is_traced_to_no_single_one() {
    let design = running(&[
        ("links/l1/observed/e1/on_send_failure", "\"drop\""),
        ("links/l1/proposed/on_send_failure", "\"retry\""),
        ("elements/orders/observed/e1/unclean_leader_election", "true"),
        ("elements/orders/proposed/unclean_leader_election", "false"),
    ]);
    let board = of(&design, "board");
    let at = board.entries.iter().position(|entry| entry.what == What::Fewest).unwrap();
    assert_eq!(board.entries[at].direction, Direction::Better, "{:?}", board.entries[at]);
    assert_eq!(super::traced(&changes(&design), &board).0[at], Vec::<usize>::new());
}

/// 7 d of orders become 1 d: the retention binds, so a replay reaches less far, and the owner has to agree.
#[test]
fn less_retention_costs_replay_reach() {
    let design = running(&[("elements/orders/proposed/retention_time", "\"1d\"")]);
    let board = of(&design, "board");
    let replay = entry(&board, |what| matches!(what, What::Replay(from, true) if from.as_str() == "orders"));
    assert_eq!(replay.direction, Direction::Worse, "{replay:?}");
    let (before, after) = (replay.before.figure.as_ref().unwrap(), replay.after.figure.as_ref().unwrap());
    assert!(before.value > after.value && after.value <= 86_400.0, "{replay:?}");
    assert!(topics(&board).contains(&(Topic::Halts, Direction::Worse)), "{:?}", topics(&board));
    assert_eq!(board.of(Direction::Better).count(), 0, "{:#?}", board.entries);
    // The number says which setting it rests on.
    let all = changes(&design);
    let at = board.entries.iter().position(|entry| entry == replay).unwrap();
    assert_eq!(super::traced(&all, &board).0[at], [0]);
    assert_eq!(all[0].words(&design), "retention time 7 d → 24 h of orders");
}

/// A writer that stops asking for acknowledgement may lose; nothing else gets worse for it, and nothing better.
#[test]
fn a_weaker_acknowledgement_costs_loss() {
    let link = |acks: &str| running(&[("links/l1/proposed/acks", acks)]);
    let board = of(&link("\"1\""), "board");
    let cell = entry(&board, |what| *what == What::Fewest);
    assert_eq!(cell.direction, Direction::Worse);
    assert!(cell.after.text.starts_with("may be lost"), "{cell:?}");
    assert_eq!(board.of(Direction::Better).count(), 0, "{:#?}", board.entries);
    assert_eq!(of(&link("\"all\""), "board").entries, []);
}

#[test]
fn what_is_no_longer_known_is_never_a_gain() {
    // The proposed channel comes without any settings: what was known of the old one says nothing about it.
    let design = running(&[
        ("elements/fresh", r#"{"kind":"source","system":"mqtt"}"#),
        ("links/l90", r#"{"from":"fresh","to":"orders"}"#),
    ]);
    let board = of(&design, "board");
    assert_eq!(board.of(Direction::Better).count(), 0, "{:#?}", board.entries);
    assert_eq!(entry(&board, |what| *what == What::Fewest).direction, Direction::UnknownAfter);
    let fact = entry(&board, |what| matches!(what, What::Fact(_)));
    assert_eq!(fact.direction, Direction::UnknownAfter);
}

#[test]
fn a_change_elsewhere_gives_nothing() {
    // Another way beside it, to a consumer of its own.
    let aside = [
        ("elements/tap", r#"{"kind":"channel","cluster":"kafka","proposed":{"partitions":1}}"#),
        ("elements/other", r#"{"kind":"consumer"}"#),
        ("links/l91", r#"{"from":"tap","to":"other"}"#),
    ];
    let design = running(&aside);
    let (as_is, to_be) = both(&design);
    let all = compare(&design, &as_is, &to_be);
    assert_eq!(all.consumers[&id("board")].entries, []);
    assert_eq!(all.consumers[&id("board")].changes, Vec::<usize>::new());
    assert_eq!(all.consumers[&id("other")].presence, Presence::Added);
}

/// Two changes, each with an effect of its own: taking one back takes its effect back.
#[test]
fn effects_are_traced_to_the_change_that_brings_them() {
    let design = running(&[("elements/orders/proposed/retention_time", "\"1d\""), ("links/l1/proposed/acks", "\"1\"")]);
    let (as_is, _) = both(&design);
    let (all, board) = (changes(&design), of(&design, "board"));
    let at = |words: &str| all.iter().position(|change| change.words(&design).starts_with(words)).unwrap();
    let (retention, acks) = (at("retention time"), at("acks"));
    let trace = Trace::by_taking_back(&design, &all, &as_is, &id("board"), &board);
    assert_eq!(trace.0.len(), board.entries.len());
    for (entry, from) in board.entries.iter().zip(&trace.0) {
        match &entry.what {
            What::Replay(..) | What::Halt(..) => assert_eq!(*from, [retention], "{entry:?}"),
            What::Fewest => assert_eq!(*from, [acks], "{entry:?}"),
            _ => {}
        }
    }
}
