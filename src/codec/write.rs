//! A [`Design`] as untyped JSON in the order of the format: sections as listed there, maps by id, settings by table.

use super::migrate::{FORMAT, VERSION};
use crate::model::{
    Action, Approval, Decision, Design, Element, Evidence, Facts, Field, Id, Json, Layout, Note, Place, Question,
    Section, Shape, Subject, Text,
};
use crate::sorted::{self, SortedMap};

/// The whole document.
pub(super) fn write(design: &Design) -> Json {
    let mut members = Members::default();
    members.put("format", Json::text(FORMAT));
    members.put("version", Json::Number(f64::from(VERSION)));
    members.maybe("min_reader", design.min_reader.map(|n| Json::Number(f64::from(n))));
    members.text("name", design.name.as_ref());
    members.text("question", design.question.as_ref());
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        members.map(section.name(), design.section(section), subject);
    }
    members.map("evidence", &design.records.evidence, evidence);
    members.map("actions", &design.records.actions, action);
    members.map("approvals", &design.records.approvals, approval);
    members.map("decisions", &design.records.decisions, decision);
    members.map("questions", &design.records.questions, question);
    members.object("layout", layout(&design.layout));
    members.done()
}

/// The members of one object; what is absent or empty is left out.
#[derive(Default)]
struct Members(Vec<(String, Json)>);

impl Members {
    fn put(&mut self, key: &str, value: Json) {
        self.0.push((key.to_owned(), value));
    }

    fn maybe(&mut self, key: &str, value: Option<Json>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    fn text(&mut self, key: &str, text: Option<&Text>) {
        self.maybe(key, text.map(|text| Json::text(&**text)));
    }

    fn id(&mut self, key: &str, id: Option<&Id>) {
        self.maybe(key, id.map(|id| Json::text(id.as_str())));
    }

    fn word(&mut self, key: &str, word: Option<&'static str>) {
        self.maybe(key, word.map(Json::text));
    }

    fn list(&mut self, key: &str, items: impl Iterator<Item = Json>) {
        let items: Vec<_> = items.collect();
        if !items.is_empty() {
            self.put(key, Json::List(items));
        }
    }

    fn texts(&mut self, key: &str, texts: &[Text]) {
        self.list(key, texts.iter().map(|text| Json::text(&**text)));
    }

    fn ids<'a>(&mut self, key: &str, ids: impl IntoIterator<Item = &'a Id>) {
        self.list(key, ids.into_iter().map(|id| Json::text(id.as_str())));
    }

    fn object(&mut self, key: &str, value: Json) {
        if !matches!(&value, Json::Object(members) if members.is_empty()) {
            self.put(key, value);
        }
    }

    fn map<T>(&mut self, key: &str, map: &SortedMap<Id, T>, write: impl Fn(&T) -> Json) {
        self.object(key, Json::Object(map.iter().map(|(id, value)| (id.to_string(), write(value))).collect()));
    }

    fn done(self) -> Json {
        Json::Object(self.0)
    }
}

/// How a setting is named: alone in documents, with its group where the subject's groups are not at hand.
pub(super) type Naming = fn(Field) -> String;

fn plain(field: Field) -> String {
    field.name().to_owned()
}

fn subject(subject: &Subject) -> Json {
    subject_named(subject, plain)
}

/// One subject.
pub(super) fn subject_named(subject: &Subject, naming: Naming) -> Json {
    let mut members = Members::default();
    match &subject.shape {
        Shape::Element(element) => members.put("kind", Json::text(element.kind().name())),
        Shape::Link(link) => {
            members.id("from", Some(&link.from));
            members.id("to", Some(&link.to));
            members.word("port", link.port.map(|port| port.name()));
            members.word("into", link.into.map(|into| into.name()));
        }
        Shape::Event | Shape::Cluster { .. } => {}
    }
    members.text("name", subject.name.as_ref());
    members.text("system", subject.system.as_ref());
    members.id("cluster", subject.cluster.as_ref());
    let mut asked = None;
    match &subject.shape {
        Shape::Element(Element::Source { event }) => members.id("event", event.as_ref()),
        Shape::Element(Element::Channel { role }) => members.word("role", role.map(|role| role.name())),
        Shape::Element(Element::Operator { job, step, emits }) => {
            members.id("job", Some(job));
            members.word("step", Some(step.name()));
            members.id("emits", emits.as_ref());
        }
        Shape::Element(Element::Consumer { question }) => asked = question.as_ref(),
        Shape::Cluster { environment, trust_zone } => {
            members.word("environment", environment.map(|word| word.name()));
            members.word("trust_zone", trust_zone.map(|word| word.name()));
        }
        _ => {}
    }
    members.text("owner", subject.owner.as_ref());
    members.word("lifecycle", subject.lifecycle.map(|word| word.name()));
    members.text("question", asked);
    members.text("note", subject.note.as_ref());
    members.map("observed", &subject.observed, |slot| facts(slot, naming));
    members.object("proposed", facts(&subject.proposed, naming));
    members.map("raw", &subject.raw, |values| {
        Json::Object(values.iter().map(|(key, value)| (key.to_string(), value.written())).collect())
    });
    members.done()
}

