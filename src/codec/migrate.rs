//! Opening documents of other versions: one pure step from each version to the next, on untyped JSON.
//!
//! A new version adds one file with its step and a before and an after document, and one row in [`STEPS`]. A step
//! never repairs: what was illegal before stays illegal and is refused by the strict reader afterwards.

mod settings;
mod v2;
mod v3;

use super::error::DecodeError;
use crate::model::Json;

/// What the first key of every design says.
pub const FORMAT: &str = "streaming-pipeline";
/// The version that this program reads and writes.
pub const VERSION: u32 = 3;

/// A step from one version to the next.
type Step = fn(&mut Json) -> Result<(), DecodeError>;

/// Step `n` leads from version `n + 1` to `n + 2`.
const STEPS: &[Step] = &[v2::step, v3::step];

/// How a document's version stands to ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Age {
    /// Ours, perhaps after migration.
    Current,
    /// Written by a later program.
    Newer {
        /// The document's version.
        version: u32,
    },
}

/// Brings a document to the current version; a newer one is left as it is.
pub(crate) fn migrate(json: &mut Json) -> Result<Age, DecodeError> {
    migrate_with(STEPS, VERSION, json)
}

fn migrate_with(steps: &[Step], current: u32, json: &mut Json) -> Result<Age, DecodeError> {
    let version = version(json)?;
    if version > current {
        return Ok(Age::Newer { version });
    }
    for (from, step) in (1..).zip(steps).skip_while(|(from, _)| *from < version) {
        step(json)?;
        set_version(json, from + 1);
    }
    Ok(Age::Current)
}

fn version(json: &Json) -> Result<u32, DecodeError> {
    match json.get("format") {
        Some(format) if format.as_text() == Some(FORMAT) => {}
        Some(_) => return Err(DecodeError::one("format", format!("not a design: needs {FORMAT:?}"))),
        None => return Err(DecodeError::one("format", format!("not a design: \"format\": {FORMAT:?} is missing"))),
    }
    let version = json.get("version").ok_or_else(|| {
        DecodeError::one("version", "is missing; a design says which version of the format it is written in")
    })?;
    match version.as_count().and_then(|n| u32::try_from(n).ok()) {
        Some(n) if n >= 1 => Ok(n),
        _ => Err(DecodeError::one("version", format!("needs a whole number from 1 on, not {version}"))),
    }
}

fn set_version(json: &mut Json, to: u32) {
    if let Json::Object(members) = json {
        for (_, value) in members.iter_mut().filter(|(key, _)| key == "version") {
            *value = Json::Number(f64::from(to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(version: Json) -> Json {
        Json::Object(vec![("format".into(), Json::text(FORMAT)), ("version".into(), version)])
    }

    fn trace(json: &mut Json, name: &str) {
        if let Json::Object(members) = json {
            members.push((name.to_owned(), Json::Bool(true)));
        }
    }

    const TWO: &[Step] = &[
        |json| {
            trace(json, "first");
            Ok(())
        },
        |json| {
            trace(json, "second");
            Ok(())
        },
    ];

    #[test]
    fn steps_run_in_order_from_the_documents_version_on() {
        let mut json = document(Json::Number(1.0));
        assert_eq!(migrate_with(TWO, 3, &mut json), Ok(Age::Current));
        assert_eq!(json.to_string(), r#"{"format":"streaming-pipeline","version":3,"first":true,"second":true}"#);
        let mut json = document(Json::Number(2.0));
        assert_eq!(migrate_with(TWO, 3, &mut json), Ok(Age::Current));
        assert_eq!(json.to_string(), r#"{"format":"streaming-pipeline","version":3,"second":true}"#);
        let mut json = document(Json::Number(4.0));
        assert_eq!(migrate_with(TWO, 3, &mut json), Ok(Age::Newer { version: 4 }));
    }

    #[test]
    fn there_is_one_step_for_every_version_ever_shipped() {
        assert_eq!(STEPS.len(), VERSION as usize - 1);
    }

    #[test]
    fn versions_that_never_were_are_refused() {
        for version in [Json::Number(0.0), Json::Number(-1.0), Json::Number(1.5), Json::text("1"), Json::Null] {
            assert_eq!(migrate(&mut document(version)).unwrap_err().path, "version");
        }
        assert_eq!(migrate(&mut Json::Object(vec![])).unwrap_err().path, "format");
        let mut other = Json::Object(vec![("format".into(), Json::text("excalidraw"))]);
        assert_eq!(migrate(&mut other).unwrap_err().path, "format");
    }
}
