//! The one listener for keys: finds the command of a press in the action table.

use super::{run::run, store::Desk};
use crate::{
    action::{Command, Match, Press, find},
    platform::device,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::JsCast;

/// Listens to the whole page.
pub fn listen(desk: Desk) {
    let pending: Rc<RefCell<Option<(Press, f64)>>> = Rc::default();
    let handle = window_event_listener(leptos::ev::keydown, move |event| {
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let press = press_of(&event);
        if matches!(press.key.as_str(), "Shift" | "Control" | "Alt" | "Meta") {
            return;
        }
        let target = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        if press.key == "Escape" && desk.panes.carried.get_untracked().is_some() {
            desk.panes.carried.set(None);
            event.prevent_default();
            return;
        }
        if let Some(command) = in_workshop(desk, target.as_ref(), &press) {
            event.prevent_default();
            run(desk, command);
            return;
        }
        if !counts(target.as_ref(), &press) || desk.panes.dialog.with_untracked(Option::is_some) {
            return;
        }
        // A sequence is forgotten after two seconds.
        let before = pending.borrow_mut().take().filter(|(_, at)| event.time_stamp() - at < 2000.0);
        let single = desk.panes.single_keys.get_untracked();
        let found = find(before.as_ref().map(|(press, _)| press), &press, on_canvas(target.as_ref()), single);
        match found {
            // The browser's own copy and paste events carry the text; they must come through.
            Match::Command(Command::Cut | Command::Copy | Command::Paste) | Match::Nothing => {}
            Match::Prefix => {
                *pending.borrow_mut() = Some((press, event.time_stamp()));
                event.prevent_default();
            }
            Match::Command(command) => {
                event.prevent_default();
                run(desk, command);
            }
        }
    });
    on_cleanup(move || handle.remove());
}

/// In the workshop view the arrows change the consumer and Escape leaves.
fn in_workshop(desk: Desk, target: Option<&web_sys::Element>, press: &Press) -> Option<Command> {
    let plain = !press.ctrl && !press.alt && !press.shift;
    if !desk.panes.workshop.get_untracked() || !plain || desk.panes.dialog.with_untracked(Option::is_some) {
        return None;
    }
    let own_keys =
        target.is_some_and(|el| el.closest("input, textarea, select, [role=radio], .popover").ok().flatten().is_some());
    match press.key.as_str() {
        "Escape" => Some(Command::Workshop),
        "ArrowRight" | "ArrowDown" if !own_keys => Some(Command::NextConsumer),
        "ArrowLeft" | "ArrowUp" if !own_keys => Some(Command::PreviousConsumer),
        _ => None,
    }
}

fn press_of(event: &KeyboardEvent) -> Press {
    Press {
        ctrl: event.ctrl_key() || event.meta_key(),
        shift: event.shift_key(),
        alt: event.alt_key(),
        key: event.key(),
        code: event.code(),
    }
}

/// Is the target a place where keys type text or work a control themselves?
fn counts(target: Option<&web_sys::Element>, press: &Press) -> bool {
    let Some(target) = target else { return true };
    let within = |selector: &str| target.closest(selector).ok().flatten().is_some();
    if device::takes_text(target) {
        return press.key == "F6" || (press.ctrl && matches!(press.key.to_ascii_lowercase().as_str(), "k" | "s"));
    }
    let works = matches!(press.key.as_str(), "Enter" | " ") || press.key.starts_with("Arrow");
    let plain = !press.ctrl && !press.alt;
    !(plain && works && within("button, input, a, summary, [role=tab], [role=radio], [role=menuitem]"))
}

/// Does the canvas have the keyboard, or nothing? The outline edits the same document.
fn on_canvas(target: Option<&web_sys::Element>) -> bool {
    target.is_none_or(|element| {
        element.tag_name() == "BODY" || element.closest("[data-pane=canvas], [role=tree]").ok().flatten().is_some()
    })
}
