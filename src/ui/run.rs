//! What each command of the shell does; the canvas carries out its own.

use super::{
    dialogs::reference,
    session,
    store::{Desk, Dialog, Kind, Show, Tab},
};
use crate::{
    action::{Command, Runner},
    documents::reference::Part,
    model::Id,
    platform::{device, preferences},
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Carries a command out; where it cannot be used now, says why.
pub fn run(desk: Desk, command: Command) {
    let context = desk.context.get_untracked();
    if let Err(why) = command.enabled(&context) {
        // Where nothing can be changed at all, somebody who presses a key has to see why.
        if context.reading == Some(why) {
            desk.tell_reading();
        } else {
            desk.messages.announce(why);
        }
        return;
    }
    if command.row().runner == Runner::Canvas {
        uncover(desk);
        desk.to_canvas(command);
        return;
    }
    shell(desk, command);
}

/// Takes start page and documents off the canvas.
fn uncover(desk: Desk) {
    if desk.starting.get_untracked() {
        desk.starting.set(false);
    }
    if desk.panes.documents.get_untracked() {
        desk.panes.documents.set(false);
    }
}

fn shell(desk: Desk, command: Command) {
    let panes = desk.panes;
    match command {
        Command::New => session::start_new(desk),
        Command::OpenFile => session::choose_files(desk),
        Command::OpenLink => desk.panes.ask(Dialog::OpenLink),
        Command::SaveFile => session::save_file(desk),
        Command::SaveSvg => super::drawing::save_svg(desk),
        Command::SavePng => super::drawing::save_png(desk),
        Command::Print => super::drawing::print(desk),
        Command::Import => panes.ask(Dialog::Import),
        Command::Share => panes.ask(Dialog::Share),
        Command::DownloadBundle => super::reports::download_bundle(desk),
        Command::Keep => session::keep(desk),
        Command::Devices => panes.ask(Dialog::Devices),
        Command::Undo => desk.undo(),
        Command::Redo => desk.redo(),
        Command::Cut => super::clipboard::copy(desk, true),
        Command::Copy => super::clipboard::copy(desk, false),
        Command::Paste => super::clipboard::paste(desk),
        Command::ShowAsIs => desk.show.set(Show::AsIs),
        Command::ShowToBe => desk.show.set(Show::ToBe),
        Command::ShowBoth => desk.show.set(Show::Both),
        Command::Theme => change_theme(desk),
        Command::LeftPane => panes.left.update(|open| *open = !*open),
        Command::Inspector => panes.inspector.update(|open| *open = !*open),
        Command::Drawer => panes.drawer.update(|open| *open = !*open),
        Command::FocusMode => panes.focus.update(|on| *on = !*on),
        Command::Workshop => workshop(desk),
        Command::NextConsumer => step_consumer(desk, 1),
        Command::PreviousConsumer => step_consumer(desk, -1),
        Command::NextPane => step_pane(1),
        Command::PreviousPane => step_pane(-1),
        Command::WeakestHop => next_weakest(desk),
        Command::ExplainFigure => explain_selected(desk),
        Command::RepeatAnnouncement => repeat(desk),
        Command::GoVerdict => go(desk, Tab::Verdict),
        Command::GoFindings => go(desk, Tab::Findings),
        Command::GoExplain => go(desk, Tab::Explain),
        Command::GoTimeline => go(desk, Tab::Timeline),
        Command::GoReplay => go(desk, Tab::Replay),
        Command::GoState => go(desk, Tab::State),
        Command::GoDocuments => go(desk, Tab::Documents),
        Command::GoOutline => {
            panes.left.set(true);
            panes.focus.set(false);
            device::focus("[role=treeitem][tabindex='0']");
        }
        Command::GoCanvas => focus_pane("canvas"),
        Command::Find => panes.ask(Dialog::Find),
        Command::Commands => panes.ask(Dialog::Commands),
        Command::Catalogue => reference::open(desk, Part::Systems, ""),
        Command::RuleBook => reference::open(desk, Part::Rules, ""),
        Command::Shortcuts => panes.ask(Dialog::Shortcuts),
        Command::SingleKeys => {
            let on = !panes.single_keys.get_untracked();
            panes.single_keys.set(on);
            preferences::set("single-keys", if on { "on" } else { "off" });
            desk.messages.say(
                Kind::Note,
                "Single-letter keys",
                if on { "Letters alone work as keys." } else { "Letters alone do nothing." },
            );
        }
        // The canvas carries out everything else.
        _ => desk.to_canvas(command),
    }
}

fn go(desk: Desk, tab: Tab) {
    desk.panes.go(tab);
    device::focus("[role=tab][aria-selected=true]");
}

/// Enters the workshop view or leaves it; the canvas has the keyboard.
fn workshop(desk: Desk) {
    uncover(desk);
    desk.panes.workshop.update(|on| *on = !*on);
    device::focus("[data-pane=canvas] [role=application]");
}

fn step_consumer(desk: Desk, by: isize) {
    let all = untrack(|| super::drawer::consumers(desk));
    let count = all.len().max(1) as isize;
    let at = (desk.panes.consumer.get_untracked() as isize + by).rem_euclid(count) as usize;
    desk.panes.consumer.set(at);
    if let Some(id) = all.get(at) {
        let name = desk.design.with_untracked(|design| design.title(id));
        desk.messages.announce(&format!("{name}, {} of {count}", at + 1));
    }
}

fn change_theme(desk: Desk) {
    let theme = desk.panes.theme.get_untracked().other();
    desk.panes.theme.set(theme);
    preferences::set("theme", theme.name());
}

fn repeat(desk: Desk) {
    let said = desk.messages.announcement.get_untracked();
    // A live region speaks only when it changes.
    desk.messages.announce(&if said.ends_with('\u{a0}') {
        said.trim_end().to_owned()
    } else {
        format!("{said}\u{a0}")
    });
}

/// Moves the keyboard to the next pane that is shown.
fn step_pane(by: isize) {
    const PANES: [&str; 5] = ["top", "left", "canvas", "inspector", "drawer"];
    let shown: Vec<&str> =
        PANES.into_iter().filter(|name| device::query(&format!("[data-pane={name}]")).is_some()).collect();
    let at = device::focused()
        .and_then(|element| element.closest("[data-pane]").ok().flatten())
        .and_then(|pane| pane.get_attribute("data-pane"))
        .and_then(|name| shown.iter().position(|pane| *pane == name));
    let count = shown.len().max(1) as isize;
    let next = at.map_or(0, |at| (at as isize + by).rem_euclid(count) as usize);
    if let Some(name) = shown.get(next) {
        focus_pane(name);
    }
}

/// Moves the keyboard to a pane; to what covers the canvas where something does.
pub fn focus_pane(name: &str) {
    if name != "canvas" {
        device::focus(&format!("[data-pane={name}]"));
    } else if device::query(".cover").is_some() {
        device::focus(".cover");
    } else {
        device::focus("[data-pane=canvas] [role=application]");
    }
}

/// The places that make a consumer's loss or copies, each once, in the order of the consumers.
fn weakest(desk: Desk) -> Vec<Id> {
    let review = untrack(|| desk.review());
    let mut hops: Vec<Id> = Vec::new();
    for weakest in review.consumers.values().filter_map(|consumer| consumer.delivery.weakest_claimed()) {
        for hop in weakest.duplicate_origin.iter().chain(&weakest.loss) {
            if !hops.contains(&hop.at) {
                hops.push(hop.at.clone());
            }
        }
    }
    hops
}

fn next_weakest(desk: Desk) {
    let hops = weakest(desk);
    let selected = untrack(|| desk.selected());
    let at = selected.and_then(|id| hops.iter().position(|hop| *hop == id));
    let next = at.map_or(0, |at| (at + 1) % hops.len().max(1));
    if let Some(id) = hops.get(next) {
        super::kit::reveal(desk, id);
        let title = desk.design.with_untracked(|design| design.title(id));
        desk.messages.announce(&format!("Weakest hop: {title}"));
    }
}

/// Explains the number that has the keyboard, else the one that the selection shows.
fn explain_selected(desk: Desk) {
    let focused = device::focused().filter(|element| element.has_attribute("data-explains"));
    if let Some(Ok(number)) = focused.map(JsCast::dyn_into::<web_sys::HtmlElement>) {
        number.click();
    } else if let Some(id) = desk.selection.with_untracked(|s| s.first().cloned()) {
        super::popover::open_on_canvas(desk, &id);
    }
}
