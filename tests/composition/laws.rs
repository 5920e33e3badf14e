//! Laws that every design obeys.

use crate::path::{self, CAPTURE, CLEAN, Engine, From, Job, RESENDING, SHORT, Step, UNMARKED, WEBHOOK, Write};
use pipeline_desk::{
    analysis::{
        Report, analyse,
        delivery::verdict::{Badge, Fewest, Most},
    },
    codec,
    model::{Id, Nature, View},
};
use proptest::prelude::*;
use serde_json::{Value, json};

pub fn sources() -> impl Strategy<Value = From> {
    prop::sample::select(vec![
        CLEAN,
        RESENDING,
        UNMARKED,
        CAPTURE,
        WEBHOOK,
        From::Mqtt,
        From::Application { acks: "1", idempotent: false, after_restart: "resume_position" },
        From::Application { acks: "all", idempotent: false, after_restart: "nothing" },
        From::Webhook { acknowledge: "before_store", resent_within: "1h" },
    ])
}

const STEPS: [&[Step]; 9] = [
    &[Step::Map],
    &[Step::Count],
    &[Step::Deduplicate("1d")],
    &[Step::Deduplicate("unlimited"), Step::Count],
    &[Step::Last],
    &[Step::Max],
    &[Step::RandomId],
    &[Step::MarkedBefore],
    &[Step::Deduplicate("1d"), Step::Max],
];

fn engines() -> Vec<Engine> {
    vec![
        Engine::AfterWork,
        Engine::BeforeWork,
        Engine::AutomaticClosing,
        Engine::Flink("exactly_once"),
        Engine::Flink("at_least_once"),
        Engine::Streams("exactly_once"),
        Engine::Streams("at_least_once"),
        Engine::Spark,
    ]
}

pub fn job(last: bool) -> impl Strategy<Value = Job> {
    let inner = vec![Write::Log, Write::Log, Write::LogTransaction];
    let ends = vec![
        Write::Log,
        Write::LogTransaction,
        Write::Insert,
        Write::UpsertById,
        Write::UpsertByEntity,
        Write::UpsertByEntityGuarded,
        Write::ByCoordinates,
        Write::Increment,
        Write::Call,
    ];
    let writes = if last { ends } else { inner };
    let plain =
        |engine| matches!(engine, Engine::AfterWork | Engine::BeforeWork | Engine::AutomaticClosing | Engine::Spark);
    (prop::sample::select(engines()), any::<bool>(), 0..STEPS.len(), prop::sample::select(writes)).prop_map(
        move |(engine, committed, steps, write)| {
            let write = if plain(engine) && matches!(write, Write::LogTransaction) { Write::Log } else { write };
            Job { engine, committed, steps: STEPS[steps], write }
        },
    )
}

pub fn jobs() -> impl Strategy<Value = Vec<Job>> {
    (prop::collection::vec(job(false), 0..3), job(true)).prop_map(|(mut jobs, last)| {
        jobs.push(last);
        jobs
    })
}

/// How good each cell is. What may be lost whatever else is not known is no better than what is not known.
pub fn rank(badge: &Badge) -> (u8, u8) {
    let fewest = match badge.fewest {
        Fewest::Unknown(_) | Fewest::Zero => 0,
        Fewest::OneWhile(..) => 2,
        Fewest::One(_) => 3,
    };
    let most = match badge.most {
        Most::Unknown(_) => 0,
        Most::Many => 1,
        Most::OneWhile(..) => 2,
        Most::One(_) => 3,
    };
    (fewest, most)
}

fn report(document: &Value) -> Report {
    let design = codec::decode(&document.to_string()).unwrap_or_else(|error| panic!("{error}\n{document}"));
    analyse(&design, View::AsIs)
}

pub fn badge(document: &Value) -> (u8, u8) {
    rank(&report(document).consumers[&Id::new("reader").unwrap()].delivery.badge)
}

pub fn document(from: From, jobs: &[Job]) -> Value {
    serde_json::from_str(&path::document(from, jobs, &SHORT).0).unwrap()
}

