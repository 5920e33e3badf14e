//! Copy, cut and paste: a part of the design as text, which also another tab or a text file takes.

use super::{
    session,
    store::{Desk, Dialog, Kind, NoticeAction},
};
use crate::{
    action::Command,
    codec,
    model::Id,
    platform::{clipboard, device},
};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;

/// How far a pasted part stands from where it was copied.
const STEP: i32 = 40;

/// Listens to the browser's own copy, cut and paste, which carry the text without asking for a permission.
pub fn listen(desk: Desk) {
    let copied = move |cut: bool| {
        move |event: web_sys::Event| {
            let Ok(event) = event.dyn_into::<web_sys::ClipboardEvent>() else { return };
            if typing() || desk.panes.dialog.with_untracked(Option::is_some) {
                return;
            }
            if let Some(text) = part(desk) {
                clipboard::copied(&event, &text);
                after(desk, cut);
            }
        }
    };
    let Some(document) = web_sys::window().and_then(|w| w.document()) else { return };
    crate::platform::listen(&document, "copy", copied(false));
    crate::platform::listen(&document, "cut", copied(true));
    crate::platform::listen(&document, "paste", move |event| {
        let Ok(event) = event.dyn_into::<web_sys::ClipboardEvent>() else { return };
        if typing() || desk.panes.dialog.with_untracked(Option::is_some) {
            return;
        }
        if let Some(text) = clipboard::pasted(&event) {
            event.prevent_default();
            take(desk, &text);
        }
    });
}

/// Is a field being typed in, or text selected that the browser should copy?
fn typing() -> bool {
    device::focused().is_some_and(|element| device::takes_text(&element))
}

/// Copies the selection by command.
pub fn copy(desk: Desk, cut: bool) {
    let Some(text) = part(desk) else { return };
    spawn_local(async move {
        match clipboard::write(&text).await {
            Ok(()) => after(desk, cut),
            Err(why) => desk.messages.say(Kind::Warning, "Not copied", &format!("{why}.")),
        }
    });
}

/// Pastes by command.
pub fn paste(desk: Desk) {
    spawn_local(async move {
        match clipboard::read().await {
            Ok(text) => take(desk, &text),
            Err(why) => desk.messages.say(Kind::Warning, "Not pasted", &format!("{why}. Ctrl V works without it.")),
        }
    });
}

fn part(desk: Desk) -> Option<String> {
    let selection = desk.selection.get_untracked();
    if selection.is_empty() {
        return None;
    }
    Some(desk.design.with_untracked(|design| codec::encode(&design.part(&selection))))
}

fn after(desk: Desk, cut: bool) {
    if cut {
        let ids: Vec<Id> = desk.selection.with_untracked(|s| s.iter().cloned().collect());
        desk.draft("Cut", |draft| draft.delete(&ids, false));
    }
    desk.messages.announce(if cut { "Cut" } else { "Copied" });
}

/// Puts a pasted part of a design on the canvas; any other text goes to the import preview.
fn take(desk: Desk, text: &str) {
    if !codec::is_design(text) {
        super::dialogs::import::add_text(desk, text);
        desk.panes.ask(Dialog::Import);
        return;
    }
    if let Ok(codec::Opened { newer: Some(newer), .. }) = codec::open(text) {
        return refuse_newer(desk, &newer);
    }
    match codec::decode(text) {
        Ok(part) => {
            let ids = desk.draft("Paste", |draft| {
                let facts = draft.design().pasted(&part);
                draft.insert(&part, (STEP, STEP), facts)
            });
            if let Some(ids) = ids {
                desk.starting.set(false);
                let first = ids.first().cloned();
                desk.select(ids);
                // In another design the place that it was copied from may be out of sight.
                request_animation_frame(move || {
                    let shown = first.map(|id| format!("[data-element-id=\"{id}\"]")).unwrap_or_default();
                    if device::is_outside(&shown, "[data-pane=canvas]") {
                        desk.to_canvas(Command::ZoomSelection);
                    }
                });
            }
        }
        Err(error) => desk.messages.say(Kind::Error, "Not pasted", &format!("{error}. Nothing was changed.")),
    }
}

/// A part of a later version cannot come into a design of this one: what is unknown here would be lost.
fn refuse_newer(desk: Desk, newer: &codec::Newer) {
    let text = format!(
        "It is written in version {} of the format; this desk knows {} and earlier ones. Nothing was changed. Reload the page to get the newest desk, or look at it alone.",
        newer.version,
        codec::VERSION,
    );
    let original = newer.original.clone();
    let look = NoticeAction {
        label: "Open to read",
        run: Callback::new(move |()| session::open_text(desk, "The pasted design", &original)),
    };
    desk.messages.offer(Kind::Warning, "Not pasted: it needs a newer desk", &text, vec![look]);
}
