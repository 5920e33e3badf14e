use super::*;
use crate::{
    catalog::examples,
    edit::{CopiedFacts, Draft},
    model::{Basis, ElementKind},
    rules::{Reviewer, review},
};

fn id(text: &str) -> Id {
    Id::new(text).unwrap()
}

fn checkout() -> Design {
    crate::codec::decode(examples()[0].text).unwrap()
}

fn shown(design: &Design, view: View, both: bool) -> Picture {
    let (now, was) = (review(design, view), review(design, View::AsIs));
    picture(Subjects { design, view, review: &now, was: both.then_some(&was), consumer: None })
}

#[test]
fn cards_of_the_example_say_what_the_pictures_say() {
    let design = checkout();
    let picture = shown(&design, View::ToBe, false);
    let card = |name: &str| &picture.cards[&id(name)];
    let now = review(&design, View::ToBe);
    let labels =
        labels(Subjects { design: &design, view: View::ToBe, review: &now, was: None, consumer: None }, &picture);
    let label = |name: &str| labels[&id(name)].as_str();
    let orders = card("orders");
    assert_eq!((orders.technology.as_str(), orders.name.as_str()), ("topic, 7 d or 50 GiB", "orders"));
    let source = card("checkout_db").number.clone().unwrap();
    assert_eq!((source.text.as_str(), source.tail), ("300 /s", "avg"));
    assert_eq!(source.mark, Some(BasisMark::Known(Basis::Measured)));
    assert_eq!(card("sum").technology, "tumbling, 5 min");
    assert_eq!(card("dedup").technology, "dedup, 24 h");
    assert_eq!(card("revenue").technology, "Flink job, checkpoint 60 s");
    assert_eq!(card("board").technology, "Finance Ops");
    assert_eq!(card("revenue_table").number.clone().unwrap().text, "key enforced");
    assert_eq!(card("fct_revenue").number.clone().unwrap().text, "replace range");
    assert_eq!(card("sum").existence, Existence::Changed);
    assert_eq!(card("orders_late").existence, Existence::Proposed);
    assert!(label("orders").starts_with("Channel orders, 12 partitions, "));
    assert!(label("orders").ends_with(" of 17"), "{}", label("orders"));
    assert!(label("l2").starts_with("Link from capture to orders, "), "{}", label("l2"));
}

#[test]
fn a_topic_that_only_compacts_wears_no_retention() {
    let technology = |policy: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{"customers":{{"kind":"channel","system":"kafka",
            "proposed":{{"cleanup_policy":"{policy}","retention_time":"7d","retention_size":"50GiB"}}}}}}}}"#
        );
        let picture = shown(&crate::codec::decode(&text).unwrap(), View::ToBe, false);
        let card = &picture.cards[&id("customers")];
        (card.technology.clone(), card.number.as_ref().map(|number| number.tail))
    };
    let lag = |policy: &str, lag: &str| {
        let text = format!(
            r#"{{"format":"streaming-pipeline","version":1,"elements":{{"customers":{{"kind":"channel","system":"kafka",
            "proposed":{{"cleanup_policy":"{policy}","min_compaction_lag":"{lag}"}}}}}}}}"#
        );
        let picture = shown(&crate::codec::decode(&text).unwrap(), View::ToBe, false);
        picture.cards[&id("customers")].number.as_ref().map(|number| number.text.clone()).unwrap_or_default()
    };
    assert_eq!(technology("compact"), ("topic, compacted".to_owned(), Some("all versions")));
    assert_eq!(technology("compact_delete"), ("topic, compacted, 7 d or 50 GiB".to_owned(), Some("all versions")));
    // Where nothing but the newest is certain, no time of 0 s stands there.
    assert_eq!(lag("compact", "0s"), "newest of each key");
    assert_eq!(lag("compact", "24h"), "24 h");
    assert_eq!(technology("delete"), ("topic, 7 d or 50 GiB".to_owned(), Some("reach")));
}

#[test]
fn a_caption_says_which_number_in_it_explains_itself() {
    let picture = shown(&checkout(), View::ToBe, false);
    let captions = || picture.wires.values().flat_map(|wire| &wire.captions);
    assert!(captions().any(|caption| caption.bound.is_some()), "some link of the example has a bound");
    for caption in captions() {
        assert!(caption.bound.as_ref().is_none_or(|bound| caption.text.contains(bound.as_str())), "{caption:?}");
    }
}

#[test]
fn links_of_the_example_are_drawn_by_their_kind() {
    let picture = shown(&checkout(), View::ToBe, false);
    let stroke = |name: &str| picture.wires[&id(name)].stroke;
    assert_eq!(
        ["l1", "l5", "l6", "l11", "l13", "l14"].map(stroke),
        [Stroke::Main, Stroke::DeadLetter, Stroke::Late, Stroke::Batch, Stroke::Batch, Stroke::Reconciliation]
    );
    assert_eq!(picture.wires[&id("l14")].result, "not reconciled");
    assert_eq!(picture.wires[&id("l6")].existence, Existence::Proposed);
}

