//! Menus from the action table: keys at the right, unavailable entries say why.

use super::{
    marks::{Icon, icon},
    run::run,
    store::Desk,
};
use crate::action::{Area, Command, spoken};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

const AREAS: [Area; 7] = [Area::File, Area::Edit, Area::Select, Area::Arrange, Area::View, Area::Panes, Area::Help];

/// The button at the left of the top bar and its menu.
pub fn menu(desk: Desk) -> AnyView {
    let open = RwSignal::new(false);
    view! {
        <div class="menu-holder">
            <button
                type="button"
                class="button ghost icon"
                aria-label="Menu"
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                title="Menu"
                on:click=move |_| {
                    open.update(|open| *open = !*open);
                    crate::platform::device::focus(".menu [role=menuitem]");
                }
            >
                {icon(Icon::Menu)}
            </button>
            {move || open.get().then(|| items(desk, open))}
        </div>
    }
    .into_any()
}

fn items(desk: Desk, open: RwSignal<bool>) -> AnyView {
    let shut = Callback::new(move |()| open.set(false));
    let areas: Vec<AnyView> = AREAS
        .into_iter()
        .map(|area| {
            let rows: Vec<AnyView> = Command::of(area).map(|command| item(desk, command, shut)).collect();
            view! {
                <div role="group" aria-label=area.title()>
                    <p class="label menu-title" aria-hidden="true">{area.title()}</p>
                    {rows}
                </div>
            }
            .into_any()
        })
        .collect();
    let close = Callback::new(move |()| {
        open.set(false);
        // At once: a focus that comes later would take the keyboard from what was opened meanwhile.
        crate::platform::device::focus_now("[aria-haspopup=menu]");
    });
    view! {
        <div class="scrim-clear" on:click=move |_| open.set(false)></div>
        <div class="menu popover fade" role="menu" aria-label="Menu" on:keydown=move |event| keys(&event, close)>{areas}</div>
    }
    .into_any()
}

/// The entries of a menu in groups parted by lines. `close` runs before the command of an entry.
pub fn groups(desk: Desk, groups: &'static [&'static [Command]], close: Callback<()>) -> AnyView {
    let one = |commands: &&'static [Command]| {
        let rows: Vec<AnyView> = commands.iter().map(|command| item(desk, *command, close)).collect();
        view! { <div role="group" class="menu-group">{rows}</div> }.into_any()
    };
    groups.iter().map(one).collect::<Vec<_>>().into_any()
}

fn item(desk: Desk, command: Command, close: Callback<()>) -> AnyView {
    let row = command.row();
    let why = desk.context.with_untracked(|context| command.enabled(context)).err();
    let key = row.keys.first().map(|key| view! { <kbd>{spoken(key)}</kbd> });
    view! {
        <button
            type="button"
            role="menuitem"
            class="menu-item"
            tabindex="-1"
            data-command=row.id
            aria-disabled=why.is_some().to_string()
            title=why.unwrap_or(row.help)
            on:click=move |_| {
                if why.is_none() {
                    close.run(());
                    run(desk, command);
                }
            }
        >
            <span class="grow">{command.full_title()} {why.map(|why| view! { <span class="small block">{why}</span> })}</span>
            {key}
        </button>
    }
    .into_any()
}

/// The keys of an open menu: arrows, Home and End walk, a letter goes to the next entry that begins with it, Escape and Tab
/// close. No key reaches the shortcuts while a menu is open.
pub fn keys(event: &leptos::ev::KeyboardEvent, close: Callback<()>) {
    event.stop_propagation();
    match event.key().as_str() {
        "Escape" | "Tab" => {
            event.prevent_default();
            close.run(());
        }
        "ArrowDown" => step(event, |at, count| at.map_or(0, |at| (at + 1) % count)),
        "ArrowUp" => step(event, |at, count| at.map_or(count - 1, |at| (at + count - 1) % count)),
        "Home" => step(event, |_, _| 0),
        "End" => step(event, |_, count| count - 1),
        letter if letter.chars().count() == 1 && letter != " " && !event.ctrl_key() && !event.meta_key() => {
            begin_with(event, letter);
        }
        _ => {}
    }
}

fn entries(event: &leptos::ev::KeyboardEvent) -> (Vec<web_sys::HtmlElement>, Option<usize>) {
    let menu = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
    let Some(items) = menu.and_then(|menu| menu.query_selector_all("[role=menuitem]").ok()) else {
        return (Vec::new(), None);
    };
    let all: Vec<web_sys::HtmlElement> = (0..items.length()).filter_map(|i| items.get(i)?.dyn_into().ok()).collect();
    let focused = crate::platform::device::focused();
    let at = all.iter().position(|item| focused.as_ref() == Some(item.as_ref()));
    (all, at)
}

fn step(event: &leptos::ev::KeyboardEvent, next: fn(Option<usize>, usize) -> usize) {
    event.prevent_default();
    let (all, at) = entries(event);
    if let Some(item) = all.get(next(at, all.len().max(1))) {
        let _ = item.focus();
    }
}

fn begin_with(event: &leptos::ev::KeyboardEvent, letter: &str) {
    event.prevent_default();
    let (all, at) = entries(event);
    let first = at.map_or(0, |at| at + 1);
    let begins = |item: &&web_sys::HtmlElement| {
        item.text_content().unwrap_or_default().trim_start().to_lowercase().starts_with(&letter.to_lowercase())
    };
    if let Some(item) = all.iter().cycle().skip(first).take(all.len()).find(begins) {
        let _ = item.focus();
    }
}
