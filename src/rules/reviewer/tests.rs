//! The law of a reviewer: whatever came before, its review is the one of the whole design.

use super::*;
use crate::{
    catalog::examples,
    codec,
    edit::{CopiedFacts, Draft},
};
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// A design is drawn twice over, side by side: both say the same in all settings, in one group, under one name. Its parts
/// must say what the whole says.
pub(in crate::rules) fn parts_say_what_the_whole_says(design: &Design, what: &str) {
    let twice = Arc::new(twice(design));
    for view in [View::AsIs, View::ToBe] {
        let by_parts = Reviewer::default().review(&twice, view);
        same(&by_parts, &review(&twice, view), &format!("{what}, {view:?}"));
    }
}

/// Says where two reviews differ first.
fn same(by_parts: &Review, whole: &Review, what: &str) {
    let by_rule = |review: &Review| {
        review.findings.iter().map(|finding| format!("{} {:?}", finding.rule, finding.about)).collect::<Vec<_>>()
    };
    let (own, other) = (by_rule(by_parts), by_rule(whole));
    let apart: Vec<_> =
        own.iter().filter(|it| !other.contains(it)).chain(other.iter().filter(|it| !own.contains(it))).collect();
    assert!(apart.is_empty(), "{what}: found once only: {apart:?}");
    for at in 0..by_parts.findings.len().max(whole.findings.len()) {
        assert_eq!(by_parts.findings.get(at), whole.findings.get(at), "{what}: finding {at}");
    }
    assert_eq!(by_parts.halts, whole.halts, "{what}: halts");
    assert_eq!(by_parts.procedures, whole.procedures, "{what}: procedures");
    for (id, report) in &whole.consumers {
        assert_eq!(by_parts.consumers.get(id), Some(report), "{what}: consumer {id}");
    }
    assert!(by_parts == whole, "{what}: reports");
}

/// The design beside a copy of itself with other ids. Events, clusters and evidence are the same for both.
fn twice(design: &Design) -> Design {
    let mut all: Value = serde_json::from_str(&codec::encode(design)).unwrap();
    let Some(sections) = all.as_object_mut() else { return design.clone() };
    let drawn: Vec<String> = ["elements", "links", "actions"].iter().flat_map(|of| ids(sections, of)).collect();
    for section in ["elements", "links", "actions", "approvals", "decisions", "questions"] {
        let Some(Value::Object(of)) = sections.get_mut(section) else { continue };
        let copies: Vec<_> = of.iter().map(|(id, it)| (again(id), other(it, section, &drawn))).collect();
        of.extend(copies);
    }
    codec::decode(&all.to_string()).unwrap()
}

fn ids(sections: &Map<String, Value>, section: &str) -> Vec<String> {
    sections.get(section).and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect()
}

fn again(id: &str) -> String {
    // Ids have at most 40 letters.
    if id.len() < 39 { format!("{id}_2") } else { format!("{}_2", &id[..38]) }
}

/// The same under the other ids.
fn other(subject: &Value, section: &str, drawn: &[String]) -> Value {
    let renamed = |value: &Value| match value {
        Value::String(text) => {
            let (id, rest) = text.split_once('.').map_or((text.as_str(), ""), |(id, _)| (id, &text[id.len()..]));
            Value::String(if drawn.iter().any(|own| own == id) { again(id) + rest } else { text.clone() })
        }
        other => other.clone(),
    };
    let mut copy = subject.clone();
    let refers: &[&str] = match section {
        "elements" => &["job"],
        "links" => &["from", "to"],
        _ => &["about", "holds", "for", "of"],
    };
    for key in refers {
        match copy.get_mut(key) {
            Some(Value::Array(all)) => all.iter_mut().for_each(|one| *one = renamed(one)),
            Some(one) => *one = renamed(one),
            None => {}
        }
    }
    copy
}

