//! One element, link, event type or cluster.

use super::{Id, Json, Object, Path, Problems, Section};
use crate::model::{
    ChannelRole, Design, Element, ElementKind, Environment, Facts, Field, Group, Input, Lifecycle, Link, Port,
    RawValue, Shape, Step, Subject, Text, TrustZone,
    limits::{TextKind, nearest},
};
use crate::sorted::SortedMap;

/// Reads a subject; nothing where it has no usable shape. Without a design, settings are named with their group and
/// nothing is known of what the subject refers to.
pub(in crate::codec) fn read(
    json: &Json,
    path: &Path<'_>,
    section: Section,
    id: &Id,
    design: Option<&Design>,
    problems: &mut Problems,
) -> Option<Subject> {
    let mut object = Object::new(json, path, problems)?;
    let shape = match section {
        Section::Elements => Shape::Element(element(&mut object)?),
        Section::Links => Shape::Link(link(&mut object)?),
        Section::Events => Shape::Event,
        Section::Clusters => Shape::Cluster {
            environment: object.word("environment", Environment::ALL, Environment::name),
            trust_zone: object.word("trust_zone", TrustZone::ALL, TrustZone::name),
        },
    };
    let mut subject = Subject::new(shape);
    // Without its ends nobody can say which settings a link may have.
    if let (Section::Links, Some(design)) = (section, design)
        && let Some(fault) = design.broken_references(&subject).into_iter().next()
    {
        object.refuse(&fault.path, fault.reason, None);
        return None;
    }
    subject.name = object.text("name", TextKind::Name);
    subject.owner = object.text("owner", TextKind::Name);
    subject.note = object.text("note", TextKind::Long);
    if subject.shape.takes_system() {
        subject.system = object.text("system", TextKind::System);
    }
    if subject.shape.takes_cluster() {
        subject.cluster = object.id("cluster");
    }
    let lifecycles = [Lifecycle::Planned, Lifecycle::Existing, Lifecycle::Retiring];
    subject.lifecycle = object.word("lifecycle", &lifecycles, Lifecycle::name);
    let what = design.map_or_else(|| "a subject".to_owned(), |design| design.what(&subject));
    let settings = Settings { groups: design.map(|design| design.groups(&subject)), what: &what };
    for (key, json) in object.members("observed") {
        let Some(evidence) = object.key_id("observed", key) else { continue };
        let slot = path.at("observed");
        subject.observed.insert(evidence, settings.read(json, &slot.at(key), object.problems));
    }
    if let Some(json) = object.take("proposed") {
        subject.proposed = settings.read(json, &path.at("proposed"), object.problems);
    }
    for (key, json) in object.members("raw") {
        let Some(evidence) = object.key_id("raw", key) else { continue };
        let slot = path.at("raw");
        subject.raw.insert(evidence, raw(json, &slot.at(key), object.problems));
    }
    object.finish(&what);
    subject.normalise(id);
    Some(subject)
}

fn element(object: &mut Object<'_, '_>) -> Option<Element> {
    let Some(kind) = object.word("kind", &ElementKind::ALL, ElementKind::name) else {
        if object.take("kind").is_none() {
            let names = ElementKind::ALL.map(ElementKind::name).join(", ");
            object.missing("kind", &format!("an element is one of {names}"));
        }
        return None;
    };
    Some(match kind {
        ElementKind::Source => Element::Source { event: object.id("event") },
        ElementKind::Channel => Element::Channel { role: object.word("role", ChannelRole::ALL, ChannelRole::name) },
        ElementKind::Job => Element::Job,
        ElementKind::Operator => {
            let (job, step) = (object.id("job"), object.word("step", Step::ALL, Step::name));
            if object.take("job").is_none() {
                object.missing("job", "an operator stands in a job");
            }
            if object.take("step").is_none() {
                let names: Vec<_> = Step::ALL.iter().map(|step| step.name()).collect();
                object.missing("step", &format!("an operator does one of {}", names.join(", ")));
            }
            let emits = object.id("emits");
            Element::Operator { job: job?, step: step?, emits }
        }
        ElementKind::Sink => Element::Sink,
        ElementKind::Consumer => Element::Consumer { question: object.text("question", TextKind::Long) },
        ElementKind::Batch => Element::Batch,
    })
}

fn link(object: &mut Object<'_, '_>) -> Option<Link> {
    let (from, to) = (object.id("from"), object.id("to"));
    for end in ["from", "to"] {
        if object.take(end).is_none() {
            object.missing(end, "a link has two ends");
        }
    }
    let port = object.word("port", Port::ALL, Port::name);
    let into = object.word("into", Input::ALL, Input::name);
    Some(Link { from: from?, to: to?, port, into })
}

/// The settings that are legal on one subject.
struct Settings<'a> {
    groups: Option<Vec<Group>>,
    what: &'a str,
}

impl Settings<'_> {
    fn read(&self, json: &Json, path: &Path<'_>, problems: &mut Problems) -> Facts {
        let mut facts = Facts::default();
        let Json::Object(members) = json else {
            problems.push(path, format!("needs settings in braces, not {}", json.kind()), None);
            return facts;
        };
        for (key, json) in members {
            let Some(field) = self.field(key) else {
                let (reason, suggestion) = if problems.has_room() { self.unknown(key) } else { Default::default() };
                problems.push(&path.at(key), reason, suggestion);
                continue;
            };
            match field.read(json) {
                Ok(value) => {
                    facts.set(field, Some(value));
                }
                Err(refusal) if refusal.inside.is_empty() => {
                    problems.push(&path.at(key), refusal.reason, refusal.suggestion);
                }
                Err(refusal) => problems.push(&path.at(key).at(&refusal.inside), refusal.reason, refusal.suggestion),
            }
        }
        facts
    }

    fn field(&self, key: &str) -> Option<Field> {
        match &self.groups {
            Some(groups) => groups.iter().find_map(|group| group.field(key)),
            None => Field::of_qualified(key),
        }
    }

    fn unknown(&self, key: &str) -> (String, Option<String>) {
        let legal = self.groups.iter().flatten().flat_map(|group| group.rows()).map(|row| row.name);
        let elsewhere: Vec<_> =
            Group::ALL.into_iter().filter(|group| group.field(key).is_some()).map(Group::with_article).collect();
        if elsewhere.is_empty() {
            let suggestion = nearest(key, legal).map(str::to_owned);
            return (format!("{} has no setting of this name", self.what), suggestion);
        }
        (format!("{} has no such setting; it belongs to {}", self.what, elsewhere.join(" or ")), None)
    }
}

fn raw(json: &Json, path: &Path<'_>, problems: &mut Problems) -> SortedMap<Text, RawValue> {
    let mut values = SortedMap::new();
    let Json::Object(members) = json else {
        problems.push(path, format!("needs product keys in braces, not {}", json.kind()), None);
        return values;
    };
    for (key, json) in members {
        match TextKind::Setting.check(key).and_then(|key| Ok((key, RawValue::read(json)?))) {
            Ok((key, value)) => {
                values.insert(key, value);
            }
            Err(reason) => problems.push(&path.at(key), reason, None),
        }
    }
    values
}
