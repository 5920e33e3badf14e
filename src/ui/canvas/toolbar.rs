//! The bar at the lower left: tools, zoom, tidy.

use super::state::Canvas;
use crate::{action::Command, canvas::tool::Tool, ui::kit::tooltip};
use leptos::prelude::*;

const CURSOR: &str = "m4 3 8.5 4.2-3.6 1.2-1.6 3.6z";
const HAND: &str = "M4.6 8.4V5.2a1 1 0 0 1 2 0M6.6 7.2V3.6a1 1 0 0 1 2 0v3.4M8.6 7V4.2a1 1 0 0 1 2 0v3.6M10.6 6.4a1 1 0 0 1 2 0v3.8a4 4 0 0 1-4 4H8a3.6 3.6 0 0 1-3-1.6L2.8 9.6a1 1 0 0 1 1.6-1.2l.8 1";
const MAP: &str = "M2.5 3.5h11v9h-11zM8.5 8h5v4.5h-5z";
const FIT: &str = "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3";

/// The bar.
pub fn toolbar(canvas: Canvas) -> AnyView {
    let tool = move |tool: Tool, command: Command, path: &'static str| {
        view! {
            <button
                type="button"
                class="cv-button"
                title=command.title()
                aria-label=command.title()
                aria-pressed=move || (canvas.tool.get() == tool).to_string()
                on:click=move |_| canvas.run(command)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=path /></svg>
            </button>
        }
    };
    let plain = move |command: Command, text: &'static str| {
        view! {
            <button type="button" class="cv-button" title=command.title() aria-label=command.title() on:click=move |_| canvas.run(command)>
                {text}
            </button>
        }
    };
    view! {
        <div class="cv-toolbar" role="toolbar" aria-label="Canvas tools" on:pointerdown=|event| event.stop_propagation()>
            {tool(Tool::Select, Command::SelectTool, CURSOR)}
            {tool(Tool::Hand, Command::HandTool, HAND)}
            <span class="cv-parted" aria-hidden="true"></span>
            {plain(Command::ZoomOut, "−")}
            <button
                type="button"
                class="cv-button cv-zoom"
                title="Zoom to 100 %"
                aria-label=move || format!("Zoom {:.0} percent, set to 100 percent", canvas.view.read().zoom * 100.0)
                on:click=move |_| canvas.run(Command::ZoomFull)
            >
                {move || format!("{:.0} %", canvas.view.read().zoom * 100.0)}
            </button>
            {plain(Command::ZoomIn, "+")}
            <button type="button" class="cv-button" title="Fit" aria-label="Fit" on:click=move |_| canvas.run(Command::ZoomFit)>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=FIT /></svg>
            </button>
            <button
                type="button"
                class="cv-button"
                title=move || tooltip(canvas.desk, Command::Minimap)
                aria-label="Minimap"
                aria-pressed=move || canvas.map_open().to_string()
                on:click=move |_| canvas.run(Command::Minimap)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d=MAP /></svg>
            </button>
            <button
                type="button"
                class="cv-button cv-tidy"
                title=Command::Tidy.row().help
                disabled=move || canvas.desk.reading.get()
                on:click=move |_| canvas.run(Command::Tidy)
            >
                "Tidy"
            </button>
        </div>
    }
    .into_any()
}
