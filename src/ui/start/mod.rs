//! The start page: patterns, a short brief, files and paste, what is on this device.

mod brief;
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
    let patterns: Vec<AnyView> =
        catalog::patterns().iter().map(|one| example::card(desk, one.id, one.title, one.caption, one.text)).collect();
    let examples: Vec<AnyView> =
        catalog::examples().iter().map(|one| example::card(desk, one.id, one.title, one.caption, one.text)).collect();
    view! {
        <main class="start cover" data-pane="canvas" tabindex="-1" aria-label="Start">
            <div class="start-page">
                <h2 class="start-title">"What will the consumer really see?"</h2>
                <p class="start-under">"Draw the path, or start from one. The verdict is there from the first link."</p>
                <div class="start-columns">
                    <section>
                        <h3 class="panel-title">
                            "Start from a pattern " <span class="small quiet">"each one opens with its verdict and its open questions"</span>
                        </h3>
                        <div class="cards">{patterns}</div>
                        {ways(desk)}
                        <h3 class="panel-title start-device">
                            "Or look at a whole design " <span class="small quiet">"with facts, a proposed change and a halt"</span>
                        </h3>
                        <div class="cards">{examples}</div>
                        {device::on_this_device(desk)}
                    </section>
                    {brief::brief(desk)}
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
            <button type="button" class="button" on:click=move |_| run(desk, Command::OpenLink)>"Open a link"</button>
            <button type="button" class="button" data-start="blank" on:click=move |_| session::start_design(desk, Design::default())>"Blank canvas"</button>
        </div>
        <p class="small quiet">
            "or press " {key("S", "source")} {key("T", "channel")} {key("O", "operator")} {key("K", "sink")}
            {key("U", "consumer,")} "then " {key("Ctrl →", "for the next step")}
        </p>
    }
    .into_any()
}
