//! Ten thousand elements through everything: more than a document may hold, so built in memory.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests say what must hold by panicking")]

#[path = "../benches/common/mod.rs"]
#[allow(dead_code, reason = "shared with the benchmarks, which use other parts")]
mod common;

use pipeline_desk::{
    analysis::{Report, delivery::verdict},
    codec,
    edit::{Edit, Label},
    model::{Id, Section, Shape, View},
    rules::{Review, review},
    sorted::SortedMap,
};

/// What a reader is told, without names.
fn told(review: &Review, reader: &str) -> String {
    let consumer = &review.consumers[&Id::new(reader).unwrap()];
    let delivery = &consumer.delivery;
    let copies: Vec<&str> = delivery.duplicates.iter().map(|copies| copies.class.id()).collect();
    let losses: Vec<String> = delivery.lossy_hops.iter().map(|loss| format!("{:?}", loss.hop.part)).collect();
    let order = &consumer.order;
    let broken: Vec<&str> = order.inputs.iter().flat_map(|input| &input.breakers).map(|breaker| breaker.id()).collect();
    format!(
        "{:?} {} {:?} {:?} {copies:?} {losses:?} {:?} {broken:?} asks {}",
        delivery.label,
        delivery.badge.text(),
        delivery.value,
        delivery.transient,
        order.kind(),
        delivery.unknown.len()
    )
}

fn by_rule(review: &Review) -> SortedMap<&'static str, usize> {
    let mut found = SortedMap::new();
    for finding in &review.findings {
        *found.entry(finding.rule).or_insert(0) += 1;
    }
    found
}

/// Five kinds of pipelines, a hundred of each, of which only neighbours feed each other: what is said of a pipeline is what
/// is said of it among five, and what is found is found a hundred times.
#[test]
fn ten_thousand_elements_say_of_each_pipeline_what_five_pipelines_say() {
    let (few, many) = (common::design(100), common::design(10_000));
    assert_eq!((few.elements.len(), many.elements.len()), (100, 10_000));
    let (few, many) = (review(&few, View::AsIs), review(&many, View::AsIs));
    assert_eq!((few.consumers.len(), many.consumers.len()), (14, 1_400));
    for number in 0..500 {
        for reader in ["board", "report"] {
            let (large, small) = (format!("{reader}_{number}"), format!("{reader}_{}", number % 5));
            assert_eq!(told(&many, &large), told(&few, &small), "{large}");
        }
    }
    let hundred: SortedMap<&str, usize> = by_rule(&few).into_iter().map(|(rule, found)| (rule, 100 * found)).collect();
    assert!(!hundred.is_empty());
    assert_eq!(by_rule(&many), hundred);
    let parts = |review: &Review| {
        let Report { links, channels, operators, jobs, sinks, reads, .. } = &review.report;
        [links.len(), channels.len(), operators.len(), jobs.len(), sinks.len(), reads.len()]
    };
    assert_eq!(parts(&many), parts(&few).map(|count| 100 * count));
    for number in 0..500 {
        for log in ["raw", "mid", "out"] {
            let reach = |review: &Review, number| {
                let channel = &review.channels[&Id::new(&format!("{log}_{number}")).unwrap()];
                channel.reach.as_ref().ok().map(|reach| reach.value)
            };
            assert_eq!(reach(&many, number), reach(&few, number % 5), "{log}_{number}");
            assert!(reach(&many, number).is_some(), "{log}_{number}");
        }
    }
}

/// As many elements as a document may hold, with all that real readings give: it opens, can be edited, and opens again. One
/// more is refused.
#[test]
fn two_thousand_elements_open_and_can_be_edited() {
    let mut design = codec::decode(&codec::encode(&common::design(2_000))).unwrap();
    assert_eq!(design.elements.len(), 2_000);
    let named = |id: &str| Edit::Label { subject: Id::new(id).unwrap(), label: Label::Name, to: Some("Board".into()) };
    design.apply(named("board_7")).unwrap();
    assert_eq!(codec::decode(&codec::encode(&design)).unwrap(), design);
    let one = design.elements.values().next().unwrap().clone();
    let more = Edit::Subject { section: Section::Elements, id: Id::new("one_more").unwrap(), to: Some(Box::new(one)) };
    assert!(design.apply(more).unwrap_err().reason.contains("at most 2000"));
}

/// Ten thousand with each pipeline read by the next one, and the last one by the first: one cycle of all of them, which begins
/// at every source.
#[test]
fn ten_thousand_elements_in_one_cycle_claim_nothing() {
    let mut ring = common::design(10_000);
    let id = |text: String| Id::new(&text).unwrap();
    let leads = |shape: &Shape, from: &str, to: &str| matches!(shape, Shape::Link(link) if link.from.as_str() == from && link.to.as_str() == to);
    let reads = ring.links.values().find(|subject| leads(&subject.shape, "raw_0", "first_once_0")).unwrap().clone();
    for number in 0..500 {
        let mut read = reads.clone();
        let Shape::Link(link) = &mut read.shape else { panic!() };
        (link.from, link.to) = (id(format!("out_{number}")), id(format!("first_once_{}", (number + 1) % 500)));
        ring.links.insert(id(format!("ring_{number}")), read);
    }
    let review = review(&ring, View::AsIs);
    assert_eq!(review.consumers.len(), 1_400);
    assert!(review.consumers.values().all(|reader| reader.delivery.label == verdict::Label::NoClaim));
}