/// Every observed fact: its section, subject and field.
pub fn facts(document: &Value) -> Vec<(&'static str, String, String)> {
    let mut facts = Vec::new();
    for section in ["elements", "links", "events"] {
        for (id, subject) in document[section].as_object().unwrap() {
            let observed = subject["observed"]["e1"].as_object().into_iter().flatten();
            facts.extend(observed.map(|(field, _)| (section, id.clone(), field.clone())));
        }
    }
    facts
}

/// Facts that only tell whether a condition is met that is printed in any case: how long copies can come.
pub const BOUNDS: [&str; 2] = ["resend_within", "delivery_timeout"];

/// Facts that are exceptions by their nature: state is in the engine unless it is said that it is not.
pub const EXCEPTIONS: [&str; 1] = ["state_in"];

pub fn configuration(design: &pipeline_desk::model::Design, id: &str, field: &str) -> bool {
    let id = Id::new(id).unwrap();
    let subject = design.subject(&id).unwrap();
    design.field(subject, field).is_some_and(|field| field.row().nature == Nature::Configuration)
}

/// One hop made worse: where it can be, the document that comes of it.
pub fn worsenings(document: &Value) -> Vec<Value> {
    let worse: [(&str, Value, Value); 10] = [
        ("acks", json!("all"), json!("1")),
        ("idempotence", json!(true), json!(false)),
        ("unclean_leader_election", json!(false), json!(true)),
        ("min_insync_replicas", json!(2), json!(1)),
        ("isolation", json!("read_committed"), json!("read_uncommitted")),
        ("processing_guarantee", json!("exactly_once"), json!("at_least_once")),
        ("write_mode", json!("upsert"), json!("append")),
        ("output_commit", json!("flush"), json!("none")),
        ("after_restart", json!("resume_position"), json!("resend_unmarked")),
        ("acknowledge", json!("after_store"), json!("before_store")),
    ];
    // Without transactions nobody behind sees aborted results, so a reader of uncommitted records can be better off.
    let uncommitted = document.to_string().contains("\"read_uncommitted\"");
    let computed = document.to_string().contains("\"aggregate\"");
    let mut documents = Vec::new();
    for (section, id, field) in facts(document) {
        if field == "processing_guarantee" && uncommitted {
            continue;
        }
        let value = &document[section][&id]["observed"]["e1"][&field];
        // Rows that are appended are all there; of a table by entity, or of computed values, the last one counts, which can
        // be an old one.
        let written = &document[section][&id]["observed"]["e1"];
        let replaced = written["key"] == json!(["entity"]) || computed;
        if field == "write_mode" && replaced && written["version_guard"] == json!([]) {
            continue;
        }
        for (name, good, bad) in &worse {
            if *name == field && value == good {
                let mut changed = document.clone();
                changed[section][&id]["observed"]["e1"][&field] = bad.clone();
                documents.push(changed);
            }
        }
    }
    documents
}

/// One hop made ideal, where that takes nothing else along: the document that comes of it.
pub fn improvements(document: &Value) -> Vec<Value> {
    let better: [(&str, Value, Value); 9] = [
        ("acks", json!("1"), json!("all")),
        ("idempotence", json!(false), json!(true)),
        ("max_in_flight", json!(5), json!(1)),
        ("unclean_leader_election", json!(true), json!(false)),
        ("min_insync_replicas", json!(1), json!(2)),
        ("isolation", json!("read_uncommitted"), json!("read_committed")),
        ("close_commits", json!("polled"), json!("handled")),
        ("acknowledge", json!("before_store"), json!("after_store")),
        ("after_restart", json!("resend_unmarked"), json!("resume_position")),
    ];
    let mut documents = Vec::new();
    for (section, id, field) in facts(document) {
        let value = &document[section][&id]["observed"]["e1"][&field];
        for (_, _, good) in better.iter().filter(|(name, bad, _)| *name == field && value == bad) {
            let mut changed = document.clone();
            changed[section][&id]["observed"]["e1"][&field] = good.clone();
            documents.push(changed);
        }
    }
    documents
}

