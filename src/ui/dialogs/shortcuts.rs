//! The help sheet: every key, and what it does.

use super::{super::store::Desk, dialog_head};
use crate::action::{Area, Command, spoken};
use leptos::prelude::*;

/// The sheet.
pub fn sheet(desk: Desk) -> AnyView {
    let areas: Vec<AnyView> = Area::ALL.into_iter().map(area).collect();
    view! {
        {dialog_head(desk, "Keys".into_any(), "Ctrl stands for Ctrl or ⌘. Keys are ignored while typing. Everything has a button or a menu entry too.".into_any())}
        <div class="dialog-scroll" tabindex="0" role="region" aria-label="Keys">
            <div class="keys">{areas}</div>
        </div>
    }
    .into_any()
}

fn area(area: Area) -> AnyView {
    let rows: Vec<AnyView> = Command::of(area)
        .filter(|command| !command.row().keys.is_empty())
        .map(|command| {
            let row = command.row();
            let keys: Vec<AnyView> =
                row.keys.iter().map(|key| view! { <kbd>{spoken(key)}</kbd> " " }.into_any()).collect();
            view! { <tr><th scope="row">{row.title}</th><td>{keys}</td></tr> }.into_any()
        })
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    view! {
        <section class="keys-area">
            <h3 class="label">{area.title()}</h3>
            <table><tbody>{rows}</tbody></table>
        </section>
    }
    .into_any()
}
