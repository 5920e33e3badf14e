//! Laws of the order of any path.

use crate::chain::{Job, STEPS, Step, design, order, path, report, says, set};
use pipeline_desk::{
    analysis::{
        delivery::Deliveries,
        graph::Graph,
        order::{OrderKind, judge},
    },
    model::{Columns, Design, Element, Id, Shape, Subject, View},
    rules::review,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const COLUMNS: [&str; 3] = ["customer", "order", "device"];

fn job() -> impl Strategy<Value = Job> {
    let column = || prop::sample::select(&COLUMNS[..]);
    (prop::sample::select(&STEPS[..]), column(), column()).prop_map(|(step, by, writes)| Job { step, by, writes })
}

fn any_path() -> impl Strategy<Value = Value> {
    (prop::sample::select(&COLUMNS[..]), prop::collection::vec(job(), 0..4), any::<bool>())
        .prop_map(|(first, jobs, table)| path(first, &jobs, table && !jobs.is_empty()))
}

/// Every subset of the columns.
fn needs() -> impl Iterator<Item = Columns> {
    (0..8u8).map(|bits| {
        let chosen = COLUMNS.iter().enumerate().filter(|(n, _)| bits & (1 << n) != 0);
        Columns(chosen.map(|(_, name)| (*name).into()).collect())
    })
}

/// How strong a claim is, and which needs it meets.
fn strength(document: &Value) -> (u8, Vec<bool>) {
    let verdict = order(document);
    let kind = verdict.kind().unwrap_or(OrderKind::Nothing);
    let known = verdict.inputs.iter().all(|input| input.missing.is_empty());
    let met = needs().map(|needed| known && verdict.ends_for(&needed).next().is_none());
    (kind.strength(), met.collect())
}

/// No stronger, and no need is met that was not.
fn no_better(before: &(u8, Vec<bool>), after: &(u8, Vec<bool>)) -> bool {
    after.0 <= before.0 && before.1.iter().zip(&after.1).all(|(before, after)| *before || !after)
}

fn facts(document: &Value) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for section in ["elements", "links"] {
        for (id, subject) in document[section].as_object().unwrap() {
            let observed = subject["observed"]["e1"].as_object().into_iter().flatten();
            facts.extend(observed.map(|(field, _)| (id.clone(), field.clone())));
        }
    }
    facts
}

/// One fact made worse, wherever it stands.
fn worsenings(document: &Value) -> Vec<(String, Value)> {
    let worse: [(&str, Value, Value); 9] = [
        ("idempotence", json!(true), json!(false)),
        ("acks", json!("all"), json!("1")),
        ("instances", json!(1), json!(3)),
        ("partitioner", json!("murmur2"), json!("round_robin")),
        ("partitioner", json!("murmur2"), json!("custom")),
        ("processing", json!("sequential"), json!("threads")),
        ("distribution", json!("forward"), json!("rebalance")),
        ("order_kept", json!("yes"), json!("no")),
        ("version_guard", json!(["version"]), json!([])),
    ];
    let mut documents = Vec::new();
    for (id, field) in facts(document) {
        let section = if document["elements"].get(&id).is_some() { "elements" } else { "links" };
        let value = &document[section][&id]["observed"]["e1"][&field];
        for (name, good, bad) in &worse {
            if *name == field && value == good {
                let mut changed = document.clone();
                set(&mut changed, &id, &field, bad.clone());
                documents.push((format!("{id}.{field} = {bad}"), changed));
            }
        }
        if field == "key" && section == "links" {
            let mut changed = document.clone();
            if changed["links"][&id]["observed"]["e1"].get("partitioner").is_some() {
                set(&mut changed, &id, &field, json!([]));
                documents.push((format!("{id}.key = []"), changed));
            }
        }
    }
    documents
}