/// The same document with the members of every object the other way round.
pub fn reversed(document: &Value) -> String {
    match document {
        Value::Object(members) => {
            let mut parts: Vec<String> =
                members.iter().map(|(key, value)| format!("{}:{}", json!(key), reversed(value))).collect();
            parts.reverse();
            format!("{{{}}}", parts.join(","))
        }
        other => other.to_string(),
    }
}

/// What fails in the first step of the first job goes to a retry channel and comes back; beside it, what the last step
/// of the last job writes also calls somebody.
pub fn with_retry_and_call(document: &Value, jobs: usize) -> Value {
    let mut changed = document.clone();
    let topic = document["elements"]["t1"].clone();
    changed["elements"]["again"] = topic;
    changed["elements"]["again"]["role"] = json!("retry");
    let sent = json!({ "acks": "all", "idempotence": true, "max_in_flight": 5, "on_send_failure": "retry", "key": ["entity"], "output_commit": "flush" });
    let read =
        document["links"].as_object().unwrap().values().find(|link| link["to"] == "n1_0").unwrap()["observed"].clone();
    changed["links"]["r1"] =
        json!({ "from": "n1_0", "to": "again", "port": "dead_letter", "observed": { "e1": sent } });
    changed["links"]["r2"] = json!({ "from": "again", "to": "n1_0", "observed": read });
    let last =
        (0..9).rev().map(|step| format!("n{jobs}_{step}")).find(|id| document["elements"][id].is_object()).unwrap();
    changed["elements"]["callee"] = json!({ "kind": "sink", "system": "http", "lifecycle": "existing" });
    changed["links"]["r3"] =
        json!({ "from": last, "to": "callee", "observed": { "e1": { "write_mode": "call", "client_retries": 0 } } });
    changed
}

