//! The published JSON Schema: it is the one that the table of fields gives, and it and the door agree.
//!
//! After a change of the table: `UPDATE=1 cargo test --test schema` writes `public/schema/design.schema.json`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

#[path = "../src/testing.rs"]
#[allow(dead_code, missing_docs, reason = "shared with other tests, which use other parts")]
mod testing;

use pipeline_desk::{
    codec::{decode, encode, schema::document_schema, to_json},
    model::Json,
};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::LazyLock;
use testing::{Entropy, designs, entropy};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/public/schema/design.schema.json");
const SAMPLES: [&str; 3] = [
    include_str!("../src/catalog/examples/checkout_revenue.json"),
    include_str!("documents/signup_mail.json"),
    include_str!("documents/upsert_key.json"),
];

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::validator_for(&document_schema()).unwrap());

#[test]
fn the_published_file_is_what_the_table_gives() {
    let text = serde_json::to_string_pretty(&document_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(std::path::Path::new(FILE).parent().unwrap()).unwrap();
        std::fs::write(FILE, &text).unwrap();
    }
    let published = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(published == text, "the schema has changed: run UPDATE=1 cargo test --test schema, and read the diff");
}

#[test]
fn samples_are_accepted_and_the_schema_is_a_schema() {
    assert!(jsonschema::meta::is_valid(&document_schema()));
    for text in SAMPLES {
        let json: Value = serde_json::from_str(text).unwrap();
        assert!(VALIDATOR.is_valid(&json), "{:?}", VALIDATOR.iter_errors(&json).map(|e| e.to_string()).next());
    }
}

#[test]
fn both_refuse_what_is_malformed() {
    for (from, to) in [
        ("\"partitions\": 6", "\"partitions\": -6"),
        ("\"partitions\": 6", "\"partitions\": \"6\""),
        ("\"partitions\": 6", "\"partitions\": 1e300"),
        ("\"partitions\": 6", "\"partitions\": null"),
        ("\"retention_time\": \"7d\"", "\"retention_time\": \"7 d\""),
        ("\"retention_time\": \"7d\"", "\"retention_time\": \"1min1h\""),
        ("\"retention_time\": \"7d\"", "\"retention_time\": 604800000"),
        ("\"retention_time\": \"7d\"", "\"retention_tme\": \"7d\""),
        ("\"mean\": \"2/s\"", "\"median\": \"2/s\""),
        ("\"mean\": \"2/s\"", "\"p99.90\": \"2/s\""),
        ("\"2026-11-28\"", "\"28.11.2026\""),
        ("\"customer_id\"", "\"@customer\""),
        ("\"kind\": \"sink\"", "\"kind\": \"table\""),
        ("\"version\": 3", "\"version\": 4"),
        ("\"Signup mail\"", "\"\""),
        ("\"shop\"", "\"Shop\""),
        ("\"events\"", "\"schemas\""),
        ("[\"topology\"]", "[\"topology\", \"topology\"]"),
    ] {
        let text = SAMPLES[1].replacen(from, to, 1);
        assert_ne!(text, SAMPLES[1], "{from}");
        assert!(decode(&text).is_err(), "the door accepts {to}");
        assert!(!VALIDATOR.is_valid(&serde_json::from_str(&text).unwrap()), "the schema accepts {to}");
    }
}

/// Reasons of the door that a schema cannot express.
const BEYOND: &[&str] = &[
    "there is no ",
    "not a job; an operator stands in a job",
    "stands elsewhere too",
    "stands here twice",
    "it belongs to",
    "nested deeper",
    "needs a duration",
    "needs a size",
    "needs a date",
    "cannot follow",
    "A job is a frame",
    "A consumer",
    "A source is",
    "A sink does not",
    "A channel does not",
    "A batch path",
    "Two sinks",
    "A reconciliation",
    "Operators of two jobs",
    "Only an operator",
    "too long for the value",
    "nested too deep",
    "[x, y, x, y",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_door_writes_the_schema_accepts(design in designs()) {
        let json: Value = serde_json::from_str(&encode(&design)).unwrap();
        prop_assert!(VALIDATOR.is_valid(&json), "{:?}", VALIDATOR.iter_errors(&json).map(|e| e.to_string()).next());
    }

    #[test]
    fn on_changed_documents_both_agree(design in designs(), mut numbers in entropy(40)) {
        let mut json = to_json(&design);
        change(&mut json, &mut numbers);
        let text = json.to_string();
        let accepted = VALIDATOR.is_valid(&serde_json::from_str(&text).unwrap());
        match decode(&text) {
            Ok(_) => prop_assert!(accepted, "only the door accepts {text}"),
            Err(error) if accepted => {
                let beyond = error.problems().iter().all(|p| BEYOND.iter().any(|reason| p.reason.contains(reason)));
                prop_assert!(beyond, "only the schema accepts: {error}\n{text}");
            }
            Err(_) => {}
        }
    }
}

/// Changes one value, key or entry somewhere inside.
fn change(json: &mut Json, numbers: &mut Entropy) {
    match json {
        Json::Object(members) if !members.is_empty() => {
            let at = numbers.below(members.len());
            match numbers.below(10) {
                0 => drop(members.remove(at)),
                1 => members[at].0.push('x'),
                2 => members[at].1 = replacement(numbers),
                _ => change(&mut members[at].1, numbers),
            }
        }
        Json::List(items) if !items.is_empty() && numbers.below(2) == 0 => {
            let at = numbers.below(items.len());
            change(&mut items[at], numbers);
        }
        value => *value = replacement(numbers),
    }
}

fn replacement(numbers: &mut Entropy) -> Json {
    let texts =
        ["", "unset", "7d", "1.5h30min", "none", "2GiB", "3/s", "3MB/s", "2026-11-30", "e1", "x0", "@offset", "a b"];
    match numbers.below(22) {
        n @ 0..=12 => Json::text(texts[n]),
        13 => Json::Null,
        14 => Json::Bool(false),
        15 => Json::Number(-1.0),
        16 => Json::Number(1e20),
        17 => Json::Number(0.5),
        18 => Json::Number(3.0),
        19 => Json::List(vec![Json::text("id")]),
        20 => Json::Object(vec![("max".to_owned(), Json::text("7d"))]),
        _ => Json::Object(vec![]),
    }
}
