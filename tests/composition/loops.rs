//! Cycles of plain channels: what is said of a reader follows from what is drawn, not from how it is called.

use crate::small::{produced, read, sent, topic};
use pipeline_desk::{
    analysis::{
        Report, analyse,
        delivery::verdict::Label,
        graph::{Cut, Graph},
    },
    codec,
    model::{Design, Id, View},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Channels by number with a reader each; sources that write into one, and jobs that read one and write into another.
#[derive(Clone, Debug)]
struct Drawn {
    channels: usize,
    sources: Vec<usize>,
    jobs: Vec<Moves>,
}

/// A job from a channel into another, that loses what is not confirmed or does not.
#[derive(Clone, Copy, Debug)]
struct Moves {
    from: usize,
    to: usize,
    loses: bool,
    exact: bool,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    (2usize..6).prop_flat_map(|channels| {
        let job = (0..channels, 0..channels, any::<bool>(), any::<bool>())
            .prop_filter("into another", |(from, to, ..)| from != to)
            .prop_map(|(from, to, loses, exact)| Moves { from, to, loses, exact });
        (prop::collection::vec(0..channels, 1..3), prop::collection::vec(job, 1..9))
            .prop_map(move |(sources, jobs)| Drawn { channels, sources, jobs })
    })
}

/// What is drawn as a design, each element and link called by `name`.
fn design(drawn: &Drawn, name: &dyn Fn(&str) -> String) -> Design {
    let (mut elements, mut links) = (Map::new(), Map::new());
    let mut link = |of: &str, from: &str, to: &str, made: fn(&str, &str) -> Value| {
        let id = name(of);
        links.insert(id.clone(), made(&name(from), &name(to)));
        id
    };
    let mut unconfirmed = Vec::new();
    for (n, to) in drawn.sources.iter().enumerate() {
        elements.insert(name(&format!("s{n}")), json!({ "kind": "source", "system": "application", "event": "event" }));
        link(&format!("ls{n}"), &format!("s{n}"), &format!("t{to}"), sent);
    }
    for n in 0..drawn.channels {
        elements.insert(name(&format!("t{n}")), topic());
        elements.insert(name(&format!("u{n}")), json!({ "kind": "consumer" }));
        link(&format!("lu{n}"), &format!("t{n}"), &format!("u{n}"), read);
    }
    for (n, job) in drawn.jobs.iter().enumerate() {
        let guarantee = if job.exact { "exactly_once" } else { "at_least_once" };
        let runs = json!({ "kind": "job", "system": "flink", "proposed": {
            "processing_guarantee": guarantee, "checkpoint_interval": "60s", "longest_outage": "60s" } });
        elements.insert(name(&format!("j{n}")), runs);
        let step = json!({ "kind": "operator", "job": name(&format!("j{n}")), "step": "map" });
        elements.insert(name(&format!("o{n}")), step);
        link(&format!("lr{n}"), &format!("t{}", job.from), &format!("o{n}"), read);
        let id = link(&format!("lw{n}"), &format!("o{n}"), &format!("t{}", job.to), produced);
        if job.loses {
            unconfirmed.push(id);
        }
    }
    for id in unconfirmed {
        links[&id]["proposed"]["acks"] = json!("1");
    }
    let document = json!({
        "format": "streaming-pipeline", "version": 2, "elements": elements, "links": links,
        "events": { "event": { "proposed": { "key": ["entity"], "event_id": ["id"] } } }
    });
    codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}\n{document}"))
}

fn report(drawn: &Drawn, name: &dyn Fn(&str) -> String) -> Report {
    analyse(&design(drawn, name), View::ToBe)
}

/// Jobs between these channels, and sources into those.
fn moved(sources: &[usize], jobs: &[(usize, usize)]) -> Drawn {
    let channels = jobs.iter().map(|(from, to)| 1 + from.max(to)).max().unwrap_or_default();
    let jobs = jobs.iter().map(|(from, to)| Moves { from: *from, to: *to, loses: false, exact: false });
    Drawn { channels, sources: sources.to_vec(), jobs: jobs.collect() }
}

/// The writes that are left out of the order, by the number of their job.
fn cut(drawn: &Drawn) -> Vec<String> {
    let design = design(drawn, &str::to_owned);
    let graph = Graph::new(&design, View::ToBe);
    let cut = graph.edges.iter().filter(|edge| edge.cut == Cut::Loop);
    cut.map(|edge| edge.id.to_string()).collect()
}

