//! The history of a design as text, so that undo survives a reload.
//!
//! Settings are named with their group here (`channel.partitions`), because an edit may hold a link whose ends are not
//! in the design at that moment. What comes in is checked as strictly as a document; whether an edit fits the design is
//! seen when it is applied.

use super::{
    error::{DecodeError, Path, Problems},
    parse::{Bounds, parse},
    read::{note, object::Object, place, route, subject},
    record, write,
};
use crate::{
    edit::{
        Edit, History, Label,
        history::{Entry, MAX_ENTRIES},
    },
    model::{Field, Id, Json, Lifecycle, RawValue, Section, Slot, limits::TextKind},
};
use std::collections::VecDeque;

/// The form of this text; another number is refused, and a fresh history begun.
const FORM: f64 = 1.0;
/// A history may hold every subject of a large design several times.
const BOUNDS: Bounds = Bounds { bytes: 16 << 20, depth: 12 };

const SECTIONS: [Section; 4] = [Section::Elements, Section::Links, Section::Events, Section::Clusters];
const LABELS: [(Label, &str); 6] = [
    (Label::Name, "name"),
    (Label::Note, "note"),
    (Label::Owner, "owner"),
    (Label::System, "system"),
    (Label::Cluster, "cluster"),
    (Label::Question, "question"),
];

impl History {
    /// The text form.
    #[must_use]
    pub fn to_json(&self) -> String {
        let entries = |entries: &mut dyn Iterator<Item = &Entry>| Json::List(entries.map(entry).collect());
        Json::Object(vec![
            ("history".to_owned(), Json::Number(FORM)),
            ("undo".to_owned(), entries(&mut self.undo.iter())),
            ("redo".to_owned(), entries(&mut self.redo.iter())),
        ])
        .to_string()
    }

    /// Reads the text form; the first thing that is wrong is named with its path.
    pub fn from_json(text: &str) -> Result<Self, DecodeError> {
        let json = parse(text, BOUNDS)?;
        if json.get("history") != Some(&Json::Number(FORM)) {
            return Err(DecodeError::one("history", "is not of the form that this program writes"));
        }
        let mut problems = Problems::default();
        let mut history = Self::default();
        if let Some(mut object) = Object::new(&json, &Path::ROOT, &mut problems) {
            object.take("history");
            let undo = object.take("undo");
            history.undo = read_entries(undo, "undo", object.problems);
            let redo = object.take("redo");
            history.redo = read_entries(redo, "redo", object.problems).into();
            object.finish("a history");
        }
        match problems.into_error() {
            None => Ok(history),
            Some(error) => Err(error),
        }
    }
}

fn entry(entry: &Entry) -> Json {
    let edits = match &entry.edit {
        Edit::All(edits) => Json::List(edits.iter().map(edit).collect()),
        one => Json::List(vec![edit(one)]),
    };
    let mut members = vec![("label".to_owned(), Json::text(&entry.label))];
    if let Some(key) = &entry.key {
        members.push(("key".to_owned(), Json::text(key)));
    }
    members.push(("edits".to_owned(), edits));
    Json::Object(members)
}

/// One edit: what it does, on what, and the new value where there is one.
fn edit(edit: &Edit) -> Json {
    let mut members: Vec<(&str, Json)> = Vec::new();
    let id = |id: &Id| Json::text(id.as_str());
    let (kind, to) = match edit {
        Edit::All(edits) => ("all", Some(Json::List(edits.iter().map(self::edit).collect()))),
        Edit::Subject { section, id: own, to } => {
            members.extend([("in", Json::text(section.name())), ("id", id(own))]);
            ("subject", to.as_ref().map(|subject| write::subject_named(subject, Field::qualified)))
        }
        Edit::Set { subject, slot, field, value } => {
            members.push(("id", id(subject)));
            if let Slot::Observed(evidence) = slot {
                members.push(("under", id(evidence)));
            }
            members.push(("field", Json::text(field.qualified())));
            ("set", value.as_ref().map(|value| value.written()))
        }
        Edit::Raw { subject, evidence, key, value } => {
            members.extend([("id", id(subject)), ("under", id(evidence)), ("key", Json::text(&**key))]);
            ("raw", value.as_ref().map(RawValue::written))
        }
        Edit::Label { subject, label, to } => {
            let name = LABELS.iter().find(|(l, _)| l == label).map_or("", |(_, name)| name);
            members.extend([("id", id(subject)), ("label", Json::text(name))]);
            ("label", to.as_deref().map(Json::text))
        }
        Edit::Lifecycle { subject, to } => {
            members.push(("id", id(subject)));
            ("lifecycle", to.map(|word| Json::text(word.name())))
        }
        Edit::Title(to) => ("title", to.as_deref().map(Json::text)),
        Edit::Question(to) => ("question", to.as_deref().map(Json::text)),
        Edit::Record(record) => {
            members.push(("id", id(record.id())));
            let (section, to) = record::write(record);
            members.push(("in", Json::text(section)));
            ("record", to)
        }
        Edit::Place { element, to } => {
            members.push(("id", id(element)));
            ("place", to.as_ref().map(write::place))
        }
        Edit::Route { link, to } => {
            members.push(("id", id(link)));
            let points = |to: &Vec<i32>| Json::List(to.iter().map(|n| Json::Number(f64::from(*n))).collect());
            ("route", to.as_ref().map(points))
        }
        Edit::Colour { element, to } => {
            members.push(("id", id(element)));
            ("colour", to.as_deref().map(Json::text))
        }
        Edit::Lock { element, to } => {
            members.push(("id", id(element)));
            ("lock", Some(Json::Bool(*to)))
        }
        Edit::Note { id: own, to } => {
            members.push(("id", id(own)));
            ("note", to.as_ref().map(write::note))
        }
    };
    let all = std::iter::once(("do", Json::text(kind))).chain(members).chain(to.map(|to| ("to", to)));
    Json::Object(all.map(|(key, value)| (key.to_owned(), value)).collect())
}