#[test]
fn as_is_hides_what_is_planned_and_both_hides_nothing() {
    let design = checkout();
    let as_is = shown(&design, View::AsIs, false);
    assert!(!as_is.cards.contains_key(&id("orders_late")) && !as_is.wires.contains_key(&id("l6")));
    let both = shown(&design, View::ToBe, true);
    assert!(both.cards.contains_key(&id("orders_late")) && both.wires.contains_key(&id("l6")));
}

/// acks=1 can lose there; what the job behind it is, is not known.
#[test]
fn no_flag_stands_where_nothing_is_claimed() {
    let text = r#"{"format":"streaming-pipeline","version":2,"elements":{"app":{"kind":"source","system":"application"},
        "events":{"kind":"channel","system":"kafka"},"work":{"kind":"job"},"step":{"kind":"operator","job":"work","step":"copy"},
        "table":{"kind":"sink","system":"postgres"},"reader":{"kind":"consumer"}},"links":{"l1":{"from":"app","to":"events","proposed":{"acks":"1"}},
        "l2":{"from":"events","to":"step"},"l3":{"from":"step","to":"table"},"l4":{"from":"table","to":"reader"}}}"#;
    let design = crate::codec::decode(text).unwrap();
    let review = review(&design, View::ToBe);
    let verdict = &review.consumers[&id("reader")].delivery;
    assert!(verdict.sentence.starts_with("No claim.") && verdict.weakest.loss.is_some(), "{verdict:?}");
    assert_eq!(verdict.weakest_claimed(), None);
    assert_eq!(shown(&design, View::ToBe, false).flags, []);
    assert!(!shown(&checkout(), View::ToBe, false).flags.is_empty());
}

#[test]
fn a_sketch_in_which_nothing_exists_is_not_marked_as_proposed() {
    let design = crate::layout::sample::design("source a, channel b", "a b");
    let picture = shown(&design, View::ToBe, false);
    assert!(picture.cards.values().all(|card| card.existence == Existence::There));
    assert!(picture.cards.values().any(|card| card.kind == ElementKind::Channel && !card.ends_here));
}

/// The example twice over, so that it has parts, and what an edit says of one of them.
fn twice() -> Design {
    let one = checkout();
    let mut draft = Draft::without_history(&one);
    draft.insert(&one, (0, 1_000), CopiedFacts::Keep).unwrap();
    draft.design().clone()
}

#[test]
fn what_an_edit_says_nothing_of_is_taken_over() {
    let mut reviewer = Reviewer::default();
    let mut design = Arc::new(twice());
    let mut before: Option<(Picture, Review, Review)> = None;
    let changes: [&dyn Fn(&mut Design); 6] = [
        &|design| design.elements.get_mut(&id("sum")).unwrap().name = Some("total".into()),
        &|design| design.layout.locked.extend([id("orders"), id("board")]),
        &|design| drop(design.links.remove(&id("l7"))),
        &|design| design.elements.get_mut(&id("board")).unwrap().lifecycle = Some(Lifecycle::Retiring),
        &|design| design.elements.values_mut().for_each(|subject| subject.lifecycle = Some(Lifecycle::Planned)),
        &|design| design.clusters.clear(),
    ];
    for change in [&(|_: &mut Design| ()) as &dyn Fn(&mut Design)].iter().chain(&changes) {
        change(Arc::make_mut(&mut design));
        let (now, was) = (reviewer.review(&design, View::ToBe), reviewer.review(&design, View::AsIs));
        let consumer = now.consumers.keys().next();
        let from = Subjects { design: &design, view: View::ToBe, review: &now, was: Some(&was), consumer };
        let kept = before.as_ref().map(|(picture, review, was)| Before { picture, review, was: Some(was) });
        let drawn = picture_after(from, &flow_order(&design), kept);
        assert_eq!(drawn, picture(from));
        before = Some((drawn, now, was));
    }
}

#[test]
fn an_edit_draws_the_cards_of_its_part_anew_and_no_other() {
    let mut reviewer = Reviewer::default();
    let mut design = Arc::new(twice());
    let flow = flow_order(&design);
    let first = reviewer.review(&design, View::ToBe);
    fn subjects<'a>(design: &'a Design, review: &'a Review) -> Subjects<'a> {
        Subjects { design, view: View::ToBe, review, was: None, consumer: None }
    }
    let one = picture_after(subjects(&design, &first), &flow, None);
    Arc::make_mut(&mut design).elements.get_mut(&id("sum")).unwrap().name = Some("total".into());
    let second = reviewer.review(&design, View::ToBe);
    let before = Before { picture: &one, review: &first, was: None };
    let two = picture_after(subjects(&design, &second), &flow, Some(before));
    let anew = two.cards.iter().filter(|(id, card)| !Arc::ptr_eq(card, &one.cards[*id])).count();
    assert_eq!(anew, two.cards.len() / 2, "the other copy stays as it is drawn");
}
