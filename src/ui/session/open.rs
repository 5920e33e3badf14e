//! How a design comes in: from this device, a file, an example; and how it goes out as a file.

use super::{
    super::store::{Desk, Dialog, Kind, NewerFile, Saved},
    autosave, download, file_stem,
};
use crate::{
    codec,
    model::Design,
    platform::{clock, crash, files, frame, preferences, storage},
};
use leptos::{prelude::*, task::spawn_local};

/// Starts the session: the link in the address bar, else the design that was open last, else the start page.
pub fn begin(desk: Desk) {
    let crashed = crash::take_flag();
    crash::watch();
    spawn_local(async move {
        autosave::prepare(desk).await;
        autosave::follow(desk);
        super::link::follow(desk);
        if !super::link::open_from_address(desk) {
            last_open(desk, crashed).await;
        }
        desk.ready.set(true);
    });
}

/// Brings back the design that was open last, if there is one.
async fn last_open(desk: Desk, crashed: bool) {
    let Some(key) = preferences::get("open") else { return };
    let Some(storage) = autosave::storage_handle() else { return };
    if let Ok(Some(stored)) = storage.get(&key).await {
        bring_back(desk, &stored, crashed);
    }
}

fn bring_back(desk: Desk, stored: &storage::Stored, crashed: bool) {
    match codec::open(&stored.design) {
        Ok(codec::Opened { design, newer: Some(newer) }) => {
            autosave::leave(desk);
            super::link::show_newer(desk, design, NewerFile { newer, kept: true, from_file: true });
            autosave::hold(desk, Some(stored.key.clone()));
            super::link::to_read(desk);
        }
        Ok(codec::Opened { design, newer: None }) => {
            autosave::leave(desk);
            desk.open(design);
            desk.seen.set(stored.seen.as_str().into());
            let edits = desk.restore_history(&stored.history);
            desk.reading.set(false);
            desk.starting.set(false);
            desk.saved.set(Saved::OnDevice);
            autosave::hold(desk, Some(stored.key.clone()));
            show_whole(desk);
            if crashed {
                let text = format!("All {edits} edits are here, undo included.");
                desk.messages.say(Kind::Note, "Brought back after a crash", &text);
            }
        }
        Err(error) => {
            // The stored text is left as it is and offered as a file: nothing is lost by a fault of ours.
            let (name, text) = (format!("{}.design.json", stored.name), stored.design.clone());
            let save = super::super::store::NoticeAction {
                label: "Save it as a file",
                run: Callback::new(move |()| download(desk, &name, text.as_bytes(), "application/json")),
            };
            let text = format!("{error}. It stays on this device as it is.");
            desk.messages.offer(Kind::Error, "The stored design does not open", &text, vec![save]);
        }
    }
}

/// Opens a design of this device.
pub fn open_stored(desk: Desk, key: String) {
    spawn_local(async move {
        let Some(storage) = autosave::storage_handle() else { return };
        match storage.get(&key).await {
            Ok(Some(stored)) => bring_back(desk, &stored, false),
            Ok(None) => {
                desk.messages.say(Kind::Warning, "It is not there any more", "The design was removed from this device.")
            }
            Err(error) => desk.messages.say(Kind::Error, "It does not open", &format!("{error}.")),
        }
        desk.panes.dialog.set(None);
    });
}

/// Opens a design as a new one of this device and stores it.
pub fn start_design(desk: Desk, design: Design) {
    autosave::leave(desk);
    desk.open(design);
    desk.reading.set(false);
    desk.starting.set(false);
    desk.panes.documents.set(false);
    autosave::hold(desk, Some(storage::fresh_key()));
    autosave::write(desk);
    storage::ask_to_persist();
    show_whole(desk);
}

/// The canvas shows all of the drawing, once it is drawn: another design has nothing of the view of the last one.
pub fn show_whole(desk: Desk) {
    frame::after(move || desk.to_canvas(crate::action::Command::ZoomFit));
}

/// The start page, with nothing open; what was open stays on this device.
pub fn start_new(desk: Desk) {
    autosave::leave(desk);
    desk.open(Design::default());
    show_whole(desk);
    autosave::hold(desk, None);
    desk.reading.set(false);
    desk.saved.set(Saved::Nothing);
    desk.panes.documents.set(false);
    desk.starting.set(true);
}

/// Opens a built-in design.
pub fn open_built_in(desk: Desk, text: &str) {
    match codec::decode(text) {
        Ok(design) => start_design(desk, design),
        Err(error) => desk.messages.say(Kind::Error, "This design does not open", &format!("{error}.")),
    }
}

/// The name of what is open, for lists.
pub fn name_of(desk: Desk) -> String {
    let name = desk.design.with_untracked(|design| design.name.as_ref().map(ToString::to_string));
    name.unwrap_or_else(|| "Untitled pipeline".to_owned())
}

/// Asks for files and reads them.
pub fn choose_files(desk: Desk) {
    files::choose("", move |chosen| read_files(desk, chosen));
}

/// Reads files: a design opens, everything else goes to the import preview.
pub fn read_files(desk: Desk, chosen: Vec<web_sys::File>) {
    spawn_local(async move {
        let mut texts = Vec::new();
        for read in files::read(chosen).await {
            match read {
                Ok(file) => texts.push(file),
                Err(why) => desk.messages.say(Kind::Error, "A file was not read", &format!("{why}.")),
            }
        }
        let (designs, others): (Vec<_>, Vec<_>) = texts.into_iter().partition(|file| codec::is_design(&file.text));
        if let Some(file) = designs.first() {
            open_text(desk, &file.name, &file.text);
        }
        if designs.len() > 1 {
            let names: Vec<&str> = designs.iter().skip(1).map(|file| file.name.as_str()).collect();
            let text =
                format!("{} was not opened: one design is open at a time. Open it after this one.", names.join(", "));
            desk.messages.say(Kind::Warning, "Several designs at once", &text);
        }
        if !others.is_empty() {
            super::super::dialogs::import::add_files(desk, others);
            desk.panes.ask(Dialog::Import);
        }
    });
}

/// Opens a design file; a refusal says where and why, and what is open stays open.
pub fn open_text(desk: Desk, name: &str, text: &str) {
    match codec::open(text) {
        // What this version does not know would be lost by storing it: it is only shown.
        Ok(opened) if opened.newer.is_some() => super::link::show(desk, opened, true),
        Ok(opened) => start_design(desk, opened.design),
        Err(error) => {
            let text = format!("{name}: {error}. What is open stays as it is.");
            desk.messages.say(Kind::Error, "This file does not open", &text);
        }
    }
}

/// Keeps what is read on this device: a design to be edited, a document of a later version as it came.
pub fn keep(desk: Desk) {
    if let Some(file) = desk.newer.get_untracked() {
        if !file.kept {
            autosave::keep_newer(desk, &file);
        }
        return;
    }
    desk.reading.set(false);
    autosave::hold(desk, Some(storage::fresh_key()));
    autosave::write(desk);
    storage::ask_to_persist();
    crate::platform::address::clear_fragment();
}

/// Saves `design.json`; a document of a later version as it came, byte for byte.
pub fn save_file(desk: Desk) {
    let text = match desk.newer.get_untracked() {
        Some(file) => file.newer.original.clone(),
        None => desk.design.with_untracked(|design| codec::encode(design)),
    };
    download(desk, &format!("{}.design.json", file_stem(desk)), text.as_bytes(), "application/json");
    if let Some(day) = clock::today() {
        desk.messages.announce(&format!("Saved as a file, {day}"));
    }
}