fn read_entries(json: Option<&Json>, name: &str, problems: &mut Problems) -> VecDeque<Entry> {
    let path = Path::ROOT;
    let path = path.at(name);
    let Some(Json::List(items)) = json else {
        problems.push(&path, "needs a list of steps", None);
        return VecDeque::new();
    };
    if items.len() > MAX_ENTRIES {
        problems.push(&path, format!("holds more than {MAX_ENTRIES} steps"), None);
        return VecDeque::new();
    }
    items.iter().enumerate().filter_map(|(i, json)| read_entry(json, &path.at(&i.to_string()), problems)).collect()
}

fn read_entry(json: &Json, path: &Path<'_>, problems: &mut Problems) -> Option<Entry> {
    let mut object = Object::new(json, path, problems)?;
    let label = object.take("label").and_then(Json::as_text);
    if label.is_none() {
        object.missing("label", "a step says what was done");
    }
    let key = object.take("key").and_then(Json::as_text).map(str::to_owned);
    let list = match object.take("edits") {
        Some(Json::List(items)) => items.as_slice(),
        _ => {
            object.missing("edits", "a step is a list of edits");
            &[]
        }
    };
    let edits_path = path.at("edits");
    let mut edits = Vec::with_capacity(list.len());
    for (i, json) in list.iter().enumerate() {
        edits.push(read_edit(json, &edits_path.at(&i.to_string()), object.problems)?);
    }
    object.finish("a step");
    let edit = match <[Edit; 1]>::try_from(edits) {
        Ok([one]) => one,
        Err(several) => Edit::All(several),
    };
    Some(Entry { label: label?.to_string(), edit, key })
}

fn read_edit(json: &Json, path: &Path<'_>, problems: &mut Problems) -> Option<Edit> {
    let mut object = Object::new(json, path, problems)?;
    let before = object.problems.len();
    let edit = read_kind(&mut object, path);
    if edit.is_none() && object.problems.len() == before {
        object.refuse("do", "is no edit that this program knows, or part of it is missing", None);
    }
    object.finish("an edit");
    edit
}

fn read_kind(object: &mut Object<'_, '_>, path: &Path<'_>) -> Option<Edit> {
    let kind = object.take("do")?.as_text()?;
    let place_of_value = path.at("to");
    match kind {
        "title" => return Some(Edit::Title(object.text("to", TextKind::Name))),
        "question" => return Some(Edit::Question(object.text("to", TextKind::Long))),
        "all" => {
            let Json::List(items) = object.take("to")? else { return None };
            let one = |(i, json): (usize, &Json)| read_edit(json, &place_of_value.at(&i.to_string()), object.problems);
            return items.iter().enumerate().map(one).collect::<Option<_>>().map(Edit::All);
        }
        _ => {}
    }
    let id = object.id("id")?;
    Some(match kind {
        "subject" => {
            let section = object.word("in", &SECTIONS, Section::name)?;
            let json = object.take("to");
            let to = match json {
                Some(json) => {
                    Some(Box::new(subject::read(json, &place_of_value, section, &id, None, object.problems)?))
                }
                None => None,
            };
            Edit::Subject { section, id, to }
        }
        "set" => {
            let slot = object.id("under").map_or(Slot::Proposed, Slot::Observed);
            let field = Field::of_qualified(object.take("field")?.as_text()?)?;
            let read = object.take("to").map(|json| field.read(json)).transpose();
            let value = read.map_err(|refusal| object.refuse("to", refusal.reason, refusal.suggestion)).ok()?;
            Edit::Set { subject: id, slot, field, value }
        }
        "raw" => {
            let (evidence, key) = (object.id("under")?, object.text("key", TextKind::Setting)?);
            let read = object.take("to").map(RawValue::read).transpose();
            let value = read.map_err(|reason| object.refuse("to", reason, None)).ok()?;
            Edit::Raw { subject: id, evidence, key, value }
        }
        "label" => {
            let name = object.take("label")?.as_text()?;
            let label = LABELS.iter().find(|(_, n)| *n == name)?.0;
            Edit::Label { subject: id, label, to: object.text("to", TextKind::Long) }
        }
        "lifecycle" => {
            let all = [Lifecycle::Planned, Lifecycle::Existing, Lifecycle::Retiring];
            Edit::Lifecycle { subject: id, to: object.word("to", &all, Lifecycle::name) }
        }
        "record" => Edit::Record(record::read(object, &place_of_value, id)?),
        "place" => Edit::Place { element: id, to: read_value(object, place)? },
        "route" => Edit::Route { link: id, to: read_value(object, route)? },
        "colour" => Edit::Colour { element: id, to: object.text("to", TextKind::Name) },
        "lock" => Edit::Lock { element: id, to: *object.take("to")? == Json::Bool(true) },
        "note" => {
            let to = match object.take("to") {
                Some(json) => Some(note(json, &place_of_value, object.problems)?),
                None => None,
            };
            Edit::Note { id, to }
        }
        _ => return None,
    })
}

fn read_value<T>(object: &mut Object<'_, '_>, read: fn(&Json) -> Result<T, String>) -> Option<Option<T>> {
    let value = object.take("to").map(read).transpose();
    value.map_err(|reason| object.refuse("to", reason, None)).ok()
}
