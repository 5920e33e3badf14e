//! People see names: wherever something has one, its id stands in no text.

use pipeline_desk::{
    action::Figure,
    analysis::{
        delivery::verdict::LossKind,
        explain::{Explained, Origin},
    },
    codec,
    documents::{
        Document,
        blocks::{Block, Inline, Span},
        document_set,
    },
    model::{Action, ActionKind, Design, Element, Id, Shape, StateHandling, View},
    rules::{
        Lift, Review,
        compare::compare,
        procedure::{Standing, Step, lacking},
        review,
    },
    sorted::SortedMap,
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
fn said(design: &Design, review: &Review) -> Vec<String> {
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
        all.extend([verdict.sentence.clone(), verdict.consumer_must.words().to_owned(), verdict.scope.clone()]);
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
    all.extend(review.links.values().flat_map(|link| link.captions.lines(&title).collect::<Vec<_>>()));
    all.extend(review.sinks.values().map(|sink| sink.write.clone()));
    all
}

/// What the six steps of a replay need, of those that are planned and of one of each channel and job.
fn steps(design: &Design, view: View, review: &Review) -> Vec<String> {
    let mut needs = Vec::new();
    for procedure in &review.procedures {
        for step in Step::ALL {
            if let Standing::Lacks(lacks) | Standing::OutOfTurn { needs: lacks, .. } = procedure.standing(step) {
                needs.extend(lacks.clone());
            }
        }
    }
    for (id, subject) in &design.elements {
        if matches!(subject.shape, Shape::Element(Element::Channel { .. } | Element::Job)) {
            let mut action = Action {
                kind: ActionKind::Replay,
                about: vec![id.clone()],
                from: Some("400d".into()),
                to: None,
                state_handling: None,
                first_range: None,
                control_total: None,
                holds: Vec::new(),
                reason: None,
                at: None,
                done: SortedMap::new(),
            };
            needs.extend(lacking(design, view, review, &action).into_iter().flatten());
            action.state_handling = Some(StateHandling::Reset);
            needs.extend(lacking(design, view, review, &action).into_iter().flatten());
        }
    }
    needs.into_iter().map(|need| need.what).collect()
}

/// The names of figures, what explains them and what is missing for them.
fn figures(design: &Design, review: &Review) -> Vec<String> {
    let mut all = Vec::new();
    for id in design.elements.keys().chain(design.links.keys()) {
        for (figure, derived) in Figure::all_of(design, review, id) {
            all.push(figure.name(design, review));
            match derived {
                Ok(explained) => explains(&explained, &mut all),
                Err(why) => all.extend(why.missing.iter().map(|missing| missing.words())),
            }
        }
    }
    all
}

fn explains(explained: &Explained, into: &mut Vec<String>) {
    into.extend([explained.what.to_owned(), explained.text()]);
    match &explained.origin {
        Origin::Fact(_) => {}
        Origin::FactBy(_, how) => into.push((*how).to_owned()),
        Origin::Constant { source } => into.push((*source).to_owned()),
        Origin::Formula { formula, inputs, .. } => {
            into.extend([formula.text.to_owned(), formula.source.to_owned()]);
            inputs.iter().for_each(|input| explains(input, into));
        }
    }
}

/// What differs between two reviews.
fn differs(design: &Design, before: &Review, after: &Review) -> Vec<String> {
    let comparison = compare(design, before, after);
    let consumers = comparison.consumers.values();
    let mut all: Vec<String> = consumers.clone().map(|consumer| consumer.summary.clone()).collect();
    for entry in consumers.flat_map(|consumer| &consumer.entries).chain(&comparison.elsewhere) {
        all.extend([entry.what.title(design), entry.text()]);
    }
    all
}

/// The words of a document. What is set like code is meant as an address in the file: `orders.retention_time`.
fn words(document: &Document) -> Vec<String> {
    let line = |line: &Inline| {
        let spans = line.0.iter().filter(|span| !matches!(span, Span::Code(text) if text.contains('.')));
        Inline(spans.cloned().collect()).plain()
    };
    let mut all = Vec::new();
    for block in &document.blocks {
        match block {
            Block::Heading { text, .. } | Block::Paragraph(text) => all.push(line(text)),
            Block::Status { status, detail } => all.extend([status.clone(), line(detail)]),
            Block::Table { head, rows } => all.extend(head.iter().chain(rows.iter().flatten()).map(line)),
            Block::List { items, .. } => all.extend(items.iter().map(line)),
            Block::Code { text, .. } => all.extend(text.lines().map(str::to_owned)),
            Block::Figure { alternative, svg, .. } => all.extend([alternative.clone(), shown(svg)]),
        }
    }
    let gaps = document.gaps.iter().map(|gap| gap.words());
    all.extend(gaps);
    all
}

/// What a picture shows as text.
fn shown(svg: &str) -> String {
    let pieces = svg.split('<').filter_map(|piece| piece.split_once('>'));
    pieces.map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Everything that is said of a design, in both views and between them.
pub(crate) fn texts(design: &Design) -> Vec<String> {
    let reviews = [View::AsIs, View::ToBe].map(|view| (view, review(design, view)));
    let mut all = Vec::new();
    for (view, review) in &reviews {
        all.extend(said(design, review));
        all.extend(steps(design, *view, review));
        all.extend(figures(design, review));
    }
    all.extend(differs(design, &reviews[0].1, &reviews[1].1));
    all.extend(differs(design, &reviews[1].1, &review(&Design::default(), View::ToBe)));
    all.extend(document_set(design, &reviews[0].1, &reviews[1].1).iter().flat_map(words));
    all
}

#[test]
fn no_text_shows_an_id_where_there_is_a_name() {
    let (mut named, mut wrong) = (0, Vec::new());
    for (case, design, _) in super::cases("cases").into_iter().chain(super::cases("gold")) {
        let design = renamed(&design).to_string();
        let design = codec::decode(&design).unwrap_or_else(|error| panic!("{case}: {error}"));
        let all = texts(&design);
        named += all.iter().filter(|text| text.contains("no. ")).count();
        wrong.extend(all.into_iter().filter(|text| text.contains(MARK)).map(|text| format!("{case}: {text}")));
    }
    assert!(named > 10_000, "{named}");
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
