//! Untyped JSON of the current version to a [`Design`], strictly: every problem is noted with its path, and the part
//! that has it is left out.

pub(super) mod object;
pub(super) mod records;
mod references;
pub(super) mod subject;

use super::error::{Path, Problems};
use crate::model::{
    Design, Id, Json, Layout, Note, Place, Section, Subject,
    limits::{MAX_COORDINATE, MAX_ROUTE_POINTS, TextKind},
};
use crate::sorted::SortedMap;
use object::Object;

/// Reads a document; what is listed in the problems is not in the design.
pub(super) fn read(json: &Json) -> (Design, Problems) {
    let mut problems = Problems::default();
    let mut design = Design::default();
    if let Some(mut object) = Object::new(json, &Path::ROOT, &mut problems) {
        object.take("format");
        object.take("version");
        design.min_reader = min_reader(&mut object);
        design.name = object.text("name", TextKind::Name);
        design.question = object.text("question", TextKind::Long);
        read_sections(&mut object, &mut design);
        records::read(&mut object, &mut design.records);
        design.layout = object.take("layout").map(|json| layout(json, object.problems)).unwrap_or_default();
        object.finish("a design");
    }
    references::check(&mut design, &mut problems);
    (design, problems)
}

fn min_reader(object: &mut Object<'_, '_>) -> Option<u32> {
    let json = object.take("min_reader")?;
    match json.as_count().and_then(|n| u32::try_from(n).ok()) {
        Some(n) if n >= 1 => Some(n),
        _ => {
            object.refuse("min_reader", "needs a version of the format, 1 or more", None);
            None
        }
    }
}

fn read_sections(object: &mut Object<'_, '_>, design: &mut Design) {
    // Links come after elements: which settings a link has depends on its two ends.
    for section in [Section::Elements, Section::Links, Section::Events, Section::Clusters] {
        let members = object.members(section.name());
        for (key, json) in members {
            let Some(id) = object.key_id(section.name(), key) else { continue };
            let path = Path::ROOT;
            let (path_of_section, problems) = (path.at(section.name()), &mut *object.problems);
            let place = path_of_section.at(key);
            if let Some(subject) = subject::read(json, &place, section, &id, Some(design), problems) {
                design.section_mut(section).insert(id, subject);
            }
        }
    }
}

fn layout(json: &Json, problems: &mut Problems) -> Layout {
    let path = Path::ROOT;
    let path = path.at("layout");
    let mut layout = Layout::default();
    let Some(mut object) = Object::new(json, &path, problems) else { return layout };
    layout.boxes = map(&mut object, "boxes", place);
    layout.routes = map(&mut object, "routes", route);
    layout.colours = map(&mut object, "colours", |json| match json {
        Json::Text(text) => TextKind::Name.check(text),
        other => Err(format!("needs the name of a colour, not {}", other.kind())),
    });
    for (i, id) in object.ids("locked").into_iter().enumerate() {
        if !layout.locked.insert(id.clone()) {
            object.refuse(&format!("locked.{i}"), format!("{id} stands here twice"), None);
        }
    }
    for (key, json) in object.members("notes") {
        let Some(id) = object.key_id("notes", key) else { continue };
        let notes = path.at("notes");
        if let Some(note) = note(json, &notes.at(key), object.problems) {
            layout.notes.insert(id, note);
        }
    }
    object.finish("the layout");
    layout
}

/// One note.
pub(super) fn note(json: &Json, path: &Path<'_>, problems: &mut Problems) -> Option<Note> {
    let mut object = Object::new(json, path, problems)?;
    let text = object.text("text", TextKind::Long);
    let at = object.take("box").and_then(|json| place(json).map_err(|r| object.refuse("box", r, None)).ok());
    object.finish("a note");
    Some(Note { text, place: at })
}

fn map<T>(
    object: &mut Object<'_, '_>,
    name: &'static str,
    read: impl Fn(&Json) -> Result<T, String>,
) -> SortedMap<Id, T> {
    let mut map = SortedMap::new();
    for (key, json) in object.members(name) {
        let Some(id) = object.key_id(name, key) else { continue };
        match read(json) {
            Ok(value) => {
                map.insert(id, value);
            }
            Err(reason) => object.refuse(&format!("{name}.{key}"), reason, None),
        }
    }
    map
}

fn coordinates(json: &Json) -> Option<Vec<i32>> {
    let Json::List(items) = json else { return None };
    let whole = |json: &Json| match json {
        Json::Number(n) if n.fract() == 0.0 && n.abs() <= f64::from(MAX_COORDINATE) => Some(*n as i32),
        _ => None,
    };
    items.iter().map(whole).collect()
}

pub(super) fn place(json: &Json) -> Result<Place, String> {
    match coordinates(json).as_deref() {
        Some(&[x, y]) => Ok(Place { x, y, size: None }),
        Some(&[x, y, w, h]) if w > 0 && h > 0 => Ok(Place { x, y, size: Some((w, h)) }),
        _ => Err(format!(
            "needs [x, y] or [x, y, width, height] in whole numbers up to {MAX_COORDINATE}, the size above zero"
        )),
    }
}

pub(super) fn route(json: &Json) -> Result<Vec<i32>, String> {
    coordinates(json).filter(|points| crate::model::Layout::is_route(points)).ok_or_else(|| {
        format!("needs [x, y, x, y, …]: 1 to {MAX_ROUTE_POINTS} points in whole numbers up to {MAX_COORDINATE}")
    })
}
