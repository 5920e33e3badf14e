//! Checkout revenue: what the board and the monthly close observe, as it is and as it shall be.

use pipeline_desk::{
    analysis::{
        Report, analyse,
        delivery::verdict::{CopyClass, DeliveryVerdict, Fewest, HopPart, Label, LossKind, Transient, ValueEffect},
    },
    codec,
    model::{Id, View},
};

fn report(view: View) -> Report {
    let document = include_str!("../../src/catalog/examples/checkout_revenue.json");
    analyse(&codec::decode(document).unwrap(), view)
}

fn verdict<'r>(report: &'r Report, consumer: &str) -> &'r DeliveryVerdict {
    &report.consumers[&Id::new(consumer).unwrap()].delivery
}

fn badge(report: &Report, link: &str) -> String {
    report.links[&Id::new(link).unwrap()].badge.text()
}

/// The reader does not wait for the commit, and its table takes the retry over the rolled-back row: what shows for a
/// while and what stands in the end are told apart.
#[test]
fn as_it_shall_be_results_of_aborted_transactions_show_for_a_while() {
    let report = report(View::ToBe);
    let board = verdict(&report, "board");
    assert_eq!(board.badge.text(), "1*..1*");
    assert_eq!(board.label, Label::SuppressedWithin);
    assert!(
        board.sentence.starts_with("At least once, and results of aborted transactions show"),
        "{}",
        board.sentence
    );
    assert!(board.transient.contains(&Transient::UncommittedVisible));
    assert_eq!(board.duplicates, []);
    assert_eq!(board.value, ValueEffect::Exact);
    assert_eq!(badge(&report, "l8"), "1*..n", "before the table, rolled-back results are records like any other");
    assert_eq!(badge(&report, "l9"), "1*..1*");
}

/// 600 − 60 − 3 = 537 s, and a restart of 180 s is inside. The slot has no bound: it is the weakest for loss.
#[test]
fn as_it_shall_be_losses_stand_outside_of_conditions() {
    let report = report(View::ToBe);
    let board = verdict(&report, "board");
    let Fewest::OneWhile(_, conditions) = &board.badge.fewest else { panic!("{:?}", board.badge) };
    let bound = |text: &str| conditions.iter().find(|condition| condition.text.contains(text)).unwrap();
    let timeout = bound("revenue is down less than 537 s");
    assert_eq!(timeout.bound.as_ref().unwrap().value, 537.0);
    assert_eq!(timeout.inside, Some(true));
    let outages = conditions.iter().filter(|condition| condition.text.contains("revenue is down"));
    assert_eq!(outages.count(), 1, "retention of orders and the timeout bound one outage: the smaller is said");
    // Nobody read how far it is behind, nor how often it commits.
    assert_eq!(bound("rev-jdbc is behind by less than 14 d").inside, None);
    let weakest = &board.weakest;
    assert_eq!(weakest.loss.as_ref().unwrap().at.as_str(), "l1");
    assert!(weakest.loss_conditional);
    let lossy: Vec<(&str, HopPart)> =
        board.lossy_hops.iter().map(|loss| (loss.hop.at.as_str(), loss.hop.part)).collect();
    assert!(lossy.contains(&("l7", HopPart::TransactionTimeout)));
    // 30 s of the watermark and 10 min that are allowed; 7 min is the most of 999 in 1 000, and nobody says of the rest.
    assert_eq!(bound("every event is at most 10 min 30 s late").inside, None);
    let late = board.lossy_hops.iter().find(|loss| loss.hop.part == HopPart::LateEvents).unwrap();
    assert_eq!(late.cause, "events later than 10 min 30 s go to orders_late and are missing here");
}

/// 1 % of the orders come more than 45 s behind, and windows close after 30 s.
#[test]
fn as_it_is_late_orders_are_lost() {
    let report = report(View::AsIs);
    let board = verdict(&report, "board");
    assert_eq!(board.badge.text(), "0..1*");
    assert_eq!(board.label, Label::AtMostOnce);
    let worst = &board.lossy_hops[0];
    assert_eq!((worst.hop.at.as_str(), worst.hop.part), ("sum", HopPart::LateEvents));
    assert_eq!(worst.kind, LossKind::Possible);
    assert!(worst.cause.contains("later than 30 s"), "{}", worst.cause);
    assert_eq!(board.value, ValueEffect::Under);
    assert_eq!(board.weakest.duplicate_origin.as_ref().unwrap().at.as_str(), "l1");
    assert!(board.weakest.duplicate_conditional);
}

#[test]
fn repeats_of_the_capture_are_suppressed_for_a_day() {
    let report = report(View::ToBe);
    assert_eq!(["l1", "l2", "l3", "l4"].map(|link| badge(&report, link)), ["1*..n", "1*..n", "1*..n", "1*..1*"]);
    let dedup = verdict(&report, "board").hops.iter().find(|row| row.at.as_str() == "dedup").unwrap();
    assert!(dedup.mechanism().contains("one per outbox_id within 24 h"), "{}", dedup.mechanism());
    assert!(dedup.removed.contains(&CopyClass::SourceResend));
}

#[test]
fn nothing_is_claimed_about_the_monthly_close() {
    for view in [View::AsIs, View::ToBe] {
        let report = report(view);
        let close = verdict(&report, "close");
        assert_eq!((close.label, close.badge.text().as_str()), (Label::NoClaim, "?..?"));
        assert_eq!(close.sentence, "No claim. orders_full not read.");
        assert_eq!(close.basis, None);
    }
}
