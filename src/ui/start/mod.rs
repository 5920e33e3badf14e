//! The start page: patterns, a short brief, files and paste, what is on this device.

mod device;
mod example;

use super::{
    marks::{Icon, icon},
    run::run,
    session,
    store::{Desk, Dialog},
};
use crate::{action::Command, catalog, model::Design};
use leptos::prelude::*;

/// The page.
pub fn start(desk: Desk) -> AnyView {
    let examples: Vec<AnyView> = catalog::examples().iter().map(|one| example::card(desk, one)).collect();
    view! {
        <main class="start" id="canvas" data-pane="canvas" tabindex="-1" aria-label="Start">
            <div class="start-page">
                <h2 class="start-title">"What will the consumer really see?"</h2>
                <p class="start-under">"Draw the path, or start from one. The verdict is there from the first link."</p>
                <div class="start-columns">
                    <section>
                        <h3 class="panel-title">"A whole design to look at"</h3>
                        <div class="cards">{examples}</div>
                        {ways(desk)}
                        {device::on_this_device(desk)}
                    </section>
                </div>
                <p class="row start-foot quiet">{icon(Icon::Usb)} "No account, no server. Works offline after this visit."</p>
            </div>
        </main>
    }
    .into_any()
}

/// Files, paste, link, blank canvas.
fn ways(desk: Desk) -> AnyView {
    let key = |key: &'static str, word: &'static str| view! { <kbd>{key}</kbd> " " {word} " " };
    view! {
        <div class="row wrap start-ways">
            <button type="button" class="button" on:click=move |_| run(desk, Command::OpenFile)>"Open a file"</button>
            <button type="button" class="button" data-start="paste" on:click=move |_| desk.panes.ask(Dialog::Import)>"Paste command output"</button>
            <button type="button" class="button" on:click=move |_| desk.panes.ask(Dialog::OpenLink)>"Open a link"</button>
            <button type="button" class="button" data-start="blank" on:click=move |_| session::start_design(desk, Design::default())>"Blank canvas"</button>
        </div>
        <p class="small quiet">
            "or press " {key("S", "source")} {key("T", "channel")} {key("O", "operator")} {key("K", "sink")}
            {key("U", "consumer,")} "then " {key("Ctrl →", "for the next step")}
        </p>
    }
    .into_any()
}
