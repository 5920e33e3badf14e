//! The whole page: top bar, panes, canvas, drawer, and what lies over them.

use super::{
    banner, canvas, clipboard, dialogs, drawer, drop, inspector, keyboard, left, marks, reader, reports, session,
    start,
    store::{Desk, Saved},
    toasts, top_bar,
};
use crate::platform::{device, preferences};
use leptos::prelude::*;

/// The application.
pub fn app() -> AnyView {
    let desk = Desk::new();
    provide_context(desk);
    follow_theme(desk);
    fit_to_window(desk);
    keyboard::listen(desk);
    clipboard::listen(desk);
    drop::listen(desk);
    session::begin(desk);
    Effect::new(move |_| {
        let name = desk.design.with(|design| design.name.as_ref().map(ToString::to_string));
        device::set_title(&name.unwrap_or_else(|| "Untitled pipeline".to_owned()));
    });
    view! {
        {marks::patterns()}
        <a class="skip" href="#canvas" on:click=move |event| {
            event.prevent_default();
            device::focus("[data-pane=canvas]");
        }>"Skip to the canvas"</a>
        <div
            class="app"
            class:focus-mode=move || desk.panes.focus.get()
            class:reading=move || desk.saved.get() == Saved::Reading
        >
            {top_bar::top_bar(desk)}
            {move || reader::banner(desk)}
            {move || main(desk)}
        </div>
        {move || dialogs::dialog(desk)}
        {toasts::toasts(desk)}
    }
    .into_any()
}

/// The start page, the documents, or the desk.
fn main(desk: Desk) -> AnyView {
    if desk.starting.get() {
        return start::start(desk);
    }
    if desk.panes.documents.get() {
        return reports::documents(desk);
    }
    view! {
        <div class="work">
            {move || (!desk.panes.focus.get() && desk.saved.get() != Saved::Reading).then(|| left::left(desk))}
            <main class="stage" id="canvas" aria-label="Canvas">
                {canvas::canvas(desk)}
                {move || banner::halts(desk)}
            </main>
            {move || (!desk.panes.focus.get()).then(|| side(desk))}
        </div>
        {drawer::drawer(desk)}
    }
    .into_any()
}

fn side(desk: Desk) -> AnyView {
    if desk.saved.get() == Saved::Reading && desk.selection.with(std::collections::BTreeSet::is_empty) {
        return reader::summary(desk);
    }
    if !desk.panes.inspector.get() {
        return ().into_any();
    }
    inspector::inspector(desk)
}

fn follow_theme(desk: Desk) {
    use super::store::Theme;
    let theme = match preferences::get("theme").as_deref() {
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        _ if preferences::system_is_dark() => Theme::Dark,
        _ => Theme::Light,
    };
    desk.panes.theme.set(theme);
    desk.panes.single_keys.set(preferences::get("single-keys").as_deref() != Some("off"));
    Effect::new(move |_| preferences::show_theme(desk.panes.theme.get().name()));
}

/// On small windows the left pane starts as the rail, the drawer as the bar, and the inspector waits for a selection.
fn fit_to_window(desk: Desk) {
    let (width, height) = device::size();
    if width < 1280.0 || height < 700.0 {
        desk.panes.left.set(false);
        desk.panes.drawer.set(false);
        desk.panes.inspector.set(false);
    }
}