/// A document with its ids changed; names keep the old ones.
fn renamed(document: &Value, new: impl Fn(&str) -> String) -> Value {
    let mut changed = document.clone();
    for section in ["elements", "links"] {
        let entries = document[section].as_object().unwrap().iter().map(|(id, subject)| {
            let mut subject = subject.clone();
            for field in ["from", "to", "job"] {
                if let Some(id) = subject[field].as_str().map(&new) {
                    subject[field] = json!(id);
                }
            }
            (new(id), subject)
        });
        changed[section] = Value::Object(entries.collect());
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn making_a_hop_worse_never_improves_the_order(document in any_path(), second in any::<prop::sample::Index>()) {
        let before = strength(&document);
        let worse = worsenings(&document);
        for (what, changed) in &worse {
            let after = strength(changed);
            prop_assert!(no_better(&before, &after), "{what}: {before:?} → {after:?}");
        }
        // Also where something is wrong or not known already.
        let (first, wrong) = second.get(&worse);
        let before = strength(wrong);
        for (what, changed) in worsenings(wrong) {
            let after = strength(&changed);
            prop_assert!(no_better(&before, &after), "{first}, {what}: {before:?} → {after:?}");
        }
    }

    #[test]
    fn dropping_a_fact_never_strengthens_the_order(
        document in any_path(), guard in any::<bool>(), wrong in any::<prop::sample::Index>(),
    ) {
        let mut document = document;
        if guard && document["elements"].get("table").is_some() {
            let last = format!("l{}", document["links"].as_object().unwrap().len() - 1);
            set(&mut document, &last, "version_guard", json!(["version"]));
        }
        // Also where something is wrong already.
        let worse = wrong.get(&worsenings(&document)).clone();
        for (what, document) in [("as it is".to_owned(), document), worse] {
            let before = strength(&document);
            for (id, field) in facts(&document) {
                let mut changed = document.clone();
                set(&mut changed, &id, &field, Value::Null);
                let after = strength(&changed);
                prop_assert!(no_better(&before, &after), "{what}, without {id}.{field}: {before:?} → {after:?}");
            }
        }
    }

    #[test]
    fn what_is_not_on_the_way_says_nothing(document in any_path(), other in any_path()) {
        let beside = renamed(&other, |id| format!("z_{id}"));
        let mut both = document.clone();
        for section in ["elements", "links"] {
            both[section].as_object_mut().unwrap().extend(beside[section].as_object().unwrap().clone());
        }
        prop_assert_eq!(order(&document), order(&both));
    }

    #[test]
    fn ids_say_nothing(document in any_path(), salt in 0u32..1000) {
        let scrambled = |id: &str| {
            let hash = id.bytes().fold(salt, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
            format!("{}{}{id}", char::from(b'a' + u8::try_from(hash % 26).unwrap()), hash % 97)
        };
        let moved = renamed(&document, scrambled);
        let reader = Id::new(&scrambled("reader")).unwrap();
        let (one, other) = (order(&document), report(&moved).consumers[&reader].order.clone());
        prop_assert_eq!(one.kind(), other.kind());
        let places = |verdict: &pipeline_desk::analysis::order::OrderVerdict, new: &dyn Fn(&str) -> String| {
            let mut all: Vec<_> = verdict.inputs.iter().flat_map(|input| &input.breakers)
                .map(|breaker| (new(breaker.at.as_str()), breaker.id(), breaker.past)).collect();
            all.sort();
            all
        };
        prop_assert_eq!(places(&one, &scrambled), places(&other, &str::to_owned));
        prop_assert_eq!(one.inputs[0].missing.len(), other.inputs[0].missing.len());
    }

    /// Nothing is called ordered that names no key, log or writer, and nothing that is not known is.
    #[test]
    fn every_claim_says_of_what(document in any_path()) {
        let verdict = order(&document);
        for input in verdict.inputs.iter().filter(|input| input.kind.strength() > 0) {
            prop_assert!(input.missing.is_empty() && input.holder.is_some() && input.writer.is_some());
        }
        let said = says(&document);
        prop_assert!(!said.contains("ordered") && !said.contains("guarantee"), "{said}");
    }
}

/// Every link back, and ten thousand elements in one chain: the walk ends, and says what comes round.
#[test]
fn cycles_and_long_chains_end() {
    let plain = Job { step: crate::chain::Step::Forward, by: "customer", writes: "customer" };
    let mut document = path("customer", &[plain, plain, plain], false);
    for (number, (from, to)) in [("o1", "t1"), ("o2", "t1"), ("o3", "t2"), ("p3", "t3")].iter().enumerate() {
        document["links"][format!("back{number}")] = json!({ "from": from, "to": to });
    }
    let verdict = order(&document);
    assert!(verdict.inputs[0].breakers.iter().any(|breaker| breaker.id() == "ORD-7"));
    let design = long(2500);
    assert!(design.elements.len() > 10_000);
    let orders = judge(&Graph::new(&design, View::AsIs), &Deliveries::default());
    assert_eq!(orders[&Id::new("reader").unwrap()].kind(), Some(OrderKind::PerKey));
    // All of it: what one more job repeats, each of them repeats, and nothing else changes with the length.
    let read = |jobs: usize| {
        let review = review(&long(jobs), View::AsIs);
        let reader = &review.consumers[&Id::new("reader").unwrap()];
        let delivery = &reader.delivery;
        (reader.order.kind(), delivery.label, delivery.badge.text(), delivery.duplicates.len(), review.findings.len())
    };
    let (three, four, all) = (read(3), read(4), read(2_500));
    assert!(four.3 > three.3);
    let long = |short: usize, longer: usize| short + 2_497 * (longer - short);
    assert_eq!(all, (three.0, three.1, three.2, long(three.3, four.3), long(three.4, four.4)));
}

/// A chain of so many jobs: more than a document may hold, so made of copies of the second one.
fn long(jobs: usize) -> Design {
    let job = Job { step: Step::Forward, by: "customer", writes: "customer" };
    let mut design = design(&path("customer", &[job, job], false));
    let id = |text: String| Id::new(&text).unwrap();
    let copies = design.clone();
    let links: Vec<Subject> = ["l5", "l6", "l7"].map(|link| copies.links[&id(link.to_owned())].clone()).into();
    for number in 3..=jobs {
        let renamed = |old: &Id| match old.as_str() {
            "t2" => id(format!("t{number}")),
            "t3" => id(format!("t{}", number + 1)),
            other => id(format!("{}{number}", &other[..1])),
        };
        for old in ["t3", "j2", "o2", "p2"].map(|text| id(text.to_owned())) {
            let mut subject = copies.elements[&old].clone();
            if let Shape::Element(Element::Operator { job, .. }) = &mut subject.shape {
                *job = renamed(job);
            }
            design.elements.insert(renamed(&old), subject);
        }
        for (part, subject) in links.iter().enumerate() {
            let mut subject = subject.clone();
            let Shape::Link(link) = &mut subject.shape else { panic!() };
            (link.from, link.to) = (renamed(&link.from), renamed(&link.to));
            design.links.insert(id(format!("m{number}_{part}")), subject);
        }
    }
    let reads = design.links.values_mut().find_map(|subject| match &mut subject.shape {
        Shape::Link(link) if link.to.as_str() == "reader" => Some(link),
        _ => None,
    });
    reads.unwrap().from = id(format!("t{}", jobs + 1));
    design
}
