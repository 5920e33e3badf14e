//! Which design is open, where it is kept, and how it comes in and goes out.
//!
//! Every edit is written as soon as its frame is drawn, one write at a time; while one is under way the next state
//! waits. Where the device keeps nothing, the work stays in the tab, the person is told, and file and link are offered.

mod autosave;
mod link;
pub mod open;

pub use autosave::{forget, list, take_over};
pub use link::{make as make_link, open_link};
pub use open::{
    begin, choose_files, keep, open_built_in, open_stored, open_text, read_files, save_file, show_whole, start_design,
    start_new,
};

use super::store::{Desk, Kind};
use crate::platform::files;
use leptos::prelude::*;

/// The documents were looked at: what changes from here on is shown the next time.
pub fn documents_seen(desk: Desk) {
    let text = desk.design.with_untracked(|design| crate::codec::encode_compact(design));
    if *desk.seen.get_untracked() != *text {
        desk.seen.set(text.into());
        if !desk.reading.get_untracked() {
            autosave::write(desk);
        }
    }
}

/// Saves bytes as a download, or says why not.
pub fn download(desk: Desk, name: &str, bytes: &[u8], kind: &str) {
    if let Err(why) = files::save(name, bytes, kind) {
        desk.messages.say(Kind::Error, "Nothing was saved", &format!("{name}: {why}."));
    }
}

/// A name that every file system takes, from the name of the design.
pub fn file_stem(desk: Desk) -> String {
    let name = desk.design.with_untracked(|design| design.name.as_ref().map(ToString::to_string));
    let plain: String = name
        .unwrap_or_else(|| "pipeline".to_owned())
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let stem = plain.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if stem.is_empty() { "pipeline".to_owned() } else { stem }
}
