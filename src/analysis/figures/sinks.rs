//! How a sink takes what is written to it, in a few words.

use super::map::Map;
use crate::model::{key, words::WriteMode};

/// `upsert on (store, window_start)`; several writers parted by semicolons; empty where nothing writes.
pub(super) fn write(map: &Map, sink: usize) -> String {
    let mut text = String::new();
    for wire in map.into(sink) {
        if !text.is_empty() {
            text.push_str("; ");
        }
        let Some(mode) = map.value(wire.at, key::store::WRITE_MODE) else {
            text.push_str("write mode not read");
            continue;
        };
        text.push_str(match mode {
            WriteMode::Append => "append",
            WriteMode::InsertIfAbsent => "insert if absent",
            WriteMode::Upsert => "upsert",
            WriteMode::Patch => "patch",
            WriteMode::Increment => "increment",
            WriteMode::ReplaceRange => "replace range",
            WriteMode::FileCommit => "file commit",
            WriteMode::Call => "call",
        });
        if let Some(columns) = map.value(wire.at, key::write::KEY).filter(|columns| !columns.0.is_empty()) {
            text.push_str(" on (");
            for (i, column) in columns.0.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                text.push_str(column);
            }
            text.push(')');
        }
    }
    text
}
