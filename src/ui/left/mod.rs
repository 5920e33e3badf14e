//! The left pane: palette and outline; folded, a rail with five tools.

mod outline;
pub mod palette;
mod tree;

use super::{
    kit::{command_button, icon_button},
    marks::{Icon, icon},
    store::Desk,
};
use crate::action::Command;
use leptos::prelude::*;

/// The pane, or the rail.
pub fn left(desk: Desk) -> AnyView {
    if !desk.panes.left.get() {
        return rail(desk);
    }
    view! {
        <aside class="left" data-pane="left" tabindex="-1" aria-label="Palette and outline">
            {palette::palette(desk)}
            {outline::outline(desk)}
        </aside>
    }
    .into_any()
}

fn rail(desk: Desk) -> AnyView {
    let adding = RwSignal::new(false);
    // A tile that was carried away takes the popover with it; a finger sends no click after a drag.
    Effect::new(move |carried: Option<bool>| {
        let carries = desk.panes.carried.get().is_some();
        if carried == Some(true) && !carries {
            adding.set(false);
        }
        carries
    });
    view! {
        <aside class="rail" data-pane="left" tabindex="-1" aria-label="Tools">
            <div class="rail-tools" role="toolbar" aria-label="Tools" aria-orientation="vertical">
                {command_button(desk, Command::SelectTool, "ghost icon", icon(Icon::Cursor))}
                {command_button(desk, Command::HandTool, "ghost icon", icon(Icon::Hand))}
                <button
                    type="button"
                    class="button ghost icon"
                    aria-label="Add an element"
                    title="Add an element"
                    aria-expanded=move || adding.get().to_string()
                    on:click=move |_| adding.update(|open| *open = !*open)
                >
                    {icon(Icon::Plus)}
                </button>
                {icon_button(desk, Command::LeftPane, "", "Palette and outline", Icon::Panel)}
                {command_button(desk, Command::ZoomFit, "ghost icon", icon(Icon::Fit))}
            </div>
            {move || adding.get().then(|| view! {
                <div class="scrim-clear" hidden=move || desk.panes.carried.get().is_some() on:click=move |_| adding.set(false)></div>
                <div class="popover rail-add fade" on:click=move |_| adding.set(false)>{palette::palette(desk)}</div>
            })}
        </aside>
    }
    .into_any()
}