/// Of a cycle the link is left out that leads back to where it is entered, whatever stands inside it.
#[test]
fn a_cycle_is_cut_where_it_is_entered() {
    assert_eq!(cut(&moved(&[0], &[(0, 1), (1, 0)])), ["lw1"]);
    assert_eq!(cut(&moved(&[1], &[(0, 1), (1, 0)])), ["lw0"]);
    // A shorter way inside is no way back.
    assert_eq!(cut(&moved(&[0], &[(0, 1), (1, 2), (2, 0), (0, 2)])), ["lw2"]);
    // One cycle in another: 1 and 2 feed each other inside of 0, 1, 2.
    assert_eq!(cut(&moved(&[0], &[(0, 1), (1, 2), (2, 0), (2, 1)])), ["lw2", "lw3"]);
    // Entered twice, once nearer to a source.
    assert_eq!(cut(&moved(&[0, 3], &[(0, 1), (1, 0), (3, 1)])), ["lw1"]);
    assert!(cut(&moved(&[0], &[(0, 1), (0, 2), (1, 3), (2, 3)])).is_empty());
}

/// Two logs that are copied into each other, each with a source: neither is where the cycle begins, so nothing is claimed
/// of either, while what stands before is claimed.
#[test]
fn nothing_is_claimed_of_a_cycle_that_begins_nowhere() {
    let both = moved(&[0, 1, 2], &[(0, 1), (1, 0), (2, 1)]);
    assert_eq!(cut(&both), ["lw0", "lw1"]);
    let report = report(&both, &str::to_owned);
    let label = |n: usize| report.consumers[&Id::new(&format!("u{n}")).unwrap()].delivery.label;
    assert_eq!([label(0), label(1), label(2)], [Label::NoClaim, Label::NoClaim, Label::ExactlyOnceScoped]);
    let said = &report.consumers[&Id::new("u0").unwrap()].delivery.sentence;
    assert_eq!(said, "No claim. What reaches u0 can come round a cycle that is entered at several places.");
    // Without a source nothing is claimed either.
    let nowhere = moved(&[], &[(0, 1), (1, 0)]);
    let verdicts = verdicts(&nowhere, &str::to_owned, &str::to_owned);
    assert!(verdicts.iter().flatten().any(|line| line.starts_with("NoClaim ?..?")), "{verdicts:?}");
}

/// 150 cycles, each inside the one before, are more than are followed: every one is cut, and nothing is claimed of the innermost.
#[test]
fn cycles_in_cycles_end() {
    let there = (0..150).map(|n| (n, n + 1));
    let jobs: Vec<(usize, usize)> = there.clone().chain(there.map(|(from, to)| (to, from))).collect();
    let cut = cut(&moved(&[0], &jobs));
    let mut back: Vec<String> = (150..300).map(|n| format!("lw{n}")).collect();
    back.sort();
    assert_eq!(cut, back);
    let report = report(&moved(&[0], &jobs), &str::to_owned);
    let label = |n: usize| report.consumers[&Id::new(&format!("u{n}")).unwrap()].delivery.label;
    assert_ne!(label(63), Label::NoClaim);
    assert_eq!([label(64), label(65), label(149)], [Label::NoClaim; 3], "deeper than what is followed");
}

/// What each reader is told, in a few words without their order.
fn verdicts(drawn: &Drawn, name: &dyn Fn(&str) -> String, old: &dyn Fn(&str) -> String) -> Vec<Vec<String>> {
    let report = report(drawn, name);
    let reader = |n: usize| {
        let consumer = &report.consumers[&Id::new(&name(&format!("u{n}"))).unwrap()];
        let delivery = &consumer.delivery;
        let mut told = vec![
            format!("{:?} {} {:?}", delivery.label, delivery.badge.text(), delivery.value),
            format!("{:?}", consumer.order.kind()),
        ];
        told.extend(
            delivery.lossy_hops.iter().map(|loss| format!("loses {} {}", old(loss.hop.at.as_str()), loss.cause)),
        );
        let copies = delivery.duplicates.iter();
        told.extend(copies.map(|copies| format!("{} {}", copies.class.id(), old(copies.origin.at.as_str()))));
        let broken = consumer.order.inputs.iter().flat_map(|input| &input.breakers);
        told.extend(broken.map(|breaker| format!("{} {}", breaker.id(), old(breaker.at.as_str()))));
        told.sort();
        told.dedup();
        told
    };
    (0..drawn.channels).map(reader).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_say_nothing_where_channels_feed_each_other(drawn in drawn(), salt in 1u32..500) {
        let plain = |id: &str| id.to_owned();
        let mixed = |id: &str| {
            let hash = id.bytes().fold(salt, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
            format!("{}_{id}", char::from(b'a' + u8::try_from(hash % 26).unwrap()))
        };
        let back = |id: &str| id[2..].to_owned();
        prop_assert_eq!(verdicts(&drawn, &plain, &plain), verdicts(&drawn, &mixed, &back));
    }
}
