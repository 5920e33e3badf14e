//! Toasts, and the live region that screen readers listen to.

use super::{
    marks::{Icon, Level, icon, severity},
    store::{Desk, Kind, Notice},
};
use leptos::prelude::*;

/// Both.
pub fn toasts(desk: Desk) -> AnyView {
    let messages = desk.messages;
    view! {
        <div class="toasts" role="region" aria-label="Messages">
            <For each=move || messages.notices.get() key=|notice| notice.id children=move |notice| toast(desk, notice) />
        </div>
        <div class="hidden-text" role="status" aria-live="polite" data-announcement="">
            {move || messages.announcement.get()}
        </div>
    }
    .into_any()
}

fn toast(desk: Desk, notice: Notice) -> AnyView {
    let id = notice.id;
    let level = match notice.kind {
        Kind::Note => Level::Note,
        Kind::Warning => Level::Warning,
        Kind::Error => Level::Error,
        Kind::Settled => Level::Settled,
    };
    if notice.actions.is_empty() && notice.kind != Kind::Error {
        let long = notice.text.chars().count() as i32 * 60;
        set_timeout(move || desk.messages.dismiss(id), std::time::Duration::from_millis(6000 + long as u64));
    }
    let actions: Vec<AnyView> = notice
        .actions
        .iter()
        .enumerate()
        .map(|(i, action)| {
            let run = action.run;
            let class = if i == 0 { "button primary" } else { "button" };
            view! {
                <button type="button" class=class on:click=move |_| {
                    desk.messages.dismiss(id);
                    run.run(());
                }>{action.label}</button>
            }
            .into_any()
        })
        .collect();
    let buttons = (!actions.is_empty()).then(|| view! { <div class="row wrap toast-actions">{actions}</div> });
    view! {
        <section class="toast popover fade" class:error=notice.kind == Kind::Error aria-labelledby=format!("toast-{id}")>
            {severity(level)}
            <div class="grow">
                <strong id=format!("toast-{id}")>{notice.title.clone()}</strong>
                <p class="second">{notice.text.clone()}</p>
                {buttons}
            </div>
            <button type="button" class="button ghost icon" aria-label="Close this message" on:click=move |_| desk.messages.dismiss(id)>
                {icon(Icon::Close)}
            </button>
        </section>
    }
    .into_any()
}
