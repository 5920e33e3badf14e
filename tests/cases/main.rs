//! Designs that surprised their owners, after public reports, each with the verdict that is right.
//!
//! `tests/cases/<ID>.json` is a design as somebody would draw it, `<ID>.expect.json` beside it what is expected of it, in
//! the words of [`expect::Expect`]. What does not hold yet stands in `not_yet` with the reason; it fails as soon as it holds, so
//! that the list only gets shorter. `tests/gold` holds four whole designs in the same form, with every number that is worked out
//! for them by hand. Not here: paths that are made up to test one mechanism (`tests/composition`).
#![allow(missing_docs, reason = "tests")]

mod expect;
mod faults;
mod figures;
mod sizes;
mod titles;
mod verdicts;
mod words;

use expect::Expect;
use pipeline_desk::{
    codec,
    model::{Id, View},
    rules::review,
};
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// Checks one design, and says what is wrong: what does not hold, and what holds although it is said not to.
fn examine(name: &str, design: &Value, expect: &Expect<'_>) -> Vec<String> {
    for field in expect.fields.keys() {
        assert!(Expect::KNOWN.contains(&field.as_str()), "{name}: {field}");
    }
    let design = match codec::decode(&design.to_string()) {
        Ok(design) => design,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let review = review(&design, View::ToBe);
    let mut checks = Vec::new();
    if let Some(consumer) = expect.text("consumer") {
        let report = review.report.consumers.get(&Id::new(consumer).unwrap());
        let report = report.unwrap_or_else(|| panic!("{name}: {consumer}"));
        checks.extend(verdicts::verdict_checks(expect, &report.delivery));
        checks.extend(verdicts::order_checks(expect, &report.order));
    }
    checks.extend(faults::fault_checks(expect, &review));
    checks.extend(words::word_checks(expect, &design, &review));
    checks.extend(figures::figure_checks(expect, &review));
    let not_yet = expect.table("not_yet");
    let names: Vec<&String> = checks.iter().map(|(name, _)| name).collect();
    let mut wrong: Vec<String> = not_yet
        .keys()
        .filter(|open| !names.contains(open))
        .map(|open| format!("{name}: not_yet names {open}, which is not checked"))
        .collect();
    wrong.extend(checks.into_iter().filter_map(|(check, outcome)| match outcome {
        Ok(()) if not_yet.contains_key(&check) => Some(format!("{name}: {check} holds: take it out of not_yet")),
        Err(found) if !not_yet.contains_key(&check) => Some(format!("{name}: {check}: {found}")),
        _ => None,
    }));
    wrong
}

/// The design with what a variant sets: `elements/orders/proposed/partitions` to a value, `null` removes.
fn changed(design: &Value, set: &Map<String, Value>) -> Value {
    let mut design = design.clone();
    for (path, value) in set {
        let parts: Vec<&str> = path.split('/').collect();
        let (last, parents) = parts.split_last().unwrap();
        let mut at = &mut design;
        for part in parents {
            at = at.as_object_mut().unwrap().entry(*part).or_insert_with(|| Value::Object(Map::new()));
        }
        let at = at.as_object_mut().unwrap();
        if value.is_null() {
            assert!(at.remove(*last).is_some(), "{path}")
        } else {
            drop(at.insert((*last).to_owned(), value.clone()))
        }
    }
    design
}

fn cases(folder: &str) -> Vec<(String, Value, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut ids: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
        .filter(|name| !name.ends_with(".expect"))
        .collect();
    ids.sort();
    let read = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    ids.into_iter().map(|id| (id.clone(), read(format!("{id}.json")), read(format!("{id}.expect.json")))).collect()
}

#[test]
fn every_case_has_its_verdict() {
    let cases = cases("cases");
    assert!(cases.len() >= 62, "{}", cases.len());
    all_as_expected(&cases);
}

/// Paths of every delivery family from end to end, with each number on their way.
#[test]
fn the_reference_designs_have_their_numbers() {
    let designs = cases("gold");
    assert_eq!(designs.len(), 4);
    all_as_expected(&designs);
}

fn all_as_expected(cases: &[(String, Value, Value)]) {
    let mut wrong = Vec::new();
    for (id, design, expect) in cases {
        let fields = expect.as_object().unwrap();
        wrong.extend(examine(id, design, &Expect { fields }));
        for (name, variant) in fields.get("variants").and_then(Value::as_object).into_iter().flatten() {
            let fields = variant.as_object().unwrap();
            let design = changed(design, fields["set"].as_object().unwrap());
            wrong.extend(examine(&format!("{id} ({name})"), &design, &Expect { fields }));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A condition stands behind "while" and behind "unless", where a "no" of its own would turn what is said around.
#[test]
fn no_condition_denies() {
    let mut seen = 0;
    for (id, design, _) in cases("cases") {
        let design = codec::decode(&design.to_string()).unwrap();
        for view in [View::AsIs, View::ToBe] {
            let review = review(&design, view);
            let rows = review.consumers.values().flat_map(|report| &report.delivery.hops);
            for said in rows.map(|hop| hop.can_lose()) {
                let conditions: Vec<&str> = said.split(", unless ").skip(1).collect();
                seen += conditions.len();
                for condition in conditions {
                    let words = condition.split(';').next().unwrap_or_default().split_whitespace();
                    let denies =
                        words.filter(|word| matches!(*word, "no" | "not" | "never" | "nothing" | "nobody")).count();
                    assert_eq!(denies, 0, "{id}: unless {condition}");
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
}
