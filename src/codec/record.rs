//! One record by itself: in a step of the history, and on a form.

use super::{
    error::{DecodeError, Path, Problems},
    read::{object::Object, records},
    write as form,
};
use crate::{
    edit::Record,
    model::{Id, Json},
};

/// A record as JSON, as the document holds it; `None` for a removal.
#[must_use]
pub fn encode_record(record: &Record) -> Option<Json> {
    write(record).1
}

/// A record of a section such as `decisions`, checked as strictly as in a document; a refusal names the field.
pub fn decode_record(section: &str, id: &Id, json: &Json) -> Result<Record, DecodeError> {
    let whole = Json::Object(vec![("in".to_owned(), Json::text(section)), ("to".to_owned(), json.clone())]);
    let mut problems = Problems::default();
    let read = Object::new(&whole, &Path::ROOT, &mut problems).and_then(|mut o| read(&mut o, &Path::ROOT, id.clone()));
    match (problems.into_error(), read) {
        (None, Some(record)) => Ok(record),
        (Some(error), _) => Err(error),
        (None, None) => Err(DecodeError::one("", "is no record that this program knows")),
    }
}

/// The section that a record stands in, and its JSON; nothing where it is removed.
pub(super) fn write(record: &Record) -> (&'static str, Option<Json>) {
    match record {
        Record::Evidence(_, to) => ("evidence", to.as_ref().map(form::evidence)),
        Record::Action(_, to) => ("actions", to.as_ref().map(form::action)),
        Record::Approval(_, to) => ("approvals", to.as_ref().map(form::approval)),
        Record::Decision(_, to) => ("decisions", to.as_ref().map(form::decision)),
        Record::Question(_, to) => ("questions", to.as_ref().map(form::question)),
    }
}

/// A record of the section `in` from the value `to`; without one it is removed.
pub(super) fn read(object: &mut Object<'_, '_>, path: &Path<'_>, id: Id) -> Option<Record> {
    let section = object.take("in")?.as_text()?;
    let json = object.take("to");
    let problems = &mut *object.problems;
    macro_rules! record {
        ($variant:ident, $what:literal, $read:path) => {
            Record::$variant(
                id,
                match json {
                    Some(json) => Some(records::one(json, path, problems, $what, &$read)?),
                    None => None,
                },
            )
        };
    }
    Some(match section {
        "evidence" => record!(Evidence, "an evidence entry", records::evidence),
        "actions" => record!(Action, "an action", records::action),
        "approvals" => record!(Approval, "an approval", records::approval),
        "decisions" => record!(Decision, "a decision", records::decision),
        "questions" => record!(Question, "a question", records::question),
        _ => return None,
    })
}