fn facts(facts: &Facts, naming: Naming) -> Json {
    Json::Object(facts.iter().map(|(field, value)| (naming(field), value.written())).collect())
}

/// One evidence entry.
pub(super) fn evidence(evidence: &Evidence) -> Json {
    let mut members = Members::default();
    members.word("basis", evidence.basis.map(|word| word.name()));
    members.word("state", evidence.state.map(|word| word.name()));
    members.text("from", evidence.from.as_ref());
    members.text("by", evidence.by.as_ref());
    members.maybe("at", evidence.at.as_ref().map(|at| Json::text(at.as_str())));
    members.list("covers", evidence.covers.iter().map(|word| Json::text(word.name())));
    members.texts("about", &evidence.about);
    members.done()
}

/// One action.
pub(super) fn action(action: &Action) -> Json {
    let mut members = Members::default();
    members.word("kind", Some(action.kind.name()));
    members.ids("about", &action.about);
    members.text("from", action.from.as_ref());
    members.text("to", action.to.as_ref());
    members.word("state_handling", action.state_handling.map(|word| word.name()));
    members.text("first_range", action.first_range.as_ref());
    members.text("control_total", action.control_total.as_ref());
    members.ids("holds", &action.holds);
    members.text("reason", action.reason.as_ref());
    members.maybe("at", action.at.as_ref().map(|at| Json::text(at.as_str())));
    let mut steps: Vec<_> = action.done.iter().collect();
    sorted::sort_by_key(&mut steps, |(step, _)| (step.len(), (*step).clone()));
    members.object(
        "done",
        Json::Object(steps.into_iter().map(|(step, text)| (step.to_string(), Json::text(&**text))).collect()),
    );
    members.done()
}

/// One approval.
pub(super) fn approval(approval: &Approval) -> Json {
    let mut members = Members::default();
    members.text("by", Some(&approval.by));
    members.put("at", Json::text(approval.at.as_str()));
    members.text("for", Some(&approval.for_));
    members.maybe("value", approval.value.as_ref().map(|value| Json::from_serde(&value.0)));
    members.id("of", approval.of.as_ref());
    members.done()
}

/// One decision.
pub(super) fn decision(decision: &Decision) -> Json {
    let mut members = Members::default();
    members.text("text", Some(&decision.text));
    members.text("by", decision.by.as_ref());
    members.maybe("at", decision.at.as_ref().map(|at| Json::text(at.as_str())));
    members.texts("about", &decision.about);
    members.word("kind", decision.kind.map(|word| word.name()));
    members.text("rule", decision.rule.as_ref());
    members.done()
}

/// One question.
pub(super) fn question(question: &Question) -> Json {
    let mut members = Members::default();
    members.text("text", Some(&question.text));
    members.texts("about", &question.about);
    members.text("owner", question.owner.as_ref());
    members.done()
}

/// A box: `[x, y]` or `[x, y, w, h]`.
pub(super) fn place(place: &Place) -> Json {
    let (w, h) = place.size.unzip();
    numbers([Some(place.x), Some(place.y), w, h].into_iter().flatten())
}

fn numbers(numbers: impl IntoIterator<Item = i32>) -> Json {
    Json::List(numbers.into_iter().map(|n| Json::Number(f64::from(n))).collect())
}

/// One note.
pub(super) fn note(note: &Note) -> Json {
    let mut members = Members::default();
    members.text("text", note.text.as_ref());
    members.maybe("box", note.place.as_ref().map(place));
    members.done()
}

fn layout(layout: &Layout) -> Json {
    let mut members = Members::default();
    members.map("boxes", &layout.boxes, place);
    members.map("routes", &layout.routes, |points| numbers(points.iter().copied()));
    members.map("colours", &layout.colours, |colour| Json::text(&**colour));
    members.ids("locked", &layout.locked);
    members.map("notes", &layout.notes, note);
    members.done()
}
