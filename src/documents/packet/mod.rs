//! `data_packet.json`: what the desks of a suite hand on to each other. This desk writes its own parts and keeps what the
//! others wrote.
//!
//! The shape is `public/schema/data_packet.schema.json`. Not here: what an incoming packet says is never read into a
//! design; it is only carried on.

mod facts;
mod merge;
mod own;
mod pipelines;
mod risks;
mod streams;

pub use merge::{PacketError, merge};
pub use own::own;

use crate::model::Json;

/// This desk, as it signs its entries.
pub const DESK: &str = "streaming-pipeline-desk";
/// The desk that comes next.
pub const NEXT: &str = "transformation-layer-desk";

/// The lists that several desks write to; entries of this desk carry its name.
pub(super) const SHARED: [&str; 9] = [
    "streams",
    "pipelines",
    "reconciliations",
    "data_risks",
    "source_facts",
    "decisions",
    "assumptions",
    "open_questions",
    "artifacts",
];

/// A member of an object.
pub(super) fn member(key: &str, value: impl Into<Json>) -> (String, Json) {
    (key.to_owned(), value.into())
}

/// An object that is signed by this desk.
pub(super) fn signed(members: Vec<(String, Json)>) -> Json {
    Json::Object(std::iter::once(member("desk", DESK)).chain(members).collect())
}

/// An object that belongs to an entry.
pub(super) const fn object(members: Vec<(String, Json)>) -> Json {
    Json::Object(members)
}

/// A text, or null where there is none.
pub(super) fn text_or_null(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::text)
}

/// The packet as a file: one entry a line, so that differences can be read.
#[must_use]
pub fn print(packet: &Json) -> String {
    let Json::Object(members) = packet else { return format!("{packet}\n") };
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!(" {}: {}", Json::text(key), lines(value))).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// A list with one entry a line, anything else in one line.
pub(super) fn lines(value: &Json) -> String {
    match value {
        Json::List(items) if !items.is_empty() => {
            let items: Vec<String> = items.iter().map(|item| format!("  {item}")).collect();
            format!("[\n{}\n ]", items.join(",\n"))
        }
        other => other.to_string(),
    }
}
