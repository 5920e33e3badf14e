//! What is on this device, on the start page.

use super::super::{
    dialogs::stored,
    session,
    store::{Desk, Dialog},
};
use crate::{
    documents::badge,
    model::capital,
    platform::{clock, storage::Stored},
};
use leptos::prelude::*;

/// How many are shown; the dialog lists all.
const SHOWN: usize = 6;

/// The section, where anything is stored.
pub fn on_this_device(desk: Desk) -> AnyView {
    let all = stored();
    view! {
        {move || {
            let list = all.get().unwrap_or_default();
            (!list.is_empty()).then(|| {
                let more = list.len() > SHOWN;
                let rows: Vec<AnyView> = list.into_iter().take(SHOWN).map(|stored| row(desk, stored)).collect();
                view! {
                    <h3 class="panel-title start-device">"On this device"</h3>
                    <div class="device-list">{rows}</div>
                    {more.then(|| view! { <button type="button" class="button link" on:click=move |_| desk.panes.ask(Dialog::Devices)>"All of them"</button> })}
                }
            })
        }}
    }
    .into_any()
}

fn row(desk: Desk, stored: Stored) -> AnyView {
    let key = stored.key.clone();
    view! {
        <button type="button" class="device-entry row" data-stored=stored.key.clone() on:click=move |_| session::open_stored(desk, key.clone())>
            <span class="grow">
                <strong class="cut block">{stored.name.clone()}</strong>
                <span class="small quiet cut block">{capital(&badge::words(&stored.badge))}</span>
            </span>
            <span class="small quiet nowrap">"edited " {clock::ago(stored.edited)}</span>
        </button>
    }
    .into_any()
}
