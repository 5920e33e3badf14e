//! The designs that are stored in this browser.

use super::{
    super::{
        session,
        store::{Desk, Kind},
    },
    dialog_head,
};
use crate::{
    documents::badge,
    platform::{clock, storage::Stored},
};
use leptos::{prelude::*, task::spawn_local};

/// The list as a signal that fills when the browser has answered.
pub fn stored() -> RwSignal<Option<Vec<Stored>>> {
    let all = RwSignal::new(None);
    spawn_local(async move {
        let list = session::list().await;
        // The page may have gone on meanwhile.
        let _ = all.try_set(Some(list));
    });
    all
}

/// The dialog.
pub fn devices(desk: Desk) -> AnyView {
    let all = stored();
    view! {
        {dialog_head(desk, "Designs on this device".into_any(), "They lie in this browser only. A file or a link takes one elsewhere.".into_any())}
        <div class="dialog-scroll" tabindex="0" role="region" aria-label="Designs">
            {move || match all.get() {
                None => view! { <p class="second dialog-pad">"Reading what is stored."</p> }.into_any(),
                Some(list) if list.is_empty() => view! { <p class="second dialog-pad">"Nothing is stored here yet."</p> }.into_any(),
                Some(list) => list.into_iter().map(|stored| row(desk, stored, all)).collect::<Vec<_>>().into_any(),
            }}
        </div>
    }
    .into_any()
}

fn row(desk: Desk, stored: Stored, all: RwSignal<Option<Vec<Stored>>>) -> AnyView {
    let (key, gone) = (stored.key.clone(), stored.key.clone());
    let sure = RwSignal::new(false);
    let remove = move |_| {
        if !sure.get_untracked() {
            sure.set(true);
            return;
        }
        let key = gone.clone();
        spawn_local(async move {
            match session::forget(&key).await {
                Ok(()) => all.update(|list| {
                    if let Some(list) = list {
                        list.retain(|stored| stored.key != key);
                    }
                }),
                Err(error) => desk.messages.say(Kind::Error, "It was not removed", &format!("{error}.")),
            }
        });
    };
    view! {
        <div class="row device-row">
            <button type="button" class="button link grow device-open" on:click=move |_| session::open_stored(desk, key.clone())>
                {stored.name.clone()}
            </button>
            <span class="small quiet">{badge::words(&stored.badge)}</span>
            <span class="small quiet nowrap">"edited " {clock::ago(stored.edited)}</span>
            <button type="button" class="button ghost" on:click=remove>
                {move || if sure.get() { "Remove for good" } else { "Remove" }}
            </button>
        </div>
    }
    .into_any()
}
