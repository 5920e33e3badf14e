//! Links: opened from the address bar or pasted; they open to read, and nothing is stored until a copy is kept.

use super::{
    super::store::{Desk, Kind, NewerFile, Saved},
    autosave,
};
use crate::{
    codec::{
        Opened,
        link::{self, Flavour, LinkError},
    },
    layout,
    model::{Design, capital, counted_as, ended},
    platform::{address, device},
};
use leptos::prelude::*;
use std::fmt::Display;

/// The fragment of a link to what is open, with or without the names of owners, without its `#`. Tracks. A document of a later version goes as it came.
pub fn make(desk: Desk, flavour: Flavour, names: bool) -> String {
    match desk.newer.get() {
        Some(file) => link::encode_text(&file.newer.original).trim_start_matches('#').to_owned(),
        None if names => desk.design.with(|design| of_design(design, flavour)),
        None => desk.design.with(|design| of_design(&link::without_names(design), flavour)),
    }
}

fn of_design(design: &Design, flavour: Flavour) -> String {
    let tidy = |design: &Design| layout::tidy(design, layout::DEFAULT_WIDTH);
    link::encode(design, flavour, &tidy).trim_start_matches('#').to_owned()
}

/// Opens what stands in the address bar, if it is a link; answers whether a design was opened.
pub fn open_from_address(desk: Desk) -> bool {
    let Some(fragment) = address::fragment() else { return false };
    let text = format!("#{fragment}");
    if device::is_place(&fragment) {
        return false;
    }
    match open(desk, &text) {
        Ok(()) => true,
        Err(error) => {
            refuse(desk, &error);
            address::clear_fragment();
            false
        }
    }
}

/// From now on a link put into the address bar of the open page is opened.
pub fn follow(desk: Desk) {
    address::on_fragment(move |fragment| {
        if !device::is_place(&fragment)
            && let Err(error) = open(desk, &format!("#{fragment}"))
        {
            refuse(desk, &error);
            address::clear_fragment();
        }
    });
}

/// Opens a pasted link; the error says what is wrong with it and what to do.
pub fn open_link(desk: Desk, text: &str) -> Result<(), String> {
    open(desk, text).map_err(|error| format!("{error}."))
}

fn open(desk: Desk, text: &str) -> Result<(), LinkError> {
    let opened = link::decode(text)?;
    let to_edit = opened.newer.is_none() && link::asks_to_edit(text);
    show(desk, opened, false);
    if to_edit {
        super::open::keep(desk);
    }
    Ok(())
}

/// Shows a design that lies nowhere on this device: it is read, and stored only when a copy is kept.
pub fn show(desk: Desk, opened: Opened, from_file: bool) {
    autosave::leave(desk);
    match opened.newer {
        None => desk.open(opened.design),
        Some(newer) => show_newer(desk, opened.design, NewerFile { newer, kept: false, from_file }),
    }
    autosave::hold_nothing();
    to_read(desk);
}

/// From now on what is open is only read.
pub fn to_read(desk: Desk) {
    desk.reading.set(true);
    desk.saved.set(Saved::Reading);
    desk.panes.documents.set(false);
    desk.panes.drawer.set(false);
    desk.starting.set(false);
    super::open::show_whole(desk);
}

/// Shows a document of a later version, and says what that means.
pub fn show_newer(desk: Desk, design: Design, file: NewerFile) {
    let verdicts = if file.newer.verdicts { "" } else { " No verdict is worked out here: only a later version may." };
    let (one, many) =
        ("setting is unknown here and kept as it came", "settings are unknown here and kept as they came");
    let unknown = match file.newer.unknown_count {
        0 => String::new(),
        count => format!(" {}.", counted_as(count as u64, one, many)),
    };
    let text = format!(
        "It needs a newer desk to be edited: reload this page to get it. It is opened to read and nothing was changed, neither in it nor in what was open before.{unknown}{verdicts}"
    );
    desk.open_newer(design, file);
    desk.messages.say(Kind::Warning, "Made with a newer version", &text);
}

fn refuse(desk: Desk, error: &LinkError) {
    let again = "Copy it again whole, or ask for the file.";
    let (title, text) = match error {
        LinkError::CutShort { have, of } => {
            ("The link is cut short", format!("{have} of {of} characters arrived. {again}"))
        }
        LinkError::Damaged => ("The link is damaged", format!("Its checksum does not fit. {again}")),
        LinkError::NewerCodec(codec) => ("Made with a newer version", newer("codec", codec)),
        LinkError::NewerDictionary(dictionary) => ("Made with a newer version", newer("dictionary", dictionary)),
        LinkError::TooLarge => ("The link is too large", "It unpacks to more than a design may hold.".to_owned()),
        LinkError::NotOurs => (
            "This is no link to a design",
            format!(
                "A whole one has #d, two numbers, a checksum and data, parted by points. {again} What is open stays as it is."
            ),
        ),
        LinkError::Document(error) => ("The design in the link does not open", ended(&capital(&error.to_string()))),
    };
    desk.messages.say(Kind::Warning, title, &text);
}

fn newer(part: &str, number: &impl Display) -> String {
    format!(
        "It is packed with {part} {number}, which this program does not know. Reload the page to get the newest one."
    )
}
