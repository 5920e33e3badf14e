//! People see names: wherever something has one, its id stands in no text.

use pipeline_desk::{
    analysis::delivery::verdict::LossKind,
    codec,
    model::{Id, View},
    rules::{Lift, Review, review},
};
use serde_json::{Map, Value};

/// Ids that are like no word.
const MARK: &str = "zq";

/// The sections whose subjects have a name; links are called by their two ends.
const NAMED: [&str; 3] = ["elements", "events", "clusters"];

/// Where a subject names another.
const REFERENCES: [&str; 9] = ["job", "from", "to", "about", "of", "for", "cluster", "event", "emits"];

/// The design with other ids, and a name for all that can have one.
fn renamed(design: &Value) -> Value {
    let mut design = design.clone();
    let mut ids: Map<String, Value> = Map::new();
    for section in NAMED.iter().chain(&["links"]) {
        for id in design.get(*section).and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            let next = format!("{MARK}{}x", ids.len());
            let _ = ids.entry(id.clone()).or_insert(next.into());
        }
    }
    let document = design.as_object_mut().unwrap();
    for (section, value) in document.iter_mut() {
        let Some(subjects) = value.as_object_mut() else { continue };
        let keyed = NAMED.contains(&section.as_str()) || section == "links";
        let old = std::mem::take(subjects);
        for (number, (id, mut subject)) in old.into_iter().enumerate() {
            refer(&ids, &mut subject);
            if NAMED.contains(&section.as_str()) {
                let _ =
                    subject.as_object_mut().unwrap().insert("name".into(), format!("{section} no. {number}").into());
            }
            let id = if keyed { ids[&id].as_str().unwrap().to_owned() } else { id };
            let _ = subjects.insert(id, subject);
        }
    }
    design
}

fn refer(ids: &Map<String, Value>, subject: &mut Value) {
    let Some(members) = subject.as_object_mut() else { return };
    let next = |text: &mut Value| {
        let Some(said) = text.as_str() else { return };
        let (id, rest) = said.split_once('.').map_or((said, String::new()), |(id, rest)| (id, format!(".{rest}")));
        if let Some(other) = ids.get(id).and_then(Value::as_str) {
            *text = format!("{other}{rest}").into();
        }
    };
    for (member, value) in members.iter_mut().filter(|(member, _)| REFERENCES.contains(&member.as_str())) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(next),
            _ if member == "for" || !value.is_object() => next(value),
            _ => {}
        }
    }
}

/// Every text of a review that somebody reads.
fn said(design: &pipeline_desk::model::Design, review: &Review) -> Vec<String> {
    let mut all = Vec::new();
    for finding in &review.findings {
        all.extend([finding.message.clone(), finding.remedy.to_string()]);
        all.extend(finding.fix.iter().map(|fix| fix.label.clone()));
    }
    for halt in &review.halts {
        all.extend([halt.action.clone(), halt.consequence.clone(), halt.lifted_by.clone()]);
        if let Lift::Consent(consents) = &halt.lift {
            all.extend(consents.iter().map(|consent| consent.what.clone()));
        }
    }
    let title = |id: &Id| design.title(id).to_string();
    for report in review.consumers.values() {
        let verdict = &report.delivery;
        all.extend([verdict.sentence.clone(), verdict.consumer_must.clone(), verdict.scope.clone()]);
        all.extend(verdict.why.iter().cloned());
        all.extend(verdict.hops.iter().flat_map(|row| [row.can_lose(), row.adds(), row.mechanism()]));
        for loss in &verdict.lossy_hops {
            all.push(loss.cause.to_string());
            if let LossKind::Conditional(condition) = &loss.kind {
                all.push(condition.text.clone());
            }
        }
        all.extend(report.order.inputs.iter().map(|input| input.sentence(&title)));
        all.extend(report.replay.iter().flat_map(|start| start.remarks.iter().map(ToString::to_string)));
    }
    all.extend(review.links.values().flat_map(|link| link.captions.lines().collect::<Vec<_>>()));
    all.extend(review.sinks.values().map(|sink| sink.write.clone()));
    all
}

#[test]
fn no_text_shows_an_id_where_there_is_a_name() {
    let (mut texts, mut wrong) = (0, Vec::new());
    for (case, design, _) in super::cases("cases").into_iter().chain(super::cases("gold")) {
        let design = renamed(&design).to_string();
        let design = codec::decode(&design).unwrap_or_else(|error| panic!("{case}: {error}"));
        for view in [View::AsIs, View::ToBe] {
            let all = said(&design, &review(&design, view));
            texts += all.iter().filter(|text| text.contains("no. ")).count();
            wrong.extend(all.into_iter().filter(|text| text.contains(MARK)).map(|text| format!("{case}: {text}")));
        }
    }
    assert!(texts > 500, "{texts}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