fn handed() -> Vec<(String, Design)> {
    let folder = |name: &str| fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)).unwrap();
    let files = ["cases", "gold"].into_iter().flat_map(folder).map(|entry| entry.unwrap().path());
    let designs = files
        .filter(|path| path.extension().is_some_and(|it| it == "json") && !path.to_string_lossy().contains(".expect."));
    let mut all: Vec<_> = designs
        .map(|path| (path.display().to_string(), codec::decode(&fs::read_to_string(&path).unwrap()).unwrap()))
        .collect();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all.push(("the example".to_owned(), the_example()));
    all
}

#[test]
fn parts_of_every_handed_design_say_what_the_whole_says() {
    for (name, design) in handed() {
        parts_say_what_the_whole_says(&design, &name);
    }
}

/// What one design lacks, the other may have: a rule that asks whether there is any such element anywhere sees it here.
#[test]
fn two_handed_designs_side_by_side_say_what_the_whole_says() {
    let all = handed();
    for ((name, one), (other_name, other)) in all.iter().zip(all.iter().cycle().skip(all.len() / 2)) {
        let mut draft = Draft::without_history(one);
        draft.insert(other, (0, 2_000), CopiedFacts::Keep).unwrap();
        let both = Arc::new(draft.design().clone());
        for view in [View::AsIs, View::ToBe] {
            let by_parts = Reviewer::default().review(&both, view);
            same(&by_parts, &review(&both, view), &format!("{name} beside {other_name}, {view:?}"));
        }
    }
}

#[test]
fn whatever_came_before_a_review_is_of_the_whole() {
    let mut reviewer = Reviewer::default();
    for (name, design) in handed() {
        let design = Arc::new(twice(&design));
        let states = changed(&design);
        for (number, state) in states.into_iter().enumerate() {
            for view in [View::AsIs, View::ToBe] {
                same(
                    &reviewer.review(&state, view),
                    &review(&state, view),
                    &format!("{name}, change {number}, {view:?}"),
                );
            }
        }
    }
}

/// States of a design on the way: a setting forgotten, a link gone, a name, a decision, an event and a cluster changed.
fn changed(design: &Arc<Design>) -> Vec<Arc<Design>> {
    let mut states = vec![Arc::clone(design)];
    let mut next = |change: &dyn Fn(&mut Design)| {
        let mut state = Design::clone(states.last().unwrap());
        change(&mut state);
        states.push(Arc::new(state));
    };
    next(&|state| {
        if let Some(subject) = state.elements.values_mut().nth(3) {
            subject.observed.clear();
        }
    });
    next(&|state| {
        if let Some(id) = state.links.keys().nth(2).cloned() {
            state.links.remove(&id);
        }
    });
    next(&|state| {
        if let Some(subject) = state.elements.values_mut().next() {
            subject.name = Some("another name".into());
        }
    });
    next(&|state| {
        if let Some(subject) = state.clusters.values_mut().next() {
            subject.observed.clear();
            subject.proposed = Default::default();
        }
    });
    next(&|state| {
        if let Some(subject) = state.events.values_mut().next() {
            subject.observed.clear();
            subject.proposed = Default::default();
        }
    });
    next(&|state| state.records = Default::default());
    states.push(Arc::clone(design));
    states
}

#[test]
fn what_did_not_change_is_not_worked_out_again() {
    let design = Arc::new(twice(&the_example()));
    let mut reviewer = Reviewer::default();
    reviewer.review(&design, View::ToBe);
    let parts = |reviewer: &Reviewer| reviewer.to_be.as_ref().unwrap().parts.clone();
    let before = parts(&reviewer);
    let mut state = Design::clone(&design);
    state.elements.values_mut().next().unwrap().name = Some("another name".into());
    reviewer.review(&Arc::new(state), View::ToBe);
    let after = parts(&reviewer);
    assert_eq!(before.len(), after.len());
    let kept = before.iter().zip(&after).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
    assert_eq!(kept, before.len() - 1);
}

fn the_example() -> Design {
    codec::decode(examples()[0].text).unwrap()
}