/// A document with its ids changed consistently; names keep the old ones.
pub fn renamed(document: &Value, new: impl Fn(&str) -> String) -> Value {
    let mut changed = document.clone();
    let name = |map: &Value, named: bool| {
        let entries = map.as_object().unwrap().iter().map(|(id, subject)| {
            let mut subject = subject.clone();
            for field in ["from", "to", "job"] {
                if let Some(id) = subject[field].as_str().map(&new) {
                    subject[field] = json!(id);
                }
            }
            if named {
                subject["name"] = json!(id);
            }
            (new(id), subject)
        });
        Value::Object(entries.collect())
    };
    changed["elements"] = name(&document["elements"], true);
    changed["links"] = name(&document["links"], false);
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dropping_a_fact_never_strengthens_a_claim(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let design = codec::decode(&document.to_string()).unwrap();
        let before = badge(&document);
        for (section, id, field) in facts(&document) {
            if !configuration(&design, &id, &field) || BOUNDS.contains(&field.as_str()) || EXCEPTIONS.contains(&field.as_str()) {
                continue;
            }
            let mut changed = document.clone();
            changed[section][&id]["observed"]["e1"].as_object_mut().unwrap().remove(&field);
            let after = badge(&changed);
            prop_assert!(after.0 <= before.0 && after.1 <= before.1, "without {id}.{field}: {before:?} → {after:?}");
        }
    }

    #[test]
    fn making_a_hop_worse_never_improves_a_badge(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let before = badge(&document);
        for changed in worsenings(&document) {
            let after = badge(&changed);
            prop_assert!(after.0 <= before.0 && after.1 <= before.1, "{before:?} → {after:?}: {changed}");
        }
    }

    #[test]
    fn making_a_hop_ideal_never_worsens_a_badge(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let before = badge(&document);
        for changed in improvements(&document) {
            let after = badge(&changed);
            prop_assert!(after.0 >= before.0 && after.1 >= before.1, "{before:?} → {after:?}: {changed}");
        }
    }

    #[test]
    fn the_order_of_a_file_says_nothing(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let (one, other) = (codec::decode(&document.to_string()).unwrap(), codec::decode(&reversed(&document)).unwrap());
        prop_assert_eq!(codec::encode(&one), codec::encode(&other));
        prop_assert_eq!(analyse(&one, View::AsIs), analyse(&other, View::AsIs));
    }

    #[test]
    fn a_way_back_and_a_call_never_improve_a_badge(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let (before, after) = (badge(&document), badge(&with_retry_and_call(&document, jobs.len())));
        prop_assert!(after.0 <= before.0 && after.1 <= before.1, "{before:?} → {after:?}");
    }

    #[test]
    fn loss_never_heals_downstream(from in sources(), jobs in jobs()) {
        let document = document(from, &jobs);
        let report = report(&document);
        let mut last = 3;
        for number in 1..=document["links"].as_object().unwrap().len() {
            let badge = &report.links[&Id::new(&format!("l{number}")).unwrap()].badge;
            let now = rank(badge).0;
            prop_assert!(now <= last, "l{number}: {last} → {now}");
            last = now;
        }
    }

    #[test]
    fn ids_and_positions_say_nothing(from in sources(), jobs in jobs(), salt in 0u32..1000) {
        let document = document(from, &jobs);
        let scrambled = |id: &str| {
            let hash = id.bytes().fold(salt, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
            format!("{}{}{id}", char::from(b'a' + u8::try_from(hash % 26).unwrap()), hash % 97)
        };
        let original = renamed(&document, str::to_owned);
        let mut moved = renamed(&document, scrambled);
        let boxes = moved["elements"].as_object().unwrap().keys().map(|id| (id.clone(), json!([salt, 7]))).collect();
        moved["layout"] = json!({ "boxes": Value::Object(boxes) });
        let (a, b) = (report(&original), report(&moved));
        let (a, b) = (a.consumers.values().next().unwrap(), b.consumers.values().next().unwrap());
        prop_assert_eq!(&a.delivery.sentence, &b.delivery.sentence);
        prop_assert_eq!(&a.delivery.why, &b.delivery.why);
        prop_assert_eq!(a.delivery.badge.text(), b.delivery.badge.text());
        prop_assert_eq!(a.delivery.hops.len(), b.delivery.hops.len());
        prop_assert_eq!(a.delivery.value, b.delivery.value);
    }

    #[test]
    fn what_is_not_on_the_way_says_nothing(from in sources(), jobs in jobs(), other in sources(), others in jobs()) {
        let document = document(from, &jobs);
        let beside = renamed(&self::document(other, &others), |id| format!("z_{id}"));
        let mut both = document.clone();
        for section in ["elements", "links"] {
            both[section].as_object_mut().unwrap().extend(beside[section].as_object().unwrap().clone());
        }
        let reader = Id::new("reader").unwrap();
        let (alone, beside) = (report(&document), report(&both));
        prop_assert_eq!(&alone.consumers[&reader].delivery, &beside.consumers[&reader].delivery);
        for (id, link) in &alone.links {
            prop_assert_eq!(link, &beside.links[id]);
        }
    }

    #[test]
    fn every_claim_names_a_mechanism_and_the_rest_says_nothing_it_must_not(from in sources(), jobs in jobs()) {
        let report = report(&document(from, &jobs));
        let verdict = &report.consumers.values().next().unwrap().delivery;
        prop_assert!(!verdict.sentence.is_empty());
        for word in ["exactly once", "guarantee", "lossless", "no data loss"] {
            let said = verdict.sentence.to_lowercase().contains(word);
            prop_assert!(!said, "{}", verdict.sentence);
        }
        let claims = [&verdict.badge.fewest].into_iter().filter_map(|fewest| match fewest {
            Fewest::One(claims) | Fewest::OneWhile(claims, _) => Some(claims),
            _ => None,
        });
        for claim in claims.flat_map(pipeline_desk::analysis::delivery::verdict::Claims::iter) {
            prop_assert!(!claim.mechanism.is_empty());
        }
    }
}
