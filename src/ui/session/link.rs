//! Links: opened from the address bar or pasted; they open to read, and nothing is stored until a copy is kept.

use super::{
    super::store::{Desk, Kind, Saved},
    autosave,
};
use crate::{
    codec::{
        Opened,
        link::{self, Flavour, LinkError},
    },
    layout,
    model::Design,
    platform::address,
};
use leptos::prelude::*;

/// The fragment of a link to the design, without its `#`.
pub fn make(design: &Design, flavour: Flavour) -> String {
    let tidy = |design: &Design| layout::tidy(design, layout::DEFAULT_WIDTH);
    link::encode(design, flavour, &tidy).trim_start_matches('#').to_owned()
}

/// Opens what stands in the address bar, if it is a link; answers whether a design was opened.
pub fn open_from_address(desk: Desk) -> bool {
    let Some(fragment) = address::fragment() else { return false };
    let text = format!("#{fragment}");
    if !link::is_link(&text) {
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
        let text = format!("#{fragment}");
        if link::is_link(&text)
            && let Err(error) = open(desk, &text)
        {
            refuse(desk, &error);
        }
    });
}

/// Opens a pasted link; the error says what is wrong with it and what to do.
pub fn open_link(desk: Desk, text: &str) -> Result<(), String> {
    open(desk, text).map_err(|error| format!("{error}."))
}

fn open(desk: Desk, text: &str) -> Result<(), LinkError> {
    show(desk, link::decode(text)?);
    Ok(())
}

/// Shows a design that lies nowhere on this device: it is read, and stored only when a copy is kept.
pub fn show(desk: Desk, opened: Opened) {
    desk.open(opened.design);
    autosave::hold_nothing();
    desk.reading.set(true);
    desk.saved.set(Saved::Reading);
    desk.panes.documents.set(false);
    desk.panes.drawer.set(false);
    desk.starting.set(false);
    if let Some(newer) = opened.newer {
        let text = format!(
            "Opened to read. {} unknown here and not shown; a copy kept here would be without it.",
            match newer.unknown_count {
                1 => "1 setting is".to_owned(),
                count => format!("{count} settings are"),
            }
        );
        desk.messages.say(Kind::Warning, "Made with a newer version", &text);
    }
}

fn refuse(desk: Desk, error: &LinkError) {
    let title = match error {
        LinkError::CutShort { .. } => "The link is cut short",
        LinkError::Damaged => "The link is damaged",
        LinkError::NewerCodec(_) | LinkError::NewerDictionary(_) => "Made with a newer version",
        LinkError::TooLarge => "The link is too large",
        LinkError::NotOurs => "This is no link to a design",
        LinkError::Document(_) => "The design in the link does not open",
    };
    let text = error.to_string();
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    desk.messages.say(Kind::Warning, title, &format!("{first}{}.", chars.as_str()));
}
