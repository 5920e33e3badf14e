//! The whole page: top bar, panes, canvas, drawer, and what lies over them.

use super::{
    announce, banner, canvas, clipboard, dialogs, drawer, drawing, drop, inspector, keyboard, left, marks, popover,
    reader, reports, session, start,
    store::{Desk, Saved},
    toasts, top_bar, workshop,
};
use crate::platform::{device, frame, held, preferences};
use leptos::prelude::*;

/// The application.
pub fn app() -> AnyView {
    let desk = Desk::new();
    provide_context(desk);
    follow_theme(desk);
    fit_to_window(desk);
    popover::listen(desk);
    keyboard::listen(desk);
    clipboard::listen(desk);
    drop::listen(desk);
    super::cut::listen();
    announce::listen(desk);
    keep_keyboard(desk);
    drawing::listen(desk);
    session::begin(desk);
    let title = Memo::new(move |_| {
        let name = desk.design.with(|design| design.name.as_ref().map(ToString::to_string));
        name.unwrap_or_else(|| "Untitled pipeline".to_owned())
    });
    Effect::new(move |_| title.with(|title| device::set_title(title)));
    view! {
        {marks::patterns()}
        <a class="skip" href="#canvas" on:click=move |event| {
            event.prevent_default();
            super::run::focus_pane("canvas");
        }>"Skip to the canvas"</a>
        <div
            class="app"
            class:focus-mode=move || desk.panes.focus.get()
            class:workshop=move || desk.panes.workshop.get()
            class:reading=move || desk.saved.get() == Saved::Reading
            data-app-ready=move || desk.ready.get().then_some("")
        >
            {top_bar::top_bar(desk)}
            {move || reader::banner(desk)}
            {body(desk)}
        </div>
        {popover::popovers(desk)}
        {move || dialogs::dialog(desk)}
        {toasts::toasts(desk)}
    }
    .into_any()
}

/// What had the keyboard has it again once an edit is drawn, and once what follows the edit is.
fn keep_keyboard(desk: Desk) {
    held::listen();
    Effect::new(move |_| {
        desk.meaning.track();
        desk.settled.track();
        frame::after(held::restore);
    });
}

/// The desk, and what may cover it: the start page or the documents. The canvas stays in the page all the time, so that
/// it keeps its place and its zoom.
fn body(desk: Desk) -> AnyView {
    let covered = Memo::new(move |_| desk.starting.get() || desk.panes.documents.get());
    let cover = Memo::new(move |_| (desk.starting.get(), desk.panes.documents.get()));
    let projected = Memo::new(move |_| desk.panes.workshop.get());
    let whole = Memo::new(move |_| !desk.panes.focus.get() && !projected.get());
    let with_left = Memo::new(move |_| whole.get() && desk.saved.get() != Saved::Reading);
    let halted = Memo::new(move |_| desk.review().halts.clone());
    // Saving goes on while somebody types: only what is shown may rebuild the pane.
    let beside = Memo::new(move |_| match (desk.saved.get() == Saved::Reading, desk.panes.inspector.get()) {
        _ if !whole.get() => Beside::Nothing,
        (true, _) if desk.selection.with(crate::sorted::SortedSet::is_empty) => Beside::Summary,
        (_, true) => Beside::Inspector,
        (_, false) => Beside::Nothing,
    });
    view! {
        <div class="body">
            <div class="desk" prop:inert=move || covered.get()>
                <div class="work">
                    {move || with_left.get().then(|| left::left(desk))}
                    <main class="stage" id="canvas" data-pane="canvas" aria-label="Canvas">
                        {canvas::canvas(desk)}
                        {move || if projected.get() {
                            workshop::head(desk)
                        } else {
                            view! {
                                <div class="over-canvas">{move || banner::halts(desk, &halted.get())} {canvas::legend(desk)}</div>
                            }.into_any()
                        }}
                    </main>
                    {move || side(desk, beside.get())}
                </div>
                {drawer::drawer(desk)}
                {move || projected.get().then(|| workshop::verdict(desk))}
            </div>
            {move || match cover.get() {
                (true, _) => start::start(desk),
                (false, true) => reports::documents(desk),
                (false, false) => ().into_any(),
            }}
        </div>
    }
    .into_any()
}

/// What stands at the right of the canvas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    /// The design in short, for who reads a link.
    Summary,
    Inspector,
}

/// Each pane is laid out apart in a room of its own: what changes in it moves nothing around it.
fn side(desk: Desk, beside: Beside) -> AnyView {
    match beside {
        Beside::Nothing => ().into_any(),
        Beside::Summary => view! { <div class="inspector-room reading">{reader::summary(desk)}</div> }.into_any(),
        Beside::Inspector => view! { <div class="inspector-room">{inspector::inspector(desk)}</div> }.into_any(),
    }
}

fn follow_theme(desk: Desk) {
    use super::store::Theme;
    let of_system = |dark: bool| if dark { Theme::Dark } else { Theme::Light };
    let chosen = || match preferences::get("theme").as_deref() {
        Some("dark") => Some(Theme::Dark),
        Some("light") => Some(Theme::Light),
        _ => None,
    };
    desk.panes.theme.set(chosen().unwrap_or_else(|| of_system(preferences::system_is_dark())));
    // Who chose a theme keeps it; all others have that of their system, also when it changes in the evening.
    preferences::on_system_theme(move |dark| {
        if chosen().is_none() {
            desk.panes.theme.set(of_system(dark));
        }
    });
    desk.panes.single_keys.set(preferences::get("single-keys").as_deref() != Some("off"));
    Effect::new(move |_| preferences::show_theme(desk.panes.theme.get().name()));
}

/// On small windows the left pane starts as the rail, the drawer as the bar, and the inspector comes with a selection
/// and goes with it.
fn fit_to_window(desk: Desk) {
    let small = || {
        // Large text needs as much room as a small window has not; the style sheets count in the same way.
        let ((width, height), scale) = (device::size(), device::text_scale());
        width < 1280.0 * scale || height < 700.0 * scale
    };
    let is_small = RwSignal::new(small());
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if is_small.get_untracked() != small() {
            is_small.set(small());
        }
    });
    on_cleanup(move || resized.remove());
    Effect::new(move |_| {
        let roomy = !is_small.get();
        desk.panes.left.set(roomy);
        desk.panes.drawer.set(roomy);
        desk.panes.inspector.set(roomy);
    });
    Effect::new(move |_| {
        let selected = !desk.selection.with(crate::sorted::SortedSet::is_empty);
        if is_small.get_untracked() {
            desk.panes.inspector.set(selected);
        }
    });
}
