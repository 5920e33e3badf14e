//! The laws where ways meet: two writers of one log, a bridge into another cluster, failures that come back, a second
//! consumer.

use crate::laws::{
    BOUNDS, EXCEPTIONS, badge, configuration, document, facts, improvements, job, jobs, rank, renamed, reversed,
    sources, with_retry_and_call, worsenings,
};
use crate::path::{From, Job};
use crate::renaming::decided;
use pipeline_desk::{
    analysis::analyse,
    codec,
    model::{Id, View},
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is put beside a straight path.
#[derive(Clone, Debug)]
struct Beside {
    other: From,
    others: Vec<Job>,
    writers: bool,
    bridge: bool,
    comes_back: bool,
}

fn beside() -> impl Strategy<Value = Beside> {
    let others = prop::collection::vec(job(false), 0..2);
    (sources(), others, any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(other, others, writers, bridge, comes_back)| Beside { other, others, writers, bridge, comes_back })
}

/// Another source, with jobs of its own, appends to the first log of the path, or feeds a step of its first job.
fn meet(document: &mut Value, beside: &Beside) {
    let other = renamed(&self::document(beside.other, &beside.others), |id| format!("z_{id}"));
    let last = format!("z_t{}", beside.others.len() + 1);
    for section in ["elements", "links"] {
        let theirs = other[section].as_object().unwrap().clone();
        document[section].as_object_mut().unwrap().extend(theirs);
    }
    document["elements"].as_object_mut().unwrap().remove("z_reader");
    let links = document["links"].as_object_mut().unwrap();
    links.retain(|_, link| link["to"] != "z_reader");
    if beside.writers {
        for link in links.values_mut().filter(|link| link["to"] == last.as_str()) {
            link["to"] = json!("t1");
        }
        document["elements"].as_object_mut().unwrap().remove(&last);
    } else {
        let read = links.values().find(|link| link["to"] == "n1_0").unwrap()["observed"].clone();
        links.insert("z_in".into(), json!({ "from": last, "to": "n1_0", "observed": read }));
    }
}

/// A copy of the first log in another cluster is what the first job reads.
fn bridge(document: &mut Value) {
    document["clusters"] = json!({ "far": {} });
    let mut copy = document["elements"]["t1"].clone();
    copy["cluster"] = json!("far");
    let elements = document["elements"].as_object_mut().unwrap();
    elements.insert("t1_far".into(), copy);
    let guarantee = json!({ "e1": { "processing_guarantee": "at_least_once", "client": "java" } });
    let job = json!({ "kind": "job", "system": "mirror_maker", "lifecycle": "existing", "observed": guarantee });
    elements.insert("mirror".into(), job);
    let step = json!({ "kind": "operator", "job": "mirror", "step": "copy", "lifecycle": "existing" });
    elements.insert("copy".into(), step);
    let links = document["links"].as_object_mut().unwrap();
    for link in links.values_mut().filter(|link| link["from"] == "t1") {
        link["from"] = json!("t1_far");
    }
    let read = json!({ "e1": { "isolation": "read_committed" } });
    links.insert("b_read".into(), json!({ "from": "t1", "to": "copy", "observed": read }));
    let sent = json!({ "e1": { "key": ["@record_key"], "acks": "all", "idempotence": true, "max_in_flight": 5 } });
    links.insert("b_sent".into(), json!({ "from": "copy", "to": "t1_far", "observed": sent }));
}

fn build(from: From, jobs: &[Job], beside: &Beside) -> Value {
    let mut document = document(from, jobs);
    meet(&mut document, beside);
    if beside.bridge {
        bridge(&mut document);
    }
    if beside.comes_back { with_retry_and_call(&document, jobs.len()) } else { document }
}

fn no_better(before: (u8, u8), after: (u8, u8)) -> bool {
    after.0 <= before.0 && after.1 <= before.1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_meets_a_path_never_improves_it(from in sources(), jobs in jobs(), beside in beside()) {
        let straight = document(from, &jobs);
        let mut met = straight.clone();
        meet(&mut met, &beside);
        prop_assert!(no_better(badge(&straight), badge(&met)), "{:?} → {:?}", badge(&straight), badge(&met));
        let mut copied = straight.clone();
        bridge(&mut copied);
        prop_assert!(no_better(badge(&straight), badge(&copied)), "{:?} → {:?}", badge(&straight), badge(&copied));
    }

    #[test]
    fn a_worse_hop_or_a_dropped_fact_never_improves_a_badge(
        from in sources(), jobs in jobs(), beside in beside(), begin in 0usize..4,
    ) {
        let document = build(from, &jobs, &beside);
        let before = badge(&document);
        for changed in worsenings(&document) {
            prop_assert!(no_better(before, badge(&changed)), "{before:?} → {:?}: {changed}", badge(&changed));
        }
        let design = codec::decode(&document.to_string()).unwrap();
        // Each design tries every fourth fact.
        for (section, id, field) in facts(&document).into_iter().skip(begin).step_by(4) {
            let bound = BOUNDS.contains(&field.as_str()) || EXCEPTIONS.contains(&field.as_str());
            if bound || !configuration(&design, &id, &field) {
                continue;
            }
            let mut changed = document.clone();
            changed[section][&id]["observed"]["e1"].as_object_mut().unwrap().remove(&field);
            let after = badge(&changed);
            prop_assert!(no_better(before, after), "without {id}.{field}: {before:?} → {after:?}: {document}");
        }
    }

    #[test]
    fn an_ideal_hop_never_worsens_a_badge(from in sources(), jobs in jobs(), beside in beside()) {
        let document = build(from, &jobs, &beside);
        let before = badge(&document);
        for changed in improvements(&document) {
            prop_assert!(no_better(badge(&changed), before), "{before:?} → {:?}: {changed}", badge(&changed));
        }
    }

    #[test]
    fn ids_and_the_order_of_the_file_say_nothing(from in sources(), jobs in jobs(), beside in beside(), salt in 0u32..1000) {
        let document = build(from, &jobs, &beside);
        let one = codec::decode(&document.to_string()).unwrap();
        let other = codec::decode(&reversed(&document)).unwrap();
        prop_assert_eq!(analyse(&one, View::AsIs), analyse(&other, View::AsIs));
        prop_assert_eq!(decided(&one, View::AsIs, salt), None);
    }

    /// A second consumer of the first log changes nothing for the first one, and loses nothing that the log keeps.
    #[test]
    fn another_consumer_changes_nothing(from in sources(), jobs in jobs(), beside in beside()) {
        let document = build(from, &jobs, &beside);
        let mut more = document.clone();
        more["elements"]["second"] = json!({ "kind": "consumer", "lifecycle": "existing" });
        let read = json!({ "e1": { "isolation": "read_committed" } });
        more["links"]["y"] = json!({ "from": "t1", "to": "second", "observed": read });
        let analysed = |document: &Value| analyse(&codec::decode(&document.to_string()).unwrap(), View::AsIs);
        let (alone, both) = (analysed(&document), analysed(&more));
        let (reader, second) = (Id::new("reader").unwrap(), Id::new("second").unwrap());
        prop_assert_eq!(&alone.consumers[&reader].delivery, &both.consumers[&reader].delivery);
        prop_assert_eq!(&alone.consumers[&reader].order, &both.consumers[&reader].order);
        // What is lost before the log is lost to all who stand behind it.
        let (first, other) = (rank(&both.consumers[&reader].delivery.badge), rank(&both.consumers[&second].delivery.badge));
        prop_assert!(first.0 <= other.0, "{first:?} {other:?}: {more}");
    }
}
