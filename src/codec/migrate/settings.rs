//! Settings that came with a version: a document of an earlier one that holds them was never legal.

use crate::{codec::error::DecodeError, model::Json};

/// The sections whose subjects hold settings.
const SECTIONS: [&str; 4] = ["elements", "links", "events", "clusters"];

/// Refuses a document that holds one of the settings that came with `version`.
pub(super) fn refuse(json: &Json, new: &[&str], version: u32) -> Result<(), DecodeError> {
    for section in SECTIONS {
        for (id, subject) in members(json.get(section)) {
            let at = format!("{section}.{id}");
            known(&format!("{at}.proposed"), subject.get("proposed"), new, version)?;
            for (evidence, facts) in members(subject.get("observed")) {
                known(&format!("{at}.observed.{evidence}"), Some(facts), new, version)?;
            }
        }
    }
    Ok(())
}

fn known(at: &str, facts: Option<&Json>, new: &[&str], version: u32) -> Result<(), DecodeError> {
    match members(facts).iter().find(|(name, _)| new.contains(&name.as_str())) {
        Some((name, _)) => Err(DecodeError::one(
            format!("{at}.{name}"),
            format!("is a setting of version {version} of the format; say \"version\": {version} to use it"),
        )),
        None => Ok(()),
    }
}

fn members(json: Option<&Json>) -> &[(String, Json)] {
    match json {
        Some(Json::Object(members)) => members,
        _ => &[],
    }
}
