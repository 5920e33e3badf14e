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
    let groups: Vec<AnyView> = AREAS
        .into_iter()
        .map(|area| {
            let rows: Vec<AnyView> = Command::of(area).map(|command| item(desk, command, open)).collect();
            view! {
                <div role="group" aria-label=area.title()>
                    <p class="label menu-title" aria-hidden="true">{area.title()}</p>
                    {rows}
                </div>
            }
            .into_any()
        })
        .collect();
    let close = move || {
        open.set(false);
        crate::platform::device::focus("[aria-haspopup=menu]");
    };
    view! {
        <div class="scrim-clear" on:click=move |_| open.set(false)></div>
        <div class="menu popover fade" role="menu" aria-label="Menu" on:keydown=move |event| match event.key().as_str() {
            "Escape" | "Tab" => {
                event.prevent_default();
                close();
            }
            "ArrowDown" => step(&event, 1),
            "ArrowUp" => step(&event, -1),
            _ => {}
        }>{groups}</div>
    }
    .into_any()
}

/// One entry, for this menu and for context menus.
pub fn item(desk: Desk, command: Command, open: RwSignal<bool>) -> AnyView {
    let row = command.row();
    let why = desk.context.with_untracked(|context| command.enabled(context)).err();
    let key = row.keys.first().map(|key| view! { <kbd>{spoken(key)}</kbd> });
    view! {
        <button
            type="button"
            role="menuitem"
            class="menu-item"
            aria-disabled=why.is_some().to_string()
            title=why.unwrap_or(row.help)
            on:click=move |_| {
                if why.is_none() {
                    open.set(false);
                    run(desk, command);
                }
            }
        >
            <span class="grow">{row.title} {why.map(|why| view! { <span class="small quiet block">{why}</span> })}</span>
            {key}
        </button>
    }
    .into_any()
}

/// Moves the keyboard among the entries of a menu.
pub fn step(event: &leptos::ev::KeyboardEvent, by: i32) {
    event.prevent_default();
    let Some(menu) = event.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) else { return };
    let Ok(items) = menu.query_selector_all("[role=menuitem]") else { return };
    let all: Vec<web_sys::HtmlElement> = (0..items.length()).filter_map(|i| items.get(i)?.dyn_into().ok()).collect();
    let focused = crate::platform::device::focused();
    let at = all.iter().position(|item| focused.as_ref() == Some(item.as_ref()));
    let count = all.len().max(1) as i32;
    let next = at.map_or(0, |at| (at as i32 + by).rem_euclid(count));
    if let Some(item) = all.get(next as usize) {
        let _ = item.focus();
    }
}
